/* SPDX-License-Identifier: Apache-2.0 */
/* Saves the result of a session in its database: all fields of --json, so that reports can be made
 * later (src/store/README.md). */
#include "session/session_int.h"

#include <inttypes.h>

typedef struct fact {
    const char *name;
    uint64_t value;
} fact;

static td_status keep_number(ses *s, const char *name, uint64_t value, td_diag *diag)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return sto_session_fact(s->store, name, text, diag);
}

static td_status keep_real(ses *s, const char *name, double value, td_diag *diag)
{
    char text[40];
    snprintf(text, sizeof text, "%.6f", value);
    return sto_session_fact(s->store, name, text, diag);
}

static td_status keep_texts(ses *s, const rep_result *r, td_diag *diag)
{
    char digest[33], traces[33];
    td_id_print(r->digest, digest);
    td_id_print(r->trace_digest, traces);
    const struct {
        const char *name, *text;
    } texts[] = {
        {"version", r->version}, {"program", r->program},
        {"goal", r->goal},       {"search", r->search},
        {"chosen", r->chosen},   {"verdict", rep_verdict_of(r->verdict)->id},
        {"stopped", r->stopped}, {"covers", r->covers},
        {"digest", digest},      {"trace_digest", r->traces_counted ? traces : NULL}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].text)
            TD_TRY(sto_session_fact(s->store, texts[i].name, texts[i].text, diag));
    return TD_OK;
}

/* The rows of the summary about an incomplete session, for its page. */
static td_status keep_advice(ses *s, const rep_result *r, td_diag *diag)
{
    enum { LARGE, SHRINK, CONTINUE, BOUNDS, N_TEXTS };
    static const char *const names[N_TEXTS] = {"large_by", "to_shrink", "to_continue",
                                               "bounds_completed"};
    td_text texts[N_TEXTS] = {0};
    td_status status = TD_OK;
    if (r->large) {
        rep_large_text(r->large, &texts[LARGE]);
        rep_shrink_text(r->large, &texts[SHRINK]);
    }
    rep_continue_text(r, &texts[CONTINUE]);
    rep_bounds_text(r, &texts[BOUNDS]);
    for (size_t i = 0; i < N_TEXTS; i++) {
        if (status == TD_OK && texts[i].len > 0)
            status = sto_session_fact(s->store, names[i], texts[i].at, diag);
        td_text_fini(&texts[i]);
    }
    return status;
}

static td_status keep_numbers(ses *s, const rep_result *r, td_diag *diag)
{
    const fact facts[] = {{"seed", s->opts->seed},
                          {"runs", r->runs},
                          {"blocked_runs", r->blocked_runs},
                          {"events", r->events}, /* 0 if they are not counted */
                          {"promoted", r->promoted},
                          {"inputs", r->most_inputs},
                          {"targets_left", r->left.targets},
                          {"sides", r->branches.n_sides},
                          {"sides_taken", r->branches.n_taken},
                          {"candidates", r->branches.n_candidates},
                          {"queries", r->solver.queries},
                          {"queries_sat", r->solver.sat},
                          {"queries_unsat", r->solver.unsat},
                          {"queries_unknown", r->solver.unknown},
                          {"queries_cached", r->solver.cached},
                          {"leaks", s->opts->leaks},
                          {"exit_code", !s->opts->ignores_exit},
                          {"peak_rss_kb", r->peak_rss_kb}};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        TD_TRY(keep_number(s, facts[i].name, facts[i].value, diag));
    if (r->pairs > 0)
        TD_TRY(keep_number(s, "pairs", r->pairs, diag));
    if (r->traces_counted) {
        TD_TRY(keep_number(s, "traces", r->traces, diag));
        TD_TRY(keep_number(s, "whole_traces", r->whole_traces, diag));
        TD_TRY(keep_number(s, "repeated_runs", r->repeated_runs, diag));
    }
    if (r->preemptions.is_set && r->preemptions.completed >= 0)
        TD_TRY(keep_number(s, "preemptions_completed", (uint64_t)r->preemptions.completed,
                           diag));
    TD_TRY(keep_real(s, "seconds", r->seconds, diag));
    if (r->left.is_known)
        TD_TRY(keep_real(s, "seconds_left", r->left.seconds, diag));
    if (r->saved.is_known)
        TD_TRY(keep_real(s, "interleavings_log2", r->saved.log2, diag));
    return TD_OK;
}

/* Number of branch outcomes by the interferences they need, as in "14/8/2". */
static td_status keep_degrees(ses *s, const rep_branches *b, td_diag *diag)
{
    td_text text = {0};
    for (size_t i = 0; i < b->n_degrees; i++)
        td_text_add(&text, "%s%" PRIu64, i ? "/" : "", b->by_degree[i]);
    td_status status = TD_OK;
    if (text.len > 0)
        status = sto_session_fact(s->store, "sides_by_interferences", text.at, diag);
    td_text_fini(&text);
    return status;
}

static td_status keep_stages(ses *s, const rep_solver *solver, td_diag *diag)
{
    for (size_t i = 0; i < solver->n_stages; i++) {
        const rep_stage *t = &solver->stages[i];
        sto_stage stage = {(char *)t->name, t->answered, t->calls, t->seconds};
        TD_TRY(sto_session_stage(s->store, &stage, diag));
    }
    return TD_OK;
}

td_status ses_store_result(ses *s, const rep_result *r, td_diag *diag)
{
    TD_TRY(ses_sample(s, diag));
    TD_TRY(keep_texts(s, r, diag));
    TD_TRY(keep_advice(s, r, diag));
    TD_TRY(keep_numbers(s, r, diag));
    TD_TRY(keep_degrees(s, &r->branches, diag));
    TD_TRY(ses_sides_keep(s, diag));
    TD_TRY(keep_stages(s, &r->solver, diag));
    TD_TRY(sto_session_events(s->store, &s->events.at, diag));
    TD_TRY(sto_session_coverage(s->store, &s->result->coverage, diag));
    return sto_session_ledger(s->store, &s->ledger, diag);
}
