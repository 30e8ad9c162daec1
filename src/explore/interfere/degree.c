/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/interfere/interfere_int.h"

#include "base/assert.h"

/* How many interferences led to the branch sides that a run took. Those count that had a say: by
 * reads that a decision before depends on, in the thread and in those that wrote what it read. */

/* True if operation i read another thread's write, and not because of a create or join. */
static bool interferes(const interfere *x, const trc *t, const xpl_scenario *s,
                       uint32_t i)
{
    const xpl_forest *f = &x->forest;
    uint32_t source = f->source.at[i];
    TD_ASSERT(source == XPL_NONE || source < i); /* what was read was written before */
    if (source == XPL_NONE || t->ops.at[source].thread == t->ops.at[i].thread)
        return false;
    uint32_t write = f->node_of.at[source], read = f->node_of.at[i];
    return !xpl_scenario_before(s, f, write, read);
}

static void need(interfere *x, uint32_t thread, uint32_t n_ops)
{
    if (x->need.at[thread] < n_ops)
        x->need.at[thread] = n_ops;
}

static void need_values(interfere *x, exp_ref e)
{
    const exp_dag *d = pth_dag(x->path);
    exp_set_list(d, exp_inputs(d, e), &x->wanted);
}

/* Marks operation i as needed, with everything that its decision depends on and that enabled it. */
static void need_op(interfere *x, const trc *t, uint32_t i)
{
    const trc_op *op = &t->ops.at[i];
    const xpl_node *n = xpl_node_at(&x->forest, x->forest.node_of.at[i]);
    if (n->question != XPL_NONE)
        need_values(x, pth_condition(x->path, n->question, n->side));
    if (mdl_joins(op->kind) && t->threads.at[op->value].end_op != UINT32_MAX)
        need(x, (uint32_t)op->value, t->threads.at[op->value].end_op + 1);
    if (op->thread > 0)
        need(x, t->threads.at[op->thread].parent,
             t->threads.at[op->thread].create_op + 1);
}

/* Marks the value that operation i read as needed, and with it the write. Returns 1 if it is an
 * interference. */
static uint32_t need_read(interfere *x, const trc *t, uint32_t i)
{
    uint32_t source = x->forest.source.at[i];
    if (x->is_counted.at[i])
        return 0;
    x->is_counted.at[i] = 1;
    if (source == XPL_NONE)
        return 0;
    need(x, t->ops.at[source].thread, source + 1);
    need_values(x, xpl_node_at(&x->forest, x->forest.node_of.at[source])->written);
    return x->interfering.at[i];
}

static void need_start(interfere *x, const trc *t)
{
    xpl_u32_vec_reserve(&x->need, t->threads.len);
    memset(x->need.at, 0, t->threads.len * sizeof x->need.at[0]);
    xpl_u32_vec_reserve(&x->is_counted, t->ops.len + 1);
    memset(x->is_counted.at, 0, t->ops.len * sizeof x->is_counted.at[0]);
    xpl_u32_vec_reserve(&x->is_needed, t->ops.len + 1);
    memset(x->is_needed.at, 0, t->ops.len * sizeof x->is_needed.at[0]);
    exp_u32_vec_clear(&x->wanted);
}

/* Counts the interferences that led the thread to its first n_ops operations: reads of other threads' writes
 * whose values determine the path of this thread, or of the writers of these values. */
static uint32_t degree_at(interfere *x, const trc *t, uint32_t thread, uint32_t n_ops)
{
    uint32_t degree = 0;
    need_start(x, t);
    need(x, thread, n_ops);
    for (bool more = true; more && !td_stops_now(x->opts.stop);) {
        more = false;
        for (uint32_t i = 0; i < t->ops.len; i++) {
            if (i >= x->need.at[t->ops.at[i].thread] || x->is_needed.at[i])
                continue;
            x->is_needed.at[i] = 1;
            more = true;
            need_op(x, t, i);
        }
        while (x->wanted.len > 0) {
            uint32_t op = xpl_map_get(&x->reader, exp_u32_vec_pop(&x->wanted));
            degree += op == XPL_NONE ? 0 : need_read(x, t, op);
        }
    }
    TD_ASSERT(degree <= t->ops.len);
    return degree;
}

/* A branch decides right after its side was noted. */
static uint32_t degree_of(interfere *x, const trc *t, const trc_side *at)
{
    uint32_t n = at->before_op;
    bool decides = n < t->ops.len && mdl_decides(t->ops.at[n].kind) &&
                   t->ops.at[n].thread == at->thread && t->ops.at[n].site == at->site;
    return degree_at(x, t, at->thread, n + decides);
}

void xpl_ifr_take_side(interfere *x, uint32_t number, uint32_t degree)
{
    TD_ASSERT(number < x->sides.len && degree != XPL_NONE);
    side *s = &x->sides.at[number];
    x->n_taken += s->k == XPL_NONE;
    s->k = degree < s->k ? degree : s->k;
}

/* Which operations interfere, and which has read a variable. */
static void look_at_reads(interfere *x, const trc *t)
{
    const xpl_forest *f = &x->forest;
    xpl_u32_vec_reserve(&x->interfering, t->ops.len + 1);
    xpl_map_clear(&x->reader);
    /* In the run, every joined thread has ended. */
    xpl_scenario s = {0};
    for (size_t k = 0; k < f->ends.len; k++)
        if (f->ends.at[k] != XPL_NONE && mdl_ends(xpl_node_at(f, f->ends.at[k])->kind))
            xpl_u32_vec_push(&s.ends, f->ends.at[k]);
    for (uint32_t i = 0; i < t->ops.len; i++) {
        /* Each looks back over its thread: in a long run that takes long. */
        x->interfering.at[i] = !td_stops(x->opts.stop) && interferes(x, t, &s, i);
        uint32_t node = f->node_of.at[i];
        if (xpl_node_at(f, node)->is_outcome)
            node = xpl_node_at(f, node)->before;
        if (xpl_node_at(f, node)->variable != XPL_NONE)
            xpl_map_set(&x->reader, xpl_node_at(f, node)->variable, i);
    }
    xpl_scenario_fini(&s);
}

void xpl_ifr_take_sides(interfere *x, const trc *t)
{
    look_at_reads(x, t);
    for (size_t i = 0; i < t->sides.len; i++) {
        const trc_side *at = &t->sides.at[i];
        xpl_map_put(&x->branches, at->site, 0);
        uint32_t number = xpl_ifr_side_number(x, at->site, at->side);
        if (x->sides.at[number].k > 0)
            xpl_ifr_take_side(x, number, degree_of(x, t, at));
    }
}

/* The side that the thread took last leads to the failure. */
static void take_fail(interfere *x, const trc *t, const trc_fail *fail)
{
    uint32_t last = XPL_NONE;
    for (size_t i = 0; i < t->sides.len; i++)
        if (t->sides.at[i].thread == fail->thread)
            last = xpl_ifr_side_number(x, t->sides.at[i].site, t->sides.at[i].side);
    side_vec_push(&x->fails, (side){fail->site, last,
                                    degree_at(x, t, fail->thread, fail->after_op)});
}

/* Races and leaks are left out: a thread continues after a race, and a leak has no thread. */
void xpl_ifr_take_fails(interfere *x, const trc *t)
{
    for (size_t i = 0; i < t->fails.len; i++)
        if (t->fails.at[i].kind != WIRE_FAIL_RACE &&
            t->fails.at[i].kind != WIRE_FAIL_LEAK)
            take_fail(x, t, &t->fails.at[i]);
}
