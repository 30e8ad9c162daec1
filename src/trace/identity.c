/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of operations: a hash of the causal history of each. */
#include "trace/trace.h"

#include "base/assert.h"

/* How ids are computed, and how repeated work is avoided.
 *
 * The namer walks over a run and keeps, per thread, its last operation, and, per range of
 * bytes or other object, the last exclusive operation and the sum of the shared ids since.
 * Runs of a depth-first search have a common prefix with the previous run. So the namer also keeps
 * what it did for each operation of the last run (struct past), undoes everything after the common
 * prefix, and continues from there.
 *
 * Objects are found by granule (16 bytes); a granule has a list of disjoint ranges, mostly
 * one. Accesses that overlap without being equal split what they touch into ranges of one byte. This
 * is not undone: the next run is then computed from scratch. */

#define NONE UINT32_MAX
enum { GRANULE = 16, SMALLEST = 256, STALE = 4096 };

/* One operation of the last run: the operation, its id, and how to undo its effect. */
typedef struct past {
    uint64_t object, value;
    td_id id;
    uint32_t thread;
    uint32_t before; /* the thread's last operation before this one */
    uint32_t range;  /* whose state it changed; NONE */
    uint32_t after;  /* trc_op.after */
    uint8_t kind, size, turned;
    bool had_reads; /* E: range.reads was not zero; it is in saved_reads */
    bool new_range; /* the range was made for it */
} past;

/* State of a range of bytes, or of an object that is not memory. */
typedef struct range {
    td_id reads;    /* sum of the shared operations since after */
    uint32_t after; /* index in pasts of the last exclusive operation, NONE */
    uint32_t next;  /* next range of the same granule, or NONE */
    uint32_t slot;  /* slot of its granule */
    uint8_t lo, n;  /* bytes of the granule */
} range;

typedef struct granule {
    uint64_t key;
    uint32_t generation; /* the entry is in use if this equals the namer's generation */
    uint32_t first;      /* range, NONE */
} granule;

typedef struct thread {
    td_id name;
    uint32_t last; /* index in pasts: last operation, or the CREATE; NONE: main's start */
} thread;

TD_VEC(past, past_vec);
TD_VEC(range, range_vec);
TD_VEC(thread, thread_vec);
TD_VEC(td_id, id_vec);

struct trc_namer {
    trc_module_vec modules;      /* the executable first */
    uint64_t others, others_end; /* all but the first are in this range */
    past_vec pasts;
    id_vec saved_reads;
    range_vec ranges;
    thread_vec threads;
    granule *slots; /* open addressing; 1 << bits of them */
    uint32_t bits;
    uint32_t n_granules; /* granules of this generation, empty ones included */
    uint32_t generation;
    bool is_split; /* some granule was split: the state cannot be taken back */
};

static_assert(sizeof(trc_event) == 80, "an event has no padding");

static_assert((int)GRANULE == WIRE_GRANULE, "an access of a whole granule is one range");
static_assert((SMALLEST & (SMALLEST - 1)) == 0, "slots are a power of two");

static td_id id_minus(td_id a, td_id b)
{
    return (td_id){a.lo - b.lo, a.hi - b.hi - (a.lo < b.lo)};
}

static td_id past_id(const trc_namer *n, uint32_t ix)
{
    TD_DASSERT(ix == NONE || ix < n->pasts.len);
    return ix == NONE ? (td_id){0} : n->pasts.at[ix].id;
}

/* ---- granules and ranges ---- */

static size_t slot_of(const trc_namer *n, uint64_t key)
{
    size_t mask = ((size_t)1 << n->bits) - 1;
    size_t i = (key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - n->bits);
    while (n->slots[i].generation == n->generation && n->slots[i].key != key)
        i = (i + 1) & mask;
    return i;
}

static void slots_move(trc_namer *n, const granule *from)
{
    size_t to = slot_of(n, from->key);
    n->slots[to] = *from;
    for (uint32_t r = from->first; r != NONE; r = n->ranges.at[r].next)
        n->ranges.at[r].slot = (uint32_t)to;
}

static void slots_grow(trc_namer *n)
{
    granule *old = n->slots;
    size_t n_old = (size_t)1 << n->bits;
    n->bits++;
    TD_ASSERT(n->bits < 32);
    n->slots = td_alloc(sizeof(granule) << n->bits);
    for (size_t i = 0; i < n_old; i++)
        if (old[i].generation == n->generation)
            slots_move(n, &old[i]);
    td_free(old);
}

