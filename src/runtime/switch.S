/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/switch.S - changing stacks and thread pointers; entries that keep registers; thunks of
 * refused and tainting functions. One half for each architecture.
 *
 *   void rt_switch(void **save_sp, void *load_sp, uint64_t tp, long fsgsbase)
 *       Saves the callee-saved registers and the stack pointer, goes on with the other ones.
 *   void rt_call_on(void *sp, void (*fn)(void))
 *       Calls fn on another stack (real threads); fn does not return.
 *   rt_start
 *       Where a new fiber starts; the function to call is in a callee-saved register.
 */
#include "wire/api.h"

#if defined(__x86_64__)

    .text
    .globl rt_switch
    .hidden rt_switch
    .type rt_switch, @function
rt_switch:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    sub $8, %rsp
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    test %rcx, %rcx
    jz 1f
    wrfsbase %rdx
    jmp 2f
1:  mov $158, %eax              /* arch_prctl(ARCH_SET_FS) */
    mov $0x1002, %edi
    mov %rdx, %rsi
    syscall
2:  ldmxcsr (%rsp)
    fldcw 4(%rsp)
    add $8, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
    .size rt_switch, .-rt_switch

    .globl rt_start
    .hidden rt_start
    .type rt_start, @function
rt_start:
    .cfi_startproc
    .cfi_undefined rip
    xor %ebp, %ebp
    call *%rbx
    ud2
    .cfi_endproc
    .size rt_start, .-rt_start

    .globl rt_call_on
    .hidden rt_call_on
    .type rt_call_on, @function
rt_call_on:
    .cfi_startproc
    .cfi_undefined rip
    mov %rdi, %rsp
    xor %ebp, %ebp
    call *%rsi
    ud2
    .cfi_endproc
    .size rt_call_on, .-rt_call_on

/* clang's preserve_most: everything but r11 is kept. */
.macro SLOW entry, target
    .globl \entry
    .type \entry, @function
\entry:
    push %rbp
    mov %rsp, %rbp
    push %rax
    push %rcx
    push %rdx
    push %rsi
    push %rdi
    push %r8
    push %r9
    push %r10
    call \target
    pop %r10
    pop %r9
    pop %r8
    pop %rdi
    pop %rsi
    pop %rdx
    pop %rcx
    pop %rax
    pop %rbp
    ret
    .size \entry, .-\entry
.endm
    SLOW __treadle_slow_read, rt_slow_read
    SLOW __treadle_slow_write, rt_slow_write

/* The same for functions that give back something in rax. */
.macro SLOW_VALUE entry, target
    .globl \entry
    .type \entry, @function
\entry:
    push %rbp
    mov %rsp, %rbp
    push %rcx
    push %rdx
    push %rsi
    push %rdi
    push %r8
    push %r9
    push %r10
    sub $8, %rsp
    call \target
    add $8, %rsp
    pop %r10
    pop %r9
    pop %r8
    pop %rdi
    pop %rsi
    pop %rdx
    pop %rcx
    pop %rbp
    ret
    .size \entry, .-\entry
.endm

/* Tell the runtime the name and the first argument, then go on in the real function. */
.macro THUNK name, handler
    .pushsection .rodata
9:  .asciz "\name"
    .popsection
    .weak \name
    .weak __treadle_\name
    .type __treadle_\name, @function
__treadle_\name:
    push %rbp
    mov %rsp, %rbp
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %rax
    sub $8, %rsp
    mov %rdi, %rsi
    lea 9b(%rip), %rdi
    call \handler
    add $8, %rsp
    pop %rax
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    pop %rbp
    jmp *\name@GOTPCREL(%rip)
    .size __treadle_\name, .-__treadle_\name
.endm

#elif defined(__aarch64__)

    .text
    .globl rt_switch
    .hidden rt_switch
    .type rt_switch, %function
rt_switch:
    sub sp, sp, #176
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mrs x9, fpcr
    str x9, [sp, #160]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    msr tpidr_el0, x2
    ldr x9, [sp, #160]
    msr fpcr, x9
    ldp d14, d15, [sp, #144]
    ldp d12, d13, [sp, #128]
    ldp d10, d11, [sp, #112]
    ldp d8, d9, [sp, #96]
    ldp x29, x30, [sp, #80]
    ldp x27, x28, [sp, #64]
    ldp x25, x26, [sp, #48]
    ldp x23, x24, [sp, #32]
    ldp x21, x22, [sp, #16]
    ldp x19, x20, [sp, #0]
    add sp, sp, #176
    ret
    .size rt_switch, .-rt_switch

    .globl rt_start
    .hidden rt_start
    .type rt_start, %function
rt_start:
    .cfi_startproc
    .cfi_undefined x30
    mov x29, xzr
    blr x19
    brk #1
    .cfi_endproc
    .size rt_start, .-rt_start

    .globl rt_call_on
    .hidden rt_call_on
    .type rt_call_on, %function
rt_call_on:
    .cfi_startproc
    .cfi_undefined x30
    mov sp, x0
    mov x29, xzr
    blr x1
    brk #1
    .cfi_endproc
    .size rt_call_on, .-rt_call_on

.macro SLOW entry, target
    .globl \entry
    .type \entry, %function
\entry:
    b \target
    .size \entry, .-\entry
.endm
    SLOW __treadle_slow_read, rt_slow_read
    SLOW __treadle_slow_write, rt_slow_write

.macro SLOW_VALUE entry, target
    SLOW \entry, \target
.endm

.macro THUNK name, handler
    .pushsection .rodata
9:  .asciz "\name"
    .popsection
    .weak \name
    .weak __treadle_\name
    .type __treadle_\name, %function
__treadle_\name:
    stp x29, x30, [sp, #-96]!
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    str x8, [sp, #80]
    mov x1, x0
    adrp x0, 9b
    add x0, x0, :lo12:9b
    bl \handler
    ldr x8, [sp, #80]
    ldp x6, x7, [sp, #64]
    ldp x4, x5, [sp, #48]
    ldp x2, x3, [sp, #32]
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #96
    adrp x16, :got:\name
    ldr x16, [x16, :got_lo12:\name]
    br x16
    .size __treadle_\name, .-__treadle_\name
.endm

#endif

    SLOW_VALUE __treadle_slow_sym_binary, rt_slow_sym_binary
    SLOW_VALUE __treadle_slow_sym_wide, rt_slow_sym_wide
    SLOW_VALUE __treadle_slow_sym_unary, rt_slow_sym_unary
    SLOW_VALUE __treadle_slow_sym_select, rt_slow_sym_select
    SLOW_VALUE __treadle_slow_sym_index, rt_slow_sym_index
    SLOW_VALUE __treadle_slow_sym_load, rt_slow_sym_load
    SLOW __treadle_slow_sym_store, rt_slow_sym_store
    SLOW __treadle_slow_sym_opaque, rt_slow_sym_opaque
    SLOW __treadle_slow_sym_pointer, rt_slow_sym_pointer
    SLOW __treadle_slow_sym_branch, rt_slow_sym_branch
    SLOW __treadle_slow_sym_switch, rt_slow_sym_switch
    SLOW __treadle_slow_sym_address, rt_slow_sym_address
    SLOW __treadle_slow_sym_lost, rt_slow_sym_lost
    SLOW __treadle_slow_sym_shown, rt_slow_sym_shown

#define X(name) THUNK name, rt_thunk_refused;
WIRE_REFUSED(X)
#undef X
#define X(name) THUNK name, rt_thunk_tainting;
WIRE_TAINTING(X)
#undef X

    .section .note.GNU-stack, "", %progbits
