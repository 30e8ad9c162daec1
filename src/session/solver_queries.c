/* SPDX-License-Identifier: Apache-2.0 */
/* The solver interface of the session for explorers. */
#include "session/session_int.h"

#include "base/assert.h"

/* Creates the solver at the first query: it uses the expression graph of the explorer, and each explorer has
 * its own. */
static void need_solver(ses *s, pth *p)
{
    if (s->solver && s->solver_graph != pth_dag(p))
        ses_solver_free(s);
    if (!s->solver)
        s->solver = slv_new(pth_dag(p), &(slv_opts){.limit_ms = s->opts->solver_ms});
    s->solver_graph = pth_dag(p);
}

/* The time limit for one query: the rest of the session's time, at most the option's value. 0 means the
 * option's value. */
static uint32_t limit_ms(const ses *s)
{
    uint64_t most = s->opts->solver_ms ? s->opts->solver_ms : SLV_LIMIT_MS;
    uint64_t now = ses_elapsed_ms(s), end = s->opts->time_ms;
    if (end == 0 || end >= now + most)
        return 0;
    return end > now ? (uint32_t)(end - now) : 1;
}

static xpl_answer solve(void *self, pth *p, const exp_ref *conditions, size_t n,
                        exp_value_vec *values)
{
    ses *s = self;
    if (ses_is_over(s))
        return XPL_UNKNOWN;
    need_solver(s, p);
    slv_query query = {.constraints = conditions,
                       .n = n,
                       .hint = {values->at, values->len},
                       .limit_ms = limit_ms(s),
                       .stop = &s->stopper};
    switch (slv_solve(s->solver, &query, &s->model)) {
    case SLV_SAT:
        exp_value_vec_clear(values);
        exp_value_vec_append(values, s->model.at, s->model.len);
        return XPL_SAT;
    case SLV_UNSAT:
        return XPL_UNSAT;
    default:
        return XPL_UNKNOWN;
    }
}

xpl_solver ses_solver(ses *s)
{
    return (xpl_solver){.solve = solve, .self = s};
}

rep_solver ses_solver_view(const ses *s)
{
    static_assert((int)REP_STAGES >= (int)SLV_N_STAGES, "every stage has a place");
    if (!s->solver)
        return (rep_solver){0};
    const slv_stats *t = slv_statistics(s->solver);
    TD_ASSERT(t->sat + t->unsat + t->unknown <= t->queries);
    rep_solver out = {.queries = t->queries,
                      .sat = t->sat,
                      .unsat = t->unsat,
                      .unknown = t->unknown,
                      .cached = t->by_stage[SLV_STAGE_EXACT] +
                                t->by_stage[SLV_STAGE_CORE] +
                                t->by_stage[SLV_STAGE_MODEL],
                      .n_stages = SLV_N_STAGES};
    for (size_t i = 0; i < SLV_N_STAGES; i++)
        out.stages[i] = (rep_stage){.name = slv_stage_text((slv_stage)i),
                                    .answered = t->by_stage[i],
                                    .calls = t->calls[i],
                                    .seconds = t->seconds[i]};
    return out;
}

void ses_solver_free(ses *s)
{
    if (s->solver)
        slv_free(s->solver);
    s->solver = NULL;
    exp_value_vec_fini(&s->model);
}
