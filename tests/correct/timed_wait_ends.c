/* SPDX-License-Identifier: Apache-2.0 */
/* A timed wait that nobody ends is over no earlier than it says.
 *
 * treadle:
 * expect: verdict complete */
#include <errno.h>
#include <time.h>

#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *body(void *arg)
{
    struct timespec until, now;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 3600;
    pthread_mutex_lock(&lock);
    while (pthread_cond_timedwait(&never, &lock, &until) != ETIMEDOUT)
        ;
    pthread_mutex_unlock(&lock);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec >= until.tv_sec);
    return arg;
}

int main(void)
{
    run_threads(1, body);
    return 0;
}
