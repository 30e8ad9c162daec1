/* SPDX-License-Identifier: Apache-2.0 */
/* Calls whose function is known only when the program is linked, or runs: the runtime looks at the address. */
#include "instrument/instrument_int.h"

#include <string.h>

/* Another object may have the definition that the linker takes: a weak function, an inline function of C++. */
static bool is_linkers_choice(LLVMValueRef callee)
{
    size_t length = 0;
    if (!callee || !LLVMIsAFunction(callee) || LLVMIsDeclaration(callee) ||
        strncmp(LLVMGetValueName2(callee, &length), WIRE_PREFIX, strlen(WIRE_PREFIX)) ==
            0)
        return false;
    switch (LLVMGetLinkage(callee)) {
    case LLVMWeakAnyLinkage:
    case LLVMWeakODRLinkage:
    case LLVMLinkOnceAnyLinkage:
    case LLVMLinkOnceODRLinkage:
        return true;
    default:
        return false;
    }
}

static bool is_pointer(LLVMValueRef callee)
{
    return callee && !LLVMIsAFunction(callee) && !LLVMIsAInlineAsm(callee) &&
           !LLVMIsAConstant(callee);
}

static LLVMValueRef callee_of(LLVMValueRef inst)
{
    return LLVMIsACallInst(inst) || LLVMIsAInvokeInst(inst) ? LLVMGetCalledValue(inst)
                                                            : NULL;
}

/* Hooks the calls of f of which is_asked is true of the callee. */
static void hook_calls(ins_module *m, LLVMValueRef f, bool (*is_asked)(LLVMValueRef),
                       void (*hook)(ins_module *, LLVMValueRef))
{
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef inst = LLVMGetFirstInstruction(bb);
        for (; inst; inst = LLVMGetNextInstruction(inst))
            if (is_asked(callee_of(inst)))
                hook(m, inst);
    }
}

void ins_calls_linked(ins_module *m)
{
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !ins_bare_is(f))
            hook_calls(m, f, is_linkers_choice, ins_hook_linked);
}

void ins_calls_back(ins_module *m)
{
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            hook_calls(m, f, is_pointer, ins_hook_called_back);
}
