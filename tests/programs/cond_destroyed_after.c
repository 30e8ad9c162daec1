/* SPDX-License-Identifier: Apache-2.0 */
/* The same, once nobody can wait any more.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 20
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 9
 * expect: events 30
 * expect: verdict complete */
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
    pthread_cond_destroy(&c);
    pthread_mutex_destroy(&m);
    return 0;
}
