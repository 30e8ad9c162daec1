/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

#include <stdio.h>

/* Are the invariants kept? Everything is recomputed from before, after, reads and what
 * threads do next; of config.c only (U3) makes use. */

typedef struct check {
    unf *u;
    char *why;
    size_t size;
} check;

static bool broken(const check *k, const char *text, size_t at)
{
    if (k->why && k->size > 0)
        snprintf(k->why, k->size, "%s (at %zu)", text, at);
    return false;
}

static bool is_operation(const unf_node *n)
{
    return mdl_is_op(n->kind);
}

static bool has_object(const unf_node *n)
{
    return n->kind >= UNF_START || mdl_ends(n->kind) || mdl_joins(n->kind) ||
           mdl_effect_of(n->kind) != MDL_EFFECT_N;
}

/* ---- an event and its causes ---- */

/* (U1), (U2): a cause is older, and executed. */
static bool is_cause(const unf *u, uint32_t cause, uint32_t event)
{
    return cause < event && node_at(u, cause)->status == UNF_EXECUTED;
}

static bool reads_valid(const check *k, uint32_t event)
{
    const unf_node *n = node_at(k->u, event);
    const uint32_t *reads = node_reads(k->u, n);
    uint32_t n_reads = node_n_reads(k->u, n);
    if (n->reads && (n_reads == 0 || n->reads + n_reads >= k->u->reads.len))
        return broken(k, "reads beyond the end", event);
    if (n_reads > 0 && !node_is_state(n))
        return broken(k, "a shared event after reads", event);
    for (uint32_t i = 0; i < n_reads; i++) {
        if (!is_cause(k->u, reads[i], event))
            return broken(k, "U1, U2: a read is younger or not executed", event);
        const unf_node *r = node_at(k->u, reads[i]);
        if (!node_is_read(r) || r->after != n->after ||
            (i > 0 && reads[i] <= reads[i - 1]))
            return broken(k, "reads are not rising reads of the state", event);
    }
    return true;
}

static bool causes_valid(const check *k, uint32_t event)
{
    const unf_node *n = node_at(k->u, event);
    if (n->before != UNF_NONE && !is_cause(k->u, n->before, event))
        return broken(k, "U1, U2: before is younger or not executed", event);
    if (n->after != UNF_NONE && !is_cause(k->u, n->after, event))
        return broken(k, "U1, U2: after is younger or not executed", event);
    return reads_valid(k, event);
}

/* ---- its place ---- */

static bool root_valid(const check *k, uint32_t event)
{
    const unf_node *n = node_at(k->u, event);
    bool alone = n->before == UNF_NONE && n->after == UNF_NONE && n->thread == UNF_NONE;
    if (!alone || n->object >= k->u->objects.len ||
        k->u->objects.at[n->object].root != event || n->status != UNF_EXECUTED ||
        !td_id_zero(n->id))
        return broken(k, "an invalid root", event);
    return true;
}

static bool start_valid(const check *k, uint32_t event)
{
    const unf_node *n = node_at(k->u, event);
    td_id id = n->before == UNF_NONE ? (td_id){0} : node_at(k->u, n->before)->id;
    if (n->depth != 1 || n->object != k->u->threads.at[n->thread].object ||
        n->after != k->u->objects.at[n->object].root || !td_id_equal(n->id, id))
        return broken(k, "an invalid start", event);
    if (n->before != UNF_NONE && !mdl_creates(node_at(k->u, n->before)->kind))
        return broken(k, "a start without its creation", event);
    return true;
}

static uint32_t start_of_thread(const unf *u, uint32_t event)
{
    while (node_at(u, event)->kind != UNF_START && node_at(u, event)->before != UNF_NONE)
        event = node_at(u, event)->before;
    return event;
}

/* The state that the event is about. */
static bool state_valid(const check *k, uint32_t event)
{
    const unf_node *n = node_at(k->u, event);
    if (!has_object(n)) {
        if (n->after != UNF_NONE || n->object != UNF_NONE)
            return broken(k, "a state without an object", event);
        return true;
    }
    if (n->after == UNF_NONE || n->object >= k->u->objects.len)
        return broken(k, "an object without its state", event);
    const unf_node *s = node_at(k->u, n->after);
    if (!node_is_state(s) || s->object != n->object)
        return broken(k, "after is not a state of the object", event);
    if (mdl_joins(n->kind) && !mdl_ends(s->kind))
        return broken(k, "a join of a thread that has not ended", event);
    if (mdl_ends(n->kind) && n->after != start_of_thread(k->u, event))
        return broken(k, "an end that is not after its start", event);
    return true;
}

