/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that wait for other threads.
 *
 * Runs tell where a thread was back at the header of a loop, having only read memory, with nothing in its registers
 * or memory that depends on what it read (WIRE_JOB_ROUNDS). So it is back whenever it comes to that node, and
 * a run without the round shows every thread the same: the last read of the round is not a step.
 * The thread waits before it until it would read something that leads elsewhere, as others wait for a lock.
 * An exchange belongs to such a round only if it writes what it read, which depends on values.
 *
 * If the round has other reads, the thread might leave the loop by what they would read now; then
 * it does so in another state, where it has not begun the round. A livelock is where it would not. */
#include "explore/product/product_int.h"

#include "base/assert.h"

/* The last operation that is the node or before it. */
static uint32_t operation_at(const xpl_forest *f, uint32_t node)
{
    while (node != XPL_NONE && !f->nodes.at[node].is_choice)
        node = f->nodes.at[node].before;
    return node;
}

uint32_t xpl_round_last(const xpl_forest *f, uint32_t node)
{
    return operation_at(f, node);
}

uint32_t xpl_round_before(const xpl_forest *f, uint32_t operation)
{
    TD_ASSERT(operation < f->nodes.len);
    uint32_t before = f->nodes.at[operation].before;
    return before == XPL_NONE ? XPL_NONE : operation_at(f, before);
}

/* What the node has written is what was there. */
static bool leaves_memory(xpl_product *x, const xpl_node *n)
{
    if (!n->written.ix)
        return true;
    return n->variable != XPL_NONE &&
           xpl_formula_value(&x->formulas, pth_dag(x->path), n->written, &x->state.env) ==
               (uint64_t)x->state.env.at[n->variable];
}

bool xpl_state_is_round(xpl_product *x, uint32_t node)
{
    uint32_t left = node & XPL_START ? XPL_NONE : xpl_map_get(&x->shapes.idle_of, node);
    if (left == XPL_NONE)
        return false;
    uint32_t i = node;
    while (left > 0 && i != XPL_NONE) {
        const xpl_node *n = &x->forest.nodes.at[i];
        if (!leaves_memory(x, n))
            return false;
        left -= n->is_choice;
        i = n->before;
    }
    return left == 0;
}

/* Reads of the round but the last: one would find something else now. */
bool xpl_state_is_stale(const xpl_product *x, uint32_t node)
{
    const xpl_forest *f = &x->forest;
    uint32_t n_ops = xpl_map_get(&x->shapes.idle_of, node);
    uint32_t i = xpl_round_last(f, node);
    for (uint32_t k = 1; k < n_ops; k++) {
        i = xpl_round_before(f, i);
        TD_ASSERT(i != XPL_NONE);
        const xpl_node *n = &f->nodes.at[i];
        if (x->state.memory.at[n->place] != (uint64_t)x->state.env.at[n->variable])
            return true;
    }
    return false;
}
