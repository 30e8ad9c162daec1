/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Livelocks in the structure: a thread that repeats a loop forever, because no other thread can still
 * write what it reads, in a configuration that perhaps no run has executed.
 *
 * Everything that a waiting history reads must stay unchanged: these states are frozen. A thread that
 * writes to such an object must have ended without doing so, or be blocked in turn, in a loop, on a
 * lock or in a join; then that object's state is frozen as well. A thread that was not created counts
 * as ended if its creator is stuck before it creates it. So the search collects one history for each
 * thread that matters, all of which are compatible; it ends when no thread remains to be placed.
 *
 * A thread that could end the process, or fail, must be stuck as well.
 *
 * Without loss a thread in a loop has read the final values: earlier iterations could be left out.
 * This makes the search short: what a thread does after it has written to a frozen object is not
 * examined.
 *
 * The search runs when no target remains. A loop that was endless in a run is not searched again: it
 * is one finding, no matter which other threads are stuck. */

enum { MAX_COST = 4000000 }; /* histories examined in total */

typedef struct frozen {
    uint32_t object, state;
} frozen;
TD_VEC(frozen, frozen_vec);

/* A thread that must be stuck or at its end. */
typedef struct asked {
    uint32_t thread;
    uint32_t history; /* UNF_NONE: it was never created */
} asked;
TD_VEC(asked, asked_vec);

struct unf_livelocks {
    unf_cfg *cfg;
    frozen_vec frozen;
    asked_vec asked; /* the first n_settled have their history */
    size_t n_settled;
    unf_vec writers;    /* by object: first of links, 0: no thread; events are threads */
    unf_link_vec links; /* [0] is not used */
    unf_vec exits;      /* threads that may end the process, or fail */
    td_id_set reported;
    unf_vec shown; /* sites of loops that a run has gone round forever */
    uint64_t cost;
    uint32_t n_known; /* events when the search was made last */
    bool found, gave_up;
};

unf_livelocks *unf_livelocks_new(unf *u)
{
    unf_livelocks *l = td_alloc(sizeof *l);
    l->cfg = unf_cfg_new(u);
    return l;
}

void unf_livelocks_free(unf_livelocks *l)
{
    unf_cfg_free(l->cfg);
    frozen_vec_fini(&l->frozen);
    asked_vec_fini(&l->asked);
    unf_vec_fini(&l->writers);
    unf_link_vec_fini(&l->links);
    unf_vec_fini(&l->exits);
    td_id_set_fini(&l->reported);
    unf_vec_fini(&l->shown);
    td_free(l);
}

bool unf_livelocks_gave_up(const unf *u)
{
    return u->livelocks->gave_up;
}

static bool is_shown(const unf_livelocks *l, uint32_t loop)
{
    for (size_t i = 0; i < l->shown.len; i++)
        if (l->shown.at[i] == loop)
            return true;
    return false;
}

void unf_livelocks_learn(unf *u, const trc *t)
{
    unf_livelocks *l = u->livelocks;
    for (size_t i = 0; t->done == WIRE_DONE_DEADLOCK && i < t->waits.len; i++)
        if (mdl_spins(t->waits.at[i].kind) && !is_shown(l, t->waits.at[i].site))
            unf_vec_push(&l->shown, t->waits.at[i].site);
}

/* ---- the threads that write to an object ---- */

static void note_writer(unf_livelocks *l, uint32_t object, uint32_t thread)
{
    TD_DASSERT(object < l->writers.len);
    for (uint32_t k = l->writers.at[object]; k; k = l->links.at[k].next)
        if (l->links.at[k].event == thread)
            return;
    unf_link_vec_push(&l->links, (unf_link){thread, l->writers.at[object]});
    l->writers.at[object] = (uint32_t)l->links.len - 1;
}

static void note_exit(unf_livelocks *l, uint32_t thread)
{
    for (size_t i = 0; i < l->exits.len; i++)
        if (l->exits.at[i] == thread)
            return;
    unf_vec_push(&l->exits, thread);
}

