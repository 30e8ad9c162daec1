/* SPDX-License-Identifier: Apache-2.0 */
/* Lamport's bakery: a number each, the lowest enters.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { THREADS = 2 };

static atomic_int is_choosing[THREADS], number[THREADS];

static void acquire(int me)
{
    atomic_store(&is_choosing[me], 1);
    int most = 0;
    for (int i = 0; i < THREADS; i++) {
        int seen = atomic_load(&number[i]);
        most = seen > most ? seen : most;
    }
    int mine = most + 1;
    atomic_store(&number[me], mine);
    atomic_store(&is_choosing[me], 0);
    for (int i = 0; i < THREADS; i++) {
        if (i == me)
            continue;
        while (atomic_load(&is_choosing[i]))
            continue;
        for (;;) {
            int other = atomic_load(&number[i]);
            if (other == 0 || other > mine || (other == mine && i > me))
                break;
        }
    }
}

static void *worker(void *arg)
{
    int me = number_of(arg);
    acquire(me);
    critical_section();
    atomic_store(&number[me], 0);
    return arg;
}

int main(void)
{
    run_threads(THREADS, worker);
    assert(n_sections == THREADS);
    return 0;
}
