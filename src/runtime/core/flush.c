/* SPDX-License-Identifier: Apache-2.0 */
/* Emits buffered records before the next record. */
#include "runtime/core/above.h"

void rt_flush(void)
{
    if (rt->reads)
        rt->above->flush_reads();
    rt_flush_write();
    rt_footprint_flush();
}

void rt_flush_end(rt_end *end)
{
    (void)end;
    rt_flush();
    PLAN_CTL->epoch = 0;
}
