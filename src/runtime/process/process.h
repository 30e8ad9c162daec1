/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/process/process.h - before main, between runs, and code that is not instrumented. */
#pragma once

#include "runtime/core/above.h"
#include "runtime/core/core.h"

extern RT_HIDDEN const rt_above rt_above_core; /* above.c */

/* ---- images (image.c) ---- */

void rt_images_publish(void);

/* Facts from the sites of all images: which functions are called. */
typedef struct rt_images_facts {
    uint32_t uses;     /* enum wire_uses */
    uint64_t sends;    /* bits of signals that it sends to itself, as far as calls show */
    bool has_wide;     /* atomic accesses of 16 bytes */
    bool calls_others; /* functions that may not be instrumented */
    bool makes_inputs; /* calls a function that makes inputs */
    bool polls;        /* ... one that waits for several descriptors */
    bool makes_sockets; /* ... one that makes sockets */
    bool tells_numbers; /* ... one by which numbers of descriptors are seen */
    bool creates;       /* ... one that makes threads */
    bool registers;     /* ... one that registers handlers of exit */
} rt_images_facts;

rt_images_facts rt_images_look(void);

/* ---- arguments (start.c) ---- */

void rt_arguments_restore(void);

/* ---- code that is not instrumented (real.c, taken.c) ---- */

/* Finds the C library's functions behind those that the executable exports; absent from static
 * programs. */
__attribute__((weak)) RT_HIDDEN void rt_real_resolve(void);
/* The library that unwinds stacks is loaded before the snapshot: a run could not undo it. */
__attribute__((weak)) RT_HIDDEN void rt_real_unwinds(void);

bool rt_is_taken_over(uint64_t function); /* taken.c */

/* ---- threads and processes outside of treadle's control (trap.c) */

/* Prevents new ones; a call that would create one raises SIGSYS. */
void rt_trap_install(void);
const char *rt_trap_name(int number); /* name of the system call */
/* Call at the end of a run: adds a ledger entry if there is an uncontrolled thread. */
rt_end_call rt_trap_end;

/* ---- process (zygote.c, crash.c) ---- */

_Noreturn void rt_zygote(void);
void rt_crash_install(void);
void rt_crash_stack(void *memory); /* this thread handles its signals there */
