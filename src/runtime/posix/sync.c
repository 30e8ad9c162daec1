/* SPDX-License-Identifier: Apache-2.0 */
/* The effect of operations on objects of the threads library. The clocks that threads acquire follow from
 * the table (core/grant.c). Misuse is returned to the thread (rt_op.wrong), which reports it. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <string.h>

#include "runtime/posix/posix.h"

/* ---- misuse ---- */

static uint8_t misused(rt_thread *t, const char *wrong)
{
    t->pending.wrong = wrong;
    t->pending.flags |= WIRE_SYNC_MISUSED;
    t->result = RT_MISUSE;
    return t->pending.kind;
}

static const char *in_use(const rt_object *o)
{
    if (o->n_readers > 0 || (o->state == RT_OBJECT_HELD && o->owner != RT_NONE))
        return o->type == RT_ONCE ? "%o of a %t that is in progress"
                                  : "%o of a %t that is held";
    return rt_queue_blocked(o) > 0 ? "%o of a %t that threads wait on" : NULL;
}

static bool is_other(const rt_op *op, const rt_object *o)
{
    return op->type != RT_UNTYPED && o->type != RT_UNTYPED && o->type != op->type;
}

/* Checks that apply to all operations: the object is destroyed, of another type, or not ready. */
static const char *judge(const rt_op *op, const rt_object *o)
{
    if (op->kind == WIRE_INIT || op->kind == WIRE_DESTROY) {
        const char *wrong = in_use(o);
        if (wrong)
            return wrong;
    }
    if (op->kind == WIRE_INIT)
        return o->is_made && !plan_on_stack(o->address)
                   ? "%o of a %t that is already initialised"
                   : NULL;
    if (o->state == RT_OBJECT_DESTROYED)
        return "%o of a destroyed %t";
    return is_other(op, o) ? "%o of an object that is a %t" : NULL;
}

/* ---- all kinds: init and destroy ---- */

/* What destroy leaves in the first bytes of an object, as nothing else of it is in memory. Where they are something
 * else later, an initialiser, a constructor or another variable of the stack has written a new object there. */
#define GONE UINT32_C(0xdec0ed0b)

static void mark_gone(const rt_object *o)
{
    uint32_t gone = GONE;
    static_assert(sizeof gone == MDL_OBJECT_BYTES, "a spin lock has no more");
    memcpy((void *)o->address, &gone, sizeof gone);
}

static bool is_written_again(const rt_object *o)
{
    return o->state == RT_OBJECT_DESTROYED &&
           rt_peek(o->address, MDL_OBJECT_BYTES) != GONE;
}

static uint8_t grant_init(rt_thread *t, rt_object *o)
{
    rt_object_become(o, t->pending.type);
    o->count = (uint32_t)t->pending.a;
    RT_ASSERT(o->state == RT_OBJECT_FREE && o->n_readers == 0);
    if (o->type == RT_SEM && o->count == 0)
        o->state = RT_OBJECT_HELD;
    return WIRE_INIT;
}

/* If it is free that destroys it, other memory may be here from now on. Otherwise the C library waits
 * until the threads that were woken have left. That they leave here later makes no difference to
 * them. */
static uint8_t grant_destroy(rt_thread *t, rt_object *o)
{
    rt_object_become(o, t->pending.a ? RT_UNTYPED : o->type);
    if (t->pending.a)
        return WIRE_DESTROY;
    o->state = RT_OBJECT_DESTROYED;
    mark_gone(o);
    o->is_made = false;
    rt_queue_let_go(o);
    return WIRE_DESTROY;
}

/* ---- which of them drain a store buffer, as in glibc ---- */

/* A recursive mutex that is the thread's already, or still, is only counted. */
static void drains_unless_own(rt_thread *t, const rt_object *o)
{
    t->pending.order = o->state == RT_OBJECT_HELD && o->owner == t->id ? __ATOMIC_RELAXED
                                                                       : __ATOMIC_SEQ_CST;
}

/* Where no thread waits, a signal is one look. */
static void drains_if_waited(rt_thread *t, const rt_object *o)
{
    t->pending.order = rt_queue_blocked(o) > 0 ? __ATOMIC_SEQ_CST : __ATOMIC_RELAXED;
}

/* ---- mutexes and spin locks ---- */

static uint8_t grant_lock(rt_thread *t, rt_object *o)
{
    drains_unless_own(t, o);
    rt_held_take(t, o);
    return WIRE_LOCK;
}

