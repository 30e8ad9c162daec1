/* SPDX-License-Identifier: Apache-2.0 */
/* Inserting the calls of wire/hooks.h. */
#include "instrument/instrument_int.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "instrument/llvm_versions.h"
#include "wire/api.h"
#include "wire/hooks.h"
#include "wire/layout.h"

/* Copies of up to this many bytes of whole granules are checked granule by granule. */
#define GRANULES_MAX 64

/* The hook's function, declared if it is new. */
static LLVMValueRef hook(ins_module *m, const char *name, LLVMTypeRef *args, unsigned n,
                         LLVMTypeRef *type)
{
    *type = LLVMFunctionType(m->none, args, n, 0);
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    if (f)
        return f;
    f = LLVMAddFunction(m->module, name, *type);
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->context, nounwind, 0));
    return f;
}

static void stand_before(ins_module *m, LLVMValueRef inst)
{
    LLVMPositionBuilderBefore(m->builder, inst);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(inst));
    m->has_hooks = true;
}

static void call_hook(ins_module *m, const char *name, LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef types[8], type;
    TD_ASSERT(n <= 8);
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMValueRef f = hook(m, name, types, n, &type);
    LLVMBuildCall2(m->builder, type, f, args, n, "");
}

/* --- sites --- */

/* Name of the function in the source. */
static const char *function_name(const ins_module *m, LLVMValueRef f)
{
    enum { SUBPROGRAM_NAME = 2 };
    size_t length = 0;
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    const char *name = subprogram ? ins_di_string(m, subprogram, SUBPROGRAM_NAME) : "";
    return name[0] ? name : LLVMGetValueName2(f, &length);
}

/* The directory that the file of a location is named from, "" if that is where we are. The front end
 * cuts an absolute path where it leaves the working directory, which would lose its start. */
static void print_directory(LLVMValueRef where, char *out, size_t size)
{
    char here[4096];
    unsigned length = 0;
    const char *directory = LLVMGetDebugLocDirectory(where, &length);
    out[0] = '\0';
    if (!directory || length == 0 || !getcwd(here, sizeof here))
        return;
    if (strlen(here) != length || strncmp(here, directory, length) != 0)
        snprintf(out, size, "%.*s/", (int)length, directory);
}

void ins_hook_file(LLVMValueRef where, char *out, size_t size)
{
    unsigned length = 0;
    const char *name = LLVMGetDebugLocFilename(where, &length);
    out[0] = '\0';
    if (!name || length == 0)
        return;
    if (name[0] != '/')
        print_directory(where, out, size);
    size_t start = strlen(out);
    snprintf(out + start, size - start, "%.*s", (int)length, name);
}

/* Line, column and file of inst; without a location, of its function. */
static void locate(LLVMValueRef inst, LLVMValueRef f, ins_site *site, char *file,
                   size_t size)
{
    site->line = LLVMGetDebugLocLine(inst);
    site->column = LLVMGetDebugLocColumn(inst);
    LLVMValueRef where = inst;
    if (LLVMInstructionGetDebugLoc(inst) == NULL) {
        where = f;
        site->line = LLVMGetSubprogram(f) ? LLVMGetDebugLocLine(f) : 0;
        site->column = 0;
    }
    file[0] = '\0';
    if (where == inst || LLVMGetSubprogram(f))
        ins_hook_file(where, file, size);
    site->file = file;
}

static LLVMValueRef add_site(ins_module *m, LLVMValueRef inst, ins_site site)
{
    char file[4096];
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
    site.function = function_name(m, f);
    locate(inst, f, &site, file, sizeof file);
    return ins_site_add(m, &site);
}

/* Determines how to print a value of this type, if debug information does not. */
static enum wire_site_type type_of_value(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return WIRE_TYPE_POINTER;
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMX86_FP80TypeKind:
        return WIRE_TYPE_FLOAT;
    default:
        return WIRE_TYPE_UNKNOWN;
    }
}

/* The type of what inst loads or stores. */
static enum wire_site_type accessed_type(LLVMValueRef inst)
{
    if (LLVMIsALoadInst(inst))
        return type_of_value(LLVMTypeOf(inst));
    if (LLVMIsAStoreInst(inst))
        return type_of_value(LLVMTypeOf(LLVMGetOperand(inst, 0)));
    if (LLVMIsAAtomicRMWInst(inst) || LLVMIsAAtomicCmpXchgInst(inst))
        return type_of_value(LLVMTypeOf(LLVMGetOperand(inst, 1)));
    return WIRE_TYPE_UNKNOWN;
}

