/* SPDX-License-Identifier: Apache-2.0 */
/* A condition variable is destroyed while a thread waits at it.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 13
 * expect: verdict bug
 * expect: finding misuse cond_destroyed.c:37
 * expect: ledger cut short cond_destroyed.c:37
 *
 * treadle: --search=all -k
 * expect: runs 8
 * expect: events 18
 * expect: verdict bug
 * expect: finding misuse cond_destroyed.c:37
 * expect: ledger cut short cond_destroyed.c:37 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_for_it(void *arg)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *destroy_it(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_cond_destroy(&c);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, wait_for_it, NULL);
    pthread_create(&b, NULL, destroy_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
