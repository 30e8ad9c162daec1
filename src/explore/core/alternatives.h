/* SPDX-License-Identifier: Apache-2.0 */
/* explore/core/alternatives.h - what makes a search large.
 *
 * Purpose     Counts, in a sample of runs, what a search has to follow in more than one way: pairs of
 *             operations that could have come in the other order, by their object and lines, and
 *             decisions by inputs, by their lines.
 * Words       pair: a race of moves (trace/order.h), with the two operations that depend on each
 *             other. Not a data race. What a thread waits for when the run ends is in no pair.
 *             An operation is known by its object, its thread and how often the thread came to the
 *             object before, so that a pair counts once, whatever the number of runs with it.
 * Invariants  (A1) the same runs give the same counts;
 *             (A2) all counts are of the runs that were sampled, nothing is extrapolated.
 * Cost        The first XPL_ALTERNATIVES_RUNS runs are sampled, then of every doubling half as
 *             many; of a run the first XPL_ALTERNATIVES_OPS operations.
 */
#pragma once

#include "base/map.h"
#include "trace/order.h"

enum { XPL_ALTERNATIVES_RUNS = 64, XPL_ALTERNATIVES_OPS = 2000 };

/* A line of a spot; a pair counts at both of its sites, once if these are the same. */
typedef struct xpl_spot_site {
    uint32_t site;
    uint64_t n;
} xpl_spot_site;

TD_VEC(xpl_spot_site, xpl_spot_site_vec);

/* An object with the pairs of operations on it that could be reversed. */
typedef struct xpl_spot {
    uint64_t object;
    uint8_t kind;       /* kind of an operation on it */
    uint64_t n;         /* pairs */
    uint32_t n_threads; /* threads in these pairs */
    uint32_t most_uses; /* the most uses by one thread in a run */
    xpl_spot_site_vec sites;
} xpl_spot;

TD_VEC(xpl_spot, xpl_spot_vec);
TD_MAP(uint64_t, uint32_t, xpl_spot_map, td_hash_number, td_same_number);

static inline uint64_t xpl_id_number(td_id id)
{
    return id.lo;
}
TD_MAP(td_id, uint32_t, xpl_use_map, xpl_id_number, td_id_equal);

typedef struct xpl_alternatives {
    uint64_t n_runs, stride; /* every stride-th run is sampled */
    uint64_t n_sampled;
    bool is_cut; /* a run had more operations than were looked at */
    uint64_t n_pairs, n_decisions;
    xpl_spot_vec spots;
    xpl_spot_site_vec decisions;
    xpl_spot_map objects, memory; /* number of the spot from 1, by address */
    trc_order *order;             /* NULL until there is a run */
    trc_race_vec races;
    td_id_set pairs, threads; /* pairs that were counted; threads by spot */
    xpl_use_map uses;         /* uses in the current run, by thread and object */
    /* By operation of the current run: its number among the thread's uses of the object */
    trc_u32_vec nth;
} xpl_alternatives;

/* Leaves it empty, for another search. */
void xpl_alternatives_fini(xpl_alternatives *a);
void xpl_alternatives_add(xpl_alternatives *a, const trc *t);
