/* SPDX-License-Identifier: Apache-2.0 */
/* Lamport's fast lock: seven accesses when nobody is in the way.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { NOBODY = -1 };

static atomic_int x = NOBODY, y = NOBODY, is_trying[2];

static void await_gate(void)
{
    while (atomic_load(&y) != NOBODY)
        continue;
}

/* False: somebody was in the way, and the gate was closed. */
static int try_once(int me)
{
    atomic_store(&is_trying[me], 1);
    atomic_store(&x, me);
    if (atomic_load(&y) != NOBODY) {
        atomic_store(&is_trying[me], 0);
        await_gate();
        return 0;
    }
    atomic_store(&y, me);
    if (atomic_load(&x) == me)
        return 1;
    atomic_store(&is_trying[me], 0);
    while (atomic_load(&is_trying[1 - me]))
        continue;
    if (atomic_load(&y) == me)
        return 1;
    await_gate();
    return 0;
}

static void *worker(void *arg)
{
    int me = number_of(arg);
    while (!try_once(me))
        continue;
    critical_section();
    atomic_store(&y, NOBODY);
    atomic_store(&is_trying[me], 0);
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(n_sections == 2);
    return 0;
}
