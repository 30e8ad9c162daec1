/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

#include <stdlib.h>

/* Configurations.
 *
 * Nothing about cones is stored in events. A question about a cone paints it: the members of
 * a configuration are entries of a small table, with what the rules of conflict ask for: the
 * exclusive event that follows a state, and how many of its reads are members. Whether
 * another event fits is then decided by a walk over those of its causes that are not members:
 *
 *   a cause does not fit if its thread already has an event at that depth, if its state is
 *   followed by another exclusive event, or if it is exclusive itself and a member has read
 *   its state that it does not name.
 *
 * The answers of a walk are kept until the configuration grows, so that asking for many
 * events costs one visit to each cause. */

/* A table of numbers; entries of an older stamp are free. Emptied in one step. */
typedef struct entry {
    uint32_t key, stamp;
    uint32_t a, b;
} entry;

typedef struct table {
    entry *at;
    uint32_t bits, len, stamp;
    bool drops_empty; /* an entry with a = b = 0 means the same as no entry */
} table;

static void table_init(table *t)
{
    *t = (table){.bits = 6, .stamp = 1};
    t->at = td_alloc(sizeof(entry) << t->bits);
}

static void table_clear(table *t)
{
    t->len = 0;
    if (++t->stamp == 0) {
        memset(t->at, 0, sizeof(entry) << t->bits);
        t->stamp = 1;
    }
}

static inline entry *table_slot(const table *t, uint32_t key)
{
    uint32_t mask = (UINT32_C(1) << t->bits) - 1;
    uint32_t i = (key * UINT32_C(0x9e3779b1)) >> (32 - t->bits);
    while (t->at[i].stamp == t->stamp && t->at[i].key != key)
        i = (i + 1) & mask;
    return &t->at[i];
}

static inline entry *table_find(const table *t, uint32_t key)
{
    entry *e = table_slot(t, key);
    return e->stamp == t->stamp ? e : NULL;
}

static bool is_kept(const table *t, const entry *e)
{
    return e->stamp == t->stamp && (!t->drops_empty || e->a || e->b);
}

/* Makes room. A table of which a search has cut off most, again and again, stays as large as it is. */
static void table_grow(table *t)
{
    table old = *t;
    size_t n = (size_t)1 << old.bits;
    t->len = 0;
    for (size_t i = 0; i < n; i++)
        t->len += is_kept(&old, &old.at[i]);
    t->bits += 4 * (size_t)t->len > n;
    TD_ASSERT(t->bits < 32);
    t->at = td_alloc(sizeof(entry) << t->bits);
    t->stamp = 1;
    for (size_t i = 0; i < n; i++)
        if (is_kept(&old, &old.at[i])) {
            entry *to = table_slot(t, old.at[i].key);
            *to = old.at[i];
            to->stamp = t->stamp;
        }
    td_free(old.at);
}

/* The entry of key, made with a = b = 0 if it is new. */
static entry *table_at(table *t, uint32_t key)
{
    entry *e = table_slot(t, key);
    if (e->stamp == t->stamp)
        return e;
    if (2 * (t->len + 1) > UINT32_C(1) << t->bits) {
        table_grow(t);
        e = table_slot(t, key);
    }
    t->len++;
    *e = (entry){key, t->stamp, 0, 0};
    return e;
}

typedef struct member {
    uint32_t event;
    uint32_t depth;  /* depth of its thread before it was added */
    uint32_t top;    /* last event of its thread before */
    uint32_t placed; /* state of its object before */
} member;

TD_VEC(member, member_vec);
TD_VEC(uint64_t, order_vec);

struct unf_cfg {
    unf *u;
    table events;  /* event -> a: the state that follows it, + 1; b: see below */
    table objects; /* object -> a: last state, + 1 */
    table answers; /* event -> a: ANSWER_*, b: walk */
    uint32_t walk;
    unf_vec depths; /* by thread */
    unf_vec tops;   /* likewise: last event */
    member_vec members;
    size_t n_ops; /* members that count in the depth of a run */
    unf_vec stack, visited;
    order_vec order;
    uint32_t cone; /* whose cone it is, UNF_NONE */
};

/* entry.b of an event: bit 0: it is a member; above: how many members have read it. */
enum { MEMBER = 1, READ = 2 };

