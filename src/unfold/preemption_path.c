/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/preemption_lower_bound.h"

#include <stdlib.h>

/* The path to an event, or through a configuration, with few preemptions.
 *
 * A run that reaches a target executes its cone, but it may do more: a thread that is no longer
 * needed may continue until it is blocked, so that leaving it is not a preemption. So this is a
 * search among the configurations that are compatible with the cone, one event after the other, as a
 * run
 * would go: at each point the next operation of a thread gives one event, which is known if it
 * was executed. All events of such a run but the last are executed events; if the shortest path leads
 * over a target, that one has to be run first (is_final).
 *
 * Some preemptions are needed whatever the path: where an event of another thread comes between two
 * events of a thread, by its causes, and the thread could have continued. They are counted first
 * (preemption_lower_bound.h); so most targets beyond the bound cost no search, and the search
 * backtracks when the remaining ones exceed the bound.
 *
 * The search is depth first, continues the same thread as long as possible, and never goes twice to the same
 * configuration with the same thread running and no fewer preemptions. There may be very many
 * configurations, so it visits a limited number of them. */

enum { MOST_WORK = 16384, FIRST_BITS = 10 };

/* One event more; then this thread has made the last choice. */
typedef struct move {
    uint32_t event, running, cost, n_ahead;
} move;
TD_VEC(move, move_vec);

/* A node of the search, after some moves. */
typedef struct frame {
    uint64_t hash;     /* of the configuration */
    uint32_t running;  /* thread that made the last choice */
    uint32_t cost;     /* preemptions up to here */
    uint32_t n_moves;  /* in unf_path.moves before its own */
    uint32_t n_events; /* events of the configuration, this one included */
    uint32_t n_threads;
    uint32_t n_ahead; /* needed preemptions not passed yet */
    uint32_t n_found; /* events of the goal that were passed */
    uint32_t event;
    bool is_choice;
} frame;
TD_VEC(frame, frame_vec);

typedef struct visit {
    uint64_t key;
    uint32_t stamp, cost;
} visit;

struct unf_path {
    unf *u;
    unf_cfg *at; /* the configuration */
    /* The cone of the target, or a configuration: all of it is to be run. */
    unf_cfg *goal;
    uint32_t n_wanted; /* its events but for STARTs */
    uint32_t bound;
    unf_vec next; /* by event of the goal: the one that follows it in its thread, + 1 */
    unf_vec must; /* likewise: 1 if its thread is preempted after it */
    unf_vec touched; /* events with an entry in next or must */
    uint32_t n_needed;
    unf_lower_bound lower_bound;
    unf_vec order;   /* scratch for the lower bound */
    unf_vec starts;  /* by CREATE: START, + 1 */
    uint32_t n_seen; /* nodes that starts knows */
    uint32_t main;   /* its START */
    unf_vec threads; /* that exist in the configuration, in the order of their creation */
    frame_vec frames;
    move_vec moves;
    visit *visited; /* 2 to the bits of them, at most half of them of this stamp */
    uint32_t bits, stamp;
    uint32_t n_visited;
    uint64_t work;   /* threads that were asked for their next event */
    bool is_missing; /* an event is not known that the path could lead over */
    unf_vec reads;
};

unf_path *unf_path_new(unf *u)
{
    unf_path *w = td_alloc(sizeof *w);
    w->u = u;
    w->at = unf_cfg_new(u);
    w->goal = unf_cfg_new(u);
    w->bits = FIRST_BITS;
    w->visited = td_alloc(sizeof(visit) << w->bits);
    return w;
}

void unf_path_free(unf_path *w)
{
    if (!w)
        return;
    unf_cfg_free(w->at);
    unf_cfg_free(w->goal);
    unf_vec_fini(&w->next);
    unf_vec_fini(&w->must);
    unf_vec_fini(&w->order);
    unf_lower_bound_fini(&w->lower_bound);
    unf_vec_fini(&w->touched);
    unf_vec_fini(&w->starts);
    unf_vec_fini(&w->threads);
    unf_vec_fini(&w->reads);
    frame_vec_fini(&w->frames);
    move_vec_fini(&w->moves);
    td_free(w->visited);
    td_free(w);
}

