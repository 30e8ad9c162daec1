/* SPDX-License-Identifier: Apache-2.0 */
/* wire/weaker.h - weaker memory orders in place of those that the program was compiled with.
 *
 * Purpose     Defines the order that atomic operations have in the runs of a session (treadle
 *             weaken). The processor executes the instruction as it is; records, clocks and so the
 *             memory model see the other order.
 * Words       place: file without its directory, line and column. Several sites may have it.
 */
#pragma once

#include <assert.h>
#include <stdint.h>

#include "wire/site.h"

/* An operation of this kind and order at the place has the order to. Of a failed compare-exchange the kind
 * is CAS_FAIL. A relaxed fence has no effect. */
typedef struct wire_weaker {
    uint64_t file; /* wire_file_hash */
    uint32_t line, column;
    uint8_t kind; /* LOAD, STORE, RMW, CAS, CAS_FAIL or FENCE */
    uint8_t order, to;
    uint8_t pad[5];
} wire_weaker;

static_assert(sizeof(wire_weaker) == 24, "wire_weaker is part of the protocol");

#define WIRE_MAX_WEAKER 256u

/* Hashes the part of a path after its last slash. */
static inline uint64_t wire_file_hash(const char *path)
{
    const uint64_t start = UINT64_C(0xcbf29ce484222325);
    uint64_t hash = start;
    for (; *path; path++)
        hash = *path == '/' ? start
                            : (hash ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
    return hash;
}

/* The path of the source file of a site, in the program itself. */
static inline const char *wire_site_path(const wire_site *s)
{
    const wire_site *of_file = (const wire_site *)((const char *)s + s->file);
    return (const char *)of_file + of_file->file;
}
