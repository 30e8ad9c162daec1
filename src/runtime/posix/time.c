/* SPDX-License-Identifier: Apache-2.0 */
/* How the times of threads go together.
 *
 * Two operations of which one depends on the other happen one after the other, so the later one is
 * not earlier by the clock either. A thread learns from an object the time of the last exclusive
 * operation on it, and by an exclusive operation that of all before. So its time is a function of
 * what came before it in the order of events, and of nothing else. */
#include "runtime/posix/posix.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "runtime/core/spin.h"
#include "runtime/memory/accesses.h"

#define SECOND UINT64_C(1000000000)

uint64_t rt_time_asked(const void *out, uint32_t site)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_thread *self = rt->self;
    self->saw |= self->time_joined;
    /* It comes from others, but not through memory that is followed. */
    if (self->time_joined && (rt->reads || rt->flow))
        rt_gap_once(WIRE_GAP_CONCRETE, site, "the time");
    rt_retry_asks(self, out);
    return self->now_ns += 1000;
}

/* ---- clocks under other names ---- */

RT_API int __treadle_timespec_get(struct timespec *out, int base);
int __treadle_timespec_get(struct timespec *out, int base)
{
    if (!rt_on())
        return timespec_get(out, base);
    uint32_t site = rt_call_site();
    if (base != TIME_UTC)
        return 0;
    uint64_t now = rt_time_asked(out, site);
    rt_access((uint64_t)out, sizeof *out, true, site);
    *out = (struct timespec){(time_t)(now / SECOND), (long)(now % SECOND)};
    return base;
}

static struct timeval timeval_of(uint64_t ns)
{
    return (struct timeval){(time_t)(ns / SECOND), (suseconds_t)(ns % SECOND / 1000)};
}

/* All the time was spent by the process itself. */
RT_API int __treadle_getrusage(int who, struct rusage *out);
int __treadle_getrusage(int who, struct rusage *out)
{
    if (!rt_on())
        return getrusage(who, out);
    uint32_t site = rt_call_site();
    rt_access((uint64_t)out, sizeof *out, true, site);
    *out =
        (struct rusage){.ru_utime = timeval_of(rt_time_asked(out, site) - RT_TIME_START)};
    return 0;
}

RT_API clock_t __treadle_times(struct tms *out);
clock_t __treadle_times(struct tms *out)
{
    if (!rt_on())
        return times(out);
    uint32_t site = rt_call_site();
    uint64_t tick = SECOND / (uint64_t)sysconf(_SC_CLK_TCK);
    clock_t ticks = (clock_t)((rt_time_asked(out, site) - RT_TIME_START) / tick);
    if (out) {
        rt_access((uint64_t)out, sizeof *out, true, site);
        *out = (struct tms){.tms_utime = ticks};
    }
    return ticks;
}

/* The processor's counter, of a processor of 1 GHz: llvm.readcyclecounter, rdtsc. */
RT_API uint64_t __treadle_treadle_cycles(void);
uint64_t __treadle_treadle_cycles(void)
{
    if (rt_on()) {
        uint32_t site = rt_call_site();
        return rt_time_asked(NULL, site) - RT_TIME_START;
    }
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    uint64_t counter;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(counter));
    return counter;
#endif
}
