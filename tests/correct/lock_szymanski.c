/* SPDX-License-Identifier: Apache-2.0 */
/* Szymanski's lock: a waiting room with two doors.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { OUTSIDE, ASKING, WAITING, IN_DOOR, INSIDE };

static atomic_int flag[2];

static void acquire(int me)
{
    atomic_int *mine = &flag[me], *other = &flag[1 - me];
    atomic_store(mine, ASKING);
    while (atomic_load(other) >= IN_DOOR)
        continue;
    atomic_store(mine, IN_DOOR);
    if (atomic_load(other) == ASKING) {
        atomic_store(mine, WAITING);
        while (atomic_load(other) != INSIDE)
            continue;
    }
    atomic_store(mine, INSIDE);
    if (me == 1)
        while (atomic_load(other) >= WAITING)
            continue;
}

static void release(int me)
{
    atomic_int *other = &flag[1 - me];
    if (me == 0)
        for (;;) {
            int seen = atomic_load(other);
            if (seen != WAITING && seen != IN_DOOR)
                break;
        }
    atomic_store(&flag[me], OUTSIDE);
}

static void *worker(void *arg)
{
    int me = number_of(arg);
    acquire(me);
    critical_section();
    release(me);
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(n_sections == 2);
    return 0;
}
