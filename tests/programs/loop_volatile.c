/* SPDX-License-Identifier: Apache-2.0
 * Waits for a plain variable, with nobody else started by then: the first run goes round
 * without an operation. Its reads become operations, and the race shows.
 *
 * treadle: -k --timeout=1s
 * expect: verdict bug
 * expect: finding race loop_volatile.c:26 loop_volatile.c:18 */
#include <pthread.h>
#include <sched.h>

static volatile int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *finisher(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    done = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, finisher, NULL);
    while (!done)
        sched_yield();
    pthread_join(t, NULL);
    return 0;
}
