/* SPDX-License-Identifier: Apache-2.0 */
/* What the end of the product says besides assertions and deadlocks: no data race, no use of freed memory, no
 * misuse.
 *
 * Data races. In a program whose operations all order what they depend on, there is a race if and only if
 * some sequentially consistent state has two conflicting accesses next: take the shortest run with a race, and
 * leave out of it all that does not happen before one of the two accesses; what is left is a run, since what an
 * operation finds was left by one that happens before it, and both accesses are next at its end. Persistent
 * sets keep such states: conflicting accesses depend on each other, so where one thread of the two is in the set
 * and the other could come to its access without the set, the set has to have it. A run then shows the race.
 * Operations that order nothing although their outcome depends on others (a failed trylock, a relaxed load)
 * leave the question open; a signal is one of these unless the mutex of its waiters orders what came before.
 *
 * Freed memory. Where creates and joins alone do not order a use and a free, freed_blocks.c follows the block. What is
 * initialised or destroyed: no claim is made where another thread uses the object, unless creates and joins alone
 * order the two. */
#include "explore/product/product_int.h"

#include "base/assert.h"

enum { MOST_USES = 4096 /* that are kept one by one */ };

void xpl_claims_fini(xpl_claims *c)
{
    xpl_map_fini(&c->plain);
    td_id_set_fini(&c->tried);
    td_id_set_fini(&c->known);
    xpl_reach_vec_fini(&c->frees);
    xpl_reach_vec_fini(&c->uses);
    xpl_reach_vec_fini(&c->spans);
}

/* ---- what runs tell ---- */

/* Whether the memory order of the access makes what it reads from happen before it, and what it writes
 * happen before those who read that. */
static bool is_ordered(const trc_op *op)
{
    bool reads = mdl_reads(op->kind), writes = mdl_writes(op->kind);
    bool acquires = op->order == __ATOMIC_ACQUIRE || op->order == __ATOMIC_ACQ_REL ||
                    op->order == __ATOMIC_SEQ_CST;
    bool releases = op->order == __ATOMIC_RELEASE || op->order == __ATOMIC_ACQ_REL ||
                    op->order == __ATOMIC_SEQ_CST;
    return (!reads || acquires) && (!writes || releases);
}

static void take_op(xpl_claims *c, const trc_op *op)
{
    if (trc_is_promoted(op))
        xpl_map_put(&c->plain, op->site, 1);
    else if (mdl_type_of(op->kind) == WIRE_TYPE_MEMORY)
        c->n_open += !is_ordered(op);
    else if (mdl_type_of(op->kind) != WIRE_TYPE_COND) /* is_cond_ordered */
        c->n_open += mdl_finds_unordered(op->kind);
    c->n_open += mdl_type_of(op->kind) == WIRE_TYPE_SECTION;
}

/* The use is remembered by the bytes between the first and the last that its thread uses. */
static void widen_span(xpl_claims *c, const xpl_reach *use)
{
    for (size_t i = 0; i < c->spans.len; i++) {
        xpl_reach *s = &c->spans.at[i];
        if (s->tree != use->tree)
            continue;
        s->start = use->start < s->start ? use->start : s->start;
        s->end = use->end > s->end ? use->end : s->end;
        return;
    }
    xpl_reach_vec_push(&c->spans, *use);
}

static void take_touch(xpl_product *x, const trc *t, const trc_touch *touch)
{
    xpl_claims *c = &x->claims;
    xpl_reach r = {.tree = x->forest.tree_of.at[touch->thread],
                   .node = XPL_NONE,
                   .start = touch->start,
                   .end = touch->end};
    if (touch->how == WIRE_TOUCH_OPERATES)
        return;
    for (uint32_t i = touch->before_op; i-- > 0 && r.node == XPL_NONE;)
        if (t->ops.at[i].thread == touch->thread)
            r.node = x->forest.node_of.at[i];
    bool frees = touch->how == WIRE_TOUCH_FREES;
    uint64_t words[5] = {r.tree, r.node, r.start, r.end, frees};
    if (!td_id_set_add(&c->known, td_id_hash(words, sizeof words)))
        return;
    if (frees)
        xpl_reach_vec_push(&c->frees, r);
    else if (c->uses.len < MOST_USES)
        xpl_reach_vec_push(&c->uses, r);
    else
        widen_span(c, &r);
}

