/* SPDX-License-Identifier: Apache-2.0 */
/* Lifetime of a trc. One list has everything that it owns. */
#include "trace/decode.h"

#define VECTORS(X)                                                                       \
    X(trc_op_vec, ops)                                                                   \
    X(trc_thread_vec, threads)                                                           \
    X(trc_u32_vec, enabled)                                                              \
    X(trc_u32_vec, woken)                                                                \
    X(trc_access_vec, accesses)                                                          \
    X(trc_wait_vec, waits)                                                               \
    X(trc_next_vec, nexts)                                                               \
    X(trc_touch_vec, touches)                                                            \
    X(trc_use_vec, uses)                                                                 \
    X(trc_loop_vec, loops)                                                               \
    X(trc_gap_vec, gaps)                                                                 \
    X(trc_stack_vec, stacks)                                                             \
    X(trc_u64_vec, frames)                                                               \
    X(trc_u64_vec, bases)                                                                \
    X(trc_fail_vec, fails)                                                               \
    X(trc_call_vec, calls)                                                               \
    X(trc_saying_vec, sayings)                                                           \
    X(trc_u32_vec, order)                                                                \
    X(trc_node_vec, nodes)                                                               \
    X(trc_input_vec, inputs)                                                             \
    X(trc_switch_vec, switches)                                                          \
    X(trc_u64_vec, cases)                                                                \
    X(trc_side_vec, sides)                                                               \
    X(trc_choice_vec, choices)                                                           \
    X(trc_operand_vec, operands)                                                         \
    X(trc_seed_vec, seeds)

void trc_init(trc *t)
{
    *t = (trc){0};
    trc_clear(t);
}

void trc_clear(trc *t)
{
#define X(vec, field) vec##_clear(&t->field);
    VECTORS(X)
#undef X
    td_text_clear(&t->texts);

    trc_thread_vec_push(&t->threads,
                        (trc_thread){.create_op = UINT32_MAX, .end_op = UINT32_MAX});
    trc_node_vec_push(&t->nodes, (trc_node){0});
    trc_stack_vec_push(&t->stacks, (trc_stack){0});
    td_text_put(&t->texts, "", 1);
    TD_ASSERT(t->threads.len == 1 && t->nodes.len == 1 && t->texts.len == 1);
    t->job = 0;
    t->complete = false;
    t->done = 0;
    t->exit_code = 0;
    t->n_choices = 0;
    t->records = t->sum = (td_id){0};
    t->n_dropped = 0;
    trc_decoder *d = &t->decoder;
    d->subject = TRC_ABOUT_NOTHING;
    d->wants_thread = d->text_open = d->dropping = false;
    d->n_args = 0;
    d->n_block = 0;
    d->n_recs = 0;
    d->touch_first = d->merge_at = 0;
    d->chain = (td_id){0};
}

void trc_fini(trc *t)
{
#define X(vec, field) vec##_fini(&t->field);
    VECTORS(X)
#undef X
    td_text_fini(&t->texts);
}

void trc_copy(trc *to, const trc *from)
{
    TD_ASSERT(to != from);
    *to = *from;
#define X(vec, field)                                                                    \
    to->field = (vec){0};                                                                \
    vec##_append(&to->field, from->field.at, from->field.len);
    VECTORS(X)
#undef X
    to->texts = (td_text){0};
    td_text_put(&to->texts, from->texts.at, from->texts.len);
}
