/* SPDX-License-Identifier: Apache-2.0 */
/* A mutex with a priority ceiling: nobody has a priority, but it is locked to change it.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: events 16
 * expect: traces 2
 * expect: verdict complete
 *
 * treadle:
 * expect: runs 2
 * expect: events 10
 * expect: verdict complete */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;

static void *worker(void *arg)
{
    int old = 0;
    int rc = pthread_mutex_setprioceiling(&m, 11, &old);
    assert(rc == 0 && old == 10);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    int ceiling;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attr, 10);
    pthread_mutexattr_getprioceiling(&attr, &ceiling);
    assert(ceiling == 10);
    pthread_mutex_init(&m, &attr);
    pthread_mutex_getprioceiling(&m, &ceiling);
    assert(ceiling == 10);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
