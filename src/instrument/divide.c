/* SPDX-License-Identifier: Apache-2.0 */
/* Divisions that end the program: by 0, and of the least number by -1. LLVM may drop a division whose result
 * is unused, and may replace one that is known to fail by any value; then the crash of the program as
 * written would be missed. So a hook before the optimiser checks every division, and fails as the processor
 * does.
 *
 * If the condition is symbolic, the hook decides it (flow_calls.c). */
#include "instrument/instrument_int.h"

static bool is_division(LLVMValueRef inst)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    return (opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem ||
            opcode == LLVMSRem) &&
           LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMIntegerTypeKind;
}

static bool is_signed(LLVMValueRef inst)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    return opcode == LLVMSDiv || opcode == LLVMSRem;
}

/* Builds the condition that inst divides the least number by -1. */
static LLVMValueRef overflows(const ins_module *m, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    LLVMValueRef one = LLVMConstInt(type, 1, 0);
    LLVMValueRef top = LLVMConstInt(type, LLVMGetIntTypeWidth(type) - 1, 0);
    LLVMValueRef least = LLVMBuildShl(m->builder, one, top, "");
    LLVMValueRef by = LLVMGetOperand(inst, 1);
    return LLVMBuildAnd(
        m->builder,
        LLVMBuildICmp(m->builder, LLVMIntEQ, LLVMGetOperand(inst, 0), least, ""),
        LLVMBuildICmp(m->builder, LLVMIntEQ, by, LLVMConstAllOnes(type), ""), "");
}

static void ask(ins_module *m, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    LLVMValueRef by = LLVMGetOperand(inst, 1);
    bool is_known = LLVMIsAConstantInt(by) != NULL;
    ins_hook_stand(m, inst);
    if (!is_known || by == LLVMConstNull(type)) {
        LLVMValueRef zero = LLVMConstNull(type);
        LLVMValueRef is_zero = LLVMBuildICmp(m->builder, LLVMIntEQ, by, zero, "");
        ins_hook_build(m, INS_DIVISION_HOOK, &is_zero, 1);
    }
    /* Wider numbers are divided by a function, which does not fail. */
    bool is_wide = LLVMGetIntTypeWidth(type) > 64;
    if (is_signed(inst) && !is_wide && (!is_known || by == LLVMConstAllOnes(type))) {
        LLVMValueRef condition = overflows(m, inst);
        ins_hook_build(m, INS_DIVISION_HOOK, &condition, 1);
    }
}

void ins_divide_module(ins_module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f;
         f = LLVMGetNextFunction(f)) {
        if (ins_bare_is(f))
            continue;
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb;
             bb = LLVMGetNextBasicBlock(bb))
            for (LLVMValueRef inst = LLVMGetFirstInstruction(bb); inst;
                 inst = LLVMGetNextInstruction(inst))
                if (is_division(inst))
                    ask(m, inst);
    }
}
