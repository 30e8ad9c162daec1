/* SPDX-License-Identifier: Apache-2.0 */
/* Refused and tainting calls: their thunks call this file first. */
#include "runtime/posix/posix.h"

RT_HIDDEN void rt_thunk_refused(const char *name, uint64_t first);
RT_HIDDEN void rt_thunk_refused(const char *name, uint64_t first)
{
    (void)first;
    if (rt_on())
        rt_refuse(name, rt_call_site());
}

RT_EXPORT void __treadle_refuse(const char *name, const wire_site *s)
{
    if (rt_on())
        rt_refuse(name, rt_site_number((uint64_t)s));
}

RT_EXPORT void __treadle_unwatched(const char *name, const wire_site *s)
{
    if (rt_on())
        rt_unwatched(rt_site_number((uint64_t)s), name);
}

RT_HIDDEN void rt_thunk_tainting(const char *name, uint64_t first)
{
    if (!rt_on())
        return;
    uint32_t site = rt_call_site();
    rt_stdin_opened(name, first, site);
    if (!rt_identity_takes(name, first))
        rt_taint(name, site);
}

/* The thunk of calls that the files of the run handle. */
RT_HIDDEN void rt_thunk_file(const char *name, uint64_t first);
void rt_thunk_file(const char *name, uint64_t first)
{
    if (!rt_on())
        return;
    uint32_t site = rt_call_site();
    rt_stdin_opened(name, first, site);
    if (rt_overlay_takes(name, first, site))
        rt_changed();
    else
        rt_taint(name, site);
}
