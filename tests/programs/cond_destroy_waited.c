/* SPDX-License-Identifier: Apache-2.0 */
/* A condition variable is destroyed when a thread waits at it that nobody has woken.
 *
 * treadle: -k
 * expect: runs 18
 * expect: verdict bug
 * expect: finding misuse cond_destroy_waited.c:38
 * expect: ledger cut short cond_destroy_waited.c:38 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int go, n_waiting;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    n_waiting++;
    while (!go)
        pthread_cond_wait(&c, &m);
    n_waiting--;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_cond_init(&c, NULL);
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_signal(&c);
    int n = n_waiting;
    pthread_mutex_unlock(&m);
    if (n == 2)
        pthread_cond_destroy(&c);
    pthread_cond_broadcast(&c);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
