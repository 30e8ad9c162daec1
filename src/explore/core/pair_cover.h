/* SPDX-License-Identifier: Apache-2.0 */
/* explore/core/pair_cover.h - pairs of places that runs have covered, and pairs that they might.
 *
 * Purpose     Coverage for searches that cannot be complete: which operation observed the object in
 *             the state that which other operation left. Of memory these are reads-from pairs, of
 *             locks orders of release and acquire, of condition variables wakeups.
 * Words       place: a site in threads that start alike (wire_place); 0: the object was untouched.
 *             pair: the places of an exclusive operation on an object and of the next operation that
 *             observes it.
 *             possible: a pair of places that both were seen at one object of several threads,
 *             covered or not. Perhaps no run has it.
 * Invariants  (P1) the same runs in the same order give the same pairs in the same order;
 *             (P2) n_covered pairs have runs, all others are possible only.
 * Cost        A look into two maps for an operation; MAX_* below bound what is kept.
 */
#pragma once

#include "base/map.h"
#include "trace/trace.h"

typedef struct xpl_place_pair {
    uint32_t from, to;
    uint64_t n_runs;   /* runs that covered it */
    uint64_t last_run; /* the last of them */
    uint64_t n_tried;  /* jobs that were to cover it */
} xpl_place_pair;
TD_VEC(xpl_place_pair, xpl_place_pair_vec);
TD_VEC(uint32_t, xpl_pair_number_vec);
TD_MAP(uint64_t, uint32_t, xpl_cover_map, td_hash_number, td_same_number);

enum { XPL_OBJECT_PLACES = 16, XPL_MAX_PAIRS = 1 << 18 };

/* An operation on an object: its place and kind. */
typedef struct xpl_object_use {
    uint32_t place;
    uint8_t kind;
    bool writes;
} xpl_object_use;
typedef struct xpl_met_object {
    xpl_object_use at[XPL_OBJECT_PLACES];
    uint32_t n;
    uint32_t thread; /* thread of the first operation */
    bool is_shared;
} xpl_met_object;
TD_VEC(xpl_met_object, xpl_met_object_vec);

/* All-zero is empty. */
typedef struct xpl_pair_cover {
    /* Possible or covered, in the order in which they came up */
    xpl_place_pair_vec pairs;
    xpl_cover_map numbers; /* from, to -> number in pairs, from 1 */
    xpl_met_object_vec objects;
    xpl_cover_map object_numbers; /* address -> number in objects, from 1 */
    uint64_t n_runs, n_covered;
    xpl_pair_number_vec news; /* pairs that the last run covered first */
    xpl_pair_number_vec run;  /* all that it covered, each once */
} xpl_pair_cover;

void xpl_pair_cover_fini(xpl_pair_cover *c);
/* Counts the pairs of a run that is identified. wants_possible: those it shows to be possible, too. */
void xpl_pair_cover_add(xpl_pair_cover *c, const trc *t, bool wants_possible);
/* A pair that was counted before, with its counts. False: it is there already, or there are too many. */
bool xpl_pair_cover_put(xpl_pair_cover *c, const xpl_place_pair *pair);
