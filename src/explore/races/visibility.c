/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/races/visibility.h"

#include "base/assert.h"
#include "base/spans.h"

/* Uses and writes of all runs are kept as facts, each once, with where they happened: which
 * thread, how many threads it had created, whom it had joined. That is enough to see, across
 * runs, whether creating or joining orders two of them. */

#define NONE UINT32_MAX

TD_VEC(uint64_t, list_vec);

typedef struct list {
    uint32_t first, n; /* in numbers */
} list;

typedef struct fact {
    uint64_t start, end;
    uint32_t thread;    /* in threads */
    uint32_t n_created; /* threads that it had created */
    uint32_t joined;    /* list of threads */
    uint32_t held;      /* of a use: list of mutexes */
    bool is_write;
} fact;

typedef struct person {
    td_id name;
    uint32_t parent, nth; /* main: NONE */
    bool looks;           /* what it does after a join may race */
} person;

TD_VEC(list, lists_vec);
TD_VEC(fact, fact_vec);
TD_VEC(person, person_vec);

struct xpl_visibility {
    bool all;
    bool grew;         /* since the last question */
    td_id_set objects; /* visible ones that are not memory */
    td_bytes memory;   /* visible */
    td_bytes used;     /* read by uses, shared or not */
    person_vec threads;
    list_vec numbers;
    lists_vec lists; /* [0] is empty */
    fact_vec uses, touches;
    fact_vec laters;                     /* touches after a join */
    td_spans by_use, by_touch, by_later; /* the same by their bytes */
    fact_vec lives;  /* of mutexes: made and destroyed (a write), locked and unlocked */
    td_id_set known; /* facts */
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
    person_vec_fini(&a->threads);
    list_vec_fini(&a->numbers);
    lists_vec_fini(&a->lists);
    fact_vec_fini(&a->uses);
    fact_vec_fini(&a->touches);
    fact_vec_fini(&a->laters);
    td_spans_fini(&a->by_use);
    td_spans_fini(&a->by_touch);
    td_spans_fini(&a->by_later);
    fact_vec_fini(&a->lives);
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

static uint32_t person_of(xpl_visibility *a, const trc *t, uint32_t thread)
{
    TD_ASSERT(thread < t->threads.len);
    const trc_thread *who = &t->threads.at[thread];
    for (uint32_t i = 0; i < a->threads.len; i++)
        if (td_id_equal(a->threads.at[i].name, who->name))
            return i;
    person p = {.name = who->name, .parent = NONE, .nth = NONE};
    if (thread != 0) {
        TD_ASSERT(who->parent < thread); /* otherwise the recursion does not terminate */
        p.parent = person_of(a, t, who->parent);
        p.nth = who->nth;
    }
    person_vec_push(&a->threads, p);
    return (uint32_t)a->threads.len - 1;
}

/* True if x precedes the creation of the thread or of one of its ancestors. */
static bool is_before_creation(const xpl_visibility *a, const fact *x, uint32_t thread)
{
    for (; a->threads.at[thread].parent != NONE; thread = a->threads.at[thread].parent)
        if (a->threads.at[thread].parent == x->thread &&
            x->n_created <= a->threads.at[thread].nth)
            return true;
    return false;
}

static bool are_ordered(const xpl_visibility *a, const fact *x, const fact *y)
{
    return x->thread == y->thread || is_before_creation(a, x, y->thread) ||
           is_before_creation(a, y, x->thread) || list_has(a, x->joined, y->thread) ||
           list_has(a, y->joined, x->thread);
}

/* ---- facts ---- */

static bool may_meet(const xpl_visibility *a, const fact *x, const fact *y)
{
    return (x->is_write || y->is_write) && x->start < y->end && y->start < x->end &&
           !are_ordered(a, x, y);
}

static void meet(xpl_visibility *a, const fact *use, const fact *write)
{
    if (!may_meet(a, use, write))
        return;
    show_bytes(a, use->start, use->end);
    TD_ASSERT(use->held < a->lists.len);
    list held = a->lists.at[use->held];
    for (uint32_t i = 0; i < held.n; i++)
        show_object(a, a->numbers.at[held.first + i]);
}

static void look(xpl_visibility *a, const fact *later, const fact *touch)
{
    person *p = &a->threads.at[later->thread];
    if (p->looks || !may_meet(a, later, touch))
        return;
    p->looks = true;
    a->grew = true;
}

static bool is_known(xpl_visibility *a, const fact *f, bool is_use)
{
    uint64_t parts[5] = {f->start, f->end, (uint64_t)f->thread << 32 | f->n_created,
                         (uint64_t)f->joined << 32 | f->held,
                         (uint64_t)f->is_write << 1 | is_use};
    return !td_id_set_add(&a->known, td_id_hash(parts, sizeof parts));
}

static void fact_add(fact_vec *v, td_spans *by, const fact *f)
{
    td_spans_add(by, f->start, f->end, (uint32_t)v->len);
    fact_vec_push(v, *f);
}

static void add_use(xpl_visibility *a, const fact *use)
{
    if (is_known(a, use, true))
        return;
    td_bytes_add(&a->used, use->start, use->end);
    fact_add(&a->uses, &a->by_use, use);
    td_spans_find f = {.start = use->start, .end = use->end};
    for (const td_span *s; (s = td_spans_next(&a->by_touch, &f)) != NULL;)
        meet(a, use, &a->touches.at[s->number]);
}

static void add_touch(xpl_visibility *a, const fact *touch)
{
    TD_ASSERT(touch->held == 0);
    if (is_known(a, touch, false))
        return;
    const td_spans_find all = {.start = touch->start, .end = touch->end};
    const td_span *s;
    fact_add(&a->touches, &a->by_touch, touch);
    for (td_spans_find f = all; (s = td_spans_next(&a->by_use, &f)) != NULL;)
        meet(a, &a->uses.at[s->number], touch);
    for (td_spans_find f = all; (s = td_spans_next(&a->by_later, &f)) != NULL;)
        look(a, &a->laters.at[s->number], touch);
    if (touch->joined == 0)
        return;
    fact_add(&a->laters, &a->by_later, touch);
    for (td_spans_find f = all; (s = td_spans_next(&a->by_touch, &f)) != NULL;)
        look(a, touch, &a->touches.at[s->number]);
}

/* A thread that uses a mutex that is not made yet, or destroys one in use, ends the run: the order of such
 * two matters. */
static void add_life(xpl_visibility *a, const fact *life)
{
    fact f = *life;
    f.held = NONE; /* no list: another kind of fact */
    if (is_known(a, &f, false))
        return;
    for (size_t i = 0; i < a->lives.len; i++)
        if (may_meet(a, life, &a->lives.at[i]))
            show_object(a, life->start);
    fact_vec_push(&a->lives, *life);
}

/* ---- a run ---- */

/* A thread after one of its operations. */
typedef struct stage {
    uint32_t op; /* it is this one; the start: NONE */
    uint32_t n_created, joined, held;
} stage;
TD_VEC(stage, stage_vec);

typedef struct actor {
    uint32_t person;
    list_vec
        held; /* mutexes, in the order in which they were taken; one twice if so taken */
    list_vec joined;
    stage_vec stages;
} actor;

typedef struct reader {
    xpl_visibility *a;
    const trc *t;
    actor *actors; /* by thread of the run */
} reader;

static void reader_init(reader *r, xpl_visibility *a, const trc *t)
{
    *r = (reader){a, t, td_alloc(t->threads.len * sizeof *r->actors)};
    for (uint32_t i = 0; i < t->threads.len; i++) {
        r->actors[i].person = person_of(a, t, i);
        stage_vec_push(&r->actors[i].stages, (stage){.op = NONE});
    }
}

static void reader_fini(reader *r)
{
    for (size_t i = 0; i < r->t->threads.len; i++) {
        list_vec_fini(&r->actors[i].held);
        list_vec_fini(&r->actors[i].joined);
        stage_vec_fini(&r->actors[i].stages);
    }
    td_free(r->actors);
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
    const list_vec *held = &r->actors[op->thread].held;
    if (is_hidden(r->a, op->kind, op->object, op->size))
        return;
    for (size_t i = 0; i < held->len; i++)
        show_object(r->a, held->at[i]);
}

static void read_op(reader *r, uint32_t i)
{
    const trc_op *op = &r->t->ops.at[i];
    actor *x = &r->actors[op->thread];
    stage s = x->stages.at[x->stages.len - 1];
    s.op = i;
    if (mdl_unlocks_mutex(op->kind))
        give(&x->held, op->object);
    show_held(r, op);
    if (mdl_locks_mutex(op->kind))
        list_vec_push(&x->held, op->object);
    if (mdl_joins(op->kind))
        list_vec_push(&x->joined, r->actors[op->value].person);
    s.n_created += mdl_creates(op->kind);
    if (mdl_locks_mutex(op->kind) || mdl_unlocks_mutex(op->kind))
        s.held = list_of(r->a, &x->held);
    if (mdl_joins(op->kind))
        s.joined = list_of(r->a, &x->joined);
    stage_vec_push(&x->stages, s);
}

/* What a thread does after so many operations of the run, as a fact about these bytes. */
static fact fact_at(const reader *r, uint32_t thread, uint32_t n_ops, uint64_t start,
                    uint64_t end)
{
    TD_ASSERT(thread < r->t->threads.len && start <= end);
    const stage_vec *v = &r->actors[thread].stages;
    size_t lo = 1, hi = v->len; /* first stage with an operation that had not been */
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (v->at[mid].op < n_ops)
            lo = mid + 1;
        else
            hi = mid;
    }
    const stage *s = &v->at[lo - 1];
    return (fact){.start = start,
                  .end = end,
                  .thread = r->actors[thread].person,
                  .n_created = s->n_created,
                  .joined = s->joined,
                  .held = s->held};
}

