/* SPDX-License-Identifier: Apache-2.0 */
/* Which values may be symbolic, and their labels. Constants are not, nor is what is computed from
 * them alone. A pointer may be where it is an integer in disguise, or a symbolic index made it. */
#include "instrument/flow.h"

#include <string.h>

#include "base/assert.h"
#include "wire/sym.h"

/* Bits of a value whose label is followed; 0: it is not. */
unsigned ins_flow_bits_of(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMGetPointerAddressSpace(type) == 0 ? 64 : 0;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return 0;
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits <= WIRE_SYM_MAX_BITS ? bits : 0;
}

static void add_parts(const ins_flow *w, LLVMTypeRef type, uint64_t offset,
                      ins_parts *out)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (out->n > INS_PARTS_MAX)
        return;
    if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            add_parts(w, LLVMStructGetTypeAtIndex(type, i),
                      offset + LLVMOffsetOfElement(w->m->layout, type, i), out);
        return;
    }
    if (kind == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t size = LLVMABISizeOfType(w->m->layout, element);
        for (unsigned i = 0; i < LLVMGetArrayLength(type) && out->n <= INS_PARTS_MAX; i++)
            add_parts(w, element, offset + i * size, out);
        return;
    }
    if (out->n < INS_PARTS_MAX)
        out->at[out->n] = (ins_part){type, offset};
    out->n++;
}

ins_parts ins_flow_parts_of(const ins_flow *w, LLVMTypeRef type)
{
    ins_parts p = {0};
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
        add_parts(w, type, 0, &p);
    return p;
}

bool ins_flow_is_aggregate(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ||
           LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

/* True if a value of the type can have labels. */
bool ins_flow_is_followed(const ins_flow *w, LLVMTypeRef type)
{
    if (!ins_flow_is_aggregate(type))
        return ins_flow_bits_of(type) > 0;
    ins_parts p = ins_flow_parts_of(w, type);
    if (p.n > INS_PARTS_MAX)
        return false;
    for (unsigned i = 0; i < p.n; i++)
        if (ins_flow_bits_of(p.at[i].type))
            return true;
    return false;
}

bool ins_flow_may_be(const ins_flow *w, LLVMValueRef v)
{
    return ins_map_get(&w->may, v) != NULL;
}

static bool is_intrinsic(LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    return callee && LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) != 0;
}

bool ins_flow_is_constant_memory(LLVMValueRef address)
{
    LLVMValueRef base = ins_escape_base(address);
    return LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base);
}

/* Symbolic whatever its operands are. */
static bool is_source(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        return !ins_flow_is_constant_memory(LLVMGetOperand(inst, 0));
    case LLVMCall:
        return !is_intrinsic(inst) && !LLVMIsAInlineAsm(LLVMGetCalledValue(inst));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    default:
        return false;
    }
}

/* A PHI of a header where threads may come back to what they were: the runtime may give it a place. */
static bool is_carried(const ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef plain = LLVMIsAPHINode(inst) ? ins_map_get(w->twin->origin, inst) : NULL;
    return plain && ins_map_get(&w->m->phis, plain);
}

bool ins_flow_begins_hash(const ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef plain = ins_map_get(w->twin->origin, inst);
    return plain && ins_map_get(&w->m->hashes, plain);
}

/* Symbolic if an operand is. */
static bool carries(const ins_flow *w, LLVMValueRef inst)
{
    if (ins_flow_begins_hash(w, inst))
        return false;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMAlloca:
    case LLVMVAArg:
    case LLVMInvoke:
        return false;
    case LLVMCall:
        return is_intrinsic(inst);
    default:
        return true;
    }
}

bool ins_flow_is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

bool ins_flow_is_hook(const ins_flow *w, LLVMValueRef callee, const char *name)
{
    return LLVMIsDeclaration(callee) && strncmp(name, "__treadle_", 10) == 0 &&
           ins_map_get(&w->m->renamed, callee) == NULL;
}

/* True if the user is a call that passes the pointer on. */
static bool hands_to_function(const ins_flow *w, LLVMValueRef user)
{
    LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    size_t length = 0;
    return callee && LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) == 0 &&
           !ins_flow_is_hook(w, callee, LLVMGetValueName2(callee, &length));
}