/* The event is what its history said comes next. */
static bool asked_valid(const check *k, uint32_t event)
{
    const unf_node *n = node_at(k->u, event), *h = node_at(k->u, n->before);
    bool is_asked = mdl_asked_kind(n->kind) == h->next_kind;
    if (mdl_ends(n->kind) ? h->next_kind != 0 : !is_asked || n->object != h->next_object)
        return k->u->losses.changed > 0 ||
               broken(k, "not the operation that its history announced", event);
    return true;
}

static bool place_valid(const check *k, uint32_t event)
{
    const unf_node *n = node_at(k->u, event);
    if (n->kind == UNF_ROOT)
        return root_valid(k, event);
    if (n->thread >= k->u->threads.len)
        return broken(k, "an event without a thread", event);
    if (n->kind == UNF_START)
        return start_valid(k, event);
    if (!is_operation(n) || n->before == UNF_NONE)
        return broken(k, "an event without a kind or history", event);
    const unf_node *h = node_at(k->u, n->before);
    if (h->thread != n->thread || h->depth + 1 != n->depth || h->kind == UNF_ROOT)
        return broken(k, "an event that does not follow its history", event);
    return state_valid(k, event) && asked_valid(k, event);
}

static bool id_valid(const check *k, uint32_t event)
{
    unf_node n = *node_at(k->u, event);
    if (n.kind >= UNF_START)
        return true;
    td_id id = n.id;
    if (!td_id_equal(id,
                     unf_id_of(k->u, &n, node_reads(k->u, &n), node_n_reads(k->u, &n))))
        return broken(k, "the id is that of another event", event);
    if (unf_find(k->u, id) != event)
        return broken(k, "not found by its id", event);
    return true;
}

static bool status_valid(const check *k, uint32_t event)
{
    const unf_node *n = node_at(k->u, event);
    bool is_probe = (n->flags & NODE_PROBE) != 0;
    uint8_t asked = mdl_asked_kind(n->kind);
    bool can_fail = mdl_decides(n->kind) || (asked != n->kind && unf_failed_kind(asked));
    bool settled =
        is_probe || (n->after != UNF_NONE &&
                     unf_spin_at(k->u, n->before, (unf_state){n->after}) != NULL);
    if (n->status > UNF_DROPPED || (n->status == UNF_SETTLED && !settled) ||
        (is_probe && !can_fail))
        return broken(k, "status", event);
    if (n->status != UNF_EXECUTED && (mdl_ends(n->kind) || n->kind >= UNF_START))
        return broken(k, "a start or an end as a target", event);
    if (n->status != UNF_EXECUTED && (n->groups || n->next_kind))
        return broken(k, "an event follows one that was not executed", event);
    return true;
}

/* ---- locks ---- */

static uint32_t held_first(const unf *u, uint32_t list, uint32_t object)
{
    while (list && node_at(u, u->links.at[list].event)->object != object)
        list = u->links.at[list].next;
    return list;
}

/* a is b without the entry at link (0: nothing is left out). */
static bool same_without(const unf *u, uint32_t a, uint32_t b, uint32_t link)
{
    for (; b; b = u->links.at[b].next) {
        if (b == link)
            continue;
        if (!a || u->links.at[a].event != u->links.at[b].event)
            return false;
        a = u->links.at[a].next;
    }
    return a == 0;
}

