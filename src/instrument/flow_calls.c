/* SPDX-License-Identifier: Apache-2.0 */
/* Labels that pass from function to function: they lie in the control page (wire/layout.h) while a
 * function is called or returns. What a function takes that follows no labels is lost. */
#include "instrument/flow.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "base/assert.h"
#include "wire/hooks.h"
#include "wire/layout.h"

static LLVMValueRef store_to(ins_flow *w, LLVMValueRef v, size_t offset)
{
    return LLVMBuildStore(w->b, v, ins_flow_control(w, offset));
}

static size_t argument_slot(unsigned i)
{
    TD_ASSERT(i < PLAN_ARGUMENTS);
    return offsetof(plan_control, arguments) + i * sizeof(uint32_t);
}

/* The label that goes with an argument or result. */
static LLVMValueRef passed_label(const ins_flow *w, LLVMValueRef v, unsigned i)
{
    return ins_flow_is_computed(w, v) ? w->zero : ins_flow_label_part(w, v, i);
}

static bool is_variadic(LLVMValueRef inst)
{
    return LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(inst));
}

/* Two bits for each argument, enum wire_va_kind. */
static uint64_t variable_kinds(const ins_flow *w, LLVMValueRef inst)
{
    uint64_t kinds = 0;
    static_assert(2 * PLAN_ARGUMENTS <= 64, "two bits for each");
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst) && i < PLAN_ARGUMENTS; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, i));
        unsigned bits = ins_copied_type(inst, i) ? 0 : ins_flow_bits_of(type);
        bool is_real = LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
        uint64_t kind = bits > 0 && bits <= 64 ? WIRE_VA_INTEGER
                        : is_real              ? WIRE_VA_REAL
                                               : WIRE_VA_OTHER;
        kinds |= kind << 2 * i;
    }
    return kinds;
}

enum passing { PASS_LABELS, PASS_ALWAYS };

/* Passes the labels of the arguments; returns them or-ed, or NULL if there are none to pass. always: so that
 * the caller can detect whether the callee took them. */
static LLVMValueRef pass_arguments(ins_flow *w, LLVMValueRef inst, LLVMValueRef address,
                                   enum passing when)
{
    unsigned n = LLVMGetNumArgOperands(inst);
    LLVMValueRef any = NULL;
    bool copies = false;
    for (unsigned i = 0; i < n && i < PLAN_ARGUMENTS; i++) {
        LLVMValueRef arg = LLVMGetOperand(inst, i);
        copies = copies || ins_copied_type(inst, i) != NULL;
        if (ins_flow_is_aggregate(LLVMTypeOf(arg)) ||
            ins_flow_is_zero(w, passed_label(w, arg, 0)))
            continue;
        any = any ? LLVMBuildOr(w->b, any, passed_label(w, arg, 0), "")
                  : passed_label(w, arg, 0);
    }
    if (any == NULL && !copies && when == PASS_LABELS && !is_variadic(inst))
        return NULL;
    for (unsigned i = 0; i < n && i < PLAN_ARGUMENTS; i++) {
        LLVMValueRef arg = LLVMGetOperand(inst, i);
        if (ins_copied_type(inst, i))
            store_to(w, LLVMBuildPtrToInt(w->b, arg, w->m->i64, ""),
                     offsetof(plan_control, sources) + i * sizeof(uint64_t));
        else if (ins_flow_bits_of(LLVMTypeOf(arg)))
            store_to(w, passed_label(w, arg, 0), argument_slot(i));
    }
    if (is_variadic(inst))
        store_to(w, ins_flow_i64(w, variable_kinds(w, inst)),
                 offsetof(plan_control, va_kinds));
    store_to(w, address, offsetof(plan_control, callee));
    return any ? any : w->zero;
}

/* Arguments and results that have no slot. */
static void lose_others(ins_flow *w, LLVMValueRef inst)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        LLVMValueRef arg = LLVMGetOperand(inst, i);
        bool aggregate = ins_flow_is_aggregate(LLVMTypeOf(arg));
        ins_labels *l = ins_flow_may_be(w, arg) ? ins_map_get(&w->known, arg) : NULL;
        if ((!aggregate && i < PLAN_ARGUMENTS) || l == NULL)
            continue;
        for (unsigned k = 0; k < l->n; k++)
            ins_flow_lost(w, inst, l->at[k]);
    }
}

