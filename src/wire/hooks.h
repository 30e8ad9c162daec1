/* SPDX-License-Identifier: Apache-2.0 */
/* wire/hooks.h - the calls that treadle cc inserts into a program.
 *
 * Purpose     The one contract between instrumented code and the runtime linked beside
 *             it.
 * Invariants  (H1) a hook is directly before its instruction; (H2) without treadle, every hook
 *             returns at once and changes nothing; (H3) a hook about a plain access never gives up
 *             the processor, unless its site is promoted; those of atomic ones may, and may not
 *             return at all.
 *
 * The executable is linked with libtreadle_rt.a; a shared library leaves these symbols to
 * the executable. Each image contains image.o, which registers its site table. The
 * linker (--wrap=main) has the C library call __wrap_main of the runtime, which calls main:
 * of an instrumented object, of another compiler's, or of a library.
 */
#pragma once

#include <stdint.h>

#include "wire/layout.h"
#include "wire/site.h"

/* Each of the inlined ones is a function of the runtime as well, with this in place of __treadle_:
 * code that is not a loop calls it. It keeps registers as the slow paths below do. */
#define WIRE_CALLED_PREFIX "__treadle_call_"

/* Inlined into the program (runtime/memory/inline.c, as bitcode): a plain access of 1, 2, 4, 8
 * or 16 bytes that does not straddle a multiple of 8 (16: is aligned to 8). If the check
 * does not pass at once they call the slow ones. */
void __treadle_read1(const void *p, const wire_site *s);
void __treadle_read2(const void *p, const wire_site *s);
void __treadle_read4(const void *p, const wire_site *s);
void __treadle_read8(const void *p, const wire_site *s);
void __treadle_read16(const void *p, const wire_site *s);
void __treadle_write1(const void *p, const wire_site *s);
void __treadle_write2(const void *p, const wire_site *s);
void __treadle_write4(const void *p, const wire_site *s);
void __treadle_write8(const void *p, const wire_site *s);
void __treadle_write16(const void *p, const wire_site *s);

/* The same for 1, 2 or 4 bytes at a known place, 0..7, in their granule. */
void __treadle_known_read(const void *p, const wire_site *s, uint32_t size,
                          uint32_t place);
void __treadle_known_write(const void *p, const wire_site *s, uint32_t size,
                           uint32_t place);

/* An access of at most 8 bytes that an earlier check of its segment covers. Needed only for promoted sites,
 * so it is only in versions of functions that track symbolic values, and in functions that have one version. */
void __treadle_again_read(const void *p, const wire_site *s, uint32_t size);
void __treadle_again_write(const void *p, const wire_site *s, uint32_t size);

/* Out of line, in the runtime. Any size and alignment; keep all registers but r11 on
 * x86-64 (clang's preserve_most), so that the inlined check costs its caller nothing. */
#if defined(__clang__) && defined(__x86_64__)
#define WIRE_SLOW __attribute__((preserve_most))
#else
#define WIRE_SLOW
#endif
WIRE_SLOW void __treadle_slow_read(const void *p, uint64_t size, const wire_site *s);
WIRE_SLOW void __treadle_slow_write(const void *p, uint64_t size, const wire_site *s);

/* Memory intrinsics, aggregates, accesses of odd size or alignment. size 0 is fine. */
void __treadle_read_range(const void *p, uint64_t size, const wire_site *s);
void __treadle_write_range(const void *p, uint64_t size, const wire_site *s);

/* An atomic access: what it is, with its operands; then the instruction itself is
 * executed. a, b: store: the value; rmw: the operand; exchange: expected and desired. */
enum wire_atomic {
    WIRE_ATOMIC_LOAD,
    WIRE_ATOMIC_STORE,
    WIRE_ATOMIC_RMW,
    WIRE_ATOMIC_CAS,
    WIRE_ATOMIC_FENCE
};
/* As LLVM numbers them. */
enum wire_rmw {
    WIRE_RMW_XCHG,
    WIRE_RMW_ADD,
    WIRE_RMW_SUB,
    WIRE_RMW_AND,
    WIRE_RMW_NAND,
    WIRE_RMW_OR,
    WIRE_RMW_XOR,
    WIRE_RMW_MAX,
    WIRE_RMW_MIN,
    WIRE_RMW_UMAX,
    WIRE_RMW_UMIN,
    WIRE_RMW_OTHER
};
#define WIRE_ATOMIC(access, size, order, rmw)                                            \
    ((uint32_t)(access) | (uint32_t)(size) << 8 | (uint32_t)(order) << 16 |              \
     (uint32_t)(rmw) << 24)
