/* SPDX-License-Identifier: Apache-2.0 */
/* Two mutexes in two orders. Of all runs, only those deadlock in which both threads have
 * their first mutex.
 *
 * treadle: --search=all -k
 * expect: runs 46
 * expect: events 28
 * expect: traces 3
 * expect: verdict bug
 * expect: finding deadlock deadlock.c:25 deadlock.c:34
 * model: main: create A, create B, join A, join B, exit
 * model: A: lock m, lock n, unlock n, unlock m
 * model: B: lock n, lock m, unlock m, unlock n
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding deadlock deadlock.c:25 deadlock.c:34 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *up(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *down(void *arg)
{
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, up, NULL);
    pthread_create(&b, NULL, down, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
