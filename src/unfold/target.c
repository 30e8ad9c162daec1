/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

#include <stdlib.h>

/* Targets next to a new event.
 *
 * A thread at a history h does its next operation in a state s of the operation's object if
 * the cones of h and s fit together, and s is the last state of the object in them. Of all
 * such pairs we have to find those that the new event e makes possible; it is h itself, or s,
 * or one of the reads that an exclusive event comes after.
 *
 *   e as a history    The states that fit with e form a connected subtree of the object's
 *                     tree: if a state fits, so does every state above it down to the
 *                     last one in e's own cone. So they are found by a walk from there that
 *                     turns back where a state does not fit.
 *   e as a state      A history that fits with e fits with the state before e, too; so it
 *                     has a child there, or is blocked there. Only these are asked.
 *   e as a read       An exclusive event that comes after e and other reads of a state has a
 *                     sibling that comes after the others only. Only these are asked.
 *
 * Which of the children of a state are asked: group.c.
 *
 * The first two are the connectedness theorems of the 2014 paper (section 5), for states in
 * place of copies of variables. A held mutex is a state like any other here, which makes the
 * paper's alternative lock conditions unnecessary. */

uint8_t unf_failed_kind(uint8_t kind)
{
    return mdl_fails_if(kind) == WIRE_FAILS_UNKNOWN ? mdl_failed_kind(kind) : WIRE_NONE;
}

/* ---- new nodes ---- */

static unf_node successor(const unf *u, uint32_t history, unf_state state, uint8_t kind)
{
    const unf_node *h = node_at(u, history);
    TD_DASSERT(h->status == UNF_EXECUTED); /* U2 */
    TD_DASSERT(state.ix == UNF_NONE || node_at(u, state.ix)->object == h->next_object);
    return (unf_node){.before = history,
                      .after = state.ix,
                      .thread = h->thread,
                      .object = h->next_object,
                      .depth = h->depth + 1,
                      .next_object = UNF_NONE,
                      .kind = kind,
                      .status = UNF_TARGET};
}

/* ---- read-write locks ---- */

static bool reads_now(const unf *u, uint32_t history, uint32_t object)
{
    for (uint32_t l = node_at(u, history)->held; l; l = u->links.at[l].next) {
        const unf_node *n = node_at(u, u->links.at[l].event);
        if (n->object == object && mdl_takes_to_read(n->kind))
            return true;
    }
    return false;
}

bool unf_cfg_has_reader(const unf_cfg *c, uint32_t object)
{
    const unf *u = unf_cfg_of(c);
    for (uint32_t thread = 0; thread < u->threads.len; thread++) {
        uint32_t top = unf_cfg_top(c, thread);
        if (top != UNF_NONE && reads_now(u, top, object))
            return true;
    }
    return false;
}

static bool has_reader(unf *u, const unf_node *n, const uint32_t *reads, uint32_t n_reads)
{
    unf_cfg_clear(u->whole);
    unf_cfg_add(u->whole, n->before);
    unf_cfg_add(u->whole, n->after);
    for (uint32_t i = 0; i < n_reads; i++)
        unf_cfg_add(u->whole, reads[i]);
    return unf_cfg_has_reader(u->whole, n->object);
}

/* What the operation of a writer turns out to be, which depends on the reads before it. One that has
 * to wait is kept as a target that is given up, next to which those after more reads are found. */
static void find_outcome(unf *u, unf_node *n, const uint32_t *reads, uint32_t n_reads)
{
    uint8_t asked = mdl_asked_kind(n->kind);
    if (!mdl_depends_on_readers(n->kind))
        return;
    mdl_found found = {.is_closed = node_at(u, n->after)->flags & NODE_CLOSED};
    found.is_read = !found.is_closed && has_reader(u, n, reads, n_reads);
    if (mdl_waits(asked, &found))
        n->status = UNF_DROPPED;
    n->kind = mdl_fails(asked, &found) ? mdl_failed_kind(asked) : asked;
}

/* ---- proposing ---- */

