/* SPDX-License-Identifier: Apache-2.0 */
/* wire/layout.h - where things are in the address space of a program under test.
 *
 * Purpose     The instrumented code, the runtime and treadle agree on fixed
 *             places: the shadow of an address is one exclusive-or away, and the
 *             control page needs no relocation.
 * Words       window: a range of addresses the program's own memory may use.
 *             plane: one shadow of all windows.
 * Invariants  (P1) the images of the windows under each plane are disjoint from
 *                  the windows and from each other;
 *             (P2) the control page and the marks lie below 2 GiB, so that their
 *                  addresses are 32-bit displacements.
 *
 * x86-64, in units of 2^40 (an address 0x7fXX... is in unit 0x7f):
 *
 *     windows        0x00..0x08 low, arena   0x55..0x57 program   0x7e..0x80 libs, stack
 *     epoch plane    0x10..0x18              0x45..0x47           0x6e..0x70
 *     site plane     0x18..0x20              0x4d..0x4f           0x66..0x68
 *     label plane    0x20..0x40              0x74..0x7c           0x58..0x60
 *
 * The label plane has 4 bytes for every byte: the label of a symbolic value (wire/sym.h) times
 * 16, plus which of the value's bytes it is; 0 if it is concrete. It is mapped only for
 * programs that make inputs.
 */
#pragma once

#include <assert.h>
#include <stdint.h>

#define PLAN_UNIT (UINT64_C(1) << 40)

#if defined(__x86_64__)
#define PLAN_EPOCH_XOR UINT64_C(0x100000000000)
#define PLAN_SITE_XOR UINT64_C(0x180000000000)
#define PLAN_LABEL_MASK UINT64_C(0x7fffffffffff)
#define PLAN_WINDOWS(X)                                                                  \
    X(UINT64_C(0x000000000000), UINT64_C(0x080000000000))                                \
    X(UINT64_C(0x550000000000), UINT64_C(0x570000000000))                                \
    X(UINT64_C(0x7e0000000000), UINT64_C(0x800000000000))
#elif defined(__aarch64__)
#define PLAN_EPOCH_XOR UINT64_C(0x100000000000)
#define PLAN_SITE_XOR UINT64_C(0x180000000000)
#define PLAN_LABEL_MASK UINT64_C(0xffffffffffff)
#define PLAN_WINDOWS(X)                                                                  \
    X(UINT64_C(0x000000000000), UINT64_C(0x080000000000))                                \
    X(UINT64_C(0xaaaa00000000), UINT64_C(0xac0000000000))                                \
    X(UINT64_C(0xfe0000000000), UINT64_C(0x1000000000000))
#else
#error "treadle runs on x86-64 and aarch64"
#endif

/* Where the labels of the byte at an address are. */
#define PLAN_LABEL(address)                                                              \
    (((uint64_t)(address) << 2 & PLAN_LABEL_MASK) ^ UINT64_C(0x200000000000))

/* One page, private to the process, mapped before any instrumented code runs. */
#define PLAN_CONTROL UINT64_C(0x7fff0000)
#define PLAN_CONTROL_SIZE UINT64_C(0x1000)

/* Marks of what was executed (enum wire_site_kind), one for each byte of the site tables; shared
 * with treadle, and never put back. A program started by hand has some of its own. */
#define PLAN_COVER UINT64_C(0x60000000)
#define PLAN_COVER_SIZE UINT64_C(0x10000000)
#define PLAN_MARK(address) (PLAN_COVER + ((uint64_t)(address) & (PLAN_COVER_SIZE - 1)))

/* Callees that are instrumented, found by a part of their address; inserted code looks here. */
#define PLAN_KNOWN UINT64_C(0x7ffe0000)
#define PLAN_N_KNOWN UINT64_C(1024)
#define PLAN_KNOWN_INDEX(address) ((uint64_t)(address) >> 4 & (PLAN_N_KNOWN - 1))

/* The runtime's own state; never part of a snapshot. */
#define PLAN_STATE UINT64_C(0x070000000000)
#define PLAN_STATE_SIZE UINT64_C(0x008000000000)

/* Shared with treadle (struct wire_shm). */
#define PLAN_SHM UINT64_C(0x07f000000000)

/* Arguments and environment of main, copied here so that their length moves nothing. */
#define PLAN_ARGS UINT64_C(0x07e000000000)
#define PLAN_ARGS_SIZE UINT64_C(0x000010000000)

/* The arena: one slot per logical thread holds its heap (growing up) and its stack (at
 * the upper end); slot 0, the main thread's, has a larger heap of its own. */
