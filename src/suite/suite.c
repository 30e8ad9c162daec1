/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the harnesses of a suite: what is started when, and what its end means. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/now.h"
#include "base/text.h"
#include "suite/suite_int.h"

#define MAX_LOG ((size_t)256 << 20) /* bytes */

TD_VEC(const char *, word_vec);

/* ---- words for the children ---- */

static const char *treadle_path(const sui *s)
{
    return s->opts->treadle ? s->opts->treadle : "/proc/self/exe";
}

static void push_texts(word_vec *words, const sto_text_vec *texts)
{
    for (size_t i = 0; i < texts->len; i++)
        word_vec_push(words, texts->at[i]);
}

/* False: the process cannot be started. */
static bool start(sui *s, sui_harness *h, word_vec *words, uint64_t most_ms)
{
    TD_ASSERT(h->pid <= 0 && s->n_running < s->jobs);
    word_vec_push(words, NULL);
    h->pid = sui_process_start(treadle_path(s), (char *const *)words->at, h);
    word_vec_fini(words);
    h->deadline_ms = td_now_ms() + most_ms + SUI_GRACE_MS;
    h->was_stopped = false;
    s->n_running += h->pid > 0;
    return h->pid > 0;
}

static bool start_check(sui *s, sui_harness *h)
{
    TD_ASSERT(h->next_known < h->known.len && h->state == SUI_WAITING);
    word_vec words = {0};
    td_text program = {0};
    td_text_add(&program, "--program=%s", h->program);
    word_vec_push(&words, "treadle");
    word_vec_push(&words, "replay");
    word_vec_push(&words, "--quiet");
    word_vec_push(&words, program.at);
    word_vec_push(&words, "--");
    word_vec_push(&words, h->known.at[h->next_known].path);
    h->state = SUI_CHECKING;
    bool started = start(s, h, &words, 0);
    td_text_fini(&program);
    return started;
}

/* What is left of the time, in equal parts for those that are not explored yet. */
static uint64_t share_of(const sui *s)
{
    uint64_t gone = td_now_ms() - s->start_ms, n = 0;
    uint64_t left = gone < s->opts->total_ms ? s->opts->total_ms - gone : 0;
    for (size_t i = 0; i < s->all.len; i++)
        n += s->all.at[i].state == SUI_WAITING || s->all.at[i].state == SUI_CHECKING;
    uint64_t share = left * s->jobs / (n > s->jobs ? n : s->jobs);
    return share > SUI_LEAST_MS ? share : SUI_LEAST_MS;
}

static bool start_explore(sui *s, sui_harness *h)
{
    TD_ASSERT(h->next_known == h->known.len && !h->replay_only);
    word_vec words = {0};
    td_text out = {0}, time = {0};
    td_text_add(&out, "--out=%s", h->dir);
    if (s->opts->total_ms)
        h->time_ms = share_of(s);
    td_text_add(&time, "--time=%" PRIu64 "ms", h->time_ms);
    word_vec_push(&words, "treadle");
    word_vec_push(&words, "run");
    word_vec_push(&words, "--no-known");
    for (size_t i = 0; i < s->opts->n_options; i++)
        word_vec_push(&words, s->opts->options[i]);
    push_texts(&words, &h->options);
    word_vec_push(&words, time.at);
    word_vec_push(&words, out.at);
    word_vec_push(&words, "--");
    word_vec_push(&words, h->program);
    push_texts(&words, &h->args);
    h->state = SUI_EXPLORING;
    bool started = start(s, h, &words, h->time_ms);
    td_text_fini(&out);
    td_text_fini(&time);
    return started;
}

/* ---- what a harness came to ---- */

/* A worse outcome counts more. */
static void worsen(sui_harness *h, sui_outcome outcome, const char *why)
{
    if (outcome >= h->outcome)
        return;
    h->outcome = outcome;
    td_free(h->why);
    h->why = why ? td_strdup(why) : NULL;
}

