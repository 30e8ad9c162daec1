/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* A run becomes events.
 *
 * The walk over the run keeps, per thread, its last event, and, per object, the reads since
 * its last exclusive event. An event that was executed before costs one comparison with the
 * last run, or one lookup. A new one is given its place, its thread's next operation is read
 * ahead from the run (or its NOTE_NEXT), and the targets next to it are searched. */

enum { AUDIT_MAX = 600 }; /* events; the audit of more takes too long */

/* ---- what follows ---- */

typedef struct what {
    uint8_t kind;
    uint8_t patience;  /* WIRE_F_PATIENCE */
    bool after_misuse; /* what it has just done was misuse */
    uint32_t object, site;
} what;

static const what nothing = {.object = UNF_NONE};

static what asked(unf *u, const trc *t, uint8_t kind, uint64_t address, uint64_t joined,
                  uint32_t site)
{
    what w = {.kind = mdl_asked_kind(kind), .object = UNF_NONE, .site = site};
    if (mdl_joins(kind)) {
        uint32_t thread =
            unf_thread_of(u, t->threads.at[joined].name); /* may move them */
        w.object = u->threads.at[thread].object;
    } else if (mdl_effect_of(kind) != MDL_EFFECT_N)
        w.object = unf_object_of(u, address, mdl_is_access(kind));
    return w;
}

/* Fills run_next: after an operation, and at the end (from the number of operations on) the
 * first of each thread. */
static void find_next(unf *u, const trc *t)
{
    unf_vec *next = &u->run_next;
    size_t n = t->ops.len;
    TD_ASSERT(t->threads.len > 0 && n < UNF_NONE);
    unf_vec_clear(next);
    unf_vec_reserve(next, n + t->threads.len);
    next->len = n + t->threads.len;
    memset(next->at, 0xff, next->len * sizeof(uint32_t));
    for (size_t i = n; i-- > 0;) {
        uint32_t *first = &next->at[n + t->ops.at[i].thread];
        next->at[i] = *first;
        *first = (uint32_t)i;
    }
}

/* True if the run recorded what the thread waits to do at its end. */
static bool tells_next(const trc *t, uint32_t thread)
{
    for (size_t k = 0; k < t->nexts.len; k++)
        if (t->nexts.at[k].thread == thread)
            return true;
    return false;
}

/* True if the run ended before it could show what comes after operation i: it was too long, or i is the
 * CREATE of a thread that ended the run, by what it decided, before its creator could continue. */
static bool is_cut(const unf *u, const trc *t, size_t i)
{
    if (t->done == WIRE_DONE_DEPTH) {
        uint32_t thread =
            i < t->ops.len ? t->ops.at[i].thread : (uint32_t)(i - t->ops.len);
        return u->run_next.at[i] == UNF_NONE && !tells_next(t, thread) &&
               t->threads.at[thread].end_op == UINT32_MAX;
    }
    if (i >= t->ops.len || !mdl_creates(t->ops.at[i].kind) ||
        u->run_next.at[i] != UNF_NONE || tells_next(t, t->ops.at[i].thread))
        return false;
    uint32_t made = (uint32_t)t->ops.at[i].value;
    return u->run_next.at[t->ops.len + made] != UNF_NONE && !tells_next(t, made) &&
           t->threads.at[made].end_op == UINT32_MAX;
}

