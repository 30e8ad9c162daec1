/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes that a part of a thread, from one of its operations to the next, touches with plain
 * accesses (WIRE_JOB_NEXT).
 *
 * Ranges are kept open while they may still grow, and told before anything that follows them. */
#include "runtime/core/core.h"

#define MAX_TOLD 64u /* ranges of one part; then one note says that there were more */

static void tell(const rt_range *x, uint32_t thread, uint8_t how)
{
    wire_rec *r = rt_emit(WIRE_NOTE_TOUCH);
    r->size = how;
    r->thread = thread;
    r->site = x->site;
    r->object = x->start;
    r->value = x->end;
}

void rt_footprint_flush(void)
{
    for (uint32_t i = 0; i < rt->n_ranges; i++)
        tell(&rt->ranges[i], rt->ranges_thread, rt->ranges[i].how);
    rt->n_ranges = rt->oldest_range = 0;
}

/* Lets an open range of the same site grow by x, if one of them touches it. */
static bool grow(const rt_range *x)
{
    for (uint32_t i = 0; i < rt->n_ranges; i++) {
        rt_range *y = &rt->ranges[i];
        if (y->site != x->site || y->how != x->how || x->start > y->end ||
            x->end < y->start)
            continue;
        y->start = x->start < y->start ? x->start : y->start;
        y->end = x->end > y->end ? x->end : y->end;
        return true;
    }
    return false;
}

static void open_range(const rt_range *x)
{
    RT_ASSERT(rt->n_ranges <= RT_RANGES && x->start < x->end);
    if (rt->n_ranges < RT_RANGES) {
        rt->ranges[rt->n_ranges++] = *x;
        return;
    }
    rt_range *oldest = &rt->ranges[rt->oldest_range++ % RT_RANGES];
    tell(oldest, rt->ranges_thread, oldest->how);
    *oldest = *x;
}

void rt_footprint_add(uint64_t p, uint64_t size, uint8_t how, uint32_t site)
{
    rt_thread *t = rt->self;
    rt_range x = {p, p + size, site, how};
    if (size == 0 || t->n_told > MAX_TOLD)
        return;
    /* A new thread's first part runs inside the one that created it. */
    if (rt->ranges_thread != t->id)
        rt_footprint_flush();
    rt->ranges_thread = t->id;
    if (grow(&x))
        return;
    if (t->n_told++ < MAX_TOLD)
        open_range(&x);
    else
        tell(&x, t->id, WIRE_TOUCH_MORE);
}
