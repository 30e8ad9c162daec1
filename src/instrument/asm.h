/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/asm.h - what inline assembly of x86-64 does, read from its text.
 *
 * Purpose     A template and its constraints, as LLVM has them, become a list of steps that
 *             asm_lower.c can express in LLVM's own instructions, or a verdict why not.
 * Words       operand: the object of a constraint, $0 in the template.
 *             step: one instruction of the template. argument: what a step works on.
 * Invariants  (A1) any text is read without harm; what is not understood is a verdict;
 *             (A2) with the verdict ATOM every step is in enum ins_asm_op, has arguments of its kind
 *             and a known width, and a condition is preceded by the step that sets it.
 * Threads     None. Pure: no LLVM here.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INS_ASM_OPERANDS_MAX = 24, INS_ASM_STEPS_MAX = 16, INS_ASM_REGISTERS = 16 };

/* Registers by their number in the instruction set. */
enum { INS_ASM_AX = 0, INS_ASM_CX = 1, INS_ASM_DX = 2, INS_ASM_BX = 3, INS_ASM_SP = 4 };

enum ins_asm_op {
    INS_ASM_IDLE, /* pause, nop, prefetch: no observable effect */
    INS_ASM_MOV,
    INS_ASM_MOVZX,
    INS_ASM_XCHG,
    INS_ASM_XADD,
    INS_ASM_ADD,
    INS_ASM_SUB,
    INS_ASM_AND,
    INS_ASM_OR,
    INS_ASM_XOR,
    INS_ASM_CMP,
    INS_ASM_TEST,
    INS_ASM_SBB, /* of a register with itself: all bits become the carry */
    INS_ASM_INC,
    INS_ASM_DEC,
    INS_ASM_NEG,
    INS_ASM_NOT,
    INS_ASM_CMPXCHG,
    INS_ASM_CMPXCHG_PAIR, /* cmpxchg8b, cmpxchg16b */
    INS_ASM_BT,
    INS_ASM_BTS,
    INS_ASM_BTR,
    INS_ASM_BTC,
    INS_ASM_SET,
    INS_ASM_MFENCE,
    INS_ASM_LFENCE,
    INS_ASM_SFENCE,
    INS_ASM_INERT,   /* touches registers only, in an unknown way */
    INS_ASM_UNKNOWN, /* touches its memory operands, and what else is not known */
    INS_ASM_LEAVES,  /* a call, a system call, memory that no operand names */
};

/* After cmp a, b of unsigned and signed numbers; the negations follow their conditions. */
enum ins_asm_condition {
    INS_ASM_ZERO,
    INS_ASM_NOT_ZERO,
    INS_ASM_CARRY,
    INS_ASM_NOT_CARRY,
    INS_ASM_SIGN,
    INS_ASM_NOT_SIGN,
    INS_ASM_BELOW_EQUAL,
    INS_ASM_ABOVE,
    INS_ASM_LESS,
    INS_ASM_NOT_LESS,
    INS_ASM_LESS_EQUAL,
    INS_ASM_GREATER,
    INS_ASM_N_CONDITIONS /* none of these */
};

enum ins_asm_where {
    INS_ASM_NOWHERE,
    INS_ASM_IMMEDIATE,
    INS_ASM_OPERAND,  /* $number, in a register or memory, according to its constraint */
    INS_ASM_REGISTER, /* number */
    INS_ASM_AT_OPERAND,  /* memory that operand number points to */
    INS_ASM_AT_REGISTER, /* memory that a register points to */
    INS_ASM_THREADS_OWN, /* through fs or gs */
    INS_ASM_NOT_UNDERSTOOD
};

typedef struct ins_asm_arg {
    enum ins_asm_where where;
    unsigned number;
    unsigned bits;  /* width given by the text; 0: none */
    bool is_high;   /* ah, bh, ch, dh */
    bool is_offset; /* INS_ASM_THREADS_OWN: operand number is what is added to fs or gs */
    int64_t value;  /* an immediate, or what is added to an address */
} ins_asm_arg;

typedef struct ins_asm_step {
    enum ins_asm_op op;
    enum ins_asm_condition condition; /* condition of SET */
    bool is_locked;                   /* by a prefix, or because xchg always is */
    unsigned bits;                    /* width; of pairs that of one half */
    unsigned from_bits;               /* source width of MOVZX */
    unsigned n_args;
    ins_asm_arg args[2]; /* in the order of the text: the target is the last */
    unsigned at, len;    /* its text, in the template without comments */
} ins_asm_step;

typedef struct ins_asm_operand {
    bool is_output, is_indirect;
    bool may_be_register;             /* an indirect one, were there a free register */
    int tied;                         /* the output whose place an input shares, or -1 */
    int reg;                          /* the register it is in, or -1 */
    enum ins_asm_condition condition; /* condition of an output that is a flag */
    bool is_flag;
    bool is_strange; /* in no register of those 16 */
    bool is_own;     /* an indirect one that is an offset to fs or gs, and nothing else */
    int argument, result; /* index in the call, -1: none */
    unsigned bits;        /* bits of its type; set by the caller, 0: unsuitable */
} ins_asm_operand;

enum ins_asm_verdict {
    INS_ASM_LEAVE,   /* without effect on other threads: it stays as it is */
    INS_ASM_ATOM,    /* the steps say it all */
    INS_ASM_OPAQUE,  /* one locked step that LLVM has no instruction for */
    INS_ASM_TOUCHES, /* plain accesses of its memory operands, as their constraints say */
    INS_ASM_REFUSE
};

typedef struct ins_asm {
    char text[512];   /* the template: one syntax, no comments */
    bool is_readable; /* the constraints, and the template fits */
    bool has_memory_clobber;
    bool has_labels; /* asm goto */
    unsigned n_operands, n_steps;
    ins_asm_operand operands[INS_ASM_OPERANDS_MAX];
    ins_asm_step steps[INS_ASM_STEPS_MAX];
} ins_asm;

/* Reads both texts; operands[].bits are left 0. */
void ins_asm_read(ins_asm *a, const char *text, const char *constraints);
/* After the bits of operands were set: completes the widths of steps and decides. */
enum ins_asm_verdict ins_asm_decide(ins_asm *a);

/* The operand whose place $number shares. */
unsigned ins_asm_place(const ins_asm *a, unsigned number);
/* True if an argument is memory that other threads may reach. */
bool ins_asm_is_memory(const ins_asm *a, const ins_asm_arg *arg);
/* A locked step on the top of the stack that changes nothing. */
bool ins_asm_is_stack_fence(const ins_asm_step *s);
/* True if loads and stores by mov are atomic: there is no locked access beside them that
 * they would prepare. */
bool ins_asm_movs_are_atomic(const ins_asm *a);
