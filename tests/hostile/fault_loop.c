/* SPDX-License-Identifier: Apache-2.0 */
/* A handler of SIGSEGV that returns: the fault comes again for ever.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug suspected incomplete
 * runs: 2 */
#include "hostile.h"

#include <signal.h>

static int *volatile p;

static void handler(int sig)
{
}

static void evil(void)
{
    signal(SIGSEGV, handler);
    *p = 1;
}
