/* SPDX-License-Identifier: Apache-2.0 */
/* The filter lock: at each level one thread is held back.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { THREADS = 3 };

static atomic_int level[THREADS], victim[THREADS];

static int is_above(int me, int mine)
{
    for (int i = 0; i < THREADS; i++)
        if (i != me && atomic_load(&level[i]) >= mine)
            return 1;
    return 0;
}

static void *worker(void *arg)
{
    int me = number_of(arg);
    for (int l = 1; l < THREADS; l++) {
        atomic_store(&level[me], l);
        atomic_store(&victim[l], me);
        while (atomic_load(&victim[l]) == me && is_above(me, l))
            continue;
    }
    critical_section();
    atomic_store(&level[me], 0);
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    assert(n_sections == 2);
    return 0;
}
