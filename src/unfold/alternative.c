/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/traces_int.h"

/* Alternatives to the events that the search for traces refuses.
 *
 * Two cheap checks decide most cases. There is no alternative if the threads without refused events finish
 * by operations that no thread can prevent, and no refused event is excluded by then. There is one if these
 * threads run on, one operation each in turn, and every refused event becomes excluded. Otherwise the events
 * that follow the states of the refused ones are searched, up to a limit. */

enum { MOST_ASKED = 20000 };

/* Events that are refused. */
typedef struct refusals {
    const uint32_t *at;
    uint32_t n;
} refusals;

/* Adds an event that can come next. False: it cannot be, or the run would end; it is not added. */
static bool add_possible(unf_traces *t, uint32_t event)
{
    const unf_node *n = node_at(t->u, event);
    unf_mark m = unf_traces_mark(t);
    if (unf_ends_run(n))
        return false;
    unf_traces_add(t, event);
    if (!unf_is_asked_about(t->u, n) || unf_feasible(t->u, t->cfg))
        return true;
    unf_traces_back(t, m);
    return false;
}

/* ---- alternatives: the others go ahead ---- */

static bool excludes_all(unf_traces *t, refusals r)
{
    for (uint32_t i = 0; i < r.n; i++)
        if (unf_cfg_fits(t->cfg, r.at[i]))
            return false;
    return true;
}

static bool step_ahead(unf_traces *t, uint32_t thread, refusals r)
{
    unf_traces_list(t, thread);
    for (size_t i = 0; i < t->next.len; i++)
        if (!unf_is_among(r.at, r.n, t->next.at[i]) &&
            !unf_traces_lack(t, t->next.at[i]) && add_possible(t, t->next.at[i]))
            return true;
    return false;
}

/* False: they came to an end, and something that is refused can still come. */
static bool go_ahead(unf_traces *t, refusals r)
{
    for (bool moves = true; moves;) {
        moves = false;
        for (uint32_t thread = 0; thread < t->u->threads.len; thread++) {
            if (!step_ahead(t, thread, r))
                continue;
            moves = true;
            if (excludes_all(t, r))
                return true;
        }
    }
    return false;
}

/* ---- proving that there is no alternative ---- */

static bool is_stuck(const unf_traces *t, uint32_t thread, refusals r)
{
    for (uint32_t i = 0; i < r.n; i++)
        if (node_at(t->u, r.at[i])->thread == thread)
            return true;
    return false;
}

/* False if no other thread that is not stuck can ever exclude the event: none touches its object
 * from here on, as far as is known. */
static bool can_be_excluded(const unf_traces *t, uint32_t event, refusals r)
{
    const unf *u = t->u;
    const unf_node *e = node_at(u, event);
    if (unf_is_asked_about(u, e))
        return true;
    if (e->after == UNF_NONE || mdl_joins(e->kind) || mdl_ends(e->kind))
        return false;
    for (uint32_t thread = 0; thread < u->threads.len; thread++) {
        uint32_t top = unf_cfg_top(t->cfg, thread);
        if (thread == e->thread || top == UNF_NONE || is_stuck(t, thread, r))
            continue;
        trace_future f = unf_future_of(&t->futures, top);
        if ((node_is_read(e) ? f.changed : f.touched) & unf_class_of(e->object))
            return true;
    }
    return false;
}

typedef enum ahead { AT_END, MOVED, OPEN } ahead;

/* A step that is part of every alternative, if there is one. */
static ahead must_step(unf_traces *t, uint32_t thread, refusals r)
{
    unf_traces_list(t, thread);
    if (t->next.len == 0)
        return AT_END;
    uint32_t event = t->next.at[0];
    if (t->next.len > 1 || unf_ends_run(node_at(t->u, event)) ||
        can_be_excluded(t, event, r))
        return OPEN;
    if (unf_traces_lack(t, event))
        return AT_END;
    unf_traces_add(t, event);
    return MOVED;
}

/* True if nothing that is refused was excluded, and only other threads could exclude it. */
static bool stands(unf_traces *t, refusals r)
{
    for (uint32_t i = 0; i < r.n; i++)
        if (unf_is_asked_about(t->u, node_at(t->u, r.at[i])) ||
            !unf_cfg_fits(t->cfg, r.at[i]))
            return false;
    return true;
}

/* True if there is surely no alternative. While no refused event is excluded, the threads of refused events
 * are stuck. The other threads execute operations that none of them can exclude; if they finish that way,
 * nothing else can come. */
static bool is_hopeless(unf_traces *t, refusals r)
{
    bool is_open = false;
    for (bool moves = true; moves;) {
        moves = is_open = false;
        for (uint32_t thread = 0; thread < t->u->threads.len; thread++) {
            if (is_stuck(t, thread, r))
                continue;
            ahead how = must_step(t, thread, r);
            is_open |= how == OPEN;
            moves |= how == MOVED;
        }
    }
    return !is_open && stands(t, r);
}

