/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* All traces: the largest configurations, each once.
 *
 * A search through the structure, without a run. At each node of the search there is a
 * configuration, and events that are refused: all of them could come next, and what is searched
 * below holds none of them. An event is added and all below is searched; then it is refused, and
 * the search goes on from the same configuration, if there is an alternative: events that fit
 * with the configuration and of which one, for each refused event, is in conflict with it. They
 * are wanted: what is added next is one of them, so that the search ends in a trace and not where
 * nothing but refused events is left. Two traces below two nodes differ, as one has an event that
 * the other has something in conflict with.
 *
 * To find an alternative is hard in general. First the other threads go ahead, one operation each
 * by turns, until all that is refused is excluded; most often they get there. If not, what follows
 * the states of the refused events is searched, up to a limit; beyond it the search goes on
 * without an alternative, and may find nothing. This costs time, and no run.
 *
 * Which event a thread at a history does in a configuration is known: its next operation, in the
 * last state of its object, after the reads of that state. So it is found by its id. */

enum { MAX_OUTCOMES = 4, MOST_ASKED = 20000 };

/* Ranges of unf_traces.numbers. */
typedef struct trace_range {
    uint32_t first, n;
} trace_range;

typedef struct trace_node {
    trace_range refused, wanted;
} trace_node;

/* The configuration as it was. */
typedef struct trace_mark {
    uint32_t len, n_changes, n_links;
} trace_mark;

/* An event that was added at a node, and what was there before. */
typedef struct trace_step {
    trace_node node;
    uint32_t event;
    uint32_t n_numbers; /* of numbers that the node needs */
    trace_mark mark;
} trace_step;
TD_VEC(trace_step, trace_step_vec);

/* Objects that are touched below a history, by threads that start there too: a bit for each of
 * 64 classes of them. */
typedef struct trace_future {
    uint64_t touched, changed;
} trace_future;
TD_VEC(trace_future, trace_future_vec);

/* The reads of an object before an event. */
typedef struct trace_change {
    uint32_t object, reads;
} trace_change;
TD_VEC(trace_change, trace_change_vec);

struct unf_traces {
    unf *u;
    unf_cfg *cfg;
    trace_step_vec path;
    trace_node node; /* where the search is */
    bool is_back;    /* what is below the node was searched */
    bool has_ended;
    unf_vec numbers;
    unf_vec starts; /* by event: the START of a CREATE */
    unf_vec
        reads; /* by object: reads of its state in the configuration, in links; 0: none */
    unf_link_vec links; /* [0] is not used */
    trace_change_vec changes;
    trace_future_vec futures; /* by event */
    unf_vec chosen, next;
    uint64_t asked, most;
    uint8_t outcomes[WIRE_N_OPS]
                    [MAX_OUTCOMES]; /* of an operation as asked for; 0: no more */
};

static void find_outcomes(unf_traces *t)
{
    for (uint8_t kind = WIRE_NONE + 1; kind < WIRE_N_OPS; kind++) {
        uint8_t *to = t->outcomes[trc_asked_kind(kind)];
        size_t n = 0;
        while (to[n])
            TD_ASSERT(++n < MAX_OUTCOMES);
        to[n] = kind;
    }
}

/* A thread starts when it is created. */
static void find_starts(unf_traces *t)
{
    const unf *u = t->u;
    unf_vec_reserve(&t->starts, u->nodes.len);
    t->starts.len = u->nodes.len;
    memset(t->starts.at, 0xff, t->starts.len * sizeof(uint32_t));
    for (uint32_t i = 0; i < u->nodes.len; i++) {
        const unf_node *n = node_at(u, i);
        if (n->kind == UNF_START && n->before != UNF_NONE && n->status == UNF_EXECUTED)
            t->starts.at[n->before] = i;
    }
}

static uint64_t class_of(uint32_t object)
{
    return UINT64_C(1) << (object * UINT32_C(0x9e3779b1) >> 26);
}

