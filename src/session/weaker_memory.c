/* SPDX-License-Identifier: Apache-2.0 */
/* After sequential consistency the weaker memory of C11: a program whose atomics are weaker than
 * seq_cst, and that has no bug so far, is explored under RC11 as well, in what is left of the
 * budget; under TSO, if it relies on volatile or on assembly, which C11 says nothing about. The result of the session stays that of its own search; of the second one it has
 * the findings, and how far it came. */
#include "session/session_int.h"

#include "base/assert.h"

/* Runs where the user set no bound: as many as the first search took, times FACTOR. */
#define FACTOR 2u
#define LEAST_RUNS 1000u

/* The search came to its end; what is in the ledger is a gap of both searches. */
static bool is_covered(const ses *s)
{
    return s->stop == SES_GO && s->result->findings.len == 0 && s->n_lost == 0 &&
           s->wanted.len == 0 && ses_is_complete(s);
}

/* 0: none is left. */
static uint64_t runs_left(const ses *s)
{
    uint64_t done = ses_runs(s);
    if (s->opts->runs > 0)
        return s->opts->runs > done ? s->opts->runs - done : 0;
    if (s->opts->time_ms > 0)
        return UINT64_MAX;
    return done * FACTOR > LEAST_RUNS ? done * FACTOR : LEAST_RUNS;
}

/* What belongs to one search, of the other one meanwhile. */
typedef struct aside {
    const ses_opts *opts;
    const xpl_search *search;
    xpl *explorer;
    xpl_census census;
    xpl_spread spread;
    xpl_alternatives alternatives;
    det_ledger ledger;
    ses_depth depth;
    ses_events events;
    ses_estimate estimate;
    ses_sharer *sharer;
    uint64_t n_jobs;
} aside;

static aside put_aside(ses *s, const ses_opts *opts)
{
    TD_ASSERT(ses_flight_is_over(s) && !s->staged && s->n_lost == 0);
    aside a = {.opts = s->opts,
               .search = s->search,
               .explorer = s->explorer,
               .census = s->census,
               .spread = s->spread,
               .alternatives = s->alternatives,
               .ledger = s->ledger,
               .depth = s->depth,
               .events = s->events,
               .estimate = s->estimate,
               .sharer = s->sharer,
               .n_jobs = s->n_jobs};
    s->opts = opts;
    s->search = &xpl_graphs;
    s->explorer = NULL;
    s->census = (xpl_census){0};
    s->spread = (xpl_spread){0};
    s->alternatives = (xpl_alternatives){0};
    s->ledger = (det_ledger){.trust = a.ledger.trust};
    s->depth = (ses_depth){0};
    s->events = (ses_events){0};
    s->sharer = NULL;
    s->n_jobs = 0;
    return a;
}

static void take_back(ses *s, aside a)
{
    ses_events_drop(s);
    s->search->free(s->explorer);
    xpl_census_fini(&s->census);
    xpl_spread_fini(&s->spread);
    xpl_alternatives_fini(&s->alternatives);
    det_ledger_fini(&s->ledger);
    td_free(s->depth.gap);
    trc_promoted_vec_clear(&s->wanted);
    s->opts = a.opts;
    s->search = a.search;
    s->explorer = a.explorer;
    s->census = a.census;
    s->spread = a.spread;
    s->alternatives = a.alternatives;
    s->ledger = a.ledger;
    s->depth = a.depth;
    s->events = a.events;
    s->estimate = a.estimate;
    s->sharer = a.sharer;
    s->n_jobs = a.n_jobs;
    s->n_lost = 0;
    s->staged = s->at_runs = s->cover_left = false;
    s->again_left = 0;
    /* What ended the second search does not make the first one incomplete. */
    if (s->stop != SES_STOP_BUG)
        s->stop = SES_GO;
}

td_status ses_weaker_explore(ses *s, td_diag *diag)
{
    ses_weaker *w = &s->result->weaker;
    const char *model = s->is_for_x86 ? "tso" : "rc11";
    ses_opts opts = *s->opts;
    opts.runs = runs_left(s);
    if (!s->has_weaker || !is_covered(s) || opts.runs == 0)
        return TD_OK;
    opts.runs = opts.runs == UINT64_MAX ? 0 : opts.runs;
    opts.model = model;
    opts.resume = false;
    aside a = put_aside(s, &opts);
    ses_explorer_start(s);
    td_status status = ses_loop(s, diag);
    w->model = model;
    w->runs = s->census.n_runs;
    if (s->stop != SES_STOP_BUG)
        w->stopped = ses_why_incomplete(s);
    take_back(s, a);
    return status;
}
