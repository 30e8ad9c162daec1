/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that create threads.
 *
 * treadle: --search=all
 * expect: runs 80
 * expect: events 14
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 * model: main: create A, store x, join A, exit
 * model: A: create B, store y, join B
 * model: B: create C, store z, join C
 * model: C: store w */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int cell[4];

static void *worker(void *arg)
{
    uintptr_t depth = (uintptr_t)arg;
    pthread_t t;
    if (depth < 3)
        pthread_create(&t, NULL, worker, (void *)(depth + 1));
    atomic_store(&cell[depth], 1);
    if (depth < 3)
        pthread_join(t, NULL);
    return NULL;
}

int main(void)
{
    worker(NULL);
    return 0;
}
