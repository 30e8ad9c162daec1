/* SPDX-License-Identifier: Apache-2.0 */
/* A POSIX barrier, used twice; one thread is told that it is the last.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

enum { THREADS = 3 };

static pthread_barrier_t barrier;
static int value[THREADS];
static atomic_int n_serial;

static void *worker(void *arg)
{
    int me = number_of(arg);
    value[me] = me;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        atomic_fetch_add(&n_serial, 1);
    assert(value[(me + 1) % THREADS] == (me + 1) % THREADS);
    pthread_barrier_wait(&barrier);
    value[me] = 0;
    return arg;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, THREADS);
    run_threads(THREADS, worker);
    pthread_barrier_destroy(&barrier);
    assert(atomic_load(&n_serial) == 1);
    return 0;
}
