/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of arithmetic. Constants move outwards: (x + 1) + y is (x + y) + 1, so that they
 * meet; x - 1 is x + -1. */
#include "expr/expr_int.h"

static exp_ref add(exp_dag *d, exp_ref a, exp_ref b)
{
    return exp_binary(d, EXP_ADD, a, b);
}

static exp_ref sub(exp_dag *d, exp_ref a, exp_ref b)
{
    return exp_binary(d, EXP_SUB, a, b);
}

static exp_ref neg(exp_dag *d, exp_ref a)
{
    return exp_unary(d, EXP_NEG, a);
}

/* A constant as wide as like. */
static exp_ref number(exp_dag *d, exp_ref like, td_u128 value)
{
    return exp_const(d, exp_width(d, like), value);
}

/* True if e is x + constant. */
static bool is_offset(const exp_dag *d, exp_ref e)
{
    return exp_kind(d, e) == EXP_ADD && exp_const_at(d, exp_arg(d, e, 1));
}

/* True if e is constant - x. */
static bool is_mirror(const exp_dag *d, exp_ref e)
{
    return exp_kind(d, e) == EXP_SUB && exp_const_at(d, exp_arg(d, e, 0));
}

static exp_ref add_number(exp_dag *d, exp_ref a, td_u128 k)
{
    if (k == 0)
        return a;
    if (is_offset(d, a)) {
        td_u128 sum = k + exp_const_value(d, exp_arg(d, a, 1));
        return add(d, exp_arg(d, a, 0), number(d, a, sum));
    }
    if (is_mirror(d, a)) {
        td_u128 sum = k + exp_const_value(d, exp_arg(d, a, 0));
        exp_ref x = exp_arg(d, a, 1);
        return sub(d, number(d, a, sum), x);
    }
    if (exp_kind(d, a) == EXP_NOT) { /* ~x is -1 - x */
        exp_ref x = exp_arg(d, a, 0);
        return sub(d, number(d, a, k - 1), x);
    }
    return EXP_NONE;
}

/* a + b where a is made of other things than b; tried both ways. */
static exp_ref add_either(exp_dag *d, exp_ref a, exp_ref b)
{
    exp_node n = exp_at(d, a);
    if (is_offset(d, a))
        return add(d, add(d, n.arg[0], b), n.arg[1]);
    if (is_mirror(d, a))
        return add(d, sub(d, b, n.arg[1]), n.arg[0]);
    if (n.op == EXP_NEG)
        return sub(d, b, n.arg[0]);
    if (n.op == EXP_SUB && exp_same(n.arg[1], b))
        return n.arg[0];
    if (exp_is_not_of(d, a, b))
        return number(d, a, ~(td_u128)0);
    return EXP_NONE;
}

/* Numbers without a common bit: the sum is a matter of placing. */
static bool are_disjoint(const exp_dag *d, exp_ref a, exp_ref b)
{
    if (!exp_is_cut_freely(d, a) || !exp_is_cut_freely(d, b))
        return false;
    td_u128 zero = exp_known_bits(d, a).zero | exp_known_bits(d, b).zero;
    return zero == exp_ones(exp_width(d, a));
}

exp_ref exp_rule_add(exp_dag *d, exp_ref a, exp_ref b)
{
    if (are_disjoint(d, a, b))
        return exp_binary(d, EXP_OR, a, b);
    if (exp_const_at(d, b))
        return add_number(d, a, exp_const_value(d, b));
    if (exp_same(a, b))
        return exp_binary(d, EXP_SHL, a, number(d, a, 1));
    exp_ref e = add_either(d, a, b);
    return e.ix ? e : add_either(d, b, a);
}

/* k - b */
static exp_ref sub_from_number(exp_dag *d, td_u128 k, exp_ref b)
{
    if (k == 0)
        return neg(d, b);
    exp_node n = exp_at(d, b);
    if (is_offset(d, b))
        return sub(d, number(d, b, k - exp_const_value(d, n.arg[1])), n.arg[0]);
    if (is_mirror(d, b))
        return add(d, n.arg[1], number(d, b, k - exp_const_value(d, n.arg[0])));
    if (n.op == EXP_NOT)
        return add(d, n.arg[0], number(d, b, k + 1));
    return EXP_NONE;
}

static exp_ref sub_shared(exp_dag *d, exp_ref a, exp_ref b)
{
    exp_node x = exp_at(d, a), y = exp_at(d, b);
    if (x.op == EXP_ADD && exp_same(x.arg[0], b))
        return x.arg[1];
    if (x.op == EXP_ADD && exp_same(x.arg[1], b))
        return x.arg[0];
    if (x.op == EXP_SUB && exp_same(x.arg[0], b))
        return neg(d, x.arg[1]);
    if (y.op == EXP_ADD && exp_same(y.arg[0], a))
        return neg(d, y.arg[1]);
    if (y.op == EXP_ADD && exp_same(y.arg[1], a))
        return neg(d, y.arg[0]);
    if (y.op == EXP_SUB && exp_same(y.arg[0], a))
        return y.arg[1];
    return EXP_NONE;
}

exp_ref exp_rule_sub(exp_dag *d, exp_ref a, exp_ref b)
{
    exp_node x = exp_at(d, a), y = exp_at(d, b);
    if (exp_same(a, b))
        return number(d, a, 0);
    if (exp_const_at(d, b))
        return add(d, a, number(d, a, (td_u128)0 - exp_const_value(d, b)));
    if (exp_const_at(d, a))
        return sub_from_number(d, exp_const_value(d, a), b);
    exp_ref e = sub_shared(d, a, b);
    if (e.ix)
        return e;
    if (is_offset(d, a))
        return add(d, sub(d, x.arg[0], b), x.arg[1]);
    if (is_offset(d, b))
        return add(d, sub(d, a, y.arg[0]), neg(d, y.arg[1]));
    if (is_mirror(d, b))
        return sub(d, add(d, a, y.arg[1]), y.arg[0]);
    if (is_mirror(d, a))
        return sub(d, x.arg[0], add(d, x.arg[1], b));
    if (y.op == EXP_NEG)
        return add(d, a, y.arg[0]);
    return EXP_NONE;
}

