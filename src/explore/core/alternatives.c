/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/alternatives.h"

#include "base/assert.h"

#define MOST_CLOCKS (1u << 20) /* operations times threads of a run */

void xpl_alternatives_fini(xpl_alternatives *a)
{
    for (size_t i = 0; i < a->spots.len; i++)
        xpl_spot_site_vec_fini(&a->spots.at[i].sites);
    xpl_spot_vec_fini(&a->spots);
    xpl_spot_site_vec_fini(&a->decisions);
    xpl_spot_map_fini(&a->objects);
    xpl_spot_map_fini(&a->memory);
    trc_order_free(a->order);
    trc_race_vec_fini(&a->races);
    td_id_set_fini(&a->pairs);
    td_id_set_fini(&a->threads);
    xpl_use_map_fini(&a->uses);
    trc_u32_vec_fini(&a->nth);
    *a = (xpl_alternatives){0};
}

static void site_count(xpl_spot_site_vec *sites, uint32_t site)
{
    for (size_t i = 0; i < sites->len; i++)
        if (sites->at[i].site == site) {
            sites->at[i].n++;
            return;
        }
    xpl_spot_site_vec_push(sites, (xpl_spot_site){site, 1});
}

static uint32_t spot_of(xpl_alternatives *a, const trc_op *op)
{
    bool is_memory = mdl_is_access(trc_turned(op));
    uint32_t *number = xpl_spot_map_at(is_memory ? &a->memory : &a->objects, op->object);
    if (*number == 0) {
        xpl_spot_vec_push(&a->spots, (xpl_spot){.object = op->object, .kind = op->kind});
        *number = (uint32_t)a->spots.len;
    }
    return *number - 1;
}

/* The operation of a move that another one depends on. */
static const trc_op *dependent(const trc *t, trc_move m, const trc_op *later)
{
    mdl_wanted done = {later->kind, later->size, later->object};
    for (uint32_t i = m.first; i < m.first + m.n; i++)
        if (trc_depends(&t->ops.at[i], &done))
            return &t->ops.at[i];
    return NULL;
}

/* ---- how often a thread uses an object ---- */

static td_id use_of(const trc_op *op)
{
    uint64_t key[3] = {op->object, mdl_is_access(trc_turned(op)), op->thread};
    return td_id_hash(key, sizeof key);
}

/* True if the operation counts as a use of its object; releases do not, because the acquisition before them
 * counted. */
static bool is_use(const trc_op *op)
{
    return mdl_effect_of(op->kind) != MDL_EFFECT_N && !mdl_gives(op->kind) &&
           !mdl_resets(op->kind);
}

static void count_uses(xpl_alternatives *a, const trc *t)
{
    xpl_use_map_fini(&a->uses);
    trc_u32_vec_clear(&a->nth);
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        uint32_t nth = 0;
        if (mdl_effect_of(op->kind) != MDL_EFFECT_N)
            nth = *xpl_use_map_at(&a->uses, use_of(op)) += is_use(op);
        trc_u32_vec_push(&a->nth, nth);
    }
}

/* ---- pairs ---- */

/* The same in all runs. */
static td_id name_of(const xpl_alternatives *a, const trc *t, const trc_op *op)
{
    const td_id thread = t->threads.at[op->thread].name;
    uint64_t key[6] = {thread.lo,
                       thread.hi,
                       op->object,
                       mdl_is_access(trc_turned(op)),
                       a->nth.at[op - t->ops.at],
                       is_use(op)};
    return td_id_hash(key, sizeof key);
}

static void thread_add(xpl_alternatives *a, const trc *t, uint32_t spot, const trc_op *op)
{
    const td_id thread = t->threads.at[op->thread].name;
    uint64_t key[3] = {thread.lo, thread.hi, spot};
    xpl_spot *s = &a->spots.at[spot];
    s->n_threads += td_id_set_add(&a->threads, td_id_hash(key, sizeof key));
    uint32_t n = *xpl_use_map_at(&a->uses, use_of(op));
    s->most_uses = n > s->most_uses ? n : s->most_uses;
}

static void pair_add(xpl_alternatives *a, const trc *t, const trc_race *r)
{
    trc_move first = trc_order_at(a->order, r->first),
             second = trc_order_at(a->order, r->second);
    const trc_op *before = NULL, *later = NULL;
    TD_ASSERT(r->first < r->second); /* both were made */
    for (uint32_t i = second.first; !before && i < second.first + second.n; i++) {
        later = &t->ops.at[i];
        before = dependent(t, first, later);
    }
    if (!before)
        return;
    uint32_t spot = spot_of(a, later);
    thread_add(a, t, spot, before);
    thread_add(a, t, spot, later);
    /* The sum does not depend on which of them came first. */
    td_id pair = td_id_sum(name_of(a, t, before), name_of(a, t, later));
    if (!td_id_set_add(&a->pairs, pair))
        return;
    a->n_pairs++;
    a->spots.at[spot].n++;
    site_count(&a->spots.at[spot].sites, before->site);
    if (later->site != before->site)
        site_count(&a->spots.at[spot].sites, later->site);
}

/* True once for each run to look at. */
static bool is_sampled(xpl_alternatives *a)
{
    a->stride = a->stride ? a->stride : 1;
    if (a->n_runs++ % a->stride != 0)
        return false;
    a->n_sampled++;
    if (a->n_runs / a->stride >= XPL_ALTERNATIVES_RUNS)
        a->stride *= 2;
    return true;
}

void xpl_alternatives_add(xpl_alternatives *a, const trc *t)
{
    if (!is_sampled(a))
        return;
    size_t most = MOST_CLOCKS / (t->threads.len ? t->threads.len : 1);
    most = most < XPL_ALTERNATIVES_OPS ? most : XPL_ALTERNATIVES_OPS;
    trc part = *t; /* borrows all of it */
    a->is_cut |= t->ops.len > most;
    part.ops.len = t->ops.len < most ? t->ops.len : most;
    if (!a->order)
        a->order = trc_order_new();
    trc_order_take(a->order, &part);
    trc_order_races(a->order, 0, &a->races);
    count_uses(a, &part);
    for (size_t i = 0; i < a->races.len; i++)
        pair_add(a, &part, &a->races.at[i]);
    for (size_t i = 0; i < part.ops.len; i++)
        if (mdl_decides(part.ops.at[i].kind)) {
            a->n_decisions++;
            site_count(&a->decisions, part.ops.at[i].site);
        }
}
