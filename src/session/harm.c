/* SPDX-License-Identifier: Apache-2.0 */
/* Findings in the order of harm. A data race is often the first bug of a program and seldom its worst, so the
 * session continues for a while after one, with the racing accesses as operations, to see what they lead to or
 * hide. Reports wait for the end of that while. Then those that are no data races come first, then races whose
 * order decides one of these, then other races. */
#include "session/session_int.h"

#include "base/assert.h"
#include "base/memory.h"
#include "report/verdict.h"

#define FACTOR 10u /* runs, times those so far */
#define LEAST_RUNS 1000u
#define MOST_REPORTS 3u /* in full; the summary names all findings */

/* ---- going on ---- */

/* An access of freed memory is a memory error, though known by a race. */
static bool is_plain_race(const ses *s, const det_finding *f, const trc *t)
{
    if (f->kind != DET_RACE || f->fail >= t->fails.len)
        return f->kind == DET_RACE;
    const trc_sites *sites = s->exec->sites(s->run);
    const trc_fail *x = &t->fails.at[f->fail];
    return !det_gives_back(trc_site_at(sites, x->site)) &&
           !det_gives_back(trc_site_at(sites, x->other_site));
}

bool ses_goes_on_after(ses *s, const det_finding *f, const trc *t)
{
    const ses_opts *o = s->opts;
    if (o->keep_going || o->stop_at_first || s->was_shared || s->after_race.is_past ||
        f->library || !is_plain_race(s, f, t))
        return false;
    if (s->after_race.is_on)
        return true;
    uint64_t runs = ses_runs(s), n = runs * FACTOR;
    s->after_race.is_on = true;
    s->after_race.from_runs = runs;
    s->after_race.n_runs = n > LEAST_RUNS ? n : LEAST_RUNS;
    s->after_race.end_ms = ses_elapsed_ms(s) + SES_AFTER_RACE_MS;
    s->cut_at_races = true;
    td_text text = {0};
    td_count_print(s->after_race.n_runs, &text);
    ses_say(s,
            "%s; continuing for %s runs, at most %u s, to look for worse (--first "
            "stops here)",
            f->message ? f->message : "data race", text.at, SES_AFTER_RACE_MS / 1000);
    td_text_fini(&text);
    return true;
}

void ses_after_race_check(ses *s)
{
    if (!s->after_race.is_on || s->stop != SES_GO)
        return;
    bool is_over = ses_runs(s) >= s->after_race.from_runs + s->after_race.n_runs;
    s->after_race.out_of_time = !is_over && ses_elapsed_ms(s) >= s->after_race.end_ms;
    s->after_race.ended = is_over || s->after_race.out_of_time;
    if (s->after_race.ended)
        s->stop = SES_STOP_BUG;
}

/* ---- reports ---- */

void ses_report_put(ses *s, const char *text)
{
    fputs(text, s->out);
    fflush(s->out);
    if (!s->opts->join)
        td_memory_status(rep_verdict_of(REP_VERDICT_BUG)->status);
}

bool ses_report_print(ses *s, const char *text, bool is_last)
{
    bool waits = is_last && s->opts->find_fix && !ses_is_shared(s);
    if (s->after_race.is_on || waits)
        return false;
    ses_report_put(s, text);
    return true;
}

void ses_report_add(ses *s, const ses_shown *how, char *text, bool is_printed)
{
    TD_ASSERT(s->result->findings.len == s->reports.len + 1);
    const det_finding *f = &s->result->findings.at[s->reports.len];
    ses_report r = {.text = text, .is_race = is_plain_race(s, f, how->t)};
    const rep_cause *c = how->cause;
    r.is_every = how->no_return == 1 || (c && c->kind == REP_CAUSE_EVERY);
    if (!r.is_race && c && c->kind == REP_CAUSE_ORDER) {
        const rep_event *events[] = {&c->first, &c->second, &c->earlier[0],
                                     &c->earlier[1]};
        for (size_t i = 0; i < (c->has_earlier ? 4u : 2u); i++)
            trc_u32_vec_push(&r.decided_by, events[i]->site);
    }
    if (is_printed) {
        td_free(r.text);
        r.text = NULL;
    }
    ses_report_vec_push(&s->reports, r);
}

/* ---- a finding that is being explained ---- */

void ses_pending_drop(ses *s)
{
    ses_pending *p = &s->pending;
    det_finding_fini(&p->finding);
    td_free(p->path);
    td_free(p->text);
    *p = (ses_pending){0};
}

