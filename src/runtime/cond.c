/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables. A wait is four operations: the thread is put among those who wait, gives
 * the mutex, is woken, and takes the mutex again. That it waits before it gives the mutex makes
 * no difference to giving both at once: who needs the mutex comes later. A wait that gives up, or
 * wakes for no reason, gives the mutex and takes it again, and was never among those who wait: it
 * may have given up at once. */
#include <errno.h>
#include <pthread.h>

#include "runtime/sync.h"

RT_API int __treadle_pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr);
int __treadle_pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
    if (!rt_on())
        return pthread_cond_init(c, attr);
    rt_sync_op(WIRE_INIT, c, RT_COND);
    rt_sync_operation();
    return pthread_cond_init(c, attr);
}

RT_API int __treadle_pthread_cond_destroy(pthread_cond_t *c);
int __treadle_pthread_cond_destroy(pthread_cond_t *c)
{
    if (!rt_on())
        return pthread_cond_destroy(c);
    rt_sync_op(WIRE_DESTROY, c, RT_COND);
    return (int)rt_sync_operation();
}

RT_API int __treadle_pthread_cond_signal(pthread_cond_t *c);
int __treadle_pthread_cond_signal(pthread_cond_t *c)
{
    if (!rt_on())
        return pthread_cond_signal(c);
    rt_sync_op(WIRE_SIGNAL, c, RT_COND);
    return (int)rt_sync_operation();
}

RT_API int __treadle_pthread_cond_broadcast(pthread_cond_t *c);
int __treadle_pthread_cond_broadcast(pthread_cond_t *c)
{
    if (!rt_on())
        return pthread_cond_broadcast(c);
    rt_sync_op(WIRE_BROADCAST, c, RT_COND);
    return (int)rt_sync_operation();
}

/* ---- waiting ---- */

static void wait_for_wake(pthread_cond_t *c, pthread_mutex_t *m, uint32_t site,
                          bool is_timed)
{
    rt_op *op = rt_op_new(WIRE_COND_WAIT, site, (uint64_t)c);
    op->type = RT_COND;
    op->a = (uint64_t)m;
    rt_sync_operation();
    rt_mutex_give(m, site);
    op = rt_op_new(WIRE_COND_WAKE, site, (uint64_t)c);
    op->type = RT_COND;
    op->patient = is_timed;
    rt_sync_operation();
    rt_mutex_take(m, site);
}

static void wait_for_nobody(pthread_mutex_t *m, uint32_t site)
{
    rt_mutex_give(m, site);
    rt_mutex_take(m, site);
}

/* The mutex must be self's; where it is not, the sentence is about the wait. */
static uint32_t begin(const pthread_cond_t *c, const pthread_mutex_t *m)
{
    rt_op *op = rt_sync_op(WIRE_COND_WAIT, c, RT_COND);
    if (!rt_held_by_self(rt_object_at((uint64_t)m)))
        rt_sync_misuse("%o at a %t without holding the mutex");
    return op->site;
}

RT_API int __treadle_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int __treadle_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    if (!rt_on())
        return pthread_cond_wait(c, m);
    uint32_t site = begin(c, m);
    if (rt->self->n_spurious < rt->shm->n_spurious &&
        rt_choice("spurious wake-up", site)) {
        rt->self->n_spurious++;
        wait_for_nobody(m, site);
    } else {
        wait_for_wake(c, m, site, false);
    }
    return 0;
}

static int timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until,
                     const char *call)
{
    uint32_t site = begin(c, m);
    if (rt_timed_check(until))
        return EINVAL;
    if (rt_timed_gives_up(call, until)) {
        wait_for_nobody(m, site);
        return ETIMEDOUT;
    }
    wait_for_wake(c, m, site, true);
    return 0;
}

RT_API int __treadle_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                            const struct timespec *until);
int __treadle_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                     const struct timespec *until)
{
    if (!rt_on())
        return pthread_cond_timedwait(c, m, until);
    return timedwait(c, m, until, "timeout of pthread_cond_timedwait");
}

RT_API int __treadle_pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m,
                                            clockid_t clock,
                                            const struct timespec *until);
int __treadle_pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m,
                                     clockid_t clock, const struct timespec *until)
{
    if (!rt_on())
        return pthread_cond_clockwait(c, m, clock, until);
    return timedwait(c, m, until, "timeout of pthread_cond_clockwait");
}
