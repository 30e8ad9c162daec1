/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of inserted code: operations on symbolic values, loads and stores, decisions. */
#include "runtime/symbolic/nodes.h"

#include "runtime/symbolic/values.h"

static uint64_t side_of(uint64_t value, const uint64_t *cases, uint32_t n_cases)
{
    for (uint32_t i = 0; i < n_cases; i++)
        if (cases[i] == value)
            return i + 1;
    return 0;
}

/* A function may be declared with another type than it has; bool has 8 bits here, one in LLVM. */
RT_HIDDEN uint32_t rt_slow_sym_fit(uint32_t label, uint32_t bits);
uint32_t rt_slow_sym_fit(uint32_t label, uint32_t bits)
{
    return rt_sym_extended(label, bits);
}

RT_HIDDEN uint32_t rt_slow_sym_binary(uint32_t what, uint32_t la, uint32_t lb, uint64_t a,
                                      uint64_t b, uint64_t r);
uint32_t rt_slow_sym_binary(uint32_t what, uint32_t la, uint32_t lb, uint64_t a,
                            uint64_t b, uint64_t r)
{
    const uint64_t values[6] = {a, 0, b, 0, r, 0};
    return rt_node_binary(what, la, lb, values);
}

RT_HIDDEN uint32_t rt_slow_sym_wide(uint32_t what, uint32_t la, uint32_t lb,
                                    const uint64_t values[6]);
uint32_t rt_slow_sym_wide(uint32_t what, uint32_t la, uint32_t lb,
                          const uint64_t values[6])
{
    return rt_node_binary(what, la, lb, values);
}

RT_HIDDEN uint32_t rt_slow_sym_unary(uint32_t what, uint32_t la, uint64_t r,
                                     uint64_t r_high);
uint32_t rt_slow_sym_unary(uint32_t what, uint32_t la, uint64_t r, uint64_t r_high)
{
    uint8_t op = (uint8_t)what;
    uint32_t bits = what >> 8 & 0xff, from = node_at(la)->bits;
    bool extends = op == WIRE_SYM_ZEXT || op == WIRE_SYM_SEXT;
    bool fits = op == WIRE_SYM_EXTRACT ? from > bits
                : extends              ? from < bits
                                       : from == bits;
    if (from == 0 || !fits)
        return from == bits && (extends || op == WIRE_SYM_EXTRACT) ? la : 0;
    return rt_node_unary(op, bits, la, r, r_high);
}

RT_HIDDEN uint32_t rt_slow_sym_select(uint32_t what, uint32_t lc, uint64_t labels,
                                      uint64_t a, uint64_t b);
uint32_t rt_slow_sym_select(uint32_t what, uint32_t lc, uint64_t labels, uint64_t a,
                            uint64_t b)
{
    uint32_t bits = what & 0xff;
    bool c = (what >> 8 & 1) != 0;
    uint32_t la = of_width((uint32_t)labels, bits);
    uint32_t lb = of_width((uint32_t)(labels >> 32), bits);
    if (of_width(lc, 1) == 0)
        return c ? la : lb;
    uint32_t label = rt_node_new(WIRE_SYM_ITE, bits, c ? a : b, 0);
    if (label) {
        node *n = &NODES[label];
        n->a = lc;
        n->b = la;
        n->c = lb;
        n->immediate[0] = la ? 0 : a & mask_of(bits);
        n->immediate[1] = lb ? 0 : b & mask_of(bits);
        rt_node_inherit(n);
    }
    return label;
}

/* The index is extended with its sign and multiplied. */
static uint32_t scaled(uint32_t label, uint64_t index, uint64_t scale)
{
    uint32_t bits = label ? node_at(label)->bits : 0;
    if (bits > 64)
        label = rt_node_extract(label, 0, 64);
    else if (bits && bits < 64)
        label = rt_node_unary(WIRE_SYM_SEXT, 64, label, index, 0);
    if (scale == 1 || label == 0)
        return label;
    const uint64_t values[6] = {index, 0, scale, 0, index * scale, 0};
    return rt_node_binary(WIRE_SYM(WIRE_SYM_MUL, 64), label, 0, values);
}

RT_HIDDEN uint32_t rt_slow_sym_index(uint32_t lbase, uint32_t lindex, uint64_t base,
                                     uint64_t index, uint64_t scale);
uint32_t rt_slow_sym_index(uint32_t lbase, uint32_t lindex, uint64_t base, uint64_t index,
                           uint64_t scale)
{
    uint32_t offset = scaled(lindex, index, scale);
    if (offset == 0 && index * scale == 0)
        return lbase;
    const uint64_t values[6] = {base, 0, index * scale, 0, base + index * scale, 0};
    return rt_node_binary(WIRE_SYM(WIRE_SYM_ADD, 64), lbase, offset, values);
}

RT_HIDDEN uint32_t rt_slow_sym_load(const void *p, uint32_t size, uint64_t value,
                                    uint64_t value_high);
uint32_t rt_slow_sym_load(const void *p, uint32_t size, uint64_t value,
                          uint64_t value_high)
{
    if (rt->reading.at == (uint64_t)p && size == rt->reading.size)
        return rt_read_taken();
    if (rt->flow)
        rt_reads_claimed((uint64_t)p);
    return rt_sym_get((uint64_t)p, size, value, value_high);
}

