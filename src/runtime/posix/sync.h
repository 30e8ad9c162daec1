/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/posix/sync.h - what the calls of the threads library have in common (sync.c, timed.c).
 *
 * Purpose     A call makes an operation on its object (rt_sync_op), completes it, and waits for
 *             it (rt_sync_operation). Before and behind an operation only what the thread itself
 *             has done may be looked at: the state of an object is the scheduler's business.
 */
#pragma once

#include <pthread.h>
#include <time.h>

#include "runtime/core/state.h"

/* The entry of a thread that holds a read lock, or NULL. */
rt_reader *rt_reader_find(const rt_object *o, uint32_t thread);

/* ---- mutex.c ---- */

/* What the calls of both libraries for threads do; call: what a timeout is of. */
int rt_mutex_lock(pthread_mutex_t *m);
int rt_mutex_trylock(pthread_mutex_t *m);
int rt_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until,
                       const char *call);
int rt_mutex_unlock(pthread_mutex_t *m);
/* The two halves of a wait at a condition variable. take: 0, or what became of a robust one. */
void rt_mutex_give(pthread_mutex_t *m, uint32_t site);
int rt_mutex_take(pthread_mutex_t *m, uint32_t site);
/* Gives the robust mutexes of self, which ends. */
void rt_mutex_give_robust(void);

/* ---- cond.c ---- */

/* What the choices that a wait makes are called. */
typedef struct rt_wait_names {
    const char *timeout, *cancelled;
} rt_wait_names;

int rt_cond_wait(pthread_cond_t *c, pthread_mutex_t *m, const char *cancelled);
int rt_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until,
                      const rt_wait_names *names);

/* ---- barrier.c ---- */

void rt_once(void *once, void (*routine)(void));

/* ---- thread.c ---- */

pthread_t rt_thread_handle(const rt_thread *t);
/* Returns the caller's handle. Constructors that run before main see the handle that main has later. */
pthread_t rt_thread_self(void);
/* Returns the C library's handle of the same thread, for calls outside of a run. */
pthread_t rt_thread_real(pthread_t handle);
/* Returns NULL if no thread of this run has that handle. */
rt_thread *rt_thread_of(pthread_t handle);
typedef struct rt_start {
    void *(*start)(void *);
    void *arg;
    uint32_t arg_label;
    bool returns_int;
} rt_start;

/* False: outside a run, where the C library makes them. */
bool rt_thread_can_create(void);
/* A new thread, which runs up to its first operation. */
void rt_thread_create(pthread_t *out, const pthread_attr_t *attr, const rt_start *what);
/* Waits for the end of the thread; flags: WIRE_JOIN_FETCHED. */
rt_thread *rt_thread_join(pthread_t handle, uint32_t site, uint32_t flags, bool is_timed);
void rt_thread_detach(pthread_t handle);

/* ---- thread_life.c: misuse ends the run ---- */

/* Returns the thread with that handle, which is used now; if there is none, or its handle may no longer be
 * used, the run ends with the message `wrong`. */
rt_thread *rt_thread_known(pthread_t handle, uint32_t site, const char *wrong);
/* The same if the use was self's last operation. */
void rt_thread_used(rt_thread *t, uint32_t site, const char *wrong);
void rt_thread_can_join(pthread_t handle, uint32_t site);
/* Call when self has joined, or detached, the thread; NULL: the handle was not that of a thread. */
void rt_thread_joined(rt_thread *t, uint32_t site);
void rt_thread_detached(rt_thread *t, uint32_t site);
/* Call when self ends: its handle becomes invalid if it is detached. */
void rt_thread_life_ended(const rt_thread *t);

/* ---- cancel.c ---- */

/* Where a thread can be cancelled: does not return if it is. */
void rt_cancel_test(uint32_t site);
static inline void rt_cancel_point(uint32_t site)
{
    if (rt->uses & WIRE_USES_CANCEL)
        rt_cancel_test(site);
}
static inline bool rt_cancellable(void)
{
    return (rt->uses & WIRE_USES_CANCEL) && !rt->self->cancel_off;
}
/* A cleanup of the runtime itself, for the case that self ends in between. */
typedef __pthread_unwind_buf_t rt_cleanup;
void rt_cleanup_push(rt_cleanup *c, void (*routine)(void *), void *arg);
void rt_cleanup_pop(const rt_cleanup *c);
/* Calls the newest one, which must be the runtime's: an exception leaves its frame. */
void rt_cleanup_unwind(void);
/* Self is cancelled: its handlers run, and it ends. */
_Noreturn void rt_cancel_act(void);
/* The same with another value: self ends by request. */
_Noreturn void rt_cancel_leave(void *value);

/* ---- tls_keys.c ---- */

int rt_key_create(uint32_t *out, void (*destructor)(void *));
int rt_key_delete(uint32_t key);
void *rt_specific_get(uint32_t key, const void *self);
int rt_specific_set(uint32_t key, const void *value, const void *self);
/* Calls the destructors of self's values. */
void rt_specific_end(void);

/* ---- named.c ---- */

/* It has a name: sem_open made it. */
bool rt_named_is(const void *s);
/* What SEM_OPEN, SEM_CLOSE, SEM_UNLINK do; 0 or an error. */
uint64_t rt_named_do(const rt_op *op);

/* ---- libc.c ---- */

/* nanosleep. */
int rt_sleep(const struct timespec *want, struct timespec *left);

/* ---- timed.c ---- */

/* True if a wait with a timeout gives up; decided beforehand. Its time has then passed. */
bool rt_timed_gives_up(const char *call, const struct timespec *until, uint32_t site);
/* Returns 0, or EINVAL for an invalid time. */
int rt_timed_check(const struct timespec *until);
/* Returns 0, or EINVAL if waits cannot use that clock. */
int rt_timed_clock(clockid_t clock);