/* Returns the granule of key; creates it if it is new. */
static size_t granule_at(trc_namer *n, uint64_t key)
{
    size_t i = slot_of(n, key);
    if (n->slots[i].generation == n->generation)
        return i;
    if (n->n_granules >= (UINT32_C(1) << n->bits) / 2) {
        slots_grow(n);
        i = slot_of(n, key);
    }
    TD_DASSERT(n->slots[i].generation != n->generation);
    n->slots[i] = (granule){key, n->generation, NONE};
    n->n_granules++;
    return i;
}

static uint32_t range_new(trc_namer *n, size_t slot, uint8_t lo, uint8_t size)
{
    TD_DASSERT(size > 0 && lo + size <= GRANULE);
    uint32_t ix = (uint32_t)n->ranges.len;
    range_vec_push(&n->ranges, (range){.after = NONE,
                                       .next = n->slots[slot].first,
                                       .slot = (uint32_t)slot,
                                       .lo = lo,
                                       .n = size});
    n->slots[slot].first = ix;
    return ix;
}

/* Memory and other objects have keys of their own. */
static uint64_t key_of(uint64_t address, bool is_memory)
{
    return address / GRANULE * 2 + is_memory;
}

/* Returns the range of exactly these bytes; creates it if no other range overlaps. NONE: the bytes must
 * be handled one by one. */
static uint32_t range_at(trc_namer *n, uint64_t address, uint8_t size, bool is_memory)
{
    uint8_t lo = address % GRANULE;
    if (lo + size > GRANULE)
        return NONE;
    size_t slot = granule_at(n, key_of(address, is_memory));
    bool overlaps = false;
    for (uint32_t ix = n->slots[slot].first; ix != NONE; ix = n->ranges.at[ix].next) {
        const range *r = &n->ranges.at[ix];
        if (r->lo == lo && r->n == size)
            return ix;
        overlaps |= r->lo < lo + size && lo < r->lo + r->n;
    }
    return overlaps ? NONE : range_new(n, slot, lo, size);
}

/* ---- one by one ---- */

/* The range of one byte; a larger one there is split, each part with its history. */
static uint32_t byte_at(trc_namer *n, uint64_t address)
{
    size_t slot = granule_at(n, key_of(address, true));
    uint8_t lo = address % GRANULE;
    for (uint32_t ix = n->slots[slot].first; ix != NONE; ix = n->ranges.at[ix].next) {
        range whole = n->ranges.at[ix];
        if (lo < whole.lo || lo >= whole.lo + whole.n)
            continue;
        for (uint8_t i = 1; i < whole.n; i++) {
            uint32_t part = range_new(n, slot, (uint8_t)(whole.lo + i), 1);
            n->ranges.at[part].after = whole.after;
            n->ranges.at[part].reads = whole.reads;
        }
        n->ranges.at[ix].n = 1;
        return whole.n == 1 || lo == whole.lo ? ix : byte_at(n, address);
    }
    return range_new(n, slot, lo, 1);
}

/* Dependence of an access whose bytes may have different histories. If all are equal this
 * is what a range of them would give. */
static void bytes_depend(const trc_namer *n, const uint32_t *bytes, uint8_t size,
                         mdl_effect effect, trc_event *e)
{
    TD_DASSERT(size > 0 && effect != MDL_EFFECT_N);
    td_id histories[2 * UINT8_MAX];
    size_t len = 0;
    bool equal = true;
    const range *first = &n->ranges.at[bytes[0]];
    for (uint8_t i = 0; i < size; i++) {
        const range *r = &n->ranges.at[bytes[i]];
        equal &= r->after == first->after;
        histories[len++] = past_id(n, r->after);
        if (effect == MDL_EFFECT_E) {
            equal &= td_id_equal(r->reads, first->reads);
            histories[len++] = r->reads;
        }
    }
    e->after = equal ? histories[0] : td_id_hash(histories, len * sizeof(td_id));
    e->reads = equal && effect == MDL_EFFECT_E ? first->reads : (td_id){0};
}

