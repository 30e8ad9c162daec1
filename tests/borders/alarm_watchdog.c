/* SPDX-License-Identifier: Apache-2.0 */
/* An alarm that would end the process is a watchdog: the deadlock is one, and without it nothing is
 * left out.
 *
 * treadle:
 * cflags: -g -DTWICE
 * expect: verdict bug
 * expect: finding deadlock alarm_watchdog.c:22
 * treadle:
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    alarm(20);
    pthread_mutex_lock(&m);
#ifdef TWICE
    pthread_mutex_lock(&m);
#endif
    pthread_mutex_unlock(&m);
    assert(alarm(0) == 20);
    return 0;
}
