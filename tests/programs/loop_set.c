/* SPDX-License-Identifier: Apache-2.0 */
/* The same, but the flag is set.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 3
 * expect: verdict complete
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: events 6
 * expect: traces 1
 * expect: verdict complete */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;

static void *worker(void *arg)
{
    atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    while (!atomic_load(&flag))
        sched_yield();
    pthread_join(t, NULL);
    return 0;
}
