/* SPDX-License-Identifier: Apache-2.0 */
/* A thread made by the raw system call, as a second C library would. */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/syscall.h>

void raw_thread(void);
void raw_thread(void)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"((long)SYS_clone), "D"((long)CLONE_VM), "S"(0L), "d"(0L)
                     : "rcx", "r11", "memory");
}
