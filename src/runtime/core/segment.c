/* SPDX-License-Identifier: Apache-2.0 */
/* Segments: what a thread does from one granted operation to the next. */
#include "runtime/core/core.h"

/* Plain accesses reported with WIRE_JOB_DETAIL. */
#define DETAIL_SEGMENT 1000u

void rt_segment_show(const rt_thread *t)
{
    PLAN_CTL->epoch = rt->every ? UINT32_MAX : t->segment << 8 | 0xff;
}

void rt_segment_start(rt_thread *t)
{
    uint32_t segment = ++rt->segment;
    RT_ASSERT(segment > t->segment);
    if (segment >= RT_MAX_SEGMENT)
        rt_run_end(WIRE_DONE_DEPTH, 0);
    ((uint32_t *)RT_SEGMENTS)[segment] = t->id;
    t->segment = segment;
    rt->detail_segment = rt->reads ? RT_DETAIL_RUN : DETAIL_SEGMENT;
    rt_clock_set(&t->clock, t->id, segment);
    RT_ASSERT(rt_clock_get(&t->clock, t->id) == segment);
}
