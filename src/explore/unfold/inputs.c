/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/unfold/inputs.h"

#include "base/assert.h"

static uint32_t question(void *self, const trc *t, const trc_op *op)
{
    xpl_inputs *in = self;
    if (mdl_decides(op->kind))
        return pth_question(in->path, t, op);
    trc_op branch = trc_branch(op->node);
    return pth_question(in->path, t, &branch);
}

static bool feasible(void *self, unf_cfg *c)
{
    xpl_inputs *in = self;
    xpl_answer answer = xpl_inputs_find(in, c);
    in->n_unknown += answer == XPL_UNKNOWN;
    return answer == XPL_SAT;
}

void xpl_inputs_init(xpl_inputs *in, const xpl_opts *opts)
{
    *in = (xpl_inputs){.path = pth_new(), .solver = opts->solver};
    xpl_inputs_restart(in, opts);
}

void xpl_inputs_restart(xpl_inputs *in, const xpl_opts *opts)
{
    unf_inputs seam = {.self = in, .question = question, .feasible = feasible};
    unf_free(in->u);
    in->u = unf_new(opts->namer, &seam);
    unf_obey(in->u, opts->stop);
    if (opts->deepens || opts->watches_all)
        unf_watch_all(in->u);
}

void xpl_inputs_fini(xpl_inputs *in)
{
    unf_free(in->u);
    pth_free(in->path);
    exp_value_vec_fini(&in->values);
    exp_ref_vec_fini(&in->conditions);
    trc_chosen_vec_fini(&in->job);
    unf_vec_fini(&in->paths);
    unf_side_vec_fini(&in->sides);
}

void xpl_inputs_insert(xpl_inputs *in, const trc *t)
{
    if (t->inputs.len > 0) {
        pth_take(in->path, t);
        pth_values(in->path, t, &in->values);
    }
    unf_insert(in->u, t);
}

/* ---- conditions ---- */

/* Holds if the decision goes the event's way. */
static exp_ref condition_of(xpl_inputs *in, unf_view v)
{
    TD_ASSERT(v.question != UNF_NONE);
    if (!v.is_probe || !mdl_decides(v.kind))
        return pth_condition(in->path, v.question, v.side);
    unf_side_vec_clear(&in->sides);
    unf_sides(in->u, v.before, &in->sides);
    return pth_none_of(in->path, v.question, in->sides.at, in->sides.len);
}

static void add_members(xpl_inputs *in, const unf_cfg *c)
{
    for (size_t i = 0; i < unf_cfg_len(c); i++) {
        unf_view v = unf_at(in->u, unf_cfg_at(c, i));
        if (v.question != UNF_NONE)
            exp_ref_vec_push(&in->conditions, condition_of(in, v));
    }
}

/* No series of decisions that would end the run early. */
static void add_survivals(xpl_inputs *in, const unf_cfg *c)
{
    exp_dag *d = pth_dag(in->path);
    unf_vec_clear(&in->paths);
    unf_cfg_fatal(c, &in->paths);
    TD_ASSERT(in->paths.len == 0 || in->paths.at[in->paths.len - 1] == UNF_NONE);
    exp_ref all = exp_const(d, 1, 1);
    for (size_t i = 0; i < in->paths.len; i++) {
        if (in->paths.at[i] == UNF_NONE) {
            exp_ref_vec_push(&in->conditions, exp_unary(d, EXP_NOT, all));
            all = exp_const(d, 1, 1);
            continue;
        }
        unf_view v = unf_at(in->u, in->paths.at[i]);
        all = exp_binary(d, EXP_AND, all, condition_of(in, v));
    }
}

xpl_answer xpl_inputs_find(xpl_inputs *in, const unf_cfg *c)
{
    exp_ref_vec_clear(&in->conditions);
    if (pth_n_inputs(in->path) > 0) {
        add_members(in, c);
        add_survivals(in, c);
    }
    xpl_answer answer = xpl_solve(&in->solver, in->path, &in->conditions, &in->values);
    if (answer != XPL_SAT)
        return answer;
    exp_values values = {in->values.at, in->values.len};
    pth_job(in->path, in->conditions.at, in->conditions.len, values, &in->job);
    return XPL_SAT;
}
