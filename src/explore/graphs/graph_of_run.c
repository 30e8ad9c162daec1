/* SPDX-License-Identifier: Apache-2.0 */
/* A run as an execution graph.
 *
 * Atomic accesses of at most 8 bytes are reads and writes of locations. An operation on an object of
 * the threads library is an update, or a read if it only queries, of a sync location: their order is
 * that of the run, as no thread sees an old state of a mutex. Wider atomics, promoted accesses and
 * futexes are treated the same way. */
#include "explore/graphs/graphs_int.h"

#include "base/assert.h"
#include "model/model.h"

#define NONE UINT32_MAX

TD_MAP(uint64_t, uint32_t, sync_map, td_hash_number, td_same_number);

typedef struct builder {
    const trc *t;
    const trc_stores *stores;
    grf *g;
    sync_map syncs;      /* number of the location + 1, by address */
    grf_u32_vec lasts;   /* by thread: last event, NONE */
    grf_u32_vec counts;  /* by thread: operations */
    grf_u32_vec reads;   /* by operation: event, NONE */
    grf_u32_vec writes;  /* likewise */
    grf_u32_vec tails;   /* by location: last write so far, GRF_INIT */
    grf_u32_vec ends;    /* by thread: last operation, NONE */
    grf_u32_vec readers; /* by location: read locks that are held */
    const grf_event_vec *stuck;
    xpl_sides *sides;
    size_t operand;
} builder;

static bool is_kept(const builder *b, uint32_t i)
{
    return b->stores->location.at[i] != UINT32_MAX;
}

static uint32_t sync_location(builder *b, uint64_t object, uint8_t kind)
{
    uint32_t *found = sync_map_at(&b->syncs, object * 2 + mdl_is_access(kind));
    if (*found == 0) {
        grf_u64_vec_push(&b->g->inits, 0);
        *found = (uint32_t)b->g->inits.len;
        while (b->tails.len < *found)
            grf_u32_vec_push(&b->tails, GRF_INIT);
        while (b->readers.len < *found)
            grf_u32_vec_push(&b->readers, 0);
    }
    return *found - 1;
}

static bool drains(const trc_op *op)
{
    return mdl_drains(op->kind, op->order);
}

/* A read, though others of its kind take part in what writers wait for. */
static bool only_reads(uint8_t kind)
{
    return mdl_effect_of(kind) == MDL_EFFECT_S &&
           (mdl_only_looks(kind) || mdl_when_of(kind) == MDL_WHEN_W ||
            mdl_type_of(kind) == WIRE_TYPE_HISTORY);
}

/* Bits of the states in which what was asked for has to wait, or fails. */
static void set_outcomes(grf_event *e, uint8_t asked)
{
    for (uint8_t i = GRF_OPEN; i < GRF_UNKNOWN; i++) {
        mdl_found found = {.is_closed = i == GRF_CLOSED,
                           .is_read = i == GRF_HELD_TO_READ,
                           .is_over = i == GRF_OVER,
                           .is_woken = true};
        e->waits_if |= (uint8_t)(mdl_waits(asked, &found) << i);
        e->fails_if |= (uint8_t)(mdl_fails(asked, &found) << i);
    }
}

/* What the object is to threads behind it, as far as that follows from the operation alone. */
static grf_leaves left_by(uint8_t kind)
{
    switch (mdl_does(kind)) {
    case WIRE_DOES_TAKE:
        return GRF_CLOSED;
    case WIRE_DOES_TAKE_READ:
        return GRF_HELD_TO_READ;
    case WIRE_DOES_FINISH:
        return GRF_OVER;
    default:
        return GRF_UNKNOWN;
    }
}

static uint8_t bits_of(uint8_t passes)
{
    static_assert(GRF_ALL == MDL_ALL && GRF_APART == MDL_APART && GRF_ROUND == MDL_ROUND,
                  "the same bits");
    return (uint8_t)(passes & MDL_FLOWS ? GRF_ALL : passes);
}

static grf_event sync_read(builder *b, const mdl_done *op)
{
    uint8_t asked = mdl_asked_kind(op->kind);
    bool reads = only_reads(op->kind) || mdl_has_failed(op->kind);
    mdl_passes passes = mdl_passes_of(op);
    grf_event e = {.kind = GRF_READ,
                   .is_sync = true,
                   .leaves = left_by(asked),
                   .acquires = bits_of(passes.learns),
                   .releases = bits_of(passes.leaves),
                   .object = op->object,
                   .location = sync_location(b, op->object, op->kind)};
    set_outcomes(&e, asked);
    e.updates = e.fails_if ? GRF_IF_OPEN : reads ? GRF_NEVER : GRF_ALWAYS;
    e.from = b->tails.at[e.location];
    e.is_update = !reads;
    return e;
}

static const trc_operand *operand_of(builder *b, uint32_t i)
{
    const trc_operand_vec *v = &b->t->operands;
    while (b->operand < v->len && v->at[b->operand].op < i)
        b->operand++;
    return b->operand < v->len && v->at[b->operand].op == i ? &v->at[b->operand] : NULL;
}

