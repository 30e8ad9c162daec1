/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that change handlers and masks behind treadle's back are refused.
 *
 * treadle:
 * expect: verdict incomplete
 * expect: ledger not modelled signal_old.c:20 sigset
 */
#define _GNU_SOURCE
#include <signal.h>

static void handler(int s)
{
    (void)s;
}

int main(void)
{
    struct sigaction act = {.sa_handler = handler};
    sigaction(SIGUSR2, &act, NULL);
    sigset(SIGUSR1, handler);
    raise(SIGUSR1);
    return 0;
}
