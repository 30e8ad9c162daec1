/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence lock: a reader that was disturbed reads again.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        atomic_fetch_add(&sequence, 1);
        atomic_store(&low, i);
        atomic_store(&high, -i);
        atomic_fetch_add(&sequence, 1);
    }
    return arg;
}

static void *reader(void *arg)
{
    unsigned before, after;
    int sum;
    do {
        before = atomic_load(&sequence);
        sum = atomic_load(&low) + atomic_load(&high);
        after = atomic_load(&sequence);
    } while (before != after || before % 2 != 0);
    assert(sum == 0);
    return arg;
}

int main(void)
{
    run_two(writer, reader);
    return 0;
}
