/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of others: a process group each, nothing to read, output in a file. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/glyph.h"
#include "base/now.h"
#include "check/check_int.h"

#define MAX_LOG ((size_t)256 << 20) /* bytes */

_Noreturn static void become(const chk_command *c)
{
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (c->output ? O_TRUNC : O_APPEND);
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int out = open(c->output ? c->output : c->log, flags, 0666);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
        _exit(127);
    for (size_t i = 0; c->env && i < c->env->len; i++)
        putenv(c->env->at[i]);
    if (c->dir && chdir(c->dir) != 0)
        _exit(127);
    execvp(c->words[0], (char *const *)(uintptr_t)c->words);
    dprintf(2, "cannot run %s: %s\n", c->words[0], strerror(errno));
    _exit(127);
}

int chk_command_run(const chk_command *c)
{
    uint64_t end_ms = c->most_ms ? td_now_ms() + c->most_ms : UINT64_MAX;
    const struct timespec pause = {0, 5000000};
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        become(c);
    if (child < 0)
        return 127;
    setpgid(child, child);
    for (bool is_killed = false;;) {
        pid_t ended = waitpid(child, &status, c->most_ms ? WNOHANG : 0);
        if (ended == child)
            break;
        if (ended < 0 && errno != EINTR)
            return 127;
        if (!is_killed && td_now_ms() >= end_ms) {
            kill(-child, SIGKILL);
            is_killed = true;
        }
        if (c->most_ms)
            nanosleep(&pause, NULL);
    }
    kill(-child, SIGKILL); /* what it left behind */
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

void chk_tail(const char *path, size_t n_lines, FILE *to)
{
    td_text text = {0}, shown = {0};
    if (td_file_read(path, MAX_LOG, &text, NULL) == TD_OK && text.len > 0) {
        size_t at = text.len, n = 0;
        while (at > 0 && !(text.at[at - 1] == '\n' && at < text.len && ++n == n_lines))
            at--;
        td_text_put_visible(&shown, text.at + at);
        fprintf(to, "%s", shown.at ? shown.at : "");
    }
    td_text_fini(&text);
    td_text_fini(&shown);
}
