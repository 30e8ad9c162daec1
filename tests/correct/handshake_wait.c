/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that may start only when it was told where its data is.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_t self_of;
static int is_set;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!is_set)
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    assert(pthread_equal(self_of, pthread_self()));
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    self_of = t;
    is_set = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
