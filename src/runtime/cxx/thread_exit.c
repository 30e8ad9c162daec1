/* SPDX-License-Identifier: Apache-2.0 */
/* std::notify_all_at_thread_exit: the lock is given back and the waiters are woken after the destructors of the thread's
 * own objects, as a key of the thread does. */
#include "runtime/cxx/cxx_int.h"

#include <pthread.h>
#include <stdlib.h>

/* A std::unique_lock<std::mutex>; std::mutex and std::condition_variable begin with these. */
typedef struct held_lock {
    pthread_mutex_t *mutex;
    bool owns;
} held_lock;

typedef struct promised promised;
struct promised {
    promised *next;
    pthread_cond_t *cond;
    pthread_mutex_t *mutex;
};

static pthread_key_t key;
static pthread_once_t key_is_made = PTHREAD_ONCE_INIT;

static void keep_promises(void *first)
{
    for (promised *p = first; p;) {
        promised *next = p->next;
        pthread_mutex_unlock(p->mutex);
        pthread_cond_broadcast(p->cond);
        free(p);
        p = next;
    }
}

static void make_key(void)
{
    if (pthread_key_create(&key, keep_promises) != 0)
        abort();
}

void notify_all_at_thread_exit(pthread_cond_t *cond, held_lock *lock) CXX_NAME(
    "_ZSt25notify_all_at_thread_exitRSt18condition_variableSt11unique_lockISt5mutexE");
void notify_all_at_thread_exit(pthread_cond_t *cond, held_lock *lock)
{
    promised *p = malloc(sizeof *p);
    if (!p || pthread_once(&key_is_made, make_key) != 0)
        abort();
    *p = (promised){pthread_getspecific(key), cond, lock->mutex};
    *lock = (held_lock){NULL, false};
    if (pthread_setspecific(key, p) != 0)
        abort();
}
