/* SPDX-License-Identifier: Apache-2.0 */
/* Following symbolic values through a function: beside every value that may be symbolic there is
 * its label, an i32 (wire/sym.h). The code that computes labels is straight-line calls of the
 * inlined helpers of wire/hooks.h, which do nothing while labels are 0.
 *
 * First it is found out which values can be symbolic at all: constants are not, nor is what is
 * computed from them alone, such as most loop counters. A value of a structure type has a label
 * for every part of it.
 *
 * Most pointers are not symbolic, and code for them would cost most. So a pointer is followed
 * where it is an integer in disguise, from the conversion to a pointer to that back; and where
 * a symbolic index made it, as long as it stays in the function: it is made concrete where it
 * is used, stored or passed on. */
#include "instrument/instrument_int.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "wire/hooks.h"
#include "wire/layout.h"
#include "wire/sym.h"

#define PARTS_MAX PLAN_RESULTS

/* Labels of a value, one for each part. */
typedef struct labels {
    unsigned n;
    LLVMValueRef at[PARTS_MAX];
} labels;

/* One part of a value in memory. */
typedef struct part {
    LLVMTypeRef type;
    uint64_t offset;
} part;

typedef struct parts {
    unsigned n; /* more than PARTS_MAX: too many, not followed */
    part at[PARTS_MAX];
} parts;

TD_VEC(LLVMBasicBlockRef, block_vec);

typedef struct flow {
    ins_module *m;
    const ins_twin *twin;
    LLVMValueRef f;
    LLVMBuilderRef b;
    ins_map may;     /* values that may be symbolic */
    ins_map known;   /* value -> labels * */
    ins_map sites;   /* instruction -> its site */
    block_vec order; /* blocks so that definitions come before uses */
    LLVMValueRef zero;
    LLVMValueRef variable; /* the variable arguments it was given (wire_va), or NULL */
    LLVMValueRef wide;     /* scratch for operands of more than 64 bits, or NULL */
} flow;

typedef void (*visitor)(flow *w, LLVMValueRef inst);

/* --- types --- */

/* Bits of a value whose label is followed; 0: it is not. */
static unsigned bits_of(const flow *w, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMGetPointerAddressSpace(type) == 0 ? 64 : 0;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return 0;
    (void)w;
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits <= WIRE_SYM_MAX_BITS ? bits : 0;
}

static void add_parts(const flow *w, LLVMTypeRef type, uint64_t offset, parts *out)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (out->n > PARTS_MAX)
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
        for (unsigned i = 0; i < LLVMGetArrayLength(type) && out->n <= PARTS_MAX; i++)
            add_parts(w, element, offset + i * size, out);
        return;
    }
    if (out->n < PARTS_MAX)
        out->at[out->n] = (part){type, offset};
    out->n++;
}

static parts parts_of(const flow *w, LLVMTypeRef type)
{
    parts p = {0};
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
        add_parts(w, type, 0, &p);
    return p;
}

static bool is_aggregate(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ||
           LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

/* Whether a value of the type can have labels. */
static bool is_followed(const flow *w, LLVMTypeRef type)
{
    if (!is_aggregate(type))
        return bits_of(w, type) > 0;
    parts p = parts_of(w, type);
    if (p.n > PARTS_MAX)
        return false;
    for (unsigned i = 0; i < p.n; i++)
        if (bits_of(w, p.at[i].type))
            return true;
    return false;
}

/* --- which values may be symbolic --- */

static bool may_be(const flow *w, LLVMValueRef v)
{
    return ins_map_get(&w->may, v) != NULL;
}

static bool is_intrinsic(LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    return callee && LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) != 0;
}

static bool is_constant_memory(LLVMValueRef address)
{
    LLVMValueRef base = ins_escape_base(address);
    return LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base);
}

/* Symbolic whatever its operands are. */
static bool is_source(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        return !is_constant_memory(LLVMGetOperand(inst, 0));
    case LLVMCall:
        return !is_intrinsic(inst) && !LLVMIsAInlineAsm(LLVMGetCalledValue(inst));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    default:
        return false;
    }
}

/* Symbolic if an operand is. */
static bool carries(LLVMValueRef inst)
{
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

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

static bool is_hook(const flow *w, LLVMValueRef callee, const char *name)
{
    return LLVMIsDeclaration(callee) && strncmp(name, "__treadle_", 10) == 0 &&
           ins_map_get(&w->m->renamed, callee) == NULL;
}

/* Whether the user is a call that hands the pointer on. */
static bool hands_to_function(const flow *w, LLVMValueRef user)
{
    LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    size_t length = 0;
    return callee && LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) == 0 &&
           !is_hook(w, callee, LLVMGetValueName2(callee, &length));
}

/* A pointer from elsewhere that the function looks at as a number. One that it does not follow
 * is decided where it comes from. */
static bool is_disguised(const flow *w, LLVMValueRef pointer)
{
    bool is_address = false, is_handed = false;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAPtrToIntInst(user) ||
            (LLVMIsAICmpInst(user) && LLVMIsAArgument(pointer)))
            return true;
        is_address |= LLVMIsALoadInst(user) || LLVMIsAStoreInst(user) ||
                      LLVMIsAGetElementPtrInst(user);
        is_handed |= LLVMIsAReturnInst(user) || hands_to_function(w, user);
    }
    return LLVMIsAArgument(pointer) && is_handed && !is_address;
}

/* A pointer that a symbolic index made. */
static bool is_computed(const flow *w, LLVMValueRef v)
{
    return may_be(w, v) && is_pointer(v) && LLVMIsAInstruction(v) &&
           (LLVMIsAGetElementPtrInst(v) || LLVMIsAPHINode(v) || LLVMIsASelectInst(v));
}

/* Whether user is symbolic because v is. */
static bool hands_on(const flow *w, LLVMValueRef user, LLVMValueRef v)
{
    (void)w, (void)v;
    return LLVMIsAInstruction(user) && carries(user);
}

static void mark(flow *w, ins_value_vec *todo, LLVMValueRef v)
{
    if (may_be(w, v) || !is_followed(w, LLVMTypeOf(v)))
        return;
    ins_map_put(&w->may, v, v);
    ins_value_vec_push(todo, v);
}

static void mark_source(flow *w, ins_value_vec *todo, LLVMValueRef v)
{
    if (!is_pointer(v) || is_disguised(w, v))
        mark(w, todo, v);
}

static void find_symbolic(flow *w)
{
    ins_value_vec todo = {0};
    for (unsigned i = 0; i < LLVMCountParams(w->f) && i < PLAN_ARGUMENTS; i++)
        mark_source(w, &todo, LLVMGetParam(w->f, i));
    for (size_t k = 0; k < w->order.len; k++) {
        LLVMValueRef inst = LLVMGetFirstInstruction(w->order.at[k]);
        for (; inst; inst = LLVMGetNextInstruction(inst))
            if (is_source(inst))
                mark_source(w, &todo, inst);
    }
    for (size_t i = 0; i < todo.len; i++) {
        LLVMUseRef use = LLVMGetFirstUse(todo.at[i]);
        for (; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (hands_on(w, user, todo.at[i]))
                mark(w, &todo, user);
        }
    }
    ins_value_vec_fini(&todo);
}

/* --- labels of values --- */

static LLVMValueRef label_part(const flow *w, LLVMValueRef v, unsigned i)
{
    const labels *l = may_be(w, v) ? ins_map_get(&w->known, v) : NULL;
    return l && i < l->n ? l->at[i] : w->zero;
}

static LLVMValueRef label(const flow *w, LLVMValueRef v)
{
    return label_part(w, v, 0);
}

static bool is_zero(const flow *w, LLVMValueRef l)
{
    return l == w->zero;
}

static labels *labels_new(flow *w, LLVMValueRef v)
{
    labels *l = ins_map_get(&w->known, v);
    if (l)
        return l;
    l = td_alloc(sizeof *l);
    parts p = parts_of(w, LLVMTypeOf(v));
    l->n = p.n <= PARTS_MAX ? p.n : 0;
    for (unsigned i = 0; i < PARTS_MAX; i++)
        l->at[i] = w->zero;
    ins_map_put(&w->known, v, l);
    return l;
}

static void set_label(flow *w, LLVMValueRef v, LLVMValueRef l)
{
    if (may_be(w, v))
        labels_new(w, v)->at[0] = l;
}

/* --- building --- */

static void stand_before(flow *w, LLVMValueRef inst)
{
    LLVMPositionBuilderBefore(w->b, inst);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(inst));
}

static void stand_after(flow *w, LLVMValueRef inst)
{
    LLVMPositionBuilderBefore(w->b, LLVMGetNextInstruction(inst));
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(inst));
}

