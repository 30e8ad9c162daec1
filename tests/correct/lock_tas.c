/* SPDX-License-Identifier: Apache-2.0 */
/* A lock by exchange; who does not get it tries again.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_int is_held;

static void *worker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        while (atomic_exchange(&is_held, 1))
            continue;
        critical_section();
        atomic_store(&is_held, 0);
    }
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(n_sections == 4);
    return 0;
}
