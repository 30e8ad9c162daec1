/* SPDX-License-Identifier: Apache-2.0 */
/* The same with a mask that sigsuspend opens.
 *
 * treadle:
 * expect: verdict complete */
#include <pthread.h>
#include <stdatomic.h>
#include <signal.h>

static sigset_t set;
static atomic_int got;
static void handle(int signal)
{
    got = signal;
}
static void *wait(void *p)
{
    sigset_t none;
    sigemptyset(&none);
    while (!got)
        sigsuspend(&none);
    return p;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&t, 0, wait, 0);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, 0);
    return 0;
}
