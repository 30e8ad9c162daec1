/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are not modelled, and those that leave traces in the process. */
#include "runtime/core/core.h"

_Noreturn void rt_refuse(const char *name, uint32_t site)
{
    rt_gap(WIRE_GAP_REFUSED, site, name);
    rt_run_end(WIRE_DONE_REFUSED, 0);
}

void rt_taint(const char *name, uint32_t site)
{
    rt_changed();
    if (rt->tainted)
        return;
    rt->tainted = true;
    rt_gap(WIRE_GAP_TAINTED, site, name);
}