static bool is_renamed(const ins_flow *w, LLVMValueRef inst)
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
static void pin_arguments(ins_flow *w, LLVMValueRef inst)
{
    const char *name = ins_flow_callee_name(w, inst);
    bool all = ins_api_known(name) == WIRE_KNOWN_ALLOCATES || jumps(name);
    bool renamed = is_renamed(w, inst);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++)
        if (ins_flow_is_computed(w, LLVMGetOperand(inst, i)) || all ||
            (renamed && ins_api_decides(name, i)))
            ins_flow_made_concrete(w, inst, LLVMGetOperand(inst, i));
}

/* Nothing is lost with what only goes out, or ends the run; what was taken over follows its
 * arguments, or they have been decided. A thunk hands them to the C library. */
static bool is_harmless(const ins_flow *w, LLVMValueRef inst)
{
    char listed[256];
    const char *name = ins_flow_callee_name(w, inst);
    bool is_thunk =
        !ins_api_is_taken(name, listed, sizeof listed) && ins_row_has_thunk(name);
    return (is_renamed(w, inst) && !is_thunk) || ins_api_known(name) != WIRE_KNOWN_NO;
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
static void lose_output(ins_flow *w, LLVMValueRef inst, LLVMValueRef any)
{
    const char *name = ins_flow_callee_name(w, inst);
    int at = stream_argument(name);
    LLVMValueRef zero = ins_flow_i64(w, 0), stream, size = zero;
    if (LLVMGetFirstUse(inst) && any) /* how much it was is known to the caller */
        ins_flow_lost(w, inst, any);
    if (at < 0 || (unsigned)at >= LLVMGetNumArgOperands(inst))
        return;
    stream = LLVMGetOperand(inst, (unsigned)at);
    stream = ins_flow_is_pointer(stream) ? LLVMBuildPtrToInt(w->b, stream, w->m->i64, "")
                                         : LLVMBuildZExt(w->b, stream, w->m->i64, "");
    if (strncmp(name, "fwrite", 6) == 0)
        size = LLVMBuildMul(w->b, LLVMGetOperand(inst, 1), LLVMGetOperand(inst, 2), "");
    LLVMValueRef args[] = {stream, any ? any : w->zero, LLVMConstNull(w->m->ptr), size,
                           ins_flow_site(w, inst)};
    if (any && !ins_flow_is_zero(w, any))
        ins_flow_call(w, "__treadle_sym_output", w->m->none, args, 5);
    args[1] = w->zero;
    for (int i = 0; i < (int)LLVMGetNumArgOperands(inst); i++) {
        LLVMValueRef arg = LLVMGetOperand(inst, (unsigned)i);
        args[2] = arg;
        if (i != at && ins_flow_is_pointer(arg) && !ins_flow_is_constant_memory(arg) &&
            !LLVMIsNull(arg))
            ins_flow_call(w, "__treadle_sym_output", w->m->none, args, 5);
    }
}

static LLVMValueRef result_label(ins_flow *w, unsigned i)
{
    TD_ASSERT(i < PLAN_RESULTS);
    size_t slot = offsetof(plan_control, results) + i * sizeof(uint32_t);
    return LLVMBuildLoad2(w->b, w->m->i32, ins_flow_control(w, slot), "");
}

static void visit_direct(ins_flow *w, LLVMValueRef inst, const ins_twin *callee)
{
    TD_ASSERT(LLVMIsACallInst(inst) && callee->symbolic != NULL &&
              callee->address != NULL);
    pin_arguments(w, inst);
    ins_flow_stand_before(w, inst);
    lose_others(w, inst);
    pass_arguments(w, inst, LLVMConstPtrToInt(callee->address, w->m->i64), PASS_LABELS);
    LLVMSetOperand(inst, (unsigned)LLVMGetNumOperands(inst) - 1, callee->symbolic);
    ins_flow_stand_after(w, inst);
    if (!ins_flow_may_be(w, inst) && ins_flow_is_pointer(inst) && LLVMGetFirstUse(inst))
        ins_flow_decide_value(w, inst, result_label(w, 0), inst);
    if (!ins_flow_may_be(w, inst))
        return;
    ins_labels *l = ins_flow_labels_new(w, inst);
    for (unsigned i = 0; i < l->n; i++)
        l->at[i] = result_label(w, i);
}

/* True for a function that may be uninstrumented and reads the memory it is given. */
static bool may_be_foreign(const ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    if (w->m->is_library)
        return false;
    if (!LLVMIsAFunction(callee))
        return true;
    const char *name = ins_flow_callee_name(w, inst);
    if (ins_api_known(name) != WIRE_KNOWN_NO)
        return false;
    if (ins_map_get(&w->m->renamed, callee))
        return ins_api_is_tainting(name) || ins_row_is(name, INS_ROW_UNWATCHED);
    return !ins_api_is_harmless(name) && !ins_row_is(name, INS_ROW_VALUES);
}

/* What the call was given: labels of arguments, and of memory they point to. */
static void lose_given(ins_flow *w, LLVMValueRef inst, LLVMValueRef address,
                       LLVMValueRef any)
{
    bool library = w->m->is_library && LLVMIsAFunction(LLVMGetCalledValue(inst));
    if (!library && ins_api_known(ins_flow_callee_name(w, inst)) == WIRE_KNOWN_OUTPUT)
        lose_output(w, inst, any);
    if (any && !ins_flow_is_zero(w, any) && !is_harmless(w, inst) && !library) {
        LLVMValueRef args[] = {any, address, ins_flow_site(w, inst)};
        ins_flow_call(w, "__treadle_sym_passed", w->m->none, args, 3);
    }
    for (unsigned i = 0; may_be_foreign(w, inst) && i < LLVMGetNumArgOperands(inst);
         i++) {
        LLVMValueRef arg = LLVMGetOperand(inst, i);
        if (!ins_flow_is_pointer(arg) || ins_flow_is_constant_memory(arg) ||
            LLVMIsNull(arg) || LLVMIsAFunction(arg))
            continue;
        LLVMValueRef args[] = {arg, address, ins_flow_site(w, inst)};
        ins_flow_call(w, "__treadle_sym_shown", w->m->none, args, 3);
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

static void tell_source(ins_flow *w, LLVMValueRef inst)
{
    const char *name = ins_flow_callee_name(w, inst);
    int at = source_argument(name);
    if (at == -2 || w->m->is_library || at >= (int)LLVMGetNumArgOperands(inst))
        return;
    LLVMValueRef arg = at >= 0 ? LLVMGetOperand(inst, (unsigned)at) : ins_flow_i64(w, 0);
    LLVMValueRef stream = ins_flow_is_pointer(arg)
                              ? LLVMBuildPtrToInt(w->b, arg, w->m->i64, "")
                              : LLVMBuildZExt(w->b, arg, w->m->i64, "");
    LLVMValueRef args[] = {stream, LLVMBuildGlobalStringPtr(w->b, name, ""),
                           ins_flow_site(w, inst)};
    ins_flow_call(w, "__treadle_sym_stdin", w->m->none, args, 3);
}

static void visit_unknown(ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    ins_flow_made_concrete(w, inst, callee);
    pin_arguments(w, inst);
    ins_flow_stand_before(w, inst);
    lose_others(w, inst);
    tell_source(w, inst);
    LLVMValueRef address = LLVMBuildPtrToInt(w->b, callee, w->m->i64, "");
    LLVMValueRef any = pass_arguments(w, inst, address, PASS_ALWAYS);
    bool returns = ins_flow_may_be(w, inst);
    store_to(w, ins_flow_i64(w, 0), offsetof(plan_control, returned));
    if (LLVMIsATerminatorInst(inst))
        return;
    ins_flow_stand_after(w, inst);
    lose_given(w, inst, address, any);
    if (!returns && ins_flow_is_pointer(inst) && LLVMGetFirstUse(inst)) {
        LLVMValueRef args[] = {address, ins_flow_i32(w, 0), ins_flow_i32(w, 64)};
        ins_flow_decide_value(
            w, inst, ins_flow_call(w, "__treadle_sym_result", w->m->i32, args, 3), inst);
    }
    if (!returns)
        return;
    ins_labels *l = ins_flow_labels_new(w, inst);
    ins_parts p = ins_flow_parts_of(w, LLVMTypeOf(inst));
    for (unsigned i = 0; i < l->n; i++) {
        unsigned bits = ins_flow_bits_of(p.at[i].type);
        LLVMValueRef args[] = {address, ins_flow_i32(w, i), ins_flow_i32(w, bits)};
        if (bits)
            l->at[i] = ins_flow_call(w, "__treadle_sym_result", w->m->i32, args, 3);
    }
}

/* PHIs of a hooked header that may be symbolic, at most WIRE_MAX_PHIS; how many. The labels of the others are
 * reported (__treadle_sym_loop). */
static unsigned slots_of(ins_flow *w, LLVMValueRef hook, LLVMValueRef *phis)
{
    unsigned n = 0;
    LLVMValueRef inst = LLVMGetFirstInstruction(LLVMGetInstructionParent(hook));
    for (; inst && LLVMIsAPHINode(inst); inst = LLVMGetNextInstruction(inst)) {
        LLVMValueRef plain = ins_map_get(w->twin->origin, inst);
        unsigned bits = ins_flow_bits_of(LLVMTypeOf(inst));
        if (!plain || !ins_map_get(&w->m->phis, plain) || !ins_flow_may_be(w, inst))
            continue;
        if (bits > 0 && bits <= 64 && n < WIRE_MAX_PHIS) {
            phis[n++] = inst;
            continue;
        }
        const ins_labels *l = ins_map_get(&w->known, inst);
        for (unsigned i = 0; l && i < l->n; i++) {
            LLVMValueRef label = l->at[i];
            ins_flow_call(w, "__treadle_sym_loop", w->m->none, &label, 1);
        }
    }
    return n;
}

/* At the header the runtime may write a PHI to a place of the loop and read it back; behind the header it has the label
 * of that read. */
static void visit_loop(ins_flow *w, LLVMValueRef hook)
{
    enum { LOOP_RECORD = 0 };
    LLVMValueRef phis[WIRE_MAX_PHIS];
    ins_flow_stand_before(w, hook);
    unsigned n = slots_of(w, hook, phis);
    LLVMValueRef all[] = {LLVMGetOperand(hook, LOOP_RECORD), ins_flow_i32(w, n)};
    ins_flow_call(w, "__treadle_sym_phis", w->m->none, all, 2);
    for (unsigned i = 0; i < n; i++) {
        uintptr_t number =
            (uintptr_t)ins_map_get(&w->m->phis, ins_map_get(w->twin->origin, phis[i]));
        unsigned bits = ins_flow_bits_of(LLVMTypeOf(phis[i]));
        LLVMValueRef args[] = {ins_flow_i32(w, i),
                               ins_flow_i32(w, PLAN_PHI(number - 1, bits)),
                               ins_flow_label(w, phis[i]), ins_flow_low_half(w, phis[i])};
        ins_flow_call(w, "__treadle_sym_phi", w->m->none, args, 4);
    }
    ins_flow_stand_after(w, hook);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef index = ins_flow_i32(w, i);
        ins_flow_set_label(w, phis[i],
                           ins_flow_call(w, "__treadle_sym_slot", w->m->i32, &index, 1));
    }
}

/* A divisor that is 0, and the least number divided by -1, may end the program: sides of their
 * own. */
static void visit_hook(ins_flow *w, LLVMValueRef inst, const char *name)
{
    if (strcmp(name, INS_DIVISION_HOOK) == 0) {
        LLVMValueRef fails = LLVMGetOperand(inst, 0);
        ins_flow_stand_before(w, inst);
        ins_flow_decided(w, inst, ins_flow_label(w, fails), fails);
        return;
    }
    if (strcmp(name, "__treadle_loop") == 0 ||
        strcmp(name, "__treadle_plain_loop") == 0 ||
        strcmp(name, "__treadle_carry_loop") == 0)
        visit_loop(w, inst);
}

/* Assembly that stays: what it is given is lost, what it writes is new. */
static void visit_asm(ins_flow *w, LLVMValueRef inst)
{
    ins_asm_left left;
    ins_asm_look(w->m, inst, &left);
    ins_flow_stand_before(w, inst);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++)
        ins_flow_lost(w, inst, ins_flow_label(w, LLVMGetOperand(inst, i)));
    for (unsigned i = 0; i < left.n_touches; i++)
        if (!left.touches[i].is_write)
            ins_flow_opaque(w, inst, left.touches[i].address, left.touches[i].size);
    for (unsigned i = 0; i < left.n_touches; i++)
        if (left.touches[i].is_write)
            ins_flow_store_label(w, left.touches[i].address, left.touches[i].size,
                                 w->zero);
}

void ins_flow_visit_call(ins_flow *w, LLVMValueRef inst)
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
    if (ins_flow_is_hook(w, callee, name)) {
        visit_hook(w, inst, name);
        return;
    }
    const ins_twin *twin = ins_twin_of(w->m, callee);
    char intrinsic[INS_INTRINSIC_NAME];
    if (ins_intrinsic_name(callee, intrinsic, sizeof intrinsic)) {
        if (!ins_flow_visit_memory(w, inst, intrinsic))
            ins_flow_visit_intrinsic(w, inst, intrinsic);
    } else if (LLVMIsACallInst(inst) && LLVMIsDeclaration(callee) &&
               ins_flow_visit_memory(w, inst, name))
        return;
    else if (twin && LLVMIsACallInst(inst))
        visit_direct(w, inst, twin);
    else
        visit_unknown(w, inst);
}