/* order is __ATOMIC_RELAXED (0) .. __ATOMIC_SEQ_CST (5). Of a CAS, rmw is the order if it
 * fails. */
void __treadle_atomic(void *p, uint32_t what, uint64_t a, uint64_t b, const wire_site *s);
/* The same for 16 bytes: a_high is the other half of a; of b it is not needed. */
void __treadle_atomic_wide(void *p, uint32_t what, uint64_t a, uint64_t a_high,
                           uint64_t b, const wire_site *s);

/* Sets a mark (wire/site.h); the mark of the side taken. Inlined. */
void __treadle_entered(const void *mark);
void __treadle_side(const void *marks, _Bool taken);

/* The function is left next, and a local of it is gone; size 0: all of the stack below p. Inlined. */
void __treadle_left(const void *p, uint64_t size);
void __treadle_slow_left(const void *p, uint64_t size);

/* A division that fails is next: does what the processor does then. Inlined. */
void __treadle_divides(_Bool fails);

/* A loop in which the thread may do operations, in one activation of its function. In the
 * frame of the function; written by the runtime, but inlined code looks at ops.
 *
 * Where a loop stands: what its header's PHIs hold, as a hash, and what its thread has done. */
typedef struct wire_round {
    uint64_t state;    /* hash of the PHIs */
    uint64_t changes;  /* changes of the thread, so far */
    uint64_t now_ns;   /* its time */
    uint64_t n_own;    /* its operations, so far */
    uint64_t n_writes; /* its plain writes that were noticed, so far */
    uint64_t n_asked;  /* how often it has asked for the time, so far */
    uint64_t n_times;  /* places where it has kept a time, so far */
} wire_round;

#define WIRE_FIRST_LOOK 16384u /* rounds without an operation before some are looked at */
#define WIRE_LOOP_FRESH UINT64_MAX /* n_looked: nothing else is set but left and ops */

typedef struct wire_loop {
    uint32_t ops;        /* plan_control.ops when the header was passed last */
    uint32_t has_before; /* before is set */
    uint32_t n_until;    /* rounds until far is moved */
    uint32_t n_far;      /* rounds after which it is then */
    wire_round last;     /* when the header was passed last after an operation */
    wire_round far;      /* some rounds before, so that longer cycles are found */
    uint32_t left;       /* rounds without an operation until they are looked at */
    uint32_t n_left;     /* ... so many there were at first */
    uint64_t n_looked;   /* rounds without an operation that were looked at in a row */
    uint64_t before;     /* n_writes of the round before last */
    uint64_t has_leapt;  /* last and far are after a leap in time */
    uint64_t n_entered;  /* operations of the thread when it came from outside */
    uint64_t others;     /* a loop that carries a value: hash of the other PHIs then */
    uint64_t slots[WIRE_MAX_PHIS]; /* places of PHIs that depend on what was read */
} wire_loop;

/* The hash of a header's PHIs is the sum of these: of the n-th one the value, or its lower half, with 2n and the upper
 * half with 2n + 1. */
#define WIRE_PHI_TURN UINT64_C(0xbf58476d1ce4e5b9)
#define WIRE_PHI_FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define WIRE_PHI_SHIFT 29
static inline uint64_t wire_phi_hash(uint32_t number, uint64_t value)
{
    uint64_t x = (value ^ (number + UINT64_C(1)) * WIRE_PHI_TURN) * WIRE_PHI_FACTOR;
    return (x ^ x >> WIRE_PHI_SHIFT) * WIRE_PHI_FACTOR;
}
#define WIRE_PHI_CARRIED 0xffffffu /* instead of 2n: the value of __treadle_carry_loop */

/* The header of a loop is passed; enters: 1 from outside, 0 by a back edge. Inlined: nothing to
 * do if there was no operation since, and few rounds. The slow one may not return. */
void __treadle_loop(wire_loop *loop, uint32_t enters, uint64_t state, const wire_site *s);
/* The same for a loop without operations, unless its accesses are promoted. */
void __treadle_plain_loop(wire_loop *loop, uint32_t enters, uint64_t state,
                          const wire_site *s);
void __treadle_slow_loop(wire_loop *loop, uint32_t enters, uint64_t state,
                         const wire_site *s);
/* A loop that carries value, which it read (instrument/carried.c): state is that of its other PHIs. */
void __treadle_carry_loop(wire_loop *loop, uint32_t enters, uint64_t state,
                          const wire_site *s, uint64_t value);
