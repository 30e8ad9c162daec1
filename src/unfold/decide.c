/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Decisions by symbolic values.
 *
 * A decision depends on its thread's past alone: its outcomes are the children of a history, in
 * conflict because they have the same depth. When a run has taken one outcome, the others are
 * targets; whether inputs lead there is not known here. A concretised value has more outcomes than
 * can be listed: one target, a probe, represents all values that were not taken yet, up to a limit. */

enum { MAX_VALUES = 64 };

static bool is_decision(const unf_node *n)
{
    return mdl_decides(n->kind) && !(n->flags & NODE_PROBE);
}

static uint32_t add(unf *u, unf_node n, unf_decision d)
{
    TD_ASSERT(mdl_decides(n.kind) && n.after == UNF_NONE);
    n.sibling = (uint32_t)u->decisions.len;
    unf_decision_vec_push(&u->decisions, d);
    n.id = unf_id_of(u, &n, NULL, 0);
    return unf_add(u, &n, NULL, 0);
}

static uint32_t ask(const unf *u, const trc *t, const trc_op *op)
{
    return u->inputs.question ? u->inputs.question(u->inputs.self, t, op) : 0;
}

/* Questions are the same for all sides. */
static uint32_t question_of(unf *u, const trc *t, const trc_op *op, uint32_t history)
{
    for (uint32_t c = unf_first_child(u, history); c != UNF_NONE;
         c = unf_next_child(u, c))
        if (mdl_decides(node_at(u, c)->kind))
            return decision_of(u, node_at(u, c))->question;
    return ask(u, t, op);
}

uint32_t unf_decide(unf *u, const trc *t, const trc_op *op, const unf_node *n)
{
    return add(u, *n, (unf_decision){op->old, question_of(u, t, op, n->before)});
}

/* ---- the other sides ---- */

static uint32_t brother(unf *u, const unf_node *n, uint8_t flags, uint64_t side)
{
    TD_DASSERT(node_at(u, n->before)->status == UNF_EXECUTED);
    unf_node other = {.before = n->before,
                      .after = UNF_NONE,
                      .thread = n->thread,
                      .object = UNF_NONE,
                      .depth = n->depth,
                      .next_object = UNF_NONE,
                      .kind = WIRE_DECIDE,
                      .status = UNF_TARGET,
                      .flags = flags};
    unf_decision d = {side, decision_of(u, n)->question};
    return add(u, other, d);
}

static bool has_side(unf *u, uint32_t history, uint64_t side)
{
    for (uint32_t c = unf_first_child(u, history); c != UNF_NONE;
         c = unf_next_child(u, c))
        if (is_decision(node_at(u, c)) && decision_of(u, node_at(u, c))->side == side)
            return true;
    return false;
}

static void propose_sides(unf *u, uint32_t event, uint32_t n_sides)
{
    for (uint32_t side = 0; side < n_sides; side++)
        if (!has_side(u, node_at(u, event)->before, side))
            unf_vec_push(&u->found, brother(u, node_at(u, event), 0, side));
}

/* The probe that represented this value too is settled; another one represents the rest. */
static void propose_values(unf *u, uint32_t event)
{
    uint32_t n_values = 0;
    for (uint32_t c = unf_first_child(u, node_at(u, event)->before); c != UNF_NONE;
         c = unf_next_child(u, c)) {
        unf_node *n = node_at(u, c);
        if (is_decision(n))
            n_values++;
        else if (mdl_decides(n->kind) && n->status != UNF_SETTLED)
            n->status = UNF_SETTLED;
    }
    TD_DASSERT(n_values > 0); /* the one that was taken */
    if (n_values < MAX_VALUES)
        unf_vec_push(&u->found, brother(u, node_at(u, event), NODE_PROBE, n_values));
    else
        u->losses.values++;
}

