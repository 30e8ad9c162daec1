/* SPDX-License-Identifier: Apache-2.0 */
/* What operations do: to the object, to the clocks, to the trace.
 *
 * A thread that acquires learns the object's clock before its new segment starts; a thread that
 * releases leaves what it knew up to the segment that just ended. */
#include "runtime/rt.h"

#include <errno.h>
#include <string.h>

/* ---- mutexes ---- */

static void held_add(rt_thread *t, rt_object *o)
{
    o->held_prev = RT_NONE;
    o->held_next = t->held;
    if (t->held != RT_NONE)
        rt_object_by_index(t->held)->held_prev = rt_object_index(o);
    t->held = rt_object_index(o);
}

static void held_remove(rt_thread *t, rt_object *o)
{
    if (o->held_next != RT_NONE)
        rt_object_by_index(o->held_next)->held_prev = o->held_prev;
    if (o->held_prev != RT_NONE)
        rt_object_by_index(o->held_prev)->held_next = o->held_next;
    else
        t->held = o->held_next;
}

static void mutex_take(rt_thread *t, rt_object *o)
{
    if (o->state == RT_OBJECT_HELD) {
        o->depth++;
        return;
    }
    o->state = RT_OBJECT_HELD;
    o->owner = t->id;
    o->depth = 1;
    o->held_site = t->pending.site;
    held_add(t, o);
    rt_clock_join(&t->clock, &o->clock);
}

static void mutex_release(rt_thread *t, rt_object *o)
{
    if (--o->depth > 0)
        return;
    o->state = RT_OBJECT_FREE;
    held_remove(t, o);
    rt_clock_copy(&o->clock, &t->clock);
}

/* Misuse is told to the thread, which reports it in its own name. */
static uint64_t mutex_judge(const rt_op *op, const rt_object *o)
{
    bool locks = op->kind == WIRE_LOCK || op->kind == WIRE_TRYLOCK;
    if (locks)
        return o->state == RT_OBJECT_DESTROYED ? RT_MISUSE : 0;
    return op->kind != WIRE_UNLOCK && o->state == RT_OBJECT_HELD ? RT_MISUSE : 0;
}

static uint8_t grant_mutex(rt_thread *t, uint64_t *value)
{
    rt_op *op = &t->pending;
    rt_object *o = op->model;
    t->result = mutex_judge(op, o);
    if (t->result == RT_MISUSE)
        return op->kind;
    switch (op->kind) {
    case WIRE_TRYLOCK:
        if (o->state == RT_OBJECT_HELD && (o->owner != t->id || !op->a)) {
            *value = o->owner;
            t->result = EBUSY;
            return WIRE_TRYLOCK_BUSY;
        }
        mutex_take(t, o);
        return WIRE_TRYLOCK;
    case WIRE_LOCK:
        mutex_take(t, o);
        return WIRE_LOCK;
    case WIRE_UNLOCK:
        mutex_release(t, o);
        return WIRE_UNLOCK;
    case WIRE_MUTEX_DESTROY:
        o->state = RT_OBJECT_DESTROYED;
        return WIRE_MUTEX_DESTROY;
    default:
        o->state = RT_OBJECT_FREE;
        return op->kind;
    }
}

/* ---- atomics ---- */