/* Causes have smaller numbers. */
static void find_futures(unf_traces *t)
{
    const unf *u = t->u;
    trace_future_vec_reserve(&t->futures, u->nodes.len);
    t->futures.len = u->nodes.len;
    memset(t->futures.at, 0, t->futures.len * sizeof t->futures.at[0]);
    for (uint32_t i = (uint32_t)u->nodes.len; i-- > 0;) {
        const unf_node *n = node_at(u, i);
        if (n->before == UNF_NONE || n->status != UNF_EXECUTED)
            continue;
        trace_future *to = &t->futures.at[n->before];
        to->touched |= t->futures.at[i].touched;
        to->changed |= t->futures.at[i].changed;
        if (n->object != UNF_NONE)
            to->touched |= class_of(n->object);
        if (n->object != UNF_NONE && node_is_state(n))
            to->changed |= class_of(n->object);
    }
}

/* ---- the configuration ---- */

static uint32_t *reads_of(unf_traces *t, uint32_t object)
{
    while (t->reads.len <= object)
        unf_vec_push(&t->reads, 0);
    return &t->reads.at[object];
}

static trace_mark mark(const unf_traces *t)
{
    return (trace_mark){(uint32_t)unf_cfg_len(t->cfg), (uint32_t)t->changes.len,
                        (uint32_t)t->links.len};
}

static void back_to(unf_traces *t, trace_mark m)
{
    unf_cfg_cut(t->cfg, m.len);
    while (t->changes.len > m.n_changes) {
        trace_change c = trace_change_vec_pop(&t->changes);
        t->reads.at[c.object] = c.reads;
    }
    t->links.len = m.n_links;
}

/* A thread that is created starts at once. */
static void add(unf_traces *t, uint32_t event)
{
    const unf_node *n = node_at(t->u, event);
    unf_cfg_add(t->cfg, event);
    if (n->kind == WIRE_CREATE && t->starts.at[event] != UNF_NONE)
        unf_cfg_add(t->cfg, t->starts.at[event]);
    if (n->object == UNF_NONE)
        return;
    uint32_t *reads = reads_of(t, n->object);
    trace_change_vec_push(&t->changes, (trace_change){n->object, *reads});
    if (!node_is_read(n)) {
        *reads = 0;
        return;
    }
    unf_link_vec_push(&t->links, (unf_link){event, *reads});
    *reads = (uint32_t)t->links.len - 1;
}

/* What is still refused; then what is still wanted, if anything is. */
static void go_down(unf_traces *t, uint32_t event)
{
    trace_step s = {.node = t->node,
                    .event = event,
                    .n_numbers = (uint32_t)t->numbers.len,
                    .mark = mark(t)};
    trace_step_vec_push(&t->path, s);
    add(t, event);

    t->node.refused.first = (uint32_t)t->numbers.len;
    for (uint32_t i = 0; i < s.node.refused.n; i++) {
        uint32_t other = t->numbers.at[s.node.refused.first + i];
        if (unf_cfg_fits(t->cfg, other))
            unf_vec_push(&t->numbers, other);
    }
    t->node.refused.n = (uint32_t)t->numbers.len - t->node.refused.first;
    t->node.wanted.first = (uint32_t)t->numbers.len;
    for (uint32_t i = 0; i < s.node.wanted.n && t->node.refused.n > 0; i++) {
        uint32_t other = t->numbers.at[s.node.wanted.first + i];
        if (!unf_cfg_has(t->cfg, other))
            unf_vec_push(&t->numbers, other);
    }
    t->node.wanted.n = (uint32_t)t->numbers.len - t->node.wanted.first;
}

static trace_step go_up(unf_traces *t)
{
    trace_step s = trace_step_vec_pop(&t->path);
    back_to(t, s.mark);
    t->numbers.len = s.n_numbers;
    t->node = s.node;
    return s;
}

static bool is_among(const uint32_t *events, uint32_t n, uint32_t event)
{
    for (uint32_t i = 0; i < n; i++)
        if (events[i] == event)
            return true;
    return false;
}

/* ---- what comes next ---- */

/* True if all direct causes of an event that fits are in the configuration. */
static bool is_ready(const unf_traces *t, uint32_t event)
{
    const unf_node *n = node_at(t->u, event);
    const uint32_t *reads = node_reads(t->u, n);
    bool ready = (n->before == UNF_NONE || unf_cfg_has(t->cfg, n->before)) &&
                 (n->after == UNF_NONE || unf_cfg_has(t->cfg, n->after));
    for (uint32_t i = 0; i < node_n_reads(t->u, n) && ready; i++)
        ready = unf_cfg_has(t->cfg, reads[i]);
    return ready;
}

