/* SPDX-License-Identifier: Apache-2.0 */
/* What an intrinsic does to memory. LLVM marks many as touching none; a table here has the others. One in
 * neither is unknown, and never taken for harmless; the same holds if the types of its arguments differ from
 * its row, as in a version that changed them. */
#include "instrument/instrument_int.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "instrument/llvm_versions.h"

#define FUNCTION_INDEX ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)
#define LANES_MAX 64u

/* LLVM marks them as touching memory, to keep their order: for the compiler, for registers, for caches. They
 * touch no memory of the program. */
static const char *const silent[] = {
    "dbg.addr", "dbg.assign", "dbg.declare", "dbg.label", "dbg.value", "lifetime.start",
    "lifetime.end", "invariant.start", "invariant.end", "assume", "prefetch", "va_end",
    "stacksave", "stackrestore", "stackguard", "stackprotector", "annotation",
    "var.annotation", "ptr.annotation", "launder.invariant.group",
    "strip.invariant.group", "donothing", "sideeffect", "trap", "debugtrap", "ubsantrap",
    "clear_cache", "readcyclecounter", "readsteadycounter", "read_register",
    "read_volatile_register", "write_register", "eh.dwarf.cfa", "eh.unwind.init",
    "instrprof.callsite", "instrprof.cover", "instrprof.increment",
    "instrprof.increment.step", "instrprof.mcdc.parameters",
    "instrprof.mcdc.tvbitmap.update", "instrprof.timestamp", "instrprof.value.profile",
    /* x86 */
    "x86.rdtsc", "x86.rdtscp", "x86.rdpmc", "x86.rdpru", "x86.rdpid", "x86.rdrand.16",
    "x86.rdrand.32", "x86.rdrand.64", "x86.rdseed.16", "x86.rdseed.32", "x86.rdseed.64",
    "x86.rdfsbase.32", "x86.rdfsbase.64", "x86.rdgsbase.32", "x86.rdgsbase.64",
    "x86.rdpkru", "x86.wrpkru", "x86.xgetbv", "x86.xtest", "x86.flags.read.u32",
    "x86.flags.read.u64", "x86.flags.write.u32", "x86.flags.write.u64", "x86.mmx.emms",
    "x86.mmx.femms", "x86.avx.vzeroall", "x86.avx.vzeroupper", "x86.sse2.pause",
    "x86.serialize", "x86.sse2.clflush", "x86.clflushopt", "x86.clwb", "x86.cldemote",
    "x86.sse3.monitor", "x86.sse3.mwait", "x86.monitorx", "x86.mwaitx", "x86.umonitor",
    "x86.umwait", "x86.tpause", "x86.ptwrite32", "x86.ptwrite64", "x86.tilezero",
    "x86.tilezero.internal", "x86.tilerelease"};

enum shape {
    READ,        /* bytes at pointer; 0: as many as the result has */
    WRITE,       /* bytes at pointer; 0: as many as value has */
    COPY,        /* bytes from value to pointer */
    VA_START,    /* the list at pointer is written */
    VA_COPY,     /* and read at value */
    MASK_READ,   /* lanes of the result, one after another, those that mask has */
    MASK_WRITE,  /* lanes of value */
    PACKED_READ, /* as many lanes from pointer on as mask has */
    PACKED_WRITE,
    GATHER, /* lanes at pointer, a vector of them, or with an index and a scale */
    SCATTER
};

/* Numbers of arguments. */
typedef struct row {
    const char *name; /* without "llvm."; after a star anything may follow */
    enum shape shape;
    uint8_t pointer, value;
    /* Negative: from the end, as some versions have the alignment before it. */
    int8_t mask;
    uint8_t index;
    /* READ, WRITE: total bytes; otherwise bytes of a lane, 0: the size of the type. */
    uint16_t bytes;
} row;

