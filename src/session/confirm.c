/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of an explored run: new ones are replayed, reduced and published. Those that are not reproduced
 * become ledger entries. */
#include "session/session_int.h"

#include <inttypes.h>

#include "base/assert.h"

/* ---- known findings ---- */

/* Hangs in one function are one finding, because a loop may be interrupted on any of its lines. */
static bool is_alike(const det_finding *a, const det_finding *b)
{
    if (a->kind == DET_HANG && b->kind == DET_HANG && a->function && b->function)
        return strcmp(a->function, b->function) == 0;
    return strcmp(a->key, b->key) == 0;
}

static ses_doubt *doubt_of(ses *s, const char *key)
{
    TD_ASSERT(key[0] && strlen(key) < sizeof((ses_doubt *)0)->key);
    for (size_t i = 0; i < s->doubts.len; i++)
        if (strcmp(s->doubts.at[i].key, key) == 0)
            return &s->doubts.at[i];
    ses_doubt fresh = {0};
    memcpy(fresh.key, key, sizeof fresh.key);
    ses_doubt_vec_push(&s->doubts, fresh);
    return &s->doubts.at[s->doubts.len - 1];
}

static bool is_known(ses *s, const det_finding *f)
{
    for (size_t i = 0; i < s->result->findings.len; i++)
        if (is_alike(&s->result->findings.at[i], f))
            return true;
    return doubt_of(s, f->key)->is_settled;
}

static bool is_new(ses *s, const det_finding *f)
{
    return !is_known(s, f) && !ses_suppress(s, f) &&
           doubt_of(s, f->key)->n_tries < SES_TRIES;
}

static void say_bug(ses *s, const det_finding *f, unsigned n_shown, uint32_t n_first)
{
    TD_ASSERT(n_shown == SES_CONFIRMATIONS); /* (L1) */
    td_text shrunk = {0};
    if (f->preemptions < n_first)
        td_text_add(&shrunk, "%u preemption%s reduced to %u; ", n_first,
                    n_first == 1 ? "" : "s", f->preemptions);
    ses_say(s, "%s in run %" PRIu64 " (%.2f s); %sreplayed %u of %u",
            f->always ? "a failure" : "BUG", f->run, (double)ses_elapsed_ms(s) / 1000,
            shrunk.len > 0 ? shrunk.at : "", n_shown, SES_CONFIRMATIONS);
    td_text_fini(&shrunk);
}

/* ---- runs that differ ---- */

/* True if something outside the schedule, kernel state or real time, may have influenced the run. */
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
    TD_ASSERT(f.kind == DET_NONDET && f.id[0]);
    if (is_known(s, &f)) {
        det_finding_fini(&f);
        return TD_OK;
    }
    f.run = s->other_runs + s->census.n_runs;
    ses_say(s, "run %" PRIu64 " diverged when repeated", f.run);
    trc_step_vec schedule = {0};
    trc_schedule(expected, &schedule);
    ses_shown how = {seen, &schedule, &s->promoted, 0, NULL, 0};
    td_status status = ses_publish(s, &f, &how, diag);
    trc_step_vec_fini(&schedule);
    return status;
}

/* ---- confirming ---- */

/* The same name and place for both. */
static void place_copy(det_finding *to, const det_finding *from)
{
    TD_ASSERT(to != from && to->kind == from->kind);
    td_free(to->file);
    td_free(to->function);
    td_free(to->message);
    memcpy(to->id, from->id, sizeof to->id);
    memcpy(to->key, from->key, sizeof to->key);
    to->file = from->file ? td_strdup(from->file) : NULL;
    to->function = from->function ? td_strdup(from->function) : NULL;
    to->message = from->message ? td_strdup(from->message) : NULL;
    to->line = from->line;
}

/* A replay records more than the run did, and has fewer steps. Only repeating the same job shows whether
 * the program is deterministic. */
static td_status on_unconfirmed(ses *s, const det_finding *f, const trc *original,
                                td_diag *diag)
{
    trc *again = NULL;
    doubt_of(s, f->key)->n_tries++;
    TD_ASSERT(doubt_of(s, f->key)->n_tries <= SES_TRIES);
    TD_TRY(ses_execute(s, ses_job_taken(s), &again, diag));
    if (again && !td_id_equal(again->records, original->records))
        return ses_differ(s, original, again, diag);
    det_ledger_add(&s->ledger, "not reproduced", f->file ? f->file : "", f->line,
                   f->message ? f->message : "");
    return TD_OK;
}

