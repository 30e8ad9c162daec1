/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/libcall.h - calls of functions of the C library that have a row in wire/library.h. */
#pragma once

#if defined(__aarch64__)
#define RT_CALL_INTS 8
#define RT_CALL_REAL 200
#define RT_CALL_SIZE 400
#else
#define RT_CALL_INTS 6
#define RT_CALL_REAL 184
#define RT_CALL_SIZE 384
#endif
#define RT_THUNK_ALIGN 16

#ifndef __ASSEMBLER__

#include <stdarg.h>

#include "runtime/core/state.h"
#include "wire/library.h"

#define RT_CALL_KEPT 6u

/* A call in progress: the thunk fills it up to stack. The registers have the layout of a va_list. */
typedef struct rt_call {
    uint64_t ints[RT_CALL_INTS]; /* integer arguments */
    double vectors[8][2];
    uint64_t extra; /* x86-64: rax; aarch64: x8 */
    uint64_t real;  /* the function */
    const char *row;
    uint64_t *stack;     /* arguments there */
    uint64_t results[2]; /* set before rt_library_after */
    double floats[4][2]; /* likewise */
    uint64_t site;       /* a wire_site */
    const char *name, *signature;
    uint64_t thunk;
    uint64_t kept[RT_CALL_KEPT]; /* what rt_library_after compares with */
    uint32_t number;             /* number of the site */
    uint32_t n_stack;            /* words of the stack that it may take */
    uint32_t outer;              /* the call of libstdc++ that this one is in */
    bool is_ours;                /* the function is the runtime's */
    bool is_late;                /* some accesses are recorded after the call */
} rt_call;

/* The call reads, writes size bytes at p. */
void rt_library_read(const rt_call *c, uint64_t p, uint64_t size);
void rt_library_write(const rt_call *c, uint64_t p, uint64_t size);

/* Argument i is a format: what it and the arguments after it, or the va_list, lead to (formats.c). */
enum rt_format {
    RT_FORMAT_SCANS = 1, /* one of scanf; else of printf */
    RT_FORMAT_WIDE = 2,  /* wide characters */
    RT_FORMAT_AFTER = 4  /* the call is over */
};
void rt_library_format(rt_call *c, uint32_t i, uint32_t how);

/* True if the value cannot be a memory address. */
bool rt_library_is_nowhere(uint64_t p);
uint64_t rt_library_argument(const rt_call *c, uint32_t i);

/* ---- beside.c: words of a row that are about no memory of an argument ---- */

void rt_library_state(const rt_call *c, const char *name, bool is_write);
/* The same of a state that the system keeps. */
void rt_library_system(const rt_call *c, const char *name, bool is_set);
/* word: 'u' writes it; is_after: the call is over. */
void rt_library_environ(rt_call *c, char word, bool is_after);
void rt_library_stream(const rt_call *c, uint64_t stream, char word);
/* The k-th variable of the memory stream that the call makes; the stream is flushed, or all. */
void rt_library_stream_variable(const rt_call *c, uint64_t variable, uint32_t k);
void rt_library_flush(const rt_call *c, uint64_t stream);
void rt_library_file(const rt_call *c, uint64_t fd, char word);
/* All from the first one on; up to argument i + 1 if the row has it. */
void rt_library_files(const rt_call *c, uint64_t first, uint32_t i);
void rt_library_mapping(const rt_call *c);

/* Called by the thunk. */
RT_HIDDEN uint64_t rt_library_before(rt_call *c);
RT_HIDDEN void rt_library_after(rt_call *c);

#endif
