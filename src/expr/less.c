/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of ULT and SLT, and of ITE. x < 0 is the top bit of x. */
#include "expr/expr_int.h"

static exp_ref boolean(exp_dag *d, bool value)
{
    return exp_const(d, 1, value);
}

static exp_ref negated(exp_dag *d, exp_ref a)
{
    return exp_unary(d, EXP_NOT, a);
}

static exp_ref top_bit(exp_dag *d, exp_ref a)
{
    return exp_extract(d, a, exp_width(d, a) - 1, 1);
}

static exp_ref eq_number(exp_dag *d, exp_ref a, td_u128 k)
{
    return exp_binary(d, EXP_EQ, a, exp_const(d, exp_width(d, a), k));
}

/* Smallest and largest number in the order of op. */
static td_u128 first_number(exp_op op, unsigned width)
{
    return op == EXP_ULT ? 0 : (td_u128)1 << (width - 1);
}

static td_u128 last_number(exp_op op, unsigned width)
{
    return op == EXP_ULT ? exp_ones(width) : exp_ones(width) >> 1;
}

/* The numbers just above: 2^(w-1) unsigned and 0 signed part the numbers by top bit. */
static td_u128 middle_number(exp_op op, unsigned width)
{
    return op == EXP_ULT ? (td_u128)1 << (width - 1) : 0;
}

/* a < k at the ends and in the middle of the numbers. */
static exp_ref below_number(exp_dag *d, exp_op op, exp_ref a, td_u128 k)
{
    unsigned width = exp_width(d, a);
    td_u128 first = first_number(op, width), last = last_number(op, width);
    if (k == first)
        return boolean(d, false);
    if (k == first + 1)
        return eq_number(d, a, first);
    if (k == last)
        return negated(d, eq_number(d, a, last));
    if (k == middle_number(op, width))
        return op == EXP_ULT ? negated(d, top_bit(d, a)) : top_bit(d, a);
    return EXP_NONE;
}

/* k < b */
static exp_ref above_number(exp_dag *d, exp_op op, td_u128 k, exp_ref b)
{
    unsigned width = exp_width(d, b);
    td_u128 first = first_number(op, width), last = last_number(op, width);
    if (k == last)
        return boolean(d, false);
    if (k == last - 1)
        return eq_number(d, b, last);
    if (k == first)
        return negated(d, eq_number(d, b, first));
    if (k == ((middle_number(op, width) - 1) & exp_ones(width)))
        return op == EXP_ULT ? top_bit(d, b) : negated(d, top_bit(d, b));
    return EXP_NONE;
}

/* By the smallest and largest values that known bits allow. */
static exp_ref by_bounds(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    exp_known p = exp_known_bits(d, a), q = exp_known_bits(d, b);
    unsigned width = exp_width(d, a), top = width - 1;
    td_u128 ones = exp_ones(width);
    if (op == EXP_SLT) {
        bool known_a = (p.zero | p.one) >> top & 1, known_b = (q.zero | q.one) >> top & 1;
        if (!known_a || !known_b)
            return EXP_NONE;
        bool minus_a = p.one >> top & 1, minus_b = q.one >> top & 1;
        return minus_a == minus_b ? exp_binary(d, EXP_ULT, a, b) : boolean(d, minus_a);
    }
    if ((~p.zero & ones) < q.one)
        return boolean(d, true);
    if (p.one >= (~q.zero & ones))
        return boolean(d, false);
    return EXP_NONE;
}

/* Number of leading bits that are plainly constant. */
static unsigned const_head(const exp_dag *d, exp_ref e)
{
    exp_node n = exp_at(d, e);
    if (n.op == EXP_CONST)
        return n.width;
    if (n.op == EXP_CONCAT && exp_const_at(d, n.arg[0]))
        return n.width - n.aux;
    return 0;
}

/* Equal constant leading bits do not matter; a sign among them is the same for both. */
static exp_ref without_head(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    unsigned width = exp_width(d, a), m = const_head(d, a), n = const_head(d, b);
    unsigned shared = m < n ? m : n;
    if (shared == 0 || shared == width)
        return EXP_NONE;
    exp_ref high_a = exp_extract(d, a, width - shared, shared);
    exp_ref high_b = exp_extract(d, b, width - shared, shared);
    if (!exp_same(high_a, high_b))
        return exp_binary(d, op, high_a, high_b);
    return exp_binary(d, EXP_ULT, exp_extract(d, a, 0, width - shared),
                      exp_extract(d, b, 0, width - shared));
}

/* Number of trailing bits that are plainly constant. */
static unsigned const_tail(const exp_dag *d, exp_ref e)
{
    exp_node n = exp_at(d, e);
    if (n.op == EXP_CONST)
        return n.width;
    return n.op == EXP_CONCAT && exp_const_at(d, n.arg[1]) ? n.aux : 0;
}

