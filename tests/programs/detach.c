/* SPDX-License-Identifier: Apache-2.0 */
/* Detached threads, by attribute and by call; detaching is not an operation.
 *
 * treadle: --search=all
 * expect: runs 14
 * expect: events 8
 * expect: traces 4
 * expect: verdict complete
 * hand: 0
 * model: main: create A, create B, store z, exit
 * model: A: store x
 * model: B: store y */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cell[3];

static void *worker(void *arg)
{
    atomic_store((atomic_int *)arg, 1);
    return NULL;
}

static void *leaver(void *arg)
{
    pthread_detach(pthread_self());
    atomic_store((atomic_int *)arg, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_attr_t attr;
    int state;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attr, &state);
    assert(state == PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, worker, &cell[0]);
    pthread_attr_destroy(&attr);
    pthread_create(&t, NULL, leaver, &cell[1]);
    atomic_store(&cell[2], 1);
    return 0;
}
