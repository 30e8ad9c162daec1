/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in two versions: as they were, and following symbolic values. Which one runs is
 * decided once per process, before main, by whether the program makes inputs. Inside a module
 * each version calls its own kind directly; other modules and pointers reach a few
 * instructions under the function's own name that continue to the right one.
 *
 * A function that has no second version makes concrete what it is given and what it reads: it
 * costs a ledger line. In runtime/libc, noprofile marks such functions. LLVM-C cannot copy a
 * function, so it is done by hand; tables of a computed goto are copied with it. */
#include "instrument/instrument_int.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "instrument/llvm_versions.h"
#include "wire/layout.h"

#define FUNCTION_INDEX ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

typedef struct maker {
    ins_module *m;
    LLVMDIBuilderRef di; /* NULL: no debug information */
    unsigned loop_kind;
} maker;

/* --- which functions --- */

static bool has_attribute(LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(f, FUNCTION_INDEX, kind) != NULL;
}

/* --- computed gotos --- */

static bool is_local(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static bool is_of(LLVMValueRef inst, LLVMValueRef f)
{
    return LLVMIsAInstruction(inst) &&
           LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)) == f;
}

/* True if a constant that holds the address of a block is used by instructions of f only, or is in tables
 * that are; such tables are copied with the function. */
static bool stays_inside(LLVMValueRef constant, LLVMValueRef f)
{
    for (LLVMUseRef use = LLVMGetFirstUse(constant); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_of(user, f))
            continue;
        bool is_table = LLVMIsAConstantArray(user) || LLVMIsAConstantStruct(user) ||
                        (LLVMIsAGlobalVariable(user) && is_local(user));
        if (!is_table || !stays_inside(user, f))
            return false;
    }
    return true;
}

/* True if every computed goto can be copied: addresses of blocks stay in the function. */
static bool can_copy_gotos(LLVMValueRef f)
{
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(bb));
        for (; use; use = LLVMGetNextUse(use))
            if (!LLVMIsAInstruction(LLVMGetUser(use)) &&
                !stays_inside(LLVMGetUser(use), f))
                return false;
    }
    return true;
}

/* A variadic function hands its arguments on by a tail call that must be one. */
static bool can_hand_on(LLVMValueRef f)
{
    return ins_llvm_has_must_tail() || !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f));
}

static bool can_have_twin(LLVMValueRef f)
{
    return !LLVMIsDeclaration(f) && !ins_bare_is(f) && can_hand_on(f) &&
           can_copy_gotos(f);
}

/* Another definition may take its place when the program is linked. */
static bool may_be_replaced(LLVMValueRef f)
{
    switch (LLVMGetLinkage(f)) {
    case LLVMExternalLinkage:
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage:
    case LLVMAvailableExternallyLinkage:
    case LLVMLinkOnceODRLinkage:
    case LLVMWeakODRLinkage:
        return false;
    default:
        return true;
    }
}

/* --- attributes --- */

static void copy_attributes_at(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex i)
{
    unsigned n = LLVMGetAttributeCountAtIndex(from, i);
    LLVMAttributeRef *all = td_alloc((n + 1) * sizeof *all);
    LLVMGetAttributesAtIndex(from, i, all);
    for (unsigned k = 0; k < n; k++)
        if (LLVMIsAFunction(to))
            LLVMAddAttributeAtIndex(to, i, all[k]);
        else
            LLVMAddCallSiteAttribute(to, i, all[k]);
    td_free(all);
}

static void copy_value_attributes(LLVMValueRef from, LLVMValueRef to)
{
    for (unsigned i = 0; i <= LLVMCountParams(from); i++)
        copy_attributes_at(from, to, i);
}

void ins_twin_copy_attributes(LLVMValueRef from, LLVMValueRef to)
{
    copy_value_attributes(from, to);
}

static void set_attribute(const ins_module *m, LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, FUNCTION_INDEX,
                            LLVMCreateEnumAttribute(m->context, kind, 0));
}

