/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/races/visibility.h"

#include "base/assert.h"
#include "base/spans.h"

/* Keeps each distinct access of all runs: reads that affect control flow, and writes. An access has its
 * thread, the number of threads that this one had created, and the threads that it had joined. These
 * suffice to decide across runs whether a create or a join orders two accesses. */

#define NONE UINT32_MAX

TD_VEC(uint64_t, list_vec);

typedef struct list {
    uint32_t first, n; /* in numbers */
} list;

typedef struct access {
    uint64_t start, end;
    uint32_t thread;    /* index in threads */
    uint32_t n_created; /* number of threads that it had created */
    uint32_t joined;    /* list of the threads that it had joined */
    uint32_t held;      /* list of the mutexes it held; reads only */
    bool is_write;
} access;

typedef struct known_thread {
    td_id name;
    uint32_t parent, nth;  /* main: NONE */
    bool races_after_join; /* what it does after a join may race */
} known_thread;

TD_VEC(list, lists_vec);
TD_VEC(access, access_vec);
TD_VEC(known_thread, known_thread_vec);

struct xpl_visibility {
    bool all;
    bool grew;         /* since the last question */
    td_id_set objects; /* visible ones that are not memory */
    td_bytes memory;   /* visible */
    td_bytes used;     /* read by uses, shared or not */
    known_thread_vec threads;
    list_vec numbers;
    lists_vec lists; /* [0] is empty */
    access_vec uses, touches;
    access_vec after_joins;                   /* touches after a join */
    td_spans by_use, by_touch, by_after_join; /* the same by their bytes */
    access_vec
        /* Lifetimes of mutexes: initialised and destroyed (a write), locked and unlocked. */
        lifetimes;
    td_id_set known; /* accesses */
};

xpl_visibility *xpl_visibility_new(void)
{
    xpl_visibility *a = td_alloc(sizeof *a);
    lists_vec_push(&a->lists, (list){0});
    return a;
}

void xpl_visibility_free(xpl_visibility *a)
{
    if (!a)
        return;
    td_id_set_fini(&a->objects);
    td_bytes_fini(&a->memory);
    td_bytes_fini(&a->used);
    known_thread_vec_fini(&a->threads);
    list_vec_fini(&a->numbers);
    lists_vec_fini(&a->lists);
    access_vec_fini(&a->uses);
    access_vec_fini(&a->touches);
    access_vec_fini(&a->after_joins);
    td_spans_fini(&a->by_use);
    td_spans_fini(&a->by_touch);
    td_spans_fini(&a->by_after_join);
    access_vec_fini(&a->lifetimes);
    td_id_set_fini(&a->known);
    td_free(a);
}

/* ---- what is visible ---- */

static td_id object_id(uint64_t object)
{
    return td_id_hash(&object, sizeof object);
}

static void show_object(xpl_visibility *a, uint64_t object)
{
    a->grew |= td_id_set_add(&a->objects, object_id(object));
}

static void show_bytes(xpl_visibility *a, uint64_t start, uint64_t end)
{
    a->grew |= td_bytes_add(&a->memory, start, end);
}

static bool is_mutex_kind(uint8_t kind)
{
    return mdl_waits_for_mutex(kind) || mdl_unlocks_mutex(kind) || mdl_resets(kind);
}

static bool is_access_kind(uint8_t kind)
{
    return mdl_type_of(kind) == WIRE_TYPE_MEMORY && !mdl_is_exchange(kind);
}

static bool is_hidden(const xpl_visibility *a, uint8_t kind, uint64_t object,
                      uint32_t size)
{
    if (a->all)
        return false;
    if (is_mutex_kind(kind))
        return !td_id_set_has(&a->objects, object_id(object));
    return is_access_kind(kind) && !td_bytes_meet(&a->memory, object, object + size);
}

void xpl_visibility_hidden(const xpl_visibility *a, const trc *t, bool *hidden,
                           bool *next_hidden)
{
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        hidden[i] = is_hidden(a, op->kind, op->object, op->size);
    }
    for (size_t i = 0; i < t->nexts.len; i++) {
        const trc_next *next = &t->nexts.at[i];
        next_hidden[i] = is_hidden(a, next->kind, next->object, next->size);
    }
}

bool xpl_visibility_is_used(const xpl_visibility *a, uint64_t start, uint64_t end)
{
    return a->all || td_bytes_meet(&a->used, start, end);
}

bool xpl_visibility_all(xpl_visibility *a)
{
    bool was = a->all;
    a->all = true;
    return !was;
}

/* ---- where things happen ---- */

