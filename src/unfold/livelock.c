/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Livelocks in the structure: a thread that goes round a loop for ever, because nobody is left
 * who could write what it reads, in a configuration that perhaps no run has executed.
 *
 * All that a waiting history reads must stay as it is: these states are frozen. Whoever writes
 * to such an object must have come to its end without doing so, or wait in turn, be it in a loop,
 * for a lock or in a join; then that object's state is frozen as well. A thread that never came
 * to be counts as ended if its creator is stuck before it creates it. So the search collects one
 * history for each thread that matters, all of which fit together; it is over when nobody is
 * left to ask.
 *
 * It may be taken for granted that a thread in a loop has read what is there in the end: rounds
 * before that could be left out. This makes the search short: a thread that would go on is in
 * the way as soon as it touches what is frozen.
 *
 * It is made when there is no target left. */

enum { MAX_COST = 4000000 }; /* histories looked at in all */

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
    asked_vec asked;   /* the first n_settled have their history */
    size_t n_settled;
    unf_vec first;     /* by object: its last state in the order of nodes, UNF_NONE */
    unf_vec before;    /* by event: the state of the same object before it in that order */
    td_id_set reported;
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
    unf_vec_fini(&l->first);
    unf_vec_fini(&l->before);
    td_id_set_fini(&l->reported);
    td_free(l);
}

bool unf_livelocks_gave_up(const unf *u)
{
    return u->livelocks->gave_up;
}

/* ---- states of objects ---- */

