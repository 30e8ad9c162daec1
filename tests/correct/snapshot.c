/* SPDX-License-Identifier: Apache-2.0 */
/* Two registers read twice: what did not change in between was there at once.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_int reg[2];

/* The second register is never ahead of the first. */
static void *writer(void *arg)
{
    for (int i = 1; i <= 2; i++) {
        atomic_store(&reg[0], i);
        atomic_store(&reg[1], i);
    }
    return arg;
}

static void *reader(void *arg)
{
    int a = atomic_load(&reg[0]), b = atomic_load(&reg[1]);
    if (atomic_load(&reg[0]) == a)
        assert(b == a || b == a - 1);
    return arg;
}

int main(void)
{
    run_two(writer, reader);
    return 0;
}
