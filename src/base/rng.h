/* SPDX-License-Identifier: Apache-2.0 */
/* base/rng.h - reproducible random numbers (splitmix64). Any state is valid. */
#pragma once

#include <stdint.h>

typedef struct td_rng {
    uint64_t state;
} td_rng;

static inline uint64_t td_rng_next(td_rng *r)
{
    uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

__extension__ typedef unsigned __int128 td_u128;

/* Uniform in 0..n-1; n is not 0. */
static inline uint64_t td_rng_below(td_rng *r, uint64_t n)
{
    return (uint64_t)(((td_u128)td_rng_next(r) * n) >> 64);
}