/* What a thread does after its operation number i (or at its start: ops.len + thread). */
static what what_next(unf *u, const trc *t, uint32_t thread, size_t i)
{
    TD_DASSERT(i < u->run_next.len);
    uint32_t next = u->run_next.at[i];
    TD_DASSERT(next == UNF_NONE || t->ops.at[next].thread == thread);
    if (next != UNF_NONE) {
        const trc_op *op = &t->ops.at[next];
        if (mdl_ends(op->kind))
            return nothing;
        what w = asked(u, t, trc_turned(op), op->object, op->value, op->site);
        w.patience = op->flags & WIRE_F_PATIENCE;
        return w;
    }
    for (size_t k = 0; k < t->nexts.len; k++) {
        const trc_next *w = &t->nexts.at[k];
        if (w->thread != thread)
            continue;
        if (w->kind == WIRE_NONE || mdl_stands(w->kind))
            return (what){.kind = mdl_stands(w->kind) ? UNF_NEXT_FAILS : UNF_NEXT_UNKNOWN,
                          .object = UNF_NONE};
        what next_one = asked(u, t, w->kind, w->object, w->other, w->site);
        next_one.patience = w->patience;
        return next_one;
    }
    return (what){.kind = is_cut(u, t, i) ? UNF_NEXT_UNKNOWN : 0, .object = UNF_NONE};
}

/* True if the run ends with what the thread does after this operation. */
static bool is_last(const unf *u, const trc *t, uint32_t thread, size_t i)
{
    return u->run_next.at[i] == UNF_NONE && t->threads.at[thread].end_op == UINT32_MAX &&
           !tells_next(t, thread) && !is_cut(u, t, i);
}

/* What a thread does when the run ends: it can still decide, but not wait for its turn. */
static what only_decides(what next)
{
    return mdl_decides(next.kind) ? next : nothing;
}

/* ---- locks held ---- */

static uint32_t held_without(unf *u, uint32_t list, uint32_t object)
{
    if (list == 0)
        return 0;
    unf_link l = u->links.at[list];
    if (node_at(u, l.event)->object == object)
        return l.next;
    uint32_t rest = held_without(u, l.next, object);
    return rest == l.next ? list : unf_chain(u, l.event, rest);
}

/* Misuse takes and gives nothing. */
static void locks_after(unf *u, uint32_t event, what next)
{
    unf_node *n = node_at(u, event);
    uint32_t held = n->kind == UNF_START ? 0 : node_at(u, n->before)->held;
    if (mdl_locks_mutex(n->kind) && unf_holds(u, held, n->object))
        unf_recursive(u, n->object);
    if (mdl_takes(n->kind) && !next.after_misuse)
        held = unf_chain(u, event, held);
    else if (mdl_gives(n->kind) && !next.after_misuse)
        held = held_without(u, held, n->object);
    n->held = held;
}

/* ---- a new event ---- */

/* The reads of an object in this run since its last exclusive event, rising. */
static void run_reads(unf *u, uint32_t object)
{
    const unf_object *o = &u->objects.at[object];
    unf_vec_clear(&u->chosen);
    if (o->run != u->run)
        return;
    for (uint32_t l = o->run_reads; l; l = u->run_links.at[l].next)
        unf_put_rising(&u->chosen, 0, u->run_links.at[l].event);
}

static void run_object(unf *u, uint32_t event)
{
    const unf_node *n = node_at(u, event);
    if (n->object == UNF_NONE)
        return;
    unf_object *o = &u->objects.at[n->object];
    if (o->run != u->run || node_is_state(n))
        o->run_reads = 0;
    o->run = u->run;
    if (node_is_read(n)) {
        unf_link_vec_push(&u->run_links, (unf_link){event, o->run_reads});
        o->run_reads = (uint32_t)u->run_links.len - 1;
    }
}

static bool has_first(const unf *u, unf_state state, uint32_t history)
{
    for (uint32_t g = node_at(u, state.ix)->groups; g; g = u->groups.at[g].next)
        for (uint32_t c = u->groups.at[g].exclusive; c != UNF_NONE;
             c = node_at(u, c)->sibling)
            if (node_at(u, c)->before == history)
                return true;
    return false;
}

/* Nothing was searched next to what is parked, and that a thread can lock what it holds is
 * known when it has. */
static bool is_no_surprise(const unf *u, const unf_node *n)
{
    return mdl_ends(n->kind) || (node_at(u, n->before)->flags & NODE_PARKED) ||
           unf_silent_joins_skips(u, n->before) ||
           (mdl_waits_for_mutex(n->kind) &&
            unf_holds(u, node_at(u, n->before)->held, n->object)) ||
           (mdl_joins(n->kind) && (node_at(u, n->after)->flags & NODE_PARKED));
}

