/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks all signals, by a system call of its own, and follows a null pointer.
 *
 * treadle: --search=all -k --time=20s
 * verdict: bug incomplete
 * runs: 2 */
#include "hostile.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static void evil(void)
{
    unsigned long all = ~0ul;
    int *volatile null = NULL;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
    *null = 1;
}
