/* SPDX-License-Identifier: Apache-2.0 */
/* Which signal is sent is known only when it is.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock */
#include <pthread.h>
#include <signal.h>

static sigset_t set;
static void *wait_twice(void *p)
{
    int signal;
    sigwait(&set, &signal);
    sigwait(&set, &signal);
    return p;
}
static void send(pthread_t t, int signal)
{
    pthread_kill(t, signal);
}

int main(void)
{
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    volatile int signal = SIGUSR1;
    pthread_create(&t, 0, wait_twice, 0);
    send(t, signal);
    send(t, signal);
    pthread_join(t, 0);
    return 0;
}
