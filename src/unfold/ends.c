/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of a thread that fit with a configuration, and the histories that wait to join one.
 *
 * Each history of a thread may have an end of its own, and each combination of ends a history
 * of the thread that joins them. Of all of them few fit with a new event; group.c leaves out the
 * others by the reasons why they do not, which become many. Here they are not asked at all. A
 * walk leads along those histories of the thread that fit:
 *
 *   they form a connected subtree of the thread's tree, below its last one in the configuration.
 *   Once the configuration has the cone of a history, the events that follow this history lie in
 *   those states of its next object that fit, which are connected as well (target.c). A join
 *   follows in the ends of the joined thread that fit: another walk, with the joining thread
 *   held, since an end that comes after more of it cannot be the one that it joins. So a thread
 *   is walked over by one walk at a time, and threads that join each other in a circle end it.
 *
 * A walk that costs too much is given up, and the children of the state are asked. */
#include "unfold/unfold_int.h"

#include <stdlib.h>

typedef struct walk {
    unf *u;
    unf_cfg *cfg;
    uint64_t cost, most; /* events looked at */
} walk;

/* A history, and the length of the configuration before it. */
typedef struct place {
    uint32_t history;
    size_t len;
} place;
TD_VEC(place, place_vec);

/* What a walk over one thread collects: ends, or histories that join the thread with this life. */
typedef struct wanted {
    bool is_end;
    uint32_t life;
} wanted;

static const wanted any_end = {.is_end = true, .life = UNF_NONE};

unf_node unf_end_describe(const unf *u, uint32_t history)
{
    const unf_node *h = node_at(u, history);
    unf_node n = {.before = history,
                  .after = UNF_NONE,
                  .thread = h->thread,
                  .object = u->threads.at[h->thread].object,
                  .depth = h->depth + 1,
                  .next_object = UNF_NONE,
                  .kind = WIRE_END};
    n.id = unf_id_of(u, &n, NULL, 0);
    return n;
}

static bool has_failed(const walk *w)
{
    return w->cost > w->most || td_stops(w->u->stop);
}

static bool fits(walk *w, uint32_t event)
{
    w->cost++;
    return node_at(w->u, event)->status == UNF_EXECUTED && unf_cfg_fits(w->cfg, event);
}

/* The ends of the thread with this life that fit with cfg. */
static void collect_ends(walk *w, uint32_t life, unf_vec *ends);

/* ---- what follows a history that cfg has, and nothing of its thread after it ---- */

/* The id of a join has nothing of its object. */
static uint32_t find_join(const unf *u, uint32_t history, unf_state end)
{
    const unf_node *h = node_at(u, history);
    TD_DASSERT(mdl_joins(h->next_kind) && mdl_ends(node_at(u, end.ix)->kind));
    unf_node n = {.before = history,
                  .after = end.ix,
                  .thread = h->thread,
                  .object = UNF_NONE,
                  .depth = h->depth + 1,
                  .next_object = UNF_NONE,
                  .kind = h->next_kind};
    return unf_find(u, unf_id_of(u, &n, NULL, 0));
}

static void take(walk *w, uint32_t event, uint32_t history, unf_vec *kids)
{
    w->cost++;
    if (node_at(w->u, event)->before == history && fits(w, event))
        unf_vec_push(kids, event);
}

static void take_any(walk *w, uint32_t history, unf_vec *kids)
{
    for (uint32_t c = unf_first_child(w->u, history); c != UNF_NONE && !has_failed(w);
         c = unf_next_child(w->u, c))
        take(w, c, history, kids);
}

/* The children of a state: those of the history into kids, states of other threads into states. */
static void take_group(walk *w, uint32_t group, uint32_t history, unf_vec *kids,
                       unf_vec *states)
{
    const unf_group *g = &w->u->groups.at[group];
    bool own = g->thread == node_at(w->u, history)->thread;
    w->cost++;
    for (uint32_t c = g->exclusive; c != UNF_NONE; c = node_at(w->u, c)->sibling)
        if (own)
            take(w, c, history, kids);
        else if (fits(w, c))
            unf_vec_push(states, c);
    if (!own)
        return;
    for (uint32_t c = g->shared; c != UNF_NONE; c = node_at(w->u, c)->sibling)
        take(w, c, history, kids);
}

static void take_in_states(walk *w, uint32_t history, unf_vec *kids)
{
    unf_vec states = {0};
    unf_vec_push(&states, unf_cfg_state(w->cfg, node_at(w->u, history)->next_object).ix);
    while (states.len > 0 && !has_failed(w)) {
        uint32_t state = unf_vec_pop(&states);
        for (uint32_t g = node_at(w->u, state)->groups; g;
             g = unf_group_next(w->u, g, w->cfg))
            take_group(w, g, history, kids, &states);
    }
    unf_vec_fini(&states);
}

static void take_joins(walk *w, uint32_t history, unf_vec *kids)
{
    const unf_node *h = node_at(w->u, history);
    unf_vec ends = {0};
    uint32_t depth = unf_cfg_hold(w->cfg, h->thread);
    collect_ends(w, h->next_object, &ends);
    unf_cfg_release(w->cfg, h->thread, depth);
    for (size_t i = 0; i < ends.len && !has_failed(w); i++) {
        uint32_t join = find_join(w->u, history, (unf_state){ends.at[i]});
        if (join != UNF_NONE)
            take(w, join, history, kids);
    }
    unf_vec_fini(&ends);
}

