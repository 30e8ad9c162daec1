/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Tails: the joins and the exit of the process that come after a silent history (silent_joins.c).
 *
 * They are the same whatever was joined, but each combination of ends would have its own. So they are
 * events only in the first run that has them, which is the model. For later runs a record is kept:
 * the history, and the ends that were joined. If the thread becomes watched, the events are made from
 * the records and the model, as if they had been kept all the time.
 *
 * A tail is left out if it reads, but writes nothing, so that every data race with it leads to the
 * thread being watched; if no thread joins its thread, as the tail ends the process; and if the run
 * was not cut short, so that the successor of each of its events is known. */

enum { FIRST_BITS = 6 };

/* u->tails: records, one after the other. */
enum {
    RECORD_TOP,   /* the history; once the events are made, the last of them */
    RECORD_STEPS, /* operations; once the events are made, 0 */
    RECORD_ENDS,  /* how many follow: for each join the end, or the history before it */
    RECORD_HEAD,
};

void unf_leave_tails(unf *u)
{
    TD_ASSERT(u->threads.len == 0);
    u->leaves_tails = true;
}

/* ---- models ---- */

static size_t slot_of(const unf *u, uint32_t history)
{
    size_t mask = ((size_t)1 << u->model_bits) - 1;
    size_t i = (history * UINT32_C(0x9e3779b1)) >> (32 - u->model_bits);
    while (u->models[i] && node_at(u, u->models[i])->before != history)
        i = (i + 1) & mask;
    return i;
}

static void models_grow(unf *u)
{
    uint32_t *old = u->models;
    size_t n = old ? (size_t)1 << u->model_bits : 0;
    u->model_bits = old ? u->model_bits + 1 : FIRST_BITS;
    TD_ASSERT(u->model_bits < 32);
    u->models = td_alloc(sizeof(uint32_t) << u->model_bits);
    for (size_t i = 0; i < n; i++)
        if (old[i])
            u->models[slot_of(u, node_at(u, old[i])->before)] = old[i];
    td_free(old);
}

/* The event after a history that those left out are like, UNF_NONE. No event is 0, which is a root. */
static uint32_t model_of(const unf *u, uint32_t history)
{
    uint32_t event = u->models ? u->models[slot_of(u, history)] : 0;
    return event ? event : UNF_NONE;
}

static void model_add(unf *u, uint32_t event)
{
    TD_ASSERT(event > 0);
    if (!u->models || 2 * (u->n_models + 1) > UINT32_C(1) << u->model_bits)
        models_grow(u);
    uint32_t *slot = &u->models[slot_of(u, node_at(u, event)->before)];
    u->n_models += !*slot;
    if (!*slot)
        *slot = event;
}

/* True if no thread that can observe anything waits for the end of the thread with this life. */
static bool is_unseen(const unf *u, uint32_t life)
{
    for (uint32_t i = 0; i < u->nodes.len; i++) {
        const unf_node *n = node_at(u, i);
        if (n->status == UNF_EXECUTED && mdl_joins(n->next_kind) &&
            n->next_object == life && !unf_silent_joins_skips(u, i))
            return false;
    }
    return true;
}

/* Removes the events of the thread's ends, as if no thread joined it, until another one does. */
static void forget_ends(unf *u, uint32_t life)
{
    unf_object *o = &u->objects.at[life];
    if (o->was_joined || !o->is_joined)
        return;
    o->was_joined = true;
    o->is_joined = !is_unseen(u, life);
}

void unf_tails_learn(unf *u)
{
    bool is_silent = false;
    for (uint32_t i = u->run_tail; i < u->last.len; i = u->run_next.at[i]) {
        uint32_t event = u->last.at[i].event;
        if (event == UNF_NONE)
            return;
        is_silent |= unf_silent_joins_skips(u, node_at(u, event)->before);
        if (is_silent)
            model_add(u, event);
        if (is_silent && mdl_joins(node_at(u, event)->kind))
            forget_ends(u, node_at(u, event)->object);
    }
}

