/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/interfere/forest.h"

#include "base/assert.h"

enum { AUDIT_MAX = 3000 }; /* nodes of a forest that is looked at as a whole */

/* ---- lifetime ---- */

void xpl_forest_init(xpl_forest *f, pth *path)
{
    *f = (xpl_forest){.path = path};
    xpl_tree_vec_push(&f->trees, (xpl_tree){.create = XPL_NONE, .first = XPL_NONE});
}

void xpl_forest_fini(xpl_forest *f)
{
    for (size_t i = 0; i < f->trees.len; i++)
        xpl_u32_vec_fini(&f->trees.at[i].ends);
    for (size_t i = 0; i < f->places.len; i++)
        xpl_u32_vec_fini(&f->places.at[i].writes);
    for (size_t i = 0; i < f->objects.len; i++)
        xpl_u32_vec_fini(&f->objects.at[i].nodes);
    xpl_node_vec_fini(&f->nodes);
    xpl_tree_vec_fini(&f->trees);
    xpl_place_vec_fini(&f->places);
    xpl_object_vec_fini(&f->objects);
    xpl_u32_vec_fini(&f->reads);
    xpl_u32_vec_fini(&f->readers);
    xpl_meetings_fini(&f->meetings);
    xpl_meetings_fini(&f->n_states);
    xpl_active_vec_fini(&f->active);
    xpl_u32_vec_fini(&f->n_read);
    xpl_map_fini(&f->place_of);
    xpl_map_fini(&f->byte_of);
    xpl_map_fini(&f->object_of);
    xpl_u32_vec_fini(&f->added);
    xpl_u32_vec_fini(&f->node_of);
    xpl_u32_vec_fini(&f->source);
    xpl_u32_vec_fini(&f->ends);
    xpl_u32_vec_fini(&f->tree_of);
    xpl_u32_vec_fini(&f->n_reads);
    xpl_u32_vec_fini(&f->last);
}

/* ---- places and objects ---- */

static uint32_t place_of(xpl_forest *f, const trc_op *op)
{
    uint32_t next = (uint32_t)f->places.len;
    uint32_t place = xpl_map_put(&f->place_of, op->object << 8 | op->size, next);
    if (place != next)
        return place;
    xpl_place_vec_push(&f->places, (xpl_place){.address = op->object, .size = op->size});
    for (uint32_t i = 0; i < op->size; i++)
        f->lost.mixed += xpl_map_put(&f->byte_of, op->object + i, place) != place;
    return place;
}

uint32_t xpl_forest_object(xpl_forest *f, uint64_t address)
{
    uint32_t next = (uint32_t)f->objects.len;
    uint32_t object = xpl_map_put(&f->object_of, address, next);
    if (object == next)
        xpl_object_vec_push(&f->objects, (xpl_object){.address = address});
    return object;
}

/* ---- kinds ---- */

uint8_t xpl_outcome_other(uint8_t kind)
{
    if (mdl_arrives(kind)) /* as the last one, or not */
        return kind;
    return mdl_has_object(kind) ? mdl_other_outcome(kind) : WIRE_NONE;
}

/* Their order is in temporal.c, or does not matter. */
static bool is_modelled(uint8_t kind)
{
    switch (mdl_type_of(kind)) {
    case WIRE_TYPE_THREAD: /* no cancellation */
        return mdl_creates(kind) || mdl_joins(kind) || mdl_ends(kind);
    case WIRE_TYPE_SEM: /* requesting the count is not */
        return mdl_does(kind) != WIRE_DOES_NO || mdl_has_failed(kind);
    case WIRE_TYPE_ONCE: /* nor one that is left half done */
        return mdl_does(kind) != WIRE_DOES_GIVE;
    case WIRE_TYPE_PROCESS:
    case WIRE_TYPE_INPUT:
    case WIRE_TYPE_MEMORY:
    case WIRE_TYPE_MUTEX:
    case WIRE_TYPE_RWLOCK:
    case WIRE_TYPE_COND:
    case WIRE_TYPE_BARRIER:
    case WIRE_TYPE_SECTION:
    case WIRE_TYPE_ANY:
        return true;
    default:
        return false;
    }
}

bool xpl_has_object(uint8_t kind)
{
    return mdl_has_object(kind);
}

/* ---- nodes ---- */

uint32_t xpl_forest_first(const xpl_forest *f, uint32_t tree, uint32_t before)
{
    return before == XPL_NONE ? f->trees.at[tree].first : f->nodes.at[before].first;
}

