/* SPDX-License-Identifier: Apache-2.0 */
/* Three stages hand a value on, with a semaphore between two.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <semaphore.h>

#include "threads.h"

enum { STAGES = 3 };

static sem_t is_done[STAGES];
static int value;

static void *stage(void *arg)
{
    int me = number_of(arg);
    if (me > 0)
        sem_wait(&is_done[me - 1]);
    assert(value == me);
    value++;
    sem_post(&is_done[me]);
    return arg;
}

int main(void)
{
    for (int i = 0; i < STAGES; i++)
        sem_init(&is_done[i], 0, 0);
    run_threads(STAGES, stage);
    assert(value == STAGES);
    return 0;
}
