/* SPDX-License-Identifier: Apache-2.0 */
/* Records symbolic values: decisions with the nodes they need, reads that affected control flow, branch
 * outcomes. Nodes are recorded when a decision needs them, and get new numbers then. */
#include "runtime/symbolic/nodes.h"

#include "runtime/core/spin.h"
#include "runtime/symbolic/values.h"

/* What no input affects is a constant of this run. */
static void node_tell_value(node *n)
{
    wire_rec *r = rt_emit(WIRE_NOTE_NODE);
    r->size = WIRE_SYM_CONST;
    r->order = n->bits;
    r->object = n->value[0];
    r->value = n->value[1];
    n->recorded = ++SYM->n_recorded;
    RT_ASSERT(n->recorded <= SYM->n_nodes);
}

static void node_tell(uint32_t label)
{
    node *n = &NODES[label];
    if (!(n->flags & OF_INPUTS)) {
        node_tell_value(n);
        return;
    }
    if (n->op == OP_READ) {
        n->recorded = NODES[n->a].recorded;
        return;
    }
    wire_rec *r = rt_emit(WIRE_NOTE_NODE);
    r->size = n->op;
    r->order = n->bits;
    r->flags = n->offset;
    r->thread = n->a ? NODES[n->a].recorded : 0;
    r->site = n->b ? NODES[n->b].recorded : 0;
    r->count = n->c ? NODES[n->c].recorded : 0;
    r->object = n->immediate[0];
    r->value = n->immediate[1];
    n->recorded = ++SYM->n_recorded;
}

/* Records the node and those it needs, operands first; returns its number in the record. */
uint32_t rt_node_tell(uint32_t label)
{
    RT_ASSERT(label != 0 && label < SYM->n_nodes);
    uint32_t n_stack = 0;
    uint32_t *stack = SYM->stack;
    if (NODES[label].recorded == 0)
        stack[n_stack++] = label;
    while (n_stack > 0) {
        uint32_t top = stack[n_stack - 1];
        RT_ASSERT(top != 0 && top < SYM->n_nodes);
        const uint32_t operands[] = {NODES[top].a, NODES[top].b, NODES[top].c};
        uint32_t before = n_stack;
        bool inside = (NODES[top].flags & OF_INPUTS) != 0;
        for (int i = 0; i < 3 && inside && n_stack == before; i++)
            if (operands[i] && NODES[operands[i]].recorded == 0)
                stack[n_stack++] = operands[i];
        if (n_stack > before)
            continue;
        n_stack--;
        node_tell(top);
    }
    return NODES[label].recorded;
}

void rt_sym_tell_used(uint64_t p, uint64_t size, uint32_t site)
{
    if (!rt->active)
        return;
    wire_rec *r = rt_emit(WIRE_NOTE_USED);
    r->thread = rt->self->id;
    r->site = site;
    r->count = rt->n_ops;
    r->object = p;
    r->value = size;
}

static void read_tell(const node *n)
{
    wire_rec *r = rt_emit(WIRE_NOTE_USED);
    r->thread = n->thread;
    r->site = (uint32_t)n->immediate[1];
    r->count = (uint32_t)(n->immediate[1] >> 32);
    r->object = n->immediate[0];
    r->value = n->bits / 8;
}

/* Each node is on the stack once: it is marked when it is put there. */
void rt_sym_used(uint32_t label)
{
    uint32_t n_stack = 0;
    if (!rt->active || !(node_at(label)->flags & OF_READS) || (NODES[label].flags & USED))
        return;
    NODES[label].flags |= USED;
    SYM->stack[n_stack++] = label;
    while (n_stack > 0) {
        const node *n = &NODES[SYM->stack[--n_stack]];
        RT_ASSERT(n_stack < WIRE_SYM_MAX_NODES);
        const uint32_t operands[] = {n->a, n->b, n->c};
        if (n->op == OP_READ)
            read_tell(n);
        for (int i = 0; i < 3; i++) {
            node *o = &NODES[operands[i]];
            if (!(o->flags & OF_READS) || (o->flags & USED))
                continue;
            o->flags |= USED;
            SYM->stack[n_stack++] = operands[i];
        }
    }
}

/* Some value went where nothing is followed, it is not known which. */
void rt_use_all(void)
{
    for (; rt->flow && SYM->n_used < SYM->n_nodes; SYM->n_used++)
        rt_sym_used(SYM->n_used);
}

void rt_decide(uint32_t label, uint64_t value, enum wire_decide how, uint32_t site)
{
    rt_sym_used(label);
    if (!by_inputs(label))
        return;
    if (rt->checking && label != 0)
        rt_gap_once(WIRE_GAP_CONCRETE, site, "a specification branches on an input");
    if (!rt->active || label == 0 || label >= SYM->n_nodes)
        return;
    if (rt->n_ops >= rt->most_ops)
        rt_run_end(WIRE_DONE_DEPTH, 0);
    if (rt->trying)
        rt_spin_leave();
    rt_flush_write();
    uint32_t number = rt_node_tell(label);
    rt_spin_decides(rt->self);
    wire_rec *r = rt_emit(WIRE_DECIDE);
    r->size = (uint8_t)how;
    r->flags = WIRE_F_FORCED;
    r->thread = rt->self->id;
    r->site = site;
    r->object = number;
    r->value = value;
    rt->n_ops++;
    rt_depth_forgive();
}

/* The last operation, a compare-exchange, succeeded or failed by this condition. */
void rt_outcome(uint32_t label)
{
    rt_sym_used(label);
    if (!by_inputs(label))
        return;
    if (!rt->active || label == 0 || label >= SYM->n_nodes)
        return;
    rt_flush_write();
    uint32_t number = rt_node_tell(label);
    rt_spin_decides(rt->self);
    wire_rec *r = rt_emit(WIRE_NOTE_WHY);
    r->thread = rt->self->id;
    r->object = number;
}

void rt_sym_branch(uint32_t label, bool taken, uint32_t site)
{
    rt_decide(label, taken, WIRE_DECIDE_BRANCH, site);
}

void rt_sym_concrete(uint32_t label, uint64_t value, uint32_t site)
{
    rt_decide(label, value, WIRE_DECIDE_VALUE, site);
}

bool rt_sym_is_input(uint32_t label)
{
    return by_inputs(label);
}

/* Each side once for each thread. */
void rt_cover(uint64_t side, uint32_t site)
{
    const wire_site *s = rt_site_by_number(site);
    if (!PLAN_CTL->covering || !rt->active || !s || s->kind != WIRE_SITE_BRANCH ||
        s->size == 0)
        return;
    uint64_t what = WIRE_N_GAPS + 1 + side + rt->self->id * (uint64_t)s->size;
    /* Outcomes beyond the capacity of the table are recorded each time. */
    if (what < 0x7fff && !rt_first_at((uint32_t)what, site))
        return;
    rt_flush_write();
    wire_rec *r = rt_emit(WIRE_NOTE_SIDE);
    r->thread = rt->self->id;
    r->site = site;
    r->value = side;
}

void rt_sym_unshared(void)
{
    rt_gap_once(WIRE_GAP_SYMBOLIC, 0, "more plain accesses than are checked for sharing");
}