static void clear_attribute(LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMRemoveEnumAttributeAtIndex(f, FUNCTION_INDEX, kind);
}

/* --- debug information --- */

/* Lines and columns of the copy, under the name of the function. */
static LLVMMetadataRef copy_subprogram(maker *k, LLVMValueRef from, LLVMValueRef to)
{
    enum { SUBPROGRAM_NAME = 2, SUBPROGRAM_UNIT = 5 };
    LLVMMetadataRef old = LLVMGetSubprogram(from);
    LLVMMetadataRef file = old ? LLVMDIScopeGetFile(old) : NULL;
    LLVMMetadataRef unit = old ? ins_di_operand(k->m, old, SUBPROGRAM_UNIT) : NULL;
    if (file == NULL || unit == NULL)
        return NULL;
    if (k->di == NULL)
        k->di = ins_llvm_subprograms_open(k->m->module, file);
    const char *name = ins_di_string(k->m, old, SUBPROGRAM_NAME);
    size_t length = 0;
    const char *symbol = LLVMGetValueName2(to, &length);
    LLVMMetadataRef type =
        LLVMDIBuilderCreateSubroutineType(k->di, file, NULL, 0, LLVMDIFlagZero);
    unsigned line = LLVMDISubprogramGetLine(old);
    LLVMMetadataRef new =
        LLVMDIBuilderCreateFunction(k->di, file, name, strlen(name), symbol, length, file,
                                    line, type, 1, 1, line, LLVMDIFlagZero, 0);
    ins_llvm_set_unit(k->m->context, new, SUBPROGRAM_UNIT, unit);
    LLVMSetSubprogram(to, new);
    return new;
}

static void copy_location(const maker *k, LLVMValueRef from, LLVMValueRef to,
                          LLVMMetadataRef subprogram)
{
    LLVMMetadataRef location = NULL;
    if (subprogram && LLVMInstructionGetDebugLoc(from))
        location =
            LLVMDIBuilderCreateDebugLocation(k->m->context, LLVMGetDebugLocLine(from),
                                             LLVMGetDebugLocColumn(from), subprogram,
                                             NULL);
    LLVMInstructionSetDebugLoc(to, location);
    LLVMSetMetadata(to, k->loop_kind, NULL); /* it names locations too */
}

/* --- copying --- */

static bool is_debug(LLVMValueRef inst)
{
    size_t length = 0;
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    return callee && LLVMIsAFunction(callee) &&
           strncmp(LLVMGetValueName2(callee, &length), "llvm.dbg.", 9) == 0;
}

static LLVMBasicBlockRef copy_of_block(const ins_map *map, LLVMBasicBlockRef bb)
{
    TD_ASSERT(ins_map_get(map, LLVMBasicBlockAsValue(bb)) != NULL);
    return LLVMValueAsBasicBlock(ins_map_get(map, LLVMBasicBlockAsValue(bb)));
}

/* Without the promise that nothing overflows: the optimiser would compute something else than
 * the nodes say where it is broken. */
static LLVMValueRef copy_instruction(LLVMBuilderRef b, LLVMValueRef inst)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    bool wraps =
        opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl;
    LLVMValueRef copy = NULL;
    if (wraps)
        copy = LLVMBuildBinOp(b, opcode, LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1),
                              "");
    if (copy && LLVMIsAInstruction(copy))
        return copy;
    copy = LLVMInstructionClone(inst);
    LLVMInsertIntoBuilder(b, copy);
    return copy;
}

static void copy_block(maker *k, const ins_twin *t, ins_map *map, LLVMBasicBlockRef bb,
                       LLVMMetadataRef subprogram)
{
    LLVMBuilderRef b = k->m->builder;
    TD_ASSERT(copy_of_block(map, bb) != bb);
    LLVMPositionBuilderAtEnd(b, copy_of_block(map, bb));
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMValueRef inst = LLVMGetFirstInstruction(bb);
    for (; inst; inst = LLVMGetNextInstruction(inst)) {
        LLVMValueRef copy;
        if (is_debug(inst))
            continue;
        if (LLVMIsAPHINode(inst))
            copy = LLVMBuildPhi(b, LLVMTypeOf(inst), "");
        else
            copy = copy_instruction(b, inst);
        copy_location(k, inst, copy, subprogram);
        ins_map_put(map, inst, copy);
        ins_map_put(t->origin, copy, inst);
    }
}

