/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/unfold/tails.h"

#include "base/assert.h"

uint32_t xpl_tail_policy(const xpl_opts *opts)
{
    switch (opts->tail) {
    case XPL_TAIL_FIRST:
        return WIRE_POLICY_FIRST;
    case XPL_TAIL_RANDOM:
        return WIRE_POLICY_RANDOM;
    case XPL_TAIL_POS:
        return WIRE_POLICY_POS;
    case XPL_TAIL_SURW:
        return WIRE_POLICY_SURW;
    case XPL_TAIL_AUTO:
        break;
    }
    return opts->seed > 1 ? WIRE_POLICY_RANDOM : WIRE_POLICY_FIRST;
}

void xpl_tails_insert(xpl_tails *t, const trc *run)
{
    t->n_runs++;
    for (size_t i = 0; i < run->ops.len; i++) {
        const trc_op *op = &run->ops.at[i];
        if (trc_is_choice(op) && op->thread < XPL_TAIL_THREADS)
            t->n_choices[op->thread]++;
    }
}

void xpl_tails_put(const xpl_tails *t, trc_step_vec *steps)
{
    uint64_t left[XPL_TAIL_THREADS] = {0};
    for (uint32_t i = 0; i < XPL_TAIL_THREADS && t->n_runs > 0; i++)
        left[i] = (t->n_choices[i] + t->n_runs / 2) / t->n_runs;
    for (size_t i = 0; i < steps->len; i++) {
        wire_step s = steps->at[i];
        TD_ASSERT(s.thread < WIRE_STEP_LEFT); /* what is left is added once */
        if (s.thread < XPL_TAIL_THREADS)
            left[s.thread] -= s.count < left[s.thread] ? s.count : left[s.thread];
    }
    for (uint32_t i = 0; i < XPL_TAIL_THREADS; i++)
        if (left[i] > 0)
            trc_step_vec_push(steps, (wire_step){WIRE_STEP_LEFT + i, (uint32_t)left[i]});
}