static bool acquires(uint8_t order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ||
           order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static bool releases(uint8_t order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static void clocks_read(rt_thread *t, rt_object *o)
{
    rt_clock_join(acquires(t->pending.order) ? &t->clock : &t->seen, &o->clock);
}

/* A store starts a new release sequence, an exchange continues it. */
static void clocks_write(rt_thread *t, rt_object *o, bool goes_on)
{
    const rt_clock *left = releases(t->pending.order) ? &t->clock : &t->released;
    if (goes_on)
        rt_clock_join(&o->clock, left);
    else
        rt_clock_copy(&o->clock, left);
}

static uint64_t low_bytes(uint64_t value, uint32_t size)
{
    return size >= 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

static int64_t signed_of(uint64_t value, uint32_t size)
{
    uint32_t shift = size >= 8 ? 0 : 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

static uint64_t rmw_result(const rt_op *op, uint64_t old)
{
    uint64_t a = low_bytes(op->a, op->size);
    bool less = signed_of(old, op->size) < signed_of(a, op->size);
    switch (op->rmw) {
    case WIRE_RMW_XCHG:
        return a;
    case WIRE_RMW_ADD:
        return low_bytes(old + a, op->size);
    case WIRE_RMW_SUB:
        return low_bytes(old - a, op->size);
    case WIRE_RMW_AND:
        return old & a;
    case WIRE_RMW_NAND:
        return low_bytes(~(old & a), op->size);
    case WIRE_RMW_OR:
        return old | a;
    case WIRE_RMW_XOR:
        return old ^ a;
    case WIRE_RMW_MAX:
        return less ? a : old;
    case WIRE_RMW_MIN:
        return less ? old : a;
    case WIRE_RMW_UMAX:
        return old < a ? a : old;
    case WIRE_RMW_UMIN:
        return old < a ? old : a;
    default:
        return old;
    }
}

/* The value of the object is read here: t goes on at once and nobody is in between. */
static uint8_t grant_atomic(rt_thread *t, uint64_t *value, uint64_t *old)
{
    rt_op *op = &t->pending;
    rt_object *o = op->model;
    *old = rt_peek(op->object, op->size);
    switch (op->kind) {
    case WIRE_LOAD:
        clocks_read(t, o);
        *value = *old;
        return WIRE_LOAD;
    case WIRE_STORE:
        clocks_write(t, o, false);
        *value = low_bytes(op->a, op->size);
        return WIRE_STORE;
    case WIRE_RMW:
        clocks_read(t, o);
        clocks_write(t, o, true);
        *value = rmw_result(op, *old);
        return WIRE_RMW;
    default:
        clocks_read(t, o);
        *value = *old;
        if (*old != low_bytes(op->a, op->size))
            return WIRE_CAS_FAIL;
        clocks_write(t, o, true);
        *value = low_bytes(op->b, op->size);
        return WIRE_CAS;
    }
}

/* ---- atomic sections ---- */

static void grant_section(rt_thread *t)
{
    rt_object *o = t->pending.model;
    rt_clock_join(&t->clock, &o->clock);
    if (t->pending.kind == WIRE_ATOMIC_BEGIN) {
        rt->atomic = 1;
        return;
    }
    rt_clock_copy(&o->clock, &t->clock);
    rt->atomic = 0;
}

/* ---- all of them ---- */

static void note_old(const wire_rec *op, uint64_t old)
{
    bool wanted = op->kind == WIRE_RMW || op->kind == WIRE_CAS ||
                  (rt->detail && op->kind == WIRE_STORE);
    if (wanted)
        rt_emit(WIRE_NOTE_OLD)->value = old;
}

static void note_thread(const rt_thread *child)
{
    wire_rec *r = rt_emit(WIRE_NOTE_THREAD);
    r->thread = child->id;
    r->site = child->create_site;
    r->object = (uint64_t)child->start;
    r->value = (uint64_t)child->arg;
}

/* Carries out the pending operation: what it turned out to be, and the values it shows. */
static uint8_t carry_out(rt_thread *t, uint64_t *value, uint64_t *old)
{
    rt_op *op = &t->pending;
    switch (op->kind) {
    case WIRE_CREATE:
        *value = t->result = rt_thread_new(t)->id;
        return op->kind;
    case WIRE_JOIN:
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
    case WIRE_EXIT:
        rt->exiting = true;
        /* Handlers go on, and may read anything, without an operation that could say so. */
        t->saw |= rt->n_exits > 0;
        *value = op->a;
        return op->kind;
    default:
        return grant_mutex(t, value);
    }
}

void rt_grant(rt_thread *t, uint32_t n_enabled, uint8_t flags)
{
    const rt_op *op = &t->pending;
    uint64_t value = 0, old = 0;
    rt_spin_before(t);
    uint8_t kind = carry_out(t, &value, &old);
    if (op->model)
        rt_sched_object(op->model);
    rt_segment_start(t);
    t->state = RT_RUNNING;
    rt->n_ops++;
    PLAN_CTL->ops++;
    wire_rec *r = rt_emit(kind);
    r->size = op->size;
    r->order = op->order;
    r->flags = (uint8_t)(flags | op->flags | rt_part_end(t));
    r->thread = t->id;
    r->site = op->site;
    r->count = n_enabled;
    r->object = op->object;
    r->value = value;
    rt_spin_after(t, r, old);
    note_old(r, old);
    if (kind == WIRE_CREATE)
        note_thread(&rt->threads[value]);
    rt_emit_show();
}