void unf_decided(unf *u, const trc *t, const trc_op *op, uint32_t event)
{
    const unf_node *n = node_at(u, event);
    TD_ASSERT(is_decision(n) && n->status == UNF_EXECUTED);
    if ((n->flags & NODE_LAST) && !(node_at(u, n->before)->flags & NODE_LAST))
        unf_vec_push(&u->fatal, event);
    if (op->size == WIRE_DECIDE_VALUE)
        propose_values(u, event);
    else if (op->size == WIRE_DECIDE_BRANCH)
        propose_sides(u, event, 2);
    else
        propose_sides(u, event, trc_switch_at(t, op->site)->n + 1);
}

/* ---- looking ---- */

void unf_sides(unf *u, uint32_t history, unf_side_vec *out)
{
    for (uint32_t c = unf_first_child(u, history); c != UNF_NONE;
         c = unf_next_child(u, c))
        if (is_decision(node_at(u, c)))
            unf_side_vec_push(out, decision_of(u, node_at(u, c))->side);
}

uint64_t unf_n_fatal(const unf *u)
{
    return u->fatal.len;
}

/* Lists the decisions from the thread's position in the configuration, or from its creation, down to the
 * event. False: they do not lead there. */
static bool put_path(const unf_cfg *c, uint32_t event, unf_vec *out)
{
    const unf *u = unf_cfg_of(c);
    size_t len = out->len;
    uint32_t at = event;
    for (; mdl_decides(node_at(u, at)->kind) && !unf_cfg_has(c, at);
         at = node_at(u, at)->before)
        unf_vec_push(out, at);
    const unf_node *n = node_at(u, at);
    bool is_top = unf_cfg_has(c, at) && unf_cfg_top(c, n->thread) == at;
    bool is_made = n->kind == UNF_START && !unf_cfg_has(c, at) && n->before != UNF_NONE &&
                   unf_cfg_has(c, n->before);
    if (out->len > len && (is_top || is_made))
        return true;
    out->len = len;
    return false;
}

void unf_cfg_fatal(const unf_cfg *c, unf_vec *out)
{
    const unf *u = unf_cfg_of(c);
    for (size_t i = 0; i < u->fatal.len; i++)
        if (put_path(c, u->fatal.at[i], out))
            unf_vec_push(out, UNF_NONE);
}

/* ---- compare-exchanges ---- */

static uint32_t outcome_at(const unf *u, uint32_t history, unf_state state)
{
    for (size_t i = u->outcomes.len; i-- > 0;)
        if (u->outcomes.at[i].history == history && u->outcomes.at[i].state == state.ix)
            return u->outcomes.at[i].question;
    return UNF_NONE;
}

uint32_t unf_why(const unf *u, const unf_node *n)
{
    return mdl_is_exchange(n->kind) ? outcome_at(u, n->before, (unf_state){n->after})
                                    : UNF_NONE;
}

/* The event that it fails is there since it was a probe. */
static void propose_failure(unf *u, const unf_node *n)
{
    unf_node failed = *n;
    failed.kind = mdl_failed_kind(n->kind);
    uint32_t event = unf_find(u, unf_id_of(u, &failed, NULL, 0));
    if (event == UNF_NONE || node_at(u, event)->status != UNF_SETTLED)
        return;
    node_at(u, event)->status = UNF_TARGET;
    node_at(u, event)->flags &= (uint8_t)~NODE_PROBE;
    unf_vec_push(&u->found, event);
}

bool unf_turned_out(unf *u, const trc *t, const trc_op *op, uint32_t event)
{
    unf_node n = *node_at(u, event);
    TD_ASSERT(mdl_is_exchange(n.kind) && n.status == UNF_EXECUTED);
    if (outcome_at(u, n.before, (unf_state){n.after}) != UNF_NONE)
        return false;
    unf_outcome_vec_push(&u->outcomes, (unf_outcome){n.before, n.after, ask(u, t, op)});
    if (!mdl_exchanges(n.kind))
        return true;
    propose_failure(u, &n);
    return false;
}
