/* SPDX-License-Identifier: Apache-2.0 */
/* Stores of atomic objects (WIRE_JOB_STORES): a read observes the store that the job names.
 *
 * An object keeps all stores to it in their modification order, starting with the initial value. A
 * store is named by its thread and how many atomic stores that thread has made. Without a step that
 * names one, a read observes the last store, and a store comes last.
 *
 * The program's own instruction executes the access. If it is to read another store than the last
 * one, that value is written to memory before the instruction is executed, and the last value is
 * restored before anything else happens (rt_store_list_settle): at the thread's next operation. Only
 * one thread runs, and its plain accesses between the two are of other memory, or of a location that
 * is also accessed non-atomically, which is detected.
 *
 * A store also has the label of its value, which is written along with it. It is known once the instruction
 * has been executed, so it is taken when the store is settled.
 *
 * Each store has the clock that an acquiring thread joins (release sequences of C17, as in
 * release.c), and the clock that its own thread released at the object before. A plain write of the
 * object discards its stores: reading an earlier store after it would be a race. */
#include "runtime/core/core.h"

#include <string.h>

#include "runtime/core/above.h"
#include "model/model.h"
#include "runtime/core/store_list.h"
#include "wire/rmw.h"

typedef struct store {
    uint32_t thread, nth;
    uint64_t value;
    uint32_t label;
    rt_clock own; /* clock released by its thread at the object, this store included */
    rt_clock message; /* clock joined by an acquiring reader */
} store;

struct rt_store_list {
    uint32_t n, cap;
    uint8_t size;
    bool is_new; /* seeded by the operation that is granted */
    bool is_overwritten;
    uint32_t from, behind; /* for the granted operation: indices in at */
    store *at;
};

bool rt_store_list_kept(const rt_thread *t)
{
    const rt_op *op = &t->pending;
    return rt->keeps_stores && op->model && op->size > 0 && op->size <= 8 &&
           mdl_type_of(op->kind) == WIRE_TYPE_MEMORY &&
           !(op->flags & WIRE_ACCESS_PLAIN) && !rt_op_is_whole(op);
}

void rt_fence(rt_thread *t, uint8_t order)
{
    if (rt_acquires(order))
        rt_clock_join(&t->clock, &t->seen);
    if (rt_releases(order))
        rt_clock_copy(&t->released, &t->clock);
}

/* ---- the list ---- */

/* Places beyond n keep the storage of their clocks. */
static store *insert(rt_store_list *h, uint32_t place)
{
    RT_ASSERT(place <= h->n);
    if (h->n == h->cap) {
        uint32_t cap = h->cap ? 2 * h->cap : 8;
        store *at = rt_bump(cap * sizeof *at);
        memset(at, 0, cap * sizeof *at);
        if (h->n > 0)
            memcpy(at, h->at, h->n * sizeof *at);
        h->at = at;
        h->cap = cap;
    }
    store spare = h->at[h->n];
    memmove(&h->at[place + 1], &h->at[place], (h->n - place) * sizeof *h->at);
    h->n++;
    spare.own.len = spare.message.len = 0;
    spare.label = 0;
    h->at[place] = spare;
    return &h->at[place];
}

static void seed(rt_store_list *h, uint64_t value, uint8_t size)
{
    h->n = 0;
    h->size = size;
    h->is_new = true;
    h->is_overwritten = false;
    store *first = insert(h, 0);
    first->thread = RT_NONE;
    first->nth = 0;
    first->value = value;
}

/* The label of what lies in memory. */
static void take_label(store *s, uint64_t address, uint8_t size)
{
    s->label = rt->above->label_at(address, size, s->value);
    rt->has_labelled |= s->label != 0;
}

static store *last_of(const rt_store_list *h)
{
    RT_ASSERT(h->n > 0);
    return &h->at[h->n - 1];
}

/* Returns the stores of an operation's object. If memory has another value than the last store, the list
 * starts over. */
static rt_store_list *stores_of(const rt_op *op)
{
    rt_object *o = op->model;
    if (!o->stores) {
        o->stores = rt_bump(sizeof *o->stores);
        memset(o->stores, 0, sizeof *o->stores);
    }
    rt_store_list *h = o->stores;
    uint64_t value = rt_peek(op->object, op->size);
    h->is_new = false;
    if (h->n > 0 && h->size != op->size)
        rt_gap_once(WIRE_GAP_UNWATCHED, op->site, "atomic accesses of different sizes");
    if (h->n == 0 || h->is_overwritten || h->size != op->size ||
        last_of(h)->value != value) {
        seed(h, value, op->size);
        if (rt->symbolic)
            take_label(&h->at[0], op->object, op->size);
    }
    return h;
}

