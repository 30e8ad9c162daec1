/* SPDX-License-Identifier: Apache-2.0 */
/* A wait that was woken is not earlier than who woke it, one that gave up not earlier than its time.
 *
 * treadle: -k
 * expect: verdict complete */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ok;
static long signalled;

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *wake(void *arg)
{
    sleep(1);
    pthread_mutex_lock(&m);
    signalled = now();
    ok = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec until;
    int error = 0;
    pthread_create(&t, NULL, wake, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    long start = until.tv_sec * 1000000000L + until.tv_nsec;
    until.tv_sec += 5;
    pthread_mutex_lock(&m);
    while (!ok && error == 0)
        error = pthread_cond_timedwait(&c, &m, &until);
    long end = now();
    if (ok)
        assert(end >= signalled);
    if (error == ETIMEDOUT)
        assert(end - start >= 5000000000L);
    else
        assert(ok);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
