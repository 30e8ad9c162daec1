/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of bitwise operations and shifts. Masks of one run of bits and shifts by a
 * constant become EXTRACT and CONCAT. */
#include "expr/expr_int.h"

static exp_ref number(exp_dag *d, exp_ref like, td_u128 value)
{
    return exp_const(d, exp_width(d, like), value);
}

/* e at bit low of a number of width bits, zeros around it. */
static exp_ref place(exp_dag *d, exp_ref e, unsigned low, unsigned width)
{
    if (low > 0)
        e = exp_binary(d, EXP_CONCAT, e, exp_const(d, low, 0));
    return exp_zext(d, e, width);
}

/* The bits of a that k has, if they are one run. */
static exp_ref cut_run(exp_dag *d, exp_ref a, td_u128 k)
{
    unsigned width = exp_width(d, a), low = 0, high;
    while (!(k >> low & 1))
        low++;
    for (high = low; high < width && (k >> high & 1); high++)
        ;
    if (high < width && k >> high)
        return EXP_NONE;
    return place(d, exp_extract(d, a, low, high - low), low, width);
}

/* Bit by bit, so it can be done in two parts. */
static exp_ref split(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    exp_node n = exp_at(d, exp_kind(d, a) == EXP_CONCAT ? a : b);
    unsigned low = n.aux, high = n.width - low;
    exp_ref top =
        exp_binary(d, op, exp_extract(d, a, low, high), exp_extract(d, b, low, high));
    exp_ref rest =
        exp_binary(d, op, exp_extract(d, a, 0, low), exp_extract(d, b, 0, low));
    return exp_binary(d, EXP_CONCAT, top, rest);
}

static bool splits(const exp_dag *d, exp_ref a, exp_ref b)
{
    bool a_joined = exp_kind(d, a) == EXP_CONCAT, b_joined = exp_kind(d, b) == EXP_CONCAT;
    return (a_joined && (b_joined || exp_const_at(d, b))) ||
           (b_joined && exp_const_at(d, a));
}

/* The value with which the operation always gives itself: 0 & x, ~0 | x. */
static td_u128 absorber(exp_op op, unsigned width)
{
    return op == EXP_AND ? 0 : exp_ones(width);
}

static exp_ref bitwise_number(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    td_u128 k = exp_const_value(d, b), ones = exp_ones(exp_width(d, a));
    exp_node n = exp_at(d, a);
    if (k == (op == EXP_AND ? ones : 0))
        return a;
    if (op != EXP_XOR && k == absorber(op, n.width))
        return b;
    if (op == EXP_XOR && k == ones)
        return exp_unary(d, EXP_NOT, a);
    if (n.op == op && exp_const_at(d, n.arg[1]))
        return exp_binary(d, op, n.arg[0], exp_binary(d, op, n.arg[1], b));
    if (op == EXP_XOR)
        return n.op == EXP_NOT ? exp_binary(d, EXP_XOR, n.arg[0], number(d, a, ~k))
                               : EXP_NONE;
    exp_known known = exp_known_bits(d, a);
    if (op == EXP_OR)
        return (k & ~known.one) == 0 ? a : EXP_NONE;
    if ((k | known.zero) == ones)
        return a;
    if ((k & ~known.zero) == 0)
        return number(d, a, 0);
    return cut_run(d, a, k);
}

/* a has b as an operand; tried both ways. */
static exp_ref bitwise_shared(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    exp_node n = exp_at(d, a);
    if (exp_is_not_of(d, a, b))
        return number(d, a, op == EXP_AND ? 0 : ~(td_u128)0);
    if (op == EXP_XOR && n.op == EXP_NOT)
        return exp_unary(d, EXP_NOT, exp_binary(d, EXP_XOR, n.arg[0], b));
    if (n.op != EXP_AND && n.op != EXP_OR && n.op != EXP_XOR)
        return EXP_NONE;
    bool first = exp_same(n.arg[0], b), second = exp_same(n.arg[1], b);
    if (!first && !second)
        return EXP_NONE;
    if (op == EXP_XOR && n.op == EXP_XOR)
        return n.arg[first ? 1 : 0];
    if (op == EXP_XOR || n.op == EXP_XOR)
        return EXP_NONE;
    return n.op == op ? a : b; /* x & (x & y), x & (x | y) */
}

