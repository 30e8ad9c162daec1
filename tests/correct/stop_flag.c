/* SPDX-License-Identifier: Apache-2.0 */
/* A worker runs until a flag tells it to stop, three rounds at most.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static atomic_bool must_stop;
static int n_rounds;

static void *worker(void *arg)
{
    for (int i = 0; i < 3 && !atomic_load(&must_stop); i++)
        n_rounds++;
    return arg;
}

static void *stopper(void *arg)
{
    atomic_store(&must_stop, 1);
    return arg;
}

int main(void)
{
    run_two(worker, stopper);
    assert(n_rounds <= 3);
    return 0;
}
