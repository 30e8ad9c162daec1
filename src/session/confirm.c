/* SPDX-License-Identifier: Apache-2.0 */
#include "session/session_int.h"

#include <inttypes.h>

/* Findings of one run that are looked at. */
#define MAX_FINDINGS 16u

/* ---- what is known ---- */

/* Hangs of one function are one finding: a loop is seen on any of its lines. */
static bool is_alike(const det_finding *a, const det_finding *b)
{
    if (a->kind == DET_HANG && b->kind == DET_HANG && a->function && b->function)
        return strcmp(a->function, b->function) == 0;
    return strcmp(a->id, b->id) == 0;
}

static bool is_known(const ses *s, const det_finding *f)
{
    for (size_t i = 0; i < s->result->findings.len; i++)
        if (is_alike(&s->result->findings.at[i], f))
            return true;
    return false;
}

static ses_doubt *doubt_of(ses *s, const char *id)
{
    for (size_t i = 0; i < s->doubts.len; i++)
        if (strcmp(s->doubts.at[i].id, id) == 0)
            return &s->doubts.at[i];
    ses_doubt fresh = {0};
    memcpy(fresh.id, id, sizeof fresh.id);
    ses_doubt_vec_push(&s->doubts, fresh);
    return &s->doubts.at[s->doubts.len - 1];
}

static bool is_new(ses *s, const det_finding *f)
{
    return !is_known(s, f) && doubt_of(s, f->id)->n_tries < SES_TRIES;
}

/* ---- schedules ---- */

void ses_schedule(const trc *t, const det_finding *f, trc_step_vec *out)
{
    if (f->fail >= t->fails.len) {
        trc_schedule(t, out);
        return;
    }
    uint32_t end = t->fails.at[f->fail].after_op, n_choices = 0;
    for (size_t i = 0; i < t->ops.len && i < end; i++)
        n_choices += trc_is_choice(&t->ops.at[i]);
    trc_schedule_prefix(t, n_choices, out);
}

uint32_t ses_replay_flags(det_kind kind, bool race_on)
{
    /* A loop without end has no end of plain accesses either. */
    uint32_t flags = WIRE_JOB_WAKE | (kind == DET_HANG ? 0 : WIRE_JOB_DETAIL);
    if (kind == DET_EXIT)
        flags |= WIRE_JOB_EXIT_CODE;
    if (race_on)
        flags |= WIRE_JOB_RACE_ON;
    return flags;
}

/* ---- writing it down ---- */

/* What makes the keys of inputs mean the same again. */
static void recording_given(const run_given *given, sto_recording *r)
{
    for (uint32_t i = 0; i < given->n_args; i++) {
        td_text text = {0};
        run_given_print(&given->args[i], &text);
        sto_text_vec_push(&r->sym_args, td_strdup(text.at));
        td_text_fini(&text);
    }
    r->sym_stdin = given->stdin_bytes;
}

