/* SPDX-License-Identifier: Apache-2.0 */
/* One thread locks, the other tries twice.
 *
 * treadle: --search=all
 * expect: runs 6
 * expect: events 37
 * expect: traces 6
 * expect: verdict complete
 * model: main: create A, trylock m a, skip 1 unless a, unlock m, trylock m a, skip 1 unless a, unlock m
 * model: A: lock m, unlock m */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        if (pthread_mutex_trylock(&m) == 0)
            pthread_mutex_unlock(&m);
    pthread_exit(NULL);
}
