/* SPDX-License-Identifier: Apache-2.0 */
/* References dropped with release, and an acquire fence before the free.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct object {
    atomic_int n_users;
    int value[2];
} object;

static object *shared;

static void *worker(void *arg)
{
    shared->value[number_of(arg)] = 1;
    if (atomic_fetch_sub_explicit(&shared->n_users, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        assert(shared->value[0] == 1 && shared->value[1] == 1);
        free(shared);
    }
    return arg;
}

int main(void)
{
    shared = malloc(sizeof *shared);
    atomic_init(&shared->n_users, 2);
    run_threads(2, worker);
    return 0;
}
