/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules of a run as steps; what must hold of a run. */
#include "trace/trace.h"

#include <stdio.h>

#include "base/assert.h"

void trc_step_add(trc_step_vec *steps, uint32_t thread)
{
    TD_DASSERT(thread != UINT32_MAX);
    wire_step *last = steps->len > 0 ? &steps->at[steps->len - 1] : NULL;
    if (last && last->thread == thread && last->count < UINT32_MAX)
        last->count++;
    else
        trc_step_vec_push(steps, (wire_step){thread, 1});
}

static void add_store(const trc_choice *c, uint8_t kind, trc_step_vec *out)
{
    uint32_t what = mdl_reads(kind) ? WIRE_STEP_READS : WIRE_STEP_BEHIND;
    trc_step_vec_push(out, (wire_step){what | c->thread, c->nth});
}

/* A lock that was undone: its thread stays before it. Whether a run does it and undoes it depends on what its job
 * lets other threads do then (WIRE_JOB_WAKE), so a schedule leaves it out. */
static bool is_untaken(const trc_op *op)
{
    return mdl_spins(op->kind) && mdl_locks_mutex(op->turned) && mdl_may_wait(op->turned);
}

void trc_schedule_prefix(const trc *t, uint32_t n_choices, trc_step_vec *out)
{
    TD_ASSERT(n_choices <= t->n_choices);
    trc_step_vec_clear(out);
    size_t named = 0;
    for (size_t i = 0; i < t->ops.len && n_choices > 0; i++) {
        if (!trc_is_choice(&t->ops.at[i]))
            continue;
        for (; named < t->choices.len && t->choices.at[named].op <= i; named++)
            if (t->choices.at[named].op == i && !mdl_spins(t->ops.at[i].kind))
                add_store(&t->choices.at[named], t->ops.at[i].kind, out);
        if (!is_untaken(&t->ops.at[i]))
            trc_step_add(out, t->ops.at[i].thread);
        n_choices--;
    }
}

void trc_schedule(const trc *t, trc_step_vec *out)
{
    trc_schedule_prefix(t, t->n_choices, out);
}

uint32_t trc_preemptions(const trc *t)
{
    uint32_t n = 0;
    for (size_t i = 0; i < t->ops.len; i++)
        n += (t->ops.at[i].flags & WIRE_F_PREEMPTS) != 0;
    return n;
}

/* ---- invariants ---- */

static bool broken(char *why, size_t size, const char *text, size_t at)
{
    if (why)
        snprintf(why, size, "%s (at %zu)", text, at);
    return false;
}

static bool op_valid(const trc *t, const trc_op *op, uint32_t i)
{
    if (!mdl_is_op(op->kind) || op->thread >= t->threads.len)
        return false;
    const trc_thread *th = &t->threads.at[op->thread];
    bool created = th->create_op == UINT32_MAX ? op->thread == 0 : th->create_op < i;
    return created && i <= th->end_op;
}

static bool threads_valid(const trc *t, char *why, size_t size)
{
    for (size_t i = 1; i < t->threads.len; i++) {
        const trc_thread *th = &t->threads.at[i];
        if (th->parent >= i || th->create_op >= t->ops.len ||
            !mdl_creates(t->ops.at[th->create_op].kind) ||
            t->ops.at[th->create_op].thread != th->parent)
            return broken(why, size, "T1: a thread without its creation", i);
    }
    return true;
}

static bool history_valid(const trc *t, char *why, size_t size)
{
    for (size_t i = 0; i < t->calls.len; i++) {
        const trc_call *c = &t->calls.at[i];
        if (c->thread >= t->threads.len || c->text >= t->texts.len ||
            c->n_args > TRC_CALL_ARGS || (c->end != 0 && c->end <= c->begin) ||
            (i > 0 && c->begin <= c[-1].begin))
            return broken(why, size, "an operation of a history", i);
    }
    for (size_t i = 0; i < t->sayings.len; i++) {
        const trc_saying *s = &t->sayings.at[i];
        if ((uint64_t)s->first + s->n > t->order.len)
            return broken(why, size, "T3: an order beyond the end", i);
    }
    for (size_t i = 0; i < t->order.len; i++)
        if (t->order.at[i] >= t->calls.len)
            return broken(why, size, "an order without operations", i);
    return true;
}

static bool notes_valid(const trc *t, char *why, size_t size)
{
    for (size_t i = 0; i < t->nexts.len; i++) {
        const trc_next *n = &t->nexts.at[i];
        if (n->thread >= t->threads.len || (i > 0 && n->thread <= n[-1].thread) ||
            t->threads.at[n->thread].end_op != UINT32_MAX)
            return broken(
                why, size,
                "T1: a next operation of a thread that has ended, or two of one thread",
                i);
        bool joins = mdl_joins(n->kind);
        if (joins ? n->other >= t->threads.len : n->other != UINT32_MAX)
            return broken(why, size,
                          "T1: the next operation joins a thread that does not exist", i);
    }
    for (size_t i = 0; i < t->touches.len; i++) {
        const trc_touch *x = &t->touches.at[i];
        if (x->thread >= t->threads.len || x->before_op > t->ops.len ||
            (i > 0 && x->before_op < x[-1].before_op))
            return broken(why, size,
                          "T1: touched bytes without a thread, or not in order", i);
    }
    for (size_t i = 0; i < t->loops.len; i++) {
        const trc_loop *x = &t->loops.at[i];
        if (x->thread >= t->threads.len || x->before_op > t->ops.len ||
            (i > 0 && x->before_op < x[-1].before_op))
            return broken(why, size, "T1: a loop without a thread, or not in order", i);
    }
    for (size_t i = 0; i < t->inputs.len; i++)
        if (t->inputs.at[i].text >= t->texts.len ||
            t->inputs.at[i].thread >= t->threads.len)
            return broken(why, size, "T4: name or thread of an input", i);
    for (size_t i = 1; i < t->nodes.len; i++) {
        const trc_node *n = &t->nodes.at[i];
        if (n->a >= i || n->b >= i || n->c >= i)
            return broken(why, size, "T5: a node before its operands", i);
    }
    for (size_t i = 0; i < t->fails.len; i++)
        if (t->fails.at[i].text >= t->texts.len)
            return broken(why, size, "T4: text of a failure", i);
    for (size_t i = 0; i < t->gaps.len; i++)
        if (t->gaps.at[i].text >= t->texts.len)
            return broken(why, size, "T4: text of a gap", i);
    return history_valid(t, why, size);
}

bool trc_valid(const trc *t, char *why, size_t size)
{
    if (t->threads.len == 0 || t->texts.len == 0)
        return broken(why, size, "not initialised", 0);
    td_id sum = {0};
    uint32_t n_choices = 0;
    for (uint32_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (!op_valid(t, op, i))
            return broken(why, size,
                          "T1: an operation of a thread that does not exist or has ended",
                          i);
        if ((uint64_t)op->alternatives + op->n_alternatives > t->enabled.len ||
            (uint64_t)op->woken + op->n_woken > t->woken.len)
            return broken(why, size, "T3: alternatives beyond the end", i);
        n_choices += trc_is_choice(op);
        if (!mdl_spins(op->kind))
            sum = td_id_sum(sum, op->id);
    }
    if (n_choices != t->n_choices)
        return broken(why, size, "n_choices", n_choices);
    if (!t->has_stores && !td_id_equal(sum, t->sum))
        return broken(why, size, "T2: sum", 0);
    return notes_valid(t, why, size) && threads_valid(t, why, size);
}
