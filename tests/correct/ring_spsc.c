/* SPDX-License-Identifier: Apache-2.0 */
/* A ring for one producer and one consumer, with release and acquire.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { PLACES = 2, ITEMS = 3 };

static int place[PLACES];
static atomic_uint head, tail;

static void *producer(void *arg)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
        while (t - atomic_load_explicit(&head, memory_order_acquire) == PLACES)
            continue;
        place[t % PLACES] = (int)i;
        atomic_store_explicit(&tail, t + 1, memory_order_release);
    }
    return arg;
}

static void *consumer(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
        while (atomic_load_explicit(&tail, memory_order_acquire) == h)
            continue;
        assert(place[h % PLACES] == i);
        atomic_store_explicit(&head, h + 1, memory_order_release);
    }
    return arg;
}

int main(void)
{
    run_two(producer, consumer);
    return 0;
}