/* The first row that fits counts. */
static const row rows[] = {
    /* Memory that an argument points to. */
    {"va_start", VA_START, .pointer = 0},
    {"va_copy", VA_COPY, .pointer = 0, .value = 1},
    {"x86.sse3.ldu.dq", READ, .pointer = 0},
    {"x86.avx.ldu.dq.256", READ, .pointer = 0},
    {"x86.sse.ldmxcsr", READ, .pointer = 0, .bytes = 4},
    {"x86.sse.stmxcsr", WRITE, .pointer = 0, .bytes = 4},
    {"x86.mmx.movnt.dq", WRITE, .pointer = 0, .value = 1},
    {"x86.directstore32", WRITE, .pointer = 0, .value = 1},
    {"x86.directstore64", WRITE, .pointer = 0, .value = 1},
    {"x86.movdir64b", COPY, .pointer = 0, .value = 1, .bytes = 64},
    /* The rest of the 512 bytes is reserved or the program's. */
    {"x86.fxsave", WRITE, .pointer = 0, .bytes = 416},
    {"x86.fxsave64", WRITE, .pointer = 0, .bytes = 416},
    {"x86.fxrstor", READ, .pointer = 0, .bytes = 416},
    {"x86.fxrstor64", READ, .pointer = 0, .bytes = 416},
    {"x86.ldtilecfg*", READ, .pointer = 0, .bytes = 64},
    {"x86.sttilecfg", WRITE, .pointer = 0, .bytes = 64},
    {"x86.vbcstne*", READ, .pointer = 0, .bytes = 2},
    {"x86.vcvtnee*", READ, .pointer = 0},
    {"x86.vcvtneo*", READ, .pointer = 0},
    /* Lanes. */
    {"masked.load", MASK_READ, .pointer = 0, .mask = -2},
    {"masked.store", MASK_WRITE, .pointer = 1, .value = 0, .mask = -1},
    {"masked.expandload", PACKED_READ, .pointer = 0, .mask = -2},
    {"masked.compressstore", PACKED_WRITE, .pointer = 1, .value = 0, .mask = -1},
    {"masked.gather", GATHER, .pointer = 0, .mask = -2},
    {"masked.scatter", SCATTER, .pointer = 1, .value = 0, .mask = -1},
    {"x86.avx.maskload.*", MASK_READ, .pointer = 0, .mask = 1},
    {"x86.avx2.maskload.*", MASK_READ, .pointer = 0, .mask = 1},
    {"x86.avx.maskstore.*", MASK_WRITE, .pointer = 0, .mask = 1, .value = 2},
    {"x86.avx2.maskstore.*", MASK_WRITE, .pointer = 0, .mask = 1, .value = 2},
    {"x86.sse2.maskmov.dqu", MASK_WRITE, .pointer = 2, .mask = 1, .value = 0},
    {"x86.mmx.maskmovq", MASK_WRITE, .pointer = 2, .mask = 1, .value = 0, .bytes = 1},
    {"x86.avx2.gather.*", GATHER, .pointer = 1, .index = 2, .mask = 3},
    {"x86.avx512.gather*", GATHER, .pointer = 1, .index = 2, .mask = 3},
    {"x86.avx512.mask.gather*", GATHER, .pointer = 1, .index = 2, .mask = 3},
    {"x86.avx512.scatter*", SCATTER, .pointer = 0, .mask = 1, .index = 2, .value = 3},
    {"x86.avx512.mask.scatter*", SCATTER, .pointer = 0, .mask = 1, .index = 2,
     .value = 3},
#define PMOV(name, size)                                                                 \
    {"x86.avx512.mask.pmov." name ".mem.*", MASK_WRITE, 0, 1, 2, 0, size},               \
        {"x86.avx512.mask.pmovs." name ".mem.*", MASK_WRITE, 0, 1, 2, 0, size},          \
    {                                                                                    \
        "x86.avx512.mask.pmovus." name ".mem.*", MASK_WRITE, 0, 1, 2, 0, size            \
    }
    PMOV("db", 1),
    PMOV("dw", 2),
    PMOV("qb", 1),
    PMOV("qd", 4),
    PMOV("qw", 2),
    PMOV("wb", 1),
#undef PMOV
};

#define N_OF(list) (sizeof(list) / sizeof((list)[0]))

