/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of the instrumenter: a module in as LLVM's text, and what is hooked in its function f. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <llvm-c/IRReader.h>

#include "instrument/blocks.h"
#include "instrument/instrument_int.h"
#include "wire/hooks.h"

static const char layout[] = "target datalayout = "
                             "\"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-"
                             "f80:128-n8:16:32:64-S128\"\n"
                             "target triple = \"x86_64-pc-linux-gnu\"\n";

/* An operand that is a constant number. */
static void add_number(td_text *out, LLVMValueRef v, char *before)
{
    if (!LLVMIsAConstantInt(v))
        return;
    td_text_add(out, "%c%llu", *before, LLVMConstIntGetZExtValue(v));
    *before = ',';
}

/* The name of a hook without its prefix, and the numbers it is given: "known_read(4,0)". */
static void add_hook(td_text *out, LLVMValueRef call, const char *name)
{
    char before = '(';
    td_text_add(out, "%s%s", out->len ? " " : "", name + strlen("__treadle_"));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        add_number(out, LLVMGetOperand(call, i), &before);
    if (before == ',')
        td_text_add(out, ")");
}

static void add_hooks(td_text *out, LLVMValueRef f)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb;
         bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef inst = LLVMGetFirstInstruction(bb); inst;
             inst = LLVMGetNextInstruction(inst)) {
            size_t n = 0;
            LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
            if (!callee || !LLVMIsAFunction(callee))
                continue;
            const char *name = LLVMGetValueName2(callee, &n);
            if (strncmp(name, "__treadle_", 10) == 0)
                add_hook(out, inst, name);
        }
}

/* The module after the walk, as module.c does it; sroa and names are left out. */
static LLVMContextRef open_module(const char *text, ins_module *m)
{
    td_text whole = {0};
    char *message = NULL;
    LLVMModuleRef module = NULL;
    LLVMContextRef context = LLVMContextCreate();
    td_text_add(&whole, "%s%s", layout, text);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(whole.at, whole.len, "test");
    if (LLVMParseIRInContext(context, buffer, &module, &message))
        fail_msg("%s", message);
    td_text_fini(&whole);
    ins_module_init(m, context, module);
    return context;
}

static void close_module(LLVMContextRef context, ins_module *m)
{
    ins_module_fini(m);
    LLVMContextDispose(context);
}

static void hook_module(ins_module *m)
{
    td_diag diag = {0};
    ins_bare_find(m);
    ins_cycles_lower(m);
    ins_asm_lower(m);
    ins_intrinsic_lower(m);
    ins_divide_module(m);
    ins_rename_functions(m);
    ins_walk_module(m);
    if (ins_check_module(m, &diag) != TD_OK)
        fail_msg("%s", diag.text);
    ins_loops_module(m);
}

/* What is hooked in f of this module. */
static void expect_module(const char *text, const char *hooks)
{
    ins_module m;
    td_text out = {0};
    LLVMContextRef context = open_module(text, &m);
    hook_module(&m);
    LLVMValueRef f = LLVMGetNamedFunction(m.module, "f");
    assert_non_null(f);
    add_hooks(&out, f);
    assert_string_equal(out.len ? out.at : "", hooks);
    td_text_fini(&out);
    close_module(context, &m);
}

/* ... in a function f(p, q, n) of which this is the body. */
static void expect(const char *body, const char *hooks)
{
    td_text text = {0};
    td_text_add(&text, "define void @f(ptr %%p, ptr %%q, i64 %%n) {\n%s\n  ret void\n}\n",
                body);
    expect_module(text.at, hooks);
    td_text_fini(&text);
}

static void test_plain(void **state)
{
    (void)state;
    expect("%v = load i32, ptr %p, align 4\n store i32 %v, ptr %q, align 4",
           "read4 write4");
    expect("%v = load i8, ptr %p, align 1", "read1");
    expect("%v = load i128, ptr %p, align 16", "read16");
    expect("%v = load i64, ptr %p, align 1", "read_range(8)");
    expect("%v = load ptr, ptr %p, align 8\n store ptr %v, ptr %q, align 8",
           "read8 write8");
    expect("%v = load <8 x i32>, ptr %p, align 32", "read16 read16");
}

static void test_covered(void **state)
{
    (void)state;
    expect("%v = load i32, ptr %p, align 4\n %w = load i32, ptr %p, align 4",
           "read4 again_read(4)");
    expect("store i32 1, ptr %p, align 4\n %w = load i32, ptr %p, align 4",
           "write4 again_read(4)");
    expect("%v = load i32, ptr %p, align 4\n store i32 1, ptr %p, align 4",
           "read4 write4");
    expect("%v = load i16, ptr %p, align 8\n %w = load i32, ptr %p, align 8",
           "known_read(2,0) known_read(4,0)");
    /* An operation ends the segment: others may have written since. */
    char hooks[60];
    snprintf(hooks, sizeof hooks, "read4 atomic(%u,0,0) read4",
             (unsigned)WIRE_ATOMIC(WIRE_ATOMIC_FENCE, 0, __ATOMIC_SEQ_CST, 0));
    expect("%v = load i32, ptr %p, align 4\n fence seq_cst\n"
           "%w = load i32, ptr %p, align 4",
           hooks);
}