static void list_children(unf_traces *t, uint32_t history)
{
    for (uint32_t c = unf_first_child(t->u, history); c != UNF_NONE;
         c = unf_next_child(t->u, c))
        if (node_at(t->u, c)->status == UNF_EXECUTED && is_ready(t, c))
            unf_vec_push(&t->next, c);
}

/* The thread's next operation, which is done to an object. */
static void list_outcomes(unf_traces *t, uint32_t history)
{
    unf *u = t->u;
    const unf_node *h = node_at(u, history);
    unf_node n = {.before = history,
                  .after = unf_cfg_state(t->cfg, h->next_object),
                  .thread = h->thread,
                  .object = h->next_object};
    if ((node_at(u, n.after)->flags & NODE_LAST) ||
        (h->next_kind == WIRE_JOIN && node_at(u, n.after)->kind != WIRE_END))
        return;
    unf_vec_clear(&t->chosen);
    for (uint32_t l = *reads_of(t, n.object); l; l = t->links.at[l].next)
        unf_vec_push(&t->chosen, t->links.at[l].event);
    const uint8_t *kinds = t->outcomes[h->next_kind];
    for (size_t i = 0; i < MAX_OUTCOMES && kinds[i]; i++) {
        n.kind = kinds[i];
        uint32_t n_reads = node_is_state(&n) ? (uint32_t)t->chosen.len : 0;
        uint32_t event = unf_find(u, unf_id_of(u, &n, t->chosen.at, n_reads));
        if (event != UNF_NONE && node_at(u, event)->status == UNF_EXECUTED)
            unf_vec_push(&t->next, event);
    }
}

/* The events that the thread can do now, in next. */
static void list_next(unf_traces *t, uint32_t thread)
{
    uint32_t history = unf_cfg_top(t->cfg, thread);
    unf_vec_clear(&t->next);
    if (history == UNF_NONE || unf_blind_skips(t->u, history))
        return;
    const unf_node *h = node_at(t->u, history);
    bool is_alone = h->next_object == UNF_NONE || h->next_kind == WIRE_DECIDE;
    if (h->flags & NODE_LAST)
        return;
    if (is_alone || h->next_kind >= WIRE_N_OPS)
        list_children(t, history);
    else
        list_outcomes(t, history);
}

/* What to add: one that is wanted, or any that is not refused. UNF_NONE: nothing; *is_trace
 * tells whether nothing is refused either. */
static uint32_t choose(unf_traces *t, bool *is_trace)
{
    *is_trace = false;
    for (uint32_t i = 0; i < t->node.wanted.n; i++) {
        uint32_t event = t->numbers.at[t->node.wanted.first + i];
        if (node_at(t->u, event)->kind != UNF_START && is_ready(t, event))
            return event;
    }
    uint32_t n = (uint32_t)t->u->threads.len;
    uint32_t last =
        t->path.len ? node_at(t->u, t->path.at[t->path.len - 1].event)->thread : 0;
    bool any = false;
    for (uint32_t k = 0; k < n; k++) {
        list_next(t, (last + k) % n);
        for (size_t i = 0; i < t->next.len; i++) {
            if (!is_among(&t->numbers.at[t->node.refused.first], t->node.refused.n,
                          t->next.at[i]))
                return t->next.at[i];
            any = true;
        }
    }
    *is_trace = !any;
    return UNF_NONE;
}

/* A run ends after it; all that can be shown with it was, when it was a target. */
static bool ends_run(const unf_node *n)
{
    return (n->flags & NODE_LAST) && n->kind != WIRE_EXIT;
}

static bool is_asked_about(const unf *u, const unf_node *n)
{
    return n->kind == WIRE_DECIDE || unf_why(u, n) != UNF_NONE;
}

/* Adds an event that can come next. False: it cannot be, or the run would end; it is not added. */
static bool add_possible(unf_traces *t, uint32_t event)
{
    const unf_node *n = node_at(t->u, event);
    trace_mark m = mark(t);
    if (ends_run(n))
        return false;
    add(t, event);
    if (!is_asked_about(t->u, n) || unf_feasible(t->u, t->cfg))
        return true;
    back_to(t, m);
    return false;
}

