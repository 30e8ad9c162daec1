/* SPDX-License-Identifier: Apache-2.0 */
/* What the nodes of a run mean: a second opinion, for tests. */
#pragma once

#include "trace/trace.h"
#include "wire/sym.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static inline u128 mask(unsigned bits)
{
    return ~(u128)0 >> (128 - bits);
}

static inline s128 as_signed(u128 v, unsigned bits)
{
    return (s128)(v << (128 - bits)) >> (128 - bits);
}

static inline u128 divide(uint8_t op, u128 a, u128 b, unsigned bits)
{
    s128 x = as_signed(a, bits), y = as_signed(b, bits);
    switch (op) {
    case WIRE_SYM_UDIV:
        return b ? a / b : mask(bits);
    case WIRE_SYM_UREM:
        return b ? a % b : a;
    case WIRE_SYM_SDIV:
        if (y == 0)
            return x < 0 ? 1 : mask(bits);
        return y == -1 ? (u128)0 - (u128)x : (u128)(x / y);
    default:
        return y == 0 ? (u128)x : y == -1 ? 0 : (u128)(x % y);
    }
}

static inline u128 shift(uint8_t op, u128 a, u128 b, unsigned bits)
{
    bool far = b >= bits;
    unsigned by = (unsigned)b;
    switch (op) {
    case WIRE_SYM_SHL:
        return far ? 0 : a << by;
    case WIRE_SYM_LSHR:
        return far ? 0 : a >> by;
    default:
        return (u128)(as_signed(a, bits) >> (far ? bits - 1 : by));
    }
}

static inline u128 bytes_swapped(u128 a, unsigned bits)
{
    u128 r = 0;
    for (unsigned i = 0; i < bits; i += 8)
        r = r << 8 | (a >> i & 0xff);
    return r;
}

static inline u128 bits_counted(uint8_t op, u128 a, unsigned bits)
{
    unsigned n = 0;
    u128 reversed = 0;
    for (unsigned i = 0; i < bits; i++) {
        reversed = reversed << 1 | (a >> i & 1);
        n += (unsigned)(a >> i & 1);
    }
    if (op == WIRE_SYM_BITREV)
        return reversed;
    if (op == WIRE_SYM_CTPOP)
        return n;
    u128 from = op == WIRE_SYM_CTTZ ? a : reversed;
    for (n = 0; n < bits && !(from >> n & 1); n++)
        continue;
    return n;
}

/* wide: of the operands of a comparison, or of what is extended. */
static inline u128 apply(const trc_node *n, u128 a, u128 b, unsigned wide,
                         unsigned low_wide)
{
    unsigned bits = n->bits;
    switch (n->op) {
    case WIRE_SYM_ADD:
        return a + b;
    case WIRE_SYM_SUB:
        return a - b;
    case WIRE_SYM_MUL:
        return a * b;
    case WIRE_SYM_AND:
        return a & b;
    case WIRE_SYM_OR:
        return a | b;
    case WIRE_SYM_XOR:
        return a ^ b;
    case WIRE_SYM_EQ:
        return a == b;
    case WIRE_SYM_NE:
        return a != b;
    case WIRE_SYM_ULT:
        return a < b;
    case WIRE_SYM_ULE:
        return a <= b;
    case WIRE_SYM_SLT:
        return as_signed(a, wide) < as_signed(b, wide);
    case WIRE_SYM_SLE:
        return as_signed(a, wide) <= as_signed(b, wide);
    case WIRE_SYM_ZEXT:
        return a;
    case WIRE_SYM_SEXT:
        return (u128)as_signed(a, wide);
    case WIRE_SYM_EXTRACT:
        return a >> n->offset;
    case WIRE_SYM_CONCAT:
        return a << low_wide | b;
    case WIRE_SYM_SHL:
    case WIRE_SYM_LSHR:
    case WIRE_SYM_ASHR:
        return shift(n->op, a, b, bits);
    case WIRE_SYM_BSWAP:
        return bytes_swapped(a, bits);
    case WIRE_SYM_BITREV:
    case WIRE_SYM_CTPOP:
    case WIRE_SYM_CTLZ:
    case WIRE_SYM_CTTZ:
        return bits_counted(n->op, a, bits);
    default:
        return divide(n->op, a, b, bits);
    }
}

/* The value of a node, whose operands have theirs in values. */
static inline u128 sym_evaluate(const trc *t, const u128 *values, const trc_node *n)
{
    const trc_node *nodes = t->nodes.at;
    unsigned wa = n->a ? nodes[n->a].bits : 0, wb = n->b ? nodes[n->b].bits : 0;
    if (n->op == WIRE_SYM_CONCAT)
        wa = wa ? wa : n->bits - wb;
    unsigned wide = wa ? wa : wb ? wb : n->bits;
    unsigned low_wide = n->op == WIRE_SYM_CONCAT ? n->bits - wa : wide;
    u128 immediate = (u128)n->immediate[1] << 64 | n->immediate[0];
    u128 a = n->a ? values[n->a] : immediate & mask(wide);
    u128 b = n->b ? values[n->b] : immediate & mask(low_wide);
    if (n->op == WIRE_SYM_CONST)
        return immediate & mask(n->bits);
    if (n->op == WIRE_SYM_INPUT)
        return t->inputs.at[n->immediate[0]].value;
    if (n->op == WIRE_SYM_ITE) {
        b = n->b ? values[n->b] : n->immediate[0];
        u128 c = n->c ? values[n->c] : n->immediate[1];
        return (a ? b : c) & mask(n->bits);
    }
    return apply(n, a, b, wide, low_wide) & mask(n->bits);
}
