/* SPDX-License-Identifier: Apache-2.0 */
/* Which checks are inlined. An inlined check is fast, but ten times as long as a call, and most of the
 * time of a compilation went into code that is executed once. So those of tight loops are inlined,
 * and those of functions that have few. All others become calls of functions of the runtime, which
 * keep their callers' registers as the slow paths do. */
#include "instrument/instrument_int.h"

#include <stdio.h>
#include <string.h>

#include "instrument/llvm_versions.h"
#include "wire/hooks.h"

#define FUNCTION_INDEX ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)
#define FEW 16u   /* checks of a function that may be part of a loop elsewhere */
#define TIGHT 32u /* checks of a loop in which calls would be felt */

TD_VEC(LLVMBasicBlockRef, block_vec);

typedef struct outline {
    ins_module *m;
    bool all;        /* the module is not optimised: no check is inlined */
    ins_map calls;   /* callee -> what does the same in the runtime; else itself */
    ins_map indices; /* block of the function -> its place in the text + 1 */
    block_vec blocks;
    ins_u32_vec before; /* by block, and one more: checks of the blocks before it */
    ins_u32_vec loops;  /* likewise: tight loops that begin here less those that ended */
} outline;

static bool is_ours(LLVMValueRef f)
{
    size_t length = 0;
    return LLVMIsAFunction(f) && strncmp(LLVMGetValueName2(f, &length), WIRE_PREFIX,
                                         sizeof WIRE_PREFIX - 1) == 0;
}

static bool can_be_called(LLVMValueRef f)
{
    return !ins_llvm_keeps_result() ||
           LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(f))) ==
               LLVMVoidTypeKind;
}

/* A check that may call a slow path. The others are as short as a call, or fail in their place. */
static bool is_check(LLVMValueRef f)
{
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    if (!is_ours(f) || LLVMCountBasicBlocks(f) < 2 || !can_be_called(f) ||
        !LLVMGetEnumAttributeAtIndex(f, FUNCTION_INDEX, always))
        return false;
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef inst = LLVMGetFirstInstruction(bb);
        for (; inst; inst = LLVMGetNextInstruction(inst))
            if (LLVMIsACallInst(inst) && is_ours(LLVMGetCalledValue(inst)))
                return true;
    }
    return false;
}

/* Keeps registers as the slow paths do; never bound late, as that would not. Without optimisation
 * nothing lives in registers across a call, and LLVM's quick instruction selector knows calls of the
 * usual convention only: those pass arguments alike and expect less to be kept. */
static LLVMValueRef declare_call(const outline *o, LLVMValueRef check)
{
    static const char *const attributes[] = {"nonlazybind", "nounwind"};
    char name[256];
    size_t length = 0;
    snprintf(name, sizeof name, WIRE_CALLED_PREFIX "%s",
             LLVMGetValueName2(check, &length) + sizeof WIRE_PREFIX - 1);
    LLVMValueRef slow = LLVMGetNamedFunction(o->m->module, "__treadle_slow_read");
    LLVMValueRef f = LLVMAddFunction(o->m->module, name, LLVMGlobalGetValueType(check));
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        unsigned kind =
            LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
        LLVMAddAttributeAtIndex(f, FUNCTION_INDEX,
                                LLVMCreateEnumAttribute(o->m->context, kind, 0));
    }
    LLVMSetFunctionCallConv(f, slow && !o->all ? LLVMGetFunctionCallConv(slow)
                                               : LLVMCCallConv);
    return f;
}

/* What an instruction may call instead; NULL: it calls no check. */
static LLVMValueRef called(outline *o, LLVMValueRef inst)
{
    LLVMValueRef check = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    if (!check || !LLVMIsAFunction(check))
        return NULL;
    LLVMValueRef f = ins_map_get(&o->calls, check);
    if (!f) {
        f = is_check(check) ? declare_call(o, check) : check;
        ins_map_put(&o->calls, check, f);
    }
    return f == check ? NULL : f;
}

static void outline_check(LLVMValueRef call, LLVMValueRef f)
{
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, f);
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(f));
}

/* --- loops --- */

static void note_jump(outline *o, uint32_t from, LLVMBasicBlockRef target)
{
    uint32_t to = (uint32_t)(uintptr_t)ins_map_get(&o->indices, target) - 1;
    if (to > from || o->before.at[from + 1] - o->before.at[to] > TIGHT)
        return;
    o->loops.at[to]++;
    o->loops.at[from + 1]--;
}

static uint32_t count_checks(outline *o, LLVMBasicBlockRef bb)
{
    uint32_t n = 0;
    LLVMValueRef inst = LLVMGetFirstInstruction(bb);
    for (; inst; inst = LLVMGetNextInstruction(inst))
        n += called(o, inst) != NULL;
    return n;
}

static uint32_t list_blocks(outline *o, LLVMValueRef f)
{
    uint32_t n = 0;
    o->blocks.len = o->before.len = o->loops.len = 0;
    ins_map_clear(&o->indices);
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        ins_u32_vec_push(&o->before, n);
        ins_u32_vec_push(&o->loops, 0);
        block_vec_push(&o->blocks, bb);
        ins_map_put(&o->indices, bb, (void *)(uintptr_t)o->blocks.len);
        n += count_checks(o, bb);
    }
    ins_u32_vec_push(&o->before, n);
    ins_u32_vec_push(&o->loops, 0);
    return n;
}

/* Front ends write the blocks of a loop one after another: it reaches from where a jump goes back to
 * as far as the jump. */
static void find_loops(outline *o)
{
    for (uint32_t i = 0; i < o->blocks.len; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(o->blocks.at[i]);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            note_jump(o, i, LLVMGetSuccessor(end, k));
    }
}

/* --- the function --- */

/* A version that follows symbolic values. It does far more than check accesses, and runs only in
 * programs with inputs. */
static bool is_symbolic(LLVMValueRef f)
{
    size_t length = 0, suffix = sizeof INS_SYMBOLIC - 1;
    const char *name = LLVMGetValueName2(f, &length);
    return length > suffix && strcmp(name + length - suffix, INS_SYMBOLIC) == 0;
}

static void outline_function(outline *o, LLVMValueRef f)
{
    bool all = o->all || is_symbolic(f);
    if (list_blocks(o, f) <= FEW && !all)
        return;
    if (!all)
        find_loops(o);
    uint32_t depth = 0;
    for (uint32_t i = 0; i < o->blocks.len; i++) {
        LLVMValueRef inst = LLVMGetFirstInstruction(o->blocks.at[i]);
        depth += o->loops.at[i];
        for (; inst && depth == 0; inst = LLVMGetNextInstruction(inst)) {
            LLVMValueRef instead = called(o, inst);
            if (instead)
                outline_check(inst, instead);
        }
    }
}

void ins_outline_checks(ins_module *m, bool all)
{
    outline o = {.m = m, .all = all};
    if (m->is_library)
        return;
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_check(f))
            outline_function(&o, f);
    ins_map_fini(&o.calls);
    ins_map_fini(&o.indices);
    block_vec_fini(&o.blocks);
    ins_u32_vec_fini(&o.before);
    ins_u32_vec_fini(&o.loops);
}
