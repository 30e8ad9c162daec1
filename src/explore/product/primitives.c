/* SPDX-License-Identifier: Apache-2.0 */
/* Locks and other objects of the library in a state of the product, as the runtime has them.
 *
 * Each object has two words:
 *   mutex: owner + 1; recursion depth
 *   read-write lock: writer + 1; number of readers
 *   once: thread that executes it; whether it is done
 *   semaphore: change of its count
 *   barrier: number of threads that arrived, set of waiting threads; threads that may leave
 *   condition variable: waiting threads, a byte each; marks of signals (runtime/core/queue.c) */
#include "explore/product/product_int.h"

#include "base/assert.h"

#define DEPTH_ONE (UINT64_C(1) << 32)
#define OWNER(word) ((uint32_t)(word))
#define WAS_RESET                                                                        \
    (UINT64_C(1) << 63) /* of the second word: what it is now is not known */

static void set(xpl_state *s, uint32_t object, uint32_t word, uint64_t value)
{
    uint32_t ix = object * XPL_OBJECT_WORDS + word;
    TD_ASSERT(ix < s->objects.len);
    xpl_state_note(s, XPL_UNDO_OBJECT, ix, s->objects.at[ix]);
    s->objects.at[ix] = value;
}

static uint64_t bit_of(uint32_t slot)
{
    TD_ASSERT(slot < XPL_MAX_SLOTS);
    return UINT64_C(1) << slot;
}

/* ---- threads that wait at a condition variable ---- */

typedef struct queue {
    uint32_t n, n_marks;
    uint8_t threads[XPL_MAX_QUEUE]; /* slot + 1 */
    uint8_t marks[XPL_MAX_QUEUE];
} queue;

static queue queue_of(const xpl_state *s, uint32_t object)
{
    queue q = {0};
    uint64_t threads = xpl_object_word(s, object, 0);
    uint64_t marks = xpl_object_word(s, object, 1) & ~WAS_RESET;
    for (; threads; threads >>= 8)
        q.threads[q.n++] = (uint8_t)threads;
    for (; marks; marks >>= 8)
        q.marks[q.n_marks++] = (uint8_t)marks;
    return q;
}

static void queue_put(xpl_state *s, uint32_t object, const queue *q)
{
    uint64_t threads = 0, marks = 0;
    for (uint32_t i = q->n; i-- > 0;)
        threads = threads << 8 | q->threads[i];
    for (uint32_t i = q->n_marks; i-- > 0;)
        marks = marks << 8 | q->marks[i];
    set(s, object, 0, threads);
    set(s, object, 1, marks);
}

static uint32_t place_in(const queue *q, uint32_t slot)
{
    uint32_t at = 0;
    while (at < q->n && q->threads[at] != slot + 1)
        at++;
    return at;
}

static void leave(queue *q, uint32_t at)
{
    uint32_t mark = 0, kept = 0;
    if (at == q->n)
        return;
    TD_ASSERT(q->n <= XPL_MAX_QUEUE && q->n_marks <= q->n);
    q->n--;
    memmove(&q->threads[at], &q->threads[at + 1], q->n - at);
    while (mark < q->n_marks && q->marks[mark] <= at)
        mark++;
    for (uint32_t i = 0; i < q->n_marks; i++)
        if (i != mark)
            q->marks[kept++] = (uint8_t)(q->marks[i] - (q->marks[i] > at));
    q->n_marks = kept;
}

static void do_cond(xpl_product *x, uint32_t slot, const xpl_node *n)
{
    queue q = queue_of(&x->state, n->object);
    switch (mdl_does(n->kind)) {
    case WIRE_DOES_SLEEP:
        x->n_objects += q.n == XPL_MAX_QUEUE;
        if (q.n < XPL_MAX_QUEUE)
            q.threads[q.n++] = (uint8_t)(slot + 1);
        break;
    case WIRE_DOES_WAKE:
        if (q.n_marks < q.n)
            q.marks[q.n_marks++] = (uint8_t)q.n;
        break;
    case WIRE_DOES_WAKE_ALL:
        for (q.n_marks = 0; q.n_marks < q.n; q.n_marks++)
            q.marks[q.n_marks] = (uint8_t)q.n;
        break;
    case WIRE_DOES_WOKEN:
        leave(&q, place_in(&q, slot));
        break;
    default:
        return;
    }
    queue_put(&x->state, n->object, &q);
}

