/* SPDX-License-Identifier: Apache-2.0 */
/* Publishes a confirmed finding: prints its report, and saves its recording and page in the session. If they
 * cannot be saved, on a full disk, the recording goes to standard error. */
#include "session/session_int.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "report/page.h"

/* Copies the options that keys of inputs depend on. */
static void recording_given(const run_given *given, sto_recording *r)
{
    for (uint32_t i = 0; i < given->n_args; i++) {
        td_text text = {0};
        run_given_print(&given->args[i], &text);
        sto_text_vec_push(&r->sym_args, td_strdup(text.at));
        td_text_fini(&text);
    }
    r->sym_stdin = given->stdin_bytes;
    r->spurious = given->spurious;
    r->reuse = given->reuse;
    for (size_t i = 0; i < given->n_weaker; i++) {
        trc_weaker w = given->weaker[i];
        w.file = td_strdup(w.file);
        trc_weaker_vec_push(&r->weaker, w);
    }
    for (size_t i = 0; i < given->n_repairs; i++) {
        trc_repair repair;
        trc_repair_copy(&repair, &given->repairs[i]);
        trc_repair_vec_push(&r->repairs, repair);
    }
}

td_status ses_given_recorded(const sto_recording *r, char *const *argv, run_given *out,
                             td_diag *diag)
{
    out->stdin_bytes = r->sym_stdin;
    out->spurious = r->spurious;
    out->reuse = r->reuse;
    out->weaker = r->weaker.at;
    out->n_weaker = r->weaker.len;
    out->repairs = r->repairs.at;
    out->n_repairs = r->repairs.len;
    out->every_round = true; /* the recording fixes how far threads run */
    for (size_t i = 0; i < r->sym_args.len; i++)
        TD_TRY(run_given_add(out, r->sym_args.at[i], argv, diag));
    return TD_OK;
}

static void recording_fail(const det_finding *f, sto_recording *r)
{
    r->fail_kind = td_strdup(det_kind_id(f->kind));
    bool is_inside = f->user.file != NULL;
    const char *file = is_inside ? f->user.file : f->file;
    const char *function = is_inside ? f->user.function : f->function;
    r->fail_file = td_strdup(file ? file : "");
    r->fail_line = is_inside ? f->user.line : f->line;
    r->fail_function = td_strdup(function ? function : "");
    r->message = td_strdup(f->message ? f->message : "");
}

void ses_recording_fill(ses *s, const det_finding *f, const trc *t,
                        const trc_step_vec *schedule, const trc_promoted_vec *promoted,
                        sto_recording *r)
{
    char *const *argv = s->opts->argv;
    *r = (sto_recording){
        .version = td_strdup(s->opts->version),
        .program = td_strdup(argv[0]),
        .build_id = td_strdup(trc_build_id(s->exec->sites(s->run))),
        .model = s->opts->model ? td_strdup(s->opts->model) : NULL,
    };
    if (f)
        recording_fail(f, r);
    for (size_t i = 1; argv[i]; i++)
        sto_text_vec_push(&r->args, td_strdup(argv[i]));
    recording_given(&s->opts->given, r);
    ses_inputs_record(t, r);
    ses_promoted_record(s->exec->sites(s->run), promoted, r);
    trc_step_vec_append(&r->schedule, schedule->at, schedule->len);
}

static size_t recording_bytes(const sto_recording *r)
{
    td_text text = {0};
    sto_recording_print(r, &text);
    size_t n = text.len;
    td_text_fini(&text);
    return n;
}

/* Converts the finding for report/. */
static rep_finding as_shown(ses *s, const det_finding *f, const ses_shown *how,
                            ses_shown_inputs *inputs)
{
    return (rep_finding){.finding = f,
                         .run = how->t,
                         .sites = s->exec->sites(s->run),
                         .inputs = ses_shown_inputs_view(inputs),
                         .decisions = ses_shown_inputs_decisions(inputs),
                         .args = ses_shown_inputs_args(inputs),
                         .no_return = how->no_return,
                         .cause = how->cause,
                         .cut_ms = how->cut_ms,
                         .model = xpl_strongest_model(how->t),
                         .weaker = s->opts->given.weaker,
                         .n_weaker = s->opts->given.n_weaker};
}

/* Stores the finding with its page as JSON. is_last: the page is final. */
static td_status store(ses *s, const rep_finding *what, const sto_recording *r,
                       bool is_last, td_diag *diag)
{
    rep_page page;
    td_text schedule = {0}, json = {0};
    const char *slash = strrchr(what->recording, '/');
    sto_schedule_print(&r->schedule, &schedule);
    rep_page_about about = {.program = r->program,
                            .version = r->version,
                            .recording = slash + 1,
                            .schedule = schedule.at,
                            .args = (const char *const *)s->opts->argv + 1};
    rep_page_make(what, &about, &page);
    rep_page_print(&page, &json);
    td_status status = sto_session_finding(s->store, what->finding, r, json.at, diag);
    if (is_last && ses_is_shared(s))
        s->opts->sharing->found(s->sharer, what->finding, r, json.at);
    rep_page_fini(&page);
    td_text_fini(&schedule);
    td_text_fini(&json);
    return status;
}