/* The event of history in state, after these reads; a target if it is not known. */
static void propose(unf *u, unf_node n, uint8_t flags, const uint32_t *reads,
                    uint32_t n_reads)
{
    TD_DASSERT(n.status == UNF_TARGET && mdl_is_op(n.kind));
    n.flags |= flags;
    find_outcome(u, &n, reads, n_reads);
    n.id = unf_id_of(u, &n, reads, n_reads);
    if (unf_find(u, n.id) != UNF_NONE)
        return;
    uint32_t event = unf_add(u, &n, reads, n_reads);
    if (n.status == UNF_TARGET)
        unf_vec_push(&u->found, event);
}

/* ---- exclusive events, one for each set of reads before them ---- */

static bool is_usable(const unf_node *n)
{
    return n->status == UNF_EXECUTED && !(n->flags & NODE_LAST);
}

/* Reads of state: those that history has among its causes into chosen, others that fit
 * with it into optional, rising. base is the cone of history. */
static void collect_reads(unf *u, uint32_t history, unf_state state)
{
    unf_vec_clear(&u->chosen);
    unf_vec_clear(&u->optional);
    for (uint32_t g = node_at(u, state.ix)->groups; g; g = unf_group_next(u, g, u->base))
        for (uint32_t r = u->groups.at[g].shared; r != UNF_NONE;
             r = node_at(u, r)->sibling) {
            const unf_node *n = node_at(u, r);
            if (n->status != UNF_EXECUTED)
                continue;
            if (unf_cfg_has(u->base, r))
                unf_vec_push(&u->chosen, r);
            else if (is_usable(n) && n->thread != node_at(u, history)->thread &&
                     unf_cfg_fits(u->base, r))
                unf_vec_push(&u->optional, r);
        }
    if (u->optional.len > 1)
        qsort(u->optional.at, u->optional.len, sizeof(uint32_t), unf_compare_numbers);
}

static void propose_chosen(unf *u, const unf_node *n, uint8_t flags)
{
    unf_vec *sorted = &u->sorted;
    unf_vec_clear(sorted);
    for (size_t i = 0; i < u->chosen.len; i++)
        unf_put_rising(sorted, 0, u->chosen.at[i]);
    propose(u, *n, flags, sorted->at, (uint32_t)sorted->len);
}

/* All closed sets of reads that hold the chosen ones and some of optional[from..]. */
static void each_set(unf *u, const unf_node *n, size_t from)
{
    for (size_t i = from; i < u->optional.len && !td_stops(u->stop); i++) {
        uint32_t r = u->optional.at[i];
        if (!unf_cfg_fits(u->more, r))
            continue;
        size_t len = unf_cfg_len(u->more);
        uint32_t before = unf_cfg_n_reads(u->more, n->after);
        unf_cfg_add(u->more, r);
        if (unf_cfg_n_reads(u->more, n->after) == before + 1) {
            unf_vec_push(&u->chosen, r);
            propose_chosen(u, n, 0);
            each_set(u, n, i + 1);
            TD_DASSERT(u->chosen.len > 0 && u->chosen.at[u->chosen.len - 1] == r);
            u->chosen.len--;
        }
        unf_cfg_cut(u->more, len);
    }
}

/* base is the cone of history, which is compatible with state. is_first: no event represents this history in
 * this state yet. */
static void propose_exclusive(unf *u, uint32_t history, unf_state state, uint8_t kind,
                              bool is_first)
{
    TD_DASSERT(unf_cfg_has(u->base, history) || unf_cfg_has(u->base, state.ix));
    unf_node n = successor(u, history, state, kind);
    collect_reads(u, history, state);
    propose_chosen(u, &n, is_first ? NODE_FIRST : 0);
    if (u->optional.len == 0)
        return;
    unf_cfg_clear(u->more);
    unf_cfg_add(u->more, history);
    unf_cfg_add(u->more, state.ix);
    each_set(u, &n, 0);
}

void unf_settle(unf *u, uint32_t history, unf_state state)
{
    TD_ASSERT(unf_failed_kind(node_at(u, history)->next_kind));
    unf_cfg_cone(u->base, history);
    propose_exclusive(u, history, state, node_at(u, history)->next_kind, false);
}