/* What treadle said last, without its name; belongs to the caller. */
static char *last_words(const sui_harness *h)
{
    static const char lead[] = "treadle: ";
    td_text log = {0};
    if (td_file_read(h->log, MAX_LOG, &log, NULL) != TD_OK || log.len == 0) {
        td_text_fini(&log);
        return td_strdup("it printed nothing");
    }
    while (log.len > 0 && log.at[log.len - 1] == '\n')
        log.at[--log.len] = 0;
    const char *line = strrchr(log.at, '\n');
    line = line ? line + 1 : log.at;
    if (strncmp(line, lead, sizeof lead - 1) == 0)
        line += sizeof lead - 1;
    char *copy = td_strdup(line);
    td_text_fini(&log);
    return copy;
}

static void worsen_failed(sui_harness *h, sui_outcome outcome, const sui_exit *e)
{
    char text[64];
    if (e->is_late) {
        worsen(h, outcome, "it did not finish in time and was killed");
    } else if (e->signal) {
        snprintf(text, sizeof text, "it was killed by signal %d", e->signal);
        worsen(h, outcome, text);
    } else {
        char *why = last_words(h);
        worsen(h, outcome, why);
        td_free(why);
    }
}

static void read_summary(sui_harness *h)
{
    td_diag diag = {0};
    sto_past_fini(&h->past);
    if (sto_past_read(h->dir, &h->past, &diag) != TD_OK)
        worsen(h, SUI_BROKEN, diag.text);
}

static void on_explored(sui *s, sui_harness *h, const sui_exit *e)
{
    if (e->code == 0 || e->code == 1 || e->code == 3)
        read_summary(h);
    rep_verdict v = rep_verdict_named(sto_past_fact(&h->past, "verdict"));
    if (e->code == 1 && v == REP_VERDICT_SUSPECTED)
        worsen(h, SUI_SUSPECTED, sto_past_fact(&h->past, "stopped"));
    else if (e->code == 1)
        worsen(h, SUI_BUG, NULL);
    else if (s->interrupted)
        worsen(h, SUI_STOPPED, "stopped by the user");
    else if (e->code == 3 && !e->is_late && v == REP_VERDICT_NOTHING)
        worsen(h, SUI_NOTHING, rep_verdict_of(v)->clause);
    else if (e->code == 3 && !e->is_late)
        worsen(h, SUI_INCOMPLETE, sto_past_fact(&h->past, "stopped"));
    else if (e->code == 2)
        worsen_failed(h, SUI_NOT_STARTED, e);
    else if (e->code != 0)
        worsen_failed(h, SUI_BROKEN, e);
}

static void on_checked(sui *s, sui_harness *h, const sui_exit *e)
{
    TD_ASSERT(h->next_known < h->known.len);
    sui_known *k = &h->known.at[h->next_known++];
    if (e->code == 1)
        k->state = SUI_FAILS;
    else if (e->code == 4)
        k->state = SUI_LEFT;
    else if (e->code == 0)
        k->state = SUI_PASSES;
    else if (!s->interrupted)
        k->state = SUI_UNREADABLE;
    TD_ASSERT(!k->why);
    if (k->state == SUI_UNREADABLE)
        k->why = e->signal || e->is_late ? td_strdup("the replay did not finish")
                                         : last_words(h);
}

/* A known bug with its own line needs no other reason. */
static void weigh_known(sui_harness *h)
{
    for (size_t i = 0; i < h->known.len; i++) {
        const sui_known *k = &h->known.at[i];
        if (k->state == SUI_FAILS)
            worsen(h, SUI_BUG, NULL);
        else if (k->state == SUI_LEFT && !k->is_bug)
            worsen(h, SUI_NOT_REPRODUCED, NULL);
        else if (k->state == SUI_UNREADABLE)
            worsen(h, SUI_UNUSABLE, NULL);
    }
}

static bool is_good(const sui_harness *h)
{
    return h->outcome == SUI_COMPLETE || h->outcome == SUI_REPLAYED ||
           (h->outcome == SUI_NOTHING && h->may_be_sequential) ||
           ((h->outcome == SUI_INCOMPLETE || h->outcome == SUI_NOTHING) &&
            h->expect != SUI_EXPECT_COMPLETE);
}

