/* SPDX-License-Identifier: Apache-2.0 */
/* Vyukov's bounded queue: a sequence number in each place.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { PLACES = 2 };

static struct {
    atomic_uint turn;
    int value;
} place[PLACES];
static atomic_uint head, tail;

/* False: it is full. */
static int put(int value)
{
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    for (;;) {
        unsigned turn =
            atomic_load_explicit(&place[t % PLACES].turn, memory_order_acquire);
        if (turn < t)
            return 0;
        if (turn > t)
            t = atomic_load_explicit(&tail, memory_order_relaxed);
        else if (atomic_compare_exchange_strong(&tail, &t, t + 1))
            break;
    }
    place[t % PLACES].value = value;
    atomic_store_explicit(&place[t % PLACES].turn, t + 1, memory_order_release);
    return 1;
}

/* 0: it is empty. */
static int take(void)
{
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    for (;;) {
        unsigned turn =
            atomic_load_explicit(&place[h % PLACES].turn, memory_order_acquire);
        if (turn < h + 1)
            return 0;
        if (turn > h + 1)
            h = atomic_load_explicit(&head, memory_order_relaxed);
        else if (atomic_compare_exchange_strong(&head, &h, h + 1))
            break;
    }
    int value = place[h % PLACES].value;
    atomic_store_explicit(&place[h % PLACES].turn, h + PLACES, memory_order_release);
    return value;
}

static void *worker(void *arg)
{
    int is_put = put(number_of(arg) + 1);
    assert(is_put);
    int value = take();
    assert(value >= 0 && value <= 2);
    return arg;
}

int main(void)
{
    for (unsigned i = 0; i < PLACES; i++)
        atomic_store(&place[i].turn, i);
    run_threads(2, worker);
    return 0;
}
