/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a process of treadle that works for a campaign, watches it, and ends it. */
#include "campaign/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/now.h"
#include "report/text/lines.h"

/* Checks, 2 ms apart, before a worker that does not exit is killed. */
#define STOP_LOOKS 2000u

/* ---- the command ---- */

TD_VEC(char *, word_vec);

static TD_PRINTF(2, 3) void add_word(word_vec *out, const char *format, ...)
{
    td_text text = {0};
    va_list args;
    va_start(args, format);
    td_text_addv(&text, format, args);
    va_end(args);
    word_vec_push(out, text.at);
}

/* The words of the options, one a line, are those of the campaign. */
static void add_options(const char *at, word_vec *out)
{
    while (at && *at) {
        size_t n = strcspn(at, "\n");
        add_word(out, "%.*s", (int)n, at);
        at += n + (at[n] == '\n');
    }
}

static void command_of(const cam_hire *h, uint64_t worker, word_vec *out)
{
    add_word(out, "%s", h->self);
    add_word(out, "run");
    add_word(out, "--join=%s", h->where);
    if (h->campaign)
        add_word(out, "--campaign=%" PRIu64, h->campaign);
    add_word(out, "--worker=%" PRIu64, worker);
    add_word(out, "--out=%s/workers/%" PRIu64, h->dir, worker);
    add_word(out, "--jobs=1");
    add_word(out, "--no-known");
    add_word(out, "--quiet");
    if (h->own_memory)
        add_word(out, "--own-memory=%" PRIu64, h->own_memory);
    if (h->output)
        add_word(out, "--output=%s", h->output);
    add_options(h->words, out);
    add_word(out, "--");
    for (size_t i = 0; h->argv[i]; i++)
        add_word(out, "%s", h->argv[i]);
    word_vec_push(out, NULL);
}

static void command_fini(word_vec *command)
{
    for (size_t i = 0; i < command->len; i++)
        td_free(command->at[i]);
    word_vec_fini(command);
}

/* ---- starting ---- */

static void log_path(const cam_hire *h, uint64_t worker, td_text *out)
{
    td_text_add(out, "%s/workers/%" PRIu64 ".log", h->dir, worker);
}

/* In the child. Nothing of ours may stay open but what exec closes. */
static _Noreturn void become_worker(const cam_hire *h, char **command, const char *log)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int err = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, h->signals, NULL);
    int adj = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (adj >= 0 && write(adj, "500", 3) != 3) /* before the leader, after the program */
        close(adj);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(err >= 0 ? err : null, STDERR_FILENO);
    execv("/proc/self/exe", command);
    _exit(127);
}

td_status cam_workers_dir(const char *dir, td_diag *diag)
{
    td_text path = {0};
    td_status status = TD_OK;
    td_text_add(&path, "%s/workers", dir);
    if (mkdir(path.at, 0777) != 0 && errno != EEXIST)
        status =
            td_diag_errno(diag, TD_E_SYSTEM, "cannot create the directory '%s'", path.at);
    td_text_fini(&path);
    return status;
}

td_status cam_worker_start(const cam_hire *hire, sto_link *l, const char *name,
                           cam_worker *out, td_diag *diag)
{
    word_vec command = {0};
    td_text log = {0};
    td_status status = TD_OK;
    *out = (cam_worker){.started_ms = td_now_ms()};
    TD_TRY(sto_link_join(l, name, &out->worker, diag));
    TD_ASSERT(out->worker != 0 && hire->self && hire->signals);
    command_of(hire, out->worker, &command);
    log_path(hire, out->worker, &log);
    fflush(NULL);
    out->pid = fork();
    if (out->pid == 0)
        become_worker(hire, command.at, log.at);
    if (out->pid < 0)
        status = td_diag_errno(diag, TD_E_SYSTEM, "cannot start a worker");
    command_fini(&command);
    td_text_fini(&log);
    return status;
}

/* ---- ending ---- */

bool cam_worker_ended(cam_worker *h, int *status)
{
    if (h->pid <= 0 || waitpid(h->pid, status, WNOHANG) != h->pid)
        return false;
    h->pid = 0;
    return true;
}

void cam_worker_said(const cam_hire *hire, const cam_worker *h, td_text *out)
{
    static const char prefix[] = "treadle: ";
    char line[512] = "";
    td_text path = {0};
    log_path(hire, h->worker, &path);
    FILE *log = fopen(path.at, "re");
    if (log && fgets(line, sizeof line, log)) {
        bool is_ours = strncmp(line, prefix, strlen(prefix)) == 0;
        line[strcspn(line, "\n")] = '\0';
        rep_put_clean(out, line + (is_ours ? strlen(prefix) : 0));
    }
    if (log)
        fclose(log);
    td_text_fini(&path);
}

void cam_workers_stop(cam_worker_vec *hands, enum cam_leave how)
{
    const struct timespec moment = {.tv_nsec = 2000000};
    int status;
    for (size_t i = 0; i < hands->len && how == CAM_LEAVE_TOLD; i++)
        if (hands->at[i].pid > 0)
            kill(hands->at[i].pid, SIGTERM);
    for (size_t i = 0, n = 0; i < hands->len; i++) {
        cam_worker *h = &hands->at[i];
        while (h->pid > 0 && !cam_worker_ended(h, &status) && n++ < STOP_LOOKS)
            nanosleep(&moment, NULL);
        if (h->pid <= 0)
            continue;
        kill(h->pid, SIGKILL);
        waitpid(h->pid, NULL, 0);
        h->pid = 0;
    }
}