/* An event that was not a target: the outcome of a probe, an end, or a surprise. */
static uint32_t add_unforeseen(unf *u, unf_node *n, uint8_t asked_for)
{
    uint8_t failed = unf_failed_kind(asked_for);
    if (failed && n->kind != failed) {
        unf_node probe = *n;
        probe.kind = failed;
        uint32_t p = unf_find(u, unf_id_of(u, &probe, NULL, 0));
        if (p != UNF_NONE && node_at(u, p)->status != UNF_EXECUTED) {
            node_at(u, p)->status = UNF_SETTLED;
            unf_settle(u, n->before, (unf_state){n->after});
            uint32_t event = unf_find(u, n->id);
            if (event != UNF_NONE)
                return event;
        }
    }
    if (!is_no_surprise(u, n))
        u->losses.surprises++;
    bool exclusive = node_is_state(n);
    if (exclusive)
        run_reads(u, n->object);
    if (exclusive && !mdl_ends(n->kind) &&
        !has_first(u, (unf_state){n->after}, n->before))
        n->flags |= NODE_FIRST;
    return unf_add(u, n, u->chosen.at, exclusive ? (uint32_t)u->chosen.len : 0);
}

static void make_ends(unf *u, uint32_t life);

static void execute(unf *u, uint32_t event, what next, uint8_t flags)
{
    if (mdl_joins(next.kind))
        make_ends(u, next.object);
    unf_node *n = node_at(u, event);
    TD_ASSERT(n->kind == UNF_ROOT || n->before == UNF_NONE ||
              node_at(u, n->before)->status == UNF_EXECUTED); /* U2 */
    TD_ASSERT(n->after == UNF_NONE || node_at(u, n->after)->status == UNF_EXECUTED);
    n->status = UNF_EXECUTED;
    n->flags |= flags;
    n->next_kind = next.kind;
    n->next_object = next.object;
    unf_spot_set(u, event, (unf_spot){next.site, UNF_NONE, next.patience});
    unf_endless_waits_note(u, next.kind);
    if (mdl_joins(n->kind))
        n->flags |= node_at(u, n->before)->flags & NODE_SILENT;
    locks_after(u, event, next);
    if (mdl_in_digest(n->kind)) {
        u->n_executed++;
        u->digest = td_id_sum(u->digest, n->id);
    }
    if (unf_silent_joins_park_event(u, event))
        return;
    unf_extend(u, event);
    unf_lock_cycles_look(u, event);
}

/* ---- ends ----
 *
 * The end of a thread is an event only if another thread may wait for it: the thread is joined, or ends
 * while it holds a lock. Otherwise its history records that it ended (next_kind), and becomes the cause of
 * an event when the first join appears. */

static void add_end(unf *u, uint32_t history)
{
    unf_node *h = node_at(u, history);
    TD_ASSERT(mdl_ends(h->next_kind));
    h->next_kind = 0;
    unf_node n = unf_end_describe(u, history);
    n.after = unf_start_of(u, history);
    execute(u, unf_add(u, &n, NULL, 0), nothing,
            NODE_FORCED | (h->flags & (NODE_INSIDE | NODE_LAST)));
}

/* Call when a thread joins the one with this life: makes events of its ends. */
static void make_ends(unf *u, uint32_t life)
{
    TD_ASSERT(life < u->objects.len && !u->objects.at[life].is_memory);
    if (u->objects.at[life].is_joined)
        return;
    u->objects.at[life].is_joined = true;
    for (uint32_t i = 0; i < u->nodes.len; i++) {
        const unf_node *n = node_at(u, i);
        if (mdl_ends(n->next_kind) && u->threads.at[n->thread].object == life)
            add_end(u, i);
    }
}

