/* SPDX-License-Identifier: Apache-2.0 */
/* The holder of a robust mutex dies: the next one is told, and mends it.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: events 23
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 18
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;
static int n;

static void *worker(void *arg)
{
    int rc = pthread_mutex_lock(&m);
    assert(rc == 0);
    n = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    int robust;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_getrobust(&attr, &robust);
    assert(robust == PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    int rc = pthread_mutex_lock(&m);
    assert(rc == 0);
    rc = pthread_mutex_consistent(&m);
    assert(rc == EINVAL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_unlock(&m);
    rc = pthread_mutex_lock(&m);
    if (rc == 0) {
        assert(n == 0);
        pthread_mutex_unlock(&m);
        pthread_join(t, NULL);
        rc = pthread_mutex_lock(&m);
    }
    assert(rc == EOWNERDEAD && n == 1);
    rc = pthread_mutex_consistent(&m);
    assert(rc == 0);
    pthread_mutex_unlock(&m);
    rc = pthread_mutex_lock(&m);
    assert(rc == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
