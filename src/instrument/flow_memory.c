/* SPDX-License-Identifier: Apache-2.0 */
/* Labels that go to memory and come from there: loads, stores, atomics. The code for labels of an
 * atomic access follows it directly, and is one step with it. */
#include "instrument/flow.h"

#include "base/assert.h"
#include "wire/hooks.h"
#include "wire/layout.h"
#include "wire/sym.h"

static LLVMValueRef moved(ins_flow *w, LLVMValueRef address, uint64_t offset)
{
    LLVMValueRef index = ins_flow_i64(w, offset);
    return offset ? LLVMBuildGEP2(w->b, w->m->i8, address, &index, 1, "") : address;
}

/* The label of r, just read there. Memory has whole bytes. */
static LLVMValueRef load_label(ins_flow *w, LLVMValueRef address, LLVMValueRef r)
{
    unsigned bits = ins_flow_bits_of(LLVMTypeOf(r)), bytes = (bits + 7) / 8;
    TD_ASSERT(bits > 0 && ins_flow_is_pointer(address));
    LLVMValueRef args[] = {address, ins_flow_i32(w, bytes), ins_flow_low_half(w, r),
                           ins_flow_high_half(w, r)};
    LLVMValueRef l = ins_flow_call(w, "__treadle_sym_load", w->m->i32, args, 4);
    return bits % 8 ? ins_flow_unary(w, WIRE_SYM_EXTRACT, l, r) : l;
}

void ins_flow_store_label(ins_flow *w, LLVMValueRef address, uint64_t bytes,
                          LLVMValueRef l)
{
    TD_ASSERT(bytes > 0 && ins_flow_is_pointer(address));
    if (bytes > 16) {
        LLVMValueRef args[] = {address, l, ins_flow_i64(w, bytes)};
        ins_flow_call(w, "__treadle_sym_fill", w->m->none, args, 3);
        return;
    }
    LLVMValueRef args[] = {address, ins_flow_i32(w, bytes), l};
    ins_flow_call(w, "__treadle_sym_store", w->m->none, args, 3);
}

void ins_flow_opaque(ins_flow *w, LLVMValueRef inst, LLVMValueRef address, uint64_t bytes)
{
    LLVMValueRef args[] = {address, ins_flow_i64(w, bytes), ins_flow_site(w, inst)};
    ins_flow_call(w, "__treadle_sym_opaque", w->m->none, args, 3);
}

/* A pointer was read that the function does not follow: it is decided if it is symbolic. */
static void decide_pointer(ins_flow *w, LLVMValueRef inst, LLVMValueRef address,
                           LLVMValueRef v)
{
    TD_ASSERT(ins_flow_is_pointer(address) && ins_flow_is_pointer(v));
    LLVMValueRef args[] = {address, ins_flow_low_half(w, v), ins_flow_site(w, inst)};
    ins_flow_call(w, "__treadle_sym_pointer", w->m->none, args, 3);
}

static LLVMValueRef part_value(ins_flow *w, LLVMValueRef v, LLVMTypeRef type,
                               unsigned *skip)
{
    if (!ins_flow_is_aggregate(type))
        return (*skip)-- == 0 ? v : NULL;
    unsigned n = LLVMGetTypeKind(type) == LLVMStructTypeKind
                     ? LLVMCountStructElementTypes(type)
                     : LLVMGetArrayLength(type);
    for (unsigned i = 0; i < n; i++) {
        LLVMTypeRef element = LLVMGetTypeKind(type) == LLVMStructTypeKind
                                  ? LLVMStructGetTypeAtIndex(type, i)
                                  : LLVMGetElementType(type);
        ins_parts p = ins_flow_parts_of(w, element);
        if (*skip >= p.n) {
            *skip -= p.n;
            continue;
        }
        return part_value(w, LLVMBuildExtractValue(w->b, v, i, ""), element, skip);
    }
    TD_ASSERT(false); /* there is a part of this number */
    return NULL;
}

static void load_parts(ins_flow *w, LLVMValueRef inst, LLVMValueRef address)
{
    ins_parts p = ins_flow_parts_of(w, LLVMTypeOf(inst));
    ins_labels *l = ins_flow_labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++) {
        unsigned skip = i;
        LLVMValueRef at = moved(w, address, p.at[i].offset);
        if (ins_flow_bits_of(p.at[i].type) == 0) {
            ins_flow_opaque(w, inst, at, LLVMStoreSizeOfType(w->m->layout, p.at[i].type));
            continue;
        }
        LLVMValueRef v = part_value(w, inst, LLVMTypeOf(inst), &skip);
        if (ins_flow_is_pointer(v))
            decide_pointer(w, inst, at, v);
        else
            l->at[i] = load_label(w, at, v);
    }
}