static uint32_t start_of(unf *u, uint32_t create, uint32_t thread)
{
    uint32_t life = u->threads.at[thread].object;
    TD_ASSERT(create == UNF_NONE || mdl_creates(node_at(u, create)->kind));
    unf_node n = {.before = create,
                  .after = u->objects.at[life].root,
                  .thread = thread,
                  .object = life,
                  .depth = 1,
                  .kind = UNF_START,
                  .status = UNF_TARGET,
                  .next_object = UNF_NONE,
                  .id = create == UNF_NONE ? (td_id){0} : node_at(u, create)->id};
    for (uint32_t g = node_at(u, n.after)->groups; g; g = u->groups.at[g].next)
        for (uint32_t s = u->groups.at[g].exclusive; s != UNF_NONE;
             s = node_at(u, s)->sibling)
            if (node_at(u, s)->thread == thread && node_at(u, s)->before == create)
                return s;
    return unf_add(u, &n, NULL, 0);
}

/* ---- the walk ---- */

/* The node that operation i of the run is. */
static unf_node describe(unf *u, const trc *t, size_t i)
{
    const trc_op *op = &t->ops.at[i];
    what w = asked(u, t, trc_turned(op), op->object, op->value, op->site);
    uint32_t thread = u->run_threads.at[op->thread];
    uint32_t before = u->run_at.at[op->thread];
    unf_node n = {.id = op->id,
                  .before = before,
                  .after = UNF_NONE,
                  .thread = thread,
                  .object = w.object,
                  .depth = node_at(u, before)->depth + 1,
                  .next_object = UNF_NONE,
                  .kind = op->kind};
    if (mdl_ends(op->kind)) {
        n.object = u->threads.at[thread].object;
        n.after = u->run_starts.at[op->thread];
    } else if (mdl_joins(op->kind) && op->after != UINT32_MAX) {
        make_ends(u, n.object);
        n.after = unf_find(u, t->ops.at[op->after].id);
        TD_ASSERT(n.after != UNF_NONE);
    } else if (op->after != UINT32_MAX) {
        n.after = u->last.at[op->after].event;
    } else if (n.object != UNF_NONE) {
        n.after = u->objects.at[n.object].root;
    }
    TD_ASSERT(node_at(u, before)->thread == thread);
    TD_ASSERT(n.after == UNF_NONE || node_at(u, n.after)->object == n.object);
    return n;
}

/* The creator was cut short when the event was executed first. */
static void learn_next(unf *u, uint32_t event, what next, bool is_last)
{
    if (mdl_joins(next.kind))
        make_ends(u, next.object);
    unf_node *n = node_at(u, event);
    TD_ASSERT(n->status == UNF_EXECUTED && n->next_kind == UNF_NEXT_UNKNOWN);
    n->next_kind = next.kind;
    n->next_object = next.object;
    if (is_last)
        n->flags |= NODE_LAST;
    unf_spot_set(u, event,
                 (unf_spot){next.site, unf_spot_of(u, event).place, next.patience});
    unf_endless_waits_note(u, next.kind);
    unf_extend(u, event);
    unf_lock_cycles_look(u, event);
}

static void note_next(unf *u, uint32_t event, what next)
{
    const unf_node *n = node_at(u, event);
    if (next.kind == UNF_NEXT_UNKNOWN)
        return;
    if (next.kind != 0 && n->next_kind != 0 &&
        (next.kind != n->next_kind || next.object != n->next_object))
        u->losses.changed++;
}

/* Assigns the touches before the operation to the positions of their threads. */
static size_t walk_touches(unf *u, const trc *t, size_t from, size_t op)
{
    for (; from < t->touches.len && t->touches.at[from].before_op <= op; from++) {
        const trc_touch *touch = &t->touches.at[from];
        if (touch->thread < u->run_at.len && u->run_new.at[touch->thread])
            unf_races_touch(u, u->run_at.at[touch->thread], touch);
    }
    return from;
}

/* The record of an operation that initialises an object comes after its writes. */
static void touch_object(unf *u, uint32_t history, uint8_t kind, trc_touch touch)
{
    if (!mdl_touches_object(kind, touch.start) || mdl_resets(kind))
        return;
    touch.end = touch.start + MDL_OBJECT_BYTES;
    unf_races_next(u, history, kind, &touch);
}

