/* SPDX-License-Identifier: Apache-2.0 */
/* Michael and Scott's queue; no node is used twice.
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
static _Atomic(node *) head = &dummy, tail = &dummy;

static void put(node *n)
{
    for (;;) {
        node *last = atomic_load(&tail), *after = atomic_load(&last->next);
        if (after) {
            atomic_compare_exchange_strong(&tail, &last, after);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &after, n)) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return;
        }
    }
}

/* 0 if it is empty. */
static int take(void)
{
    for (;;) {
        node *first = atomic_load(&head), *last = atomic_load(&tail);
        node *after = atomic_load(&first->next);
        if (!after)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, after);
            continue;
        }
        int value = after->value;
        if (atomic_compare_exchange_strong(&head, &first, after))
            return value;
    }
}

static void *producer(void *arg)
{
    nodes[0].value = 1;
    nodes[1].value = 2;
    put(&nodes[0]);
    put(&nodes[1]);
    return arg;
}

static void *consumer(void *arg)
{
    int a = take(), b = take();
    assert(a == 0 || a == 1);
    assert(a == 0 ? b <= 1 : b == 0 || b == 2);
    return arg;
}

int main(void)
{
    run_two(producer, consumer);
    return 0;
}