/* A spin lock is unlocked by a plain store. */
static uint8_t grant_unlock(rt_thread *t, rt_object *o)
{
    rt_held_give(t, o);
    drains_unless_own(t, o);
    if (o->type == RT_SPIN)
        t->pending.order = __ATOMIC_RELEASE;
    return WIRE_UNLOCK;
}

static uint8_t grant_trylock(rt_thread *t, rt_object *o, uint64_t *value)
{
    RT_ASSERT(o->type == RT_MUTEX || o->type == RT_SPIN);
    if (o->state == RT_OBJECT_HELD && (o->owner != t->id || !t->pending.a)) {
        *value = o->owner;
        t->result = EBUSY;
        return WIRE_TRYLOCK_BUSY;
    }
    drains_unless_own(t, o);
    rt_held_take(t, o);
    return WIRE_TRYLOCK;
}

/* ---- semaphores ---- */

static void sem_set(rt_object *o, uint32_t count, uint64_t *value)
{
    RT_ASSERT(count <= INT32_MAX);
    o->count = count;
    o->state = count == 0 ? RT_OBJECT_HELD : RT_OBJECT_FREE;
    *value = count;
}

static uint8_t grant_sem(rt_thread *t, rt_object *o, uint64_t *value)
{
    uint8_t kind = t->pending.kind;
    *value = o->count;
    switch (kind) {
    case WIRE_SEM_POST:
        if (o->count == INT32_MAX)
            t->result = EOVERFLOW;
        else
            sem_set(o, o->count + 1, value);
        return kind;
    case WIRE_SEM_VALUE:
        t->result = o->count;
        return kind;
    case WIRE_SEM_OPEN:
    case WIRE_SEM_CLOSE:
    case WIRE_SEM_UNLINK:
        t->result = rt_named_do(&t->pending);
        *value = t->result == 0;
        return kind;
    default:
        if (o->count == 0) {
            t->result = EAGAIN;
            return WIRE_SEM_BUSY;
        }
        sem_set(o, o->count - 1, value);
        return kind;
    }
}

/* ---- read-write locks ---- */

rt_reader *rt_reader_find(const rt_object *o, uint32_t thread)
{
    for (uint32_t i = 0; i < o->n_readers; i++)
        if (o->readers[i].thread == thread)
            return &o->readers[i];
    return NULL;
}

static void reader_add(rt_thread *t, rt_object *o)
{
    RT_ASSERT(o->state != RT_OBJECT_HELD && o->n_readers <= o->cap_readers);
    rt_reader *r = rt_reader_find(o, t->id);
    if (r) {
        r->depth++;
        return;
    }
    if (o->n_readers == o->cap_readers) {
        o->cap_readers = o->cap_readers ? 2 * o->cap_readers : 4;
        rt_reader *more = rt_bump(o->cap_readers * sizeof *more);
        if (o->n_readers > 0)
            memcpy(more, o->readers, o->n_readers * sizeof *more);
        o->readers = more;
    }
    o->readers[o->n_readers++] = (rt_reader){t->id, 1, t->pending.site};
}

static void reader_remove(rt_thread *t, rt_object *o)
{
    RT_ASSERT(o->n_readers > 0 && o->state != RT_OBJECT_HELD);
    rt_reader *r = rt_reader_find(o, t->id);
    RT_ASSERT(!r || r->depth > 0);
    if (r && --r->depth == 0)
        *r = o->readers[--o->n_readers];
}

static uint8_t grant_rwlock(rt_thread *t, rt_object *o, uint64_t *value)
{
    uint8_t kind = t->pending.kind;
    bool is_written = o->state == RT_OBJECT_HELD;
    RT_ASSERT(!is_written || o->n_readers == 0);
    switch (kind) {
    case WIRE_TRYRDLOCK:
    case WIRE_RDLOCK:
        if (is_written) {
            *value = o->owner;
            t->result = EBUSY;
            return WIRE_RD_BUSY;
        }
        reader_add(t, o);
        return kind;
    case WIRE_RDUNLOCK:
        reader_remove(t, o);
        return kind;
    case WIRE_WRUNLOCK:
        rt_held_give(t, o);
        return kind;
    default:
        if (is_written || o->n_readers > 0) {
            t->result = EBUSY;
            return WIRE_WR_BUSY;
        }
        rt_held_take(t, o);
        return kind;
    }
}

