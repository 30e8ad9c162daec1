/* SPDX-License-Identifier: Apache-2.0 */
/* The walk over all instructions. Each opcode that matters has a visitor in one table;
 * symbolic data flow will add its own visitors there. */
#include "instrument/instrument_int.h"

#include <string.h>

typedef struct walk {
    ins_module *m;
    ins_map memo;      /* of escape.c, for the function */
    ins_seen_vec seen; /* checks of the running segment in the block */
    ins_map ends;      /* block -> ins_seen_vec *, what was seen at its end */
} walk;

typedef void (*visitor)(walk *w, LLVMValueRef inst);

/* A call may switch threads: what was checked before it does not count after it. */
static void segment_ends(walk *w)
{
    ins_seen_vec_clear(&w->seen);
}

/* --- plain and atomic accesses --- */

static bool is_watched(walk *w, LLVMValueRef address)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == 0 &&
           !ins_escape_private(w->m, ins_escape_base(address), &w->memo);
}

static void visit_plain(walk *w, ins_access a)
{
    if (!is_watched(w, a.address))
        return;
    if (a.size && ins_seen_covers(&w->seen, a.address, (uint32_t)a.size, a.write))
        ins_hook_again(w->m, &a);
    else
        ins_hook_access(w->m, &a);
}

static uint64_t store_size(const walk *w, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(w->m->layout, type);
}

static void visit_atomic(walk *w, LLVMValueRef inst)
{
    if (LLVMIsAFenceInst(inst) && LLVMIsAtomicSingleThread(inst))
        return;
    ins_hook_atomic(w->m, inst);
    segment_ends(w);
}

/* A type that an atomic access can have, as it stands in memory. */
static bool is_atom(const walk *w, LLVMTypeRef type, unsigned align)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint64_t size = store_size(w, type);
    bool scalar = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind ||
                  kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
    return scalar && (size == 1 || size == 2 || size == 4 || size == 8) &&
           align >= size && LLVMSizeOfTypeInBits(w->m->layout, type) == 8 * size;
}

/* A volatile access becomes an atomic one where that was asked for. */
static bool visit_volatile(walk *w, const ins_access *a, LLVMTypeRef type)
{
    const LLVMAtomicOrdering orders[] = {
        [INS_VOLATILE_PLAIN] = LLVMAtomicOrderingNotAtomic,
        [INS_VOLATILE_RELAXED] = LLVMAtomicOrderingMonotonic,
        [INS_VOLATILE_ATOMIC] =
            a->write ? LLVMAtomicOrderingRelease : LLVMAtomicOrderingAcquire};
    if (w->m->volatiles == INS_VOLATILE_PLAIN || !LLVMGetVolatile(a->inst) ||
        !is_atom(w, type, a->align) || !is_watched(w, a->address))
        return false;
    LLVMSetOrdering(a->inst, orders[w->m->volatiles]);
    ins_hook_volatile(w->m, a->inst);
    segment_ends(w);
    return true;
}

/* A load or store, of a value of this type. */
static void visit_access(walk *w, ins_access a, LLVMTypeRef type)
{
    a.size = store_size(w, type);
    a.align = LLVMGetAlignment(a.inst);
    if (LLVMGetOrdering(a.inst) != LLVMAtomicOrderingNotAtomic)
        visit_atomic(w, a.inst);
    else if (!visit_volatile(w, &a, type))
        visit_plain(w, a);
}

static void visit_load(walk *w, LLVMValueRef inst)
{
    visit_access(w, (ins_access){.inst = inst, .address = LLVMGetOperand(inst, 0)},
                 LLVMTypeOf(inst));
}

static void visit_store(walk *w, LLVMValueRef inst)
{
    visit_access(
        w, (ins_access){.inst = inst, .address = LLVMGetOperand(inst, 1), .write = true},
        LLVMTypeOf(LLVMGetOperand(inst, 0)));
}

/* --- calls --- */

static unsigned argument_align(LLVMValueRef call, unsigned arg)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, arg + 1, kind);
    return attribute ? (unsigned)LLVMGetEnumAttributeValue(attribute) : 1;
}