/* --- which row --- */

static bool fits(const char *name, const char *pattern)
{
    size_t n = strlen(pattern);
    if (pattern[n - 1] == '*')
        return strncmp(name, pattern, n - 1) == 0;
    return strcmp(name, pattern) == 0;
}

static const row *find_row(const char *name)
{
    for (size_t i = 0; i < N_OF(rows); i++)
        if (fits(name, rows[i].name))
            return &rows[i];
    return NULL;
}

/* LLVM promises that it touches no memory, or none that the program has. */
static bool touches_nothing(LLVMValueRef callee)
{
    enum {
        INACCESSIBLE = 3 << 2
    }; /* below it: what arguments point to; above: the rest */
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(callee, FUNCTION_INDEX, kind);
    return a && (LLVMGetEnumAttributeValue(a) & ~(uint64_t)INACCESSIBLE) == 0;
}

/* --- lanes --- */

/* One call while its accesses are listed. */
typedef struct lister {
    ins_module *m;
    LLVMValueRef call;
    const row *r;
    ins_access_vec *out;
} lister;

static bool is_vector(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

static LLVMValueRef arg(const lister *l, unsigned i)
{
    TD_ASSERT(i < LLVMGetNumArgOperands(l->call));
    return LLVMGetOperand(l->call, i);
}

static unsigned mask_number(const lister *l)
{
    int n = (int)LLVMGetNumArgOperands(l->call);
    return (unsigned)(l->r->mask < 0 ? n + l->r->mask : l->r->mask);
}

static uint64_t size_of(const lister *l, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(l->m->layout, type);
}

/* What the lanes are of: the result, or the value stored. */
static LLVMTypeRef lanes_type(const lister *l)
{
    bool reads =
        l->r->shape == MASK_READ || l->r->shape == PACKED_READ || l->r->shape == GATHER;
    return LLVMTypeOf(reads ? l->call : arg(l, l->r->value));
}

static LLVMValueRef lane_number(const lister *l, unsigned i)
{
    return LLVMConstInt(l->m->i32, i, 0);
}

/* 1 or 0: whether the mask has this lane. A mask is a vector of bits or of lanes whose upper bit
 * counts, or an integer. */
static LLVMValueRef lane_bit(const lister *l, LLVMValueRef mask, unsigned i)
{
    LLVMBuilderRef b = l->m->builder;
    LLVMTypeRef type = LLVMTypeOf(mask);
    LLVMValueRef bit = mask;
    unsigned shift = i;
    if (is_vector(mask)) {
        LLVMTypeRef element = LLVMGetElementType(type);
        unsigned bits = (unsigned)LLVMSizeOfTypeInBits(l->m->layout, element);
        bit = LLVMBuildExtractElement(b, mask, lane_number(l, i), "");
        type = LLVMIntTypeInContext(l->m->context, bits);
        if (element != type)
            bit = LLVMBuildBitCast(b, bit, type, "");
        shift = bits - 1;
    }
    bit = LLVMBuildLShr(b, bit, LLVMConstInt(type, shift, 0), "");
    bit = LLVMBuildZExtOrBitCast(b, bit, l->m->i64, "");
    return LLVMBuildAnd(b, bit, LLVMConstInt(l->m->i64, 1, 0), "");
}

/* The address of lane i. */
static LLVMValueRef lane_address(const lister *l, unsigned i, uint64_t size)
{
    LLVMBuilderRef b = l->m->builder;
    LLVMValueRef pointer = arg(l, l->r->pointer);
    if (is_vector(pointer))
        return LLVMBuildExtractElement(b, pointer, lane_number(l, i), "");
    LLVMValueRef offset = LLVMConstInt(l->m->i64, i * size, 0);
    if (l->r->index) {
        enum { SCALE = 4 };
        LLVMValueRef scale = LLVMBuildZExtOrBitCast(b, arg(l, SCALE), l->m->i64, "");
        offset = LLVMBuildExtractElement(b, arg(l, l->r->index), lane_number(l, i), "");
        offset = LLVMBuildSExtOrBitCast(b, offset, l->m->i64, "");
        offset = LLVMBuildMul(b, offset, scale, "");
    }
    return LLVMBuildGEP2(b, l->m->i8, pointer, &offset, 1, "");
}

static unsigned lanes_of(LLVMValueRef v, unsigned most)
{
    unsigned n = is_vector(v) ? LLVMGetVectorSize(LLVMTypeOf(v)) : most;
    return n < most ? n : most;
}

/* The mask in a form that lane_bit takes. */
static LLVMValueRef mask_of(const lister *l, unsigned n)
{
    LLVMValueRef mask = arg(l, mask_number(l));
    if (ins_llvm_is_mmx(LLVMTypeOf(mask)))
        mask = LLVMBuildBitCast(l->m->builder, mask, LLVMVectorType(l->m->i8, n), "");
    return mask;
}

static void add(const lister *l, LLVMValueRef address, uint64_t size, LLVMValueRef length,
                bool write)
{
    ins_access a = {.inst = l->call,
                    .address = address,
                    .size = length ? 0 : size,
                    .align = 1,
                    .write = write,
                    .length = length};
    ins_access_vec_push(l->out, a);
}

/* How many lanes, of which size; 0 if that is not known. */
static unsigned count_lanes(const lister *l, uint64_t *size)
{
    LLVMTypeRef type = lanes_type(l);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned n = 0;
    *size = l->r->bytes;
    if (l->r->bytes == 1 && ins_llvm_is_mmx(type))
        n = 8;
    else if (kind == LLVMVectorTypeKind) {
        n = LLVMGetVectorSize(type);
        *size = *size ? *size : size_of(l, LLVMGetElementType(type));
    }
    if (l->r->index)
        n = lanes_of(arg(l, l->r->index), n);
    return n <= LANES_MAX ? n : 0;
}

/* Each lane is a range of its size, or of no bytes. */
static enum ins_reach list_lanes(const lister *l)
{
    LLVMBuilderRef b = l->m->builder;
    enum shape shape = l->r->shape;
    bool write = shape == MASK_WRITE || shape == PACKED_WRITE || shape == SCATTER;
    bool packed = shape == PACKED_READ || shape == PACKED_WRITE;
    uint64_t size = 0;
    unsigned n = count_lanes(l, &size);
    if (n == 0)
        return INS_REACH_UNKNOWN;
    LLVMValueRef mask = mask_of(l, n);
    n = lanes_of(mask, n);
    LLVMValueRef bytes = LLVMConstInt(l->m->i64, size, 0), sum = NULL;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef length = LLVMBuildMul(b, lane_bit(l, mask, i), bytes, "");
        if (packed)
            sum = sum ? LLVMBuildAdd(b, sum, length, "") : length;
        else
            add(l, lane_address(l, i, size), 0, length, write);
    }
    if (packed)
        add(l, arg(l, l->r->pointer), 0, sum, write);
    return INS_REACH_LISTED;
}

