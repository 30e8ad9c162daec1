/* SPDX-License-Identifier: Apache-2.0 */
/* base/id.h - 128-bit content ids, and sets of them.
 *
 * Purpose     An id is the XXH3 hash of what it names, so it is the same in every run,
 *             worker and machine. Home of xxHash.
 * Invariants  td_id_sum does not depend on the order of its arguments; the all-zero id
 *             names nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct td_id {
    uint64_t lo, hi;
} td_id;

td_id td_id_hash(const void *data, size_t size);

static inline bool td_id_equal(td_id a, td_id b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

static inline bool td_id_zero(td_id a)
{
    return (a.lo | a.hi) == 0;
}

/* Order-independent combination: addition modulo 2^128. */
static inline td_id td_id_sum(td_id a, td_id b)
{
    uint64_t lo = a.lo + b.lo;
    return (td_id){lo, a.hi + b.hi + (lo < a.lo)};
}

/* 32 hexadecimal digits and a zero. */
void td_id_print(td_id id, char out[33]);

/* A set of ids; all-zero is empty. Expected O(1). */
typedef struct td_id_set {
    td_id *slots; /* cap of them, the zero id marks a free one */
    size_t len, cap;
} td_id_set;

/* True if id was not in the set. id is not zero. */
bool td_id_set_add(td_id_set *set, td_id id);
bool td_id_set_has(const td_id_set *set, td_id id);
void td_id_set_clear(td_id_set *set);
void td_id_set_fini(td_id_set *set);