/* ---- alternatives: the others go ahead ---- */

static bool excludes_all(unf_traces *t, const uint32_t *refused, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (unf_cfg_fits(t->cfg, refused[i]))
            return false;
    return true;
}

static bool step_ahead(unf_traces *t, uint32_t thread, const uint32_t *refused,
                       uint32_t n)
{
    list_next(t, thread);
    for (size_t i = 0; i < t->next.len; i++)
        if (!is_among(refused, n, t->next.at[i]) && add_possible(t, t->next.at[i]))
            return true;
    return false;
}

/* False: they came to an end, and something that is refused can still come. */
static bool go_ahead(unf_traces *t, const uint32_t *refused, uint32_t n)
{
    for (bool moves = true; moves;) {
        moves = false;
        for (uint32_t thread = 0; thread < t->u->threads.len; thread++) {
            if (!step_ahead(t, thread, refused, n))
                continue;
            moves = true;
            if (excludes_all(t, refused, n))
                return true;
        }
    }
    return false;
}

/* ---- alternatives: there are none ---- */

static bool is_stuck(const unf_traces *t, uint32_t thread, const uint32_t *refused,
                     uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (node_at(t->u, refused[i])->thread == thread)
            return true;
    return false;
}

/* False if no other thread that is not stuck can ever exclude the event: none touches its object
 * from here on, as far as is known. */
static bool can_be_excluded(const unf_traces *t, uint32_t event, const uint32_t *refused,
                            uint32_t n)
{
    const unf *u = t->u;
    const unf_node *e = node_at(u, event);
    if (is_asked_about(u, e))
        return true;
    if (e->after == UNF_NONE || e->kind == WIRE_JOIN || e->kind == WIRE_END)
        return false;
    for (uint32_t thread = 0; thread < u->threads.len; thread++) {
        uint32_t top = unf_cfg_top(t->cfg, thread);
        if (thread == e->thread || top == UNF_NONE || is_stuck(t, thread, refused, n))
            continue;
        trace_future f = t->futures.at[top];
        if ((node_is_read(e) ? f.changed : f.touched) & class_of(e->object))
            return true;
    }
    return false;
}

typedef enum ahead { AT_END, MOVED, OPEN } ahead;

/* A step that is part of every alternative, if there is one. */
static ahead must_step(unf_traces *t, uint32_t thread, const uint32_t *refused,
                       uint32_t n)
{
    list_next(t, thread);
    if (t->next.len == 0)
        return AT_END;
    uint32_t event = t->next.at[0];
    if (t->next.len > 1 || ends_run(node_at(t->u, event)) ||
        can_be_excluded(t, event, refused, n))
        return OPEN;
    add(t, event);
    return MOVED;
}

/* True if nothing that is refused was excluded, and only other threads could exclude it. */
static bool stands(unf_traces *t, const uint32_t *refused, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (is_asked_about(t->u, node_at(t->u, refused[i])) ||
            !unf_cfg_fits(t->cfg, refused[i]))
            return false;
    return true;
}

/* True if there is surely no alternative. As long as nothing that is refused is excluded, its
 * threads are stuck. The others do what nobody of them can exclude; if they come to an end with
 * that, nothing else can come. */
static bool is_hopeless(unf_traces *t, const uint32_t *refused, uint32_t n)
{
    bool is_open = false;
    for (bool moves = true; moves;) {
        moves = is_open = false;
        for (uint32_t thread = 0; thread < t->u->threads.len; thread++) {
            if (is_stuck(t, thread, refused, n))
                continue;
            ahead how = must_step(t, thread, refused, n);
            is_open |= how == OPEN;
            moves |= how == MOVED;
        }
    }
    return !is_open && stands(t, refused, n);
}

/* ---- alternatives: what follows the states ---- */

typedef enum found { NOT_THERE, THERE, PERHAPS } found;

static found find_alternative(unf_traces *t, const uint32_t *refused, uint32_t n);

static bool names(const unf *u, const unf_node *n, uint32_t read)
{
    const uint32_t *reads = node_reads(u, n);
    for (uint32_t i = 0; i < node_n_reads(u, n); i++)
        if (reads[i] == read)
            return true;
    return false;
}

