/* SPDX-License-Identifier: Apache-2.0 */
/* Loops in which a thread may wait for other threads: their headers get a hook (wire/hooks.h).
 *
 * A loop is hooked if its code has an atomic access, or a call that may lead to one; or if it may come back
 * to the same state, and reads memory that other threads may write, itself or in a function that it calls,
 * or has no exit: then only other threads can end it. A cycle with two entries is not a loop here (blocks.h)
 * and gets no hook, nor does a loop with a value in its PHIs that has no bits to compare.
 *
 * The hook receives the values of the header's PHIs. The rest of the thread's state is the same in each
 * iteration, or in memory: the runtime records checked memory, and a mark follows each write to other memory
 * (plan_control.changed). PHIs that nothing depends on, such as an unread counter, do not count. */
#include "instrument/blocks.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/assert.h"
#include "instrument/llvm_versions.h"
#include "wire/hooks.h"

typedef struct loops {
    ins_module *m;
    ins_map memo;  /* memo of escape.c */
    ins_map waits; /* function -> itself, if it may do an operation */
    ins_map reads; /* function -> itself, if it may read memory that others may write */
    ins_blocks g;
} loops;

/* --- which loops --- */

static bool declared_waits(const loops *w, LLVMValueRef callee)
{
    size_t length = 0;
    char taken[160];
    const char *was = ins_map_get(&w->m->renamed, callee);
    const char *name = LLVMGetValueName2(callee, &length);
    if (was && ins_api_is_taken(was, taken, sizeof taken))
        return ins_api_may_wait(was);
    if (was)
        return ins_api_known(was) == WIRE_KNOWN_NO;
    if (strncmp(name, WIRE_PREFIX, sizeof WIRE_PREFIX - 1) == 0)
        return strcmp(name, "__treadle_atomic") == 0 ||
               strcmp(name, "__treadle_atomic_wide") == 0;
    return ins_api_known(name) == WIRE_KNOWN_NO && !ins_map_get(&w->m->refused, callee);
}

/* True if an operation may be executed here. Hooks of atomic accesses are already in place. */
static bool may_wait(loops *w, LLVMValueRef inst)
{
    if (!LLVMIsACallInst(inst) && !LLVMIsAInvokeInst(inst))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    if (LLVMIsAInlineAsm(callee))
        return false;
    if (!LLVMIsAFunction(callee))
        return true;
    if (LLVMGetIntrinsicID(callee) != 0)
        return false;
    return LLVMIsDeclaration(callee) ? declared_waits(w, callee)
                                     : ins_map_get(&w->waits, callee) != NULL;
}

static bool block_waits(loops *w, LLVMBasicBlockRef bb)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(bb);
    for (; inst; inst = LLVMGetNextInstruction(inst))
        if (may_wait(w, inst))
            return true;
    return false;
}

/* A load that is watched, or a call of a function that has one. */
static bool block_reads(loops *w, LLVMBasicBlockRef bb)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(bb);
    for (; inst; inst = LLVMGetNextInstruction(inst)) {
        LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
        if (callee && ins_map_get(&w->reads, callee))
            return true;
        if (LLVMIsALoadInst(inst) &&
            !ins_escape_private(w->m, ins_escape_base(LLVMGetOperand(inst, 0)), &w->memo))
            return true;
    }
    return false;
}

static void note_function(ins_map *which, LLVMValueRef f, ins_value_vec *todo)
{
    if (ins_map_get(which, f))
        return;
    ins_map_put(which, f, f);
    ins_value_vec_push(todo, f);
}

/* Functions that have such a block themselves, then all that call them. */
static void find_functions(loops *w, ins_map *which,
                           bool (*has)(loops *, LLVMBasicBlockRef))
{
    ins_value_vec todo = {0};
    LLVMValueRef f = LLVMGetFirstFunction(w->m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb;
             bb = LLVMGetNextBasicBlock(bb))
            if (has(w, bb))
                note_function(which, f, &todo);
        ins_map_clear(&w->memo);
    }
    while (todo.len > 0)
        for (LLVMUseRef use = LLVMGetFirstUse(ins_value_vec_pop(&todo)); use;
             use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsAInstruction(user))
                note_function(which,
                              LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)),
                              &todo);
        }
    ins_value_vec_fini(&todo);
}

