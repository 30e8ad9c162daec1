/* SPDX-License-Identifier: Apache-2.0 */
/* Which intrinsic a call is of, by LLVM's own name for it. */
#include "instrument/instrument_int.h"

#include <string.h>

bool ins_intrinsic_name(LLVMValueRef callee, char *out, size_t size)
{
    size_t length = 0;
    unsigned id = LLVMIsAFunction(callee) ? LLVMGetIntrinsicID(callee) : 0;
    const char *name = id ? LLVMIntrinsicGetName(id, &length) : NULL;
    if (!name || length <= 5 || length - 5 >= size)
        return false;
    memcpy(out, name + 5, length - 5); /* without "llvm." */
    out[length - 5] = 0;
    return true;
}

bool ins_intrinsic_is(LLVMValueRef call, const char *const *names, size_t n)
{
    char name[INS_INTRINSIC_NAME];
    bool calls = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call);
    if (!calls || !ins_intrinsic_name(LLVMGetCalledValue(call), name, sizeof name))
        return false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool ins_intrinsic_copies(LLVMValueRef call)
{
    static const char *const names[] = {"memcpy", "memcpy.inline", "memmove", "memset",
                                        "memset.inline"};
    return ins_intrinsic_is(call, names, sizeof names / sizeof names[0]);
}
