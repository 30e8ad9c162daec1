/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of what is computed: arithmetic, comparisons, casts, addresses, parts of structures; and
 * the decisions of branches. */
#include "instrument/flow.h"

#include "base/assert.h"
#include "instrument/llvm_versions.h"
#include "wire/sym.h"

/* What is not followed: vectors, floats, and every instruction that has no visitor. */
void ins_flow_visit_other(ins_flow *w, LLVMValueRef inst)
{
    ins_flow_stand_before(w, inst);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++) {
        LLVMValueRef v = LLVMGetOperand(inst, i);
        const ins_labels *l = ins_flow_may_be(w, v) ? ins_map_get(&w->known, v) : NULL;
        for (unsigned k = 0; l && k < l->n; k++)
            ins_flow_lost(w, inst, l->at[k]);
    }
}

/* The processor takes the amount modulo the width, and so do the nodes; what C leaves undefined
 * is then the same for all versions of the function. */
static LLVMValueRef shift_amount(ins_flow *w, LLVMValueRef inst, LLVMValueRef *amount)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    unsigned bits = ins_flow_bits_of(type);
    LLVMValueRef by = LLVMGetOperand(inst, 1);
    *amount = by;
    if (LLVMIsAConstantInt(by) || (bits & (bits - 1)) != 0)
        return ins_flow_label(w, by);
    LLVMValueRef mask = LLVMConstInt(type, bits - 1, 0);
    ins_flow_stand_before(w, inst);
    *amount = LLVMBuildAnd(w->b, by, mask, "");
    LLVMSetOperand(inst, 1, *amount);
    LLVMValueRef values[3] = {by, mask, *amount};
    return ins_flow_binary_labels(w, WIRE_SYM_AND, ins_flow_label(w, by), w->zero,
                                  values);
}

static bool is_shift(LLVMOpcode opcode)
{
    return opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
}

void ins_flow_visit_binary(ins_flow *w, LLVMValueRef inst)
{
    static const uint8_t ops[] = {[LLVMAdd] = WIRE_SYM_ADD,   [LLVMSub] = WIRE_SYM_SUB,
                                  [LLVMMul] = WIRE_SYM_MUL,   [LLVMUDiv] = WIRE_SYM_UDIV,
                                  [LLVMSDiv] = WIRE_SYM_SDIV, [LLVMURem] = WIRE_SYM_UREM,
                                  [LLVMSRem] = WIRE_SYM_SREM, [LLVMAnd] = WIRE_SYM_AND,
                                  [LLVMOr] = WIRE_SYM_OR,     [LLVMXor] = WIRE_SYM_XOR,
                                  [LLVMShl] = WIRE_SYM_SHL,   [LLVMLShr] = WIRE_SYM_LSHR,
                                  [LLVMAShr] = WIRE_SYM_ASHR};
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
    TD_ASSERT(opcode < sizeof ops);
    if (!ins_flow_may_be(w, inst)) {
        ins_flow_visit_other(w, inst);
        return;
    }
    LLVMValueRef lb = is_shift(opcode) ? shift_amount(w, inst, &b) : ins_flow_label(w, b);
    LLVMValueRef values[3] = {a, b, inst};
    ins_flow_stand_after(w, inst);
    ins_flow_set_label(w, inst,
                       ins_flow_binary_labels(w, ops[opcode], ins_flow_label(w, a), lb,
                                              values));
}

/* The comparison as one of ours; true if the operands change places. */
bool ins_flow_predicate_of(LLVMIntPredicate predicate, uint8_t *op)
{
    static const uint8_t ops[] = {WIRE_SYM_EQ,  WIRE_SYM_NE,  WIRE_SYM_ULT, WIRE_SYM_ULE,
                                  WIRE_SYM_ULT, WIRE_SYM_ULE, WIRE_SYM_SLT, WIRE_SYM_SLE,
                                  WIRE_SYM_SLT, WIRE_SYM_SLE};
    TD_ASSERT((unsigned)(predicate - LLVMIntEQ) < sizeof ops);
    *op = ops[predicate - LLVMIntEQ];
    return predicate == LLVMIntUGT || predicate == LLVMIntUGE ||
           predicate == LLVMIntSGT || predicate == LLVMIntSGE;
}

void ins_flow_visit_compare(ins_flow *w, LLVMValueRef inst)
{
    uint8_t op;
    if (!ins_flow_may_be(w, inst)) {
        ins_flow_visit_other(w, inst);
        return;
    }
    bool swaps = ins_flow_predicate_of(LLVMGetICmpPredicate(inst), &op);
    ins_flow_stand_after(w, inst);
    ins_flow_set_label(w, inst,
                       ins_flow_binary(w, op, LLVMGetOperand(inst, swaps),
                                       LLVMGetOperand(inst, !swaps), inst));
}