static bool loop_waits(loops *w)
{
    for (uint32_t i = 0; i < w->g.blocks.len; i++)
        if (w->g.in_loop[i] && block_waits(w, w->g.blocks.at[i]))
            return true;
    return false;
}

static bool loop_reads(loops *w)
{
    for (uint32_t i = 0; i < w->g.blocks.len; i++)
        if (w->g.in_loop[i] && block_reads(w, w->g.blocks.at[i]))
            return true;
    return false;
}

/* No way leads out of it. */
static bool loop_is_endless(const loops *w)
{
    const ins_blocks *g = &w->g;
    for (uint32_t i = 0; i < g->blocks.len; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(g->blocks.at[i]);
        unsigned n = g->in_loop[i] ? LLVMGetNumSuccessors(end) : 0;
        if (g->in_loop[i] && n == 0)
            return false;
        for (unsigned k = 0; k < n; k++)
            if (!g->in_loop[ins_blocks_number(g, LLVMGetSuccessor(end, k))])
                return false;
    }
    return true;
}

/* --- PHIs --- */

/* An instruction that only computes: it matters if its result does. */
static bool only_computes(LLVMValueRef user)
{
    if (!LLVMIsAInstruction(user))
        return false;
    return LLVMIsABinaryOperator(user) || LLVMIsACastInst(user) || LLVMIsAPHINode(user) ||
           LLVMIsASelectInst(user) || LLVMIsACmpInst(user) ||
           LLVMIsAGetElementPtrInst(user) || LLVMIsAFreezeInst(user);
}

/* False if nothing but other such values is computed from it. */
static bool matters(LLVMValueRef phi)
{
    ins_value_vec todo = {0};
    bool found = false;
    ins_value_vec_push(&todo, phi);
    for (size_t i = 0; i < todo.len && !found; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(todo.at[i]); use && !found;
             use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!only_computes(user) || todo.len > 100)
                found = true;
            else if (!ins_value_among(&todo, user))
                ins_value_vec_push(&todo, user);
        }
    ins_value_vec_fini(&todo);
    return found;
}

static bool has_bits(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 128;
    case LLVMPointerTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return true;
    default:
        return false;
    }
}

/* A variable that has no value yet when the loop is entered, such as the result of the function: it
 * gets one, to be compared with what it is after a round. */
static void settle_undef(LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMIsUndef(LLVMGetIncomingValue(phi, i)))
            LLVMSetOperand(phi, i, LLVMConstNull(LLVMTypeOf(phi)));
}

/* False: one of them cannot be compared. */
static bool list_phis(LLVMBasicBlockRef header, ins_value_vec *out)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(header);
    for (; inst && LLVMIsAPHINode(inst); inst = LLVMGetNextInstruction(inst)) {
        if (!matters(inst))
            continue;
        settle_undef(inst);
        if (!has_bits(LLVMTypeOf(inst)))
            return false;
        ins_value_vec_push(out, inst);
    }
    return true;
}

/* By value, phi plus or minus a constant. */
static bool is_step(LLVMValueRef value, LLVMValueRef phi)
{
    if (!LLVMIsAInstruction(value))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    if ((op != LLVMAdd && op != LLVMSub && op != LLVMGetElementPtr) ||
        LLVMGetNumOperands(value) != 2 || LLVMGetOperand(value, 0) != phi)
        return false;
    LLVMValueRef by = LLVMGetOperand(value, 1);
    return LLVMIsAConstantInt(by) && !LLVMIsNull(by);
}

/* By value, what phi points to: a list or tree is walked. */
static bool is_walk(LLVMValueRef value, LLVMValueRef phi, unsigned depth)
{
    if (depth > 4 || !LLVMIsAInstruction(value) || value == phi)
        return false;
    if (LLVMIsALoadInst(value) || LLVMIsAGetElementPtrInst(value)) {
        LLVMValueRef from = LLVMGetOperand(value, 0);
        return from == phi || is_walk(from, phi, depth + 1);
    }
    if (LLVMIsASelectInst(value))
        return is_walk(LLVMGetOperand(value, 1), phi, depth + 1) &&
               is_walk(LLVMGetOperand(value, 2), phi, depth + 1);
    unsigned n = LLVMIsAPHINode(value) ? LLVMCountIncoming(value) : 0;
    for (unsigned i = 0; i < n; i++)
        if (!is_walk(LLVMGetIncomingValue(value, i), phi, depth + 1))
            return false;
    return n > 0;
}

