/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of instrument/asm.h: what is read from templates and constraints, and the verdict. That
 * the steps mean what the processor does is tests/programs/asm_values.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "instrument/asm.h"

/* Operands have 32 bits unless said otherwise. */
static enum ins_asm_verdict read_sized(ins_asm *a, const char *text,
                                       const char *constraints, unsigned bits)
{
    ins_asm_read(a, text, constraints);
    for (unsigned i = 0; i < a->n_operands; i++)
        a->operands[i].bits = bits;
    return ins_asm_decide(a);
}

static enum ins_asm_verdict verdict(const char *text, const char *constraints)
{
    ins_asm a;
    return read_sized(&a, text, constraints, 32);
}

static void test_constraints(void **state)
{
    (void)state;
    ins_asm a;
    ins_asm_read(&a, "", "=*m,={@ccz},={ax},q,*m,2,=&*rm,~{memory},~{cc}");
    assert_true(a.is_readable && a.has_memory_clobber && !a.has_labels);
    assert_int_equal(a.n_operands, 7);
    assert_true(a.operands[0].is_output && a.operands[0].is_indirect);
    assert_false(a.operands[0].may_be_register);
    assert_int_equal(a.operands[0].argument, 0);
    assert_true(a.operands[1].is_flag);
    assert_int_equal(a.operands[1].condition, INS_ASM_ZERO);
    assert_int_equal(a.operands[1].result, 0);
    assert_int_equal(a.operands[2].reg, INS_ASM_AX);
    assert_int_equal(a.operands[2].result, 1);
    assert_int_equal(a.operands[3].argument, 1);
    assert_int_equal(a.operands[5].tied, 2);
    assert_int_equal(ins_asm_place(&a, 5), 2);
    assert_true(a.operands[6].may_be_register);
    assert_int_equal(a.operands[6].argument, 4);
}

static void test_bad_constraints(void **state)
{
    (void)state;
    ins_asm a;
    ins_asm_read(&a, "", "3");
    assert_false(a.is_readable);
    ins_asm_read(&a, "", "r,0");
    assert_false(a.is_readable);
    /* The operand that it is tied to does not exist: nobody follows the number. */
    assert_int_equal(read_sized(&a, "lock; incl $1", "=r,77", 32), INS_ASM_REFUSE);
    assert_int_equal(ins_asm_place(&a, 1), 1);
    ins_asm_read(&a, "", "{xmm0},x,!i");
    assert_true(a.operands[0].is_strange && a.operands[1].is_strange && a.has_labels);
    char many[200] = "r";
    for (int i = 0; i < 40; i++)
        strcat(many, ",r");
    ins_asm_read(&a, "", many);
    assert_false(a.is_readable);
}

static void test_steps(void **state)
{
    (void)state;
    ins_asm a;
    assert_int_equal(read_sized(&a,
                                "movq 0($4), %rax;movq 8($4), %rdx;"
                                "lock cmpxchg16b $0; setz $1",
                                "=*m,=q,{bx},{cx},q,*m,~{memory}", 64),
                     INS_ASM_ATOM);
    assert_int_equal(a.n_steps, 4);
    assert_int_equal(a.steps[0].args[0].where, INS_ASM_AT_OPERAND);
    assert_int_equal(a.steps[1].args[0].value, 8);
    assert_int_equal(a.steps[1].args[1].number, INS_ASM_DX);
    assert_int_equal(a.steps[2].op, INS_ASM_CMPXCHG_PAIR);
    assert_true(a.steps[2].is_locked && !a.steps[1].is_locked);
    assert_int_equal(a.steps[3].condition, INS_ASM_ZERO);
    assert_false(ins_asm_movs_are_atomic(&a));
}

static void test_widths(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned bits;
    } cases[] = {
        {"lock; addb $1, $0", 8},     {"lock; addw $1, $0", 16},
        {"lock; addq $1, $0", 64},    {"lock; add $1, $0", 32},
        {"lock; add ${1:b}, $0", 8},  {"lock; add ${1:q}, $0", 64},
        {"lock; add $$1, $0", 32},    {"lock; add %al, $0", 8},
        {"lock; add %r9d, $0", 32},   {"lock; add %rsi, $0", 64},
        {"lock; add %r10, 8+$0", 64}, {"lock; add %sil, $0", 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ins_asm a;
        assert_int_equal(read_sized(&a, cases[i].text, "=*m,r", 32), INS_ASM_ATOM);
        assert_int_equal(a.steps[0].bits, cases[i].bits);
    }
}

