/* SPDX-License-Identifier: Apache-2.0 */
/* A lock by atomic_flag, with yields.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <sched.h>
#include <stdatomic.h>

#include "threads.h"

static atomic_flag flag = ATOMIC_FLAG_INIT;

static void *worker(void *arg)
{
    while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire))
        sched_yield();
    critical_section();
    atomic_flag_clear_explicit(&flag, memory_order_release);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(n_sections == 3);
    return 0;
}
