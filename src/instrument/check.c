/* SPDX-License-Identifier: Apache-2.0 */
/* Every instruction that may touch memory is hooked, or has one of the reasons of enum ins_verdict.
 * The walk gave the verdicts; here they are held against the code, by rules of their own. A module
 * that fails is not written: better no program than one that is not watched. */
#include "instrument/instrument_int.h"

#include <string.h>

#include "wire/api.h"
#include "wire/layout.h"

bool ins_is_number_of(LLVMValueRef inst)
{
    LLVMValueRef from = LLVMIsACastInst(inst) ? LLVMGetOperand(inst, 0) : NULL;
    return from && LLVMGetTypeKind(LLVMTypeOf(from)) == LLVMPointerTypeKind &&
           LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMIntegerTypeKind;
}

bool ins_check_is_silent(LLVMValueRef inst)
{
    if (ins_is_number_of(inst))
        return true;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMRet:
    case LLVMBr:
    case LLVMSwitch:
    case LLVMIndirectBr:
    case LLVMUnreachable:
    case LLVMResume:
    case LLVMLandingPad:
    case LLVMFNeg:
    case LLVMAdd:
    case LLVMFAdd:
    case LLVMSub:
    case LLVMFSub:
    case LLVMMul:
    case LLVMFMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMFDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMAlloca:
    case LLVMGetElementPtr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
        return true;
    default:
        return false;
    }
}

/* --- what was inserted --- */

/* Returns the name of the called function, "" if it is unknown. */
static const char *callee_name(LLVMValueRef inst)
{
    size_t length = 0;
    bool calls = LLVMIsACallInst(inst) || LLVMIsAInvokeInst(inst);
    LLVMValueRef callee = calls ? LLVMGetCalledValue(inst) : NULL;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* A store to the control page. */
static bool is_note(LLVMValueRef inst)
{
    LLVMValueRef address = LLVMIsAStoreInst(inst) ? LLVMGetOperand(inst, 1) : NULL;
    if (!address || !LLVMIsAConstantExpr(address) ||
        LLVMGetConstOpcode(address) != LLVMIntToPtr)
        return false;
    LLVMValueRef number = LLVMGetOperand(address, 0);
    if (!LLVMIsAConstantInt(number))
        return false;
    uint64_t at = LLVMConstIntGetZExtValue(number);
    return at >= PLAN_CONTROL && at - PLAN_CONTROL < sizeof(plan_control);
}

/* Hooks are not library functions: what those are renamed to is called with a verdict. */
static bool is_hook(LLVMValueRef inst)
{
    return starts_with(callee_name(inst), WIRE_PREFIX);
}

/* --- verdicts --- */

static enum ins_verdict verdict_of(const ins_module *m, LLVMValueRef inst)
{
    return (enum ins_verdict)(uintptr_t)ins_map_get(&m->verdicts, inst);
}

/* True if a hook with this name is between inst and the last instruction that was judged. */
static bool has_hook(const ins_module *m, LLVMValueRef inst, const char *const *names,
                     size_t n)
{
    LLVMValueRef at = LLVMGetPreviousInstruction(inst);
    for (; at; at = LLVMGetPreviousInstruction(at)) {
        if (verdict_of(m, at) != INS_UNJUDGED)
            return false;
        for (size_t i = 0; i < n; i++)
            if (starts_with(callee_name(at), names[i]))
                return true;
    }
    return false;
}

static bool is_hooked(const ins_module *m, LLVMValueRef inst)
{
    static const char *const names[] = {"__treadle_read", "__treadle_write",
                                        "__treadle_known_", "__treadle_atomic"};
    return has_hook(m, inst, names, sizeof names / sizeof names[0]);
}

/* What an address is computed from has a name that others cannot know, or never changes. */
static bool is_own(LLVMValueRef address)
{
    LLVMValueRef base = ins_escape_base(address);
    return LLVMIsAAllocaInst(base) || LLVMIsAArgument(base) ||
           (LLVMIsAGlobalVariable(base) &&
            (LLVMIsGlobalConstant(base) || LLVMIsThreadLocal(base)));
}

static bool is_private(LLVMValueRef inst)
{
    if (LLVMIsALoadInst(inst))
        return is_own(LLVMGetOperand(inst, 0));
    if (LLVMIsAStoreInst(inst))
        return is_own(LLVMGetOperand(inst, 1));
    bool any = false;
    for (unsigned i = 0; LLVMIsACallInst(inst) && i < LLVMGetNumArgOperands(inst); i++)
        any = any || is_own(LLVMGetOperand(inst, i));
    return any;
}

static bool fits(const ins_module *m, LLVMValueRef inst, enum ins_verdict verdict)
{
    static const char *const unwatched[] = {"__treadle_unwatched"};
    static const char *const refuse[] = {"__treadle_refuse"};
    bool is_call = LLVMIsACallInst(inst) || LLVMIsAInvokeInst(inst) ||
                   LLVMGetInstructionOpcode(inst) == LLVMCallBr;
    switch (verdict) {
    case INS_HOOKED:
        return is_hooked(m, inst);
    case INS_PRIVATE:
        return is_private(inst);
    case INS_COVERED:
        return LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst);
    case INS_NOTHING:
        return is_call || LLVMIsAFenceInst(inst) || LLVMIsALoadInst(inst) ||
               LLVMIsAStoreInst(inst);
    case INS_CALLED:
        return is_call && !starts_with(callee_name(inst), "llvm.") &&
               !LLVMIsAInlineAsm(LLVMGetCalledValue(inst));
    case INS_REFUSED:
        return has_hook(m, inst, refuse, 1);
    case INS_UNWATCHED:
        return has_hook(m, inst, unwatched, 1);
    case INS_UNJUDGED:
        return is_hook(inst) || is_note(inst);
    }
    return false;
}

/* --- the module --- */

static td_status complain(LLVMValueRef inst, enum ins_verdict verdict, td_diag *diag)
{
    size_t length = 0;
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
    char *text = LLVMPrintValueToString(inst);
    (void)td_diag_set(
        diag, TD_E_FORMAT,
        "internal error: in %s a memory access is not instrumented (%d): %.200s",
        LLVMGetValueName2(f, &length), (int)verdict, text);
    LLVMDisposeMessage(text);
    return TD_E_FORMAT;
}

static td_status check_block(const ins_module *m, LLVMBasicBlockRef bb, td_diag *diag)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(bb);
    for (; inst; inst = LLVMGetNextInstruction(inst)) {
        enum ins_verdict verdict = verdict_of(m, inst);
        bool is_silent = ins_check_is_silent(inst);
        if (!(is_silent && verdict == INS_UNJUDGED) && !fits(m, inst, verdict))
            return complain(inst, verdict, diag);
    }
    return TD_OK;
}

td_status ins_check_module(const ins_module *m, td_diag *diag)
{
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef bb = ins_is_walked(f) ? LLVMGetFirstBasicBlock(f) : NULL;
        for (; bb; bb = LLVMGetNextBasicBlock(bb))
            TD_TRY(check_block(m, bb, diag));
    }
    return TD_OK;
}
