/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of LLVM that are made of others. */
#include "expr/expr_int.h"

static exp_ref number(exp_dag *d, exp_ref like, td_u128 value)
{
    return exp_const(d, exp_width(d, like), value);
}

/* The parts of size bits in the opposite order. */
static exp_ref reverse(exp_dag *d, exp_ref a, unsigned size)
{
    unsigned width = exp_width(d, a);
    exp_ref e = exp_extract(d, a, width - size, size);
    for (unsigned low = width - size; low > 0; low -= size)
        e = exp_binary(d, EXP_CONCAT, exp_extract(d, a, low - size, size), e);
    return e;
}

exp_ref exp_bswap(exp_dag *d, exp_ref a)
{
    TD_ASSERT(exp_width(d, a) % 8 == 0);
    return reverse(d, a, 8);
}

exp_ref exp_bitreverse(exp_dag *d, exp_ref a)
{
    return reverse(d, a, 1);
}

/* Fields of n zeros and n ones by turns, the ones lowest. */
static td_u128 stripes(unsigned n)
{
    return ~(td_u128)0 / (((td_u128)1 << n) + 1);
}

/* Sums of neighbouring fields, twice as wide in each step. */
exp_ref exp_ctpop(exp_dag *d, exp_ref a)
{
    for (unsigned n = 1; n < exp_width(d, a); n *= 2) {
        exp_ref mask = number(d, a, stripes(n));
        exp_ref moved = exp_binary(d, EXP_LSHR, a, number(d, a, n));
        a = exp_binary(d, EXP_ADD, exp_binary(d, EXP_AND, a, mask),
                       exp_binary(d, EXP_AND, moved, mask));
    }
    return a;
}

/* All bits below the highest one set, then the zeros above are left to count. */
exp_ref exp_ctlz(exp_dag *d, exp_ref a)
{
    for (unsigned n = 1; n < exp_width(d, a); n *= 2)
        a = exp_binary(d, EXP_OR, a, exp_binary(d, EXP_LSHR, a, number(d, a, n)));
    return exp_ctpop(d, exp_unary(d, EXP_NOT, a));
}

exp_ref exp_cttz(exp_dag *d, exp_ref a)
{
    exp_ref less = exp_binary(d, EXP_SUB, a, number(d, a, 1));
    return exp_ctpop(d, exp_binary(d, EXP_AND, exp_unary(d, EXP_NOT, a), less));
}

/* amount modulo the width. */
static exp_ref wrapped(exp_dag *d, exp_ref amount)
{
    unsigned width = exp_width(d, amount);
    return width == 1 ? number(d, amount, 0)
                      : exp_binary(d, EXP_UREM, amount, number(d, amount, width));
}

/* A shift by the width gives 0, so the amount 0 needs no case of its own. */
exp_ref exp_fshl(exp_dag *d, exp_ref high, exp_ref low, exp_ref amount)
{
    exp_ref by = wrapped(d, amount);
    if (exp_width(d, high) == 1)
        return high;
    exp_ref rest = exp_binary(d, EXP_SUB, number(d, by, exp_width(d, by)), by);
    return exp_binary(d, EXP_OR, exp_binary(d, EXP_SHL, high, by),
                      exp_binary(d, EXP_LSHR, low, rest));
}

exp_ref exp_fshr(exp_dag *d, exp_ref high, exp_ref low, exp_ref amount)
{
    exp_ref by = wrapped(d, amount);
    if (exp_width(d, high) == 1)
        return low;
    exp_ref rest = exp_binary(d, EXP_SUB, number(d, by, exp_width(d, by)), by);
    return exp_binary(d, EXP_OR, exp_binary(d, EXP_SHL, high, rest),
                      exp_binary(d, EXP_LSHR, low, by));
}

static exp_ref top_bit(exp_dag *d, exp_ref a)
{
    return exp_extract(d, a, exp_width(d, a) - 1, 1);
}

/* The result's sign is wrong: a and b (for SUB: not b) agree, and it does not. */
static exp_ref sum_overflows(exp_dag *d, exp_op op, exp_sign sign, exp_ref a, exp_ref b)
{
    exp_ref r = exp_binary(d, op, a, b);
    if (sign == EXP_UNSIGNED)
        return op == EXP_ADD ? exp_binary(d, EXP_ULT, r, a)
                             : exp_binary(d, EXP_ULT, a, b);
    exp_ref changed = exp_binary(d, EXP_NE, top_bit(d, r), top_bit(d, a));
    exp_op agree = op == EXP_ADD ? EXP_EQ : EXP_NE;
    return exp_binary(d, EXP_AND, changed,
                      exp_binary(d, agree, top_bit(d, a), top_bit(d, b)));
}

/* Multiplied twice as wide. */
static exp_ref product_overflows(exp_dag *d, exp_sign sign, exp_ref a, exp_ref b)
{
    unsigned width = exp_width(d, a);
    exp_ref (*widen)(exp_dag *, exp_ref, unsigned) =
        sign == EXP_SIGNED ? exp_sext : exp_zext;
    exp_ref wide = exp_binary(d, EXP_MUL, widen(d, a, 2 * width), widen(d, b, 2 * width));
    return exp_binary(d, EXP_NE, wide,
                      widen(d, exp_extract(d, wide, 0, width), 2 * width));
}

/* Too wide to be doubled: dividing the product gives b back, and MIN is not turned over. */
static exp_ref quotient_differs(exp_dag *d, exp_sign sign, exp_ref a, exp_ref b)
{
    exp_ref product = exp_binary(d, EXP_MUL, a, b);
    exp_op divide = sign == EXP_SIGNED ? EXP_SDIV : EXP_UDIV;
    exp_ref wrong = exp_binary(d, EXP_NE, exp_binary(d, divide, product, a), b);
    if (sign == EXP_SIGNED) {
        td_u128 min = (td_u128)1 << (exp_width(d, a) - 1);
        exp_ref turned =
            exp_binary(d, EXP_AND, exp_binary(d, EXP_EQ, a, number(d, a, ~(td_u128)0)),
                       exp_binary(d, EXP_EQ, b, number(d, b, min)));
        wrong = exp_binary(d, EXP_OR, wrong, turned);
    }
    return exp_binary(d, EXP_AND, exp_binary(d, EXP_NE, a, number(d, a, 0)), wrong);
}

exp_ref exp_overflows(exp_dag *d, exp_op op, exp_sign sign, exp_ref a, exp_ref b)
{
    TD_ASSERT(op == EXP_ADD || op == EXP_SUB || op == EXP_MUL);
    if (op != EXP_MUL)
        return sum_overflows(d, op, sign, a, b);
    if (2 * exp_width(d, a) <= EXP_MAX_WIDTH)
        return product_overflows(d, sign, a, b);
    return quotient_differs(d, sign, a, b);
}
