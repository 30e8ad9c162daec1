/* SPDX-License-Identifier: Apache-2.0 */
/* A weak reference becomes a strong one only while there are others.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0
 *
 * treadle: --goal=observations
 * expect: verdict complete */
#include <stdatomic.h>

#include "threads.h"

static atomic_int n_strong = 1;
static int *value;

static int upgrade(void)
{
    int n = atomic_load(&n_strong);
    while (n > 0)
        if (atomic_compare_exchange_strong(&n_strong, &n, n + 1))
            return 1;
    return 0;
}

static void drop(void)
{
    if (atomic_fetch_sub(&n_strong, 1) == 1)
        free(value);
}

static void *weak(void *arg)
{
    if (upgrade()) {
        assert(*value == 5);
        drop();
    }
    return arg;
}

static void *strong(void *arg)
{
    assert(*value == 5);
    drop();
    return arg;
}

int main(void)
{
    value = malloc(sizeof *value);
    *value = 5;
    run_two(weak, strong);
    return 0;
}
