/* SPDX-License-Identifier: Apache-2.0 */
/* A flag that nobody sets: the loop, and its line, are named.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 2
 * expect: verdict bug
 * expect: finding livelock loop_nobody.c:25 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag, other;

static void *worker(void *arg)
{
    atomic_store(&other, 1);
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
