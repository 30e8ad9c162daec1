/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/unfold_int.h"

/* Which threads may continue in a state of an object on which threads wait to be woken: a condition
 * variable, a barrier. Runs record it; it is determined by the events up to the state. Few states have such
 * threads, so they are kept in a table of their own. */

enum { FIRST_BITS = 6 };

/* Entries are numbers in u->woken, which start with their state; 0: free. */
static size_t slot_of(const unf *u, uint32_t state)
{
    size_t mask = ((size_t)1 << u->woken_bits) - 1;
    size_t i = (state * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - u->woken_bits);
    while (u->woken_slots[i] && u->woken.at[u->woken_slots[i]] != state)
        i = (i + 1) & mask;
    return i;
}

static void grow(unf *u)
{
    uint32_t *old = u->woken_slots;
    size_t n = old ? (size_t)1 << u->woken_bits : 0;
    u->woken_bits = old ? u->woken_bits + 1 : FIRST_BITS;
    u->woken_slots = td_alloc(sizeof(uint32_t) << u->woken_bits);
    for (size_t i = 0; i < n; i++)
        if (old[i])
            u->woken_slots[slot_of(u, u->woken.at[old[i]])] = old[i];
    td_free(old);
    TD_ASSERT(2 * (size_t)u->n_woken <= (size_t)1 << u->woken_bits);
}

void unf_woken_set(unf *u, uint32_t state, const trc *t, const trc_op *op)
{
    if (op->n_woken == 0)
        return;
    if (!u->woken_slots || u->n_woken >= (UINT32_C(1) << u->woken_bits) / 2)
        grow(u);
    TD_ASSERT(op->woken + op->n_woken <= t->woken.len);
    size_t slot = slot_of(u, state);
    u->n_woken += u->woken_slots[slot] == 0;
    u->woken_slots[slot] = (uint32_t)u->woken.len;
    unf_vec_push(&u->woken, state);
    unf_vec_push(&u->woken, op->n_woken);
    for (uint32_t i = 0; i < op->n_woken; i++)
        unf_vec_push(&u->woken, u->run_threads.at[t->woken.at[op->woken + i]]);
}

bool unf_is_woken(const unf *u, unf_state state, uint32_t thread)
{
    uint32_t at = u->woken_slots ? u->woken_slots[slot_of(u, state.ix)] : 0;
    for (uint32_t i = 0; at && i < u->woken.at[at + 1]; i++)
        if (u->woken.at[at + 2 + i] == thread)
            return true;
    return false;
}
