/* SPDX-License-Identifier: Apache-2.0 */
#include "session/session_int.h"

#include <inttypes.h>

#include "report/page.h"

/* Findings of one run that are looked at. */

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
    return !is_known(s, f) && !ses_hush(s, f) && doubt_of(s, f->id)->n_tries < SES_TRIES;
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

uint32_t ses_replay_flags(det_kind kind)
{
    /* A loop without end has no end of plain accesses either. Another thread may have failed on
     * the way. */
    uint32_t detail = WIRE_JOB_DETAIL | WIRE_JOB_STACKS;
    uint32_t flags = WIRE_JOB_WAKE | WIRE_JOB_STAND | (kind == DET_HANG ? 0 : detail);
    if (kind == DET_EXIT)
        flags |= WIRE_JOB_EXIT_CODE;
    if (kind == DET_LEAK)
        flags |= WIRE_JOB_LEAKS;
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
    r->spurious = given->spurious;
    r->reuse = given->reuse;
}

static void recording_fail(const det_finding *f, sto_recording *r)
{
    r->fail_kind = td_strdup(det_kind_id(f->kind));
    r->fail_file = td_strdup(f->file ? f->file : "");
    r->fail_line = f->line;
    r->fail_function = td_strdup(f->function ? f->function : "");
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

/* A run that shows a finding, and how to repeat it. */
typedef struct shown_run {
    const trc *t;
    const trc_step_vec *schedule;
    const trc_promoted_vec *promoted;
    uint32_t doom; /* ses_attempt.doom */
} shown_run;

static size_t recording_bytes(const sto_recording *r)
{
    td_text text = {0};
    sto_recording_print(r, &text);
    size_t n = text.len;
    td_text_fini(&text);
    return n;
}

/* The finding as report/ wants it. */
static rep_finding as_told(ses *s, const det_finding *f, const shown_run *how,
                           ses_told *told)
{
    return (rep_finding){.finding = f,
                         .run = how->t,
                         .sites = s->exec->sites(s->run),
                         .inputs = ses_told_view(told),
                         .decisions = ses_told_decisions(told),
                         .args = ses_told_args(told),
                         .doom = how->doom};
}

static void report(ses *s, const rep_finding *what)
{
    td_text text = {0};
    rep_finding_text(what, &s->opts->report, &text);
    fwrite(text.at, 1, text.len, s->out);
    fflush(s->out);
    td_text_fini(&text);
}

/* With its page, as JSON. */
static td_status store(ses *s, const rep_finding *what, const sto_recording *r,
                       td_diag *diag)
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
    ses_team_tell(s, what->finding, r, json.at);
    rep_page_fini(&page);
    td_text_fini(&schedule);
    td_text_fini(&json);
    return status;
}

static td_status publish(ses *s, det_finding *f, const shown_run *how, td_diag *diag)
{
    sto_recording recording;
    ses_told told;
    td_text path = {0};
    ses_recording_fill(s, f, how->t, how->schedule, how->promoted, &recording);
    ses_told_init(&told, how->t, f, &(ses_words){s->opts->argv, &s->opts->given});
    td_text_add(&path, "%s/%s.treadle", sto_session_dir(s->store), f->id);
    rep_finding what = as_told(s, f, how, &told);
    what.recording = path.at;
    what.recording_bytes = recording_bytes(&recording);
    td_status status = store(s, &what, &recording, diag);
    if (status == TD_OK)
        report(s, &what);
    sto_recording_fini(&recording);
    ses_told_forget_run(&told);

    ses_finding_vec_push(&s->result->findings, *f);
    ses_text_vec_push(&s->result->recordings, path.at);
    ses_told_vec_push(&s->result->told, told);
    /* Other findings are worth as much if the program does not repeat itself. */
    if (!s->opts->keep_going && f->kind != DET_NONDET)
        s->stop = SES_STOP_BUG;
    return status;
}

td_status ses_publish(ses *s, det_finding *f, const trc *t, const trc_step_vec *schedule,
                      const trc_promoted_vec *promoted, td_diag *diag)
{
    shown_run how = {t, schedule, promoted, 0};
    return publish(s, f, &how, diag);
}

