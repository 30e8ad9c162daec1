/* SPDX-License-Identifier: Apache-2.0 */
/* A ticket lock: first come, first served.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_uint next_ticket, now_serving;

static void *worker(void *arg)
{
    for (int i = 0; i < 2; i++) {
        unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
        while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine)
            continue;
        critical_section();
        atomic_store_explicit(&now_serving, mine + 1, memory_order_release);
    }
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(n_sections == 4);
    return 0;
}