static bool locks_valid(const check *k, uint32_t event)
{
    const unf *u = k->u;
    const unf_node *n = node_at(u, event);
    if (n->status != UNF_EXECUTED)
        return (n->held == 0 && !(n->flags & NODE_CLOSED)) ||
               broken(k, "a target holds a lock", event);
    bool starts = n->kind >= UNF_START;
    uint32_t had = starts ? 0 : node_at(u, n->before)->held;
    bool is_mutex = mdl_locks_mutex(n->kind) || mdl_unlocks_mutex(n->kind);
    uint32_t lost = mdl_gives(n->kind) ? held_first(u, had, n->object) : 0;
    uint32_t rest = n->held;
    /* Misuse takes and gives nothing, and the thread fails. */
    bool fails = (n->flags & NODE_LAST) || n->next_kind == UNF_NEXT_FAILS;
    if (mdl_takes(n->kind) && rest && u->links.at[rest].event == event)
        rest = u->links.at[rest].next;
    else if (mdl_takes(n->kind) && !fails)
        return broken(k, "a lock that is not held", event);
    if (fails && rest == had)
        lost = 0;
    if (!same_without(u, rest, had, lost))
        return broken(k, "locks held", event);
    bool can_close = mdl_has_object(n->kind) && mdl_effect_of(n->kind) == MDL_EFFECT_E;
    if ((n->flags & NODE_CLOSED) && !can_close)
        return broken(k, "a closed state of an object that cannot be closed", event);
    bool is_held = held_first(u, n->held, n->object) != 0;
    /* A failure may end the run before the lock is taken. */
    if (is_mutex && !(n->flags & NODE_LAST) && is_held != ((n->flags & NODE_CLOSED) != 0))
        return broken(k, "NODE_CLOSED", event);
    return true;
}

/* ---- lists of children ---- */

static bool child_valid(const check *k, uint32_t state, const unf_group *g,
                        uint32_t child, bool is_exclusive)
{
    if (child >= k->u->nodes.len)
        return broken(k, "a child that does not exist", state);
    const unf_node *n = node_at(k->u, child);
    if (n->after != state || n->thread != g->thread || node_is_state(n) != is_exclusive ||
        node_is_read(n) == is_exclusive)
        return broken(k, "a child in a wrong list", child);
    return true;
}

/* Marks the children of a group as seen; each is seen once at most. */
static bool group_valid(const check *k, uint32_t state, const unf_group *g, uint8_t *seen)
{
    for (int is_exclusive = 0; is_exclusive < 2; is_exclusive++)
        for (uint32_t c = is_exclusive ? g->exclusive : g->shared; c != UNF_NONE;
             c = node_at(k->u, c)->sibling) {
            if (!child_valid(k, state, g, c, is_exclusive))
                return false;
            if (seen[c])
                return broken(k, "a child in two lists", c);
            seen[c] = 1;
        }
    return true;
}

/* One of the exclusive children of a history in a state is its first, unless a probe is
 * there to be found instead. */
static bool first_valid(const check *k, uint32_t child)
{
    const unf *u = k->u;
    const unf_node *n = node_at(u, child);
    uint32_t n_first = 0, n_probes = 0;
    for (uint32_t i = node_at(u, n->after)->groups; i; i = u->groups.at[i].next) {
        const unf_group *g = &u->groups.at[i];
        for (uint32_t d = g->exclusive; d != UNF_NONE; d = node_at(u, d)->sibling)
            n_first += node_at(u, d)->before == n->before &&
                       (node_at(u, d)->flags & NODE_FIRST) != 0;
        for (uint32_t d = g->shared; d != UNF_NONE; d = node_at(u, d)->sibling)
            n_probes += node_at(u, d)->before == n->before;
    }
    return (n_first <= 1 && n_first + n_probes > 0) || broken(k, "NODE_FIRST", child);
}

static bool firsts_valid(const check *k, const unf_group *g)
{
    for (uint32_t c = g->exclusive; c != UNF_NONE; c = node_at(k->u, c)->sibling) {
        uint8_t kind = node_at(k->u, c)->kind;
        if (kind != UNF_START && !mdl_ends(kind) && !first_valid(k, c))
            return false;
    }
    return true;
}

/* Parts follow their group, and their histories have its cause. */
static bool parts_valid(const check *k, uint32_t group)
{
    unf *u = k->u;
    const unf_group *g = &u->groups.at[group];
    for (uint32_t i = g->next; i != g->beyond; i = u->groups.at[i].next)
        if (i == 0 || u->groups.at[i].cause == UNF_NONE ||
            u->groups.at[i].thread != g->thread)
            return broken(k, "a part of another group", group);
    if (g->cause == UNF_NONE)
        return true;
    bool ok = true;
    for (uint32_t c = g->exclusive; c != UNF_NONE && ok; c = node_at(u, c)->sibling)
        ok = unf_before(u, g->cause, node_at(u, c)->before);
    for (uint32_t c = g->shared; c != UNF_NONE && ok; c = node_at(u, c)->sibling)
        ok = unf_before(u, g->cause, node_at(u, c)->before);
    for (uint32_t l = g->blocked; l && ok; l = u->links.at[l].next)
        ok = unf_before(u, g->cause, u->links.at[l].event);
    return ok || broken(k, "a history in a part without its cause", group);
}

