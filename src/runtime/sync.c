/* SPDX-License-Identifier: Apache-2.0 */
/* What operations do to the objects of the threads library: to their state, and to the clocks.
 *
 * A thread that acquires learns the object's clock before its new segment starts; a thread that
 * releases leaves what it knew up to the segment that just ended. Misuse is told to the thread
 * (rt_op.wrong), which reports it in its own name. */
#include "runtime/rt.h"

#include <errno.h>
#include <string.h>

#include "runtime/sync.h"

/* ---- what threads hold ---- */

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

/* ---- misuse ---- */

static uint8_t misused(rt_thread *t, const char *wrong)
{
    t->pending.wrong = wrong;
    t->pending.flags |= WIRE_F_MISUSED;
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

/* Of all operations: the object is gone, something else, or not ready for it. */
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
    return is_other(op, o) ? "%o of what is a %t" : NULL;
}

/* ---- all kinds: init and destroy ---- */

static void become(rt_object *o, uint8_t type)
{
    rt->n_typed += o->type == RT_UNTYPED;
    o->type = type;
    o->is_made = type != RT_UNTYPED;
    o->state = RT_OBJECT_FREE;
    o->owner = RT_NONE;
    o->robust = RT_ROBUST_WELL;
    o->count = o->arrived = 0;
}

static uint8_t grant_init(rt_thread *t, rt_object *o)
{
    become(o, t->pending.type);
    o->count = (uint32_t)t->pending.a;
    if (o->type == RT_SEM && o->count == 0)
        o->state = RT_OBJECT_HELD;
    return WIRE_INIT;
}

/* If it is free that destroys it, other memory may be here from now on. */
static uint8_t grant_destroy(rt_thread *t, rt_object *o)
{
    become(o, t->pending.a ? RT_UNTYPED : o->type);
    if (t->pending.a)
        return WIRE_DESTROY;
    o->state = RT_OBJECT_DESTROYED;
    o->is_made = false;
    return WIRE_DESTROY;
}

/* ---- mutexes and spin locks ---- */

static void take(rt_thread *t, rt_object *o)
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
    if (o->robust == RT_ROBUST_WELL)
        return;
    t->result = o->robust == RT_ROBUST_DEAD ? EOWNERDEAD : ENOTRECOVERABLE;
    if (o->robust == RT_ROBUST_DEAD)
        o->robust = RT_ROBUST_TOLD;
}

/* What the next one who locks a robust mutex is told. */
static uint8_t robust_after(const rt_thread *t, const rt_object *o)
{
    if (t->pending.b)
        return o->robust == RT_ROBUST_LOST ? RT_ROBUST_LOST : RT_ROBUST_DEAD;
    return o->robust == RT_ROBUST_TOLD ? RT_ROBUST_LOST : o->robust;
}

static void release(rt_thread *t, rt_object *o)
{
    if (--o->depth > 0 && !t->pending.b)
        return;
    o->robust = robust_after(t, o);
    o->state = RT_OBJECT_FREE;
    o->owner = RT_NONE;
    held_remove(t, o);
    rt_clock_copy(&o->clock, &t->clock);
}

void rt_sync_untake(rt_thread *t, rt_object *o)
{
    o->state = RT_OBJECT_FREE;
    o->owner = RT_NONE;
    held_remove(t, o);
}

void rt_sync_retake(rt_thread *t, rt_object *o)
{
    take(t, o);
}

static uint8_t grant_trylock(rt_thread *t, rt_object *o, uint64_t *value)
{
    if (o->state == RT_OBJECT_HELD && (o->owner != t->id || !t->pending.a)) {
        *value = o->owner;
        t->result = EBUSY;
        return WIRE_TRYLOCK_BUSY;
    }
    take(t, o);
    return WIRE_TRYLOCK;
}

/* ---- semaphores ---- */

static void sem_set(rt_object *o, uint32_t count, uint64_t *value)
{
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
        rt_clock_join(&o->clock, &t->clock);
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
        rt_clock_join(&t->clock, &o->clock);
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
    rt_reader *r = rt_reader_find(o, t->id);
    rt_clock_join(&t->clock, &o->clock);
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
    rt_reader *r = rt_reader_find(o, t->id);
    rt_clock_join(&o->others, &t->clock);
    if (r && --r->depth == 0)
        *r = o->readers[--o->n_readers];
}

static void write_take(rt_thread *t, rt_object *o)
{
    take(t, o);
    rt_clock_join(&t->clock, &o->others);
}

static uint8_t grant_rwlock(rt_thread *t, rt_object *o, uint64_t *value)
{
    uint8_t kind = t->pending.kind;
    bool is_written = o->state == RT_OBJECT_HELD;
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
        release(t, o);
        return kind;
    default:
        if (is_written || o->n_readers > 0) {
            t->result = EBUSY;
            return WIRE_WR_BUSY;
        }
        write_take(t, o);
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
        rt_queue_wake(o, 1);
        break;
    default:
        rt_queue_wake_all(o);
        break;
    }
    return t->pending.kind;
}

/* ---- barriers ---- */

/* The last one of a round wakes the others and goes on at once. */
static uint8_t grant_barrier(rt_thread *t, rt_object *o, uint64_t *value)
{
    rt_clock_join(&o->clock, &t->clock);
    *value = t->result = ++o->arrived == o->count;
    if (!t->result) {
        rt_queue_add(o, t->id);
        return WIRE_BARRIER;
    }
    o->arrived = 0;
    rt_queue_wake_all(o);
    rt_clock_join(&o->others, &o->clock);
    rt_clock_join(&t->clock, &o->clock);
    return WIRE_BARRIER;
}

