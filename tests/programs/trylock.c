/* SPDX-License-Identifier: Apache-2.0 */
/* A trylock that does not get the mutex goes on.
 *
 * treadle: --search=all
 * expect: runs 14
 * expect: events 34
 * expect: traces 4
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, join A, join B, exit
 * model: A: trylock m a, skip 1 unless a, unlock m
 * model: B: trylock m b, skip 1 unless b, unlock m */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg)
{
    int got = pthread_mutex_trylock(&m);
    assert(got == 0 || got == EBUSY);
    if (got == 0) {
        x++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
