/* SPDX-License-Identifier: Apache-2.0 */
/* A lock by tickets. To draw one orders nothing; it is stronger here than it has to be. */
#include "orders.h"

static atomic_uint drawn, served;
static int count;

static void lock(void)
{
    /* weaken: rmw acq_rel passes, acquire passes, release passes, relaxed passes */
    unsigned mine = atomic_fetch_add(&drawn, 1);
    /* weaken: load relaxed fails */
    while (atomic_load_explicit(&served, ACQ) != mine)
        continue;
}

static void unlock(void)
{
    unsigned now = atomic_load_explicit(&served, RLX);
    /* weaken: store relaxed fails */
    atomic_store_explicit(&served, now + 1, REL);
}

static void *one(void *p)
{
    lock();
    count++;
    unlock();
    return p;
}

static void *two(void *p)
{
    return one(p);
}

static void check(void)
{
    assert(count == 2);
}
