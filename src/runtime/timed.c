/* SPDX-License-Identifier: Apache-2.0 */
/* Timeouts. How long anything takes is not known, so a wait with a timeout may give up whenever
 * what it waits for is not there: a choice like an input, made before the wait. */
#include "runtime/sync.h"

#include <errno.h>

#define SECOND 1000000000

int rt_timed_check(const struct timespec *until)
{
    return until->tv_nsec < 0 || until->tv_nsec >= SECOND ? EINVAL : 0;
}

bool rt_timed_gives_up(const char *call, const struct timespec *until)
{
    rt_thread *self = rt->self;
    if (!rt_choice(call, self->pending.site))
        return false;
    uint64_t ns = (uint64_t)until->tv_sec * SECOND + (uint64_t)until->tv_nsec;
    if (until->tv_sec >= 0 && ns > self->now_ns)
        self->now_ns = ns;
    return true;
}
