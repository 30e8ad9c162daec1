/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* The histories of one thread that are compatible with a configuration.
 *
 * They form a connected subtree of the thread's tree: below the last one that is a member, or,
 * if there is none, below the starts of the thread that fit. */

void unf_walk_start(unf *u, unf_walk *w, unf_cfg *cfg, uint32_t thread, uint64_t most)
{
    TD_ASSERT(thread < u->threads.len && unf_cfg_of(cfg) == u);
    uint32_t top = unf_cfg_top(cfg, thread);
    w->cfg = cfg;
    w->cost = 0;
    w->most = most;
    unf_vec_clear(&w->stack);
    if (top != UNF_NONE) {
        unf_vec_push(&w->stack, top);
        return;
    }
    uint32_t root = u->objects.at[u->threads.at[thread].object].root;
    for (uint32_t g = node_at(u, root)->groups; g; g = u->groups.at[g].next)
        for (uint32_t s = u->groups.at[g].exclusive; s != UNF_NONE;
             s = node_at(u, s)->sibling)
            if (unf_cfg_fits(cfg, s))
                unf_vec_push(&w->stack, s);
}

uint32_t unf_walk_next(unf *u, unf_walk *w)
{
    if (w->stack.len == 0 || td_stops(u->stop))
        return UNF_NONE;
    TD_DASSERT(w->cfg);
    uint32_t history = unf_vec_pop(&w->stack);
    for (uint32_t c = unf_first_child(u, history); c != UNF_NONE;
         c = unf_next_child(u, c)) {
        if (++w->cost > w->most)
            break;
        if (node_at(u, c)->status == UNF_EXECUTED && unf_cfg_fits(w->cfg, c))
            unf_vec_push(&w->stack, c);
    }
    return history;
}