static ins_site labelled(const ins_module *m, LLVMValueRef inst, unsigned which)
{
    ins_label label = ins_names_label(m, inst, which);
    if (label.type == WIRE_TYPE_UNKNOWN)
        label.type = accessed_type(inst);
    bool is_volatile =
        (LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst)) && LLVMGetVolatile(inst);
    return (ins_site){.name = label.name,
                      .callee = is_volatile ? WIRE_SITE_VOLATILE : "",
                      .type = label.type};
}

/* --- plain accesses --- */

/* The access stays within one granule, or covers two whole ones. */
static bool is_simple(uint64_t size, unsigned align)
{
    bool power = size == 1 || size == 2 || size == 4 || size == 8;
    return power ? align >= size : size == 16 && align >= 8;
}

static void check(ins_module *m, const ins_access *a, uint64_t offset, uint64_t size,
                  LLVMValueRef site)
{
    TD_ASSERT((size == 16 || size == 8 || is_simple(size, a->align)) &&
              offset + size <= a->size);
    char name[40];
    LLVMValueRef address = a->address;
    if (offset) {
        LLVMValueRef index = LLVMConstInt(m->i64, offset, 0);
        address = LLVMBuildGEP2(m->builder, m->i8, address, &index, 1, "");
    }
    int place = size < 8 ? ins_place_of(m, a->address, a->align) : -1;
    if (place >= 0) {
        LLVMValueRef args[] = {address, site, LLVMConstInt(m->i32, size, 0),
                               LLVMConstInt(m->i32, (uint64_t)place, 0)};
        call_hook(m, a->write ? "__treadle_known_write" : "__treadle_known_read", args,
                  4);
        return;
    }
    snprintf(name, sizeof name, "__treadle_%s%u", a->write ? "write" : "read",
             (unsigned)size);
    LLVMValueRef args[] = {address, site};
    call_hook(m, name, args, 2);
}

static void check_range(ins_module *m, const ins_access *a, LLVMValueRef site)
{
    TD_ASSERT(a->length != NULL || a->size > 0);
    LLVMValueRef length = a->length ? a->length : LLVMConstInt(m->i64, a->size, 0);
    LLVMValueRef args[] = {a->address, length, site};
    call_hook(m, a->write ? "__treadle_write_range" : "__treadle_read_range", args, 3);
}

void ins_hook_access(ins_module *m, const ins_access *a)
{
    TD_ASSERT((a->length == NULL) == (a->size > 0));
    stand_before(m, a->inst);
    ins_site site = labelled(m, a->inst, a->which);
    bool copy = !LLVMIsALoadInst(a->inst) && !LLVMIsAStoreInst(a->inst);
    site.kind = copy ? WIRE_SITE_RANGE : a->write ? WIRE_SITE_WRITE : WIRE_SITE_READ;
    site.size = (uint32_t)(a->size <= UINT16_MAX ? a->size : 0);
    LLVMValueRef where = add_site(m, a->inst, site);
    bool granules = a->size % 8 == 0 && a->align >= 8 && a->size <= GRANULES_MAX;
    if (a->length == NULL && is_simple(a->size, a->align))
        check(m, a, 0, a->size, where);
    else if (a->length == NULL && granules)
        for (uint64_t at = 0; at < a->size; at += 16)
            check(m, a, at, a->size - at >= 16 ? 16 : 8, where);
    else
        check_range(m, a, where);
}

/* What a promoted site may access at most (wire/wire.h). */
#define PROMOTED_MAX 8

static const char *const again_names[] = {"__treadle_again_read",
                                          "__treadle_again_write"};
static const char *const mark_names[] = {"__treadle_entered", "__treadle_side"};

void ins_hook_again(ins_module *m, const ins_access *a)
{
    TD_ASSERT(a->size > 0 && a->length == NULL);
    if (a->size > PROMOTED_MAX)
        return;
    stand_before(m, a->inst);
    ins_site site = labelled(m, a->inst, a->which);
    site.kind = a->write ? WIRE_SITE_WRITE : WIRE_SITE_READ;
    site.size = (uint32_t)a->size;
    LLVMValueRef args[] = {a->address, add_site(m, a->inst, site),
                           LLVMConstInt(m->i32, a->size, 0)};
    call_hook(m, again_names[a->write], args, 3);
}

