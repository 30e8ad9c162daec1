/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes. The model is kept by address; the program's pthread_mutex_t only tells its type. */
#include "runtime/rt.h"

#include <errno.h>
#include <pthread.h>

enum mutex_type { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK, MUTEX_ADAPTIVE };

static enum mutex_type type_of(const pthread_mutex_t *m)
{
    return (enum mutex_type)(m->__data.__kind & 3);
}

static rt_op *mutex_op(uint8_t kind, const pthread_mutex_t *m)
{
    return rt_op_new(kind, rt_call_site(), (uint64_t)m);
}

_Noreturn static void misuse(const pthread_mutex_t *m, uint32_t site, const char *text)
{
    const rt_object *o = rt_object_at((uint64_t)m);
    uint64_t holder = o->state == RT_OBJECT_HELD ? (uint64_t)o->owner + 1 : 0;
    rt_fail_end(WIRE_FAIL_MUTEX, site, (uint64_t)m, holder, text);
}

static bool held_by_self(const rt_object *o)
{
    return o->state == RT_OBJECT_HELD && o->owner == rt->self->id;
}

RT_API int __treadle_pthread_mutex_init(pthread_mutex_t *m,
                                        const pthread_mutexattr_t *attr);
int __treadle_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
    if (!rt_on())
        return pthread_mutex_init(m, attr);
    rt_op *op = mutex_op(WIRE_MUTEX_INIT, m);
    if (rt_operation() == RT_MISUSE)
        misuse(m, op->site, "init of a mutex that is held");
    return pthread_mutex_init(m, attr);
}

RT_API int __treadle_pthread_mutex_destroy(pthread_mutex_t *m);
int __treadle_pthread_mutex_destroy(pthread_mutex_t *m)
{
    if (!rt_on())
        return pthread_mutex_destroy(m);
    rt_op *op = mutex_op(WIRE_MUTEX_DESTROY, m);
    if (rt_operation() == RT_MISUSE)
        misuse(m, op->site, "destroy of a mutex that is held");
    return 0;
}

RT_API int __treadle_pthread_mutex_lock(pthread_mutex_t *m);
int __treadle_pthread_mutex_lock(pthread_mutex_t *m)
{
    if (!rt_on())
        return pthread_mutex_lock(m);
    rt_op *op = mutex_op(WIRE_LOCK, m);
    enum mutex_type type = type_of(m);
    if (type == MUTEX_ERRORCHECK && held_by_self(rt_object_at((uint64_t)m)))
        return EDEADLK;
    op->a = type == MUTEX_RECURSIVE;
    uint64_t result = rt_operation();
    if (result == RT_MISUSE)
        misuse(m, op->site, "lock of a destroyed mutex");
    return (int)result;
}

RT_API int __treadle_pthread_mutex_trylock(pthread_mutex_t *m);
int __treadle_pthread_mutex_trylock(pthread_mutex_t *m)
{
    if (!rt_on())
        return pthread_mutex_trylock(m);
    rt_op *op = mutex_op(WIRE_TRYLOCK, m);
    op->a = type_of(m) == MUTEX_RECURSIVE;
    uint64_t result = rt_operation();
    if (result == RT_MISUSE)
        misuse(m, op->site, "trylock of a destroyed mutex");
    return (int)result;
}

RT_API int __treadle_pthread_mutex_unlock(pthread_mutex_t *m);
int __treadle_pthread_mutex_unlock(pthread_mutex_t *m)
{
    if (!rt_on())
        return pthread_mutex_unlock(m);
    uint32_t site = rt_call_site();
    enum mutex_type type = type_of(m);
    const rt_object *o = rt_object_at((uint64_t)m);
    if (!held_by_self(o)) {
        if (type == MUTEX_ERRORCHECK || type == MUTEX_RECURSIVE)
            return EPERM;
        misuse(m, site,
               o->state == RT_OBJECT_HELD ? "unlock of a mutex that another thread holds"
                                          : "unlock of a mutex that is not held");
    }
    rt_op_new(WIRE_UNLOCK, site, (uint64_t)m);
    return (int)rt_operation();
}