/* ---- one history in one state ---- */

bool unf_waits(const unf *u, uint32_t history, unf_state state)
{
    const unf_node *h = node_at(u, history), *s = node_at(u, state.ix);
    TD_DASSERT(node_is_state(s) && s->object == h->next_object);
    /* Readers are among the reads before an event: find_outcome. */
    mdl_found found = {.is_closed = s->flags & NODE_CLOSED,
                       .has_ended = mdl_ends(s->kind)};
    if (found.is_closed && s->thread == h->thread)
        found.is_closed = !u->objects.at[s->object].is_recursive;
    if (mdl_when_of(h->next_kind) == MDL_WHEN_W)
        found.is_woken = unf_is_woken(u, state, h->thread);
    return mdl_waits(h->next_kind, &found) || unf_spin_at(u, history, state) != NULL;
}

/* Returns the outcome of a history's next operation in a state, if that is determined. */
static uint8_t outcome_in(uint8_t kind, const unf_node *s)
{
    mdl_found found = {.is_closed = s->flags & NODE_CLOSED,
                       .is_over = mdl_does(s->kind) == WIRE_DOES_FINISH};
    bool is_determined = !mdl_depends_on_readers(kind) && !unf_failed_kind(kind);
    return is_determined && mdl_fails(kind, &found) ? mdl_failed_kind(kind) : kind;
}

/* base is the cone of the younger one. */
static void attempt(unf *u, uint32_t history, unf_state state)
{
    unf_node *h = node_at(u, history), *s = node_at(u, state.ix);
    TD_DASSERT(mdl_is_op(h->next_kind) && s->status == UNF_EXECUTED);
    uint8_t kind = outcome_in(h->next_kind, s);
    if ((s->flags & NODE_LAST) && s->thread != h->thread)
        return;
    if (unf_waits(u, history, state)) {
        unf_block(u, history, state);
        return;
    }
    if (unf_failed_kind(kind)) {
        propose(u, successor(u, history, state, unf_failed_kind(kind)), NODE_PROBE, NULL,
                0);
        return;
    }
    unf_node n = successor(u, history, state, kind);
    if (node_is_read(&n))
        propose(u, n, 0, NULL, 0);
    else if (s->groups == 0)
        propose(u, n, NODE_FIRST, NULL, 0);
    else
        propose_exclusive(u, history, state, kind, true);
}

/* Lists the histories that wait in a state for a lock that their own thread holds. */
static void list_own_waits(unf *u, uint32_t state, unf_vec *out)
{
    for (uint32_t g = node_at(u, state)->groups; g; g = u->groups.at[g].next)
        for (uint32_t l = u->groups.at[g].blocked; l; l = u->links.at[l].next)
            if (node_at(u, u->links.at[l].event)->thread == node_at(u, state)->thread)
                unf_vec_push(out, u->links.at[l].event);
}

void unf_recursive(unf *u, uint32_t object)
{
    if (u->objects.at[object].is_recursive)
        return;
    TD_ASSERT(!u->objects.at[object].is_memory);
    u->objects.at[object].is_recursive = true;
    unf_vec waiting = {0};
    for (uint32_t s = 0, n = (uint32_t)u->nodes.len; s < n; s++) {
        if (node_at(u, s)->object != object || !(node_at(u, s)->flags & NODE_CLOSED))
            continue;
        unf_vec_clear(&waiting);
        list_own_waits(u, s, &waiting);
        for (size_t i = 0; i < waiting.len; i++) {
            unf_cfg_cone(u->base, waiting.at[i]);
            attempt(u, waiting.at[i], (unf_state){s});
        }
    }
    unf_vec_fini(&waiting);
}

/* ---- the new event ---- */

