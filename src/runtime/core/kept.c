/* SPDX-License-Identifier: Apache-2.0 */
/* Storage that is kept from run to run. */
#include "runtime/core/core.h"

#include "runtime/core/sys.h"

void *rt_saved_alloc(size_t size)
{
    if (rt->saved_at == 0)
        rt->saved_at = RT_SAVED + RT_SNAPSHOT_SIZE;
    uint64_t at = rt->saved_at;
    RT_ASSERT(at >= RT_SAVED + RT_SNAPSHOT_SIZE);
    if (size >= 65536)
        at = (at + 4095) & ~UINT64_C(4095);
    if (at + size > RT_SAVED_END) {
        rt_sys_say("treadle: the program has more writable memory than can be saved\n");
        rt_sys_exit(71);
    }
    rt->saved_at = (at + size + 63) & ~UINT64_C(63);
    return (void *)at;
}
