/* SPDX-License-Identifier: Apache-2.0 */
/* Open hash tables of indices, for what is stored once. */
#include "expr/expr_int.h"

enum { SMALLEST = 64 }; /* a power of two */

void exp_table_grow(exp_table *t, const exp_dag *d,
                    uint64_t (*hash)(const exp_dag *, uint32_t))
{
    if (4 * t->len < 3 * t->cap)
        return;
    exp_table bigger = {.len = t->len, .cap = t->cap ? 2 * t->cap : SMALLEST};
    bigger.slots = td_alloc(bigger.cap * sizeof *bigger.slots);
    for (size_t i = 0; i < t->cap; i++) {
        if (t->slots[i] == 0)
            continue;
        size_t at = hash(d, t->slots[i]) & (bigger.cap - 1);
        while (bigger.slots[at] != 0)
            at = (at + 1) & (bigger.cap - 1);
        bigger.slots[at] = t->slots[i];
    }
    td_free(t->slots);
    *t = bigger;
}
