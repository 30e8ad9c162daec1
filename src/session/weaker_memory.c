/* SPDX-License-Identifier: Apache-2.0 */
/* After sequential consistency, explores weaker memory. A program with atomics weaker than seq_cst and no bug
 * so far is explored under RC11 as well, in the rest of the budget; under TSO if it relies on volatile or on
 * assembly, which C11 does not define. The session's result is that of its own search; from the second one it
 * takes the findings and how much was explored. */
#include "session/session_int.h"

#include "base/assert.h"

/* Runs where the user set no bound: as many as the first search took, times FACTOR. */
#define FACTOR 2u
#define LEAST_RUNS 1000u

/* True if the search finished. Its ledger entries are gaps of both searches. */
static bool is_covered(const ses *s)
{
    return s->stop == SES_GO && s->result->findings.len == 0 && s->n_lost == 0 &&
           s->wanted.len == 0 && ses_is_complete(s);
}

/* Returns the runs left of the limit; 0: none. */
static uint64_t runs_left(const ses *s)
{
    uint64_t done = ses_runs(s);
    if (s->opts->runs > 0)
        return s->opts->runs > done ? s->opts->runs - done : 0;
    if (s->opts->time_ms > 0)
        return UINT64_MAX;
    return done * FACTOR > LEAST_RUNS ? done * FACTOR : LEAST_RUNS;
}

td_status ses_weaker_explore(ses *s, td_diag *diag)
{
    ses_weaker *w = &s->result->weaker;
    const char *model = s->is_for_x86 ? "tso" : "rc11";
    ses_opts opts = *s->opts;
    opts.runs = runs_left(s);
    if (!s->has_weaker || !is_covered(s))
        return TD_OK;
    if (s->n_graphs > 0) { /* it had its turns */
        w->model = model;
        w->runs = s->n_graphs;
        return TD_OK;
    }
    if (opts.runs == 0)
        return TD_OK;
    const ses_aside a = ses_put_aside(s);
    opts.runs = opts.runs == UINT64_MAX ? 0 : opts.runs + s->other_jobs;
    opts.model = model;
    opts.resume = false;
    ses_begin_beside(s, &a, &opts, &xpl_graphs);
    td_status status = ses_loop(s, diag);
    w->model = model;
    w->runs = s->census.n_runs;
    if (s->stop != SES_STOP_BUG)
        w->stopped = ses_why_incomplete(s);
    uint64_t runs = s->other_runs, jobs = s->other_jobs;
    ses_end_beside(s);
    s->other_runs = runs; /* its runs are counted separately */
    s->other_jobs = jobs;
    ses_take_up(s, &a);
    /* A limit that ended the second search does not make the first one incomplete. */
    if (s->stop != SES_STOP_BUG)
        s->stop = SES_GO;
    return status;
}
