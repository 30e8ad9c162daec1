/* SPDX-License-Identifier: Apache-2.0 */
/* The checks that treadle cc inlines before plain accesses; compiled to bitcode.
 *
 * Each granule of 8 bytes has two words in the epoch plane, {write, read}: segment of the
 * last access in bits 8..31, below it the mask of the bytes accessed. The running segment
 * is control.epoch, with 0xff below. An access passes if its segment accessed all of its
 * bytes before. A slow write sets both words, so that one word is enough to look at.
 *
 * The shadow words are read as volatile: a value kept in a register over a slow call
 * would send every later access there as well. */
#include "wire/hooks.h"
#include "wire/plan.h"

#define CHECK static inline __attribute__((always_inline))
#define HOOK __attribute__((always_inline)) void
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

HOOK __treadle_known_read(const void *p, const wire_site *s, uint32_t size,
                          uint32_t place)
{
    if (UNLIKELY(stale_known(p, size, place, WORD_READ)))
        __treadle_slow_read(p, size, s);
}

HOOK __treadle_known_write(const void *p, const wire_site *s, uint32_t size,
                           uint32_t place)
{
    if (UNLIKELY(stale_known(p, size, place, WORD_WRITE)))
        __treadle_slow_write(p, size, s);
}

#define READ(size)                                                                       \
    HOOK __treadle_read##size(const void *p, const wire_site *s)                         \
    {                                                                                    \
        if (UNLIKELY(stale(p, size, WORD_READ)))                                         \
            __treadle_slow_read(p, size, s);                                             \
    }

#define WRITE(size)                                                                      \
    HOOK __treadle_write##size(const void *p, const wire_site *s)                        \
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
