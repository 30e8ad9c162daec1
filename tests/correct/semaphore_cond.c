/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore from a mutex and a condition: at most two inside.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
static int count = 2;
static atomic_int n_inside;

static void down(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&posted, &lock);
    count--;
    pthread_mutex_unlock(&lock);
}

static void up(void)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_cond_signal(&posted);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    down();
    int others = atomic_fetch_add(&n_inside, 1);
    assert(others < 2);
    atomic_fetch_sub(&n_inside, 1);
    up();
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    return 0;
}
