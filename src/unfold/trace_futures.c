/* SPDX-License-Identifier: Apache-2.0 */
#include "unfold/traces_int.h"

/* What may be touched below each history. Threads do the same with the same objects after most of their
 * histories, so an event has the number of its future, and each future is kept once. */

enum { FIRST_BITS = 8 };

static size_t slot_of(const trace_futures *f, trace_future x)
{
    size_t mask = ((size_t)1 << f->bits) - 1;
    uint64_t key = x.touched * UINT64_C(0x9e3779b97f4a7c15) ^ x.changed;
    size_t i = (key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - f->bits);
    for (; f->slots[i]; i = (i + 1) & mask) {
        trace_future y = f->all.at[f->slots[i] - 1];
        if (y.touched == x.touched && y.changed == x.changed)
            break;
    }
    return i;
}

static void slots_grow(trace_futures *f)
{
    td_free(f->slots);
    f->bits = f->bits ? f->bits + 1 : FIRST_BITS;
    f->slots = td_alloc(sizeof(uint32_t) << f->bits);
    for (uint32_t i = 0; i < f->all.len; i++)
        f->slots[slot_of(f, f->all.at[i])] = i + 1;
}

static uint32_t number_of(trace_futures *f, trace_future x)
{
    if (2 * (f->all.len + 1) > (size_t)1 << f->bits)
        slots_grow(f);
    size_t i = slot_of(f, x);
    if (!f->slots[i]) {
        trace_future_vec_push(&f->all, x);
        f->slots[i] = (uint32_t)f->all.len;
    }
    TD_DASSERT(f->slots[i] <= f->all.len);
    return f->slots[i] - 1;
}

/* Causes have smaller numbers. */
void unf_futures_find(trace_futures *f, const unf *u)
{
    TD_ASSERT(f->of.len == 0 && f->all.len == 0);
    slots_grow(f);
    (void)number_of(f, (trace_future){0}); /* 0 is nothing */
    unf_vec_reserve(&f->of, u->nodes.len);
    f->of.len = u->nodes.len;
    memset(f->of.at, 0, f->of.len * sizeof f->of.at[0]);
    for (uint32_t i = (uint32_t)u->nodes.len; i-- > 0;) {
        const unf_node *n = node_at(u, i);
        if (n->before == UNF_NONE || n->status != UNF_EXECUTED)
            continue;
        trace_future to = unf_future_of(f, n->before), own = unf_future_of(f, i);
        if (n->object != UNF_NONE)
            own.touched |= unf_class_of(n->object);
        if (n->object != UNF_NONE && node_is_state(n))
            own.changed |= unf_class_of(n->object);
        to.touched |= own.touched;
        to.changed |= own.changed;
        f->of.at[n->before] = number_of(f, to);
    }
    td_free(f->slots);
    f->slots = NULL;
}

void unf_futures_fini(trace_futures *f)
{
    unf_vec_fini(&f->of);
    trace_future_vec_fini(&f->all);
    td_free(f->slots);
    *f = (trace_futures){0};
}
