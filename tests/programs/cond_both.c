/* SPDX-License-Identifier: Apache-2.0 */
/* Two wait and both are woken.
 *
 * treadle: -k
 * expect: runs 14
 * expect: events 96
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 1382
 * expect: events 185
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
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, wait_for_it, NULL);
    pthread_create(&t[1], NULL, wait_for_it, NULL);
    pthread_create(&t[2], NULL, give_it, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
