/* SPDX-License-Identifier: Apache-2.0 */
/* Executes operations: changes the object and the clocks, and records them.
 *
 * A thread that acquires joins the object's clock before its new segment starts; a thread that releases
 * passes on its clock up to the segment that just ended. */
#include "runtime/core/above.h"

#include <string.h>

#include "runtime/core/spin.h"
#include "runtime/core/store_list.h"
#include "wire/rmw.h"

/* ---- atomics ---- */

/* True for a promoted access, which is not atomic: no thread acquires a clock by it. */
static bool is_plain(const rt_thread *t)
{
    return (t->pending.flags & WIRE_ACCESS_PLAIN) != 0;
}

static void clocks_read(rt_thread *t, rt_object *o)
{
    if (is_plain(t))
        return;
    rt_clock_join(rt_acquires(t->pending.order) ? &t->clock : &t->seen, &o->clock);
}

/* Returns the clock that a thread passes on to threads that acquire what it writes; empty: none. */
static const rt_clock *left_by(const rt_thread *t)
{
    return rt_releases(t->pending.order) ? &t->clock : &t->released;
}

static void clocks_exchange(rt_thread *t, rt_object *o)
{
    const rt_clock *left = left_by(t);
    if (is_plain(t) || left->len == 0)
        return;
    if (o->head != t->id + 1)
        rt_release_beside(o, t->id, left);
    rt_clock_join(&o->clock, left);
}

/* A store also releases everything that its thread released before: it restarts the thread's own release
 * sequence. */
static void clocks_store(rt_thread *t, rt_object *o)
{
    if (is_plain(t))
        return;
    const rt_clock *left = left_by(t);
    bool release = rt_releases(t->pending.order);
    bool goes_on = !release && (o->head == t->id + 1 ||
                                (o->head == RT_SEVERAL && rt_release_only(o, t->id)));
    if (goes_on) {
        rt_clock_join(&o->clock, left);
        return;
    }
    rt_clock_copy(&o->clock, left);
    o->head = left->len > 0 ? t->id + 1 : 0;
}

/* True if a compare-exchange finds the expected value. */
static bool is_expected(const rt_op *op, uint64_t old)
{
    if (old != wire_low_bytes(op->a, op->size))
        return false;
    return op->size <= 8 || rt_peek(op->object + 8, op->size - 8u) ==
                                wire_low_bytes(op->a_high, op->size - 8u);
}

/* Reads the value of the object: t continues at once, and no other thread runs in between. */
static uint8_t grant_atomic(rt_thread *t, uint64_t *value, uint64_t *old)
{
    RT_ASSERT(t->pending.model && t->pending.size > 0 && t->pending.size <= 16);
    rt_op *op = &t->pending;
    rt_object *o = op->model;
    if (rt_store_list_kept(t))
        return rt_store_list_grant(t, value, old);
    *old = rt_peek(op->object, op->size);
    switch (op->kind) {
    case WIRE_LOAD:
        clocks_read(t, o);
        *value = *old;
        return WIRE_LOAD;
    case WIRE_STORE:
        clocks_store(t, o);
        *value = wire_low_bytes(op->a, op->size);
        return WIRE_STORE;
    case WIRE_RMW:
        clocks_read(t, o);
        clocks_exchange(t, o);
        *value = wire_rmw_result(op->rmw, op->size, *old, op->a);
        return WIRE_RMW;
    default:
        *value = *old;
        if (!is_expected(op, *old))
            op->order = op->rmw; /* the order of a failed exchange */
        clocks_read(t, o);
        if (!is_expected(op, *old))
            return WIRE_CAS_FAIL;
        clocks_exchange(t, o);
        *value = wire_low_bytes(op->b, op->size);
        return WIRE_CAS;
    }
}

/* ---- futexes: the word is compared, and the thread waits, in one ---- */

