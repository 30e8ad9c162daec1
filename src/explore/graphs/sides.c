/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs for the decisions of a graph. */
#include "explore/graphs/graphs_int.h"

#include "base/assert.h"

void xpl_sides_init(xpl_sides *s, const xpl_opts *opts)
{
    *s = (xpl_sides){.path = pth_new(), .solver = opts->solver};
}

void xpl_sides_fini(xpl_sides *s)
{
    pth_free(s->path);
    exp_value_vec_fini(&s->values);
    exp_ref_vec_fini(&s->conditions);
}

void xpl_sides_take(xpl_sides *s, const trc *t)
{
    s->run = t;
    if (t->inputs.len == 0)
        return;
    pth_take(s->path, t);
    pth_values(s->path, t, &s->values);
}

uint32_t xpl_sides_asked(xpl_sides *s, const trc_op *op)
{
    if (s->run->inputs.len == 0)
        return 0;
    if (mdl_decides(op->kind))
        return pth_question(s->path, s->run, op) + 1;
    TD_ASSERT(mdl_is_exchange(op->kind));
    trc_op branch = trc_branch(op->node);
    return pth_question(s->path, s->run, &branch) + 1;
}

static uint64_t side_of(const grf_event *e)
{
    return e->kind == GRF_DECIDE ? e->value : e->is_update;
}

static void add_condition(xpl_sides *s, const grf_event *e)
{
    if (e->asked > 0)
        exp_ref_vec_push(&s->conditions,
                         pth_condition(s->path, e->asked - 1, side_of(e)));
}

static xpl_answer solve(xpl_sides *s)
{
    xpl_answer answer = xpl_solve(&s->solver, s->path, &s->conditions, &s->values);
    s->n_unknown += answer == XPL_UNKNOWN;
    return answer;
}

/* Inputs of the conditions, if there are some. */
static bool find(xpl_sides *s, trc_chosen_vec *out)
{
    if (solve(s) != XPL_SAT)
        return false;
    exp_values values = {s->values.at, s->values.len};
    pth_job(s->path, s->conditions.at, s->conditions.len, values, out);
    return true;
}

bool xpl_sides_find(xpl_sides *s, const grf *g, trc_chosen_vec *out)
{
    exp_ref_vec_clear(&s->conditions);
    for (size_t i = 0; i < g->events.len; i++)
        add_condition(s, &g->events.at[i]);
    return find(s, out);
}

bool xpl_sides_find_other(xpl_sides *s, const grf *g, const uint64_t *taken,
                          size_t n_taken, trc_chosen_vec *out)
{
    TD_ASSERT(g->events.len > 0 && n_taken > 0);
    const grf_event *last = &g->events.at[g->events.len - 1];
    exp_ref_vec_clear(&s->conditions);
    if (last->asked == 0)
        return false;
    for (size_t i = 0; i + 1 < g->events.len; i++)
        add_condition(s, &g->events.at[i]);
    exp_ref_vec_push(&s->conditions,
                     pth_none_of(s->path, last->asked - 1, taken, n_taken));
    return find(s, out);
}

bool xpl_sides_is_first(xpl_sides *s, const grf_event *e, const grf_event *const *others,
                        size_t n)
{
    exp_ref_vec_clear(&s->conditions);
    exp_ref_vec_push(&s->conditions, pth_smaller(s->path, e->asked - 1, side_of(e)));
    for (size_t i = 0; i < n; i++)
        add_condition(s, others[i]);
    return solve(s) != XPL_SAT;
}