static LLVMValueRef call(flow *w, const char *name, LLVMTypeRef result,
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

static LLVMValueRef i32(const flow *w, uint64_t value)
{
    return LLVMConstInt(w->m->i32, value, 0);
}

static LLVMValueRef i64(const flow *w, uint64_t value)
{
    return LLVMConstInt(w->m->i64, value, 0);
}

/* A value of at most 64 bits, or the low half of a wider one. */
static LLVMValueRef low_half(flow *w, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(w->b, v, w->m->i64, "");
    unsigned bits = LLVMGetIntTypeWidth(type);
    if (bits > 64)
        return LLVMBuildTrunc(w->b, v, w->m->i64, "");
    return LLVMBuildZExt(w->b, v, w->m->i64, "");
}

static LLVMValueRef high_half(flow *w, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (bits_of(w, type) <= 64)
        return i64(w, 0);
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

/* What the source calls the function called, "" if it is none or not known. */
static const char *callee_name(const flow *w, LLVMValueRef inst)
{
    size_t length = 0;
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    if (callee == NULL || !LLVMIsAFunction(callee))
        return "";
    const char *name = ins_map_get(&w->m->renamed, callee);
    if (is_hook(w, callee, LLVMGetValueName2(callee, &length)))
        return "";
    return name ? name : plain_name(LLVMGetValueName2(callee, &length));
}

/* A field of the control page. */
static LLVMValueRef control(const flow *w, size_t offset)
{
    return LLVMConstIntToPtr(i64(w, PLAN_CONTROL + offset), w->m->ptr);
}

/* Functions of runtime/libc leave the site of their call in the control page. */
static LLVMValueRef callers_site(flow *w)
{
    return LLVMBuildLoad2(w->b, w->m->ptr, control(w, offsetof(plan_control, inner_site)),
                          "");
}

/* Of a branch or switch; 0 of other places. */
static unsigned n_sides(LLVMValueRef inst)
{
    if (LLVMIsASwitchInst(inst))
        return (unsigned)LLVMGetNumOperands(inst) / 2;
    return LLVMIsABranchInst(inst) && LLVMIsConditional(inst) ? 2 : 0;
}

static LLVMValueRef site(flow *w, LLVMValueRef inst)
{
    if (w->m->is_library)
        return callers_site(w);
    LLVMValueRef known = ins_map_get(&w->sites, inst);
    if (known == NULL) {
        LLVMValueRef origin = ins_map_get(w->twin->origin, inst);
        known = ins_hook_site(w->m, origin, WIRE_SITE_BRANCH, callee_name(w, inst),
                              n_sides(inst));
        ins_map_put(&w->sites, inst, known);
    }
    return known;
}

/* --- operations --- */

static LLVMValueRef scratch(flow *w)
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

static LLVMValueRef wide_binary(flow *w, uint32_t what, LLVMValueRef la, LLVMValueRef lb,
                                LLVMValueRef values[3])
{
    LLVMValueRef room = scratch(w);
    for (unsigned i = 0; i < 6; i++) {
        LLVMValueRef half =
            i % 2 ? high_half(w, values[i / 2]) : low_half(w, values[i / 2]);
        LLVMValueRef index = i64(w, i);
        LLVMBuildStore(w->b, half, LLVMBuildGEP2(w->b, w->m->i64, room, &index, 1, ""));
    }
    LLVMValueRef args[] = {i32(w, what), la, lb, room};
    return call(w, "__treadle_sym_wide", w->m->i32, args, 4);
}

/* The label of r = a op b; bits is the width of the operands. */
static LLVMValueRef binary_labels(flow *w, uint8_t op, LLVMValueRef la, LLVMValueRef lb,
                                  LLVMValueRef values[3])
{
    unsigned bits = bits_of(w, LLVMTypeOf(values[0]));
    if ((is_zero(w, la) && is_zero(w, lb)) || bits == 0)
        return w->zero;
    uint32_t what = WIRE_SYM(op, bits);
    if (bits > 64)
        return wide_binary(w, what, la, lb, values);
    LLVMValueRef args[] = {
        i32(w, what),          la, lb, low_half(w, values[0]), low_half(w, values[1]),
        low_half(w, values[2])};
    return call(w, "__treadle_sym_binary", w->m->i32, args, 6);
}

static LLVMValueRef binary(flow *w, uint8_t op, LLVMValueRef a, LLVMValueRef b,
                           LLVMValueRef r)
{
    LLVMValueRef values[3] = {a, b, r};
    return binary_labels(w, op, label(w, a), label(w, b), values);
}

/* The label of r, of this width, made from one value. */
static LLVMValueRef unary(flow *w, uint8_t op, LLVMValueRef la, LLVMValueRef r)
{
    if (is_zero(w, la))
        return w->zero;
    unsigned bits = bits_of(w, LLVMTypeOf(r));
    LLVMValueRef args[] = {i32(w, WIRE_SYM(op, bits)), la, low_half(w, r),
                           high_half(w, r)};
    return call(w, "__treadle_sym_unary", w->m->i32, args, 4);
}

static void lost(flow *w, LLVMValueRef inst, LLVMValueRef l)
{
    if (is_zero(w, l))
        return;
    LLVMValueRef args[] = {l, site(w, inst)};
    call(w, "__treadle_sym_lost", w->m->none, args, 2);
}

/* What is not followed: vectors, floats, and every instruction that has no visitor. */
static void visit_other(flow *w, LLVMValueRef inst)
{
    stand_before(w, inst);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++) {
        LLVMValueRef v = LLVMGetOperand(inst, i);
        const labels *l = may_be(w, v) ? ins_map_get(&w->known, v) : NULL;
        for (unsigned k = 0; l && k < l->n; k++)
            lost(w, inst, l->at[k]);
    }
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
static LLVMValueRef hook_of(const flow *w, LLVMValueRef inst)
{
    LLVMValueRef at = LLVMGetPreviousInstruction(inst);
    LLVMValueRef callee = at && LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
    if (!callee || !LLVMIsAFunction(callee))
        return inst;
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    return is_hook(w, callee, name) && may_wait(name) ? at : inst;
}

/* Decides the value v by its label, where the builder stands. */
static void decide_value(flow *w, LLVMValueRef inst, LLVMValueRef l, LLVMValueRef v)
{
    if (is_zero(w, l))
        return;
    LLVMValueRef args[] = {l, low_half(w, v), site(w, inst)};
    call(w, "__treadle_sym_address", w->m->none, args, 3);
}

/* Decided before anybody can see that the value is used. */
static void made_concrete(flow *w, LLVMValueRef inst, LLVMValueRef v)
{
    LLVMValueRef l = label(w, v);
    if (is_zero(w, l))
        return;
    stand_before(w, hook_of(w, inst));
    if (bits_of(w, LLVMTypeOf(v)) > 64)
        lost(w, inst, l);
    else
        decide_value(w, inst, l, v);
}

/* The sides of a branch are told even where no input has a say in it (WIRE_JOB_READS); within
 * treadle's own functions they do not count. */
static void decided(flow *w, LLVMValueRef inst, LLVMValueRef l, LLVMValueRef condition)
{
    if (is_zero(w, l) && (w->m->is_library || n_sides(inst) == 0))
        return;
    LLVMValueRef args[] = {l, LLVMBuildZExt(w->b, condition, w->m->i32, ""),
                           site(w, inst)};
    call(w, "__treadle_sym_branch", w->m->none, args, 3);
}

/* The processor takes the amount modulo the width, and so do the nodes; what C leaves undefined
 * is then the same for all versions of the function. */
static LLVMValueRef shift_amount(flow *w, LLVMValueRef inst, LLVMValueRef *amount)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    unsigned bits = bits_of(w, type);
    LLVMValueRef by = LLVMGetOperand(inst, 1);
    *amount = by;
    if (LLVMIsAConstantInt(by) || (bits & (bits - 1)) != 0)
        return label(w, by);
    LLVMValueRef mask = LLVMConstInt(type, bits - 1, 0);
    stand_before(w, inst);
    *amount = LLVMBuildAnd(w->b, by, mask, "");
    LLVMSetOperand(inst, 1, *amount);
    LLVMValueRef values[3] = {by, mask, *amount};
    return binary_labels(w, WIRE_SYM_AND, label(w, by), w->zero, values);
}

static bool is_shift(LLVMOpcode opcode)
{
    return opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
}

static void visit_binary(flow *w, LLVMValueRef inst)
{
    static const uint8_t ops[] = {[LLVMAdd] = WIRE_SYM_ADD,   [LLVMSub] = WIRE_SYM_SUB,
                                  [LLVMMul] = WIRE_SYM_MUL,   [LLVMUDiv] = WIRE_SYM_UDIV,
                                  [LLVMSDiv] = WIRE_SYM_SDIV, [LLVMURem] = WIRE_SYM_UREM,
                                  [LLVMSRem] = WIRE_SYM_SREM, [LLVMAnd] = WIRE_SYM_AND,
                                  [LLVMOr] = WIRE_SYM_OR,     [LLVMXor] = WIRE_SYM_XOR,
                                  [LLVMShl] = WIRE_SYM_SHL,   [LLVMLShr] = WIRE_SYM_LSHR,
                                  [LLVMAShr] = WIRE_SYM_ASHR};
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
    if (!may_be(w, inst)) {
        visit_other(w, inst);
        return;
    }
    LLVMValueRef lb = is_shift(opcode) ? shift_amount(w, inst, &b) : label(w, b);
    LLVMValueRef values[3] = {a, b, inst};
    stand_after(w, inst);
    set_label(w, inst, binary_labels(w, ops[opcode], label(w, a), lb, values));
}

/* The comparison as one of ours; true if the operands change places. */
static bool predicate_of(LLVMIntPredicate predicate, uint8_t *op)
{
    static const uint8_t ops[] = {WIRE_SYM_EQ,  WIRE_SYM_NE,  WIRE_SYM_ULT, WIRE_SYM_ULE,
                                  WIRE_SYM_ULT, WIRE_SYM_ULE, WIRE_SYM_SLT, WIRE_SYM_SLE,
                                  WIRE_SYM_SLT, WIRE_SYM_SLE};
    *op = ops[predicate - LLVMIntEQ];
    return predicate == LLVMIntUGT || predicate == LLVMIntUGE ||
           predicate == LLVMIntSGT || predicate == LLVMIntSGE;
}

static void visit_compare(flow *w, LLVMValueRef inst)
{
    uint8_t op;
    if (!may_be(w, inst)) {
        visit_other(w, inst);
        return;
    }
    bool swaps = predicate_of(LLVMGetICmpPredicate(inst), &op);
    stand_after(w, inst);
    set_label(w, inst,
              binary(w, op, LLVMGetOperand(inst, swaps), LLVMGetOperand(inst, !swaps),
                     inst));
}

static void visit_cast(flow *w, LLVMValueRef inst)
{
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    unsigned has = bits_of(w, LLVMTypeOf(from)), wants = bits_of(w, LLVMTypeOf(inst));
    stand_after(w, inst);
    if (wants == 0) { /* a float, a vector, or too wide */
        lost(w, inst, label(w, from));
        return;
    }
    if (has == 0)
        return;
    bool is_signed = LLVMGetInstructionOpcode(inst) == LLVMSExt;
    uint8_t op = has > wants ? WIRE_SYM_EXTRACT
                 : is_signed ? WIRE_SYM_SEXT
                             : WIRE_SYM_ZEXT;
    LLVMValueRef l = label(w, from);
    set_label(w, inst, has == wants ? l : unary(w, op, l, inst));
}

/* The result depends on the condition, and cannot say how. */
static void choose(flow *w, LLVMValueRef inst, LLVMValueRef condition)
{
    stand_before(w, inst);
    decided(w, inst, label(w, condition), condition);
    if (!may_be(w, inst))
        return;
    labels *l = labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++) {
        LLVMValueRef a = label_part(w, LLVMGetOperand(inst, 1), i);
        LLVMValueRef b = label_part(w, LLVMGetOperand(inst, 2), i);
        if (!is_zero(w, a) || !is_zero(w, b))
            l->at[i] = LLVMBuildSelect(w->b, condition, a, b, "");
    }
}

