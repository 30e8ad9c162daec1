/* SPDX-License-Identifier: Apache-2.0 */
/* A Treiber stack with reuse; a count beside the index keeps old and new apart.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { NODES = 2, NONE = 255 };

/* Below: index of the first node; above: how often it was changed. */
static _Atomic uint32_t top = NONE;
static _Atomic uint8_t next[NODES];
static atomic_int owner[NODES];

static uint32_t with_index(uint32_t old, uint32_t index)
{
    return ((old >> 8) + 1) << 8 | index;
}

static void push(uint32_t n)
{
    uint32_t old = atomic_load(&top);
    do
        atomic_store(&next[n], (uint8_t)old);
    while (!atomic_compare_exchange_strong(&top, &old, with_index(old, n)));
}

static uint32_t pop(void)
{
    uint32_t old = atomic_load(&top), n;
    do {
        n = old & 255;
        if (n == NONE)
            return n;
    } while (!atomic_compare_exchange_strong(&top, &old, with_index(old, next[n])));
    return n;
}

static void *worker(void *arg)
{
    uint32_t n = pop();
    if (n == NONE)
        return arg;
    int others = atomic_fetch_add(&owner[n], 1);
    assert(others == 0);
    atomic_fetch_sub(&owner[n], 1);
    push(n);
    return arg;
}

int main(void)
{
    push(0);
    push(1);
    run_threads(2, worker);
    uint32_t a = pop(), b = pop();
    assert(a != b && a < NODES && b < NODES && pop() == NONE);
    return 0;
}
