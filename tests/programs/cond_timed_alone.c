/* SPDX-License-Identifier: Apache-2.0 */
/* A wait with a timeout lasts not for ever, whoever signals or not.
 *
 * treadle: -k
 * expect: runs 2
 * expect: events 9
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 2
 * expect: events 12
 * expect: verdict complete */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_for_it(void *arg)
{
    struct timespec until;
    int error = 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_mutex_lock(&m);
    while (!ready && error == 0)
        error = pthread_cond_timedwait(&c, &m, &until);
    assert(error == ETIMEDOUT);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_for_it, NULL);
    pthread_join(t, NULL);
    return 0;
}
