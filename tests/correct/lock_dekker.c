/* SPDX-License-Identifier: Apache-2.0 */
/* Dekker's lock for two threads.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_int wants[2], turn;

static void acquire(int me)
{
    int other = 1 - me;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) == me)
            continue;
        atomic_store(&wants[me], 0);
        while (atomic_load(&turn) != me)
            continue;
        atomic_store(&wants[me], 1);
    }
}

static void *worker(void *arg)
{
    int me = number_of(arg);
    acquire(me);
    critical_section();
    atomic_store(&turn, 1 - me);
    atomic_store(&wants[me], 0);
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(n_sections == 2);
    return 0;
}