static uint8_t grant_futex(rt_thread *t, uint64_t *value)
{
    const rt_op *op = &t->pending;
    rt_object *o = op->model;
    /* A wake does not read the word, which may no longer exist. */
    if (op->kind == WIRE_FUTEX_WAIT || op->kind == WIRE_FUTEX_TIMEOUT)
        *value = rt_peek(op->object, op->size);
    switch (op->kind) {
    case WIRE_FUTEX_WAIT:
        t->result = *value != op->a;
        if (t->result)
            return WIRE_FUTEX_AGAIN;
        rt_queue_add(o, t->id);
        return WIRE_FUTEX_WAIT;
    case WIRE_FUTEX_TIMEOUT:
        t->result = *value != op->a;
        return WIRE_FUTEX_TIMEOUT;
    case WIRE_FUTEX_WAKE:
        *value = t->result = rt_queue_wake(o, (uint32_t)op->a);
        return WIRE_FUTEX_WAKE;
    default:
        rt_queue_leave(o, t->id);
        return WIRE_FUTEX_WOKEN;
    }
}

/* ---- atomic sections ---- */

static void grant_section(rt_thread *t)
{
    rt_object *o = t->pending.model;
    if (t->pending.kind == WIRE_ATOMIC_BEGIN) {
        o->state = RT_OBJECT_HELD;
        rt->atomic = 1;
        return;
    }
    o->state = RT_OBJECT_FREE;
    rt->atomic = 0;
}

/* ---- threads: cancellation, and what can be asked of them ---- */

static uint8_t grant_cancel(rt_thread *t, uint64_t *value)
{
    if (t->pending.kind == WIRE_CANCEL) {
        RT_ASSERT(t->pending.target < rt->n_threads);
        rt->threads[t->pending.target].cancelled = true;
        *value = t->pending.target;
        return WIRE_CANCEL;
    }
    *value = t->result = t->cancelled;
    return WIRE_CANCEL_TEST;
}

/* ---- all of them ---- */

static void note_old(const wire_rec *op, uint64_t old)
{
    bool wanted = op->kind == WIRE_RMW || op->kind == WIRE_CAS ||
                  (rt->detail && op->kind == WIRE_STORE);
    if (wanted)
        rt_emit(WIRE_NOTE_OLD)->value = old;
}

/* Returns the index in argv of an argument of main; 0 if it is not one. */
static uint8_t word_of(const void *arg)
{
    for (int i = 1; i < rt->argc && i <= UINT8_MAX; i++)
        if (rt->argv[i] == arg)
            return (uint8_t)i;
    return 0;
}

static void note_thread(const rt_thread *child)
{
    wire_rec *r = rt_emit(WIRE_NOTE_THREAD);
    r->size = word_of(child->arg);
    r->thread = child->id;
    r->site = child->create_site;
    r->object = (uint64_t)child->start;
    r->value = (uint64_t)child->arg;
}

/* Executes the pending operation; returns its outcome and values. */
static uint8_t carry_out(rt_thread *t, uint64_t *value, uint64_t *old)
{
    rt_op *op = &t->pending;
    switch (op->kind) {
    case WIRE_CREATE:
        *value = t->result = rt_thread_new(t)->id;
        return op->kind;
    case WIRE_JOIN:
        RT_ASSERT(rt->threads[op->target].state == RT_ENDED);
        rt_clock_join(&t->clock, &rt->threads[op->target].clock);
        *value = op->target;
        return op->kind;
    case WIRE_LOAD:
    case WIRE_STORE:
    case WIRE_RMW:
    case WIRE_CAS:
        return grant_atomic(t, value, old);
    case WIRE_ATOMIC_BEGIN:
    case WIRE_ATOMIC_END:
        grant_section(t);
        return op->kind;
    case WIRE_FUTEX_WAIT:
    case WIRE_FUTEX_WAKE:
    case WIRE_FUTEX_WOKEN:
    case WIRE_FUTEX_TIMEOUT:
        return grant_futex(t, value);
    case WIRE_OP_SPECIFY:
    case WIRE_OP_BEGIN:
    case WIRE_OP_END:
        *value = op->a;
        return op->kind;
    case WIRE_CANCEL:
    case WIRE_CANCEL_TEST:
        return grant_cancel(t, value);
    case WIRE_SET:
    case WIRE_GET:
        return op->kind;
    case WIRE_FENCE:
        rt_fence(t, op->order);
        return op->kind;
    case WIRE_EXIT:
        rt->exiting = true;
        *value = op->a;
        return op->kind;
    default:
        RT_ASSERT(rt->above->types[mdl_type_of(op->kind)].grant);
        return rt->above->types[mdl_type_of(op->kind)].grant(t, value);
    }
}