/* One side of a memory intrinsic: argument arg is read or written. */
static void visit_range(walk *w, LLVMValueRef call, unsigned arg, bool write)
{
    LLVMValueRef length = LLVMGetOperand(call, 2);
    ins_access a = {.inst = call,
                    .address = LLVMGetOperand(call, arg),
                    .align = argument_align(call, arg),
                    .write = write,
                    .which = arg};
    if (!is_watched(w, a.address))
        return;
    if (LLVMIsAConstantInt(length))
        a.size = LLVMConstIntGetZExtValue(length);
    if (a.size == 0 && LLVMIsAConstantInt(length))
        return;
    if (a.size == 0) {
        a.length = length;
        if (LLVMTypeOf(length) != w->m->i64) {
            LLVMPositionBuilderBefore(w->m->builder, call);
            a.length = LLVMBuildZExt(w->m->builder, length, w->m->i64, "");
        }
    }
    ins_hook_access(w->m, &a);
}

/* memcpy, memmove, memset: the intrinsics and, without builtins, the functions. */
static bool visit_memory(walk *w, LLVMValueRef call, const char *name)
{
    if (strncmp(name, "llvm.", 5) == 0)
        name += 5;
    bool copies = strncmp(name, "memcpy", 6) == 0 || strncmp(name, "memmove", 7) == 0;
    bool sets = strncmp(name, "memset", 6) == 0;
    size_t stem = strncmp(name, "memmove", 7) == 0 ? 7 : 6;
    if (!(copies || sets) || (name[stem] != 0 && name[stem] != '.'))
        return false;
    if (LLVMGetNumArgOperands(call) < 3)
        return false;
    if (copies)
        visit_range(w, call, 1, false);
    visit_range(w, call, 0, true);
    return true;
}

/* Looks at memory for nobody: what it is given goes out, or it makes something new. */
static bool is_blind(const char *name)
{
    enum wire_known how = ins_rename_known(name);
    return how == WIRE_KNOWN_OUTPUT || how == WIRE_KNOWN_ALLOCATES;
}

/* True if code that is not instrumented may read memory here, and tell the program. name is
 * NULL where the callee is not known. */
static bool may_look(LLVMValueRef call, LLVMValueRef callee, const char *name)
{
    if (name && (!LLVMIsDeclaration(callee) || ins_row_is(name, INS_ROW_VALUES) ||
                 (!LLVMGetFirstUse(call) && is_blind(name))))
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
            return true;
    return false;
}

/* What it does is not in any list. errno is compared by the runtime: its place is a value. */
static bool is_unknown(const walk *w, LLVMValueRef callee, const char *name)
{
    return LLVMIsDeclaration(callee) && !ins_row_is(name, INS_ROW_VALUES) &&
           !ins_map_get(&w->m->renamed, callee) && !ins_map_get(&w->m->refused, callee) &&
           !ins_rename_is_harmless(name) && ins_rename_known(name) == WIRE_KNOWN_NO;
}

/* A hook of cover.c. */
static bool is_mark(const char *name)
{
    return strcmp(name, "__treadle_entered") == 0 || strcmp(name, "__treadle_side") == 0;
}

/* Assembly that was not replaced by instructions. */
static void visit_asm(walk *w, LLVMValueRef call)
{
    ins_asm_left left;
    ins_asm_look(w->m, call, &left);
    if (left.is_refused)
        ins_hook_refuse(w->m, call, left.name);
    for (unsigned i = 0; i < left.n_touches; i++) {
        const ins_asm_touch *t = &left.touches[i];
        if (t->address == left.atom || t->size == 0 || !is_watched(w, t->address))
            continue;
        ins_hook_access(w->m, &(ins_access){.inst = call,
                                            .address = t->address,
                                            .size = t->size,
                                            .align = 1,
                                            .write = t->is_write,
                                            .which = 0});
    }
    if (!left.atom)
        return;
    ins_hook_exchange(w->m, call, left.atom, left.atom_size);
    segment_ends(w);
}