/* ---- tables ---- */

static void put(unf_vec *v, uint32_t at, uint32_t number)
{
    while (v->len <= at)
        unf_vec_push(v, 0);
    v->at[at] = number;
}

static uint32_t got(const unf_vec *v, uint32_t at)
{
    return at < v->len && v->at[at] ? v->at[at] - 1 : UNF_NONE;
}

static void learn_starts(unf_path *w)
{
    for (; w->n_seen < w->u->nodes.len; w->n_seen++) {
        const unf_node *n = node_at(w->u, w->n_seen);
        if (n->kind != UNF_START)
            continue;
        if (n->before == UNF_NONE)
            w->main = w->n_seen;
        else
            put(&w->starts, n->before, w->n_seen + 1);
    }
}

static void learn_goal(unf_path *w)
{
    for (size_t i = 0; i < w->touched.len; i++) {
        put(&w->next, w->touched.at[i], 0);
        put(&w->must, w->touched.at[i], 0);
    }
    unf_vec_clear(&w->touched);
    w->n_wanted = 0;
    for (size_t i = 0; i < unf_cfg_len(w->goal); i++) {
        uint32_t event = unf_cfg_at(w->goal, i);
        const unf_node *n = node_at(w->u, event);
        if (n->kind == UNF_START)
            continue;
        put(&w->next, n->before, event + 1);
        unf_vec_push(&w->touched, n->before);
        w->n_wanted++;
    }
}

/* ---- preemptions that are needed ---- */

/* More is not worth it. */
enum { MOST_CLOCKS = 1 << 22 };

static void note_must(unf_path *w, uint32_t h)
{
    put(&w->must, h, 1);
    unf_vec_push(&w->touched, h);
    w->n_needed++;
}

/* Causes come first in the order of numbers. */
static void learn_needed(unf_path *w)
{
    size_t n = unf_cfg_len(w->goal);
    w->n_needed = 0;
    unf_lower_bound_clear(&w->lower_bound, w->u);
    if (n * w->u->threads.len > MOST_CLOCKS)
        return;
    unf_vec_clear(&w->order);
    for (size_t i = 0; i < n; i++)
        unf_vec_push(&w->order, unf_cfg_at(w->goal, i));
    qsort(w->order.at, n, sizeof(uint32_t), unf_compare_numbers);
    for (size_t i = 0; i < n; i++)
        unf_lower_bound_add(&w->lower_bound, w->order.at[i]);
    for (size_t i = 0; i < n; i++) {
        uint32_t h = w->order.at[i], next = got(&w->next, h);
        bool is_must = next != UNF_NONE ? unf_lower_bound_parts(&w->lower_bound, next)
                                        : unf_lower_bound_passed(&w->lower_bound, h);
        if (is_must)
            note_must(w, h);
    }
}

/* ---- where we have been ---- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static visit *visit_of(const unf_path *w, uint64_t key)
{
    uint64_t mask = (UINT64_C(1) << w->bits) - 1, i = key & mask;
    while (w->visited[i].stamp == w->stamp && w->visited[i].key != key)
        i = (i + 1) & mask;
    return &w->visited[i];
}

static void visited_grow(unf_path *w)
{
    visit *old = w->visited;
    TD_ASSERT(w->bits < 31);
    size_t n = (size_t)1 << w->bits++;
    w->visited = td_alloc(sizeof(visit) << w->bits);
    for (size_t i = 0; i < n; i++)
        if (old[i].stamp == w->stamp)
            *visit_of(w, old[i].key) = old[i];
    td_free(old);
}

static void visited_clear(unf_path *w)
{
    if (++w->stamp == 0) {
        memset(w->visited, 0, sizeof(visit) << w->bits);
        w->stamp = 1;
    }
    w->n_visited = 0;
}

/* True if we have been there with no more preemptions. */
static bool was_there(unf_path *w, const frame *f)
{
    uint64_t key = f->hash ^ mix(UINT64_C(0x51ed270b) + f->running);
    visit *v = visit_of(w, key);
    bool is_known = v->stamp == w->stamp;
    if (is_known && v->cost <= f->cost)
        return true;
    *v = (visit){key, w->stamp, f->cost};
    if (2 * ++w->n_visited > UINT32_C(1) << w->bits)
        visited_grow(w);
    return false;
}