static void say_bug(ses *s, const det_finding *f, unsigned n_shown, uint32_t n_first)
{
    td_text shrunk = {0};
    if (f->preemptions < n_first)
        td_text_add(&shrunk, "reduced from %u preemption%s to %u; ", n_first,
                    n_first == 1 ? "" : "s", f->preemptions);
    ses_say(s, "BUG in run %" PRIu64 " (%.2f s); %sreplayed %u of %u", f->run,
            (double)ses_elapsed_ms(s) / 1000, shrunk.len > 0 ? shrunk.at : "", n_shown,
            SES_CONFIRMATIONS);
    td_text_fini(&shrunk);
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
    ses_say(s, "run %" PRIu64 " diverged when repeated", f.run);
    trc_step_vec schedule = {0};
    trc_schedule(expected, &schedule);
    shown_run how = {seen, &schedule, &s->promoted, 0};
    td_status status = publish(s, &f, &how, diag);
    trc_step_vec_fini(&schedule);
    return status;
}

/* ---- confirming ---- */

/* A replay of a hang may stop on any line, in any function of its loop. Which call led to a crash
 * inside a library is a guess, which may be another one where more is told. */
static bool is_place_a_guess(const det_finding *a, const det_finding *b)
{
    return a->kind == DET_HANG ||
           (a->kind == DET_CRASH && (a->line == 0 || b->line == 0));
}

