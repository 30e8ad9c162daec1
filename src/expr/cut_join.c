/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of EXTRACT, CONCAT and SEXT. Parts nest to the right, and neighbours that were cut
 * from one value are joined again: bytes stored and loaded give the value back. */
#include "expr/expr_int.h"

static exp_ref concat(exp_dag *d, exp_ref high, exp_ref low)
{
    return exp_binary(d, EXP_CONCAT, high, low);
}

/* high:low as one node, if they are neighbours cut from one value or both constants. */
static exp_ref joined(exp_dag *d, exp_ref high, exp_ref low)
{
    exp_node h = exp_at(d, high), l = exp_at(d, low);
    if (h.op == EXP_CONST && l.op == EXP_CONST)
        return concat(d, high, low);
    if (h.op != EXP_EXTRACT || l.op != EXP_EXTRACT || !exp_same(h.arg[0], l.arg[0]) ||
        h.aux != l.aux + l.width)
        return EXP_NONE;
    return exp_extract(d, l.arg[0], l.aux, h.width + l.width);
}

exp_ref exp_rule_concat(exp_dag *d, exp_ref high, exp_ref low)
{
    exp_node h = exp_at(d, high), l = exp_at(d, low);
    if (h.op == EXP_CONCAT)
        return concat(d, h.arg[0], concat(d, h.arg[1], low));
    exp_ref e = joined(d, high, low);
    if (e.ix || l.op != EXP_CONCAT)
        return e;
    e = joined(d, high, l.arg[0]);
    return e.ix ? concat(d, e, l.arg[1]) : EXP_NONE;
}

static exp_ref extract_concat(exp_dag *d, const exp_node *n, unsigned low, unsigned width)
{
    unsigned border = n->aux;
    if (low + width <= border)
        return exp_extract(d, n->arg[1], low, width);
    if (low >= border)
        return exp_extract(d, n->arg[0], low - border, width);
    exp_ref top = exp_extract(d, n->arg[0], 0, low + width - border);
    return concat(d, top, exp_extract(d, n->arg[1], low, border - low));
}

static exp_ref extract_sext(exp_dag *d, const exp_node *n, unsigned low, unsigned width)
{
    unsigned have = n->aux;
    if (low + width <= have)
        return exp_extract(d, n->arg[0], low, width);
    if (low >= have)
        low = have - 1;
    return exp_sext(d, exp_extract(d, n->arg[0], low, have - low), width);
}

/* The operation on the operands' bits; only where they can be cut freely. */
static exp_ref extract_inside(exp_dag *d, const exp_node *n, unsigned low, unsigned width)
{
    int first = n->op == EXP_ITE ? 1 : 0;
    exp_ref cut[3] = {n->arg[0]};
    for (int i = first; i < n->n_args; i++)
        if (!exp_is_cut_freely(d, n->arg[i]))
            return EXP_NONE;
    for (int i = first; i < n->n_args; i++)
        cut[i] = exp_extract(d, n->arg[i], low, width);
    if (n->op == EXP_ITE)
        return exp_ite(d, cut[0], cut[1], cut[2]);
    if (n->n_args == 1)
        return exp_unary(d, (exp_op)n->op, cut[0]);
    return exp_binary(d, (exp_op)n->op, cut[0], cut[1]);
}

exp_ref exp_rule_extract(exp_dag *d, exp_ref a, unsigned low, unsigned width)
{
    exp_node n = exp_at(d, a);
    switch ((exp_op)n.op) {
    case EXP_EXTRACT:
        return exp_extract(d, n.arg[0], n.aux + low, width);
    case EXP_CONCAT:
        return extract_concat(d, &n, low, width);
    case EXP_SEXT:
        return extract_sext(d, &n, low, width);
    case EXP_ADD:
    case EXP_SUB:
    case EXP_MUL:
    case EXP_NEG: /* low bits do not depend on higher ones */
        return low == 0 ? extract_inside(d, &n, low, width) : EXP_NONE;
    case EXP_AND:
    case EXP_OR:
    case EXP_XOR:
    case EXP_NOT:
    case EXP_ITE:
        return extract_inside(d, &n, low, width);
    default:
        return EXP_NONE;
    }
}

exp_ref exp_rule_sext(exp_dag *d, exp_ref a, unsigned width)
{
    exp_node n = exp_at(d, a);
    exp_known known = exp_known_bits(d, a);
    if (n.op == EXP_SEXT)
        return exp_sext(d, n.arg[0], width);
    if (known.zero >> (n.width - 1) & 1)
        return exp_zext(d, a, width);
    if (known.one >> (n.width - 1) & 1)
        return concat(d, exp_const(d, width - n.width, ~(td_u128)0), a);
    if (n.op == EXP_CONCAT)
        return concat(d, exp_sext(d, n.arg[0], width - n.aux), n.arg[1]);
    return EXP_NONE;
}
