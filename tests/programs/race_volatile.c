/* SPDX-License-Identifier: Apache-2.0 */
/* A volatile sig_atomic_t is for signal handlers, not for threads.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race race_volatile.c:17 race_volatile.c:25
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_volatile.c:17 race_volatile.c:25 */
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t stop;

static void *worker(void *arg)
{
    stop = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    sig_atomic_t seen = stop;
    (void)seen;
    pthread_join(t, NULL);
    return 0;
}
