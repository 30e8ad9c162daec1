/* SPDX-License-Identifier: Apache-2.0 */
/* Bits that are the same for all inputs, looking a few levels deep. */
#include "expr/expr_int.h"

enum { DEEPEST = 4 };

static exp_known known_at(const exp_dag *d, exp_ref e, int depth);

static unsigned trailing_zeros(td_u128 zero)
{
    td_u128 v = ~zero;
    if ((uint64_t)v)
        return (unsigned)__builtin_ctzll((uint64_t)v);
    return v ? 64 + (unsigned)__builtin_ctzll((uint64_t)(v >> 64)) : EXP_MAX_WIDTH;
}

/* Number of bits that max needs. */
static unsigned bits_of(td_u128 max)
{
    uint64_t high = (uint64_t)(max >> 64), low = (uint64_t)max;
    if (high)
        return 128 - (unsigned)__builtin_clzll(high);
    return low ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

static exp_known at_most(td_u128 max, unsigned width)
{
    unsigned n = bits_of(max);
    return (exp_known){n < width ? exp_ones(width) & ~(n ? exp_ones(n) : 0) : 0, 0};
}

/* Sums and products: low bits by trailing zeros, high bits by the largest value. */
static exp_known known_sum(const exp_node *n, exp_known a, exp_known b)
{
    td_u128 ones = exp_ones(n->width), max_a = ~a.zero & ones, max_b = ~b.zero & ones;
    unsigned za = trailing_zeros(a.zero), zb = trailing_zeros(b.zero), low;
    exp_known k = {0, 0};
    td_u128 max;
    bool overflows;
    if (n->op == EXP_ADD) {
        low = za < zb ? za : zb;
        overflows = __builtin_add_overflow(max_a, max_b, &max);
    } else {
        low = za + zb;
        overflows = bits_of(max_a) + bits_of(max_b) > n->width;
        max = overflows ? ones : max_a * max_b;
    }
    if (!overflows && max <= ones)
        k = at_most(max, n->width);
    if (low > 0)
        k.zero |= low >= n->width ? ones : exp_ones(low);
    return k;
}

static exp_known known_bitwise(exp_op op, exp_known a, exp_known b)
{
    if (op == EXP_AND)
        return (exp_known){a.zero | b.zero, a.one & b.one};
    if (op == EXP_OR)
        return (exp_known){a.zero & b.zero, a.one | b.one};
    return (exp_known){(a.zero & b.zero) | (a.one & b.one),
                       (a.zero & b.one) | (a.one & b.zero)};
}

static exp_known known_sext(const exp_node *n, exp_known a)
{
    td_u128 added = exp_ones(n->width) & ~exp_ones(n->aux);
    if (a.zero >> (n->aux - 1) & 1)
        a.zero |= added;
    if (a.one >> (n->aux - 1) & 1)
        a.one |= added;
    return a;
}

static exp_known known_operation(const exp_dag *d, const exp_node *n, int depth)
{
    td_u128 ones = exp_ones(n->width);
    exp_known a = known_at(d, n->arg[0], depth), b = {0, 0};
    if (n->n_args > 1)
        b = known_at(d, n->arg[1], depth);
    switch ((exp_op)n->op) {
    case EXP_ADD:
    case EXP_MUL:
        return known_sum(n, a, b);
    case EXP_UDIV: /* by zero it grows */
        return b.one ? at_most(~a.zero & ones, n->width) : (exp_known){0, 0};
    case EXP_UREM:
        return b.one && (~b.zero & ones) < (~a.zero & ones)
                   ? at_most(~b.zero & ones, n->width)
                   : at_most(~a.zero & ones, n->width);
    case EXP_AND:
    case EXP_OR:
    case EXP_XOR:
        return known_bitwise((exp_op)n->op, a, b);
    case EXP_LSHR:
        return at_most(~a.zero & ones, n->width);
    case EXP_CONCAT:
        return (exp_known){a.zero << n->aux | b.zero, a.one << n->aux | b.one};
    case EXP_SEXT:
        return known_sext(n, a);
    case EXP_EXTRACT:
        return (exp_known){a.zero >> n->aux & ones, a.one >> n->aux & ones};
    case EXP_ITE: {
        exp_known c = known_at(d, n->arg[2], depth);
        return (exp_known){b.zero & c.zero, b.one & c.one};
    }
    case EXP_NOT:
        return (exp_known){a.one, a.zero};
    default:
        return (exp_known){0, 0};
    }
}

static exp_known known_at(const exp_dag *d, exp_ref e, int depth)
{
    exp_node n = d->nodes.at[e.ix];
    if (n.op == EXP_CONST) {
        td_u128 v = d->values.at[n.number];
        return (exp_known){~v & exp_ones(n.width), v};
    }
    if (n.op == EXP_INPUT || depth == DEEPEST)
        return (exp_known){0, 0};
    exp_known k = known_operation(d, &n, depth + 1);
    TD_DASSERT((k.zero & k.one) == 0 && !((k.zero | k.one) & ~exp_ones(n.width)));
    return k;
}

exp_known exp_known_bits(const exp_dag *d, exp_ref e)
{
    return known_at(d, e, 0);
}
