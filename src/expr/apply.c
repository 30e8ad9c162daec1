/* SPDX-License-Identifier: Apache-2.0 */
/* What each operation means: the one place, for folding and for evaluation. */
#include "expr/expr_int.h"

static td_u128 minus(td_u128 v)
{
    return (td_u128)0 - v;
}

static bool sign_of(td_u128 v, unsigned width)
{
    return v >> (width - 1) & 1;
}

/* The bits above width are copies of the sign. */
static td_u128 extend(td_u128 v, unsigned width)
{
    return sign_of(v, width) ? v | ~exp_ones(width) : v;
}

static td_u128 magnitude(td_u128 v, unsigned width)
{
    return (sign_of(v, width) ? minus(v) : v) & exp_ones(width);
}

static td_u128 unsigned_divide(td_u128 a, td_u128 b, unsigned width)
{
    return b ? a / b : exp_ones(width);
}

static td_u128 unsigned_rest(td_u128 a, td_u128 b)
{
    return b ? a % b : a;
}

static td_u128 signed_divide(td_u128 a, td_u128 b, unsigned width)
{
    td_u128 q = unsigned_divide(magnitude(a, width), magnitude(b, width), width);
    return sign_of(a, width) != sign_of(b, width) ? minus(q) : q;
}

static td_u128 signed_rest(td_u128 a, td_u128 b, unsigned width)
{
    td_u128 r = unsigned_rest(magnitude(a, width), magnitude(b, width));
    return sign_of(a, width) ? minus(r) : r;
}

/* The sign of an extended value moves right with it. */
static td_u128 shift_right_signed(td_u128 a, td_u128 by, unsigned width)
{
    td_u128 v = extend(a, width);
    unsigned n = by < width ? (unsigned)by : width - 1;
    if (n == 0)
        return v;
    return sign_of(a, width) ? v >> n | ~(~(td_u128)0 >> n) : v >> n;
}

/* Order of signed numbers is that of unsigned ones with the sign turned over. */
static bool less_signed(td_u128 a, td_u128 b, unsigned width)
{
    td_u128 sign = (td_u128)1 << (width - 1);
    return (a ^ sign) < (b ^ sign);
}

/* The result before it is cut to its width. */
static td_u128 compute(exp_op op, unsigned width, unsigned aux, const td_u128 v[3])
{
    td_u128 a = v[0], b = v[1];
    switch (op) {
    case EXP_ADD:
        return a + b;
    case EXP_SUB:
        return a - b;
    case EXP_MUL:
        return a * b;
    case EXP_UDIV:
        return unsigned_divide(a, b, width);
    case EXP_SDIV:
        return signed_divide(a, b, width);
    case EXP_UREM:
        return unsigned_rest(a, b);
    case EXP_SREM:
        return signed_rest(a, b, width);
    case EXP_AND:
        return a & b;
    case EXP_OR:
        return a | b;
    case EXP_XOR:
        return a ^ b;
    case EXP_SHL:
        return b < width ? a << (unsigned)b : 0;
    case EXP_LSHR:
        return b < width ? a >> (unsigned)b : 0;
    case EXP_ASHR:
        return shift_right_signed(a, b, width);
    case EXP_EQ:
        return a == b;
    case EXP_ULT:
        return a < b;
    case EXP_SLT:
        return less_signed(a, b, aux);
    case EXP_CONCAT:
        return a << aux | b;
    case EXP_SEXT:
        return extend(a, aux);
    case EXP_EXTRACT:
        return a >> aux;
    case EXP_ITE:
        return a ? b : v[2];
    case EXP_NOT:
        return ~a;
    case EXP_NEG:
        return minus(a);
    default:
        TD_ASSERT(!"an operation");
        return 0;
    }
}

td_u128 exp_apply(exp_op op, unsigned width, unsigned aux, const td_u128 v[3])
{
    return compute(op, width, aux, v) & exp_ones(width);
}
