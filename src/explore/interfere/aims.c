/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/interfere/interfere_int.h"

#include "base/assert.h"

/* What the search interfere aims at: ways that decisions, outcomes and ends of threads could go and
 * that no run has shown. */

enum { MAX_VALUES = 64 }; /* values of an address or length that are tried */

static uint32_t target_add(interfere *x, xpl_target t)
{
    TD_ASSERT(t.tree < x->forest.trees.len &&
              (t.aim == XPL_AIM_SIDE || t.cover == XPL_NONE));
    TD_ASSERT((t.question != XPL_NONE) ==
              (t.aim == XPL_AIM_SIDE || t.aim == XPL_AIM_OTHER));
    uint64_t words[7] = {t.aim,
                         t.kind,
                         (uint64_t)t.tree << 32 | t.before,
                         (uint64_t)t.question << 32 | t.object,
                         t.side,
                         t.is_last,
                         t.other};
    if (!td_id_set_add(&x->known_targets, td_id_hash(words, sizeof words)))
        return XPL_NONE;
    target_vec_push(&x->targets, t);
    return (uint32_t)x->targets.len - 1;
}

static void aim(interfere *x, xpl_target t)
{
    uint32_t number = target_add(x, t);
    if (number == XPL_NONE)
        return;
    xpl_scenario s = {.target = number};
    if (xpl_ifr_is_new(x, &s))
        xpl_ifr_enqueue(x, &s);
}

static uint64_t side_key(uint32_t site, uint64_t number)
{
    return (uint64_t)site << 32 | (uint32_t)number;
}

uint32_t xpl_ifr_side_number(interfere *x, uint32_t site, uint64_t number)
{
    uint32_t next = (uint32_t)x->sides.len;
    uint32_t i = xpl_map_put(&x->side_of, side_key(site, number), next);
    if (i == next)
        side_vec_push(&x->sides, (side){site, (uint32_t)number, XPL_NONE});
    return i;
}

/* The thread has answered the question before: it cannot go another way now. */
static bool is_settled_before(const xpl_forest *f, uint32_t before, uint32_t question)
{
    for (; before != XPL_NONE; before = f->nodes.at[before].before)
        if (f->nodes.at[before].question == question)
            return true;
    return false;
}

static void aim_at_side(interfere *x, const xpl_node *n, uint64_t number)
{
    bool is_branch =
        mdl_decides(n->kind) && xpl_map_get(&x->branches, n->site) != XPL_NONE;
    xpl_target t = {.aim = XPL_AIM_SIDE,
                    .tree = n->tree,
                    .before = n->before,
                    .question = n->question,
                    .object = XPL_NONE,
                    .other = XPL_NONE,
                    .cover =
                        is_branch ? xpl_ifr_side_number(x, n->site, number) : XPL_NONE,
                    .side = number};
    bool is_there =
        xpl_forest_side(&x->forest, n->tree, n->before, n->question, number) != XPL_NONE;
    if (is_there && (t.cover == XPL_NONE || x->sides.at[t.cover].k == 0))
        return;
    aim(x, t);
}

void xpl_ifr_aim_beside(interfere *x, uint32_t node)
{
    xpl_node n = *xpl_node_at(&x->forest, node);
    uint8_t other = xpl_outcome_other(n.kind);
    uint64_t held = n.before == XPL_NONE ? 0 : x->forest.nodes.at[n.before].held;
    /* What a thread has itself turns out in one way. */
    bool is_own = n.object < 64 && (held >> n.object & 1);
    if (other != WIRE_NONE && !is_own)
        aim(x, (xpl_target){.aim = XPL_AIM_OUTCOME,
                            .kind = other,
                            .is_last = mdl_arrives(n.kind) && !n.is_last,
                            .tree = n.tree,
                            .before = n.before,
                            .question = XPL_NONE,
                            .object = n.object,
                            .other = XPL_NONE,
                            .cover = XPL_NONE});
    if (n.question == XPL_NONE || is_settled_before(&x->forest, n.before, n.question))
        return;
    uint32_t n_sides = pth_n_sides(x->path, n.question);
    for (uint32_t i = 0; i < n_sides; i++)
        aim_at_side(x, &n, i);
    if (n_sides == 0)
        aim(x, (xpl_target){.aim = XPL_AIM_OTHER,
                            .tree = n.tree,
                            .before = n.before,
                            .question = n.question,
                            .object = XPL_NONE,
                            .other = XPL_NONE,
                            .cover = XPL_NONE});
}

/* The thread waits for itself, whatever others do. */
static bool is_stuck(const trc *t, uint32_t thread)
{
    for (size_t i = 0; i < t->waits.len; i++)
        if (t->waits.at[i].thread == thread && t->waits.at[i].kind != WIRE_NONE &&
            t->waits.at[i].other == thread)
            return true;
    return false;
}

/* Threads that were cut short: nothing is known of what they do next. */
void xpl_ifr_aim_on(interfere *x, const trc *t)
{
    xpl_forest *f = &x->forest;
    for (size_t i = 0; i < t->nexts.len && t->done != WIRE_DONE_DEPTH; i++) {
        const trc_next *n = &t->nexts.at[i];
        uint32_t tree = f->tree_of.at[n->thread], before = f->ends.at[n->thread];
        bool has_object =
            xpl_has_object(n->kind) && xpl_outcome_other(n->kind) == WIRE_NONE;
        if (mdl_stands(n->kind) || xpl_forest_first(f, tree, before) != XPL_NONE ||
            is_stuck(t, n->thread))
            continue;
        aim(x, (xpl_target){
                   .aim = XPL_AIM_ON,
                   .kind = n->kind,
                   .tree = tree,
                   .before = before,
                   .question = XPL_NONE,
                   .object = has_object ? xpl_forest_object(f, n->object) : XPL_NONE,
                   .other = n->other == UINT32_MAX ? XPL_NONE : f->tree_of.at[n->other],
                   .cover = XPL_NONE});
    }
}

static uint32_t n_values(const interfere *x, const xpl_target *t)
{
    uint32_t n = 0;
    for (uint32_t i = xpl_forest_first(&x->forest, t->tree, t->before); i != XPL_NONE;
         i = x->forest.nodes.at[i].next)
        n += x->forest.nodes.at[i].question == t->question;
    return n;
}

/* Some node is what the target aims at. */
bool xpl_ifr_is_reached(const interfere *x, const xpl_target *t)
{
    const xpl_forest *f = &x->forest;
    if (t->aim == XPL_AIM_SIDE)
        return xpl_forest_side(f, t->tree, t->before, t->question, t->side) != XPL_NONE;
    if (t->aim == XPL_AIM_OTHER)
        return false;
    if (t->aim == XPL_AIM_ON)
        return xpl_forest_first(f, t->tree, t->before) != XPL_NONE;
    TD_ASSERT(t->aim == XPL_AIM_OUTCOME);
    uint32_t i = xpl_forest_first(f, t->tree, t->before);
    while (i != XPL_NONE &&
           (f->nodes.at[i].kind != t->kind || f->nodes.at[i].is_last != t->is_last))
        i = f->nodes.at[i].next;
    return i != XPL_NONE;
}

/* Nothing is to be gained by the candidate. */
bool xpl_ifr_is_idle(interfere *x, const xpl_scenario *s)
{
    const xpl_target *t = &x->targets.at[s->target];
    if (t->aim == XPL_AIM_OTHER && n_values(x, t) >= MAX_VALUES) {
        x->n_values++;
        return true;
    }
    if (!xpl_ifr_is_reached(x, t))
        return false;
    return t->cover == XPL_NONE || x->sides.at[t->cover].k <= s->degree;
}
