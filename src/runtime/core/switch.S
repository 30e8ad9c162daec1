/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/switch.S - changing stacks and thread pointers. One half for each architecture.
 *
 *   void rt_switch(void **save_sp, void *load_sp, uint64_t tp, long fsgsbase)
 *       Saves the callee-saved registers and the stack pointer, goes on with the other ones.
 *   void rt_call_on(void *sp, void (*fn)(void))
 *       Calls fn on another stack (real threads); fn does not return.
 *   rt_start
 *       Where a new fiber starts; the function to call is in a callee-saved register.
 */
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
    fnstsw 6(%rsp)
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    test %rcx, %rcx
    jz 1f
    wrfsbase %rdx
    jmp 2f
1:  mov $158, %eax              /* arch_prctl("ARCH_SET_FS") */
    mov $0x1002, %edi
    mov %rdx, %rsi
    syscall
2:  ldmxcsr (%rsp)
    fnstsw %ax                  /* flags of the x87 that differ are set with all of its state */
    xor 6(%rsp), %ax
    test $0x3f, %al
    jz 3f
    sub $32, %rsp
    fnstenv (%rsp)
    and $0x3f, %eax
    xor %ax, 4(%rsp)
    fldenv (%rsp)
    add $32, %rsp
3:  fldcw 4(%rsp)
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

#endif

    .section .note.GNU-stack, "", %progbits
