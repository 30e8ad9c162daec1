/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/interfere/interfere_int.h"

#include "base/assert.h"

/* Candidates that are not possible become others: one of the reads that are to blame sees a write of
 * another thread, or a thread continues to where it opens what another waits for. */

static bool writes_place(const xpl_node *n, uint32_t place)
{
    return n->written.ix && n->place == place;
}

/* Its thread writes the place again before end, which is behind it. */
static bool is_overwritten(const xpl_forest *f, uint32_t write, uint32_t end)
{
    uint32_t place = xpl_node_at(f, write)->place;
    TD_ASSERT(place != XPL_NONE);
    for (; end != write && end != XPL_NONE; end = f->nodes.at[end].before)
        if (writes_place(xpl_node_at(f, end), place))
            return true;
    return false;
}

/* True if no thread that locks one of these mutexes observes the write: its thread always writes the place
 * again before it unlocks them, as far as there is only one way for it to continue. */
static bool is_hidden(const xpl_forest *f, uint32_t write, uint64_t common)
{
    uint32_t place = xpl_node_at(f, write)->place;
    uint32_t i = xpl_node_at(f, write)->first;
    while (i != XPL_NONE && f->nodes.at[i].next == XPL_NONE &&
           (f->nodes.at[i].held & common) == common) {
        if (writes_place(xpl_node_at(f, i), place))
            return true;
        i = f->nodes.at[i].first;
    }
    return false;
}

/* The reader wrote the place itself since it has one of these mutexes. */
static bool is_own(const xpl_forest *f, uint32_t read, uint64_t common)
{
    uint32_t place = xpl_node_at(f, read)->place;
    for (uint32_t i = xpl_node_at(f, read)->before;
         i != XPL_NONE && (f->nodes.at[i].held & common); i = f->nodes.at[i].before) {
        common &= f->nodes.at[i].held;
        if (writes_place(xpl_node_at(f, i), place))
            return true;
    }
    return false;
}

/* Whatever the order is, the read does not see the write. */
static bool is_out_of_sight(const xpl_scenario *s, const xpl_forest *f,
                            const xpl_target *t, uint32_t read, uint32_t write)
{
    if (xpl_scenario_before(s, f, write, read))
        return is_overwritten(f, write,
                              xpl_scenario_end(s, f, t, xpl_node_at(f, write)->tree));
    uint64_t common = xpl_node_at(f, read)->held & xpl_node_at(f, write)->held;
    return common && (is_own(f, read, common) || is_hidden(f, write, common));
}

/* The candidate at hand, with a read that sees the write. */
static void couple(interfere *x, const waiter *w, uint32_t write)
{
    const xpl_forest *f = &x->forest;
    const xpl_scenario *s = &x->scenario;
    const xpl_target *t = &x->targets.at[s->target];
    uint32_t read = w->read;
    TD_ASSERT(xpl_node_at(f, read)->place == xpl_node_at(f, write)->place);
    if (xpl_node_at(f, read)->tree == xpl_node_at(f, write)->tree)
        return;
    if (w->must.ix && !xpl_ifr_is_off(x, XPL_OFF_CORES) &&
        !xpl_would_hold(f, w->must, read, write))
        return;
    xpl_scenario_copy(&x->child, s);
    if (!xpl_scenario_reach(&x->child, f, t, write) ||
        (!xpl_ifr_is_off(x, XPL_OFF_CORES) && is_out_of_sight(s, f, t, read, write)))
        return;
    xpl_scenario_couple(&x->child, read, write);
    x->child.degree += !xpl_scenario_before(&x->child, f, write, read);
    if (xpl_ifr_is_new(x, &x->child))
        xpl_ifr_enqueue(x, &x->child);
}

/* The thread of node continues to it. */
static void lead_on(interfere *x, const xpl_scenario *s, uint32_t node)
{
    const xpl_target *t = &x->targets.at[s->target];
    xpl_scenario_copy(&x->child, s);
    if (xpl_scenario_reach(&x->child, &x->forest, t, node) &&
        xpl_ifr_is_new(x, &x->child))
        xpl_ifr_enqueue(x, &x->child);
}