exp_ref exp_rule_neg(exp_dag *d, exp_ref a)
{
    exp_node n = exp_at(d, a);
    if (n.width == 1 || n.op == EXP_NEG)
        return n.width == 1 ? a : n.arg[0];
    if (n.op == EXP_SUB)
        return sub(d, n.arg[1], n.arg[0]);
    if (n.op == EXP_NOT)
        return add(d, n.arg[0], number(d, a, 1));
    if (is_offset(d, a))
        return sub(d, neg(d, n.arg[1]), n.arg[0]);
    return EXP_NONE;
}

/* The place of the only bit; -1 if there is not exactly one. */
static int single_bit(td_u128 v)
{
    if (v == 0 || (v & (v - 1)))
        return -1;
    return (uint64_t)v ? __builtin_ctzll((uint64_t)v)
                       : 64 + __builtin_ctzll((uint64_t)(v >> 64));
}

exp_ref exp_rule_mul(exp_dag *d, exp_ref a, exp_ref b)
{
    if (!exp_const_at(d, b))
        return EXP_NONE;
    td_u128 k = exp_const_value(d, b);
    exp_node n = exp_at(d, a);
    if (k == 0 || k == 1)
        return k ? a : b;
    if (k == exp_ones(n.width))
        return neg(d, a);
    if (single_bit(k) >= 0)
        return exp_binary(d, EXP_SHL, a, number(d, a, (td_u128)single_bit(k)));
    if (n.op == EXP_MUL && exp_const_at(d, n.arg[1]))
        return exp_binary(d, EXP_MUL, n.arg[0], exp_binary(d, EXP_MUL, n.arg[1], b));
    if (n.op == EXP_NEG)
        return exp_binary(d, EXP_MUL, n.arg[0], neg(d, b));
    if (is_offset(d, a))
        return add(d, exp_binary(d, EXP_MUL, n.arg[0], b),
                   exp_binary(d, EXP_MUL, n.arg[1], b));
    return EXP_NONE;
}

static bool is_positive(const exp_dag *d, exp_ref e)
{
    return exp_known_bits(d, e).zero >> (exp_width(d, e) - 1) & 1;
}

static exp_op unsigned_of(exp_op op)
{
    return op == EXP_SDIV ? EXP_UDIV : EXP_UREM;
}

/* By a constant. */
static exp_ref divide_by(exp_dag *d, exp_op op, exp_ref a, td_u128 k)
{
    unsigned width = exp_width(d, a);
    bool is_rest = op == EXP_UREM || op == EXP_SREM;
    bool is_signed = op == EXP_SDIV || op == EXP_SREM;
    if (k == 0 && op != EXP_SDIV)
        return is_rest ? a : number(d, a, ~(td_u128)0);
    if (k == 1)
        return is_rest ? number(d, a, 0) : a;
    if (is_signed && k == exp_ones(width))
        return is_rest ? number(d, a, 0) : neg(d, a);
    if (is_signed || single_bit(k) < 0)
        return EXP_NONE;
    if (is_rest)
        return exp_binary(d, EXP_AND, a, number(d, a, k - 1));
    return exp_binary(d, EXP_LSHR, a, number(d, a, (td_u128)single_bit(k)));
}

/* Leading bits known to be zero. */
static unsigned leading_zeros(const exp_dag *d, exp_ref e)
{
    unsigned n = 0, width = exp_width(d, e);
    td_u128 zero = exp_known_bits(d, e).zero;
    while (n < width && (zero >> (width - 1 - n) & 1))
        n++;
    return n;
}

/* Unsigned division of numbers that need fewer bits. */
static exp_ref divide_narrow(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    if (op == EXP_UDIV && !exp_const_at(d, b)) /* by zero the width shows */
        return EXP_NONE;
    unsigned width = exp_width(d, a);
    unsigned za = leading_zeros(d, a), zb = leading_zeros(d, b);
    unsigned spare = za < zb ? za : zb;
    if (spare == 0)
        return EXP_NONE;
    if (spare >= width)
        spare = width - 1;
    exp_ref low_a = exp_extract(d, a, 0, width - spare);
    exp_ref low_b = exp_extract(d, b, 0, width - spare);
    return exp_zext(d, exp_binary(d, op, low_a, low_b), width);
}

exp_ref exp_rule_divide(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    bool is_signed = op == EXP_SDIV || op == EXP_SREM;
    bool is_rest = op == EXP_UREM || op == EXP_SREM;
    if (is_rest && (exp_same(a, b) || exp_is_value(d, a, 0)))
        return number(d, a, 0);
    if (exp_const_at(d, b)) {
        exp_ref e = divide_by(d, op, a, exp_const_value(d, b));
        if (e.ix)
            return e;
    }
    if (is_signed && is_positive(d, a) && is_positive(d, b))
        return exp_binary(d, unsigned_of(op), a, b);
    if (is_signed)
        return EXP_NONE;
    if (is_rest && exp_const_at(d, b)) {
        td_u128 max = ~exp_known_bits(d, a).zero & exp_ones(exp_width(d, a));
        if (max < exp_const_value(d, b))
            return a;
    }
    return divide_narrow(d, op, a, b);
}
