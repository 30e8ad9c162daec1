/* SPDX-License-Identifier: Apache-2.0 */
/* trace/site_table.h - the site tables of a program, read from its files.
 *
 * Purpose     Looks up file, line, column, function and names by the number of a site, and function
 *             and line of an address in the debug information. Home of elfutils (libdw, libelf).
 * Invariants  An invalid file gives an error message, never a crash; a number that is in no table
 *             gives the unknown site ("?", line 0).
 * Ownership   The trc_sites owns all strings.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "wire/site.h"
#include "wire/wire.h"

typedef struct trc_sites trc_sites;

typedef struct trc_site {
    const char *file;     /* never NULL */
    const char *function; /* never NULL */
    const char *name;     /* name of the object, "" if unknown */
    const char *callee;   /* "" if it is not a call */
    uint32_t line, column;
    uint16_t kind, size;
    uint32_t type; /* enum wire_site_type */
    /* Linker symbol of the function, for an address in C++ code; otherwise NULL. */
    const char *symbol;
} trc_site;

/* Reads the tables of the images, which are not trusted. */
TD_MUST_USE td_status trc_sites_open(const wire_image *images, uint32_t n,
                                     trc_sites **out, td_diag *diag);
void trc_sites_free(trc_sites *s);

trc_site trc_site_at(const trc_sites *s, uint32_t number);
/* Returns the address of its record in the program's memory; 0 if it has none. */
uint64_t trc_site_address(const trc_sites *s, uint32_t number);
/* Returns the number of sites: all site numbers are smaller. */
uint32_t trc_sites_end(const trc_sites *s);
/* True if some call makes a symbolic input. */
bool trc_sites_make_inputs(const trc_sites *s);
/* True if all code tracks symbolic values; objects of `treadle cc -c` need not. */
bool trc_sites_follow(const trc_sites *s);

/* Function and line of an address of the running program ("?" if unknown). */
trc_site trc_site_of_address(const trc_sites *s, uint64_t address);

/* Lists the places of a return address, innermost first: the call itself, then the calls that the compiler
 * inlined around it. Returns 0 if the address is unknown or not the program's. */
#define TRC_MAX_CALLS 32u
size_t trc_calls_at(const trc_sites *s, uint64_t return_address, trc_site *out,
                    size_t max);

/* Code of the running program, low <= address < high. */
typedef struct trc_span {
    uint64_t low, high;
} trc_span;
/* Lists the code of the lines from..to of a file, by the part of its path after the last slash, with functions that
 * were inlined there. Returns the number of pieces, which may be more than max. */
size_t trc_code_of_lines(const trc_sites *s, const char *file, uint32_t from, uint32_t to,
                         trc_span *out, size_t max);

/* True if the code ends in a jump to another function: the call leaves no frame. Not of code that runs only where
 * values are not followed. */
bool trc_has_tail_call(const trc_sites *s, const trc_span *code);

/* A member or element of a global object, or all of one, that is a number or a pointer. */
typedef struct trc_part {
    uint32_t size,
        offset;    /* in bytes; where in it the address is; behind it is padding */
    uint32_t type; /* enum wire_site_type */
    uint32_t
        /* Length of the name of the largest object that begins at the address; 0: unknown. */
        whole;
} trc_part;

/* Name of the global object at an address, with "+offset" where it is inside; "" if none.
 * The text is valid until the next call. part, unless NULL, becomes what lies there; it stays as it
 * is where that is not known. */
const char *trc_object_at(trc_sites *s, uint64_t address, trc_part *part);
static inline const char *trc_object_name(trc_sites *s, uint64_t address)
{
    return trc_object_at(s, address, NULL);
}
/* The same of memory in the frame of a function: the variable. The function is that of a return address, its frame
 * pointer is given. */
const char *trc_local_at(trc_sites *s, uint64_t return_address, uint64_t frame,
                         uint64_t address);
/* Finds the object at an address; false if it is unknown. */
static inline bool trc_object_part(trc_sites *s, uint64_t address, trc_part *out)
{
    *out = (trc_part){0};
    trc_object_at(s, address, out);
    return out->size > 0;
}

/* True if a file of the program has a function of that name that treadle cc built. */
bool trc_is_instrumented(trc_sites *s, const char *function);

/* The GNU build id of the first image as hexadecimal text, "" if it has none. */
const char *trc_build_id(const trc_sites *s);

/* One line of a source file without its newline and the blanks before it, NULL if it cannot be
 * read. */
const char *trc_source_line(trc_sites *s, const char *file, uint32_t line);
