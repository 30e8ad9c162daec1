/* SPDX-License-Identifier: Apache-2.0 */
/* What compiled C++ asks of its runtime library: static locals that are initialised once, and destructors of
 * thread-local objects. The rest of that library is its own (wire/library.h), or ours (runtime/cxx). */
#include "runtime/posix/posix.h"

#include <signal.h>

#include "runtime/memory/accesses.h"
#include "runtime/posix/sync.h"
#include "runtime/symbolic/values.h"

/* ---- static locals ---- */

/* A guard has 8 bytes. Compiled code looks at the first one, which is an atomic object; what else is done to it is an
 * operation on an object of its own, the second half. */
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
};

int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *image);

RT_API int __treadle___cxa_thread_atexit_impl(void (*destructor)(void *), void *object,
                                              void *image);
int __treadle___cxa_thread_atexit_impl(void (*destructor)(void *), void *object,
                                       void *image)
{
    if (!rt_on())
        return __cxa_thread_atexit_impl(destructor, object, image);
    rt_foreign_called((uint64_t)destructor, rt_call_site());
    rt_local *l = rt_bump(sizeof *l);
    *l = (rt_local){rt->self->locals, destructor, object};
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
        rt_sym_pass((const void *)l->destructor, 0);
        l->destructor(l->object);
    }
}

/* ---- exceptions ---- */

void __cxa_throw(void *object, void *type, void (*destructor)(void *))
    __attribute__((weak, noreturn));
void terminate(void) __asm__("_ZSt9terminatev") __attribute__((weak, noreturn));

/* Where it was thrown, if nobody catches it. */
RT_API _Noreturn void __treadle___cxa_throw(void *object, void *type,
                                            void (*destructor)(void *));
void __treadle___cxa_throw(void *object, void *type, void (*destructor)(void *))
{
    if (rt_on())
        rt->self->cxx_end = rt_call_site();
    __cxa_throw(object, type, destructor);
}

RT_API _Noreturn void __treadle__ZSt9terminatev(void);
void __treadle__ZSt9terminatev(void)
{
    if (rt_on())
        rt->self->cxx_end = rt_call_site();
    terminate();
}

/* A word that runtime/cxx keeps about an exception: no access of the program. */
RT_EXPORT void __treadle_mark(uint32_t *word);
void __treadle_mark(uint32_t *word)
{
    *word = 1;
}

RT_EXPORT void __treadle_add(int32_t *word, int32_t by);
void __treadle_add(int32_t *word, int32_t by)
{
    __atomic_fetch_add(word, by, __ATOMIC_RELAXED);
}

RT_EXPORT bool __treadle_is_marked(const uint32_t *word);
bool __treadle_is_marked(const uint32_t *word)
{
    return *word != 0;
}

/* A function of libstdc++ that runtime/cxx stands before; it may throw. */
RT_EXPORT void __treadle_call_behind(void (*function)(void *), void *arg);
void __treadle_call_behind(void (*function)(void *), void *arg)
{
    function(arg);
}

/* ---- the end ---- */

/* std::terminate, with the exception that nobody caught. */
RT_EXPORT void __treadle_terminated(const char *text);
void __treadle_terminated(const char *text)
{
    if (rt_on())
        rt_fail_end(WIRE_FAIL_ABORT, rt->self->cxx_end, 0, SIGABRT, text);
}

/* An exception leaves the function that the newest pthread_once of self has called. */
RT_EXPORT void __treadle_once_left(void);
void __treadle_once_left(void)
{
    if (rt_on())
        rt_cleanup_unwind();
}