bool xpl_forest_leads(const xpl_forest *f, uint32_t a, uint32_t b)
{
    const xpl_node *x = xpl_node_at(f, a);
    while (b != XPL_NONE && f->nodes.at[b].depth > x->depth)
        b = f->nodes.at[b].before;
    return a == b;
}

uint32_t xpl_forest_side(const xpl_forest *f, uint32_t tree, uint32_t before,
                         uint32_t question, uint64_t side)
{
    uint32_t i = xpl_forest_first(f, tree, before);
    while (i != XPL_NONE &&
           (f->nodes.at[i].question != question || f->nodes.at[i].side != side))
        i = f->nodes.at[i].next;
    return i;
}

static bool is_same(const xpl_node *a, const xpl_node *b)
{
    return a->kind == b->kind && a->size == b->size && a->place == b->place &&
           a->object == b->object && a->question == b->question && a->side == b->side &&
           a->variable == b->variable && exp_same(a->written, b->written) &&
           a->is_last == b->is_last && a->is_outcome == b->is_outcome &&
           (!mdl_joins(a->kind) || a->other == b->other);
}

/* Both may follow the same node: they decide one question, or are outcomes of one request. */
static bool may_differ(const xpl_node *a, const xpl_node *b)
{
    if (a->question != XPL_NONE && a->question == b->question)
        return true;
    return a->object == b->object && a->kind == xpl_outcome_other(b->kind);
}

static void note_new(xpl_forest *f, uint32_t i)
{
    const xpl_node *n = &f->nodes.at[i];
    TD_ASSERT(n->place == XPL_NONE || n->place < f->places.len);
    xpl_u32_vec_push(&f->added, i);
    if (n->written.ix && n->place != XPL_NONE)
        xpl_u32_vec_push(&f->places.at[n->place].writes, i);
    if (n->object != XPL_NONE)
        xpl_u32_vec_push(&f->objects.at[n->object].nodes, i);
    if (mdl_ends(n->kind))
        xpl_u32_vec_push(&f->trees.at[n->tree].ends, i);
}

static uint64_t held_after(uint64_t held, const xpl_node *n)
{
    uint64_t bit = n->object < 64 ? UINT64_C(1) << n->object : 0;
    if (mdl_locks_mutex(n->kind))
        return held | bit;
    return mdl_unlocks_mutex(n->kind) && !n->is_closed ? held & ~bit : held;
}

/* Returns the successor of `before` that is like n, an operation of that thread of the run. It is added if there is
 * none. */
static uint32_t node_behind(xpl_forest *f, uint32_t thread, uint32_t before, xpl_node n)
{
    uint32_t *link =
        before == XPL_NONE ? &f->trees.at[n.tree].first : &f->nodes.at[before].first;
    bool differs = false;
    while (*link != XPL_NONE) {
        const xpl_node *other = &f->nodes.at[*link];
        if (is_same(other, &n))
            return *link;
        differs |= !may_differ(other, &n);
        link = &f->nodes.at[*link].next;
    }
    f->lost.changed += differs;
    uint32_t i = (uint32_t)f->nodes.len;
    TD_ASSERT(before == XPL_NONE ||
              (before < i && f->nodes.at[before].tree == n.tree)); /* (F1) */
    *link = i;
    n.before = before;
    n.first = n.next = XPL_NONE;
    n.jump = n.met_by = n.met_before = XPL_NONE;
    n.n_common = UINT32_MAX;
    n.is_header = false;
    n.odd = before == XPL_NONE ? XPL_NONE : f->nodes.at[before].odd;
    if (mdl_creates(n.kind) || mdl_joins(n.kind))
        n.odd = i;
    n.n_reads = f->n_reads.at[thread];
    n.depth = before == XPL_NONE ? 0 : f->nodes.at[before].depth + 1;
    n.held = held_after(before == XPL_NONE ? 0 : f->nodes.at[before].held, &n);
    if (mdl_creates(n.kind)) {
        n.other = (uint32_t)f->trees.len;
        xpl_tree_vec_push(&f->trees, (xpl_tree){.create = i, .first = XPL_NONE});
    }
    xpl_node_vec_push(&f->nodes, n);
    note_new(f, i);
    return i;
}

/* ---- operations of a run ---- */

static unsigned bits_of(const trc_op *op)
{
    return mdl_joins(op->kind) || mdl_ends(op->kind) ? 64 : op->size * 8;
}

