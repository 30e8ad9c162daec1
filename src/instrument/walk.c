/* SPDX-License-Identifier: Apache-2.0 */
/* The walk over all instructions. Each opcode that may touch memory has a visitor in one table, which gives
 * the instruction its verdict; an instruction without a visitor is a gap. check.c checks all of them again. */
#include "instrument/instrument_int.h"

#include <string.h>

#include "base/assert.h"
#include "instrument/llvm_versions.h"

typedef struct walk {
    ins_module *m;
    ins_map memo;      /* memo of escape.c, for the function */
    ins_seen_vec seen; /* checks of the running segment in the block */
    ins_map ends;      /* block -> ins_seen_vec *, what was seen at its end */
} walk;

typedef enum ins_verdict (*visitor)(walk *w, LLVMValueRef inst);

/* A call may switch threads: what was checked before it does not count after it. */
static void segment_ends(walk *w)
{
    ins_seen_vec_clear(&w->seen);
}

/* --- plain and atomic accesses --- */

/* Hooks that know nothing of other address spaces cannot watch them. */
static bool is_elsewhere(LLVMValueRef address)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0;
}

static bool is_private(walk *w, LLVMValueRef address)
{
    return ins_escape_private(w->m, ins_escape_base(address), &w->memo);
}

static enum ins_verdict unwatched(walk *w, LLVMValueRef inst, const char *what)
{
    ins_hook_unwatched(w->m, inst, what);
    return INS_UNWATCHED;
}

static const char in_other_space[] = "access through a segment register";

static enum ins_verdict visit_plain(walk *w, ins_access a)
{
    TD_ASSERT(a.size > 0 && a.length == NULL);
    if (is_elsewhere(a.address))
        return unwatched(w, a.inst, in_other_space);
    if (is_private(w, a.address))
        return INS_PRIVATE;
    bool covered =
        a.size && ins_seen_covers(&w->seen, a.address, (uint32_t)a.size, a.write);
    if (covered)
        ins_hook_again(w->m, &a);
    else
        ins_hook_access(w->m, &a);
    return covered ? INS_COVERED : INS_HOOKED;
}

/* Returns the stronger of two verdicts about accesses of one instruction. */
static enum ins_verdict both(enum ins_verdict a, enum ins_verdict b)
{
    static const uint8_t weight[] = {
        [INS_NOTHING] = 1, [INS_PRIVATE] = 2, [INS_CALLED] = 3,   [INS_COVERED] = 4,
        [INS_HOOKED] = 5,  [INS_REFUSED] = 6, [INS_UNWATCHED] = 7};
    TD_ASSERT(a != INS_UNJUDGED && b != INS_UNJUDGED);
    return weight[a] > weight[b] ? a : b;
}

static uint64_t store_size(const walk *w, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(w->m->layout, type);
}

/* The address of an atomic access, NULL of a fence. */
static LLVMValueRef atomic_address(LLVMValueRef inst)
{
    if (LLVMIsAFenceInst(inst))
        return NULL;
    return LLVMGetOperand(inst, LLVMIsAStoreInst(inst) ? 1 : 0);
}

static enum ins_verdict visit_atomic(walk *w, LLVMValueRef inst)
{
    LLVMValueRef address = atomic_address(inst);
    if (LLVMIsAFenceInst(inst) && LLVMIsAtomicSingleThread(inst))
        return INS_NOTHING;
    segment_ends(w);
    if (address && is_elsewhere(address))
        return unwatched(w, inst, in_other_space);
    if (!ins_hook_atomic(w->m, inst))
        return unwatched(w, inst, "atomic access of a size that is not modelled");
    return INS_HOOKED;
}

/* True for a type that an atomic access can have, with its layout in memory. */
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
        !is_atom(w, type, a->align) || is_elsewhere(a->address) ||
        is_private(w, a->address))
        return false;
    TD_ASSERT((unsigned)w->m->volatiles < sizeof orders / sizeof orders[0]);
    LLVMSetOrdering(a->inst, orders[w->m->volatiles]);
    ins_hook_volatile(w->m, a->inst);
    segment_ends(w);
    return true;
}

/* A load or store, of a value of this type. */
static enum ins_verdict visit_access(walk *w, ins_access a, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind)
        return unwatched(w, a.inst, "access of a scalable vector");
    a.size = store_size(w, type);
    a.align = LLVMGetAlignment(a.inst);
    if (LLVMGetOrdering(a.inst) != LLVMAtomicOrderingNotAtomic)
        return visit_atomic(w, a.inst);
    if (a.size == 0 || ins_copies_is_hole(w->m, a.inst))
        return INS_NOTHING;
    return visit_volatile(w, &a, type) ? INS_HOOKED : visit_plain(w, a);
}

