/* SPDX-License-Identifier: Apache-2.0 */
/* explore/unfold/pairs.h - targets by the pair of places that they cover.
 *
 * Purpose     Chooses the next target so that rare pairs come first: the oldest of the targets whose
 *             pair has been covered least; or the oldest of all.
 * Words       pair: for an event, the site of the operation that left its object in the observed
 *             state, and its own site, each with the task of its thread; for a decision its site and
 *             its outcome.
 *             covered: a run has executed an event with that pair. task: the site of the first
 *             operation of a thread, as functions called by several kinds of threads have one site.
 * Invariants  (C1) every target that was found and is open is in the list of its pair,
 *             unless it was taken out; closed targets may be there too.
 * Cost        4 bytes a target; a step of a search visits all pairs, which are few.
 */
#pragma once

#include "base/map.h"
#include "unfold/unfold.h"

typedef struct xpl_pair {
    uint64_t n_covered;
    uint64_t run;    /* the last one that covered it */
    unf_vec targets; /* oldest first, from first on */
    size_t first;
    size_t looked; /* for one job: targets before it are not asked again */
} xpl_pair;
TD_VEC(xpl_pair, xpl_pair_vec);
TD_MAP(uint64_t, uint32_t, xpl_pair_map, td_hash_number, td_same_number);

/* All-zero is empty. */
typedef struct xpl_pairs {
    xpl_pair_vec all;
    xpl_pair_map numbers;
    unf_vec tasks; /* by thread: the site of its first operation */
    uint64_t n_runs;
} xpl_pairs;

void xpl_pairs_fini(xpl_pairs *p);
/* The run was inserted into the unfolding, and unf_found() is not cleared yet. */
void xpl_pairs_insert(xpl_pairs *p, unf *u, const trc *t);
/* Begins a search for one job. */
void xpl_pairs_rewind(xpl_pairs *p);
/* Returns the next target to try, UNF_NONE: no more. It is skipped until the search restarts. is_open: of
 * the owner. */
typedef enum xpl_pairs_order { XPL_RAREST, XPL_OLDEST } xpl_pairs_order;
uint32_t xpl_pairs_next(xpl_pairs *p, xpl_pairs_order order,
                        bool (*is_open)(void *self, uint32_t target), void *self);
