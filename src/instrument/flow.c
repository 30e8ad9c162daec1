/* SPDX-License-Identifier: Apache-2.0 */
/* Following symbolic values through a function: beside every value that may be symbolic there is
 * its label, an i32 (wire/sym.h). The code that computes labels is straight-line calls of the
 * inlined helpers of wire/hooks.h, which do nothing while labels are 0.
 *
 * First it is found out which values can be symbolic at all: constants are not, nor is what is
 * computed from them alone, such as most loop counters. A value of a structure type has a label
 * for every part of it.
 *
 * Most pointers are not symbolic, and code for them would cost most. So a pointer is followed
 * where it is an integer in disguise, from the conversion to a pointer to that back; and where
 * a symbolic index made it, as long as it stays in the function: it is made concrete where it
 * is used, stored or passed on. */
#include "instrument/flow.h"

#include <assert.h>

#include "base/assert.h"
#include "instrument/blocks.h"

typedef void (*visitor)(ins_flow *w, LLVMValueRef inst);

static const visitor visitors[] = {
    [LLVMAdd] = ins_flow_visit_binary,
    [LLVMSub] = ins_flow_visit_binary,
    [LLVMMul] = ins_flow_visit_binary,
    [LLVMUDiv] = ins_flow_visit_binary,
    [LLVMSDiv] = ins_flow_visit_binary,
    [LLVMURem] = ins_flow_visit_binary,
    [LLVMSRem] = ins_flow_visit_binary,
    [LLVMAnd] = ins_flow_visit_binary,
    [LLVMOr] = ins_flow_visit_binary,
    [LLVMXor] = ins_flow_visit_binary,
    [LLVMShl] = ins_flow_visit_binary,
    [LLVMLShr] = ins_flow_visit_binary,
    [LLVMAShr] = ins_flow_visit_binary,
    [LLVMICmp] = ins_flow_visit_compare,
    [LLVMTrunc] = ins_flow_visit_cast,
    [LLVMZExt] = ins_flow_visit_cast,
    [LLVMSExt] = ins_flow_visit_cast,
    [LLVMIntToPtr] = ins_flow_visit_cast,
    [LLVMBitCast] = ins_flow_visit_cast,
    [LLVMAddrSpaceCast] = ins_flow_visit_cast,
    [LLVMSIToFP] = ins_flow_visit_cast,
    [LLVMUIToFP] = ins_flow_visit_cast,
    [LLVMSelect] = ins_flow_visit_select,
    [LLVMGetElementPtr] = ins_flow_visit_gep,
    [LLVMLoad] = ins_flow_visit_load,
    [LLVMStore] = ins_flow_visit_store,
    [LLVMAlloca] = ins_flow_visit_alloca,
    [LLVMAtomicRMW] = ins_flow_visit_rmw,
    [LLVMAtomicCmpXchg] = ins_flow_visit_cmpxchg,
    [LLVMExtractValue] = ins_flow_visit_extract,
    [LLVMInsertValue] = ins_flow_visit_insert,
    [LLVMFreeze] = ins_flow_visit_same,
    [LLVMBr] = ins_flow_visit_branch,
    [LLVMSwitch] = ins_flow_visit_switch,
    [LLVMIndirectBr] = ins_flow_visit_goto,
    [LLVMCall] = ins_flow_visit_call,
    [LLVMInvoke] = ins_flow_visit_call,
    [LLVMCallBr] = ins_flow_visit_call,
    [LLVMRet] = ins_flow_visit_return,
};

#define N_VISITORS (sizeof visitors / sizeof visitors[0])
static_assert(N_VISITORS < 128, "the numbers of opcodes are small");

/* --- PHIs --- */

