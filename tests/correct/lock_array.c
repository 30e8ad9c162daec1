/* SPDX-License-Identifier: Apache-2.0 */
/* Anderson's lock: an array of flags, each thread waits at its own.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { PLACES = 3 };

static atomic_int may_enter[PLACES] = {1};
static atomic_uint next_place;

static void *worker(void *arg)
{
    unsigned mine = atomic_fetch_add(&next_place, 1) % PLACES;
    while (!atomic_load(&may_enter[mine]))
        continue;
    critical_section();
    atomic_store(&may_enter[mine], 0);
    atomic_store(&may_enter[(mine + 1) % PLACES], 1);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(n_sections == 3);
    return 0;
}