/* Returns WIRE_F_CLOSED if an exclusive operation leaves the object closed for other threads. */
static uint8_t left_closed(uint8_t kind, const rt_object *o)
{
    return mdl_effect_of(kind) == MDL_EFFECT_E && o->state == RT_OBJECT_HELD
               ? WIRE_F_CLOSED
               : 0;
}

static void note_woken(uint8_t kind, const rt_object *o)
{
    if (!o || mdl_effect_of(kind) != MDL_EFFECT_E)
        return;
    if (o->queue)
        rt_queue_tell(o);
    const rt_type_calls *type = &rt->above->types[mdl_type_of(kind)];
    if (type->tell)
        type->tell(o);
}

/* The clocks of the thread and its object, as the model has it. */
static void pass(rt_thread *t, rt_object *o, const mdl_done *done)
{
    mdl_passes p = mdl_passes_of(done);
    if (p.learns & MDL_ALL)
        rt_clock_join(&t->clock, &o->clock);
    if (p.learns & MDL_APART)
        rt_clock_join(&t->clock, &o->others);
    if (p.leaves & MDL_ALL)
        rt_clock_join(&o->clock, &t->clock);
    if (p.leaves & MDL_APART)
        rt_clock_join(&o->others, &t->clock);
    if (p.leaves & MDL_ROUND)
        rt_clock_join(&o->others, &o->clock);
}

void rt_grant(rt_thread *t, uint32_t n_enabled, uint8_t flags)
{
    const rt_op *op = &t->pending;
    uint64_t value = 0, old = 0;
    RT_ASSERT(t->state == RT_WAITING);
    RT_ASSERT(rt->n_ops < rt->job.head.depth);
    rt_store_list_settle();
    rt_spin_before(t);
    uint8_t kind = carry_out(t, &value, &old);
    RT_ASSERT(kind < WIRE_N_OPS && mdl_type_of(kind) == mdl_type_of(op->kind));
    if (op->model) {
        rt_sched_object(op->model);
        flags |= left_closed(kind, op->model);
        pass(t, op->model,
             &(mdl_done){kind, (uint8_t)(flags | op->flags), op->object, value});
        if (mdl_effect_of(kind) == MDL_EFFECT_E) {
            op->model->n_states++;
            op->model->last_place = rt_op_place(t);
        }
        rt_time_passes(t, op->model, mdl_effect_of(kind) == MDL_EFFECT_E);
    }
    rt_sched_wake(t, kind);
    t->did = kind;
    t->ended_segment = t->segment;
    rt_segment_start(t);
    t->state = RT_RUNNING;
    rt->n_ops++;
    PLAN_CTL->ops++;
    rt_frames(t, t->stack_low);
    wire_rec *r = rt_emit(kind);
    r->size = op->size;
    r->order = op->order | (rt_op_is_whole(op) ? WIRE_ORDER_WHOLE : 0);
    flags |= rt_op_patience(op);
    r->flags = (uint8_t)(flags | op->flags | rt_part_end(t));
    r->thread = t->id;
    r->site = op->site;
    r->count = n_enabled;
    r->object = op->object;
    r->value = value;
    rt_spin_after(t, r, old);
    if (rt->storing && op->object)
        rt_cut_noticed(t);
    if (rt_store_list_kept(t))
        rt_store_list_tell(t, kind, old);
    else
        note_old(r, old);
    note_woken(kind, op->model);
    if (kind == WIRE_CREATE)
        note_thread(&rt->threads[value]);
    if (rt->reads)
        rt->above->granted(t, kind);
    rt_emit_show();
}