static void list_writers(unf *u)
{
    unf_livelocks *l = u->livelocks;
    unf_vec_clear(&l->exits);
    unf_vec_clear(&l->writers);
    unf_link_vec_clear(&l->links);
    unf_link_vec_push(&l->links, (unf_link){0});
    for (size_t i = 0; i < u->objects.len; i++)
        unf_vec_push(&l->writers, 0);
    for (uint32_t i = 0; i < u->nodes.len; i++) {
        const unf_node *n = node_at(u, i);
        if (n->status == UNF_EXECUTED && n->thread != UNF_NONE && node_is_state(n))
            note_writer(l, n->object, n->thread);
        if (mdl_exits(n->next_kind) || n->next_kind == UNF_NEXT_FAILS ||
            (n->flags & NODE_LAST))
            note_exit(l, n->thread);
    }
}

/* ---- what must hold ---- */

static void ask(unf *u, uint32_t thread)
{
    unf_livelocks *l = u->livelocks;
    for (size_t i = 0; i < l->asked.len; i++)
        if (l->asked.at[i].thread == thread)
            return;
    asked_vec_push(&l->asked, (asked){thread, UNF_NONE});
}

/* The object stays in this state; all threads that write to it are asked. */
static void freeze(unf *u, uint32_t object, unf_state state)
{
    unf_livelocks *l = u->livelocks;
    TD_ASSERT(object < l->writers.len && node_at(u, state.ix)->object == object);
    frozen_vec_push(&l->frozen, (frozen){object, state.ix});
    unf_cfg_freeze(l->cfg, state.ix);
    for (uint32_t k = l->writers.at[object]; k; k = l->links.at[k].next)
        ask(u, l->links.at[k].event);
}

/* All that history reads in its round, or waits for. */
static void freeze_wait(unf *u, uint32_t history, unf_state state)
{
    const unf_spin *spin = unf_spin_at(u, history, state);
    uint32_t frozen_first = node_at(u, history)->next_object;
    freeze(u, frozen_first, state);
    for (uint32_t i = 1; spin && i < spin->n_round;) {
        const unf_node *n = node_at(u, history);
        bool is_half = mdl_waits_for_mutex(n->kind) || mdl_unlocks_mutex(n->kind);
        if (!node_is_read(n) && !is_half && !mdl_decides(n->kind))
            break;
        if (node_is_read(n))
            freeze(u, n->object, (unf_state){n->after});
        else if (is_half && n->object != frozen_first &&
                 unf_cfg_state(u->livelocks->cfg, n->object).ix == history)
            freeze(u, n->object, (unf_state){history});
        i += !mdl_decides(n->kind);
        history = n->before;
    }
}

static void thaw(unf *u, size_t n_frozen)
{
    unf_livelocks *l = u->livelocks;
    TD_ASSERT(n_frozen <= l->frozen.len);
    while (l->frozen.len > n_frozen)
        unf_cfg_thaw(l->cfg, frozen_vec_pop(&l->frozen).state);
}

static bool all_hold(unf *u)
{
    const unf_livelocks *l = u->livelocks;
    for (size_t i = 0; i < l->frozen.len; i++)
        if (unf_cfg_state(l->cfg, l->frozen.at[i].object).ix != l->frozen.at[i].state)
            return false;
    TD_ASSERT(l->n_settled <= l->asked.len);
    for (size_t i = 0; i < l->n_settled; i++) {
        uint32_t history = l->asked.at[i].history;
        uint32_t depth = history == UNF_NONE ? 0 : node_at(u, history)->depth;
        if (unf_cfg_depth(l->cfg, l->asked.at[i].thread) != depth)
            return false;
    }
    return true;
}

/* The events that create the thread; those that are not members ask for their threads. True: one
 * is a member. */
