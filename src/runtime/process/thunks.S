/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/process/thunks.S - entries that keep registers; thunks of refused and tainting functions,
 * and of those that have a row in wire/library.h. One half for each architecture. */
#include "runtime/posix/libcall.h"
#include "wire/api.h"

#if defined(__x86_64__)

    .text
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

/* Where the thunk of a function that has a row goes (wire/library.h): r11 is the row, r10 the
 * function. Goes on in it, or calls it with a copy of the arguments on the stack. */
    .globl __treadle_library
    .type __treadle_library, @function
__treadle_library:
    .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register rbp
    sub $RT_CALL_SIZE, %rsp
    mov %rdi, (%rsp)
    mov %rsi, 8(%rsp)
    mov %rdx, 16(%rsp)
    mov %rcx, 24(%rsp)
    mov %r8, 32(%rsp)
    mov %r9, 40(%rsp)
    movaps %xmm0, 48(%rsp)
    movaps %xmm1, 64(%rsp)
    movaps %xmm2, 80(%rsp)
    movaps %xmm3, 96(%rsp)
    movaps %xmm4, 112(%rsp)
    movaps %xmm5, 128(%rsp)
    movaps %xmm6, 144(%rsp)
    movaps %xmm7, 160(%rsp)
    mov %rax, 176(%rsp)
    mov %r10, RT_CALL_REAL(%rsp)
    mov %r11, RT_CALL_REAL+8(%rsp)
    lea 16(%rbp), %rax
    mov %rax, RT_CALL_REAL+16(%rsp)
    mov %rsp, %rdi
    call rt_library_before
    mov %rax, %r11
    test %rax, %rax
    jz 1f
    lea -1(%rax), %rcx
    lea 1(%rcx), %rdx
    and $-2, %rdx
    shl $3, %rdx
    sub %rdx, %rsp
    lea 16(%rbp), %rsi
    mov %rsp, %rdi
    rep movsq
1:  lea -RT_CALL_SIZE(%rbp), %r10
    mov (%r10), %rdi
    mov 8(%r10), %rsi
    mov 16(%r10), %rdx
    mov 24(%r10), %rcx
    mov 32(%r10), %r8
    mov 40(%r10), %r9
    movaps 48(%r10), %xmm0
    movaps 64(%r10), %xmm1
    movaps 80(%r10), %xmm2
    movaps 96(%r10), %xmm3
    movaps 112(%r10), %xmm4
    movaps 128(%r10), %xmm5
    movaps 144(%r10), %xmm6
    movaps 160(%r10), %xmm7
    mov 176(%r10), %rax
    mov RT_CALL_REAL(%r10), %r10
    test %r11, %r11
    jnz 2f
    .cfi_remember_state
    leave
    .cfi_def_cfa rsp, 8
    jmp *%r10
    .cfi_restore_state
2:  call *%r10
    lea -RT_CALL_SIZE(%rbp), %rsp
    mov %rax, RT_CALL_REAL+24(%rsp)
    mov %rdx, RT_CALL_REAL+32(%rsp)
    movaps %xmm0, RT_CALL_REAL+40(%rsp)
    movaps %xmm1, RT_CALL_REAL+56(%rsp)
    mov %rsp, %rdi
    call rt_library_after
    mov RT_CALL_REAL+24(%rsp), %rax
    mov RT_CALL_REAL+32(%rsp), %rdx
    movaps RT_CALL_REAL+40(%rsp), %xmm0
    movaps RT_CALL_REAL+56(%rsp), %xmm1
    leave
    .cfi_def_cfa rsp, 8
    ret
    .cfi_endproc
    .size __treadle_library, .-__treadle_library

#elif defined(__aarch64__)

    .text
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

/* x17 is the row, x16 the function. */
    .globl __treadle_library
    .type __treadle_library, %function
__treadle_library:
    stp x29, x30, [sp, #-16]!
    mov x29, sp
    sub sp, sp, #RT_CALL_SIZE
    stp x0, x1, [sp]
    stp x2, x3, [sp, #16]
    stp x4, x5, [sp, #32]
    stp x6, x7, [sp, #48]
    stp q0, q1, [sp, #64]
    stp q2, q3, [sp, #96]
    stp q4, q5, [sp, #128]
    stp q6, q7, [sp, #160]
    stp x8, x16, [sp, #192]
    add x9, x29, #16
    stp x17, x9, [sp, #208]
    mov x0, sp
    bl rt_library_before
    mov x17, x0
    sub x10, x29, #RT_CALL_SIZE
    cbz x0, 3f
    sub x9, x0, #1
    add x11, x9, #1
    and x11, x11, #-2
    sub sp, sp, x11, lsl #3
    add x12, x29, #16
    mov x13, sp
1:  cbz x9, 3f
    ldr x14, [x12], #8
    str x14, [x13], #8
    sub x9, x9, #1
    b 1b
3:  ldp x0, x1, [x10]
    ldp x2, x3, [x10, #16]
    ldp x4, x5, [x10, #32]
    ldp x6, x7, [x10, #48]
    ldp q0, q1, [x10, #64]
    ldp q2, q3, [x10, #96]
    ldp q4, q5, [x10, #128]
    ldp q6, q7, [x10, #160]
    ldp x8, x16, [x10, #192]
    cbnz x17, 2f
    mov sp, x29
    ldp x29, x30, [sp], #16
    br x16
2:  blr x16
    sub sp, x29, #RT_CALL_SIZE
    stp x0, x1, [sp, #224]
    stp q0, q1, [sp, #240]
    stp q2, q3, [sp, #272]
    mov x0, sp
    bl rt_library_after
    ldp x0, x1, [sp, #224]
    ldp q0, q1, [sp, #240]
    ldp q2, q3, [sp, #272]
    mov sp, x29
    ldp x29, x30, [sp], #16
    ret
    .size __treadle_library, .-__treadle_library

#endif

    SLOW_VALUE __treadle_slow_sym_binary, rt_slow_sym_binary
    SLOW_VALUE __treadle_slow_sym_fit, rt_slow_sym_fit
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
#define X(name) THUNK name, rt_thunk_file;
WIRE_FILES(X)
#undef X

    .section .note.GNU-stack, "", %progbits
