/* SPDX-License-Identifier: Apache-2.0 */
/* Workers take the next index by fetch_add; each place is written once.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { TASKS = 4 };

static atomic_int next_task;
static int result[TASKS];

static void *worker(void *arg)
{
    int task;
    while ((task = atomic_fetch_add_explicit(&next_task, 1, memory_order_relaxed)) <
           TASKS)
        result[task] += task * task;
    return arg;
}

int main(void)
{
    run_threads(2, worker);
    for (int i = 0; i < TASKS; i++)
        assert(result[i] == i * i);
    return 0;
}
