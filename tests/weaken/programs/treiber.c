/* SPDX-License-Identifier: Apache-2.0 */
/* A stack (Treiber). Nodes are never used again. */
#include "orders.h"

typedef struct node {
    int value;
    struct node *next;
} node;

static _Atomic(node *) top;
static node nodes[2];

static void push(node *n, int value)
{
    n->value = value;
    node *old = atomic_load_explicit(&top, RLX);
    do
        n->next = old;
    /* weaken: cas relaxed fails */
    while (!atomic_compare_exchange_strong_explicit(&top, &old, n, REL, RLX));
}

static node *pop(void)
{
    /* weaken: load relaxed fails */
    node *old = atomic_load_explicit(&top, ACQ);
    while (old &&
           /* weaken: cas-failed relaxed fails */
           !atomic_compare_exchange_strong_explicit(&top, &old, old->next, RLX, ACQ))
        continue;
    return old;
}

static void *one(void *p)
{
    push(&nodes[0], 1);
    node *n = pop();
    assert(n == NULL || n->value > 0);
    return p;
}

static void *two(void *p)
{
    push(&nodes[1], 2);
    node *n = pop();
    assert(n == NULL || n->value > 0);
    return p;
}

static void check(void)
{
}
