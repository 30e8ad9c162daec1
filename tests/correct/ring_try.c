/* SPDX-License-Identifier: Apache-2.0 */
/* A ring for one producer and one consumer that do not wait.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { PLACES = 2, TRIES = 3 };

static int place[PLACES];
static atomic_uint head, tail;

static void *producer(void *arg)
{
    int next = 1;
    for (int i = 0; i < TRIES; i++) {
        unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
        if (t - atomic_load_explicit(&head, memory_order_acquire) < PLACES) {
            place[t % PLACES] = next++;
            atomic_store_explicit(&tail, t + 1, memory_order_release);
        }
    }
    return arg;
}

static void *consumer(void *arg)
{
    int last = 0;
    for (int i = 0; i < TRIES; i++) {
        unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
        if (atomic_load_explicit(&tail, memory_order_acquire) != h) {
            assert(place[h % PLACES] == last + 1);
            last++;
            atomic_store_explicit(&head, h + 1, memory_order_release);
        }
    }
    return arg;
}

int main(void)
{
    run_two(producer, consumer);
    return 0;
}