void ins_flow_visit_return(ins_flow *w, LLVMValueRef inst)
{
    LLVMValueRef v = LLVMGetNumOperands(inst) > 0 ? LLVMGetOperand(inst, 0) : NULL;
    bool follows = v && ins_flow_is_followed(w, LLVMTypeOf(v));
    ins_parts p = {0};
    if (follows)
        p = ins_flow_parts_of(w, LLVMTypeOf(v));
    if (follows && ins_flow_is_computed(w, v))
        ins_flow_made_concrete(w, inst, v);
    ins_flow_stand_before(w, inst);
    for (unsigned i = 0; i < p.n; i++)
        store_to(w, passed_label(w, v, i),
                 offsetof(plan_control, results) + i * sizeof(uint32_t));
    store_to(w, LLVMConstPtrToInt(w->twin->address, w->m->i64),
             offsetof(plan_control, returned));
}

static LLVMValueRef taken_label(ins_flow *w, LLVMValueRef meant, unsigned i)
{
    LLVMValueRef l =
        LLVMBuildLoad2(w->b, w->m->i32, ins_flow_control(w, argument_slot(i)), "");
    return LLVMBuildSelect(w->b, meant, l, w->zero, "");
}

/* The first instruction of the function itself that has a place; NULL: none. */
static LLVMValueRef first_place(const ins_flow *w)
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

