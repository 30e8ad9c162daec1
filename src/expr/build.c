/* SPDX-License-Identifier: Apache-2.0 */
/* The public constructors: fold constants, put operands in order, ask the rules. */
#include "expr/expr_int.h"

static bool is_commutative(exp_op op)
{
    return op == EXP_ADD || op == EXP_MUL || op == EXP_AND || op == EXP_OR ||
           op == EXP_XOR || op == EXP_EQ;
}

static bool is_comparison(exp_op op)
{
    return op == EXP_EQ || op == EXP_ULT || op == EXP_SLT;
}

/* Constants come last, others in the order of their ids. */
static bool in_order(const exp_dag *d, exp_ref a, exp_ref b)
{
    if (exp_const_at(d, a) != exp_const_at(d, b))
        return exp_const_at(d, b);
    td_id x = exp_id(d, a), y = exp_id(d, b);
    return x.hi != y.hi ? x.hi < y.hi : x.lo <= y.lo;
}

/* The operation on three constants, of which missing ones are ignored. */
static exp_ref fold(exp_dag *d, exp_node n, exp_ref a, exp_ref b)
{
    td_u128 v[3] = {exp_const_value(d, a), b.ix ? exp_const_value(d, b) : 0, 0};
    return exp_const(d, n.width, exp_apply((exp_op)n.op, n.width, n.aux, v));
}

/* The arm of a choice; of a constant itself. */
static exp_ref arm(const exp_dag *d, exp_ref e, int i)
{
    return exp_const_at(d, e) ? e : exp_arg(d, e, i);
}

/* An operation on constants of which one or both are chosen by the same condition. */
static exp_ref fold_choice(exp_dag *d, exp_node n, exp_ref a, exp_ref b)
{
    bool a_chosen = exp_is_const_choice(d, a);
    bool b_chosen = b.ix && exp_is_const_choice(d, b);
    if (!a_chosen && !b_chosen)
        return EXP_NONE;
    if ((!a_chosen && !exp_const_at(d, a)) || (b.ix && !b_chosen && !exp_const_at(d, b)))
        return EXP_NONE;
    exp_ref cond = exp_arg(d, a_chosen ? a : b, 0);
    if (a_chosen && b_chosen && !exp_same(cond, exp_arg(d, b, 0)))
        return EXP_NONE;
    exp_ref then = fold(d, n, arm(d, a, 1), b.ix ? arm(d, b, 1) : b);
    exp_ref otherwise = fold(d, n, arm(d, a, 2), b.ix ? arm(d, b, 2) : b);
    return exp_ite(d, cond, then, otherwise);
}

/* All operations on one bit are Boolean. */
static exp_ref one_bit(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    switch (op) {
    case EXP_ADD:
    case EXP_SUB:
        return exp_binary(d, EXP_XOR, a, b);
    case EXP_MUL:
        return exp_binary(d, EXP_AND, a, b);
    case EXP_UDIV:
    case EXP_SDIV:
        return exp_binary(d, EXP_OR, a, exp_unary(d, EXP_NOT, b));
    case EXP_UREM:
    case EXP_SREM:
    case EXP_SHL:
    case EXP_LSHR:
    case EXP_SLT:
        return exp_binary(d, EXP_AND, a, exp_unary(d, EXP_NOT, b));
    case EXP_ASHR:
        return a;
    case EXP_ULT:
        return exp_binary(d, EXP_AND, exp_unary(d, EXP_NOT, a), b);
    case EXP_XOR:
        return exp_unary(d, EXP_NOT, exp_binary(d, EXP_EQ, a, b));
    default:
        return EXP_NONE;
    }
}

static exp_ref rule_binary(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    exp_ref e = EXP_NONE;
    if (exp_width(d, a) == 1 && op != EXP_CONCAT)
        e = one_bit(d, op, a, b);
    if (e.ix)
        return e;
    switch (op) {
    case EXP_ADD:
        return d->rules->add(d, a, b);
    case EXP_SUB:
        return d->rules->sub(d, a, b);
    case EXP_MUL:
        return d->rules->mul(d, a, b);
    case EXP_UDIV:
    case EXP_SDIV:
    case EXP_UREM:
    case EXP_SREM:
        return d->rules->divide(d, op, a, b);
    case EXP_AND:
    case EXP_OR:
    case EXP_XOR:
        return d->rules->bitwise(d, op, a, b);
    case EXP_SHL:
    case EXP_LSHR:
    case EXP_ASHR:
        return d->rules->shift(d, op, a, b);
    case EXP_EQ:
        return d->rules->eq(d, a, b);
    case EXP_ULT:
    case EXP_SLT:
        return d->rules->less(d, op, a, b);
    default:
        TD_ASSERT(op == EXP_CONCAT);
        return d->rules->concat(d, a, b);
    }
}

