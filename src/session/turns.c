/* SPDX-License-Identifier: Apache-2.0 */
/* The default search takes turns: the unfolding, which is the session's own search, the product of learned threads,
 * guided samples, and execution graphs where atomics are weak. Each keeps what it knows while another has its
 * turn. Turns double in length up to LONGEST, so that what one search finds soon is found soon, and the runs of
 * the others cost a constant factor. They are counted in runs, never in time: the same seed gives the same
 * session.
 *
 * The session ends when one of them has found a bug, or has proved all that the unfolding would prove. If another
 * search cannot prove that, it is dropped without a ledger entry, and the unfolding decides. */
#include "session/session_int.h"

#include "base/assert.h"

enum {
    FIRST = 2,        /* runs of a turn */
    FIRST_ALONE = 10, /* the unfolding's first, which ends small programs */
    LONGEST = 1000,
    LONGEST_DRAWN = 250, /* for searches that never finish */
    LEAST_WORK = 10,     /* steps that are computed without a run ... */
    MOST_WORK = 20,
    RUNS_OF_WORK = 50, /* ... in long turns, each in place of so many runs */
    PUT_OFF =
        32,      /* turns of this length end the time in which the unfolding is put off */
    INSTEAD = 16 /* turns of the product are so many times as long then */
};

typedef enum engine { UNFOLDING, PRODUCT, GRAPHS, GUIDED, PRIORITIES, N_ENGINES } engine;

typedef struct turns {
    ses *s;
    ses_aside aside[N_ENGINES]; /* members of all searches but the current one */
    bool is_there[N_ENGINES];
    bool was_dropped[N_ENGINES];
    bool is_put_off; /* the unfolding, as the first run did not end */
    engine at;
    ses_opts weaker; /* options of the graphs */
} turns;

/* ---- what belongs to one search ---- */

#define TAKE(name) a.name = s->name;
#define GIVE(name) s->name = a->name;

ses_aside ses_put_aside(ses *s)
{
    TD_ASSERT(s->stop != SES_GO || (ses_flight_is_over(s) && !s->staged &&
                                    s->again_left == 0 && !s->cover_left));
    ses_aside a;
    SES_OF_ONE_SEARCH(TAKE)
    ses_solver_free(s); /* its graph is the explorer's */
    s->other_runs += a.census.n_runs;
    s->other_jobs += a.n_jobs;
    return a;
}

void ses_take_up(ses *s, const ses_aside *a)
{
    SES_OF_ONE_SEARCH(GIVE)
    TD_ASSERT(s->other_runs >= a->census.n_runs && s->other_jobs >= a->n_jobs);
    s->other_runs -= a->census.n_runs;
    s->other_jobs -= a->n_jobs;
}

/* Creates another search, which starts empty. */
void ses_begin_beside(ses *s, const ses_aside *of, const ses_opts *opts,
                      const xpl_search *search)
{
    TD_ASSERT(!(opts->model && !search->takes_model));
    const ses_aside new = {.opts = opts,
                           .goal = of->goal,
                           .search = search,
                           .ledger = {.trust = of->ledger.trust}};
    ses_take_up(s, &new);
    trc_promoted_vec_append(&s->promoted, of->promoted.at, of->promoted.len);
    ses_explorer_start(s);
}

void ses_end_beside(ses *s)
{
    s->other_runs += s->census.n_runs;
    s->other_jobs += s->n_jobs;
    ses_events_drop(s);
    ses_solver_free(s);
    s->search->free(s->explorer);
    if (s->sharer)
        s->opts->sharing->free(s->sharer);
    xpl_census_fini(&s->census);
    xpl_spread_fini(&s->spread);
    xpl_alternatives_fini(&s->alternatives);
    det_ledger_fini(&s->ledger);
    td_free(s->depth.gap);
    trc_promoted_vec_fini(&s->promoted);
    trc_promoted_vec_fini(&s->wanted);
    trc_u32_vec_fini(&s->unordered);
    ses_shared_fini(&s->shared);
    s->staged = s->cover_left = s->at_runs = false;
    s->again_left = 0;
}

/* ---- which searches there are ---- */

/* True if no option chooses the search, and the session does not share its search with others. */
static bool takes_turns(const ses *s)
{
    const ses_opts *o = s->opts;
    return o->is_default && !o->model && !o->fake_search && !o->bounded && !o->iterate &&
           !o->tail && !o->keep_runs && !o->farm && !o->join && !o->resume &&
           !o->keep_going && !o->leaks && !o->census && !o->orders && !o->certificate &&
           strcmp(s->search->name, "unfold") == 0;
}

static const xpl_search *search_of(const turns *t, engine e)
{
    switch (e) {
    case PRODUCT:
        return trc_sites_follow(t->s->exec->sites(t->s->run)) ? &xpl_product_claims
                                                              : NULL;
    case GRAPHS:
        return t->s->has_weaker && !t->s->opts->only_sc ? &xpl_graphs : NULL;
    case GUIDED:
        return xpl_search_find("guided");
    case PRIORITIES:
        return xpl_search_find("pct");
    default:
        return NULL;
    }
}

/* ---- turns ---- */

