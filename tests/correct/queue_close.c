/* SPDX-License-Identifier: Apache-2.0 */
/* Consumers wait until there is work or the queue is closed.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int n_items, is_closed, n_done;

/* False: it is closed, and nothing is left. */
static int take(void)
{
    pthread_mutex_lock(&lock);
    while (n_items == 0 && !is_closed)
        pthread_cond_wait(&changed, &lock);
    int is_taken = n_items > 0;
    if (is_taken) {
        n_items--;
        n_done++;
    }
    pthread_mutex_unlock(&lock);
    return is_taken;
}

static void *worker(void *arg)
{
    if (number_of(arg) > 0) {
        while (take())
            continue;
        return arg;
    }
    pthread_mutex_lock(&lock);
    n_items++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    is_closed = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(n_done == 1);
    return 0;
}
