/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that is cancelled leaves a robust mutex behind it.
 *
 * treadle: --search=all
 * expect: runs 10
 * expect: events 19
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 13
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_testcancel();
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    int rc = pthread_mutex_trylock(&m);
    assert(rc == (value == PTHREAD_CANCELED ? EOWNERDEAD : 0));
    return 0;
}