static uint32_t variable_of(xpl_forest *f, const trc *t, const trc_op *op)
{
    TD_ASSERT(op->thread < f->n_reads.len);
    if (bits_of(op) > 64)
        return XPL_NONE;
    uint32_t nth = f->n_reads.at[op->thread]++;
    f->n_read.at[op->thread]++;
    exp_ref e = pth_read(f->path, t->threads.at[op->thread].name, nth, bits_of(op));
    uint32_t number = exp_at(pth_dag(f->path), e).number;
    while (f->reads.len <= number) {
        xpl_u32_vec_push(&f->reads, XPL_NONE);
        xpl_u32_vec_push(&f->readers, XPL_NONE);
    }
    f->reads.at[number] = nth;
    f->readers.at[number] = f->tree_of.at[op->thread];
    return number;
}

static exp_ref written_of(xpl_forest *f, const trc *t, const trc_op *op)
{
    f->lost.large += !op->is_told;
    if (bits_of(op) > 64)
        return EXP_NONE;
    return op->written ? pth_node(f->path, t, op->written)
                       : exp_const(pth_dag(f->path), bits_of(op), op->value);
}

/* A compare-exchange is two nodes: what it read, and how it turned out. */
static xpl_node outcome_for(xpl_forest *f, const trc *t, const trc_op *op,
                            const xpl_node *read)
{
    xpl_node n = *read;
    n.kind = op->kind;
    n.variable = XPL_NONE;
    n.is_choice = false;
    n.is_outcome = true;
    if (mdl_exchanges(op->kind))
        n.written = written_of(f, t, op);
    if (op->node) {
        trc_op branch = trc_branch(op->node);
        n.question = pth_question(f->path, t, &branch);
        n.side = mdl_exchanges(op->kind);
    }
    return n;
}

static xpl_node node_for(xpl_forest *f, const trc *t, const trc_op *op)
{
    bool exchanges = mdl_is_exchange(op->kind);
    xpl_node n = {.kind =
                      exchanges ? mdl_failed_kind(mdl_asked_kind(op->kind)) : op->kind,
                  .size = mdl_decides(op->kind) ? op->size : 0,
                  .is_choice = trc_is_choice(op),
                  .is_closed = !mdl_is_access(op->kind) && (op->flags & WIRE_F_CLOSED),
                  .is_slot = mdl_is_access(op->kind) && (op->flags & WIRE_ACCESS_SLOT),
                  .tree = f->tree_of.at[op->thread],
                  .site = op->site,
                  .place = XPL_NONE,
                  .object = XPL_NONE,
                  .other = XPL_NONE,
                  .question = XPL_NONE,
                  .variable = XPL_NONE};
    if (mdl_reads(op->kind) || mdl_writes(op->kind))
        n.place = place_of(f, op);
    if (mdl_reads(op->kind) || trc_is_fetched(op))
        n.variable = variable_of(f, t, op);
    if ((mdl_writes(op->kind) && !exchanges) || mdl_ends(op->kind))
        n.written = written_of(f, t, op);
    if (xpl_has_object(op->kind))
        n.object = xpl_forest_object(f, op->object);
    if (mdl_joins(op->kind))
        n.other = f->tree_of.at[op->value];
    n.is_last = mdl_arrives(op->kind) && op->value == 1;
    if (mdl_decides(op->kind)) {
        n.question = pth_question(f->path, t, op);
        n.side = op->old;
    }
    f->lost.kinds += !is_modelled(op->kind);
    return n;
}

/* ---- the writes that were read ---- */

static uint64_t value_read(const trc_op *op)
{
    return mdl_updates(op->kind) ? op->old : op->value;
}

static void know_start(xpl_forest *f, xpl_place *at, uint64_t value)
{
    f->lost.values += at->is_known && at->value != value;
    at->is_known = true;
    at->value = value;
}

static void follow_memory(xpl_forest *f, const trc *t, uint32_t i)
{
    const trc_op *op = &t->ops.at[i];
    uint32_t place = f->nodes.at[f->node_of.at[i]].place;
    f->source.at[i] = XPL_NONE;
    if (place == XPL_NONE || op->size > 8)
        return;
    while (f->last.len < f->places.len)
        xpl_u32_vec_push(&f->last, XPL_NONE);
    uint32_t before = f->last.at[place];
    f->source.at[i] = mdl_reads(op->kind) ? before : XPL_NONE;
    uint64_t found = mdl_reads(op->kind) ? value_read(op) : op->old;
    bool is_slot = f->nodes.at[f->node_of.at[i]].is_slot; /* it is written first */
    if (before == XPL_NONE)
        know_start(f, &f->places.at[place], is_slot ? 0 : found);
    else if (mdl_reads(op->kind) && t->ops.at[before].value != value_read(op))
        f->lost.values++;
    if (mdl_writes(op->kind))
        f->last.at[place] = i;
}

