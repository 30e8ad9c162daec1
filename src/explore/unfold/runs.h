/* SPDX-License-Identifier: Apache-2.0 */
/* explore/unfold/runs.h - the traces that were run, and which of them a part of the search has.
 *
 * Purpose     A search that is divided (item.h) counts each trace in the part that it belongs to,
 *             also if it was run before that part was made.
 * Invariants  (N1) each trace is kept once; the final positions of its threads determine which events it has.
 * Cost        A trace: 40 bytes, its place in a set, and 4 a thread.
 */
#pragma once

#include "explore/core/explore.h"
#include "unfold/unfold.h"

typedef struct xpl_run {
    td_id sum;       /* names the trace, as a census does */
    uint32_t n_tops; /* threads */
    bool is_whole;   /* not cut short */
    bool is_mine;    /* belongs to the part */
    size_t tops;     /* final positions of the threads, index in xpl_runs.tops */
} xpl_run;
TD_VEC(xpl_run, xpl_run_vec);

/* All-zero: no runs. */
typedef struct xpl_runs {
    td_id_set known;
    xpl_run_vec all;
    unf_vec tops;
} xpl_runs;

void xpl_runs_fini(xpl_runs *r);
/* Takes in the run that was inserted last, as one of the part. */
void xpl_runs_add(xpl_runs *r, const unf *u, const trc *t, const unf_part *part);
/* Another part is searched. */
void xpl_runs_set_part(xpl_runs *r, const unf *u, const unf_part *part);
/* Those of the part: adds to out. */
void xpl_runs_count(const xpl_runs *r, xpl_share *out);
