/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/process/real.h - functions that the executable exports in place of the C library.
 *
 * Purpose     Code that was not built with treadle cc, in the program or in shared libraries, reaches
 *             the runtime by ordinary symbol resolution: NAME in the executable is __treadle_NAME.
 * Invariants  (E1) every source of the runtime is compiled with this header in front: NAME there
 *             means the C library's function, which is __treadle_real_NAME (real.c, plain.c);
 *             (E2) a program that defines NAME itself keeps its own.
 */
#pragma once

/* clang-format off */
#define RT_EXPORTED(X)                                                                  \
    X(pthread_create) X(pthread_join) X(pthread_detach) X(pthread_exit)                 \
    X(pthread_self) X(pthread_equal) X(pthread_mutex_init) X(pthread_mutex_destroy)     \
    X(pthread_mutex_lock) X(pthread_mutex_trylock) X(pthread_mutex_unlock)              \
    X(pthread_mutex_timedlock) X(pthread_mutex_clocklock) X(pthread_mutex_consistent)   \
    X(pthread_cond_init) X(pthread_cond_destroy) X(pthread_cond_signal)                 \
    X(pthread_cond_broadcast) X(pthread_cond_wait) X(pthread_cond_timedwait)            \
    X(pthread_cond_clockwait) X(sem_init) X(sem_destroy) X(sem_post) X(sem_wait)        \
    X(sem_trywait) X(sem_timedwait) X(sem_clockwait) X(sem_getvalue) X(sem_open)        \
    X(sem_close) X(sem_unlink) X(pthread_rwlock_init) X(pthread_rwlock_destroy)         \
    X(pthread_rwlock_rdlock) X(pthread_rwlock_tryrdlock) X(pthread_rwlock_wrlock)       \
    X(pthread_rwlock_trywrlock) X(pthread_rwlock_timedrdlock)                           \
    X(pthread_rwlock_clockrdlock) X(pthread_rwlock_timedwrlock)                         \
    X(pthread_rwlock_clockwrlock) X(pthread_rwlock_unlock) X(pthread_spin_init)         \
    X(pthread_spin_destroy) X(pthread_spin_lock) X(pthread_spin_trylock)                \
    X(pthread_spin_unlock) X(pthread_barrier_init) X(pthread_barrier_destroy)           \
    X(pthread_barrier_wait) X(pthread_once) X(pthread_key_create) X(pthread_getspecific) \
    X(pthread_setspecific) X(pthread_testcancel) X(pthread_setcancelstate)              \
    X(pthread_setcanceltype) X(pthread_tryjoin_np) X(pthread_timedjoin_np)              \
    X(pthread_clockjoin_np) X(pthread_getattr_np) X(thrd_create) X(thrd_join)           \
    X(thrd_detach) X(thrd_exit) X(thrd_current) X(thrd_equal) X(thrd_sleep)             \
    X(thrd_yield) X(mtx_init) X(mtx_destroy) X(mtx_lock) X(mtx_trylock)                 \
    X(mtx_timedlock) X(mtx_unlock) X(cnd_init) X(cnd_destroy) X(cnd_wait)               \
    X(cnd_timedwait) X(cnd_signal) X(cnd_broadcast) X(tss_create) X(tss_get)            \
    X(tss_set) X(call_once) X(sched_yield) X(sleep) X(usleep) X(nanosleep)              \
    X(clock_nanosleep) X(exit) X(_exit) X(_Exit) X(quick_exit) X(on_exit)               \
    X(__cxa_thread_atexit_impl) X(__cxa_atexit) X(__cxa_at_quick_exit) X(time) X(gettimeofday) X(clock_gettime)     \
    X(clock) X(rand) X(srand) X(random) X(srandom) X(getrandom) X(syscall)              \
    X(pthread_setname_np) X(pthread_setaffinity_np) X(pthread_getschedparam)            \
    X(pthread_getcpuclockid) X(pthread_sigmask) X(sigprocmask) X(sigwait)               \
    X(__pthread_register_cancel) X(__pthread_unregister_cancel)                         \
    X(__pthread_register_cancel_defer) X(__pthread_unregister_cancel_restore)           \
    X(__pthread_unwind_next)

/* The functions of WIRE_WATCHED: a program whose instrumented code uses none of a kind lacks operations that
 * matter then, so a call from other code is refused. The number is its enum wire_uses. */
#define RT_EXPORTED_WATCHED(X)                                                          \
    X(pthread_cancel, 1) X(pthread_kill, 2) X(pthread_sigqueue, 2)                      \
    X(signal, 4) X(sigaction, 4)                                                        \
    X(pthread_key_delete, 8) X(tss_delete, 8) X(pthread_getname_np, 16)                 \
    X(pthread_getaffinity_np, 16)
/* clang-format on */

#ifndef __ASSEMBLER__
#ifndef RT_REAL_NAMES
#define RT_PRAGMA(text) _Pragma(#text)
#define X(name) RT_PRAGMA(redefine_extname name __treadle_real_##name)
RT_EXPORTED(X)
#undef X
#define X(name, use) RT_PRAGMA(redefine_extname name __treadle_real_##name)
RT_EXPORTED_WATCHED(X)
#undef X
#endif
#endif
