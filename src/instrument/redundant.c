/* SPDX-License-Identifier: Apache-2.0 */
/* Two accesses of a segment at the same address need one check. Nothing was merged yet,
 * so that the address is often computed twice: addresses are compared by a hash of how
 * they are computed. */
#include "instrument/instrument_int.h"

#define DEPTH_MAX 6
#define OPERANDS_MAX 6

/* More addresses than this in a segment: the oldest are forgotten. */
#define SEEN_MAX 64

typedef struct term {
    uint64_t opcode;
    uint64_t type, source; /* types of the result and of a GEP's element */
    uint64_t leaf;
    td_id operands[OPERANDS_MAX];
} term;

/* Pure: the result depends on the operands alone. */
static bool is_pure(LLVMValueRef inst)
{
    if (ins_is_number_of(inst))
        return true;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMGetElementPtr:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMIntToPtr:
    case LLVMBitCast:
        return true;
    default:
        return false;
    }
}

static td_id id_of(LLVMValueRef v, int depth)
{
    term t = {.leaf = (uint64_t)(uintptr_t)v};
    bool inner = LLVMIsAInstruction(v) && is_pure(v) &&
                 LLVMGetNumOperands(v) <= OPERANDS_MAX && depth < DEPTH_MAX;
    if (inner) {
        t.leaf = 0;
        t.opcode = LLVMGetInstructionOpcode(v);
        t.type = (uint64_t)(uintptr_t)LLVMTypeOf(v);
        if (t.opcode == LLVMGetElementPtr)
            t.source = (uint64_t)(uintptr_t)LLVMGetGEPSourceElementType(v);
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
            t.operands[i] = id_of(LLVMGetOperand(v, i), depth + 1);
    }
    return td_id_hash(&t, sizeof t);
}

static ins_seen *find_or_add(ins_seen_vec *seen, td_id address)
{
    for (size_t i = 0; i < seen->len; i++)
        if (td_id_equal(seen->at[i].address, address))
            return &seen->at[i];
    if (seen->len >= SEEN_MAX)
        ins_seen_vec_clear(seen);
    ins_seen_vec_push(seen, (ins_seen){.address = address});
    return &seen->at[seen->len - 1];
}

bool ins_seen_covers(ins_seen_vec *seen, LLVMValueRef address, uint32_t size, bool write)
{
    ins_seen *s = find_or_add(seen, id_of(address, 0));
    if (size <= (write ? s->write_size : s->read_size))
        return true;
    if (s->read_size < size)
        s->read_size = size;
    if (write && s->write_size < size)
        s->write_size = size;
    return false;
}
