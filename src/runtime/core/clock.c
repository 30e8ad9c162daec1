/* SPDX-License-Identifier: Apache-2.0 */
/* Vector clocks. */
#include "runtime/core/core.h"

#include <string.h>

/* Makes the clock at least need long. */
static void clock_grow(rt_clock *c, uint32_t need)
{
    need = (need + RT_CLOCK_STEP - 1) / RT_CLOCK_STEP * RT_CLOCK_STEP;
    RT_ASSERT(c->len <= c->cap && need > c->len);
    if (need > c->cap) {
        uint32_t cap = c->cap ? c->cap : 2 * RT_CLOCK_STEP;
        while (cap < need)
            cap *= 2;
        uint32_t *at = rt_bump(cap * sizeof *at);
        if (c->len > 0)
            memcpy(at, c->at, c->len * sizeof *at);
        c->at = at;
        c->cap = cap;
    }
    memset(c->at + c->len, 0, (need - c->len) * sizeof *c->at);
    c->len = need;
    RT_ASSERT(c->len % RT_CLOCK_STEP == 0 && c->len <= c->cap);
}

/* RT_CLOCK_STEP entries at once, as the compiler's vector. */
typedef uint32_t step __attribute__((vector_size(4 * RT_CLOCK_STEP), aligned(4)));

/* The larger of each pair; n is a multiple of RT_CLOCK_STEP. */
static inline __attribute__((always_inline)) void
take_larger(uint32_t *restrict a, const uint32_t *restrict b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += RT_CLOCK_STEP) {
        step *x = (step *)(a + i);
        const step *y = (const step *)(b + i);
        step larger = (step)(*x > *y); /* all ones where x is */
        *x = (*x & larger) | (*y & ~larger);
    }
}

#if defined(__x86_64__)
/* The baseline instruction set has no maximum of unsigned words. */
__attribute__((target("avx2"))) static void
take_larger_avx2(uint32_t *restrict a, const uint32_t *restrict b, uint32_t n)
{
    take_larger(a, b, n);
}
#endif

void rt_clock_join(rt_clock *into, const rt_clock *from)
{
    if (from->len > into->len)
        clock_grow(into, from->len);
#if defined(__x86_64__)
    if (rt->avx2) {
        take_larger_avx2(into->at, from->at, from->len);
        return;
    }
#endif
    take_larger(into->at, from->at, from->len);
}

void rt_clock_copy(rt_clock *into, const rt_clock *from)
{
    RT_ASSERT(into != from);
    into->len = 0;
    if (from->len > into->cap)
        clock_grow(into, from->len);
    uint32_t n = into->len = from->len;
    uint32_t *a = into->at;
    const uint32_t *b = from->at;
    for (uint32_t i = 0; i < n; i += RT_CLOCK_STEP)
        *(step *)(a + i) = *(const step *)(b + i);
}

void rt_clock_set(rt_clock *c, uint32_t thread, uint32_t segment)
{
    RT_ASSERT(thread < RT_MAX_THREADS);
    if (thread >= c->len)
        clock_grow(c, thread + 1);
    c->at[thread] = segment;
}
