/* SPDX-License-Identifier: Apache-2.0 */
/* explore/unfold/unfold_search.h - the searches unfold and optimal: what unfold.c and parts.c share. */
#pragma once

#include "explore/unfold/bound.h"
#include "explore/core/explore_int.h"
#include "explore/unfold/inputs.h"
#include "explore/unfold/pairs.h"
#include "explore/unfold/plan.h"
#include "explore/unfold/runs.h"
#include "explore/unfold/tails.h"
#include "explore/unfold/target_ancestry.h"

enum { MAX_FLIGHTS = 16 };

typedef struct flight {
    uint64_t job; /* 0: free */
    xpl_load load;
    td_id trace; /* what it is to be; zero: that is open */
} flight;

typedef struct unfold {
    xpl head;
    xpl_opts opts;
    xpl_inputs inputs;
    unf *u;          /* inputs.u */
    xpl_bound bound; /* on preemptions */
    char cut_text[40];
    xpl_plan plan; /* what the next job covers, and what is left */
    flight flights[MAX_FLIGHTS];
    unf_vec suspect;
    uint64_t n_jobs, n_open, n_fed;
    xpl_pairs pairs;       /* what the first jobs start with */
    xpl_ancestry ancestry; /* what targets led to */
    uint64_t n_lost, n_unknown, n_in_vain;
    uint64_t n_over; /* runs with more preemptions than the bound of then */
    trc_step_vec steps;
    xpl_tails tails;   /* for opts.tail */
    bool wants_traces; /* the search is optimal */
    td_id_set seen;    /* traces that were run */
    unf_traces *traces;
    unf_cfg *trace;      /* to be run next */
    uint64_t n_known;    /* events when they were searched ... */
    uint32_t bound_was;  /* ... and the bound */
    bool has_traces;     /* all were found */
    xpl_runs runs;       /* optimal: those of the part are counted */
    xpl_item item;       /* what is searched; no literals: all */
    size_t n_literals;   /* whose events are known, from the first on */
    bool has_diverged;   /* an event of the item did not come up */
    uint64_t n_diverged; /* items with such */
    uint64_t n_splits;
} unfold;

/* ---- unfold.c ---- */
/* The search for traces starts again when everything is known. */
static inline void unfold_forget_traces(unfold *x)
{
    unf_traces_free(x->traces);
    x->traces = NULL;
    x->has_traces = false;
}

/* ---- parts.c ---- */
extern const xpl_parts unfold_parts;
/* The next event of the item that is to be run; NULL: all are known. */
const xpl_literal *unfold_missing(const unfold *x);
/* The run of a literal is over: it is known now, or never will be. */
void unfold_literal_done(unfold *x);
void unfold_parts_fini(unfold *x);
