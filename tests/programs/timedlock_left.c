/* SPDX-License-Identifier: Apache-2.0 */
/* A thread ends with a mutex, and another with a write lock, that it got in time: told with the
 * line of the call, whether it would have given up or not.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 10
 * expect: verdict bug
 * expect: finding mutex timedlock_left.c:28
 * expect: finding misuse timedlock_left.c:34
 *
 * treadle: --search=all -k
 * expect: runs 20
 * expect: events 24
 * expect: traces 4
 * expect: verdict bug
 * expect: finding mutex timedlock_left.c:28
 * expect: finding misuse timedlock_left.c:34 */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec until = {1000, 0};

static void *keep_mutex(void *arg)
{
    pthread_mutex_timedlock(&m, &until);
    return arg;
}

static void *keep_rwlock(void *arg)
{
    pthread_rwlock_timedwrlock(&l, &until);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, keep_mutex, NULL);
    pthread_create(&t[1], NULL, keep_rwlock, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
