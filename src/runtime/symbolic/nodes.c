/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of a run: symbolic values and what they are made of. */
#include "runtime/symbolic/nodes.h"

#include "runtime/symbolic/values.h"

/* Makes a node without operands; returns its number, 0 if there is no space. */
uint32_t rt_node_new(uint8_t op, uint32_t bits, uint64_t low, uint64_t high)
{
    if (SYM->n_nodes == WIRE_SYM_MAX_NODES) {
        if (!SYM->full)
            rt_gap_once(WIRE_GAP_SYMBOLIC, 0,
                        "more symbolic values in a run than are kept");
        SYM->full = true;
        return 0;
    }
    uint32_t label = SYM->n_nodes++;
    RT_ASSERT(bits > 0 && bits <= 128);
    NODES[label] = (node){.op = op,
                          .bits = (uint8_t)bits,
                          .value = {low & mask_of(bits), high & mask_high(bits)}};
    return label;
}

/* Its operands are known now. */
void rt_node_inherit(node *n)
{
    RT_ASSERT(n->a < SYM->n_nodes && n->b < SYM->n_nodes && n->c < SYM->n_nodes);
    n->flags |= (node_at(n->a)->flags | node_at(n->b)->flags | node_at(n->c)->flags) &
                (OF_INPUTS | OF_READS);
}

uint32_t rt_node_binary(uint32_t what, uint32_t la, uint32_t lb, const uint64_t values[6])
{
    uint8_t op = (uint8_t)what;
    uint32_t bits = what >> 8 & 0xff;
    bool predicate = op >= WIRE_SYM_EQ && op <= WIRE_SYM_SLE;
    la = of_width(la, bits);
    lb = of_width(lb, bits);
    if (!(la | lb))
        return 0;
    uint32_t label = rt_node_new(op, predicate ? 1 : bits, values[4], values[5]);
    if (label == 0)
        return 0;
    node *n = &NODES[label];
    n->a = la;
    n->b = lb;
    const uint64_t *immediate = la ? values + 2 : values;
    if (!la || !lb) {
        n->immediate[0] = immediate[0] & mask_of(bits);
        n->immediate[1] = immediate[1] & mask_high(bits);
    }
    rt_node_inherit(n);
    return label;
}

uint32_t rt_node_unary(uint8_t op, uint32_t bits, uint32_t la, uint64_t low,
                       uint64_t high)
{
    uint32_t label = rt_node_new(op, bits, low, high);
    if (label == 0)
        return 0;
    NODES[label].a = la;
    rt_node_inherit(&NODES[label]);
    return label;
}

uint32_t rt_node_extract(uint32_t la, uint32_t first, uint32_t bits)
{
    RT_ASSERT(first + bits <= 128);
    const node *n = node_at(la);
    if (first == 0 && n->bits == bits)
        return la;
    unsigned __int128 value = (unsigned __int128)n->value[1] << 64 | n->value[0];
    value >>= first;
    uint32_t label = rt_node_unary(WIRE_SYM_EXTRACT, bits, la, (uint64_t)value,
                                   (uint64_t)(value >> 64));
    if (label)
        NODES[label].offset = (uint8_t)first;
    return label;
}

static uint32_t node_extend(uint32_t la, uint32_t bits)
{
    const node *n = node_at(la);
    return rt_node_unary(WIRE_SYM_ZEXT, bits, la, n->value[0], n->value[1]);
}

/* The label of a value that is used with another width. */
uint32_t rt_node_fit(uint32_t label, uint32_t bits)
{
    uint32_t has = node_at(label)->bits;
    if (has == 0 || has == bits)
        return has ? label : 0;
    return has > bits ? rt_node_extract(label, 0, bits) : node_extend(label, bits);
}

/* Low so far: label low, or 0 and its value; high comes above it. */
uint32_t rt_node_join(uint32_t high, uint32_t low, uint32_t high_bits, uint32_t low_bits,
                      unsigned __int128 value)
{
    RT_ASSERT(high | low);
    RT_ASSERT(high_bits + low_bits <= 128);
    uint32_t bits = high_bits + low_bits;
    uint32_t label =
        rt_node_new(WIRE_SYM_CONCAT, bits, (uint64_t)value, (uint64_t)(value >> 64));
    if (label == 0)
        return 0;
    node *n = &NODES[label];
    n->a = high;
    n->b = low;
    unsigned __int128 immediate = high ? value : value >> low_bits;
    uint32_t width = high ? low_bits : high_bits;
    if (!high || !low) {
        n->immediate[0] = (uint64_t)immediate & mask_of(width);
        n->immediate[1] = (uint64_t)(immediate >> 64) & mask_high(width);
    }
    rt_node_inherit(n);
    return label;
}

uint32_t rt_sym_input(uint32_t bits, uint64_t value, uint32_t number)
{
    uint32_t label = rt_node_new(WIRE_SYM_INPUT, bits, value, 0);
    if (label) {
        NODES[label].immediate[0] = number;
        NODES[label].flags = OF_INPUTS;
    }
    return label;
}

uint32_t rt_sym_extended(uint32_t label, uint32_t bits)
{
    return label ? rt_node_fit(label, bits) : 0;
}

uint32_t rt_sym_resized(uint32_t label, uint64_t value, bool is_signed)
{
    if (label == 0 || node_at(label)->bits >= 64)
        return label;
    return rt_node_unary(is_signed ? WIRE_SYM_SEXT : WIRE_SYM_ZEXT, 64, label, value, 0);
}

uint32_t rt_sym_apply(uint32_t what, uint32_t label, uint64_t value, uint64_t by,
                      uint64_t result)
{
    const uint64_t values[6] = {value, 0, by, 0, result, 0};
    return rt_node_binary(what, label, 0, values);
}

uint32_t rt_sym_less(uint32_t label, int32_t value, int32_t bound)
{
    const uint64_t values[6] = {(uint32_t)value, 0, (uint32_t)bound, 0, value < bound, 0};
    return rt_node_binary(WIRE_SYM(WIRE_SYM_SLT, 32), label, 0, values);
}

/* label is not 0, as a condition. */
uint32_t rt_sym_truth(uint32_t label, uint64_t value)
{
    uint32_t bits = label ? node_at(label)->bits : 0;
    if (bits == 0 || bits > 64)
        return 0;
    const uint64_t values[6] = {value, 0, 0, 0, (value & mask_of(bits)) != 0, 0};
    return rt_node_binary(WIRE_SYM(WIRE_SYM_NE, bits), label, 0, values);
}