static void visit_select(flow *w, LLVMValueRef inst)
{
    LLVMValueRef condition = LLVMGetOperand(inst, 0);
    LLVMValueRef a = LLVMGetOperand(inst, 1), b = LLVMGetOperand(inst, 2);
    unsigned bits = bits_of(w, LLVMTypeOf(inst));
    if (LLVMGetTypeKind(LLVMTypeOf(condition)) != LLVMIntegerTypeKind)
        return;
    if (is_zero(w, label(w, condition)) || bits == 0 || bits > 64) {
        choose(w, inst, condition);
        return;
    }
    stand_after(w, inst);
    LLVMValueRef args[] = {i32(w, bits),
                           label(w, condition),
                           label(w, a),
                           label(w, b),
                           low_half(w, a),
                           low_half(w, b),
                           LLVMBuildZExt(w->b, condition, w->m->i32, "")};
    set_label(w, inst, call(w, "__treadle_sym_select", w->m->i32, args, 7));
}

/* --- addresses --- */

static LLVMValueRef as_i64(flow *w, LLVMValueRef index)
{
    LLVMTypeRef type = LLVMTypeOf(index);
    unsigned bits = LLVMGetIntTypeWidth(type);
    if (bits == 64)
        return index;
    return bits > 64 ? LLVMBuildTrunc(w->b, index, w->m->i64, "")
                     : LLVMBuildSExt(w->b, index, w->m->i64, "");
}

/* The address so far: its label and its value, constants gathered. */
typedef struct gep {
    LLVMValueRef l, at;
} gep;

static void add_index(flow *w, gep *g, LLVMValueRef index, uint64_t scale)
{
    LLVMValueRef li = label(w, index), wide = as_i64(w, index);
    LLVMValueRef by = i64(w, scale);
    if (!is_zero(w, g->l) || !is_zero(w, li)) {
        LLVMValueRef args[] = {g->l, li, g->at, wide, by};
        g->l = call(w, "__treadle_sym_index", w->m->i32, args, 5);
    }
    g->at = LLVMBuildAdd(w->b, g->at, LLVMBuildMul(w->b, wide, by, ""), "");
}

static void visit_gep(flow *w, LLVMValueRef inst)
{
    if (!may_be(w, inst)) {
        visit_other(w, inst);
        return;
    }
    stand_after(w, inst);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(inst);
    LLVMValueRef base = LLVMGetOperand(inst, 0);
    gep g = {label(w, base), low_half(w, base)};
    add_index(w, &g, LLVMGetOperand(inst, 1), LLVMABISizeOfType(w->m->layout, type));
    for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(inst); i++) {
        LLVMValueRef index = LLVMGetOperand(inst, i);
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            add_index(w, &g, i64(w, LLVMOffsetOfElement(w->m->layout, type, field)), 1);
            type = LLVMStructGetTypeAtIndex(type, field);
        } else {
            type = LLVMGetElementType(type);
            add_index(w, &g, index, LLVMABISizeOfType(w->m->layout, type));
        }
    }
    set_label(w, inst, g.l);
}

/* --- memory --- */

static LLVMValueRef moved(flow *w, LLVMValueRef address, uint64_t offset)
{
    LLVMValueRef index = i64(w, offset);
    return offset ? LLVMBuildGEP2(w->b, w->m->i8, address, &index, 1, "") : address;
}

/* The label of r, just read there. Memory has whole bytes. */
static LLVMValueRef load_label(flow *w, LLVMValueRef address, LLVMValueRef r)
{
    unsigned bits = bits_of(w, LLVMTypeOf(r)), bytes = (bits + 7) / 8;
    LLVMValueRef args[] = {address, i32(w, bytes), low_half(w, r), high_half(w, r)};
    LLVMValueRef l = call(w, "__treadle_sym_load", w->m->i32, args, 4);
    return bits % 8 ? unary(w, WIRE_SYM_EXTRACT, l, r) : l;
}

static void store_label(flow *w, LLVMValueRef address, uint64_t bytes, LLVMValueRef l)
{
    if (bytes > 16) {
        LLVMValueRef args[] = {address, l, i64(w, bytes)};
        call(w, "__treadle_sym_fill", w->m->none, args, 3);
        return;
    }
    LLVMValueRef args[] = {address, i32(w, bytes), l};
    call(w, "__treadle_sym_store", w->m->none, args, 3);
}

static void opaque(flow *w, LLVMValueRef inst, LLVMValueRef address, uint64_t bytes)
{
    LLVMValueRef args[] = {address, i64(w, bytes), site(w, inst)};
    call(w, "__treadle_sym_opaque", w->m->none, args, 3);
}

/* A pointer was read that the function does not follow: it is decided if it is symbolic. */
static void decide_pointer(flow *w, LLVMValueRef inst, LLVMValueRef address,
                           LLVMValueRef v)
{
    LLVMValueRef args[] = {address, low_half(w, v), site(w, inst)};
    call(w, "__treadle_sym_pointer", w->m->none, args, 3);
}

static LLVMValueRef part_value(flow *w, LLVMValueRef v, LLVMTypeRef type, unsigned *skip)
{
    if (!is_aggregate(type))
        return (*skip)-- == 0 ? v : NULL;
    unsigned n = LLVMGetTypeKind(type) == LLVMStructTypeKind
                     ? LLVMCountStructElementTypes(type)
                     : LLVMGetArrayLength(type);
    for (unsigned i = 0; i < n; i++) {
        LLVMTypeRef element = LLVMGetTypeKind(type) == LLVMStructTypeKind
                                  ? LLVMStructGetTypeAtIndex(type, i)
                                  : LLVMGetElementType(type);
        parts p = parts_of(w, element);
        if (*skip >= p.n) {
            *skip -= p.n;
            continue;
        }
        return part_value(w, LLVMBuildExtractValue(w->b, v, i, ""), element, skip);
    }
    return NULL;
}

static void load_parts(flow *w, LLVMValueRef inst, LLVMValueRef address)
{
    parts p = parts_of(w, LLVMTypeOf(inst));
    labels *l = labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++) {
        unsigned skip = i;
        LLVMValueRef at = moved(w, address, p.at[i].offset);
        if (bits_of(w, p.at[i].type) == 0) {
            opaque(w, inst, at, LLVMStoreSizeOfType(w->m->layout, p.at[i].type));
            continue;
        }
        LLVMValueRef v = part_value(w, inst, LLVMTypeOf(inst), &skip);
        if (is_pointer(v))
            decide_pointer(w, inst, at, v);
        else
            l->at[i] = load_label(w, at, v);
    }
}

static bool is_control(LLVMValueRef address)
{
    if (!LLVMIsAConstantExpr(address) || LLVMGetConstOpcode(address) != LLVMIntToPtr)
        return false;
    LLVMValueRef at = LLVMGetOperand(address, 0);
    return LLVMIsAConstantInt(at) &&
           LLVMConstIntGetZExtValue(at) - PLAN_CONTROL < PLAN_CONTROL_SIZE;
}

static void visit_load(flow *w, LLVMValueRef inst)
{
    LLVMValueRef address = LLVMGetOperand(inst, 0);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0)
        return;
    made_concrete(w, inst, address);
    if (is_constant_memory(address))
        return;
    stand_after(w, inst);
    if (!may_be(w, inst) && is_pointer(inst))
        decide_pointer(w, inst, address, inst);
    else if (!may_be(w, inst))
        opaque(w, inst, address, LLVMStoreSizeOfType(w->m->layout, LLVMTypeOf(inst)));
    else if (is_aggregate(LLVMTypeOf(inst)))
        load_parts(w, inst, address);
    else
        set_label(w, inst, load_label(w, address, inst));
}

