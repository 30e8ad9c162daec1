/* SPDX-License-Identifier: Apache-2.0 */
/* A future: a thread that asks for the value waits until it is there.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

typedef struct future {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    int is_ready, value;
} future;

static future answer = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};

static int future_get(future *f)
{
    pthread_mutex_lock(&f->lock);
    while (!f->is_ready)
        pthread_cond_wait(&f->ready, &f->lock);
    int value = f->value;
    pthread_mutex_unlock(&f->lock);
    return value;
}

static void *worker(void *arg)
{
    if (number_of(arg) > 0) {
        assert(future_get(&answer) == 42);
        return arg;
    }
    pthread_mutex_lock(&answer.lock);
    answer.value = 42;
    answer.is_ready = 1;
    pthread_cond_broadcast(&answer.ready);
    pthread_mutex_unlock(&answer.lock);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    return 0;
}
