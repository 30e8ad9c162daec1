/* SPDX-License-Identifier: Apache-2.0 */
/* A future that is polled: release and acquire carry the value.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_int is_ready;
static int value;

static void *maker(void *arg)
{
    value = 42;
    atomic_store_explicit(&is_ready, 1, memory_order_release);
    return arg;
}

static void *user(void *arg)
{
    while (!atomic_load_explicit(&is_ready, memory_order_acquire))
        continue;
    assert(value == 42);
    return arg;
}

int main(void)
{
    run_two(maker, user);
    return 0;
}
