/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the invariants of session_int.h by recounting everything. */
#include "session/session_int.h"

#include <stdio.h>

static bool broken(char *why, size_t size, const char *text)
{
    if (why && size > 0)
        snprintf(why, size, "%s", text);
    return false;
}

static bool has_site(const trc_promoted_vec *v, size_t n, uint32_t site)
{
    for (size_t i = 0; i < n; i++)
        if (v->at[i].site == site)
            return true;
    return false;
}

/* No site is promoted twice, and no promoted site is wanted again. */
static bool sites_valid(const ses *s)
{
    for (size_t i = 0; i < s->promoted.len; i++)
        if (has_site(&s->promoted, i, s->promoted.at[i].site))
            return false;
    for (size_t i = 0; i < s->wanted.len; i++)
        if (has_site(&s->wanted, i, s->wanted.at[i].site) ||
            has_site(&s->promoted, s->promoted.len, s->wanted.at[i].site))
            return false;
    return s->promoted.len <= WIRE_MAX_PROMOTED;
}

/* Each finding once, with its recording and what its inputs are. */
static bool findings_valid(const ses_result *r)
{
    for (size_t i = 0; i < r->findings.len; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->findings.at[i].id, r->findings.at[k].id) == 0)
                return false;
    return r->recordings.len == r->findings.len && r->shown_inputs.len == r->findings.len;
}

/* Checks the jobs in flight, by kind. */
static bool flight_valid(const ses *s)
{
    uint64_t n_covers = 0, words = 0;
    for (uint64_t i = s->flight_head; i != s->flight_tail; i++) {
        const ses_job *job = &s->flight[i % SES_SLOTS];
        bool is_own = (job->request.id & SES_OWN_JOB) != 0;
        if (is_own != (job->kind != SES_EXPLORE))
            return false;
        n_covers += job->kind == SES_COVER;
        words += ses_job_words(job);
    }
    return n_covers == s->n_covers && words == s->flight_words;
}

bool ses_valid(const ses *s, char *why, size_t size)
{
    if (s->flight_tail - s->flight_head > SES_SLOTS || !flight_valid(s))
        return broken(why, size, "jobs in flight");
    if (s->backlog_at > s->backlog.len ||
        (s->backlog_at < s->backlog.len && s->flight_tail != s->flight_head))
        return broken(why, size, "a backlog beside jobs in flight");
    if (!findings_valid(s->result))
        return broken(why, size, "findings");
    if (!sites_valid(s))
        return broken(why, size, "sites that are promoted or wanted twice");
    if (s->events.ids.len != s->events.at.len)
        return broken(why, size, "events without ids");
    return true;
}