static void store_value(flow *w, LLVMValueRef address, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    uint64_t bytes = LLVMStoreSizeOfType(w->m->layout, type);
    if (!is_aggregate(type) || !may_be(w, v)) {
        store_label(w, address, bytes, label(w, v));
        return;
    }
    parts p = parts_of(w, type);
    for (unsigned i = 0; i < p.n; i++)
        store_label(w, moved(w, address, p.at[i].offset),
                    LLVMStoreSizeOfType(w->m->layout, p.at[i].type), label_part(w, v, i));
}

static void visit_store(flow *w, LLVMValueRef inst)
{
    LLVMValueRef address = LLVMGetOperand(inst, 1);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0 || is_control(address))
        return;
    LLVMValueRef v = LLVMGetOperand(inst, 0);
    made_concrete(w, inst, address);
    if (is_computed(w, v))
        made_concrete(w, inst, v);
    if (is_pointer(v) && (!may_be(w, v) || is_computed(w, v)))
        return;
    stand_after(w, inst);
    store_value(w, address, v);
}

static void visit_alloca(flow *w, LLVMValueRef inst)
{
    made_concrete(w, inst, LLVMGetOperand(inst, 0));
}

/* --- atomics: what follows the instruction directly is one step with it --- */

static uint8_t rmw_op(LLVMAtomicRMWBinOp op)
{
    switch (op) {
    case LLVMAtomicRMWBinOpAdd:
        return WIRE_SYM_ADD;
    case LLVMAtomicRMWBinOpSub:
        return WIRE_SYM_SUB;
    case LLVMAtomicRMWBinOpAnd:
        return WIRE_SYM_AND;
    case LLVMAtomicRMWBinOpOr:
        return WIRE_SYM_OR;
    case LLVMAtomicRMWBinOpXor:
        return WIRE_SYM_XOR;
    default:
        return WIRE_SYM_CONST; /* none of ours */
    }
}

/* Minimum and maximum: which of the two it is was decided here. */
static LLVMValueRef minmax_label(flow *w, LLVMValueRef inst, LLVMValueRef now,
                                 LLVMValueRef old, LLVMValueRef lold)
{
    LLVMValueRef value = LLVMGetOperand(inst, 1);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    bool is_signed = op == LLVMAtomicRMWBinOpMax || op == LLVMAtomicRMWBinOpMin;
    LLVMValueRef less =
        LLVMBuildICmp(w->b, is_signed ? LLVMIntSLT : LLVMIntULT, old, value, "");
    LLVMValueRef values[3] = {old, value, less};
    LLVMValueRef l = binary_labels(w, is_signed ? WIRE_SYM_SLT : WIRE_SYM_ULT, lold,
                                   label(w, value), values);
    decided(w, inst, l, less);
    LLVMValueRef kept = LLVMBuildICmp(w->b, LLVMIntEQ, now, old, "");
    return LLVMBuildSelect(w->b, kept, lold, label(w, value), "");
}

static void visit_rmw(flow *w, LLVMValueRef inst)
{
    LLVMValueRef address = LLVMGetOperand(inst, 0), value = LLVMGetOperand(inst, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    uint64_t bytes = LLVMStoreSizeOfType(w->m->layout, type);
    made_concrete(w, inst, address);
    stand_after(w, inst);
    if (bits_of(w, type) == 0) {
        opaque(w, inst, address, bytes);
        store_label(w, address, bytes, w->zero);
        return;
    }
    LLVMValueRef lold = load_label(w, address, inst);
    LLVMValueRef now = LLVMBuildLoad2(w->b, type, address, "");
    LLVMValueRef lnew = label(w, value);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    LLVMValueRef values[3] = {inst, value, now};
    if (rmw_op(op) != WIRE_SYM_CONST)
        lnew = binary_labels(w, rmw_op(op), lold, lnew, values);
    else if (op == LLVMAtomicRMWBinOpNand) {
        LLVMValueRef both = LLVMBuildAnd(w->b, inst, value, "");
        values[2] = both;
        LLVMValueRef la = binary_labels(w, WIRE_SYM_AND, lold, lnew, values);
        LLVMValueRef inverted[3] = {both, LLVMConstAllOnes(type), now};
        lnew = binary_labels(w, WIRE_SYM_XOR, la, w->zero, inverted);
    } else if (op >= LLVMAtomicRMWBinOpMax && op <= LLVMAtomicRMWBinOpUMin)
        lnew = minmax_label(w, inst, now, inst, lold);
    else if (op != LLVMAtomicRMWBinOpXchg) {
        lost(w, inst, lold);
        lost(w, inst, lnew);
        lnew = w->zero;
    }
    store_label(w, address, bytes, lnew);
    if (!may_be(w, inst) && is_pointer(inst))
        decide_value(w, inst, lold, inst);
    set_label(w, inst, lold);
}

static void visit_cmpxchg(flow *w, LLVMValueRef inst)
{
    LLVMValueRef address = LLVMGetOperand(inst, 0), expected = LLVMGetOperand(inst, 1);
    LLVMValueRef desired = LLVMGetOperand(inst, 2);
    LLVMTypeRef type = LLVMTypeOf(expected);
    made_concrete(w, inst, address);
    stand_after(w, inst);
    if (bits_of(w, type) == 0 || !may_be(w, inst)) {
        uint64_t bytes = LLVMStoreSizeOfType(w->m->layout, type);
        lost(w, inst, label(w, expected));
        lost(w, inst, label(w, desired));
        opaque(w, inst, address, bytes);
        store_label(w, address, bytes, w->zero);
        return;
    }
    LLVMValueRef old = LLVMBuildExtractValue(w->b, inst, 0, "");
    LLVMValueRef done = LLVMBuildExtractValue(w->b, inst, 1, "");
    LLVMValueRef same = LLVMBuildICmp(w->b, LLVMIntEQ, old, expected, "");
    labels *l = labels_new(w, inst);
    l->at[0] = load_label(w, address, old);
    LLVMValueRef values[3] = {old, expected, same};
    l->at[1] = binary_labels(w, WIRE_SYM_EQ, l->at[0], label(w, expected), values);
    if (!is_zero(w, l->at[1])) {
        LLVMValueRef args[] = {l->at[1], i32(w, WIRE_SYM_OUTCOME), site(w, inst)};
        call(w, "__treadle_sym_branch", w->m->none, args, 3);
    }
    LLVMValueRef lnow = LLVMBuildSelect(w->b, done, label(w, desired), l->at[0], "");
    store_label(w, address, LLVMStoreSizeOfType(w->m->layout, type), lnow);
}

/* --- aggregates --- */

/* First part of the element that the indices name. */
static unsigned part_index(const flow *w, LLVMTypeRef type, const unsigned *indices,
                           unsigned n)
{
    unsigned at = 0;
    for (unsigned k = 0; k < n; k++) {
        bool record = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        for (unsigned i = 0; i < indices[k]; i++)
            at += parts_of(w, record ? LLVMStructGetTypeAtIndex(type, i)
                                     : LLVMGetElementType(type))
                      .n;
        type = record ? LLVMStructGetTypeAtIndex(type, indices[k])
                      : LLVMGetElementType(type);
    }
    return at;
}

static void visit_extract(flow *w, LLVMValueRef inst)
{
    if (!may_be(w, inst))
        return;
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    unsigned at =
        part_index(w, LLVMTypeOf(from), LLVMGetIndices(inst), LLVMGetNumIndices(inst));
    labels *l = labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++)
        l->at[i] = label_part(w, from, at + i);
}

static void visit_insert(flow *w, LLVMValueRef inst)
{
    if (!may_be(w, inst))
        return;
    LLVMValueRef into = LLVMGetOperand(inst, 0), v = LLVMGetOperand(inst, 1);
    unsigned at =
        part_index(w, LLVMTypeOf(into), LLVMGetIndices(inst), LLVMGetNumIndices(inst));
    unsigned n = parts_of(w, LLVMTypeOf(v)).n;
    labels *l = labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++)
        l->at[i] =
            i >= at && i < at + n ? label_part(w, v, i - at) : label_part(w, into, i);
}

static void visit_same(flow *w, LLVMValueRef inst)
{
    if (!may_be(w, inst))
        return;
    labels *l = labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++)
        l->at[i] = label_part(w, LLVMGetOperand(inst, 0), i);
}

/* --- branches --- */

static void visit_branch(flow *w, LLVMValueRef inst)
{
    if (!LLVMIsConditional(inst))
        return;
    LLVMValueRef condition = LLVMGetCondition(inst);
    stand_before(w, inst);
    decided(w, inst, label(w, condition), condition);
}

static LLVMValueRef case_table(flow *w, LLVMValueRef inst, unsigned n)
{
    LLVMValueRef *values = td_alloc((n + 1) * sizeof *values);
    for (unsigned i = 0; i < n; i++)
        values[i] = i64(w, LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 2 + 2 * i)));
    LLVMValueRef table =
        LLVMAddGlobal(w->m->module, LLVMArrayType(w->m->i64, n), "treadle.cases");
    LLVMSetInitializer(table, LLVMConstArray(w->m->i64, values, n));
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(table, 1);
    td_free(values);
    return table;
}

static void visit_switch(flow *w, LLVMValueRef inst)
{
    LLVMValueRef v = LLVMGetOperand(inst, 0), l = label(w, v);
    unsigned n = (unsigned)LLVMGetNumOperands(inst) / 2 - 1;
    if (is_zero(w, l) && w->m->is_library)
        return;
    stand_before(w, inst);
    if (bits_of(w, LLVMTypeOf(v)) > 64) {
        lost(w, inst, l);
        return;
    }
    LLVMValueRef args[] = {l, low_half(w, v), case_table(w, inst, n), i32(w, n),
                           site(w, inst)};
    call(w, "__treadle_sym_switch", w->m->none, args, 5);
}

