/* SPDX-License-Identifier: Apache-2.0 */
/* What happens when a thread has ended, after the destructors of its own objects: std::notify_all_at_thread_exit, and
 * results that were set or made ready "at thread exit". A key of the thread calls it. */
#include "runtime/cxx/cxx_int.h"

#include <pthread.h>
#include <stdlib.h>

/* The beginning of std::__at_thread_exit_elt. */
typedef struct promised promised;
struct promised {
    promised *next;
    void (*keep)(promised *p);
};

static pthread_key_t key;
static pthread_once_t key_is_made = PTHREAD_ONCE_INIT;

static void keep_promises(void *first)
{
    for (promised *p = first; p;) {
        promised *next = p->next;
        p->keep(p);
        p = next;
    }
}

static void make_key(void)
{
    if (pthread_key_create(&key, keep_promises) != 0)
        abort();
}

static void promise(promised *p, void (*keep)(promised *))
{
    if (pthread_once(&key_is_made, make_key) != 0)
        abort();
    *p = (promised){pthread_getspecific(key), keep};
    if (pthread_setspecific(key, p) != 0)
        abort();
}

/* ---- waiters of a condition variable ---- */

/* A std::unique_lock<std::mutex>; std::mutex and std::condition_variable begin with these. */
typedef struct held_lock {
    pthread_mutex_t *mutex;
    bool owns;
} held_lock;

typedef struct notification {
    promised base;
    pthread_cond_t *cond;
    pthread_mutex_t *mutex;
} notification;

static void notify(promised *p)
{
    notification *n = (notification *)p;
    pthread_mutex_unlock(n->mutex);
    pthread_cond_broadcast(n->cond);
    free(n);
}

void notify_all_at_thread_exit(pthread_cond_t *cond, held_lock *lock) CXX_NAME(
    "_ZSt25notify_all_at_thread_exitRSt18condition_variableSt11unique_lockISt5mutexE");
void notify_all_at_thread_exit(pthread_cond_t *cond, held_lock *lock)
{
    notification *n = malloc(sizeof *n);
    if (!n)
        abort();
    *n = (notification){.cond = cond, .mutex = lock->mutex};
    *lock = (held_lock){NULL, false};
    promise(&n->base, notify);
}

/* ---- results ---- */

/* The counters of a std::shared_ptr; the table's entries 2 and 3 end the object and this. */
typedef struct shares {
    void (**table)(struct shares *s);
    int32_t n_strong, n_weak;
} shares;

/* The beginning of a state that a promise shares with its future. */
typedef struct future_state {
    void *table, *result;
    uint32_t status;
} future_state;

enum { READY = 1 };
#define WAITED_FOR 0x80000000u

/* A std::__future_base::_State_baseV2::_Make_ready: it knows the state by a std::weak_ptr. */
typedef struct make_ready {
    promised base;
    future_state *state;
    shares *owners;
} make_ready;

void wake_all(void *futex, uint32_t *status)
    CXX_NAME("_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj");
void delete_object(void *object) CXX_NAME("_ZdlPv");

static bool lock_weak(shares *s)
{
    int32_t n = s ? __atomic_load_n(&s->n_strong, __ATOMIC_RELAXED) : 0;
    while (n > 0)
        if (__atomic_compare_exchange_n(&s->n_strong, &n, n + 1, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            return true;
    return false;
}

static void drop_weak(shares *s)
{
    if (s && __atomic_fetch_sub(&s->n_weak, 1, __ATOMIC_ACQ_REL) == 1)
        s->table[3](s);
}

static void drop_strong(shares *s)
{
    if (__atomic_fetch_sub(&s->n_strong, 1, __ATOMIC_ACQ_REL) != 1)
        return;
    s->table[2](s);
    drop_weak(s);
}

static void make_it_ready(promised *p)
{
    make_ready *m = (make_ready *)p;
    if (lock_weak(m->owners)) {
        uint32_t was = __atomic_exchange_n(&m->state->status, READY, __ATOMIC_RELEASE);
        if (was & WAITED_FOR)
            wake_all(&m->state->status, &m->state->status);
        drop_strong(m->owners);
    }
    drop_weak(m->owners);
    delete_object(m);
}

void ready_at_thread_exit(make_ready *m)
    CXX_NAME("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
void ready_at_thread_exit(make_ready *m)
{
    promise(&m->base, make_it_ready);
}
