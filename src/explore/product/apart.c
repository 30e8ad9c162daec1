/* SPDX-License-Identifier: Apache-2.0 */
/* What creates and joins order, whatever the schedule. */
#include "explore/product/product_int.h"

xpl_reach xpl_reach_of(const xpl_product *x, uint32_t node)
{
    const xpl_node *n = &x->forest.nodes.at[node];
    xpl_reach r = {.tree = n->tree, .node = node};
    if (n->place != XPL_NONE) {
        r.start = x->forest.places.at[n->place].address;
        r.end = r.start + x->forest.places.at[n->place].size;
    } else if (n->object != XPL_NONE) {
        r.start = x->forest.objects.at[n->object].address;
        r.end = r.start + 1;
    }
    return r;
}

bool xpl_is_joined_before(const xpl_product *x, uint32_t tree, uint32_t node)
{
    uint32_t slot = x->shapes.slot_of.at[tree];
    for (uint32_t i = node; i != XPL_NONE; i = x->forest.nodes.at[i].before)
        if (mdl_joins(x->forest.nodes.at[i].kind) &&
            x->shapes.slot_of.at[x->forest.nodes.at[i].other] == slot)
            return true;
    return false;
}

bool xpl_is_before_create(const xpl_product *x, const xpl_reach *a, const xpl_reach *b)
{
    const xpl_forest *f = &x->forest;
    for (uint32_t tree = b->tree; f->trees.at[tree].create != XPL_NONE;) {
        uint32_t create = f->trees.at[tree].create;
        tree = f->nodes.at[create].tree;
        if (tree == a->tree)
            return a->node == XPL_NONE ||
                   (a->node != create && xpl_forest_leads(f, a->node, create));
    }
    return false;
}

bool xpl_is_apart(const xpl_product *x, const xpl_reach *a, const xpl_reach *b)
{
    return x->shapes.slot_of.at[a->tree] == x->shapes.slot_of.at[b->tree] ||
           xpl_is_joined_before(x, a->tree, b->node) ||
           xpl_is_joined_before(x, b->tree, a->node) || xpl_is_before_create(x, a, b) ||
           xpl_is_before_create(x, b, a);
}
