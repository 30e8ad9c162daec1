/* SPDX-License-Identifier: Apache-2.0 */
/* The one-bit lock of Burns and Lamport: lower numbers go first.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_int wants[2];

static void acquire(int me)
{
    for (;;) {
        atomic_store(&wants[me], 1);
        if (me == 0 || !atomic_load(&wants[0]))
            break;
        atomic_store(&wants[me], 0);
        while (atomic_load(&wants[0]))
            continue;
    }
    if (me == 0)
        while (atomic_load(&wants[1]))
            continue;
}

static void *worker(void *arg)
{
    int me = number_of(arg);
    acquire(me);
    critical_section();
    atomic_store(&wants[me], 0);
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(n_sections == 2);
    return 0;
}