#define PLAN_SLOTS UINT64_C(0x010000000000)
#define PLAN_SLOT_SIZE UINT64_C(0x8000000) /* 128 MiB */
#define PLAN_N_SLOTS 32768u
#define PLAN_STACK_SIZE UINT64_C(0x800000) /* 8 MiB, guard page included */
/* Accesses to it are errors, also to the lowest page of the stack above: large arrays step far over. */
#define PLAN_GUARD_SIZE UINT64_C(0x1000000)
/* True for an address on the stack of a thread. */
static inline int plan_on_stack(uint64_t address)
{
    uint64_t at = address - PLAN_SLOTS;
    return address >= PLAN_SLOTS && at / PLAN_SLOT_SIZE < PLAN_N_SLOTS &&
           at % PLAN_SLOT_SIZE >= PLAN_SLOT_SIZE - PLAN_STACK_SIZE;
}
#define PLAN_MAIN_HEAP UINT64_C(0x050000000000)
#define PLAN_MAIN_HEAP_SIZE UINT64_C(0x010000000000)
#define PLAN_BIG_HEAP UINT64_C(0x060000000000) /* blocks too large for a slot */
#define PLAN_BIG_HEAP_SIZE UINT64_C(0x010000000000)
static_assert(PLAN_SLOTS + PLAN_N_SLOTS * PLAN_SLOT_SIZE <= PLAN_MAIN_HEAP,
              "slots end below main's heap");
static_assert(PLAN_MAIN_HEAP + PLAN_MAIN_HEAP_SIZE <= PLAN_BIG_HEAP,
              "which ends below the large blocks");
static_assert(PLAN_BIG_HEAP + PLAN_BIG_HEAP_SIZE <= PLAN_STATE,
              "which end below the state");
static_assert(PLAN_STATE + PLAN_STATE_SIZE <= PLAN_ARGS,
              "which ends below the arguments");
static_assert(PLAN_ARGS + PLAN_ARGS_SIZE <= PLAN_SHM, "which end below what is shared");
static_assert(PLAN_STACK_SIZE + PLAN_GUARD_SIZE < PLAN_SLOT_SIZE,
              "a slot has room for a heap");

#define PLAN_RESULTS 8u    /* parts of a result that have labels */
#define PLAN_ARGUMENTS 32u /* arguments that have labels */

/* A PHI of a header. */
#define WIRE_MAX_PHIS 8u
typedef struct plan_phi {
    uint32_t label;
    uint32_t what; /* its number for wire_phi_hash in bits 8 to 31, below its width */
    uint64_t value;
} plan_phi;
#define PLAN_PHI(n, bits) ((uint32_t)(n) << 8 | (uint32_t)(bits))

/* What inserted code reads and writes directly. Written by the runtime, except
 * call_site, unseen, changed and what passes labels.
 */
typedef struct plan_control {
    /* Epoch of the running segment: segment number in bits 8..31, 0xff below. 0: not
     * under control, and every check passes because the epoch plane is all zero. */
    uint32_t epoch;
    /* Set to 1 before a call of code that may not be instrumented and may look at memory
     * for the caller; the runtime takes it with the thread's next operation. */
    uint32_t unseen;
    /* Site of the call that follows, stored before a call of a replaced, refused or
     * tainting function; the callee takes it and stores 0. A pointer to a wire_site. */
    uint64_t call_site;
    /* The site that called the function of runtime/libc that runs; it stores it. */
    uint64_t inner_site;

    /* Labels of arguments and results, between versions of functions that follow symbolic
     * values. Nothing else runs between a caller's stores and the callee's loads, or back.
     * 1: functions do follow them; written before main. */
    uint32_t symbolic;
    /* 1: accesses of some sites are operations, and a check that an earlier one of its segment
     * covers must be made all the same. Such runs use the versions that follow values. */
    uint32_t promoting;
    /* Set to 1 if the thread may have made an unrecorded change: of its own memory, or anything in a call
     * that leads outside; the runtime resets it. */
    uint32_t changed; /* 1, PLAN_CARRIES and PLAN_HAS_SLOT */
    uint32_t ops;     /* operations granted so far */
    /* 1: branch outcomes are recorded. */
    uint32_t covering;
    /* 1: there is a second thread, which may access the stack of another one. */
    uint32_t shown;
    /* The executable. */
    uint64_t image_start, image_size;
    uint64_t callee;   /* the arguments are for this function; it stores 0 */
    uint64_t returned; /* the results are of this function */
    uint32_t results[PLAN_RESULTS];
    uint32_t arguments[PLAN_ARGUMENTS];
    uint64_t sources[PLAN_ARGUMENTS]; /* for arguments that are copies of objects */
    uint64_t va_kinds;  /* for a call of a variadic function: two bits per argument */
    uint64_t return_to; /* for unwinders: where a watched return leads (returns.c) */
    /* PHIs of the header that is about to be passed: of which loop, as code that follows no labels has none. */
    uint64_t loop_of_phis;
    uint32_t n_phis;
    plan_phi phis[WIRE_MAX_PHIS];
} plan_control;

/* A PHI of the header that is about to be passed depends on what was read, or on inputs. */
#define PLAN_CARRIES 2u
/* ... and is among phis. */
#define PLAN_HAS_SLOT 4u

#define PLAN_CTL ((volatile plan_control *)PLAN_CONTROL)