RT_HIDDEN void rt_slow_sym_store(void *p, uint32_t size, uint32_t label);
void rt_slow_sym_store(void *p, uint32_t size, uint32_t label)
{
    if (rt->writing.at == (uint64_t)p && size == rt->writing.size && label)
        rt_wrote(rt_node_fit(label, size * 8));
    if (size <= 16)
        rt_sym_put((uint64_t)p, size, label);
    else
        rt_sym_forget((uint64_t)p, size);
}

RT_HIDDEN void rt_slow_sym_branch(uint32_t label, uint32_t taken, const wire_site *s);
void rt_slow_sym_branch(uint32_t label, uint32_t taken, const wire_site *s)
{
    if (taken == WIRE_SYM_OUTCOME) {
        rt_outcome(of_width(label, 1));
        return;
    }
    uint32_t site = rt_site_number((uint64_t)s);
    rt_cover(taken != 0, site);
    rt_sym_branch(of_width(label, 1), taken != 0, site);
}

RT_HIDDEN void rt_slow_sym_switch(uint32_t label, uint64_t value, const uint64_t *cases,
                                  uint32_t n_cases, const wire_site *s);
void rt_slow_sym_switch(uint32_t label, uint64_t value, const uint64_t *cases,
                        uint32_t n_cases, const wire_site *s)
{
    uint32_t site = rt_site_number((uint64_t)s);
    rt_sym_used(label);
    if (!rt->active)
        return;
    rt_cover(side_of(value, cases, n_cases), site);
    bool first = by_inputs(label) && rt_first_at(WIRE_N_GAPS, site);
    for (uint32_t i = 0; first && i < n_cases; i++) {
        wire_rec *r = rt_emit(WIRE_NOTE_CASE);
        r->site = site;
        r->value = cases[i];
    }
    rt_decide(label, value, WIRE_DECIDE_SWITCH, site);
}

RT_HIDDEN void rt_slow_sym_address(uint32_t label, uint64_t value, const wire_site *s);
void rt_slow_sym_address(uint32_t label, uint64_t value, const wire_site *s)
{
    uint32_t site = rt_site_number((uint64_t)s);
    rt_sym_concrete(label, value, site);
}

RT_HIDDEN void rt_slow_sym_pointer(const void *p, uint64_t value, const wire_site *s);
void rt_slow_sym_pointer(const void *p, uint64_t value, const wire_site *s)
{
    uint64_t at = (uint64_t)p;
    /* A read that is waited for is decided before the next operation. */
    if (rt->reading.at == at || !rt_sym_by_inputs(at, sizeof value))
        return;
    rt_sym_concrete(rt_sym_get(at, sizeof value, value, 0), value,
                    rt_site_number((uint64_t)s));
}

RT_EXPORT void __treadle_sym_copy(void *to, const void *from, uint64_t size)
{
    rt_sym_copy((uint64_t)to, (uint64_t)from, size);
}

RT_EXPORT void __treadle_sym_fill(void *to, uint32_t label, uint64_t size)
{
    uint64_t p = (uint64_t)to;
    if (size == 0)
        return;
    if (!label) {
        rt_sym_forget(p, size);
        return;
    }
    for (uint64_t i = 0; i < size; i++)
        rt_sym_put(p + i, 1, label);
}

static __int128 extended(uint64_t value, uint32_t bits, bool is_signed)
{
    if (!is_signed)
        return (__int128)(value & mask_of(bits));
    return (__int128)((int64_t)(value << (64 - bits)) >> (64 - bits));
}

static uint32_t wider(uint32_t label, uint32_t bits, bool is_signed, __int128 value)
{
    return label ? rt_node_unary(is_signed ? WIRE_SYM_SEXT : WIRE_SYM_ZEXT, bits, label,
                                 (uint64_t)value, (uint64_t)(value >> 64))
                 : 0;
}

/* In twice the width nothing overflows: the result does not fit if the extension of its low
 * half differs from it. */
RT_EXPORT uint32_t __treadle_sym_overflow(uint32_t what, uint32_t is_signed, uint32_t la,
                                          uint32_t lb, uint64_t a, uint64_t b)
{
    uint8_t op = (uint8_t)what;
    uint32_t bits = what >> 8 & 0xff;
    la = of_width(la, bits);
    lb = of_width(lb, bits);
    if (bits > 64 || !(la | lb))
        return 0;
    __int128 x = extended(a, bits, is_signed), y = extended(b, bits, is_signed);
    __int128 r = op == WIRE_SYM_ADD ? x + y : op == WIRE_SYM_SUB ? x - y : x * y;
    __int128 fits = extended((uint64_t)r, bits, is_signed);
    const uint64_t values[6] = {(uint64_t)x, (uint64_t)(x >> 64),
                                (uint64_t)y, (uint64_t)(y >> 64),
                                (uint64_t)r, (uint64_t)(r >> 64)};
    uint32_t wide =
        rt_node_binary(WIRE_SYM(op, 2 * bits), wider(la, 2 * bits, is_signed, x),
                       wider(lb, 2 * bits, is_signed, y), values);
    uint32_t low = wide ? rt_node_extract(wide, 0, bits) : 0;
    uint32_t again = low ? wider(low, 2 * bits, is_signed, fits) : 0;
    if (again == 0)
        return 0;
    unsigned __int128 mask = ~(unsigned __int128)0 >> (128 - 2 * bits);
    bool differs = ((unsigned __int128)(r ^ fits) & mask) != 0;
    const uint64_t both[6] = {0, 0, 0, 0, differs, 0};
    return rt_node_binary(WIRE_SYM(WIRE_SYM_NE, 2 * bits), wide, again, both);
}