static exp_ref build_binary(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    unsigned width = exp_width(d, a);
    if (op == EXP_CONCAT)
        width += exp_width(d, b);
    else if (is_comparison(op))
        width = 1;
    TD_ASSERT(width <= EXP_MAX_WIDTH);
    exp_node n = exp_node_of(d, op, width, a, b);
    if (exp_const_at(d, a) && exp_const_at(d, b))
        return fold(d, n, a, b);
    if (is_commutative(op) && !in_order(d, a, b)) {
        n.arg[0] = b;
        n.arg[1] = a;
    }
    exp_ref e = EXP_NONE;
    if (exp_enter(d)) {
        e = fold_choice(d, n, n.arg[0], n.arg[1]);
        if (!e.ix)
            e = rule_binary(d, op, n.arg[0], n.arg[1]);
    }
    exp_leave(d);
    return e.ix ? e : exp_intern(d, n);
}

exp_ref exp_binary(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    TD_ASSERT(op == EXP_CONCAT || exp_width(d, a) == exp_width(d, b));
    switch (op) {
    case EXP_NE:
        return exp_unary(d, EXP_NOT, build_binary(d, EXP_EQ, a, b));
    case EXP_ULE:
        return exp_unary(d, EXP_NOT, build_binary(d, EXP_ULT, b, a));
    case EXP_SLE:
        return exp_unary(d, EXP_NOT, build_binary(d, EXP_SLT, b, a));
    default:
        TD_ASSERT((op >= EXP_ADD && op <= EXP_SLT) || op == EXP_CONCAT);
        return build_binary(d, op, a, b);
    }
}

exp_ref exp_unary(exp_dag *d, exp_op op, exp_ref a)
{
    TD_ASSERT(op == EXP_NOT || op == EXP_NEG);
    exp_node n = exp_node_of(d, op, exp_width(d, a), a, EXP_NONE);
    if (exp_const_at(d, a))
        return fold(d, n, a, EXP_NONE);
    exp_ref e = EXP_NONE;
    if (exp_enter(d)) {
        e = fold_choice(d, n, a, EXP_NONE);
        if (!e.ix)
            e = op == EXP_NOT ? d->rules->complement(d, a) : d->rules->neg(d, a);
    }
    exp_leave(d);
    return e.ix ? e : exp_intern(d, n);
}

exp_ref exp_extract(exp_dag *d, exp_ref a, unsigned low, unsigned width)
{
    TD_ASSERT(width >= 1 && low + width <= exp_width(d, a));
    if (width == exp_width(d, a))
        return a;
    exp_node n = exp_node_of(d, EXP_EXTRACT, width, a, EXP_NONE);
    n.aux = (uint8_t)low;
    if (exp_const_at(d, a))
        return fold(d, n, a, EXP_NONE);
    exp_ref e = EXP_NONE;
    if (exp_enter(d)) {
        e = fold_choice(d, n, a, EXP_NONE);
        if (!e.ix)
            e = d->rules->extract(d, a, low, width);
    }
    exp_leave(d);
    return e.ix ? e : exp_intern(d, n);
}

exp_ref exp_zext(exp_dag *d, exp_ref a, unsigned width)
{
    unsigned have = exp_width(d, a);
    TD_ASSERT(width >= have && width <= EXP_MAX_WIDTH);
    if (width == have)
        return a;
    return exp_binary(d, EXP_CONCAT, exp_const(d, width - have, 0), a);
}

exp_ref exp_sext(exp_dag *d, exp_ref a, unsigned width)
{
    TD_ASSERT(width >= exp_width(d, a) && width <= EXP_MAX_WIDTH);
    if (width == exp_width(d, a))
        return a;
    exp_node n = exp_node_of(d, EXP_SEXT, width, a, EXP_NONE);
    if (exp_const_at(d, a))
        return fold(d, n, a, EXP_NONE);
    exp_ref e = EXP_NONE;
    if (exp_enter(d)) {
        e = fold_choice(d, n, a, EXP_NONE);
        if (!e.ix)
            e = d->rules->sext(d, a, width);
    }
    exp_leave(d);
    return e.ix ? e : exp_intern(d, n);
}

exp_ref exp_ite(exp_dag *d, exp_ref cond, exp_ref then, exp_ref otherwise)
{
    TD_ASSERT(exp_width(d, cond) == 1);
    TD_ASSERT(exp_width(d, then) == exp_width(d, otherwise));
    if (exp_const_at(d, cond))
        return exp_const_value(d, cond) ? then : otherwise;
    exp_ref e = EXP_NONE;
    if (exp_enter(d))
        e = d->rules->ite(d, cond, then, otherwise);
    exp_leave(d);
    if (e.ix)
        return e;
    exp_node n = exp_node_of(d, EXP_ITE, exp_width(d, then), cond, then);
    n.arg[2] = otherwise;
    return exp_intern(d, n);
}
