/* SPDX-License-Identifier: Apache-2.0 */
/* Loops in which a thread may wait for others: their headers get a hook (wire/hooks.h).
 *
 * A loop is hooked if its text has an atomic access, or a call of something that may have one; or
 * if it may come back to the same state, and reads memory that others may write, itself or in a
 * function that it calls, or has no end: then only others can end it.
 * LLVM-C knows no loops: natural loops are found here, by dominators. A cycle that is entered in
 * two places is none; it goes unhooked, and so does a loop that carries a value in its PHIs that
 * has no bits to compare.
 *
 * The hook is told what the PHIs of the header hold. All else that the thread itself keeps is
 * the same in each round, or in memory: memory that is watched tells the runtime, and behind
 * writes to the rest stands a mark (plan_control.changed). PHIs that nothing depends on, such as
 * a counter that nobody reads, do not count. */
#include "instrument/instrument_int.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "wire/hooks.h"
#include "wire/layout.h"

TD_VEC(LLVMBasicBlockRef, block_vec);

#define NONE UINT32_MAX

/* The blocks of one function that can be reached, in reverse postorder: 0 is the entry. */
typedef struct graph {
    block_vec blocks;
    ins_map index;       /* block -> its number + 1 */
    ins_u32_vec parent;  /* immediate dominator */
    ins_u32_vec pred_at; /* by block, and one more: first in preds */
    ins_u32_vec preds;
    uint8_t *in_loop; /* scratch: the loop that is looked at */
} graph;

typedef struct loops {
    ins_module *m;
    ins_map memo;  /* of escape.c */
    ins_map waits; /* function -> itself, if it may do an operation */
    ins_map reads; /* function -> itself, if it may read memory that others may write */
    graph g;
} loops;

/* --- the graph --- */

static uint32_t number_of(const graph *g, LLVMBasicBlockRef bb)
{
    return (uint32_t)(uintptr_t)ins_map_get(&g->index, bb) - 1;
}

typedef struct visit {
    LLVMBasicBlockRef block;
    unsigned next; /* successor to visit */
} visit;
TD_VEC(visit, visit_vec);

/* Postorder, then turned round. */
static void find_blocks(graph *g, LLVMValueRef f)
{
    visit_vec stack = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    ins_map_put(&g->index, entry, (void *)(uintptr_t)1);
    visit_vec_push(&stack, (visit){entry, 0});
    while (stack.len > 0) {
        visit *v = &stack.at[stack.len - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(v->block);
        if (v->next >= LLVMGetNumSuccessors(end)) {
            block_vec_push(&g->blocks, v->block);
            stack.len--;
            continue;
        }
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, v->next++);
        if (ins_map_get(&g->index, to))
            continue;
        ins_map_put(&g->index, to, (void *)(uintptr_t)1);
        visit_vec_push(&stack, (visit){to, 0});
    }
    visit_vec_fini(&stack);
    for (size_t i = 0, j = g->blocks.len; i + 1 < j; i++) {
        LLVMBasicBlockRef swapped = g->blocks.at[i];
        g->blocks.at[i] = g->blocks.at[--j];
        g->blocks.at[j] = swapped;
    }
    for (size_t i = 0; i < g->blocks.len; i++)
        ins_map_put(&g->index, g->blocks.at[i], (void *)(uintptr_t)(i + 1));
}

static void push_successors(block_vec *to, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
        block_vec_push(to, LLVMGetSuccessor(end, k));
}

bool ins_loops_repeat(LLVMBasicBlockRef block)
{
    ins_map seen = {0};
    block_vec todo = {0};
    push_successors(&todo, block);
    bool found = false;
    while (todo.len > 0 && !found) {
        LLVMBasicBlockRef next = todo.at[--todo.len];
        found = next == block;
        if (ins_map_get(&seen, next))
            continue;
        ins_map_put(&seen, next, next);
        push_successors(&todo, next);
    }
    block_vec_fini(&todo);
    ins_map_fini(&seen);
    return found;
}

