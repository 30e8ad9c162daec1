/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that waits, and computes for long in each round: it enters more loops in which an operation
 * could be than new segments are started for (RT_RENEWED), so that the first rounds count.
 *
 * treadle:
 * expect: runs 4
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdatomic.h>

#define LOOPS 100
#define CELLS 80

static atomic_int flag, never;
static int cells[CELLS];

static void *worker(void *arg)
{
    atomic_store(&flag, 1);
    return arg;
}

static int sum(void)
{
    int n = 0;
    for (int i = 0; i < CELLS; i++) {
        n += ((volatile int *)cells)[i];
        if (n < 0)
            n += atomic_load(&never);
    }
    return n;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    while (!atomic_load(&flag))
        for (int i = 0; i < LOOPS; i++)
            if (sum() != 0)
                return 1;
    pthread_join(t, NULL);
    return 0;
}
