/* SPDX-License-Identifier: Apache-2.0 */
/* The signal comes before its handler is set, in one order of two: the process dies.
 *
 * treadle: -k
 * expect: finding crash signal_action_late.c:27
 * expect: verdict bug
 * expect: runs 2 */
#include <pthread.h>
#include <signal.h>

static void handler(int n)
{
    (void)n;
}

static void *sets(void *arg)
{
    (void)arg;
    signal(SIGUSR1, handler);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sets, NULL);
    raise(SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
