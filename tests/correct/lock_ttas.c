/* SPDX-License-Identifier: Apache-2.0 */
/* A lock by compare-and-exchange that looks before it tries.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_int is_held;

static void acquire(void)
{
    int expected = 0;
    do {
        while (atomic_load_explicit(&is_held, memory_order_relaxed))
            continue;
        expected = 0;
    } while (!atomic_compare_exchange_strong_explicit(
        &is_held, &expected, 1, memory_order_acquire, memory_order_relaxed));
}

static void *worker(void *arg)
{
    acquire();
    critical_section();
    atomic_store_explicit(&is_held, 0, memory_order_release);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(n_sections == 3);
    return 0;
}
