/* SPDX-License-Identifier: Apache-2.0 */
/* explore/core/division_tree.h - what the items of a campaign cover together.
 *
 * Purpose     Derives from the divisions alone whether the parts that were handed in are all of the search.
 * Words       item, literal, part: explore/core/item.h, docs/parallel.md. half: an item with one literal
 *             more; the other half has the same literal, with or without its event instead.
 * Invariants  If the answer is true, every trace of the program is in exactly one item with a part: each
 *             item is either done, once, or it fell into both of its halves, by (T2).
 * Cost        A search in the items for each of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* An item that there was. Nothing of it is trusted. */
typedef struct xpl_division {
    uint64_t item;   /* its number; those of its halves are larger */
    uint64_t parent; /* the item that it is a half of; 0: it is the whole */
    uint64_t n_done; /* parts that were handed in for it */
    const uint8_t *literal;
    size_t n_literal; /* bytes of what it has more than its parent */
} xpl_division;

/* True if all items together cover the search, by *n_parts parts. at[0..n) in the order of their numbers.
 * False: the reason is in diag. */
bool xpl_divisions_cover(const xpl_division *at, size_t n, uint64_t *n_parts,
                         td_diag *diag);
