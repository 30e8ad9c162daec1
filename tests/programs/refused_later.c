/* SPDX-License-Identifier: Apache-2.0 */
/* A refused call that only some schedules reach: the rest is explored, the ledger counts.
 *
 * treadle: --search=all
 * expect: runs 3
 * expect: verdict incomplete
 * expect: ledger not modelled refused_later.c:20 pthread_setschedparam
 * model: main: create A, store x 1, join A, exit
 * model: A: load x a, check a == 0, store y */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int x, y;
static struct sched_param param;

static void *worker(void *arg)
{
    if (atomic_load(&x) != 0)
        pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
    atomic_store(&y, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&x, 1);
    pthread_join(t, NULL);
    return 0;
}
