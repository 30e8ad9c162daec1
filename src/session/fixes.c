/* SPDX-License-Identifier: Apache-2.0 */
/* The section FIX of findings. A change is searched for once the search of the session is over, by a process of its
 * own, so that neither the search nor a finding can be lost to it; findings are stored by then. */
#include "session/session_int.h"

#include <string.h>

#include "base/assert.h"
#include "report/page.h"

#define SHARE 2u         /* of the time to explain findings that was asked for, for one */
#define DEFAULT_MS 1000u /* for all, if none was */
#define LEAST_MS 50u

/* A finding that some schedules do not have; or threads wait for each other, which a broadcast may end, or nothing
 * orders two accesses, which shows in every schedule. */
static bool can_have_fix(const det_finding *f, const ses_report *r)
{
    bool is_order = f->kind == DET_MEMORY || f->kind == DET_RACE;
    return !f->always && !f->library && f->kind != DET_NONDET && f->kind != DET_HANG &&
           (!r->is_every || det_is_stuck(f->kind) || is_order);
}

/* Time for one finding; 0: there is none. */
static uint64_t time_for_one(const ses *s)
{
    const ses_opts *o = s->opts;
    uint64_t all = o->explain_ms ? o->explain_ms : DEFAULT_MS;
    uint64_t one = o->explain_ms ? all / SHARE : all, now = ses_elapsed_ms(s);
    uint64_t left = s->fix_ms < all ? all - s->fix_ms : 0;
    uint64_t ms = one < left ? one : left;
    if (o->time_ms) {
        uint64_t rest = now < o->time_ms ? o->time_ms - now : 0;
        ms = ms < rest ? ms : rest;
    }
    bool is_over = s->stop == SES_STOP_USER || s->stop == SES_STOP_MEMORY;
    return is_over || ms < LEAST_MS ? 0 : ms;
}

static bool goes_on(void *ctx)
{
    ses *s = ctx;
    if (s->exec->interrupted(s->run))
        s->stop = SES_STOP_USER;
    return s->stop != SES_STOP_USER;
}

static void search(ses *s, size_t i, uint64_t ms, rep_fix *out)
{
    td_text dir = {0};
    uint64_t from = ses_elapsed_ms(s);
    td_text_add(&dir, "%s/fix", sto_session_dir(s->store));
    ses_fix_request request = {.recording = s->result->recordings.at[i],
                               .dir = dir.at,
                               .time_ms = ms,
                               .ignores_exit = s->opts->ignores_exit,
                               .goes_on = goes_on,
                               .ctx = s};
    if (!s->opts->find_fix(&request, out))
        rep_fix_fini(out);
    s->fix_ms += ses_elapsed_ms(s) - from;
    td_text_fini(&dir);
}

/* The program was explored completely with that change, so it is one for every finding of the session. Leaks are
 * looked for only where the finding is one. */
static const rep_fix *known_change(const ses *s, const det_finding *f, size_t *of)
{
    for (size_t i = 0; i < s->reports.len && f->kind != DET_LEAK; i++)
        if (s->reports.at[i].fix.is_found && !*s->reports.at[i].fix.same_as) {
            *of = i;
            return &s->reports.at[i].fix;
        }
    return NULL;
}

/* What searches longer: the id is enough for a recording in the default place. */
static char *command_for(const det_finding *f, const char *recording)
{
    td_text text = {0};
    bool is_default = strncmp(recording, "treadle-out/", strlen("treadle-out/")) == 0;
    td_text_add(&text, "treadle fix %s", is_default ? f->id : recording);
    return text.at;
}

/* Adds the section to the stored page. A page that cannot be read stays as it is. */
static td_status store(ses *s, const char *id, const rep_fix *fix, td_diag *diag)
{
    td_text json = {0};
    rep_page page;
    td_diag why = {0};
    TD_TRY(sto_session_page(s->store, id, &json, diag));
    td_status status = TD_OK;
    if (rep_page_parse(json.at ? json.at : "", json.len, &page, &why) == TD_OK) {
        td_text text = {0};
        td_text_add(&text, "%s", page.text);
        rep_fix_insert(fix, 80, &text);
        td_free(page.text);
        page.text = text.at;
        rep_fix_copy(&page.fix, fix);
        td_text_clear(&json);
        rep_page_print(&page, &json);
        rep_page_fini(&page);
        status = sto_session_page_set(s->store, id, json.at, diag);
    }
    td_text_fini(&json);
    return status;
}

td_status ses_fix_report(ses *s, size_t i, td_diag *diag)
{
    const det_finding *f = &s->result->findings.at[i];
    ses_report *r = &s->reports.at[i];
    rep_fix *fix = &r->fix;
    TD_ASSERT(i < s->reports.len && !fix->command);
    if (!s->opts->find_fix || s->opts->join || !can_have_fix(f, r))
        return TD_OK;
    size_t of = 0;
    const rep_fix *known = known_change(s, f, &of);
    uint64_t ms = known ? 0 : time_for_one(s);
    if (known) {
        rep_fix_copy(fix, known);
        td_free(fix->same_as);
        fix->same_as = td_strdup(s->result->findings.at[of].id);
    } else if (ms > 0) {
        search(s, i, ms, fix);
        bool is_nothing =
            fix->command && !fix->is_found && !fix->is_cut && fix->n_tried == 0;
        if (is_nothing) { /* there is nothing to try, in whatever time */
            rep_fix_fini(fix);
            return TD_OK;
        }
    }
    fix->is_cut |= !fix->command;
    td_free(fix->command);
    fix->command = command_for(f, s->result->recordings.at[i]);
    rep_fix_complete(fix);
    td_text section = {0};
    if (r->text) {
        td_text_add(&section, "%s", r->text);
        rep_fix_insert(fix, s->opts->report.columns, &section);
        td_free(r->text);
        r->text = section.at;
    } else if (fix->is_found && !known) { /* the report was printed before */
        td_text_add(&section, "\ntreadle: for %s, %s:\n", f->id, det_finding_title(f));
        rep_fix_text(fix, s->opts->report.columns, &section);
        r->text = section.at;
    }
    return store(s, f->id, fix, diag);
}
