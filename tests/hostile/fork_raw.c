/* SPDX-License-Identifier: Apache-2.0 */
/* A new process by a system call of its own, which stays.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete bug complete
 * runs: 2 */
#include "hostile.h"

#include <sys/syscall.h>
#include <unistd.h>

static void evil(void)
{
#if defined(__x86_64__)
    long pid;
    __asm__ volatile("syscall" : "=a"(pid) : "a"(SYS_fork) : "rcx", "r11", "memory");
    if (pid == 0)
        for (;;)
            pause();
#endif
}
