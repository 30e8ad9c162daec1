/* SPDX-License-Identifier: Apache-2.0 */
/* The last one who drops a reference frees.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct object {
    atomic_int n_users;
    int value;
} object;

static object *shared;

static void drop(object *o)
{
    if (atomic_fetch_sub_explicit(&o->n_users, 1, memory_order_acq_rel) == 1)
        free(o);
}

static void *worker(void *arg)
{
    assert(shared->value == 7);
    drop(shared);
    return arg;
}

int main(void)
{
    shared = malloc(sizeof *shared);
    shared->value = 7;
    atomic_init(&shared->n_users, 3);
    run_threads(3, worker);
    return 0;
}