/* So does the operation itself: plain accesses may race with an atomic one, and a join with another of
 * the same thread. The runtime's own joins have no site. */
static void walk_next(unf *u, const trc_op *op)
{
    if (!u->run_new.at[op->thread])
        return;
    uint32_t history = u->run_at.at[op->thread];
    uint64_t start = op->object + op->offset;
    trc_touch touch = {.site = op->site, .start = start, .end = start + op->n_bytes};
    if (mdl_joins(op->kind) && op->site != 0 && op->value < u->run_threads.len)
        unf_races_join(u, history, u->run_threads.at[op->value], op->site);
    else if (mdl_is_access(op->kind) && !trc_is_promoted(op))
        unf_races_next(u, history, op->kind, &touch);
    else
        touch_object(u, history, op->kind, touch);
}

/* The same where the run ended before it. */
static void walk_nexts(unf *u, const trc *t)
{
    for (size_t i = 0; i < t->nexts.len; i++) {
        const trc_next *n = &t->nexts.at[i];
        trc_touch touch = {.site = n->site,
                           .start = n->object,
                           .end = n->object + n->size};
        if (n->thread >= u->run_at.len || !u->run_new.at[n->thread] ||
            n->kind >= WIRE_N_OPS)
            continue;
        uint32_t history = u->run_at.at[n->thread];
        if (mdl_joins(n->kind) && n->site != 0 && n->other < u->run_threads.len)
            unf_races_join(u, history, u->run_threads.at[n->other], n->site);
        else if (mdl_is_access(n->kind) && n->size > 0)
            unf_races_next(u, history, n->kind, &touch);
        else
            touch_object(u, history, n->kind, touch);
    }
}

/* Like unf_find. Most events of a run were in one of the last, so the large table is not
 * asked for them, which is hardly ever in the cache. */
static uint32_t find_recent(unf *u, td_id id)
{
    unf_past *past = &u->recent[id.lo % UNF_RECENT];
    if (td_id_equal(past->id, id))
        return past->event;
    uint32_t event = unf_find(u, id);
    if (event != UNF_NONE)
        *past = (unf_past){id, event};
    return event;
}

static uint8_t flags_of(const unf *u, const trc *t, size_t i, uint32_t before)
{
    const trc_op *op = &t->ops.at[i];
    uint8_t was = node_at(u, before)->flags;
    uint8_t flags = op->flags & WIRE_F_FORCED ? NODE_FORCED : 0;
    if (op->flags & WIRE_F_CLOSED)
        flags |= NODE_CLOSED;
    if (mdl_enters_section(op->kind) ||
        (!mdl_leaves_section(op->kind) && (was & NODE_INSIDE)))
        flags |= NODE_INSIDE;
    if (mdl_exits(op->kind) || (was & NODE_LAST) || is_last(u, t, op->thread, i))
        flags |= NODE_LAST;
    return flags;
}

/* Nothing happened, but it is known now that the thread waits here. */
static uint32_t walk_spin(unf *u, const trc *t, size_t i)
{
    unf_node n = describe(u, t, i);
    unf_spin_learn(u, &t->ops.at[i], n.before, (unf_state){n.after});
    return n.before;
}

static bool touches_after(const trc *t, size_t i)
{
    for (size_t k = t->touches.len; k-- > 0 && t->touches.at[k].before_op > i;)
        if (t->touches.at[k].thread == t->ops.at[i].thread)
            return true;
    return false;
}

/* The end of a thread at its history, which need not be an event. */
static bool is_no_event(unf *u, const trc *t, size_t i, uint32_t history)
{
    const trc_op *op = &t->ops.at[i];
    if (!mdl_ends(op->kind) || unf_end_matters(u, history))
        return false;
    uint32_t life = u->threads.at[node_at(u, history)->thread].object;
    if (!u->objects.at[life].was_joined)
        return true;
    if (touches_after(t, i))
        make_ends(u, life);
    return !u->objects.at[life].is_joined && unf_find(u, op->id) == UNF_NONE;
}