static uint32_t list_of(xpl_visibility *a, const list_vec *v)
{
    for (uint32_t i = 0; i < a->lists.len; i++) {
        list l = a->lists.at[i];
        if (l.n == v->len && (l.n == 0 || memcmp(&a->numbers.at[l.first], v->at,
                                                 l.n * sizeof v->at[0]) == 0))
            return i;
    }
    lists_vec_push(&a->lists, (list){(uint32_t)a->numbers.len, (uint32_t)v->len});
    list_vec_append(&a->numbers, v->at, v->len);
    return (uint32_t)a->lists.len - 1;
}

static bool list_has(const xpl_visibility *a, uint32_t ix, uint64_t number)
{
    TD_ASSERT(ix < a->lists.len);
    list l = a->lists.at[ix];
    for (uint32_t i = 0; i < l.n; i++)
        if (a->numbers.at[l.first + i] == number)
            return true;
    return false;
}

static uint32_t thread_named(xpl_visibility *a, const trc *t, uint32_t thread)
{
    TD_ASSERT(thread < t->threads.len);
    const trc_thread *who = &t->threads.at[thread];
    for (uint32_t i = 0; i < a->threads.len; i++)
        if (td_id_equal(a->threads.at[i].name, who->name))
            return i;
    known_thread p = {.name = who->name, .parent = NONE, .nth = NONE};
    if (thread != 0) {
        TD_ASSERT(who->parent < thread); /* otherwise the recursion does not terminate */
        p.parent = thread_named(a, t, who->parent);
        p.nth = who->nth;
    }
    known_thread_vec_push(&a->threads, p);
    return (uint32_t)a->threads.len - 1;
}

/* True if x precedes the creation of the thread or of one of its ancestors. */
static bool is_before_creation(const xpl_visibility *a, const access *x, uint32_t thread)
{
    for (; a->threads.at[thread].parent != NONE; thread = a->threads.at[thread].parent)
        if (a->threads.at[thread].parent == x->thread &&
            x->n_created <= a->threads.at[thread].nth)
            return true;
    return false;
}

static bool are_ordered(const xpl_visibility *a, const access *x, const access *y)
{
    return x->thread == y->thread || is_before_creation(a, x, y->thread) ||
           is_before_creation(a, y, x->thread) || list_has(a, x->joined, y->thread) ||
           list_has(a, y->joined, x->thread);
}

/* ---- accesses ---- */

static bool may_race(const xpl_visibility *a, const access *x, const access *y)
{
    return (x->is_write || y->is_write) && x->start < y->end && y->start < x->end &&
           !are_ordered(a, x, y);
}

static void compare(xpl_visibility *a, const access *use, const access *write)
{
    if (!may_race(a, use, write))
        return;
    show_bytes(a, use->start, use->end);
    TD_ASSERT(use->held < a->lists.len);
    list held = a->lists.at[use->held];
    for (uint32_t i = 0; i < held.n; i++)
        show_object(a, a->numbers.at[held.first + i]);
}

static void compare_after_join(xpl_visibility *a, const access *after_join,
                               const access *touch)
{
    known_thread *p = &a->threads.at[after_join->thread];
    if (p->races_after_join || !may_race(a, after_join, touch))
        return;
    p->races_after_join = true;
    a->grew = true;
}

static bool is_known(xpl_visibility *a, const access *f, bool is_use)
{
    uint64_t parts[5] = {f->start, f->end, (uint64_t)f->thread << 32 | f->n_created,
                         (uint64_t)f->joined << 32 | f->held,
                         (uint64_t)f->is_write << 1 | is_use};
    return !td_id_set_add(&a->known, td_id_hash(parts, sizeof parts));
}

static void access_add(access_vec *v, td_spans *by, const access *f)
{
    td_spans_add(by, f->start, f->end, (uint32_t)v->len);
    access_vec_push(v, *f);
}

static void add_use(xpl_visibility *a, const access *use)
{
    if (is_known(a, use, true))
        return;
    td_bytes_add(&a->used, use->start, use->end);
    access_add(&a->uses, &a->by_use, use);
    td_spans_find f = {.start = use->start, .end = use->end};
    for (const td_span *s; (s = td_spans_next(&a->by_touch, &f)) != NULL;)
        compare(a, use, &a->touches.at[s->number]);
}

static void add_touch(xpl_visibility *a, const access *touch)
{
    TD_ASSERT(touch->held == 0);
    if (is_known(a, touch, false))
        return;
    const td_spans_find all = {.start = touch->start, .end = touch->end};
    const td_span *s;
    access_add(&a->touches, &a->by_touch, touch);
    for (td_spans_find f = all; (s = td_spans_next(&a->by_use, &f)) != NULL;)
        compare(a, &a->uses.at[s->number], touch);
    for (td_spans_find f = all; (s = td_spans_next(&a->by_after_join, &f)) != NULL;)
        compare_after_join(a, &a->after_joins.at[s->number], touch);
    if (touch->joined == 0)
        return;
    access_add(&a->after_joins, &a->by_after_join, touch);
    for (td_spans_find f = all; (s = td_spans_next(&a->by_touch, &f)) != NULL;)
        compare_after_join(a, touch, &a->touches.at[s->number]);
}

