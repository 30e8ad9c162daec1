/* SPDX-License-Identifier: Apache-2.0 */
/* Checks nodes of symbolic values: operands exist and have the right widths, so their users need not check. */
#include "trace/symbolic.h"

#include "base/assert.h"
#include "wire/sym.h"

static const char shapes[WIRE_SYM_N_OPS] = {
#define X(name, shape) [WIRE_SYM_##name] = #shape[0],
    WIRE_SYM_OPS(X)
#undef X
};

static_assert((int)WIRE_SYM_N_OPS <= UINT8_MAX, "an operation is a byte");

static const char *const op_texts[WIRE_SYM_N_OPS] = {
#define X(name, shape) [WIRE_SYM_##name] = #name,
    WIRE_SYM_OPS(X)
#undef X
};

/* Width of an operand; 0 if it is the immediate. */
static unsigned width(const trc *t, uint32_t label)
{
    TD_DASSERT(label < t->nodes.len);
    return label ? t->nodes.at[label].bits : 0;
}

static bool same_or_immediate(unsigned bits, unsigned wanted)
{
    return bits == 0 || bits == wanted;
}

/* True if at least one of two operands is a node, and both have the wanted width, or equal widths if wanted
 * is 0. */
static bool pair_fits(unsigned a, unsigned b, unsigned wanted)
{
    if (a == 0 && b == 0)
        return false;
    if (wanted == 0)
        wanted = a ? a : b;
    return same_or_immediate(a, wanted) && same_or_immediate(b, wanted);
}

static bool shape_fits(const trc *t, const wire_rec *r, unsigned bits)
{
    unsigned a = width(t, r->thread), b = width(t, r->site), c = width(t, r->count);
    TD_DASSERT(r->size < WIRE_SYM_N_OPS && bits > 0 && bits <= WIRE_SYM_MAX_BITS);
    switch (shapes[r->size]) {
    case 'C':
        return a == 0 && b == 0 && c == 0;
    case 'I':
        return a == 0 && b == 0 && c == 0 && r->object < t->inputs.len &&
               t->inputs.at[r->object].bits == bits;
    case 'R':
        return a == 0 && b == 0 && c == 0 && bits <= 64 && bits % 8 == 0 &&
               r->object < t->threads.len && r->value < WIRE_SYM_MAX_NODES;
    case 'B':
        return c == 0 && pair_fits(a, b, bits);
    case 'P':
        return c == 0 && bits == 1 && pair_fits(a, b, 0);
    case 'X':
        return b == 0 && c == 0 && a > 0 && a < bits;
    case 'E':
        return b == 0 && c == 0 && a > 0 && r->flags + bits <= a;
    case 'J':
        return c == 0 && (a || b) && a < bits && b < bits && (!a || !b || a + b == bits);
    case 'T':
        return a == 1 && bits <= 64 && same_or_immediate(b, bits) &&
               same_or_immediate(c, bits);
    default: /* U */
        return b == 0 && c == 0 && a == bits &&
               (r->size != WIRE_SYM_BSWAP || bits % 8 == 0);
    }
}

const char *trc_node_wrong(const trc *t, const wire_rec *r)
{
    size_t n = t->nodes.len;
    if (r->size >= WIRE_SYM_N_OPS)
        return "unknown operation";
    if (r->order == 0 || r->order > WIRE_SYM_MAX_BITS)
        return "a node of impossible width";
    if (r->thread >= n || r->site >= n || r->count >= n)
        return "a node before its operands";
    if (n > WIRE_SYM_MAX_NODES)
        return "too many nodes";
    return shape_fits(t, r, r->order) ? NULL : "a node whose operands do not fit";
}

void trc_node_take(trc *t, const wire_rec *r)
{
    TD_DASSERT(trc_node_wrong(t, r) == NULL);
    bool extracts = r->size == WIRE_SYM_EXTRACT;
    trc_node_vec_push(&t->nodes, (trc_node){
                                     .op = r->size,
                                     .bits = r->order,
                                     .offset = extracts ? r->flags : 0,
                                     .a = r->thread,
                                     .b = r->site,
                                     .c = r->count,
                                     .immediate = {r->object, r->value},
                                 });
}

const char *trc_sym_op_text(uint8_t op)
{
    return op < WIRE_SYM_N_OPS ? op_texts[op] : "?";
}
