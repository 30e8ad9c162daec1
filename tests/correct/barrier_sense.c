/* SPDX-License-Identifier: Apache-2.0 */
/* A sense-reversing barrier by atomics, used twice.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { THREADS = 2 };

static atomic_int n_left = THREADS, sense;
static int value[THREADS];

static void barrier(int mine)
{
    if (atomic_fetch_sub(&n_left, 1) == 1) {
        atomic_store(&n_left, THREADS);
        atomic_store(&sense, mine);
        return;
    }
    while (atomic_load(&sense) != mine)
        continue;
}

static void *worker(void *arg)
{
    int me = number_of(arg);
    value[me] = 1;
    barrier(1);
    assert(value[1 - me] == 1);
    barrier(0);
    value[me] = 2;
    return arg;
}

int main(void)
{
    run_threads(THREADS, worker);
    return 0;
}
