/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/process/returns.S - where a watched return leads (posix/returns.c). */
#include "runtime/core/returns.h"

#if defined(__x86_64__)
    .text
    .hidden rt_return_entry
    .globl rt_return_entry
    .hidden rt_return_passed
    .hidden rt_return_came
    .type rt_return_frame, @function
rt_return_frame:
    .cfi_startproc
    .cfi_personality 0x1b, rt_return_passed
    /* The caller's stack pointer is ours. The frame has another name than the caller's, for unwinders know frames by
     * the CFA: rsp - 8. "DW_CFA_def_cfa_expression" and "DW_CFA_val_expression", "DW_OP_breg7". */
    .cfi_escape 0x0f, 0x02, 0x77, 0x78
    .cfi_escape 0x16, 0x07, 0x02, 0x77, 0x00
    /* The return address lies at PLAN_CONTROL + RT_RETURN_TO: "DW_CFA_expression", "DW_OP_const4u". */
    .cfi_escape 0x10, 0x10, 0x05, 0x0c, RT_RETURN_TO & 0xff, (RT_RETURN_TO >> 8) & 0xff, 0xff, 0x7f
    nop /* unwinders look at the byte before a return address */
rt_return_entry:
    push %rax /* a place for where to continue */
    push %rax
    push %rdx
    sub $40, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    call rt_return_came
    mov %rax, 56(%rsp)
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    add $40, %rsp
    pop %rdx
    pop %rax
    ret
    .cfi_endproc
    .size rt_return_frame, .-rt_return_frame
#endif
    .section .note.GNU-stack,"",%progbits