/* ---- the two accesses of a race, one after the other ---- */

/* The operation that is the earlier access of a race whose later one is operation end - 1. */
static bool find_earlier(const trc *t, const trc_fail *f, uint32_t *out)
{
    TD_ASSERT(f->kind == WIRE_FAIL_RACE && f->after_op > 0 && f->after_op <= t->ops.len);
    for (uint32_t i = f->after_op - 1; i-- > 0;) {
        const trc_op *op = &t->ops.at[i];
        if (op->thread != f->other_thread || op->site != f->other_site ||
            !mdl_is_access(trc_turned(op)) || op->object + op->offset >= f->object + 8 ||
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
           mdl_is_access(last->kind) && find_earlier(t, f, first);
}

static bool make_operations(ses *s, const trc_fail *f, trc_promoted_vec *out)
{
    const trc_sites *sites = s->exec->sites(s->run);
    return ses_promote_site(sites, f->site, WIRE_PASSING, out) != SES_NEVER &&
           ses_promote_site(sites, f->other_site, WIRE_PASSING, out) != SES_NEVER;
}

/* Runs the same schedule with the accesses of the race as operations without a choice, so the schedule
 * stays the same. False: they cannot be operations. */
static td_status make_visible(ses *s, const det_finding *f, const trc *original,
                              ses_attempt *a, trc *out, bool *possible, td_diag *diag)
{
    trc *t = NULL;
    det_finding seen = {0};
    uint32_t flags = WIRE_JOB_RACE_ON | WIRE_JOB_DETAIL | WIRE_JOB_STAND |
                     (a->flags & WIRE_JOB_STAND_ON);
    *possible = false;
    TD_ASSERT(f->kind == DET_RACE && f->fail < original->fails.len);
    if (!make_operations(s, &original->fails.at[f->fail], &a->promoted))
        return TD_OK;
    TD_TRY(ses_execute(s, ses_attempt_request(a, flags), &t, diag));
    if (t && ses_find_same(s, t, f, &seen)) {
        trc_copy(out, t);
        /* The only one that counts. */
        TD_ASSERT(seen.fail < out->fails.len);
        out->fails.at[0] = out->fails.at[seen.fail];
        *possible = true;
    }
    det_finding_fini(&seen);
    return TD_OK;
}

/* Replays the finding with its accesses as choices, as close to each other as possible. */
static td_status replay_near(ses *s, const det_finding *f, const trc *visible,
                             ses_attempt *a, td_diag *diag)
{
    uint32_t first = 0, second = 0;
    TD_ASSERT(visible->fails.len > 0 && visible->fails.at[0].kind == WIRE_FAIL_RACE);
    a->flags = WIRE_JOB_RACE_ON | (a->flags & WIRE_JOB_STAND_ON);
    for (size_t i = 0; i < a->promoted.len; i++)
        a->promoted.at[i].how = WIRE_PROMOTED;
    if (!find_pair(visible, &visible->fails.at[0], &first, &second))
        return TD_OK;
    TD_ASSERT(first < second && second < visible->ops.len);
    for (int how = 0; how < TRC_N_NEARNESSES && a->n_shown < SES_CONFIRMATIONS; how++)
        if (trc_schedule_near(visible, first, second, (trc_nearness)how, &a->schedule))
            TD_TRY(ses_attempt_replay(s, f, a, diag));
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

static td_status attempt_race(ses *s, const det_finding *f, const trc *original,
                              ses_attempt *a, td_diag *diag)
{
    TD_TRY(ses_free_first(s, f, original, a, diag));
    if (a->n_shown == SES_CONFIRMATIONS)
        return TD_OK;
    ses_attempt_fini(a);
    ses_attempt_init(s, a, f, original);
    return replay_race(s, f, original, a, diag);
}

static td_status attempt_all(ses *s, const det_finding *f, const trc *original,
                             ses_attempt *a, td_diag *diag)
{
    ses_attempt_init(s, a, f, original);
    if (f->kind == DET_RACE)
        TD_TRY(attempt_race(s, f, original, a, diag));
    if (a->n_shown == SES_CONFIRMATIONS)
        return TD_OK;
    ses_attempt_fini(a);
    ses_attempt_init(s, a, f, original);
    return ses_attempt_replay(s, f, a, diag);
}

/* True if the program exited by itself, with any status. */
static bool exits(const trc *t)
{
    return t->done == WIRE_DONE_EXIT ||
           (t->done == WIRE_DONE_FAIL && t->fails.len > 0 &&
            t->fails.at[t->fails.len - 1].kind == WIRE_FAIL_EXIT_CODE);
}

#define ALWAYS_RUNS 20u /* random runs */

/* Returns whether every observed run ends with this status: the explanation found no other run, and neither
 * do ALWAYS_RUNS random ones. Such a program fails independently of the schedule. */
static td_status find_always(ses *s, uint64_t code, ses_attempt *a, td_diag *diag)
{
    bool is_caused = a->cause.kind == REP_CAUSE_ORDER || a->cause.kind == REP_CAUSE_INPUT;
    a->always = !is_caused;
    for (uint64_t i = 1; i <= ALWAYS_RUNS && a->always && a->no_return != 1; i++) {
        trc *t = NULL;
        run_request request =
            ses_attempt_request(a, WIRE_JOB_EXIT_CODE | WIRE_JOB_RACE_ON);
        request.policy = WIRE_POLICY_POS;
        request.seed = i;
        request.n_steps = 0;
        if (ses_is_over(s))
            return TD_OK;
        TD_TRY(ses_execute(s, request, &t, diag));
        a->always = t && exits(t) && t->exit_code == code;
    }
    return TD_OK;
}

/* Replaces the attempt by one with a shorter schedule and smaller inputs, if replays confirm the same
 * finding. */
static td_status shrink(ses *s, const det_finding *f, ses_attempt *a, td_diag *diag)
{
    TD_ASSERT(a->n_shown == SES_CONFIRMATIONS);
    ses_attempt smaller = {.flags = a->flags,
                           .uses_freed = a->uses_freed,
                           .is_shown = true};
    uint64_t code = a->last->exit_code;
    a->is_shown = true;
    trc_step_vec_append(&smaller.schedule, a->schedule.at, a->schedule.len);
    trc_chosen_vec_append(&smaller.inputs, a->inputs.at, a->inputs.len);
    trc_promoted_vec_append(&smaller.promoted, a->promoted.at, a->promoted.len);
    td_status status = ses_shrink(s, f, &smaller, diag);
    if (status == TD_OK)
        status = ses_find_no_return(s, f, &smaller, diag);
    if (status == TD_OK)
        status = ses_cause(s, f, &smaller, diag);
    if (status == TD_OK && f->kind == DET_EXIT)
        status = find_always(s, code, &smaller, diag);
    a->always = smaller.always;
    if (status == TD_OK)
        status = ses_attempt_replay(s, f, &smaller, diag);
    if (status == TD_OK && smaller.n_shown == SES_CONFIRMATIONS) {
        ses_attempt old = *a;
        *a = smaller;
        smaller = old;
    } else if (status == TD_OK) {
        status = ses_attempt_replay(s, f, a, diag);
    }
    ses_attempt_fini(&smaller);
    return status;
}

/* Gives the replayed finding the run and the id of the original one. */
static void name_shown(const det_finding *f, ses_attempt *a)
{
    TD_ASSERT(a->last && a->shown.kind == f->kind);
    a->shown.run = f->run;
    a->shown.always = a->always;
    if (ses_is_place_a_guess(f, &a->shown))
        place_copy(&a->shown, f);
    TD_ASSERT(strcmp(a->shown.key, f->key) == 0);
}

static void say_always(ses_attempt *a)
{
    td_text text = {0};
    if (!a->always)
        return;
    td_text_add(&text, "every run so far exits with %" PRIu64, a->last->exit_code);
    td_free(a->shown.message);
    a->shown.message = text.at;
}

/* Stores the replayed finding before it is explained. */
static td_status keep(ses *s, const det_finding *f, ses_attempt *a, td_diag *diag)
{
    TD_ASSERT(a->n_shown == SES_CONFIRMATIONS);
    name_shown(f, a);
    ses_shown how = {a->last, &a->schedule, &a->promoted, 0, NULL, 0};
    return ses_keep(s, &a->shown, &how, diag);
}

/* Only replays know the user's lines. Returns whether these lines led to another place of the library before,
 * or a suppression names them. */
static bool is_settled_already(ses *s, det_finding *f, const ses_attempt *a)
{
    if (a->n_shown < SES_CONFIRMATIONS || !a->shown.is_named ||
        ses_is_place_a_guess(f, &a->shown))
        return false;
    memcpy(f->id, a->shown.id, sizeof f->id);
    f->is_named = true;
    bool is_settled = ses_has_finding(s, f->id) || ses_suppress(s, &a->shown);
    doubt_of(s, f->key)->is_settled = is_settled;
    return is_settled;
}

static td_status confirm(ses *s, det_finding *f, const trc *original, td_diag *diag)
{
    ses_attempt a = {0};
    ses_explain_start(s);
    td_status status = attempt_all(s, f, original, &a, diag);
    bool is_kept = false;
    if (status == TD_OK && is_settled_already(s, f, &a)) {
        ses_attempt_fini(&a);
        return TD_OK;
    }
    /* Other orders of the steps might be runs that the memory model does not allow. */
    if (status == TD_OK && a.n_shown == SES_CONFIRMATIONS && !s->opts->model) {
        td_diag why = {0};
        is_kept = keep(s, f, &a, &why) == TD_OK;
        s->explain_from_ms = ses_elapsed_ms(s);
        /* What cannot be stored is printed at once. */
        if (is_kept)
            status = shrink(s, f, &a, diag);
    }
    if (status == TD_OK && a.n_shown == SES_CONFIRMATIONS) {
        /* (L1): a published finding was replayed and failed the same way each time. */
        name_shown(f, &a);
        say_always(&a);
        ses_last_output(s, &a, &a.shown);
        say_bug(s, &a.shown, a.n_shown, f->preemptions);
        ses_shown how = {a.last,      &a.schedule,
                         &a.promoted, a.no_return,
                         &a.cause,    s->explain_is_cut ? ses_explain_ms(s) : 0};
        status = ses_publish(s, &a.shown, &how, diag);
        a.shown = (det_finding){0};
        if (status == TD_OK && f->kind != DET_HANG && !ses_is_over(s))
            status =
                ses_coverage_repeat(s, ses_attempt_request(&a, ses_replay_flags(f->kind)),
                                    diag);
    } else if (status == TD_OK) {
        if (is_kept)
            status = ses_forget(s, f, diag);
        if (status == TD_OK)
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

/* Ids of findings are made of lines; two lines may have many pairs of sites. */
static void learn_races(ses *s, const trc *t, const det_finding *all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (all[i].kind != DET_RACE ||
            !(is_known(s, &all[i]) || ses_suppress(s, &all[i])))
            continue;
        TD_ASSERT(all[i].fail < t->fails.len);
        const trc_fail *f = &t->fails.at[all[i].fail];
        td_id_set_add(&s->known_races, pair_of(f));
        ses_promote_race(s, f);
    }
}

/* ---- the findings of a run ---- */

/* True if the finding exists only because two accesses, or an access and the end of its object's lifetime,
 * are unordered. */
static bool rests_on_order(const trc *t, const det_finding *f)
{
    if (f->kind != DET_MEMORY)
        return f->kind == DET_RACE;
    TD_ASSERT(f->fail < t->fails.len);
    uint8_t what = t->fails.at[f->fail].memory;
    return what == WIRE_MEMORY_ENDS || what == WIRE_MEMORY_LEFT;
}

/* Drops races whose accesses uninstrumented code may have ordered, and records them in the ledger. */
static void leave_out_races(ses *s, const trc *t, const char *function,
                            det_finding_vec *all)
{
    size_t n = 0;
    td_text text = {0};
    td_text_add(&text, "%s, which is not instrumented, may order these accesses",
                function);
    for (size_t i = 0; i < all->len; i++) {
        det_finding *f = &all->at[i];
        if (!rests_on_order(t, f)) {
            all->at[n++] = *f;
            continue;
        }
        if (!is_known(s, f) && !ses_suppress(s, f))
            det_ledger_add(&s->ledger, "race not claimed", f->file, f->line, text.at);
        det_finding_fini(f);
    }
    all->len = n;
    td_text_fini(&text);
}

static void find_all(ses *s, const trc *t, det_finding_vec *out)
{
    det_known known = {is_known_race, s};
    det_findings_new(t, s->exec->sites(s->run), known, out);
    const char *unseen = det_orders_unseen(&s->ledger, t);
    if (unseen)
        leave_out_races(s, t, unseen, out);
    for (size_t i = 0; i < out->len; i++)
        out->at[i].run = s->other_runs + s->census.n_runs;
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

/* Repeats the run with all accesses recorded, and takes its races from there. If sites are promoted every
 * run is exact already. */
static td_status name_races(ses *s, trc *t, td_diag *diag)
{
    ses_attempt a = {0};
    trc *again = NULL;
    trc_schedule(t, &a.schedule);
    ses_inputs(t, &a.inputs);
    uint32_t flags = WIRE_JOB_DETAIL | (ses_races_go_on(s) ? WIRE_JOB_RACE_ON : 0) |
                     (s->opts->keep_going ? WIRE_JOB_STAND_ON : 0);
    td_status status = ses_execute(s, ses_attempt_request(&a, flags), &again, diag);
    for (size_t i = 0; status == TD_OK && again && i < t->fails.len; i++) {
        trc_fail *f = &t->fails.at[i];
        const trc_fail *g = i < again->fails.len ? &again->fails.at[i] : NULL;
        if (g && f->kind == WIRE_FAIL_RACE && f->kind == g->kind && f->site == g->site &&
            f->other_thread == g->other_thread && f->object == g->object)
            f->other_site = g->other_site;
    }
    ses_attempt_fini(&a);
    return status;
}

/* True if the hang may be a spin loop on a plain variable: it is retried with the accesses as operations. */
static bool is_of_plain_loop(ses *s, const det_finding *f)
{
    bool is_tried = f->kind == DET_HANG && ses_promote_hang(s, f);
    s->hang_is_open |= is_tried;
    return is_tried;
}

/* The session ends before they could be replayed. */
static void note_unconfirmed(ses *s, const det_finding_vec *all)
{
    for (size_t i = 0; i < all->len; i++) {
        const det_finding *f = &all->at[i];
        if (is_new(s, f))
            det_ledger_add(&s->ledger, DET_SUSPECTED, f->file ? f->file : "", f->line,
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
    TD_ASSERT(status != TD_OK || ses_flight_len(s) == 0);
    for (size_t i = 0; status == TD_OK && s->stop == SES_GO && i < all->len; i++)
        if (is_new(s, &all->at[i]) && !is_of_plain_loop(s, &all->at[i]))
            status = confirm(s, &all->at[i], &original, diag);
    learn_races(s, &original, all->at, all->len);
    if (ses_is_over(s))
        note_unconfirmed(s, all);
    trc_fini(&original);
    return status;
}

static void count_inputs(const ses *s, const trc *t)
{
    uint64_t n = 0;
    if (t->inputs.len <= s->result->inputs)
        return;
    for (size_t i = 0; i < t->inputs.len; i++)
        n += !ses_is_choice(s->exec->sites(s->run), &t->inputs.at[i]);
    if (n > s->result->inputs)
        s->result->inputs = n;
}

static void count_ends(ses *s, const trc *t)
{
    s->has_choices |= t->threads.len > 1 || t->inputs.len > 0;
    bool is_cut = t->done == WIRE_DONE_ASLEEP || t->done == WIRE_DONE_DEPTH ||
                  t->done == WIRE_DONE_THREADS;
    ses_ends_add(s, (ses_ends){.n_runs = !is_cut,
                               .exit_code = t->exit_code,
                               .differ = !is_cut && !exits(t),
                               .most_threads = (uint32_t)t->threads.len});
}

td_status ses_findings(ses *s, const trc *t, td_diag *diag)
{
    TD_ASSERT(t == s->taken.run && s->taken.job.kind == SES_EXPLORE);
    count_inputs(s, t);
    count_ends(s, t);
    /* The run after the promotion decides whether it hangs. */
    s->hang_is_open &= s->wanted.len > 0;
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
