/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of what intrinsics compute and copy. What is not followed is lost. */
#include "instrument/flow.h"

#include <string.h>

#include "base/assert.h"
#include "wire/hooks.h"
#include "wire/sym.h"

/* memcpy, memmove, memset. */
bool ins_flow_visit_memory(ins_flow *w, LLVMValueRef inst, const char *name)
{
    bool copies = strncmp(name, "memcpy", 6) == 0 || strncmp(name, "memmove", 7) == 0;
    bool sets = strncmp(name, "memset", 6) == 0;
    size_t stem = strncmp(name, "memmove", 7) == 0 ? 7 : 6;
    if (!(copies || sets) || (name[stem] != 0 && name[stem] != '.') ||
        LLVMGetNumArgOperands(inst) < 3)
        return false;
    LLVMValueRef to = LLVMGetOperand(inst, 0), from = LLVMGetOperand(inst, 1);
    LLVMValueRef length = LLVMGetOperand(inst, 2);
    ins_flow_made_concrete(w, inst, to);
    ins_flow_made_concrete(w, inst, length);
    if (copies)
        ins_flow_made_concrete(w, inst, from);
    ins_flow_stand_after(w, inst);
    LLVMValueRef size = ins_flow_low_half(w, length);
    if (copies) {
        LLVMValueRef args[] = {to, from, size};
        ins_flow_call(w, "__treadle_sym_copy", w->m->none, args, 3);
    } else {
        LLVMValueRef l = ins_flow_label(w, from);
        if (!ins_flow_is_zero(w, l) && ins_flow_bits_of(LLVMTypeOf(from)) > 8)
            l = ins_flow_unary(w, WIRE_SYM_EXTRACT, l,
                               LLVMBuildTrunc(w->b, from, w->m->i8, ""));
        LLVMValueRef args[] = {to, l, size};
        ins_flow_call(w, "__treadle_sym_fill", w->m->none, args, 3);
    }
    if (!LLVMIsAIntrinsicInst(inst))
        ins_flow_set_label(w, inst, ins_flow_label(w, to));
    return true;
}

/* Names are without types here, and compared as a whole: what is not known is lost. */
static bool is_named(const char *name, const char *known)
{
    return strcmp(name, known) == 0;
}

static bool visit_unary_intrinsic(ins_flow *w, LLVMValueRef inst, const char *name)
{
    static const struct {
        const char *name;
        uint8_t op;
    } all[] = {{"bswap", WIRE_SYM_BSWAP},
               {"bitreverse", WIRE_SYM_BITREV},
               {"ctpop", WIRE_SYM_CTPOP},
               {"ctlz", WIRE_SYM_CTLZ},
               {"cttz", WIRE_SYM_CTTZ}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (is_named(name, all[i].name)) {
            ins_flow_set_label(w, inst,
                               ins_flow_unary(w, all[i].op,
                                              ins_flow_label(w, LLVMGetOperand(inst, 0)),
                                              inst));
            return true;
        }
    return false;
}

static bool visit_minmax(ins_flow *w, LLVMValueRef inst, const char *name)
{
    static const struct {
        const char *name;
        LLVMIntPredicate predicate;
    } all[] = {{"smax", LLVMIntSGT},
               {"smin", LLVMIntSLT},
               {"umax", LLVMIntUGT},
               {"umin", LLVMIntULT}};
    if (ins_flow_bits_of(LLVMTypeOf(inst)) > 64)
        return false;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!is_named(name, all[i].name))
            continue;
        LLVMValueRef sides[2] = {LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1)};
        LLVMValueRef l[2] = {ins_flow_label(w, sides[0]), ins_flow_label(w, sides[1])};
        LLVMValueRef c = LLVMBuildICmp(w->b, all[i].predicate, sides[0], sides[1], "");
        uint8_t op;
        bool swaps = ins_flow_predicate_of(all[i].predicate, &op);
        LLVMValueRef values[3] = {sides[swaps], sides[!swaps], c};
        LLVMValueRef lc = ins_flow_binary_labels(w, op, l[swaps], l[!swaps], values);
        ins_flow_set_label(w, inst, ins_flow_select_label(w, lc, c, sides, l));
        return true;
    }
    return false;
}

