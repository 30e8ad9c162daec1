/* SPDX-License-Identifier: Apache-2.0 */
/* Loops around timed waits that end by themselves: after a minute, or with COUNTS the third time.
 * Both ends are found, and there is no livelock although nobody signals.
 *
 * treadle: -k
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 6
 * expect: events 33
 * expect: verdict bug
 * expect: finding assert retry_deadline.c:58
 *
 * treadle: -k
 * cflags: -DCOUNTS
 * agree: -k --search=all
 * agree: -k --goal=traces
 * expect: runs 8
 * expect: events 45
 * expect: verdict bug
 * expect: finding assert retry_deadline.c:58 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static bool is_set;

static void *set(void *arg)
{
    pthread_mutex_lock(&m);
    is_set = true;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec start, until;
    bool gave_up = false;
    pthread_create(&t, NULL, set, NULL);
    clock_gettime(CLOCK_REALTIME, &start);
    pthread_mutex_lock(&m);
    for (int n = 0; !is_set && !gave_up;) {
        clock_gettime(CLOCK_REALTIME, &until);
#ifdef COUNTS
        gave_up = ++n == 3;
#else
        gave_up = until.tv_sec > start.tv_sec + 60 + n;
#endif
        until.tv_sec += 1;
        pthread_cond_timedwait(&c, &m, &until);
    }
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(!gave_up);
    return 0;
}
