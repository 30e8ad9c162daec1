/* SPDX-License-Identifier: Apache-2.0 */
/* Peterson's lock as a tree for three threads.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

typedef struct duel {
    atomic_int wants[2], turn;
} duel;

static duel final, semi;

static void win(duel *d, int me)
{
    atomic_store(&d->wants[me], 1);
    atomic_store(&d->turn, 1 - me);
    while (atomic_load(&d->wants[1 - me]) && atomic_load(&d->turn) == 1 - me)
        continue;
}

/* Threads 0 and 1 meet in the semifinal, 2 waits in the final. */
static void *worker(void *arg)
{
    int me = number_of(arg), is_seeded = me == 2;
    if (!is_seeded)
        win(&semi, me);
    win(&final, is_seeded);
    critical_section();
    atomic_store(&final.wants[is_seeded], 0);
    if (!is_seeded)
        atomic_store(&semi.wants[me], 0);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(n_sections == 3);
    return 0;
}
