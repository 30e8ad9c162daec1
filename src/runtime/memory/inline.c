/* SPDX-License-Identifier: Apache-2.0 */
/* The checks that treadle cc puts before plain accesses, in two forms: bitcode to be inlined, and
 * with CALLED functions of the runtime, for where that would cost more than it gives.
 *
 * Each granule of 8 bytes has two words in the epoch plane, {write, read}: segment of the
 * last access in bits 8..31, below it the mask of the bytes accessed. The running segment
 * is control.epoch, with 0xff below. An access passes if its segment accessed all of its
 * bytes before. A slow write sets both words, so that one word is enough to look at.
 *
 * The shadow words are read as volatile: a value kept in a register over a slow call
 * would send every later access there as well. */
#include "wire/hooks.h"
#include "wire/layout.h"

#define CHECK static inline __attribute__((always_inline))
#ifdef CALLED
#define FORM __attribute__((visibility("default"))) WIRE_SLOW
#define NAME(name) __treadle_call_##name
#else
#define FORM __attribute__((always_inline))
#define NAME(name) __treadle_##name
#endif
#define HOOK(name) FORM void NAME(name)
#define LABEL(name) FORM uint32_t NAME(name)
#define UNLIKELY(cond) __builtin_expect((cond), 0)

enum { WORD_WRITE, WORD_READ };

CHECK uint32_t epoch_now(void)
{
    return ((const plan_control *)PLAN_CONTROL)->epoch;
}

/* What differs between a shadow word of the granule at p and the running segment. */
CHECK uint32_t differs(uint64_t granule, int word)
{
    const volatile uint32_t *shadow =
        (const volatile uint32_t *)(granule ^ PLAN_EPOCH_XOR);
    return shadow[word] ^ epoch_now();
}

/* Whether an access of size bytes at p needs the slow path. */
CHECK int stale(const void *p, uint32_t size, int word)
{
    const uint64_t at = (uint64_t)p;
    if (size == 8)
        return differs(at, word) != 0;
    if (size == 16)
        return (differs(at, word) | differs(at + 8, word)) != 0;
    const uint32_t bytes = ((1u << size) - 1) << (at & 7 & -size);
    return (differs(at & ~UINT64_C(7), word) & (0xffffff00u | bytes)) != 0;
}

/* The same where p & 7 is known. */
CHECK int stale_known(const void *p, uint32_t size, uint32_t place, int word)
{
    const uint32_t bytes = ((1u << size) - 1) << place;
    const uint64_t shadow = ((uint64_t)p ^ PLAN_EPOCH_XOR) - place;
    const uint32_t differs_by = ((const volatile uint32_t *)shadow)[word] ^ epoch_now();
    return (differs_by & (0xffffff00u | bytes)) != 0;
}

HOOK(known_read)(const void *p, const wire_site *s, uint32_t size, uint32_t place)
{
    if (UNLIKELY(stale_known(p, size, place, WORD_READ)))
        __treadle_slow_read(p, size, s);
}

HOOK(known_write)(const void *p, const wire_site *s, uint32_t size, uint32_t place)
{
    if (UNLIKELY(stale_known(p, size, place, WORD_WRITE)))
        __treadle_slow_write(p, size, s);
}