/* Before an unchecked write to memory of the frame or of the thread. */
void __treadle_kept(const void *p, uint64_t size);
/* Inlined: before a call of an unknown function. The slow one checks whether it is instrumented. */
void __treadle_called(const void *callee, const wire_site *s);
void __treadle_slow_called(const void *callee, const wire_site *s);
void __treadle_called_back(const void *callee);

/* ---- symbolic values, only in versions of functions that follow them ----
 *
 * Inlined: nothing to do if the labels are 0, else the slow ones. what is WIRE_SYM(); values
 * are zero-extended. A label that is returned is that of the result. */

/* Result r of an operation of at most 64 bits on a and b. */
uint32_t __treadle_sym_binary(uint32_t what, uint32_t la, uint32_t lb, uint64_t a,
                              uint64_t b, uint64_t r);
/* The same for more bits; values: low and high halves of a, b, r. */
uint32_t __treadle_sym_wide(uint32_t what, uint32_t la, uint32_t lb,
                            const uint64_t values[6]);
/* Extensions, EXTRACT of the low bits, and unary operations; r in halves. */
uint32_t __treadle_sym_unary(uint32_t what, uint32_t la, uint64_t r, uint64_t r_high);
/* c ? a : b, of at most 64 bits. */
uint32_t __treadle_sym_select(uint32_t bits, uint32_t lc, uint32_t la, uint32_t lb,
                              uint64_t a, uint64_t b, uint32_t c);
/* base + scale * index, 64 bits; the label of the index may be narrower. */
uint32_t __treadle_sym_index(uint32_t lbase, uint32_t lindex, uint64_t base,
                             uint64_t index, uint64_t scale);
/* After size bytes, at most 16, were read as value (low and high half). */
uint32_t __treadle_sym_load(const void *p, uint32_t size, uint64_t value,
                            uint64_t value_high);
/* After size bytes, at most 16, were written. */
void __treadle_sym_store(void *p, uint32_t size, uint32_t label);
/* A pointer, value, was read at p by code that does not follow it: decided if it is symbolic. */
void __treadle_sym_pointer(const void *p, uint64_t value, const wire_site *s);
/* size bytes at p are read as something that is not followed. */
void __treadle_sym_opaque(const void *p, uint64_t size, const wire_site *s);
/* Before a branch, a switch. taken: 0, 1, or WIRE_SYM_OUTCOME: label is why the
 * compare-exchange just done turned out as it did. */
#define WIRE_SYM_OUTCOME 2
void __treadle_sym_branch(uint32_t label, uint32_t taken, const wire_site *s);
void __treadle_sym_switch(uint32_t label, uint64_t value, const uint64_t *cases,
                          uint32_t n_cases, const wire_site *s);
/* The value is used as an address or a length. */
void __treadle_sym_address(uint32_t label, uint64_t value, const wire_site *s);
/* Before __treadle_loop: how many PHIs of it follow; then each, what: PLAN_PHI. Behind the header: the label of
 * each, which may be another one there. */
void __treadle_sym_phis(const wire_loop *loop, uint32_t n);
void __treadle_sym_phi(uint32_t i, uint32_t what, uint32_t label, uint64_t value);
uint32_t __treadle_sym_slot(uint32_t i);
/* Before __treadle_loop: the label of a PHI that is none of these. */
void __treadle_sym_loop(uint32_t label);
/* The value goes where it is not followed. */
void __treadle_sym_lost(uint32_t label, const wire_site *s);
/* After a call of a function that may not follow its arguments, labels or-ed. */
void __treadle_sym_passed(uint32_t labels, uint64_t callee, const wire_site *s);
/* After such a call: what p points to was shown to it. */
void __treadle_sym_shown(const void *p, uint64_t callee, const wire_site *s);
/* After output to a stream or descriptor: labels or-ed, or size bytes at p, 0: a text. */
void __treadle_sym_output(uint64_t stream, uint32_t labels, const void *p, uint64_t size,
                          const wire_site *s);
/* Before a call of NAME, which reads a stream, 0: standard input, unseen. */
void __treadle_sym_stdin(uint64_t stream, const char *name, const wire_site *s);
/* The function that starts at self returned to code that is not followed. */
void __treadle_sym_dropped(const void *self, uint32_t n_parts, const wire_site *s);
/* A function that has no version that follows symbolic values begins. */
void __treadle_sym_unfollowed(const wire_site *s);
/* The label of part i of the result, which has so many bits, of a function that may not follow it. */
uint32_t __treadle_sym_result(uint64_t callee, uint32_t i, uint32_t bits);