static void each_edge(graph *g, void (*take)(graph *, uint32_t from, uint32_t to))
{
    for (uint32_t i = 0; i < g->blocks.len; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(g->blocks.at[i]);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            take(g, i, number_of(g, LLVMGetSuccessor(end, k)));
    }
}

static void count_edge(graph *g, uint32_t from, uint32_t to)
{
    (void)from;
    g->pred_at.at[to + 1]++;
}

/* pred_at of a block grows to that of the next one, and is moved back afterwards. */
static void put_edge(graph *g, uint32_t from, uint32_t to)
{
    g->preds.at[g->pred_at.at[to]++] = from;
}

static void find_preds(graph *g)
{
    uint32_t n = (uint32_t)g->blocks.len;
    for (uint32_t i = 0; i <= n; i++)
        ins_u32_vec_push(&g->pred_at, 0);
    each_edge(g, count_edge);
    for (uint32_t i = 0; i < n; i++)
        g->pred_at.at[i + 1] += g->pred_at.at[i];
    for (uint32_t i = 0; i < g->pred_at.at[n]; i++)
        ins_u32_vec_push(&g->preds, NONE);
    each_edge(g, put_edge);
    for (uint32_t i = n; i > 0; i--)
        g->pred_at.at[i] = g->pred_at.at[i - 1];
    g->pred_at.at[0] = 0;
}

static uint32_t meet(const graph *g, uint32_t a, uint32_t b)
{
    while (a != b)
        if (a > b)
            a = g->parent.at[a];
        else
            b = g->parent.at[b];
    return a;
}

/* Cooper, Harvey, Kennedy, A simple, fast dominance algorithm, 2001. */
static void find_dominators(graph *g)
{
    for (size_t i = 0; i < g->blocks.len; i++)
        ins_u32_vec_push(&g->parent, i == 0 ? 0 : NONE);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < g->blocks.len; i++) {
            uint32_t best = NONE;
            for (uint32_t k = g->pred_at.at[i]; k < g->pred_at.at[i + 1]; k++) {
                uint32_t pred = g->preds.at[k];
                if (g->parent.at[pred] != NONE)
                    best = best == NONE ? pred : meet(g, best, pred);
            }
            changed |= g->parent.at[i] != best;
            g->parent.at[i] = best;
        }
    }
}

static bool dominates(const graph *g, uint32_t a, uint32_t b)
{
    while (b > a)
        b = g->parent.at[b];
    return a == b;
}

static void graph_make(graph *g, LLVMValueRef f)
{
    find_blocks(g, f);
    find_preds(g);
    find_dominators(g);
    g->in_loop = td_alloc(g->blocks.len + 1);
}

static void graph_fini(graph *g)
{
    block_vec_fini(&g->blocks);
    ins_map_fini(&g->index);
    ins_u32_vec_fini(&g->parent);
    ins_u32_vec_fini(&g->pred_at);
    ins_u32_vec_fini(&g->preds);
    td_free(g->in_loop);
    *g = (graph){0};
}

/* Marks the blocks of the loop with this header in in_loop. False: there is none. */
static bool find_loop(graph *g, uint32_t header)
{
    ins_u32_vec todo = {0};
    memset(g->in_loop, 0, g->blocks.len);
    for (uint32_t k = g->pred_at.at[header]; k < g->pred_at.at[header + 1]; k++)
        if (dominates(g, header, g->preds.at[k]))
            ins_u32_vec_push(&todo, g->preds.at[k]);
    bool found = todo.len > 0;
    g->in_loop[header] = found;
    while (todo.len > 0) {
        uint32_t b = ins_u32_vec_pop(&todo);
        if (g->in_loop[b])
            continue;
        g->in_loop[b] = 1;
        for (uint32_t k = g->pred_at.at[b]; k < g->pred_at.at[b + 1]; k++)
            ins_u32_vec_push(&todo, g->preds.at[k]);
    }
    ins_u32_vec_fini(&todo);
    return found;
}

/* --- which loops --- */

