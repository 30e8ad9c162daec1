/* SPDX-License-Identifier: Apache-2.0 */
/* The same ring with fences instead of ordered accesses.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static int place;
static atomic_int is_full;

static void *producer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        if (atomic_load_explicit(&is_full, memory_order_relaxed))
            continue;
        atomic_thread_fence(memory_order_acquire);
        place = i;
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&is_full, 1, memory_order_relaxed);
    }
    return arg;
}

static void *consumer(void *arg)
{
    int last = 0;
    for (int i = 0; i < 2; i++) {
        if (!atomic_load_explicit(&is_full, memory_order_relaxed))
            continue;
        atomic_thread_fence(memory_order_acquire);
        assert(place > last);
        last = place;
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&is_full, 0, memory_order_relaxed);
    }
    return arg;
}

int main(void)
{
    run_two(producer, consumer);
    return 0;
}