/* What an access would make of another value; with NULL: it only loads or stores. */
static void take_operand(grf_event *e, const trc_operand *with, uint8_t kind)
{
    if (!with)
        return;
    e->updates = mdl_is_exchange(kind) ? GRF_IF_EQUAL : GRF_ALWAYS;
    e->rmw = with->rmw;
    e->operand = with->operand;
    e->desired = with->desired;
    e->otherwise = with->otherwise;
}

static grf_event memory_event(builder *b, uint32_t i)
{
    const trc_op *op = &b->t->ops.at[i];
    const trc_operand *with = operand_of(b, i);
    uint32_t from = b->stores->from.at[i];
    grf_event e = {.kind = mdl_reads(op->kind) ? GRF_READ : GRF_WRITE,
                   .order = op->order,
                   .size = op->size,
                   .drains = drains(op),
                   .is_update = mdl_reads(op->kind) && mdl_writes(op->kind),
                   .object = op->object,
                   .location = b->stores->location.at[i],
                   .from = from == UINT32_MAX ? GRF_INIT : b->writes.at[from],
                   .value = op->value,
                   .rank = b->stores->rank.at[i]};
    if (e.kind == GRF_WRITE)
        e.from = GRF_NONE;
    take_operand(&e, with, op->kind);
    if (b->sides && mdl_is_exchange(op->kind) && op->node != 0)
        e.asked = xpl_sides_asked(b->sides, op);
    return e;
}

static grf_event decision(const builder *b, const trc_op *op)
{
    return (grf_event){.kind = GRF_DECIDE,
                       .from = GRF_NONE,
                       .asked = b->sides ? xpl_sides_asked(b->sides, op) : 0,
                       .value = op->old};
}

static grf_event other_event(const builder *b, uint32_t i)
{
    const trc_op *op = &b->t->ops.at[i];
    if (mdl_decides(op->kind))
        return decision(b, op);
    grf_event e = {.kind = mdl_is_fence(op->kind) ? GRF_FENCE : GRF_OTHER,
                   .order = op->order,
                   .drains = drains(op),
                   .from = GRF_NONE};
    if (mdl_joins(op->kind))
        e.from = b->lasts.at[op->value];
    return e;
}

/* The thread's event before it, or its create. */
static uint32_t before_of(const builder *b, uint32_t thread)
{
    uint32_t create = b->t->threads.at[thread].create_op;
    if (b->lasts.at[thread] != NONE)
        return b->lasts.at[thread];
    return create == UINT32_MAX ? GRF_NONE : b->reads.at[create];
}

static uint32_t put(builder *b, grf_event e, uint32_t thread, uint32_t op)
{
    e.thread = thread;
    e.op = op;
    e.before = before_of(b, thread);
    grf_event_vec_push(&b->g->events, e);
    return b->lasts.at[thread] = (uint32_t)b->g->events.len - 1;
}

static void move_tail(builder *b, uint32_t write)
{
    const grf_event *w = &b->g->events.at[write];
    uint32_t *tail = &b->tails.at[w->location];
    if (*tail == GRF_INIT || b->g->events.at[*tail].rank < w->rank)
        *tail = write;
}

/* What the object is to threads behind an operation that was done. */
static grf_leaves state_behind(builder *b, const trc_op *op, uint32_t location)
{
    uint32_t *n = &b->readers.at[location];
    if (mdl_resets(op->kind))
        *n = 0;
    if (mdl_takes_to_read(op->kind))
        ++*n;
    else if (mdl_does(op->kind) == WIRE_DOES_GIVE_READ)
        *n -= *n > 0;
    return op->flags & WIRE_F_CLOSED                ? GRF_CLOSED
           : *n > 0                                 ? GRF_HELD_TO_READ
           : mdl_does(op->kind) == WIRE_DOES_FINISH ? GRF_OVER
                                                    : GRF_OPEN;
}

static void put_write(builder *b, grf_event read, uint32_t i)
{
    const trc_op *op = &b->t->ops.at[i];
    grf_event w = read;
    w.kind = GRF_WRITE;
    w.from = GRF_NONE;
    w.asked = 0;
    if (read.is_sync) {
        uint32_t tail = b->tails.at[w.location];
        w.rank = tail == GRF_INIT ? 1 : b->g->events.at[tail].rank + 1;
        w.leaves = state_behind(b, op, w.location);
    }
    b->writes.at[i] = put(b, w, read.thread, read.op);
    move_tail(b, b->writes.at[i]);
}

static void put_op(builder *b, uint32_t i)
{
    const trc_op *op = &b->t->ops.at[i];
    grf_event e;
    if (is_kept(b, i))
        e = memory_event(b, i);
    else if (mdl_effect_of(op->kind) != MDL_EFFECT_N) {
        e = sync_read(b, &(mdl_done){op->kind, op->flags, op->object, op->value});
        e.drains = drains(op);
    } else
        e = other_event(b, i);
    e.is_choice = trc_is_choice(op);
    e.thread = op->thread;
    e.op = b->counts.at[op->thread]++;
    uint32_t number = put(b, e, e.thread, e.op);
    b->reads.at[i] = b->writes.at[i] = number;
    if (e.kind == GRF_WRITE)
        move_tail(b, number);
    if (e.kind == GRF_READ && e.is_update)
        put_write(b, e, i);
}