static LLVMValueRef copy_constant(maker *k, ins_map *map, LLVMValueRef v);

static void connect_phi(maker *k, ins_map *map, LLVMValueRef phi, LLVMValueRef copy)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = copy_constant(k, map, LLVMGetIncomingValue(phi, i));
        LLVMBasicBlockRef from = copy_of_block(map, LLVMGetIncomingBlock(phi, i));
        LLVMAddIncoming(copy, &value, &from, 1);
    }
}

static LLVMValueRef copy_table(maker *k, ins_map *map, LLVMValueRef table)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(table);
    LLVMValueRef copy = LLVMAddGlobal(k->m->module, type, "treadle.labels");
    ins_map_put(map, table, copy);
    LLVMSetInitializer(copy, copy_constant(k, map, LLVMGetInitializer(table)));
    LLVMSetLinkage(copy, LLVMGetLinkage(table));
    LLVMSetGlobalConstant(copy, LLVMIsGlobalConstant(table));
    LLVMSetAlignment(copy, LLVMGetAlignment(table));
    return copy;
}

static LLVMValueRef copy_elements(maker *k, ins_map *map, LLVMValueRef v)
{
    unsigned n = (unsigned)LLVMGetNumOperands(v);
    LLVMValueRef *all = td_alloc((n + 1) * sizeof *all), copy;
    LLVMTypeRef type = LLVMTypeOf(v);
    bool changed = false;
    for (unsigned i = 0; i < n; i++) {
        all[i] = copy_constant(k, map, LLVMGetOperand(v, i));
        changed |= all[i] != LLVMGetOperand(v, i);
    }
    if (!changed)
        copy = v;
    else if (LLVMIsAConstantArray(v))
        copy = LLVMConstArray(LLVMGetElementType(type), all, n);
    else if (LLVMGetStructName(type))
        copy = LLVMConstNamedStruct(type, all, n);
    else
        copy = LLVMConstStructInContext(k->m->context, all, n, LLVMIsPackedStruct(type));
    td_free(all);
    return copy;
}

/* Returns the copy of the block with this address, as a value; NULL if it has none. */
static LLVMValueRef copy_of_named(const ins_map *map, LLVMValueRef block_address)
{
    return ins_map_get(map, LLVMBasicBlockAsValue(ins_llvm_block_of(block_address)));
}

static bool holds_blocks(LLVMValueRef constant, const ins_map *map)
{
    if (LLVMIsABlockAddress(constant))
        return copy_of_named(map, constant) != NULL;
    bool nests = LLVMIsAConstantArray(constant) || LLVMIsAConstantStruct(constant);
    for (unsigned i = 0; nests && i < (unsigned)LLVMGetNumOperands(constant); i++)
        if (holds_blocks(LLVMGetOperand(constant, i), map))
            return true;
    return false;
}

/* The constant with the blocks of the copy in place of those of the function. */
static LLVMValueRef copy_constant(maker *k, ins_map *map, LLVMValueRef v)
{
    LLVMValueRef known = ins_map_get(map, v);
    if (known)
        return known;
    if (LLVMIsABlockAddress(v)) {
        LLVMValueRef block = copy_of_named(map, v);
        LLVMBasicBlockRef bb = block ? LLVMValueAsBasicBlock(block) : NULL;
        return bb ? LLVMBlockAddress(LLVMGetBasicBlockParent(bb), bb) : v;
    }
    if (LLVMIsAConstantArray(v) || LLVMIsAConstantStruct(v))
        return copy_elements(k, map, v);
    if (!LLVMIsAGlobalVariable(v) || !is_local(v) || LLVMGetInitializer(v) == NULL ||
        !holds_blocks(LLVMGetInitializer(v), map))
        return v;
    return copy_table(k, map, v);
}