/* Both follow the same state, or the same history without an object. */
static bool excludes(const unf *u, uint32_t a, uint32_t b)
{
    const unf_node *x = node_at(u, a), *y = node_at(u, b);
    if (a == b || y->status != UNF_EXECUTED)
        return false;
    if (x->before == y->before)
        return true;
    if (node_is_read(x) && node_is_read(y))
        return false;
    return node_is_read(x) ? !names(u, y, a) : node_is_read(y) ? !names(u, x, b) : true;
}

/* Adds event, which excludes the last one that is refused, and looks for the others. */
static found try_with(unf_traces *t, const uint32_t *refused, uint32_t n, uint32_t event)
{
    if (++t->asked > t->most)
        return PERHAPS;
    if (!excludes(t->u, refused[n - 1], event) || !unf_cfg_fits(t->cfg, event))
        return NOT_THERE;
    size_t len = unf_cfg_len(t->cfg);
    unf_cfg_add(t->cfg, event);
    found result = NOT_THERE;
    bool holds = false;
    for (uint32_t i = 0; i + 1 < n && !holds; i++)
        holds = unf_cfg_has(t->cfg, refused[i]);
    if (!holds && unf_feasible(t->u, t->cfg))
        result = find_alternative(t, refused, n - 1);
    if (result == NOT_THERE)
        unf_cfg_cut(t->cfg, len);
    return result;
}

static found try_children(unf_traces *t, const uint32_t *refused, uint32_t n)
{
    found result = NOT_THERE;
    uint32_t history = node_at(t->u, refused[n - 1])->before;
    for (uint32_t c = unf_first_child(t->u, history);
         c != UNF_NONE && result == NOT_THERE; c = unf_next_child(t->u, c))
        result = try_with(t, refused, n, c);
    return result;
}

static found try_list(unf_traces *t, const uint32_t *refused, uint32_t n, uint32_t first)
{
    found result = NOT_THERE;
    for (uint32_t c = first; c != UNF_NONE && result == NOT_THERE;
         c = node_at(t->u, c)->sibling)
        result = try_with(t, refused, n, c);
    return result;
}

/* Adds events so that each refused one that fits is excluded; they stay if it is possible. */
static found find_alternative(unf_traces *t, const uint32_t *refused, uint32_t n)
{
    unf *u = t->u;
    while (n > 0 && !unf_cfg_fits(t->cfg, refused[n - 1]))
        n--;
    if (n == 0)
        return THERE;
    const unf_node *last = node_at(u, refused[n - 1]);
    if (last->kind == WIRE_DECIDE)
        return try_children(t, refused, n);
    if (last->after == UNF_NONE || last->kind == WIRE_JOIN || last->kind == WIRE_END)
        return NOT_THERE;
    found result = NOT_THERE;
    if (unf_why(u, last) != UNF_NONE)
        result = try_children(t, refused, n);
    /* Groups are asked with what was added before; what is added is taken away again. */
    for (uint32_t g = node_at(u, last->after)->groups; g && result == NOT_THERE;
         g = unf_group_next(u, g, t->cfg)) {
        if (u->groups.at[g].thread == last->thread)
            continue;
        result = try_list(t, refused, n, u->groups.at[g].exclusive);
        if (result == NOT_THERE && !node_is_read(last))
            result = try_list(t, refused, n, u->groups.at[g].shared);
    }
    return result;
}

/* What is below the event was searched: refuses it. False: every trace with the
 * configuration was found. */
