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
 * To find an alternative is hard in general. It has a limit; beyond it the search goes on without
 * one, and may find nothing. This costs time, and no run.
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

/* An event that was added at a node, and what was there before. */
typedef struct trace_step {
    trace_node node;
    uint32_t event;
    uint32_t len;       /* of the configuration */
    uint32_t n_numbers; /* of numbers that the node needs */
    uint32_t reads;     /* of the event's object */
} trace_step;
TD_VEC(trace_step, trace_step_vec);

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

/* ---- the configuration ---- */

static uint32_t *reads_of(unf_traces *t, uint32_t object)
{
    while (t->reads.len <= object)
        unf_vec_push(&t->reads, 0);
    return &t->reads.at[object];
}

static void add(unf_traces *t, uint32_t event)
{
    const unf_node *n = node_at(t->u, event);
    unf_cfg_add(t->cfg, event);
    if (n->kind == WIRE_CREATE && t->starts.at[event] != UNF_NONE)
        unf_cfg_add(t->cfg, t->starts.at[event]);
    if (n->object == UNF_NONE)
        return;
    uint32_t *reads = reads_of(t, n->object);
    if (!node_is_read(n)) {
        *reads = 0;
        return;
    }
    unf_link_vec_push(&t->links, (unf_link){event, *reads});
    *reads = (uint32_t)t->links.len - 1;
}

static void go_down(unf_traces *t, uint32_t event)
{
    const unf_node *n = node_at(t->u, event);
    trace_step s = {.node = t->node,
                    .event = event,
                    .len = (uint32_t)unf_cfg_len(t->cfg),
                    .n_numbers = (uint32_t)t->numbers.len,
                    .reads = n->object == UNF_NONE ? 0 : *reads_of(t, n->object)};
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
    for (uint32_t i = 0; i < s.node.wanted.n; i++) {
        uint32_t other = t->numbers.at[s.node.wanted.first + i];
        if (!unf_cfg_has(t->cfg, other))
            unf_vec_push(&t->numbers, other);
    }
    t->node.wanted.n = (uint32_t)t->numbers.len - t->node.wanted.first;
}

static trace_step go_up(unf_traces *t)
{
    trace_step s = trace_step_vec_pop(&t->path);
    const unf_node *n = node_at(t->u, s.event);
    unf_cfg_cut(t->cfg, s.len);
    if (n->object != UNF_NONE) {
        t->links.len -= node_is_read(n);
        *reads_of(t, n->object) = s.reads;
    }
    t->numbers.len = s.n_numbers;
    t->node = s.node;
    return s;
}

static bool is_refused(const unf_traces *t, uint32_t event)
{
    for (uint32_t i = 0; i < t->node.refused.n; i++)
        if (t->numbers.at[t->node.refused.first + i] == event)
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
            if (!is_refused(t, t->next.at[i]))
                return t->next.at[i];
            any = true;
        }
    }
    *is_trace = !any;
    return UNF_NONE;
}

/* ---- alternatives ---- */

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

    size_t len = unf_cfg_len(t->cfg);
    t->asked = 0;
    found result =
        find_alternative(t, &t->numbers.at[node.refused.first], node.refused.n);
    node.wanted.first = (uint32_t)t->numbers.len;
    if (result == THERE)
        for (size_t i = len; i < unf_cfg_len(t->cfg); i++)
            unf_vec_push(&t->numbers, unf_cfg_at(t->cfg, i));
    node.wanted.n = (uint32_t)t->numbers.len - node.wanted.first;
    unf_cfg_cut(t->cfg, len);
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
    unf_vec_fini(&t->chosen);
    unf_vec_fini(&t->next);
    td_free(t);
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
