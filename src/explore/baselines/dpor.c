/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic partial-order reduction (Flanagan, Godefroid, POPL 2005) with sleep sets: at least one
 * run of every Mazurkiewicz trace.
 *
 * If a run has a race, the node of its first move gets a child from which the second can come first:
 * one of the threads that move first among the moves that the second needs besides the first. If one
 * of them is a child already, or sleeps there, that is enough. So the children of a node, once all
 * below them is run, are a persistent set. (That it is enough to look at races between moves that
 * depend on each other directly, and to add one such thread, is the theorem on source sets of
 * Abdulla, Aronis, Jonsson, Sagonas, POPL 2014; the threads they would accept are more than the ones
 * we do.)
 *
 * A move that ends the run of all threads depends on everything: every thread that could have moved
 * instead of it is a child, and so is it itself before each move that it does not need.
 *
 * A run can reach a state in which all enabled threads sleep: its continuations are explored elsewhere. The
 * runner stops there, and the run counts as blocked; the races it shows count all the same. A
 * trace is run twice only where a move must not sleep (explore/baselines/choice_tree.c, may_sleep). */
#include "explore/core/explore_int.h"
#include "base/assert.h"
#include "explore/baselines/choice_tree.h"

static void ask_all(xpl_choice_tree *x, uint32_t node)
{
    for (size_t i = 0; i < xpl_choice_tree_node(x, node)->enabled.len; i++)
        xpl_choice_tree_ask(x, node, xpl_choice_tree_node(x, node)->enabled.at[i]);
}

static void turn_round(xpl_choice_tree *x, const trc_race *race)
{
    TD_ASSERT(race->first < x->path.len);
    uint32_t node = x->path.at[race->first];
    const xpl_choice *n = xpl_choice_tree_node(x, node);
    trc_order_starters(x->order, race, &x->starters);
    for (size_t i = 0; i < x->starters.len; i++)
        if (xpl_choice_has(n, x->starters.at[i]))
            return;
    for (size_t i = 0; i < x->starters.len; i++)
        if (xpl_choice_enables(n, x->starters.at[i])) {
            xpl_choice_tree_ask(x, node, x->starters.at[i]);
            return;
        }
    ask_all(x, node);
}

static void dpor_rule(xpl_choice_tree *x, const trc *t, uint32_t from)
{
    (void)t;
    trc_order_races(x->order, from, &x->races);
    trc_order_last_races(x->order, &x->races);
    for (size_t i = 0; i < x->races.len; i++)
        turn_round(x, &x->races.at[i]);
    TD_ASSERT(x->path.len == trc_order_len(x->order)); /* a node for each move */
    if (trc_order_is_stopped(x->order))
        ask_all(x, x->path.at[x->path.len - 1]);
}

static xpl *dpor_new(const xpl_opts *opts)
{
    return xpl_choice_tree_new(&xpl_dpor, opts, dpor_rule);
}

const xpl_search xpl_dpor = {
    .name = "dpor",
    .text = "every trace, by dynamic partial-order reduction",
    .covers = XPL_STATES | XPL_TRACES | XPL_BRANCHES | XPL_RACES,
    .covered = "every trace was run",
    .new = dpor_new,
    .next = xpl_choice_tree_next,
    .feed = xpl_choice_tree_feed,
    .lost = xpl_choice_tree_lost,
    .complete = xpl_choice_tree_complete,
    .gaps = xpl_choice_tree_gaps,
    .left = xpl_choice_tree_left,
    .free = xpl_choice_tree_free,
};