static store *store_at(const rt_store_list *h, uint32_t thread, uint32_t nth)
{
    for (uint32_t i = 1; i < h->n; i++)
        if (h->at[i].thread == thread && h->at[i].nth == nth)
            return &h->at[i];
    return NULL;
}

/* The place of the store that a choice names, the last one if it names none. */
static uint32_t place_of(const rt_store_list *h, const rt_named_store *named)
{
    if (!named->is_set)
        return h->n - 1;
    if (named->nth == 0)
        return 0;
    const store *s = store_at(h, named->thread, named->nth);
    if (s)
        return (uint32_t)(s - h->at);
    rt_run_end(WIRE_DONE_DIVERGED, rt->self->id);
}

/* ---- clocks ---- */

static void learn(rt_thread *t, const store *from)
{
    rt_clock_join(rt_acquires(t->pending.order) ? &t->clock : &t->seen, &from->message);
}

/* A thread's earlier releases at the object also continue with its later stores. */
static void release(rt_thread *t, const rt_store_list *h, uint32_t place)
{
    store *s = &h->at[place];
    for (uint32_t i = 0; i < h->n; i++)
        if (i != place && h->at[i].thread == t->id)
            rt_clock_join(&s->own, &h->at[i].own);
    rt_clock_join(&s->own, rt_releases(t->pending.order) ? &t->clock : &t->released);
    rt_clock_join(&s->message, &s->own);
}

/* ---- operations ---- */

static void poke(uint64_t address, uint64_t value, uint32_t size)
{
    memcpy((void *)address, &value, size);
}

/* Takes the label of a store from memory, and lays that of the last one there. */
static void settle_labels(void)
{
    const rt_labelled *l = &rt->labelled;
    const rt_store_list *h = l->list;
    store *s = l->nth > 0 ? store_at(h, l->thread, l->nth) : NULL;
    RT_ASSERT(h->n > 0);
    if (s)
        take_label(s, l->address, h->size);
    if (rt->laid.size > 0)
        rt->above->label_put(l->address, h->size, last_of(h)->label);
    rt->labelled.list = NULL;
}

void rt_store_list_settle(void)
{
    if (rt->labelled.list)
        settle_labels();
    if (rt->laid.size == 0)
        return;
    poke(rt->laid.address, rt->laid.value, rt->laid.size);
    rt->laid.size = 0;
}

/* Writes the value that the instruction is to read, and notes the value to restore. */
static void lay(const rt_op *op, const rt_store_list *h, uint64_t finds, bool is_last)
{
    if (is_last)
        return;
    poke(op->object, finds, op->size);
    rt->laid = (rt_laid){op->object, last_of(h)->value, op->size};
}

/* The label that the instruction finds; that of its store is taken behind it. */
static void lay_labels(const rt_thread *t, rt_store_list *h, uint8_t kind, bool is_last)
{
    const rt_op *op = &t->pending;
    bool writes = mdl_writes(kind);
    if (kind != WIRE_STORE && !is_last)
        rt->above->label_put(op->object, op->size, h->at[h->from].label);
    rt->labelled =
        (rt_labelled){h, op->object, writes ? t->id : 0, writes ? t->n_stores : 0};
}

static void add_store(rt_thread *t, rt_store_list *h, uint32_t behind, uint64_t value)
{
    store *s = insert(h, behind + 1);
    s->thread = t->id;
    s->nth = ++t->n_stores;
    s->value = value;
    release(t, h, behind + 1);
}

static void update(rt_thread *t, rt_store_list *h, uint64_t value)
{
    add_store(t, h, h->from, value);
    rt_clock_join(&h->at[h->from + 1].message, &h->at[h->from].message);
}