static void connect(maker *k, ins_map *map, LLVMValueRef inst, LLVMValueRef copy)
{
    TD_ASSERT(copy != NULL && LLVMTypeOf(copy) == LLVMTypeOf(inst));
    if (LLVMIsAPHINode(inst)) {
        connect_phi(k, map, inst, copy);
        return;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++) {
        LLVMValueRef mapped = copy_constant(k, map, LLVMGetOperand(inst, i));
        if (mapped != LLVMGetOperand(inst, i))
            LLVMSetOperand(copy, i, mapped);
    }
}

typedef struct declaring {
    maker *k;
    const ins_map *map;
    LLVMMetadataRef subprogram, file;
    LLVMValueRef before;
} declaring;

/* A variable of the function is one of its copy, so that a report finds its name in the frame. */
static void declare_copy(void *context, LLVMValueRef memory, LLVMMetadataRef variable)
{
    const declaring *d = context;
    const ins_module *m = d->k->m;
    LLVMValueRef copy = LLVMIsAAllocaInst(memory) ? ins_map_get(d->map, memory) : NULL;
    const char *name = ins_di_variable_name(m, variable);
    LLVMMetadataRef type = ins_di_variable_type(m, variable);
    if (!copy || !name[0] || !type)
        return;
    unsigned line = LLVMDIVariableGetLine(variable);
    LLVMMetadataRef new =
        LLVMDIBuilderCreateAutoVariable(d->k->di, d->subprogram, name, strlen(name),
                                        d->file, line, type, 0, LLVMDIFlagZero, 0);
    LLVMSetCurrentDebugLocation2(m->builder,
                                 LLVMDIBuilderCreateDebugLocation(m->context, line, 0,
                                                                  d->subprogram, NULL));
    ins_llvm_declare(m->builder, d->k->di, copy, new, d->before);
}

static void declare_variables(maker *k, const ins_twin *t, const ins_map *map,
                              LLVMMetadataRef subprogram)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(t->symbolic);
    declaring d = {k, map, subprogram, LLVMDIScopeGetFile(subprogram),
                   LLVMGetBasicBlockTerminator(entry)};
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(t->plain);
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef inst = LLVMGetFirstInstruction(bb);
        for (; inst; inst = LLVMGetNextInstruction(inst))
            ins_llvm_each_declared(inst, declare_copy, &d);
    }
}

static void copy_body(maker *k, const ins_twin *t)
{
    TD_ASSERT(t->origin->len == 0 && LLVMIsDeclaration(t->symbolic));
    ins_map map = {0};
    LLVMMetadataRef subprogram = copy_subprogram(k, t->plain, t->symbolic);
    for (unsigned i = 0; i < LLVMCountParams(t->plain); i++)
        ins_map_put(&map, LLVMGetParam(t->plain, i), LLVMGetParam(t->symbolic, i));
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(t->plain);
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMBasicBlockRef copy =
            LLVMAppendBasicBlockInContext(k->m->context, t->symbolic, "");
        ins_map_put(&map, LLVMBasicBlockAsValue(bb), LLVMBasicBlockAsValue(copy));
    }
    for (bb = LLVMGetFirstBasicBlock(t->plain); bb; bb = LLVMGetNextBasicBlock(bb))
        copy_block(k, t, &map, bb, subprogram);
    for (bb = LLVMGetFirstBasicBlock(t->plain); bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef inst = LLVMGetFirstInstruction(bb);
        for (; inst; inst = LLVMGetNextInstruction(inst))
            if (!is_debug(inst))
                connect(k, &map, inst, ins_map_get(&map, inst));
    }
    if (subprogram)
        declare_variables(k, t, &map, subprogram);
    ins_map_fini(&map);
}

/* --- the two versions and the way in --- */

