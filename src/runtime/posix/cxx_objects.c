/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that compiled C++ requires of its runtime library: static locals that are initialised once,
 * and destructors of thread-local objects (exceptions: cxx_exceptions.c). The rest of that library is its
 * own (wire/library.h), or ours (runtime/cxx). */
#include "runtime/posix/posix.h"

#include "runtime/memory/accesses.h"
#include "runtime/posix/sync.h"
#include "runtime/symbolic/values.h"

/* ---- static locals ---- */

/* A guard has 8 bytes. Compiled code looks at the first one, which is an atomic object; what else is
 * done to it is an operation on an object of its own, the second half. */
#define GUARD_OBJECT(guard) ((char *)(guard) + 4)

int __cxa_guard_acquire(uint64_t *guard) __attribute__((weak));
void __cxa_guard_release(uint64_t *guard) __attribute__((weak));
void __cxa_guard_abort(uint64_t *guard) __attribute__((weak));

/* 1: the caller initialises the object. */
RT_API int __treadle___cxa_guard_acquire(uint64_t *guard);
int __treadle___cxa_guard_acquire(uint64_t *guard)
{
    if (!rt_on())
        return __cxa_guard_acquire(guard);
    rt_sync_op(WIRE_ONCE, GUARD_OBJECT(guard), RT_ONCE);
    return !rt_sync_operation();
}

RT_API void __treadle___cxa_guard_release(uint64_t *guard);
void __treadle___cxa_guard_release(uint64_t *guard)
{
    if (!rt_on()) {
        __cxa_guard_release(guard);
        return;
    }
    uint32_t site = rt_call_site();
    rt_atomic_set((uint8_t *)guard, 1, __ATOMIC_RELEASE, site);
    rt_sync_op_at(site, WIRE_ONCE_END, GUARD_OBJECT(guard), RT_ONCE);
    rt_sync_operation();
}

/* The initialiser threw. */
RT_API void __treadle___cxa_guard_abort(uint64_t *guard);
void __treadle___cxa_guard_abort(uint64_t *guard)
{
    if (!rt_on()) {
        __cxa_guard_abort(guard);
        return;
    }
    rt_sync_op(WIRE_ONCE_LEFT, GUARD_OBJECT(guard), RT_ONCE);
    rt_sync_operation();
}

/* ---- thread-local objects ---- */

struct rt_local {
    rt_local *next;
    void (*destructor)(void *);
    void *object;
    uint32_t site;
};

int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *image);

RT_API int __treadle___cxa_thread_atexit_impl(void (*destructor)(void *), void *object,
                                              void *image);
int __treadle___cxa_thread_atexit_impl(void (*destructor)(void *), void *object,
                                       void *image)
{
    if (!rt_on())
        return __cxa_thread_atexit_impl(destructor, object, image);
    rt_local *l = rt_bump(sizeof *l);
    *l = (rt_local){rt->self->locals, destructor, object, rt_call_site()};
    rt->self->locals = l;
    rt_changed();
    return 0;
}

void rt_locals_end(void)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    while (rt->self->locals) {
        const rt_local *l = rt->self->locals;
        rt->self->locals = l->next;
        const rt_user destructor = {(uint64_t)l->destructor, l->site, 0};
        rt_user_call(&destructor, (uint64_t)l->object, 0, 0);
    }
}
