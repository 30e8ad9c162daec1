/* SPDX-License-Identifier: Apache-2.0 */
/* One session with a change, and the guards that its runs must pass. */
#include "repair/repair_int.h"

#include <string.h>

#include "base/assert.h"
#include "repair/edit.h"

/* ---- what runs had ---- */

#define MOST_OUTCOMES 4096u

static bool passes(const trc *t)
{
    return t->complete && t->done == WIRE_DONE_EXIT && t->fails.len == 0;
}

static bool has_outcome(const trc_u64_vec *v, uint64_t outcome)
{
    for (size_t i = 0; i < v->len; i++)
        if (v->at[i] == outcome)
            return true;
    return false;
}

static void see(void *ctx, const trc *t, const trc_sites *sites)
{
    rpr_seen *seen = ctx;
    uint32_t end = trc_sites_end(sites);
    if (!passes(t))
        return;
    if (!seen->sites) {
        seen->n_words = end / 64 + 1;
        seen->sites = td_alloc(seen->n_words * sizeof *seen->sites);
        seen->places = td_alloc(seen->n_words * 64 * sizeof *seen->places);
        seen->n_places = end;
        for (uint32_t i = 0; i < end; i++) {
            trc_site at = trc_site_at(sites, i);
            seen->places[i].line = at.line;
            seen->places[i].file = td_strdup(rpr_base_of(at.file));
        }
    }
    for (size_t i = 0; i < t->ops.len; i++) /* which accesses are promoted may differ */
        if (t->ops.at[i].site < end && !trc_is_promoted(&t->ops.at[i]))
            seen->sites[t->ops.at[i].site / 64] |= UINT64_C(1) << t->ops.at[i].site % 64;
    uint64_t outcome = t->outcome * 31 + t->exit_code;
    if (t->has_outcome && seen->outcomes.len < MOST_OUTCOMES &&
        !has_outcome(&seen->outcomes, outcome))
        trc_u64_vec_push(&seen->outcomes, outcome);
}

void rpr_seen_fini(rpr_seen *s)
{
    td_free(s->sites);
    for (uint32_t i = 0; i < s->n_places; i++)
        td_free(s->places[i].file);
    td_free(s->places);
    trc_u64_vec_fini(&s->outcomes);
    *s = (rpr_seen){0};
}

/* ---- sessions ---- */

static ses_opts session_opts(const rpr_search *x, uint64_t time_ms, rpr_seen *seen)
{
    const char *model = x->recording.model;
    return (ses_opts){.version = x->opts->version,
                      .argv = x->argv,
                      .model = model && *model ? model : NULL,
                      .time_ms = time_ms,
                      .explain_ms = 1,
                      .ignores_exit = x->opts->ignores_exit,
                      .leaks = strcmp(x->recording.fail_kind, "leak") == 0,
                      .seed = 1,
                      .no_known = true,
                      .quiet = true,
                      .given = x->given,
                      .watch = see,
                      .watch_ctx = seen,
                      .exits = x->opts->exits,
                      .report = x->opts->report,
                      .out = x->nowhere,
                      .err = x->nowhere};
}

static td_status run_session(rpr_search *x, ses_opts *o, ses_result *result,
                             td_diag *diag)
{
    td_text dir = {0};
    td_text_add(&dir, "%s/%u", x->dir, ++x->n_explored);
    o->out_dir = dir.at;
    td_status status = ses_run(o, x->exec, result, diag);
    x->out->runs += result->runs;
    x->out->was_interrupted |=
        result->stopped && strcmp(result->stopped, "interrupted") == 0;
    td_text_fini(&dir);
    return status;
}

td_status rpr_explore_before(rpr_search *x, uint64_t time_ms, td_diag *diag)
{
    ses_result result = {0};
    ses_opts o = session_opts(x, time_ms, &x->before);
    o.keep_going = true;
    o.goal = "traces";
    o.orders = &x->orders;
    td_status status = run_session(x, &o, &result, diag);
    x->is_before_complete = status == TD_OK && !result.stopped;
    ses_result_fini(&result);
    return status;
}

/* ---- guards ---- */

/* What ends the process on purpose is reached only by runs that fail. */
static bool can_be_reached(det_kind kind)
{
    return kind != DET_ABORT && kind != DET_EXIT;
}

