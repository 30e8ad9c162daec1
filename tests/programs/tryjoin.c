/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that has ended may be found running; a wait for it may time out.
 *
 * treadle: --search=all
 * expect: runs 4
 * expect: events 16
 * expect: traces 4
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 4
 * expect: events 7
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static int n;

static void *worker(void *arg)
{
    n = 1;
    return arg;
}

int main(void)
{
    struct timespec until = {2000000000, 0};
    pthread_t t;
    void *value = NULL;
    pthread_create(&t, NULL, worker, &n);
    int rc = pthread_tryjoin_np(t, &value);
    if (rc == EBUSY)
        rc = pthread_timedjoin_np(t, &value, &until);
    if (rc == ETIMEDOUT)
        rc = pthread_clockjoin_np(t, &value, CLOCK_MONOTONIC, &until);
    if (rc == ETIMEDOUT)
        rc = pthread_join(t, &value);
    assert(rc == 0 && value == &n && n == 1);
    return 0;
}