static void read_facts(reader *r)
{
    const trc *t = r->t;
    for (size_t i = 0; i < t->uses.len; i++) {
        const trc_use *u = &t->uses.at[i];
        fact f = fact_at(r, u->thread, u->before_op, u->start, u->end);
        add_use(r->a, &f);
    }
    for (size_t i = 0; i < t->touches.len; i++) {
        const trc_touch *x = &t->touches.at[i];
        fact f = fact_at(r, x->thread, x->before_op, x->start, x->end);
        f.held = 0;
        f.is_write = x->how == WIRE_TOUCH_WRITE || x->how == WIRE_TOUCH_FREES;
        add_touch(r->a, &f);
    }
    for (uint32_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        bool is_life = is_mutex_kind(op->kind);
        if (!mdl_is_access(op->kind) && !is_life)
            continue;
        fact f =
            fact_at(r, op->thread, i, op->object, op->object + (is_life ? 1 : op->size));
        f.held = 0;
        f.is_write =
            is_life ? mdl_resets(op->kind) : mdl_effect_of(op->kind) == MDL_EFFECT_E;
        (is_life ? add_life : add_touch)(r->a, &f);
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

static bool looks(const xpl_visibility *a, td_id name)
{
    for (size_t i = 0; i < a->threads.len; i++)
        if (td_id_equal(a->threads.at[i].name, name))
            return a->threads.at[i].looks;
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
        if (mdl_joins(op->kind) && looks(a, t->threads.at[op->thread].name))
            op->flags |= WIRE_JOIN_FETCHED;
    }
}