/* A pointer from elsewhere that the function looks at as a number. One that it does not follow
 * is decided where it comes from. */
static bool is_disguised(const ins_flow *w, LLVMValueRef pointer)
{
    bool is_address = false, is_handed = false;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (ins_is_number_of(user) || (LLVMIsAICmpInst(user) && LLVMIsAArgument(pointer)))
            return true;
        is_address |= LLVMIsALoadInst(user) || LLVMIsAStoreInst(user) ||
                      LLVMIsAGetElementPtrInst(user);
        is_handed |= LLVMIsAReturnInst(user) || hands_to_function(w, user);
    }
    return LLVMIsAArgument(pointer) && is_handed && !is_address;
}

/* A pointer that a symbolic index made. */
bool ins_flow_is_computed(const ins_flow *w, LLVMValueRef v)
{
    return ins_flow_may_be(w, v) && ins_flow_is_pointer(v) && LLVMIsAInstruction(v) &&
           (LLVMIsAGetElementPtrInst(v) || LLVMIsAPHINode(v) || LLVMIsASelectInst(v));
}

static void mark(ins_flow *w, ins_value_vec *todo, LLVMValueRef v)
{
    TD_ASSERT(!LLVMIsAConstant(v));
    if (ins_flow_may_be(w, v) || !ins_flow_is_followed(w, LLVMTypeOf(v)))
        return;
    ins_map_put(&w->may, v, v);
    ins_value_vec_push(todo, v);
}

static void mark_source(ins_flow *w, ins_value_vec *todo, LLVMValueRef v)
{
    if (!ins_flow_is_pointer(v) || is_disguised(w, v))
        mark(w, todo, v);
}

void ins_flow_find_symbolic(ins_flow *w)
{
    ins_value_vec todo = {0};
    for (unsigned i = 0; i < LLVMCountParams(w->f) && i < PLAN_ARGUMENTS; i++)
        mark_source(w, &todo, LLVMGetParam(w->f, i));
    for (size_t k = 0; k < w->order.len; k++) {
        LLVMValueRef inst = LLVMGetFirstInstruction(w->order.at[k]);
        for (; inst; inst = LLVMGetNextInstruction(inst))
            if (is_source(inst) || is_carried(w, inst))
                mark_source(w, &todo, inst);
    }
    for (size_t i = 0; i < todo.len; i++) {
        LLVMUseRef use = LLVMGetFirstUse(todo.at[i]);
        for (; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsAInstruction(user) && carries(w, user))
                mark(w, &todo, user);
        }
    }
    ins_value_vec_fini(&todo);
}

LLVMValueRef ins_flow_label_part(const ins_flow *w, LLVMValueRef v, unsigned i)
{
    const ins_labels *l = ins_flow_may_be(w, v) ? ins_map_get(&w->known, v) : NULL;
    return l && i < l->n ? l->at[i] : w->zero;
}

LLVMValueRef ins_flow_label(const ins_flow *w, LLVMValueRef v)
{
    return ins_flow_label_part(w, v, 0);
}

bool ins_flow_is_zero(const ins_flow *w, LLVMValueRef l)
{
    return l == w->zero;
}

ins_labels *ins_flow_labels_new(ins_flow *w, LLVMValueRef v)
{
    ins_labels *l = ins_map_get(&w->known, v);
    if (l)
        return l;
    TD_ASSERT(ins_flow_may_be(w, v)); /* F1 */
    l = td_alloc(sizeof *l);
    ins_parts p = ins_flow_parts_of(w, LLVMTypeOf(v));
    TD_ASSERT(p.n >= 1 && p.n <= INS_PARTS_MAX);
    l->n = p.n;
    for (unsigned i = 0; i < INS_PARTS_MAX; i++)
        l->at[i] = w->zero;
    ins_map_put(&w->known, v, l);
    return l;
}

void ins_flow_set_label(ins_flow *w, LLVMValueRef v, LLVMValueRef l)
{
    TD_ASSERT(LLVMTypeOf(l) == w->m->i32);
    if (ins_flow_may_be(w, v))
        ins_flow_labels_new(w, v)->at[0] = l;
}