/* Counts of semaphores before anything was done, and of barriers when they are full. */
static void follow_object(xpl_forest *f, const trc *t, uint32_t i)
{
    const trc_op *op = &t->ops.at[i];
    uint32_t object = f->nodes.at[f->node_of.at[i]].object;
    if (object == XPL_NONE)
        return;
    xpl_object *o = &f->objects.at[object];
    if (!o->is_known && mdl_type_of(op->kind) == WIRE_TYPE_SEM && is_modelled(op->kind)) {
        bool downs = mdl_does(op->kind) == WIRE_DOES_DOWN;
        bool ups = mdl_does(op->kind) == WIRE_DOES_UP;
        o->count = (uint32_t)op->value + downs - ups;
        o->is_known = true;
    }
    if (!mdl_arrives(op->kind) || op->value != 1 || o->is_known)
        return;
    o->is_known = true;
    for (uint32_t k = 0; k <= i; k++)
        o->count += mdl_arrives(t->ops.at[k].kind) && t->ops.at[k].object == op->object;
}

/* ---- loops ---- */

/* What the thread reads from now on gets the numbers that it has on the way to the node. */
static void renumber(xpl_forest *f, uint32_t thread, uint32_t node)
{
    f->n_reads.at[thread] = f->nodes.at[node].n_reads;
    pth_read_shift(f->path, thread, f->n_read.at[thread], f->n_reads.at[thread]);
}

/* The thread is behind the node, or where that jumps to. */
static void arrive(xpl_forest *f, uint32_t thread, uint32_t node)
{
    uint32_t landing = xpl_forest_landing(f, node);
    if (landing != node)
        renumber(f, thread, landing);
    f->ends.at[thread] = landing;
}

static xpl_active *active_at(xpl_forest *f, const trc_loop *l)
{
    for (size_t i = 0; i < f->active.len; i++)
        if (f->active.at[i].thread == l->thread && f->active.at[i].object == l->object)
            return &f->active.at[i];
    xpl_active_vec_push(&f->active,
                        (xpl_active){.thread = l->thread, .object = l->object});
    return &f->active.at[f->active.len - 1];
}

static void enter_loop(xpl_forest *f, const trc_loop *l)
{
    uint32_t spot = f->ends.at[l->thread];
    uint64_t words[4] = {spot, f->tree_of.at[l->thread], l->object, l->site};
    xpl_active *a = active_at(f, l);
    a->entered = td_id_hash(words, sizeof words);
    a->n_reads = f->n_reads.at[l->thread];
}

/* The way that ends with the node from is continued behind the node to. */
static void join_ways(xpl_forest *f, uint32_t from, uint32_t to, uint32_t n_common)
{
    xpl_node *a = &f->nodes.at[from], *b = &f->nodes.at[to];
    TD_ASSERT(a->tree == b->tree && a->first == XPL_NONE); /* (F3) */
    a->jump = to;
    a->met_before = b->met_by;
    b->met_by = from;
    if (n_common < b->n_common)
        b->n_common = n_common;
    xpl_u32_vec_push(&f->added, from);
}

/* The thread has come to a header again. Another way came there with all the same: this one goes on like that. */
static void come_round(xpl_forest *f, const trc_loop *l)
{
    uint32_t spot = f->ends.at[l->thread];
    const xpl_active *a = active_at(f, l);
    if (spot == XPL_NONE || l->state == 0 || (a->entered.lo | a->entered.hi) == 0)
        return;
    xpl_node *n = &f->nodes.at[spot];
    struct {
        td_id entered;
        uint64_t state, held;
        uint64_t odd;
    } words = {a->entered, l->state, n->held, n->odd};
    uint32_t *known = xpl_meetings_at(&f->meetings, td_id_hash(&words, sizeof words));
    n->is_header = true;
    if (*known == 0) {
        *known = spot + 1;
        uint32_t n_states = ++*xpl_meetings_at(&f->n_states, a->entered);
        f->most_states = n_states > f->most_states ? n_states : f->most_states;
    }
    uint32_t to = xpl_forest_landing(f, *known - 1);
    if (to == spot || n->first != XPL_NONE || n->tree != f->nodes.at[to].tree)
        return;
    join_ways(f, spot, to, a->n_reads);
    arrive(f, l->thread, spot);
}

