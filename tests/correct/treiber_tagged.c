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

static void own(uint32_t n)
{
    int others = n == NONE ? 0 : atomic_fetch_add(&owner[n], 1);
    assert(others == 0);
}

/* The first thread pops both and pushes one of them back, the second one keeps what it gets. */
static void *worker(void *arg)
{
    uint32_t a = pop(), b = pop();
    own(a);
    own(b);
    if (number_of(arg) == 0 && a != NONE) {
        atomic_fetch_sub(&owner[a], 1);
        push(a);
    }
    return arg;
}

int main(void)
{
    push(0);
    push(1);
    run_threads(2, worker);
    return 0;
}