/* ---- a run ---- */

/* The first operation from which on the thread that ends the run only joins; UNF_NONE: none. */
static uint32_t find_tail(const unf *u, const trc *t)
{
    size_t n = t->ops.len;
    if (!u->leaves_tails || t->done != WIRE_DONE_EXIT || t->is_cut || n == 0 ||
        t->fails.len > 0 || !mdl_exits(t->ops.at[n - 1].kind))
        return UNF_NONE;
    uint32_t thread = t->ops.at[n - 1].thread, from = (uint32_t)n - 1;
    bool saw = t->ops.at[from].flags & WIRE_F_SAW;
    for (size_t i = n - 1; i-- > 0 && !saw;) {
        const trc_op *op = &t->ops.at[i];
        if (op->thread != thread)
            continue;
        if (!mdl_joins(op->kind) || trc_is_fetched(op) || op->after >= n)
            break;
        from = (uint32_t)i;
        saw = op->flags & WIRE_F_SAW;
    }
    for (size_t i = t->touches.len; i-- > 0 && from != UNF_NONE;) {
        const trc_touch *x = &t->touches.at[i];
        if (x->thread != thread || x->how == WIRE_TOUCH_READ)
            continue;
        while (from != UNF_NONE && from < x->before_op)
            from = u->run_next.at[from];
        break; /* those before it are earlier */
    }
    return from;
}

void unf_tails_begin(unf *u, const trc *t)
{
    u->run_left = UNF_NONE;
    u->run_tail = find_tail(u, t);
}

/* True if operation i of the run is like the model. */
static bool is_like(const unf *u, const trc *t, uint32_t i, uint32_t model)
{
    const trc_op *op = &t->ops.at[i];
    const unf_node *m = node_at(u, model);
    if (m->kind != op->kind || m->status != UNF_EXECUTED || mdl_in_digest(m->kind) ||
        unf_spot_of(u, m->before).site != op->site ||
        !(m->flags & NODE_FORCED) != !(op->flags & WIRE_F_FORCED))
        return false;
    if (!mdl_joins(op->kind))
        return m->object == UNF_NONE && u->run_next.at[i] == UNF_NONE;
    return op->value < u->run_threads.len &&
           u->threads.at[u->run_threads.at[op->value]].object == m->object &&
           (u->objects.at[m->object].is_joined || u->objects.at[m->object].was_joined);
}

/* True if the tail from operation i on is known from another run. */
static bool has_model(const unf *u, const trc *t, uint32_t i, uint32_t history)
{
    for (; i != UNF_NONE; i = u->run_next.at[i]) {
        history = model_of(u, history);
        if (history == UNF_NONE || !is_like(u, t, i, history))
            return false;
    }
    return true;
}

static void record_start(unf *u, uint32_t history)
{
    u->run_record = (uint32_t)u->tails.len;
    const uint32_t head[RECORD_HEAD] = {[RECORD_TOP] = history};
    unf_vec_append(&u->tails, head, RECORD_HEAD);
}

static void record_step(unf *u, const trc *t, uint32_t i)
{
    const trc_op *op = &t->ops.at[i];
    u->tails.at[u->run_record + RECORD_STEPS]++;
    if (!mdl_joins(op->kind))
        return;
    uint32_t end = u->last.at[op->after].event; /* or the history before it */
    TD_ASSERT(end != UNF_NONE && op->after < i);
    u->tails.at[u->run_record + RECORD_ENDS]++;
    unf_vec_push(&u->tails, end);
}

