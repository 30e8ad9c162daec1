/* SPDX-License-Identifier: Apache-2.0 */
/* szymanski: two threads and Szymanski's mutual exclusion. Where the algorithm waits, a
 * thread here looks at most as often as the arguments say and then goes on all the same, so
 * that the assertion in the critical section can fail.
 *
 * With the presets, 2 3 3 3, there are 63918 traces; with 1 1 1 1 9120. After the program of
 * that name of the Competition on Software Verification. */
#include <assert.h>
#include <stdatomic.h>

#include "common.h"

enum { OUTSIDE, ASKING, WAITING, AT_DOOR, INSIDE };

static atomic_int flag[2], x;
static int n_looks[4];

/* Looks at the flag while it is in [low, high]. */
static void await(int round, atomic_int *f, int low, int high)
{
    for (int k = 0; k < n_looks[round]; k++) {
        int seen = atomic_load(f);
        if (seen < low || seen > high)
            return;
    }
}

/* The same with a look for each side of WAITING <= f && f <= AT_DOOR. */
static void await_nobody_enters(atomic_int *f)
{
    for (int k = 0; k < n_looks[3]; k++)
        if (atomic_load(f) < WAITING || atomic_load(f) > AT_DOOR)
            return;
}

static void critical_section(int me)
{
    atomic_store(&x, me);
    int seen = atomic_load(&x);
    assert(seen == me);
}

static void *thread(void *number)
{
    int me = (int)(intptr_t)number;
    atomic_int *mine = &flag[me], *other = &flag[1 - me];
    atomic_store(mine, ASKING);
    await(0, other, AT_DOOR, INSIDE);
    atomic_store(mine, AT_DOOR);
    if (atomic_load(other) == ASKING) {
        atomic_store(mine, WAITING);
        await(1, other, OUTSIDE, AT_DOOR);
    }
    atomic_store(mine, INSIDE);
    await(2, other, WAITING, INSIDE);
    critical_section(me);
    await_nobody_enters(other);
    atomic_store(mine, OUTSIDE);
    return NULL;
}

int main(int argc, char **argv)
{
    for (int k = 0; k < 4; k++)
        n_looks[k] = size_arg(argc, argv, k + 1, k == 0 ? 2 : 3, 100);
    start(thread, 0);
    start(thread, 1);
    return leave();
}
