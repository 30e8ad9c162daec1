/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores. */
#include <errno.h>
#include <semaphore.h>

#include "runtime/sync.h"

/* These calls say what went wrong in errno. */
static int answer(uint64_t error)
{
    if (error == 0)
        return 0;
    errno = (int)error;
    return -1;
}

/* One that was made before main is what the C library says it is. */
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

static uint64_t operation(uint8_t kind, sem_t *s, bool is_timed)
{
    rt_op *op = rt_sync_op(kind, s, RT_SEM);
    expect_made(s);
    op->patient = is_timed;
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
    return rt_on() ? answer(operation(WIRE_DESTROY, s, false)) : sem_destroy(s);
}

RT_API int __treadle_sem_post(sem_t *s);
int __treadle_sem_post(sem_t *s)
{
    return rt_on() ? answer(operation(WIRE_SEM_POST, s, false)) : sem_post(s);
}

RT_API int __treadle_sem_wait(sem_t *s);
int __treadle_sem_wait(sem_t *s)
{
    return rt_on() ? answer(operation(WIRE_SEM_WAIT, s, false)) : sem_wait(s);
}

RT_API int __treadle_sem_trywait(sem_t *s);
int __treadle_sem_trywait(sem_t *s)
{
    return rt_on() ? answer(operation(WIRE_SEM_TRYWAIT, s, false)) : sem_trywait(s);
}

static int timedwait(sem_t *s, const struct timespec *until, const char *call)
{
    rt_sync_op(WIRE_SEM_WAIT, s, RT_SEM);
    if (rt_timed_check(until))
        return answer(EINVAL);
    if (!rt_timed_gives_up(call, until))
        return answer(operation(WIRE_SEM_WAIT, s, true));
    uint64_t result = operation(WIRE_SEM_TRYWAIT, s, false);
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
    return rt_on() ? timedwait(s, until, "timeout of sem_clockwait")
                   : sem_clockwait(s, clock, until);
}

RT_API int __treadle_sem_getvalue(sem_t *s, int *value);
int __treadle_sem_getvalue(sem_t *s, int *value)
{
    if (!rt_on())
        return sem_getvalue(s, value);
    uint64_t count = operation(WIRE_SEM_VALUE, s, false);
    rt_access((uint64_t)value, sizeof *value, true, rt->self->pending.site);
    *value = (int)count;
    return 0;
}
