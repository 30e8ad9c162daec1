/* SPDX-License-Identifier: Apache-2.0 */
/* A stack under a lock; every push is popped once.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int item[4], height;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    item[height++] = number_of(arg);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int got = item[--height];
    pthread_mutex_unlock(&lock);
    assert(got >= 0 && got < 3);
    return arg;
}

int main(void)
{
    run_threads(3, worker);
    assert(height == 0);
    return 0;
}
