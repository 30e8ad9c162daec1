/* SPDX-License-Identifier: Apache-2.0 */
/* A wait without a look at the flag: the signal may come before it.
 *
 * treadle: -k --spurious=0
 * expect: runs 2
 * expect: events 17
 * expect: verdict bug
 * expect: finding deadlock cond_lost.c:24
 *
 * treadle: --search=all -k --spurious=0
 * expect: runs 9
 * expect: events 23
 * expect: verdict bug
 * expect: finding deadlock cond_lost.c:24 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_for_it(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *give_it(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, wait_for_it, NULL);
    pthread_create(&b, NULL, give_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