uint8_t rt_store_list_grant(rt_thread *t, uint64_t *value, uint64_t *old)
{
    rt_op *op = &t->pending;
    rt_store_list *h = stores_of(op);
    h->from = place_of(h, &rt->job.now.reads);
    h->behind = place_of(h, &rt->job.now.behind);
    bool is_last = op->kind == WIRE_STORE ? h->behind == h->n - 1 : h->from == h->n - 1;
    uint64_t finds = h->at[h->from].value;
    uint8_t kind = op->kind;
    *old = finds;
    switch (op->kind) {
    case WIRE_LOAD:
        learn(t, &h->at[h->from]);
        *value = finds;
        break;
    case WIRE_STORE:
        *old = last_of(h)->value;
        *value = wire_low_bytes(op->a, op->size);
        add_store(t, h, h->behind, *value);
        break;
    case WIRE_RMW:
        learn(t, &h->at[h->from]);
        *value = wire_rmw_result(op->rmw, op->size, finds, op->a);
        if (op->rmw >= WIRE_RMW_OTHER) {
            rt_gap_once(WIRE_GAP_UNWATCHED, op->site,
                        "a read-modify-write whose result is not known beforehand");
            h->is_overwritten = true;
        }
        update(t, h, *value);
        break;
    default:
        *value = finds;
        if (finds != wire_low_bytes(op->a, op->size)) {
            uint8_t otherwise = op->order;
            op->order = op->rmw; /* the order of a failed exchange */
            op->rmw = otherwise;
            kind = WIRE_CAS_FAIL;
        }
        learn(t, &h->at[h->from]);
        if (kind == WIRE_CAS) {
            *value = wire_low_bytes(op->b, op->size);
            update(t, h, *value);
        }
        break;
    }
    lay(op, h, finds, is_last);
    if (rt->symbolic)
        lay_labels(t, h, kind, is_last);
    return kind;
}

static void name_store(uint8_t note, const store *s)
{
    wire_rec *r = rt_emit(note);
    r->thread = s->nth > 0 ? s->thread : 0;
    r->count = s->nth;
}

/* The notes of the operation that was granted last. */
void rt_store_list_tell(const rt_thread *t, uint8_t kind, uint64_t old)
{
    const rt_op *op = &t->pending;
    const rt_store_list *h = op->model->stores;
    bool updates = kind == WIRE_RMW || kind == WIRE_CAS;
    if (h->is_new || updates || (rt->detail && kind == WIRE_STORE)) {
        wire_rec *r = rt_emit(WIRE_NOTE_OLD);
        r->value = old;
        r->flags = h->is_new ? WIRE_OLD_SEEDS : 0;
    }
    uint32_t n_before = h->n - (mdl_writes(kind) ? 1 : 0);
    if (kind != WIRE_STORE && h->from + 1 < n_before)
        name_store(WIRE_NOTE_FROM, &h->at[h->from]);
    if (kind == WIRE_STORE && h->behind + 1 < n_before)
        name_store(WIRE_NOTE_BEHIND, &h->at[h->behind]);
    if (op->kind != WIRE_RMW && op->kind != WIRE_CAS)
        return;
    wire_rec *r = rt_emit(WIRE_NOTE_OPERAND);
    r->size = op->kind == WIRE_RMW ? op->rmw : 0;
    r->order = op->kind == WIRE_RMW ? 0 : op->rmw;
    r->object = wire_low_bytes(op->a, op->size);
    r->value = wire_low_bytes(op->b, op->size);
}

/* Removes the thread's last store, which changed nothing. */
void rt_store_list_undo(rt_thread *t)
{
    rt_store_list *h = t->pending.model->stores;
    for (uint32_t i = 1; i < h->n; i++) {
        if (h->at[i].thread != t->id || h->at[i].nth != t->n_stores)
            continue;
        store gone = h->at[i];
        memmove(&h->at[i], &h->at[i + 1], (h->n - i - 1) * sizeof gone);
        h->at[--h->n] = gone;
        t->n_stores--;
        return;
    }
}

static void overwrite(rt_object *o, uint64_t p, uint64_t size)
{
    if (o && o->stores && o->address < p + size && o->address + o->stores->size > p)
        o->stores->is_overwritten = true;
}

/* A large range has more bytes than a run has objects. */
void rt_store_list_overwrite(uint64_t p, uint64_t size)
{
    uint32_t n = rt_n_objects();
    for (uint32_t i = 0; size >= n && i < n; i++)
        overwrite(rt_object_by_index(i), p, size);
    for (uint64_t i = 0; size < n && i < size + 7; i++)
        overwrite(rt_object_known(p + i - 7), p, size);
}