static td_id name_bytes(trc_namer *n, const trc_op *op, trc_event *e)
{
    TD_ASSERT(op->size > 0);
    n->is_split = true;
    uint32_t bytes[UINT8_MAX] = {0};
    for (uint8_t i = 0; i < op->size; i++)
        bytes[i] = byte_at(n, op->object + i);
    mdl_effect effect = mdl_effect_of(op->kind);
    bytes_depend(n, bytes, op->size, effect, e);
    td_id id = trc_event_id(e);
    for (uint8_t i = 0; i < op->size; i++) {
        range *r = &n->ranges.at[bytes[i]];
        if (effect == MDL_EFFECT_E)
            r->after = (uint32_t)n->pasts.len;
        if (!mdl_spins(op->kind))
            r->reads = effect == MDL_EFFECT_E ? (td_id){0} : td_id_sum(r->reads, id);
    }
    return id;
}

/* ---- one operation ---- */

static td_id name_shared(trc_namer *n, trc_event *e, past *p)
{
    TD_DASSERT(p->range < n->ranges.len);
    range *r = &n->ranges.at[p->range];
    e->after = past_id(n, r->after);
    p->after = r->after;
    td_id id = trc_event_id(e);
    r->reads = td_id_sum(r->reads, id);
    return id;
}

static td_id name_exclusive(trc_namer *n, trc_event *e, past *p)
{
    TD_DASSERT(p->range < n->ranges.len);
    range *r = &n->ranges.at[p->range];
    e->after = past_id(n, r->after);
    e->reads = r->reads;
    p->after = r->after;
    if (!td_id_zero(r->reads)) {
        p->had_reads = true;
        id_vec_push(&n->saved_reads, r->reads);
        r->reads = (td_id){0};
    }
    r->after = (uint32_t)n->pasts.len;
    return trc_event_id(e);
}

/* An undone operation does not change the state. */
static td_id name_spin(const trc_namer *n, trc_event *e, past *p)
{
    TD_DASSERT(p->range < n->ranges.len);
    p->after = n->ranges.at[p->range].after;
    e->after = past_id(n, p->after);
    return trc_event_id(e);
}

static td_id name_object(trc_namer *n, const trc_op *op, trc_event *e, past *p)
{
    bool is_memory = mdl_is_access(trc_turned(op));
    trc_event_object(n, op->object, e);
    size_t n_ranges = n->ranges.len;
    p->range = range_at(n, op->object, is_memory ? op->size : 1, is_memory);
    p->new_range = n->ranges.len > n_ranges;
    if (p->range == NONE) {
        p->after = TRC_MIXED;
        return name_bytes(n, op, e);
    }
    if (mdl_spins(op->kind))
        return name_spin(n, e, p);
    return mdl_effect_of(op->kind) == MDL_EFFECT_E ? name_exclusive(n, e, p)
                                                   : name_shared(n, e, p);
}

static td_id thread_name(td_id parent, uint64_t nth)
{
    struct {
        td_id parent;
        uint64_t nth;
    } parts = {parent, nth};
    return td_id_hash(&parts, sizeof parts);
}

static void name_op(trc_namer *n, const trc *t, const trc_op *op)
{
    uint32_t ix = (uint32_t)n->pasts.len;
    TD_DASSERT(op->thread < n->threads.len);
    thread *th = &n->threads.at[op->thread];
    past p = {.object = op->object,
              .value = op->value,
              .thread = op->thread,
              .before = th->last,
              .range = NONE,
              .after = NONE,
              .kind = op->kind,
              .size = op->size,
              .turned = op->turned};
    trc_event e = {.thread = th->name, .before = past_id(n, th->last), .kind = op->kind};
    if (!mdl_spins(op->kind))
        th->last = ix;
    if (mdl_effect_of(op->kind) != MDL_EFFECT_N) {
        p.id = name_object(n, op, &e, &p);
    } else {
        TD_DASSERT(!mdl_joins(op->kind) || op->value < n->threads.len);
        if (mdl_joins(op->kind))
            p.after = n->threads.at[op->value].last;
        if (mdl_decides(op->kind))
            trc_event_object(n, op->old, &e); /* it may be an address */
        e.after = past_id(n, p.after);
        p.id = trc_event_id(&e);
    }
    past_vec_push(&n->pasts, p);
    if (mdl_creates(op->kind)) {
        TD_ASSERT(op->value == n->threads.len && op->value < t->threads.len);
        thread made = {thread_name(e.thread, t->threads.at[op->value].nth), ix};
        thread_vec_push(&n->threads, made);
    }
}

/* ---- the run before ---- */

