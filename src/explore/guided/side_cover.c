/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/guided/side_cover.h"

#include "base/assert.h"

void xpl_side_cover_fini(xpl_side_cover *c)
{
    xpl_taken_side_vec_fini(&c->sides);
    xpl_cover_map_fini(&c->numbers);
    *c = (xpl_side_cover){0};
}

static uint64_t key_of(uint32_t site, uint32_t side)
{
    return (uint64_t)site << 32 | side;
}

static uint32_t n_bits(uint64_t value)
{
    uint32_t n = 0;
    for (; value != 0; value >>= 1)
        n++;
    return n;
}

void xpl_site_times_fini(xpl_site_times *w)
{
    xpl_cover_map_fini(&w->n);
}

uint32_t xpl_site_times_next(xpl_site_times *w, uint32_t site)
{
    enum { EXACT = 16 };
    uint32_t *n = xpl_cover_map_at(&w->n, site), before = *n;
    *n += before < UINT32_MAX;
    return before < EXACT ? before : EXACT + n_bits(before / EXACT);
}

uint32_t xpl_side_name(uint32_t bucket, uint64_t side)
{
    enum { MOST = 0xffff };
    TD_ASSERT(bucket < MOST);
    return bucket << 16 | (uint32_t)(side < MOST ? side : MOST);
}

/* The side that a decision took, as it is counted. */
static uint32_t side_taken(xpl_site_times *w, const trc_op *op)
{
    uint64_t side = op->size == WIRE_DECIDE_VALUE ? n_bits(op->old) : op->old;
    return xpl_side_name(xpl_site_times_next(w, op->site), side);
}

uint32_t xpl_side_cover_find(const xpl_side_cover *c, uint32_t site, uint32_t side)
{
    const uint32_t *number = xpl_cover_map_find(&c->numbers, key_of(site, side));
    return number ? *number - 1 : XPL_NO_SIDE;
}

bool xpl_side_cover_put(xpl_side_cover *c, const xpl_taken_side *side)
{
    if (c->sides.len >= XPL_MAX_SIDES ||
        xpl_side_cover_find(c, side->site, side->side) != XPL_NO_SIDE)
        return false;
    xpl_taken_side_vec_push(&c->sides, *side);
    *xpl_cover_map_at(&c->numbers, key_of(side->site, side->side)) =
        (uint32_t)c->sides.len;
    TD_ASSERT(c->sides.len <= XPL_MAX_SIDES);
    return true;
}

static void take(xpl_side_cover *c, uint32_t site, uint32_t side)
{
    uint32_t number = xpl_side_cover_find(c, site, side);
    if (number == XPL_NO_SIDE) {
        number = (uint32_t)c->sides.len;
        if (!xpl_side_cover_put(c, &(xpl_taken_side){.site = site, .side = side}))
            return;
        c->first_new = c->n_new++ == 0 ? number : c->first_new;
    }
    xpl_taken_side *s = &c->sides.at[number];
    s->n_runs += s->last_run != c->n_runs;
    s->last_run = c->n_runs;
    TD_ASSERT(s->n_runs <= c->n_runs);
}

void xpl_side_cover_add(xpl_side_cover *c, const trc *t)
{
    c->n_runs++;
    c->n_new = 0;
    xpl_site_times times = {0};
    for (size_t i = 0; i < t->ops.len; i++)
        if (mdl_decides(t->ops.at[i].kind))
            take(c, t->ops.at[i].site, side_taken(&times, &t->ops.at[i]));
    xpl_site_times_fini(&times);
}
