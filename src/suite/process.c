/* SPDX-License-Identifier: Apache-2.0 */
/* Child processes: started with their output in a file, waited for, ended. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/now.h"
#include "suite/suite_int.h"

/* ---- signals ---- */

static sigset_t awaited(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGCHLD);
    return set;
}

void sui_signals_hold(void *before)
{
    sigset_t set = awaited();
    sigprocmask(SIG_BLOCK, &set, before);
}

/* Signals that arrived have been obeyed; they must not end us now. */
void sui_signals_release(const void *before)
{
    sigset_t set = awaited();
    const struct timespec at_once = {0};
    while (sigtimedwait(&set, NULL, &at_once) > 0)
        ;
    sigprocmask(SIG_SETMASK, before, NULL);
}

sui_wake sui_wait(uint64_t until_ms)
{
    sigset_t set = awaited();
    for (;;) {
        uint64_t now = td_now_ms();
        uint64_t left = until_ms > now ? until_ms - now : 0;
        struct timespec wait = {(time_t)(left / 1000), (long)(left % 1000) * 1000000};
        int signal = sigtimedwait(&set, NULL, &wait);
        if (signal == SIGCHLD)
            return SUI_WAKE_CHILD;
        if (signal == SIGINT || signal == SIGTERM)
            return SUI_WAKE_STOP;
        if (signal < 0 && errno == EAGAIN)
            return SUI_WAKE_TIME;
    }
}

/* ---- processes ---- */

static void point(int fd, int to)
{
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(126);
}

/* In the child. It has a group of its own, so that an interrupt at the terminal comes to it
 * through us only, and ends when we do. */
_Noreturn static void become(const char *treadle, char *const *words,
                             const sui_harness *h, pid_t parent)
{
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(126);
    point(open("/dev/null", O_RDONLY), 0);
    point(open(h->log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0666), 1);
    point(1, 2);
    for (size_t i = 0; i < h->env.len; i++)
        putenv(h->env.at[i]);
    int self = open(treadle, O_RDONLY | O_CLOEXEC); /* it may be named from here */
    if (h->cd && chdir(h->cd) != 0) {
        dprintf(2, "treadle: cannot change to the directory %s\n", h->cd);
        _exit(2);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    fexecve(self, words, environ);
    _exit(127);
}

pid_t sui_process_start(const char *treadle, char *const *words, const sui_harness *h)
{
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(treadle, words, h, parent);
    if (child > 0)
        setpgid(child, child); /* parent and child both do this */
    return child;
}

bool sui_process_reap(pid_t pid, sui_exit *out)
{
    TD_ASSERT(pid > 0); /* 0 takes any child's end */
    int status = 0;
    if (waitpid(pid, &status, WNOHANG) != pid)
        return false;
    out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    out->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    out->at_ms = td_now_ms();
    return true;
}

void sui_process_end(pid_t pid)
{
    TD_ASSERT(pid > 0); /* 0 would end all of us */
    kill(pid, SIGTERM);
}

void sui_process_kill(pid_t pid)
{
    TD_ASSERT(pid > 1); /* -1 would mean every process */
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
}
