/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a command and fails one of its system calls.
 *
 * inject REPORT FIRST [N [on|disk]] -- COMMAND...: counts the system calls of the command's first process that can
 * fail, without those of its children; the FIRST ones, of the loader, do not count. The N-th one fails as it
 * would without the resource it needs; with "on", so do all later ones of its kind; with "disk", the disk is full from there on. REPORT is a file that gets
 * one line: how many there were, and the number of the system call that failed first, or -1. The exit status
 * is that of the command; 128 and the signal if it was killed. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a system call fails, and 0 if it cannot or nothing can be done about it. */
static int error_of(long number)
{
    switch (number) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_mkdir:
    case SYS_mkdirat:
    case SYS_rename:
    case SYS_link:
    case SYS_symlink:
        return ENOSPC;
    case SYS_open:
    case SYS_openat:
    case SYS_pipe2:
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
    case SYS_socketpair:
    case SYS_socket:
    case SYS_memfd_create:
    case SYS_eventfd2:
    case SYS_timerfd_create:
    case SYS_signalfd4:
    case SYS_epoll_create1:
        return EMFILE;
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_mremap:
    case SYS_madvise:
        return ENOMEM;
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
        return EAGAIN;
    case SYS_poll:
    case SYS_ppoll:
    case SYS_wait4:
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
        return EINTR;
    case SYS_kill:
    case SYS_prctl:
    case SYS_prlimit64:
    case SYS_sched_setaffinity:
    case SYS_unlink:
    case SYS_chdir:
    case SYS_readlink:
        return EPERM;
    case SYS_read:
    case SYS_pread64:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_fstat:
    case SYS_stat:
    case SYS_lstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_getdents64:
    case SYS_lseek:
    case SYS_access:
    case SYS_getcwd:
    case SYS_ioctl:
    case SYS_fcntl:
    case SYS_copy_file_range:
        return EIO;
    default:
        return 0;
    }
}

typedef struct wish {
    long first, at;
    bool on, disk;
    long n, failed; /* counted; the number of the one that failed, or -1 */
} wish;

/* At the entry of a system call. Returns how it is to fail, or 0. A full disk has no effect on what is printed,
 * and nothing is interrupted forever. */
static int chosen(wish *w, const struct user_regs_struct *r)
{
    long number = (long)r->orig_rax;
    int error = error_of(number);
    if (error == 0 || w->n++ < w->first)
        return 0;
    bool is_it = !w->disk && w->at > 0 && w->n - w->first == w->at;
    bool is_printed = number == SYS_write && r->rdi <= 2;
    bool is_like = w->on && w->failed >= 0 && error_of(w->failed) == error &&
                   error != EINTR && !is_printed;
    if (w->disk && w->n - w->first >= w->at && error == ENOSPC && !is_printed)
        is_it = true;
    if (is_it && w->failed < 0)
        w->failed = number;
    return is_it || is_like ? error : 0;
}

/* Until the command ends; returns its wait status. */
static int follow(pid_t pid, wish *w)
{
    int status = 0, error = 0, sent = 0;
    bool is_entry = true;
    for (;;) {
        if (ptrace(PTRACE_SYSCALL, pid, 0, sent) < 0 || waitpid(pid, &status, 0) < 0)
            return 125 << 8;
        sent = 0;
        if (WIFEXITED(status) || WIFSIGNALED(status))
            return status;
        int stopped = WSTOPSIG(status);
        if (stopped != (SIGTRAP | 0x80)) {
            sent = stopped == SIGTRAP ? 0 : stopped;
            continue;
        }
        struct user_regs_struct r;
        ptrace(PTRACE_GETREGS, pid, 0, &r);
        if (is_entry) {
            error = chosen(w, &r);
            if (error != 0) {
                r.orig_rax = (unsigned long long)-1;
                ptrace(PTRACE_SETREGS, pid, 0, &r);
            }
        } else if (error != 0) {
            r.rax = (unsigned long long)-error;
            ptrace(PTRACE_SETREGS, pid, 0, &r);
            error = 0;
        }
        is_entry = !is_entry;
    }
}

static void write_report(const char *path, const wish *w)
{
    FILE *f = fopen(path, "w");
    if (f) {
        fprintf(f, "%ld %ld\n", w->n - w->first, w->failed);
        fclose(f);
    }
}

int main(int argc, char **argv)
{
    int command = 1;
    while (command < argc && strcmp(argv[command], "--") != 0)
        command++;
    if (command < 3 || command + 1 >= argc) {
        fprintf(stderr, "usage: inject REPORT FIRST [N [on|disk]] -- COMMAND...\n");
        return 125;
    }
    wish w = {.first = strtol(argv[2], NULL, 10), .failed = -1};
    w.at = command > 3 ? strtol(argv[3], NULL, 10) : 0;
    w.on = command > 4 && strcmp(argv[4], "on") == 0;
    w.disk = command > 4 && !w.on;
    pid_t pid = fork();
    if (pid == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        execv(argv[command + 1], argv + command + 1);
        _exit(127);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    status = follow(pid, &w);
    write_report(argv[1], &w);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
