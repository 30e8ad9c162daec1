/* SPDX-License-Identifier: Apache-2.0 */
/* An event count: look, announce, look again, then sleep.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <stdatomic.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t advanced = PTHREAD_COND_INITIALIZER;
static atomic_int data, n_waiting;
static unsigned epoch;

static void notify(void)
{
    if (atomic_load(&n_waiting) == 0)
        return;
    pthread_mutex_lock(&lock);
    epoch++;
    pthread_cond_broadcast(&advanced);
    pthread_mutex_unlock(&lock);
}

static unsigned prepare(void)
{
    atomic_fetch_add(&n_waiting, 1);
    pthread_mutex_lock(&lock);
    unsigned seen = epoch;
    pthread_mutex_unlock(&lock);
    return seen;
}

static void await(unsigned seen)
{
    pthread_mutex_lock(&lock);
    while (epoch == seen)
        pthread_cond_wait(&advanced, &lock);
    pthread_mutex_unlock(&lock);
}

static void *producer(void *arg)
{
    atomic_store(&data, 1);
    notify();
    return arg;
}

static void *consumer(void *arg)
{
    while (!atomic_load(&data)) {
        unsigned seen = prepare();
        if (!atomic_load(&data))
            await(seen);
        atomic_fetch_sub(&n_waiting, 1);
    }
    return arg;
}

int main(void)
{
    run_two(producer, consumer);
    return 0;
}