static void visit_goto(flow *w, LLVMValueRef inst)
{
    made_concrete(w, inst, LLVMGetOperand(inst, 0));
}

/* --- calls --- */

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* The type an argument points to if a copy of it is passed, else NULL. */
static LLVMTypeRef copied_type(LLVMValueRef f_or_call, unsigned i)
{
    unsigned kind = attribute_kind("byval");
    LLVMAttributeRef a = LLVMIsAFunction(f_or_call)
                             ? LLVMGetEnumAttributeAtIndex(f_or_call, i + 1, kind)
                             : LLVMGetCallSiteEnumAttribute(f_or_call, i + 1, kind);
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

static LLVMValueRef store_to(flow *w, LLVMValueRef v, size_t offset)
{
    return LLVMBuildStore(w->b, v, control(w, offset));
}

static size_t argument_slot(unsigned i)
{
    return offsetof(plan_control, arguments) + i * sizeof(uint32_t);
}

/* The label that goes with an argument or result. */
static LLVMValueRef passed_label(const flow *w, LLVMValueRef v, unsigned i)
{
    return is_computed(w, v) ? w->zero : label_part(w, v, i);
}

static bool is_variadic(LLVMValueRef inst)
{
    return LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(inst));
}

/* Two bits for each argument, enum wire_va_kind. */
static uint64_t variable_kinds(const flow *w, LLVMValueRef inst)
{
    uint64_t kinds = 0;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst) && i < PLAN_ARGUMENTS; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, i));
        unsigned bits = copied_type(inst, i) ? 0 : bits_of(w, type);
        bool is_real = LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
        uint64_t kind = bits > 0 && bits <= 64 ? WIRE_VA_INTEGER
                        : is_real              ? WIRE_VA_REAL
                                               : WIRE_VA_OTHER;
        kinds |= kind << 2 * i;
    }
    return kinds;
}

enum passing { PASS_LABELS, PASS_ALWAYS };

/* Leaves the labels of the arguments; they or-ed, or NULL if there are none to leave.
 * always: so that one can see whether the callee took them. */
static LLVMValueRef pass_arguments(flow *w, LLVMValueRef inst, LLVMValueRef address,
                                   enum passing when)
{
    unsigned n = LLVMGetNumArgOperands(inst);
    LLVMValueRef any = NULL;
    bool copies = false;
    for (unsigned i = 0; i < n && i < PLAN_ARGUMENTS; i++) {
        LLVMValueRef arg = LLVMGetOperand(inst, i);
        copies = copies || copied_type(inst, i) != NULL;
        if (is_aggregate(LLVMTypeOf(arg)) || is_zero(w, passed_label(w, arg, 0)))
            continue;
        any = any ? LLVMBuildOr(w->b, any, passed_label(w, arg, 0), "")
                  : passed_label(w, arg, 0);
    }
    if (any == NULL && !copies && when == PASS_LABELS && !is_variadic(inst))
        return NULL;
    for (unsigned i = 0; i < n && i < PLAN_ARGUMENTS; i++) {
        LLVMValueRef arg = LLVMGetOperand(inst, i);
        if (copied_type(inst, i))
            store_to(w, LLVMBuildPtrToInt(w->b, arg, w->m->i64, ""),
                     offsetof(plan_control, sources) + i * sizeof(uint64_t));
        else if (bits_of(w, LLVMTypeOf(arg)))
            store_to(w, passed_label(w, arg, 0), argument_slot(i));
    }
    if (is_variadic(inst))
        store_to(w, i64(w, variable_kinds(w, inst)), offsetof(plan_control, va_kinds));
    store_to(w, address, offsetof(plan_control, callee));
    return any ? any : w->zero;
}

/* Arguments and results that have no slot. */
static void lose_others(flow *w, LLVMValueRef inst)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        LLVMValueRef arg = LLVMGetOperand(inst, i);
        bool aggregate = is_aggregate(LLVMTypeOf(arg));
        labels *l = may_be(w, arg) ? ins_map_get(&w->known, arg) : NULL;
        if ((!aggregate && i < PLAN_ARGUMENTS) || l == NULL)
            continue;
        for (unsigned k = 0; k < l->n; k++)
            lost(w, inst, l->at[k]);
    }
}

static bool is_renamed(const flow *w, LLVMValueRef inst)
{
    return ins_map_get(&w->m->renamed, LLVMGetCalledValue(inst)) != NULL;
}

/* The value comes back where nothing is followed. */
static bool jumps(const char *name)
{
    return strcmp(name, "longjmp") == 0 || strcmp(name, "_longjmp") == 0 ||
           strcmp(name, "siglongjmp") == 0 || strcmp(name, "__longjmp_chk") == 0;
}

/* Addresses, sizes of what is allocated, and what functions of the runtime do not follow. */
static void pin_arguments(flow *w, LLVMValueRef inst)
{
    const char *name = callee_name(w, inst);
    bool all = ins_rename_known(name) == WIRE_KNOWN_ALLOCATES || jumps(name);
    bool renamed = is_renamed(w, inst);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++)
        if (is_computed(w, LLVMGetOperand(inst, i)) || all ||
            (renamed && ins_rename_decides(name, i)))
            made_concrete(w, inst, LLVMGetOperand(inst, i));
}

/* Nothing is lost with what only goes out, or ends the run; what was taken over follows its
 * arguments, or they have been decided. A thunk hands them to the C library. */
static bool is_harmless(const flow *w, LLVMValueRef inst)
{
    char listed[128];
    const char *name = callee_name(w, inst);
    bool is_thunk =
        !ins_rename_is_taken(name, listed, sizeof listed) && ins_row_has_thunk(name);
    return (is_renamed(w, inst) && !is_thunk) || ins_rename_known(name) != WIRE_KNOWN_NO;
}

/* Where functions that write to a stream or a descriptor have it; -1: they do not. */
static int stream_argument(const char *name)
{
    static const struct {
        const char *name;
        int argument;
    } all[] = {{"fprintf", 0},        {"vfprintf", 0},       {"dprintf", 0},
               {"fputs", 1},          {"fputc", 1},          {"putc", 1},
               {"fwrite", 3},         {"putc_unlocked", 1},  {"fputc_unlocked", 1},
               {"fputs_unlocked", 1}, {"fwrite_unlocked", 3}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].argument;
    return -1;
}

/* Output to a stream that can be read back; how often size bytes of the first argument. */
static void lose_output(flow *w, LLVMValueRef inst, LLVMValueRef any)
{
    const char *name = callee_name(w, inst);
    int at = stream_argument(name);
    LLVMValueRef zero = i64(w, 0), stream, size = zero;
    if (LLVMGetFirstUse(inst) && any) /* how much it was is known to the caller */
        lost(w, inst, any);
    if (at < 0 || (unsigned)at >= LLVMGetNumArgOperands(inst))
        return;
    stream = LLVMGetOperand(inst, (unsigned)at);
    stream = is_pointer(stream) ? LLVMBuildPtrToInt(w->b, stream, w->m->i64, "")
                                : LLVMBuildZExt(w->b, stream, w->m->i64, "");
    if (strncmp(name, "fwrite", 6) == 0)
        size = LLVMBuildMul(w->b, LLVMGetOperand(inst, 1), LLVMGetOperand(inst, 2), "");
    LLVMValueRef args[] = {stream, any ? any : w->zero, LLVMConstNull(w->m->ptr), size,
                           site(w, inst)};
    if (any && !is_zero(w, any))
        call(w, "__treadle_sym_output", w->m->none, args, 5);
    args[1] = w->zero;
    for (int i = 0; i < (int)LLVMGetNumArgOperands(inst); i++) {
        LLVMValueRef arg = LLVMGetOperand(inst, (unsigned)i);
        args[2] = arg;
        if (i != at && is_pointer(arg) && !is_constant_memory(arg) && !LLVMIsNull(arg))
            call(w, "__treadle_sym_output", w->m->none, args, 5);
    }
}

static LLVMValueRef result_label(flow *w, unsigned i)
{
    size_t slot = offsetof(plan_control, results) + i * sizeof(uint32_t);
    return LLVMBuildLoad2(w->b, w->m->i32, control(w, slot), "");
}

static void visit_direct(flow *w, LLVMValueRef inst, const ins_twin *callee)
{
    pin_arguments(w, inst);
    stand_before(w, inst);
    lose_others(w, inst);
    pass_arguments(w, inst, LLVMConstPtrToInt(callee->address, w->m->i64), PASS_LABELS);
    LLVMSetOperand(inst, (unsigned)LLVMGetNumOperands(inst) - 1, callee->symbolic);
    stand_after(w, inst);
    if (!may_be(w, inst) && is_pointer(inst) && LLVMGetFirstUse(inst))
        decide_value(w, inst, result_label(w, 0), inst);
    if (!may_be(w, inst))
        return;
    labels *l = labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++)
        l->at[i] = result_label(w, i);
}

/* A function that perhaps nobody instrumented, and that looks at what it is shown. */
static bool may_be_foreign(const flow *w, LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    if (w->m->is_library)
        return false;
    if (!LLVMIsAFunction(callee))
        return true;
    const char *name = callee_name(w, inst);
    if (ins_rename_known(name) != WIRE_KNOWN_NO)
        return false;
    if (ins_map_get(&w->m->renamed, callee))
        return ins_rename_is_tainting(name) || ins_row_is(name, INS_ROW_UNWATCHED);
    return !ins_rename_is_harmless(name) && !ins_row_is(name, INS_ROW_VALUES);
}