static void drop(const ins_module *m, const char *name)
{
    LLVMValueRef hook = LLVMGetNamedFunction(m->module, name);
    LLVMUseRef next, use = hook ? LLVMGetFirstUse(hook) : NULL;
    for (; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
        if (ins_map_get(&m->twins, LLVMGetBasicBlockParent(block)))
            LLVMInstructionEraseFromParent(call);
    }
}

void ins_hook_drop_extra(const ins_module *m)
{
    for (int i = 0; i < 2; i++) {
        drop(m, again_names[i]);
        drop(m, mark_names[i]);
    }
}

/* --- atomic accesses --- */

static uint32_t order_of(LLVMAtomicOrdering order)
{
    switch (order) {
    case LLVMAtomicOrderingAcquire:
        return __ATOMIC_ACQUIRE;
    case LLVMAtomicOrderingRelease:
        return __ATOMIC_RELEASE;
    case LLVMAtomicOrderingAcquireRelease:
        return __ATOMIC_ACQ_REL;
    case LLVMAtomicOrderingSequentiallyConsistent:
        return __ATOMIC_SEQ_CST;
    default:
        return __ATOMIC_RELAXED;
    }
}

/* Returns 64 bits of an operand, from bit `first` on; 0 if there are none. */
static LLVMValueRef bits_from(ins_module *m, LLVMValueRef v, unsigned first)
{
    if (!v)
        return LLVMConstInt(m->i64, 0, 0);
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(m->builder, v, m->i64, "");
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(m->layout, type);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        v = LLVMBuildBitCast(m->builder, v, LLVMIntTypeInContext(m->context, bits), "");
    if (first > 0)
        v = LLVMBuildLShr(m->builder, v, LLVMConstInt(LLVMTypeOf(v), first, 0), "");
    if (bits > 64)
        return LLVMBuildTrunc(m->builder, v, m->i64, "");
    return LLVMBuildZExt(m->builder, v, m->i64, "");
}

/* An atomic instruction as the hook's arguments. */
typedef struct atomic {
    enum wire_atomic access;
    LLVMValueRef address, a, b;
    LLVMTypeRef type; /* type of the object; NULL: a fence */
    LLVMAtomicOrdering order;
    unsigned rmw;
} atomic;

/* Reads the order of a fence from its text, because LLVMGetOrdering does not support fences before LLVM 17. */
static LLVMAtomicOrdering fence_order(LLVMValueRef inst)
{
    static const struct {
        const char *word;
        LLVMAtomicOrdering order;
    } orders[] = {
        {"acq_rel", LLVMAtomicOrderingAcquireRelease},
        {"seq_cst", LLVMAtomicOrderingSequentiallyConsistent},
        {"acquire", LLVMAtomicOrderingAcquire},
        {"release", LLVMAtomicOrderingRelease},
    };
    char *text = LLVMPrintValueToString(inst);
    LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (strstr(text, orders[i].word))
            order = orders[i].order;
    LLVMDisposeMessage(text);
    return order;
}

static atomic describe_atomic(LLVMValueRef inst)
{
    atomic x = {.access = WIRE_ATOMIC_FENCE};
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        x.access = WIRE_ATOMIC_LOAD;
        x.address = LLVMGetOperand(inst, 0);
        x.type = LLVMTypeOf(inst);
        break;
    case LLVMStore:
        x.access = WIRE_ATOMIC_STORE;
        x.a = LLVMGetOperand(inst, 0);
        x.address = LLVMGetOperand(inst, 1);
        break;
    case LLVMAtomicRMW:
        x.access = WIRE_ATOMIC_RMW;
        x.address = LLVMGetOperand(inst, 0);
        x.a = LLVMGetOperand(inst, 1);
        x.rmw = (unsigned)LLVMGetAtomicRMWBinOp(inst);
        break;
    case LLVMAtomicCmpXchg:
        x.access = WIRE_ATOMIC_CAS;
        x.address = LLVMGetOperand(inst, 0);
        x.a = LLVMGetOperand(inst, 1);
        x.b = LLVMGetOperand(inst, 2);
        x.order = LLVMGetCmpXchgSuccessOrdering(inst);
        x.rmw = order_of(LLVMGetCmpXchgFailureOrdering(inst));
        return x.type = LLVMTypeOf(x.a), x;
    default:
        break;
    }
    x.order = LLVMIsAFenceInst(inst) ? fence_order(inst) : LLVMGetOrdering(inst);
    if (x.a)
        x.type = LLVMTypeOf(x.a);
    return x;
}