/* ---- what an object knows of a thread, and of none ---- */

/* Half of the first word of a barrier: threads that have arrived. */
static uint64_t arrived(uint64_t first)
{
    return first >> 32;
}

uint64_t xpl_object_relation(const xpl_product *x, uint32_t object, uint32_t slot)
{
    uint64_t first = xpl_object_word(&x->state, object, 0);
    uint64_t second = xpl_object_word(&x->state, object, 1);
    queue q;
    switch (x->shapes.type_of.at[object]) {
    case WIRE_TYPE_MUTEX:
    case WIRE_TYPE_RWLOCK:
    case WIRE_TYPE_ONCE:
        return OWNER(first) == slot + 1;
    case WIRE_TYPE_BARRIER:
        return (arrived(first) >> slot & 1) | (second >> slot & 1) << 1;
    case WIRE_TYPE_COND:
        q = queue_of(&x->state, object);
        return place_in(&q, slot) < q.n ? place_in(&q, slot) + 1 : 0;
    case WIRE_TYPE_SEM:
    case XPL_TYPE_BLOCK:
        return 0;
    default: /* no thread is like another one for it, once it has changed */
        return first || second ? slot + 1 : 0;
    }
}

void xpl_object_put_rest(const xpl_product *x, uint32_t object, xpl_word_vec *v)
{
    uint64_t first = xpl_object_word(&x->state, object, 0);
    uint64_t second = xpl_object_word(&x->state, object, 1);
    uint64_t one = first, two = second;
    switch (x->shapes.type_of.at[object]) {
    case WIRE_TYPE_MUTEX:
    case WIRE_TYPE_RWLOCK:
    case WIRE_TYPE_ONCE:
        one = (first >> 32) << 1 | (OWNER(first) != 0);
        break;
    case WIRE_TYPE_BARRIER:
        one = OWNER(first);
        two = second & WAS_RESET;
        break;
    case WIRE_TYPE_COND:
        one = queue_of(&x->state, object).n;
        break;
    default:
        break;
    }
    xpl_word_vec_push(v, one);
    xpl_word_vec_push(v, two);
}

/* ---- what a thread finds ---- */

static bool is_woken(const xpl_state *s, uint32_t slot, const xpl_pending *p)
{
    queue q;
    switch (mdl_type_of(p->kind)) {
    case WIRE_TYPE_COND:
        q = queue_of(s, p->object);
        return q.n_marks > 0 && place_in(&q, slot) < q.marks[q.n_marks - 1];
    case WIRE_TYPE_BARRIER:
        return (xpl_object_word(s, p->object, 1) & bit_of(slot)) != 0;
    default: /* not followed here, and a gap */
        return true;
    }
}

/* The mutex is the thread's own: a recursive one is open to it, and runs tell which are. */
static bool is_own(const xpl_state *s, uint32_t slot, const xpl_pending *p)
{
    return mdl_type_of(p->kind) == WIRE_TYPE_MUTEX &&
           OWNER(xpl_object_word(s, p->object, 0)) == slot + 1;
}

static mdl_found find(const xpl_product *x, uint32_t slot, const xpl_pending *p)
{
    const xpl_state *s = &x->state;
    uint64_t first = xpl_object_word(s, p->object, 0);
    uint64_t second = xpl_object_word(s, p->object, 1) & ~WAS_RESET;
    mdl_found found = {.is_closed = OWNER(first) != 0,
                       .is_read = second > 0,
                       .is_over = second > 0,
                       .is_woken = is_woken(s, slot, p)};
    if (mdl_type_of(p->kind) == WIRE_TYPE_SEM)
        found.is_closed = x->forest.objects.at[p->object].count + first == 0;
    if (is_own(s, slot, p))
        found.is_closed = p->is_stuck && !p->is_known;
    return found;
}

bool xpl_object_waits(const xpl_product *x, uint32_t slot, const xpl_pending *p)
{
    mdl_found found = find(x, slot, p);
    return mdl_waits(p->kind, &found);
}

static bool is_last(const xpl_product *x, uint32_t object)
{
    const xpl_object *o = &x->forest.objects.at[object];
    TD_ASSERT(object < x->forest.objects.len);
    uint32_t come = OWNER(xpl_object_word(&x->state, object, 0));
    return o->is_known && come + 1 == o->count;
}

