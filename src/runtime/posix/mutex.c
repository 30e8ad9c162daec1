/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes and spin locks. The model is kept by address; the program's pthread_mutex_t only provides its
 * type. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <pthread.h>

#include "runtime/core/core.h"

#define KIND_ROBUST 16 /* as the C library marks it */

enum mutex_type { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK, MUTEX_ADAPTIVE };

static enum mutex_type type_of(const pthread_mutex_t *m)
{
    return (enum mutex_type)(m->__data.__kind & 3);
}

/* Bits that no kind of mutex has. */
#define NO_KIND (~0x3ff)

static rt_op *mutex_op(uint32_t site, uint8_t kind, const pthread_mutex_t *m)
{
    rt_op *op = rt_sync_op_at(site, kind, m, RT_MUTEX);
    if (m->__data.__kind & NO_KIND)
        rt_sync_misuse("%o of a %t that was never initialised");
    return op;
}

RT_API int __treadle_pthread_mutex_init(pthread_mutex_t *m,
                                        const pthread_mutexattr_t *attr);
int __treadle_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
    if (!rt_on())
        return pthread_mutex_init(m, attr);
    rt_sync_op(WIRE_INIT, m, RT_MUTEX);
    rt_sync_operation();
    return pthread_mutex_init(m, attr);
}

RT_API int __treadle_pthread_mutex_destroy(pthread_mutex_t *m);
int __treadle_pthread_mutex_destroy(pthread_mutex_t *m)
{
    if (!rt_on())
        return pthread_mutex_destroy(m);
    rt_sync_op(WIRE_DESTROY, m, RT_MUTEX);
    rt_sync_operation();
    return 0;
}

static bool is_robust(const pthread_mutex_t *m)
{
    return (m->__data.__kind & KIND_ROBUST) != 0;
}

/* Ends a lock operation; a mutex that cannot be made consistent is released at once. */
static int taken(pthread_mutex_t *m, uint32_t site, int result)
{
    if (result == ENOTRECOVERABLE)
        rt_mutex_give(m, site);
    return result;
}

static int lock(pthread_mutex_t *m, uint32_t site, bool is_timed)
{
    rt_op *op = mutex_op(site, WIRE_LOCK, m);
    if (type_of(m) == MUTEX_ERRORCHECK && rt_held_by_self(rt_object_at((uint64_t)m)))
        return EDEADLK;
    op->a = type_of(m) == MUTEX_RECURSIVE;
    op->patient = is_timed;
    return taken(m, site, (int)rt_sync_operation());
}

static int trylock(pthread_mutex_t *m, uint32_t site)
{
    rt_op *op = mutex_op(site, WIRE_TRYLOCK, m);
    op->a = type_of(m) == MUTEX_RECURSIVE;
    return taken(m, site, (int)rt_sync_operation());
}

int rt_mutex_lock(pthread_mutex_t *m)
{
    return lock(m, rt_call_site(), false);
}

int rt_mutex_trylock(pthread_mutex_t *m)
{
    return trylock(m, rt_call_site());
}

int rt_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until, const char *call)
{
    uint32_t site = mutex_op(rt_call_site(), WIRE_LOCK, m)->site;
    const rt_object *o = rt_object_at((uint64_t)m);
    bool is_again = rt_held_by_self(o) && type_of(m) == MUTEX_ERRORCHECK;
    int error = rt_timed_check(until); /* the C library looks when it has to wait */
    if (error && !is_again) {
        int result = trylock(m, site);
        return result == EBUSY ? error : result;
    }
    if (is_again || !rt_timed_gives_up(call, until, site))
        return lock(m, site, true);
    int result = trylock(m, site);
    return result == EBUSY ? ETIMEDOUT : result;
}

RT_API int __treadle_pthread_mutex_lock(pthread_mutex_t *m);
int __treadle_pthread_mutex_lock(pthread_mutex_t *m)
{
    return rt_on() ? rt_mutex_lock(m) : pthread_mutex_lock(m);
}

RT_API int __treadle_pthread_mutex_trylock(pthread_mutex_t *m);
int __treadle_pthread_mutex_trylock(pthread_mutex_t *m)
{
    return rt_on() ? rt_mutex_trylock(m) : pthread_mutex_trylock(m);
}

RT_API int __treadle_pthread_mutex_timedlock(pthread_mutex_t *m,
                                             const struct timespec *until);
int __treadle_pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
    if (!rt_on())
        return pthread_mutex_timedlock(m, until);
    return rt_mutex_timedlock(m, until, "timeout of pthread_mutex_timedlock");
}

RT_API int __treadle_pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
                                             const struct timespec *until);
int __treadle_pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
                                      const struct timespec *until)
{
    if (!rt_on())
        return pthread_mutex_clocklock(m, clock, until);
    if (rt_timed_clock(clock))
        return EINVAL;
    return rt_mutex_timedlock(m, until, "timeout of pthread_mutex_clocklock");
}

/* Misuse, or what the call returns. */
static int not_held(const pthread_mutex_t *m, const rt_object *o)
{
    enum mutex_type type = type_of(m);
    if (type == MUTEX_ERRORCHECK || type == MUTEX_RECURSIVE)
        return EPERM;
    rt_sync_not_held(o->state == RT_OBJECT_HELD);
}

