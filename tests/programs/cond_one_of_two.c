/* SPDX-License-Identifier: Apache-2.0 */
/* Two wait and one is woken: the other waits for ever.
 *
 * treadle: -k
 * expect: runs 10
 * expect: events 68
 * expect: verdict bug
 * expect: finding deadlock cond_one_of_two.c:25
 *
 * treadle: --search=all -k
 * expect: runs 280
 * expect: events 115
 * expect: verdict bug
 * expect: finding deadlock cond_one_of_two.c:25 */
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
    pthread_t t[3];
    pthread_create(&t[0], NULL, wait_for_it, NULL);
    pthread_create(&t[1], NULL, wait_for_it, NULL);
    pthread_create(&t[2], NULL, give_it, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