static bool groups_valid(const check *k, uint32_t state, uint8_t *seen)
{
    const unf *u = k->u;
    const unf_node *s = node_at(u, state);
    size_t n = 0;
    if (s->groups && !node_is_state(s))
        return broken(k, "children without a state", state);
    for (uint32_t i = s->groups; i; i = u->groups.at[i].next) {
        if (i >= u->groups.len || ++n > u->groups.len)
            return broken(k, "the list of groups is cyclic or leaves the array", state);
        for (uint32_t j = s->groups; j != i && u->groups.at[i].cause == UNF_NONE;
             j = u->groups.at[j].next)
            if (u->groups.at[j].thread == u->groups.at[i].thread)
                return broken(k, "two groups of one thread", state);
        if (!group_valid(k, state, &u->groups.at[i], seen) || !parts_valid(k, i) ||
            !firsts_valid(k, &u->groups.at[i]))
            return false;
    }
    return true;
}

/* The list of what follows a history in its thread: children and brothers. */
static bool brothers_valid(const check *k, uint32_t history, uint8_t *seen)
{
    for (uint32_t c = unf_first_child(k->u, history); c != UNF_NONE;
         c = unf_next_child(k->u, c)) {
        if (c >= k->u->nodes.len || node_at(k->u, c)->before != history || seen[c] & 2)
            return broken(k, "a child of another history, or twice", history);
        seen[c] |= 2;
    }
    return true;
}

static bool lists_valid(const check *k)
{
    size_t n = k->u->nodes.len;
    uint8_t *seen = td_alloc(n + 1);
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++)
        ok = groups_valid(k, i, seen);
    for (uint32_t i = 0; i < n && ok; i++)
        ok = brothers_valid(k, i, seen);
    for (uint32_t i = 0; i < n && ok; i++) {
        const unf_node *e = node_at(k->u, i);
        bool follows = e->before != UNF_NONE && e->kind != UNF_START;
        if (seen[i] != (e->after != UNF_NONE ? 1 : 0) + (follows ? 2 : 0))
            ok = broken(k, "a child without a list", i);
    }
    td_free(seen);
    return ok;
}

/* ---- blocked histories ---- */

/* A thread may have been taken to wait for itself before the mutex was known as recursive. */
static bool blocks(const unf *u, uint32_t history, unf_state state)
{
    return unf_waits(u, history, state) ||
           (mdl_waits_for_mutex(node_at(u, history)->next_kind) &&
            (node_at(u, state.ix)->flags & NODE_CLOSED));
}

static uint32_t n_blocked(const unf *u, unf_state state, uint32_t history)
{
    uint32_t n = 0;
    for (uint32_t g = node_at(u, state.ix)->groups; g; g = u->groups.at[g].next)
        for (uint32_t l = u->groups.at[g].blocked; l; l = u->links.at[l].next)
            n += u->links.at[l].event == history;
    return n;
}

static bool blocked_valid_in(const check *k, uint32_t state, const unf_group *g)
{
    const unf *u = k->u;
    const unf_node *s = node_at(u, state);
    for (uint32_t l = g->blocked; l; l = u->links.at[l].next) {
        if (l >= u->links.len || u->links.at[l].event >= u->nodes.len)
            return broken(k, "blocked histories beyond the end", state);
        const unf_node *h = node_at(u, u->links.at[l].event);
        if (h->status != UNF_EXECUTED || h->next_object != s->object ||
            h->thread != g->thread ||
            !blocks(u, u->links.at[l].event, (unf_state){state}))
            return broken(k, "a history that is not blocked", state);
        if (n_blocked(u, (unf_state){state}, u->links.at[l].event) != 1)
            return broken(k, "a history that is blocked twice", state);
    }
    return true;
}

static bool blocked_valid(const check *k, uint32_t state)
{
    for (uint32_t g = node_at(k->u, state)->groups; g; g = k->u->groups.at[g].next)
        if (!blocked_valid_in(k, state, &k->u->groups.at[g]))
            return false;
    return true;
}

/* ---- cones ---- */

/* What a walk over a cone needs; all-zero between two walks. */
typedef struct cone {
    uint8_t *inside;     /* by event */
    uint32_t *followers; /* by state: exclusive members after it */
    uint32_t *reads;     /* by state: members that read it */
    uint32_t *counts;    /* by thread: members */
    uint32_t *depths;    /* by thread: largest depth */
    unf_vec members;
} cone;