static void visit_call(walk *w, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length = 0;
    if (LLVMIsAInlineAsm(callee)) {
        visit_asm(w, call);
        return;
    }
    if (!LLVMIsAFunction(callee)) {
        if (may_look(call, callee, NULL))
            ins_hook_unseen(w->m, call);
        ins_hook_called(w->m, call);
        segment_ends(w);
        return;
    }
    const char *name = LLVMGetValueName2(callee, &length);
    if (visit_memory(w, call, name) || LLVMGetIntrinsicID(callee) != 0 || is_mark(name))
        return;
    const char *was = ins_map_get(&w->m->renamed, callee);
    if (was && ins_rename_is_pure(was))
        return;
    if (was) {
        if (ins_row_is(was, INS_ROW_UNWATCHED) && may_look(call, callee, was))
            ins_hook_unseen(w->m, call);
        ins_hook_call(w->m, call, was);
    } else if (ins_map_get(&w->m->refused, callee))
        ins_hook_refuse(w->m, call, name[0] == 1 ? name + 1 : name);
    else if (may_look(call, callee, name))
        ins_hook_unseen(w->m, call);
    if (is_unknown(w, callee, name))
        ins_hook_called(w->m, call);
    segment_ends(w);
}

static const visitor visitors[] = {
    [LLVMLoad] = visit_load,        [LLVMStore] = visit_store,
    [LLVMAtomicRMW] = visit_atomic, [LLVMAtomicCmpXchg] = visit_atomic,
    [LLVMFence] = visit_atomic,     [LLVMCall] = visit_call,
    [LLVMInvoke] = visit_call,      [LLVMCallBr] = visit_call,
};

#define N_VISITORS (sizeof visitors / sizeof visitors[0])

/* --- blocks and functions --- */

/* The one block from which bb is entered, NULL if there are several or none. */
static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef bb)
{
    LLVMBasicBlockRef found = NULL;
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(bb));
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
            return NULL; /* its address is taken */
        LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
        if (found && found != from)
            return NULL;
        found = from;
    }
    return found;
}

/* Entered from one block only, a block knows what that block checked. */
static void enter_block(walk *w, LLVMBasicBlockRef bb)
{
    ins_seen_vec_clear(&w->seen);
    LLVMBasicBlockRef from = only_predecessor(bb);
    const ins_seen_vec *known = from ? ins_map_get(&w->ends, from) : NULL;
    if (known)
        ins_seen_vec_append(&w->seen, known->at, known->len);
}

static void leave_block(walk *w, LLVMBasicBlockRef bb)
{
    if (w->seen.len == 0)
        return;
    ins_seen_vec *copy = td_alloc(sizeof *copy);
    ins_seen_vec_append(copy, w->seen.at, w->seen.len);
    ins_map_put(&w->ends, bb, copy);
}

static void forget_function(walk *w)
{
    for (size_t i = 0; i < w->ends.cap; i++) {
        ins_seen_vec *seen = w->ends.slots[i].value;
        if (seen)
            ins_seen_vec_fini(seen);
        td_free(seen);
    }
    ins_map_clear(&w->ends);
    ins_map_clear(&w->memo);
}

static void walk_block(walk *w, LLVMBasicBlockRef bb)
{
    enter_block(w, bb);
    LLVMValueRef inst = LLVMGetFirstInstruction(bb), next;
    for (; inst; inst = next) {
        next = LLVMGetNextInstruction(inst);
        unsigned opcode = LLVMGetInstructionOpcode(inst);
        if (opcode < N_VISITORS && visitors[opcode])
            visitors[opcode](w, inst);
    }
    leave_block(w, bb);
}

static bool has_attribute(LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       kind) != NULL;
}

void ins_walk_module(ins_module *m)
{
    walk w = {.m = m};
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || has_attribute(f, "naked"))
            continue;
        LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
        for (; bb; bb = LLVMGetNextBasicBlock(bb))
            walk_block(&w, bb);
        forget_function(&w);
    }
    ins_map_fini(&w.memo);
    ins_map_fini(&w.ends);
    ins_seen_vec_fini(&w.seen);
}
