/* SPDX-License-Identifier: Apache-2.0 */
/* Detached threads count themselves out; the last one wakes main.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int n_alive = 2;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    if (--n_alive == 0)
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, worker, NULL);
        pthread_detach(t);
    }
    pthread_mutex_lock(&lock);
    while (n_alive > 0)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