static bool is_modelled(uint32_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

/* False, and no hook, for an object of a size that no atomic has. */
static bool hook_atomic(ins_module *m, LLVMValueRef inst, const char *callee)
{
    atomic x = describe_atomic(inst);
    if (x.type && !is_modelled((uint32_t)LLVMStoreSizeOfType(m->layout, x.type)))
        return false;
    stand_before(m, inst);
    ins_site site = labelled(m, inst, 0);
    site.kind = WIRE_SITE_ATOMIC;
    site.callee = callee;
    site.size = x.type ? (uint32_t)LLVMStoreSizeOfType(m->layout, x.type) : 0;
    unsigned rmw = x.rmw < WIRE_RMW_OTHER ? x.rmw : WIRE_RMW_OTHER;
    uint32_t what = WIRE_ATOMIC(x.access, site.size, order_of(x.order), rmw);
    LLVMValueRef address = x.address ? x.address : LLVMConstNull(m->ptr);
    LLVMValueRef how = LLVMConstInt(m->i32, what, 0), where = add_site(m, inst, site);
    LLVMValueRef a = bits_from(m, x.a, 0), b = bits_from(m, x.b, 0);
    if (site.size > 8) {
        LLVMValueRef wide[] = {address, how, a, bits_from(m, x.a, 64), b, where};
        call_hook(m, "__treadle_atomic_wide", wide, 6);
        return true;
    }
    LLVMValueRef args[] = {address, how, a, b, where};
    call_hook(m, "__treadle_atomic", args, 5);
    return true;
}

bool ins_hook_atomic(ins_module *m, LLVMValueRef inst)
{
    bool is_asm = LLVMGetMetadata(inst, m->asm_kind) != NULL;
    return hook_atomic(m, inst, is_asm ? WIRE_SITE_ASM : "");
}

void ins_hook_volatile(ins_module *m, LLVMValueRef inst)
{
    (void)hook_atomic(m, inst, WIRE_SITE_VOLATILE);
}

void ins_hook_exchange(ins_module *m, LLVMValueRef inst, LLVMValueRef address,
                       uint32_t size)
{
    TD_ASSERT(is_modelled(size));
    stand_before(m, inst);
    ins_site site = labelled(m, inst, 0);
    site.kind = WIRE_SITE_ATOMIC;
    site.size = size;
    uint32_t what = WIRE_ATOMIC(WIRE_ATOMIC_RMW, size, __ATOMIC_SEQ_CST, WIRE_RMW_OTHER);
    LLVMValueRef zero = LLVMConstInt(m->i64, 0, 0);
    LLVMValueRef args[] = {address, LLVMConstInt(m->i32, what, 0), zero, zero,
                           add_site(m, inst, site)};
    call_hook(m, "__treadle_atomic", args, 5);
}

/* --- calls --- */

static bool makes_input(const char *callee)
{
    static const char *const names[] = {
#define X(name) #name,
        WIRE_INPUTS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], callee) == 0)
            return true;
    return false;
}

/* True for a wait on a condition variable that is not in a loop, if the program could observe a spurious
 * wakeup: a wait that times out differs from that only in its result. */
static bool waits_once(LLVMValueRef call, const char *callee)
{
    static const struct {
        const char *name;
        bool gives_up;
    } waits[] = {{"pthread_cond_wait", false},
                 {"pthread_cond_timedwait", true},
                 {"pthread_cond_clockwait", true},
                 {"cnd_wait", false},
                 {"cnd_timedwait", true}};
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++)
        if (strcmp(waits[i].name, callee) == 0)
            return (!waits[i].gives_up || LLVMGetFirstUse(call)) &&
                   !ins_blocks_repeat(LLVMGetInstructionParent(call));
    return false;
}

/* Kill is meant for this process: others than that have signals from outside. */
static bool kills_itself(LLVMValueRef call)
{
    size_t length = 0;
    LLVMValueRef pid = LLVMGetOperand(call, 0);
    if (LLVMIsAConstantInt(pid))
        return LLVMConstIntGetSExtValue(pid) == 0;
    LLVMValueRef f = LLVMIsACallInst(pid) ? LLVMGetCalledValue(pid) : NULL;
    const char *name = f && LLVMIsAFunction(f) ? LLVMGetValueName2(f, &length) : "";
    return strcmp(name, "getpid") == 0 || strcmp(name, WIRE_PREFIX "getpid") == 0;
}