/* What one does to the object may let the other continue. */
static bool opens(uint8_t kind, uint8_t waiting)
{
    enum wire_does does = mdl_does(kind);
    switch (mdl_type_of(waiting)) {
    case WIRE_TYPE_SEM:
        if (mdl_has_failed(waiting))
            return does == WIRE_DOES_DOWN;
        return mdl_does(waiting) != WIRE_DOES_DOWN || does == WIRE_DOES_UP;
    case WIRE_TYPE_COND:
        return mdl_does(waiting) != WIRE_DOES_WOKEN || does == WIRE_DOES_WAKE ||
               does == WIRE_DOES_WAKE_ALL;
    case WIRE_TYPE_BARRIER:
        return mdl_arrives(kind);
    case WIRE_TYPE_ONCE:
        return !mdl_has_failed(waiting) || does == WIRE_DOES_FINISH;
    default:
        return true;
    }
}

/* The next thing that its thread does to the object, if the candidate does not have it. */
static bool is_nearest(const interfere *x, const xpl_scenario *s, uint32_t node,
                       uint8_t waiting)
{
    const xpl_forest *f = &x->forest;
    const xpl_node *n = xpl_node_at(f, node);
    TD_ASSERT(n->object != XPL_NONE);
    uint32_t end = xpl_scenario_end(s, f, &x->targets.at[s->target], n->tree);
    if (end != XPL_NONE && (end == node || !xpl_forest_leads(f, end, node)))
        return false;
    for (uint32_t i = n->before; i != end && i != XPL_NONE; i = f->nodes.at[i].before)
        if (f->nodes.at[i].object == n->object && opens(f->nodes.at[i].kind, waiting))
            return false;
    return true;
}

static bool helps(const interfere *x, const xpl_scenario *s, const xpl_helper *h,
                  uint32_t node)
{
    const xpl_node *n = xpl_node_at(&x->forest, node);
    return (h->tree == XPL_NONE || h->tree == n->tree) && opens(n->kind, h->kind) &&
           is_nearest(x, s, node, h->kind);
}

static bool fits_need(const interfere *x, uint32_t node, uint32_t after, uint8_t kind)
{
    const xpl_forest *f = &x->forest;
    if (xpl_node_at(f, node)->kind != kind ||
        (after != XPL_NONE && !xpl_forest_leads(f, after, node)))
        return false;
    if (mdl_ends(kind))
        return true;
    for (uint32_t i = xpl_node_at(f, node)->before; i != after && i != XPL_NONE;
         i = f->nodes.at[i].before)
        if (f->nodes.at[i].kind == kind)
            return false;
    return true;
}

static waiter_vec *waiters(waiter_vec_vec *v, uint32_t i)
{
    TD_ASSERT(i != XPL_NONE); /* a list for every number would be made */
    while (v->len <= i)
        waiter_vec_vec_push(v, (waiter_vec){0});
    return &v->at[i];
}

/* Without guidance every read by default is to blame. */
static void blame_everything(interfere *x)
{
    xpl_checker *c = &x->checker;
    xpl_u32_vec_clear(&c->core);
    for (size_t i = 0; i < c->nodes.len; i++)
        if (c->nodes.at[i] != XPL_NONE &&
            xpl_node_at(&x->forest, c->nodes.at[i])->variable != XPL_NONE &&
            xpl_node_at(&x->forest, c->nodes.at[i])->place != XPL_NONE && /* no join */
            xpl_scenario_source(&x->scenario, c->nodes.at[i]) == XPL_NONE)
            xpl_u32_vec_push(&c->core, c->nodes.at[i]);
}

