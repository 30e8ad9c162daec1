/* SPDX-License-Identifier: Apache-2.0 */
/* Conventions of programs that were written for verifiers. */
#include "instrument/instrument_int.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

/* The verifiers' way to write an assumption: the abort in there is a quiet end. */
static void rename_assumption(ins_module *m)
{
    static const char quiet[] = WIRE_PREFIX "assumption_fails";
    LLVMValueRef f = LLVMGetNamedFunction(m->module, "assume_abort_if_not");
    LLVMValueRef end = LLVMGetNamedFunction(m->module, WIRE_PREFIX "abort");
    if (f == NULL || end == NULL)
        return;
    LLVMTypeRef type = LLVMGlobalGetValueType(end);
    LLVMValueRef other = LLVMGetNamedFunction(m->module, quiet);
    if (other == NULL)
        other = LLVMAddFunction(m->module, quiet, type);
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i;
             i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && LLVMGetCalledValue(i) == end)
                LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, other);
    if (ins_map_get(&m->renamed, other) == NULL)
        ins_map_put(&m->renamed, other, td_strdup("abort"));
}

static LLVMValueRef section_hook(ins_module *m, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", WIRE_PREFIX, name);
    LLVMValueRef f = LLVMGetNamedFunction(m->module, full);
    if (f == NULL)
        f = LLVMAddFunction(m->module, full, LLVMFunctionType(m->none, NULL, 0, 0));
    if (ins_map_get(&m->renamed, f) == NULL)
        ins_map_put(&m->renamed, f, td_strdup(name));
    return f;
}

static void call_before(ins_module *m, LLVMValueRef inst, LLVMValueRef f)
{
    LLVMPositionBuilderBefore(m->builder, inst);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(inst));
    LLVMBuildCall2(m->builder, LLVMFunctionType(m->none, NULL, 0, 0), f, NULL, 0, "");
}

/* Makes a function atomic that is one step by the verifiers' convention. */
static void make_section(ins_module *m, LLVMValueRef f)
{
    LLVMValueRef begin = section_hook(m, "__VERIFIER_atomic_begin");
    LLVMValueRef end = section_hook(m, "__VERIFIER_atomic_end");
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    call_before(m, first, begin);
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb; bb = LLVMGetNextBasicBlock(bb))
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(bb)))
            call_before(m, LLVMGetBasicBlockTerminator(bb), end);
}

static bool is_section(LLVMValueRef f)
{
    static const char start[] = "__VERIFIER_atomic_";
    size_t length = 0;
    const char *name = LLVMGetValueName2(f, &length);
    return !LLVMIsDeclaration(f) && strncmp(name, start, sizeof start - 1) == 0 &&
           strcmp(name, "__VERIFIER_atomic_begin") != 0 &&
           strcmp(name, "__VERIFIER_atomic_end") != 0;
}

/* Before each call of f, so that the error is where it is called; calls by pointer reach the one in f. */
static void call_before_uses(ins_module *m, LLVMValueRef f, LLVMValueRef hook)
{
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == f)
            call_before(m, user, hook);
    }
}

/* The program has a function of this name: to call it is the error, whatever it does. The other of the two
 * names is that of the hook, as this one is the program's. */
static void make_error(ins_module *m, const char *name, const char *hook)
{
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    if (f == NULL || LLVMIsDeclaration(f))
        return;
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    call_before_uses(m, f, section_hook(m, hook));
    call_before(m, first, section_hook(m, hook));
}

void ins_verifiers_follow(ins_module *m)
{
    rename_assumption(m);
    make_error(m, "reach_error", "__VERIFIER_error");
    make_error(m, "__VERIFIER_error", "reach_error");
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        if (is_section(f))
            make_section(m, f);
}
