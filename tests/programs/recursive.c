/* SPDX-License-Identifier: Apache-2.0 */
/* A recursive mutex is free when it was unlocked as often as it was locked.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: events 34
 * expect: traces 2
 * expect: verdict complete
 * recursive: m
 * model: main: begin, init m, create A, create B, end
 * model: A: lock m, lock m, trylock m, unlock m, unlock m, unlock m
 * model: B: lock m, lock m, trylock m, unlock m, unlock m, unlock m */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t m;
static int x;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    int got = pthread_mutex_trylock(&m);
    assert(got == 0);
    x++;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    __VERIFIER_atomic_begin();
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, NULL, worker, NULL);
    pthread_create(&t, NULL, worker, NULL);
    __VERIFIER_atomic_end();
    pthread_exit(NULL);
}
