/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of instrument/: a module in, which accesses are hooked out. One small function for each
 * instruction that may touch memory, each family of intrinsics, and each reason not to hook. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/IRReader.h>
#include <llvm/Config/llvm-config.h>

#include "instrument/instrument_int.h"

/* --- a module --- */

static const char head[] =
    "target datalayout = "
    "\"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-"
    "n8:16:32:64-S128\"\n"
    "target triple = \"x86_64-pc-linux-gnu\"\n"
    "%big = type { [8 x i64] }\n"
    "@shared = global [64 x i8] zeroinitializer, align 16\n"
    "@words = global i64 0, align 8\n"
    "@table = constant i64 7, align 8\n"
    "@elsewhere = external constant i64, align 8\n"
    "@own = internal thread_local global i64 0, align 8\n";

static void module_open(ins_module *m, const char *declarations, const char *body)
{
    char text[8192];
    LLVMContextRef context = LLVMContextCreate();
    char *message = NULL;
    snprintf(text, sizeof text,
             "%s%s\ndefine i64 @f(ptr %%p, ptr %%q, i64 %%n) {\n%s\nret i64 0\n}\n", head,
             declarations, body);
    *m = (ins_module){.context = context};
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    if (LLVMParseIRInContext(context, buffer, &m->module, &message))
        fail_msg("%s\n%s", message, body);
    m->layout = LLVMGetModuleDataLayout(m->module);
    m->builder = LLVMCreateBuilderInContext(context);
    m->i8 = LLVMInt8TypeInContext(context);
    m->i32 = LLVMInt32TypeInContext(context);
    m->i64 = LLVMInt64TypeInContext(context);
    m->ptr = LLVMPointerTypeInContext(context, 0);
    m->none = LLVMVoidTypeInContext(context);
    m->label_kind = LLVMGetMDKindIDInContext(context, "treadle.label", 13);
    ins_sites_init(m);
}

static void module_close(ins_module *m)
{
    LLVMContextRef context = m->context;
    ins_sites_fini(&m->sites);
    ins_rename_fini(m);
    ins_map_fini(&m->verdicts);
    LLVMDisposeBuilder(m->builder);
    LLVMDisposeModule(m->module);
    LLVMContextDispose(context);
}

/* The hooks of the function in order: "read4 write8 ", with sizes of ranges behind them where they
 * are constants. */
static void list_hooks(const ins_module *m, char *out, size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    LLVMValueRef f = LLVMGetNamedFunction(m->module, "f");
    LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f);
    for (; bb; bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef inst = LLVMGetFirstInstruction(bb);
        for (; inst; inst = LLVMGetNextInstruction(inst)) {
            LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
            const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
            if (strncmp(name, "__treadle_", 10) != 0)
                continue;
            size_t used = strlen(out);
            snprintf(out + used, size - used, "%s", name + 10);
            used = strlen(out);
            unsigned n_args = LLVMGetNumArgOperands(inst);
            LLVMValueRef bytes =
                n_args > 2 ? LLVMGetOperand(inst, strstr(name, "range") ? 1 : 2) : NULL;
            bool has_size = strstr(name, "range") || strstr(name, "known");
            if (has_size && LLVMIsAConstantInt(bytes))
                snprintf(out + used, size - used, ":%u",
                         (unsigned)LLVMConstIntGetZExtValue(bytes));
            used = strlen(out);
            snprintf(out + used, size - used, " ");
        }
    }
}