/* Loops whose header was passed before operation i. */
static void pass_loops(xpl_forest *f, const trc *t, uint32_t i, size_t *next)
{
    for (; *next < t->loops.len && t->loops.at[*next].before_op <= i; ++*next) {
        const trc_loop *l = &t->loops.at[*next];
        if (l->at == WIRE_LOOP_ENTERED)
            enter_loop(f, l);
        come_round(f, l);
    }
}

/* ---- runs in ---- */

static void start(xpl_forest *f, const trc *t)
{
    size_t n = t->threads.len;
    xpl_u32_vec_clear(&f->added);
    xpl_u32_vec_clear(&f->last);
    xpl_u32_vec_reserve(&f->tree_of, n);
    xpl_u32_vec_reserve(&f->n_reads, n);
    xpl_u32_vec_reserve(&f->ends, n);
    xpl_u32_vec_reserve(&f->n_read, n);
    xpl_active_vec_clear(&f->active);
    f->tree_of.len = f->n_reads.len = f->n_read.len = f->ends.len = n;
    memset(f->n_reads.at, 0, n * sizeof f->n_reads.at[0]);
    memset(f->n_read.at, 0, n * sizeof f->n_read.at[0]);
    for (size_t i = 0; i < n; i++)
        f->ends.at[i] = XPL_NONE;
    f->tree_of.at[0] = 0;
    f->trees.at[0].name = t->threads.at[0].name;
    xpl_u32_vec_reserve(&f->node_of, t->ops.len + 1);
    xpl_u32_vec_reserve(&f->source, t->ops.len + 1);
    f->node_of.len = f->source.len = t->ops.len;
}

/* Finds failures that depend on their thread's knowledge only: they come before any other thread can move.
 * Other failures, such as a use of freed memory, depend on other threads. */
static void find_fatal(xpl_forest *f, const trc *t)
{
    if (t->done != WIRE_DONE_FAIL || t->fails.len == 0)
        return;
    const trc_fail *fail = &t->fails.at[t->fails.len - 1];
    uint32_t end = f->ends.at[fail->thread];
    if (end == XPL_NONE ||
        (fail->kind != WIRE_FAIL_ASSERT && fail->kind != WIRE_FAIL_ABORT))
        return;
    f->n_fatal += !f->nodes.at[end].is_fatal;
    f->nodes.at[end].is_fatal = true;
}

void xpl_forest_add(xpl_forest *f, const trc *t)
{
    pth_take(f->path, t);
    start(f, t);
    size_t next_loop = 0;
    for (uint32_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        pass_loops(f, t, i, &next_loop);
        xpl_node n = node_for(f, t, op);
        uint32_t node = node_behind(f, op->thread, f->ends.at[op->thread], n);
        if (mdl_is_exchange(op->kind))
            node = node_behind(f, op->thread, node, outcome_for(f, t, op, &n));
        f->node_of.at[i] = node;
        arrive(f, op->thread, node);
        if (mdl_creates(op->kind) && op->value < t->threads.len) {
            f->tree_of.at[op->value] = f->nodes.at[node].other;
            f->trees.at[f->nodes.at[node].other].name = t->threads.at[op->value].name;
        }
        follow_memory(f, t, i);
        follow_object(f, t, i);
    }
    pass_loops(f, t, (uint32_t)t->ops.len, &next_loop);
    find_fatal(f, t);
    TD_AUDIT(f->nodes.len > AUDIT_MAX || xpl_forest_valid(f, NULL, 0));
}

/* ---- what was seen ---- */

void xpl_forest_count(const xpl_forest *f, uint64_t *n_nodes, td_id *digest)
{
    td_id *ids = td_alloc((f->nodes.len + 1) * sizeof *ids);
    *n_nodes = 0;
    *digest = (td_id){0};
    for (size_t i = 0; i < f->nodes.len; i++) {
        const xpl_node *n = &f->nodes.at[i];
        bool is_first = n->before == XPL_NONE;
        struct {
            td_id before;
            uint64_t kind, side;
        } words = {.before = is_first ? f->trees.at[n->tree].name : ids[n->before],
                   .kind = n->kind,
                   .side = n->side};
        ids[i] = td_id_hash(&words, sizeof words);
        if (!mdl_in_digest(n->kind) || n->is_slot)
            continue;
        ++*n_nodes;
        *digest = td_id_sum(*digest, ids[i]);
    }
    td_free(ids);
}