static bool is_same(const det_finding *a, const det_finding *b)
{
    if (is_place_a_guess(a, b))
        return b->kind == a->kind && a->thread == b->thread;
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

bool ses_find_same(ses *s, const trc *t, const det_finding *wanted, det_finding *out)
{
    det_finding_vec all = {0};
    det_findings(t, s->exec->sites(s->run), &all);
    size_t i = 0;
    while (i < all.len && !is_same(wanted, &all.at[i]))
        i++;
    bool found = i < all.len;
    if (found) {
        *out = all.at[i];
        all.at[i] = (det_finding){0};
    }
    det_findings_fini(&all);
    return found;
}

/* A replay asks for more than the run did, and has fewer steps: only the same job again tells
 * whether the program repeats itself. */
static td_status on_unconfirmed(ses *s, const det_finding *f, const trc *original,
                                td_diag *diag)
{
    trc *again = NULL;
    doubt_of(s, f->id)->n_tries++;
    TD_TRY(ses_execute(s, ses_job_taken(s), &again, diag));
    if (again && !td_id_equal(again->records, original->records))
        return ses_differ(s, original, again, diag);
    det_ledger_add(&s->ledger, "not reproduced", f->file ? f->file : "", f->line,
                   f->message ? f->message : "");
    return TD_OK;
}

void ses_attempt_fini(ses_attempt *a)
{
    trc_step_vec_fini(&a->schedule);
    trc_chosen_vec_fini(&a->inputs);
    trc_promoted_vec_fini(&a->promoted);
    det_finding_fini(&a->shown);
}

run_request ses_attempt_request(const ses_attempt *a, uint32_t flags)
{
    return (run_request){.policy = WIRE_POLICY_FIRST,
                         .flags = flags,
                         .steps = a->schedule.at,
                         .n_steps = a->schedule.len,
                         .inputs = a->inputs.at,
                         .n_inputs = a->inputs.len,
                         .promoted = a->promoted.at,
                         .n_promoted = a->promoted.len};
}

/* When the session is to end, what was shown before is replayed once: the report needs the run. */
static td_status replay(ses *s, const det_finding *f, ses_attempt *a, td_diag *diag)
{
    run_request request = ses_attempt_request(a, ses_replay_flags(f->kind) | a->flags);
    for (a->n_shown = 0; a->n_shown < SES_CONFIRMATIONS; a->n_shown++) {
        if (a->n_shown > 0 && a->is_shown && ses_is_over(s)) {
            a->n_shown = SES_CONFIRMATIONS;
            return TD_OK;
        }
        TD_TRY(ses_execute(s, request, &a->last, diag));
        det_finding_fini(&a->shown);
        a->shown = (det_finding){0};
        if (!a->last || !ses_find_same(s, a->last, f, &a->shown))
            return TD_OK;
    }
    return TD_OK;
}

/* Whether a thread has failed before and stood there. */
static bool stands_before(const trc *t, uint32_t fail)
{
    for (uint32_t i = 0; i < t->fails.len && i < fail; i++)
        if (t->fails.at[i].kind != WIRE_FAIL_RACE)
            return true;
    return false;
}

static void attempt_init(ses *s, ses_attempt *a, const det_finding *f,
                         const trc *original)
{
    *a = (ses_attempt){0};
    ses_schedule(original, f, &a->schedule);
    ses_inputs(original, &a->inputs);
    trc_promoted_vec_append(&a->promoted, s->promoted.at, s->promoted.len);
    /* A later race of a run shows only if the earlier ones do not end it; any other
     * failure has all races of the run before it. */
    bool race_on = f->kind != DET_RACE || f->fail > 0;
    a->flags = (race_on || ses_races_go_on(s) ? WIRE_JOB_RACE_ON : 0) |
               ses_race_flags(&s->promoted) |
               (stands_before(original, f->fail) ? WIRE_JOB_STAND_ON : 0);
}

/* ---- the two accesses of a race, one after the other ---- */

/* The operation that is the earlier access of a race whose later one is operation end - 1. */
static bool find_earlier(const trc *t, const trc_fail *f, uint32_t *out)
{
    for (uint32_t i = f->after_op - 1; i-- > 0;) {
        const trc_op *op = &t->ops.at[i];
        if (op->thread != f->other_thread || op->site != f->other_site ||
            !trc_is_access(trc_turned(op)) || op->object + op->offset >= f->object + 8 ||
            f->object >= op->object + op->offset + op->n_bytes)
            continue;
        *out = i;
        return true;
    }
    return false;
}

/* The operations that are the accesses of the race. */
static bool find_pair(const trc *t, const trc_fail *f, uint32_t *first, uint32_t *second)
{
    if (f->after_op == 0)
        return false;
    const trc_op *last = &t->ops.at[f->after_op - 1];
    *second = f->after_op - 1;
    return last->thread == f->thread && last->site == f->site &&
           trc_is_access(last->kind) && find_earlier(t, f, first);
}

static bool make_operations(ses *s, const trc_fail *f, trc_promoted_vec *out)
{
    const trc_sites *sites = s->exec->sites(s->run);
    return ses_promote_site(sites, f->site, WIRE_PASSING, out) != SES_NEVER &&
           ses_promote_site(sites, f->other_site, WIRE_PASSING, out) != SES_NEVER;
}

/* The same run with the accesses of the race as operations, in passing, so that the schedule
 * stays as it is. False: they cannot be. */
static td_status make_visible(ses *s, const det_finding *f, const trc *original,
                              ses_attempt *a, trc *out, bool *possible, td_diag *diag)
{
    trc *t = NULL;
    det_finding seen = {0};
    uint32_t flags = WIRE_JOB_RACE_ON | WIRE_JOB_DETAIL | WIRE_JOB_STAND |
                     (a->flags & WIRE_JOB_STAND_ON);
    *possible = false;
    if (!make_operations(s, &original->fails.at[f->fail], &a->promoted))
        return TD_OK;
    TD_TRY(ses_execute(s, ses_attempt_request(a, flags), &t, diag));
    if (t && ses_find_same(s, t, f, &seen)) {
        trc_copy(out, t);
        /* The only one that counts. */
        out->fails.at[0] = out->fails.at[seen.fail];
        *possible = true;
    }
    det_finding_fini(&seen);
    return TD_OK;
}

/* Replays the finding with its accesses as choices, as near to each other as can be. */
static td_status replay_near(ses *s, const det_finding *f, const trc *visible,
                             ses_attempt *a, td_diag *diag)
{
    uint32_t first = 0, second = 0;
    a->flags = WIRE_JOB_RACE_ON | (a->flags & WIRE_JOB_STAND_ON);
    for (size_t i = 0; i < a->promoted.len; i++)
        a->promoted.at[i].how = WIRE_PROMOTED;
    if (!find_pair(visible, &visible->fails.at[0], &first, &second))
        return TD_OK;
    for (int how = 0; how < TRC_N_NEARNESSES && a->n_shown < SES_CONFIRMATIONS; how++)
        if (trc_schedule_near(visible, first, second, (trc_nearness)how, &a->schedule))
            TD_TRY(replay(s, f, a, diag));
    return TD_OK;
}

static td_status replay_race(ses *s, const det_finding *f, const trc *original,
                             ses_attempt *a, td_diag *diag)
{
    trc visible;
    bool possible = false;
    TD_TRY(make_visible(s, f, original, a, &visible, &possible, diag));
    if (!possible)
        return TD_OK;
    td_status status = replay_near(s, f, &visible, a, diag);
    trc_fini(&visible);
    return status;
}

/* ---- all of it ---- */

static td_status attempt_all(ses *s, const det_finding *f, const trc *original,
                             ses_attempt *a, td_diag *diag)
{
    attempt_init(s, a, f, original);
    if (f->kind == DET_RACE)
        TD_TRY(replay_race(s, f, original, a, diag));
    if (a->n_shown == SES_CONFIRMATIONS)
        return TD_OK;
    ses_attempt_fini(a);
    attempt_init(s, a, f, original);
    return replay(s, f, a, diag);
}

/* Takes a shorter schedule and smaller inputs if these replay as well as what is confirmed. */
static td_status shrink(ses *s, const det_finding *f, ses_attempt *a, td_diag *diag)
{
    ses_attempt smaller = {.flags = a->flags, .is_shown = true};
    a->is_shown = true;
    trc_step_vec_append(&smaller.schedule, a->schedule.at, a->schedule.len);
    trc_chosen_vec_append(&smaller.inputs, a->inputs.at, a->inputs.len);
    trc_promoted_vec_append(&smaller.promoted, a->promoted.at, a->promoted.len);
    td_status status = ses_shrink(s, f, &smaller, diag);
    if (status == TD_OK)
        status = ses_doom(s, f, &smaller, diag);
    if (status == TD_OK)
        status = replay(s, f, &smaller, diag);
    if (status == TD_OK && smaller.n_shown == SES_CONFIRMATIONS) {
        ses_attempt old = *a;
        *a = smaller;
        smaller = old;
    } else if (status == TD_OK) {
        status = replay(s, f, a, diag);
    }
    ses_attempt_fini(&smaller);
    return status;
}

static td_status confirm(ses *s, const det_finding *f, const trc *original, td_diag *diag)
{
    ses_attempt a = {0};
    td_status status = attempt_all(s, f, original, &a, diag);
    if (status == TD_OK && a.n_shown == SES_CONFIRMATIONS)
        status = shrink(s, f, &a, diag);
    if (status == TD_OK && a.n_shown == SES_CONFIRMATIONS) {
        a.shown.run = f->run;
        if (is_place_a_guess(f, &a.shown))
            place_copy(&a.shown, f);
        say_bug(s, &a.shown, a.n_shown, f->preemptions);
        shown_run how = {a.last, &a.schedule, &a.promoted, a.doom};
        status = publish(s, &a.shown, &how, diag);
        a.shown = (det_finding){0};
        if (status == TD_OK && f->kind != DET_HANG && !ses_is_over(s))
            status =
                ses_coverage_repeat(s, ses_attempt_request(&a, ses_replay_flags(f->kind)),
                                    diag);
    } else if (status == TD_OK) {
        status = on_unconfirmed(s, f, original, diag);
    }
    ses_attempt_fini(&a);
    return status;
}

/* ---- races that are known ---- */

static td_id pair_of(const trc_fail *f)
{
    uint32_t a = f->site, b = f->other_site;
    uint32_t pair[2] = {a < b ? a : b, a < b ? b : a};
    return td_id_hash(pair, sizeof pair);
}

static bool is_known_race(const void *ctx, const trc_fail *f)
{
    const ses *s = ctx;
    return f->kind == WIRE_FAIL_RACE && td_id_set_has(&s->known_races, pair_of(f));
}

/* Findings have names made of lines; a line may have many pairs of sites. */
static void learn_races(ses *s, const trc *t, const det_finding *all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (all[i].kind != DET_RACE || !(is_known(s, &all[i]) || ses_hush(s, &all[i])))
            continue;
        const trc_fail *f = &t->fails.at[all[i].fail];
        td_id_set_add(&s->known_races, pair_of(f));
        ses_promote_race(s, f);
    }
}

