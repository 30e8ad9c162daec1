/* SPDX-License-Identifier: Apache-2.0 */
/* Constructors would run once, before the runtime can schedule or choose inputs. They are replaced by
 * functions that register them with the runtime, which calls them in each run. */
#include "instrument/instrument_int.h"

/* void (int argc, char **argv, char **envp), as the dynamic linker calls it. */
static LLVMValueRef giver(ins_module *m, LLVMValueRef constructor)
{
    LLVMTypeRef types[] = {m->ptr, m->i32, m->ptr, m->ptr};
    LLVMTypeRef hook_type = LLVMFunctionType(m->none, types, 4, 0);
    LLVMValueRef hook = LLVMGetNamedFunction(m->module, "__treadle_constructor");
    if (!hook)
        hook = LLVMAddFunction(m->module, "__treadle_constructor", hook_type);
    LLVMValueRef f = LLVMAddFunction(m->module, "treadle.constructor",
                                     LLVMFunctionType(m->none, types + 1, 3, 0));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(m->builder,
                             LLVMAppendBasicBlockInContext(m->context, f, ""));
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    LLVMValueRef args[] = {constructor, LLVMGetParam(f, 0), LLVMGetParam(f, 1),
                           LLVMGetParam(f, 2)};
    LLVMBuildCall2(m->builder, hook_type, hook, args, 4, "");
    LLVMBuildRetVoid(m->builder);
    return f;
}

/* Each element: priority, function, what it belongs to. */
static LLVMValueRef wrap(ins_module *m, LLVMValueRef element)
{
    LLVMValueRef function = LLVMGetOperand(element, 1);
    if (LLVMIsNull(function) || ins_bare_is(ins_escape_base(function)))
        return element;
    LLVMValueRef fields[] = {LLVMGetOperand(element, 0), giver(m, function),
                             LLVMGetOperand(element, 2)};
    return LLVMConstStructInContext(m->context, fields, 3, 0);
}

void ins_ctors_wrap(ins_module *m)
{
    LLVMValueRef list = LLVMGetNamedGlobal(m->module, "llvm.global_ctors");
    if (!list || LLVMIsDeclaration(list))
        return;
    LLVMValueRef old = LLVMGetInitializer(list);
    unsigned n = LLVMGetArrayLength(LLVMGlobalGetValueType(list));
    LLVMValueRef *all = td_alloc((n + 1) * sizeof *all);
    for (unsigned i = 0; i < n; i++)
        all[i] = wrap(m, LLVMGetOperand(old, i));
    LLVMTypeRef element = LLVMGetElementType(LLVMGlobalGetValueType(list));
    LLVMSetInitializer(list, LLVMConstArray(element, all, n));
    td_free(all);
}