static bool declared_waits(const loops *w, LLVMValueRef callee)
{
    size_t length = 0;
    char taken[160];
    const char *was = ins_map_get(&w->m->renamed, callee);
    const char *name = LLVMGetValueName2(callee, &length);
    if (was && ins_rename_is_taken(was, taken, sizeof taken))
        return ins_rename_may_wait(was);
    if (was)
        return ins_rename_known(was) == WIRE_KNOWN_NO;
    if (strncmp(name, WIRE_PREFIX, sizeof WIRE_PREFIX - 1) == 0)
        return strcmp(name, "__treadle_atomic") == 0 ||
               strcmp(name, "__treadle_atomic_wide") == 0;
    return ins_rename_known(name) == WIRE_KNOWN_NO &&
           !ins_map_get(&w->m->refused, callee);
}

/* True if an operation may be done here. Hooks of atomic accesses stand before them already. */
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
    const graph *g = &w->g;
    for (uint32_t i = 0; i < g->blocks.len; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(g->blocks.at[i]);
        unsigned n = g->in_loop[i] ? LLVMGetNumSuccessors(end) : 0;
        if (g->in_loop[i] && n == 0)
            return false;
        for (unsigned k = 0; k < n; k++)
            if (!g->in_loop[number_of(g, LLVMGetSuccessor(end, k))])
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

/* False: one of them cannot be compared. */
static bool list_phis(LLVMBasicBlockRef header, ins_value_vec *out)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(header);
    for (; inst && LLVMIsAPHINode(inst); inst = LLVMGetNextInstruction(inst)) {
        if (!matters(inst))
            continue;
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
        uint32_t from = number_of(&w->g, LLVMGetIncomingBlock(phi, i));
        bool inside = from != NONE && w->g.in_loop[from];
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

static LLVMValueRef mixed(ins_module *m, LLVMValueRef state, LLVMValueRef bits)
{
    LLVMValueRef factor = LLVMConstInt(m->i64, UINT64_C(0x9e3779b97f4a7c15), 0);
    LLVMValueRef turned = LLVMBuildMul(m->builder, state, factor, "");
    LLVMValueRef high =
        LLVMBuildLShr(m->builder, turned, LLVMConstInt(m->i64, 29, 0), "");
    return LLVMBuildAdd(m->builder, LLVMBuildXor(m->builder, turned, high, ""), bits, "");
}

static LLVMValueRef mix_phi(ins_module *m, LLVMValueRef state, LLVMValueRef phi)
{
    LLVMTypeRef type = LLVMTypeOf(phi);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return mixed(m, state, LLVMBuildPtrToInt(m->builder, phi, m->i64, ""));
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(m->layout, type);
    LLVMTypeRef plain = LLVMIntTypeInContext(m->context, bits);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        phi = LLVMBuildBitCast(m->builder, phi, plain, "");
    if (bits <= 64)
        return mixed(m, state, LLVMBuildZExt(m->builder, phi, m->i64, ""));
    LLVMValueRef by = LLVMConstInt(plain, 64, 0);
    LLVMValueRef high = LLVMBuildLShr(m->builder, phi, by, "");
    state = mixed(m, state, LLVMBuildTrunc(m->builder, phi, m->i64, ""));
    return mixed(m, state, LLVMBuildTrunc(m->builder, high, m->i64, ""));
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
    const graph *g = &w->g;
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(header));
    LLVMValueRef enters = LLVMBuildPhi(m->builder, m->i32, "");
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(header));
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
            continue;
        LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
        uint32_t number = number_of(g, from);
        bool inside = number != NONE && g->in_loop[number];
        LLVMValueRef value = LLVMConstInt(m->i32, !inside, 0);
        LLVMAddIncoming(enters, &value, &from, 1);
    }
    return enters;
}

static LLVMValueRef build_record(ins_module *m, LLVMValueRef f)
{
    LLVMTypeRef type = LLVMArrayType(m->i64, sizeof(wire_loop) / sizeof(uint64_t));
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(entry));
    return LLVMBuildAlloca(m->builder, type, "");
}