static bool is_created(unf *u, uint32_t thread, bool asks)
{
    uint32_t root = u->objects.at[u->threads.at[thread].object].root;
    for (uint32_t g = node_at(u, root)->groups; g; g = u->groups.at[g].next)
        for (uint32_t s = u->groups.at[g].exclusive; s != UNF_NONE;
             s = node_at(u, s)->sibling) {
            uint32_t create = node_at(u, s)->before;
            if (create == UNF_NONE || unf_cfg_has(u->livelocks->cfg, create))
                return true;
            if (asks)
                ask(u, node_at(u, create)->thread);
        }
    return false;
}

/* ---- the search ---- */

/* Where the end of the thread is an event, only that is its end. */
static bool has_ended(const unf_node *h)
{
    return mdl_ends(h->kind) || mdl_ends(h->next_kind);
}

static bool is_stuck(unf *u, uint32_t thread)
{
    const unf_livelocks *l = u->livelocks;
    for (size_t i = 0; i < l->asked.len; i++)
        if (l->asked.at[i].thread == thread)
            return l->asked.at[i].history != UNF_NONE &&
                   !has_ended(node_at(u, l->asked.at[i].history));
    return false;
}

/* A thread that only joins from here on comes to its end, unless one of them does not. */
static bool joins_for_ever(unf *u, uint32_t history)
{
    const unf_vec *joins = &u->threads.at[node_at(u, history)->thread].joins;
    for (size_t i = 0; i < joins->len; i++)
        if (is_stuck(u, joins->at[i]))
            return true;
    return false;
}

static void report(unf *u)
{
    unf_livelocks *l = u->livelocks;
    unf_vec histories = {0};
    td_id key = {0};
    for (size_t i = 0; i < l->asked.len; i++) {
        uint32_t history = l->asked.at[i].history;
        if (history == UNF_NONE && is_created(u, l->asked.at[i].thread, false))
            goto out;
        if (history == UNF_NONE)
            continue;
        if (unf_silent_joins_skips(u, history) && !joins_for_ever(u, history))
            goto out;
        const unf_node *h = node_at(u, history);
        uint32_t what[2] = {h->thread, unf_spot_of(u, history).site};
        if (!has_ended(h)) /* what the others have done is not a part of the bug */
            key = td_id_sum(key, td_id_hash(what, sizeof what));
        unf_vec_push(&histories, history);
    }
    if (!unf_feasible(u, l->cfg))
        goto out;
    l->found = true;
    if (td_id_set_add(&l->reported, key))
        unf_suspect_add(u, histories.at, (uint32_t)histories.len, UNF_STUCK);
out:
    unf_vec_fini(&histories);
}

static void settle_next(unf *u);

/* Places the next thread at history, or leaves it uncreated. */
static void settle_at(unf *u, uint32_t history)
{
    unf_livelocks *l = u->livelocks;
    size_t len = unf_cfg_len(l->cfg), n_frozen = l->frozen.len, n_asked = l->asked.len;
    size_t at = l->n_settled;
    const unf_node *h = history == UNF_NONE ? NULL : node_at(u, history);
    if (h)
        unf_cfg_add(l->cfg, history);
    else
        (void)is_created(u, l->asked.at[at].thread, true);
    l->asked.at[at].history = history;
    l->n_settled++;
    bool stuck = true;
    if (h && !has_ended(h) && !unf_silent_joins_skips(u, history)) {
        unf_state state = unf_cfg_state(l->cfg, h->next_object);
        stuck = unf_waits(u, history, state) &&
                !unf_endless_waits_goes_on(u, l->cfg, history);
        if (stuck)
            freeze_wait(u, history, state);
    }
    if (stuck && all_hold(u))
        settle_next(u);
    l->n_settled--;
    l->asked.len = n_asked;
    thaw(u, n_frozen);
    unf_cfg_cut(l->cfg, len);
}

