/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/unfold/plan.h"

#include "base/assert.h"

enum {
    MAX_MISSES = 16, /* targets in a row that do not fit before we stop looking */
    MAX_LOOKS = 512, /* targets looked at for one job */
};

void xpl_plan_init(xpl_plan *p, xpl_inputs *inputs, const xpl_opts *opts)
{
    *p = (xpl_plan){.u = inputs->u,
                    .inputs = inputs,
                    .depth = opts->depth,
                    .cfg = unf_cfg_new(inputs->u)};
}

void xpl_plan_fini(xpl_plan *p)
{
    unf_cfg_free(p->cfg);
    unf_vec_fini(&p->taken);
    unf_vec_fini(&p->todo);
    unf_vec_fini(&p->alone);
    unf_vec_fini(&p->later);
    unf_vec_fini(&p->aside);
    unf_vec_fini(&p->part.has);
    unf_vec_fini(&p->part.lacks);
}

void xpl_plan_set_part(xpl_plan *p, const unf_part *part)
{
    TD_ASSERT(part != &p->part);
    xpl_plan_empty(p);
    unf_vec_clear(&p->part.has);
    unf_vec_clear(&p->part.lacks);
    unf_vec_append(&p->part.has, part->has.at, part->has.len);
    unf_vec_append(&p->part.lacks, part->lacks.at, part->lacks.len);
    unf_vec_append(&p->todo, p->aside.at, p->aside.len);
    unf_vec_clear(&p->aside);
}

void xpl_plan_restart(xpl_plan *p)
{
    unf_cfg_free(p->cfg);
    p->u = p->inputs->u;
    p->cfg = unf_cfg_new(p->u);
    unf_vec_clear(&p->taken);
    unf_vec_clear(&p->todo);
    unf_vec_clear(&p->alone);
    unf_vec_clear(&p->later);
    TD_ASSERT(p->part.has.len + p->part.lacks.len == 0);
    TD_ASSERT(p->aside.len == 0 && !p->is_based); /* only parts put targets aside */
    p->n_deep = p->n_missed = p->n_sections = 0;
}

/* ---- targets ---- */

bool xpl_plan_take_later(xpl_plan *p)
{
    TD_ASSERT(p->n_sections <= unf_n_sections(p->u));
    if (p->later.len == 0 || p->n_sections == unf_n_sections(p->u))
        return false;
    unf_vec_append(&p->todo, p->later.at, p->later.len);
    unf_vec_clear(&p->later);
    p->n_sections = unf_n_sections(p->u);
    return true;
}

void xpl_plan_take_found(xpl_plan *p)
{
    unf_vec *found = unf_found(p->u);
    unf_vec_append(&p->todo, found->at, found->len);
    unf_vec_clear(found);
    if (p->later.len == 0)
        p->n_sections = unf_n_sections(p->u);
    uint64_t n_new = unf_n_sections(p->u) - p->n_sections;
    if (p->todo.len == 0 ||
        n_new > p->n_sections / 4) /* to ask all of them costs as much as they are */
        xpl_plan_take_later(p);
    while (p->todo.len > 0 && !xpl_plan_is_open(p, p->todo.at[p->todo.len - 1]))
        p->todo.len--;
}

bool xpl_plan_is_open(const xpl_plan *p, uint32_t target)
{
    return unf_status_of(p->u, target) == UNF_TARGET && !unf_is_silent_join(p->u, target);
}

void xpl_plan_remove(unf_vec *list, size_t at, size_t n)
{
    TD_ASSERT(at <= list->len && n <= list->len - at);
    if (n == 0)
        return;
    memmove(&list->at[at], &list->at[at + n], (list->len - at - n) * sizeof list->at[0]);
    list->len -= n;
}

/* ---- the next job ---- */

void xpl_plan_empty(xpl_plan *p)
{
    unf_cfg_clear(p->cfg);
    unf_vec_clear(&p->taken);
    p->is_based = false;
}

void xpl_plan_clear(xpl_plan *p)
{
    if (p->is_based) {
        TD_ASSERT(p->n_base > 0 && p->n_base <= unf_cfg_len(p->cfg));
        unf_cfg_cut(p->cfg, p->n_base);
        unf_vec_clear(&p->taken);
        return;
    }
    xpl_plan_empty(p);
    for (size_t i = 0; i < p->part.has.len; i++)
        unf_cfg_add(p->cfg, p->part.has.at[i]);
    p->n_base = unf_cfg_len(p->cfg);
    p->is_based = p->part.has.len > 0;
}

bool xpl_plan_is_too_deep(const xpl_plan *p)
{
    return p->depth > 0 && unf_cfg_n_ops(p->cfg) > p->depth;
}

static void take(xpl_plan *p, uint32_t target)
{
    unf_cfg_add(p->cfg, target);
    TD_ASSERT(unf_cfg_has(p->cfg, target)); /* (P1) */
    unf_vec_push(&p->taken, target);
}

static bool has_lacked(const xpl_plan *p)
{
    for (size_t i = 0; i < p->part.lacks.len; i++)
        if (unf_cfg_has(p->cfg, p->part.lacks.at[i]))
            return true;
    return false;
}