/* --- all --- */

/* Bytes of a list of arguments, 0 where that is not known. */
static uint64_t va_list_size(const ins_module *m)
{
    const char *target = LLVMGetTarget(m->module);
    if (strncmp(target, "x86_64", 6) == 0)
        return 24;
    return strncmp(target, "aarch64", 7) == 0 && strstr(target, "linux") ? 32 : 0;
}

static enum ins_reach list(const lister *l)
{
    const row *r = l->r;
    uint64_t size = r->bytes;
    LLVMValueRef pointer = arg(l, r->pointer);
    switch (r->shape) {
    case READ:
        add(l, pointer, size ? size : size_of(l, LLVMTypeOf(l->call)), NULL, false);
        return INS_REACH_LISTED;
    case WRITE:
        add(l, pointer, size ? size : size_of(l, LLVMTypeOf(arg(l, r->value))), NULL,
            true);
        return INS_REACH_LISTED;
    case VA_START:
    case VA_COPY:
        size = va_list_size(l->m);
        if (size == 0)
            return INS_REACH_UNKNOWN;
        if (r->shape == VA_COPY)
            add(l, arg(l, r->value), size, NULL, false);
        add(l, pointer, size, NULL, true);
        return INS_REACH_LISTED;
    case COPY:
        add(l, arg(l, r->value), size, NULL, false);
        add(l, pointer, size, NULL, true);
        return INS_REACH_LISTED;
    default:
        return list_lanes(l);
    }
}