/* True if a thread may be stuck there, or has ended. */
static bool may_stay(const unf *u, uint32_t history)
{
    const unf_node *h = node_at(u, history);
    if ((h->flags & NODE_LAST) || (unf_spot_of(u, history).patience & WIRE_F_PATIENT))
        return false;
    if (has_ended(h))
        return true;
    return h->next_kind != 0 && !mdl_decides(h->next_kind) &&
           h->next_kind != UNF_NEXT_UNKNOWN && h->next_kind != UNF_NEXT_FAILS &&
           h->next_object != UNF_NONE;
}

static void settle_next(unf *u)
{
    unf_livelocks *l = u->livelocks;
    if (l->n_settled == l->asked.len) {
        report(u);
        return;
    }
    TD_ASSERT(l->n_settled < l->asked.len && l->asked.len <= u->threads.len);
    uint32_t thread = l->asked.at[l->n_settled].thread;
    unf_walk walk = {0};
    unf_vec places = {0};
    unf_walk_start(u, &walk, l->cfg, thread, MAX_COST);
    for (uint32_t h; (h = unf_walk_next(u, &walk)) != UNF_NONE;)
        if (may_stay(u, h))
            unf_vec_push(&places, h);
    l->cost += walk.cost;
    unf_vec_fini(&walk.stack);
    for (size_t i = 0;
         i < places.len && !l->found && l->cost < MAX_COST && !td_stops(u->stop); i++)
        settle_at(u, places.at[i]);
    if (!l->found && unf_cfg_top(l->cfg, thread) == UNF_NONE &&
        !is_created(u, thread, false))
        settle_at(u, UNF_NONE);
    unf_vec_fini(&places);
}

/* Searches for livelocks in which the thread of history spins because the object of its next
 * operation stays in this state. */
static void search_from(unf *u, uint32_t history, unf_state state)
{
    unf_livelocks *l = u->livelocks;
    const unf_node *h = node_at(u, history);
    const unf_spin *spin = unf_spin_at(u, history, state);
    if ((node_at(u, state.ix)->flags & NODE_LAST) || l->cost >= MAX_COST || !spin ||
        is_shown(l, spin->loop) || td_stops(u->stop))
        return;
    l->cost++;
    unf_cfg_clear(l->cfg);
    unf_cfg_add(l->cfg, history);
    if (!unf_cfg_fits(l->cfg, state.ix))
        return;
    unf_cfg_add(l->cfg, state.ix);
    frozen_vec_clear(&l->frozen);
    asked_vec_clear(&l->asked);
    asked_vec_push(&l->asked, (asked){h->thread, history});
    l->n_settled = 1;
    l->found = false;
    freeze_wait(u, history, state);
    for (size_t i = 0; i < l->exits.len; i++)
        ask(u, l->exits.at[i]);
    if (all_hold(u))
        settle_next(u);
    l->n_settled = 0;
    thaw(u, 0);
    TD_ASSERT(l->frozen.len == 0);
}

size_t unf_livelocks_search(unf *u)
{
    unf_livelocks *l = u->livelocks;
    size_t n_before = u->suspects.len;
    if (l->n_known == u->nodes.len)
        return 0;
    l->n_known = (uint32_t)u->nodes.len;
    l->cost = 0;
    if (!unf_any_spin(u))
        return 0;
    list_writers(u);
    for (uint32_t i = 0; i < u->nodes.len && !td_stops(u->stop); i++) {
        const unf_node *n = node_at(u, i);
        if (n->status == UNF_SETTLED && n->after != UNF_NONE)
            search_from(u, n->before, (unf_state){n->after});
        for (uint32_t g = n->groups; g; g = u->groups.at[g].next)
            for (uint32_t k = u->groups.at[g].blocked; k; k = u->links.at[k].next)
                search_from(u, u->links.at[k].event, (unf_state){i});
    }
    l->gave_up |= l->cost >= MAX_COST;
    return u->suspects.len - n_before;
}