/* ---- alternatives: what follows the states ---- */

static unf_alternative find_excluding(unf_traces *t, refusals r);

static bool names(const unf *u, const unf_node *n, uint32_t read)
{
    return unf_is_among(node_reads(u, n), node_n_reads(u, n), read);
}

/* Both follow the same state, or the same history without an object. */
static bool excludes(const unf *u, uint32_t a, uint32_t b)
{
    const unf_node *x = node_at(u, a), *y = node_at(u, b);
    TD_DASSERT(x->before == y->before || x->after == y->after);
    if (a == b || y->status != UNF_EXECUTED)
        return false;
    if (x->before == y->before)
        return true;
    if (node_is_read(x) && node_is_read(y))
        return false;
    return node_is_read(x) ? !names(u, y, a) : node_is_read(y) ? !names(u, x, b) : true;
}

/* Adds event, which excludes the last one that is refused, and looks for the others. */
static unf_alternative try_with(unf_traces *t, refusals r, uint32_t event)
{
    TD_DASSERT(r.n > 0);
    if (++t->asked > MOST_ASKED || td_stops(t->u->stop))
        return UNF_NOT_KNOWN;
    if (!excludes(t->u, r.at[r.n - 1], event) || !unf_cfg_fits(t->cfg, event))
        return UNF_NOT_THERE;
    size_t len = unf_cfg_len(t->cfg);
    unf_cfg_add(t->cfg, event);
    unf_alternative result = UNF_NOT_THERE;
    bool holds = false;
    for (uint32_t i = 0; i + 1 < r.n && !holds; i++)
        holds = unf_cfg_has(t->cfg, r.at[i]);
    for (size_t i = 0; i < t->lacks.len && !holds; i++)
        holds = unf_cfg_has(t->cfg, t->lacks.at[i]);
    if (!holds && unf_feasible(t->u, t->cfg))
        result = find_excluding(t, (refusals){r.at, r.n - 1});
    if (result == UNF_NOT_THERE)
        unf_cfg_cut(t->cfg, len);
    return result;
}

static unf_alternative try_children(unf_traces *t, refusals r)
{
    unf_alternative result = UNF_NOT_THERE;
    uint32_t history = node_at(t->u, r.at[r.n - 1])->before;
    for (uint32_t c = unf_first_child(t->u, history);
         c != UNF_NONE && result == UNF_NOT_THERE; c = unf_next_child(t->u, c))
        result = try_with(t, r, c);
    return result;
}

static unf_alternative try_list(unf_traces *t, refusals r, uint32_t first)
{
    unf_alternative result = UNF_NOT_THERE;
    for (uint32_t c = first; c != UNF_NONE && result == UNF_NOT_THERE;
         c = node_at(t->u, c)->sibling)
        result = try_with(t, r, c);
    return result;
}

/* Adds events so that each refused one that fits is excluded; they stay if it is possible. */
static unf_alternative find_excluding(unf_traces *t, refusals r)
{
    unf *u = t->u;
    while (r.n > 0 && !unf_cfg_fits(t->cfg, r.at[r.n - 1]))
        r.n--;
    if (r.n == 0)
        return UNF_THERE;
    const unf_node *last = node_at(u, r.at[r.n - 1]);
    TD_DASSERT(last->status == UNF_EXECUTED);
    if (mdl_decides(last->kind))
        return try_children(t, r);
    if (last->after == UNF_NONE || mdl_joins(last->kind) || mdl_ends(last->kind))
        return UNF_NOT_THERE;
    unf_alternative result = UNF_NOT_THERE;
    if (unf_why(u, last) != UNF_NONE)
        result = try_children(t, r);
    /* Groups are asked with what was added before; what is added is taken away again. */
    for (uint32_t g = node_at(u, last->after)->groups; g && result == UNF_NOT_THERE;
         g = unf_group_next(u, g, t->cfg)) {
        if (u->groups.at[g].thread == last->thread)
            continue;
        result = try_list(t, r, u->groups.at[g].exclusive);
        if (result == UNF_NOT_THERE && !node_is_read(last))
            result = try_list(t, r, u->groups.at[g].shared);
    }
    return result;
}

/* ---- the three together ---- */

unf_alternative unf_find_alternative(unf_traces *t, const uint32_t *refused, uint32_t n)
{
    TD_ASSERT(n > 0);
    const refusals r = {refused, n};
    unf_mark m = unf_traces_mark(t);
    bool hopeless =
        !can_be_excluded(t, refused[n - 1], (refusals){0}) || is_hopeless(t, r);
    unf_traces_back(t, m);
    if (hopeless)
        return UNF_NOT_THERE;
    if (go_ahead(t, r))
        return UNF_THERE;
    unf_traces_back(t, m);
    t->asked = 0;
    return find_excluding(t, r);
}
