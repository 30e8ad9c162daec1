/* SPDX-License-Identifier: Apache-2.0 */
/* A lock with a queue of waiting threads, each of which waits for a flag of its own (MCS). */
#include "orders.h"

typedef struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
} node;

static _Atomic(node *) tail;
static int count;

static void lock(node *n)
{
    atomic_store_explicit(&n->next, NULL, RLX);
    atomic_store_explicit(&n->waits, 1, RLX);
    /* weaken: rmw acquire fails, release fails */
    node *before = atomic_exchange_explicit(&tail, n, ACQ_REL);
    if (!before)
        return;
    /* weaken: store relaxed fails */
    atomic_store_explicit(&before->next, n, REL);
    /* weaken: load relaxed fails */
    while (atomic_load_explicit(&n->waits, ACQ))
        continue;
}

static void unlock(node *n)
{
    /* weaken: load relaxed fails */
    node *next = atomic_load_explicit(&n->next, ACQ);
    node *last = n;
    /* weaken: cas relaxed fails */
    if (!next && atomic_compare_exchange_strong_explicit(&tail, &last, NULL, REL, RLX))
        return;
    while (!next)
        /* weaken: load relaxed fails */
        next = atomic_load_explicit(&n->next, ACQ);
    /* weaken: store relaxed fails */
    atomic_store_explicit(&next->waits, 0, REL);
}

static void *one(void *p)
{
    static node mine;
    lock(&mine);
    count++;
    unlock(&mine);
    return p;
}

static void *two(void *p)
{
    static node mine;
    lock(&mine);
    count++;
    unlock(&mine);
    return p;
}

static void check(void)
{
    assert(count == 2);
}