static void cone_add(const unf *u, cone *c, uint32_t event)
{
    if (event == UNF_NONE || c->inside[event])
        return;
    const unf_node *n = node_at(u, event);
    c->inside[event] = 1;
    unf_vec_push(&c->members, event);
    if (n->thread != UNF_NONE) {
        c->counts[n->thread]++;
        if (n->depth > c->depths[n->thread])
            c->depths[n->thread] = n->depth;
    }
    if (n->after != UNF_NONE) {
        c->followers[n->after] += node_is_state(n);
        c->reads[n->after] += node_is_read(n);
    }
}

static void cone_clear(const unf *u, cone *c)
{
    for (size_t i = 0; i < c->members.len; i++) {
        const unf_node *n = node_at(u, c->members.at[i]);
        c->inside[c->members.at[i]] = 0;
        if (n->thread != UNF_NONE)
            c->counts[n->thread] = c->depths[n->thread] = 0;
        if (n->after != UNF_NONE)
            c->followers[n->after] = c->reads[n->after] = 0;
    }
    unf_vec_clear(&c->members);
}

static void cone_fill(const unf *u, cone *c, uint32_t event)
{
    cone_add(u, c, event);
    for (size_t i = 0; i < c->members.len; i++) {
        const unf_node *n = node_at(u, c->members.at[i]);
        cone_add(u, c, n->before);
        cone_add(u, c, n->after);
        for (uint32_t r = 0; r < node_n_reads(u, n); r++)
            cone_add(u, c, node_reads(u, n)[r]);
    }
}

/* (U4): the causes of an event fit together. Of each thread there is one event at each
 * depth; a state is followed by one exclusive event at most, which names all its reads
 * (the reads it names are members). */
static bool cone_valid(const unf *u, const cone *c)
{
    for (size_t i = 0; i < c->members.len; i++) {
        const unf_node *n = node_at(u, c->members.at[i]);
        if (n->thread != UNF_NONE && c->counts[n->thread] != c->depths[n->thread])
            return false;
        if (n->after != UNF_NONE && node_is_state(n) &&
            (c->followers[n->after] != 1 || c->reads[n->after] != node_n_reads(u, n)))
            return false;
    }
    return true;
}

static bool cones_valid(const check *k)
{
    size_t n = k->u->nodes.len + 1, n_threads = k->u->threads.len + 1;
    cone c = {.inside = td_alloc(n),
              .followers = td_alloc(n * sizeof(uint32_t)),
              .reads = td_alloc(n * sizeof(uint32_t)),
              .counts = td_alloc(n_threads * sizeof(uint32_t)),
              .depths = td_alloc(n_threads * sizeof(uint32_t))};
    bool ok = true;
    for (uint32_t i = 0; i < k->u->nodes.len && ok; i++) {
        cone_fill(k->u, &c, i);
        if (!cone_valid(k->u, &c))
            ok = broken(k, "U4: an event in conflict with itself", i);
        cone_clear(k->u, &c);
    }
    td_free(c.inside);
    td_free(c.followers);
    td_free(c.reads);
    td_free(c.counts);
    td_free(c.depths);
    unf_vec_fini(&c.members);
    return ok;
}

/* ---- nothing else can come next ---- */

static bool is_known(const unf *u, uint32_t history, unf_state state)
{
    const unf_node *s = node_at(u, state.ix);
    uint32_t thread = node_at(u, history)->thread;
    for (uint32_t g = s->groups; g; g = u->groups.at[g].next) {
        const unf_group *group = &u->groups.at[g];
        if (group->thread != thread)
            continue;
        for (uint32_t c = group->exclusive; c != UNF_NONE; c = node_at(u, c)->sibling)
            if (node_at(u, c)->before == history)
                return true;
        for (uint32_t c = group->shared; c != UNF_NONE; c = node_at(u, c)->sibling)
            if (node_at(u, c)->before == history)
                return true;
        for (uint32_t l = group->blocked; l; l = u->links.at[l].next)
            if (u->links.at[l].event == history)
                return true;
    }
    return false;
}