static void hook_loop(loops *w, uint32_t header, const ins_value_vec *phis, bool waits)
{
    ins_module *m = w->m;
    LLVMBasicBlockRef bb = w->g.blocks.at[header];
    LLVMValueRef record = build_record(m, LLVMGetBasicBlockParent(bb));
    LLVMValueRef enters = build_enters(w, bb);
    LLVMValueRef place = place_of(bb);
    LLVMValueRef site = ins_hook_site(m, place, WIRE_SITE_LOOP, "", 0);
    LLVMPositionBuilderBefore(m->builder, first_behind_phis(bb));
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(place));
    LLVMValueRef state = LLVMConstInt(m->i64, 0, 0);
    for (size_t i = 0; i < phis->len; i++)
        state = mix_phi(m, state, phis->at[i]);
    ins_hook_loop(m, record, enters, state, site, waits);
}

/* --- writes that nobody watches --- */

/* What an instruction writes; size 0: an unknown number of bytes. */
typedef struct written {
    LLVMValueRef address; /* NULL: nothing */
    uint64_t size;
} written;

static written written_by(const ins_module *m, LLVMValueRef inst)
{
    size_t length = 0;
    if (LLVMIsAStoreInst(inst))
        return (
            written){LLVMGetOperand(inst, 1),
                     LLVMStoreSizeOfType(m->layout, LLVMTypeOf(LLVMGetOperand(inst, 0)))};
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    if (!callee || !LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) == 0)
        return (written){0};
    const char *name = LLVMGetValueName2(callee, &length);
    if (strncmp(name, "llvm.va_", 8) == 0)
        return (written){LLVMGetOperand(inst, 0), 0};
    if (strncmp(name, "llvm.mem", 8) != 0)
        return (written){0};
    LLVMValueRef size = LLVMGetOperand(inst, 2);
    return (written){LLVMGetOperand(inst, 0),
                     LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0};
}

/* An assembler instruction that takes or gives something, or a look at a clock. */
static bool is_strange(LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    size_t length = 0;
    if (!callee)
        return false;
    if (LLVMIsAInlineAsm(callee))
        return LLVMGetNumArgOperands(inst) > 0 ||
               LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind;
    if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) == 0)
        return false;
    const char *name = LLVMGetValueName2(callee, &length);
    return strcmp(name, "llvm.readcyclecounter") == 0 ||
           strncmp(name, "llvm.x86.rdtsc", 14) == 0;
}

/* --- calls of the library ---
 *
 * What a function may change that is passed through must be known: output to the standard streams
 * changes nothing that the program can see. Any other stream may be in memory. */

typedef struct output {
    const char *name;
    int stream, format; /* which arguments; -1: none */
} output;

enum { NO_STREAM = -1 };

static const output outputs[] = {
    {"printf", NO_STREAM, 0},
    {"vprintf", NO_STREAM, 0},
    {"puts", NO_STREAM, -1},
    {"putchar", NO_STREAM, -1},
    {"putchar_unlocked", NO_STREAM, -1},
    {"perror", NO_STREAM, -1},
    {"fprintf", 0, 1},
    {"vfprintf", 0, 1},
    {"fflush", 0, -1},
    {"putc", 1, -1},
    {"fputc", 1, -1},
    {"fputs", 1, -1},
    {"putc_unlocked", 1, -1},
    {"fputc_unlocked", 1, -1},
    {"fputs_unlocked", 1, -1},
    {"fwrite", 3, -1},
    {"fwrite_unlocked", 3, -1},
    {"dprintf", 0, 1},
    {"write", 0, -1},
};

static bool is_standard(LLVMValueRef stream)
{
    size_t length = 0;
    if (LLVMIsAConstantInt(stream)) {
        uint64_t fd = LLVMConstIntGetZExtValue(stream);
        return fd == 1 || fd == 2;
    }
    LLVMValueRef from = LLVMIsALoadInst(stream) ? LLVMGetOperand(stream, 0) : NULL;
    if (!from || !LLVMIsAGlobalVariable(from))
        return false;
    const char *name = LLVMGetValueName2(from, &length);
    return strcmp(name, "stdout") == 0 || strcmp(name, "stderr") == 0;
}

