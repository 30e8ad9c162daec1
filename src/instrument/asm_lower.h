/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/asm_lower.h - one piece of inline assembly on its way to LLVM's own instructions.
 *
 * asm_lower.c finds it, and puts results in place of the call's; asm_steps.c goes through the
 * steps of asm.h once. What is in registers and flags meanwhile are values of LLVM. */
#pragma once

#include "instrument/asm.h"
#include "instrument/instrument_int.h"

/* What set the flags last: a and b gave r. */
typedef struct ins_flags {
    enum ins_asm_op op;
    LLVMValueRef a, b, r;
    LLVMValueRef zero, carry; /* if known as such */
} ins_flags;

typedef struct ins_lower {
    ins_module *m;
    LLVMBuilderRef b;
    LLVMValueRef call;
    const ins_asm *a;
    LLVMValueRef cells[INS_ASM_REGISTERS + INS_ASM_OPERANDS_MAX]; /* NULL: unset */
    ins_flags flags;
    bool movs_are_atomic;
} ins_lower;

/* --- asm_steps.c --- */

/* The width of a value that fits into a register, 0 if it does not. */
unsigned ins_lower_bits(const ins_module *m, LLVMTypeRef type);
/* Builds the effect of the assembly at the builder's position. */
void ins_lower_steps(ins_lower *l);
/* Afterwards: an output that is not memory, as a value of this type. */
LLVMValueRef ins_lower_output(ins_lower *l, unsigned number, LLVMTypeRef type);