/* A counter, or a walk: it has another value in each round. */
static bool is_counter(const loops *w, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        uint32_t from = ins_blocks_number(&w->g, LLVMGetIncomingBlock(phi, i));
        bool inside = from != INS_NO_BLOCK && w->g.in_loop[from];
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (inside && !is_step(value, phi) && !is_walk(value, phi, 0))
            return false;
    }
    return true;
}

static bool any_counts(const loops *w, const ins_value_vec *phis)
{
    for (size_t i = 0; i < phis->len; i++)
        if (is_counter(w, phis->at[i]))
            return true;
    return false;
}

/* wire_phi_hash, added to the state. Nothing follows the labels of a hash. */
static LLVMValueRef mixed(ins_module *m, LLVMValueRef state, uint32_t number,
                          LLVMValueRef bits)
{
    LLVMBuilderRef b = m->builder;
    LLVMValueRef factor = LLVMConstInt(m->i64, WIRE_PHI_FACTOR, 0);
    LLVMValueRef turn = LLVMConstInt(m->i64, (number + UINT64_C(1)) * WIRE_PHI_TURN, 0);
    LLVMValueRef x = LLVMBuildXor(b, bits, turn, "");
    ins_map_put(&m->hashes, x, x);
    x = LLVMBuildMul(b, x, factor, "");
    LLVMValueRef high = LLVMBuildLShr(b, x, LLVMConstInt(m->i64, WIRE_PHI_SHIFT, 0), "");
    x = LLVMBuildMul(b, LLVMBuildXor(b, x, high, ""), factor, "");
    return LLVMBuildAdd(b, state, x, "");
}

static LLVMValueRef mix_phi(ins_module *m, LLVMValueRef state, uint32_t number,
                            LLVMValueRef phi)
{
    TD_ASSERT(has_bits(LLVMTypeOf(phi)) && LLVMTypeOf(state) == m->i64);
    LLVMTypeRef type = LLVMTypeOf(phi);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return mixed(m, state, number, LLVMBuildPtrToInt(m->builder, phi, m->i64, ""));
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(m->layout, type);
    LLVMTypeRef plain = LLVMIntTypeInContext(m->context, bits);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        phi = LLVMBuildBitCast(m->builder, phi, plain, "");
    if (bits <= 64)
        return mixed(m, state, number, LLVMBuildZExt(m->builder, phi, m->i64, ""));
    LLVMValueRef by = LLVMConstInt(plain, 64, 0);
    LLVMValueRef high = LLVMBuildLShr(m->builder, phi, by, "");
    state = mixed(m, state, number, LLVMBuildTrunc(m->builder, phi, m->i64, ""));
    return mixed(m, state, number + 1, LLVMBuildTrunc(m->builder, high, m->i64, ""));
}

/* --- the hook --- */

static LLVMValueRef first_behind_phis(LLVMBasicBlockRef bb)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(bb);
    while (LLVMIsAPHINode(inst))
        inst = LLVMGetNextInstruction(inst);
    return inst;
}

/* The instruction whose line is that of the loop. */
static LLVMValueRef place_of(LLVMBasicBlockRef header)
{
    LLVMValueRef inst = first_behind_phis(header);
    while (LLVMGetNextInstruction(inst) && LLVMGetDebugLocLine(inst) == 0)
        inst = LLVMGetNextInstruction(inst);
    return inst;
}