enum { ANSWER_VISITED, ANSWER_FITS, ANSWER_NOT };

unf_cfg *unf_cfg_new(unf *u)
{
    unf_cfg *c = td_alloc(sizeof *c);
    c->u = u;
    table_init(&c->events);
    table_init(&c->objects);
    table_init(&c->answers);
    c->events.drops_empty = true;
    c->cone = UNF_NONE;
    return c;
}

void unf_cfg_free(unf_cfg *c)
{
    if (!c)
        return;
    td_free(c->events.at);
    td_free(c->objects.at);
    td_free(c->answers.at);
    unf_vec_fini(&c->depths);
    unf_vec_fini(&c->tops);
    member_vec_fini(&c->members);
    unf_vec_fini(&c->stack);
    unf_vec_fini(&c->visited);
    order_vec_fini(&c->order);
    td_free(c);
}

void unf_cfg_clear(unf_cfg *c)
{
    for (size_t i = 0; i < c->members.len; i++)
        c->depths.at[node_at(c->u, c->members.at[i].event)->thread] = 0;
    member_vec_clear(&c->members);
    c->n_ops = 0;
    table_clear(&c->events);
    table_clear(&c->objects);
    table_clear(&c->answers);
    c->cone = UNF_NONE;
}

unf *unf_cfg_of(const unf_cfg *c)
{
    return c->u;
}

size_t unf_cfg_len(const unf_cfg *c)
{
    return c->members.len;
}

/* The end of a thread, and what it decides, come with the operation before them. */
static bool is_counted(const unf_node *n)
{
    return n->kind < UNF_START && !mdl_ends(n->kind) && !mdl_decides(n->kind);
}

size_t unf_cfg_n_ops(const unf_cfg *c)
{
    TD_DASSERT(c->n_ops <= c->members.len);
    return c->n_ops;
}

uint32_t unf_cfg_at(const unf_cfg *c, size_t i)
{
    TD_DASSERT(i < c->members.len);
    return c->members.at[i].event;
}

/* Members of a table, not counting the roots of objects. */
static inline bool is_member(const unf_cfg *c, uint32_t event)
{
    const entry *e = table_find(&c->events, event);
    return e && (e->b & MEMBER);
}

bool unf_cfg_has(const unf_cfg *c, uint32_t event)
{
    return is_member(c, event) || node_at(c->u, event)->kind == UNF_ROOT;
}

uint32_t unf_cfg_depth(const unf_cfg *c, uint32_t thread)
{
    return thread < c->depths.len ? c->depths.at[thread] : 0;
}

uint32_t unf_cfg_top(const unf_cfg *c, uint32_t thread)
{
    return unf_cfg_depth(c, thread) > 0 ? c->tops.at[thread] : UNF_NONE;
}

uint32_t unf_cfg_n_reads(const unf_cfg *c, uint32_t state)
{
    const entry *e = table_find(&c->events, state);
    return e ? e->b / READ : 0;
}

static void know_thread(unf_cfg *c, uint32_t thread)
{
    while (c->depths.len <= thread) {
        unf_vec_push(&c->depths, 0);
        unf_vec_push(&c->tops, UNF_NONE);
    }
}

uint32_t unf_cfg_hold(unf_cfg *c, uint32_t thread)
{
    know_thread(c, thread);
    uint32_t depth = c->depths.at[thread];
    TD_ASSERT(depth != UINT32_MAX);    /* held once at most */
    c->depths.at[thread] = UINT32_MAX; /* there is an event at every depth */
    table_clear(&c->answers);
    return depth;
}

void unf_cfg_release(unf_cfg *c, uint32_t thread, uint32_t depth)
{
    TD_ASSERT(c->depths.at[thread] == UINT32_MAX && depth != UINT32_MAX);
    c->depths.at[thread] = depth;
    table_clear(&c->answers);
}

void unf_cfg_freeze(unf_cfg *c, uint32_t state)
{
    /* A read of it that no event names. */
    table_at(&c->events, state)->b += READ;
    table_clear(&c->answers);
}

void unf_cfg_thaw(unf_cfg *c, uint32_t state)
{
    entry *e = table_find(&c->events, state);
    TD_ASSERT(e && e->b >= READ);
    e->b -= READ;
    table_clear(&c->answers);
}