static bool is_control(LLVMValueRef address)
{
    if (!LLVMIsAConstantExpr(address) || LLVMGetConstOpcode(address) != LLVMIntToPtr)
        return false;
    LLVMValueRef at = LLVMGetOperand(address, 0);
    return LLVMIsAConstantInt(at) &&
           LLVMConstIntGetZExtValue(at) - PLAN_CONTROL < PLAN_CONTROL_SIZE;
}

void ins_flow_visit_load(ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef address = LLVMGetOperand(inst, 0);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0)
        return;
    ins_flow_made_concrete(w, inst, address);
    if (ins_flow_is_constant_memory(address))
        return;
    ins_flow_stand_after(w, inst);
    if (!ins_flow_may_be(w, inst) && ins_flow_is_pointer(inst))
        decide_pointer(w, inst, address, inst);
    else if (!ins_flow_may_be(w, inst))
        ins_flow_opaque(w, inst, address,
                        LLVMStoreSizeOfType(w->m->layout, LLVMTypeOf(inst)));
    else if (ins_flow_is_aggregate(LLVMTypeOf(inst)))
        load_parts(w, inst, address);
    else
        ins_flow_set_label(w, inst, load_label(w, address, inst));
}

static void store_value(ins_flow *w, LLVMValueRef address, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    uint64_t bytes = LLVMStoreSizeOfType(w->m->layout, type);
    if (!ins_flow_is_aggregate(type) || !ins_flow_may_be(w, v)) {
        ins_flow_store_label(w, address, bytes, ins_flow_label(w, v));
        return;
    }
    ins_parts p = ins_flow_parts_of(w, type);
    for (unsigned i = 0; i < p.n; i++)
        ins_flow_store_label(w, moved(w, address, p.at[i].offset),
                             LLVMStoreSizeOfType(w->m->layout, p.at[i].type),
                             ins_flow_label_part(w, v, i));
}

void ins_flow_visit_store(ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef address = LLVMGetOperand(inst, 1);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0 || is_control(address))
        return;
    LLVMValueRef v = LLVMGetOperand(inst, 0);
    ins_flow_made_concrete(w, inst, address);
    if (ins_flow_is_computed(w, v))
        ins_flow_made_concrete(w, inst, v);
    if (ins_flow_is_pointer(v) && (!ins_flow_may_be(w, v) || ins_flow_is_computed(w, v)))
        return;
    ins_flow_stand_after(w, inst);
    store_value(w, address, v);
}

void ins_flow_visit_alloca(ins_flow *w, LLVMValueRef inst)
{
    ins_flow_made_concrete(w, inst, LLVMGetOperand(inst, 0));
}

static uint8_t rmw_op(LLVMAtomicRMWBinOp op)
{
    switch (op) {
    case LLVMAtomicRMWBinOpAdd:
        return WIRE_SYM_ADD;
    case LLVMAtomicRMWBinOpSub:
        return WIRE_SYM_SUB;
    case LLVMAtomicRMWBinOpAnd:
        return WIRE_SYM_AND;
    case LLVMAtomicRMWBinOpOr:
        return WIRE_SYM_OR;
    case LLVMAtomicRMWBinOpXor:
        return WIRE_SYM_XOR;
    default:
        return WIRE_SYM_CONST; /* not an operation of wire/sym.h */
    }
}

/* Minimum and maximum: which of the two it is was decided here. */
static LLVMValueRef minmax_label(ins_flow *w, LLVMValueRef inst, LLVMValueRef now,
                                 LLVMValueRef old, LLVMValueRef lold)
{
    TD_ASSERT(LLVMIsAAtomicRMWInst(inst));
    LLVMValueRef value = LLVMGetOperand(inst, 1);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    bool is_signed = op == LLVMAtomicRMWBinOpMax || op == LLVMAtomicRMWBinOpMin;
    LLVMValueRef less =
        LLVMBuildICmp(w->b, is_signed ? LLVMIntSLT : LLVMIntULT, old, value, "");
    LLVMValueRef values[3] = {old, value, less};
    LLVMValueRef l = ins_flow_binary_labels(w, is_signed ? WIRE_SYM_SLT : WIRE_SYM_ULT,
                                            lold, ins_flow_label(w, value), values);
    ins_flow_decided(w, inst, l, less);
    LLVMValueRef kept = LLVMBuildICmp(w->b, LLVMIntEQ, now, old, "");
    return LLVMBuildSelect(w->b, kept, lold, ins_flow_label(w, value), "");
}

