/* SPDX-License-Identifier: Apache-2.0 */
/* Ends by a system call of its own: the process is gone without a word.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete bug complete
 * runs: 2 */
#include "hostile.h"

#include <sys/syscall.h>

static void evil(void)
{
#if defined(__x86_64__)
    __asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(0));
#else
    abort();
#endif
}