void ses_pending_publish(ses *s)
{
    ses_pending *p = &s->pending;
    if (!p->text)
        return;
    char *text = p->text;
    p->text = NULL; /* once, should what follows end here as well */
    ses_report_put(s, text);
    td_free(text);
    ses_finding_vec_push(&s->result->findings, p->finding);
    ses_text_vec_push(&s->result->recordings, p->path);
    ses_shown_inputs_vec_push(&s->result->shown_inputs, (ses_shown_inputs){0});
    ses_report_vec_push(&s->reports, (ses_report){0});
    *p = (ses_pending){0};
}

/* ---- the order ---- */

static bool is_side(const ses *s, const det_finding *race, uint32_t site)
{
    trc_site at = trc_site_at(s->exec->sites(s->run), site);
    for (int i = 0; race->sides && at.file && i < 2; i++) {
        const det_side *side = &race->sides[i];
        if (side->file && side->line == at.line &&
            strcmp(ses_base_name(side->file), ses_base_name(at.file)) == 0)
            return true;
    }
    return false;
}

/* Whether an access of the race is part of the cause of another finding. */
static bool decides(const ses *s, const det_finding *race)
{
    for (size_t i = 0; i < s->reports.len; i++) {
        const trc_u32_vec *sites = &s->reports.at[i].decided_by;
        for (size_t k = 0; k < sites->len; k++)
            if (is_side(s, race, sites->at[k]))
                return true;
    }
    return false;
}

/* The less, the worse. */
static unsigned rank(const ses *s, size_t i)
{
    if (s->result->findings.at[i].always)
        return 3; /* whatever the schedule */
    if (!s->reports.at[i].is_race)
        return 0;
    return decides(s, &s->result->findings.at[i]) ? 1 : 2;
}

#define SWAP(v, i, k)                                                                    \
    do {                                                                                 \
        __typeof__(*(v).at) old_ = (v).at[i];                                            \
        (v).at[i] = (v).at[k];                                                           \
        (v).at[k] = old_;                                                                \
    } while (0)

static void swap(ses *s, size_t i, size_t k)
{
    ses_result *r = s->result;
    SWAP(r->findings, i, k);
    SWAP(r->recordings, i, k);
    SWAP(r->shown_inputs, i, k);
    SWAP(s->reports, i, k);
}

/* Those of one rank stay as they were found. Returns whether anything changed. */
static bool sort(ses *s)
{
    bool any = false;
    for (size_t i = 1; i < s->reports.len; i++)
        for (size_t k = i; k > 0 && rank(s, k) < rank(s, k - 1); k--) {
            swap(s, k, k - 1);
            any = true;
        }
    return any;
}

/* ---- the end ---- */

static td_status order_stored(ses *s, td_diag *diag)
{
    td_status status = TD_OK;
    for (size_t i = 0; i < s->result->findings.len && status == TD_OK; i++)
        status = sto_session_last(s->store, s->result->findings.at[i].id, diag);
    return status;
}

td_status ses_reports_end(ses *s, td_diag *diag)
{
    size_t n_printed = 0, n_left = 0;
    TD_ASSERT(s->reports.len == s->result->findings.len);
    if (sort(s))
        TD_TRY(order_stored(s, diag));
    for (size_t i = 0; i < s->reports.len; i++) {
        ses_report *r = &s->reports.at[i];
        if (!r->text || n_printed < MOST_REPORTS)
            TD_TRY(ses_fix_report(s, i, diag));
        if (r->text && n_printed < MOST_REPORTS) {
            ses_report_put(s, r->text);
            n_printed++;
        } else if (r->text) {
            n_left++;
        }
        td_free(r->text);
        r->text = NULL;
    }
    if (n_left > 0)
        fprintf(s->out, "treadle: %zu more data race%s: 'treadle show ID' has %s\n",
                n_left, n_left == 1 ? "" : "s",
                n_left == 1 ? "its report" : "the reports");
    return TD_OK;
}

void ses_reports_flush(ses *s)
{
    ses_pending_publish(s);
    if (s->unprinted)
        ses_report_put(s, s->unprinted);
    s->unprinted = NULL;
    for (size_t i = 0; i < s->reports.len; i++) {
        if (s->reports.at[i].text)
            ses_report_put(s, s->reports.at[i].text);
        td_free(s->reports.at[i].text);
        s->reports.at[i].text = NULL;
    }
}

void ses_reports_fini(ses *s)
{
    ses_pending_drop(s);
    for (size_t i = 0; i < s->reports.len; i++) {
        td_free(s->reports.at[i].text);
        trc_u32_vec_fini(&s->reports.at[i].decided_by);
        rep_fix_fini(&s->reports.at[i].fix);
    }
    ses_report_vec_fini(&s->reports);
}