/* ---- the findings of a run ---- */

static void find_all(ses *s, const trc *t, det_finding_vec *out)
{
    det_known known = {is_known_race, s};
    det_findings_new(t, s->exec->sites(s->run), known, out);
    for (size_t i = 0; i < out->len; i++)
        out->at[i].run = s->census.n_runs;
}

static bool any_race(const det_finding_vec *f)
{
    for (size_t i = 0; i < f->len; i++)
        if (f->at[i].kind == DET_RACE)
            return true;
    return false;
}

static bool any_new(ses *s, const det_finding_vec *f)
{
    for (size_t i = 0; i < f->len; i++)
        if (is_new(s, &f->at[i]))
            return true;
    return false;
}

/* Takes over what the same run says of its races if it tells all accesses. Where sites are
 * promoted every run is exact. */
static td_status name_races(ses *s, trc *t, td_diag *diag)
{
    ses_attempt a = {0};
    trc *told = NULL;
    trc_schedule(t, &a.schedule);
    ses_inputs(t, &a.inputs);
    uint32_t flags = WIRE_JOB_DETAIL | (ses_races_go_on(s) ? WIRE_JOB_RACE_ON : 0) |
                     (s->opts->keep_going ? WIRE_JOB_STAND_ON : 0);
    td_status status = ses_execute(s, ses_attempt_request(&a, flags), &told, diag);
    for (size_t i = 0; status == TD_OK && told && i < t->fails.len; i++) {
        trc_fail *f = &t->fails.at[i];
        const trc_fail *g = i < told->fails.len ? &told->fails.at[i] : NULL;
        if (g && f->kind == WIRE_FAIL_RACE && f->kind == g->kind && f->site == g->site &&
            f->other_thread == g->other_thread && f->object == g->object)
            f->other_site = g->other_site;
    }
    ses_attempt_fini(&a);
    return status;
}