int rt_mutex_unlock(pthread_mutex_t *m)
{
    mutex_op(rt_call_site(), WIRE_UNLOCK, m);
    const rt_object *o = rt_object_at((uint64_t)m);
    return rt_held_by_self(o) ? (int)rt_sync_operation() : not_held(m, o);
}

RT_API int __treadle_pthread_mutex_unlock(pthread_mutex_t *m);
int __treadle_pthread_mutex_unlock(pthread_mutex_t *m)
{
    return rt_on() ? rt_mutex_unlock(m) : pthread_mutex_unlock(m);
}

/* ---- robust mutexes ---- */

/* No other thread can hold it, so this is not an operation. */
RT_API int __treadle_pthread_mutex_consistent(pthread_mutex_t *m);
int __treadle_pthread_mutex_consistent(pthread_mutex_t *m)
{
    if (!rt_on())
        return pthread_mutex_consistent(m);
    rt_call_site();
    rt_object *o = rt_object_at((uint64_t)m);
    if (!is_robust(m) || !rt_held_by_self(o) || o->robust != RT_ROBUST_TOLD)
        return EINVAL;
    o->robust = RT_ROBUST_WELL;
    rt_changed();
    return 0;
}

void rt_mutex_give_robust(void)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    for (uint32_t i = rt->self->held, next; i != RT_NONE; i = next) {
        const rt_object *o = rt_object_by_index(i);
        next = o->held_next;
        if (o->type != RT_MUTEX || !is_robust((const pthread_mutex_t *)o->address))
            continue;
        rt_op *op = rt_sync_op_at(0, WIRE_UNLOCK, (const void *)o->address, RT_MUTEX);
        op->b = 1;
        rt_sync_operation();
    }
}

/* ---- priorities: threads have none, but the lock is acquired ---- */

RT_API int __treadle_pthread_mutex_setprioceiling(pthread_mutex_t *m, int ceiling,
                                                  int *old);
int __treadle_pthread_mutex_setprioceiling(pthread_mutex_t *m, int ceiling, int *old)
{
    if (!rt_on())
        return pthread_mutex_setprioceiling(m, ceiling, old);
    uint32_t site = rt_call_site();
    int before = 0;
    if (pthread_mutex_getprioceiling(m, &before) != 0)
        return EINVAL;
    int result = rt_held_by_self(rt_object_at((uint64_t)m)) ? 0 : lock(m, site, false);
    if (result != 0)
        return result;
    result = pthread_mutex_setprioceiling(m, ceiling, old);
    rt_mutex_give(m, site);
    return result;
}

/* ---- for condition variables ---- */

void rt_mutex_give(pthread_mutex_t *m, uint32_t site)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_sync_op_at(site, WIRE_UNLOCK, m, RT_MUTEX);
    rt_sync_operation();
}

int rt_mutex_take(pthread_mutex_t *m, uint32_t site)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_op *op = rt_sync_op_at(site, WIRE_LOCK, m, RT_MUTEX);
    op->a = type_of(m) == MUTEX_RECURSIVE;
    return taken(m, site, (int)rt_sync_operation());
}

/* ---- spin locks ---- */

RT_API int __treadle_pthread_spin_init(pthread_spinlock_t *l, int shared);
int __treadle_pthread_spin_init(pthread_spinlock_t *l, int shared)
{
    if (!rt_on())
        return pthread_spin_init(l, shared);
    rt_sync_op(WIRE_INIT, (const void *)l, RT_SPIN);
    rt_sync_operation();
    return pthread_spin_init(l, shared);
}

RT_API int __treadle_pthread_spin_destroy(pthread_spinlock_t *l);
int __treadle_pthread_spin_destroy(pthread_spinlock_t *l)
{
    if (!rt_on())
        return pthread_spin_destroy(l);
    rt_sync_op(WIRE_DESTROY, (const void *)l, RT_SPIN);
    return (int)rt_sync_operation();
}

RT_API int __treadle_pthread_spin_lock(pthread_spinlock_t *l);
int __treadle_pthread_spin_lock(pthread_spinlock_t *l)
{
    if (!rt_on())
        return pthread_spin_lock(l);
    rt_sync_op(WIRE_LOCK, (const void *)l, RT_SPIN);
    return (int)rt_sync_operation();
}

RT_API int __treadle_pthread_spin_trylock(pthread_spinlock_t *l);
int __treadle_pthread_spin_trylock(pthread_spinlock_t *l)
{
    if (!rt_on())
        return pthread_spin_trylock(l);
    rt_sync_op(WIRE_TRYLOCK, (const void *)l, RT_SPIN);
    return (int)rt_sync_operation();
}

RT_API int __treadle_pthread_spin_unlock(pthread_spinlock_t *l);
int __treadle_pthread_spin_unlock(pthread_spinlock_t *l)
{
    if (!rt_on())
        return pthread_spin_unlock(l);
    rt_sync_op(WIRE_UNLOCK, (const void *)l, RT_SPIN);
    const rt_object *o = rt_object_at((uint64_t)l);
    if (!rt_held_by_self(o))
        rt_sync_not_held(o->state == RT_OBJECT_HELD);
    return (int)rt_sync_operation();
}
