/* SPDX-License-Identifier: Apache-2.0 */
/* Raises one signal after another, with and without a handler.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <signal.h>

static volatile int n;

static void handler(int sig)
{
    n++;
}

static void evil(void)
{
    signal(SIGUSR1, handler);
    for (int i = 0; i < 1000; i++)
        raise(SIGUSR1);
    raise(SIGTERM);
}