static void test_separators(void **state)
{
    (void)state;
    ins_asm a;
    read_sized(&a, "\n\tlock ;\n\tincl $0 # lock decl $0\n\t/* nothing */ pause;", "=*m",
               32);
    assert_int_equal(a.n_steps, 2);
    assert_true(a.steps[0].is_locked && a.steps[0].op == INS_ASM_INC);
    assert_int_equal(a.steps[1].op, INS_ASM_IDLE);
    read_sized(&a, "$(xchg $0, $1$|xchg $1, $0$)", "=r,*m,0", 32);
    assert_int_equal(a.n_steps, 1);
    assert_string_equal(a.text, "xchg $0, $1");
    assert_true(a.steps[0].is_locked);
}

static void test_atoms(void **state)
{
    (void)state;
    static const char *const memory[] = {
        "movl $1, $0",
        "movl $$-1, $0",
        "xchgl $1, $0",
        "xchg $0, $1",
        "lock; xaddl $1, $0",
        "lock incl $0",
        "lock decl $0",
        "lock notl $0",
        "lock; subl $1, $0",
        "lock; andl $1, $0",
        "lock; orl $1, $0",
        "lock; xorl $$0x10, $0",
        "lock; btsl $1, $0",
        "lock; btrl $$3, $0",
        "lock; btcl $1, $0",
        "lock; cmpxchgl $1, $0",
        "incl $0",
        "mfence",
        "lfence",
        "sfence",
        "lock; addl $$0,0(%rsp)",
        "lock; orl $$0,(%rsp)",
        "movl $1, $0; mfence",
        "lock; decl $0; sete %al",
        "lock; cmpxchg8b $0",
        "prefetchw $0; movl $0, $1",
    };
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
        if (verdict(memory[i], "=*m,r,~{memory}") != INS_ASM_ATOM)
            fail_msg("%s is no atom", memory[i]);
    assert_int_equal(verdict("lock; negl $0; setz $1", "=*m,=*rm,*m,~{memory}"),
                     INS_ASM_OPAQUE);
}

static void test_left(void **state)
{
    (void)state;
    static const char *const nothing[] = {
        "",
        "pause",
        "rep; nop",
        "nop",
        "cpuid",
        "rdtsc",
        "lfence; rdtsc",
        "hlt",
        "bswap $0",
        "mov %fs:0, $0",
        "prefetcht0 ($0)",
        "lea 8($0), $1",
        "addl $0, $1",
        ".p2align 4",
        "push %rbx; cpuid; pop %rbx",
        "990: nop; .asciz \"(%rax)\"",
    };
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        if (verdict(nothing[i], "=r,r") != INS_ASM_LEAVE)
            fail_msg("%s is not left alone", nothing[i]);
    assert_int_equal(verdict("pause", "~{memory}"), INS_ASM_LEAVE);
    assert_int_equal(verdict("cpuid", "={ax},~{memory}"), INS_ASM_LEAVE);
}

static void test_refused(void **state)
{
    (void)state;
    assert_int_equal(verdict("rep movsb", "={di},={si},={cx},0,1,2,~{memory}"),
                     INS_ASM_REFUSE);
    assert_int_equal(verdict("syscall", "={ax},0"), INS_ASM_REFUSE);
    assert_int_equal(verdict("call *$0", "r"), INS_ASM_REFUSE);
    assert_int_equal(verdict("rep; stosb", "={di},={cx},{ax},0,1"), INS_ASM_REFUSE);
    assert_int_equal(verdict("repne scasb", "={di},={cx},{ax},0,1"), INS_ASM_REFUSE);
    assert_int_equal(verdict("maskmovdqu %xmm1, %xmm0", "{di}"), INS_ASM_REFUSE);
    assert_int_equal(verdict("movdqu ($0), %xmm0", "r"), INS_ASM_REFUSE);
    assert_int_equal(verdict("lock; frobl $1, $0", "=*m,r"), INS_ASM_REFUSE);
    assert_int_equal(verdict("lock; btsl $$1,$0; jc ${1:l}", "*m,!i,~{memory}"),
                     INS_ASM_REFUSE);
    assert_int_equal(verdict("movl ($0,$1,4), %eax", "r,r"), INS_ASM_REFUSE);
    assert_int_equal(verdict("lock; addl $1, $0; setz %al; setp %al", "=*m,r"),
                     INS_ASM_REFUSE);
    /* What its operands name is all that it touches. */
    assert_int_equal(verdict("fnstcw $0", "=*m"), INS_ASM_TOUCHES);
    assert_int_equal(verdict("popcnt $1, $0", "=r,*m"), INS_ASM_TOUCHES);
    assert_int_equal(verdict("fnstcw $0", "=*m,~{memory}"), INS_ASM_REFUSE);
}