static LLVMValueRef new_function(const ins_module *m, LLVMValueRef like,
                                 const char *suffix)
{
    TD_ASSERT(suffix[0] == '.');
    char name[512];
    size_t length = 0;
    const char *old = LLVMGetValueName2(like, &length);
    snprintf(name, sizeof name, "%.400s%s", old[0] == 1 ? old + 1 : old, suffix);
    LLVMValueRef f = LLVMAddFunction(m->module, name, LLVMGlobalGetValueType(like));
    copy_value_attributes(like, f);
    LLVMSetFunctionCallConv(f, LLVMGetFunctionCallConv(like));
    return f;
}

/* Optimising the code for labels takes longer than it is worth in large functions. */
#define LARGE 150u

static bool is_large(LLVMValueRef f)
{
    unsigned n = 0;
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb && n < LARGE; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef inst = LLVMGetFirstInstruction(bb);
        for (; inst && n < LARGE; inst = LLVMGetNextInstruction(inst))
            n++;
    }
    return n >= LARGE;
}

static void make_symbolic(maker *k, ins_twin *t)
{
    LLVMValueRef f = new_function(k->m, t->plain, INS_SYMBOLIC);
    copy_attributes_at(t->plain, f, FUNCTION_INDEX);
    clear_attribute(f, "alwaysinline");
    clear_attribute(f, "inlinehint");
    set_attribute(k->m, f, "noinline");
    clear_attribute(f, "optsize");
    clear_attribute(f, "minsize");
    bool is_left = has_attribute(t->plain, "optnone") || is_large(t->plain);
    set_attribute(k->m, f, is_left ? "optnone" : "optsize");
    LLVMSetLinkage(f, LLVMInternalLinkage);
    if (LLVMHasPersonalityFn(t->plain))
        LLVMSetPersonalityFn(f, LLVMGetPersonalityFn(t->plain));
    if (LLVMGetGC(t->plain))
        LLVMSetGC(f, LLVMGetGC(t->plain));
    t->symbolic = f;
}

/* True if anything but callers in this module can reach it. */
static bool needs_entry(LLVMValueRef f)
{
    LLVMLinkage linkage = LLVMGetLinkage(f);
    if (linkage == LLVMAvailableExternallyLinkage)
        return false;
    if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f)
            return true;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == f)
                return true;
    }
    return false;
}

/* A new function under the name of the plain one, which becomes internal. */
static void make_address(maker *k, ins_twin *t)
{
    const ins_module *m = k->m;
    char name[1024];
    size_t length = 0;
    t->address = t->plain;
    if (!needs_entry(t->plain))
        return;
    snprintf(name, sizeof name, "%.1000s", LLVMGetValueName2(t->plain, &length));
    LLVMValueRef f = new_function(m, t->plain, ".entry");
    LLVMSetValueName2(t->plain, "", 0);
    LLVMSetValueName2(f, name, strlen(name));
    snprintf(name + strlen(name), 8, ".plain");
    LLVMSetValueName2(t->plain, name[0] == 1 ? name + 1 : name,
                      strlen(name[0] == 1 ? name + 1 : name));
    LLVMSetComdat(f, LLVMGetComdat(t->plain));
    LLVMSetComdat(t->plain, NULL);
    LLVMSetLinkage(f, LLVMGetLinkage(t->plain));
    LLVMSetVisibility(f, LLVMGetVisibility(t->plain));
    LLVMSetUnnamedAddress(f, LLVMGetUnnamedAddress(t->plain));
    LLVMSetDLLStorageClass(f, LLVMGetDLLStorageClass(t->plain));
    const char *section = LLVMGetSection(t->plain);
    if (section && section[0])
        LLVMSetSection(f, section);
    copy_attributes_at(t->plain, f, FUNCTION_INDEX);
    clear_attribute(f, "alwaysinline");
    t->address = f;
}

/* Uses of the plain version become uses of the entry, but for direct calls. */
static void redirect_uses(const ins_twin *t, bool replaceable)
{
    TD_ASSERT(t->address != t->plain);
    ins_value_vec calls = {0};
    LLVMUseRef use = LLVMGetFirstUse(t->plain);
    for (; use && !replaceable; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == t->plain)
            ins_value_vec_push(&calls, user);
    }
    LLVMReplaceAllUsesWith(t->plain, t->address);
    for (size_t i = 0; i < calls.len; i++)
        LLVMSetOperand(calls.at[i], (unsigned)LLVMGetNumOperands(calls.at[i]) - 1,
                       t->plain);
    ins_value_vec_fini(&calls);
}

