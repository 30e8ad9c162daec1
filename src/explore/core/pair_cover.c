/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/pair_cover.h"

#include "base/assert.h"

enum { MAX_OBJECTS = 1 << 16 };

void xpl_pair_cover_fini(xpl_pair_cover *c)
{
    xpl_place_pair_vec_fini(&c->pairs);
    xpl_cover_map_fini(&c->numbers);
    xpl_met_object_vec_fini(&c->objects);
    xpl_cover_map_fini(&c->object_numbers);
    xpl_pair_number_vec_fini(&c->news);
    xpl_pair_number_vec_fini(&c->run);
}

/* ---- pairs ---- */

static uint32_t place_of(const trc *t, const trc_op *op)
{
    TD_ASSERT(op->thread < t->threads.len || t->threads.len == 0);
    bool is_main = op->thread == 0 || t->threads.len == 0;
    return wire_place(op->site, is_main ? 0 : t->threads.at[op->thread].start);
}

/* Returns the number of the pair, from 1 on, which is added if it is new; 0 if there are too many. */
static uint32_t number_of(xpl_pair_cover *c, uint32_t from, uint32_t to)
{
    uint64_t key = (uint64_t)from << 32 | to;
    const uint32_t *known = xpl_cover_map_find(&c->numbers, key);
    if (known)
        return *known;
    if (c->pairs.len >= XPL_MAX_PAIRS)
        return 0;
    xpl_place_pair_vec_push(&c->pairs, (xpl_place_pair){.from = from, .to = to});
    *xpl_cover_map_at(&c->numbers, key) = (uint32_t)c->pairs.len;
    return (uint32_t)c->pairs.len;
}

static void cover(xpl_pair_cover *c, uint32_t from, uint32_t to)
{
    uint32_t number = number_of(c, from, to);
    if (number == 0)
        return;
    xpl_place_pair *pair = &c->pairs.at[number - 1];
    if (pair->n_runs > 0 && pair->last_run == c->n_runs)
        return;
    if (pair->n_runs == 0) {
        c->n_covered++;
        xpl_pair_number_vec_push(&c->news, number - 1);
    }
    TD_ASSERT(c->n_covered <= c->pairs.len); /* (P2) */
    pair->n_runs++;
    pair->last_run = c->n_runs;
    xpl_pair_number_vec_push(&c->run, number - 1);
}

bool xpl_pair_cover_put(xpl_pair_cover *c, const xpl_place_pair *pair)
{
    TD_ASSERT(pair->n_runs <= c->n_runs && pair->last_run <= c->n_runs);
    size_t n_before = c->pairs.len;
    uint32_t number = number_of(c, pair->from, pair->to);
    if (number != n_before + 1)
        return false;
    c->pairs.at[n_before] = *pair;
    c->n_covered += pair->n_runs > 0;
    return true;
}

/* ---- possible pairs ---- */

/* True if `to` may observe the object as `from` left it. A release follows its own acquisition, and an
 * acquisition cannot follow another one, so neither is a choice of the scheduler. */
static bool can_follow(const xpl_object_use *from, const xpl_object_use *to)
{
    return from->writes && !mdl_gives(to->kind) &&
           !(mdl_takes(from->kind) && mdl_takes(to->kind));
}

static void put_possible(xpl_pair_cover *c, const xpl_object_use *a,
                         const xpl_object_use *b)
{
    if (can_follow(a, b))
        (void)number_of(c, a->place, b->place);
    if (a != b && can_follow(b, a))
        (void)number_of(c, b->place, a->place);
}

/* Adds all pairs of the object's uses from `first` on with earlier uses. */
static void put_all(xpl_pair_cover *c, const xpl_met_object *o, uint32_t first)
{
    for (uint32_t i = first; i < o->n; i++) {
        if (!mdl_gives(o->at[i].kind))
            (void)number_of(c, 0, o->at[i].place);
        for (uint32_t k = 0; k <= i; k++)
            put_possible(c, &o->at[i], &o->at[k]);
    }
}

static xpl_met_object *object_of(xpl_pair_cover *c, const trc_op *op)
{
    uint64_t address = op->object + op->offset;
    const uint32_t *known = xpl_cover_map_find(&c->object_numbers, address);
    if (known)
        return &c->objects.at[*known - 1];
    if (c->objects.len >= MAX_OBJECTS)
        return NULL;
    xpl_met_object_vec_push(&c->objects, (xpl_met_object){.thread = op->thread});
    *xpl_cover_map_at(&c->object_numbers, address) = (uint32_t)c->objects.len;
    return &c->objects.at[c->objects.len - 1];
}

static void meet(xpl_pair_cover *c, const trc_op *op, uint32_t place)
{
    xpl_met_object *o = object_of(c, op);
    if (!o)
        return;
    bool was_shared = o->is_shared;
    o->is_shared |= o->thread != op->thread;
    uint32_t i = 0;
    while (i < o->n && o->at[i].place != place)
        i++;
    bool is_new = i == o->n && i < XPL_OBJECT_PLACES;
    if (is_new)
        o->at[o->n++] =
            (xpl_object_use){place, op->kind, mdl_effect_of(op->kind) == MDL_EFFECT_E};
    TD_ASSERT(o->n <= XPL_OBJECT_PLACES);
    if (o->is_shared && !was_shared)
        put_all(c, o, 0);
    else if (o->is_shared && is_new)
        put_all(c, o, o->n - 1);
}

/* ---- runs ---- */

/* True if the operation forms pairs. A release does not: it always follows its own acquisition. */
static bool is_counted(const trc_op *op)
{
    return op->object != 0 && mdl_effect_of(op->kind) != MDL_EFFECT_N &&
           !mdl_gives(op->kind);
}

void xpl_pair_cover_add(xpl_pair_cover *c, const trc *t, bool wants_possible)
{
    c->n_runs++;
    xpl_pair_number_vec_clear(&c->news);
    xpl_pair_number_vec_clear(&c->run);
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (op->object == 0 || mdl_effect_of(op->kind) == MDL_EFFECT_N)
            continue;
        uint32_t place = place_of(t, op);
        if (is_counted(op) && op->after != TRC_MIXED)
            cover(c, op->after < t->ops.len ? place_of(t, &t->ops.at[op->after]) : 0,
                  place);
        if (wants_possible)
            meet(c, op, place);
    }
}