/* The signal that the call sends to the program itself; 0: none, or not known here. */
static unsigned signal_sent(LLVMValueRef call, const char *callee)
{
    static const struct {
        const char *name;
        unsigned argument;
    } senders[] = {
#define X(name, argument) {#name, argument},
        WIRE_SENDERS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof senders / sizeof senders[0]; i++) {
        if (strcmp(senders[i].name, callee) != 0 || !LLVMIsACallInst(call) ||
            LLVMGetNumArgOperands(call) <= senders[i].argument)
            continue;
        LLVMValueRef signal = LLVMGetOperand(call, senders[i].argument);
        bool is_known = LLVMIsAConstantInt(signal) &&
                        (strcmp(callee, "kill") != 0 || kills_itself(call));
        return is_known ? (unsigned)LLVMConstIntGetZExtValue(signal) & 0xff : 0;
    }
    return 0;
}

static LLVMValueRef call_site(ins_module *m, LLVMValueRef call, const char *callee)
{
    char taken[160];
    ins_site site = labelled(m, call, 0);
    /* The row determines which argument an access belongs to. */
    if (ins_row_has_thunk(callee) && !ins_api_is_taken(callee, taken, sizeof taken))
        site.name = "";
    site.kind = makes_input(callee) ? WIRE_SITE_INPUT : WIRE_SITE_CALL;
    site.callee = callee;
    site.size = waits_once(call, callee) ? WIRE_CALL_ONCE : signal_sent(call, callee);
    return add_site(m, call, site);
}

void ins_hook_build(ins_module *m, const char *name, LLVMValueRef *args, unsigned n)
{
    m->has_hooks = true;
    call_hook(m, name, args, n);
}

LLVMValueRef ins_hook_site(ins_module *m, LLVMValueRef inst, enum wire_site_kind kind,
                           const char *callee, unsigned n_sides)
{
    ins_site site = labelled(m, inst, 0);
    site.kind = kind;
    site.callee = callee;
    site.size = n_sides <= UINT16_MAX ? n_sides : 0;
    return add_site(m, inst, site);
}

/* --- what is executed --- */

void ins_hook_stand(ins_module *m, LLVMValueRef inst)
{
    stand_before(m, inst);
}

void ins_hook_entered(ins_module *m, LLVMValueRef mark)
{
    call_hook(m, mark_names[0], &mark, 1);
}

void ins_hook_side(ins_module *m, LLVMValueRef marks, LLVMValueRef condition)
{
    LLVMValueRef args[] = {marks, condition};
    call_hook(m, mark_names[1], args, 2);
}

LLVMValueRef ins_hook_entry_site(ins_module *m, LLVMValueRef f)
{
    TD_ASSERT(LLVMGetSubprogram(f) != NULL);
    char file[4096];
    ins_hook_file(f, file, sizeof file);
    return ins_site_add(m,
                        &(ins_site){.file = file,
                                    .function = function_name(m, f),
                                    .name = "",
                                    .callee = "",
                                    .line = LLVMDISubprogramGetLine(LLVMGetSubprogram(f)),
                                    .kind = WIRE_SITE_ENTRY});
}

void ins_hook_line(ins_module *m, LLVMValueRef inst, uint32_t distance, uint32_t side)
{
    TD_ASSERT(distance > 0 && side <= UINT16_MAX);
    (void)add_site(m, inst,
                   (ins_site){.name = "",
                              .callee = "",
                              .kind = WIRE_SITE_LINE,
                              .size = side,
                              .type = (enum wire_site_type)distance});
}

void ins_hook_call(ins_module *m, LLVMValueRef call, const char *callee)
{
    ins_llvm_set_no_tail(call); /* a debugger shows where it was called from */
    stand_before(m, call);
    LLVMValueRef site = LLVMConstPtrToInt(call_site(m, call, callee), m->i64);
    uint64_t where = PLAN_CONTROL + offsetof(plan_control, call_site);
    LLVMValueRef slot = LLVMConstIntToPtr(LLVMConstInt(m->i64, where, 0), m->ptr);
    LLVMValueRef store = LLVMBuildStore(m->builder, site, slot);
    LLVMSetVolatile(store, 1);
}

void ins_hook_unseen(ins_module *m, LLVMValueRef call)
{
    stand_before(m, call);
    uint64_t where = PLAN_CONTROL + offsetof(plan_control, unseen);
    LLVMValueRef slot = LLVMConstIntToPtr(LLVMConstInt(m->i64, where, 0), m->ptr);
    LLVMValueRef one = LLVMConstInt(LLVMInt32TypeInContext(m->context), 1, 0);
    LLVMValueRef store = LLVMBuildStore(m->builder, one, slot);
    LLVMSetVolatile(store, 1);
}