bool xpl_plan_alone(xpl_plan *p, uint32_t target)
{
    if (p->part.has.len == 0 && p->part.lacks.len == 0)
        return xpl_plan_single(p, target);
    xpl_plan_clear(p);
    bool fits = !p->is_based || unf_cfg_fits(p->cfg, target);
    if (fits)
        take(p, target);
    if (!fits || has_lacked(p)) {
        unf_vec_push(&p->aside, target);
        return false;
    }
    if (p->is_based && unf_cfg_complete(p->cfg) == UNF_POSSIBLE &&
        !xpl_plan_is_too_deep(p))
        return true;
    return xpl_plan_single(p, target);
}

bool xpl_plan_single(xpl_plan *p, uint32_t target)
{
    xpl_plan_empty(p);
    take(p, target);
    TD_ASSERT(!p->is_based && p->taken.len == 1);
    bool deep = xpl_plan_is_too_deep(p); /* the rest of an atomic section may be deeper */
    unf_possible possible = unf_cfg_complete(p->cfg);
    if (possible == UNF_PERHAPS_LATER)
        unf_vec_push(&p->later, target);
    else if (possible == UNF_IMPOSSIBLE || deep)
        unf_drop(p->u, target);
    p->n_deep += possible == UNF_POSSIBLE && deep;
    return possible == UNF_POSSIBLE && !deep;
}

bool xpl_plan_first(xpl_plan *p, unf_vec *list, xpl_try try, void *self)
{
    size_t looks = 0;
    for (size_t i = list->len; i-- > 0 && looks < MAX_LOOKS;) {
        xpl_tried result = try(self, list->at[i]);
        looks += result != XPL_TRIED_GONE;
        if (result != XPL_TRIED_LATER)
            xpl_plan_remove(list, i, 1);
        TD_ASSERT(result != XPL_TRIED_NOW || p->taken.len > 0);
        if (result == XPL_TRIED_NOW)
            return true;
    }
    xpl_plan_clear(p);
    return false;
}

/* True if another target of the plan uses the same state: a probe may change or read its state, so no other
 * event may use it in the run. */
static bool shares_state(const xpl_plan *p, uint32_t target)
{
    for (size_t i = 0; i < p->taken.len; i++)
        if (unf_probe_together(p->u, target, p->taken.at[i]))
            return true;
    return false;
}

void xpl_plan_more(xpl_plan *p, bool (*skips)(void *self, uint32_t target), void *self)
{
    size_t misses = 0, looks = 0;
    for (size_t i = p->todo.len; i-- > 0 && misses < MAX_MISSES && looks < MAX_LOOKS;
         looks++) {
        uint32_t target = p->todo.at[i];
        if (!xpl_plan_is_open(p, target) || unf_cfg_has(p->cfg, target) ||
            (skips && skips(self, target)))
            continue;
        if (shares_state(p, target) || !unf_cfg_fits(p->cfg, target)) {
            misses++;
            continue;
        }
        size_t len = unf_cfg_len(p->cfg);
        take(p, target);
        misses = 0;
        if (has_lacked(p) || unf_cfg_complete(p->cfg) != UNF_POSSIBLE ||
            xpl_plan_is_too_deep(p) || xpl_inputs_find(p->inputs, p->cfg) != XPL_SAT) {
            TD_ASSERT(p->taken.len > 1 && unf_cfg_len(p->cfg) > len);
            unf_cfg_cut(p->cfg, len);
            p->taken.len--;
            misses++;
        }
    }
}

/* ---- jobs under way ---- */

void xpl_load_fini(xpl_load *l)
{
    unf_vec_fini(&l->targets);
    unf_vec_fini(&l->probes);
}

void xpl_plan_load(const xpl_plan *p, xpl_load *l)
{
    l->n_fatal = unf_n_fatal(p->u);
    l->is_based = p->is_based;
    unf_vec_clear(&l->targets);
    unf_vec_clear(&l->probes);
    for (size_t i = 0; i < p->taken.len; i++) {
        unf_vec_push(&l->targets, p->taken.at[i]);
        unf_vec_push(&l->probes, unf_at(p->u, p->taken.at[i]).is_probe);
    }
}

bool xpl_load_is_settled(const xpl_plan *p, const xpl_load *l, size_t i)
{
    TD_ASSERT(i < l->targets.len && l->probes.len == l->targets.len);
    uint32_t target = l->targets.at[i];
    return unf_status_of(p->u, target) == UNF_SETTLED ||
           (l->probes.at[i] && !unf_at(p->u, target).is_probe);
}

void xpl_plan_close(xpl_plan *p, const xpl_load *l)
{
    TD_ASSERT(l->n_fatal <= unf_n_fatal(p->u)); /* what is known to end runs only grows */
    for (size_t i = 0; i < l->targets.len; i++) {
        uint32_t target = l->targets.at[i];
        if (unf_status_of(p->u, target) != UNF_TARGET || xpl_load_is_settled(p, l, i))
            continue;
        if (l->targets.len > 1 || l->is_based || l->n_fatal != unf_n_fatal(p->u) ||
            unf_is_cut(p->u)) {
            unf_vec_push(&p->alone, target);
            continue;
        }
        p->n_missed++;
        unf_drop(p->u, target);
    }
}