static bool is_executed(const det_coverage *c, const char *file, uint32_t line)
{
    bool is_known = false;
    for (size_t i = 0; i < c->lines.len; i++)
        if (c->lines.at[i].line == line && strcmp(c->lines.at[i].file, file) == 0) {
            if (c->lines.at[i].executed)
                return true;
            is_known = true;
        }
    return !is_known;
}

/* An operation that a run that passed has, and none with the change; 0: there is none. */
static uint32_t lost_site(const rpr_seen *before, const rpr_seen *now)
{
    for (size_t i = 0; i < before->n_words; i++) {
        uint64_t gone = before->sites[i] & ~(i < now->n_words ? now->sites[i] : 0);
        if (gone)
            return (uint32_t)(i * 64 + (size_t)__builtin_ctzll(gone));
    }
    return 0;
}

/* The first guard that rejects a candidate is its answer. */
static void reject(rpr_try *t, rpr_answer guard)
{
    t->rejected |= UINT32_C(1) << guard;
    if (t->answer == RPR_HOLDS)
        t->answer = guard;
}

/* A run with a change that only restricts is one of the program, whether it was explored before or not. */
static void check_outcomes(const rpr_search *x, const rpr_seen *now, rpr_try *t)
{
    const rpr_seen *before = &x->before;
    bool is_unknown = false;
    t->n_outcomes = (uint32_t)before->outcomes.len;
    for (size_t i = 0; i < now->outcomes.len; i++) {
        if (has_outcome(&before->outcomes, now->outcomes.at[i]))
            t->n_kept++;
        else if (!t->change.restricts && x->is_before_complete)
            reject(t, RPR_NEW_OUTCOME);
        else
            is_unknown |= !t->change.restricts;
    }
    if (2 * t->n_kept < t->n_outcomes)
        reject(t, RPR_FEW_OUTCOMES);
    if (is_unknown && t->answer == RPR_HOLDS)
        t->answer = RPR_INCOMPLETE;
}

static void take_finding(const ses_result *r, rpr_try *t)
{
    const det_finding *f = &r->findings.at[0];
    td_text why = {0};
    td_text_add(&why, "%s at %s:%u", det_finding_title(f),
                rpr_base_of(f->file ? f->file : ""), f->line);
    t->answer = RPR_FAILS;
    t->rejected = 0;
    td_free(t->why);
    t->why = why.at;
}

static void take_lost(const rpr_search *x, uint32_t site, rpr_try *t)
{
    td_text why = {0};
    reject(t, RPR_LOST);
    td_text_add(&why, "%s:%u", x->before.places[site].file, x->before.places[site].line);
    t->why = why.at;
}

static void judge(rpr_search *x, const ses_result *r, const rpr_seen *now, rpr_try *t)
{
    t->runs = r->runs;
    t->answer = RPR_HOLDS;
    if (r->findings.len > 0) {
        take_finding(r, t);
        return;
    }
    if (r->verdict != REP_VERDICT_COMPLETE) {
        t->answer = RPR_INCOMPLETE;
        return;
    }
    if (can_be_reached(x->facts->kind) &&
        !is_executed(&r->coverage, x->facts->file, x->facts->line))
        reject(t, RPR_NOT_REACHED);
    if (lost_site(&x->before, now) > 0)
        take_lost(x, lost_site(&x->before, now), t);
}

static void add_change(const rpr_try *t, run_given *given)
{
    if (t->change.is_repair) {
        given->repairs = &t->change.repair;
        given->n_repairs = 1;
    } else {
        given->weaker = t->change.orders.at;
        given->n_weaker = t->change.orders.len;
    }
}

/* All traces of the program with a change, for their outcomes. */
static td_status explore_outcomes(rpr_search *x, rpr_try *t, uint64_t time_ms,
                                  td_diag *diag)
{
    ses_result result = {0};
    rpr_seen now = {0};
    ses_opts o = session_opts(x, time_ms, &now);
    o.goal = "traces";
    add_change(t, &o.given);
    td_status status = run_session(x, &o, &result, diag);
    bool is_all = result.verdict == REP_VERDICT_COMPLETE;
    if (status == TD_OK && result.findings.len > 0)
        take_finding(&result, t);
    else if (status == TD_OK && is_all) {
        t->traces = result.traces;
        check_outcomes(x, &now, t);
    } else if (status == TD_OK && !t->change.restricts)
        t->answer = RPR_INCOMPLETE;
    ses_result_fini(&result);
    rpr_seen_fini(&now);
    return status;
}