void ins_flow_visit_rmw(ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef address = LLVMGetOperand(inst, 0), value = LLVMGetOperand(inst, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    uint64_t bytes = LLVMStoreSizeOfType(w->m->layout, type);
    ins_flow_made_concrete(w, inst, address);
    ins_flow_stand_after(w, inst);
    if (ins_flow_bits_of(type) == 0) {
        ins_flow_opaque(w, inst, address, bytes);
        ins_flow_store_label(w, address, bytes, w->zero);
        return;
    }
    LLVMValueRef lold = load_label(w, address, inst);
    LLVMValueRef now = LLVMBuildLoad2(w->b, type, address, "");
    LLVMValueRef lnew = ins_flow_label(w, value);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    LLVMValueRef values[3] = {inst, value, now};
    if (rmw_op(op) != WIRE_SYM_CONST)
        lnew = ins_flow_binary_labels(w, rmw_op(op), lold, lnew, values);
    else if (op == LLVMAtomicRMWBinOpNand) {
        LLVMValueRef both = LLVMBuildAnd(w->b, inst, value, "");
        values[2] = both;
        LLVMValueRef la = ins_flow_binary_labels(w, WIRE_SYM_AND, lold, lnew, values);
        LLVMValueRef inverted[3] = {both, LLVMConstAllOnes(type), now};
        lnew = ins_flow_binary_labels(w, WIRE_SYM_XOR, la, w->zero, inverted);
    } else if (op >= LLVMAtomicRMWBinOpMax && op <= LLVMAtomicRMWBinOpUMin)
        lnew = minmax_label(w, inst, now, inst, lold);
    else if (op != LLVMAtomicRMWBinOpXchg) {
        ins_flow_lost(w, inst, lold);
        ins_flow_lost(w, inst, lnew);
        lnew = w->zero;
    }
    ins_flow_store_label(w, address, bytes, lnew);
    if (!ins_flow_may_be(w, inst) && ins_flow_is_pointer(inst))
        ins_flow_decide_value(w, inst, lold, inst);
    ins_flow_set_label(w, inst, lold);
}

void ins_flow_visit_cmpxchg(ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef address = LLVMGetOperand(inst, 0), expected = LLVMGetOperand(inst, 1);
    LLVMValueRef desired = LLVMGetOperand(inst, 2);
    LLVMTypeRef type = LLVMTypeOf(expected);
    ins_flow_made_concrete(w, inst, address);
    ins_flow_stand_after(w, inst);
    if (ins_flow_bits_of(type) == 0 || !ins_flow_may_be(w, inst)) {
        uint64_t bytes = LLVMStoreSizeOfType(w->m->layout, type);
        ins_flow_lost(w, inst, ins_flow_label(w, expected));
        ins_flow_lost(w, inst, ins_flow_label(w, desired));
        ins_flow_opaque(w, inst, address, bytes);
        ins_flow_store_label(w, address, bytes, w->zero);
        return;
    }
    LLVMValueRef old = LLVMBuildExtractValue(w->b, inst, 0, "");
    LLVMValueRef done = LLVMBuildExtractValue(w->b, inst, 1, "");
    LLVMValueRef same = LLVMBuildICmp(w->b, LLVMIntEQ, old, expected, "");
    ins_labels *l = ins_flow_labels_new(w, inst);
    TD_ASSERT(l->n == 2); /* what was there, and whether it was exchanged */
    l->at[0] = load_label(w, address, old);
    LLVMValueRef values[3] = {old, expected, same};
    l->at[1] = ins_flow_binary_labels(w, WIRE_SYM_EQ, l->at[0],
                                      ins_flow_label(w, expected), values);
    if (!ins_flow_is_zero(w, l->at[1])) {
        LLVMValueRef args[] = {l->at[1], ins_flow_i32(w, WIRE_SYM_OUTCOME),
                               ins_flow_site(w, inst)};
        ins_flow_call(w, "__treadle_sym_branch", w->m->none, args, 3);
    }
    LLVMValueRef lnow =
        LLVMBuildSelect(w->b, done, ins_flow_label(w, desired), l->at[0], "");
    ins_flow_store_label(w, address, LLVMStoreSizeOfType(w->m->layout, type), lnow);
}
