/* SPDX-License-Identifier: Apache-2.0 */
/* explore/unfold/tails.h - how a run continues once the steps of its job are used up.
 *
 * Purpose     The policy of a job's tail (xpl_opts.tail), and for surw how many choices each thread is expected to
 *             have left: the mean of earlier runs, less what the steps have of it.
 * Invariants  (T1) the tail decides nothing about what is covered in the end: every run is one of the program, and
 *             its targets are in its steps.
 * Cost        surw: a pass over each run and over the steps of each job; others: none.
 */
#pragma once

#include "explore/core/explore.h"

enum { XPL_TAIL_THREADS = 128 };

/* All-zero is empty. */
typedef struct xpl_tails {
    uint64_t n_choices[XPL_TAIL_THREADS]; /* choices of all runs, by thread */
    uint64_t n_runs;
} xpl_tails;

/* enum wire_policy. */
uint32_t xpl_tail_policy(const xpl_opts *opts);
void xpl_tails_insert(xpl_tails *t, const trc *run);
/* Adds what is left to the steps. */
void xpl_tails_put(const xpl_tails *t, trc_step_vec *steps);
