/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of a session, for progress output and the store. Samples of the counters and of the search's
 * estimate are taken at growing intervals, so there are at most some hundreds. */
#include "session/session_int.h"

#include <sys/resource.h>

#include "base/assert.h"

#define FIRST_MS 100u /* between two samples, until ... */
#define EVERY 50u     /* ... a fiftieth of the time since the start is more */

void ses_counts(const ses *s, xpl_counts *out)
{
    if (s->search->count)
        s->search->count(s->explorer, out);
    else
        *out = (xpl_counts){.events = s->census.events.len, .digest = s->census.digest};
}

/* Parts of a search that runs each trace once share events, so their sum is not the number of events. */
bool ses_counts_events(const ses *s)
{
    bool is_asked = s->opts->census && !(s->search->each_once && ses_is_shared(s));
    return is_asked || !(s->search->samples || s->search->each_once);
}

bool ses_counts_traces(const ses *s)
{
    return xpl_counts_traces(s->search) && (s->search->each_once || ses_counts_events(s));
}

uint64_t ses_n_traces(const ses *s)
{
    xpl_share share = {.traces = s->census.traces.len};
    if (s->search->each_once)
        s->search->parts->share(s->explorer, &share);
    return share.traces;
}

const char *ses_chosen(const ses *s)
{
    return s->search->says ? s->search->says(s->explorer) : NULL;
}

const char *ses_covers(const ses *s)
{
    if (xpl_product_has_cycles(s->explorer))
        return "every observation of every thread was made, for any number of iterations";
    return s->search->covered ? s->search->covered : s->goal->covered;
}

ses_now ses_measure(ses *s)
{
    xpl_counts counts;
    ses_counts(s, &counts);
    xpl_left left = xpl_what_is_left(s->explorer);
    uint64_t ms = ses_elapsed_ms(s);
    ses_now n = {.ms = ms,
                 .runs = s->other_runs + s->census.n_runs,
                 .events = counts.events,
                 .targets = left.targets,
                 .pairs = xpl_n_pairs(s->explorer),
                 .findings = s->result->findings.len,
                 .queries = ses_solver_view(s).queries,
                 .limit_ms = s->opts->time_ms};
    if (s->goal->bit & XPL_BRANCHES) {
        n.n_sides = s->n_sides;
        n.n_taken = s->sides.len;
    }
    ses_estimate_add(&s->estimate, ms, s->census.n_runs, &left);
    n.remaining = ses_estimate_now(&s->estimate);
    if (ses_is_shared(s))
        s->opts->sharing->measure(s->sharer, &n);
    TD_ASSERT(!n.remaining.is_known || n.remaining.runs >= 0);
    return n;
}

static uint64_t ms_of(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_usec / 1000;
}

td_status ses_sample(ses *s, td_diag *diag)
{
    ses_now n = ses_measure(s);
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    sto_sample sample = {.ms = s->sampled_ms + n.ms,
                         .cpu_ms = ms_of(usage.ru_utime) + ms_of(usage.ru_stime),
                         .runs = xpl_n_earlier(s->explorer) + n.runs,
                         .events = n.events,
                         .targets = n.targets,
                         .findings = n.findings,
                         .sides_taken = n.n_taken,
                         .queries = n.queries,
                         .has_left = n.remaining.is_known,
                         .left_ms = n.remaining.ms,
                         .left_runs = (uint64_t)n.remaining.runs,
                         .pairs = n.pairs};
    return sto_session_sample(s->store, &sample, diag);
}

/* Takes a sample of the counters when one is due. If there is no memory for it, the session
 * continues without samples. */
void ses_sample_tick(ses *s)
{
    td_diag diag = {0};
    uint64_t ms = ses_elapsed_ms(s);
    if (ms < s->sample_ms)
        return;
    s->sample_ms = ms + (ms / EVERY > FIRST_MS ? ms / EVERY : FIRST_MS);
    if (ses_sample(s, &diag) == TD_OK)
        return;
    s->sample_ms = UINT64_MAX;
    ses_say(s, "no further samples are kept: %s", diag.text);
}
