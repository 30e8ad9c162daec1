/* SPDX-License-Identifier: Apache-2.0 */
/* A handler of faults overflows its stack, which ends at a guard: the process dies at once, and the session has time
 * to replay that.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug
 * runs: 2 */
#include "hostile.h"

#include <signal.h>

static int deeper(volatile int *n)
{
    volatile int more[1024];
    more[0] = *n + 1;
    return deeper(more) + more[0];
}

static void handler(int sig)
{
    volatile int n = sig;
    deeper(&n);
}

static void evil(void)
{
    static char stack[65536];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction act = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    int *volatile null = NULL;
    sigaltstack(&other, NULL);
    sigaction(SIGSEGV, &act, NULL);
    *null = 1;
}
