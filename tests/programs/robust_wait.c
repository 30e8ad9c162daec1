/* SPDX-License-Identifier: Apache-2.0 */
/* A wait on a condition variable returns that the mutex lost its owner. It is not in a loop: a
 * spurious wakeup would find the mutex in order.
 *
 * treadle: --search=all --spurious=0
 * expect: runs 2
 * expect: events 14
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 *
 * treadle: --spurious=0
 * expect: runs 1
 * expect: events 11
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *dies(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, dies, NULL);
    int rc = pthread_cond_wait(&c, &m);
    assert(rc == EOWNERDEAD);
    rc = pthread_mutex_consistent(&m);
    assert(rc == 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
