/* SPDX-License-Identifier: Apache-2.0 */
/* States that differ only in which of several threads is where have the same key.
 *
 * The shape of a spot without names says what is known behind it, as seen by its thread: own reads by their number, and of the
 * threads that it joins only where it does. A mark is a thread's name in what is known behind a spot: which places of that
 * tree it is named at. Threads that name no other thread, and that nothing else names, can be exchanged if
 * shape, marks, values and what objects know of them are the same.
 *
 * Threads that are joined one after the other, with nothing between, can be joined in any order: nothing but the last
 * of these joins lets anybody continue. Whoever has ended by then is as good as joined.
 *
 * Ways that come back to a spot have no such shape, so threads in endless loops are never exchanged. */
#include "explore/product/product_int.h"

#include <stdlib.h>

#include "base/assert.h"

enum {
    AS_INPUT = 1,
    AS_OWN,
    AS_OTHERS,
    AS_LEAF,
    AS_NODE,
    AS_JOINS,
    AS_CREATED,
    AS_ROUND,
    AS_SPOT
};

#define MEMBER UINT64_C(0x9e3779b97f4a7c15) /* mark of a thread that is joined at once */

void xpl_alikes_fini(xpl_alikes *a)
{
    xpl_shape_vec_fini(&a->shape);
    xpl_word_vec_fini(&a->marks);
    xpl_word_vec_fini(&a->names);
    xpl_word_vec_fini(&a->joins);
    xpl_map_fini(&a->expression_of);
    xpl_shape_vec_fini(&a->expressions);
    xpl_word_vec_fini(&a->named);
    exp_ref_vec_fini(&a->todo);
    xpl_word_vec_fini(&a->words);
    xpl_shape_vec_fini(&a->ids);
}

static td_id hash_of(uint64_t what, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t words[4] = {what, a, b, c};
    return td_id_hash(words, sizeof words);
}

/* ---- expressions, as a thread sees them ---- */

uint32_t xpl_reader_of(const xpl_shapes *s, uint32_t variable)
{
    bool is_read = variable < s->f->reads.len && s->f->reads.at[variable] != XPL_NONE;
    return is_read ? s->slot_of.at[s->f->readers.at[variable]] : XPL_NONE;
}

static td_id variable_for(const xpl_shapes *s, uint32_t variable, uint32_t slot)
{
    uint32_t reader = xpl_reader_of(s, variable);
    if (reader == XPL_NONE)
        return hash_of(AS_INPUT, variable, 0, 0);
    return hash_of(reader == slot ? AS_OWN : AS_OTHERS, s->f->reads.at[variable],
                   reader == slot ? 0 : reader, 0);
}

uint64_t xpl_variable_rank(const xpl_shapes *s, uint32_t variable, uint32_t slot)
{
    uint32_t reader = xpl_reader_of(s, variable);
    if (reader == XPL_NONE)
        return UINT64_C(2) << 40 | variable;
    uint64_t nth = s->f->reads.at[variable];
    return reader == slot ? nth : UINT64_C(1) << 40 | (uint64_t)reader << 32 | nth;
}

static uint64_t key_of(exp_ref e, uint32_t slot)
{
    return (uint64_t)e.ix << 8 | slot;
}

/* The operands are known. */
static void know_expression(xpl_shapes *s, exp_ref e, uint32_t slot)
{
    xpl_alikes *a = &s->alikes;
    const exp_dag *d = pth_dag(s->f->path);
    exp_node n = exp_at(d, e);
    uint64_t names = 0;
    td_u128 value = 0;
    td_id words[5] = {{n.op, (uint64_t)n.width << 8 | n.aux}};
    if (n.op == EXP_INPUT) {
        uint32_t reader = xpl_reader_of(s, n.number);
        words[1] = variable_for(s, n.number, slot);
        names = reader == XPL_NONE || reader == slot ? 0 : UINT64_C(1) << reader;
    }
    if (n.op == EXP_CONST) {
        exp_is_const(d, e, &value);
        words[1] = (td_id){(uint64_t)value, (uint64_t)(value >> 64)};
    }
    for (int i = 0; i < n.n_args; i++) {
        uint32_t of = xpl_map_get(&a->expression_of, key_of(n.arg[i], slot));
        words[2 + i] = a->expressions.at[of];
        names |= a->named.at[of];
    }
    xpl_map_set(&a->expression_of, key_of(e, slot), (uint32_t)a->expressions.len);
    xpl_shape_vec_push(&a->expressions, td_id_hash(words, sizeof words));
    xpl_word_vec_push(&a->named, names);
}