static LLVMValueRef control_slot(ins_module *m, size_t offset)
{
    LLVMValueRef where = LLVMConstInt(m->i64, PLAN_CONTROL + offset, 0);
    return LLVMConstIntToPtr(where, m->ptr);
}

void ins_hook_changed(ins_module *m, LLVMValueRef inst)
{
    stand_before(m, inst);
    LLVMValueRef slot = control_slot(m, offsetof(plan_control, changed));
    LLVMSetVolatile(LLVMBuildStore(m->builder, LLVMConstInt(m->i32, 1, 0), slot), 1);
}

void ins_hook_kept(ins_module *m, LLVMValueRef inst, LLVMValueRef address, uint64_t size)
{
    stand_before(m, inst);
    LLVMValueRef args[] = {address, LLVMConstInt(m->i64, size, 0)};
    call_hook(m, "__treadle_kept", args, 2);
}

void ins_hook_leaves(ins_module *m, LLVMValueRef end, LLVMValueRef place,
                     LLVMValueRef size)
{
    stand_before(m, end);
    call_hook(m, "__treadle_left", (LLVMValueRef[]){place, size}, 2);
}

LLVMValueRef ins_hook_stack(ins_module *m, LLVMValueRef before)
{
    static const char name[] = "llvm.stacksave";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(m->context, 0);
    size_t n = LLVMIntrinsicIsOverloaded(id) ? 1 : 0;
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(m->module, id, &pointer, n);
    stand_before(m, before);
    LLVMValueRef end =
        LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(f), f, NULL, 0, "");
    ins_map_put(&m->verdicts, end, (void *)(uintptr_t)INS_NOTHING);
    return end;
}

void ins_hook_called(ins_module *m, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length = 0;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    LLVMValueRef site =
        ins_hook_site(m, call, WIRE_SITE_OTHER, name[0] == 1 ? name + 1 : name, 0);
    stand_before(m, call);
    call_hook(m, "__treadle_called", (LLVMValueRef[]){callee, site}, 2);
}

void ins_hook_linked(ins_module *m, LLVMValueRef call)
{
    size_t length = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = LLVMGetValueName2(callee, &length);
    LLVMValueRef site = ins_hook_site(m, call, WIRE_SITE_OTHER, name, 0);
    stand_before(m, call);
    call_hook(m, "__treadle_slow_called", (LLVMValueRef[]){callee, site}, 2);
}

void ins_hook_called_back(ins_module *m, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    stand_before(m, call);
    call_hook(m, "__treadle_called_back", &callee, 1);
}

void ins_hook_loop(ins_module *m, LLVMValueRef record, LLVMValueRef enters,
                   LLVMValueRef state, LLVMValueRef site, bool waits)
{
    LLVMValueRef args[] = {record, enters, state, site};
    call_hook(m, waits ? "__treadle_loop" : "__treadle_plain_loop", args, 4);
    m->has_hooks = true;
}

void ins_hook_carry_loop(ins_module *m, LLVMValueRef record, LLVMValueRef enters,
                         LLVMValueRef state, LLVMValueRef site, LLVMValueRef value)
{
    LLVMValueRef args[] = {record, enters, state, site, value};
    call_hook(m, "__treadle_carry_loop", args, 5);
    m->has_hooks = true;
}

void ins_hook_refuse(ins_module *m, LLVMValueRef call, const char *callee)
{
    TD_ASSERT(callee[0] != '\0');
    stand_before(m, call);
    LLVMValueRef text = LLVMBuildGlobalStringPtr(m->builder, callee, "treadle.refused");
    LLVMValueRef args[] = {text, call_site(m, call, callee)};
    call_hook(m, "__treadle_refuse", args, 2);
}

void ins_hook_unwatched_here(ins_module *m, const char *what, LLVMValueRef site)
{
    LLVMValueRef text = LLVMBuildGlobalStringPtr(m->builder, what, "treadle.unwatched");
    LLVMValueRef args[] = {text, site};
    call_hook(m, "__treadle_unwatched", args, 2);
    m->has_hooks = true;
}

void ins_hook_unwatched(ins_module *m, LLVMValueRef inst, const char *what)
{
    stand_before(m, inst);
    ins_hook_unwatched_here(m, what, call_site(m, inst, what));
}