void ins_flow_visit_cast(ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    unsigned has = ins_flow_bits_of(LLVMTypeOf(from)),
             wants = ins_flow_bits_of(LLVMTypeOf(inst));
    ins_flow_stand_after(w, inst);
    if (wants == 0) { /* a float, a vector, or too wide */
        ins_flow_lost(w, inst, ins_flow_label(w, from));
        return;
    }
    if (has == 0)
        return;
    bool is_signed = LLVMGetInstructionOpcode(inst) == LLVMSExt;
    uint8_t op = has > wants ? WIRE_SYM_EXTRACT
                 : is_signed ? WIRE_SYM_SEXT
                             : WIRE_SYM_ZEXT;
    LLVMValueRef l = ins_flow_label(w, from);
    ins_flow_set_label(w, inst, has == wants ? l : ins_flow_unary(w, op, l, inst));
}

/* The result depends on the condition, and cannot say how. */
static void choose(ins_flow *w, LLVMValueRef inst, LLVMValueRef condition)
{
    ins_flow_stand_before(w, inst);
    ins_flow_decided(w, inst, ins_flow_label(w, condition), condition);
    if (!ins_flow_may_be(w, inst))
        return;
    ins_labels *l = ins_flow_labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++) {
        LLVMValueRef a = ins_flow_label_part(w, LLVMGetOperand(inst, 1), i);
        LLVMValueRef b = ins_flow_label_part(w, LLVMGetOperand(inst, 2), i);
        if (!ins_flow_is_zero(w, a) || !ins_flow_is_zero(w, b))
            l->at[i] = LLVMBuildSelect(w->b, condition, a, b, "");
    }
}

void ins_flow_visit_select(ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef condition = LLVMGetOperand(inst, 0);
    LLVMValueRef a = LLVMGetOperand(inst, 1), b = LLVMGetOperand(inst, 2);
    unsigned bits = ins_flow_bits_of(LLVMTypeOf(inst));
    if (LLVMGetTypeKind(LLVMTypeOf(condition)) != LLVMIntegerTypeKind)
        return;
    if (ins_flow_is_zero(w, ins_flow_label(w, condition)) || bits == 0 || bits > 64) {
        choose(w, inst, condition);
        return;
    }
    ins_flow_stand_after(w, inst);
    LLVMValueRef sides[2] = {a, b}, l[2] = {ins_flow_label(w, a), ins_flow_label(w, b)};
    ins_flow_set_label(w, inst,
                       ins_flow_select_label(w, ins_flow_label(w, condition), condition,
                                             sides, l));
}

static LLVMValueRef as_i64(ins_flow *w, LLVMValueRef index)
{
    LLVMTypeRef type = LLVMTypeOf(index);
    unsigned bits = LLVMGetIntTypeWidth(type);
    if (bits == 64)
        return index;
    return bits > 64 ? LLVMBuildTrunc(w->b, index, w->m->i64, "")
                     : LLVMBuildSExt(w->b, index, w->m->i64, "");
}

/* The address so far: its label and its value, constants gathered. */
typedef struct gep {
    LLVMValueRef l, at;
} gep;

static void add_index(ins_flow *w, gep *g, LLVMValueRef index, uint64_t scale)
{
    TD_ASSERT(LLVMTypeOf(g->at) == w->m->i64 && LLVMTypeOf(g->l) == w->m->i32);
    LLVMValueRef li = ins_flow_label(w, index), wide = as_i64(w, index);
    LLVMValueRef by = ins_flow_i64(w, scale);
    if (!ins_flow_is_zero(w, g->l) || !ins_flow_is_zero(w, li)) {
        LLVMValueRef args[] = {g->l, li, g->at, wide, by};
        g->l = ins_flow_call(w, "__treadle_sym_index", w->m->i32, args, 5);
    }
    g->at = LLVMBuildAdd(w->b, g->at, LLVMBuildMul(w->b, wide, by, ""), "");
}

void ins_flow_visit_gep(ins_flow *w, LLVMValueRef inst)
{
    if (!ins_flow_may_be(w, inst)) {
        ins_flow_visit_other(w, inst);
        return;
    }
    ins_flow_stand_after(w, inst);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(inst);
    LLVMValueRef base = LLVMGetOperand(inst, 0);
    gep g = {ins_flow_label(w, base), ins_flow_low_half(w, base)};
    add_index(w, &g, LLVMGetOperand(inst, 1), LLVMABISizeOfType(w->m->layout, type));
    for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(inst); i++) {
        LLVMValueRef index = LLVMGetOperand(inst, i);
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            add_index(w, &g,
                      ins_flow_i64(w, LLVMOffsetOfElement(w->m->layout, type, field)), 1);
            type = LLVMStructGetTypeAtIndex(type, field);
        } else {
            type = LLVMGetElementType(type);
            add_index(w, &g, index, LLVMABISizeOfType(w->m->layout, type));
        }
    }
    ins_flow_set_label(w, inst, g.l);
}

