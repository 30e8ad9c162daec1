/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier with generations, used twice.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

enum { THREADS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;
static int n_waiting, generation, value[THREADS];

static void barrier(void)
{
    pthread_mutex_lock(&lock);
    int mine = generation;
    if (++n_waiting == THREADS) {
        n_waiting = 0;
        generation++;
        pthread_cond_broadcast(&passed);
    } else {
        while (generation == mine)
            pthread_cond_wait(&passed, &lock);
    }
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    int me = number_of(arg);
    for (int round = 1; round <= 2; round++) {
        value[me] = round;
        barrier();
        assert(value[(me + 1) % THREADS] == round);
        barrier();
    }
    return arg;
}

int main(void)
{
    run_threads(THREADS, worker);
    return 0;
}