static void take_children(walk *w, uint32_t history, unf_vec *kids)
{
    const unf_node *h = node_at(w->u, history);
    if (h->next_object == UNF_NONE)
        take_any(w, history, kids);
    else if (mdl_joins(h->next_kind))
        take_joins(w, history, kids);
    else
        take_in_states(w, history, kids);
}

/* ---- the walk over one thread ---- */

static void put_wanted(walk *w, uint32_t history, wanted what, unf_vec *out)
{
    const unf_node *h = node_at(w->u, history);
    if (!what.is_end) {
        if (mdl_joins(h->next_kind) && h->next_object == what.life)
            unf_vec_push(out, history);
        return;
    }
    uint32_t end = h->next_object == UNF_NONE
                       ? unf_find(w->u, unf_end_describe(w->u, history).id)
                       : UNF_NONE;
    if (end != UNF_NONE && !(node_at(w->u, end)->flags & NODE_LAST) && fits(w, end))
        unf_vec_push(out, end);
}

/* From a history on that is the last of its thread in cfg, or that fits and nothing of its
 * thread is in cfg. cfg is the same after it. */
static void collect(walk *w, uint32_t from, wanted what, unf_vec *out)
{
    uint32_t thread = node_at(w->u, from)->thread;
    if (unf_cfg_depth(w->cfg, thread) == UINT32_MAX) /* it is held */
        return;
    size_t len = unf_cfg_len(w->cfg);
    place_vec places = {0};
    unf_vec kids = {0};
    place_vec_push(&places, (place){from, len});
    while (places.len > 0 && !has_failed(w)) {
        place p = place_vec_pop(&places);
        unf_cfg_cut(w->cfg, p.len);
        unf_cfg_add(w->cfg, p.history);
        TD_DASSERT(unf_cfg_top(w->cfg, thread) == p.history);
        put_wanted(w, p.history, what, out);
        unf_vec_clear(&kids);
        take_children(w, p.history, &kids);
        for (size_t i = 0; i < kids.len; i++)
            place_vec_push(&places, (place){kids.at[i], unf_cfg_len(w->cfg)});
    }
    unf_cfg_cut(w->cfg, len);
    place_vec_fini(&places);
    unf_vec_fini(&kids);
}

/* Walks from all positions that the thread may have in a configuration that contains cfg. */
static void collect_all(walk *w, uint32_t thread, wanted what, unf_vec *out)
{
    uint32_t top = unf_cfg_top(w->cfg, thread);
    if (top != UNF_NONE) {
        collect(w, top, what, out);
        return;
    }
    unf_vec starts = {0};
    uint32_t root = w->u->objects.at[w->u->threads.at[thread].object].root;
    for (uint32_t g = node_at(w->u, root)->groups; g; g = w->u->groups.at[g].next)
        for (uint32_t s = w->u->groups.at[g].exclusive; s != UNF_NONE;
             s = node_at(w->u, s)->sibling)
            if (fits(w, s))
                unf_vec_push(&starts, s);
    for (size_t i = 0; i < starts.len; i++)
        collect(w, starts.at[i], what, out);
    unf_vec_fini(&starts);
}

static void collect_ends(walk *w, uint32_t life, unf_vec *ends)
{
    unf_state state = unf_cfg_state(w->cfg, life);
    if (mdl_ends(node_at(w->u, state.ix)->kind))
        unf_vec_push(ends, state.ix);
    else
        collect_all(w, w->u->objects.at[life].thread, any_end, ends);
}

/* ---- for target.c ---- */

static uint64_t finish(walk *w, unf_vec *out)
{
    if (out->len > 1)
        qsort(out->at, out->len, sizeof out->at[0], unf_compare_numbers);
    return has_failed(w) ? UINT64_MAX : w->cost;
}

uint64_t unf_ends_fitting(unf *u, uint32_t history, uint32_t start, uint64_t most)
{
    TD_ASSERT(node_at(u, start)->kind == UNF_START);
    walk w = {.u = u, .cfg = u->base, .most = most};
    uint32_t thread = node_at(u, history)->thread,
             top = unf_cfg_top(u->base, node_at(u, start)->thread);
    TD_DASSERT(unf_cfg_top(u->base, thread) == history);
    unf_vec_clear(&u->ends);
    uint32_t depth = unf_cfg_hold(u->base, thread);
    collect(&w, top == UNF_NONE ? start : top, any_end, &u->ends);
    unf_cfg_release(u->base, thread, depth);
    unf_cfg_cone_again(u->base, history);
    return finish(&w, &u->ends);
}

uint64_t unf_ends_joiners(unf *u, uint32_t end, uint64_t most)
{
    const unf_node *e = node_at(u, end);
    TD_ASSERT(mdl_ends(e->kind));
    walk w = {.u = u, .cfg = u->base, .most = most};
    wanted what = {.life = e->object};
    unf_vec_clear(&u->ends);
    for (uint32_t g = node_at(u, e->after)->groups; g; g = u->groups.at[g].beyond)
        if (u->groups.at[g].thread != e->thread)
            collect_all(&w, u->groups.at[g].thread, what, &u->ends);
    unf_cfg_cone_again(u->base, end);
    return finish(&w, &u->ends);
}