static void expect(const char *declarations, const char *body, const char *hooks)
{
    ins_module m;
    char seen[4096];
    td_diag diag = {0};
    module_open(&m, declarations, body);
    ins_intrinsic_lower(&m);
    ins_walk_module(&m);
    if (ins_check_module(&m, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    list_hooks(&m, seen, sizeof seen);
    if (strcmp(seen, hooks) != 0)
        fail_msg("%s\nhooks: '%s', not '%s'", body, seen, hooks);
    module_close(&m);
}

/* --- loads and stores --- */

static void plain_accesses_are_hooked(void **state)
{
    expect("", "%x = load i8, ptr %p, align 1", "read1 ");
    expect("", "%x = load i16, ptr %p, align 2", "read2 ");
    expect("", "%x = load i32, ptr %p, align 4", "read4 ");
    expect("", "%x = load i64, ptr %p, align 8", "read8 ");
    expect("", "%x = load ptr, ptr %p, align 8", "read8 ");
    expect("", "%x = load double, ptr %p, align 8", "read8 ");
    expect("", "store i64 1, ptr %p, align 8", "write8 ");
    expect("", "%x = load <16 x i8>, ptr %p, align 16", "read16 ");
    expect("", "%x = load volatile i32, ptr %p, align 4", "read4 ");
}

static void odd_accesses_are_ranges(void **state)
{
    expect("", "%x = load i1, ptr %p, align 1", "read1 ");
    expect("", "%x = load i24, ptr %p, align 4", "read_range:3 ");
    expect("", "%x = load x86_fp80, ptr %p, align 16", "read_range:10 ");
    expect("", "%x = load <3 x i32>, ptr %p, align 16", "read_range:12 ");
    expect("", "%x = load i64, ptr %p, align 1", "read_range:8 ");
    expect("", "store <3 x i8> zeroinitializer, ptr %p, align 4", "write_range:3 ");
    expect("", "%x = load {i64, i64}, ptr %p, align 8", "read16 ");
    expect("", "%x = load <8 x i64>, ptr %p, align 64", "read16 read16 read16 read16 ");
    expect("", "store [3 x i64] zeroinitializer, ptr %p, align 8", "write16 write8 ");
    expect("", "%x = load {}, ptr %p, align 1", "");
}

static void what_nobody_reaches_is_not_hooked(void **state)
{
    expect("", "%a = alloca i64\nstore i64 1, ptr %a\n%x = load i64, ptr %a", "");
    expect("", "%x = load i64, ptr @table", "");
    expect("declare ptr @llvm.threadlocal.address.p0(ptr)",
           "%a = call ptr @llvm.threadlocal.address.p0(ptr @own)\nstore i64 1, ptr %a",
           "");
    expect("", "%x = load i64, ptr @elsewhere, align 8", "read8 ");
    expect("",
           "%a = alloca i64\nstore ptr %a, ptr %p, align 8\nstore i64 1, ptr %a, align 8",
           "write8 write8 left ");
}

static void an_earlier_check_covers(void **state)
{
    expect("", "%x = load i64, ptr %p, align 8\n%y = load i64, ptr %p, align 8",
           "read8 again_read ");
    expect("", "store i64 1, ptr %p, align 8\n%y = load i64, ptr %p, align 8",
           "write8 again_read ");
}

static void other_address_spaces_are_gaps(void **state)
{
    expect("", "%x = load i64, ptr addrspace(257) null", "unwatched ");
    expect("", "store i64 1, ptr addrspace(256) null", "unwatched ");
    expect("", "%x = atomicrmw add ptr addrspace(257) null, i64 1 seq_cst", "unwatched ");
    expect("declare void @llvm.memset.p257.i64(ptr addrspace(257), i8, i64, i1)",
           "call void @llvm.memset.p257.i64(ptr addrspace(257) null, i8 0, i64 8, i1 0)",
           "unwatched ");
}

/* --- atomics --- */

static void atomics_are_operations(void **state)
{
    expect("", "%x = load atomic i32, ptr %p seq_cst, align 4", "atomic ");
    expect("", "store atomic i64 1, ptr %p release, align 8", "atomic ");
    expect("", "%x = load atomic float, ptr %p seq_cst, align 4", "atomic ");
    expect("", "%x = atomicrmw fadd ptr %p, double 1.0 seq_cst", "atomic ");
    expect("", "%x = atomicrmw xchg ptr %p, ptr %q seq_cst", "atomic ");
    expect("", "%x = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst", "atomic ");
    expect("", "%x = cmpxchg ptr %p, i128 0, i128 1 seq_cst seq_cst", "atomic_wide ");
    expect("", "%x = load atomic i256, ptr %p seq_cst, align 32", "unwatched ");
    expect("", "fence seq_cst", "atomic ");
    expect("", "fence syncscope(\"singlethread\") seq_cst", "");
}

static void fences_of_the_processor_are_fences(void **state)
{
    expect("declare void @llvm.x86.sse2.mfence()", "call void @llvm.x86.sse2.mfence()",
           "atomic ");
    expect("declare void @llvm.x86.sse.sfence()", "call void @llvm.x86.sse.sfence()",
           "atomic ");
    expect("declare void @llvm.x86.sse2.lfence()", "call void @llvm.x86.sse2.lfence()",
           "atomic ");
}

/* --- intrinsics --- */

#define MEMCPY "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"

static void memory_intrinsics_are_ranges(void **state)
{
    expect(MEMCPY, "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 100, i1 0)",
           "read_range:100 write_range:100 ");
    expect(MEMCPY, "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 0)",
           "read_range write_range ");
    expect(MEMCPY, "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 0, i1 0)", "");
    expect("declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
           "call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 9, i1 0)",
           "read_range:9 write_range:9 ");
    expect("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
           "call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 9, i1 0)", "write_range:9 ");
    expect("declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)",
           "call void @llvm.memset.inline.p0.i64(ptr %p, i8 0, i64 9, i1 0)",
           "write_range:9 ");
    expect("declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)",
           "call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 9, i1 0)",
           "read_range:9 write_range:9 ");
    expect("declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, "
           "i32)",
           "call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 8 %p, "
           "ptr align 8 %q, i64 8, i32 8)",
           "unwatched ");
}

static void some_touch_no_memory(void **state)
{
    expect("declare void @llvm.lifetime.start.p0(i64, ptr)",
           "%a = alloca i64\ncall void @llvm.lifetime.start.p0(i64 8, ptr %a)", "");
    expect("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
           "call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)", "");
    expect("declare void @llvm.assume(i1)", "call void @llvm.assume(i1 1)", "");
    expect("declare i64 @llvm.ctpop.i64(i64)", "%x = call i64 @llvm.ctpop.i64(i64 %n)",
           "");
    expect("declare i64 @llvm.x86.rdtsc()", "%x = call i64 @llvm.x86.rdtsc()", "");
    expect("declare void @llvm.x86.sse2.pause()", "call void @llvm.x86.sse2.pause()", "");
    expect("declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)",
           "%x = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 0, i1 0, i1 0)", "");
}

static void intrinsics_of_the_processor(void **state)
{
    expect("declare <16 x i8> @llvm.x86.sse3.ldu.dq(ptr)",
           "%x = call <16 x i8> @llvm.x86.sse3.ldu.dq(ptr %p)", "read_range:16 ");
    expect("declare <32 x i8> @llvm.x86.avx.ldu.dq.256(ptr)",
           "%x = call <32 x i8> @llvm.x86.avx.ldu.dq.256(ptr %p)", "read_range:32 ");
    expect("declare void @llvm.x86.fxsave(ptr)", "call void @llvm.x86.fxsave(ptr %p)",
           "write_range:416 ");
    expect("declare void @llvm.x86.fxrstor64(ptr)",
           "call void @llvm.x86.fxrstor64(ptr %p)", "read_range:416 ");
    expect("declare void @llvm.x86.sse.stmxcsr(ptr)",
           "call void @llvm.x86.sse.stmxcsr(ptr %p)", "write_range:4 ");
    expect("declare void @llvm.x86.sse.ldmxcsr(ptr)",
           "call void @llvm.x86.sse.ldmxcsr(ptr %p)", "read_range:4 ");
    expect("declare void @llvm.x86.movdir64b(ptr, ptr)",
           "call void @llvm.x86.movdir64b(ptr %p, ptr %q)",
           "read_range:64 write_range:64 ");
    expect("declare void @llvm.x86.directstore64(ptr, i64)",
           "call void @llvm.x86.directstore64(ptr %p, i64 %n)", "write_range:8 ");
}

static void lanes_are_ranges_of_their_own(void **state)
{
    expect("declare <2 x i64> @llvm.masked.load.v2i64.p0(ptr, i32, <2 x i1>, <2 x i64>)",
           "%x = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr %p, i32 8, "
           "<2 x i1> <i1 1, i1 0>, <2 x i64> zeroinitializer)",
           "read_range:8 read_range:0 ");
    expect(
        "declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)",
        "call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr %p, i32 4, "
        "<4 x i1> <i1 0, i1 0, i1 1, i1 0>)",
        "write_range:0 write_range:0 write_range:4 write_range:0 ");
    expect("declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, i32, <2 x i1>, "
           "<2 x i32>)",
           "%v = insertelement <2 x ptr> zeroinitializer, ptr %p, i32 0\n"
           "%x = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> %v, i32 4, "
           "<2 x i1> <i1 1, i1 0>, <2 x i32> zeroinitializer)",
           "read_range:4 read_range:0 ");
    expect("declare void @llvm.masked.scatter.v2i32.v2p0(<2 x i32>, <2 x ptr>, i32, <2 x "
           "i1>)",
           "%v = insertelement <2 x ptr> zeroinitializer, ptr %p, i32 0\n"
           "call void @llvm.masked.scatter.v2i32.v2p0(<2 x i32> zeroinitializer, <2 x "
           "ptr> %v, "
           "i32 4, <2 x i1> <i1 0, i1 1>)",
           "write_range:0 write_range:4 ");
    expect("declare <4 x i32> @llvm.masked.expandload.v4i32(ptr, <4 x i1>, <4 x i32>)",
           "%x = call <4 x i32> @llvm.masked.expandload.v4i32(ptr %p, "
           "<4 x i1> <i1 1, i1 0, i1 0, i1 1>, <4 x i32> zeroinitializer)",
           "read_range:8 ");
    expect(
        "declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)",
        "call void @llvm.masked.compressstore.v4i32(<4 x i32> zeroinitializer, ptr %p, "
        "<4 x i1> <i1 1, i1 1, i1 0, i1 1>)",
        "write_range:12 ");
}

static void lanes_of_the_processor(void **state)
{
    expect("declare <2 x double> @llvm.x86.avx.maskload.pd(ptr, <2 x i64>)",
           "%x = call <2 x double> @llvm.x86.avx.maskload.pd(ptr %p, <2 x i64> <i64 -1, "
           "i64 1>)",
           "read_range:8 read_range:0 ");
    expect("declare void @llvm.x86.avx2.maskstore.d(ptr, <4 x i32>, <4 x i32>)",
           "call void @llvm.x86.avx2.maskstore.d(ptr %p, <4 x i32> <i32 -1, i32 0, i32 "
           "-8, i32 0>,"
           " <4 x i32> zeroinitializer)",
           "write_range:4 write_range:0 write_range:4 write_range:0 ");
    /* Fewer indices than elements: two lanes. */
    expect("declare <4 x i32> @llvm.x86.avx2.gather.q.d(<4 x i32>, ptr, <2 x i64>, <4 x "
           "i32>, i8)",
           "%x = call <4 x i32> @llvm.x86.avx2.gather.q.d(<4 x i32> zeroinitializer, ptr "
           "%p, "
           "<2 x i64> <i64 1, i64 2>, <4 x i32> <i32 -1, i32 0, i32 -1, i32 -1>, i8 4)",
           "read_range:4 read_range:0 ");
    expect(
        "declare void @llvm.x86.avx512.mask.scatterdiv2.df(ptr, <2 x i1>, <2 x i64>, "
        "<2 x double>, i32)",
        "call void @llvm.x86.avx512.mask.scatterdiv2.df(ptr %p, <2 x i1> <i1 1, i1 0>, "
        "<2 x i64> zeroinitializer, <2 x double> zeroinitializer, i32 8)",
        "write_range:8 write_range:0 ");
    expect("declare void @llvm.x86.avx512.mask.pmov.qw.mem.128(ptr, <2 x i64>, i8)",
           "call void @llvm.x86.avx512.mask.pmov.qw.mem.128(ptr %p, <2 x i64> "
           "zeroinitializer, "
           "i8 2)",
           "write_range:0 write_range:2 ");
}

static void lists_of_arguments(void **state)
{
#if LLVM_VERSION_MAJOR >= 19
    expect("declare void @llvm.va_copy.p0(ptr, ptr)",
           "call void @llvm.va_copy.p0(ptr %p, ptr %q)", "read_range:24 write_range:24 ");
#else
    expect("declare void @llvm.va_copy(ptr, ptr)",
           "call void @llvm.va_copy(ptr %p, ptr %q)", "read_range:24 write_range:24 ");
#endif
    expect("", "%x = va_arg ptr %p, i64", "unwatched ");
}

/* What nobody thought of. */
static void unknown_intrinsics_are_gaps(void **state)
{
    expect("declare void @llvm.x86.xsave(ptr, i32, i32)",
           "call void @llvm.x86.xsave(ptr %p, i32 0, i32 0)", "unwatched ");
    expect("declare i32 @llvm.x86.xbegin()", "%x = call i32 @llvm.x86.xbegin()",
           "unwatched ");
    expect("declare void @llvm.x86.clzero(ptr)", "call void @llvm.x86.clzero(ptr %p)",
           "unwatched ");
    expect("declare i32 @llvm.eh.sjlj.setjmp(ptr)",
           "%x = call i32 @llvm.eh.sjlj.setjmp(ptr %p)", "unwatched ");
    expect("declare <2 x i64> @llvm.vp.load.v2i64.p0(ptr, <2 x i1>, i32)",
           "%x = call <2 x i64> @llvm.vp.load.v2i64.p0(ptr %p, <2 x i1> zeroinitializer, "
           "i32 2)",
           "unwatched ");
    expect("declare <4 x i64> @llvm.matrix.column.major.load.v4i64.i64(ptr, i64, i1, "
           "i32, i32)",
           "%x = call <4 x i64> @llvm.matrix.column.major.load.v4i64.i64(ptr %p, i64 2, "
           "i1 0, "
           "i32 2, i32 2)",
           "unwatched ");
    expect("declare ptr @llvm.load.relative.i64(ptr, i64)",
           "%x = call ptr @llvm.load.relative.i64(ptr %p, i64 %n)", "unwatched ");
}

/* One that this LLVM does not have, and known ones whose arguments are not those of their rows. */
static void strange_intrinsics_are_gaps(void **state)
{
    expect("declare void @llvm.not.known.yet(ptr)",
           "call void @llvm.not.known.yet(ptr %p)", "unwatched ");
    expect("declare void @llvm.lifetime.later(ptr)",
           "call void @llvm.lifetime.later(ptr %p)", "unwatched ");
    expect("declare void @llvm.memlater.p0(ptr, ptr, i64)",
           "call void @llvm.memlater.p0(ptr %p, ptr %q, i64 8)", "unwatched ");
    expect("declare void @llvm.x86.sse.ldmxcsr(i64)",
           "call void @llvm.x86.sse.ldmxcsr(i64 %n)", "unwatched ");
    expect("declare void @llvm.x86.directstore64(ptr)",
           "call void @llvm.x86.directstore64(ptr %p)", "unwatched ");
    expect("declare <2 x i64> @llvm.x86.avx2.gather.q.q(ptr, <2 x i64>, <2 x i64>)",
           "%x = call <2 x i64> @llvm.x86.avx2.gather.q.q(ptr %p, <2 x i64> "
           "zeroinitializer, <2 x i64> zeroinitializer)",
           "unwatched ");
}

/* A local stays private although its lifetime is marked, and what is not known makes it shared. */
static void lifetimes(void **state)
{
#if LLVM_VERSION_MAJOR >= 22
    expect("declare void @llvm.lifetime.start.p0(ptr)",
           "%a = alloca i64\ncall void @llvm.lifetime.start.p0(ptr %a)\n"
           "store i64 1, ptr %a, align 8",
           "");
#else
    expect("declare void @llvm.lifetime.start.p0(i64, ptr)",
           "%a = alloca i64\ncall void @llvm.lifetime.start.p0(i64 8, ptr %a)\n"
           "store i64 1, ptr %a, align 8",
           "");
#endif
    expect("declare void @llvm.lifetime.later(ptr)",
           "%a = alloca i64\ncall void @llvm.lifetime.later(ptr %a)\n"
           "store i64 1, ptr %a, align 8",
           "unwatched write8 left ");
}

static void addresses_as_numbers(void **state)
{
    expect("", "%x = ptrtoint ptr %p to i64", "");
#if LLVM_VERSION_MAJOR >= 22
    expect("", "%x = ptrtoaddr ptr %p to i64", "");
    expect("",
           "%x = ptrtoaddr ptr %p to i64\n%y = inttoptr i64 %x to ptr\n"
           "store i64 1, ptr %y, align 8",
           "write8 ");
#endif
}

/* --- calls --- */

static void structures_by_value_are_read(void **state)
{
    expect("declare void @g(ptr byval(%big))", "call void @g(ptr byval(%big) align 8 %p)",
           "read16 read16 read16 read16 called ");
    expect("declare void @g(i64, ptr byval(%big))",
           "call void @g(i64 1, ptr byval(%big) align 1 %p)", "read_range:64 called ");
    expect("declare void @g(i64, ...)",
           "call void (i64, ...) @g(i64 1, ptr byval(%big) align 1 %p)",
           "read_range:64 called ");
    expect("", "call void %p(ptr byval(%big) align 1 %q)", "read_range:64 called ");
    expect("declare void @g(ptr byval(%big))",
           "%a = alloca %big\ncall void @g(ptr byval(%big) %a)", "called ");
    expect("declare void @g(ptr)",
           "%a = alloca i64\ncall void @g(ptr %a)\nstore i64 1, ptr %a, align 8",
           "called write8 left ");
    expect("declare void @g(ptr)", "call void @g(ptr %p)", "called ");
}

static void assembly(void **state)
{
    expect("", "call void asm sideeffect \"\", \"~{memory}\"()", "");
    expect("",
           "call void asm sideeffect \"rep; stosb\", \"{di},{cx},{ax}\"(ptr %p, i64 1, "
           "i8 0)",
           "refuse ");
    expect("", "call void asm \"fnstcw $0\", \"=*m\"(ptr elementtype(i16) %p)",
           "write_range:2 ");
}

/* --- the checker --- */

static LLVMValueRef first_of(const ins_module *m, const char *hook)
{
    return LLVMGetUser(LLVMGetFirstUse(LLVMGetNamedFunction(m->module, hook)));
}

static void a_lost_hook_is_noticed(void **state)
{
    ins_module m;
    td_diag diag = {0};
    module_open(&m, "", "%x = load i32, ptr %p, align 4");
    ins_walk_module(&m);
    assert_int_equal(ins_check_module(&m, &diag), TD_OK);
    LLVMInstructionEraseFromParent(first_of(&m, "__treadle_read4"));
    assert_int_not_equal(ins_check_module(&m, &diag), TD_OK);
    assert_non_null(strstr(diag.text, "load i32"));
    module_close(&m);
}

static void an_access_without_verdict_is_noticed(void **state)
{
    ins_module m;
    td_diag diag = {0};
    module_open(&m, "", "%x = load i32, ptr %p, align 4");
    ins_walk_module(&m);
    LLVMValueRef f = LLVMGetNamedFunction(m.module, "f");
    LLVMPositionBuilderBefore(m.builder,
                              LLVMGetBasicBlockTerminator(LLVMGetFirstBasicBlock(f)));
    LLVMBuildStore(m.builder, LLVMConstInt(m.i64, 1, 0), LLVMGetParam(f, 1));
    assert_int_not_equal(ins_check_module(&m, &diag), TD_OK);
    assert_non_null(strstr(diag.text, "store i64 1"));
    module_close(&m);
}

static void a_wrong_reason_is_noticed(void **state)
{
    ins_module m;
    td_diag diag = {0};
    module_open(&m, "", "%x = load i32, ptr %p, align 4");
    ins_walk_module(&m);
    LLVMValueRef f = LLVMGetNamedFunction(m.module, "f");
    LLVMValueRef inst = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(f));
    while (!LLVMIsALoadInst(inst))
        inst = LLVMGetNextInstruction(inst);
    ins_map_put(&m.verdicts, inst, (void *)(uintptr_t)INS_CALLED);
    assert_int_not_equal(ins_check_module(&m, &diag), TD_OK);
    ins_map_put(&m.verdicts, inst, (void *)(uintptr_t)INS_UNWATCHED);
    assert_int_not_equal(ins_check_module(&m, &diag), TD_OK);
    module_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_accesses_are_hooked),
        cmocka_unit_test(odd_accesses_are_ranges),
        cmocka_unit_test(what_nobody_reaches_is_not_hooked),
        cmocka_unit_test(an_earlier_check_covers),
        cmocka_unit_test(other_address_spaces_are_gaps),
        cmocka_unit_test(atomics_are_operations),
        cmocka_unit_test(fences_of_the_processor_are_fences),
        cmocka_unit_test(memory_intrinsics_are_ranges),
        cmocka_unit_test(some_touch_no_memory),
        cmocka_unit_test(intrinsics_of_the_processor),
        cmocka_unit_test(lanes_are_ranges_of_their_own),
        cmocka_unit_test(lanes_of_the_processor),
        cmocka_unit_test(lists_of_arguments),
        cmocka_unit_test(unknown_intrinsics_are_gaps),
        cmocka_unit_test(strange_intrinsics_are_gaps),
        cmocka_unit_test(lifetimes),
        cmocka_unit_test(addresses_as_numbers),
        cmocka_unit_test(structures_by_value_are_read),
        cmocka_unit_test(assembly),
        cmocka_unit_test(a_lost_hook_is_noticed),
        cmocka_unit_test(an_access_without_verdict_is_noticed),
        cmocka_unit_test(a_wrong_reason_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