unf_state unf_cfg_state(unf_cfg *c, uint32_t object)
{
    TD_DASSERT(object < c->u->objects.len);
    const entry *e = table_find(&c->objects, object);
    return (unf_state){e && e->a ? e->a - 1 : c->u->objects.at[object].root};
}

/* ---- members ---- */

static void member_add(unf_cfg *c, uint32_t event)
{
    const unf_node *n = node_at(c->u, event);
    TD_DASSERT(n->kind != UNF_ROOT);
    know_thread(c, n->thread);
    TD_DASSERT(c->depths.at[n->thread] != UINT32_MAX); /* its thread is not held */
    member m = {.event = event,
                .depth = c->depths.at[n->thread],
                .top = c->tops.at[n->thread]};
    table_at(&c->events, event)->b |= MEMBER;
    if (n->depth > m.depth) {
        c->depths.at[n->thread] = n->depth;
        c->tops.at[n->thread] = event;
    }
    if (n->after != UNF_NONE) {
        entry *state = table_at(&c->events, n->after);
        if (node_is_state(n)) {
            TD_DASSERT(state->a == 0); /* else it does not fit */
            state->a = event + 1;
            entry *object = table_at(&c->objects, n->object);
            m.placed = object->a;
            if (event + 1 > object->a)
                object->a = event + 1;
        } else {
            state->b += READ;
        }
    }
    member_vec_push(&c->members, m);
    c->n_ops += is_counted(n);
}

void unf_cfg_cut(unf_cfg *c, size_t len)
{
    TD_ASSERT(len <= c->members.len);
    while (c->members.len > len) {
        member m = member_vec_pop(&c->members);
        const unf_node *n = node_at(c->u, m.event);
        c->n_ops -= is_counted(n);
        c->depths.at[n->thread] = m.depth;
        c->tops.at[n->thread] = m.top;
        table_find(&c->events, m.event)->b &= ~(uint32_t)MEMBER;
        if (n->after == UNF_NONE)
            continue;
        entry *state = table_find(&c->events, n->after);
        if (node_is_state(n)) {
            TD_DASSERT(state->a == m.event + 1);
            state->a = 0;
            table_find(&c->objects, n->object)->a = m.placed;
        } else {
            TD_DASSERT(state->b >= READ);
            state->b -= READ;
        }
    }
    table_clear(&c->answers);
    c->cone = UNF_NONE;
}

static void push_causes(const unf_cfg *c, const unf_node *n, unf_vec *stack)
{
    if (n->before != UNF_NONE)
        unf_vec_push(stack, n->before);
    if (n->after != UNF_NONE)
        unf_vec_push(stack, n->after);
    unf_vec_append(stack, node_reads(c->u, n), node_n_reads(c->u, n));
}

void unf_cfg_add(unf_cfg *c, uint32_t event)
{
    table_clear(&c->answers);
    c->cone = UNF_NONE;
    unf_vec_clear(&c->stack);
    unf_vec_push(&c->stack, event);
    while (c->stack.len > 0) {
        uint32_t next = unf_vec_pop(&c->stack);
        if (unf_cfg_has(c, next))
            continue;
        member_add(c, next);
        push_causes(c, node_at(c->u, next), &c->stack);
    }
}

void unf_cfg_cone(unf_cfg *c, uint32_t event)
{
    const unf_node *n = node_at(c->u, event);
    bool grows = c->cone != UNF_NONE && (c->cone == n->before || c->cone == n->after);
    if (c->cone == event)
        return;
    if (!grows)
        unf_cfg_clear(c);
    TD_DASSERT(!unf_cfg_has(c, event));
    unf_cfg_add(c, event);
    c->cone = event;
}

void unf_cfg_cone_again(unf_cfg *c, uint32_t event)
{
    TD_ASSERT(is_member(c, event) &&
              unf_cfg_top(c, node_at(c->u, event)->thread) == event);
    c->cone = event;
}

/* ---- does it fit? ---- */

static uint32_t n_inside(const unf_cfg *c, const unf_node *n)
{
    const uint32_t *reads = node_reads(c->u, n);
    uint32_t count = 0;
    for (uint32_t i = 0; i < node_n_reads(c->u, n); i++)
        count += unf_cfg_has(c, reads[i]);
    return count;
}

