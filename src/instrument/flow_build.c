/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the calls that compute labels (wire/hooks.h), and those that say that a label is lost or
 * that a value was decided. Where all labels are known to be 0, nothing is built. */
#include "instrument/flow.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/assert.h"
#include "instrument/llvm_versions.h"
#include "wire/hooks.h"
#include "wire/layout.h"
#include "wire/sym.h"

void ins_flow_stand_before(ins_flow *w, LLVMValueRef inst)
{
    LLVMPositionBuilderBefore(w->b, inst);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(inst));
}

void ins_flow_stand_after(ins_flow *w, LLVMValueRef inst)
{
    TD_ASSERT(LLVMGetNextInstruction(inst) != NULL); /* no terminator */
    LLVMPositionBuilderBefore(w->b, LLVMGetNextInstruction(inst));
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(inst));
}

LLVMValueRef ins_flow_call(ins_flow *w, const char *name, LLVMTypeRef result,
                           LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef types[8];
    TD_ASSERT(n <= 8);
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
    LLVMValueRef f = LLVMGetNamedFunction(w->m->module, name);
    if (f == NULL)
        f = LLVMAddFunction(w->m->module, name, type);
    w->m->has_hooks = true;
    return LLVMBuildCall2(w->b, type, f, args, n, "");
}

LLVMValueRef ins_flow_i32(const ins_flow *w, uint64_t value)
{
    return LLVMConstInt(w->m->i32, value, 0);
}

LLVMValueRef ins_flow_i64(const ins_flow *w, uint64_t value)
{
    return LLVMConstInt(w->m->i64, value, 0);
}

/* A value of at most 64 bits, or the low half of a wider one. */
LLVMValueRef ins_flow_low_half(ins_flow *w, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(w->b, v, w->m->i64, "");
    unsigned bits = LLVMGetIntTypeWidth(type);
    if (bits > 64)
        return LLVMBuildTrunc(w->b, v, w->m->i64, "");
    return LLVMBuildZExt(w->b, v, w->m->i64, "");
}

LLVMValueRef ins_flow_high_half(ins_flow *w, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (ins_flow_bits_of(type) <= 64)
        return ins_flow_i64(w, 0);
    LLVMValueRef by = LLVMConstInt(type, 64, 0);
    LLVMTypeRef i128 = LLVMIntTypeInContext(w->m->context, 128);
    LLVMValueRef high = LLVMBuildLShr(w->b, v, by, "");
    high = LLVMBuildZExt(w->b, high, i128, "");
    return LLVMBuildTrunc(w->b, high, w->m->i64, "");
}

/* Without what compiler and headers add to the name. */
static const char *plain_name(const char *name)
{
    static const char *const copies[] = {"memcpy", "memmove", "memset"};
    if (strncmp(name, "__isoc99_", 9) == 0 || strncmp(name, "__isoc23_", 9) == 0)
        return name + 9;
    if (strncmp(name, "llvm.", 5) != 0)
        return name;
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++)
        if (strncmp(name + 5, copies[i], strlen(copies[i])) == 0)
            return copies[i];
    return "";
}

/* Returns the source name of the called function, "" if it is unknown. */
const char *ins_flow_callee_name(const ins_flow *w, LLVMValueRef inst)
{
    size_t length = 0;
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    if (callee == NULL || !LLVMIsAFunction(callee))
        return "";
    const char *name = ins_map_get(&w->m->renamed, callee);
    if (ins_flow_is_hook(w, callee, LLVMGetValueName2(callee, &length)))
        return "";
    return name ? name : plain_name(LLVMGetValueName2(callee, &length));
}

/* A field of the control page. */
LLVMValueRef ins_flow_control(const ins_flow *w, size_t offset)
{
    TD_ASSERT(offset < PLAN_CONTROL_SIZE);
    return LLVMConstIntToPtr(ins_flow_i64(w, PLAN_CONTROL + offset), w->m->ptr);
}

