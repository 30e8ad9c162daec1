/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/trace.h"

#include <stdio.h>

#include "base/assert.h"

void trc_step_add(trc_step_vec *steps, uint32_t thread)
{
    wire_step *last = steps->len > 0 ? &steps->at[steps->len - 1] : NULL;
    if (last && last->thread == thread && last->count < UINT32_MAX)
        last->count++;
    else
        trc_step_vec_push(steps, (wire_step){thread, 1});
}

void trc_schedule_prefix(const trc *t, uint32_t n_choices, trc_step_vec *out)
{
    trc_step_vec_clear(out);
    for (size_t i = 0; i < t->ops.len && n_choices > 0; i++) {
        if (!trc_is_choice(&t->ops.at[i]))
            continue;
        trc_step_add(out, t->ops.at[i].thread);
        n_choices--;
    }
}

void trc_schedule(const trc *t, trc_step_vec *out)
{
    trc_schedule_prefix(t, t->n_choices, out);
}

/* ---- preemptions ---- */

/* What threads hold and do next, while walking over a run. */
typedef struct walk {
    const trc *t;
    trc_u32_vec next; /* of each operation: the same thread's next one, UINT32_MAX none */
    trc_u32_vec pending; /* of each thread: the operation it stands before */
    trc_wait_vec held;   /* mutexes; one entry for each time taken */
} walk;

static void walk_init(walk *w, const trc *t)
{
    *w = (walk){.t = t};
    trc_u32_vec_reserve(&w->next, t->ops.len);
    w->next.len = t->ops.len;
    for (size_t i = 0; i < t->threads.len; i++)
        trc_u32_vec_push(&w->pending, UINT32_MAX);
    for (size_t i = t->ops.len; i-- > 0;) {
        uint32_t *pending = &w->pending.at[t->ops.at[i].thread];
        w->next.at[i] = *pending;
        *pending = (uint32_t)i;
    }
}

static void walk_fini(walk *w)
{
    trc_u32_vec_fini(&w->next);
    trc_u32_vec_fini(&w->pending);
    trc_wait_vec_fini(&w->held);
}

static void walk_release(walk *w, uint32_t thread, uint64_t object)
{
    for (size_t i = w->held.len; i-- > 0;) {
        if (w->held.at[i].object == object && w->held.at[i].thread == thread) {
            w->held.at[i] = w->held.at[--w->held.len];
            return;
        }
    }
}

static void walk_step(walk *w, uint32_t i)
{
    const trc_op *op = &w->t->ops.at[i];
    w->pending.at[op->thread] = w->next.at[i];
    if (op->kind == WIRE_LOCK || op->kind == WIRE_TRYLOCK)
        trc_wait_vec_push(&w->held,
                          (trc_wait){.thread = op->thread, .object = op->object});
    else if (op->kind == WIRE_UNLOCK)
        walk_release(w, op->thread, op->object);
}

static bool held_by_other(const walk *w, uint64_t object, uint32_t thread)
{
    for (size_t i = 0; i < w->held.len; i++)
        if (w->held.at[i].object == object && w->held.at[i].thread != thread)
            return true;
    return false;
}

static bool waits_at_end(const trc *t, uint32_t thread)
{
    for (size_t i = 0; i < t->waits.len; i++)
        if (t->waits.at[i].kind != 0 && t->waits.at[i].thread == thread)
            return true;
    return false;
}

/* Could thread have gone on when operation i was chosen, from what it did next? */
static bool walk_enabled(const walk *w, uint32_t thread, uint32_t i)
{
    uint32_t pending = w->pending.at[thread];
    if (pending == UINT32_MAX)
        return w->t->threads.at[thread].end_op == UINT32_MAX &&
               !waits_at_end(w->t, thread);
    const trc_op *op = &w->t->ops.at[pending];
    if (op->kind == WIRE_LOCK)
        return !held_by_other(w, op->object, thread);
    if (op->kind == WIRE_JOIN)
        return w->t->threads.at[op->value].end_op < i;
    return true;
}

static bool is_alternative(const trc *t, const trc_op *op, uint32_t thread)
{
    for (uint32_t i = 0; i < op->n_alternatives; i++)
        if (t->enabled.at[op->alternatives + i] == thread)
            return true;
    return false;
}

uint32_t trc_preemptions(const trc *t)
{
    walk w;
    walk_init(&w, t);
    uint32_t n = 0, running = 0;
    for (uint32_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        bool switched = trc_is_choice(op) && op->thread != running && op->n_enabled > 1;
        if (switched && op->n_alternatives > 0)
            n += is_alternative(t, op, running);
        else if (switched)
            n += walk_enabled(&w, running, i);
        running = op->thread;
        walk_step(&w, i);
    }
    walk_fini(&w);
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
    if (op->kind == WIRE_NONE || op->kind >= WIRE_N_OPS || op->thread >= t->threads.len)
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
            t->ops.at[th->create_op].kind != WIRE_CREATE ||
            t->ops.at[th->create_op].thread != th->parent)
            return broken(why, size, "T1: a thread without its creation", i);
    }
    return true;
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
            return broken(why, size, "T1: an operation of no living thread", i);
        if ((uint64_t)op->alternatives + op->n_alternatives > t->enabled.len)
            return broken(why, size, "T3: alternatives beyond the end", i);
        n_choices += trc_is_choice(op);
        sum = td_id_sum(sum, op->id);
    }
    if (n_choices != t->n_choices)
        return broken(why, size, "n_choices", n_choices);
    if (!td_id_equal(sum, t->sum))
        return broken(why, size, "T2: sum", 0);
    for (size_t i = 0; i < t->fails.len; i++)
        if (t->fails.at[i].text >= t->texts.len)
            return broken(why, size, "T4: text of a failure", i);
    for (size_t i = 0; i < t->gaps.len; i++)
        if (t->gaps.at[i].text >= t->texts.len)
            return broken(why, size, "T4: text of a gap", i);
    return threads_valid(t, why, size);
}