static void recording_fill(ses *s, const det_finding *f, const trc_step_vec *schedule,
                           const trc *t, sto_recording *r)
{
    char *const *argv = s->opts->argv;
    *r = (sto_recording){
        .version = td_strdup(s->opts->version),
        .program = td_strdup(argv[0]),
        .build_id = td_strdup(trc_build_id(s->exec->sites(s->run))),
        .fail_kind = td_strdup(det_kind_id(f->kind)),
        .fail_file = td_strdup(f->file ? f->file : ""),
        .fail_line = f->line,
        .fail_function = td_strdup(f->function ? f->function : ""),
        .message = td_strdup(f->message ? f->message : ""),
    };
    for (size_t i = 1; argv[i]; i++)
        sto_text_vec_push(&r->args, td_strdup(argv[i]));
    recording_given(&s->opts->given, r);
    ses_inputs_record(t, r);
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

static void report(ses *s, const det_finding *f, const trc *t, ses_told *told,
                   const sto_recording *recording, const char *path)
{
    rep_finding what = {.finding = f,
                        .run = t,
                        .sites = s->exec->sites(s->run),
                        .inputs = ses_told_view(told),
                        .decisions = ses_told_decisions(told),
                        .recording = path,
                        .recording_bytes = recording_bytes(recording)};
    td_text text = {0};
    rep_finding_text(&what, &s->opts->report, &text);
    fwrite(text.at, 1, text.len, s->out);
    fflush(s->out);
    td_text_fini(&text);
}

/* Takes the finding over: stores, prints and keeps it. */
static td_status publish(ses *s, det_finding *f, const trc_step_vec *schedule,
                         const trc *t, td_diag *diag)
{
    sto_recording recording;
    ses_told told;
    recording_fill(s, f, schedule, t, &recording);
    ses_told_init(&told, t, f);
    td_text path = {0};
    td_text_add(&path, "%s/%s.treadle", sto_session_dir(s->store), f->id);
    td_status status = sto_session_finding(s->store, f, &recording, diag);
    if (status == TD_OK)
        report(s, f, t, &told, &recording, path.at);
    sto_recording_fini(&recording);
    ses_told_forget_run(&told);

    ses_finding_vec_push(&s->result->findings, *f);
    ses_text_vec_push(&s->result->recordings, path.at);
    ses_told_vec_push(&s->result->told, told);
    if (!s->opts->keep_going)
        s->stop = SES_STOP_BUG;
    return status;
}

static void say_bug(ses *s, const det_finding *f, unsigned n_shown)
{
    ses_say(s, "BUG in run %" PRIu64 " (%.2f s); replayed %u of %u", f->run,
            (double)ses_elapsed_ms(s) / 1000, n_shown, SES_CONFIRMATIONS);
}

/* ---- runs that differ ---- */

/* Something outside the schedule had a hand in the run: the kernel's state, or time. */
static bool is_explained(const trc *t)
{
    for (size_t i = 0; i < t->fails.len; i++)
        if (t->fails.at[i].kind == WIRE_FAIL_HANG)
            return true;
    return t->gaps.len > 0;
}

td_status ses_differ(ses *s, const trc *expected, const trc *seen, td_diag *diag)
{
    bool explained = is_explained(expected) || is_explained(seen);
    if (explained && ses_trc_same(expected, seen))
        return TD_OK;
    if (explained) {
        det_ledger_add(&s->ledger, "not repeatable", "", 0,
                       "two runs of one schedule differ");
        return TD_OK;
    }
    det_finding f = {0};
    det_nondet(expected, seen, s->exec->sites(s->run), &f);
    if (is_known(s, &f)) {
        det_finding_fini(&f);
        return TD_OK;
    }
    f.run = s->census.n_runs;
    ses_say(s, "run %" PRIu64 " went another way when it was repeated", f.run);
    trc_step_vec schedule = {0};
    trc_schedule(expected, &schedule);
    td_status status = publish(s, &f, &schedule, seen, diag);
    trc_step_vec_fini(&schedule);
    return status;
}

/* ---- confirming ---- */

/* A replay of a hang may stop on any line, in any function of its loop. */
static bool is_same(const det_finding *a, const det_finding *b)
{
    if (a->kind == DET_HANG)
        return b->kind == DET_HANG && a->thread == b->thread;
    return strcmp(a->id, b->id) == 0;
}

/* The same name and place for both. */
static void place_copy(det_finding *to, const det_finding *from)
{
    td_free(to->file);
    td_free(to->function);
    td_free(to->message);
    memcpy(to->id, from->id, sizeof to->id);
    to->file = from->file ? td_strdup(from->file) : NULL;
    to->function = from->function ? td_strdup(from->function) : NULL;
    to->message = from->message ? td_strdup(from->message) : NULL;
    to->line = from->line;
}

/* Moves the finding that is the wanted one out of the run's findings. */
static bool find_same(ses *s, const trc *t, const det_finding *wanted, det_finding *out)
{
    det_finding all[MAX_FINDINGS];
    size_t n = det_findings(t, s->exec->sites(s->run), all, MAX_FINDINGS);
    bool found = false;
    for (size_t i = 0; i < n; i++) {
        if (!found && is_same(wanted, &all[i])) {
            *out = all[i];
            found = true;
        } else {
            det_finding_fini(&all[i]);
        }
    }
    return found;
}

static td_status on_unconfirmed(ses *s, const det_finding *f, const trc *original,
                                const trc *replayed, td_diag *diag)
{
    doubt_of(s, f->id)->n_tries++;
    bool explained = !replayed || is_explained(original) || is_explained(replayed);
    if (!explained)
        return ses_differ(s, original, replayed, diag);
    det_ledger_add(&s->ledger, "not reproduced", f->file ? f->file : "", f->line,
                   f->message ? f->message : "");
    return TD_OK;
}

/* The replays of one finding. */
typedef struct attempt {
    trc_step_vec schedule;
    trc_chosen_vec inputs;
    unsigned n_shown;  /* replays that failed the same way, before the first other one */
    det_finding shown; /* as the last replay showed it */
    trc *last;         /* the last replay, NULL if it was lost */
} attempt;

static td_status replay(ses *s, const det_finding *f, attempt *a, td_diag *diag)
{
    /* A later race of a run shows only if the earlier ones do not end it; any other
     * failure has all races of the run before it. */
    bool race_on = f->kind != DET_RACE || f->fail > 0;
    run_request request = {.policy = WIRE_POLICY_FIRST,
                           .flags = ses_replay_flags(f->kind, race_on),
                           .steps = a->schedule.at,
                           .n_steps = a->schedule.len,
                           .inputs = a->inputs.at,
                           .n_inputs = a->inputs.len};
    for (a->n_shown = 0; a->n_shown < SES_CONFIRMATIONS; a->n_shown++) {
        TD_TRY(ses_execute(s, request, &a->last, diag));
        det_finding_fini(&a->shown);
        a->shown = (det_finding){0};
        if (!a->last || !find_same(s, a->last, f, &a->shown))
            return TD_OK;
    }
    return TD_OK;
}

static td_status confirm(ses *s, const det_finding *f, const trc *original, td_diag *diag)
{
    attempt a = {0};
    ses_schedule(original, f, &a.schedule);
    ses_inputs(original, &a.inputs);
    td_status status = replay(s, f, &a, diag);
    if (status == TD_OK && a.n_shown == SES_CONFIRMATIONS) {
        a.shown.run = f->run;
        place_copy(&a.shown, f);
        say_bug(s, &a.shown, a.n_shown);
        status = publish(s, &a.shown, &a.schedule, a.last, diag);
    } else {
        if (status == TD_OK)
            status = on_unconfirmed(s, f, original, a.last, diag);
        det_finding_fini(&a.shown);
    }
    trc_step_vec_fini(&a.schedule);
    trc_chosen_vec_fini(&a.inputs);
    return status;
}

static td_status confirm_new(ses *s, const det_finding *all, size_t n, const trc *t,
                             td_diag *diag)
{
    trc original;
    ses_trc_copy(&original, t);
    td_status status = ses_drain(s, diag);
    for (size_t i = 0; status == TD_OK && s->stop == SES_GO && i < n; i++)
        if (is_new(s, &all[i]))
            status = confirm(s, &all[i], &original, diag);
    trc_fini(&original);
    return status;
}

td_status ses_findings(ses *s, const trc *t, td_diag *diag)
{
    if (t->inputs.len > s->result->inputs)
        s->result->inputs = t->inputs.len;
    if (t->fails.len == 0 && !trc_is_stuck(t))
        return TD_OK;
    det_finding all[MAX_FINDINGS];
    size_t n = det_findings(t, s->exec->sites(s->run), all, MAX_FINDINGS);
    bool any_new = false;
    for (size_t i = 0; i < n; i++) {
        all[i].run = s->census.n_runs;
        any_new |= is_new(s, &all[i]);
    }
    td_status status = any_new ? confirm_new(s, all, n, t, diag) : TD_OK;
    for (size_t i = 0; i < n; i++)
        det_finding_fini(&all[i]);
    return status;
}
