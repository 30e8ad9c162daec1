/* SPDX-License-Identifier: Apache-2.0 */
/* A condition variable may go as soon as all who wait at it are woken, even before they go on.
 *
 * treadle: -k
 * expect: runs 3
 * expect: events 21
 * expect: verdict complete */
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
    pthread_t t;
    pthread_cond_init(&c, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_broadcast(&c);
    int n = n_waiting;
    pthread_mutex_unlock(&m);
    if (n > 0)
        pthread_cond_destroy(&c);
    pthread_join(t, NULL);
    return 0;
}
