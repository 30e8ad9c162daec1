/* SPDX-License-Identifier: Apache-2.0 */
/* When a function returns its locals end. Another thread may have accessed those whose address the function
 * passed on: hooks report them to the runtime before the return. */
#include "instrument/instrument_int.h"

#include "base/assert.h"

/* A local with a place of its own, made once for each call. */
static bool has_fixed_size(LLVMValueRef alloca)
{
    return LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) &&
           LLVMGetInstructionParent(alloca) ==
               LLVMGetEntryBasicBlock(
                   LLVMGetBasicBlockParent(LLVMGetInstructionParent(alloca)));
}

static LLVMValueRef size_of(ins_module *m, LLVMTypeRef type, uint64_t n)
{
    return LLVMConstInt(m->i64, LLVMABISizeOfType(m->layout, type) * n, 0);
}

/* ---- what goes ---- */

typedef struct leaves {
    ins_module *m;
    ins_value_vec places, sizes;
    bool has_dynamic; /* alloca(), arrays of variable length */
} leaves;

static void add(leaves *l, LLVMValueRef place, LLVMTypeRef type, uint64_t n)
{
    ins_value_vec_push(&l->places, place);
    ins_value_vec_push(&l->sizes, size_of(l->m, type, n));
}

static void find_places(leaves *l, LLVMValueRef f, ins_map *memo)
{
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        LLVMTypeRef copied = ins_copied_type(f, i);
        if (copied && !ins_escape_private(l->m, LLVMGetParam(f, i), memo))
            add(l, LLVMGetParam(f, i), copied, 1);
    }
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef inst = LLVMGetFirstInstruction(bb);
        for (; inst; inst = LLVMGetNextInstruction(inst)) {
            if (!LLVMIsAAllocaInst(inst) || ins_escape_private(l->m, inst, memo))
                continue;
            if (has_fixed_size(inst))
                add(l, inst, LLVMGetAllocatedType(inst),
                    LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 0)));
            else
                l->has_dynamic = true;
        }
    }
}

/* ---- where ---- */

/* A call that is to be a jump has nothing between it and the return. */
static bool follows_jump(LLVMValueRef inst)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(inst);
    return before && LLVMIsACallInst(before) && LLVMIsTailCall(before);
}

static bool leaves_function(LLVMValueRef inst)
{
    return LLVMIsAReturnInst(inst) || LLVMIsAResumeInst(inst);
}

static LLVMValueRef after_allocas(LLVMValueRef f)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (LLVMIsAAllocaInst(inst) && has_fixed_size(inst))
        inst = LLVMGetNextInstruction(inst);
    return inst;
}

void ins_leaves_hook(ins_module *m, LLVMValueRef f, ins_map *memo)
{
    leaves l = {.m = m};
    find_places(&l, f, memo);
    LLVMValueRef stack = l.has_dynamic ? ins_hook_stack(m, after_allocas(f)) : NULL;
    LLVMBasicBlockRef bb = l.places.len || stack ? LLVMGetFirstBasicBlock(f) : NULL;
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(bb);
        if (!leaves_function(end) || follows_jump(end))
            continue;
        for (size_t i = 0; i < l.places.len; i++)
            ins_hook_leaves(m, end, l.places.at[i], l.sizes.at[i]);
        if (stack) /* from there down */
            ins_hook_leaves(m, end, stack, LLVMConstInt(m->i64, 0, 0));
    }
    ins_value_vec_fini(&l.places);
    ins_value_vec_fini(&l.sizes);
}