/* A site for the function as such: that of its first instruction with a line. */
static LLVMValueRef place_of(ins_module *m, LLVMValueRef f)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    LLVMValueRef inst = first;
    while (inst && LLVMGetDebugLocLine(inst) == 0)
        inst = LLVMGetNextInstruction(inst);
    return ins_hook_site(m, inst ? inst : first, WIRE_SITE_BRANCH, "", 0);
}

/* How many labels a result of the type can have; 0: what is returned is not followed. */
static unsigned result_parts(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMPointerTypeKind:
        return 1;
    case LLVMStructTypeKind:
        return LLVMCountStructElementTypes(type);
    default:
        return 0;
    }
}

/* A result that goes to a caller that follows nothing costs a ledger line. */
static void tell_dropped(ins_module *m, const ins_twin *t, LLVMValueRef callee,
                         LLVMValueRef call)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(t->address);
    LLVMValueRef self = LLVMConstPtrToInt(t->address, m->i64);
    LLVMBuilderRef b = m->builder;
    LLVMBasicBlockRef drop = LLVMAppendBasicBlockInContext(m->context, t->address, "");
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(m->context, t->address, "");
    LLVMValueRef meant = LLVMBuildICmp(b, LLVMIntEQ, callee, self, "");
    LLVMBuildCondBr(b, meant, end, drop);
    LLVMPositionBuilderAtEnd(b, drop);
    LLVMValueRef site = place_of(m, t->plain);
    LLVMValueRef args[] = {t->address,
                           LLVMConstInt(m->i32, result_parts(LLVMGetReturnType(type)), 0),
                           site};
    ins_hook_build(m, "__treadle_sym_dropped", args, 3);
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRet(b, call);
}

static LLVMValueRef control_word(const ins_module *m, size_t offset, LLVMTypeRef type)
{
    LLVMValueRef at = LLVMConstInt(m->i64, PLAN_CONTROL + offset, 0);
    return LLVMBuildLoad2(m->builder, type, LLVMConstIntToPtr(at, m->ptr), "");
}

static void go_on_in(ins_module *m, const ins_twin *t, LLVMValueRef target,
                     LLVMBasicBlockRef bb)
{
    LLVMBuilderRef b = m->builder;
    unsigned n = LLVMCountParams(t->address);
    LLVMValueRef *args = td_alloc((n + 1) * sizeof *args);
    LLVMGetParams(t->address, args);
    LLVMTypeRef type = LLVMGlobalGetValueType(t->address);
    LLVMPositionBuilderAtEnd(b, bb);
    bool tells = target == t->symbolic && !m->is_library && !m->is_light &&
                 !LLVMIsFunctionVarArg(type) && !has_attribute(t->plain, "noreturn") &&
                 result_parts(LLVMGetReturnType(type)) > 0;
    LLVMValueRef callee =
        tells ? control_word(m, offsetof(plan_control, callee), m->i64) : NULL;
    LLVMValueRef call = LLVMBuildCall2(b, type, target, args, n, "");
    copy_value_attributes(t->plain, call);
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(t->plain));
    LLVMSetTailCall(call, !tells);
    if (LLVMIsFunctionVarArg(type))
        ins_llvm_set_must_tail(call);
    unsigned kind = LLVMGetEnumAttributeKindForName("noinline", 8);
    LLVMAddCallSiteAttribute(call, FUNCTION_INDEX,
                             LLVMCreateEnumAttribute(m->context, kind, 0));
    if (tells)
        tell_dropped(m, t, callee, call);
    else if (has_attribute(t->plain, "noreturn") && !LLVMIsFunctionVarArg(type))
        LLVMBuildUnreachable(b);
    else if (LLVMGetReturnType(type) == m->none)
        LLVMBuildRetVoid(b);
    else
        LLVMBuildRet(b, call);
    td_free(args);
}

