/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks. Readers do not wait for waiting writers: the order is a choice.
 *
 * The kind PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP is an exception. Such a lock has a gate, another
 * read-write lock. A writer closes it before it waits for the lock, and opens it when it has the lock; a
 * reader passes through it. So a reader that comes while a writer waits must wait, even if it already holds
 * the lock. A reader that passed the gate does not have the lock yet; but a thread that comes in between
 * could as well have come later. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <pthread.h>

#include "runtime/core/core.h"

RT_API int __treadle_pthread_rwlock_init(pthread_rwlock_t *l,
                                         const pthread_rwlockattr_t *attr);
int __treadle_pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
    if (!rt_on())
        return pthread_rwlock_init(l, attr);
    rt_sync_op(WIRE_INIT, l, RT_RWLOCK);
    rt_sync_operation();
    return pthread_rwlock_init(l, attr);
}

RT_API int __treadle_pthread_rwlock_destroy(pthread_rwlock_t *l);
int __treadle_pthread_rwlock_destroy(pthread_rwlock_t *l)
{
    if (!rt_on())
        return pthread_rwlock_destroy(l);
    rt_sync_op(WIRE_DESTROY, l, RT_RWLOCK);
    return (int)rt_sync_operation();
}

/* ---- the gate ---- */

static bool has_gate(const pthread_rwlock_t *l)
{
    return l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static int gate(uint32_t site, uint8_t kind, const pthread_rwlock_t *l, bool is_timed)
{
    RT_ASSERT(has_gate(l));
    rt_op *op = rt_sync_op_at(site, kind, (const char *)l + 1, RT_RWLOCK);
    op->patient = is_timed;
    return (int)rt_sync_operation();
}

/* Before the lock is taken in that way; not 0: it cannot be. A thread that only tries to write
 * looks at the lock alone: where a writer waits, another thread is inside. */
static int gate_enter(uint32_t site, uint8_t kind, const pthread_rwlock_t *l,
                      bool is_timed)
{
    if (kind == WIRE_TRYWRLOCK || !has_gate(l))
        return 0;
    int result = gate(site, kind, l, is_timed);
    if (result == 0 && kind != WIRE_WRLOCK)
        gate(site, WIRE_RDUNLOCK, l, false);
    return result;
}

static void gate_leave(uint32_t site, uint8_t kind, const pthread_rwlock_t *l)
{
    if (kind == WIRE_WRLOCK && has_gate(l))
        gate(site, WIRE_WRUNLOCK, l, false);
}

/* ---- taking it ---- */

static int lock_at(uint32_t site, uint8_t kind, pthread_rwlock_t *l, bool is_timed)
{
    RT_ASSERT(mdl_type_of(kind) == WIRE_TYPE_RWLOCK);
    if (rt_held_by_self(rt_object_at((uint64_t)l)))
        return kind == WIRE_RDLOCK || kind == WIRE_WRLOCK ? EDEADLK : EBUSY;
    int result = gate_enter(site, kind, l, is_timed);
    if (result)
        return result;
    rt_op *op = rt_sync_op_at(site, kind, l, RT_RWLOCK);
    op->patient = is_timed;
    result = (int)rt_sync_operation();
    gate_leave(site, kind, l);
    return result;
}

static int lock(uint8_t kind, pthread_rwlock_t *l)
{
    return lock_at(rt_call_site(), kind, l, false);
}

RT_API int __treadle_pthread_rwlock_rdlock(pthread_rwlock_t *l);
int __treadle_pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    return rt_on() ? lock(WIRE_RDLOCK, l) : pthread_rwlock_rdlock(l);
}

RT_API int __treadle_pthread_rwlock_tryrdlock(pthread_rwlock_t *l);
int __treadle_pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
    return rt_on() ? lock(WIRE_TRYRDLOCK, l) : pthread_rwlock_tryrdlock(l);
}

RT_API int __treadle_pthread_rwlock_wrlock(pthread_rwlock_t *l);
int __treadle_pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    return rt_on() ? lock(WIRE_WRLOCK, l) : pthread_rwlock_wrlock(l);
}

RT_API int __treadle_pthread_rwlock_trywrlock(pthread_rwlock_t *l);
int __treadle_pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
    return rt_on() ? lock(WIRE_TRYWRLOCK, l) : pthread_rwlock_trywrlock(l);
}

static int timedlock(uint8_t kind, pthread_rwlock_t *l, const struct timespec *until,
                     const char *call)
{
    RT_ASSERT(kind == WIRE_RDLOCK || kind == WIRE_WRLOCK);
    uint32_t site = rt_call_site();
    if (rt_timed_check(until))
        return EINVAL;
    if (!rt_timed_gives_up(call, until, site))
        return lock_at(site, kind, l, true);
    uint8_t tries = kind == WIRE_RDLOCK ? WIRE_TRYRDLOCK : WIRE_TRYWRLOCK;
    int result = lock_at(site, tries, l, false);
    return result == EBUSY ? ETIMEDOUT : result;
}

#define TIMED(name, kind)                                                                \
    RT_API int __treadle_pthread_rwlock_timed##name(pthread_rwlock_t *l,                 \
                                                    const struct timespec *until);       \
    int __treadle_pthread_rwlock_timed##name(pthread_rwlock_t *l,                        \
                                             const struct timespec *until)               \
    {                                                                                    \
        if (!rt_on())                                                                    \
            return pthread_rwlock_timed##name(l, until);                                 \
        return timedlock(kind, l, until, "timeout of pthread_rwlock_timed" #name);       \
    }                                                                                    \
    RT_API int __treadle_pthread_rwlock_clock##name(pthread_rwlock_t *l,                 \
                                                    clockid_t clock,                     \
                                                    const struct timespec *until);       \
    int __treadle_pthread_rwlock_clock##name(pthread_rwlock_t *l, clockid_t clock,       \
                                             const struct timespec *until)               \
    {                                                                                    \
        if (!rt_on())                                                                    \
            return pthread_rwlock_clock##name(l, clock, until);                          \
        if (rt_timed_clock(clock))                                                       \
            return EINVAL;                                                               \
        return timedlock(kind, l, until, "timeout of pthread_rwlock_clock" #name);       \
    }

TIMED(rdlock, WIRE_RDLOCK)
TIMED(wrlock, WIRE_WRLOCK)

/* ---- giving it back ---- */

RT_API int __treadle_pthread_rwlock_unlock(pthread_rwlock_t *l);
int __treadle_pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    if (!rt_on())
        return pthread_rwlock_unlock(l);
    const rt_object *o = rt_object_at((uint64_t)l);
    bool writes = rt_held_by_self(o);
    rt_sync_op(writes ? WIRE_WRUNLOCK : WIRE_RDUNLOCK, l, RT_RWLOCK);
    if (!writes && !rt_reader_find(o, rt->self->id))
        rt_sync_not_held(o->state == RT_OBJECT_HELD || o->n_readers > 0);
    return (int)rt_sync_operation();
}
