/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/unfold/target_ancestry.h"

#include "base/assert.h"

/* A target is found when the last of its causes is executed: that one is fresh, and so the target stems from
 * the awaited event on which it depends. Targets of one depth and one kind are similar; a read and a write
 * are not, as many targets may follow from the first and few from the second. */

#define AWAITED 0x8000u
#define DEPTH 0x7fffu

/* Levels that the first run is to fill, so that later ones may be deeper. */
#define FIRST_LEVELS (XPL_LEVELS * 3 / 4)

enum kind { READS, CHANGES, DECIDES, PROBES };

void xpl_ancestry_fini(xpl_ancestry *l)
{
    xpl_estimate_fini(&l->estimate);
    xpl_u16_vec_fini(&l->depths);
    xpl_fresh_vec_fini(&l->fresh);
    xpl_fresh_vec_fini(&l->awaited);
}

/* ---- depths ---- */

static uint32_t depth_at(const xpl_ancestry *l, uint32_t event)
{
    return event < l->depths.len ? l->depths.at[event] & DEPTH : 0;
}

static void depth_cover(xpl_ancestry *l, uint32_t n)
{
    if (n <= l->depths.len)
        return;
    xpl_u16_vec_reserve(&l->depths, n);
    memset(&l->depths.at[l->depths.len], 0, (n - l->depths.len) * sizeof l->depths.at[0]);
    l->depths.len = n;
}

static uint32_t n_causes(const unf_view *v)
{
    return 2 + v->n_reads;
}

/* Returns one of its causes, or UNF_NONE. For the start of a thread it is the create. */
static uint32_t cause_at(const unf *u, const unf_view *v, uint32_t i)
{
    uint32_t cause = i == 0 ? v->before : i == 1 ? v->after : v->reads[i - 2];
    if (cause == UNF_NONE)
        return cause;
    unf_view c = unf_at(u, cause);
    return c.kind == UNF_START ? c.before : cause;
}

static void depth_set(xpl_ancestry *l, const unf *u, const unf_view *v, uint32_t event)
{
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < n_causes(v); i++) {
        uint32_t depth = depth_at(l, cause_at(u, v, i));
        deepest = depth > deepest ? depth : deepest;
    }
    TD_ASSERT(event < l->depths.len && l->depths.at[event] == 0);
    l->depths.at[event] = (uint16_t)(deepest < DEPTH ? deepest + 1 : DEPTH);
}

/* ---- classes ---- */

static enum kind kind_of(const unf_view *v)
{
    if (mdl_decides(v->kind))
        return DECIDES;
    if (v->is_probe)
        return PROBES;
    return mdl_effect_of(v->kind) == MDL_EFFECT_S ? READS : CHANGES;
}

static uint32_t class_of(const xpl_ancestry *l, const unf_view *v, uint32_t event)
{
    return xpl_estimate_class(depth_at(l, event) / (l->scale ? l->scale : 1), kind_of(v));
}

uint32_t xpl_ancestry_class(const xpl_ancestry *l, const unf *u, uint32_t target)
{
    unf_view v = unf_at(u, target);
    return class_of(l, &v, target);
}

/* ---- fresh events ---- */

static const xpl_fresh *look_up(const xpl_fresh_vec *list, uint32_t event)
{
    size_t low = 0, high = list->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->at[middle].event < event)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->len && list->at[low].event == event ? &list->at[low] : NULL;
}

/* Returns the last of its fresh causes in the run; NULL: none is. */
static const xpl_fresh *last_cause(const xpl_ancestry *l, const unf *u, const unf_view *v)
{
    const xpl_fresh *last = NULL;
    for (uint32_t i = 0; i < n_causes(v); i++) {
        uint32_t cause = cause_at(u, v, i);
        const xpl_fresh *f = look_up(&l->fresh, cause);
        if (!f)
            f = look_up(&l->awaited, cause);
        if (f && (!last || f->nth > last->nth))
            last = f;
    }
    return last;
}

static void put_rising(xpl_fresh_vec *list, xpl_fresh f)
{
    TD_ASSERT(f.class < XPL_CLASSES);
    xpl_fresh_vec_push(list, f);
    for (size_t i = list->len - 1; i > 0 && list->at[i - 1].event > f.event; i--) {
        list->at[i] = list->at[i - 1];
        list->at[i - 1] = f;
    }
}

/* An event of the run, in its order: nothing is to be done for one that was executed before. */
static void take_event(xpl_ancestry *l, const unf *u, uint32_t event, uint32_t nth)
{
    TD_ASSERT(event < l->depths.len);
    bool was_awaited = l->depths.at[event] & AWAITED;
    if (l->depths.at[event] != 0 && !was_awaited)
        return;
    unf_view v = unf_at(u, event);
    if (v.status != UNF_EXECUTED)
        return;
    uint32_t class;
    if (was_awaited) {
        l->depths.at[event] &= DEPTH;
        class = class_of(l, &v, event);
    } else {
        depth_set(l, u, &v, event);
        const xpl_fresh *cause = last_cause(l, u, &v);
        class = cause ? cause->class : l->planned;
    }
    /* New events are numbered in the order of the run; those that were awaited have their
     * numbers from before. */
    put_rising(was_awaited ? &l->awaited : &l->fresh, (xpl_fresh){event, class, nth});
}

static void take_found(xpl_ancestry *l, const unf *u, uint32_t target)
{
    TD_ASSERT(target < l->depths.len);
    if (l->depths.at[target] != 0)
        return; /* to be looked at again */
    unf_view v = unf_at(u, target);
    if (v.status != UNF_TARGET)
        return;
    depth_set(l, u, &v, target);
    const xpl_fresh *cause = last_cause(l, u, &v);
    xpl_estimate_add(&l->estimate, cause ? cause->class : l->planned,
                     class_of(l, &v, target));
    l->depths.at[target] |= AWAITED;
}

static void choose_scale(xpl_ancestry *l, const unf *u)
{
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < unf_len(u); i++)
        deepest = depth_at(l, i) > deepest ? depth_at(l, i) : deepest;
    l->scale = 1 + deepest / FIRST_LEVELS;
}

void xpl_ancestry_insert(xpl_ancestry *l, unf *u, const trc *t, uint32_t planned)
{
    l->planned = planned == UNF_NONE ? 0 : xpl_ancestry_class(l, u, planned);
    depth_cover(l, unf_len(u));
    xpl_fresh_vec_clear(&l->fresh);
    xpl_fresh_vec_clear(&l->awaited);
    for (size_t i = 0; i < t->ops.len; i++) {
        uint32_t event = unf_run_event(u, i);
        if (event != UNF_NONE)
            take_event(l, u, event, (uint32_t)i);
    }
    if (l->scale == 0)
        choose_scale(l, u);
    const unf_vec *found = unf_found(u);
    for (size_t i = 0; i < found->len; i++)
        take_found(l, u, found->at[i]);
}
