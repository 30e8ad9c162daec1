/* SPDX-License-Identifier: Apache-2.0 */
/* Storage of one run. */
#include "runtime/core/core.h"

#include <string.h>

#include "runtime/core/sys.h"

/* The first words of the region: where the free part starts, and how far it was ever used. */
typedef struct bump_head {
    uint64_t at, dirty;
} bump_head;

#define BUMP ((bump_head *)RT_BUMP)
#define BUMP_START (RT_BUMP + 64)

void rt_bump_reset(void)
{
    if (BUMP->at > BUMP->dirty)
        BUMP->dirty = BUMP->at;
    BUMP->at = BUMP_START;
}

void *rt_bump_unset(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    uint64_t at = BUMP->at;
    RT_ASSERT(at >= BUMP_START && at % 16 == 0);
    if (at + size > RT_BUMP_END)
        rt_run_end(WIRE_DONE_DEPTH, 0);
    BUMP->at = at + size;
    return (void *)at;
}

void *rt_bump(size_t size)
{
    void *at = rt_bump_unset(size);
    /* Only what an earlier run used is not zero. */
    if ((uint64_t)at < BUMP->dirty)
        memset(at, 0, size);
    return at;
}

bool rt_bump_has(uint64_t start, uint64_t size)
{
    return start >= BUMP_START && start + size <= BUMP->at;
}
