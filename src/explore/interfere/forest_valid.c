/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the invariants of forest.h: walks every list, and each node must be found where it belongs. */
#include "explore/interfere/forest.h"

#include <stdio.h>

static bool broken(char *why, size_t size, const char *text, size_t at)
{
    if (why && size > 0)
        snprintf(why, size, "%s (at %zu)", text, at);
    return false;
}

static bool has(const xpl_u32_vec *v, uint32_t number)
{
    for (size_t i = 0; i < v->len; i++)
        if (v->at[i] == number)
            return true;
    return false;
}

static bool is_in_list(const xpl_forest *f, uint32_t node)
{
    uint32_t i = xpl_forest_first(f, f->nodes.at[node].tree, f->nodes.at[node].before);
    while (i != XPL_NONE && i != node && i < f->nodes.len)
        i = f->nodes.at[i].next;
    return i == node;
}

/* Checks a node's position in its tree; (F1). */
static bool place_valid(const xpl_forest *f, uint32_t i)
{
    const xpl_node *n = &f->nodes.at[i];
    const xpl_node *before = n->before == XPL_NONE ? NULL : &f->nodes.at[n->before];
    if (n->tree >= f->trees.len ||
        (before && (n->before >= i || before->tree != n->tree)))
        return false;
    return n->depth == (before ? before->depth + 1 : 0) && is_in_list(f, i) &&
           (n->first == XPL_NONE || n->first > i) && (n->next == XPL_NONE || n->next > i);
}

/* Checks that each lookup finds the node: by its place, its object, as an end, as a creation. */
static bool lists_valid(const xpl_forest *f, uint32_t i)
{
    const xpl_node *n = &f->nodes.at[i];
    if (n->place != XPL_NONE &&
        (n->place >= f->places.len ||
         (n->written.ix && !has(&f->places.at[n->place].writes, i))))
        return false;
    if (n->object != XPL_NONE &&
        (n->object >= f->objects.len || !has(&f->objects.at[n->object].nodes, i)))
        return false;
    if (mdl_ends(n->kind) && !has(&f->trees.at[n->tree].ends, i))
        return false;
    return !mdl_creates(n->kind) ||
           (n->other < f->trees.len && f->trees.at[n->other].create == i);
}

/* (F3), but for what only the run can tell. */
static bool jump_valid(const xpl_forest *f, uint32_t i)
{
    const xpl_node *n = &f->nodes.at[i];
    uint32_t k = XPL_NONE;
    if (n->jump == XPL_NONE)
        return true;
    if (n->jump >= f->nodes.len || n->jump == i || n->first != XPL_NONE ||
        f->nodes.at[n->jump].tree != n->tree || !n->is_header)
        return false;
    for (k = f->nodes.at[n->jump].met_by; k != XPL_NONE && k != i;)
        k = f->nodes.at[k].met_before;
    return k == i;
}

bool xpl_forest_valid(const xpl_forest *f, char *why, size_t size)
{
    uint64_t n_fatal = 0;
    for (uint32_t i = 0; i < f->nodes.len; i++) {
        if (!place_valid(f, i))
            return broken(why, size, "F1: a node that does not follow the one before it",
                          i);
        if (!lists_valid(f, i))
            return broken(why, size, "a node that is in no list", i);
        if (!jump_valid(f, i))
            return broken(why, size, "F3: a way that continues where it cannot", i);
        n_fatal += f->nodes.at[i].is_fatal;
    }
    for (size_t i = 0; i < f->trees.len; i++)
        if ((i == 0) != (f->trees.at[i].create == XPL_NONE))
            return broken(why, size, "a tree without a creating event", i);
    return n_fatal == f->n_fatal || broken(why, size, "number of fatal nodes", 0);
}
