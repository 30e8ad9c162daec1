/* SPDX-License-Identifier: Apache-2.0 */
#include "session/session_int.h"

void ses_trc_copy(trc *to, const trc *from)
{
    TD_ASSERT(to != from);
    *to = *from;
    to->ops = (trc_op_vec){0};
    trc_op_vec_append(&to->ops, from->ops.at, from->ops.len);
    to->threads = (trc_thread_vec){0};
    trc_thread_vec_append(&to->threads, from->threads.at, from->threads.len);
    to->enabled = (trc_u32_vec){0};
    trc_u32_vec_append(&to->enabled, from->enabled.at, from->enabled.len);
    to->woken = (trc_u32_vec){0};
    trc_u32_vec_append(&to->woken, from->woken.at, from->woken.len);
    to->accesses = (trc_access_vec){0};
    trc_access_vec_append(&to->accesses, from->accesses.at, from->accesses.len);
    to->waits = (trc_wait_vec){0};
    trc_wait_vec_append(&to->waits, from->waits.at, from->waits.len);
    to->nexts = (trc_next_vec){0};
    trc_next_vec_append(&to->nexts, from->nexts.at, from->nexts.len);
    to->touches = (trc_touch_vec){0};
    trc_touch_vec_append(&to->touches, from->touches.at, from->touches.len);
    to->gaps = (trc_gap_vec){0};
    trc_gap_vec_append(&to->gaps, from->gaps.at, from->gaps.len);
    to->fails = (trc_fail_vec){0};
    trc_fail_vec_append(&to->fails, from->fails.at, from->fails.len);
    to->calls = (trc_call_vec){0};
    trc_call_vec_append(&to->calls, from->calls.at, from->calls.len);
    to->sayings = (trc_saying_vec){0};
    trc_saying_vec_append(&to->sayings, from->sayings.at, from->sayings.len);
    to->order = (trc_u32_vec){0};
    trc_u32_vec_append(&to->order, from->order.at, from->order.len);
    to->nodes = (trc_node_vec){0};
    trc_node_vec_append(&to->nodes, from->nodes.at, from->nodes.len);
    to->inputs = (trc_input_vec){0};
    trc_input_vec_append(&to->inputs, from->inputs.at, from->inputs.len);
    to->switches = (trc_switch_vec){0};
    trc_switch_vec_append(&to->switches, from->switches.at, from->switches.len);
    to->cases = (trc_u64_vec){0};
    trc_u64_vec_append(&to->cases, from->cases.at, from->cases.len);
    to->sides = (trc_side_vec){0};
    trc_side_vec_append(&to->sides, from->sides.at, from->sides.len);
    to->texts = (td_text){0};
    td_text_put(&to->texts, from->texts.at, from->texts.len);
}

static bool same_ops(const trc *a, const trc *b)
{
    if (a->ops.len != b->ops.len)
        return false;
    for (size_t i = 0; i < a->ops.len; i++) {
        const trc_op *x = &a->ops.at[i], *y = &b->ops.at[i];
        if (x->kind != y->kind || x->thread != y->thread || x->site != y->site ||
            x->object != y->object || x->value != y->value)
            return false;
    }
    return true;
}

static bool same_fails(const trc *a, const trc *b)
{
    if (a->fails.len != b->fails.len)
        return false;
    for (size_t i = 0; i < a->fails.len; i++) {
        const trc_fail *x = &a->fails.at[i], *y = &b->fails.at[i];
        if (x->kind != y->kind || x->thread != y->thread || x->site != y->site ||
            x->other_site != y->other_site)
            return false;
    }
    return true;
}

bool ses_trc_same(const trc *a, const trc *b)
{
    return a->done == b->done && a->exit_code == b->exit_code && same_ops(a, b) &&
           same_fails(a, b);
}