#define READ(size)                                                                       \
    HOOK(read##size)(const void *p, const wire_site *s)                                  \
    {                                                                                    \
        if (UNLIKELY(stale(p, size, WORD_READ)))                                         \
            __treadle_slow_read(p, size, s);                                             \
    }

#define WRITE(size)                                                                      \
    HOOK(write##size)(const void *p, const wire_site *s)                                 \
    {                                                                                    \
        if (UNLIKELY(stale(p, size, WORD_WRITE)))                                        \
            __treadle_slow_write(p, size, s);                                            \
    }

READ(1)
READ(2)
READ(4)
READ(8)
READ(16)
WRITE(1)
WRITE(2)
WRITE(4)
WRITE(8)
WRITE(16)

HOOK(again_read)(const void *p, const wire_site *s, uint32_t size)
{
    if (UNLIKELY(((const volatile plan_control *)PLAN_CONTROL)->promoting))
        __treadle_slow_read(p, size, s);
}

HOOK(again_write)(const void *p, const wire_site *s, uint32_t size)
{
    if (UNLIKELY(((const volatile plan_control *)PLAN_CONTROL)->promoting))
        __treadle_slow_write(p, size, s);
}

#define CONTROL ((plan_control *)PLAN_CONTROL)

HOOK(left)(const void *p, uint64_t size)
{
    if (UNLIKELY(CONTROL->shown))
        __treadle_slow_left(p, size);
}

/* ---- loops ---- */

HOOK(loop)(wire_loop *loop, uint32_t enters, uint64_t state, const wire_site *s)
{
    if (UNLIKELY(enters || loop->ops != CONTROL->ops || --loop->left == 0))
        __treadle_slow_loop(loop, enters, state, s);
}

HOOK(plain_loop)(wire_loop *loop, uint32_t enters, uint64_t state, const wire_site *s)
{
    if (enters) {
        loop->ops = CONTROL->ops;
        loop->left = WIRE_FIRST_LOOK;
        loop->n_looked = WIRE_LOOP_FRESH;
        if (UNLIKELY(CONTROL->promoting))
            __treadle_slow_loop(loop, 1, state, s);
        return;
    }
    if (UNLIKELY(loop->ops != CONTROL->ops || --loop->left == 0))
        __treadle_slow_loop(loop, 0, state, s);
}

HOOK(called)(const void *callee, const wire_site *s)
{
    const volatile uint64_t *known = (const volatile uint64_t *)PLAN_KNOWN;
    if (UNLIKELY(known[PLAN_KNOWN_INDEX(callee)] != (uint64_t)callee))
        __treadle_slow_called(callee, s);
}

HOOK(sym_phis)(const wire_loop *loop, uint32_t n)
{
    CONTROL->loop_of_phis = (uint64_t)loop;
    CONTROL->n_phis = n;
}

HOOK(sym_phi)(uint32_t i, uint32_t what, uint32_t label, uint64_t value)
{
    CONTROL->phis[i] = (plan_phi){label, what, value};
    if (UNLIKELY(label))
        CONTROL->changed |= PLAN_HAS_SLOT;
}

LABEL(sym_slot)(uint32_t i)
{
    return CONTROL->phis[i].label;
}

HOOK(sym_loop)(uint32_t label)
{
    if (UNLIKELY(label))
        CONTROL->changed |= PLAN_CARRIES;
}

/* ---- symbolic values ---- */

LABEL(sym_binary)
(uint32_t what, uint32_t la, uint32_t lb, uint64_t a, uint64_t b, uint64_t r)
{
    return UNLIKELY(la | lb) ? __treadle_slow_sym_binary(what, la, lb, a, b, r) : 0;
}

LABEL(sym_wide)(uint32_t what, uint32_t la, uint32_t lb, const uint64_t values[6])
{
    return UNLIKELY(la | lb) ? __treadle_slow_sym_wide(what, la, lb, values) : 0;
}

LABEL(sym_unary)(uint32_t what, uint32_t la, uint64_t r, uint64_t r_high)
{
    return UNLIKELY(la) ? __treadle_slow_sym_unary(what, la, r, r_high) : 0;
}

LABEL(sym_select)
(uint32_t bits, uint32_t lc, uint32_t la, uint32_t lb, uint64_t a, uint64_t b, uint32_t c)
{
    if (UNLIKELY(lc))
        return __treadle_slow_sym_select(bits | c << 8, lc, la | (uint64_t)lb << 32, a,
                                         b);
    return c ? la : lb;
}

LABEL(sym_index)
(uint32_t lbase, uint32_t lindex, uint64_t base, uint64_t index, uint64_t scale)
{
    if (UNLIKELY(lbase | lindex))
        return __treadle_slow_sym_index(lbase, lindex, base, index, scale);
    return 0;
}

/* Labels of two bytes, or of one. */
CHECK uint64_t two_labels(uint64_t at, uint32_t i)
{
    typedef uint64_t __attribute__((aligned(4), may_alias)) pair;
    return ((const pair *)at)[i];
}

CHECK uint64_t eight_labels(uint64_t at, uint32_t i)
{
    return two_labels(at, i) | two_labels(at, i + 1) | two_labels(at, i + 2) |
           two_labels(at, i + 3);
}

/* Whether any of size bytes at p may have a label; size is a constant. */
CHECK int labelled(const void *p, uint64_t size)
{
    typedef uint32_t __attribute__((may_alias)) one;
    const uint64_t at = PLAN_LABEL(p);
    switch (size) {
    case 1:
        return *(const one *)at != 0;
    case 2:
        return two_labels(at, 0) != 0;
    case 4:
        return (two_labels(at, 0) | two_labels(at, 1)) != 0;
    case 8:
        return eight_labels(at, 0) != 0;
    case 16:
        return (eight_labels(at, 0) | eight_labels(at, 4)) != 0;
    default:
        return 1;
    }
}

LABEL(sym_load)(const void *p, uint32_t size, uint64_t value, uint64_t value_high)
{
    return UNLIKELY(labelled(p, size))
               ? __treadle_slow_sym_load(p, size, value, value_high)
               : 0;
}

HOOK(sym_store)(void *p, uint32_t size, uint32_t label)
{
    if (UNLIKELY(label != 0 || labelled(p, size)))
        __treadle_slow_sym_store(p, size, label);
}

HOOK(sym_pointer)(const void *p, uint64_t value, const wire_site *s)
{
    if (UNLIKELY(labelled(p, 8)))
        __treadle_slow_sym_pointer(p, value, s);
}

HOOK(sym_opaque)(const void *p, uint64_t size, const wire_site *s)
{
    if (UNLIKELY(labelled(p, size)))
        __treadle_slow_sym_opaque(p, size, s);
}

#ifndef CALLED /* they call no slow path: always inlined (instrument/outline.c) */
HOOK(entered)(const void *mark)
{
    *(_Bool *)PLAN_MARK(mark) = 1;
}

HOOK(side)(const void *marks, _Bool taken)
{
    *(_Bool *)(PLAN_MARK(marks) + taken) = 1;
}

HOOK(divides)(_Bool fails)
{
    (void)fails;
#ifdef __x86_64__ /* other processors continue */
    if (UNLIKELY(fails)) {
        __asm__ volatile("divl %0" ::"r"(0), "a"(0), "d"(0) : "cc");
        __builtin_trap();
    }
#endif
}
#endif

HOOK(sym_branch)(uint32_t label, uint32_t taken, const wire_site *s)
{
    if (UNLIKELY(label | CONTROL->covering))
        __treadle_slow_sym_branch(label, taken, s);
}

HOOK(sym_switch)
(uint32_t label, uint64_t value, const uint64_t *cases, uint32_t n_cases,
 const wire_site *s)
{
    if (UNLIKELY(label | CONTROL->covering))
        __treadle_slow_sym_switch(label, value, cases, n_cases, s);
}

HOOK(sym_address)(uint32_t label, uint64_t value, const wire_site *s)
{
    if (UNLIKELY(label))
        __treadle_slow_sym_address(label, value, s);
}

HOOK(sym_lost)(uint32_t label, const wire_site *s)
{
    if (UNLIKELY(label))
        __treadle_slow_sym_lost(label, s);
}

HOOK(sym_passed)(uint32_t labels, uint64_t callee, const wire_site *s)
{
    if (UNLIKELY(labels != 0 && CONTROL->returned != callee))
        __treadle_slow_sym_lost(labels, s);
}

HOOK(sym_shown)(const void *p, uint64_t callee, const wire_site *s)
{
    if (UNLIKELY(CONTROL->returned != callee))
        __treadle_slow_sym_shown(p, callee, s);
}

LABEL(sym_result)(uint64_t callee, uint32_t i, uint32_t bits)
{
    uint32_t label = CONTROL->returned == callee ? CONTROL->results[i] : 0;
    return UNLIKELY(label) ? __treadle_slow_sym_fit(label, bits) : 0;
}
