/* SPDX-License-Identifier: Apache-2.0 */
/* The search of a session starts, and restarts once more accesses are operations. */
#include "session/session_int.h"

#include "base/assert.h"

static bool is_over(void *ctx)
{
    return ses_is_over(ctx);
}

/* old: of fewer operations, NULL: there is none. It is freed. */
static xpl *explorer_new(const ses *s, xpl *old, const xpl_opts *with)
{
    if (old && s->search->again)
        return s->search->again(old, with);
    if (old)
        s->search->free(old);
    return s->search->new (with);
}

void ses_explorer_start(ses *s)
{
    TD_ASSERT(!s->opts->runs ||
              s->n_jobs <= s->opts->runs); /* else what is left wraps around */
    const ses_opts *o = s->opts;
    if (s->goal->bit & XPL_BRANCHES)
        s->n_sides = ses_sides_total(s->exec->sites(s->run));
    s->estimate = (ses_estimate){0};
    xpl_opts with = {.seed = o->seed,
                     .runs = o->runs ? o->runs - s->n_jobs : 0,
                     .pct_depth = o->pct_depth,
                     .tail = (xpl_tail)o->tail,
                     .counts_pairs = o->census,
                     .bounded = o->bounded,
                     .preemptions = o->preemptions,
                     .iterate = o->iterate,
                     .depth = s->depth.now ? s->depth.now : o->depth,
                     .deepens = s->depth.now > 0,
                     .solver = ses_solver(s),
                     .n_sides = s->n_sides,
                     .interferences =
                         o->interferences ? o->interferences - 1 : UINT32_MAX,
                     .interfere_off = o->interfere_off,
                     .model = o->model,
                     .unfollowed = !trc_sites_follow(s->exec->sites(s->run)),
                     .namer = s->exec->namer(s->run),
                     .stop = &s->stopper};
    s->stopper = (td_stop){.asks = is_over, .ctx = s};
    s->explorer = explorer_new(s, s->explorer, &with);
    TD_ASSERT(s->explorer);
}

void ses_explorer_again(ses *s)
{
    TD_ASSERT(ses_flight_len(s) == 0); /* runs in flight are of the old explorer */
    s->staged = false;
    s->again_left = 0;
    s->cover_left = false;
    ses_events_drop(s);
    s->n_lost = 0;
    ses_solver_free(s); /* its graph is the explorer's */
    xpl_census_restart(&s->census);
    xpl_spread_restart(&s->spread);
    xpl_alternatives_fini(&s->alternatives);
    det_ledger_fini(&s->ledger);
    ses_explorer_start(s);
}

bool ses_promote(ses *s)
{
    if (s->wanted.len == 0 || (s->opts->runs && s->n_jobs >= s->opts->runs))
        return false;
    const char *which = s->has_loops ? "accesses in spin loops" : "racing accesses";
    ses_say(s, "%s promoted to operations; restarting the search",
            s->search->sides ? "accesses to shared memory" : which);
    s->has_loops = false;
    trc_promoted_vec_append(&s->promoted, s->wanted.at, s->wanted.len);
    trc_promoted_vec_clear(&s->wanted);
    ses_depth_reset(s);
    TD_ASSERT(s->promoted.len <= WIRE_MAX_PROMOTED);
    TD_ASSERT(ses_flight_is_over(s));
    if (!ses_is_shared(s))
        ses_explorer_again(s);
    return true;
}