static bool visit_abs(ins_flow *w, LLVMValueRef inst, const char *name)
{
    if (!is_named(name, "abs") || ins_flow_bits_of(LLVMTypeOf(inst)) > 64)
        return false;
    LLVMValueRef v = LLVMGetOperand(inst, 0), zero = LLVMConstNull(LLVMTypeOf(v));
    LLVMValueRef negative = LLVMBuildICmp(w->b, LLVMIntSLT, v, zero, "");
    LLVMValueRef negated = LLVMBuildSub(w->b, zero, v, "");
    LLVMValueRef less[3] = {v, zero, negative}, minus[3] = {zero, v, negated};
    LLVMValueRef lc =
        ins_flow_binary_labels(w, WIRE_SYM_SLT, ins_flow_label(w, v), w->zero, less);
    LLVMValueRef l[2] = {ins_flow_binary_labels(w, WIRE_SYM_SUB, w->zero,
                                                ins_flow_label(w, v), minus),
                         ins_flow_label(w, v)};
    LLVMValueRef sides[2] = {negated, v};
    ins_flow_set_label(w, inst, ins_flow_select_label(w, lc, negative, sides, l));
    return true;
}

/* {result, whether it overflowed}. */
static bool visit_overflow(ins_flow *w, LLVMValueRef inst, const char *name)
{
    static const struct {
        const char *name;
        uint8_t op;
    } all[] = {{"add.with.overflow", WIRE_SYM_ADD},
               {"sub.with.overflow", WIRE_SYM_SUB},
               {"mul.with.overflow", WIRE_SYM_MUL}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!is_named(name + (name[0] != 0), all[i].name))
            continue;
        LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
        unsigned bits = ins_flow_bits_of(LLVMTypeOf(a));
        if (!ins_flow_may_be(w, inst) || bits > 64)
            return bits <= 64;
        ins_labels *l = ins_flow_labels_new(w, inst);
        TD_ASSERT(l->n == 2);
        l->at[0] =
            ins_flow_binary(w, all[i].op, a, b, LLVMBuildExtractValue(w->b, inst, 0, ""));
        LLVMValueRef args[] = {ins_flow_i32(w, WIRE_SYM(all[i].op, bits)),
                               ins_flow_i32(w, name[0] == 's'),
                               ins_flow_label(w, a),
                               ins_flow_label(w, b),
                               ins_flow_low_half(w, a),
                               ins_flow_low_half(w, b)};
        l->at[1] = ins_flow_call(w, "__treadle_sym_overflow", w->m->i32, args, 6);
        return true;
    }
    return false;
}

/* Funnel shifts: a above b, shifted by c modulo the width; of up to 64 bits. */
static bool visit_funnel(ins_flow *w, LLVMValueRef inst, const char *name)
{
    bool left = is_named(name, "fshl");
    unsigned bits = ins_flow_bits_of(LLVMTypeOf(inst));
    if ((!left && !is_named(name, "fshr")) || bits == 0 || bits > 64 ||
        (bits & (bits - 1)) != 0)
        return false;
    LLVMTypeRef type = LLVMTypeOf(inst);
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
    LLVMValueRef c = LLVMGetOperand(inst, 2);
    LLVMValueRef mask = LLVMConstInt(type, bits - 1, 0), one = LLVMConstInt(type, 1, 0);
    /* left: a << c | (b >> 1) >> (mask - c); right: (a << 1) << (mask - c) | b >> c */
    LLVMValueRef by = LLVMBuildAnd(w->b, c, mask, "");
    LLVMValueRef v_by[3] = {c, mask, by};
    LLVMValueRef lby =
        ins_flow_binary_labels(w, WIRE_SYM_AND, ins_flow_label(w, c), w->zero, v_by);
    LLVMValueRef rest = LLVMBuildXor(w->b, by, mask, "");
    LLVMValueRef v_rest[3] = {by, mask, rest};
    LLVMValueRef lrest = ins_flow_binary_labels(w, WIRE_SYM_XOR, lby, w->zero, v_rest);
    LLVMValueRef moved_by_one =
        left ? LLVMBuildLShr(w->b, b, one, "") : LLVMBuildShl(w->b, a, one, "");
    LLVMValueRef v_one[3] = {left ? b : a, one, moved_by_one};
    LLVMValueRef lone =
        ins_flow_binary_labels(w, left ? WIRE_SYM_LSHR : WIRE_SYM_SHL,
                               ins_flow_label(w, v_one[0]), w->zero, v_one);
    LLVMValueRef high_in = left ? a : moved_by_one, low_in = left ? moved_by_one : b;
    LLVMValueRef high_by = left ? by : rest, low_by = left ? rest : by;
    LLVMValueRef high = LLVMBuildShl(w->b, high_in, high_by, "");
    LLVMValueRef low = LLVMBuildLShr(w->b, low_in, low_by, "");
    LLVMValueRef v_high[3] = {high_in, high_by, high}, v_low[3] = {low_in, low_by, low};
    LLVMValueRef lhigh =
        ins_flow_binary_labels(w, WIRE_SYM_SHL, left ? ins_flow_label(w, a) : lone,
                               left ? lby : lrest, v_high);
    LLVMValueRef llow =
        ins_flow_binary_labels(w, WIRE_SYM_LSHR, left ? lone : ins_flow_label(w, b),
                               left ? lrest : lby, v_low);
    LLVMValueRef v_or[3] = {high, low, inst};
    ins_flow_set_label(w, inst,
                       ins_flow_binary_labels(w, WIRE_SYM_OR, lhigh, llow, v_or));
    return true;
}

