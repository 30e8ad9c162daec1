/* SPDX-License-Identifier: Apache-2.0 */
/* Where in its granule of 8 bytes an access is. A check is half as long where that is
 * known: for members of records that are aligned to granules, and for variables, which
 * are moved to the start of a granule. */
#include "instrument/instrument_int.h"

#define GRANULE 8u

static bool is_gep(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) ||
           (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* Adds index * size to *offset, as far as whole granules do not matter. */
static bool add_steps(LLVMValueRef index, uint64_t size, uint64_t *offset)
{
    if (LLVMIsAConstantInt(index)) {
        *offset += (uint64_t)LLVMConstIntGetSExtValue(index) * size;
        return true;
    }
    return size % GRANULE == 0;
}

/* Adds what a GEP adds to its base; false if that is not known modulo the granule. */
static bool add_offset(const ins_module *m, LLVMValueRef gep, uint64_t *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    unsigned n = (unsigned)LLVMGetNumOperands(gep);
    if (!add_steps(LLVMGetOperand(gep, 1), LLVMABISizeOfType(m->layout, type), offset))
        return false;
    for (unsigned i = 2; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            *offset += LLVMOffsetOfElement(m->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
        } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
            type = LLVMGetElementType(type);
            if (!add_steps(index, LLVMABISizeOfType(m->layout, type), offset))
                return false;
        } else
            return false;
    }
    return true;
}

/* True if a variable starts a granule, or can be aligned to do so. Variables in a section named by the
 * program may be read as an array, so they stay where they are. */
static bool starts_granule(LLVMValueRef v)
{
    if (LLVMIsAAllocaInst(v)) {
        if (LLVMGetAlignment(v) < GRANULE)
            LLVMSetAlignment(v, GRANULE);
        return true;
    }
    if (!LLVMIsAGlobalVariable(v))
        return false;
    if (LLVMGetAlignment(v) >= GRANULE)
        return true;
    const char *section = LLVMGetSection(v);
    LLVMLinkage linkage = LLVMGetLinkage(v);
    bool ours = linkage == LLVMInternalLinkage || linkage == LLVMExternalLinkage;
    if (LLVMIsDeclaration(v) || (section && section[0]) || !ours)
        return false;
    LLVMSetAlignment(v, GRANULE);
    return true;
}

/* The base of a member is aligned as its record is, if the front end thought so too: then
 * it gave the access all the alignment that the offset allows. */
static bool base_is_aligned(const ins_module *m, LLVMValueRef gep, uint64_t offset,
                            unsigned align)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind ||
        LLVMABIAlignmentOfType(m->layout, type) < GRANULE)
        return false;
    return align == (offset & (0 - offset) & (GRANULE - 1));
}

int ins_place_of(const ins_module *m, LLVMValueRef address, unsigned align)
{
    uint64_t offset = 0;
    if (align >= GRANULE)
        return 0;
    for (;;) {
        if (LLVMIsAIntrinsicInst(address)) /* llvm.threadlocal.address */
            return -1;
        if (!is_gep(address))
            break;
        if (!add_offset(m, address, &offset))
            return -1;
        if (base_is_aligned(m, address, offset, align))
            return (int)(offset % GRANULE);
        address = LLVMGetOperand(address, 0);
    }
    return starts_granule(address) ? (int)(offset % GRANULE) : -1;
}
