/* SPDX-License-Identifier: Apache-2.0 */
/* A deadlock that is suppressed is counted; the rest is explored.
 *
 * treadle:
 * suppress: deadlock:suppress_deadlock.c
 * expect: verdict complete
 * expect: ledger suppressed
 * treadle:
 * suppress: deadlock:nobody
 * expect: verdict bug
 * expect: finding deadlock */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *worker(void *arg)
{
    both(&m, &n);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    both(&n, &m);
    pthread_join(t, NULL);
    return 0;
}