/* Adds the other threads that have read something in it to *names. */
static td_id expression_for(xpl_shapes *s, exp_ref root, uint32_t slot, uint64_t *names)
{
    xpl_alikes *a = &s->alikes;
    if (!root.ix)
        return (td_id){0};
    exp_ref_vec_push(&a->todo, root);
    while (a->todo.len > 0) {
        exp_ref e = a->todo.at[a->todo.len - 1];
        exp_node n = exp_at(pth_dag(s->f->path), e);
        size_t before = a->todo.len;
        for (int i = 0; i < n.n_args; i++)
            if (xpl_map_get(&a->expression_of, key_of(n.arg[i], slot)) == XPL_NONE)
                exp_ref_vec_push(&a->todo, n.arg[i]);
        if (a->todo.len > before)
            continue;
        if (xpl_map_get(&a->expression_of, key_of(e, slot)) == XPL_NONE)
            know_expression(s, e, slot);
        a->todo.len--;
    }
    uint32_t of = xpl_map_get(&a->expression_of, key_of(root, slot));
    *names |= a->named.at[of];
    return a->expressions.at[of];
}

/* ---- what is known behind a spot ---- */

static uint64_t *marks_at(const xpl_shapes *s, uint32_t ix)
{
    return s->alikes.marks.at + (size_t)ix * s->n_slots;
}

/* What the node does, and what is known behind it. */
static td_id shape_of_step(xpl_shapes *s, uint32_t node, uint32_t slot, uint64_t *names)
{
    const xpl_node *n = &s->f->nodes.at[node];
    bool has_result = mdl_ends(n->kind);
    bool is_needed =
        has_result ? s->alikes.fetches : n->place == XPL_NONE || s->matters.at[n->place];
    uint32_t ix = xpl_spot_ix(s, node);
    struct {
        td_id behind, condition, written, variable, created, blocks;
        uint32_t as, kind, size, flags, site, place, object, created_slot;
    } words = {.behind = s->alikes.shape.at[ix],
               .condition = expression_for(s, s->conditions.at[node], slot, names),
               .blocks = xpl_blocks_shape(s, node),
               .as = AS_NODE,
               .kind = n->kind,
               .size = n->size,
               .flags = (uint32_t)n->is_choice | (uint32_t)n->is_closed << 1 |
                        (uint32_t)n->is_last << 2 | (uint32_t)n->is_outcome << 3 |
                        (uint32_t)n->is_slot << 4 | (uint32_t)n->is_fatal << 5 |
                        (uint32_t)(n->written.ix != 0) << 6,
               .site = n->site,
               .place = n->place,
               .object = n->object,
               .created_slot = XPL_NONE};
    *names |= s->alikes.names.at[ix];
    if (is_needed)
        words.written = expression_for(s, n->written, slot, names);
    if (n->variable != XPL_NONE)
        words.variable = variable_for(s, n->variable, slot);
    if (mdl_creates(n->kind)) {
        uint32_t created = s->ix_of_tree.at[n->other];
        words.created = s->alikes.shape.at[created];
        words.created_slot = s->slot_of.at[n->other];
        *names |= s->alikes.names.at[created];
    }
    return td_id_hash(&words, sizeof words);
}

/* Where threads are named behind the node. */
static void add_marks(xpl_shapes *s, uint64_t *to, uint32_t node, td_id step)
{
    const xpl_node *n = &s->f->nodes.at[node];
    const uint64_t *behind = marks_at(s, xpl_spot_ix(s, node)), *created = NULL;
    if (mdl_creates(n->kind))
        created = marks_at(s, s->ix_of_tree.at[n->other]);
    for (uint32_t i = 0; i < s->n_slots; i++) {
        bool is_joined = mdl_joins(n->kind) && s->slot_of.at[n->other] == i;
        if (behind[i] || is_joined)
            to[i] += hash_of(AS_NODE, step.lo, behind[i], is_joined).lo;
        if (created && created[i])
            to[i] += hash_of(AS_CREATED, step.lo, created[i], 0).lo;
    }
}

/* What the thread reads in a round that it waits in decides whether it goes on. */
static td_id shape_of_round(xpl_shapes *s, uint32_t spot, uint32_t n_ops, uint32_t slot,
                            uint64_t *names)
{
    td_id shape = {0};
    for (uint32_t i = spot; n_ops > 0 && i != XPL_NONE; i = s->f->nodes.at[i].before) {
        const xpl_node *n = &s->f->nodes.at[i];
        td_id words[4] = {shape, hash_of(AS_ROUND, n->kind, n->place, n->is_choice)};
        if (n->variable != XPL_NONE)
            words[2] = variable_for(s, n->variable, slot);
        words[3] = expression_for(s, n->written, slot, names);
        shape = td_id_hash(words, sizeof words);
        n_ops -= n->is_choice;
    }
    return shape;
}

