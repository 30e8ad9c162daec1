/* SPDX-License-Identifier: Apache-2.0 */
/* A ring for many writers and readers: each slot has a turn of its own (Vyukov). */
#include "orders.h"

#define SLOTS 2u

static struct {
    atomic_uint turn;
    int value;
} slots[SLOTS] = {{0, 0}, {1, 0}};
static atomic_uint written, taken;

static int put(int value)
{
    unsigned at = atomic_load_explicit(&written, RLX);
    for (;;) {
        /* weaken: load relaxed fails */
        unsigned turn = atomic_load_explicit(&slots[at % SLOTS].turn, ACQ);
        if (turn == at &&
            atomic_compare_exchange_strong_explicit(&written, &at, at + 1, RLX, RLX))
            break;
        if ((int)(turn - at) < 0)
            return 0;
        if (turn != at)
            at = atomic_load_explicit(&written, RLX);
    }
    slots[at % SLOTS].value = value;
    /* weaken: store relaxed fails */
    atomic_store_explicit(&slots[at % SLOTS].turn, at + 1, REL);
    return 1;
}

static int take(void)
{
    unsigned at = atomic_load_explicit(&taken, RLX);
    /* weaken: load relaxed fails */
    unsigned turn = atomic_load_explicit(&slots[at % SLOTS].turn, ACQ);
    if (turn != at + 1)
        return 0;
    if (!atomic_compare_exchange_strong_explicit(&taken, &at, at + 1, RLX, RLX))
        return 0;
    int value = slots[at % SLOTS].value;
    /* weaken: store relaxed fails */
    atomic_store_explicit(&slots[at % SLOTS].turn, at + SLOTS, REL);
    return value;
}

static void *one(void *p)
{
    put(1);
    take();
    return p;
}

static void *two(void *p)
{
    put(2);
    put(3);
    return p;
}

static void check(void)
{
}