static void weigh_expected(sui_harness *h)
{
    if (h->expect != SUI_EXPECT_BUG) {
        h->is_expected = is_good(h);
        return;
    }
    h->is_expected = h->outcome == SUI_BUG;
    if (is_good(h)) {
        td_text why = {0};
        td_text_add(&why, "a bug was expected, but none was found (%s)",
                    sui_outcome_word(h->outcome));
        worsen(h, SUI_NOT_REPRODUCED, why.at);
        td_text_fini(&why);
    }
}

static void save_one(const sui *s, const sui_harness *h, const sto_found *f)
{
    td_text path = {0}, text = {0};
    td_diag diag = {0};
    char *dir = NULL;
    td_text_add(&path, "%s/%s", s->known_dir, h->name);
    td_status status = sto_dir_create(path.at, h->name, &dir, &diag);
    td_text_add(&path, "/%s.treadle", f->id);
    if (status == TD_OK && access(path.at, F_OK) != 0) {
        status = td_file_read(f->recording, MAX_LOG, &text, &diag);
        if (status == TD_OK)
            status = td_file_replace(path.at, text.at, text.len, &diag);
    }
    if (status != TD_OK)
        fprintf(s->err, "treadle: %s\n", diag.text);
    td_free(dir);
    td_text_fini(&path);
    td_text_fini(&text);
}

static void conclude(sui *s, sui_harness *h)
{
    TD_ASSERT(h->state != SUI_ENDED && h->pid <= 0);
    h->state = SUI_ENDED;
    weigh_known(h);
    weigh_expected(h);
    if (h->start_ms)
        h->seconds = (double)(td_now_ms() - h->start_ms) / 1000;
    for (size_t i = 0; s->opts->save && i < h->past.findings.len; i++)
        save_one(s, h, &h->past.findings.at[i]);
    sui_say_harness(s, h);
}

/* ---- one step of a harness ---- */

static void start_first(sui_harness *h)
{
    h->start_ms = td_now_ms();
    unlink(h->log);
}

/* A recording that cannot be read is not tried. */
static void skip_unreadable(sui_harness *h)
{
    while (h->next_known < h->known.len &&
           h->known.at[h->next_known].state == SUI_UNREADABLE)
        h->next_known++;
}

static void start_next(sui *s, sui_harness *h)
{
    bool started = true;
    if (!h->start_ms)
        start_first(h);
    skip_unreadable(h);
    if (h->next_known < h->known.len) {
        started = start_check(s, h);
    } else if (h->replay_only) {
        worsen(h, SUI_REPLAYED, NULL);
        if (h->needs_known && h->known.len == 0)
            worsen(h, SUI_NOT_STARTED, "it has no recording to replay");
        conclude(s, h);
    } else {
        started = start_explore(s, h);
    }
    if (!started) {
        worsen(h, SUI_BROKEN, strerror(errno));
        conclude(s, h);
    }
}

static void on_exit(sui *s, sui_harness *h, sui_exit *e)
{
    TD_ASSERT(s->n_running > 0 && h->pid > 0);
    e->is_late = h->was_stopped && !s->interrupted;
    h->pid = 0;
    s->n_running--;
    if (h->state == SUI_EXPLORING) {
        on_explored(s, h, e);
        conclude(s, h);
        return;
    }
    on_checked(s, h, e);
    h->state = SUI_WAITING;
}

/* ---- all of them ---- */

static bool is_running(const sui_harness *h)
{
    return h->state == SUI_CHECKING || h->state == SUI_EXPLORING;
}

/* Those that have begun continue before others begin. */
static sui_harness *next_waiting(sui *s)
{
    sui_harness *fresh = NULL;
    for (size_t i = 0; i < s->all.len; i++) {
        sui_harness *h = &s->all.at[i];
        if (h->state == SUI_WAITING && h->start_ms)
            return h;
        if (h->state == SUI_WAITING && !fresh)
            fresh = h;
    }
    return fresh;
}