/* A thread that uses a mutex that is not made yet, or destroys one in use, ends the run: the order of such
 * two matters. */
static void add_lifetime(xpl_visibility *a, const access *lifetime)
{
    access f = *lifetime;
    f.held = NONE; /* no list: another kind of access */
    if (is_known(a, &f, false))
        return;
    for (size_t i = 0; i < a->lifetimes.len; i++)
        if (may_race(a, lifetime, &a->lifetimes.at[i]))
            show_object(a, lifetime->start);
    access_vec_push(&a->lifetimes, *lifetime);
}

/* ---- a run ---- */

/* A thread after one of its operations. */
typedef struct stage {
    uint32_t op; /* it is this one; the start: NONE */
    uint32_t n_created, joined, held;
} stage;
TD_VEC(stage, stage_vec);

typedef struct run_thread {
    uint32_t known_thread;
    /* Mutexes, in the order in which they were taken; one twice if so taken. */
    list_vec held;
    list_vec joined;
    stage_vec stages;
} run_thread;

typedef struct reader {
    xpl_visibility *a;
    const trc *t;
    run_thread *threads; /* by thread of the run */
} reader;

static void reader_init(reader *r, xpl_visibility *a, const trc *t)
{
    *r = (reader){a, t, td_alloc(t->threads.len * sizeof *r->threads)};
    for (uint32_t i = 0; i < t->threads.len; i++) {
        r->threads[i].known_thread = thread_named(a, t, i);
        stage_vec_push(&r->threads[i].stages, (stage){.op = NONE});
    }
}

static void reader_fini(reader *r)
{
    for (size_t i = 0; i < r->t->threads.len; i++) {
        list_vec_fini(&r->threads[i].held);
        list_vec_fini(&r->threads[i].joined);
        stage_vec_fini(&r->threads[i].stages);
    }
    td_free(r->threads);
}

static void give(list_vec *held, uint64_t mutex)
{
    for (size_t i = held->len; i-- > 0;)
        if (held->at[i] == mutex) {
            memmove(&held->at[i], &held->at[i + 1],
                    (held->len - i - 1) * sizeof held->at[0]);
            held->len--;
            return;
        }
}

/* Mutexes that are held at a visible operation have it in their section. */
static void show_held(reader *r, const trc_op *op)
{
    const list_vec *held = &r->threads[op->thread].held;
    if (is_hidden(r->a, op->kind, op->object, op->size))
        return;
    for (size_t i = 0; i < held->len; i++)
        show_object(r->a, held->at[i]);
}

static void read_op(reader *r, uint32_t i)
{
    const trc_op *op = &r->t->ops.at[i];
    run_thread *x = &r->threads[op->thread];
    stage s = x->stages.at[x->stages.len - 1];
    s.op = i;
    if (mdl_unlocks_mutex(op->kind))
        give(&x->held, op->object);
    show_held(r, op);
    if (mdl_locks_mutex(op->kind))
        list_vec_push(&x->held, op->object);
    if (mdl_joins(op->kind))
        list_vec_push(&x->joined, r->threads[op->value].known_thread);
    s.n_created += mdl_creates(op->kind);
    if (mdl_locks_mutex(op->kind) || mdl_unlocks_mutex(op->kind))
        s.held = list_of(r->a, &x->held);
    if (mdl_joins(op->kind))
        s.joined = list_of(r->a, &x->joined);
    stage_vec_push(&x->stages, s);
}

/* What a thread does after so many operations of the run, as an access to these bytes. */
static access access_at(const reader *r, uint32_t thread, uint32_t n_ops, uint64_t start,
                        uint64_t end)
{
    TD_ASSERT(thread < r->t->threads.len && start <= end);
    const stage_vec *v = &r->threads[thread].stages;
    size_t lo = 1, hi = v->len; /* first stage with an operation that had not been */
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (v->at[mid].op < n_ops)
            lo = mid + 1;
        else
            hi = mid;
    }
    const stage *s = &v->at[lo - 1];
    return (access){.start = start,
                    .end = end,
                    .thread = r->threads[thread].known_thread,
                    .n_created = s->n_created,
                    .joined = s->joined,
                    .held = s->held};
}

