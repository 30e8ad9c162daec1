/* SPDX-License-Identifier: Apache-2.0 */
/* A CLH lock: each thread waits at the node of the one before it.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct node {
    atomic_int is_held;
} node;

static node nodes[4];
static _Atomic(node *) tail = &nodes[3];

static void *worker(void *arg)
{
    node *mine = &nodes[number_of(arg)];
    for (int i = 0; i < 2; i++) {
        atomic_store(&mine->is_held, 1);
        node *before = atomic_exchange(&tail, mine);
        while (atomic_load(&before->is_held))
            continue;
        critical_section();
        atomic_store(&mine->is_held, 0);
        mine = before;
    }
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(n_sections == 4);
    return 0;
}
