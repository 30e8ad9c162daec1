/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether the session is COMPLETE. Everything left out becomes a ledger entry; the first entry is the
 * reason. */
#include "session/session_int.h"

#include <inttypes.h>

#include "base/assert.h"

/* Belongs to the caller. */
static char *new_text(const char *format, ...) TD_PRINTF(1, 2);
static char *new_text(const char *format, ...)
{
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return td_strdup(text);
}

/* Adds a bound that left something out to the ledger. The first one is the reason for INCOMPLETE. Takes
 * ownership of text. */
static void bound(ses *s, char **why, const char *kind, char *text)
{
    TD_ASSERT(text != *why && text[0]);
    det_ledger_add(&s->ledger, kind, "", 0, text);
    if (*why)
        td_free(text);
    else
        *why = text;
}

bool ses_is_complete(const ses *s)
{
    return ses_is_shared(s) ? ses_sum(s).is_complete : s->search->complete(s->explorer);
}

uint64_t ses_runs(const ses *s)
{
    return s->other_runs + (ses_is_shared(s) ? ses_sum(s).runs : s->census.n_runs);
}

bool ses_at_runs(const ses *s)
{
    return s->opts->runs && ses_jobs(s) >= s->opts->runs &&
           !s->search->complete(s->explorer);
}

/* Bounds of the session, then those of the search. */
static char *why_bounded(ses *s)
{
    char *why = NULL;
    char value[32], memory[80];
    if (s->stop == SES_STOP_USER)
        bound(s, &why, "interrupted", new_text("interrupted"));
    ses_duration(s->opts->time_ms, value);
    if (s->stop == SES_STOP_TIME)
        bound(s, &why, "time", new_text("time limit %s", value));
    if (s->stop == SES_STOP_MEMORY)
        bound(s, &why, "memory", new_text("%s", ses_memory_why(s, memory)));
    ses_number(ses_jobs(s), value);
    s->at_runs = s->stop == SES_STOP_RUNS || ses_at_runs(s);
    if (s->at_runs)
        bound(s, &why, "runs", new_text("run limit %s", value));

    if (s->wanted.len > 0 || s->cut_at_races)
        bound(s, &why, "race",
              new_text("not every order of the racing accesses was explored"));

    xpl_gap gaps[SES_MAX_GAPS];
    size_t n = xpl_gaps(s->explorer, gaps, SES_MAX_GAPS);
    for (size_t i = 0; i < n; i++) {
        det_ledger_add_many(&s->ledger, gaps[i].kind, gaps[i].text, gaps[i].count);
        why = why ? why : td_strdup(gaps[i].text);
    }
    if (!(s->search->covers & s->goal->bit) && s->search->complete(s->explorer))
        bound(s, &why, "goal",
              new_text("the search %s does not cover all %s", s->search->name,
                       s->goal->name));
    return why;
}

static char *why_gap(const det_gap *g)
{
    const char *slash = strrchr(g->file, '/');
    const char *file = slash ? slash + 1 : g->file;
    const char *colon = g->text[0] ? ": " : "";
    if (g->line > 0)
        return new_text("%s%s%s, %s:%u", g->kind, colon, g->text, file, g->line);
    return new_text("%s%s%s", g->kind, colon, g->text);
}

static bool has_kind(const ses *s, det_kind kind)
{
    for (size_t i = 0; i < s->result->findings.len; i++)
        if (s->result->findings.at[i].kind == kind)
            return true;
    return false;
}

static void add_parked(ses *s)
{
    const ses_shared_sum sum = ses_sum(s), *t = &sum;
    char *text = td_strdup("parts of the search that crash every worker");
    if (t->parked_item > 0) {
        td_free(text);
        text = new_text("parts of the search that crash every worker; the first is item "
                        "%" PRIu64 ", which worker %" PRIu64 " had last",
                        t->parked_item, t->parked_worker);
    }
    det_ledger_add_many(&s->ledger, "parked", text, t->n_parked);
    td_free(text);
}

char *ses_why_incomplete(ses *s)
{
    ses_unordered(s);
    ses_shared_ledger(s);
    char *why = why_bounded(s);
    if (why)
        return why;
    if (has_kind(s, DET_NONDET))
        return new_text("the program is nondeterministic");
    /* Lost runs are in the ledger already, or led to a finding. */
    bool complete = ses_is_complete(s);
    if (ses_sum(s).n_parked > 0)
        add_parked(s);
    if (!complete && s->n_lost == 0)
        det_ledger_add(&s->ledger, "search", "", 0, "some targets could not be executed");
    const det_gap *first = det_ledger_first(&s->ledger);
    if (first)
        return why_gap(first);
    TD_ASSERT(complete || s->n_lost > 0); /* every other gap is in the ledger */
    return complete ? NULL : new_text("runs were lost");
}

