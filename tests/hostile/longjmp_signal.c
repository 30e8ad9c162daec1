/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves the handler of SIGABRT by longjmp.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete complete
 * runs: 2 */
#include "hostile.h"

#include <setjmp.h>
#include <signal.h>

static sigjmp_buf env;

static void handler(int sig)
{
    siglongjmp(env, 1);
}

static void evil(void)
{
    signal(SIGABRT, handler);
    signal(SIGSEGV, handler);
    if (sigsetjmp(env, 1) == 0)
        abort();
    if (sigsetjmp(env, 1) == 0)
        *(volatile int *)8 = 1;
}
