/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/sys.h - system calls without libc.
 *
 * The runtime works on the program's stacks and thread-local storage, so it must not touch errno.
 * A failed call returns a negative error number.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
static inline long rt_sys6(long nr, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#else
static inline long rt_sys6(long nr, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = nr;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}
#endif

static inline long rt_sys(long nr, long a, long b, long c)
{
    return rt_sys6(nr, a, b, c, 0, 0, 0);
}

/* The one place whose calls pass the filter (process/trap.c), whatever they are. */
long rt_sys_exempt(long nr, long a, long b, long c, long d, long e, long f);
extern const char rt_sys_exempt_at[] __attribute__((visibility("hidden")));

_Noreturn static inline void rt_sys_exit(int code)
{
    for (;;)
        rt_sys(SYS_exit_group, code, 0, 0);
}

/* Memory at exactly this address; 0 or a negative error number. */
long rt_sys_map(uint64_t at, uint64_t size, int prot, int more_flags, int fd);

/* Sleeps while *word is value, at most timeout_ms (0: forever). */
void rt_sys_wait(uint32_t *word, uint32_t value, uint32_t timeout_ms);
void rt_sys_wake(uint32_t *word);

/* One line on descriptor 2. */
void rt_sys_say(const char *text);
/* The program's descriptors are below this number, the runtime's are not. */
#define RT_MAX_FDS 900
/* Opens a file out of the way of the program's own descriptors; negative: an error. */
long rt_sys_open_high(const char *path, int flags);

/* Reserves memory at exactly this address, or ends the process with a message. */
void rt_sys_reserve(uint64_t at, uint64_t size, int prot);
_Noreturn void rt_sys_cannot_reserve(void);