static void start_afresh(trc_namer *n)
{
    past_vec_clear(&n->pasts);
    id_vec_clear(&n->saved_reads);
    range_vec_clear(&n->ranges);
    thread_vec_clear(&n->threads);
    thread_vec_push(&n->threads, (thread){thread_name((td_id){0}, 0), NONE});
    n->n_granules = 0;
    n->is_split = false;
    if (++n->generation == 0) {
        memset(n->slots, 0, sizeof(granule) << n->bits);
        n->generation = 1;
    }
}

static void take_back(trc_namer *n)
{
    past p = past_vec_pop(&n->pasts);
    n->threads.at[p.thread].last = p.before;
    if (mdl_creates(p.kind))
        n->threads.len--;
    TD_DASSERT(n->threads.len > 0);
    if (p.range == NONE)
        return;
    range *r = &n->ranges.at[p.range];
    if (mdl_effect_of(p.kind) == MDL_EFFECT_E) {
        r->after = p.after;
        r->reads = p.had_reads ? id_vec_pop(&n->saved_reads) : (td_id){0};
    } else if (!mdl_spins(p.kind)) {
        r->reads = id_minus(r->reads, p.id);
    }
    if (p.new_range) {
        TD_DASSERT(p.range == n->ranges.len - 1 && n->slots[r->slot].first == p.range);
        n->slots[r->slot].first = r->next;
        n->ranges.len--;
    }
}

static bool same_op(const past *p, const trc_op *op)
{
    return p->kind == op->kind && p->size == op->size && p->thread == op->thread &&
           p->turned == op->turned && p->object == op->object && p->value == op->value;
}

/* The contribution of an operation to the name of the trace. */
static td_id counted(const trc_op *op)
{
    return mdl_spins(op->kind) ? (td_id){0} : op->id;
}

/* Copies the ids of the common prefix with the last run; returns its length. */
static size_t take_over(trc_namer *n, trc *t, td_id *sum)
{
    if (n->is_split || n->n_granules > STALE + 2 * n->ranges.len)
        start_afresh(n);
    size_t k = 0, max = n->pasts.len < t->ops.len ? n->pasts.len : t->ops.len;
    while (k < max && same_op(&n->pasts.at[k], &t->ops.at[k])) {
        t->ops.at[k].id = n->pasts.at[k].id;
        t->ops.at[k].after = n->pasts.at[k].after;
        *sum = td_id_sum(*sum, counted(&t->ops.at[k]));
        k++;
    }
    if (k == 0)
        start_afresh(n);
    TD_ASSERT(k <= n->pasts.len);
    while (n->pasts.len > k)
        take_back(n);
    return k;
}

/* With stores, an access depends only on the store that it reads; the order of stores contributes to the
 * name of the run, not to their ids. */
static td_id access_id(trc_namer *n, const trc *t, const trc_stores *s, uint32_t i)
{
    const trc_op *op = &t->ops.at[i];
    thread *th = &n->threads.at[op->thread];
    trc_event e = {.thread = th->name, .before = past_id(n, th->last), .kind = op->kind};
    trc_event_object(n, op->object, &e);
    e.after = past_id(n, s->from.at[i]);
    if (!mdl_spins(op->kind))
        th->last = i;
    past_vec_push(&n->pasts, (past){.id = trc_event_id(&e),
                                    .thread = op->thread,
                                    .range = NONE,
                                    .after = s->from.at[i],
                                    .kind = op->kind});
    return n->pasts.at[i].id;
}

/* Sums the pairs of consecutive stores of a location, for the name of the run. */
static td_id order_of(const trc *t, const trc_stores *s)
{
    td_id sum = {0};
    TD_ASSERT(s->rank.len == t->ops.len && s->location.len == t->ops.len);
    trc_u32_vec first = {0}, at = {0}; /* first: by location; at: operations by rank */
    for (size_t i = 0; i <= s->firsts.len; i++)
        trc_u32_vec_push(&first, 0);
    for (size_t i = 0; i < t->ops.len; i++)
        if (s->rank.at[i] > 0)
            first.at[s->location.at[i] + 1]++;
    for (size_t i = 0; i < s->firsts.len; i++)
        first.at[i + 1] += first.at[i];
    for (uint32_t i = 0; i < first.at[s->firsts.len]; i++)
        trc_u32_vec_push(&at, NONE);
    for (uint32_t i = 0; i < t->ops.len; i++)
        if (s->rank.at[i] > 0)
            at.at[first.at[s->location.at[i]] + s->rank.at[i] - 1] = i;
    for (size_t i = 1; i < at.len; i++) {
        if (s->location.at[at.at[i]] != s->location.at[at.at[i - 1]])
            continue;
        td_id pair[2] = {t->ops.at[at.at[i - 1]].id, t->ops.at[at.at[i]].id};
        sum = td_id_sum(sum, td_id_hash(pair, sizeof pair));
    }
    trc_u32_vec_fini(&first);
    trc_u32_vec_fini(&at);
    return sum;
}