static void test_place(void **state)
{
    (void)state;
    expect_module("@g = global i32 0, align 8\n"
                  "define void @f() {\n store i32 1, ptr @g, align 4\n ret void\n}\n",
                  "known_write(4,0)");
}

/* access, size and order, as wire/hooks.h packs them. */
static void expect_atomic(const char *body, uint32_t what)
{
    char hooks[60];
    snprintf(hooks, sizeof hooks, "atomic(%u", (unsigned)what);
    ins_module m;
    td_text text = {0}, out = {0};
    td_text_add(&text, "define void @f(ptr %%p, ptr %%q, i32 %%n) {\n%s\n ret void\n}\n",
                body);
    LLVMContextRef context = open_module(text.at, &m);
    hook_module(&m);
    add_hooks(&out, LLVMGetNamedFunction(m.module, "f"));
    assert_non_null(out.at);
    assert_int_equal(strncmp(out.at, hooks, strlen(hooks)), 0);
    assert_null(strchr(out.at, ' ')); /* no other hook */
    td_text_fini(&text);
    td_text_fini(&out);
    close_module(context, &m);
}

static void test_atomics(void **state)
{
    (void)state;
    expect_atomic("%v = load atomic i32, ptr %p acquire, align 4",
                  WIRE_ATOMIC(WIRE_ATOMIC_LOAD, 4, __ATOMIC_ACQUIRE, 0));
    expect_atomic("store atomic i32 %n, ptr %p release, align 4",
                  WIRE_ATOMIC(WIRE_ATOMIC_STORE, 4, __ATOMIC_RELEASE, 0));
    expect_atomic("%v = atomicrmw xchg ptr %p, i32 %n seq_cst",
                  WIRE_ATOMIC(WIRE_ATOMIC_RMW, 4, __ATOMIC_SEQ_CST, WIRE_RMW_XCHG));
    expect_atomic("%v = cmpxchg ptr %p, i32 0, i32 %n acq_rel monotonic",
                  WIRE_ATOMIC(WIRE_ATOMIC_CAS, 4, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    expect_atomic("fence seq_cst",
                  WIRE_ATOMIC(WIRE_ATOMIC_FENCE, 0, __ATOMIC_SEQ_CST, 0));
}

static void test_struct_by_value(void **state)
{
    (void)state;
    expect_module("%s = type { i64, i64, i64 }\n declare void @g(ptr byval(%s) align 8)\n"
                  "define void @f(ptr %p) {\n call void @g(ptr byval(%s) align 8 %p)\n"
                  " ret void\n}\n",
                  "read16 read8 called");
    expect("%v = load { i64, i64 }, ptr %p, align 8", "read16");
}

static void test_intrinsics(void **state)
{
    (void)state;
    static const char declared[] =
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
        "declare i64 @llvm.ctpop.i64(i64)\n"
        "define void @f(ptr %p, ptr %q, i64 %n) {\n";
    static const char *const cases[][2] = {
        {"call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)",
         "read_range write_range"},
        {"call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 16, i1 0)",
         "read16 write16"},
        {"call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)", "write_range"},
        {"%c = call i64 @llvm.ctpop.i64(i64 %n)", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        td_text text = {0};
        td_text_add(&text, "%s%s\n ret void\n}\n", declared, cases[i][0]);
        expect_module(text.at, cases[i][1]);
        td_text_fini(&text);
    }
}

static void test_divisions(void **state)
{
    (void)state;
    expect("%v = udiv i64 7, %n", "divides");
    expect("%v = sdiv i64 7, %n", "divides divides");
    expect("%v = srem i64 %n, 7", "");
    expect("%v = sdiv i64 %n, -1", "divides");
    expect("%v = urem i64 %n, 0", "divides(1)");
}

static void test_loops(void **state)
{
    (void)state;
    static const char waits[] = "br label %l\nl:\n%v = load atomic i32, ptr %p seq_cst, "
                                "align 4\n%c = icmp eq i32 %v, 0\n"
                                "br i1 %c, label %l, label %e\ne:";
    static const char plain[] =
        "br label %l\nl:\n%v = load i32, ptr %p, align 4\n"
        "%c = icmp eq i32 %v, 0\nbr i1 %c, label %l, label %e\ne:";
    static const char counts[] =
        "br label %l\nl:\n%i = phi i64 [ 0, %0 ], [ %j, %l ]\n"
        "%a = getelementptr i32, ptr %p, i64 %i\nstore i32 0, ptr %a, align 4\n"
        "%j = add i64 %i, 1\n%c = icmp ult i64 %j, %n\nbr i1 %c, label %l, label %e\ne:";
    static const char endless[] = "br label %l\nl:\nbr label %l\ne:";
    char hooks[60];
    snprintf(hooks, sizeof hooks, "loop(0) atomic(%u,0,0)",
             (unsigned)WIRE_ATOMIC(WIRE_ATOMIC_LOAD, 4, __ATOMIC_SEQ_CST, 0));
    expect(waits, hooks);
    expect(plain, "plain_loop(0) read4");
    expect(counts, "write4");
    expect(endless, "plain_loop(0)");
}

static void test_locals(void **state)
{
    (void)state;
    static const char escapes[] =
        "declare void @g(ptr)\ndefine void @f() {\n%a = alloca i32, align 4\n"
        "call void @g(ptr %a)\nstore i32 1, ptr %a, align 4\nret void\n}\n";
    expect("%a = alloca i32, align 4\nstore i32 1, ptr %a, align 4\n"
           "%v = load i32, ptr %a, align 4",
           "");
    expect_module(escapes, "called known_write(4,0) left(4)");
    expect("%a = alloca i32, align 4\nstore ptr %a, ptr %p, align 8\n"
           "store i32 1, ptr %a, align 4",
           "write8 known_write(4,0) left(4)");
    expect_module("@g = constant i32 7, align 4\ndefine i32 @f() {\n"
                  "%v = load i32, ptr @g, align 4\nret i32 %v\n}\n",
                  "");
}

static void test_gaps(void **state)
{
    (void)state;
    expect("call void asm sideeffect \"frobnicate $0\", \"r,~{memory}\"(ptr %p)",
           "refuse");
    expect("call void asm sideeffect \"frobnicate $0\", \"=*m\"(ptr elementtype(i8) %p)",
           "write1");
    expect("call void asm sideeffect \"\", \"~{memory}\"()", "");
    expect_module("declare void @g(ptr)\ndefine void @f(ptr %p) {\n"
                  "call void @g(ptr %p)\nret void\n}\n",
                  "called");
    expect_module("declare i32 @pthread_unheard_of(ptr)\ndefine void @f(ptr %p) {\n"
                  "%v = call i32 @pthread_unheard_of(ptr %p)\nret void\n}\n",
                  "refuse");
    expect_module("declare i32 @pthread_mutex_lock(ptr)\ndefine void @f(ptr %p) {\n"
                  "%v = call i32 @pthread_mutex_lock(ptr %p)\nret void\n}\n",
                  "pthread_mutex_lock");
    expect_module("define void @f(ptr %p) naked {\ncall void asm \"ret\", \"\"()\n"
                  "unreachable\n}\n",
                  "");
}

/* A loop in a loop, and a block that nothing leads to. */
static void test_blocks(void **state)
{
    (void)state;
    ins_module m;
    ins_blocks g = {0};
    LLVMContextRef context = open_module(
        "define void @f(i1 %c) {\n br label %outer\nouter:\n br label %inner\n"
        "inner:\n br i1 %c, label %inner, label %back\nback:\n"
        " br i1 %c, label %outer, label %out\nout:\n ret void\ndead:\n br label "
        "%out\n}\n",
        &m);
    LLVMValueRef f = LLVMGetNamedFunction(m.module, "f");
    ins_blocks_find(&g, f);
    assert_int_equal(g.blocks.len, 5);
    static const uint32_t parents[] = {0, 0, 1, 2, 3};
    static const char *const in_loops[] = {"", "\0\1\1\1\0", "\0\0\1\0\0", "", ""};
    static const bool is_header[] = {false, true, true, false, false};
    for (uint32_t i = 0; i < g.blocks.len; i++) {
        assert_int_equal(g.parent.at[i], parents[i]);
        assert_int_equal(ins_blocks_number(&g, g.blocks.at[i]), i);
        assert_int_equal(ins_blocks_loop(&g, i), is_header[i]);
        if (is_header[i])
            assert_memory_equal(g.in_loop, in_loops[i], 5);
        assert_int_equal(ins_blocks_repeat(g.blocks.at[i]), i >= 1 && i <= 3);
    }
    assert_int_equal(ins_blocks_number(&g, LLVMGetLastBasicBlock(f)), INS_NO_BLOCK);
    ins_blocks_fini(&g);
    close_module(context, &m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),           cmocka_unit_test(test_covered),
        cmocka_unit_test(test_place),           cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_struct_by_value), cmocka_unit_test(test_intrinsics),
        cmocka_unit_test(test_divisions),       cmocka_unit_test(test_loops),
        cmocka_unit_test(test_locals),          cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
