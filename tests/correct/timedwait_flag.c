/* SPDX-License-Identifier: Apache-2.0 */
/* A wait with a time limit: the flag or the time, never both wrong.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <errno.h>
#include <time.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_set;

static void *setter(void *arg)
{
    pthread_mutex_lock(&lock);
    is_set = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *waiter(void *arg)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    int error = 0;
    pthread_mutex_lock(&lock);
    while (!is_set && error == 0)
        error = pthread_cond_timedwait(&changed, &lock, &until);
    assert(is_set || error == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    run_two(setter, waiter);
    return 0;
}
