/* SPDX-License-Identifier: Apache-2.0 */
/* Ignores every signal, then loops.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

#include <signal.h>

static volatile int always = 1;

static void evil(void)
{
    sigset_t all;
    for (int i = 1; i < 65; i++)
        signal(i, SIG_IGN);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    while (always)
        continue;
}
