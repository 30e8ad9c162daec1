/* SPDX-License-Identifier: Apache-2.0 */
/* A signal with a value.
 *
 * treadle: --search=all
 * expect: runs 26
 * expect: events 76
 * expect: traces 8
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 8
 * expect: events 52
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile int value;

static void handler(int number, siginfo_t *info, void *context)
{
    assert(number == SIGUSR1 && info->si_code == SI_QUEUE &&
           info->si_value.sival_int == 5);
    value = 5;
}

static void *worker(void *arg)
{
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    pthread_t t;
    sigset_t set;
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_sigqueue(t, SIGUSR1, (union sigval){.sival_int = 5});
    pthread_join(t, NULL);
    assert(value == 0 || value == 5);
    return 0;
}
