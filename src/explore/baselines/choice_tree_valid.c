/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the invariants of choice_tree.h, between two feeds. */
#include "explore/baselines/choice_tree.h"

#include <stdio.h>

static bool broken(char *why, size_t size, const char *text, size_t at)
{
    if (why && size > 0)
        snprintf(why, size, "%s (at %zu)", text, at);
    return false;
}

static bool is_live(const xpl_choice_tree *x, uint32_t node)
{
    return node < x->nodes.len && x->nodes.at[node].n_refs > 0;
}

/* The children have run from the first one on, as far as they have (E1); those of an input in any
 * order. */
static bool order_valid(const xpl_choice *n)
{
    bool waits = false;
    for (size_t i = 0; i < n->children.len; i++) {
        if (waits && n->children.at[i].has_run && !n->is_input)
            return false;
        waits |= !n->children.at[i].has_run;
    }
    return n->children.len > 0;
}

/* Checks that no child is asleep, each can be chosen, and none occurs twice (E2). */
static bool choices_valid(const xpl_choice *n)
{
    for (size_t i = 0; i < n->children.len; i++) {
        uint32_t thread = n->children.at[i].thread;
        if (!xpl_choice_enables(n, thread))
            return false;
        for (size_t k = 0; k < n->asleep.len; k++)
            if (n->asleep.at[k].thread == thread)
                return false;
        for (size_t k = 0; k < i; k++)
            if (n->children.at[k].thread == thread)
                return false;
    }
    return true;
}

/* Every value once (E3): as many as there are, all of them smaller than that. */
static bool values_valid(const xpl_choice *n)
{
    bool seen[256] = {false};
    size_t len = n->children.len;
    if (len < 2 || len > 256 || (len & (len - 1)) != 0)
        return false;
    for (size_t i = 0; i < len; i++) {
        uint64_t value = n->children.at[i].value;
        if (value >= len || seen[value])
            return false;
        seen[value] = true;
    }
    return true;
}

/* Checks the references to each node: from nodes under it, and from its children that have not run. */
static bool refs_valid(const xpl_choice_tree *x, char *why, size_t size)
{
    uint32_t *refs = td_alloc((x->nodes.len + 1) * sizeof *refs);
    bool good = true;
    for (uint32_t i = 0; i < x->nodes.len && good; i++) {
        const xpl_choice *n = &x->nodes.at[i];
        if (n->n_refs == 0)
            continue;
        for (size_t k = 0; k < n->children.len; k++)
            refs[i] += !n->children.at[k].has_run;
        if (n->parent == XPL_NO_CHOICE)
            continue;
        good = is_live(x, n->parent) && n->in < x->nodes.at[n->parent].children.len;
        if (good)
            refs[n->parent]++;
        else
            broken(why, size, "a node without a live parent", i);
    }
    for (uint32_t i = 0; i < x->nodes.len && good; i++) {
        good = refs[i] == x->nodes.at[i].n_refs;
        if (!good)
            broken(why, size, "a node with a wrong reference count", i);
    }
    td_free(refs);
    return good;
}

static bool free_valid(const xpl_choice_tree *x)
{
    size_t n_free = 0, n = 0;
    for (size_t i = 0; i < x->nodes.len; i++)
        n_free += x->nodes.at[i].n_refs == 0;
    for (uint32_t i = x->free_node; i != XPL_NO_CHOICE; i = x->nodes.at[i].parent)
        if (i >= x->nodes.len || is_live(x, i) || ++n > n_free)
            return false;
    return n == n_free;
}

static bool work_valid(const xpl_choice_tree *x, xpl_work w)
{
    if (!is_live(x, w.node))
        return false;
    const xpl_choice *n = &x->nodes.at[w.node];
    return w.child < n->children.len && !n->children.at[w.child].has_run &&
           (n->is_input || w.child == 0 || n->children.at[w.child - 1].has_run);
}

static bool jobs_valid(const xpl_choice_tree *x, char *why, size_t size)
{
    uint64_t n_open = 0;
    for (size_t i = 0; i < x->todo.len; i++)
        if (!work_valid(x, x->todo.at[i]))
            return broken(why, size, "E1: a child that is still to be run", i);
    for (size_t i = 0; i < x->flights.len; i++) {
        const xpl_flight *f = &x->flights.at[i];
        n_open += f->is_open;
        if (f->is_open && f->work.node != XPL_NO_CHOICE && !work_valid(x, f->work))
            return broken(why, size, "E1: a child that runs", i);
    }
    if (n_open != x->n_open || x->first_flight + x->flights.len != x->n_jobs + 1)
        return broken(why, size, "jobs that were not fed", n_open);
    return true;
}

bool xpl_choice_tree_valid(const xpl_choice_tree *x, char *why, size_t size)
{
    for (uint32_t i = 0; i < x->nodes.len; i++) {
        const xpl_choice *n = &x->nodes.at[i];
        if (n->n_refs == 0)
            continue;
        if (!order_valid(n))
            return broken(why, size, "E1: a child has run before its time", i);
        /* A run that diverged may have chosen a sleeping thread: it is counted. */
        if (!n->is_input && x->n_lost == 0 && !choices_valid(n))
            return broken(why, size, "E2: a child that is asleep, or cannot be chosen",
                          i);
        if (n->is_input && !values_valid(n))
            return broken(why, size, "E3: a value is missing", i);
    }
    if (x->fresh.len > 0 || !free_valid(x))
        return broken(why, size, "free nodes", x->free_node);
    return refs_valid(x, why, size) && jobs_valid(x, why, size);
}
