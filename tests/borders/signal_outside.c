/* SPDX-License-Identifier: Apache-2.0 */
/* A wait for a signal that the program does not send: it comes from outside, or never.
 *
 * treadle:
 * expect: verdict complete */
#include <pthread.h>
#include <signal.h>

static sigset_t set;
static void *wait(void *p)
{
    int signal;
    sigwait(&set, &signal);
    return p;
}

int main(void)
{
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&t, 0, wait, 0);
    pthread_join(t, 0);
    return 0;
}
