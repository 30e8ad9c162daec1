/* SPDX-License-Identifier: Apache-2.0 */
/* A flag says when the data are there: the load has a say, so its order with the store counts. The
 * counters, atomic too, do not.
 *
 * treadle: --goal=races
 * expect: verdict complete
 * expect: runs 2 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, n_tries;
static int data;

static void *writer(void *arg)
{
    data = 1;
    atomic_store(&ready, 1);
    atomic_fetch_add(&n_tries, 1);
    return arg;
}

static void *reader(void *arg)
{
    atomic_fetch_add(&n_tries, 1);
    if (atomic_load(&ready))
        data = 2;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
