/* SPDX-License-Identifier: Apache-2.0 */
/* The locals of each thread whose function has returned, and whose address was passed on.
 *
 * Newer frames may be in their place. A thread that got the address of these has synchronised with the
 * return, so an access by one that has not is an access to the local. For each byte the last return counts:
 * a thread that synchronised with it did so with earlier ones. So there are never more pieces than the stack
 * has had locals at different places, and nothing is forgotten. */
#include "runtime/memory/accesses.h"

#include <string.h>

/* The first piece that ends behind an address. */
static uint32_t first_behind(const rt_thread *t, uint64_t at)
{
    uint32_t low = 0, high = t->n_left;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->left[middle].end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void make_room(rt_thread *t, uint32_t n)
{
    if (n <= t->cap_left)
        return;
    uint32_t cap = t->cap_left ? 2 * t->cap_left : 16;
    rt_left *more = rt_bump(cap * sizeof *more);
    if (t->n_left > 0)
        memcpy(more, t->left, t->n_left * sizeof *more);
    t->left = more;
    t->cap_left = cap;
    RT_ASSERT(n <= t->cap_left);
}

void rt_left_put(uint64_t start, uint64_t end)
{
    rt_thread *t = rt->self;
    if (start >= end || start < rt_stack_bottom(t->slot) || end > rt_stack_top(t->slot))
        return;
    uint32_t first = first_behind(t, start), last = first, n = 0;
    while (last < t->n_left && t->left[last].start < end)
        last++;
    /* What sticks out of the new one on either side stays. */
    rt_left with[3];
    if (first < last && t->left[first].start < start) {
        with[n] = t->left[first];
        with[n++].end = start;
    }
    with[n++] = (rt_left){.start = start, .end = end, .segment = t->segment};
    if (first < last && t->left[last - 1].end > end) {
        with[n] = t->left[last - 1];
        with[n++].start = end;
    }
    make_room(t, t->n_left + n);
    memmove(&t->left[first + n], &t->left[last], (t->n_left - last) * sizeof with[0]);
    memcpy(&t->left[first], with, n * sizeof with[0]);
    t->n_left = t->n_left + n - (last - first);
}

bool rt_left_has(const rt_thread *owner, uint64_t start, uint64_t end)
{
    uint32_t known = rt_clock_get(&rt->self->clock, owner->id);
    for (uint32_t i = first_behind(owner, start); i < owner->n_left; i++) {
        if (owner->left[i].start >= end)
            return false;
        if (known < owner->left[i].segment)
            return true;
    }
    return false;
}
