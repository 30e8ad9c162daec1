/* SPDX-License-Identifier: Apache-2.0 */
/* A robust mutex that nobody mended is lost to all.
 *
 * treadle: --search=all
 * expect: runs 10
 * expect: events 27
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 17
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m;

static void *dies(void *arg)
{
    pthread_mutex_lock(&m);
    return arg;
}

static void *waits(void *arg)
{
    int rc = pthread_mutex_lock(&m);
    assert(rc == 0 || rc == EOWNERDEAD);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    pthread_create(&a, NULL, dies, NULL);
    pthread_create(&b, NULL, waits, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int rc = pthread_mutex_lock(&m);
    if (rc == EOWNERDEAD) {
        pthread_mutex_unlock(&m);
        rc = pthread_mutex_lock(&m);
    }
    assert(rc == ENOTRECOVERABLE);
    return 0;
}
