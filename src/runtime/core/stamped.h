/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/stamped.h - sets of numbers below 2^48 that are emptied for each run by counting runs: emptying the
 * memory would take longer than many a run. An entry is free unless its upper 16 bits are those of this
 * round. */
#pragma once

#include <string.h>

#include "runtime/core/rt_assert.h"
#include "wire/layout.h"

typedef struct rt_stamped {
    uint64_t *at;   /* open hash table */
    uint64_t n;     /* entries of it, a power of two */
    uint64_t round; /* number of the run since it was emptied, from 1 */
} rt_stamped;

#define RT_STAMP_BITS 48

static inline uint64_t rt_stamp(const rt_stamped *s, uint64_t key)
{
    return key | s->round << RT_STAMP_BITS;
}

/* Finds the slot of the key, or a free slot for it; *known: the key is there. The caller keeps some entries
 * free. */
static inline uint64_t *rt_stamped_find(const rt_stamped *s, uint64_t key, bool *known)
{
    uint64_t i = key * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (s->n - 1);
    while (s->at[i] >> RT_STAMP_BITS == s->round && s->at[i] != rt_stamp(s, key))
        i = (i + 1) & (s->n - 1);
    *known = s->at[i] == rt_stamp(s, key);
    return &s->at[i];
}

/* The number of the next round; all entries are free in it. */
static inline uint64_t rt_stamped_next(const rt_stamped *s)
{
    if ((s->round + 1) >> (64 - RT_STAMP_BITS) == 0)
        return s->round + 1;
    memset(s->at, 0, s->n * sizeof *s->at);
    return 1;
}