exp_ref exp_rule_bitwise(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    if (exp_same(a, b))
        return op == EXP_XOR ? number(d, a, 0) : a;
    if (exp_const_at(d, b)) {
        exp_ref e = bitwise_number(d, op, a, b);
        if (e.ix)
            return e;
    }
    if (splits(d, a, b))
        return split(d, op, a, b);
    exp_ref e = bitwise_shared(d, op, a, b);
    return e.ix ? e : bitwise_shared(d, op, b, a);
}

/* 0 < by < width */
static exp_ref shift_by(exp_dag *d, exp_op op, exp_ref a, unsigned by)
{
    unsigned width = exp_width(d, a);
    if (op == EXP_SHL)
        return place(d, exp_extract(d, a, 0, width - by), by, width);
    exp_ref kept = exp_extract(d, a, by, width - by);
    return op == EXP_LSHR ? exp_zext(d, kept, width) : exp_sext(d, kept, width);
}

exp_ref exp_rule_shift(exp_dag *d, exp_op op, exp_ref a, exp_ref b)
{
    unsigned width = exp_width(d, a);
    if (exp_is_value(d, a, 0))
        return a;
    if (op == EXP_ASHR && exp_is_value(d, a, exp_ones(width)))
        return a;
    if (exp_known_bits(d, b).one >= width) /* at least that far */
        return op == EXP_ASHR ? shift_by(d, op, a, width - 1) : number(d, a, 0);
    if (!exp_const_at(d, b))
        return EXP_NONE;
    unsigned by = (unsigned)exp_const_value(d, b);
    return by == 0 ? a : shift_by(d, op, a, by);
}

/* The negation of x < k is k - 1 < x, so one of two forms is enough. */
static exp_ref not_less(exp_dag *d, const exp_node *n)
{
    exp_ref a = n->arg[0], b = n->arg[1];
    if (exp_const_at(d, b))
        return exp_binary(d, (exp_op)n->op, number(d, b, exp_const_value(d, b) - 1), a);
    if (exp_const_at(d, a))
        return exp_binary(d, (exp_op)n->op, b, number(d, a, exp_const_value(d, a) + 1));
    return EXP_NONE;
}

exp_ref exp_rule_not(exp_dag *d, exp_ref a)
{
    exp_node n = exp_at(d, a);
    exp_ref x = n.n_args > 0 ? n.arg[0] : EXP_NONE,
            y = n.n_args > 1 ? n.arg[1] : EXP_NONE;
    switch ((exp_op)n.op) {
    case EXP_NOT:
        return x;
    case EXP_NEG:
        return exp_binary(d, EXP_ADD, x, number(d, a, ~(td_u128)0));
    case EXP_ADD: /* ~(x + k) is ~k - x */
        return exp_const_at(d, y) ? exp_binary(d, EXP_SUB, exp_unary(d, EXP_NOT, y), x)
                                  : EXP_NONE;
    case EXP_SUB:
        return exp_const_at(d, x) ? exp_binary(d, EXP_ADD, y, exp_unary(d, EXP_NOT, x))
                                  : EXP_NONE;
    case EXP_XOR:
        return exp_const_at(d, y) ? exp_binary(d, EXP_XOR, x, exp_unary(d, EXP_NOT, y))
                                  : EXP_NONE;
    case EXP_CONCAT:
        return exp_const_at(d, x) || exp_const_at(d, y)
                   ? exp_binary(d, EXP_CONCAT, exp_unary(d, EXP_NOT, x),
                                exp_unary(d, EXP_NOT, y))
                   : EXP_NONE;
    case EXP_ULT:
    case EXP_SLT:
        return not_less(d, &n);
    default:
        return EXP_NONE;
    }
}
