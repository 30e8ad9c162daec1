/* SPDX-License-Identifier: Apache-2.0 */
/* The processes that a leader starts to work beside it: the same command, told where to join. */
#include "session/session_int.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_FAILED 3u    /* times that a worker gives up, until nobody takes its place */
#define STOP_LOOKS 2000u /* of 2 ms, until a worker is ended that does not end */

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
static void add_options(const ses *s, word_vec *out)
{
    const char *at = s->opts->words;
    while (at && *at) {
        size_t n = strcspn(at, "\n");
        add_word(out, "%.*s", (int)n, at);
        at += n + (at[n] == '\n');
    }
}

static void command_of(const ses *s, uint64_t worker, word_vec *out)
{
    const ses_team *t = &s->team;
    const char *farm = s->opts->farm;
    add_word(out, "%s", s->opts->self);
    add_word(out, "run");
    if (farm)
        add_word(out, "--join=%s", farm);
    else
        add_word(out, "--join=%s/session.db", t->dir);
    add_word(out, "--worker=%" PRIu64, worker);
    add_word(out, "--out=%s/workers/%" PRIu64, t->dir, worker);
    add_word(out, "--jobs=1");
    add_word(out, "--no-known");
    add_word(out, "--quiet");
    add_options(s, out);
    add_word(out, "--");
    for (size_t i = 0; s->opts->argv[i]; i++)
        add_word(out, "%s", s->opts->argv[i]);
}

/* In the child. Nothing of ours may stay open but what exec closes. */
static _Noreturn void become_worker(const ses *s, char **command, const char *log)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int err = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, &s->signals_before, NULL);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(err >= 0 ? err : null, STDERR_FILENO);
    execv("/proc/self/exe", command);
    _exit(127);
}

static td_status start_one(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    ses_hand hand = {0};
    word_vec command = {0};
    td_text log = {0}, name = {0};
    td_text_add(&name, "worker %zu", t->crew.len + 1);
    td_status status = sto_link_join(t->link, name.at, &hand.worker, diag);
    td_text_fini(&name);
    TD_TRY(status);
    command_of(s, hand.worker, &command);
    word_vec_push(&command, NULL);
    td_text_add(&log, "%s/workers/%" PRIu64 ".log", t->dir, hand.worker);
    fflush(NULL);
    hand.pid = fork();
    if (hand.pid == 0)
        become_worker(s, command.at, log.at);
    if (hand.pid < 0)
        status = td_diag_errno(diag, TD_E_SYSTEM, "cannot start a worker");
    else
        ses_hand_vec_push(&t->crew, hand);
    for (size_t i = 0; i < command.len; i++)
        td_free(command.at[i]);
    word_vec_fini(&command);
    td_text_fini(&log);
    return status;
}

td_status ses_crew_start(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    td_text dir = {0};
    if (s->opts->jobs < 2 || !s->opts->self)
        return TD_OK;
    td_text_add(&dir, "%s/workers", t->dir);
    if (mkdir(dir.at, 0777) != 0 && errno != EEXIST) {
        td_status status =
            td_diag_errno(diag, TD_E_SYSTEM, "cannot make the directory '%s'", dir.at);
        td_text_fini(&dir);
        return status;
    }
    td_text_fini(&dir);
    ses_say(s, "%u workers from here on", s->opts->jobs);
    while (t->crew.len + 1 < s->opts->jobs)
        TD_TRY(start_one(s, diag));
    return TD_OK;
}

/* Somebody else takes the place of a worker that died or gave up. */
static td_status replace(ses *s, size_t i, uint32_t n_failed, td_diag *diag)
{
    ses_team *t = &s->team;
    TD_TRY(start_one(s, diag));
    t->crew.at[i] = ses_hand_vec_pop(&t->crew);
    t->crew.at[i].n_failed = n_failed;
    return TD_OK;
}

/* Those who died lose their items to others and are replaced; those who are done are not. */
td_status ses_crew_look(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    size_t n = t->crew.len;
    for (size_t i = 0; i < n; i++) {
        int status = 0;
        ses_hand h = t->crew.at[i];
        if (h.pid == 0 || waitpid(h.pid, &status, WNOHANG) != h.pid)
            continue;
        t->crew.at[i].pid = 0;
        TD_TRY(sto_worker_gone(t->link, h.worker, diag));
        bool failed = WIFEXITED(status) && WEXITSTATUS(status) != 0;
        if (failed && h.n_failed >= MAX_FAILED)
            ses_say(s, "a worker gave up: see %s/workers/%" PRIu64 ".log", t->dir,
                    h.worker);
        else if (failed || WIFSIGNALED(status))
            TD_TRY(replace(s, i, h.n_failed + failed, diag));
    }
    return TD_OK;
}

static bool is_gone(ses_hand *h)
{
    if (h->pid > 0 && waitpid(h->pid, NULL, WNOHANG) != h->pid)
        return false;
    h->pid = 0;
    return true;
}

/* They have their last word; whoever does not come to an end is ended. */
void ses_crew_stop(ses *s)
{
    ses_team *t = &s->team;
    const struct timespec moment = {.tv_nsec = 2000000};
    for (size_t i = 0; i < t->crew.len && !t->is_over; i++)
        if (t->crew.at[i].pid > 0)
            kill(t->crew.at[i].pid, SIGTERM);
    for (size_t i = 0, n = 0; i < t->crew.len; i++) {
        while (!is_gone(&t->crew.at[i]) && n++ < STOP_LOOKS)
            nanosleep(&moment, NULL);
        if (t->crew.at[i].pid > 0) {
            kill(t->crew.at[i].pid, SIGKILL);
            waitpid(t->crew.at[i].pid, NULL, 0);
            t->crew.at[i].pid = 0;
        }
    }
}