/* Constant trailing bits decide only between < and <=. */
static exp_ref without_tail(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    unsigned width = exp_width(d, a), m = const_tail(d, a), n = const_tail(d, b);
    unsigned shared = m < n ? m : n;
    if (shared == 0 || shared == width)
        return EXP_NONE;
    exp_ref low_a = exp_extract(d, a, 0, shared), low_b = exp_extract(d, b, 0, shared);
    exp_ref high_a = exp_extract(d, a, shared, width - shared);
    exp_ref high_b = exp_extract(d, b, shared, width - shared);
    if (exp_const_value(d, low_a) < exp_const_value(d, low_b))
        return exp_binary(d, op == EXP_ULT ? EXP_ULE : EXP_SLE, high_a, high_b);
    return exp_binary(d, op, high_a, high_b);
}

/* True if the constant is a sign extension from width bits. */
static bool fits(const exp_dag *d, exp_ref k, unsigned width)
{
    td_u128 v[3] = {exp_const_value(d, k) & exp_ones(width), 0, 0};
    return exp_apply(EXP_SEXT, exp_width(d, k), width, v) == exp_const_value(d, k);
}

/* Sign extension keeps both orders. Numbers between the extended ones are above all
 * positive and below all negative ones (unsigned), or beyond one end (signed). */
static exp_ref less_sext(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    exp_node m = exp_at(d, a), n = exp_at(d, b);
    bool left = m.op == EXP_SEXT, right = n.op == EXP_SEXT;
    if (left && right)
        return m.aux == n.aux ? exp_binary(d, op, m.arg[0], n.arg[0]) : EXP_NONE;
    if ((!left || !exp_const_at(d, b)) && (!right || !exp_const_at(d, a)))
        return EXP_NONE;
    exp_ref k = left ? b : a, x = left ? m.arg[0] : n.arg[0];
    unsigned width = exp_width(d, x);
    if (fits(d, k, width)) {
        exp_ref cut = exp_extract(d, k, 0, width);
        return left ? exp_binary(d, op, x, cut) : exp_binary(d, op, cut, x);
    }
    if (op == EXP_ULT)
        return left ? negated(d, top_bit(d, x)) : top_bit(d, x);
    bool is_minus = exp_const_value(d, k) >> (exp_width(d, k) - 1) & 1;
    return boolean(d, left ? !is_minus : is_minus);
}

/* A choice with a constant arm against a constant. */
static exp_ref less_choice(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    bool left = exp_kind(d, a) == EXP_ITE;
    exp_ref choice = left ? a : b, k = left ? b : a;
    if (exp_kind(d, choice) != EXP_ITE || !exp_const_at(d, k))
        return EXP_NONE;
    exp_node n = exp_at(d, choice);
    if (!exp_const_at(d, n.arg[1]) && !exp_const_at(d, n.arg[2]))
        return EXP_NONE;
    exp_ref arm[2];
    for (int i = 0; i < 2; i++)
        arm[i] = left ? exp_binary(d, op, n.arg[i + 1], k)
                      : exp_binary(d, op, k, n.arg[i + 1]);
    return exp_ite(d, n.arg[0], arm[0], arm[1]);
}

exp_ref exp_rule_less(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    if (exp_same(a, b))
        return boolean(d, false);
    exp_ref e = by_bounds(d, op, a, b);
    if (!e.ix && exp_const_at(d, b))
        e = below_number(d, op, a, exp_const_value(d, b));
    if (!e.ix && exp_const_at(d, a))
        e = above_number(d, op, exp_const_value(d, a), b);
    if (!e.ix)
        e = without_head(d, op, a, b);
    if (!e.ix)
        e = without_tail(d, op, a, b);
    if (!e.ix)
        e = less_sext(d, op, a, b);
    return e.ix ? e : less_choice(d, op, a, b);
}

/* A choice between Booleans is made of AND and OR. */
static exp_ref choose_boolean(exp_dag *d, exp_ref c, exp_ref then, exp_ref otherwise)
{
    if (exp_const_at(d, then))
        return exp_const_value(d, then)
                   ? exp_binary(d, EXP_OR, c, otherwise)
                   : exp_binary(d, EXP_AND, negated(d, c), otherwise);
    if (exp_const_at(d, otherwise))
        return exp_const_value(d, otherwise) ? exp_binary(d, EXP_OR, negated(d, c), then)
                                             : exp_binary(d, EXP_AND, c, then);
    if (exp_same(c, then))
        return exp_binary(d, EXP_OR, c, otherwise);
    if (exp_same(c, otherwise))
        return exp_binary(d, EXP_AND, c, then);
    return EXP_NONE;
}

exp_ref exp_rule_ite(exp_dag *d, exp_ref cond, exp_ref then, exp_ref otherwise)
{
    if (exp_same(then, otherwise))
        return then;
    if (exp_kind(d, cond) == EXP_NOT)
        return exp_ite(d, exp_arg(d, cond, 0), otherwise, then);
    exp_node t = exp_at(d, then), o = exp_at(d, otherwise);
    if (t.op == EXP_ITE && exp_same(t.arg[0], cond))
        return exp_ite(d, cond, t.arg[1], otherwise);
    if (o.op == EXP_ITE && exp_same(o.arg[0], cond))
        return exp_ite(d, cond, then, o.arg[2]);
    if (t.width == 1)
        return choose_boolean(d, cond, then, otherwise);
    return EXP_NONE;
}