/* c is the cone of history. True if the thread can be at it while the object is in this state. */
static bool can_meet(unf_cfg *c, const unf *u, uint32_t history, unf_state state)
{
    const unf_node *h = node_at(u, history), *s = node_at(u, state.ix);
    if ((s->flags & NODE_LAST) && s->thread != h->thread)
        return false;
    if (unf_cfg_has(c, state.ix))
        return unf_cfg_state(c, s->object).ix == state.ix;
    if (!unf_cfg_fits(c, state.ix))
        return false;
    size_t len = unf_cfg_len(c);
    unf_cfg_add(c, state.ix);
    bool meets = unf_cfg_depth(c, h->thread) == h->depth;
    unf_cfg_cut(c, len);
    return meets;
}

static bool states_valid(const check *k, unf_cfg *c, uint32_t history)
{
    const unf *u = k->u;
    uint32_t object = node_at(u, history)->next_object;
    for (uint32_t s = 0; s < u->nodes.len; s++) {
        const unf_node *n = node_at(u, s);
        if (n->object == object && n->status == UNF_EXECUTED && node_is_state(n) &&
            !(n->flags & NODE_PARKED) && !is_known(u, history, (unf_state){s}) &&
            can_meet(c, u, history, (unf_state){s}))
            return broken(k, "U3: a history in a state it was not tried in", history);
    }
    return true;
}

static bool next_valid(const check *k, unf_cfg *c, uint32_t history)
{
    const unf *u = k->u;
    const unf_node *h = node_at(u, history);
    if (h->status != UNF_EXECUTED || h->next_kind == 0)
        return true;
    if (mdl_ends(h->next_kind))
        return !unf_end_matters(u, history) || broken(k, "an end is missing", history);
    if (unf_silent_joins_skips(u, history) || mdl_decides(h->next_kind) ||
        h->next_kind == UNF_NEXT_UNKNOWN || h->next_kind == UNF_NEXT_FAILS)
        return true;
    if (h->next_object != UNF_NONE) {
        unf_cfg_clear(c);
        unf_cfg_add(c, history);
        return states_valid(k, c, history);
    }
    unf_node n = {.before = history,
                  .after = UNF_NONE,
                  .thread = h->thread,
                  .object = UNF_NONE,
                  .kind = h->next_kind};
    if (unf_find(u, unf_id_of(u, &n, NULL, 0)) == UNF_NONE)
        return broken(k, "U3: a history without a next operation", history);
    return true;
}

static bool ended_valid(const check *k, unf_cfg *c, uint32_t history)
{
    const unf_vec *ended = unf_races_ended(k->u, history);
    if (!ended || ended->len == 0)
        return true;
    unf_cfg_clear(c);
    unf_cfg_add(c, history);
    for (size_t i = 0; i < ended->len; i++) {
        uint32_t top = unf_cfg_top(c, ended->at[i]);
        if (top == UNF_NONE || !mdl_ends(node_at(k->u, top)->kind))
            return broken(k, "a history before the end of a thread", history);
    }
    return true;
}

/* (U3), without the sets of reads before exclusive events; and what races are not looked for. */
static bool nexts_valid(const check *k)
{
    unf_cfg *c = unf_cfg_new(k->u);
    bool ok = true;
    for (uint32_t i = 0; i < k->u->nodes.len && ok; i++)
        ok = next_valid(k, c, i) && ended_valid(k, c, i);
    unf_cfg_free(c);
    return ok;
}

/* ---- all of it ---- */

static bool sums_valid(const check *k)
{
    uint64_t n_executed = 0;
    td_id digest = {0};
    for (uint32_t i = 0; i < k->u->nodes.len; i++) {
        const unf_node *n = node_at(k->u, i);
        if (n->status != UNF_EXECUTED || !is_operation(n) || !mdl_in_digest(n->kind))
            continue;
        n_executed++;
        digest = td_id_sum(digest, n->id);
    }
    if (n_executed != k->u->n_executed)
        return broken(k, "number of events", (size_t)n_executed);
    if (!td_id_equal(digest, k->u->digest))
        return broken(k, "digest", 0);
    return true;
}

bool unf_valid(unf *u, char *why, size_t size)
{
    const check k = {u, why, size};
    for (uint32_t i = 0; i < u->nodes.len; i++)
        if (!causes_valid(&k, i) || !place_valid(&k, i) || !id_valid(&k, i) ||
            !status_valid(&k, i) || !locks_valid(&k, i))
            return false;
    if (!lists_valid(&k))
        return false;
    for (uint32_t i = 0; i < u->nodes.len; i++)
        if (!blocked_valid(&k, i))
            return false;
    return cones_valid(&k) && sums_valid(&k) && nexts_valid(&k);
}
