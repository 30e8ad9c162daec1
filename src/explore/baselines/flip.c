/* SPDX-License-Identifier: Apache-2.0 */
/* Race detection and flipping (Sen, Agha: Concolic testing of multithreaded programs, 2006, the
 * algorithm of jCUTE, Figures 9 to 11), for comparison.
 *
 * Where the first move of a race was chosen its thread is postponed: another thread is chosen, the
 * first one in the order of creation, and the postponed one sleeps until a move that depends on its
 * next one. A race is ignored if the thread of its second move is postponed in that node: it is the
 * same race again, already reversed.
 *
 * That misses traces. A thread can be postponed because of another one than that of the second move;
 * and of a store and two unordered loads only three of the four traces are run: once the store is
 * postponed behind the first load, its race with that load counts as reversed, and the second load is
 * never chosen first. docs/search.md has it step by step. As in the paper, only moves that were
 * made count: the next operation of a thread that waits forever has no race, and the end of the
 * process has none with operations that other threads would have made. So a search that has run all
 * its jobs covers no goal. */
#include "explore/core/explore_int.h"
#include "base/assert.h"
#include "explore/baselines/choice_tree.h"

/* The smallest thread that is neither postponed nor has been chosen, or UINT32_MAX. */
static uint32_t next_thread(const xpl_choice *n)
{
    uint32_t found = UINT32_MAX;
    for (size_t i = 0; i < n->enabled.len; i++)
        if (n->enabled.at[i] < found && !xpl_choice_has(n, n->enabled.at[i]))
            found = n->enabled.at[i];
    return found;
}

/* A thread is postponed once for the races of its move, whatever their number. */
static void flip(xpl_choice_tree *x, const trc_race *race)
{
    uint32_t node = x->path.at[race->first];
    xpl_choice *n = xpl_choice_tree_node(x, node);
    TD_ASSERT(!n->is_input && n->children.len > 0);
    xpl_child *last = &n->children.at[n->children.len - 1];
    bool is_last = last->thread == trc_order_at(x->order, race->first).thread;
    if (!is_last || last->raced || xpl_choice_has(n, race->thread))
        return;
    last->raced = true;
    uint32_t thread = next_thread(n);
    if (thread != UINT32_MAX)
        xpl_choice_tree_ask(x, node, thread);
}

static void flip_rule(xpl_choice_tree *x, const trc *t, uint32_t from)
{
    (void)t;
    trc_order_races(x->order, from, &x->races);
    for (size_t i = 0; i < x->races.len; i++)
        flip(x, &x->races.at[i]);
}

static xpl *flip_new(const xpl_opts *opts)
{
    return xpl_choice_tree_new(&xpl_flip, opts, flip_rule);
}

const xpl_search xpl_flip = {
    .name = "flip",
    .text = "many traces, by race flipping (jCUTE)",
    .covers = 0,
    .new = flip_new,
    .next = xpl_choice_tree_next,
    .feed = xpl_choice_tree_feed,
    .lost = xpl_choice_tree_lost,
    .complete = xpl_choice_tree_complete,
    .gaps = xpl_choice_tree_gaps,
    .left = xpl_choice_tree_left,
    .free = xpl_choice_tree_free,
};