static void start_phi(ins_flow *w, LLVMValueRef phi)
{
    if (!ins_flow_may_be(w, phi))
        return;
    ins_labels *l = ins_flow_labels_new(w, phi);
    ins_parts p = ins_flow_parts_of(w, LLVMTypeOf(phi));
    TD_ASSERT(l->n == p.n); /* F1: what has too many parts is not followed */
    ins_flow_stand_before(w, phi);
    for (unsigned i = 0; i < l->n; i++)
        if (ins_flow_bits_of(p.at[i].type))
            l->at[i] = l->phis[i] = LLVMBuildPhi(w->b, w->m->i32, "");
}

static void finish_phi(ins_flow *w, LLVMValueRef phi)
{
    const ins_labels *l = ins_flow_may_be(w, phi) ? ins_map_get(&w->known, phi) : NULL;
    for (unsigned i = 0; l && i < l->n; i++) {
        if (l->phis[i] == NULL)
            continue;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMValueRef from = ins_flow_label_part(w, LLVMGetIncomingValue(phi, k), i);
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, k);
            TD_ASSERT(LLVMTypeOf(from) == w->m->i32);
            LLVMAddIncoming(l->phis[i], &from, &block, 1);
        }
    }
}

/* --- the function --- */

/* Instructions of the function itself, not what was inserted. A hash is not followed, and what goes into it is not lost. */
static void list_block(const ins_flow *w, LLVMBasicBlockRef bb, ins_value_vec *out)
{
    ins_value_vec_clear(out);
    LLVMValueRef inst = LLVMGetFirstInstruction(bb);
    for (; inst; inst = LLVMGetNextInstruction(inst))
        if (ins_map_get(w->twin->origin, inst) && !ins_flow_begins_hash(w, inst))
            ins_value_vec_push(out, inst);
}

static void visit_block(ins_flow *w, const ins_value_vec *instructions)
{
    for (size_t i = 0; i < instructions->len; i++) {
        LLVMValueRef inst = instructions->at[i];
        unsigned opcode = LLVMGetInstructionOpcode(inst);
        if (opcode < N_VISITORS && visitors[opcode])
            visitors[opcode](w, inst);
        else if (ins_is_number_of(inst))
            ins_flow_visit_cast(w, inst);
        else if (!LLVMIsAPHINode(inst))
            ins_flow_visit_other(w, inst);
    }
}

static void flow_fini(ins_flow *w)
{
    for (size_t i = 0; i < w->known.cap; i++)
        td_free(w->known.slots[i].value);
    ins_map_fini(&w->known);
    ins_map_fini(&w->may);
    ins_map_fini(&w->sites);
    ins_block_vec_fini(&w->order);
}

static void follow_function(ins_module *m, const ins_twin *twin)
{
    TD_ASSERT(twin->origin->len > 0 && !LLVMIsDeclaration(twin->symbolic));
    ins_flow w = {.m = m,
                  .twin = twin,
                  .f = twin->symbolic,
                  .b = m->builder,
                  .zero = LLVMConstInt(m->i32, 0, 0)};
    ins_value_vec phis = {0}, list = {0};
    ins_blocks_order(w.f, &w.order);
    ins_flow_find_symbolic(&w);
    for (size_t i = 0; i < w.order.len; i++) {
        list_block(&w, w.order.at[i], &list);
        for (size_t k = 0; k < list.len && LLVMIsAPHINode(list.at[k]); k++) {
            start_phi(&w, list.at[k]);
            ins_value_vec_push(&phis, list.at[k]);
        }
    }
    ins_flow_take_arguments(&w);
    for (size_t i = 0; i < w.order.len; i++) {
        list_block(&w, w.order.at[i], &list);
        visit_block(&w, &list);
    }
    for (size_t i = 0; i < phis.len; i++)
        finish_phi(&w, phis.at[i]);
    ins_value_vec_fini(&phis);
    ins_value_vec_fini(&list);
    flow_fini(&w);
}

void ins_flow_module(ins_module *m)
{
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        const ins_twin *twin = ins_map_get(&m->twins, f);
        if (twin)
            follow_function(m, twin);
    }
}