/* Whether a hang may be a loop that waits for a plain variable: it is tried again with operations. */
static bool is_of_plain_loop(ses *s, const det_finding *f)
{
    return f->kind == DET_HANG && ses_promote_hang(s, f);
}

/* The session ends before they could be replayed. */
static void note_unconfirmed(ses *s, const det_finding_vec *all)
{
    for (size_t i = 0; i < all->len; i++) {
        const det_finding *f = &all->at[i];
        if (is_new(s, f))
            det_ledger_add(&s->ledger, "not reproduced", f->file ? f->file : "", f->line,
                           f->message ? f->message : "");
    }
}

static td_status confirm_new(ses *s, det_finding_vec *all, const trc *t, td_diag *diag)
{
    trc original;
    trc_copy(&original, t);
    td_status status = ses_drain(s, diag);
    if (status == TD_OK && s->promoted.len == 0 && any_race(all)) {
        status = name_races(s, &original, diag);
        det_findings_fini(all);
        find_all(s, &original, all);
    }
    for (size_t i = 0; status == TD_OK && s->stop == SES_GO && i < all->len; i++)
        if (is_new(s, &all->at[i]) && !is_of_plain_loop(s, &all->at[i]))
            status = confirm(s, &all->at[i], &original, diag);
    learn_races(s, &original, all->at, all->len);
    if (ses_is_over(s))
        note_unconfirmed(s, all);
    trc_fini(&original);
    return status;
}

/* Whether a wait gives up, and the like: no input of the user's. */
static bool is_choice(const ses *s, const trc_input *in)
{
    return in->bits == 1 && in->site != 0 &&
           trc_site_at(s->exec->sites(s->run), in->site).kind == WIRE_SITE_CALL;
}

static void count_inputs(const ses *s, const trc *t)
{
    uint64_t n = 0;
    if (t->inputs.len <= s->result->inputs)
        return;
    for (size_t i = 0; i < t->inputs.len; i++)
        n += !is_choice(s, &t->inputs.at[i]);
    if (n > s->result->inputs)
        s->result->inputs = n;
}

td_status ses_findings(ses *s, const trc *t, td_diag *diag)
{
    count_inputs(s, t);
    if (t->fails.len == 0 && !trc_is_stuck(t))
        return TD_OK;
    det_finding_vec all = {0};
    td_status status = TD_OK;
    find_all(s, t, &all);
    if ((s->promoted.len == 0 && any_race(&all)) || any_new(s, &all))
        status = confirm_new(s, &all, t, diag);
    else
        learn_races(s, t, all.at, all.len);
    det_findings_fini(&all);
    return status;
}
