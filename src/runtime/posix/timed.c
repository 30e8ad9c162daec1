/* SPDX-License-Identifier: Apache-2.0 */
/* Timeouts. How long anything takes is not known, so a wait with a timeout may give up whenever
 * what it waits for is not there: a choice like an input, made before the wait. */
#include "runtime/posix/sync.h"

#include <errno.h>

#include "runtime/core/spin.h"
#include "runtime/symbolic/values.h"

#define SECOND 1000000000

int rt_timed_check(const struct timespec *until)
{
    return until->tv_nsec < 0 || until->tv_nsec >= SECOND ? EINVAL : 0;
}

int rt_timed_clock(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ? 0 : EINVAL;
}

/* That changes nothing: a round that only gave up is left out (spin.c). In one that is
 * made again nothing is chosen again. */
static bool chooses(rt_thread *self, const char *call, uint32_t site)
{
    if (rt->trying || (self->spin.resumes && self->spin.n_round == 1))
        return true;
    uint64_t changes = self->spin.changes;
    uint32_t changed = PLAN_CTL->changed;
    bool gives_up = rt_choice(call, site);
    PLAN_CTL->changed = changed;
    self->spin.changes = changes;
    return gives_up;
}

bool rt_timed_gives_up(const char *call, const struct timespec *until, uint32_t site)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_thread *self = rt->self;
    rt_retry_until(self, until);
    if (!chooses(self, call, site))
        return false;
    uint64_t ns = (uint64_t)until->tv_sec * SECOND + (uint64_t)until->tv_nsec;
    if (until->tv_sec >= 0 && ns > self->now_ns)
        self->now_ns = ns;
    return true;
}
