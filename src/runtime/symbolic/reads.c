/* SPDX-License-Identifier: Apache-2.0 */
/* Which reads have a say in where a thread goes (WIRE_JOB_FLOW).
 *
 * Every checked read of memory gets a label, which flows like that of an input; a branch, an
 * address, whatever is decided by a label tells the reads it was made of (decisions.c). The compiler
 * follows integers. A read whose label nobody has asked for when the thread does the next thing,
 * a pointer or a float, is taken to have a say. */
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