/* ---- condition variables ---- */

static uint8_t grant_cond(rt_thread *t, rt_object *o)
{
    switch (t->pending.kind) {
    case WIRE_COND_WAIT:
        if (rt_queue_blocked(o) > 0 && o->mutex != t->pending.a)
            return misused(t, "%o on a %t with a different mutex than the other waiters");
        o->mutex = t->pending.a;
        rt_queue_add(o, t->id);
        break;
    case WIRE_SIGNAL:
        drains_if_waited(t, o);
        rt_queue_wake(o, 1);
        break;
    default:
        RT_ASSERT(t->pending.kind == WIRE_BROADCAST);
        drains_if_waited(t, o);
        rt_queue_wake_all(o);
        break;
    }
    return t->pending.kind;
}

/* ---- barriers ---- */

/* The last one of a round wakes the others and continues at once. */
static uint8_t grant_barrier(rt_thread *t, rt_object *o, uint64_t *value)
{
    *value = t->result = ++o->arrived == o->count;
    RT_ASSERT(o->arrived <= o->count);
    if (!t->result) {
        rt_queue_add(o, t->id);
        return WIRE_BARRIER;
    }
    o->arrived = 0;
    rt_queue_wake_all(o);
    return WIRE_BARRIER;
}

/* ---- once ---- */

static uint8_t grant_once(rt_thread *t, rt_object *o)
{
    uint8_t kind = t->pending.kind;
    if (kind == WIRE_ONCE_END || kind == WIRE_ONCE_LEFT) {
        /* A function without its return statement may fall into that of another. */
        if (o->state != RT_OBJECT_HELD || o->owner != t->id)
            return misused(t, "end of an initialisation that this thread has not begun");
        o->state = RT_OBJECT_FREE;
        o->owner = RT_NONE;
        o->count = kind == WIRE_ONCE_END;
        return kind;
    }
    t->result = o->count;
    if (o->count)
        return WIRE_ONCE_DONE;
    RT_ASSERT(kind == WIRE_ONCE && o->state == RT_OBJECT_FREE);
    o->state = RT_OBJECT_HELD;
    o->owner = t->id;
    o->held_site = t->pending.site;
    return WIRE_ONCE;
}

/* ---- all of them ---- */

static uint8_t grant_kind(rt_thread *t, rt_object *o, uint64_t *value)
{
    uint8_t kind = t->pending.kind;
    switch (kind) {
    case WIRE_INIT:
        return grant_init(t, o);
    case WIRE_DESTROY:
        return grant_destroy(t, o);
    case WIRE_LOCK:
        return grant_lock(t, o);
    case WIRE_UNLOCK:
        return grant_unlock(t, o);
    case WIRE_TRYLOCK:
        return grant_trylock(t, o, value);
    default:
        break;
    }
    switch (o->type) {
    case RT_COND:
        return grant_cond(t, o);
    case RT_SEM:
        return grant_sem(t, o, value);
    case RT_RWLOCK:
        return grant_rwlock(t, o, value);
    case RT_BARRIER:
        return grant_barrier(t, o, value);
    default:
        RT_ASSERT(o->type == RT_ONCE);
        return grant_once(t, o);
    }
}

/* A thread that was woken no longer touches the object: it may have been destroyed since. */
static uint8_t grant_woken(rt_thread *t, rt_object *o)
{
    RT_ASSERT(mdl_when_of(t->pending.kind) == MDL_WHEN_W);
    rt_queue_leave(o, t->id);
    return t->pending.kind;
}

uint8_t rt_grant_sync(rt_thread *t, uint64_t *value)
{
    const rt_op *op = &t->pending;
    rt_object *o = op->model;
    RT_ASSERT(o && t->state == RT_WAITING);
    t->result = 0;
    if (mdl_when_of(op->kind) == MDL_WHEN_W)
        return grant_woken(t, o);
    /* Stacks are used again without a word: what is there now may be another object. */
    bool is_reused = is_other(op, o) && plan_on_stack(o->address) && !in_use(o);
    if (is_reused || is_written_again(o))
        rt_object_become(o, RT_UNTYPED);
    const char *wrong = judge(op, o);
    if (wrong)
        return misused(t, wrong);
    if (o->type == RT_UNTYPED && op->kind != WIRE_INIT)
        rt_object_become(o, op->type);
    return grant_kind(t, o, value);
}
