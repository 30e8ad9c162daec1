/* SPDX-License-Identifier: Apache-2.0 */
/* A wait with a timeout that is taken for a success.
 *
 * treadle: -k
 * expect: runs 4
 * expect: events 25
 * expect: verdict bug
 * expect: finding assert cond_timed_out.c:33
 *
 * treadle: --search=all -k
 * expect: runs 16
 * expect: events 40
 * expect: verdict bug
 * expect: finding assert cond_timed_out.c:33 */
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
    assert(ready);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *give_it(void *arg)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, wait_for_it, NULL);
    pthread_create(&b, NULL, give_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
