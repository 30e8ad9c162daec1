/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that waits for ever is no bug if the process ends.
 *
 * treadle:
 * expect: runs 1
 * expect: events 1
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static void *worker(void *arg)
{
    while (!atomic_load(&stop))
        continue;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    return 0;
}