/* True: the history before the state does not fit. */
static bool push_state(unf *u, uint32_t state)
{
    u->n_asked++;
    if (is_usable(node_at(u, state)) && unf_cfg_fits(u->base, state)) {
        unf_vec_push(&u->stack, state);
        return false;
    }
    uint32_t history = node_at(u, state)->before;
    return history != UNF_NONE && !unf_cfg_fits(u->base, history);
}

static void push_states_below(unf *u, unf_state state, uint32_t thread)
{
    for (uint32_t g = node_at(u, state.ix)->groups; g;
         g = unf_group_next(u, g, u->base)) {
        if (u->groups.at[g].thread == thread)
            continue;
        uint32_t n_misses = 0;
        for (uint32_t s = u->groups.at[g].exclusive; s != UNF_NONE;
             s = node_at(u, s)->sibling)
            n_misses += push_state(u, s);
        unf_group_part(u, g, u->base, n_misses);
    }
}

/* ---- ends and joins ----
 *
 * If the ends of a thread and the histories that join it are many, a walk finds the compatible ones
 * (ends.c). It is tried if testing all has been expensive, may cost as much, and is suspended for a while if
 * it did not pay. */

enum { PAUSE = 64, LEAST = 64 };

/* What a walk may cost; 0: all are asked. */
static uint64_t allowance(const unf *u, unf_crowd *crowd)
{
    /* A walk relies on what histories do next. */
    if (crowd->cost < u->crowd || u->losses.changed > 0)
        return 0;
    if (crowd->pause > 0) {
        crowd->pause--;
        return 0;
    }
    return (uint64_t)crowd->cost + LEAST;
}

static void note_cost(unf *u, unf_crowd *crowd, uint64_t n_before)
{
    uint64_t cost = u->n_asked - n_before;
    crowd->cost = cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX;
}

static void push_ends_below(unf *u, uint32_t history, uint32_t start)
{
    unf_crowd *crowd = &u->threads.at[node_at(u, start)->thread].ends;
    uint64_t most = allowance(u, crowd), before = u->n_asked;
    if (most && unf_ends_fitting(u, history, start, most) <= most) {
        unf_vec_append(&u->stack, u->ends.at, u->ends.len);
        return;
    }
    crowd->pause = most ? PAUSE : crowd->pause;
    push_states_below(u, (unf_state){start}, node_at(u, history)->thread);
    note_cost(u, crowd, before);
}

static void as_history(unf *u, uint32_t history)
{
    const unf_node *h = node_at(u, history);
    /* Its decision is known once it was made; its end is an event once a thread waits for it. */
    bool waits = mdl_decides(h->next_kind) || h->next_kind == UNF_NEXT_UNKNOWN ||
                 h->next_kind == UNF_NEXT_FAILS || mdl_ends(h->next_kind);
    if (h->next_kind == 0 || waits || unf_silent_joins_park(u, history))
        return;
    if (h->next_object == UNF_NONE) {
        propose(u, successor(u, history, (unf_state){UNF_NONE}, h->next_kind), 0, NULL,
                0);
        return;
    }
    uint32_t thread = h->thread;
    unf_vec_clear(&u->stack);
    unf_vec_push(&u->stack, unf_cfg_state(u->base, h->next_object).ix);
    while (u->stack.len > 0 && !td_stops(u->stop)) {
        unf_state state = {unf_vec_pop(&u->stack)};
        if (node_at(u, state.ix)->kind == UNF_START)
            push_ends_below(u, history, state.ix);
        else
            push_states_below(u, state, thread);
        attempt(u, history, state);
    }
}

/* A history that had its chance in the state before. True: it does not fit. */
static bool ask(unf *u, uint32_t history, unf_state state)
{
    u->n_asked++;
    if (td_stops(u->stop) || unf_silent_joins_park(u, history))
        return false;
    if (!unf_cfg_free_at(u->base, history))
        return true;
    attempt(u, history, state);
    return false;
}