/* True if the event, which is not a member, conflicts with a member directly, apart from its causes. */
static bool clashes(const unf_cfg *c, const unf_node *n)
{
    if (unf_cfg_depth(c, n->thread) >= n->depth)
        return true;
    const entry *state = n->after == UNF_NONE ? NULL : table_find(&c->events, n->after);
    if (!state)
        return false;
    if (state->a)
        return true;
    return node_is_state(n) && state->b >= READ && n_inside(c, n) < state->b / READ;
}

bool unf_cfg_clashes(const unf_cfg *c, uint32_t event)
{
    const unf_node *n = node_at(c->u, event);
    return n->kind != UNF_ROOT && !is_member(c, event) && clashes(c, n);
}

/* Visits event in this walk. False: it does not fit. */
static bool visit(unf_cfg *c, uint32_t event)
{
    const unf_node *n = node_at(c->u, event);
    if (n->kind == UNF_ROOT || is_member(c, event))
        return true;
    entry *answer = table_at(&c->answers, event);
    if (answer->a == ANSWER_FITS || (answer->a == ANSWER_VISITED && answer->b == c->walk))
        return true;
    if (answer->a == ANSWER_NOT)
        return false;
    answer->b = c->walk;
    if (clashes(c, n)) {
        answer->a = ANSWER_NOT;
        return false;
    }
    unf_vec_push(&c->visited, event);
    push_causes(c, n, &c->stack);
    return true;
}

bool unf_cfg_fits(unf_cfg *c, uint32_t event)
{
    c->walk++;
    unf_vec_clear(&c->visited);
    unf_vec_clear(&c->stack);
    unf_vec_push(&c->stack, event);
    bool fits = true;
    while (fits && c->stack.len > 0)
        fits = visit(c, unf_vec_pop(&c->stack));
    if (fits)
        for (size_t i = 0; i < c->visited.len; i++)
            table_at(&c->answers, c->visited.at[i])->a = ANSWER_FITS;
    else
        table_at(&c->answers, event)->a = ANSWER_NOT;
    return fits;
}

bool unf_cfg_free_at(unf_cfg *c, uint32_t history)
{
    const unf_node *n = node_at(c->u, history);
    if (is_member(c, history))
        return unf_cfg_depth(c, n->thread) == n->depth;
    return unf_cfg_fits(c, history);
}

/* ---- two events ---- */

bool unf_before(unf *u, uint32_t a, uint32_t b)
{
    unf_cfg *c = unf_cfg_new(u);
    unf_cfg_add(c, b);
    bool has = unf_cfg_has(c, a);
    unf_cfg_free(c);
    return has;
}

bool unf_conflict(unf *u, uint32_t a, uint32_t b)
{
    unf_cfg *c = unf_cfg_new(u);
    unf_cfg_add(c, a);
    bool fits = unf_cfg_fits(c, b);
    unf_cfg_free(c);
    return !fits;
}

bool unf_concurrent(unf *u, uint32_t a, uint32_t b)
{
    return !unf_conflict(u, a, b) && !unf_before(u, a, b) && !unf_before(u, b, a);
}

/* ---- the run of a configuration ---- */

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint32_t noted(const unf_cfg *c, uint32_t event)
{
    const entry *e = event == UNF_NONE ? NULL : table_find(&c->answers, event);
    return e ? e->a : 0;
}

/* How many atomic sections an event comes after. Nothing happens in the middle of one, so a
 * section starts when all is done that does not come after it. A probe may change its state,
 * so it comes after all that may read it. What ends the run is last. */
enum { AFTER_READS = 1 << 20, AFTER_ALL = 1 << 30 };
static_assert(AFTER_READS < AFTER_ALL && AFTER_ALL > 0, "levels are ordered");

