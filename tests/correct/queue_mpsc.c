/* SPDX-License-Identifier: Apache-2.0 */
/* Vyukov's queue for many producers: exchange the tail, then link.
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

static node stub, nodes[2];
static _Atomic(node *) tail = &stub;

static void *worker(void *arg)
{
    int me = number_of(arg);
    if (me < 2) {
        nodes[me].value = me + 1;
        node *before = atomic_exchange(&tail, &nodes[me]);
        atomic_store_explicit(&before->next, &nodes[me], memory_order_release);
        return arg;
    }
    int sum = 0;
    node *at = &stub;
    for (int i = 0; i < 2; i++) {
        node *next = atomic_load_explicit(&at->next, memory_order_acquire);
        if (!next)
            break;
        sum += next->value;
        at = next;
    }
    assert(sum >= 0 && sum <= 3);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    return 0;
}
