/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that is cancelled in a wait has the mutex again, and no handler that gives
 * it.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding mutex cancel_wait_locked.c:23
 *
 * treadle:
 * expect: verdict bug
 * expect: finding mutex cancel_wait_locked.c:23 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
