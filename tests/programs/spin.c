/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting in a loop for a flag: some schedule never ends, so the depth limit shows.
 *
 * treadle: --search=random --runs=50 --depth=2000
 * expect: runs 50
 * expect: verdict incomplete
 * expect: ledger runs
 * hand: 0 */
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
