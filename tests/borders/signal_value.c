/* SPDX-License-Identifier: Apache-2.0 */
/* A value that is sent with a signal arrives; of two real-time signals of one number the second is a line.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not modelled signal_value.c:35 a queue of signals
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_t first;

static void *thread(void *arg)
{
    pthread_sigqueue(first, SIGUSR1, (union sigval){.sival_int = 9});
    return arg;
}

int main(void)
{
    pthread_t t;
    sigset_t set;
    siginfo_t info;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    first = pthread_self();
    pthread_create(&t, NULL, thread, NULL);
    assert(sigwaitinfo(&set, &info) == SIGUSR1 && info.si_value.sival_int == 9);
    pthread_join(t, NULL);
    raise(SIGRTMIN);
    raise(SIGRTMIN);
    return 0;
}