void xpl_claims_take(xpl_product *x, const trc *t)
{
    for (size_t i = 0; i < t->ops.len; i++)
        take_op(&x->claims, &t->ops.at[i]);
    for (size_t i = 0; i < t->touches.len; i++)
        take_touch(x, t, &t->touches.at[i]);
}

/* ---- data races ---- */

static bool conflicts(const xpl_product *x, const xpl_pending *a, const xpl_pending *b)
{
    if (a->place == XPL_NONE || a->place != b->place)
        return false;
    bool writes =
        mdl_effect_of(a->kind) == MDL_EFFECT_E || mdl_effect_of(b->kind) == MDL_EFFECT_E;
    return writes && (xpl_map_get(&x->claims.plain, a->site) != XPL_NONE ||
                      xpl_map_get(&x->claims.plain, b->site) != XPL_NONE);
}

static const xpl_pending *pending_in(const xpl_product *x, uint32_t slot)
{
    uint32_t spot = x->state.at.at[slot];
    if (spot == XPL_NOWHERE)
        return NULL;
    const xpl_pending *p = xpl_pending_at(&x->shapes, spot);
    return p->never || p->kind == WIRE_NONE ? NULL : p;
}

bool xpl_race_is_next(xpl_product *x, uint32_t slots[2])
{
    for (uint32_t i = 0; i < x->state.at.len; i++) {
        const xpl_pending *a = pending_in(x, i);
        for (uint32_t k = i + 1; a && a->place != XPL_NONE && k < x->state.at.len; k++) {
            const xpl_pending *b = pending_in(x, k);
            if (!b || !conflicts(x, a, b))
                continue;
            uint32_t low = a->site < b->site ? a->site : b->site;
            uint32_t sites[2] = {low, a->site ^ b->site ^ low};
            if (!td_id_set_add(&x->claims.tried, td_id_hash(sites, sizeof sites)))
                continue;
            x->claims.site = a->site;
            x->claims.other_site = b->site;
            slots[0] = i;
            slots[1] = k;
            return true;
        }
    }
    return false;
}

void xpl_race_was_run(xpl_product *x, const trc *t)
{
    xpl_claims *c = &x->claims;
    bool is_shown = false;
    for (size_t i = 0; i < t->fails.len; i++) {
        const trc_fail *f = &t->fails.at[i];
        is_shown |= f->kind == WIRE_FAIL_RACE &&
                    ((f->site == c->site && f->other_site == c->other_site) ||
                     (f->site == c->other_site && f->other_site == c->site));
    }
    c->n_unshown += !is_shown;
}

/* ---- objects of the library ---- */

static bool is_reset_beside(const xpl_product *x, const xpl_object *o)
{
    const xpl_forest *f = &x->forest;
    for (size_t i = 0; i < o->nodes.len; i++) {
        if (!mdl_resets(f->nodes.at[o->nodes.at[i]].kind))
            continue;
        xpl_reach a = xpl_reach_of(x, o->nodes.at[i]);
        for (size_t k = 0; k < o->nodes.len; k++) {
            xpl_reach b = xpl_reach_of(x, o->nodes.at[k]);
            if (!xpl_is_apart(x, &a, &b))
                return true;
        }
    }
    return false;
}

/* The number of the mutex that a thread takes again once it was woken; XPL_NONE: that is not known. */
static uint32_t mutex_behind(const xpl_forest *f, uint32_t node)
{
    uint32_t i = f->nodes.at[node].first;
    while (i != XPL_NONE && mdl_decides(f->nodes.at[i].kind))
        i = f->nodes.at[i].first;
    bool locks = i != XPL_NONE && mdl_locks_mutex(f->nodes.at[i].kind);
    return locks ? f->nodes.at[i].object : XPL_NONE;
}