/* Functions of runtime/libc leave the site of their call in the control page. */
static LLVMValueRef callers_site(ins_flow *w)
{
    return LLVMBuildLoad2(w->b, w->m->ptr,
                          ins_flow_control(w, offsetof(plan_control, inner_site)), "");
}

/* Number of outcomes of a branch or switch; 0 for other instructions. */
static unsigned n_sides(LLVMValueRef inst)
{
    if (LLVMIsASwitchInst(inst))
        return LLVMGetNumSuccessors(inst);
    return LLVMIsABranchInst(inst) && LLVMIsConditional(inst) ? 2 : 0;
}

LLVMValueRef ins_flow_site(ins_flow *w, LLVMValueRef inst)
{
    if (w->m->is_library)
        return callers_site(w);
    LLVMValueRef known = ins_map_get(&w->sites, inst);
    if (known == NULL) {
        LLVMValueRef origin = ins_map_get(w->twin->origin, inst);
        TD_ASSERT(origin != NULL);
        known = ins_hook_site(w->m, origin, WIRE_SITE_BRANCH,
                              ins_flow_callee_name(w, inst), n_sides(inst));
        ins_map_put(&w->sites, inst, known);
    }
    return known;
}

static LLVMValueRef scratch(ins_flow *w)
{
    if (w->wide)
        return w->wide;
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->f));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->m->context);
    LLVMPositionBuilderBefore(b, first);
    w->wide = LLVMBuildAlloca(b, LLVMArrayType(w->m->i64, 6), "");
    LLVMDisposeBuilder(b);
    return w->wide;
}

static LLVMValueRef wide_binary(ins_flow *w, uint32_t what, LLVMValueRef la,
                                LLVMValueRef lb, LLVMValueRef values[3])
{
    LLVMValueRef room = scratch(w);
    for (unsigned i = 0; i < 6; i++) {
        LLVMValueRef half = i % 2 ? ins_flow_high_half(w, values[i / 2])
                                  : ins_flow_low_half(w, values[i / 2]);
        LLVMValueRef index = ins_flow_i64(w, i);
        LLVMBuildStore(w->b, half, LLVMBuildGEP2(w->b, w->m->i64, room, &index, 1, ""));
    }
    LLVMValueRef args[] = {ins_flow_i32(w, what), la, lb, room};
    return ins_flow_call(w, "__treadle_sym_wide", w->m->i32, args, 4);
}

/* The label of r = a op b; bits is the width of the operands. */
LLVMValueRef ins_flow_binary_labels(ins_flow *w, uint8_t op, LLVMValueRef la,
                                    LLVMValueRef lb, LLVMValueRef values[3])
{
    unsigned bits = ins_flow_bits_of(LLVMTypeOf(values[0]));
    if ((ins_flow_is_zero(w, la) && ins_flow_is_zero(w, lb)) || bits == 0)
        return w->zero;
    TD_ASSERT(bits <= WIRE_SYM_MAX_BITS && op < WIRE_SYM_N_OPS);
    uint32_t what = WIRE_SYM(op, bits);
    if (bits > 64)
        return wide_binary(w, what, la, lb, values);
    LLVMValueRef args[] = {ins_flow_i32(w, what),
                           la,
                           lb,
                           ins_flow_low_half(w, values[0]),
                           ins_flow_low_half(w, values[1]),
                           ins_flow_low_half(w, values[2])};
    return ins_flow_call(w, "__treadle_sym_binary", w->m->i32, args, 6);
}

LLVMValueRef ins_flow_binary(ins_flow *w, uint8_t op, LLVMValueRef a, LLVMValueRef b,
                             LLVMValueRef r)
{
    LLVMValueRef values[3] = {a, b, r};
    return ins_flow_binary_labels(w, op, ins_flow_label(w, a), ins_flow_label(w, b),
                                  values);
}