/* Parts that are done, and what we know of the one that we had. */
static void take_total(const ses *s, ses_result *r)
{
    const ses_shared_sum sum = ses_sum(s), *t = &sum;
    TD_ASSERT(t->is_shared && s->search->parts);
    xpl_share mine = {0};
    if (t->has_item)
        s->search->parts->share(s->explorer, &mine);
    r->runs = s->other_runs + t->runs;
    r->blocked_runs += t->blocked_runs;
    r->events = t->done.events + mine.events;
    r->digest = td_id_sum(t->done.digest, mine.digest);
    r->traces = t->done.traces + mine.traces;
    r->whole_traces = t->done.whole_traces + mine.whole_traces;
    r->trace_digest = td_id_sum(t->done.trace_digest, mine.trace_digest);
}

/* A search that runs each trace once counts them itself, and its digest is of these: parts of it have events
 * in common. */
static void count_traces(const ses *s, ses_result *r)
{
    xpl_share own = {.traces = s->census.traces.len,
                     .whole_traces = s->census.n_whole,
                     .digest = r->digest,
                     .trace_digest = s->census.trace_digest};
    if (s->search->each_once)
        s->search->parts->share(s->explorer, &own);
    r->digest = own.digest;
    r->traces = own.traces;
    r->whole_traces = own.whole_traces;
    r->trace_digest = own.trace_digest;
    r->repeated_runs = s->census.n_repeated;
}

static bool is_suspected(const ses *s)
{
    for (size_t i = 0; i < s->ledger.gaps.len; i++)
        if (strcmp(s->ledger.gaps.at[i].kind, DET_SUSPECTED) == 0)
            return true;
    return false;
}

rep_verdict ses_verdict(const ses *s)
{
    const ses_result *r = s->result;
    if (r->findings.len > 0)
        return REP_VERDICT_BUG;
    if (is_suspected(s))
        return REP_VERDICT_SUSPECTED;
    /* If something kept the program from creating threads, the verdict is INCOMPLETE. */
    bool has_choices = s->has_choices || s->ends.most_threads > 1;
    if (!has_choices && (!r->stopped || s->at_runs))
        return REP_VERDICT_NOTHING;
    return r->stopped ? REP_VERDICT_INCOMPLETE : REP_VERDICT_COMPLETE;
}

/* A finding ended the session, or the time that it goes on after a data race. */
static char *why_stopped(const ses *s)
{
    char n[32];
    TD_ASSERT(s->stop == SES_STOP_BUG);
    ses_number(s->after_race.n_runs, n);
    if (s->after_race.out_of_time)
        return new_text("stopped %u s after the first data race",
                        SES_AFTER_RACE_MS / 1000);
    if (s->after_race.ended)
        return new_text("stopped %s runs after the first data race", n);
    return new_text("stopped at the first bug%s",
                    s->after_race.is_on ? " that is not a data race" : "");
}

void ses_conclude(ses *s)
{
    TD_ASSERT(!s->runs_own && !s->is_leaving);
    ses_result *r = s->result;
    xpl_counts counts;
    r->is_full = s->stop == SES_STOP_MEMORY;
    s->last = ses_measure(s);
    ses_counts(s, &counts);
    r->runs = s->other_runs + s->census.n_runs;
    r->blocked_runs = s->census.n_blocked + counts.in_vain;
    r->events = counts.events;
    r->digest = counts.digest;
    count_traces(s, r);
    r->seconds = (double)ses_elapsed_ms(s) / 1000;
    if (ses_is_shared(s))
        take_total(s, r);
    ses_suppress_ledger(s);
    det_ledger_volatile(&s->ledger, s->exec->sites(s->run));
    ses_sides_conclude(s);
    ses_coverage_conclude(s);
    ses_fails_conclude(s);
    if (s->stop == SES_STOP_BUG)
        r->stopped = why_stopped(s);
    else
        r->stopped = ses_why_incomplete(s);
    /* (L3): "complete" has nothing in the ledger that counts. */
    TD_ASSERT(r->stopped || !det_ledger_first(&s->ledger));
    r->verdict = ses_verdict(s);
}
