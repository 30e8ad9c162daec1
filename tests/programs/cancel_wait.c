/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that is cancelled in a wait has the mutex again; its handler gives it.
 *
 * treadle: --search=all
 * expect: runs 27
 * expect: events 32
 * expect: traces 4
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 4
 * expect: events 26
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void give(void *p)
{
    pthread_mutex_unlock(p);
}

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(give, &m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
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