/* True if a conversion of the text writes to memory, or the text is not known. */
static bool format_writes(LLVMValueRef format)
{
    size_t size = 0;
    bool is_text = LLVMIsAGlobalVariable(format) && LLVMIsGlobalConstant(format) &&
                   LLVMGetInitializer(format);
    LLVMValueRef value = is_text ? LLVMGetInitializer(format) : NULL;
    if (value && LLVMIsNull(value))
        return false;
    if (!value || !LLVMIsAConstantDataSequential(value) || !LLVMIsConstantString(value))
        return true;
    const char *p = LLVMGetAsString(value, &size), *end = p + size;
    while (p < end && *p) {
        if (*p++ != '%')
            continue;
        while (p < end && *p && strchr("#0- +'I123456789.*$hlLjztq", *p))
            p++;
        if (p < end && *p == 'n')
            return true;
        p += p < end && *p;
    }
    return false;
}

static bool output_changes(LLVMValueRef call, const char *name)
{
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        const output *o = &outputs[i];
        if (strcmp(o->name, name) != 0)
            continue;
        int n = (int)LLVMGetNumArgOperands(call);
        if (o->stream >= n || o->format >= n)
            return true;
        return (o->stream >= 0 &&
                !is_standard(LLVMGetOperand(call, (unsigned)o->stream))) ||
               (o->format >= 0 &&
                format_writes(LLVMGetOperand(call, (unsigned)o->format)));
    }
    return true;
}

static bool library_changes(const loops *w, LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    size_t length = 0;
    if (!callee || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
        return false;
    const char *was = ins_map_get(&w->m->renamed, callee);
    const char *name = was ? was : LLVMGetValueName2(callee, &length);
    if (ins_rename_is_harmless(name))
        return true;
    return ins_rename_known(name) == WIRE_KNOWN_OUTPUT && output_changes(inst, name);
}

/* --- marks --- */

/* Memory that is not watched, but kept from round to round: a thread's own, which any function
 * may write, or the frame's. */
static bool is_kept(loops *w, LLVMValueRef address, bool in_loop)
{
    LLVMValueRef base = ins_escape_base(address);
    bool is_frame = LLVMIsAAllocaInst(base) || LLVMIsAArgument(base);
    return (in_loop || !is_frame) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == 0 &&
           ins_escape_private(w->m, base, &w->memo);
}

static void mark_block(loops *w, LLVMBasicBlockRef bb, bool in_loop)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(bb);
    for (; inst; inst = LLVMGetNextInstruction(inst)) {
        written x = written_by(w->m, inst);
        if (is_strange(inst) || library_changes(w, inst) ||
            (x.address && x.size == 0 && is_kept(w, x.address, in_loop)))
            ins_hook_changed(w->m, inst);
        else if (x.address && is_kept(w, x.address, in_loop))
            ins_hook_kept(w->m, inst, x.address, x.size);
    }
}

/* --- all of them --- */

static void walk_function(loops *w, LLVMValueRef f)
{
    graph *g = &w->g;
    graph_make(g, f);
    uint8_t *in_any = td_alloc(g->blocks.len + 1);
    for (uint32_t i = 0; i < g->blocks.len; i++) {
        ins_value_vec phis = {0};
        if (find_loop(g, i) && list_phis(g->blocks.at[i], &phis)) {
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
        mark_block(w, g->blocks.at[i], in_any[i]);
    td_free(in_any);
    graph_fini(g);
    ins_map_clear(&w->memo);
}

void ins_loops_module(ins_module *m)
{
    loops w = {.m = m};
    find_functions(&w, &w.waits, block_waits);
    find_functions(&w, &w.reads, block_reads);
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !ins_bare_is(f))
            walk_function(&w, f);
    ins_map_fini(&w.memo);
    ins_map_fini(&w.waits);
    ins_map_fini(&w.reads);
}