/* Everything that is recorded and reported about a finding. */
typedef struct telling {
    sto_recording recording;
    ses_shown_inputs shown_inputs;
    td_text path;
    rep_finding what; /* points into the members above */
} telling;

static void telling_init(ses *s, const det_finding *f, const ses_shown *how, telling *x)
{
    TD_ASSERT(f->id[0] && how->t && how->schedule && how->promoted);
    TD_ASSERT(!ses_has_finding(s, f->id));
    *x = (telling){0};
    ses_recording_fill(s, f, how->t, how->schedule, how->promoted, &x->recording);
    ses_cause_record(s->exec->sites(s->run), how->no_return, how->cause, &x->recording);
    ses_shown_inputs_init(&x->shown_inputs, how->t, f,
                          &(ses_words){s->opts->argv, &s->opts->given,
                                       s->exec->sites(s->run)});
    td_text_add(&x->path, "%s/%s.treadle", sto_session_dir(s->store), f->id);
    x->what = as_shown(s, f, how, &x->shown_inputs);
    x->what.recording = x->path.at;
    x->what.recording_bytes = recording_bytes(&x->recording);
}

/* ---- a finding that is being explained ---- */

/* What a result needs of a finding whose report is text. */
static det_finding summary_of(const det_finding *f)
{
    det_finding out = {.kind = f->kind,
                       .line = f->line,
                       .thread = f->thread,
                       .fail = f->fail,
                       .run = f->run,
                       .preemptions = f->preemptions,
                       .file = f->file ? td_strdup(f->file) : NULL,
                       .function = f->function ? td_strdup(f->function) : NULL,
                       .message = f->message ? td_strdup(f->message) : NULL};
    memcpy(out.id, f->id, sizeof out.id);
    memcpy(out.key, f->key, sizeof out.key);
    return out;
}

/* There is no file with it: whoever wants to replay the finding can make one. */
static void print_recording(const det_finding *f, const sto_recording *r, const char *why)
{
    td_text text = {0};
    sto_recording_print(r, &text);
    fprintf(stderr,
            "treadle: cannot store the recording of %s: %s\n"
            "treadle: it follows; save the lines between the marks for 'treadle replay'\n"
            "----- %s.treadle -----\n%s----- end -----\n",
            f->id, why, f->id, text.at);
    fflush(stderr);
    td_text_fini(&text);
}

/* ---- storing and printing ---- */

td_status ses_keep(ses *s, const det_finding *f, const ses_shown *how, td_diag *diag)
{
    telling x;
    td_text text = {0};
    telling_init(s, f, how, &x);
    rep_finding_text(&x.what, &s->opts->report, &text);
    ses_pending_drop(s);
    s->pending = (ses_pending){.finding = summary_of(f),
                               .path = td_strdup(x.path.at),
                               .text = text.at};
    td_status status = store(s, &x.what, &x.recording, false, diag);
    sto_recording_fini(&x.recording);
    ses_shown_inputs_fini(&x.shown_inputs);
    td_text_fini(&x.path);
    return status;
}

td_status ses_forget(ses *s, const det_finding *f, td_diag *diag)
{
    TD_ASSERT(!ses_has_finding(s, f->id));
    ses_pending_drop(s);
    return sto_session_forget(s->store, f->id, diag);
}

td_status ses_publish(ses *s, det_finding *f, const ses_shown *how, td_diag *diag)
{
    telling x;
    telling_init(s, f, how, &x);
    td_text text = {0};
    td_diag why = {0};
    bool goes_on = ses_goes_on_after(s, f, how->t);
    rep_finding_text(&x.what, &s->opts->report, &text);
    bool is_last =
        !goes_on && !s->opts->keep_going && f->kind != DET_NONDET && !f->library;
    bool is_printed = ses_report_print(s, text.at, is_last);
    s->unprinted = is_printed ? NULL : text.at;
    ses_pending_drop(s);
    td_status status = store(s, &x.what, &x.recording, true, &why);
    if (status != TD_OK) {
        print_recording(f, &x.recording, why.text);
        td_diag_set(diag, status, "%s", why.text);
    }
    if (f->kind != DET_HANG) /* known by its function */
        rep_finding_settle(&x.what, f);
    sto_recording_fini(&x.recording);
    ses_shown_inputs_forget_run(&x.shown_inputs);

    ses_finding_vec_push(&s->result->findings, *f);
    ses_text_vec_push(&s->result->recordings, x.path.at);
    ses_shown_inputs_vec_push(&s->result->shown_inputs, x.shown_inputs);
    TD_ASSERT(s->result->shown_inputs.len == s->result->findings.len);
    ses_report_add(s, how, text.at, is_printed);
    s->unprinted = NULL;
    /* Do not stop here if the program is nondeterministic, or if this is a bug of the library. */
    if (is_last)
        s->stop = SES_STOP_BUG;
    return status;
}