static void list_states(unf *u)
{
    unf_livelocks *l = u->livelocks;
    unf_vec_clear(&l->first);
    unf_vec_clear(&l->before);
    for (size_t i = 0; i < u->objects.len; i++)
        unf_vec_push(&l->first, UNF_NONE);
    for (uint32_t i = 0; i < u->nodes.len; i++) {
        const unf_node *n = node_at(u, i);
        bool is_state = n->status == UNF_EXECUTED && node_is_state(n);
        unf_vec_push(&l->before, is_state ? l->first.at[n->object] : UNF_NONE);
        if (is_state)
            l->first.at[n->object] = i;
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

/* The object stays in this state; all who write to it are asked. */
static void freeze(unf *u, uint32_t object, uint32_t state)
{
    unf_livelocks *l = u->livelocks;
    frozen_vec_push(&l->frozen, (frozen){object, state});
    for (uint32_t s = l->first.at[object]; s != UNF_NONE; s = l->before.at[s])
        if (node_at(u, s)->thread != UNF_NONE)
            ask(u, node_at(u, s)->thread);
}

/* All that history reads in its round, or waits for. */
static void freeze_wait(unf *u, uint32_t history, uint32_t state)
{
    const unf_idle *idle = unf_idle_at(u, history, state);
    freeze(u, node_at(u, history)->next_object, state);
    for (uint32_t i = 1; idle && i < idle->n_round; i++) {
        const unf_node *n = node_at(u, history);
        if (!node_is_read(n))
            break;
        freeze(u, n->object, n->after);
        history = n->before;
    }
}

static bool all_hold(unf *u)
{
    const unf_livelocks *l = u->livelocks;
    for (size_t i = 0; i < l->frozen.len; i++)
        if (unf_cfg_state(l->cfg, l->frozen.at[i].object) != l->frozen.at[i].state)
            return false;
    for (size_t i = 0; i < l->n_settled; i++) {
        uint32_t history = l->asked.at[i].history;
        uint32_t depth = history == UNF_NONE ? 0 : node_at(u, history)->depth;
        if (unf_cfg_depth(l->cfg, l->asked.at[i].thread) != depth)
            return false;
    }
    return true;
}

/* A thread that never came to be cannot have been created. */
static bool is_created(unf *u, uint32_t thread)
{
    const unf_livelocks *l = u->livelocks;
    uint32_t life = u->threads.at[thread].object;
    for (uint32_t s = l->first.at[life]; s != UNF_NONE; s = l->before.at[s]) {
        const unf_node *n = node_at(u, s);
        if (n->kind == UNF_START &&
            (n->before == UNF_NONE || unf_cfg_has(l->cfg, n->before)))
            return true;
    }
    return false;
}

static void ask_creators(unf *u, uint32_t thread)
{
    const unf_livelocks *l = u->livelocks;
    uint32_t life = u->threads.at[thread].object;
    for (uint32_t s = l->first.at[life]; s != UNF_NONE; s = l->before.at[s]) {
        const unf_node *n = node_at(u, s);
        if (n->kind == UNF_START && n->before != UNF_NONE)
            ask(u, node_at(u, n->before)->thread);
    }
}

/* ---- the search ---- */

static void report(unf *u)
{
    unf_livelocks *l = u->livelocks;
    unf_vec histories = {0};
    td_id key = {0};
    for (size_t i = 0; i < l->asked.len; i++) {
        uint32_t history = l->asked.at[i].history;
        if (history == UNF_NONE ? is_created(u, l->asked.at[i].thread) : false)
            goto out;
        if (history == UNF_NONE)
            continue;
        uint32_t what[2] = {node_at(u, history)->thread, unf_spot_of(u, history).site};
        key = td_id_sum(key, td_id_hash(what, sizeof what));
        unf_vec_push(&histories, history);
    }
    if (!unf_feasible(u, l->cfg))
        goto out;
    l->found = true;
    if (td_id_set_add(&l->reported, key))
        unf_suspect_add(u, histories.at, (uint32_t)histories.len, false);
out:
    unf_vec_fini(&histories);
}

static void settle_next(unf *u);

/* The next thread that is asked stands at history, or was never created. */
static void settle_at(unf *u, uint32_t history)
{
    unf_livelocks *l = u->livelocks;
    size_t len = unf_cfg_len(l->cfg), n_frozen = l->frozen.len, n_asked = l->asked.len;
    size_t at = l->n_settled;
    const unf_node *h = history == UNF_NONE ? NULL : node_at(u, history);
    if (h)
        unf_cfg_add(l->cfg, history);
    else
        ask_creators(u, l->asked.at[at].thread);
    l->asked.at[at].history = history;
    l->n_settled++;
    bool stuck = true;
    if (h && h->next_kind != 0 && h->next_kind != WIRE_END) {
        uint32_t state = unf_cfg_state(l->cfg, h->next_object);
        stuck = unf_waits(u, history, state);
        if (stuck)
            freeze_wait(u, history, state);
    }
    if (stuck && all_hold(u))
        settle_next(u);
    l->n_settled--;
    l->asked.len = n_asked;
    l->frozen.len = n_frozen;
    unf_cfg_cut(l->cfg, len);
}

/* True if a thread may be stuck there, or has ended. */
static bool may_stay(const unf_node *h)
{
    if (h->next_kind == 0 || h->next_kind == WIRE_END)
        return !(h->flags & NODE_LAST);
    return h->next_kind != WIRE_DECIDE && h->next_kind != UNF_NEXT_UNKNOWN &&
           h->next_object != UNF_NONE;
}

static void settle_next(unf *u)
{
    unf_livelocks *l = u->livelocks;
    if (l->n_settled == l->asked.len) {
        report(u);
        return;
    }
    uint32_t thread = l->asked.at[l->n_settled].thread;
    unf_walk walk = {0};
    unf_vec places = {0};
    unf_walk_start(u, &walk, l->cfg, thread, MAX_COST);
    for (uint32_t h; (h = unf_walk_next(u, &walk)) != UNF_NONE;)
        if (may_stay(node_at(u, h)))
            unf_vec_push(&places, h);
    l->cost += walk.cost;
    unf_vec_fini(&walk.stack);
    for (size_t i = 0; i < places.len && !l->found && l->cost < MAX_COST; i++)
        settle_at(u, places.at[i]);
    if (!l->found && unf_cfg_top(l->cfg, thread) == UNF_NONE && !is_created(u, thread))
        settle_at(u, UNF_NONE);
    unf_vec_fini(&places);
}

/* The thread of history stands there while the object of its next operation is in this state,
 * in which it goes round its loop. */
static void search_from(unf *u, uint32_t history, uint32_t state)
{
    unf_livelocks *l = u->livelocks;
    const unf_node *h = node_at(u, history);
    unf_cfg_clear(l->cfg);
    unf_cfg_add(l->cfg, history);
    if (!unf_cfg_fits(l->cfg, state))
        return;
    unf_cfg_add(l->cfg, state);
    frozen_vec_clear(&l->frozen);
    asked_vec_clear(&l->asked);
    asked_vec_push(&l->asked, (asked){h->thread, history});
    l->n_settled = 1;
    l->found = false;
    freeze_wait(u, history, state);
    if (all_hold(u))
        settle_next(u);
    l->n_settled = 0;
}

size_t unf_livelocks_search(unf *u)
{
    unf_livelocks *l = u->livelocks;
    size_t n_before = u->suspects.len;
    if (l->n_known == u->nodes.len)
        return 0;
    l->n_known = (uint32_t)u->nodes.len;
    l->cost = 0;
    uint32_t n = unf_n_idles(u);
    if (n > 0)
        list_states(u);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t history = unf_idle_history(u, i);
        uint32_t object = node_at(u, history)->next_object;
        for (uint32_t s = l->first.at[object]; s != UNF_NONE; s = l->before.at[s])
            if (!(node_at(u, s)->flags & NODE_LAST) && unf_idle_at(u, history, s) &&
                l->cost < MAX_COST)
                search_from(u, history, s);
    }
    l->gave_up |= l->cost >= MAX_COST;
    return u->suspects.len - n_before;
}
