/* SPDX-License-Identifier: Apache-2.0 */
/* Peterson's lock for two threads.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_int wants[2], turn;

static void *worker(void *arg)
{
    int me = number_of(arg), other = 1 - me;
    for (int i = 0; i < 2; i++) {
        atomic_store(&wants[me], 1);
        atomic_store(&turn, other);
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
            continue;
        critical_section();
        atomic_store(&wants[me], 0);
    }
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(n_sections == 4);
    return 0;
}
