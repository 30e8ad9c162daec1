/* SPDX-License-Identifier: Apache-2.0 */
/* An alternative signal stack where no memory is, and a fault.
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
    stack_t wild = {.ss_sp = (void *)0x1000, .ss_size = 65536};
    int *volatile null = NULL;
    syscall(SYS_sigaltstack, &wild, NULL);
    *null = 1;
}
