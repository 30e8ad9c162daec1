/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that stay bare: naked ones, which are all assembly, and those that choose an ifunc's
 * implementation. The latter run while the program is relocated: before the runtime is there that
 * hooks talk to, and before there is a second thread. */
#include "instrument/instrument_int.h"

#include <string.h>

#define FUNCTION_INDEX ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

static const char mark[] = "treadle-early";

static bool is_early(LLVMValueRef f)
{
    return LLVMGetStringAttributeAtIndex(f, FUNCTION_INDEX, mark, sizeof mark - 1) !=
           NULL;
}

bool ins_bare_is(LLVMValueRef f)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("naked", 5);
    return LLVMGetEnumAttributeAtIndex(f, FUNCTION_INDEX, kind) || is_early(f);
}

bool ins_is_walked(LLVMValueRef f)
{
    return !LLVMIsDeclaration(f) && !ins_bare_is(f);
}

static void set_early(const ins_module *m, LLVMValueRef f)
{
    LLVMAddAttributeAtIndex(f, FUNCTION_INDEX,
                            LLVMCreateStringAttribute(m->context, mark, sizeof mark - 1,
                                                      "", 0));
}

/* Called by such functions only: it is one of them. */
static bool serves_early(LLVMValueRef f)
{
    LLVMLinkage linkage = LLVMGetLinkage(f);
    LLVMUseRef use = LLVMGetFirstUse(f);
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return false;
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f ||
            !is_early(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))))
            return false;
    }
    return LLVMGetFirstUse(f) != NULL;
}

void ins_bare_find(ins_module *m)
{
    LLVMValueRef i = LLVMGetFirstGlobalIFunc(m->module);
    bool more = i != NULL;
    for (; i; i = LLVMGetNextGlobalIFunc(i)) {
        LLVMValueRef f = ins_escape_base(LLVMGetGlobalIFuncResolver(i));
        if (LLVMIsAFunction(f) && !LLVMIsDeclaration(f))
            set_early(m, f);
    }
    while (more) {
        more = false;
        LLVMValueRef f = LLVMGetFirstFunction(m->module);
        for (; f; f = LLVMGetNextFunction(f))
            if (!LLVMIsDeclaration(f) && !is_early(f) && serves_early(f)) {
                set_early(m, f);
                more = true;
            }
    }
}
