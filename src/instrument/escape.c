/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory can no other thread reach. LLVM-C shows no capture tracking, so uses are
 * followed by hand: an address that is only loaded from, stored to and computed with
 * stays where it is. */
#include "instrument/instrument_int.h"

#include <string.h>

/* Values of a memo. */
#define KNOWN_PRIVATE ((void *)(uintptr_t)1)
#define KNOWN_SHARED ((void *)(uintptr_t)2)

static bool is_opcode(LLVMValueRef v, LLVMOpcode opcode)
{
    if (LLVMIsAInstruction(v))
        return LLVMGetInstructionOpcode(v) == opcode;
    return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == opcode;
}

static bool is_own_place(LLVMValueRef call)
{
    static const char *const name[] = {"threadlocal.address"};
    return ins_intrinsic_is(call, name, 1);
}

LLVMValueRef ins_escape_base(LLVMValueRef address)
{
    for (;;) {
        bool step = is_opcode(address, LLVMGetElementPtr) ||
                    is_opcode(address, LLVMBitCast) ||
                    is_opcode(address, LLVMAddrSpaceCast) || is_own_place(address);
        if (!step)
            return address;
        address = LLVMGetOperand(address, 0);
    }
}

LLVMTypeRef ins_copied_type(LLVMValueRef f_or_call, unsigned i)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef a = LLVMIsAFunction(f_or_call)
                             ? LLVMGetEnumAttributeAtIndex(f_or_call, i + 1, kind)
                             : LLVMGetCallSiteEnumAttribute(f_or_call, i + 1, kind);
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* Passed by value only: the callee gets a copy. */
static bool only_copied(LLVMValueRef call, LLVMValueRef address)
{
    unsigned n = LLVMGetNumArgOperands(call);
    bool is_copied = false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(call); i++) {
        if (LLVMGetOperand(call, i) != address)
            continue;
        if (i >= n || !ins_copied_type(call, i))
            return false;
        is_copied = true;
    }
    return is_copied;
}

/* True if the user's value is computed from the address and still refers to its object. */
static bool carries(LLVMValueRef user)
{
    static const char *const names[] = {"launder.invariant.group", "ptr.annotation"};
    return is_opcode(user, LLVMGetElementPtr) || is_opcode(user, LLVMBitCast) ||
           is_opcode(user, LLVMAddrSpaceCast) || is_opcode(user, LLVMPHI) ||
           is_opcode(user, LLVMSelect) || is_opcode(user, LLVMFreeze) ||
           is_own_place(user) || ins_intrinsic_is(user, names, 2);
}

/* The mark of a write, which another function may have got already. */
static bool is_mark(LLVMValueRef user)
{
    size_t length = 0;
    LLVMValueRef callee = LLVMGetCalledValue(user);
    return LLVMIsAFunction(callee) &&
           strcmp(LLVMGetValueName2(callee, &length), "__treadle_kept") == 0;
}

/* A use that neither gives the address away nor carries it on. */
static bool is_harmless(LLVMValueRef user, LLVMValueRef address)
{
    static const char *const names[] = {
        "lifetime.start", "lifetime.end", "dbg.declare", "dbg.value",  "dbg.assign",
        "va_start",       "va_end",       "va_copy",     "objectsize",
    };
    if (!LLVMIsAInstruction(user))
        return false;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMICmp:
        return true;
    case LLVMStore:
        return LLVMGetOperand(user, 0) != address;
    case LLVMCall:
        return ins_intrinsic_copies(user) ||
               ins_intrinsic_is(user, names, sizeof names / sizeof names[0]) ||
               only_copied(user, address) || is_mark(user);
    default:
        return false;
    }
}

/* True if all uses of object, and of what is computed from it, keep it private. */
static bool stays(LLVMValueRef object)
{
    ins_value_vec todo = {0};
    bool private = true;
    ins_value_vec_push(&todo, object);
    for (size_t i = 0; private && i < todo.len; i++) {
        LLVMUseRef use = LLVMGetFirstUse(todo.at[i]);
        for (; private && use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (carries(user)) {
                if (!ins_value_among(&todo, user))
                    ins_value_vec_push(&todo, user);
            } else
            private = is_harmless(user, todo.at[i]);
            private = private && todo.len < 1000;
        }
    }
    ins_value_vec_fini(&todo);
    return private;
}

/* A parameter that is a copy made for this call. */
static bool is_own_copy(LLVMValueRef base)
{
    if (!LLVMIsAArgument(base))
        return false;
    LLVMValueRef f = LLVMGetParamParent(base);
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        if (LLVMGetParam(f, i) == base)
            return ins_copied_type(f, i) != NULL;
    return false;
}

static bool is_private(LLVMValueRef base)
{
    if (LLVMIsAAllocaInst(base) || is_own_copy(base))
        return stays(base);
    if (!LLVMIsAGlobalVariable(base))
        return false;
    if (LLVMIsGlobalConstant(base)) /* elsewhere it may be declared as a variable */
        return !LLVMIsDeclaration(base);
    LLVMLinkage linkage = LLVMGetLinkage(base);
    bool internal = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    return internal && LLVMIsThreadLocal(base) && stays(base);
}

bool ins_escape_private(const ins_module *m, LLVMValueRef base, ins_map *memo)
{
    (void)m;
    void *known = ins_map_get(memo, base);
    if (known == NULL) {
        known = is_private(base) ? KNOWN_PRIVATE : KNOWN_SHARED;
        ins_map_put(memo, base, known);
    }
    return known == KNOWN_PRIVATE;
}
