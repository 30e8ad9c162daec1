/* SPDX-License-Identifier: Apache-2.0 */
/* A crash inside a function that treadle replaces has the line of the call.
 *
 * treadle:
 * cflags: -g -O1
 * expect: verdict bug
 * expect: finding crash null_mutex.c:21
 * treadle:
 * cflags: -g -O0
 * expect: verdict bug
 * expect: finding crash null_mutex.c:21 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(pthread_mutex_t *) ptr;

static void *f(void *a)
{
    pthread_mutex_t *p = ptr;
    pthread_mutex_lock(p);
    pthread_mutex_unlock(p);
    return a;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    ptr = &m;
    pthread_join(t, NULL);
    return 0;
}
