/* SPDX-License-Identifier: Apache-2.0 */
/* System calls without libc. */
#include "runtime/core/sys.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* rt_sys_exempt_at is where the kernel returns to. */
#if defined(__x86_64__)
__asm__(".text\n\t.globl rt_sys_exempt\n\t.hidden rt_sys_exempt\n\t"
        ".type rt_sys_exempt, @function\nrt_sys_exempt:\n\t"
        "mov %rdi, %rax\n\tmov %rsi, %rdi\n\tmov %rdx, %rsi\n\tmov %rcx, %rdx\n\t"
        "mov %r8, %r10\n\tmov %r9, %r8\n\tmov 8(%rsp), %r9\n\tsyscall\n\t"
        ".globl rt_sys_exempt_at\n\t.hidden rt_sys_exempt_at\nrt_sys_exempt_at:\n\t"
        "ret\n\t.size rt_sys_exempt, .-rt_sys_exempt\n");
#else
__asm__(".text\n\t.globl rt_sys_exempt\n\t.hidden rt_sys_exempt\n\t"
        ".type rt_sys_exempt, %function\nrt_sys_exempt:\n\t"
        "mov x8, x0\n\tmov x0, x1\n\tmov x1, x2\n\tmov x2, x3\n\tmov x3, x4\n\t"
        "mov x4, x5\n\tmov x5, x6\n\tsvc 0\n\t"
        ".globl rt_sys_exempt_at\n\t.hidden rt_sys_exempt_at\nrt_sys_exempt_at:\n\t"
        "ret\n\t.size rt_sys_exempt, .-rt_sys_exempt\n");
#endif

long rt_sys_map(uint64_t at, uint64_t size, int prot, int more_flags, int fd)
{
    int flags = MAP_FIXED_NOREPLACE | MAP_NORESERVE | more_flags;
    if (fd < 0)
        flags |= MAP_ANONYMOUS;
    long got = rt_sys6(SYS_mmap, (long)at, (long)size, prot, flags, fd, 0);
    return got == (long)at ? 0 : (got < 0 && got > -4096 ? got : -1);
}

long rt_sys_open_high(const char *path, int flags)
{
    long low = rt_sys6(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, 0, 0, 0);
    if (low < 0)
        return low;
    long high = rt_sys(SYS_fcntl, low, F_DUPFD_CLOEXEC, RT_MAX_FDS);
    rt_sys(SYS_close, low, 0, 0);
    return high;
}

void rt_sys_wait(uint32_t *word, uint32_t value, uint32_t timeout_ms)
{
    struct timespec limit = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};
    rt_sys6(SYS_futex, (long)word, FUTEX_WAIT, (long)value, timeout_ms ? (long)&limit : 0,
            0, 0);
}

void rt_sys_wake(uint32_t *word)
{
    rt_sys6(SYS_futex, (long)word, FUTEX_WAKE, 1, 0, 0, 0);
}

void rt_sys_say(const char *text)
{
    size_t len = 0;
    while (text[len])
        len++;
    rt_sys(SYS_write, 2, (long)text, (long)len);
}

_Noreturn void rt_sys_cannot_reserve(void)
{
    rt_sys_say("treadle: cannot reserve address space for the program's shadow memory"
               " (is there a limit, ulimit -v?)\n");
    rt_sys_exit(71);
}

void rt_sys_reserve(uint64_t at, uint64_t size, int prot)
{
    if (rt_sys_map(at, size, prot, MAP_PRIVATE, -1) != 0)
        rt_sys_cannot_reserve();
}