td_status rpr_explore(rpr_search *x, rpr_try *t, uint64_t time_ms, td_diag *diag)
{
    ses_result result = {0};
    rpr_seen now = {0};
    ses_opts o = session_opts(x, time_ms, &now);
    o.stop_at_first = true;
    o.coverage = true;
    add_change(t, &o.given);
    td_status status = run_session(x, &o, &result, diag);
    if (status == TD_OK)
        judge(x, &result, &now, t);
    else if (status == TD_E_PROGRAM) { /* there is no code at its lines */
        t->answer = RPR_NOT_MADE;
        t->why = td_strdup(diag ? diag->text : "");
        status = TD_OK;
    }
    if (status == TD_OK && (t->answer == RPR_HOLDS || t->rejected))
        status = explore_outcomes(x, t, time_ms / 3 + 1, diag);
    ses_result_fini(&result);
    rpr_seen_fini(&now);
    return status;
}

/* ---- the edited program ---- */

static const rpr_file_edit *edit_of(const rpr_edit *e, const char *base)
{
    for (size_t i = 0; i < e->files.len; i++)
        if (strcmp(rpr_base_of(e->files.at[i].path), base) == 0)
            return &e->files.at[i];
    return NULL;
}

/* A line of the program before, or what it has become, is executed; true also if that is not known. */
static bool is_reached(const det_coverage *c, const rpr_edit *e, const char *file,
                       uint32_t line)
{
    const rpr_file_edit *f = edit_of(e, rpr_base_of(file));
    uint32_t now = f ? rpr_edit_line(f, line) : line;
    bool is_known = false;
    for (size_t i = 0; now > 0 && i < c->lines.len; i++)
        if (c->lines.at[i].line == now &&
            strcmp(rpr_base_of(c->lines.at[i].file), rpr_base_of(file)) == 0) {
            if (c->lines.at[i].executed)
                return true;
            is_known = true;
        }
    return !is_known;
}

static rpr_answer judge_edited(const rpr_search *x, const ses_result *r,
                               const rpr_edit *e, td_text *why)
{
    const rpr_seen *before = &x->before;
    if (r->findings.len > 0) {
        td_text_add(why, "the edited program still fails: %s at line %u",
                    det_finding_title(&r->findings.at[0]), r->findings.at[0].line);
        return RPR_FAILS;
    }
    if (r->verdict != REP_VERDICT_COMPLETE) {
        td_text_add(why, "not everything was explored");
        return RPR_INCOMPLETE;
    }
    if (can_be_reached(x->facts->kind) &&
        !is_reached(&r->coverage, e, x->facts->file, x->facts->line)) {
        td_text_add(why, "the place of the failure is not reached in the edited program");
        return RPR_NOT_REACHED;
    }
    for (uint32_t i = 0; i < before->n_places; i++)
        if ((before->sites[i / 64] >> i % 64 & 1) &&
            !is_reached(&r->coverage, e, before->places[i].file,
                        before->places[i].line)) {
            td_text_add(why, "%s:%u is no longer executed in the edited program",
                        before->places[i].file, before->places[i].line);
            return RPR_LOST;
        }
    return RPR_HOLDS;
}

td_status rpr_explore_edited(rpr_search *x, const char *program, const rpr_edit *edit,
                             uint64_t time_ms, rpr_answer *answer, char **why,
                             uint64_t *runs, td_diag *diag)
{
    ses_result result = {0};
    rpr_seen now = {0};
    td_text text = {0};
    char *path = td_strdup(program), *was = x->argv[0];
    x->argv[0] = path;
    ses_opts o = session_opts(x, time_ms, &now);
    o.stop_at_first = true;
    o.coverage = true;
    td_status status = run_session(x, &o, &result, diag);
    x->argv[0] = was;
    *answer = RPR_INCOMPLETE;
    if (status == TD_OK) {
        *answer = judge_edited(x, &result, edit, &text);
        *runs = result.runs;
    } else if (status == TD_E_PROGRAM) {
        td_text_add(&text, "%s", diag ? diag->text : "it cannot be run");
        status = TD_OK;
    }
    *why = text.at;
    ses_result_fini(&result);
    rpr_seen_fini(&now);
    td_free(path);
    return status;
}
