/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent sets can lead to a state where all who could go on sleep: what follows is run
 * elsewhere, so the run is stopped there. It is counted as a run, and as no trace.
 *
 * treadle: --search=dpor --goal=traces
 * agree: --goal=traces
 * expect: runs 25
 * expect: traces 24
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *store(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

static void *load(void *arg)
{
    (void)atomic_load(&x);
    return arg;
}

static void *both(void *arg)
{
    (void)atomic_load(&y);
    return store(arg);
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], NULL, store, NULL);
    pthread_create(&t[1], NULL, load, NULL);
    pthread_create(&t[2], NULL, store, NULL);
    pthread_create(&t[3], NULL, both, NULL);
    pthread_exit(NULL);
}
