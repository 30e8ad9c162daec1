/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the search of a session, and restarts it after promotions. */
#include "session/session_int.h"

#include "base/assert.h"

static bool is_over(void *ctx)
{
    ses *s = ctx;
    ses_after_race_check(s);
    return s->after_race.ended || ses_is_over(s);
}

/* old: the search before the promotion, or another search, or NULL. It is freed. */
static xpl *explorer_new(const ses *s, xpl *old, const xpl_opts *with)
{
    if (old && old->search == s->search && s->search->again)
        return s->search->again(old, with);
    if (old)
        old->search->free(old);
    return s->search->new (with);
}

void ses_explorer_start(ses *s)
{
    TD_ASSERT(!s->opts->runs ||
              ses_jobs(s) <= s->opts->runs); /* otherwise the subtraction wraps around */
    const ses_opts *o = s->opts;
    if (s->goal->bit & XPL_BRANCHES)
        s->n_sides = ses_sides_total(s->exec->sites(s->run));
    s->estimate = (ses_estimate){0};
    uint64_t no_bound = s->takes_turns && s->search->samples ? UINT64_MAX : 0;
    xpl_opts with = {.seed = o->seed,
                     .runs = o->runs ? o->runs - ses_jobs(s) : no_bound,
                     .pct_depth = o->pct_depth,
                     .tail = (xpl_tail)o->tail,
                     .counts_pairs = o->census,
                     .bounded = o->bounded,
                     .preemptions = o->preemptions,
                     .iterate = o->iterate,
                     .depth = s->depth.now ? s->depth.now : o->depth,
                     .deepens = s->depth.now > 0,
                     .watches_all = ses_certifies_states(s),
                     .solver = ses_solver(s),
                     .n_sides = s->n_sides,
                     .interferences =
                         o->interferences ? o->interferences - 1 : UINT32_MAX,
                     .interfere_off = o->interfere_off,
                     .model = o->model,
                     .unfollowed = !trc_sites_follow(s->exec->sites(s->run)),
                     .stays = s->handed.n > 0 || strcmp(o->goal, "auto") != 0 ||
                              ses_is_shared(s) || o->farm || o->join,
                     .because = s->goal->bit & XPL_OBSERVATIONS ? s->handed.why.at : NULL,
                     .namer = s->exec->namer(s->run),
                     .stop = &s->stopper};
    s->stopper = (td_stop){.asks = is_over, .ctx = s};
    s->explorer = explorer_new(s, s->explorer, &with);
    TD_ASSERT(s->explorer);
}

static void start_again(ses *s, const xpl_search *search)
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
    s->search = search;
    ses_certificate_restart(s);
    ses_explorer_start(s);
}

void ses_explorer_again(ses *s)
{
    start_again(s, s->search);
}

/* True if the substitute search finished, but gaps prevent the verdict COMPLETE. */
static bool is_in_vain(const ses *s)
{
    return s->handed.n == 1 && s->search->complete(s->explorer) &&
           (det_ledger_first(&s->ledger) || s->shared.unfollowed.len > 0 ||
            s->n_lost > 0) &&
           s->result->findings.len == 0;
}

bool ses_hand_over(ses *s)
{
    TD_ASSERT(ses_flight_is_over(s));
    if (s->staged || s->handed.n > 1 || ses_at_runs(s))
        return false; /* before the search is queried, which may change its state */
    const char *to = s->search->hands_over ? s->search->hands_over(s->explorer) : NULL;
    if (!to && is_in_vain(s))
        to = s->opts->goal;
    if (!to)
        return false;
    const xpl_goal *goal = xpl_goal_find(to);
    const char *why = s->search->says(s->explorer);
    TD_ASSERT(goal && why && (goal->leaves_out || s->handed.n > 0));
    if (s->handed.n++ == 0) {
        td_text_add(&s->handed.why, "%s", why);
        s->handed.n_promoted = s->promoted.len;
    } else { /* promotions for the substitute goal would only cost time */
        s->promoted.len = s->handed.n_promoted;
        trc_u32_vec_clear(&s->shared.unfollowed);
    }
    const char *tail = strrchr(why, ';');
    if (s->handed.n == 1)
        ses_say(s, "%s (which does not cover %s)", tail ? tail + 2 : why,
                goal->leaves_out);
    else
        ses_say(s,
                "observations cannot finish soon, or the program has operations that "
                "they do not model: back to %s",
                goal->name);
    s->goal = goal;
    ses_depth_reset(s);
    start_again(s, xpl_search_find(goal->search));
    return true;
}

bool ses_promote(ses *s)
{
    bool is_due = s->wanted.len > 0 || s->cut_at_races;
    if (!is_due || (s->opts->runs && ses_jobs(s) >= s->opts->runs))
        return false;
    const char *which = s->has_loops ? "accesses in spin loops" : "racing accesses";
    if ((!s->takes_turns || !s->search->sides) && !s->after_race.is_on)
        ses_say(s, "%s promoted to operations; restarting the search",
                s->search->sides ? "accesses to shared memory" : which);
    s->has_loops = s->cut_at_races = false;
    trc_promoted_vec_append(&s->promoted, s->wanted.at, s->wanted.len);
    trc_promoted_vec_clear(&s->wanted);
    ses_depth_reset(s);
    TD_ASSERT(s->promoted.len <= WIRE_MAX_PROMOTED);
    TD_ASSERT(ses_flight_is_over(s));
    if (!ses_is_shared(s))
        ses_explorer_again(s);
    return true;
}