/* Nothing is known behind the spot but what the thread waits to do there. */
static td_id shape_of_leaf(const xpl_pending *p)
{
    uint32_t words[8] = {
        AS_LEAF,       p->kind,     p->never && !p->has_failed && !mdl_exits(p->kind),
        p->has_failed, p->is_stuck, p->object,
        p->place,      p->site};
    if (words[2]) /* it has ended, wherever that was */
        memset(&words[3], 0, sizeof words - 3 * sizeof words[0]);
    if (words[2])
        words[1] = 0;
    return td_id_hash(words, sizeof words);
}

/* The only thing that follows is that another thread is joined, and its result is not asked for. */
static bool is_plain_join(const xpl_shapes *s, uint32_t first)
{
    const xpl_node *n = first == XPL_NONE ? NULL : &s->f->nodes.at[first];
    return n && mdl_joins(n->kind) && n->next == XPL_NONE && n->variable == XPL_NONE &&
           n->question == XPL_NONE && n->jump == XPL_NONE && !n->is_fatal;
}

/* Joins one after the other: as if they were one. */
static void find_joins(xpl_shapes *s, uint32_t ix, uint32_t first)
{
    xpl_alikes *a = &s->alikes;
    uint32_t behind = xpl_spot_ix(s, first);
    uint32_t joined = s->slot_of.at[s->f->nodes.at[first].other];
    bool goes_on = a->joins.at[behind] != 0;
    a->joins.at[ix] = a->joins.at[behind] | UINT64_C(1) << joined;
    a->names.at[ix] = a->names.at[behind];
    td_id last = a->shape.at[behind];
    a->shape.at[ix] = goes_on ? last : hash_of(AS_JOINS, last.lo, last.hi, 0);
    const uint64_t *from = marks_at(s, behind);
    uint64_t *to = marks_at(s, ix);
    for (uint32_t i = 0; i < s->n_slots; i++)
        to[i] = goes_on || !from[i] ? from[i] : hash_of(AS_JOINS, from[i], 0, 0).lo;
    to[joined] += MEMBER;
}

void xpl_alike_find(xpl_shapes *s, uint32_t spot)
{
    xpl_alikes *a = &s->alikes;
    uint32_t ix = xpl_spot_ix(s, spot);
    const xpl_pending *p = &s->pending.at[ix];
    uint32_t first = p->never ? XPL_NONE : xpl_first_behind(s->f, spot);
    uint32_t slot = s->slot_of.at[xpl_spot_tree(s, spot)];
    uint32_t n_ops = xpl_map_get(&s->idle_of, spot);
    uint64_t *marks = marks_at(s, ix);
    memset(marks, 0, s->n_slots * sizeof *marks);
    a->joins.at[ix] = a->names.at[ix] = 0;
    td_id blocks = xpl_blocks_shape(s, spot);
    bool is_plain = (blocks.lo | blocks.hi) == 0 && n_ops == XPL_NONE;
    if (is_plain && is_plain_join(s, first)) {
        find_joins(s, ix, first);
        return;
    }
    td_id shape = blocks;
    uint64_t names = 0;
    if (first == XPL_NONE) {
        shape = td_id_sum(shape, shape_of_leaf(p));
        if (!p->never && p->other != XPL_NONE)
            marks[p->other] = hash_of(AS_LEAF, 0, 0, 0).lo;
    }
    for (uint32_t i = first; i != XPL_NONE; i = s->f->nodes.at[i].next) {
        td_id step = shape_of_step(s, i, slot, &names);
        shape = td_id_sum(shape, step);
        add_marks(s, marks, i, step);
    }
    if (n_ops != XPL_NONE)
        shape = td_id_sum(shape, shape_of_round(s, spot, n_ops, slot, &names));
    a->shape.at[ix] = shape;
    a->names.at[ix] = names;
}

void xpl_alike_unknown(xpl_shapes *s, uint32_t ix)
{
    s->alikes.shape.at[ix] = hash_of(AS_SPOT, ix, s->n_takes, 0);
    memset(marks_at(s, ix), 0, s->n_slots * sizeof(uint64_t));
    s->alikes.joins.at[ix] = s->alikes.names.at[ix] = 0;
}

/* ---- the key of a state ---- */

static bool has_ended(const xpl_product *x, uint32_t slot)
{
    uint32_t spot = x->state.at.at[slot];
    return spot != XPL_NOWHERE && !(spot & XPL_START) &&
           mdl_ends(x->forest.nodes.at[spot].kind);
}