/* Switches the session to this search. False: there is no such search. */
static bool switch_to(turns *t, engine e)
{
    ses *s = t->s;
    const xpl_search *search = t->is_there[e] ? NULL : search_of(t, e);
    if (t->at == e)
        return true;
    if (t->was_dropped[e] || (!t->is_there[e] && !search))
        return false;
    t->aside[t->at] = ses_put_aside(s);
    if (t->is_there[e]) {
        ses_take_up(s, &t->aside[e]);
    } else {
        t->weaker.model = s->is_for_x86 ? "tso" : "rc11";
        const ses_opts *opts = t->aside[UNFOLDING].opts;
        ses_begin_beside(s, &t->aside[UNFOLDING], e == GRAPHS ? &t->weaker : opts,
                         search);
        t->is_there[e] = true;
    }
    t->at = e;
    return true;
}

/* Drops the current search and switches to another one. */
static void drop(turns *t, engine next)
{
    TD_ASSERT(t->is_there[next] && next != t->at);
    ses_end_beside(t->s);
    t->was_dropped[t->at] = true;
    t->is_there[t->at] = false;
    t->at = next;
    ses_take_up(t->s, &t->aside[next]);
}

/* True if the finished search proves the session's claim without gaps. */
static bool has_proved(ses *s)
{
    bool at_runs = s->at_runs;
    if (!(s->search->covers & s->goal->bit) || s->opts->model || s->n_lost > 0 ||
        s->result->findings.len > 0 || !ses_is_complete(s))
        return false;
    char *why = ses_why_incomplete(s);
    bool proved = !why;
    s->at_runs = at_runs;
    td_free(why);
    return proved;
}

/* Every execution that the model allows was run. */
static bool has_all_graphs(ses *s)
{
    char *why = s->opts->model && ses_is_complete(s) ? ses_why_incomplete(s) : NULL;
    bool has = s->opts->model && ses_is_complete(s) && !why;
    s->at_runs = false;
    td_free(why);
    return has;
}

/* The unfolding continues where it is about to end. */
static uint64_t runs_of_turn(const turns *t, uint64_t length)
{
    const ses *s = t->s;
    if (s->search->samples)
        return length < LONGEST_DRAWN ? length : LONGEST_DRAWN;
    if (t->at == PRODUCT && t->is_put_off)
        return INSTEAD * length;
    if (t->at != UNFOLDING)
        return length;
    xpl_left left = xpl_what_is_left(s->explorer);
    bool ends_soon = left.is_known && left.runs < (double)(4 * length);
    uint64_t most = length == FIRST ? FIRST_ALONE : ends_soon ? 4 * length : length;
    return most < LONGEST ? most : LONGEST;
}

static uint64_t work_of_turn(uint64_t length)
{
    uint64_t n = length / RUNS_OF_WORK;
    return n < LEAST_WORK ? LEAST_WORK : n > MOST_WORK ? MOST_WORK : n;
}

/* Runs that do not end are for the product, which folds loops. If it has no end soon either, the unfolding explores
 * with a growing depth. */
static bool is_put_off(turns *t, uint64_t length)
{
    bool waits = t->is_put_off && !t->was_dropped[PRODUCT] && length < PUT_OFF &&
                 search_of(t, PRODUCT);
    if (t->is_put_off && !waits) {
        t->is_put_off = false;
        switch_to(t, UNFOLDING);
        ses_depth_begin_again(t->s);
    }
    return waits;
}

/* One search after the other has its turn, until one has ended the session. */
static td_status take_turns(turns *t, td_diag *diag)
{
    ses *s = t->s;
    uint64_t length = FIRST;
    for (;; length = length < LONGEST / 2 ? 2 * length : LONGEST) {
        for (engine e = UNFOLDING; e < N_ENGINES; e++) {
            if ((e == UNFOLDING && is_put_off(t, length)) || !switch_to(t, e))
                continue;
            s->turn_left = runs_of_turn(t, length);
            s->work_left = work_of_turn(length);
            TD_TRY(ses_loop(s, diag));
            if (s->stop != SES_GO || ses_at_runs(s))
                return TD_OK;
            t->is_put_off |= e == UNFOLDING && s->depth.is_put_off;
            bool is_partial = e == PRODUCT && xpl_product_is_partial(s->explorer);
            if (s->turn_left == 0 && !is_partial)
                continue; /* it has more to do */
            if (e == UNFOLDING || (!is_partial && has_proved(s)))
                return TD_OK;
            if (has_all_graphs(s))
                s->n_graphs = s->census.n_runs;
            drop(t, UNFOLDING);
        }
    }
}

td_status ses_explore(ses *s, td_diag *diag)
{
    s->turn_left = UINT64_MAX;
    if (!takes_turns(s))
        return ses_loop(s, diag);
    turns t = {.s = s, .weaker = *s->opts};
    t.is_there[UNFOLDING] = true;
    s->takes_turns = true;
    td_status status = take_turns(&t, diag);
    bool proved =
        status == TD_OK && s->stop == SES_GO && t.at == PRODUCT && !ses_at_runs(s);
    engine kept = proved ? PRODUCT : UNFOLDING;
    if (t.at != kept)
        drop(&t, kept);
    const ses_aside mine = ses_put_aside(s);
    for (engine e = UNFOLDING; e < N_ENGINES; e++) {
        if (e == kept || !t.is_there[e])
            continue;
        ses_take_up(s, &t.aside[e]);
        ses_end_beside(s);
    }
    ses_take_up(s, &mine);
    s->turn_left = UINT64_MAX;
    s->takes_turns = false;
    return status;
}
