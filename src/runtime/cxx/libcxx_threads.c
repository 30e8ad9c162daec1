/* SPDX-License-Identifier: Apache-2.0 */
/* What libc++ does for threads by atomic instructions of its own: counts of std::shared_ptr, std::call_once, and what
 * happens when a thread has ended. Its mutexes and condition variables are those of the threads library. */
#include "runtime/cxx/cxx_int.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- shares ---- */

/* A std::__shared_weak_count, or the beginning of one: how many there are besides the first. */
typedef struct shares shares;
struct shares {
    void (**table)(shares *s);
    int64_t n_strong, n_weak;
};

enum { END_OBJECT = 2, END_SHARES = 4 }; /* entries of the table */

void drop_weak(shares *s) CXX_NAME("_ZNSt3__119__shared_weak_count14__release_weakEv");
void drop_weak(shares *s)
{
    if (__atomic_fetch_sub(&s->n_weak, 1, __ATOMIC_ACQ_REL) == 0)
        s->table[END_SHARES](s);
}

shares *lock_weak(shares *s) CXX_NAME("_ZNSt3__119__shared_weak_count4lockEv");
shares *lock_weak(shares *s)
{
    int64_t n = __atomic_load_n(&s->n_strong, __ATOMIC_SEQ_CST);
    while (n != -1)
        if (__atomic_compare_exchange_n(&s->n_strong, &n, n + 1, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return s;
    return NULL;
}

/* ---- std::call_once ---- */

typedef struct once_call {
    void (*function)(void *arg);
    void *arg;
} once_call;

static __thread once_call call;

static void left(const bool *is_done)
{
    if (!*is_done)
        __treadle_once_left();
}

/* A call that throws does not count. */
static void call_it(void)
{
    __attribute__((cleanup(left))) bool is_done = false;
    call.function(call.arg);
    is_done = true;
}

/* The header looks at the flag for a value that it never gets here: whether it is done is the threads library's to say. */
void call_once(uint64_t *flag, void *arg, void (*function)(void *))
    CXX_NAME("_ZNSt3__111__call_onceERVmPvPFvS2_E");
void call_once(uint64_t *flag, void *arg, void (*function)(void *))
{
    call = (once_call){function, arg};
    if (pthread_once((pthread_once_t *)(void *)flag, call_it) != 0)
        abort();
}

/* ---- the end of a thread ---- */

/* The beginning of a std::__assoc_sub_state; the library's functions take its lock. */
typedef struct future_state future_state;
void make_ready(future_state *s) CXX_NAME("_ZNSt3__117__assoc_sub_state12__make_readyEv");
void notify_all(void *condition) CXX_NAME("_ZNSt3__118condition_variable10notify_allEv");
void unlock(void *mutex) CXX_NAME("_ZNSt3__15mutex6unlockEv");

typedef struct promised promised;
struct promised {
    promised *next;
    void *condition, *mutex; /* to be notified, and unlocked before */
    future_state *state;     /* or to be made ready */
};

/* A std::__thread_struct, which the header makes for each thread. */
typedef struct thread_end {
    promised *first;
} thread_end;

static pthread_key_t key;

static void promise(thread_end *t, promised what)
{
    promised *p = malloc(sizeof *p), **end = &t->first;
    if (!p)
        abort();
    *p = what;
    while (*end)
        end = &(*end)->next;
    *end = p;
}

void thread_end_make(thread_end *t) CXX_NAME("_ZNSt3__115__thread_structC1Ev");
void thread_end_make(thread_end *t)
{
    t->first = NULL;
}

static void drop_state(shares *s)
{
    if (__atomic_fetch_sub(&s->n_strong, 1, __ATOMIC_ACQ_REL) == 0)
        s->table[END_OBJECT](s);
}

void thread_end_do(thread_end *t) CXX_NAME("_ZNSt3__115__thread_structD1Ev");
void thread_end_do(thread_end *t)
{
    for (promised *p = t->first; p;) {
        promised *next = p->next;
        if (p->state) {
            make_ready(p->state);
            drop_state((shares *)p->state);
        } else {
            unlock(p->mutex);
            notify_all(p->condition);
        }
        free(p);
        p = next;
    }
}

void notify_at_end(thread_end *t, void *condition, void *mutex) CXX_NAME(
    "_ZNSt3__115__thread_struct25notify_all_at_thread_exitEPNS_18condition_variableEPNS_"
    "5mutexE");
void notify_at_end(thread_end *t, void *condition, void *mutex)
{
    promise(t, (promised){.condition = condition, .mutex = mutex});
}

void make_ready_at_end(thread_end *t, future_state *state) CXX_NAME(
    "_ZNSt3__115__thread_struct27__make_ready_at_thread_exitEPNS_17__assoc_sub_stateE");
void make_ready_at_end(thread_end *t, future_state *state)
{
    __atomic_fetch_add(&((shares *)state)->n_strong, 1, __ATOMIC_RELAXED);
    promise(t, (promised){.state = state});
}

void delete_object(void *object) CXX_NAME("_ZdlPv");

static void at_thread_end(void *t)
{
    thread_end_do(t);
    delete_object(t);
}

__attribute__((constructor(101))) static void make_key(void)
{
    if (pthread_key_create(&key, at_thread_end) != 0)
        abort();
}

/* A std::__thread_specific_ptr<std::__thread_struct>. */
pthread_key_t *thread_data(void) CXX_NAME("_ZNSt3__119__thread_local_dataEv");
pthread_key_t *thread_data(void)
{
    return &key;
}