static void fill_entry(ins_module *m, const ins_twin *t)
{
    TD_ASSERT(LLVMIsDeclaration(t->address)); /* empty so far */
    LLVMBuilderRef b = m->builder;
    LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(m->context, t->address, "");
    LLVMBasicBlockRef plain = LLVMAppendBasicBlockInContext(m->context, t->address, "");
    LLVMBasicBlockRef symbolic =
        LLVMAppendBasicBlockInContext(m->context, t->address, "");
    uint64_t where = PLAN_CONTROL + offsetof(plan_control, symbolic);
    LLVMValueRef slot = LLVMConstIntToPtr(LLVMConstInt(m->i64, where, 0), m->ptr);
    LLVMSetCurrentDebugLocation2(b, NULL);
    LLVMPositionBuilderAtEnd(b, start);
    LLVMValueRef flag = LLVMBuildLoad2(b, m->i32, slot, "");
    LLVMValueRef zero = LLVMConstInt(m->i32, 0, 0);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, flag, zero, ""), plain, symbolic);
    go_on_in(m, t, t->plain, plain);
    go_on_in(m, t, t->symbolic, symbolic);
}

/* --- the module --- */

const ins_twin *ins_twin_of(const ins_module *m, LLVMValueRef function)
{
    const ins_twin *t = ins_map_get(&m->twins, function);
    return t && !may_be_replaced(t->address) ? t : NULL;
}

static void twin_new(maker *k, LLVMValueRef f)
{
    TD_ASSERT(ins_map_get(&k->m->twins, f) == NULL);
    ins_twin *t = td_alloc(sizeof *t);
    t->plain = f;
    t->origin = td_alloc(sizeof *t->origin);
    make_symbolic(k, t);
    ins_map_put(&k->m->twins, f, t);
}

static void twin_complete(maker *k, ins_twin *t)
{
    bool replaceable = may_be_replaced(t->plain);
    make_address(k, t);
    if (t->address == t->plain)
        return;
    redirect_uses(t, replaceable);
    fill_entry(k->m, t);
    LLVMSetLinkage(t->plain, LLVMInternalLinkage);
    LLVMSetVisibility(t->plain, LLVMDefaultVisibility);
}

/* What a function without a second version reads is not followed. */
static void tell_unfollowed(ins_module *m, LLVMValueRef f)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    if (m->is_library || ins_bare_is(f))
        return;
    LLVMPositionBuilderBefore(m->builder, first);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(first));
    LLVMValueRef site = place_of(m, f);
    ins_hook_build(m, "__treadle_sym_unfollowed", &site, 1);
}

void ins_twins_make(ins_module *m)
{
    maker k = {.m = m, .loop_kind = LLVMGetMDKindIDInContext(m->context, "llvm.loop", 9)};
    ins_value_vec functions = {0};
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (can_have_twin(f) && !(m->is_library && has_attribute(f, "noprofile")))
            ins_value_vec_push(&functions, f);
        else if (!LLVMIsDeclaration(f))
            tell_unfollowed(m, f);
    for (size_t i = 0; i < functions.len; i++)
        twin_new(&k, functions.at[i]);
    for (size_t i = 0; i < functions.len; i++)
        copy_body(&k, ins_map_get(&m->twins, functions.at[i]));
    for (size_t i = 0; i < functions.len; i++)
        twin_complete(&k, ins_map_get(&m->twins, functions.at[i]));
    if (k.di)
        ins_llvm_subprograms_close(k.di);
    ins_value_vec_fini(&functions);
}

void ins_twins_fini(ins_module *m)
{
    for (size_t i = 0; i < m->twins.cap; i++) {
        ins_twin *t = m->twins.slots[i].value;
        if (t == NULL)
            continue;
        ins_map_fini(t->origin);
        td_free(t->origin);
        td_free(t);
    }
    ins_map_fini(&m->twins);
}