static enum ins_verdict visit_load(walk *w, LLVMValueRef inst)
{
    return visit_access(w, (ins_access){.inst = inst, .address = LLVMGetOperand(inst, 0)},
                        LLVMTypeOf(inst));
}

static enum ins_verdict visit_store(walk *w, LLVMValueRef inst)
{
    return visit_access(
        w, (ins_access){.inst = inst, .address = LLVMGetOperand(inst, 1), .write = true},
        LLVMTypeOf(LLVMGetOperand(inst, 0)));
}

/* --- calls --- */

static bool has_attribute(LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       kind) != NULL;
}

static unsigned argument_align(LLVMValueRef call, unsigned arg)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, arg + 1, kind);
    return attribute ? (unsigned)LLVMGetEnumAttributeValue(attribute) : 1;
}

/* An access of a call, which may be of any size. */
static enum ins_verdict visit_touch(walk *w, const ins_access *a)
{
    if (is_elsewhere(a->address))
        return unwatched(w, a->inst, in_other_space);
    if (is_private(w, a->address))
        return INS_PRIVATE;
    ins_hook_access(w->m, a);
    return INS_HOOKED;
}

/* One side of a memory intrinsic: argument arg is read or written. */
static enum ins_verdict visit_range(walk *w, LLVMValueRef call, unsigned arg, bool write)
{
    TD_ASSERT(arg < 2);
    LLVMValueRef length = LLVMGetOperand(call, 2);
    ins_access a = {.inst = call,
                    .address = LLVMGetOperand(call, arg),
                    .align = argument_align(call, arg),
                    .write = write,
                    .which = arg};
    if (LLVMIsAConstantInt(length))
        a.size = LLVMConstIntGetZExtValue(length);
    if (a.size == 0 && LLVMIsAConstantInt(length))
        return INS_NOTHING;
    if (a.size == 0 && !is_elsewhere(a.address) && !is_private(w, a.address)) {
        a.length = length;
        if (LLVMTypeOf(length) != w->m->i64) {
            LLVMPositionBuilderBefore(w->m->builder, call);
            a.length = LLVMBuildZExt(w->m->builder, length, w->m->i64, "");
        }
    }
    return visit_touch(w, &a);
}

/* memcpy, memmove, memset: the intrinsics and, without builtins, the functions. */
static enum ins_verdict visit_memory(walk *w, LLVMValueRef call, const char *name)
{
    bool is_function = strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0 ||
                       strcmp(name, "memset") == 0;
    if (!(is_function || ins_intrinsic_copies(call)) || LLVMGetNumArgOperands(call) < 3)
        return INS_UNJUDGED;
    bool sets = strstr(name, "memset") != NULL;
    enum ins_verdict from = !sets ? visit_range(w, call, 1, false) : INS_NOTHING;
    return both(from, visit_range(w, call, 0, true));
}

/* The other intrinsics. */
static enum ins_verdict visit_intrinsic(walk *w, LLVMValueRef call, const char *name)
{
    ins_access_vec all = {0};
    enum ins_verdict verdict = INS_NOTHING;
    if (ins_intrinsic_reach(w->m, call, &all) == INS_REACH_UNKNOWN)
        verdict = unwatched(w, call, name);
    for (size_t i = 0; i < all.len; i++)
        verdict = both(verdict, visit_touch(w, &all.at[i]));
    ins_access_vec_fini(&all);
    return verdict;
}

/* A structure that is passed by value is read by the call. */
static enum ins_verdict visit_copies(walk *w, LLVMValueRef call)
{
    enum ins_verdict verdict = INS_CALLED;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMTypeRef type = ins_copied_type(call, i);
        ins_access a = {.inst = call,
                        .address = LLVMGetOperand(call, i),
                        .align = argument_align(call, i),
                        .which = i};
        if (type == NULL)
            continue;
        a.size = store_size(w, type);
        if (a.size)
            verdict = both(verdict, visit_touch(w, &a));
    }
    return verdict;
}

/* True if the function's reads do not affect the program: it only writes its arguments out, or it allocates. */
static bool is_blind(const char *name)
{
    enum wire_known how = ins_api_known(name);
    return how == WIRE_KNOWN_OUTPUT || how == WIRE_KNOWN_ALLOCATES;
}

/* True if uninstrumented code may read memory here and return information about it. name is NULL if the
 * callee is unknown. */
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
           !ins_api_is_harmless(name) && ins_api_known(name) == WIRE_KNOWN_NO;
}

/* A hook of cover.c or divide.c. */
static bool is_mark(const char *name)
{
    return strcmp(name, "__treadle_entered") == 0 ||
           strcmp(name, "__treadle_side") == 0 || strcmp(name, INS_DIVISION_HOOK) == 0;
}