bool unf_tails_leave(unf *u, const trc *t, uint32_t i, uint32_t event)
{
    uint32_t thread = t->ops.at[i].thread;
    if (u->run_left == thread) {
        record_step(u, t, i);
        return true;
    }
    uint32_t history = u->run_at.at[thread];
    bool may_be = event == UNF_NONE && i >= u->run_tail && t->ops.len > 0 &&
                  thread == t->ops.at[t->ops.len - 1].thread &&
                  u->tails.len < UNF_TAIL / 2;
    if (!may_be || !unf_silent_joins_skips(u, history) || !has_model(u, t, i, history))
        return false;
    TD_ASSERT(u->run_left == UNF_NONE);
    u->run_left = thread;
    u->run_new.at[thread] = false;
    record_start(u, history);
    record_step(u, t, i);
    return true;
}

uint32_t unf_tails_top(const unf *u, uint32_t top)
{
    return top != UNF_NONE && (top & UNF_TAIL) ? u->tails.at[(top & ~UNF_TAIL)] : top;
}

/* ---- when the thread is watched ---- */

/* The end that was joined, by itself or the history before it. */
static uint32_t end_at(const unf *u, uint32_t at)
{
    uint32_t event = u->tails.at[at];
    if (!mdl_ends(node_at(u, event)->kind))
        event = unf_find(u, unf_end_describe(u, event).id);
    TD_ASSERT(event != UNF_NONE);
    return event;
}

/* The event like the model, after this history; end: that was joined, UNF_NONE. */
static uint32_t make_event(unf *u, uint32_t history, uint32_t model, uint32_t end,
                           bool is_of_run)
{
    unf_node n = *node_at(u, model);
    const uint8_t dropped = NODE_PARKED | NODE_FIRST | NODE_PROBE;
    TD_ASSERT(n.status == UNF_EXECUTED && !n.held && !n.reads);
    n.before = history;
    n.after = end;
    n.depth = node_at(u, history)->depth + 1;
    n.flags &= (uint8_t)~dropped;
    if (mdl_joins(n.kind))
        n.flags |= node_at(u, history)->flags & NODE_SILENT;
    n.groups = 0;
    n.id = unf_id_of(u, &n, NULL, 0);
    uint32_t event = unf_find(u, n.id);
    if (event != UNF_NONE)
        return event;
    event = unf_add(u, &n, NULL, 0);
    (void)unf_silent_joins_park_event(u, event);
    unf_races_stand(u, event, is_of_run);
    return event;
}

static void make_record(unf *u, uint32_t at, uint32_t thread)
{
    if (u->tails.at[at + RECORD_STEPS] == 0 ||
        node_at(u, u->tails.at[at + RECORD_TOP])->thread != thread)
        return;
    uint32_t history = u->tails.at[at + RECORD_TOP], model = history;
    uint32_t n_steps = u->tails.at[at + RECORD_STEPS];
    uint32_t end = at + RECORD_HEAD;
    bool is_of_run = u->run_left != UNF_NONE && at == u->run_record;
    for (uint32_t i = 0; i < n_steps; i++) {
        model = model_of(u, model);
        TD_ASSERT(model != UNF_NONE);
        bool joins = mdl_joins(node_at(u, model)->kind);
        history =
            make_event(u, history, model, joins ? end_at(u, end) : UNF_NONE, is_of_run);
        end += joins;
    }
    TD_ASSERT(end == at + RECORD_HEAD + u->tails.at[at + RECORD_ENDS]);
    u->tails.at[at + RECORD_TOP] = history;
    u->tails.at[at + RECORD_STEPS] = 0;
}

/* Those of the run being inserted first: what they have in common with others is of the run. */
void unf_tails_make(unf *u, uint32_t thread)
{
    if (u->run_left != UNF_NONE)
        make_record(u, u->run_record, thread);
    uint32_t at = 0;
    for (; at < u->tails.len; at += RECORD_HEAD + u->tails.at[at + RECORD_ENDS])
        make_record(u, at, thread);
    TD_ASSERT(at == u->tails.len);
}

void unf_tails_fini(unf *u)
{
    td_free(u->models);
    unf_vec_fini(&u->tails);
}
