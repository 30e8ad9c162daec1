/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/trace.h"

#include "base/assert.h"

void trc_copy(trc *to, const trc *from)
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
    to->uses = (trc_use_vec){0};
    trc_use_vec_append(&to->uses, from->uses.at, from->uses.len);
    to->gaps = (trc_gap_vec){0};
    trc_gap_vec_append(&to->gaps, from->gaps.at, from->gaps.len);
    to->stacks = (trc_stack_vec){0};
    trc_stack_vec_append(&to->stacks, from->stacks.at, from->stacks.len);
    to->frames = (trc_u64_vec){0};
    trc_u64_vec_append(&to->frames, from->frames.at, from->frames.len);
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
