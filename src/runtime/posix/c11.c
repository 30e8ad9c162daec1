/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of C11: other names and results for the same operations. A mtx_t is a
 * pthread_mutex_t and a cnd_t a pthread_cond_t, as in the C library. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <threads.h>

#include "runtime/memory/accesses.h"
#include "runtime/symbolic/values.h"

static int result_of(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

/* ---- threads ---- */

RT_API int __treadle_thrd_create(thrd_t *out, thrd_start_t start, void *arg);
int __treadle_thrd_create(thrd_t *out, thrd_start_t start, void *arg)
{
    if (!rt_thread_can_create())
        return thrd_create(out, start, arg);
    /* Only the lower half of what it returns is looked at. */
    rt_start what = {(void *(*)(void *))(void *)start, arg,
                     rt_sym_argument((const void *)__treadle_thrd_create, 2), true};
    rt_sym_arrive();
    rt_thread_create(out, NULL, &what);
    return thrd_success;
}

RT_API int __treadle_thrd_join(thrd_t thread, int *value);
int __treadle_thrd_join(thrd_t thread, int *value)
{
    if (!rt_on())
        return thrd_join(thread, value);
    uint32_t site = rt_call_site();
    rt_thread_can_join(thread, site);
    rt_cancel_point(site);
    const rt_thread *t =
        rt_thread_join(thread, site, value ? WIRE_JOIN_FETCHED : 0, false);
    if (!value)
        return thrd_success;
    rt_access((uint64_t)value, sizeof *value, true, site);
    *value = (int)(intptr_t)t->value;
    if (rt->symbolic)
        rt_sym_put((uint64_t)value, sizeof *value, rt_visible_joined(t, site));
    return thrd_success;
}

RT_API int __treadle_thrd_detach(thrd_t thread);
int __treadle_thrd_detach(thrd_t thread)
{
    if (!rt_on())
        return thrd_detach(rt_thread_real(thread));
    rt_thread_detach(thread);
    return thrd_success;
}

RT_API _Noreturn void __treadle_thrd_exit(int value);
void __treadle_thrd_exit(int value)
{
    if (!rt_on())
        thrd_exit(value);
    rt_call_site();
    rt->self->value_label = rt_sym_argument((const void *)__treadle_thrd_exit, 0);
    rt_sym_arrive();
    rt_cancel_leave((void *)(intptr_t)value);
}

RT_API thrd_t __treadle_thrd_current(void);
thrd_t __treadle_thrd_current(void)
{
    return rt_thread_self();
}

RT_API int __treadle_thrd_equal(thrd_t a, thrd_t b);
int __treadle_thrd_equal(thrd_t a, thrd_t b)
{
    if (rt_on())
        rt_call_site();
    return a == b;
}

RT_API int __treadle_thrd_sleep(const struct timespec *want, struct timespec *left);
int __treadle_thrd_sleep(const struct timespec *want, struct timespec *left)
{
    if (!rt_on())
        return thrd_sleep(want, left);
    int error = rt_sleep(want, left);
    return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

RT_API void __treadle_thrd_yield(void);
void __treadle_thrd_yield(void)
{
    if (!rt_on()) {
        thrd_yield();
        return;
    }
    rt->self->yield_site = rt_call_site();
    rt->self->yielded = true;
}

/* ---- mutexes ---- */

RT_API int __treadle_mtx_init(mtx_t *m, int type);
int __treadle_mtx_init(mtx_t *m, int type)
{
    if (!rt_on())
        return mtx_init(m, type);
    rt_sync_op(WIRE_INIT, m, RT_MUTEX);
    rt_sync_operation();
    return mtx_init(m, type);
}

RT_API void __treadle_mtx_destroy(mtx_t *m);
void __treadle_mtx_destroy(mtx_t *m)
{
    if (!rt_on()) {
        mtx_destroy(m);
        return;
    }
    rt_sync_op(WIRE_DESTROY, m, RT_MUTEX);
    rt_sync_operation();
}

RT_API int __treadle_mtx_lock(mtx_t *m);
int __treadle_mtx_lock(mtx_t *m)
{
    return rt_on() ? result_of(rt_mutex_lock((pthread_mutex_t *)m)) : mtx_lock(m);
}

RT_API int __treadle_mtx_trylock(mtx_t *m);
int __treadle_mtx_trylock(mtx_t *m)
{
    return rt_on() ? result_of(rt_mutex_trylock((pthread_mutex_t *)m)) : mtx_trylock(m);
}

RT_API int __treadle_mtx_timedlock(mtx_t *m, const struct timespec *until);
int __treadle_mtx_timedlock(mtx_t *m, const struct timespec *until)
{
    if (!rt_on())
        return mtx_timedlock(m, until);
    return result_of(
        rt_mutex_timedlock((pthread_mutex_t *)m, until, "timeout of mtx_timedlock"));
}

RT_API int __treadle_mtx_unlock(mtx_t *m);
int __treadle_mtx_unlock(mtx_t *m)
{
    return rt_on() ? result_of(rt_mutex_unlock((pthread_mutex_t *)m)) : mtx_unlock(m);
}

/* ---- condition variables ---- */

RT_API int __treadle_cnd_init(cnd_t *c);
int __treadle_cnd_init(cnd_t *c)
{
    if (!rt_on())
        return cnd_init(c);
    rt_sync_op(WIRE_INIT, c, RT_COND);
    rt_sync_operation();
    return cnd_init(c);
}

RT_API void __treadle_cnd_destroy(cnd_t *c);
void __treadle_cnd_destroy(cnd_t *c)
{
    if (!rt_on()) {
        cnd_destroy(c);
        return;
    }
    rt_sync_op(WIRE_DESTROY, c, RT_COND);
    rt_sync_operation();
}

RT_API int __treadle_cnd_signal(cnd_t *c);
int __treadle_cnd_signal(cnd_t *c)
{
    if (!rt_on())
        return cnd_signal(c);
    rt_sync_op(WIRE_SIGNAL, c, RT_COND);
    return result_of((int)rt_sync_operation());
}

RT_API int __treadle_cnd_broadcast(cnd_t *c);
int __treadle_cnd_broadcast(cnd_t *c)
{
    if (!rt_on())
        return cnd_broadcast(c);
    rt_sync_op(WIRE_BROADCAST, c, RT_COND);
    return result_of((int)rt_sync_operation());
}

RT_API int __treadle_cnd_wait(cnd_t *c, mtx_t *m);
int __treadle_cnd_wait(cnd_t *c, mtx_t *m)
{
    if (!rt_on())
        return cnd_wait(c, m);
    return result_of(
        rt_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m, "cancelled in cnd_wait"));
}

RT_API int __treadle_cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until);
int __treadle_cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until)
{
    static const rt_wait_names names = {"timeout of cnd_timedwait",
                                        "cancelled in cnd_timedwait"};
    if (!rt_on())
        return cnd_timedwait(c, m, until);
    return result_of(
        rt_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, until, &names));
}

/* ---- once, and values of threads ---- */

RT_API void __treadle_call_once(once_flag *once, void (*routine)(void));
void __treadle_call_once(once_flag *once, void (*routine)(void))
{
    if (rt_on())
        rt_once(once, routine);
    else
        call_once(once, routine);
}

RT_API int __treadle_tss_create(tss_t *out, tss_dtor_t destructor);
int __treadle_tss_create(tss_t *out, tss_dtor_t destructor)
{
    return rt_on() ? result_of(rt_key_create(out, destructor))
                   : tss_create(out, destructor);
}

RT_API void __treadle_tss_delete(tss_t key);
void __treadle_tss_delete(tss_t key)
{
    if (rt_on())
        rt_key_delete(key);
    else
        tss_delete(key);
}

RT_API void *__treadle_tss_get(tss_t key);
void *__treadle_tss_get(tss_t key)
{
    return rt_on() ? rt_specific_get(key, (const void *)__treadle_tss_get) : tss_get(key);
}

RT_API int __treadle_tss_set(tss_t key, void *value);
int __treadle_tss_set(tss_t key, void *value)
{
    return rt_on()
               ? result_of(rt_specific_set(key, value, (const void *)__treadle_tss_set))
               : tss_set(key, value);
}