static void identify_graph(trc *t, trc_namer *n)
{
    trc_stores s = {0};
    bool is = trc_stores_of(t, &s);
    start_afresh(n);
    t->sum = (td_id){0};
    for (uint32_t i = 0; i < t->ops.len; i++) {
        trc_op *op = &t->ops.at[i];
        if (is && s.location.at[i] != UINT32_MAX && !mdl_spins(op->kind))
            access_id(n, t, &s, i);
        else
            name_op(n, t, op);
        op->id = n->pasts.at[i].id;
        op->after = n->pasts.at[i].after;
        t->sum = td_id_sum(t->sum, counted(op));
    }
    if (is)
        t->sum = td_id_sum(t->sum, order_of(t, &s));
    for (size_t i = 0; i < t->threads.len && i < n->threads.len; i++)
        t->threads.at[i].name = n->threads.at[i].name;
    trc_stores_fini(&s);
    start_afresh(n);
}

void trc_identify(trc *t, trc_namer *n)
{
    if (t->has_stores) {
        identify_graph(t, n);
        return;
    }
    td_id sum = {0};
    for (size_t i = take_over(n, t, &sum); i < t->ops.len; i++) {
        name_op(n, t, &t->ops.at[i]);
        t->ops.at[i].id = n->pasts.at[i].id;
        t->ops.at[i].after = n->pasts.at[i].after;
        sum = td_id_sum(sum, counted(&t->ops.at[i]));
    }
    TD_ASSERT(n->pasts.len == t->ops.len);
    t->sum = sum;
    for (size_t i = 0; i < t->threads.len && i < n->threads.len; i++)
        t->threads.at[i].name = n->threads.at[i].name;
    TD_AUDIT(trc_valid(t, NULL, 0));
}

void trc_namer_forget(trc_namer *n)
{
    start_afresh(n);
}

trc_namer *trc_namer_new(const trc_module *modules, size_t n_modules)
{
    trc_namer *n = td_alloc(sizeof *n);
    n->others = UINT64_MAX;
    for (size_t i = 0; i < n_modules; i++) {
        const trc_module *m = &modules[i];
        TD_ASSERT(m->start <= m->end && m->name != 0);
        trc_module_vec_push(&n->modules, *m);
        if (i > 0 && m->start < n->others)
            n->others = m->start;
        if (i > 0 && m->end > n->others_end)
            n->others_end = m->end;
    }
    n->bits = (uint32_t)__builtin_ctz(SMALLEST);
    n->slots = td_alloc(sizeof(granule) << n->bits);
    start_afresh(n);
    return n;
}

trc_namer *trc_namer_like(const trc_namer *n)
{
    return trc_namer_new(n->modules.at, n->modules.len);
}

void trc_namer_free(trc_namer *n)
{
    if (!n)
        return;
    past_vec_fini(&n->pasts);
    id_vec_fini(&n->saved_reads);
    range_vec_fini(&n->ranges);
    thread_vec_fini(&n->threads);
    trc_module_vec_fini(&n->modules);
    td_free(n->slots);
    td_free(n);
}

td_id trc_event_id(const trc_event *e)
{
    return td_id_hash(e, sizeof *e);
}

static const trc_module *module_of(const trc_namer *n, uint64_t address)
{
    const trc_module *first = n->modules.at;
    if (n->modules.len > 0 && address >= first->start && address < first->end)
        return first;
    if (address < n->others || address >= n->others_end)
        return NULL;
    for (size_t i = 1; i < n->modules.len; i++)
        if (address >= n->modules.at[i].start && address < n->modules.at[i].end)
            return &n->modules.at[i];
    return NULL;
}

void trc_event_object(const trc_namer *n, uint64_t address, trc_event *e)
{
    const trc_module *m = module_of(n, address);
    e->module = m ? m->name : 0;
    e->object = address - (m ? m->start : 0);
}

bool trc_has(const trc *t, bool (*is)(uint8_t kind))
{
    for (size_t i = 0; i < t->ops.len; i++)
        if (is(t->ops.at[i].kind))
            return true;
    return false;
}