static void fill(sui *s)
{
    sui_harness *h;
    while (s->n_running < s->jobs && !s->interrupted && (h = next_waiting(s)) != NULL)
        start_next(s, h);
}

static uint64_t nearest_deadline(const sui *s)
{
    uint64_t nearest = UINT64_MAX;
    for (size_t i = 0; i < s->all.len; i++)
        if (is_running(&s->all.at[i]) && s->all.at[i].deadline_ms < nearest)
            nearest = s->all.at[i].deadline_ms;
    return nearest;
}

/* Asks the process to exit, and kills it a little later. */
static void tell(sui_harness *h)
{
    TD_ASSERT(h->pid > 0);
    if (h->was_stopped)
        sui_process_kill(h->pid);
    else
        sui_process_end(h->pid);
    h->was_stopped = true;
    h->deadline_ms = td_now_ms() + SUI_END_MS;
}

static void tell_all(sui *s)
{
    s->interrupted = true;
    for (size_t i = 0; i < s->all.len; i++)
        if (is_running(&s->all.at[i]))
            tell(&s->all.at[i]);
}

static void look_at_all(sui *s)
{
    uint64_t now = td_now_ms();
    for (size_t i = 0; i < s->all.len; i++) {
        sui_harness *h = &s->all.at[i];
        sui_exit e = {0};
        if (!is_running(h))
            continue;
        if (sui_process_reap(h->pid, &e))
            on_exit(s, h, &e);
        else if (now >= h->deadline_ms)
            tell(h);
    }
}

static void loop(sui *s)
{
    fill(s);
    while (s->n_running > 0) {
        if (sui_wait(nearest_deadline(s)) == SUI_WAKE_STOP)
            tell_all(s);
        look_at_all(s);
        fill(s);
    }
    TD_ASSERT(s->n_running == 0);
    for (size_t i = 0; i < s->all.len; i++)
        if (s->all.at[i].state != SUI_ENDED) {
            worsen(&s->all.at[i], SUI_STOPPED, "stopped by the user");
            conclude(s, &s->all.at[i]);
        }
}

static td_status prepare(sui *s, td_diag *diag)
{
    TD_TRY(sui_plan(s, diag));
    TD_TRY(sto_dir_create(s->opts->out_dir, "test", &s->dir, diag));
    for (size_t i = 0; i < s->all.len; i++) {
        sui_harness *h = &s->all.at[i];
        td_text text = {0};
        td_text_add(&text, "%s/%s", s->dir, h->name);
        TD_TRY(sto_dir_create(text.at, h->name, &h->dir, diag));
        td_text_add(&text, "/log");
        h->log = text.at;
        h->outcome = SUI_COMPLETE;
    }
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    s->jobs = s->opts->jobs ? s->opts->jobs : n > 0 ? (uint32_t)n : 1;
    return TD_OK;
}

static sui_outcome worst_of(const sui *s)
{
    sui_outcome worst = SUI_COMPLETE;
    for (size_t i = 0; i < s->all.len; i++)
        if (!s->all.at[i].is_expected && s->all.at[i].outcome < worst)
            worst = s->all.at[i].outcome;
    return worst;
}

td_status sui_run(const sui_opts *opts, sui_outcome *out, td_diag *diag)
{
    TD_ASSERT(opts->path);
    sui s = {.opts = opts,
             .out = opts->out ? opts->out : stdout,
             .err = opts->err ? opts->err : stderr};
    td_status status = prepare(&s, diag);
    if (status == TD_OK) {
        sigset_t before;
        sui_signals_hold(&before);
        sui_say_start(&s);
        s.start_ms = td_now_ms();
        loop(&s);
        *out = worst_of(&s);
        sui_say_end(&s, *out);
        if (opts->junit)
            status = sui_write_junit(&s, diag);
        sui_signals_release(&before);
    }
    sui_plan_fini(&s);
    return status;
}