/* The label of r, of this width, made from one value. */
LLVMValueRef ins_flow_unary(ins_flow *w, uint8_t op, LLVMValueRef la, LLVMValueRef r)
{
    TD_ASSERT(LLVMTypeOf(la) == w->m->i32);
    if (ins_flow_is_zero(w, la))
        return w->zero;
    unsigned bits = ins_flow_bits_of(LLVMTypeOf(r));
    LLVMValueRef args[] = {ins_flow_i32(w, WIRE_SYM(op, bits)), la,
                           ins_flow_low_half(w, r), ins_flow_high_half(w, r)};
    return ins_flow_call(w, "__treadle_sym_unary", w->m->i32, args, 4);
}

void ins_flow_lost(ins_flow *w, LLVMValueRef inst, LLVMValueRef l)
{
    if (ins_flow_is_zero(w, l))
        return;
    LLVMValueRef args[] = {l, ins_flow_site(w, inst)};
    ins_flow_call(w, "__treadle_sym_lost", w->m->none, args, 2);
}

/* True if a thread may have to wait in the hook of an access. */
static bool may_wait(const char *name)
{
    static const char *const hooks[] = {"atomic", "read", "write", "known", "again"};
    for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++)
        if (strncmp(name + 10, hooks[i], strlen(hooks[i])) == 0)
            return true;
    return false;
}

/* The hook of an access, which may wait for its turn; else the instruction itself. */
static LLVMValueRef hook_of(const ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef at = LLVMGetPreviousInstruction(inst);
    LLVMValueRef callee = at && LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
    if (!callee || !LLVMIsAFunction(callee))
        return inst;
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    return ins_flow_is_hook(w, callee, name) && may_wait(name) ? at : inst;
}

/* Decides the value v by its label, at the builder's position. */
void ins_flow_decide_value(ins_flow *w, LLVMValueRef inst, LLVMValueRef l, LLVMValueRef v)
{
    if (ins_flow_is_zero(w, l))
        return;
    LLVMValueRef args[] = {l, ins_flow_low_half(w, v), ins_flow_site(w, inst)};
    ins_flow_call(w, "__treadle_sym_address", w->m->none, args, 3);
}

/* Decides v before another thread can observe that it is used. */
void ins_flow_made_concrete(ins_flow *w, LLVMValueRef inst, LLVMValueRef v)
{
    LLVMValueRef l = ins_flow_label(w, v);
    if (ins_flow_is_zero(w, l))
        return;
    ins_flow_stand_before(w, hook_of(w, inst));
    if (ins_flow_bits_of(LLVMTypeOf(v)) > 64)
        ins_flow_lost(w, inst, l);
    else
        ins_flow_decide_value(w, inst, l, v);
}

/* Outcomes of a branch are recorded even if no input affects them (WIRE_JOB_READS); in treadle's own
 * functions they do not count. */
void ins_flow_decided(ins_flow *w, LLVMValueRef inst, LLVMValueRef l,
                      LLVMValueRef condition)
{
    if (ins_flow_is_zero(w, l) && (w->m->is_library || n_sides(inst) == 0))
        return;
    LLVMValueRef args[] = {l, LLVMBuildZExt(w->b, condition, w->m->i32, ""),
                           ins_flow_site(w, inst)};
    ins_flow_call(w, "__treadle_sym_branch", w->m->none, args, 3);
}

/* The label of condition ? a : b, of r. */
LLVMValueRef ins_flow_select_label(ins_flow *w, LLVMValueRef lc, LLVMValueRef c,
                                   LLVMValueRef sides[2], LLVMValueRef l[2])
{
    TD_ASSERT(LLVMTypeOf(sides[0]) == LLVMTypeOf(sides[1]));
    unsigned bits = ins_flow_bits_of(LLVMTypeOf(sides[0]));
    LLVMValueRef args[] = {ins_flow_i32(w, bits),
                           lc,
                           l[0],
                           l[1],
                           ins_flow_low_half(w, sides[0]),
                           ins_flow_low_half(w, sides[1]),
                           LLVMBuildZExt(w->b, c, w->m->i32, "")};
    return ins_flow_call(w, "__treadle_sym_select", w->m->i32, args, 7);
}
