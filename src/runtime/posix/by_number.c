/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that a program makes by number. One that is also a function of the C library is handled as
 * that function, with the accesses and descriptors of its row (wire/library.h). */
#include "runtime/posix/by_number.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/posix/libcall.h"
#include "runtime/posix/posix.h"

_Noreturn void rt_refuse_number(const char *what, long number, uint32_t site)
{
    char text[64], digits[20];
    size_t n = 0, k = 0;
    while (*what && n < 32)
        text[n++] = *what++;
    if (number < 0)
        text[n++] = '-';
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do
        digits[k++] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    while (k > 0)
        text[n++] = digits[--k];
    text[n] = 0;
    rt_gap(WIRE_GAP_REFUSED, site, text);
    rt_run_end(WIRE_DONE_REFUSED, 0);
}

/* ---- functions with a row ---- */

typedef long any_function(long a, long b, long c, long d, long e, long f);

/* Functions of the runtime; the caller widens an int. */
/* clang-format off */
#define OURS(X)                                                                          \
    X(open) X(openat) X(creat) X(close) X(read) X(write) X(readv) X(writev) X(pread)     \
    X(pwrite) X(lseek) X(ftruncate) X(unlink) X(mkdir)
/* clang-format on */
#define X(name) any_function __treadle_##name;
OURS(X)
#undef X

/* A function for the call of that number. */
typedef struct function {
    long number;
    const char *name;
    void *real;
    bool is_ours, is_int;
} function;

static const function functions[] = {
    {SYS_openat, "openat", __treadle_openat, true, true},
    {SYS_close, "close", __treadle_close, true, true},
    {SYS_read, "read", __treadle_read, true, false},
    {SYS_write, "write", __treadle_write, true, false},
    {SYS_readv, "readv", __treadle_readv, true, false},
    {SYS_writev, "writev", __treadle_writev, true, false},
    {SYS_pread64, "pread", __treadle_pread, true, false},
    {SYS_pwrite64, "pwrite", __treadle_pwrite, true, false},
    {SYS_lseek, "lseek", __treadle_lseek, true, false},
    {SYS_fstat, "fstat", fstat, false, true},
    {SYS_newfstatat, "fstatat", fstatat, false, true},
    {SYS_ftruncate, "ftruncate", __treadle_ftruncate, true, true},
    {SYS_unlinkat, "unlinkat", unlinkat, false, true},
#if defined(SYS_open)
    {SYS_open, "open", __treadle_open, true, true},
    {SYS_creat, "creat", __treadle_creat, true, true},
    {SYS_unlink, "unlink", __treadle_unlink, true, true},
    {SYS_mkdir, "mkdir", __treadle_mkdir, true, true},
    {SYS_access, "access", access, false, true},
#endif
};

static const function *function_of(long number)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].number == number)
            return &functions[i];
    return NULL;
}

/* Names and signatures in turn. */
static const char rows[] =
#define X(name, signature) #name "\0" signature "\0"
    WIRE_LIBRARY_UNIX(X) WIRE_LIBRARY_OURS(X);
#undef X

/* System calls by number are never cancellation points: libuv closes descriptors this way. */
static const char *signature_of(const char *name)
{
    const char *at = rows;
    while (*at) {
        const char *signature = at + strlen(at) + 1;
        if (strcmp(at, name) == 0)
            return signature + (strncmp(signature, "t ", 2) == 0 ? 2 : 0);
        at = signature + strlen(signature) + 1;
    }
    return "x";
}

/* The row as a thunk of the program would have it. */
#define ROW_BYTES 128u

static void row_of(const function *f, char out[ROW_BYTES])
{
    const char *signature = signature_of(f->name);
    size_t n = strlen(f->name) + 1, length = strlen(signature) + 1;
    RT_ASSERT(n + 1 + length <= ROW_BYTES);
    memcpy(out, f->name, n);
    if (f->is_ours)
        out[n++] = '!';
    memcpy(out + n, signature, length);
}

/* As the program's call of the function, at a wire_site. */
static long call_function(const function *f, const long *a, uint64_t site)
{
    char row[ROW_BYTES];
    uint64_t stack[8] = {0};
    rt_call c = {.row = row, .real = (uint64_t)f->real, .stack = stack};
    for (int i = 0; i < 6; i++)
        c.ints[i] = (uint64_t)a[i];
    row_of(f, row);
    PLAN_CTL->call_site = site;
    bool is_late = rt_library_before(&c) != 0;
    if (!f->is_ours)
        PLAN_CTL->call_site = 0;
    long result = ((any_function *)f->real)(a[0], a[1], a[2], a[3], a[4], a[5]);
    result = f->is_int ? (int)result : result;
    c.results[0] = (uint64_t)result;
    if (is_late)
        rt_library_after(&c);
    return result;
}

/* ---- the call ---- */

int __treadle_sched_yield(void);
pid_t __treadle_getpid(void);
pid_t __treadle_getppid(void);
pid_t __treadle_gettid(void);
ssize_t __treadle_getrandom(void *out, size_t size, unsigned flags);
int __treadle_clock_gettime(clockid_t clock, struct timespec *out);

static long call(long number, const long *a)
{
    uint32_t site = rt_call_site();
    switch (number) {
    case SYS_futex:
        return rt_futex(a, site);
    case SYS_gettid:
        return __treadle_gettid();
    case SYS_getpid:
        return __treadle_getpid();
    case SYS_getppid:
        return __treadle_getppid();
    case SYS_sched_yield:
        return __treadle_sched_yield();
    case SYS_getrandom:
        return __treadle_getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
    case SYS_clock_gettime:
        return __treadle_clock_gettime((clockid_t)a[0], (void *)a[1]);
    case SYS_membarrier: /* there is one memory, and one thread runs at a time */
        return a[0] == MEMBARRIER_CMD_QUERY ? syscall(number, a[0], a[1], a[2]) : 0;
    default:
        rt_refuse_number("system call ", number, site);
    }
}

RT_API long __treadle_syscall(long number, ...);
long __treadle_syscall(long number, ...)
{
    long a[6];
    va_list args;
    va_start(args, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    if (!rt_on())
        return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    const function *f = function_of(number);
    return f ? call_function(f, a, PLAN_CTL->call_site) : call(number, a);
}