/* What the thread did before it signals happens before the lock that those take who are woken: it holds the mutex,
 * or has done nothing since it gave it back. */
static bool orders_by_mutex(const xpl_forest *f, uint32_t signal, uint32_t mutex)
{
    uint32_t i = f->nodes.at[signal].before;
    if (i != XPL_NONE && mutex < 64 && f->nodes.at[i].held >> mutex & 1)
        return true;
    for (; i != XPL_NONE && f->nodes.at[i].met_by == XPL_NONE;
         i = f->nodes.at[i].before) {
        const xpl_node *n = &f->nodes.at[i];
        if (n->object == mutex && mdl_unlocks_mutex(n->kind) && !n->is_closed)
            return true;
        if (!mdl_decides(n->kind) && mdl_type_of(n->kind) != WIRE_TYPE_COND)
            return false;
        if (mdl_does(n->kind) == WIRE_DOES_SLEEP || mdl_does(n->kind) == WIRE_DOES_WOKEN)
            return false;
    }
    return false;
}

/* All that are woken at the condition variable take one mutex, and all signals are ordered by it. */
static bool is_cond_ordered(const xpl_forest *f, const xpl_object *o)
{
    uint32_t mutex = XPL_NONE;
    for (size_t i = 0; i < o->nodes.len; i++) {
        uint32_t node = o->nodes.at[i];
        if (mdl_does(f->nodes.at[node].kind) != WIRE_DOES_WOKEN)
            continue;
        uint32_t next = mutex_behind(f, node);
        if (next == XPL_NONE || (mutex != XPL_NONE && mutex != next))
            return false;
        mutex = next;
    }
    for (size_t i = 0; mutex != XPL_NONE && i < o->nodes.len; i++) {
        enum wire_does does = mdl_does(f->nodes.at[o->nodes.at[i]].kind);
        if ((does == WIRE_DOES_WAKE || does == WIRE_DOES_WAKE_ALL) &&
            !orders_by_mutex(f, o->nodes.at[i], mutex))
            return false;
    }
    return true;
}

static bool is_cond(const xpl_forest *f, const xpl_object *o)
{
    for (size_t i = 0; i < o->nodes.len; i++)
        if (mdl_type_of(f->nodes.at[o->nodes.at[i]].kind) == WIRE_TYPE_COND)
            return true;
    return false;
}

/* ---- threads ---- */

static uint64_t joined_by_two(const xpl_product *x)
{
    const xpl_forest *f = &x->forest;
    uint32_t by[XPL_MAX_SLOTS];
    memset(by, 0xff, sizeof by);
    uint64_t n = 0;
    for (size_t i = 0; i < f->nodes.len; i++) {
        if (!mdl_joins(f->nodes.at[i].kind))
            continue;
        uint32_t slot = x->shapes.slot_of.at[f->nodes.at[i].other];
        uint32_t own = x->shapes.slot_of.at[f->nodes.at[i].tree];
        TD_ASSERT(slot < XPL_MAX_SLOTS);
        n += by[slot] != XPL_NONE && by[slot] != own;
        by[slot] = own;
    }
    return n;
}

xpl_unclaimed xpl_claims_missing(const xpl_product *x)
{
    const xpl_forest *f = &x->forest;
    xpl_unclaimed u = {.races = x->claims.n_open + x->claims.n_unshown};
    if (x->shapes.n_slots > XPL_MAX_SLOTS)
        return u;
    u.memory = xpl_has_open_free(x) + x->claims.n_unfreed;
    for (size_t i = 0; i < f->objects.len; i++) {
        u.misuse += is_reset_beside(x, &f->objects.at[i]);
        u.races +=
            is_cond(f, &f->objects.at[i]) && !is_cond_ordered(f, &f->objects.at[i]);
    }
    u.misuse += joined_by_two(x);
    return u;
}
