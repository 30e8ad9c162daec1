/* SPDX-License-Identifier: Apache-2.0 */
/* The program sends the signal in other schedules only.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock */
#include <pthread.h>
#include <stdatomic.h>
#include <signal.h>

static sigset_t set;
static atomic_int flag;
static void *sets(void *p)
{
    flag = 1;
    return p;
}
static void *wait(void *p)
{
    int signal;
    sigwait(&set, &signal);
    return p;
}

int main(void)
{
    pthread_t t, u;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&u, 0, sets, 0);
    pthread_create(&t, 0, wait, 0);
    if (flag)
        pthread_kill(t, SIGUSR1);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
