/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and processes that nobody controls: made by code that is not instrumented, by the raw
 * system call, by a second C library. All real threads are there before the first run, so from then
 * on no call that makes one is right: a filter of system calls stops them, and the run ends with a
 * ledger line. Where the kernel allows no filter, threads are counted at the end of every run. */
#include "runtime/process/process.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "runtime/core/sys.h"

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
#define RETURN(what) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, what)
#define N_RULES (N_TRAPPED + 5)

void rt_trap_install(void)
{
    struct sock_filter rules[N_RULES];
    size_t n = 0;
    rules[n++] = LOAD(arch);
    rules[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0,
                                              N_TRAPPED + 2);
    rules[n++] = LOAD(nr);
    for (size_t i = 0; i < N_TRAPPED; i++)
        rules[n++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                         (uint32_t)trapped[i].number, N_TRAPPED - i, 0);
    rules[n++] = RETURN(SECCOMP_RET_ALLOW);
    rules[n++] = RETURN(SECCOMP_RET_TRAP);
    struct sock_fprog filter = {.len = (unsigned short)n, .filter = rules};
    /* Without the last flag some kernels slow down every load of the process. */
    bool done = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                rt_sys(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                       SECCOMP_FILTER_FLAG_SPEC_ALLOW, (long)&filter) == 0;
    rt->counts_tasks = !done;
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
