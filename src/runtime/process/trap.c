/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and processes outside of treadle's control: created by uninstrumented code, by a raw system call,
 * by a second C library. All real threads exist before the first run, so every later call that creates one
 * is uncontrolled: a filter of system calls stops them, and the run ends with a ledger entry. It stops calls
 * that name files as well: posix/filecall.c executes them. Where the kernel allows no filter, threads are
 * counted at the end of every run. */
#include "runtime/process/process.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "runtime/core/sys.h"
#include "runtime/posix/overlay.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Calls that make a thread or a process, or replace this one. */
static const struct {
    long number;
    const char *name;
} trapped[] = {
    {SYS_clone, "clone"},   {SYS_clone3, "clone3"},
    {SYS_execve, "execve"}, {SYS_execveat, "execveat"},
#if defined(SYS_fork)
    {SYS_fork, "fork"},     {SYS_vfork, "vfork"},
#endif
};
#define N_TRAPPED (sizeof trapped / sizeof trapped[0])

const char *rt_trap_name(int number)
{
    for (size_t i = 0; i < N_TRAPPED; i++)
        if (trapped[i].number == number)
            return trapped[i].name;
    return "a system call of another architecture";
}

#define LOAD(field)                                                                      \
    (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                              \
                                  (uint32_t)offsetof(struct seccomp_data, field))
#define LOAD_HIGH(field)                                                                 \
    (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                              \
                                  (uint32_t)offsetof(struct seccomp_data, field) + 4)
#define RETURN(what) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, what)
#define JUMP(value, yes, no)                                                             \
    (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value),          \
                                  (uint8_t)(yes), (uint8_t)(no))
#define MOST_RULES 128u
#define N_LAST 7u /* rules behind the lists */

/* Calls of the lists are stopped; those about files not where rt_sys_exempt makes them. */
static size_t make_rules(struct sock_filter *rules)
{
    const uint32_t *files;
    uint32_t n_files = rt->overlay->is_on ? rt_file_calls(&files) : 0;
    uint64_t exempt = (uint64_t)rt_sys_exempt_at;
    size_t n = 0, first = 3, end = first + N_TRAPPED + n_files;
    size_t check = end + 1, stop = end + N_LAST - 1;
    if (end + N_LAST > MOST_RULES)
        return 0;
    rules[n++] = LOAD(arch);
    rules[n] = JUMP(ARCHITECTURE, 0, stop - n - 1);
    n++;
    rules[n++] = LOAD(nr);
    for (size_t i = 0; i < N_TRAPPED; i++, n++)
        rules[n] = JUMP(trapped[i].number, stop - n - 1, 0);
    for (uint32_t i = 0; i < n_files; i++, n++)
        rules[n] = JUMP(files[i], check - n - 1, 0);
    rules[n++] = RETURN(SECCOMP_RET_ALLOW);
    rules[n++] = LOAD(instruction_pointer);
    rules[n++] = JUMP(exempt, 0, 3);
    rules[n++] = LOAD_HIGH(instruction_pointer);
    rules[n++] = JUMP(exempt >> 32, 0, 1);
    rules[n++] = RETURN(SECCOMP_RET_ALLOW);
    rules[n++] = RETURN(SECCOMP_RET_TRAP);
    return n;
}

void rt_trap_install(void)
{
    struct sock_filter rules[MOST_RULES];
    size_t n = make_rules(rules);
    struct sock_fprog filter = {.len = (unsigned short)n, .filter = rules};
    /* Without the first flag some kernels slow down every load of the process. */
    long flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    if (rt->carrier == WIRE_CARRIER_THREADS)
        flags |= SECCOMP_FILTER_FLAG_TSYNC;
    bool done = n > 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                rt_sys(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, (long)&filter) == 0;
    rt->counts_tasks = !done;
    rt->overlay->is_on &= done;
}

void rt_trap_end(rt_end *end)
{
    RT_ASSERT(rt->active);
    (void)end;
    if (!rt->counts_tasks)
        return;
    struct stat st;
    long error =
        rt_sys6(SYS_newfstatat, -100, (long)"/proc/self/task", (long)&st, 0, 0, 0);
    if (error != 0 || st.st_nlink <= 2 + 1 + rt->n_stacks)
        return;
    rt_gap(WIRE_GAP_REFUSED, 0, "a thread that was not created by pthread_create");
    rt->tainted = true;
}