/* UNF_NONE: it is left out. */
static uint32_t walk_op(unf *u, const trc *t, size_t i)
{
    const trc_op *op = &t->ops.at[i];
    uint32_t history = u->run_at.at[op->thread];
    if (mdl_spins(op->kind))
        return walk_spin(u, t, i);
    if (is_no_event(u, t, i, history)) {
        node_at(u, history)->next_kind = WIRE_END;
        return history;
    }
    /* What was an end without an event then may be one now. */
    bool is_same = i < u->last.len && td_id_equal(u->last.at[i].id, op->id) &&
                   u->last.at[i].event != history && u->last.at[i].event != UNF_NONE;
    uint32_t event = is_same ? u->last.at[i].event : find_recent(u, op->id);
    if (unf_tails_leave(u, t, (uint32_t)i, event))
        return UNF_NONE;
    what next = what_next(u, t, op->thread, i);
    bool known = event != UNF_NONE && node_at(u, event)->status == UNF_EXECUTED;
    u->run_new.at[op->thread] = !known;
    if (known && node_at(u, event)->next_kind == UNF_NEXT_UNKNOWN &&
        next.kind != UNF_NEXT_UNKNOWN)
        learn_next(u, event, next, is_last(u, t, op->thread, i));
    if (known) {
        note_next(u, event, next);
        return event;
    }
    unf_node n = describe(u, t, i);
    bool decides = mdl_decides(op->kind);
    if (event == UNF_NONE)
        event = decides ? unf_decide(u, t, op, &n)
                        : add_unforeseen(u, &n, mdl_asked_kind(op->kind));
    u->has_sections |= mdl_enters_section(op->kind);
    u->n_sections += mdl_leaves_section(op->kind);
    if (decides && (node_at(u, n.before)->flags & NODE_LAST))
        next = only_decides(next);
    next.after_misuse = trc_is_misused(op);
    unf_value_note(u, t, op, event);
    unf_woken_set(u, event, t, op);
    if (mdl_sends(op->kind) && op->value < u->run_threads.len)
        unf_endless_waits_sent(u, event, u->run_threads.at[op->value]);
    execute(u, event, next, flags_of(u, t, i, n.before));
    if (decides)
        unf_decided(u, t, op, event);
    if (op->node && unf_turned_out(u, t, op, event))
        unf_settle(u, node_at(u, event)->before, (unf_state){node_at(u, event)->after});
    return event;
}

static void walk_thread(unf *u, const trc *t, uint32_t thread, uint32_t create)
{
    uint32_t name = unf_thread_of(u, t->threads.at[thread].name);
    TD_ASSERT(thread == u->run_threads.len); /* numbered as they are created */
    unf_vec_push(&u->run_threads, name);
    uint32_t start = start_of(u, create, name);
    size_t at = t->ops.len + thread;
    unf_vec_push(&u->run_at, start);
    unf_vec_push(&u->run_starts, start);
    unf_vec_push(&u->run_new, node_at(u, start)->status == UNF_TARGET);
    if (node_at(u, start)->status != UNF_TARGET) {
        what now = what_next(u, t, thread, at);
        if (node_at(u, start)->next_kind == UNF_NEXT_UNKNOWN &&
            now.kind != UNF_NEXT_UNKNOWN)
            learn_next(u, start, now, is_last(u, t, thread, at));
        return;
    }
    /* A run that ends right after the CREATE lets the new thread do no operation. */
    bool never = create != UNF_NONE && (node_at(u, create)->flags & NODE_LAST);
    what next = what_next(u, t, thread, at);
    execute(u, start, never ? only_decides(next) : next,
            never || is_last(u, t, thread, at) ? NODE_LAST : 0);
}

