/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the dispatch of system calls off, and forks by one of its own.
 *
 * treadle: --search=all -k --time=20s
 * verdict: incomplete
 * runs: 2
 * lost: no */
#include "hostile.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

static void evil(void)
{
    prctl(PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0, 0);
#if defined(__x86_64__)
    long pid;
    __asm__ volatile("syscall" : "=a"(pid) : "a"(SYS_fork) : "rcx", "r11", "memory");
    if (pid == 0)
        for (;;)
            pause();
#endif
}
