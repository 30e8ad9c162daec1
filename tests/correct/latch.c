/* SPDX-License-Identifier: Apache-2.0 */
/* A latch: main waits until all have counted down.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int n_left = 3, value[3];

static void *worker(void *arg)
{
    value[number_of(arg)] = 1;
    pthread_mutex_lock(&lock);
    if (--n_left == 0)
        pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i);
    pthread_mutex_lock(&lock);
    while (n_left > 0)
        pthread_cond_wait(&opened, &lock);
    pthread_mutex_unlock(&lock);
    assert(value[0] + value[1] + value[2] == 3);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
