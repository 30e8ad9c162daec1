/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that the handler of a timer ends: no livelock.
 *
 * treadle:
 * cflags: -g -O0
 * expect: verdict incomplete
 * expect: ledger not modelled timer_loop.c:29 the signal of a timer
 * treadle:
 * cflags: -g -O2
 * expect: verdict incomplete
 * expect: ledger not modelled timer_loop.c:29 the signal of a timer */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t flag;

static void handler(int signal)
{
    (void)signal;
    flag = 1;
}

int main(void)
{
    const struct itimerval soon = {.it_value = {0, 1000}};
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    while (!flag)
        continue;
    return 0;
}
