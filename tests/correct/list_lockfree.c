/* SPDX-License-Identifier: Apache-2.0 */
/* Harris's list: a mark in the link of a node that is being removed.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct node {
    int key;
    _Atomic uintptr_t next; /* bit 0: this node is removed */
} node;

static node last = {100, 0}, nodes[2];
static node first = {1, 0}, head = {0, 0};

static node *node_of(uintptr_t link)
{
    return (node *)(link & ~(uintptr_t)1);
}

/* After the node 1 if it is there; nobody else inserts. */
static void *inserter(void *arg)
{
    node *n = &nodes[0];
    n->key = 2;
    for (;;) {
        node *before = &head;
        uintptr_t link = atomic_load(&before->next);
        if (node_of(link)->key < n->key) {
            before = node_of(link);
            link = atomic_load(&before->next);
        }
        if (link & 1)
            continue;
        atomic_store(&n->next, link);
        if (atomic_compare_exchange_strong(&before->next, &link, (uintptr_t)n))
            return arg;
    }
}

static void *remover(void *arg)
{
    uintptr_t link = atomic_fetch_or(&first.next, 1), expected = (uintptr_t)&first;
    int is_unlinked = atomic_compare_exchange_strong(&head.next, &expected, link);
    assert(is_unlinked);
    return arg;
}

int main(void)
{
    atomic_store(&first.next, (uintptr_t)&last);
    atomic_store(&head.next, (uintptr_t)&first);
    run_two(inserter, remover);
    node *second = node_of(atomic_load(&head.next));
    assert(second->key == 2 && node_of(atomic_load(&second->next)) == &last);
    return 0;
}
