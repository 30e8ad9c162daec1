/* SPDX-License-Identifier: Apache-2.0 */
#include "session/session_int.h"

/* The solver is made when there is something to solve: its graph is the explorer's. */
static xpl_answer solve(void *self, pth *p, const exp_ref *conditions, size_t n,
                        exp_value_vec *values)
{
    ses *s = self;
    if (!s->solver)
        s->solver = slv_new(pth_dag(p), NULL);
    slv_query query = {.truths = conditions, .n = n, .hint = {values->at, values->len}};
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

void ses_solver_free(ses *s)
{
    if (s->solver)
        slv_free(s->solver);
    s->solver = NULL;
    exp_value_vec_fini(&s->model);
}
