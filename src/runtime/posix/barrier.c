/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers, and initialisation that is done once. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <pthread.h>

#include "runtime/core/core.h"
#include "runtime/posix/posix.h"

RT_API int __treadle_pthread_barrier_init(pthread_barrier_t *b,
                                          const pthread_barrierattr_t *attr,
                                          unsigned count);
int __treadle_pthread_barrier_init(pthread_barrier_t *b,
                                   const pthread_barrierattr_t *attr, unsigned count)
{
    if (!rt_on())
        return pthread_barrier_init(b, attr, count);
    rt_op *op = rt_sync_op(WIRE_INIT, b, RT_BARRIER);
    if (count == 0 || count > INT32_MAX)
        return EINVAL;
    op->a = count;
    return (int)rt_sync_operation();
}

RT_API int __treadle_pthread_barrier_destroy(pthread_barrier_t *b);
int __treadle_pthread_barrier_destroy(pthread_barrier_t *b)
{
    if (!rt_on())
        return pthread_barrier_destroy(b);
    rt_sync_op(WIRE_DESTROY, b, RT_BARRIER);
    return (int)rt_sync_operation();
}

RT_API int __treadle_pthread_barrier_wait(pthread_barrier_t *b);
int __treadle_pthread_barrier_wait(pthread_barrier_t *b)
{
    if (!rt_on())
        return pthread_barrier_wait(b);
    uint32_t site = rt_sync_op(WIRE_BARRIER, b, RT_BARRIER)->site;
    if (rt_object_at((uint64_t)b)->type == RT_UNTYPED)
        rt_sync_misuse("wait on a %t that was never initialised");
    if (rt_sync_operation())
        return PTHREAD_BARRIER_SERIAL_THREAD;
    rt_sync_op_at(site, WIRE_BARRIER_LEAVE, b, RT_BARRIER);
    rt_sync_operation();
    return 0;
}

/* ---- once ---- */

/* A thread that ends in the function leaves it as if it had never come. */
static void leave(void *once)
{
    rt_sync_op_at(0, WIRE_ONCE_LEFT, once, RT_ONCE);
    rt_sync_operation();
}

void rt_once(void *once, void (*routine)(void))
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_cleanup at_end;
    uint32_t site = rt_sync_op(WIRE_ONCE, once, RT_ONCE)->site;
    if (rt_sync_operation())
        return;
    rt_cleanup_push(&at_end, leave, once);
    rt_user_call(&(rt_user){(uint64_t)routine, site, 0}, 0, 0, 0);
    rt_cleanup_pop(&at_end);
    rt_sync_op_at(site, WIRE_ONCE_END, once, RT_ONCE);
    rt_sync_operation();
}

RT_API int __treadle_pthread_once(pthread_once_t *once, void (*routine)(void));
int __treadle_pthread_once(pthread_once_t *once, void (*routine)(void))
{
    if (!rt_on())
        return pthread_once(once, routine);
    rt_once(once, routine);
    return 0;
}