void xpl_ifr_extend(interfere *x, uint32_t number)
{
    const xpl_forest *f = &x->forest;
    const xpl_checker *c = &x->checker;
    TD_ASSERT(number < x->scenarios.len);
    if (xpl_ifr_is_off(x, XPL_OFF_CORES))
        blame_everything(x);
    for (size_t i = 0; i < c->core.len; i++) {
        uint32_t read = c->core.at[i], place = xpl_node_at(f, read)->place;
        waiter w = {.scenario = number, .read = read, .must = c->broken};
        waiter_vec_push(waiters(&x->by_place, place), w);
        for (size_t k = 0; k < f->places.at[place].writes.len; k++)
            couple(x, &w, f->places.at[place].writes.at[k]);
    }
    for (size_t i = 0; i < c->helpers.len; i++) {
        xpl_helper h = c->helpers.at[i];
        waiter_vec_push(waiters(&x->by_object, h.object),
                        (waiter){.scenario = number, .read = h.tree, .kind = h.kind});
        for (size_t k = 0; k < f->objects.at[h.object].nodes.len; k++)
            if (helps(x, &x->scenario, &h, f->objects.at[h.object].nodes.at[k]))
                lead_on(x, &x->scenario, f->objects.at[h.object].nodes.at[k]);
    }
}

void xpl_ifr_meet_need(interfere *x, uint32_t number)
{
    const xpl_forest *f = &x->forest;
    uint32_t tree = x->checker.need_tree, after = x->checker.need_after;
    uint8_t kind = x->checker.need_kind;
    waiter_vec_push(waiters(&x->by_tree, tree),
                    (waiter){.scenario = number, .read = after, .kind = kind});
    if (mdl_ends(kind)) {
        for (size_t i = 0; i < f->trees.at[tree].ends.len; i++)
            if (fits_need(x, f->trees.at[tree].ends.at[i], after, kind))
                lead_on(x, &x->scenario, f->trees.at[tree].ends.at[i]);
        return;
    }
    for (uint32_t i = 0; i < f->nodes.len; i++)
        if (f->nodes.at[i].tree == tree && fits_need(x, i, after, kind))
            lead_on(x, &x->scenario, i);
}

/* ---- what a new node means for candidates that wait ---- */

static void offer_write(interfere *x, uint32_t node)
{
    uint32_t place = xpl_node_at(&x->forest, node)->place;
    for (size_t i = 0; place < x->by_place.len && i < x->by_place.at[place].len; i++) {
        waiter w = x->by_place.at[place].at[i];
        xpl_ifr_load(x, w.scenario, &x->scenario);
        couple(x, &w, node);
    }
}

static void offer_object(interfere *x, uint32_t node)
{
    uint32_t object = xpl_node_at(&x->forest, node)->object;
    for (size_t i = 0; object < x->by_object.len && i < x->by_object.at[object].len;
         i++) {
        waiter w = x->by_object.at[object].at[i];
        xpl_helper h = {object, w.read, w.kind};
        xpl_ifr_load(x, w.scenario, &x->scenario);
        if (helps(x, &x->scenario, &h, node))
            lead_on(x, &x->scenario, node);
    }
}

static void offer_end(interfere *x, uint32_t node)
{
    uint32_t tree = xpl_node_at(&x->forest, node)->tree;
    for (size_t i = 0; tree < x->by_tree.len && i < x->by_tree.at[tree].len; i++) {
        waiter w = x->by_tree.at[tree].at[i];
        if (!fits_need(x, node, w.read, w.kind))
            continue;
        xpl_ifr_load(x, w.scenario, &x->scenario);
        lead_on(x, &x->scenario, node);
    }
}

void xpl_ifr_offer(interfere *x, uint32_t node)
{
    const xpl_node *n = xpl_node_at(&x->forest, node);
    bool writes = n->written.ix != 0 && n->place != XPL_NONE,
         ends = mdl_ends(n->kind) || mdl_leaves_section(n->kind);
    bool has_object = n->object != XPL_NONE;
    if (writes)
        offer_write(x, node);
    if (has_object)
        offer_object(x, node);
    if (ends)
        offer_end(x, node);
}