static bool passes_on(const char *name)
{
    static const char *const names[] = {"expect",
                                        "launder.invariant.group",
                                        "strip.invariant.group",
                                        "ptr.annotation",
                                        "annotation",
                                        "threadlocal.address",
                                        "expect.with.probability"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_named(name, names[i]))
            return true;
    return false;
}

static bool has_no_effect(const char *name)
{
    static const char *const names[] = {"dbg.declare", "dbg.value",      "dbg.assign",
                                        "dbg.label",   "lifetime.start", "lifetime.end",
                                        "assume",      "va_end",         "va_copy",
                                        "stacksave",   "trap",           "stackrestore",
                                        "objectsize",  "is.constant",    "prefetch",
                                        "donothing",   "sideeffect"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_named(name, names[i]))
            return true;
    return false;
}

/* The labels of the variable arguments, where va_arg finds them. */
static void visit_va_start(ins_flow *w, LLVMValueRef inst)
{
    if (w->variable == NULL)
        return;
    ins_flow_stand_after(w, inst);
    LLVMValueRef args[] = {LLVMGetOperand(inst, 0), w->variable,
                           ins_flow_i32(w, LLVMCountParams(w->f)),
                           ins_flow_site(w, inst)};
    ins_flow_call(w, "__treadle_sym_va_start", w->m->none, args, 4);
}

/* An intrinsic that is not followed reads values and writes others. */
static void visit_touches(ins_flow *w, LLVMValueRef inst)
{
    ins_access_vec all = {0};
    (void)ins_intrinsic_reach(w->m, inst,
                              &all); /* what is not known has a gap of its own */
    for (size_t i = 0; i < all.len; i++) {
        const ins_access *a = &all.at[i];
        TD_ASSERT(a->length != NULL || a->size > 0);
        LLVMValueRef size = a->length ? a->length : ins_flow_i64(w, a->size);
        if (a->write) {
            ins_flow_stand_after(w, inst);
            LLVMValueRef args[] = {a->address, w->zero, size};
            ins_flow_call(w, "__treadle_sym_fill", w->m->none, args, 3);
        } else {
            ins_flow_stand_before(w, inst);
            LLVMValueRef args[] = {a->address, size, ins_flow_site(w, inst)};
            ins_flow_call(w, "__treadle_sym_opaque", w->m->none, args, 3);
        }
    }
    ins_access_vec_fini(&all);
}

void ins_flow_visit_intrinsic(ins_flow *w, LLVMValueRef inst, const char *name)
{
    TD_ASSERT(LLVMGetIntrinsicID(LLVMGetCalledValue(inst)) != 0);
    if (is_named(name, "va_start")) {
        visit_va_start(w, inst);
        return;
    }
    if (has_no_effect(name) || LLVMIsATerminatorInst(inst))
        return;
    ins_flow_stand_after(w, inst);
    if (passes_on(name)) {
        ins_flow_visit_same(w, inst);
        return;
    }
    if (visit_unary_intrinsic(w, inst, name) || visit_minmax(w, inst, name) ||
        visit_abs(w, inst, name) || visit_overflow(w, inst, name) ||
        visit_funnel(w, inst, name))
        return;
    visit_touches(w, inst);
    ins_flow_stand_after(w, inst);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++)
        ins_flow_lost(w, inst, ins_flow_label(w, LLVMGetOperand(inst, i)));
}
