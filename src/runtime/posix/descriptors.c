/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors of the process: what a run leaves open is undone, or noticed. */
#include "runtime/posix/posix.h"

#include <fcntl.h>

#include "runtime/core/sys.h"

int rt_lowest_free_fd(void)
{
    long fd = rt_sys(SYS_fcntl, 0, F_DUPFD_CLOEXEC, 0);
    if (fd >= 0)
        rt_sys(SYS_close, fd, 0, 0);
    return (int)fd;
}

/* A library may have left a descriptor open, or closed one. */
void rt_descriptors_end(rt_end *end)
{
    RT_ASSERT(rt->active);
    (void)end;
    if (rt->tainted || rt->shm->restart == WIRE_RESTART_FORK)
        return;
    rt_mappings_undo();
    rt_actions_undo();
    if (!rt_identity_undo()) {
        rt->tainted = true;
        rt_gap(WIRE_GAP_FORKED, 0,
               "the run dropped supplementary groups and may not restore them");
    }
    bool is_same = rt_lowest_free_fd() == rt->first_free_fd;
    if (!is_same)
        rt_overlay_moves();
    if (rt_overlay_undo() || is_same)
        return;
    rt->tainted = true;
    rt_gap(WIRE_GAP_FORKED, 0, "the run left a descriptor open or closed one");
}
