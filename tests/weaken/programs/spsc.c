/* SPDX-License-Identifier: Apache-2.0 */
/* A ring for one writer and one reader; of one slot, so that it is full at once. */
#include "orders.h"

#define SLOTS 1u

static int slots[SLOTS];
static atomic_uint written, taken;

static int put(int value)
{
    unsigned at = atomic_load_explicit(&written, RLX);
    /* weaken: load relaxed fails */
    if (at - atomic_load_explicit(&taken, ACQ) == SLOTS)
        return 0;
    slots[at % SLOTS] = value;
    /* weaken: store relaxed fails */
    atomic_store_explicit(&written, at + 1, REL);
    return 1;
}

static int take(void)
{
    unsigned at = atomic_load_explicit(&taken, RLX);
    /* weaken: load relaxed fails */
    if (atomic_load_explicit(&written, ACQ) == at)
        return 0;
    int value = slots[at % SLOTS];
    /* weaken: store relaxed fails */
    atomic_store_explicit(&taken, at + 1, REL);
    return value;
}

static void *one(void *p)
{
    put(1);
    put(2);
    return p;
}

static void *two(void *p)
{
    int first = take(), second = take();
    assert(first < 2 && (second == 0 || second == first + 1));
    return p;
}

static void check(void)
{
}