/* entry.b of an answer while levels are found. */
enum { LATE = 1 };
static uint32_t level_find(unf_cfg *c, uint32_t event)
{
    const unf_node *n = node_at(c->u, event);
    const uint32_t *reads = node_reads(c->u, n);
    uint32_t level = noted(c, n->before), other = noted(c, n->after);
    level = other > level ? other : level;
    for (uint32_t i = 0; i < node_n_reads(c->u, n); i++) {
        other = noted(c, reads[i]);
        level = other > level ? other : level;
    }
    if (mdl_enters_section(n->kind))
        level++;
    TD_DASSERT((level & ~(uint32_t)AFTER_ALL) < AFTER_READS);
    if (n->status == UNF_TARGET && (n->flags & NODE_PROBE))
        level += AFTER_READS;
    const entry *own = table_find(&c->answers, event);
    if ((n->flags & NODE_LAST) || (own && own->b == LATE))
        level |= AFTER_ALL;
    if (level > 0)
        table_at(&c->answers, event)->a = level;
    return level;
}

/* A decision comes right after the operation before it, or with the creation of its thread:
 * if it ends the run, they are last. */
static void find_late(unf_cfg *c)
{
    for (size_t i = 0; i < c->members.len; i++) {
        const unf_node *n = node_at(c->u, c->members.at[i].event);
        if (!mdl_decides(n->kind) || !(n->flags & NODE_LAST))
            continue;
        uint32_t base = unf_base_of(c->u, n->before);
        if (node_at(c->u, base)->kind == UNF_START)
            base = node_at(c->u, base)->before;
        if (base != UNF_NONE)
            table_at(&c->answers, base)->b = LATE;
    }
}

/* Members by level and number, as level << 32 | number. */
static void put_in_order(unf_cfg *c)
{
    order_vec_clear(&c->order);
    for (size_t i = 0; i < c->members.len; i++)
        order_vec_push(&c->order, c->members.at[i].event);
    if (c->order.len < 2)
        return;
    qsort(c->order.at, c->order.len, sizeof c->order.at[0], compare_numbers);
    table_clear(&c->answers);
    find_late(c);
    bool levels = false;
    for (size_t i = 0; i < c->order.len; i++) {
        uint64_t level = level_find(c, (uint32_t)c->order.at[i]);
        c->order.at[i] |= level << 32;
        levels |= level > 0;
    }
    table_clear(&c->answers);
    if (levels)
        qsort(c->order.at, c->order.len, sizeof c->order.at[0], compare_numbers);
}

/* True if the operation is forced. For a target its position decides. */
static bool is_forced(const unf *u, const unf_node *n)
{
    return (n->flags & NODE_FORCED) || mdl_decides(n->kind) ||
           (node_at(u, n->before)->flags & (NODE_INSIDE | NODE_LAST));
}

static void add_silent(const unf_silent *silent, const unf_node *n, uint32_t number,
                       trc_step_vec *out)
{
    if (!silent || n->kind >= UNF_START)
        return;
    for (uint32_t left = silent->count(silent->self, n->before); left > 0; left--)
        trc_step_add(out, number);
}

void unf_cfg_schedule(unf_cfg *c, trc_step_vec *out)
{
    unf_cfg_schedule_with(c, NULL, out);
}

uint32_t unf_cfg_number(const unf_cfg *c, uint32_t thread)
{
    return thread < c->visited.len ? c->visited.at[thread] : UNF_NONE;
}

void unf_cfg_schedule_with(unf_cfg *c, const unf_silent *silent, trc_step_vec *out)
{
    put_in_order(c);
    /* Threads are numbered in the order of their creation in the run to come. */
    unf_vec *numbers = &c->visited;
    unf_vec_clear(numbers);
    uint32_t n_threads = 1;
    trc_step_vec_clear(out);
    for (size_t i = 0; i < c->order.len; i++) {
        const unf_node *n = node_at(c->u, (uint32_t)c->order.at[i]);
        while (numbers->len <= n->thread)
            unf_vec_push(numbers, UNF_NONE);
        if (n->kind == UNF_START)
            numbers->at[n->thread] = n->before == UNF_NONE ? 0 : noted(c, n->before);
        TD_ASSERT(numbers->at[n->thread] != UNF_NONE); /* it was created before */
        add_silent(silent, n, numbers->at[n->thread], out);
        if (n->kind < UNF_START && !is_forced(c->u, n))
            trc_step_add(out, numbers->at[n->thread]);
        if (mdl_creates(n->kind))
            table_at(&c->answers, (uint32_t)c->order.at[i])->a = n_threads++;
    }
    table_clear(&c->answers);
}
