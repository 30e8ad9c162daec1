/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of two permits; who finds none goes on without.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <semaphore.h>
#include <stdatomic.h>

#include "threads.h"

static sem_t permits;
static atomic_int n_inside;

static void *worker(void *arg)
{
    if (sem_trywait(&permits) != 0)
        return arg;
    int others = atomic_fetch_add(&n_inside, 1);
    assert(others < 2);
    atomic_fetch_sub(&n_inside, 1);
    sem_post(&permits);
    return arg;
}

int main(void)
{
    sem_init(&permits, 0, 2);
    run_threads(3, worker);
    int left;
    sem_getvalue(&permits, &left);
    assert(left == 2);
    sem_destroy(&permits);
    return 0;
}
