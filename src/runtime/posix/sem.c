/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <semaphore.h>

#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"
#include "runtime/symbolic/values.h"

/* These calls say what went wrong in errno. */
static int answer(uint64_t error)
{
    if (error == 0)
        return 0;
    errno = (int)error;
    return -1;
}

/* Takes over a semaphore that was initialised before main, with the C library's value. */
static void expect_made(sem_t *s)
{
    rt_object *o = rt_object_at((uint64_t)s);
    int count = 0;
    if (o->type != RT_UNTYPED)
        return;
    if (sem_getvalue(s, &count) != 0 || count <= 0)
        rt_sync_misuse("%o of a %t that was never initialised");
    o->type = RT_SEM;
    o->count = (uint32_t)count;
}

static uint64_t operation(uint8_t kind, sem_t *s)
{
    rt_sync_op(kind, s, RT_SEM);
    expect_made(s);
    return rt_sync_operation();
}

/* A handler that runs before the wait may as well have ended it. */
static bool is_interrupted(uint32_t site, const char *choice)
{
    return rt_signal_point(site) == RT_INTERRUPTED && rt_choice(choice, site);
}

static uint64_t wait(sem_t *s, uint32_t site, bool is_timed)
{
    rt_op *op = rt_sync_op_at(site, WIRE_SEM_WAIT, s, RT_SEM);
    expect_made(s);
    op->patient = is_timed;
    op->cancellable = rt_cancellable();
    return rt_sync_operation();
}

RT_API int __treadle_sem_init(sem_t *s, int shared, unsigned value);
int __treadle_sem_init(sem_t *s, int shared, unsigned value)
{
    if (!rt_on())
        return sem_init(s, shared, value);
    rt_op *op = rt_sync_op(WIRE_INIT, s, RT_SEM);
    if (value > INT32_MAX)
        return answer(EINVAL);
    op->a = value;
    rt_sync_operation();
    return sem_init(s, shared, value);
}

RT_API int __treadle_sem_destroy(sem_t *s);
int __treadle_sem_destroy(sem_t *s)
{
    return rt_on() ? answer(operation(WIRE_DESTROY, s)) : sem_destroy(s);
}

RT_API int __treadle_sem_post(sem_t *s);
int __treadle_sem_post(sem_t *s)
{
    return rt_on() ? answer(operation(WIRE_SEM_POST, s)) : sem_post(s);
}

RT_API int __treadle_sem_wait(sem_t *s);
int __treadle_sem_wait(sem_t *s)
{
    if (!rt_on())
        return sem_wait(s);
    uint32_t site = rt_call_site();
    rt_cancel_point(site);
    if (is_interrupted(site, "interruption of sem_wait"))
        return answer(EINTR);
    return answer(wait(s, site, false));
}

RT_API int __treadle_sem_trywait(sem_t *s);
int __treadle_sem_trywait(sem_t *s)
{
    return rt_on() ? answer(operation(WIRE_SEM_TRYWAIT, s)) : sem_trywait(s);
}

static int timedwait(sem_t *s, const struct timespec *until, const char *call)
{
    uint32_t site = rt_sync_op(WIRE_SEM_WAIT, s, RT_SEM)->site;
    expect_made(s);
    if (rt_timed_check(until))
        return answer(EINVAL);
    rt_cancel_point(site);
    if (is_interrupted(site, "interruption of sem_timedwait"))
        return answer(EINTR);
    if (!rt_timed_gives_up(call, until, site))
        return answer(wait(s, site, true));
    rt_sync_op_at(site, WIRE_SEM_TRYWAIT, s, RT_SEM);
    uint64_t result = rt_sync_operation();
    return answer(result == EAGAIN ? ETIMEDOUT : result);
}

RT_API int __treadle_sem_timedwait(sem_t *s, const struct timespec *until);
int __treadle_sem_timedwait(sem_t *s, const struct timespec *until)
{
    return rt_on() ? timedwait(s, until, "timeout of sem_timedwait")
                   : sem_timedwait(s, until);
}

RT_API int __treadle_sem_clockwait(sem_t *s, clockid_t clock,
                                   const struct timespec *until);
int __treadle_sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
    if (!rt_on())
        return sem_clockwait(s, clock, until);
    if (!rt_timed_clock(clock))
        return timedwait(s, until, "timeout of sem_clockwait");
    errno = EINVAL;
    return -1;
}

RT_API int __treadle_sem_getvalue(sem_t *s, int *value);
int __treadle_sem_getvalue(sem_t *s, int *value)
{
    if (!rt_on())
        return sem_getvalue(s, value);
    uint64_t count = operation(WIRE_SEM_VALUE, s);
    rt_access((uint64_t)value, sizeof *value, true, rt->self->pending.site);
    *value = (int)count;
    return 0;
}
