/* SPDX-License-Identifier: Apache-2.0 */
/* path/bounds.h - many comparisons of one expression with numbers, told in few.
 *
 * Purpose     From 0 < n, 1 < n, !(2 < n) it makes n == 2.
 * Words       term: an expression that is compared with numbers.
 *             key: a number as it is ordered, so that unsigned order suits both signs.
 * Invariants  (B1) what comes out holds if and only if all that went in does.
 */
#pragma once

#include "path/path_int.h"

/* Both orders of numbers, by exp_sign. */
typedef struct pth_term {
    exp_ref e;
    td_u128 low[2], high[2]; /* keys */
    exp_ref low_from[2],
        high_from[2]; /* the constraint that said so; none: no constraint did */
    /* after pth_bounds_settle */
    exp_sign sign;                 /* the order that constraints about it were made in */
    uint32_t unequals, n_unequals; /* index of the first, by growing key */
} pth_term;

/* term != value */
typedef struct pth_unequal {
    uint32_t term;
    td_u128 value, key;
    exp_ref from;
} pth_unequal;

TD_VEC(pth_term, pth_term_vec);
TD_VEC(pth_unequal, pth_unequal_vec);

/* All-zero is empty. */
typedef struct pth_bounds {
    pth_term_vec terms;
    pth_unequal_vec unequals;
    pth_table numbers; /* of terms */
} pth_bounds;

/* The term that the constraint compares with a number; UINT32_MAX if it does nothing of the kind:
 * it is then left to the caller. */
uint32_t pth_bounds_add(pth_bounds *b, const exp_dag *d, exp_ref constraint);
/* Once all are added, before the rest: what one order says is told the other. */
void pth_bounds_settle(pth_bounds *b, const exp_dag *d);
bool pth_bounds_is_one(const pth_bounds *b, uint32_t term);
/* Appends constraints that say all that is known of the term. */
void pth_bounds_tell(const pth_bounds *b, exp_dag *d, uint32_t term, exp_ref_vec *out);
void pth_bounds_fini(pth_bounds *b);
