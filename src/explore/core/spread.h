/* SPDX-License-Identifier: Apache-2.0 */
/* explore/core/spread.h - how many interleavings a run represents.
 *
 * Purpose     A run represents all orders of its moves that keep dependent ones as they are. Their
 *             number is estimated by drawing such orders at random: the product of the number of
 *             moves that could come next, at each step, has the number of orders as its mean.
 *             Runs of a session are sampled, evenly however many there are.
 * Words       move: trace/order.h.
 * Invariants  (D1) the same runs give the same figure.
 * Reading     Knuth, Estimating the efficiency of backtrack programs, 1975.
 */
#pragma once

#include <stdint.h>

#include "trace/order.h"

enum { XPL_SAMPLED_RUNS = 256 };

typedef struct xpl_spread {
    trc_order *order;              /* NULL until there is a run */
    double logs[XPL_SAMPLED_RUNS]; /* number of orders of a run, logarithm to base 2 */
    uint32_t n;
    uint64_t n_runs, stride; /* every stride-th run is sampled */
    bool too_long;           /* a run was too long to be looked at: nothing is known */
    trc_u32_vec next;        /* by thread: its next move */
    trc_u32_vec following;   /* by move: the next one of its thread */
} xpl_spread;

void xpl_spread_fini(xpl_spread *o);
void xpl_spread_restart(xpl_spread *o);
void xpl_spread_add(xpl_spread *o, const trc *t);
/* Logarithm to base 2 of the mean number of orders of a run; negative: not known. */
double xpl_spread_log2(const xpl_spread *o);