/* 1 from outside, 0 by a back edge. Blocks that cannot be reached come from outside. */
static LLVMValueRef build_enters(loops *w, LLVMBasicBlockRef header)
{
    ins_module *m = w->m;
    const ins_blocks *g = &w->g;
    ins_llvm_stand_first(m->builder, header);
    LLVMValueRef enters = LLVMBuildPhi(m->builder, m->i32, "");
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(header));
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
            continue;
        LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
        uint32_t number = ins_blocks_number(g, from);
        bool inside = number != INS_NO_BLOCK && g->in_loop[number];
        LLVMValueRef value = LLVMConstInt(m->i32, !inside, 0);
        LLVMAddIncoming(enters, &value, &from, 1);
    }
    TD_ASSERT(LLVMCountIncoming(enters) >= 2); /* from outside, and back */
    return enters;
}

static LLVMValueRef build_record(ins_module *m, LLVMValueRef f)
{
    LLVMTypeRef type = LLVMArrayType(m->i64, sizeof(wire_loop) / sizeof(uint64_t));
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(entry));
    return LLVMBuildAlloca(m->builder, type, "");
}

static LLVMValueRef word_of(ins_module *m, LLVMValueRef phi)
{
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMPointerTypeKind;
    return is_pointer ? LLVMBuildPtrToInt(m->builder, phi, m->i64, "")
                      : LLVMBuildZExt(m->builder, phi, m->i64, "");
}

static void hook_loop(loops *w, uint32_t header, const ins_value_vec *phis, bool waits)
{
    TD_ASSERT(header < w->g.blocks.len && w->g.in_loop[header]);
    ins_module *m = w->m;
    LLVMBasicBlockRef bb = w->g.blocks.at[header];
    LLVMValueRef record = build_record(m, LLVMGetBasicBlockParent(bb));
    LLVMValueRef enters = build_enters(w, bb);
    LLVMValueRef place = place_of(bb);
    LLVMValueRef site = ins_hook_site(m, place, WIRE_SITE_LOOP, "", 0);
    LLVMPositionBuilderBefore(m->builder, first_behind_phis(bb));
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(place));
    LLVMValueRef state = LLVMConstInt(m->i64, 0, 0);
    LLVMValueRef carried = waits ? ins_carried(m, &w->g, bb, phis) : NULL;
    for (size_t i = 0; i < phis->len; i++)
        if (phis->at[i] != carried)
            state = mix_phi(m, state, 2 * (uint32_t)i, phis->at[i]);
    if (carried)
        ins_hook_carry_loop(m, record, enters, state, site, word_of(m, carried));
    else
        ins_hook_loop(m, record, enters, state, site, waits);
    for (size_t i = 0; i < phis->len; i++) {
        uintptr_t number = phis->at[i] == carried ? WIRE_PHI_CARRIED : 2 * i;
        ins_map_put(&m->phis, phis->at[i], (void *)(number + 1));
    }
}

/* --- all of them --- */

static void walk_function(loops *w, LLVMValueRef f)
{
    ins_blocks *g = &w->g;
    ins_blocks_find(g, f);
    uint8_t *in_any = td_alloc(g->blocks.len + 1);
    for (uint32_t i = 0; i < g->blocks.len; i++) {
        ins_value_vec phis = {0};
        if (ins_blocks_loop(g, i) && list_phis(g->blocks.at[i], &phis)) {
            bool waits = loop_waits(w);
            bool hooked =
                waits || (!any_counts(w, &phis) && (loop_reads(w) || loop_is_endless(w)));
            for (size_t k = 0; hooked && k < g->blocks.len; k++)
                in_any[k] |= g->in_loop[k];
            if (hooked)
                hook_loop(w, i, &phis, waits);
        }
        ins_value_vec_fini(&phis);
    }
    for (uint32_t i = 0; i < g->blocks.len; i++)
        ins_marks_block(w->m, g->blocks.at[i], in_any[i], &w->memo);
    td_free(in_any);
    ins_blocks_fini(g);
    ins_map_clear(&w->memo);
}

void ins_loops_module(ins_module *m)
{
    loops w = {.m = m};
    find_functions(&w, &w.waits, block_waits);
    find_functions(&w, &w.reads, block_reads);
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (ins_is_walked(f))
            walk_function(&w, f);
    ins_map_fini(&w.memo);
    ins_map_fini(&w.waits);
    ins_map_fini(&w.reads);
}
