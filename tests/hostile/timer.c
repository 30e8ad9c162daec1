/* SPDX-License-Identifier: Apache-2.0 */
/* A timer that interrupts it every 100 microseconds, with a handler.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <signal.h>
#include <sys/time.h>

static volatile int n;

static void handler(int sig)
{
    (void)sig;
    n++;
}

static void evil(void)
{
    const struct itimerval often = {{0, 100}, {0, 100}};
    struct sigaction act = {.sa_handler = handler};
    sigaction(SIGALRM, &act, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (volatile int i = 0; i < 1000000; i++)
        ;
}
