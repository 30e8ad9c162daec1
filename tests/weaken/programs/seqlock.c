/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence lock: a reader that met no writer has a pair that belongs together. */
#include "orders.h"

static atomic_int sequence, left, right;

static void *one(void *p)
{
    atomic_store_explicit(&sequence, 1, RLX);
    /* weaken: fence none fails */
    atomic_thread_fence(REL);
    atomic_store_explicit(&left, 1, RLX);
    atomic_store_explicit(&right, 1, RLX);
    /* weaken: store relaxed fails */
    atomic_store_explicit(&sequence, 2, REL);
    return p;
}

static void *two(void *p)
{
    /* weaken: load relaxed fails */
    int before = atomic_load_explicit(&sequence, ACQ);
    int x = atomic_load_explicit(&left, RLX);
    int y = atomic_load_explicit(&right, RLX);
    /* weaken: fence none fails */
    atomic_thread_fence(ACQ);
    int after = atomic_load_explicit(&sequence, RLX);
    assert(before % 2 || before != after || x == y);
    return p;
}

static void check(void)
{
}
