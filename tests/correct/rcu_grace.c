/* SPDX-License-Identifier: Apache-2.0 */
/* A writer frees the old version when no reader is inside any more.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static _Atomic(int *) current;
static atomic_int n_inside;

static void *reader(void *arg)
{
    atomic_fetch_add(&n_inside, 1);
    int *v = atomic_load(&current);
    assert(*v == 1 || *v == 2);
    atomic_fetch_sub(&n_inside, 1);
    return arg;
}

static void *writer(void *arg)
{
    int *v = malloc(sizeof *v);
    *v = 2;
    int *old = atomic_exchange(&current, v);
    while (atomic_load(&n_inside) > 0)
        continue;
    free(old);
    return arg;
}

int main(void)
{
    int *v = malloc(sizeof *v);
    *v = 1;
    atomic_store(&current, v);
    run_two(reader, writer);
    free(atomic_load(&current));
    return 0;
}
