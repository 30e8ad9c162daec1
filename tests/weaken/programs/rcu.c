/* SPDX-License-Identifier: Apache-2.0 */
/* Read, copy, update: a reader says that it reads, a writer waits for it before it uses the old
 * copy again. */
#include "orders.h"

static int copies[2];
static _Atomic(int *) current = &copies[0];
static atomic_int reads;

static void *one(void *p)
{
    atomic_store_explicit(&reads, 1, RLX);
    /* weaken: fence acq_rel fails */
    atomic_thread_fence(SEQ_CST);
    /* weaken: load relaxed fails */
    const int *now = atomic_load_explicit(&current, ACQ);
    assert(*now >= 0);
    /* weaken: store relaxed fails */
    atomic_store_explicit(&reads, 0, REL);
    return p;
}

static void *two(void *p)
{
    copies[1] = 1;
    /* weaken: store relaxed fails */
    atomic_store_explicit(&current, &copies[1], REL);
    /* weaken: fence acq_rel fails */
    atomic_thread_fence(SEQ_CST);
    /* weaken: load relaxed fails */
    while (atomic_load_explicit(&reads, ACQ))
        continue;
    copies[0] = -1;
    return p;
}

static void check(void)
{
}
