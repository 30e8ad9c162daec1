/* SPDX-License-Identifier: Apache-2.0 */
/* A trylock that got the mutex orders as a lock does; one that did not orders nothing.
 *
 * treadle: --search=all
 * expect: runs 3
 * expect: verdict complete
 * hand: 0
 * model: main: create A, trylock m g, skip 1 unless g, unlock m, join A, exit
 * model: A: lock m, unlock m */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    if (pthread_mutex_trylock(&m) == 0) {
        x++;
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, NULL);
    return 0;
}