/* ---- what a thread does next ---- */

/* The reads of a state that the configuration has. */
static void collect_reads(unf_path *w, uint32_t state)
{
    unf_vec_clear(&w->reads);
    if (unf_cfg_n_reads(w->at, state) == 0)
        return;
    for (size_t i = 0; i < unf_cfg_len(w->at); i++) {
        uint32_t event = unf_cfg_at(w->at, i);
        const unf_node *n = node_at(w->u, event);
        if (n->after == state && node_is_read(n))
            unf_vec_push(&w->reads, event);
    }
}

/* Finds the executed event of a history's next operation in the configuration, if the outcome is of this
 * kind; UNF_NONE: there is none. */
static uint32_t event_of(unf_path *w, uint32_t history, uint8_t kind)
{
    const unf_node *h = node_at(w->u, history);
    unf_node n = {.before = history,
                  .after = UNF_NONE,
                  .thread = h->thread,
                  .object = h->next_object,
                  .kind = kind};
    unf_vec_clear(&w->reads);
    if (n.object != UNF_NONE) {
        n.after = unf_cfg_state(w->at, n.object).ix;
        if (node_is_state(&n))
            collect_reads(w, n.after);
    }
    uint32_t event =
        unf_find(w->u, unf_id_of(w->u, &n, w->reads.at, (uint32_t)w->reads.len));
    return event != UNF_NONE && node_at(w->u, event)->status == UNF_EXECUTED ? event
                                                                             : UNF_NONE;
}

/* A loop that reads several values waits for good once it was seen to wait (spinning.c), so a
 * thread that is to continue there later has to be left before. */
static bool waits_on(unf_path *w, uint32_t history, unf_state state)
{
    const unf_spin *spin = unf_spin_at(w->u, history, state);
    bool goes_on_later = spin && spin->n_round > 1 && got(&w->next, history) != UNF_NONE;
    return !goes_on_later && unf_waits(w->u, history, state);
}

/* A silent thread only joins and ends: it can be left without a preemption, once it continued as
 * far as it can. So can one that is about to end the process: it would be the end of all. */
static bool can_go_on(unf_path *w, uint32_t history)
{
    const unf_node *h = node_at(w->u, history);
    if (!mdl_is_op(h->next_kind) || mdl_ends(h->next_kind) || mdl_exits(h->next_kind) ||
        unf_silent_joins_skips(w->u, history))
        return false;
    if (h->next_object == UNF_NONE)
        return true;
    return !waits_on(w, history, unf_cfg_state(w->at, h->next_object)) &&
           (mdl_when_of(h->next_kind) != MDL_WHEN_R ||
            !unf_cfg_has_reader(w->at, h->next_object));
}

/* True if all causes of an event of the cone are there. */
static bool is_ready(unf_path *w, uint32_t event)
{
    const unf_node *n = node_at(w->u, event);
    if (n->after == UNF_NONE || mdl_ends(n->kind))
        return true;
    if (unf_cfg_state(w->at, n->object).ix != n->after)
        return false;
    bool is_probe = n->status == UNF_TARGET && (n->flags & NODE_PROBE);
    return is_probe || !node_is_state(n) ||
           unf_cfg_n_reads(w->at, n->after) == node_n_reads(w->u, n);
}