static bool refuse(unf_traces *t, uint32_t event)
{
    trace_range was = t->node.refused;
    trace_node node = {.refused = {(uint32_t)t->numbers.len, was.n + 1}};
    unf_vec_reserve(&t->numbers, t->numbers.len + was.n + 1);
    unf_vec_append(&t->numbers, &t->numbers.at[was.first], was.n);
    unf_vec_push(&t->numbers, event);

    trace_mark m = mark(t);
    const uint32_t *refused = &t->numbers.at[node.refused.first];
    found result = NOT_THERE;
    bool hopeless =
        !can_be_excluded(t, event, NULL, 0) || is_hopeless(t, refused, node.refused.n);
    back_to(t, m);
    if (!hopeless) {
        bool there = go_ahead(t, refused, node.refused.n);
        if (!there)
            back_to(t, m);
        t->asked = 0;
        result = there ? THERE : find_alternative(t, refused, node.refused.n);
    }
    node.wanted.first = (uint32_t)t->numbers.len;
    if (result == THERE)
        for (size_t i = m.len; i < unf_cfg_len(t->cfg); i++)
            unf_vec_push(&t->numbers, unf_cfg_at(t->cfg, i));
    node.wanted.n = (uint32_t)t->numbers.len - node.wanted.first;
    back_to(t, m);
    t->node = node;
    return result != NOT_THERE;
}

/* ---- the search ---- */

unf_traces *unf_traces_new(unf *u)
{
    unf_traces *t = td_alloc(sizeof *t);
    t->u = u;
    t->cfg = unf_cfg_new(u);
    t->most = MOST_ASKED;
    unf_link_vec_push(&t->links, (unf_link){0});
    find_outcomes(t);
    find_starts(t);
    find_futures(t);
    for (uint32_t i = 0; i < u->nodes.len; i++)
        if (node_at(u, i)->kind == UNF_START && node_at(u, i)->before == UNF_NONE)
            unf_cfg_add(t->cfg, i);
    return t;
}

void unf_traces_free(unf_traces *t)
{
    if (!t)
        return;
    unf_cfg_free(t->cfg);
    trace_step_vec_fini(&t->path);
    unf_vec_fini(&t->numbers);
    unf_vec_fini(&t->starts);
    unf_vec_fini(&t->reads);
    unf_link_vec_fini(&t->links);
    trace_change_vec_fini(&t->changes);
    trace_future_vec_fini(&t->futures);
    unf_vec_fini(&t->chosen);
    unf_vec_fini(&t->next);
    td_free(t);
}

/* A trace without operations has a name, too. */
static const td_id no_operations = {1, 0};

td_id unf_trace_of(const trc *t)
{
    td_id sum = no_operations;
    for (size_t i = 0; i < t->ops.len; i++)
        if (trc_in_digest(t->ops.at[i].kind))
            sum = td_id_sum(sum, t->ops.at[i].id);
    return sum;
}

td_id unf_cfg_trace(const unf_cfg *c)
{
    const unf *u = unf_cfg_of(c);
    td_id sum = no_operations;
    for (size_t i = 0; i < unf_cfg_len(c); i++) {
        const unf_node *n = node_at(u, unf_cfg_at(c, i));
        if (n->kind < WIRE_N_OPS && trc_in_digest(n->kind))
            sum = td_id_sum(sum, n->id);
    }
    return sum;
}

/* False if somebody came between the operations of an atomic section, whose thread cannot go on
 * for that: the structure does not know that this cannot be. */
static bool has_whole_sections(const unf_traces *t)
{
    const unf *u = t->u;
    for (uint32_t thread = 0; u->has_sections && thread < u->threads.len; thread++) {
        uint32_t top = unf_cfg_top(t->cfg, thread);
        if (top == UNF_NONE || !(node_at(u, top)->flags & NODE_INSIDE))
            continue;
        const unf_node *h = node_at(u, top);
        if (h->next_object == UNF_NONE ||
            !unf_waits(u, h, unf_cfg_state(t->cfg, h->next_object)))
            return false;
    }
    return true;
}

unf_cfg *unf_traces_next(unf_traces *t)
{
    while (!t->has_ended) {
        if (t->is_back) {
            if (t->path.len == 0)
                break;
            trace_step s = go_up(t);
            t->is_back = !refuse(t, s.event);
            continue;
        }
        bool is_trace;
        uint32_t event = choose(t, &is_trace);
        t->is_back = event == UNF_NONE;
        if (is_trace && has_whole_sections(t))
            return t->cfg;
        if (event == UNF_NONE)
            continue;
        go_down(t, event);
        const unf_node *n = node_at(t->u, event);
        t->is_back =
            ends_run(n) || (is_asked_about(t->u, n) && !unf_feasible(t->u, t->cfg));
    }
    t->has_ended = true;
    return NULL;
}
