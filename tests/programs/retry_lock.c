/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads take two mutexes in turn, and try again for ever instead of giving back what they
 * have: each may wait for the other. FIXED takes them in one order.
 *
 * treadle: -k
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 11
 * expect: events 55
 * expect: verdict bug
 * expect: finding livelock retry_lock.c:29
 *
 * treadle: -k
 * cflags: -DFIXED
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 8
 * expect: events 55
 * expect: verdict complete */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec until = {1000, 0};

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    while (pthread_mutex_timedlock(second, &until) != 0)
        continue;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *other(void *arg)
{
#ifdef FIXED
    both(&left, &right);
#else
    both(&right, &left);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    both(&left, &right);
    pthread_join(t, NULL);
    return 0;
}