/* --- whether the arguments are those of the row --- */

static bool is_arg(const lister *l, unsigned i)
{
    return i < LLVMGetNumArgOperands(l->call);
}

static bool is_pointer_arg(const lister *l, unsigned i)
{
    LLVMTypeRef type = is_arg(l, i) ? LLVMTypeOf(arg(l, i)) : NULL;
    if (type && LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return type && LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static bool is_integer_arg(const lister *l, unsigned i)
{
    return is_arg(l, i) && LLVMGetTypeKind(LLVMTypeOf(arg(l, i))) == LLVMIntegerTypeKind;
}

static bool is_value_arg(const lister *l, unsigned i)
{
    return is_arg(l, i) && !is_pointer_arg(l, i) &&
           LLVMGetTypeKind(LLVMTypeOf(arg(l, i))) != LLVMMetadataTypeKind;
}

static bool is_mask_arg(const lister *l, unsigned i)
{
    if (!is_arg(l, i) || l->r->mask >= 0)
        return is_value_arg(l, i);
    LLVMTypeRef type = LLVMTypeOf(arg(l, i));
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetElementType(type) == LLVMInt1TypeInContext(l->m->context);
}

static bool has_row_types(const lister *l)
{
    enum { SCALE = 4 };
    const row *r = l->r;
    if (!is_pointer_arg(l, r->pointer))
        return false;
    switch (r->shape) {
    case READ:
        return r->bytes || LLVMGetTypeKind(LLVMTypeOf(l->call)) != LLVMVoidTypeKind;
    case WRITE:
        return r->bytes || is_value_arg(l, r->value);
    case VA_START:
        return true;
    case COPY:
    case VA_COPY:
        return is_pointer_arg(l, r->value);
    case GATHER:
    case SCATTER:
        if (r->index ? !is_arg(l, r->index) || !is_vector(arg(l, r->index)) ||
                           !is_integer_arg(l, SCALE)
                     : !is_vector(arg(l, r->pointer)))
            return false;
        break;
    case MASK_READ:
    case MASK_WRITE:
    case PACKED_READ:
    case PACKED_WRITE:
        break;
    }
    return is_mask_arg(l, mask_number(l)) && is_arg(l, r->value);
}

enum ins_reach ins_intrinsic_reach(ins_module *m, LLVMValueRef call, ins_access_vec *out)
{
    char name[INS_INTRINSIC_NAME];
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!ins_intrinsic_name(callee, name, sizeof name))
        return INS_REACH_UNKNOWN;
    if (ins_intrinsic_is(call, silent, N_OF(silent)) || touches_nothing(callee))
        return INS_REACH_NOTHING;
    lister l = {.m = m, .call = call, .r = find_row(name), .out = out};
    if (l.r == NULL || !has_row_types(&l))
        return INS_REACH_UNKNOWN;
    ins_hook_stand(m, call);
    return list(&l);
}

/* --- fences --- */

static void lower_fences(ins_module *m, const char *name, LLVMAtomicOrdering order)
{
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    LLVMUseRef use = f ? LLVMGetFirstUse(f) : NULL, next;
    for (; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        LLVMPositionBuilderBefore(m->builder, call);
        LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
        LLVMBuildFence(m->builder, order, 0, "");
        LLVMInstructionEraseFromParent(call);
    }
}

void ins_intrinsic_lower(ins_module *m)
{
    lower_fences(m, "llvm.x86.sse2.mfence", LLVMAtomicOrderingSequentiallyConsistent);
    lower_fences(m, "llvm.x86.sse2.lfence", LLVMAtomicOrderingAcquire);
    lower_fences(m, "llvm.x86.sse.sfence", LLVMAtomicOrderingRelease);
}
