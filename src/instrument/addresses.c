/* SPDX-License-Identifier: Apache-2.0 */
/* Finds code that inspects addresses: compares them, converts them to numbers, exchanges them. Only such a
 * program can observe that memory is reused without accessing freed memory. */
#include "instrument/instrument_int.h"

/* Returns the object that a pointer points into. */
static LLVMValueRef base_of(LLVMValueRef p)
{
    while (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p) ||
           LLVMIsAAddrSpaceCastInst(p))
        p = LLVMGetOperand(p, 0);
    return p;
}

/* Not of the heap for certain, or null. */
static bool is_fixed(LLVMValueRef p)
{
    LLVMValueRef base = base_of(p);
    return LLVMIsConstant(base) || LLVMIsAAllocaInst(base);
}

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

/* Pointers into the same thing are compared by where in it they are. */
static bool compares(LLVMValueRef inst)
{
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
    return is_pointer(a) && !is_fixed(a) && !is_fixed(b) && base_of(a) != base_of(b);
}

/* Pointers are exchanged as integers, too. */
static bool exchanges(const ins_module *m, LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 1));
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m->module);
    return !LLVMIsConstant(LLVMGetOperand(inst, 1)) &&
           LLVMStoreSizeOfType(layout, type) >= LLVMPointerSize(layout);
}

static bool looks(const ins_module *m, LLVMValueRef inst)
{
    if (ins_is_number_of(inst))
        return !is_fixed(LLVMGetOperand(inst, 0));
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMICmp:
        return compares(inst);
    case LLVMAtomicCmpXchg:
        return exchanges(m, inst);
    default:
        return false;
    }
}

static bool function_looks(const ins_module *m, LLVMValueRef f)
{
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f);
    for (; block; block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef inst = LLVMGetFirstInstruction(block);
        for (; inst; inst = LLVMGetNextInstruction(inst))
            if (looks(m, inst))
                return true;
    }
    return false;
}

void ins_addresses_tell(ins_module *m)
{
    const ins_site site = {.file = "",
                           .function = "",
                           .name = "",
                           .callee = WIRE_LOOKS_AT_ADDRESSES,
                           .kind = WIRE_SITE_USES};
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    while (f && !function_looks(m, f))
        f = LLVMGetNextFunction(f);
    if (f)
        ins_site_add(m, &site);
}