static bool is_stuck(const builder *b, uint32_t thread)
{
    for (size_t i = 0; i < b->stuck->len; i++)
        if (b->stuck->at[i].thread == thread)
            return true;
    return false;
}

/* What a thread waits to do when the run ends, as a read that found it impossible. */
static void put_wait(builder *b, const trc_next *n)
{
    if (!mdl_may_wait(n->kind) || mdl_effect_of(n->kind) == MDL_EFFECT_N ||
        is_stuck(b, n->thread))
        return;
    grf_event e = sync_read(b, &(mdl_done){.kind = n->kind, .object = n->object});
    e.is_choice = e.is_stuck = e.drains = true;
    e.is_update = false;
    put(b, e, n->thread, b->counts.at[n->thread]);
}

/* Adds a spin: the thread's last operation was undone. Its location was accessed before, or by no other
 * thread. */
static void put_spin(builder *b, uint32_t i)
{
    const trc_op *op = &b->t->ops.at[i];
    const trc_operand *with = operand_of(b, i);
    uint32_t location = b->stores->location.at[i];
    if (location == UINT32_MAX)
        return;
    grf_event e = {.kind = GRF_READ,
                   .order = op->order,
                   .size = op->size,
                   .object = op->object,
                   .location = location,
                   .from = b->tails.at[location],
                   .drains = with != NULL,
                   .is_stuck = true,
                   .is_choice = true};
    take_operand(&e, with, op->turned);
    if (e.updates == GRF_IF_EQUAL && mdl_writes(op->turned)) {
        e.is_update = true;
        grf_turn(&e, false);
    }
    put(b, e, op->thread, b->counts.at[op->thread]);
}

/* The location of a read of the job; its object may not have been accessed in the run. */
static uint32_t location_again(builder *b, const grf_event *e)
{
    for (size_t i = 0; i < b->g->events.len; i++) {
        const grf_event *x = &b->g->events.at[i];
        if (x->object == e->object && x->is_sync == e->is_sync &&
            (x->kind == GRF_READ || x->kind == GRF_WRITE))
            return x->location;
    }
    grf_u64_vec_push(&b->g->inits, 0);
    grf_u32_vec_push(&b->tails, GRF_INIT);
    return (uint32_t)b->g->inits.len - 1;
}

/* The caller determines what they read: it knows the events of the job. */
static void put_stuck(builder *b)
{
    for (size_t i = 0; i < b->stuck->len; i++) {
        grf_event e = b->stuck->at[i];
        /* Where another process wrote the job, its threads may not come so far. */
        if (e.thread >= b->t->threads.len || e.op != b->counts.at[e.thread])
            continue;
        e.location = location_again(b, &e);
        e.from = GRF_INIT;
        put(b, e, e.thread, e.op);
    }
}

static void fill(grf_u32_vec *v, size_t n, uint32_t value)
{
    for (size_t i = 0; i < n; i++)
        grf_u32_vec_push(v, value);
}

bool xpl_graph_of(const trc *t, const grf_event_vec *stuck, xpl_sides *sides, grf *out)
{
    trc_stores stores = {0};
    builder b = {.t = t, .stores = &stores, .g = out, .stuck = stuck, .sides = sides};
    grf_clear(out);
    bool is = trc_stores_of(t, &stores);
    out->n_threads = (uint32_t)t->threads.len;
    out->is_by_inputs = t->has_labels;
    grf_u64_vec_append(&out->inits, stores.firsts.at, stores.firsts.len);
    fill(&b.tails, out->inits.len, GRF_INIT);
    fill(&b.lasts, t->threads.len, NONE);
    fill(&b.counts, t->threads.len, 0);
    fill(&b.reads, t->ops.len, NONE);
    fill(&b.writes, t->ops.len, NONE);
    fill(&b.ends, t->threads.len, NONE);
    for (uint32_t i = 0; i < t->ops.len; i++)
        b.ends.at[t->ops.at[i].thread] = i;
    for (uint32_t i = 0; is && i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (!mdl_spins(op->kind))
            put_op(&b, i);
        else if (b.ends.at[op->thread] == i && !is_stuck(&b, op->thread))
            put_spin(&b, i);
    }
    if (is)
        put_stuck(&b);
    for (size_t i = 0; is && i < t->nexts.len; i++)
        put_wait(&b, &t->nexts.at[i]);
    sync_map_fini(&b.syncs);
    grf_u32_vec_fini(&b.lasts);
    grf_u32_vec_fini(&b.counts);
    grf_u32_vec_fini(&b.reads);
    grf_u32_vec_fini(&b.writes);
    grf_u32_vec_fini(&b.tails);
    grf_u32_vec_fini(&b.ends);
    grf_u32_vec_fini(&b.readers);
    trc_stores_fini(&stores);
    return is;
}