static void read_facts(reader *r)
{
    const trc *t = r->t;
    for (size_t i = 0; i < t->uses.len; i++) {
        const trc_use *u = &t->uses.at[i];
        access f = access_at(r, u->thread, u->before_op, u->start, u->end);
        add_use(r->a, &f);
    }
    for (size_t i = 0; i < t->touches.len; i++) {
        const trc_touch *x = &t->touches.at[i];
        access f = access_at(r, x->thread, x->before_op, x->start, x->end);
        f.held = 0;
        f.is_write = x->how == WIRE_TOUCH_WRITE || x->how == WIRE_TOUCH_FREES;
        add_touch(r->a, &f);
    }
    for (uint32_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        bool is_life = is_mutex_kind(op->kind);
        if (!mdl_is_access(op->kind) && !is_life)
            continue;
        access f = access_at(r, op->thread, i, op->object,
                             op->object + (is_life ? 1 : op->size));
        f.held = 0;
        f.is_write =
            is_life ? mdl_resets(op->kind) : mdl_effect_of(op->kind) == MDL_EFFECT_E;
        (is_life ? add_lifetime : add_touch)(r->a, &f);
    }
}

/* What is always visible makes its object or its bytes so. */
static void show_kind(xpl_visibility *a, uint8_t kind, uint64_t object, uint32_t size)
{
    if (kind == WIRE_NONE || is_mutex_kind(kind) || is_access_kind(kind))
        return;
    if (mdl_is_access(kind))
        show_bytes(a, object, object + (size ? size : 1));
    else if (mdl_effect_of(kind) != MDL_EFFECT_N)
        show_object(a, object);
}

/* What a loop waits for counts as used, whatever it is. */
static void show_op(xpl_visibility *a, const trc_op *op)
{
    if (!mdl_spins(op->kind))
        show_kind(a, op->kind, op->object, op->size);
    else if (mdl_is_access(trc_turned(op)))
        show_bytes(a, op->object, op->object + op->size);
    else
        show_object(a, op->object);
}

static void read_kinds(xpl_visibility *a, const trc *t)
{
    for (size_t i = 0; i < t->ops.len; i++)
        show_op(a, &t->ops.at[i]);
    for (size_t i = 0; i < t->nexts.len; i++)
        show_kind(a, t->nexts.at[i].kind, t->nexts.at[i].object, t->nexts.at[i].size);
    for (size_t i = 0; i < t->waits.len; i++)
        if (t->waits.at[i].kind != 0)
            show_object(a, t->waits.at[i].object);
}

/* The thread that ends the run by what it does after its last operation: others can come before
 * that operation, not after it. */
static void show_last(xpl_visibility *a, const trc *t)
{
    for (uint32_t i = 0; i < t->threads.len; i++) {
        bool goes_on = t->threads.at[i].end_op != UINT32_MAX;
        for (size_t k = 0; k < t->nexts.len; k++)
            goes_on |= t->nexts.at[k].thread == i;
        const trc_op *last = NULL;
        for (size_t k = t->ops.len; !goes_on && !last && k-- > 0;)
            if (t->ops.at[k].thread == i)
                last = &t->ops.at[k];
        if (last && is_access_kind(last->kind))
            show_bytes(a, last->object, last->object + last->size);
        else if (last && is_mutex_kind(last->kind))
            show_object(a, last->object);
    }
}

bool xpl_visibility_learn(xpl_visibility *a, const trc *t)
{
    bool grew = t->n_dropped > 0 && xpl_visibility_all(a);
    if (a->all)
        return grew;
    do {
        a->grew = false;
        read_kinds(a, t);
        show_last(a, t);
        reader r;
        reader_init(&r, a, t);
        for (uint32_t i = 0; i < t->ops.len; i++)
            read_op(&r, i);
        read_facts(&r);
        reader_fini(&r);
        grew |= a->grew;
    } while (a->grew);
    return grew;
}

static bool races_after_join(const xpl_visibility *a, td_id name)
{
    for (size_t i = 0; i < a->threads.len; i++)
        if (td_id_equal(a->threads.at[i].name, name))
            return a->threads.at[i].races_after_join;
    return true;
}

void xpl_visibility_blind(const xpl_visibility *a, trc *t)
{
    size_t n = 0;
    if (a->all)
        return;
    for (size_t i = 0; i < t->touches.len; i++) {
        const trc_touch *x = &t->touches.at[i];
        if (x->how != WIRE_TOUCH_READ || td_bytes_meet(&a->used, x->start, x->end))
            t->touches.at[n++] = *x;
    }
    t->touches.len = n;
    for (size_t i = 0; i < t->ops.len; i++) {
        trc_op *op = &t->ops.at[i];
        op->flags &= (uint8_t)~WIRE_F_SAW;
        if (mdl_joins(op->kind) && races_after_join(a, t->threads.at[op->thread].name))
            op->flags |= WIRE_JOIN_FETCHED;
    }
}
