/* SPDX-License-Identifier: Apache-2.0 */
/* The rest of the C library that a run must not take as it is: failures, time, and calls that are
 * refused or leave traces in the kernel. */
#include "runtime/posix/sync.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "runtime/posix/posix.h"
#include "runtime/symbolic/values.h"

/* ---- failures ---- */

RT_API _Noreturn void __treadle_abort(void);
void __treadle_abort(void)
{
    rt_history_return();
    if (!rt_on())
        abort();
    rt_fail_end(WIRE_FAIL_ABORT, rt_call_site(), 0, SIGABRT, NULL);
}

/* Ends a run whose assumption fails; blocks that it would have freed later are not leaks. */
_Noreturn void rt_assumption_fails(void)
{
    if (!rt_on())
        exit(0);
    rt_history_return();
    rt->job.head.flags &= ~WIRE_JOB_LEAKS;
    rt_exit(0, RT_EXIT_AT_ONCE,
            0); /* the run does not count: nothing is called at its end */
}

/* Replaces abort where it means that an assumption fails. */
RT_API _Noreturn void __treadle_assumption_fails(void);
void __treadle_assumption_fails(void)
{
    if (!rt_on())
        abort();
    rt_assumption_fails();
}

RT_API _Noreturn void __treadle___assert_fail(const char *text, const char *file,
                                              unsigned line, const char *function);
void __treadle___assert_fail(const char *text, const char *file, unsigned line,
                             const char *function)
{
    rt_history_return();
    if (!rt_on())
        __assert_fail(text, file, line, function);
    rt_fail_end(WIRE_FAIL_ASSERT, rt_call_site(), 0, 0, text);
}

RT_API _Noreturn void __treadle___assert(const char *text, const char *file, int line);
void __treadle___assert(const char *text, const char *file, int line)
{
    __treadle___assert_fail(text, file, (unsigned)line, "");
}

RT_API _Noreturn void __treadle_reach_error(void);
void __treadle_reach_error(void)
{
    __treadle___assert_fail("reach_error is not reached", "", 0, "");
}

RT_API _Noreturn void __treadle___VERIFIER_error(void);
void __treadle___VERIFIER_error(void)
{
    __treadle___assert_fail("__VERIFIER_error is not reached", "", 0, "");
}

/* ---- time (time.c) ---- */

#define SECOND UINT64_C(1000000000)

static uint64_t time_asked(const void *out)
{
    uint32_t site = rt_call_site();
    return rt_time_asked(out, site);
}

/* A hint that others should run; not an operation. */
static void yield_for(uint64_t ns, uint32_t site)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt->self->now_ns += ns;
    rt->self->yielded = true;
    rt->self->yield_site = site;
}

/* False: a handler ran, and it may have been during the sleep. */
static bool sleep_for(uint64_t ns, uint32_t label)
{
    uint32_t site = rt_call_site();
    rt_sym_arrive();
    if (rt_sym_is_input(label))
        rt_gap_once(WIRE_GAP_CONCRETE, site, "how long a thread sleeps");
    rt_cancel_point(site);
    if (rt_signal_point(site) != RT_UNDISTURBED &&
        rt_choice("interruption of sleep", site))
        return false;
    yield_for(ns, site);
    return true;
}

static uint64_t ns_of(const struct timespec *t)
{
    return (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
}

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
}

RT_API int __treadle_usleep(useconds_t us);
int __treadle_usleep(useconds_t us)
{
    if (!rt_on())
        return usleep(us);
    if (sleep_for((uint64_t)us * 1000,
                  rt_sym_argument((const void *)__treadle_usleep, 0)))
        return 0;
    errno = EINTR;
    return -1;
}

RT_API unsigned __treadle_sleep(unsigned seconds);
unsigned __treadle_sleep(unsigned seconds)
{
    if (!rt_on())
        return sleep(seconds);
    uint32_t label = rt_sym_argument((const void *)__treadle_sleep, 0);
    return sleep_for(seconds * SECOND, label) ? 0 : seconds;
}

