/* SPDX-License-Identifier: Apache-2.0 */
/* An MCS lock: each thread waits at a node of its own.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct node {
    _Atomic(struct node *) next;
    atomic_int must_wait;
} node;

static _Atomic(node *) tail;

static void acquire(node *mine)
{
    atomic_store(&mine->next, NULL);
    atomic_store(&mine->must_wait, 1);
    node *before = atomic_exchange(&tail, mine);
    if (!before)
        return;
    atomic_store(&before->next, mine);
    while (atomic_load(&mine->must_wait))
        continue;
}

static void release(node *mine)
{
    node *expected = mine;
    if (atomic_compare_exchange_strong(&tail, &expected, NULL))
        return;
    node *after;
    while (!(after = atomic_load(&mine->next)))
        continue;
    atomic_store(&after->must_wait, 0);
}

static void *worker(void *arg)
{
    static node nodes[3];
    node *mine = &nodes[number_of(arg)];
    acquire(mine);
    critical_section();
    release(mine);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(n_sections == 3);
    return 0;
}
