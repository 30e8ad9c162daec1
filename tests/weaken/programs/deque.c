/* SPDX-License-Identifier: Apache-2.0 */
/* A deque that one thread works on and others steal from (Chase and Lev), with fences (Le and others). */
#include "orders.h"

static atomic_int top, bottom;
static int items[4];
static atomic_int taken[3];

static void put(int value)
{
    int at = atomic_load_explicit(&bottom, RLX);
    items[at] = value;
    /* weaken: store relaxed fails */
    atomic_store_explicit(&bottom, at + 1, REL);
}

static int take(void)
{
    int at = atomic_load_explicit(&bottom, RLX) - 1;
    atomic_store_explicit(&bottom, at, RLX);
    /* weaken: fence acq_rel fails */
    atomic_thread_fence(SEQ_CST);
    int first = atomic_load_explicit(&top, RLX);
    int value = at >= first ? items[at] : 0;
    if (at > first)
        return value;
    if (at == first &&
        /* weaken: cas acq_rel passes, acquire passes, release passes, relaxed passes */
        !atomic_compare_exchange_strong_explicit(&top, &first, first + 1, SEQ_CST, RLX))
        value = 0;
    atomic_store_explicit(&bottom, at + 1, RLX);
    return value;
}

static int steal(void)
{
    /* weaken: load relaxed passes */
    int first = atomic_load_explicit(&top, ACQ);
    /* weaken: fence acq_rel fails */
    atomic_thread_fence(SEQ_CST);
    /* weaken: load relaxed fails */
    int end = atomic_load_explicit(&bottom, ACQ);
    if (first >= end)
        return 0;
    int value = items[first];
    /* weaken: cas acq_rel passes, acquire passes, release passes, relaxed passes */
    if (!atomic_compare_exchange_strong_explicit(&top, &first, first + 1, SEQ_CST, RLX))
        return 0;
    return value;
}

static void once(int value)
{
    assert(value == 0 || atomic_exchange_explicit(&taken[value], 1, RLX) == 0);
}

static void *one(void *p)
{
    put(1);
    put(2);
    once(take());
    once(take());
    return p;
}

static void *two(void *p)
{
    once(steal());
    once(steal());
    return p;
}

static void check(void)
{
}