/* The same value with so many bits. */
WIRE_SLOW uint32_t __treadle_slow_sym_fit(uint32_t label, uint32_t bits);
WIRE_SLOW uint32_t __treadle_slow_sym_binary(uint32_t what, uint32_t la, uint32_t lb,
                                             uint64_t a, uint64_t b, uint64_t r);
WIRE_SLOW uint32_t __treadle_slow_sym_wide(uint32_t what, uint32_t la, uint32_t lb,
                                           const uint64_t values[6]);
WIRE_SLOW uint32_t __treadle_slow_sym_unary(uint32_t what, uint32_t la, uint64_t r,
                                            uint64_t r_high);
/* labels: la, and lb above it; what: bits, and c above them. */
WIRE_SLOW uint32_t __treadle_slow_sym_select(uint32_t what, uint32_t lc, uint64_t labels,
                                             uint64_t a, uint64_t b);
WIRE_SLOW uint32_t __treadle_slow_sym_index(uint32_t lbase, uint32_t lindex,
                                            uint64_t base, uint64_t index,
                                            uint64_t scale);
WIRE_SLOW uint32_t __treadle_slow_sym_load(const void *p, uint32_t size, uint64_t value,
                                           uint64_t value_high);
WIRE_SLOW void __treadle_slow_sym_store(void *p, uint32_t size, uint32_t label);
WIRE_SLOW void __treadle_slow_sym_pointer(const void *p, uint64_t value,
                                          const wire_site *s);
WIRE_SLOW void __treadle_slow_sym_opaque(const void *p, uint64_t size,
                                         const wire_site *s);
WIRE_SLOW void __treadle_slow_sym_branch(uint32_t label, uint32_t taken,
                                         const wire_site *s);
WIRE_SLOW void __treadle_slow_sym_switch(uint32_t label, uint64_t value,
                                         const uint64_t *cases, uint32_t n_cases,
                                         const wire_site *s);
WIRE_SLOW void __treadle_slow_sym_address(uint32_t label, uint64_t value,
                                          const wire_site *s);
WIRE_SLOW void __treadle_slow_sym_lost(uint32_t label, const wire_site *s);
WIRE_SLOW void __treadle_slow_sym_shown(const void *p, uint64_t callee,
                                        const wire_site *s);

/* Out of line: labels go with the bytes of a copy; every byte gets the label of a value of
 * 8 bits; labels of an argument passed as a copy of an object, or none. */
void __treadle_sym_copy(void *to, const void *from, uint64_t size);
void __treadle_sym_fill(void *to, uint32_t label, uint64_t size);
void __treadle_sym_argument(void *to, uint32_t i, uint64_t size, uint32_t is_passed);
/* Arguments of a function with a variable number of them: taken when it starts, put where
 * va_start finds them. */
enum wire_va_kind { WIRE_VA_NONE, WIRE_VA_INTEGER, WIRE_VA_REAL, WIRE_VA_OTHER };
typedef struct wire_va {
    uint64_t kinds;
    uint32_t labels[32]; /* PLAN_ARGUMENTS */
} wire_va;
void __treadle_sym_va_take(wire_va *room, uint32_t is_passed);
void __treadle_sym_va_start(const void *list, const wire_va *room, uint32_t n_fixed,
                            const wire_site *s);
/* Addition, subtraction, multiplication: label of whether the result r does not fit. */
uint32_t __treadle_sym_overflow(uint32_t what, uint32_t is_signed, uint32_t la,
                                uint32_t lb, uint64_t a, uint64_t b);

/* Before a direct call of a function that WIRE_REFUSED_PREFIXES covers and no list names.
 */
void __treadle_refuse(const char *name, const wire_site *s);
/* Before an instruction or a call that accesses memory unseen; name describes it. It costs the session its
 * COMPLETE, with a ledger entry. */
void __treadle_unwatched(const char *name, const wire_site *s);

/* A constructor, and what it is called with: calls it now, or at the start of each run. */
void __treadle_constructor(void (*function)(int, char **, char **), int argc, char **argv,
                           char **envp);

/* image.o, at the start of the program or when the library is loaded. */
void __treadle_image(const wire_site *first, const wire_site *end);

/* The start of the program: main is called at once, or in each run. */
typedef int wire_main(int argc, char **argv, char **envp);
int __treadle_start(int argc, char **argv, char **envp, wire_main *user_main);