/* The system has a clock of that number. */
static bool is_clock(clockid_t clock)
{
    struct timespec unused;
    int error = errno;
    bool is_known = (clock >= 0 && clock <= CLOCK_BOOTTIME_ALARM) ||
                    clock_getres(clock, &unused) == 0;
    errno = error;
    return is_known;
}

int rt_sleep(const struct timespec *want, struct timespec *left)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_sym_bytes_concrete(want, sizeof *want, rt_site_number(PLAN_CTL->call_site),
                          "how long a thread sleeps");
    if (want->tv_sec < 0 || rt_timed_check(want))
        return EINVAL;
    bool all = sleep_for(ns_of(want), 0);
    if (left)
        *left = all ? (struct timespec){0, 0} : *want;
    return all ? 0 : EINTR;
}

RT_API int __treadle_nanosleep(const struct timespec *want, struct timespec *left);
int __treadle_nanosleep(const struct timespec *want, struct timespec *left)
{
    if (!rt_on())
        return nanosleep(want, left);
    int error = rt_sleep(want, left);
    errno = error ? error : errno;
    return error ? -1 : 0;
}

RT_API int __treadle_clock_nanosleep(clockid_t clock, int flags,
                                     const struct timespec *want, struct timespec *left);
int __treadle_clock_nanosleep(clockid_t clock, int flags, const struct timespec *want,
                              struct timespec *left)
{
    if (!rt_on())
        return clock_nanosleep(clock, flags, want, left);
    if (clock == CLOCK_THREAD_CPUTIME_ID || !is_clock(clock))
        return EINVAL;
    if (!(flags & TIMER_ABSTIME))
        return rt_sleep(want, left);
    if (want->tv_sec < 0 || rt_timed_check(want))
        return EINVAL;
    uint64_t ns = ns_of(want), now = rt->self->now_ns;
    return sleep_for(ns > now ? ns - now : 0, 0) ? 0 : EINTR;
}

RT_API int __treadle_sched_yield(void);
int __treadle_sched_yield(void)
{
    if (!rt_on())
        return sched_yield();
    yield_for(0, rt_call_site());
    return 0;
}

RT_API int __treadle_pthread_yield(void);
int __treadle_pthread_yield(void)
{
    return __treadle_sched_yield();
}

RT_API time_t __treadle_time(time_t *out);
time_t __treadle_time(time_t *out)
{
    if (!rt_on())
        return time(out);
    time_t now = (time_t)(time_asked(out) / SECOND);
    if (out)
        *out = now;
    return now;
}

RT_API int __treadle_gettimeofday(struct timeval *out, void *zone);
int __treadle_gettimeofday(struct timeval *out, void *zone)
{
    if (!rt_on())
        return gettimeofday(out, zone);
    uint64_t now = time_asked(out);
    *out = (struct timeval){(time_t)(now / SECOND), (suseconds_t)(now % SECOND / 1000)};
    return 0;
}

RT_API int __treadle_clock_gettime(clockid_t clock, struct timespec *out);
int __treadle_clock_gettime(clockid_t clock, struct timespec *out)
{
    if (!rt_on())
        return clock_gettime(clock, out);
    if (!is_clock(clock)) {
        errno = EINVAL;
        return -1;
    }
    *out = timespec_of(time_asked(out));
    return 0;
}

RT_API clock_t __treadle_clock(void);
clock_t __treadle_clock(void)
{
    if (!rt_on())
        return clock();
    return (clock_t)((time_asked(NULL) - RT_TIME_START) / 1000);
}

/* ---- identity ---- */

RT_API pid_t __treadle_getpid(void);
pid_t __treadle_getpid(void)
{
    if (!rt_on())
        return getpid();
    rt_call_site();
    return RT_PROCESS_ID;
}

RT_API pid_t __treadle_getppid(void);
pid_t __treadle_getppid(void)
{
    if (!rt_on())
        return getppid();
    rt_call_site();
    return RT_PROCESS_ID - 1;
}

RT_API pid_t __treadle_gettid(void);
pid_t __treadle_gettid(void)
{
    if (!rt_on())
        return gettid();
    rt_call_site();
    return RT_PROCESS_ID + (pid_t)rt->self->slot;
}