static LLVMValueRef variable_room(ins_flow *w)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w->m->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->f)));
    LLVMTypeRef type = LLVMArrayType(w->m->i64, sizeof(wire_va) / sizeof(uint64_t));
    LLVMValueRef room = LLVMBuildAlloca(b, type, "");
    LLVMDisposeBuilder(b);
    return room;
}

/* Labels of the arguments, if they are meant for this function. */
void ins_flow_take_arguments(ins_flow *w)
{
    LLVMValueRef place = first_place(w);
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->f));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(w->b, first);
    LLVMSetCurrentDebugLocation2(w->b, NULL);
    LLVMValueRef slot = ins_flow_control(w, offsetof(plan_control, callee));
    LLVMValueRef self = LLVMConstPtrToInt(w->twin->address, w->m->i64);
    LLVMValueRef meant =
        LLVMBuildICmp(w->b, LLVMIntEQ, LLVMBuildLoad2(w->b, w->m->i64, slot, ""), self,
                      "");
    for (unsigned i = 0; i < LLVMCountParams(w->f) && i < PLAN_ARGUMENTS; i++) {
        LLVMValueRef param = LLVMGetParam(w->f, i);
        LLVMTypeRef copied = ins_copied_type(w->f, i);
        if (copied) {
            LLVMValueRef args[] = {param, ins_flow_i32(w, i),
                                   ins_flow_i64(w,
                                                LLVMABISizeOfType(w->m->layout, copied)),
                                   LLVMBuildZExt(w->b, meant, w->m->i32, "")};
            ins_flow_call(w, "__treadle_sym_argument", w->m->none, args, 4);
            ins_flow_set_label(w, param, w->zero);
        } else if (ins_flow_may_be(w, param) && ins_flow_bits_of(LLVMTypeOf(param)) &&
                   LLVMGetFirstUse(param)) {
            ins_flow_set_label(w, param, taken_label(w, meant, i));
        } else if (ins_flow_is_pointer(param) && LLVMGetFirstUse(param) && place) {
            ins_flow_decide_value(w, place, taken_label(w, meant, i), param);
        }
    }
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(w->f))) {
        w->variable = variable_room(w);
        LLVMValueRef args[] = {w->variable, LLVMBuildZExt(w->b, meant, w->m->i32, "")};
        ins_flow_call(w, "__treadle_sym_va_take", w->m->none, args, 2);
    }
    store_to(w, ins_flow_i64(w, 0), offsetof(plan_control, callee));
}
