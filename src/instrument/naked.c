/* SPDX-License-Identifier: Apache-2.0 */
/* Naked functions are assembly, into which no hook can be put. A function under their name reports
 * that they are not watched, and jumps there; every call goes through it. */
#include "instrument/instrument_int.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "instrument/llvm_versions.h"

#define FUNCTION_INDEX ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

static bool is_naked(LLVMValueRef f)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("naked", 5);
    return !LLVMIsDeclaration(f) && LLVMGetEnumAttributeAtIndex(f, FUNCTION_INDEX, kind);
}

static LLVMValueRef site_of(ins_module *m, LLVMValueRef f, const char *name)
{
    char file[4096] = "";
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    if (subprogram)
        ins_hook_file(f, file, sizeof file);
    return ins_site_add(
        m, &(ins_site){.file = file,
                       .function = name,
                       .name = "",
                       .callee = name,
                       .line = subprogram ? LLVMDISubprogramGetLine(subprogram) : 0,
                       .kind = WIRE_SITE_CALL});
}

/* A jump to f with all that the caller passed. */
static void go_on_in(ins_module *m, LLVMValueRef wrapper, LLVMValueRef f)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    unsigned n = LLVMCountParams(f);
    LLVMValueRef *args = td_alloc((n + 1) * sizeof *args);
    LLVMGetParams(wrapper, args);
    LLVMValueRef call = LLVMBuildCall2(m->builder, type, f, args, n, "");
    ins_twin_copy_attributes(f, call);
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(f));
    ins_llvm_set_must_tail(call);
    if (LLVMGetReturnType(type) == m->none)
        LLVMBuildRetVoid(m->builder);
    else
        LLVMBuildRet(m->builder, call);
    td_free(args);
}

static void wrap(ins_module *m, LLVMValueRef f)
{
    char name[512], what[600];
    size_t length = 0;
    const char *symbol = LLVMGetValueName2(f, &length);
    snprintf(name, sizeof name, "%.500s", symbol);
    LLVMValueRef wrapper = LLVMAddFunction(m->module, "", LLVMGlobalGetValueType(f));
    LLVMReplaceAllUsesWith(f, wrapper);
    LLVMSetValueName2(f, "", 0);
    LLVMSetValueName2(wrapper, name, strlen(name));
    LLVMSetLinkage(wrapper, LLVMGetLinkage(f));
    LLVMSetVisibility(wrapper, LLVMGetVisibility(f));
    LLVMSetFunctionCallConv(wrapper, LLVMGetFunctionCallConv(f));
    ins_twin_copy_attributes(f, wrapper);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMSetVisibility(f, LLVMDefaultVisibility);
    const char *plain = name[0] == 1 ? name + 1 : name;
    snprintf(what, sizeof what, "%s.naked", plain);
    LLVMSetValueName2(f, what, strlen(what));
    LLVMPositionBuilderAtEnd(m->builder,
                             LLVMAppendBasicBlockInContext(m->context, wrapper, ""));
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    snprintf(what, sizeof what, "naked function %s", plain);
    ins_hook_unwatched_here(m, what, site_of(m, f, plain));
    go_on_in(m, wrapper, f);
}

void ins_naked_wrap(ins_module *m)
{
    ins_value_vec all = {0};
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (is_naked(f) && !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)))
            ins_value_vec_push(&all, f);
    for (size_t i = 0; i < all.len; i++)
        wrap(m, all.at[i]);
    ins_value_vec_fini(&all);
}