static void ask_group(unf *u, uint32_t group, unf_state state)
{
    uint32_t n_misses = 0;
    for (uint32_t c = u->groups.at[group].exclusive; c != UNF_NONE;
         c = node_at(u, c)->sibling)
        if (node_at(u, c)->flags & NODE_FIRST)
            n_misses += ask(u, node_at(u, c)->before, state);
    for (uint32_t c = u->groups.at[group].shared; c != UNF_NONE;
         c = node_at(u, c)->sibling)
        n_misses += ask(u, node_at(u, c)->before, state);
    for (uint32_t l = u->groups.at[group].blocked; l; l = u->links.at[l].next)
        n_misses += ask(u, u->links.at[l].event, state);
    unf_group_part(u, group, u->base, n_misses);
}

/* The histories that join the thread of a new end. False: they were not found. */
static bool ask_joiners(unf *u, uint32_t end)
{
    unf_crowd *crowd = &u->threads.at[node_at(u, end)->thread].joiners;
    uint64_t most = allowance(u, crowd);
    if (!most)
        return false;
    if (unf_ends_joiners(u, end, most) > most) {
        crowd->pause = PAUSE;
        return false;
    }
    for (size_t i = 0; i < u->ends.len; i++)
        ask(u, u->ends.at[i], (unf_state){end});
    return true;
}

static void as_state(unf *u, uint32_t state)
{
    uint32_t parent = node_at(u, state)->after;
    TD_DASSERT(node_is_state(node_at(u, parent)));
    bool is_end = mdl_ends(node_at(u, state)->kind);
    if (is_end && ask_joiners(u, state))
        return;
    uint64_t before = u->n_asked;
    for (uint32_t g = node_at(u, parent)->groups; g; g = unf_group_next(u, g, u->base))
        if (u->groups.at[g].thread != node_at(u, state)->thread)
            ask_group(u, g, (unf_state){state});
    if (is_end)
        note_cost(u, &u->threads.at[node_at(u, state)->thread].joiners, before);
}

/* Proposes an exclusive event like sibling, but also after the new read, whose cone is base and with which
 * sibling's history is compatible. */
static void propose_after(unf *u, uint32_t sibling, uint32_t read)
{
    const unf_node *c = node_at(u, sibling);
    TD_DASSERT(node_is_state(c) && c->after == node_at(u, read)->after);
    uint32_t n_reads = node_n_reads(u, c), n_inside = 0;
    for (uint32_t i = 0; i < n_reads; i++) {
        uint32_t r = u->reads.at[c->reads + 1 + i];
        if (unf_cfg_has(u->base, r))
            n_inside++;
        else if (!unf_cfg_fits(u->base, r))
            return;
    }
    if (n_inside + 1 != unf_cfg_n_reads(u->base, c->after))
        return;
    unf_vec_clear(&u->chosen);
    unf_vec_append(&u->chosen, node_reads(u, c), n_reads);
    unf_vec_push(&u->chosen, read);
    unf_node n = successor(u, c->before, (unf_state){c->after}, c->kind);
    propose_chosen(u, &n, 0);
}

static void as_read(unf *u, uint32_t read)
{
    uint32_t state = node_at(u, read)->after;
    TD_DASSERT(node_is_read(node_at(u, read)));
    for (uint32_t g = node_at(u, state)->groups; g; g = unf_group_next(u, g, u->base)) {
        if (u->groups.at[g].thread == node_at(u, read)->thread)
            continue;
        /* Children that are added meanwhile come before those that are asked. */
        uint32_t n_misses = 0;
        for (uint32_t c = u->groups.at[g].exclusive; c != UNF_NONE && !td_stops(u->stop);
             c = node_at(u, c)->sibling)
            if (unf_cfg_free_at(u->base, node_at(u, c)->before))
                propose_after(u, c, read);
            else
                n_misses++;
        unf_group_part(u, g, u->base, n_misses);
    }
}

void unf_extend(unf *u, uint32_t event)
{
    const unf_node *n = node_at(u, event);
    TD_ASSERT(n->status == UNF_EXECUTED);
    unf_cfg_cone(u->base, event);
    if (!(n->flags & NODE_LAST) && n->after != UNF_NONE) {
        if (node_is_state(n))
            as_state(u, event);
        else
            as_read(u, event);
    }
    as_history(u, event);
}