/* The needed preemptions ahead of us fit into the bound as well. */
static void push_move(unf_path *w, const frame *f, move m)
{
    bool leaves =
        m.running != f->running && got(&w->must, unf_cfg_top(w->at, f->running)) == 0;
    TD_DASSERT(m.cost >= f->cost && m.event < w->u->nodes.len);
    m.n_ahead = f->n_ahead - (leaves && f->n_ahead > 0);
    if (m.cost + m.n_ahead <= w->bound)
        move_vec_push(&w->moves, m);
}

/* An event that is not of the cone. */
static bool push_other(unf_path *w, const frame *f, move m)
{
    if (m.event == UNF_NONE)
        return false;
    if (!(node_at(w->u, m.event)->flags & NODE_LAST) && unf_cfg_fits(w->goal, m.event))
        push_move(w, f, m);
    return true;
}

/* What the thread would do now is known: it was executed, or has to wait. If not it may turn out
 * that it waits in a loop. */
static bool is_known(unf_path *w, uint32_t history)
{
    uint8_t kind = node_at(w->u, history)->next_kind;
    if (!can_go_on(w, history) || event_of(w, history, kind) != UNF_NONE)
        return true;
    return mdl_failed_kind(kind) &&
           event_of(w, history, mdl_failed_kind(kind)) != UNF_NONE;
}

/* What the thread at the history does next: one move, or one for each side of a decision or
 * each outcome that inputs have a say in. m is the move but for the event. The exit of the process
 * comes last. */
static void push_next(unf_path *w, const frame *f, uint32_t history, move m)
{
    const unf_node *h = node_at(w->u, history);
    m.event = got(&w->next, history);
    if (m.event != UNF_NONE && is_ready(w, m.event)) {
        if (!mdl_exits(node_at(w->u, m.event)->kind) || f->n_found + 1 == w->n_wanted)
            push_move(w, f, m);
        return;
    }
    if (m.event != UNF_NONE) {
        w->is_missing |= !is_known(w, history);
        return;
    }
    if (!mdl_is_op(h->next_kind))
        return;
    m.event = event_of(w, history, h->next_kind);
    bool found = push_other(w, f, m);
    uint8_t other = mdl_failed_kind(h->next_kind);
    if (other) {
        m.event = event_of(w, history, other);
        found |= push_other(w, f, m);
    }
    w->is_missing |= !found;
}

/* Decisions that the thread makes at once. */
static void push_sides(unf_path *w, const frame *f, uint32_t history, move m)
{
    m.event = got(&w->next, history);
    if (m.event != UNF_NONE) {
        push_move(w, f, m);
        return;
    }
    for (uint32_t i = unf_first_child(w->u, history); i != UNF_NONE;
         i = unf_next_child(w->u, i)) {
        m.event = i;
        if (mdl_decides(node_at(w->u, i)->kind) &&
            node_at(w->u, i)->status == UNF_EXECUTED)
            push_other(w, f, m);
        else
            w->is_missing |= node_at(w->u, i)->status == UNF_TARGET;
    }
}

/* The end of a thread, where it is an event that is not there yet. */
static uint32_t end_of(unf_path *w, uint32_t history)
{
    const unf_node *h = node_at(w->u, history);
    if ((h->next_kind != 0 && !mdl_ends(h->next_kind)) || mdl_ends(h->kind) ||
        !unf_end_matters(w->u, history))
        return UNF_NONE;
    unf_node n = {.before = history, .thread = h->thread, .kind = WIRE_END};
    n.object = w->u->threads.at[h->thread].object;
    n.after = unf_cfg_state(w->at, n.object).ix;
    uint32_t event = unf_find(w->u, unf_id_of(w->u, &n, NULL, 0));
    return event != UNF_NONE && node_at(w->u, event)->status == UNF_EXECUTED ? event
                                                                             : UNF_NONE;
}

/* ---- the moves from a configuration ---- */

