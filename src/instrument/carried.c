/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that carry what they read: a load right before the loop, a compare-exchange of the same
 * object in it, and a PHI of its header that holds what the last of these read.
 *
 *     old = load(p);
 *     do { new = f(old); } while (!compare_exchange(p, &old, new));
 *
 * A round in which the exchange fails leads to where the thread had been with a later load, so the
 * runtime may leave it out (runtime/core/left_out.c). For that
 *
 *   - the PHI alone depends on what was loaded, and nothing that others could notice happens
 *     between the load and the header;
 *   - by a back edge the PHI gets itself, or what an exchange found that was to find the PHI;
 *   - the load acquires no more than an exchange that fails: a data race behind the exchange must
 *     be one behind the load. */
#include "instrument/blocks.h"

#include <llvm-c/DebugInfo.h>

enum { MAX_DEPTH = 4 };

/* Value without casts that keep all its bits. */
static LLVMValueRef bare(LLVMValueRef value)
{
    while (LLVMIsAInstruction(value) &&
           (LLVMGetInstructionOpcode(value) == LLVMIntToPtr ||
            LLVMGetInstructionOpcode(value) == LLVMPtrToInt ||
            LLVMGetInstructionOpcode(value) == LLVMBitCast))
        value = LLVMGetOperand(value, 0);
    return value;
}

static bool has_one_use(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use);
}

/* Value reaches its use through casts only, and nothing else uses it on the way. */
static bool only_leads_here(LLVMValueRef value)
{
    for (; value != bare(value); value = LLVMGetOperand(value, 0))
        if (!has_one_use(value))
            return false;
    return has_one_use(value);
}

/* True if only casts and debug calls are between the load and the end of its block, which leads to the
 * header. */
static bool stands_before(LLVMValueRef load, LLVMBasicBlockRef header)
{
    LLVMValueRef inst = LLVMGetNextInstruction(load);
    for (; inst && !LLVMIsATerminatorInst(inst); inst = LLVMGetNextInstruction(inst))
        if (!LLVMIsACastInst(inst) && !LLVMIsADbgInfoIntrinsic(inst))
            return false;
    return inst && LLVMGetNumSuccessors(inst) == 1 && LLVMGetSuccessor(inst, 0) == header;
}

static bool acquires(LLVMAtomicOrdering order)
{
    return order != LLVMAtomicOrderingNotAtomic && order != LLVMAtomicOrderingUnordered &&
           order != LLVMAtomicOrderingMonotonic;
}

/* By value the PHI, or what an exchange of the object found that was to find the PHI. */
static bool leads_back(LLVMValueRef value, LLVMValueRef phi, LLVMValueRef load,
                       unsigned depth)
{
    value = bare(value);
    if (value == phi)
        return true;
    if (LLVMIsAExtractValueInst(value)) {
        LLVMValueRef x = LLVMGetOperand(value, 0);
        return LLVMIsAAtomicCmpXchgInst(x) && LLVMGetIndices(value)[0] == 0 &&
               bare(LLVMGetOperand(x, 0)) == bare(LLVMGetOperand(load, 0)) &&
               bare(LLVMGetOperand(x, 1)) == phi &&
               (acquires(LLVMGetCmpXchgFailureOrdering(x)) ||
                !acquires(LLVMGetOrdering(load)));
    }
    unsigned n =
        LLVMIsAPHINode(value) && depth < MAX_DEPTH ? LLVMCountIncoming(value) : 0;
    for (unsigned i = 0; i < n; i++)
        if (!leads_back(LLVMGetIncomingValue(value, i), phi, load, depth + 1))
            return false;
    return n > 0;
}

static bool is_carried(const ins_blocks *g, LLVMBasicBlockRef header, LLVMValueRef phi)
{
    LLVMValueRef load = NULL;
    unsigned n_back = 0, n = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < n; i++) {
        uint32_t from = ins_blocks_number(g, LLVMGetIncomingBlock(phi, i));
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        bool inside = from != INS_NO_BLOCK && g->in_loop[from];
        n_back += inside;
        if (inside)
            continue;
        if (load || !only_leads_here(value))
            return false;
        load = bare(value);
        if (!LLVMIsALoadInst(load) ||
            LLVMGetOrdering(load) == LLVMAtomicOrderingNotAtomic ||
            !stands_before(load, header))
            return false;
    }
    for (unsigned i = 0; load && i < n; i++) {
        uint32_t from = ins_blocks_number(g, LLVMGetIncomingBlock(phi, i));
        if (from != INS_NO_BLOCK && g->in_loop[from] &&
            !leads_back(LLVMGetIncomingValue(phi, i), phi, load, 0))
            return false;
    }
    return load && n_back > 0;
}

LLVMValueRef ins_carried(const ins_module *m, const ins_blocks *g,
                         LLVMBasicBlockRef header, const ins_value_vec *phis)
{
    for (size_t i = 0; i < phis->len; i++) {
        LLVMTypeRef type = LLVMTypeOf(phis->at[i]);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        bool has_word = kind == LLVMPointerTypeKind || kind == LLVMIntegerTypeKind;
        if (has_word && LLVMStoreSizeOfType(m->layout, type) <= 8 &&
            is_carried(g, header, phis->at[i]))
            return phis->at[i];
    }
    return NULL;
}