static void remember(unf *u, size_t i, td_id id, uint32_t event)
{
    TD_ASSERT(i <= u->last.len);
    if (i == u->last.len)
        unf_past_vec_push(&u->last, (unf_past){0});
    u->last.at[i] = (unf_past){id, event};
}

static void begin(unf *u, const trc *t)
{
    u->run++;
    u->is_cut = false;
    unf_vec_clear(&u->run_threads);
    unf_vec_clear(&u->run_at);
    unf_vec_clear(&u->run_starts);
    unf_vec_clear(&u->run_new);
    unf_link_vec_clear(&u->run_links);
    unf_link_vec_push(&u->run_links, (unf_link){0});
    unf_races_begin(u);
    find_next(u, t);
    unf_tails_begin(u, t);
}

/* False: the rest of the run cannot be kept. */
static bool walk_one(unf *u, const trc *t, size_t i)
{
    const trc_op *op = &t->ops.at[i];
    bool stops = td_stops(u->stop);
    if (op->after == TRC_MIXED || stops) {
        u->losses.mixed += !stops;
        u->is_cut = stops;
        u->last.len = i;
        return false;
    }
    TD_ASSERT(op->thread < u->run_at.len);
    uint32_t event = walk_op(u, t, i);
    remember(u, i, op->id, event);
    if (event == UNF_NONE)
        return true;
    TD_DASSERT(node_at(u, event)->status == UNF_EXECUTED);
    if (event != u->run_at.at[op->thread]) /* else an end that is not an event */
        run_object(u, event);
    u->run_at.at[op->thread] = event;
    if (mdl_creates(op->kind))
        walk_thread(u, t, (uint32_t)op->value, event);
    return true;
}

/* ---- what the run has shown ---- */

static bool ends_there(const unf *u, uint32_t history)
{
    for (uint32_t i = 0; i < u->run_at.len; i++)
        if (u->run_at.at[i] == history && i != u->run_left)
            return true;
    return false;
}

static bool is_shown(unf *u, const unf_suspect_set *set)
{
    for (uint32_t i = 0; i < set->n; i++)
        if (set->what == UNF_RACING ? !unf_races_run_has(u, set->histories[i])
                                    : !ends_there(u, set->histories[i]))
            return false;
    return true;
}

/* The search next to an event that may have been searched in part. */
static void extend_again(unf *u, uint32_t event)
{
    TD_ASSERT(!u->again);
    u->again = true;
    unf_extend(u, event);
    u->again = false;
}

bool unf_is_cut(const unf *u)
{
    return u->is_cut;
}

void unf_insert(unf *u, const trc *t)
{
    begin(u, t);
    walk_thread(u, t, 0, UNF_NONE);
    size_t touch = 0, i = 0;
    for (; i < t->ops.len; i++) {
        touch = walk_touches(u, t, touch, i);
        if (t->ops.at[i].thread < u->run_at.len)
            walk_next(u, &t->ops.at[i]);
        if (!walk_one(u, t, i))
            break;
    }
    bool whole = i == t->ops.len;
    if (whole) {
        walk_touches(u, t, touch, i);
        walk_nexts(u, t);
    }
    unf_races_end(u, t);
    unf_suspects_filter(u, is_shown);
    unf_endless_waits_learn(u, t);
    unf_livelocks_learn(u, t);
    if (whole) {
        unf_silent_joins_learn(u, t, extend_again, make_ends);
        unf_tails_learn(u);
    }
    TD_AUDIT(u->nodes.len > AUDIT_MAX || unf_valid(u, NULL, 0));
}

uint32_t unf_run_event(const unf *u, size_t i)
{
    return i < u->last.len ? u->last.at[i].event : UNF_NONE;
}

uint32_t unf_run_start(const unf *u, uint32_t thread)
{
    return thread < u->run_starts.len ? u->run_starts.at[thread] : UNF_NONE;
}

uint32_t unf_run_top(const unf *u, uint32_t thread)
{
    if (thread >= u->run_at.len)
        return UNF_NONE;
    return thread == u->run_left ? u->run_record | UNF_TAIL : u->run_at.at[thread];
}