/* First part of the element that the indices name. */
static unsigned part_index(const ins_flow *w, LLVMTypeRef type, const unsigned *indices,
                           unsigned n)
{
    TD_ASSERT(ins_flow_is_aggregate(type) && n > 0);
    unsigned at = 0;
    for (unsigned k = 0; k < n; k++) {
        bool record = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        for (unsigned i = 0; i < indices[k]; i++)
            at += ins_flow_parts_of(w, record ? LLVMStructGetTypeAtIndex(type, i)
                                              : LLVMGetElementType(type))
                      .n;
        type = record ? LLVMStructGetTypeAtIndex(type, indices[k])
                      : LLVMGetElementType(type);
    }
    return at;
}

void ins_flow_visit_extract(ins_flow *w, LLVMValueRef inst)
{
    if (!ins_flow_may_be(w, inst))
        return;
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    unsigned at =
        part_index(w, LLVMTypeOf(from), LLVMGetIndices(inst), LLVMGetNumIndices(inst));
    ins_labels *l = ins_flow_labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++)
        l->at[i] = ins_flow_label_part(w, from, at + i);
}

void ins_flow_visit_insert(ins_flow *w, LLVMValueRef inst)
{
    if (!ins_flow_may_be(w, inst))
        return;
    LLVMValueRef into = LLVMGetOperand(inst, 0), v = LLVMGetOperand(inst, 1);
    unsigned at =
        part_index(w, LLVMTypeOf(into), LLVMGetIndices(inst), LLVMGetNumIndices(inst));
    unsigned n = ins_flow_parts_of(w, LLVMTypeOf(v)).n;
    TD_ASSERT(at + n <= ins_flow_parts_of(w, LLVMTypeOf(into)).n);
    ins_labels *l = ins_flow_labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++)
        l->at[i] = i >= at && i < at + n ? ins_flow_label_part(w, v, i - at)
                                         : ins_flow_label_part(w, into, i);
}

void ins_flow_visit_same(ins_flow *w, LLVMValueRef inst)
{
    if (!ins_flow_may_be(w, inst))
        return;
    ins_labels *l = ins_flow_labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++)
        l->at[i] = ins_flow_label_part(w, LLVMGetOperand(inst, 0), i);
}

void ins_flow_visit_branch(ins_flow *w, LLVMValueRef inst)
{
    if (!LLVMIsConditional(inst))
        return;
    LLVMValueRef condition = LLVMGetCondition(inst);
    ins_flow_stand_before(w, inst);
    ins_flow_decided(w, inst, ins_flow_label(w, condition), condition);
}

static LLVMValueRef case_table(ins_flow *w, LLVMValueRef inst, unsigned n)
{
    LLVMValueRef *values = td_alloc((n + 1) * sizeof *values);
    for (unsigned i = 0; i < n; i++)
        values[i] =
            ins_flow_i64(w, LLVMConstIntGetZExtValue(ins_llvm_case_value(inst, i)));
    LLVMValueRef table =
        LLVMAddGlobal(w->m->module, LLVMArrayType(w->m->i64, n), "treadle.cases");
    LLVMSetInitializer(table, LLVMConstArray(w->m->i64, values, n));
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(table, 1);
    td_free(values);
    return table;
}

void ins_flow_visit_switch(ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef v = LLVMGetOperand(inst, 0), l = ins_flow_label(w, v);
    unsigned n = LLVMGetNumSuccessors(inst) - 1; /* without the default */
    if (ins_flow_is_zero(w, l) && w->m->is_library)
        return;
    ins_flow_stand_before(w, inst);
    if (ins_flow_bits_of(LLVMTypeOf(v)) > 64) {
        ins_flow_lost(w, inst, l);
        return;
    }
    LLVMValueRef args[] = {l, ins_flow_low_half(w, v), case_table(w, inst, n),
                           ins_flow_i32(w, n), ins_flow_site(w, inst)};
    ins_flow_call(w, "__treadle_sym_switch", w->m->none, args, 5);
}

void ins_flow_visit_goto(ins_flow *w, LLVMValueRef inst)
{
    ins_flow_made_concrete(w, inst, LLVMGetOperand(inst, 0));
}
