/* SPDX-License-Identifier: Apache-2.0 */
/* base/spans.h - ranges of addresses: numbered ones that may overlap, and sets of bytes.
 *
 * Purpose     td_spans: many ranges, each with a number of its owner's; which of them overlap with
 *             a given one. td_bytes: a set of bytes.
 * Invariants  td_spans: ranges are in runs, each sorted by start and at least twice as long as the
 *             next; reach is the largest end of a run so far, so it rises within a run.
 *             td_bytes: ranges are not empty, rising, and at least one byte apart.
 * Cost        td_spans_add O(log n) amortised, times a logarithm for sorting; a question
 *             O(log^2 n) and what it finds, for ranges that are not nested deeply.
 *             td_bytes_add O(n) moves; its questions O(log n).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct td_span {
    uint64_t start, end; /* not empty */
    uint64_t reach;
    uint32_t number;
} td_span;

TD_VEC(td_span, td_span_vec);
TD_VEC(size_t, td_size_vec);

typedef struct td_spans {
    td_span_vec at;
    td_size_vec runs; /* where each starts */
} td_spans;

void td_spans_fini(td_spans *s);
/* Ranges without a byte are left out. */
void td_spans_add(td_spans *s, uint64_t start, uint64_t end, uint32_t number);

/* Many at once: each is put, then one call sorts them. Only into an empty one, and no question is
 * asked in between. */
void td_spans_put(td_spans *s, uint64_t start, uint64_t end, uint32_t number);
void td_spans_sort(td_spans *s);

/* A question: all zero but for start and end, which must not change. */
typedef struct td_spans_find {
    uint64_t start, end;
    size_t run, at, left; /* private */
} td_spans_find;

/* Returns the next range that overlaps with the one searched for, or NULL. No range may be added meanwhile. */
const td_span *td_spans_next(const td_spans *s, td_spans_find *f);

/* Checks the invariants; false: broken. For audits. */
bool td_spans_valid(const td_spans *s);

/* ---- sets of bytes ---- */

typedef struct td_range {
    uint64_t start, end;
} td_range;

TD_VEC(td_range, td_bytes);

/* Adds [start, end). True if some of it is new; a range without a byte adds nothing. */
bool td_bytes_add(td_bytes *b, uint64_t start, uint64_t end);
/* The same for ranges that come in the order of their starts: O(1). */
void td_bytes_add_last(td_bytes *b, uint64_t start, uint64_t end);
/* All bytes of [start, end) are in the set; some are. */
bool td_bytes_have(const td_bytes *b, uint64_t start, uint64_t end);
bool td_bytes_meet(const td_bytes *b, uint64_t start, uint64_t end);
/* Checks the invariants; false: broken. For audits. */
bool td_bytes_valid(const td_bytes *b);
