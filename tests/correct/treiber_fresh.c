/* SPDX-License-Identifier: Apache-2.0 */
/* A Treiber stack; no node is used twice.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct node {
    struct node *next;
    int value;
} node;

static _Atomic(node *) top;

static void push(node *n)
{
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &n->next, n))
        continue;
}

static node *pop(void)
{
    node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
        continue;
    return n;
}

static void *worker(void *arg)
{
    static node nodes[2];
    node *mine = &nodes[number_of(arg)];
    mine->value = number_of(arg);
    push(mine);
    node *n = pop();
    assert(n && (n->value == 0 || n->value == 1));
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(!atomic_load(&top));
    return 0;
}