/* What the call was given: labels of arguments, and of memory they point to. */
static void lose_given(flow *w, LLVMValueRef inst, LLVMValueRef address, LLVMValueRef any)
{
    bool library = w->m->is_library && LLVMIsAFunction(LLVMGetCalledValue(inst));
    if (!library && ins_rename_known(callee_name(w, inst)) == WIRE_KNOWN_OUTPUT)
        lose_output(w, inst, any);
    if (any && !is_zero(w, any) && !is_harmless(w, inst) && !library) {
        LLVMValueRef args[] = {any, address, site(w, inst)};
        call(w, "__treadle_sym_passed", w->m->none, args, 3);
    }
    for (unsigned i = 0; may_be_foreign(w, inst) && i < LLVMGetNumArgOperands(inst);
         i++) {
        LLVMValueRef arg = LLVMGetOperand(inst, i);
        if (!is_pointer(arg) || is_constant_memory(arg) || LLVMIsNull(arg) ||
            LLVMIsAFunction(arg))
            continue;
        LLVMValueRef args[] = {arg, address, site(w, inst)};
        call(w, "__treadle_sym_shown", w->m->none, args, 3);
    }
}

/* Functions that read a stream or a descriptor unseen: which argument that is, -1: it is
 * standard input; -2: another function. */
static int source_argument(const char *name)
{
    static const struct {
        const char *name;
        int argument;
    } all[] = {
        {"scanf", -1},  {"vscanf", -1}, {"getwchar", -1}, {"getwchar_unlocked", -1},
        {"gets", -1},   {"wscanf", -1}, {"vwscanf", -1},  {"fscanf", 0},
        {"vfscanf", 0}, {"getwc", 0},   {"fgetwc", 0},    {"getw", 0},
        {"fwscanf", 0}, {"fgetws", 2},  {"fdopen", 0},    {"vfwscanf", 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].argument;
    return -2;
}

static void tell_source(flow *w, LLVMValueRef inst)
{
    const char *name = callee_name(w, inst);
    int at = source_argument(name);
    if (at == -2 || w->m->is_library || at >= (int)LLVMGetNumArgOperands(inst))
        return;
    LLVMValueRef arg = at >= 0 ? LLVMGetOperand(inst, (unsigned)at) : i64(w, 0);
    LLVMValueRef stream = is_pointer(arg) ? LLVMBuildPtrToInt(w->b, arg, w->m->i64, "")
                                          : LLVMBuildZExt(w->b, arg, w->m->i64, "");
    LLVMValueRef args[] = {stream, LLVMBuildGlobalStringPtr(w->b, name, ""),
                           site(w, inst)};
    call(w, "__treadle_sym_stdin", w->m->none, args, 3);
}

static void visit_unknown(flow *w, LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    made_concrete(w, inst, callee);
    pin_arguments(w, inst);
    stand_before(w, inst);
    lose_others(w, inst);
    tell_source(w, inst);
    LLVMValueRef address = LLVMBuildPtrToInt(w->b, callee, w->m->i64, "");
    LLVMValueRef any = pass_arguments(w, inst, address, PASS_ALWAYS);
    bool returns = may_be(w, inst);
    store_to(w, i64(w, 0), offsetof(plan_control, returned));
    if (LLVMIsATerminatorInst(inst))
        return;
    stand_after(w, inst);
    lose_given(w, inst, address, any);
    if (!returns && is_pointer(inst) && LLVMGetFirstUse(inst)) {
        LLVMValueRef args[] = {address, i32(w, 0), i32(w, 64)};
        decide_value(w, inst, call(w, "__treadle_sym_result", w->m->i32, args, 3), inst);
    }
    if (!returns)
        return;
    labels *l = labels_new(w, inst);
    parts p = parts_of(w, LLVMTypeOf(inst));
    for (unsigned i = 0; i < l->n; i++) {
        unsigned bits = bits_of(w, p.at[i].type);
        LLVMValueRef args[] = {address, i32(w, i), i32(w, bits)};
        if (bits)
            l->at[i] = call(w, "__treadle_sym_result", w->m->i32, args, 3);
    }
}

/* memcpy, memmove, memset. */
static bool visit_memory(flow *w, LLVMValueRef inst, const char *name)
{
    bool copies = strncmp(name, "memcpy", 6) == 0 || strncmp(name, "memmove", 7) == 0;
    bool sets = strncmp(name, "memset", 6) == 0;
    size_t stem = strncmp(name, "memmove", 7) == 0 ? 7 : 6;
    if (!(copies || sets) || (name[stem] != 0 && name[stem] != '.') ||
        LLVMGetNumArgOperands(inst) < 3)
        return false;
    LLVMValueRef to = LLVMGetOperand(inst, 0), from = LLVMGetOperand(inst, 1);
    LLVMValueRef length = LLVMGetOperand(inst, 2);
    made_concrete(w, inst, to);
    made_concrete(w, inst, length);
    if (copies)
        made_concrete(w, inst, from);
    stand_after(w, inst);
    LLVMValueRef size = low_half(w, length);
    if (copies) {
        LLVMValueRef args[] = {to, from, size};
        call(w, "__treadle_sym_copy", w->m->none, args, 3);
    } else {
        LLVMValueRef l = label(w, from);
        if (!is_zero(w, l) && bits_of(w, LLVMTypeOf(from)) > 8)
            l = unary(w, WIRE_SYM_EXTRACT, l, LLVMBuildTrunc(w->b, from, w->m->i8, ""));
        LLVMValueRef args[] = {to, l, size};
        call(w, "__treadle_sym_fill", w->m->none, args, 3);
    }
    if (!LLVMIsAIntrinsicInst(inst))
        set_label(w, inst, label(w, to));
    return true;
}

/* Whether the intrinsic's name is this one, with its types behind it. */
static bool is_named(const char *name, const char *stem)
{
    size_t n = strlen(stem);
    return strncmp(name, stem, n) == 0 && (name[n] == 0 || name[n] == '.');
}

static bool visit_unary_intrinsic(flow *w, LLVMValueRef inst, const char *name)
{
    static const struct {
        const char *name;
        uint8_t op;
    } all[] = {{"bswap", WIRE_SYM_BSWAP},
               {"bitreverse", WIRE_SYM_BITREV},
               {"ctpop", WIRE_SYM_CTPOP},
               {"ctlz", WIRE_SYM_CTLZ},
               {"cttz", WIRE_SYM_CTTZ}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (is_named(name, all[i].name)) {
            set_label(w, inst,
                      unary(w, all[i].op, label(w, LLVMGetOperand(inst, 0)), inst));
            return true;
        }
    return false;
}

/* The label of condition ? a : b, of r. */
static LLVMValueRef select_label(flow *w, LLVMValueRef lc, LLVMValueRef c,
                                 LLVMValueRef sides[2], LLVMValueRef l[2])
{
    unsigned bits = bits_of(w, LLVMTypeOf(sides[0]));
    LLVMValueRef args[] = {i32(w, bits),
                           lc,
                           l[0],
                           l[1],
                           low_half(w, sides[0]),
                           low_half(w, sides[1]),
                           LLVMBuildZExt(w->b, c, w->m->i32, "")};
    return call(w, "__treadle_sym_select", w->m->i32, args, 7);
}

static bool visit_minmax(flow *w, LLVMValueRef inst, const char *name)
{
    static const struct {
        const char *name;
        LLVMIntPredicate predicate;
    } all[] = {{"smax", LLVMIntSGT},
               {"smin", LLVMIntSLT},
               {"umax", LLVMIntUGT},
               {"umin", LLVMIntULT}};
    if (bits_of(w, LLVMTypeOf(inst)) > 64)
        return false;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!is_named(name, all[i].name))
            continue;
        LLVMValueRef sides[2] = {LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1)};
        LLVMValueRef l[2] = {label(w, sides[0]), label(w, sides[1])};
        LLVMValueRef c = LLVMBuildICmp(w->b, all[i].predicate, sides[0], sides[1], "");
        uint8_t op;
        bool swaps = predicate_of(all[i].predicate, &op);
        LLVMValueRef values[3] = {sides[swaps], sides[!swaps], c};
        LLVMValueRef lc = binary_labels(w, op, l[swaps], l[!swaps], values);
        set_label(w, inst, select_label(w, lc, c, sides, l));
        return true;
    }
    return false;
}

static bool visit_abs(flow *w, LLVMValueRef inst, const char *name)
{
    if (!is_named(name, "abs") || bits_of(w, LLVMTypeOf(inst)) > 64)
        return false;
    LLVMValueRef v = LLVMGetOperand(inst, 0), zero = LLVMConstNull(LLVMTypeOf(v));
    LLVMValueRef negative = LLVMBuildICmp(w->b, LLVMIntSLT, v, zero, "");
    LLVMValueRef negated = LLVMBuildSub(w->b, zero, v, "");
    LLVMValueRef less[3] = {v, zero, negative}, minus[3] = {zero, v, negated};
    LLVMValueRef lc = binary_labels(w, WIRE_SYM_SLT, label(w, v), w->zero, less);
    LLVMValueRef l[2] = {binary_labels(w, WIRE_SYM_SUB, w->zero, label(w, v), minus),
                         label(w, v)};
    LLVMValueRef sides[2] = {negated, v};
    set_label(w, inst, select_label(w, lc, negative, sides, l));
    return true;
}