/* A condition needs a step before it that decides it. */
static void test_conditions(void **state)
{
    (void)state;
    assert_int_equal(verdict("movl $1, $0; sete %al", "=*m,r"), INS_ASM_TOUCHES);
    assert_int_equal(verdict("lock; incl $0; setc %al", "=*m"), INS_ASM_REFUSE);
    assert_int_equal(verdict("lock; btsl $1, $0; setz %al", "=*m,r"), INS_ASM_REFUSE);
    assert_int_equal(verdict("lock; btsl $1, $0; sbbl %eax, %eax", "=*m,r"),
                     INS_ASM_ATOM);
    assert_int_equal(verdict("lock; cmpxchg8b $0; setl %al", "=*m"), INS_ASM_REFUSE);
    assert_int_equal(verdict("lock; subl $2, $0", "=*m,={@ccs},r"), INS_ASM_ATOM);
    assert_int_equal(verdict("lock; subl $2, $0", "=*m,={@ccp},r"), INS_ASM_REFUSE);
}

/* Pieces of templates in any order: none does harm, and what is an atom keeps (A2). */
static void test_any_text(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "lock",
        " ",
        ";",
        "\n",
        "movl",
        "xchg",
        "$0",
        "$1",
        "$9",
        "${0:b}",
        "${1:",
        "}",
        "$",
        "$$",
        "$$4",
        "%eax",
        "%",
        "(",
        ")",
        ",",
        "cmpxchg",
        "$(",
        "$|",
        "$)",
        "#",
        "/*",
        "*/",
        "8",
        "-",
        "setz",
        "0(%rsp)",
        "rep",
        "btsl",
        "addl",
        "%fs:0",
        "$4294967296",
        "${99999999999:b}",
    };
    td_rng rng = {8};
    for (int round = 0; round < 20000; round++) {
        char text[400] = "";
        for (uint64_t n = td_rng_below(&rng, 24); n > 0; n--)
            strcat(text, pieces[td_rng_below(&rng, sizeof pieces / sizeof pieces[0])]);
        ins_asm a;
        if (read_sized(&a, text, "=*m,r,={ax},2,~{memory}", 32) != INS_ASM_ATOM)
            continue;
        for (unsigned i = 0; i < a.n_steps; i++) {
            assert_true(a.steps[i].op < INS_ASM_INERT);
            for (unsigned k = 0; k < a.steps[i].n_args; k++)
                assert_true(a.steps[i].args[k].where != INS_ASM_OPERAND ||
                            a.steps[i].args[k].number < a.n_operands);
        }
    }
}

static void test_long_text(void **state)
{
    (void)state;
    char text[2000] = "";
    for (int i = 0; i < 150; i++)
        strcat(text, "incl $0; ");
    assert_int_equal(verdict(text, "=*m,~{memory}"), INS_ASM_REFUSE);
    text[9 * 20] = '\0';
    assert_int_equal(verdict(text, "=*m,~{memory}"), INS_ASM_REFUSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constraints), cmocka_unit_test(test_bad_constraints),
        cmocka_unit_test(test_steps),       cmocka_unit_test(test_widths),
        cmocka_unit_test(test_separators),  cmocka_unit_test(test_atoms),
        cmocka_unit_test(test_left),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_conditions),  cmocka_unit_test(test_any_text),
        cmocka_unit_test(test_long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
