/* SPDX-License-Identifier: Apache-2.0 */
/* A queue with a first node that is empty (Michael and Scott). Nodes are never used again. */
#include "orders.h"

typedef struct node {
    int value;
    _Atomic(struct node *) next;
} node;

static node nodes[3];
static _Atomic(node *) head = &nodes[0], tail = &nodes[0];

static void put(node *n, int value)
{
    n->value = value;
    for (;;) {
        /* weaken: load relaxed fails */
        node *last = atomic_load_explicit(&tail, ACQ);
        /* weaken: load relaxed passes */
        node *next = atomic_load_explicit(&last->next, ACQ);
        if (next) {
            /* weaken: cas relaxed passes */
            atomic_compare_exchange_strong_explicit(&tail, &last, next, REL, RLX);
            continue;
        }
        /* weaken: cas relaxed fails */
        if (atomic_compare_exchange_strong_explicit(&last->next, &next, n, REL, RLX)) {
            /* weaken: cas relaxed fails */
            atomic_compare_exchange_strong_explicit(&tail, &last, n, REL, RLX);
            return;
        }
    }
}

static int take(void)
{
    for (;;) {
        /* weaken: load relaxed passes */
        node *first = atomic_load_explicit(&head, ACQ);
        /* weaken: load relaxed passes */
        node *next = atomic_load_explicit(&first->next, ACQ);
        if (!next)
            return 0;
        int value = next->value;
        /* weaken: cas relaxed passes */
        if (atomic_compare_exchange_strong_explicit(&head, &first, next, REL, RLX))
            return value;
    }
}

static void *one(void *p)
{
    put(&nodes[1], 1);
    return p;
}

static void *two(void *p)
{
    put(&nodes[2], 2);
    assert(take() > 0);
    return p;
}

static void check(void)
{
}
