/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded before the C library: fails the N-th allocation of a process, N in FAULT_ALLOCATION; with FAULT_ON all
 * later ones as well. FAULT_STACKS is a file that gets the number of each allocation whose stack of callers is
 * a new one. Processes that this one starts allocate as ever. */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *at, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

enum { N_STACKS = 1 << 16, DEPTH = 14 };

static struct {
    bool is_ready, on;
    pid_t self;
    long n, at;
    int stacks; /* 0: none */
    bool is_inside;
    uint64_t seen[N_STACKS];
} fault;

/* Where it was, for whoever looks for the reason. */
static void print_stack(int signal)
{
    void *frames[64];
    int n = backtrace(frames, 64);
    fault.is_ready = false;
    backtrace_symbols_fd(frames, n, STDERR_FILENO);
    _exit(128 + signal);
}

__attribute__((constructor)) static void start(void)
{
    const char *at = getenv("FAULT_ALLOCATION"), *stacks = getenv("FAULT_STACKS");
    void *frames[DEPTH];
    (void)backtrace(frames, DEPTH); /* loads what it needs */
    fault.at = at ? strtol(at, NULL, 10) : 0;
    fault.on = getenv("FAULT_ON") != NULL;
    if (stacks)
        fault.stacks = open(stacks, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    unsetenv("LD_PRELOAD");
    if (fault.at)
        signal(SIGSEGV, print_stack);
    fault.self = getpid();
    fault.is_ready = true;
}

static bool is_new_stack(void)
{
    void *frames[DEPTH];
    uint64_t hash = 1469598103934665603u;
    int n = backtrace(frames, DEPTH);
    for (int i = 2; i < n; i++)
        hash = (hash ^ (uintptr_t)frames[i]) * 1099511628211u;
    for (uint64_t i = hash % N_STACKS;; i = (i + 1) % N_STACKS) {
        if (fault.seen[i] == hash)
            return false;
        if (fault.seen[i] == 0) {
            fault.seen[i] = hash;
            return true;
        }
    }
}

static bool fails(void)
{
    if (!fault.is_ready || fault.is_inside || getpid() != fault.self)
        return false;
    fault.n++;
    fault.is_inside = true;
    if (fault.stacks > 0 && is_new_stack()) {
        char line[32];
        int len = snprintf(line, sizeof line, "%ld\n", fault.n);
        ssize_t done = write(fault.stacks, line, (size_t)len);
        (void)done;
    }
    fault.is_inside = false;
    if (fault.at == 0 || fault.n < fault.at || (fault.n > fault.at && !fault.on))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *at, size_t size)
{
    return fails() ? NULL : __libc_realloc(at, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    *out = fails() ? NULL : __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}