uint32_t xpl_object_outcome(const xpl_product *x, uint32_t slot, uint32_t first)
{
    const xpl_node *n = &x->forest.nodes.at[first];
    xpl_pending p = {.kind = mdl_asked_kind(n->kind),
                     .is_known = true,
                     .object = n->object};
    if (is_own(&x->state, slot, &p))
        return first;
    mdl_found found = find(x, slot, &p);
    uint8_t kind = mdl_fails(p.kind, &found) ? mdl_failed_kind(p.kind) : p.kind;
    bool last = mdl_arrives(kind) && is_last(x, n->object);
    uint32_t i = first;
    while (i != XPL_NONE &&
           (x->forest.nodes.at[i].kind != kind || x->forest.nodes.at[i].is_last != last))
        i = x->forest.nodes.at[i].next;
    return i;
}

/* ---- what it does ---- */

static void do_mutex(xpl_state *s, uint32_t slot, const xpl_node *n)
{
    uint64_t now = xpl_object_word(s, n->object, 0);
    if (mdl_locks_mutex(n->kind))
        set(s, n->object, 0, OWNER(now) == slot + 1 ? now + DEPTH_ONE : slot + 1u);
    else if (mdl_unlocks_mutex(n->kind) && OWNER(now) == slot + 1) /* else it is misuse */
        set(s, n->object, 0, now >= DEPTH_ONE ? now - DEPTH_ONE : 0);
}

static void do_lock(xpl_state *s, uint32_t slot, const xpl_node *n)
{
    uint64_t second = xpl_object_word(s, n->object, 1);
    switch (mdl_does(n->kind)) {
    case WIRE_DOES_TAKE:
        set(s, n->object, 0, slot + 1u);
        break;
    case WIRE_DOES_GIVE:
        set(s, n->object, 0, 0);
        break;
    case WIRE_DOES_FINISH:
        set(s, n->object, 0, 0);
        set(s, n->object, 1, 1);
        break;
    case WIRE_DOES_TAKE_READ:
        set(s, n->object, 1, second + 1);
        break;
    case WIRE_DOES_GIVE_READ:
        set(s, n->object, 1, second - (second > 0));
        break;
    default:
        break;
    }
}

static void do_barrier(xpl_state *s, uint32_t slot, const xpl_node *n)
{
    uint64_t come = xpl_object_word(s, n->object, 0);
    uint64_t may_go = xpl_object_word(s, n->object, 1);
    if (!mdl_arrives(n->kind)) {
        set(s, n->object, 1, may_go & ~bit_of(slot));
    } else if (n->is_last) {
        set(s, n->object, 0, 0);
        set(s, n->object, 1, may_go | come >> 32);
    } else {
        set(s, n->object, 0, (come + 1) | bit_of(slot) << 32);
    }
}

void xpl_object_do(xpl_product *x, uint32_t slot, const xpl_node *n)
{
    xpl_state *s = &x->state;
    uint64_t first = xpl_object_word(s, n->object, 0);
    uint64_t second = xpl_object_word(s, n->object, 1);
    x->n_objects += (second & WAS_RESET) && !mdl_resets(n->kind);
    switch (mdl_type_of(n->kind)) {
    case WIRE_TYPE_MUTEX:
        do_mutex(s, slot, n);
        break;
    case WIRE_TYPE_RWLOCK:
    case WIRE_TYPE_ONCE:
        do_lock(s, slot, n);
        break;
    case WIRE_TYPE_SEM:
        if (mdl_does(n->kind) == WIRE_DOES_UP)
            set(s, n->object, 0, first + 1);
        else if (mdl_does(n->kind) == WIRE_DOES_DOWN)
            set(s, n->object, 0, first - 1);
        break;
    case WIRE_TYPE_COND:
        do_cond(x, slot, n);
        break;
    case WIRE_TYPE_BARRIER:
        do_barrier(s, slot, n);
        break;
    default:
        if (mdl_resets(n->kind) && (first | second))
            set(s, n->object, 1, second | WAS_RESET);
        break;
    }
}

uint32_t xpl_object_holder(const xpl_state *s, const xpl_pending *p)
{
    uint32_t owner = OWNER(xpl_object_word(s, p->object, 0));
    return mdl_waits_for_mutex(p->kind) && owner > 0 ? owner - 1 : XPL_NONE;
}