/* {result, whether it overflowed}. */
static bool visit_overflow(flow *w, LLVMValueRef inst, const char *name)
{
    static const struct {
        const char *name;
        uint8_t op;
    } all[] = {{"add.with.overflow", WIRE_SYM_ADD},
               {"sub.with.overflow", WIRE_SYM_SUB},
               {"mul.with.overflow", WIRE_SYM_MUL}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!is_named(name + (name[0] != 0), all[i].name))
            continue;
        LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
        unsigned bits = bits_of(w, LLVMTypeOf(a));
        if (!may_be(w, inst) || bits > 64)
            return bits <= 64;
        labels *l = labels_new(w, inst);
        l->at[0] = binary(w, all[i].op, a, b, LLVMBuildExtractValue(w->b, inst, 0, ""));
        LLVMValueRef args[] = {i32(w, WIRE_SYM(all[i].op, bits)),
                               i32(w, name[0] == 's'),
                               label(w, a),
                               label(w, b),
                               low_half(w, a),
                               low_half(w, b)};
        l->at[1] = call(w, "__treadle_sym_overflow", w->m->i32, args, 6);
        return true;
    }
    return false;
}

/* Funnel shifts: a above b, shifted by c modulo the width; of up to 64 bits. */
static bool visit_funnel(flow *w, LLVMValueRef inst, const char *name)
{
    bool left = is_named(name, "fshl");
    unsigned bits = bits_of(w, LLVMTypeOf(inst));
    if ((!left && !is_named(name, "fshr")) || bits == 0 || bits > 64 ||
        (bits & (bits - 1)) != 0)
        return false;
    LLVMTypeRef type = LLVMTypeOf(inst);
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
    LLVMValueRef c = LLVMGetOperand(inst, 2);
    LLVMValueRef mask = LLVMConstInt(type, bits - 1, 0), one = LLVMConstInt(type, 1, 0);
    /* left: a << c | (b >> 1) >> (mask - c); right: (a << 1) << (mask - c) | b >> c */
    LLVMValueRef by = LLVMBuildAnd(w->b, c, mask, "");
    LLVMValueRef v_by[3] = {c, mask, by};
    LLVMValueRef lby = binary_labels(w, WIRE_SYM_AND, label(w, c), w->zero, v_by);
    LLVMValueRef rest = LLVMBuildXor(w->b, by, mask, "");
    LLVMValueRef v_rest[3] = {by, mask, rest};
    LLVMValueRef lrest = binary_labels(w, WIRE_SYM_XOR, lby, w->zero, v_rest);
    LLVMValueRef moved_by_one =
        left ? LLVMBuildLShr(w->b, b, one, "") : LLVMBuildShl(w->b, a, one, "");
    LLVMValueRef v_one[3] = {left ? b : a, one, moved_by_one};
    LLVMValueRef lone = binary_labels(w, left ? WIRE_SYM_LSHR : WIRE_SYM_SHL,
                                      label(w, v_one[0]), w->zero, v_one);
    LLVMValueRef high_in = left ? a : moved_by_one, low_in = left ? moved_by_one : b;
    LLVMValueRef high_by = left ? by : rest, low_by = left ? rest : by;
    LLVMValueRef high = LLVMBuildShl(w->b, high_in, high_by, "");
    LLVMValueRef low = LLVMBuildLShr(w->b, low_in, low_by, "");
    LLVMValueRef v_high[3] = {high_in, high_by, high}, v_low[3] = {low_in, low_by, low};
    LLVMValueRef lhigh = binary_labels(w, WIRE_SYM_SHL, left ? label(w, a) : lone,
                                       left ? lby : lrest, v_high);
    LLVMValueRef llow = binary_labels(w, WIRE_SYM_LSHR, left ? lone : label(w, b),
                                      left ? lrest : lby, v_low);
    LLVMValueRef v_or[3] = {high, low, inst};
    set_label(w, inst, binary_labels(w, WIRE_SYM_OR, lhigh, llow, v_or));
    return true;
}

static bool passes_on(const char *name)
{
    static const char *const names[] = {"expect",
                                        "launder.invariant.group",
                                        "strip.invariant.group",
                                        "ptr.annotation",
                                        "annotation",
                                        "threadlocal.address",
                                        "expect.with.probability"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_named(name, names[i]))
            return true;
    return false;
}

static bool has_no_effect(const char *name)
{
    static const char *const names[] = {"dbg",         "lifetime",     "assume",
                                        "va_end",      "va_copy",      "stacksave",
                                        "trap",        "stackrestore", "objectsize",
                                        "is.constant", "prefetch",     "donothing",
                                        "sideeffect"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_named(name, names[i]))
            return true;
    return false;
}

/* The labels of the variable arguments, where va_arg finds them. */
static void visit_va_start(flow *w, LLVMValueRef inst)
{
    if (w->variable == NULL)
        return;
    stand_after(w, inst);
    LLVMValueRef args[] = {LLVMGetOperand(inst, 0), w->variable,
                           i32(w, LLVMCountParams(w->f)), site(w, inst)};
    call(w, "__treadle_sym_va_start", w->m->none, args, 4);
}

/* An intrinsic that is not followed reads values and writes others. */
static void visit_touches(flow *w, LLVMValueRef inst)
{
    ins_access_vec all = {0};
    (void)ins_intrinsic_reach(w->m, inst,
                              &all); /* what is not known has a gap of its own */
    for (size_t i = 0; i < all.len; i++) {
        const ins_access *a = &all.at[i];
        LLVMValueRef size = a->length ? a->length : i64(w, a->size);
        if (a->write) {
            stand_after(w, inst);
            LLVMValueRef args[] = {a->address, w->zero, size};
            call(w, "__treadle_sym_fill", w->m->none, args, 3);
        } else {
            stand_before(w, inst);
            LLVMValueRef args[] = {a->address, size, site(w, inst)};
            call(w, "__treadle_sym_opaque", w->m->none, args, 3);
        }
    }
    ins_access_vec_fini(&all);
}

static void visit_intrinsic(flow *w, LLVMValueRef inst, const char *name)
{
    if (is_named(name, "va_start")) {
        visit_va_start(w, inst);
        return;
    }
    if (has_no_effect(name) || LLVMIsATerminatorInst(inst))
        return;
    stand_after(w, inst);
    if (passes_on(name)) {
        visit_same(w, inst);
        return;
    }
    if (visit_unary_intrinsic(w, inst, name) || visit_minmax(w, inst, name) ||
        visit_abs(w, inst, name) || visit_overflow(w, inst, name) ||
        visit_funnel(w, inst, name))
        return;
    visit_touches(w, inst);
    stand_after(w, inst);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++)
        lost(w, inst, label(w, LLVMGetOperand(inst, i)));
}

/* A divisor that is 0, and the least number divided by -1, may end the program: sides of their
 * own. A loop that carries symbolic values does not wait. */
static void visit_hook(flow *w, LLVMValueRef inst, const char *name)
{
    enum { LOOP_STATE = 2 };
    if (strcmp(name, INS_DIVISION_HOOK) == 0) {
        LLVMValueRef fails = LLVMGetOperand(inst, 0);
        stand_before(w, inst);
        decided(w, inst, label(w, fails), fails);
        return;
    }
    if (strcmp(name, "__treadle_loop") != 0 && strcmp(name, "__treadle_plain_loop") != 0)
        return;
    LLVMValueRef l = label(w, LLVMGetOperand(inst, LOOP_STATE));
    if (is_zero(w, l))
        return;
    stand_before(w, inst);
    call(w, "__treadle_sym_loop", w->m->none, &l, 1);
}

/* Assembly that stays: what it is given is lost, what it writes is new. */
static void visit_asm(flow *w, LLVMValueRef inst)
{
    ins_asm_left left;
    ins_asm_look(w->m, inst, &left);
    stand_before(w, inst);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++)
        lost(w, inst, label(w, LLVMGetOperand(inst, i)));
    for (unsigned i = 0; i < left.n_touches; i++)
        if (!left.touches[i].is_write)
            opaque(w, inst, left.touches[i].address, left.touches[i].size);
    for (unsigned i = 0; i < left.n_touches; i++)
        if (left.touches[i].is_write)
            store_label(w, left.touches[i].address, left.touches[i].size, w->zero);
}

static void visit_call(flow *w, LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    size_t length = 0;
    if (LLVMIsACallInst(inst))
        LLVMSetTailCall(inst, 0);
    if (LLVMIsAInlineAsm(callee)) {
        visit_asm(w, inst);
        return;
    }
    if (!LLVMIsAFunction(callee)) {
        visit_unknown(w, inst);
        return;
    }
    const char *name = LLVMGetValueName2(callee, &length);
    if (is_hook(w, callee, name)) {
        visit_hook(w, inst, name);
        return;
    }
    const ins_twin *twin = ins_twin_of(w->m, callee);
    if (LLVMGetIntrinsicID(callee) != 0) {
        if (!visit_memory(w, inst, name + 5))
            visit_intrinsic(w, inst, name + 5);
    } else if (LLVMIsACallInst(inst) && LLVMIsDeclaration(callee) &&
               visit_memory(w, inst, name))
        return;
    else if (twin && LLVMIsACallInst(inst))
        visit_direct(w, inst, twin);
    else
        visit_unknown(w, inst);
}

static void visit_return(flow *w, LLVMValueRef inst)
{
    LLVMValueRef v = LLVMGetNumOperands(inst) > 0 ? LLVMGetOperand(inst, 0) : NULL;
    bool follows = v && is_followed(w, LLVMTypeOf(v));
    parts p = {0};
    if (follows)
        p = parts_of(w, LLVMTypeOf(v));
    if (follows && is_computed(w, v))
        made_concrete(w, inst, v);
    stand_before(w, inst);
    for (unsigned i = 0; i < p.n; i++)
        store_to(w, passed_label(w, v, i),
                 offsetof(plan_control, results) + i * sizeof(uint32_t));
    store_to(w, LLVMConstPtrToInt(w->twin->address, w->m->i64),
             offsetof(plan_control, returned));
}

