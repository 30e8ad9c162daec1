/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the bytes that a thread touches with plain accesses between two of its operations
 * (WIRE_JOB_NEXT).
 *
 * A range is open while it may still grow. The newest RT_RANGES are open: each further one closes the
 * oldest, whose bytes are kept by pages until the segment ends (touched_pages.c); a long one is recorded
 * immediately. All are recorded before the next record. So there is no limit to what a segment
 * touches.
 *
 * Nothing is recorded before there is a second thread, because it races with nothing. */
#include "runtime/core/core.h"

#include <string.h>

#define MAX_TRIES 8u         /* open ranges of one bucket that are compared */
#define LONG UINT64_C(16384) /* bytes of a range that is recorded immediately */

void rt_footprint_tell(const rt_range *x)
{
    wire_rec *r = rt_emit(WIRE_NOTE_TOUCH);
    r->size = x->how;
    r->thread = rt->touched.thread;
    r->site = x->site;
    r->object = x->start;
    r->value = x->end;
}

static rt_open *open_at(uint64_t number)
{
    return &rt->touched.open[number % RT_RANGES];
}

static uint64_t mix(uint64_t a)
{
    a *= UINT64_C(0x9e3779b97f4a7c15);
    return a ^ a >> 32;
}

static uint64_t *bucket_of(const rt_range *x)
{
    uint64_t hash = mix((uint64_t)x->how << 32 | x->site);
    return &rt->touched.newest[hash % RT_RANGE_BUCKETS];
}

void rt_footprint_reset(void)
{
    rt->touched.first = rt->touched.next = 0;
    memset(rt->touched.newest, 0, sizeof rt->touched.newest);
    rt_touched_pages_reset();
}

void rt_footprint_flush(void)
{
    if (rt->touched.first == rt->touched.next)
        return;
    rt_touched_pages_flush();
    for (; rt->touched.first < rt->touched.next; rt->touched.first++)
        rt_footprint_tell(&open_at(rt->touched.first)->range);
}

/* Extends an open range of the same site by x, if they touch. */
static bool grow(const rt_range *x)
{
    uint64_t number = *bucket_of(x);
    for (uint32_t i = 0; number > rt->touched.first && i < MAX_TRIES; i++) {
        rt_open *o = open_at(number - 1);
        rt_range *y = &o->range;
        number = o->older;
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
    RT_ASSERT(x->start < x->end && rt->touched.first <= rt->touched.next);
    if (rt->touched.next - rt->touched.first == RT_RANGES) {
        const rt_range *oldest = &open_at(rt->touched.first++)->range;
        bool is_long = oldest->end - oldest->start >= LONG;
        (is_long ? rt_footprint_tell : rt_touched_pages_add)(oldest);
    }
    uint64_t *newest = bucket_of(x);
    *open_at(rt->touched.next++) = (rt_open){*x, *newest};
    *newest = rt->touched.next;
}

void rt_footprint_add(uint64_t p, uint64_t size, uint8_t how, uint32_t site)
{
    rt_range x = {p, p + size, site, how};
    if (size == 0 || rt_is_only_thread())
        return;
    /* A new thread's first part runs inside the one that created it. */
    if (rt->touched.thread != rt->self->id)
        rt_footprint_flush();
    rt->touched.thread = rt->self->id;
    if (!grow(&x))
        open_range(&x);
}