/* ---- once ---- */

static uint8_t grant_once(rt_thread *t, rt_object *o)
{
    uint8_t kind = t->pending.kind;
    if (kind == WIRE_ONCE_END || kind == WIRE_ONCE_LEFT) {
        o->state = RT_OBJECT_FREE;
        o->owner = RT_NONE;
        o->count = kind == WIRE_ONCE_END;
        rt_clock_copy(&o->clock, &t->clock);
        return kind;
    }
    t->result = o->count;
    if (o->count) {
        rt_clock_join(&t->clock, &o->clock);
        return WIRE_ONCE_DONE;
    }
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
        take(t, o);
        return kind;
    case WIRE_UNLOCK:
        release(t, o);
        return kind;
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
        return grant_once(t, o);
    }
}

/* Who was woken does not touch the object any more: it may have been destroyed since. */
static uint8_t grant_woken(rt_thread *t, rt_object *o)
{
    rt_queue_leave(o, t->id);
    if (t->pending.kind == WIRE_BARRIER_LEAVE)
        rt_clock_join(&t->clock, &o->others);
    return t->pending.kind;
}

uint8_t rt_grant_sync(rt_thread *t, uint64_t *value)
{
    const rt_op *op = &t->pending;
    rt_object *o = op->model;
    t->result = 0;
    if (rt_when[op->kind] == RT_WHEN_W)
        return grant_woken(t, o);
    /* Stacks are used again without a word: what is there now may be another object. */
    if (is_other(op, o) && plan_on_stack(o->address) && !in_use(o))
        become(o, RT_UNTYPED);
    const char *wrong = judge(op, o);
    if (wrong)
        return misused(t, wrong);
    if (o->type == RT_UNTYPED && op->kind != WIRE_INIT)
        become(o, op->type);
    return grant_kind(t, o, value);
}

/* ---- calls ---- */

rt_op *rt_sync_op_at(uint32_t site, uint8_t kind, const void *object,
                     enum rt_object_type type)
{
    rt_op *op = rt_op_new(kind, site, (uint64_t)object);
    op->type = (uint8_t)type;
    return op;
}

rt_op *rt_sync_op(uint8_t kind, const void *object, enum rt_object_type type)
{
    return rt_sync_op_at(rt_call_site(), kind, object, type);
}

static void put(char **at, const char *end, const char *text)
{
    while (*text && *at < end)
        *(*at)++ = *text++;
}

/* In the sentence %o is the operation and %t the object. */
/* Tells of the misuse that self's operation is; flags: of the NOTE_FAIL. */
static void tell_misuse(const char *wrong, uint8_t flags)
{
    static const char *const types[RT_N_TYPES] = {"thing",     "mutex",
                                                  "spin lock", "condition variable",
                                                  "semaphore", "read-write lock",
                                                  "barrier",   "once control",
                                                  "signal"};
    const rt_op *op = &rt->self->pending;
    const rt_object *o = rt_object_at(op->object);
    bool held = o->state == RT_OBJECT_HELD && o->owner != RT_NONE;
    char text[160], *at = text;
    const char *end = text + sizeof text - 1;
    for (const char *p = wrong; *p; p++) {
        char one[2] = {*p, 0};
        bool special = *p == '%' && p[1];
        p += special;
        put(&at, end,
            !special    ? one
            : *p == 'o' ? (op->kind == WIRE_DESTROY && op->a ? "free"
                           : op->kind == WIRE_BARRIER        ? "use"
                                                             : rt_kind_text(op->kind))
                        : types[o->type ? o->type : op->type]);
    }
    *at = 0;
    rt_fail_as(op->type <= RT_SPIN ? WIRE_FAIL_MUTEX : WIRE_FAIL_MISUSE, flags, op->site,
               op->object, held ? (uint64_t)o->owner + 1 : 0);
    rt_emit_text(text);
}

_Noreturn void rt_sync_misuse(const char *wrong)
{
    tell_misuse(wrong, 0);
    rt_fail_done(rt->self->pending.site, 0);
}

_Noreturn void rt_sync_not_held(bool is_held)
{
    rt_sync_misuse(is_held ? "unlock of a %t that another thread holds"
                           : "unlock of a %t that is not held");
}

void rt_sync_free(uint64_t start, uint64_t end, uint32_t site)
{
    if (rt->n_typed == 0)
        return;
    for (rt_object *o; (o = rt_object_between(start, end)) != NULL;
         start = o->address + 4) {
        rt_op *op = rt_op_new(WIRE_DESTROY, site, o->address);
        op->type = o->type;
        op->a = 1;
        if (o->state != RT_OBJECT_DESTROYED)
            rt_sync_operation();
        else
            become(o, RT_UNTYPED);
    }
}

void rt_sync_end(void)
{
    rt_thread *self = rt->self;
    if (self->held == RT_NONE)
        return;
    const rt_object *o = rt_object_by_index(self->held);
    rt_op *op = rt_op_new(WIRE_LOCK, o->held_site, o->address);
    op->type = o->type;
    static const char wrong[] = "a thread ends while it holds a %t";
    if (!rt_fail_stands())
        rt_sync_misuse(wrong);
    tell_misuse(wrong, WIRE_F_GOES_ON); /* it does end */
}

uint64_t rt_sync_operation(void)
{
    uint64_t result = rt_operation();
    const char *wrong = rt->self->pending.wrong;
    if (result == RT_MISUSE && wrong)
        rt_sync_misuse(wrong);
    return result;
}
