/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables. A wait is four operations: the thread joins the waiters, unlocks the mutex, is woken,
 * and locks the mutex again. Joining before unlocking is equivalent to doing both at once: a thread that
 * needs the mutex comes later. A wait that times out, or wakes spuriously, unlocks the mutex and locks it
 * again, and never joins the waiters: it may have timed out at once. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <pthread.h>

#include "runtime/symbolic/values.h"

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

static int wait_for_wake(pthread_cond_t *c, pthread_mutex_t *m, uint32_t site,
                         bool is_timed)
{
    rt_sync_op_at(site, WIRE_COND_WAIT, c, RT_COND)->a = (uint64_t)m;
    rt_sync_operation();
    rt_mutex_give(m, site);
    rt_op *op = rt_sync_op_at(site, WIRE_COND_WAKE, c, RT_COND);
    op->patient = is_timed;
    op->cancellable = rt_cancellable();
    rt_sync_operation();
    return rt_mutex_take(m, site);
}

static int wait_for_nobody(pthread_mutex_t *m, uint32_t site)
{
    rt_mutex_give(m, site);
    return rt_mutex_take(m, site);
}

/* ---- cancellation ---- */

/* Handles a wait of self in which it may be cancelled, which is chosen beforehand. It then never joins the
 * waiters, since it takes no signal from them. If no thread cancels it, it stays here: it cannot be
 * distinguished from a thread that was woken and is slow, and the alternative in which the wait was not
 * chosen continues. */
static void wait_for_cancel(pthread_cond_t *c, pthread_mutex_t *m, uint32_t site)
{
    RT_ASSERT(rt_cancellable());
    rt_mutex_give(m, site);
    rt_op_new(WIRE_CANCEL_TEST, site, (uint64_t)rt_thread_handle(rt->self));
    if (rt_operation()) {
        rt_mutex_take(m, site);
        rt_cancel_act();
    }
    rt_sync_op_at(site, WIRE_COND_WAKE, c, RT_COND)->patient = true;
    rt_sync_operation();
}

static void may_be_cancelled(pthread_cond_t *c, pthread_mutex_t *m, uint32_t site,
                             const char *choice)
{
    if (!rt_cancellable())
        return;
    rt_op_new(WIRE_CANCEL_TEST, site, (uint64_t)rt_thread_handle(rt->self));
    if (rt_operation()) {
        wait_for_nobody(m, site);
        rt_cancel_act();
    }
    if (rt_choice(choice, site))
        wait_for_cancel(c, m, site);
}

/* ---- wake-ups for no reason ---- */

static bool stands_alone(uint32_t site)
{
    const wire_site *s = rt_site_by_number(site);
    return s && s->kind == WIRE_SITE_CALL && s->size == WIRE_CALL_ONCE;
}

/* True if this wait wakes spuriously. A wait outside of a loop does so once in each thread. If the user sets
 * how many a thread may have, these are used instead, for waits that cannot time out anyway. */
static bool wakes_for_nothing(uint32_t site, bool is_timed)
{
    static const char what[] = "spurious wakeup";
    rt_thread *self = rt->self;
    uint32_t limit = rt->shm->spurious;
    if (limit == 0)
        return stands_alone(site) && rt_choice_once(&self->woken_at, what, site);
    if (is_timed || self->n_spurious + 1 >= limit || !rt_choice(what, site))
        return false;
    self->n_spurious++;
    RT_ASSERT(self->n_spurious < limit);
    return true;
}

/* ---- the calls ---- */

/* Begins a wait. If self does not hold the mutex, the message names the wait. */
static uint32_t begin(const pthread_cond_t *c, const pthread_mutex_t *m)
{
    rt_op *op = rt_sync_op(WIRE_COND_WAIT, c, RT_COND);
    if (!rt_held_by_self(rt_object_at((uint64_t)m)))
        rt_sync_misuse("%o on a %t without holding the mutex");
    return op->site;
}

int rt_cond_wait(pthread_cond_t *c, pthread_mutex_t *m, const char *cancelled)
{
    uint32_t site = begin(c, m);
    may_be_cancelled(c, m, site, cancelled);
    if (wakes_for_nothing(site, false))
        return wait_for_nobody(m, site);
    return wait_for_wake(c, m, site, false);
}

int rt_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until,
                      const rt_wait_names *names)
{
    uint32_t site = begin(c, m);
    if (rt_timed_check(until))
        return EINVAL;
    may_be_cancelled(c, m, site, names->cancelled);
    if (rt_timed_gives_up(names->timeout, until, site)) {
        int result = wait_for_nobody(m, site);
        return result ? result : ETIMEDOUT;
    }
    if (wakes_for_nothing(site, true))
        return wait_for_nobody(m, site);
    return wait_for_wake(c, m, site, true);
}

RT_API int __treadle_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int __treadle_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    if (!rt_on())
        return pthread_cond_wait(c, m);
    return rt_cond_wait(c, m, "cancelled in pthread_cond_wait");
}

RT_API int __treadle_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                            const struct timespec *until);
int __treadle_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                     const struct timespec *until)
{
    static const rt_wait_names names = {"timeout of pthread_cond_timedwait",
                                        "cancelled in pthread_cond_timedwait"};
    if (!rt_on())
        return pthread_cond_timedwait(c, m, until);
    return rt_cond_timedwait(c, m, until, &names);
}

RT_API int __treadle_pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m,
                                            clockid_t clock,
                                            const struct timespec *until);
int __treadle_pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m,
                                     clockid_t clock, const struct timespec *until)
{
    static const rt_wait_names names = {"timeout of pthread_cond_clockwait",
                                        "cancelled in pthread_cond_clockwait"};
    if (!rt_on())
        return pthread_cond_clockwait(c, m, clock, until);
    if (rt_timed_clock(clock))
        return EINVAL;
    return rt_cond_timedwait(c, m, until, &names);
}
