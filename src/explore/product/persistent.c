/* SPDX-License-Identifier: Apache-2.0 */
/* Which threads have to be tried in a state.
 *
 * A set of threads is enough if nothing that the others can do, while these stand still, depends on
 * what these do next (a persistent set). What another thread can do is what is known behind its
 * spot, up to a join of a thread of the set, or a mutex that one holds. What is not known yet does not
 * matter: the first step of a run that no run has shown is done by an operation that is known.
 *
 * Reading: Godefroid, Partial-order methods, 1996, chapter 4; Valmari's stubborn sets. */
#include "explore/product/product_int.h"

#include "base/assert.h"

typedef struct closure {
    const xpl_product *x;
    uint32_t slots[XPL_MAX_SLOTS];
    uint32_t n;
    uint64_t in;   /* bits of slots */
    uint64_t can;  /* bits of those that can continue, of all */
    uint64_t cuts; /* bits of cuts */
} closure;

static uint32_t spot_of(const closure *c, uint32_t slot)
{
    return c->x->state.at.at[slot];
}

static void add(closure *c, uint32_t slot)
{
    const xpl_state *s = &c->x->state;
    const xpl_shapes *h = &c->x->shapes;
    if (c->in >> slot & 1)
        return;
    TD_ASSERT(c->n < XPL_MAX_SLOTS);
    c->in |= UINT64_C(1) << slot;
    c->slots[c->n++] = slot;
    c->cuts |= UINT64_C(1) << xpl_cut_of_slot(slot);
    for (uint32_t i = 0; i < h->n_objects; i++)
        if (h->cut_of.at[i] && (uint32_t)xpl_object_word(s, i, 0) == slot + 1)
            c->cuts |= UINT64_C(1) << h->cut_of.at[i];
}

/* Words of the things that the thread can come to touch, or change, while the set stands still. */
static bool meets(const closure *c, uint32_t slot, const uint64_t *now)
{
    const xpl_shapes *h = &c->x->shapes;
    uint32_t w = h->n_words;
    uint32_t spot = spot_of(c, slot);
    for (uint32_t i = 0; i < w; i++) {
        uint64_t touched = xpl_later(h, spot, 0)[i],
                 changed = xpl_later(h, spot, 0)[w + i];
        if (!((now[i] & changed) | (now[w + i] & touched)))
            continue;
        for (uint64_t left = c->cuts; left; left &= left - 1) {
            const uint64_t *later = xpl_later(h, spot, (uint32_t)__builtin_ctzll(left));
            touched &= later[i];
            changed &= later[w + i];
        }
        if ((now[i] & changed) | (now[w + i] & touched))
            return true;
    }
    return false;
}

/* Adds the threads that could let this one continue, which waits. */
static void add_helpers(closure *c, uint32_t slot)
{
    const xpl_pending *p = xpl_pending_at(&c->x->shapes, spot_of(c, slot));
    if (mdl_joins(p->kind)) {
        if (p->other != XPL_NONE)
            add(c, p->other);
        return;
    }
    uint32_t holder =
        p->object == XPL_NONE ? XPL_NONE : xpl_object_holder(&c->x->state, p);
    if (holder != XPL_NONE) {
        add(c, holder);
        return;
    }
    for (uint32_t i = 0; i < c->x->state.at.len; i++)
        if (spot_of(c, i) != XPL_NOWHERE &&
            meets(c, i, xpl_now(&c->x->shapes, spot_of(c, slot))))
            add(c, i);
}

static void add_rivals(closure *c, uint32_t slot)
{
    for (uint32_t i = 0; i < c->x->state.at.len; i++)
        if (!(c->in >> i & 1) && spot_of(c, i) != XPL_NOWHERE &&
            meets(c, i, xpl_now(&c->x->shapes, spot_of(c, slot))))
            add(c, i);
}

static uint32_t count_of(const closure *c)
{
    return (uint32_t)__builtin_popcountll(c->in & c->can);
}

/* The smallest set with the thread in it, unless it has most threads that can continue or more. */
static bool close(closure *c, uint32_t slot, uint32_t most)
{
    add(c, slot);
    for (uint32_t i = 0; i < c->n && count_of(c) < most; i++) {
        if (spot_of(c, c->slots[i]) == XPL_NOWHERE ||
            xpl_pending_at(&c->x->shapes, spot_of(c, c->slots[i]))->never)
            continue;
        if (c->can >> c->slots[i] & 1)
            add_rivals(c, c->slots[i]);
        else
            add_helpers(c, c->slots[i]);
    }
    return count_of(c) < most;
}

uint32_t xpl_persistent(xpl_product *x, uint32_t *out, uint64_t *rest)
{
    uint64_t can = 0, best = 0;
    uint32_t n = (uint32_t)x->state.at.len, least = XPL_MAX_SLOTS + 1, k = 0;
    TD_ASSERT(n <= XPL_MAX_SLOTS);
    for (uint32_t i = 0; i < n; i++)
        can |= xpl_state_can(x, i) ? UINT64_C(1) << i : 0;
    for (uint32_t i = 0; i < n && least > 1; i++) {
        closure c = {.x = x, .can = can};
        if (!(can >> i & 1) || !close(&c, i, least))
            continue;
        best = c.in & can;
        least = count_of(&c);
    }
    for (uint32_t i = 0; i < n; i++)
        if (best >> i & 1)
            out[k++] = i;
    *rest = can & ~best;
    return k;
}