static const visitor visitors[] = {
    [LLVMAdd] = visit_binary,
    [LLVMSub] = visit_binary,
    [LLVMMul] = visit_binary,
    [LLVMUDiv] = visit_binary,
    [LLVMSDiv] = visit_binary,
    [LLVMURem] = visit_binary,
    [LLVMSRem] = visit_binary,
    [LLVMAnd] = visit_binary,
    [LLVMOr] = visit_binary,
    [LLVMXor] = visit_binary,
    [LLVMShl] = visit_binary,
    [LLVMLShr] = visit_binary,
    [LLVMAShr] = visit_binary,
    [LLVMICmp] = visit_compare,
    [LLVMTrunc] = visit_cast,
    [LLVMZExt] = visit_cast,
    [LLVMSExt] = visit_cast,
    [LLVMPtrToInt] = visit_cast,
    [LLVMIntToPtr] = visit_cast,
    [LLVMBitCast] = visit_cast,
    [LLVMAddrSpaceCast] = visit_cast,
    [LLVMSIToFP] = visit_cast,
    [LLVMUIToFP] = visit_cast,
    [LLVMSelect] = visit_select,
    [LLVMGetElementPtr] = visit_gep,
    [LLVMLoad] = visit_load,
    [LLVMStore] = visit_store,
    [LLVMAlloca] = visit_alloca,
    [LLVMAtomicRMW] = visit_rmw,
    [LLVMAtomicCmpXchg] = visit_cmpxchg,
    [LLVMExtractValue] = visit_extract,
    [LLVMInsertValue] = visit_insert,
    [LLVMFreeze] = visit_same,
    [LLVMBr] = visit_branch,
    [LLVMSwitch] = visit_switch,
    [LLVMIndirectBr] = visit_goto,
    [LLVMCall] = visit_call,
    [LLVMInvoke] = visit_call,
    [LLVMCallBr] = visit_call,
    [LLVMRet] = visit_return,
};

#define N_VISITORS (sizeof visitors / sizeof visitors[0])

/* --- PHIs --- */

static void start_phi(flow *w, LLVMValueRef phi)
{
    if (!may_be(w, phi))
        return;
    labels *l = labels_new(w, phi);
    parts p = parts_of(w, LLVMTypeOf(phi));
    stand_before(w, phi);
    for (unsigned i = 0; i < l->n; i++)
        if (bits_of(w, p.at[i].type))
            l->at[i] = LLVMBuildPhi(w->b, w->m->i32, "");
}

static void finish_phi(flow *w, LLVMValueRef phi)
{
    const labels *l = may_be(w, phi) ? ins_map_get(&w->known, phi) : NULL;
    for (unsigned i = 0; l && i < l->n; i++) {
        if (is_zero(w, l->at[i]))
            continue;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMValueRef from = label_part(w, LLVMGetIncomingValue(phi, k), i);
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, k);
            LLVMAddIncoming(l->at[i], &from, &block, 1);
        }
    }
}

/* --- the function --- */

static LLVMValueRef taken_label(flow *w, LLVMValueRef meant, unsigned i)
{
    LLVMValueRef l = LLVMBuildLoad2(w->b, w->m->i32, control(w, argument_slot(i)), "");
    return LLVMBuildSelect(w->b, meant, l, w->zero, "");
}

/* The first instruction of the function itself that has a place; NULL: none. */
static LLVMValueRef first_place(const flow *w)
{
    LLVMValueRef inst = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->f));
    while (inst && (!ins_map_get(w->twin->origin, inst) || LLVMIsAAllocaInst(inst) ||
                    !LLVMInstructionGetDebugLoc(inst)))
        inst = LLVMGetNextInstruction(inst);
    if (inst)
        return inst;
    inst = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->f));
    while (inst && !ins_map_get(w->twin->origin, inst))
        inst = LLVMGetNextInstruction(inst);
    return inst;
}

static LLVMValueRef variable_room(flow *w)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->m->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->f)));
    LLVMTypeRef type = LLVMArrayType(w->m->i64, sizeof(wire_va) / sizeof(uint64_t));
    LLVMValueRef room = LLVMBuildAlloca(b, type, "");
    LLVMDisposeBuilder(b);
    return room;
}

/* Labels of the arguments, if they are meant for this function. */
static void take_arguments(flow *w)
{
    LLVMValueRef place = first_place(w);
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->f));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(w->b, first);
    LLVMSetCurrentDebugLocation2(w->b, NULL);
    LLVMValueRef slot = control(w, offsetof(plan_control, callee));
    LLVMValueRef self = LLVMConstPtrToInt(w->twin->address, w->m->i64);
    LLVMValueRef meant =
        LLVMBuildICmp(w->b, LLVMIntEQ, LLVMBuildLoad2(w->b, w->m->i64, slot, ""), self,
                      "");
    for (unsigned i = 0; i < LLVMCountParams(w->f) && i < PLAN_ARGUMENTS; i++) {
        LLVMValueRef param = LLVMGetParam(w->f, i);
        LLVMTypeRef copied = copied_type(w->f, i);
        if (copied) {
            LLVMValueRef args[] = {param, i32(w, i),
                                   i64(w, LLVMABISizeOfType(w->m->layout, copied)),
                                   LLVMBuildZExt(w->b, meant, w->m->i32, "")};
            call(w, "__treadle_sym_argument", w->m->none, args, 4);
            set_label(w, param, w->zero);
        } else if (may_be(w, param) && bits_of(w, LLVMTypeOf(param)) &&
                   LLVMGetFirstUse(param)) {
            set_label(w, param, taken_label(w, meant, i));
        } else if (is_pointer(param) && LLVMGetFirstUse(param) && place) {
            decide_value(w, place, taken_label(w, meant, i), param);
        }
    }
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(w->f))) {
        w->variable = variable_room(w);
        LLVMValueRef args[] = {w->variable, LLVMBuildZExt(w->b, meant, w->m->i32, "")};
        call(w, "__treadle_sym_va_take", w->m->none, args, 2);
    }
    store_to(w, i64(w, 0), offsetof(plan_control, callee));
}

/* Instructions of the function itself, not what was inserted. */
static void list_block(const flow *w, LLVMBasicBlockRef bb, ins_value_vec *out)
{
    ins_value_vec_clear(out);
    LLVMValueRef inst = LLVMGetFirstInstruction(bb);
    for (; inst; inst = LLVMGetNextInstruction(inst))
        if (ins_map_get(w->twin->origin, inst))
            ins_value_vec_push(out, inst);
}

/* Reverse post-order: every block behind those that dominate it. */
static void order_blocks(flow *w)
{
    ins_map seen = {0};
    block_vec stack = {0}, done = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(w->f);
    block_vec_push(&stack, entry);
    ins_map_put(&seen, entry, entry);
    while (stack.len > 0) {
        LLVMBasicBlockRef bb = stack.at[stack.len - 1], next = NULL;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(bb);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && next == NULL; i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            if (ins_map_get(&seen, to) == NULL)
                next = to;
        }
        if (next) {
            ins_map_put(&seen, next, next);
            block_vec_push(&stack, next);
        } else {
            block_vec_push(&done, bb);
            stack.len--;
        }
    }
    for (size_t i = done.len; i-- > 0;)
        block_vec_push(&w->order, done.at[i]);
    block_vec_fini(&stack);
    block_vec_fini(&done);
    ins_map_fini(&seen);
}

static void visit_block(flow *w, const ins_value_vec *instructions)
{
    for (size_t i = 0; i < instructions->len; i++) {
        LLVMValueRef inst = instructions->at[i];
        unsigned opcode = LLVMGetInstructionOpcode(inst);
        if (opcode < N_VISITORS && visitors[opcode])
            visitors[opcode](w, inst);
        else if (!LLVMIsAPHINode(inst))
            visit_other(w, inst);
    }
}

static void flow_fini(flow *w)
{
    for (size_t i = 0; i < w->known.cap; i++)
        td_free(w->known.slots[i].value);
    ins_map_fini(&w->known);
    ins_map_fini(&w->may);
    ins_map_fini(&w->sites);
    block_vec_fini(&w->order);
}

void ins_flow_function(ins_module *m, const ins_twin *twin)
{
    flow w = {.m = m,
              .twin = twin,
              .f = twin->symbolic,
              .b = m->builder,
              .zero = LLVMConstInt(m->i32, 0, 0)};
    ins_value_vec phis = {0}, list = {0};
    order_blocks(&w);
    find_symbolic(&w);
    for (size_t i = 0; i < w.order.len; i++) {
        list_block(&w, w.order.at[i], &list);
        for (size_t k = 0; k < list.len && LLVMIsAPHINode(list.at[k]); k++) {
            start_phi(&w, list.at[k]);
            ins_value_vec_push(&phis, list.at[k]);
        }
    }
    take_arguments(&w);
    for (size_t i = 0; i < w.order.len; i++) {
        list_block(&w, w.order.at[i], &list);
        visit_block(&w, &list);
    }
    for (size_t i = 0; i < phis.len; i++)
        finish_phi(&w, phis.at[i]);
    ins_value_vec_fini(&phis);
    ins_value_vec_fini(&list);
    flow_fini(&w);
}