/* Adds the forced operations of a thread. True: no other thread can move. */
static bool push_forced(unf_path *w, const frame *f, uint32_t thread)
{
    uint32_t history = unf_cfg_top(w->at, thread);
    const unf_node *h = node_at(w->u, history);
    move m = {.running = f->running, .cost = f->cost};
    if (mdl_decides(h->next_kind)) {
        push_sides(w, f, history, m);
        return true;
    }
    m.event = end_of(w, history);
    if (m.event != UNF_NONE) {
        push_move(w, f, m);
        return true;
    }
    if (h->flags & (NODE_INSIDE | NODE_LAST)) {
        push_next(w, f, history, m);
        return true;
    }
    return false;
}

/* Threads that the cone continues with come last here, as the last move is the first to be made. */
static void push_switches(unf_path *w, const frame *f, uint32_t cost)
{
    w->work += cost <= w->bound ? w->threads.len : 0;
    for (uint32_t of_cone = 0; cost <= w->bound && of_cone < 2; of_cone++)
        for (size_t i = w->threads.len; i-- > 0;) {
            uint32_t thread = w->threads.at[i];
            uint32_t history = unf_cfg_top(w->at, thread);
            if (thread == f->running ||
                (got(&w->next, history) != UNF_NONE) != (of_cone == 1))
                continue;
            if (of_cone || can_go_on(w, history))
                push_next(w, f, history, (move){.running = thread, .cost = cost});
        }
}

static void push_moves(unf_path *w, const frame *f)
{
    w->work++;
    TD_ASSERT(w->threads.len > 0 && f->cost <= w->bound);
    uint32_t newest = w->threads.at[w->threads.len - 1];
    if (push_forced(w, f, newest) ||
        (newest != f->running && push_forced(w, f, f->running)))
        return;
    uint32_t history = unf_cfg_top(w->at, f->running);
    bool goes_on = can_go_on(w, history);
    push_switches(w, f, f->cost + goes_on);
    if (goes_on || got(&w->next, history) != UNF_NONE)
        push_next(w, f, history, (move){.running = f->running, .cost = f->cost});
}

/* ---- the search ---- */

static bool is_forced(const unf *u, const unf_node *n)
{
    return (n->flags & NODE_FORCED) || mdl_decides(n->kind) || mdl_ends(n->kind) ||
           (node_at(u, n->before)->flags & (NODE_INSIDE | NODE_LAST));
}

static void add_start(unf_path *w, uint32_t start)
{
    unf_cfg_add(w->at, start);
    unf_vec_push(&w->threads, node_at(w->u, start)->thread);
}

/* Makes the move; the new place is on top. */
static void go(unf_path *w, const frame *from, move m)
{
    const unf_node *n = node_at(w->u, m.event);
    TD_DASSERT(m.cost <= w->bound && !unf_cfg_has(w->at, m.event));
    bool is_wanted = got(&w->next, n->before) == m.event;
    unf_cfg_add(w->at, m.event);
    if (mdl_creates(n->kind) && got(&w->starts, m.event) != UNF_NONE)
        add_start(w, got(&w->starts, m.event));
    frame_vec_push(&w->frames, (frame){.hash = from->hash ^ mix(m.event + UINT64_C(1)),
                                       .running = m.running,
                                       .cost = m.cost,
                                       .n_moves = (uint32_t)w->moves.len,
                                       .n_events = (uint32_t)unf_cfg_len(w->at),
                                       .n_threads = (uint32_t)w->threads.len,
                                       .n_ahead = m.n_ahead,
                                       .n_found = from->n_found + is_wanted,
                                       .event = m.event,
                                       .is_choice = !is_forced(w->u, n)});
}