/* Assembly that was not replaced by instructions. */
static enum ins_verdict visit_asm(walk *w, LLVMValueRef call)
{
    ins_asm_left left;
    ins_asm_look(w->m, call, &left);
    enum ins_verdict verdict = INS_NOTHING;
    if (left.is_refused) {
        ins_hook_refuse(w->m, call, left.name);
        verdict = INS_REFUSED;
    }
    if (left.is_unknown)
        verdict = unwatched(w, call, left.name);
    for (unsigned i = 0; i < left.n_touches; i++) {
        const ins_asm_touch *t = &left.touches[i];
        if (t->address == left.atom || t->size == 0)
            continue;
        const ins_access a = {.inst = call,
                              .address = t->address,
                              .size = t->size,
                              .align = 1,
                              .write = t->is_write};
        verdict = both(verdict, visit_touch(w, &a));
    }
    if (!left.atom)
        return verdict;
    segment_ends(w);
    if (is_elsewhere(left.atom))
        return unwatched(w, call, in_other_space);
    ins_hook_exchange(w->m, call, left.atom, left.atom_size);
    return both(verdict, INS_HOOKED);
}

static enum ins_verdict visit_pointer_call(walk *w, LLVMValueRef call)
{
    enum ins_verdict verdict = visit_copies(w, call);
    if (may_look(call, LLVMGetCalledValue(call), NULL))
        ins_hook_unseen(w->m, call);
    ins_hook_called(w->m, call);
    segment_ends(w);
    return verdict;
}

/* A function without hooks, and without a word about it; naked.c sees to most naked ones. */
static bool is_left_alone(LLVMValueRef callee)
{
    return !LLVMIsDeclaration(callee) && ins_bare_is(callee) &&
           (!has_attribute(callee, "naked") ||
            LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee)));
}

/* A function of the C++ library, by its mangled name. */
static bool is_of_std(LLVMValueRef f)
{
    size_t length = 0;
    const char *name = LLVMGetValueName2(f, &length);
    return strncmp(name, "_ZNSt", 5) == 0 || strncmp(name, "_ZNKSt", 6) == 0 ||
           strncmp(name, "_ZSt", 4) == 0;
}

/* What happens inside a template of the C++ library is reported at the line that calls it, so the caller
 * stays on the stack: such a call is no jump, even if it is the last one. */
static void keep_caller(LLVMValueRef call, LLVMValueRef callee)
{
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    if (!LLVMIsDeclaration(callee) && is_of_std(callee) && !is_of_std(caller))
        ins_llvm_set_no_tail(call);
}

static enum ins_verdict visit_call(walk *w, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length = 0;
    if (LLVMIsAInlineAsm(callee))
        return visit_asm(w, call);
    if (!LLVMIsAFunction(callee))
        return visit_pointer_call(w, call);
    const char *name = LLVMGetValueName2(callee, &length);
    enum ins_verdict verdict = visit_memory(w, call, name);
    if (verdict != INS_UNJUDGED)
        return verdict;
    if (strncmp(name, "llvm.", 5) == 0) /* also one that this LLVM does not know */
        return visit_intrinsic(w, call, name);
    if (is_mark(name))
        return INS_NOTHING;
    keep_caller(call, callee);
    verdict = visit_copies(w, call);
    if (is_left_alone(callee))
        verdict = unwatched(w, call, name);
    const char *was = ins_map_get(&w->m->renamed, callee);
    if (was && ins_api_is_pure(was))
        return verdict;
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
    return verdict;
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

static enum ins_verdict judge(walk *w, LLVMValueRef inst)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    if (opcode < N_VISITORS && visitors[opcode])
        return visitors[opcode](w, inst);
    return ins_check_is_silent(inst) ? INS_UNJUDGED
                                     : unwatched(w, inst, "unknown instruction");
}

static void walk_block(walk *w, LLVMBasicBlockRef bb)
{
    enter_block(w, bb);
    LLVMValueRef inst = LLVMGetFirstInstruction(bb), next;
    for (; inst; inst = next) {
        next = LLVMGetNextInstruction(inst);
        enum ins_verdict verdict = judge(w, inst);
        if (verdict != INS_UNJUDGED)
            ins_map_put(&w->m->verdicts, inst, (void *)(uintptr_t)verdict);
    }
    leave_block(w, bb);
}

void ins_walk_module(ins_module *m)
{
    walk w = {.m = m};
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef bb = ins_is_walked(f) ? LLVMGetFirstBasicBlock(f) : NULL;
        for (; bb; bb = LLVMGetNextBasicBlock(bb))
            walk_block(&w, bb);
        if (ins_is_walked(f))
            ins_leaves_hook(m, f, &w.memo);
        forget_function(&w);
    }
    ins_map_fini(&w.memo);
    ins_map_fini(&w.ends);
    ins_seen_vec_fini(&w.seen);
}
