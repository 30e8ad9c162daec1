/* SPDX-License-Identifier: Apache-2.0 */
/* Determines which reads affect control flow (WIRE_JOB_FLOW).
 *
 * Every checked read of memory gets a label, which flows like that of an input; everything decided by a
 * label, such as a branch or an address, records the reads it depends on (decisions.c). The compiler tracks
 * integers. A read whose label was not fetched before the thread's next step, such as a pointer or a float,
 * counts as affecting control flow. */
#include "runtime/symbolic/values.h"

#define FOLLOWED 16u /* bytes of one value at most */

void rt_reads_reset(void)
{
    rt->flow = (rt->job.head.flags & WIRE_JOB_FLOW) != 0;
    if (!rt->flow)
        return;
    rt_labels_map();
    rt->symbolic = true;
    /* What an earlier run has passed to a function is not an argument of this one. */
    for (uint32_t i = 0; i < PLAN_ARGUMENTS; i++)
        PLAN_CTL->arguments[i] = 0;
}

void rt_reads_other(void)
{
    uint32_t label = rt->self->unclaimed;
    rt->self->unclaimed = 0;
    if (label && !rt->trying)
        rt_sym_used(label);
}

void rt_reads_claimed(uint64_t p)
{
    if (rt->self->unclaimed_at == p)
        rt->self->unclaimed = 0;
}

void rt_reads_read(uint64_t p, uint64_t size, uint32_t site)
{
    RT_ASSERT(rt->flow);
    rt_reads_other();
    if (size == 0 || rt->trying)
        return;
    uint32_t label = size <= FOLLOWED ? rt_sym_read(p, (uint32_t)size, site) : 0;
    if (label == 0)
        rt_sym_tell_used(p, size, site);
    rt->self->unclaimed = label;
    rt->self->unclaimed_at = p;
}
