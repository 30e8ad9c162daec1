/* SPDX-License-Identifier: Apache-2.0 */
/* explore/races/clashes.h - which accesses of two parts of threads may race.
 *
 * Words       clash: a pair of sites whose accesses overlap and may race.
 * Cost        Few accesses are compared each with each, many by an index.
 */
#pragma once

#include "base/id.h"
#include "base/spans.h"

/* How bytes are accessed, by which two of them may race. */
typedef enum xpl_access_kind {
    XPL_ACCESS_PLAIN,
    XPL_ACCESS_ATOMIC,
    XPL_ACCESS_FREES,
    XPL_ACCESS_OTHER
} xpl_access_kind;

typedef struct xpl_access {
    uint64_t start, end;
    uint32_t site;
    uint8_t kind; /* xpl_access_kind */
    bool is_write;
    bool is_next; /* it is the operation after the part */
} xpl_access;

/* The first two accesses of a pair of sites that may race. */
typedef struct xpl_clash {
    td_id pair;
    uint64_t start[2], end[2];
    bool is_next[2];
} xpl_clash;

TD_VEC(xpl_access, xpl_access_vec);
TD_VEC(xpl_clash, xpl_clash_vec);

/* The accesses of a part, and an index of them if there are many; borrowed. */
typedef struct xpl_accesses {
    const xpl_access *at;
    uint32_t n;
    const td_spans *spans;
} xpl_accesses;

td_id xpl_pair_id(uint32_t site, uint32_t other);

/* Fills spans with n accesses, by their numbers, if there are so many that xpl_clashes_find needs
 * it. */
void xpl_clashes_index(const xpl_access *at, uint32_t n, td_spans *spans);
/* Appends each clash of a (0) and b (1) once. */
void xpl_clashes_find(const xpl_accesses *a, const xpl_accesses *b, xpl_clash_vec *out);
