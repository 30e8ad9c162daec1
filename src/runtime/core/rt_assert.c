/* SPDX-License-Identifier: Apache-2.0 */
/* Handles a failed assert: reports it to treadle and on descriptor 2, and ends the process. */
#include "runtime/core/rt_assert.h"

#include "runtime/core/state.h"
#include "runtime/core/sys.h"

_Noreturn void rt_assert_failed(const char *text)
{
    if (rt_controlled && rt->shm) {
        uint32_t n = 0;
        for (; text[n] && n + 1 < WIRE_BROKEN_BYTES; n++)
            rt->shm->broken[n] = text[n];
        rt->shm->broken[n] = 0;
    }
    rt_sys_say("treadle: internal error in the program's process: ");
    rt_sys_say(text);
    rt_sys_say("\n");
    rt_sys_exit(WIRE_EXIT_BROKEN);
}