/* Where the thread in one slot names the one in the other. */
static uint64_t mark_of(const xpl_product *x, uint32_t slot, uint32_t other)
{
    const xpl_shapes *h = &x->shapes;
    uint32_t ix = xpl_spot_ix(h, x->state.at.at[slot]);
    uint64_t mark = marks_at(h, ix)[other];
    bool is_joined = h->alikes.joins.at[ix] >> other & 1;
    return is_joined && has_ended(x, other) ? mark - MEMBER : mark;
}

/* Slots whose threads may not be exchanged. */
static uint64_t pinned(const xpl_product *x)
{
    const xpl_shapes *h = &x->shapes;
    uint64_t pins = 0;
    for (uint32_t i = 0; i < x->state.at.len; i++) {
        if (x->state.at.at[i] == XPL_NOWHERE)
            continue;
        uint32_t ix = xpl_spot_ix(h, x->state.at.at[i]);
        const uint64_t *marks = marks_at(h, ix);
        bool names_any = false;
        for (uint32_t k = 0; k < h->n_slots && !names_any; k++)
            names_any = marks[k] != 0;
        pins |= (names_any ? UINT64_C(1) << i : 0) | h->alikes.names.at[ix] |
                h->fetched.at[ix];
    }
    return pins;
}

static void put(xpl_word_vec *v, uint64_t word)
{
    xpl_word_vec_push(v, word);
}

static bool has_thing(const uint64_t *set, uint32_t thing)
{
    return set[thing / 64] >> thing % 64 & 1;
}

static td_id id_of_thread(xpl_product *x, uint32_t slot, uint64_t pins,
                          const uint64_t *things)
{
    const xpl_shapes *h = &x->shapes;
    const xpl_state *s = &x->state;
    xpl_word_vec *v = &x->shapes.alikes.words;
    uint32_t ix = xpl_spot_ix(h, s->at.at[slot]);
    xpl_word_vec_clear(v);
    put(v, h->alikes.shape.at[ix].lo);
    put(v, h->alikes.shape.at[ix].hi);
    for (uint32_t i = h->live_first.at[ix]; i < h->live_end.at[ix]; i++)
        put(v, (uint64_t)s->env.at[h->live.at[i]] ^ (uint64_t)s->chosen.at[h->live.at[i]]
                                                        << 63);
    for (uint32_t i = 0; i < h->n_objects; i++)
        if (has_thing(things, xpl_thing_of_object(i)))
            put(v, xpl_object_relation(x, i, slot));
    for (uint64_t left = pins; left; left &= left - 1) {
        uint32_t by = (uint32_t)__builtin_ctzll(left);
        put(v, s->at.at[by] == XPL_NOWHERE ? 0 : mark_of(x, by, slot));
    }
    return td_id_hash(v->at, v->len * sizeof v->at[0]);
}

static int by_id(const void *a, const void *b)
{
    const td_id *x = a, *y = b;
    if (x->hi != y->hi)
        return x->hi < y->hi ? -1 : 1;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

/* What pinned threads know of threads that do not exist yet. */
static void put_absent(const xpl_product *x, uint64_t pins, uint32_t slot,
                       xpl_word_vec *v)
{
    for (uint64_t left = pins; left; left &= left - 1) {
        uint32_t by = (uint32_t)__builtin_ctzll(left);
        if (x->state.at.at[by] != XPL_NOWHERE)
            put(v,
                marks_at(&x->shapes, xpl_spot_ix(&x->shapes, x->state.at.at[by]))[slot]);
    }
}

void xpl_alike_put_threads(xpl_product *x, const uint64_t *things, xpl_word_vec *v)
{
    xpl_shape_vec *free_ones = &x->shapes.alikes.ids;
    uint64_t pins = pinned(x);
    xpl_shape_vec_clear(free_ones);
    put(v, pins);
    for (uint32_t i = 0; i < x->state.at.len; i++) {
        bool is_there = x->state.at.at[i] != XPL_NOWHERE;
        put(v, is_there);
        if (!is_there) {
            put_absent(x, pins, i, v);
            continue;
        }
        td_id id = id_of_thread(x, i, pins, things);
        if (pins >> i & 1) {
            put(v, id.lo);
            put(v, id.hi);
        } else {
            xpl_shape_vec_push(free_ones, id);
        }
    }
    if (free_ones->len > 1)
        qsort(free_ones->at, free_ones->len, sizeof free_ones->at[0], by_id);
    for (size_t i = 0; i < free_ones->len; i++) {
        put(v, free_ones->at[i].lo);
        put(v, free_ones->at[i].hi);
    }
}
