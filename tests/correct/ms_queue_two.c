/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads put into Michael and Scott's queue; both values arrive.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct node {
    _Atomic(struct node *) next;
    int value;
} node;

static node dummy, nodes[2];
static _Atomic(node *) tail = &dummy;

static void *producer(void *arg)
{
    node *n = &nodes[number_of(arg)];
    n->value = number_of(arg) + 1;
    for (;;) {
        node *last = atomic_load(&tail), *after = atomic_load(&last->next);
        if (after) {
            atomic_compare_exchange_strong(&tail, &last, after);
        } else if (atomic_compare_exchange_strong(&last->next, &after, n)) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return arg;
        }
    }
}

int main(void)
{
    run_threads(2, producer);
    node *first = atomic_load(&dummy.next), *second = atomic_load(&first->next);
    assert(first->value + second->value == 3 && !atomic_load(&second->next));
    assert(atomic_load(&tail) == second);
    return 0;
}
