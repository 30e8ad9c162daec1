/* SPDX-License-Identifier: Apache-2.0 */
/* Explores programs that may not terminate with a growing depth limit: everything reachable in N operations,
 * then in 2 N, and so on up to opts.depth. Each limit is a search of its own, complete for that limit.
 *
 * The first run has no limit but opts.depth. If it ends, the horizon is at least twice its length, and at
 * least START operations. As long as no run exceeds the horizon, depth is not bounded. Once one does, or
 * if the first run does not end, the search restarts with a limit that a run like the first one does not reach.
 *
 * Why that is right: docs/bounds.md. */
#include "session/session_int.h"

#include "base/assert.h"

enum {
    FIRST_BOUND = 8, /* the smallest limit, if the first run is cut or short */
    FIRST_BESIDE =
        8192, /* limit of the first run while other searches take turns with this one */
    FIRST_THREADS =
        4096, /* a first run with more threads counts as one that does not end */
};

/* True if the search supports depth limits, and no other bound is set. */
static bool can_deepen(const ses *s)
{
    const ses_opts *o = s->opts;
    return s->search->takes_depth && !o->bounded && !o->iterate && !o->join && !o->farm &&
           !o->resume && !ses_is_shared(s);
}

/* The first bound that a run of twice the length does not exceed. */
static uint32_t bound_for(const ses *s, uint32_t least, uint32_t length)
{
    uint64_t bound = least;
    while (bound < UINT64_C(2) * length)
        bound *= 2;
    return bound < s->opts->depth ? (uint32_t)bound : s->opts->depth;
}

/* Operations that count in the depth of a run. */
static uint32_t length_of(const trc *t)
{
    uint32_t n = 0;
    for (size_t i = 0; i < t->ops.len; i++) {
        uint8_t kind = t->ops.at[i].kind;
        n += !mdl_ends(kind) && !mdl_decides(kind) && !mdl_spins(kind);
    }
    return n;
}

static bool is_too_long(const trc *t)
{
    return t->done == WIRE_DONE_DEPTH;
}

/* Where searches take turns, those that fold loops may have an end where this one has none. */
static bool is_first_beside(const ses *s)
{
    return s->takes_turns && can_deepen(s) && !s->depth.has_first && !s->depth.is_alone &&
           FIRST_BESIDE < s->opts->depth;
}

void ses_depth_begin_again(ses *s)
{
    TD_ASSERT(s->depth.is_put_off && ses_flight_is_over(s));
    s->depth.is_put_off = false;
    s->depth.is_alone = true;
    ses_explorer_again(s);
}

uint32_t ses_depth_of(const ses *s, const xpl_job *job)
{
    const ses_depth *d = &s->depth;
    if (s->takes_turns && s->search->samples)
        return ses_depth_of_sample(s);
    if (is_first_beside(s))
        return FIRST_BESIDE;
    if (!can_deepen(s) || (d->now == 0 && !d->has_first))
        return 0;
    uint32_t depth = d->now > 0 ? d->now : d->horizon;
    depth = job->depth > depth ? job->depth : depth;
    return depth < s->opts->depth ? depth : 0;
}

uint32_t ses_depth_threads(const ses *s)
{
    return can_deepen(s) && s->depth.now == 0 && !s->depth.has_first ? FIRST_THREADS : 0;
}

void ses_depth_take(ses *s, const trc *t)
{
    ses_depth *d = &s->depth;
    bool is_long = is_too_long(t);
    if (!is_long && t->ops.len > s->longest_run)
        s->longest_run = (uint32_t)t->ops.len;
    if (!can_deepen(s))
        return;
    if (is_long && is_first_beside(s)) {
        d->is_put_off = s->runs_are_cut = true;
        s->turn_left = 0;
        return;
    }
    if (d->now > 0) {
        d->n_cut += is_long;
        d->is_short |= is_long && length_of(t) < d->now;
        return;
    }
    if (!d->has_first) {
        d->length = is_long ? 0 : length_of(t);
        d->horizon = bound_for(s, SES_HORIZON, d->length);
        d->has_first = true;
    }
    d->wants |= is_long;
}

static bool has_runs_left(const ses *s)
{
    return s->opts->runs == 0 || ses_jobs(s) < s->opts->runs;
}

static void restart(ses *s, uint32_t bound)
{
    TD_ASSERT(bound > s->depth.now && bound <= s->opts->depth);
    s->depth.now = bound;
    s->depth.n_cut = 0;
    s->depth.is_short = false;
    ses_explorer_again(s);
}

bool ses_depth_start(ses *s)
{
    ses_depth *d = &s->depth;
    if (!d->wants || !has_runs_left(s))
        return false;
    TD_ASSERT(d->now == 0 && d->has_first);
    d->wants = false;
    ses_say(s, "runs do not end; exploring with a growing depth limit (docs/bounds.md)");
    restart(s, bound_for(s, FIRST_BOUND, d->length));
    return true;
}

/* True if the search left something out because of its limit. */
static bool is_bounded(const ses *s)
{
    xpl_gap gaps[SES_MAX_GAPS];
    size_t n = xpl_gaps(s->explorer, gaps, SES_MAX_GAPS);
    for (size_t i = 0; i < n; i++)
        if (strcmp(gaps[i].kind, "depth") == 0)
            return true;
    return s->depth.n_cut > 0;
}

/* Returns another reason why the search left something out, or NULL. */
static const char *other_gap(const ses *s)
{
    xpl_gap gaps[SES_MAX_GAPS];
    size_t n = xpl_gaps(s->explorer, gaps, SES_MAX_GAPS);
    for (size_t i = 0; i < n; i++)
        if (strcmp(gaps[i].kind, "depth") != 0)
            return gaps[i].text;
    for (size_t i = 0; i < s->ledger.gaps.len; i++)
        if (strcmp(s->ledger.gaps.at[i].kind, "depth") != 0 &&
            det_gap_counts(&s->ledger.gaps.at[i]))
            return s->ledger.gaps.at[i].kind;
    return NULL;
}

bool ses_depth_grow(ses *s)
{
    ses_depth *d = &s->depth;
    if (d->now == 0 || s->stop != SES_GO || d->is_short ||
        !s->search->complete(s->explorer))
        return false;
    const char *gap = other_gap(s);
    td_free(d->gap);
    d->gap = gap ? td_strdup(gap) : NULL;
    d->completed = d->now;
    if (!is_bounded(s) || d->now >= s->opts->depth || !has_runs_left(s))
        return false;
    restart(s, d->now < s->opts->depth / 2 ? 2 * d->now : s->opts->depth);
    return true;
}
