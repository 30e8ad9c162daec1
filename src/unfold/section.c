/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Atomic sections: nothing of other threads happens in the middle of one.
 *
 * The structure does not know this: it takes the operations of a section for operations like
 * others, so some of its targets cannot be. A configuration is possible if each section in it
 * is complete, or can be completed by events that were executed and fit; if none fits, perhaps
 * one that is still a target will. A target inside a section leaves that section open; then
 * no event of another thread may come after part of it. */

/* The BEGIN of the section that an event inside belongs to. */
static uint32_t begin_of(const unf *u, uint32_t event)
{
    while (!mdl_enters_section(node_at(u, event)->kind)) {
        TD_DASSERT(node_at(u, event)->flags & NODE_INSIDE);
        event = node_at(u, event)->before;
    }
    return event;
}

static bool is_inside(const unf *u, uint32_t event)
{
    return event != UNF_NONE && (node_at(u, event)->flags & NODE_INSIDE);
}

/* Adds what completes the section that event is inside of. */
static bool complete(unf_cfg *c, unf *u, uint32_t event)
{
    for (uint32_t i = unf_first_child(u, event); i != UNF_NONE;
         i = unf_next_child(u, i)) {
        const unf_node *n = node_at(u, i);
        if (n->status != UNF_EXECUTED || (n->flags & NODE_LAST) || !unf_cfg_fits(c, i))
            continue;
        size_t len = unf_cfg_len(c);
        unf_cfg_add(c, i);
        bool possible = !mdl_decides(n->kind) || unf_feasible(u, c);
        if (possible && (!is_inside(u, i) || complete(c, u, i)))
            return true;
        unf_cfg_cut(c, len);
    }
    return false;
}

static bool comes_after(const unf *u, const unf_node *n, const unf_node *begin)
{
    const uint32_t *reads = node_reads(u, n);
    const unf_node *after = n->after == UNF_NONE ? NULL : node_at(u, n->after);
    bool found = after && after->thread == begin->thread && after->depth >= begin->depth;
    for (uint32_t i = 0; i < node_n_reads(u, n) && !found; i++) {
        const unf_node *r = node_at(u, reads[i]);
        found = r->thread == begin->thread && r->depth >= begin->depth;
    }
    return found;
}

/* True if no member of another thread comes after part of the section. */
static bool is_last_of_all(const unf_cfg *c, const unf *u, const unf_node *begin)
{
    for (size_t i = 0; i < unf_cfg_len(c); i++) {
        const unf_node *n = node_at(u, unf_cfg_at(c, i));
        if (n->thread != begin->thread && comes_after(u, n, begin))
            return false;
    }
    return true;
}

unf_possible unf_cfg_complete(unf_cfg *c)
{
    unf *u = unf_cfg_of(c);
    if (!u->has_sections)
        return UNF_POSSIBLE;
    for (uint32_t thread = 0; thread < u->threads.len; thread++) {
        uint32_t top = unf_cfg_top(c, thread);
        if (top == UNF_NONE)
            continue;
        const unf_node *n = node_at(u, top);
        if (n->status == UNF_TARGET && is_inside(u, n->before)) {
            if (!is_last_of_all(c, u, node_at(u, begin_of(u, n->before))))
                return UNF_IMPOSSIBLE;
        } else if (n->status != UNF_TARGET && is_inside(u, top) &&
                   !(n->flags & NODE_LAST) && !complete(c, u, top)) {
            return UNF_PERHAPS_LATER;
        }
    }
    return UNF_POSSIBLE;
}
