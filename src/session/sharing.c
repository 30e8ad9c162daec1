/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a session that the campaign sharing its search may read and change. */
#include "session/session_int.h"

bool ses_can_share(const ses *s)
{
    const ses_opts *o = s->opts;
    const xpl_parts *parts = s->search->parts;
    /* The run limit is per process; another worker may take the remaining work. */
    bool is_bounded =
        o->bounded || o->iterate || (o->runs && !(s->is_leaving && parts && parts->rest));
    /* A farm checks how items are divided, which it can of literals only. */
    bool is_refused = o->farm && parts && parts->rest;
    /* After a data race it goes on for a while only, and by rules that workers do not know. */
    return o->sharing && o->jobs > 0 && parts && !is_bounded && !is_refused &&
           s->depth.now == 0 && !s->after_race.is_on;
}

ses_shared_sum ses_sum(const ses *s)
{
    ses_shared_sum sum = {0};
    if (ses_is_shared(s))
        s->opts->sharing->sum(s->sharer, &sum);
    TD_ASSERT(sum.is_shared == ses_is_shared(s));
    return sum;
}

const ses_opts *ses_options(const ses *s)
{
    return s->opts;
}

const xpl_search *ses_search(const ses *s)
{
    return s->search;
}

xpl *ses_explorer(const ses *s)
{
    TD_ASSERT(s->explorer);
    return s->explorer;
}

const char *ses_dir(const ses *s)
{
    return sto_session_dir(s->store);
}

const char *ses_build_id(const ses *s)
{
    return trc_build_id(s->exec->sites(s->run));
}

det_ledger *ses_ledger(ses *s)
{
    return &s->ledger;
}

ses_tally ses_tally_of(const ses *s)
{
    xpl_counts counts;
    ses_counts(s, &counts);
    return (ses_tally){.runs = s->census.n_runs,
                       .blocked_runs = s->census.n_blocked + counts.in_vain,
                       .lost_runs = s->n_lost,
                       .events = counts.events};
}

const ses_ends *ses_ends_of(const ses *s)
{
    return &s->ends;
}

void ses_ends_add(ses *s, ses_ends other)
{
    ses_ends *e = &s->ends;
    e->differ |= other.differ ||
                 (e->n_runs > 0 && other.n_runs > 0 && e->exit_code != other.exit_code);
    if (e->n_runs == 0)
        e->exit_code = other.exit_code;
    e->n_runs += other.n_runs;
    if (other.most_threads > e->most_threads)
        e->most_threads = other.most_threads;
}

bool ses_has_finding(const ses *s, const char *id)
{
    for (size_t i = 0; i < s->result->findings.len; i++)
        if (strcmp(s->result->findings.at[i].id, id) == 0)
            return true;
    return false;
}

uint64_t ses_worker_memory(const ses *s)
{
    return s->own_memory;
}

const sigset_t *ses_signals_before(const ses *s)
{
    TD_ASSERT(s->signals_held);
    return &s->signals_before;
}

ses_stop ses_stopped(const ses *s)
{
    return s->stop;
}

void ses_stop_for_user(ses *s)
{
    TD_ASSERT(s->stop == SES_GO);
    s->stop = SES_STOP_USER;
}

const trc_promoted_vec *ses_promoted(const ses *s)
{
    return &s->promoted;
}