/* Backtracks to the last node with another move; false if there is none. */
static bool go_back(unf_path *w)
{
    while (w->frames.len > 0 && w->moves.len == w->frames.at[w->frames.len - 1].n_moves)
        w->frames.len--;
    if (w->frames.len == 0)
        return false;
    const frame *f = &w->frames.at[w->frames.len - 1];
    TD_DASSERT(w->moves.len > f->n_moves && w->threads.len >= f->n_threads);
    if (unf_cfg_len(w->at) > f->n_events)
        unf_cfg_cut(w->at, f->n_events);
    w->threads.len = f->n_threads;
    return true;
}

static void begin(unf_path *w)
{
    learn_starts(w);
    learn_goal(w);
    learn_needed(w);
    unf_cfg_clear(w->at);
    unf_vec_clear(&w->threads);
    frame_vec_clear(&w->frames);
    move_vec_clear(&w->moves);
    w->is_missing = false;
    w->work = 0;
    visited_clear(w);
    TD_ASSERT(node_at(w->u, w->main)->kind == UNF_START);
    add_start(w, w->main);
    frame_vec_push(&w->frames, (frame){.running = node_at(w->u, w->main)->thread,
                                       .n_events = (uint32_t)unf_cfg_len(w->at),
                                       .n_threads = 1,
                                       .n_ahead = w->n_needed,
                                       .event = w->main});
}

/* All of the goal is run. */
static unf_reach search(unf_path *w, uint32_t bound)
{
    w->bound = bound;
    begin(w);
    uint64_t most = MOST_WORK + 4 * unf_cfg_len(w->goal);
    if (w->n_needed > bound)
        return UNF_BEYOND;
    frame at = w->frames.at[0];
    if (w->n_wanted == 0)
        return UNF_WITHIN;
    push_moves(w, &at);
    while (go_back(w)) {
        frame from = w->frames.at[w->frames.len - 1];
        go(w, &from, move_vec_pop(&w->moves));
        at = w->frames.at[w->frames.len - 1];
        TD_DASSERT(at.n_found <= w->n_wanted);
        if (at.n_found == w->n_wanted)
            return UNF_WITHIN;
        if (was_there(w, &at))
            continue;
        if (w->work > most || td_stops(w->u->stop))
            return UNF_UNSURE;
        push_moves(w, &at);
    }
    return UNF_BEYOND;
}

unf_reach unf_path_find(unf_path *w, uint32_t target, uint32_t bound, bool *is_final)
{
    unf_cfg_clear(w->goal);
    unf_cfg_add(w->goal, target);
    unf_reach result = search(w, bound);
    *is_final = result != UNF_BEYOND || w->n_needed > bound || !w->is_missing;
    return result;
}

unf_reach unf_path_through(unf_path *w, const unf_cfg *c, size_t n, uint32_t bound)
{
    unf_cfg_clear(w->goal);
    TD_ASSERT(n <= unf_cfg_len(c) && unf_cfg_of(c) == w->u);
    for (size_t i = 0; i < n; i++)
        unf_cfg_add(w->goal, unf_cfg_at(c, i));
    return search(w, bound);
}

void unf_path_plan(const unf_path *w, unf_cfg *plan, trc_step_vec *steps)
{
    TD_ASSERT(w->frames.len > 0 && w->frames.at[w->frames.len - 1].cost <= w->bound);
    unf_vec numbers = {0};
    uint32_t n_threads = 1;
    unf_cfg_clear(plan);
    trc_step_vec_clear(steps);
    put(&numbers, node_at(w->u, w->main)->thread, 0);
    for (size_t i = 1; i < w->frames.len; i++) {
        const frame *f = &w->frames.at[i];
        const unf_node *n = node_at(w->u, f->event);
        unf_cfg_add(plan, f->event);
        if (f->is_choice)
            trc_step_add(steps, numbers.at[n->thread]);
        uint32_t start = mdl_creates(n->kind) ? got(&w->starts, f->event) : UNF_NONE;
        if (!mdl_creates(n->kind))
            continue;
        if (start != UNF_NONE)
            put(&numbers, node_at(w->u, start)->thread, n_threads);
        n_threads++;
    }
    unf_vec_fini(&numbers);
}
