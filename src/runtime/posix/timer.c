/* SPDX-License-Identifier: Apache-2.0 */
/* Timers that send signals. None is armed: when the real one would fire depends on the machine. The handler
 * of such a signal could run anywhere, which is a gap. An armed timer may end any wait, so that is not a
 * deadlock. A timer whose signal ends the process is a watchdog, and has no effect. */
#include "runtime/posix/posix.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/memory/accesses.h"

static uint64_t bit_of(int signal)
{
    RT_ASSERT(signal >= 1 && signal <= 64);
    return UINT64_C(1) << (signal - 1);
}

static void arm(int signal, bool is_armed, uint32_t site)
{
    rt_changed();
    rt->timers = is_armed ? rt->timers | bit_of(signal) : rt->timers & ~bit_of(signal);
    if (is_armed)
        rt->timer_site = site;
    rt_signal_timers();
}

/* ---- one for the process ---- */

RT_API unsigned __treadle_alarm(unsigned seconds);
unsigned __treadle_alarm(unsigned seconds)
{
    if (!rt_on())
        return alarm(seconds);
    struct itimerval *t = &rt->itimers[ITIMER_REAL], before = *t;
    *t = (struct itimerval){.it_value.tv_sec = seconds};
    arm(SIGALRM, seconds > 0, rt_call_site());
    return (unsigned)before.it_value.tv_sec + (before.it_value.tv_usec > 0);
}

RT_API useconds_t __treadle_ualarm(useconds_t first, useconds_t interval);
useconds_t __treadle_ualarm(useconds_t first, useconds_t interval)
{
    if (!rt_on())
        return ualarm(first, interval);
    struct itimerval *t = &rt->itimers[ITIMER_REAL], before = *t;
    *t = (struct itimerval){.it_interval.tv_usec = interval, .it_value.tv_usec = first};
    arm(SIGALRM, first > 0, rt_call_site());
    return (useconds_t)(before.it_value.tv_sec * 1000000 + before.it_value.tv_usec);
}

RT_API int __treadle_setitimer(int which, const struct itimerval *to,
                               struct itimerval *old);
int __treadle_setitimer(int which, const struct itimerval *to, struct itimerval *old)
{
    static const int signals[] = {
        [ITIMER_REAL] = SIGALRM, [ITIMER_VIRTUAL] = SIGVTALRM, [ITIMER_PROF] = SIGPROF};
    if (!rt_on())
        return setitimer((enum __itimer_which)which, to, old);
    uint32_t site = rt_call_site();
    if (which < 0 || which > ITIMER_PROF) {
        errno = EINVAL;
        return -1;
    }
    struct itimerval before = rt->itimers[which];
    if (to) {
        rt_access((uint64_t)to, sizeof *to, false, site);
        rt->itimers[which] = *to;
        arm(signals[which], to->it_value.tv_sec != 0 || to->it_value.tv_usec != 0, site);
    }
    if (old) {
        rt_access((uint64_t)old, sizeof *old, true, site);
        *old = before;
    }
    return 0;
}

/* As it was set: no time passes. */
RT_API int __treadle_getitimer(int which, struct itimerval *out);
int __treadle_getitimer(int which, struct itimerval *out)
{
    if (!rt_on())
        return getitimer((enum __itimer_which)which, out);
    uint32_t site = rt_call_site();
    if (which < 0 || which > ITIMER_PROF) {
        errno = EINVAL;
        return -1;
    }
    rt_access((uint64_t)out, sizeof *out, true, site);
    *out = rt->itimers[which];
    return 0;
}

/* ---- made by the program ---- */

RT_API int __treadle_timer_create(clockid_t clock, struct sigevent *how, timer_t *out);
int __treadle_timer_create(clockid_t clock, struct sigevent *how, timer_t *out)
{
    if (!rt_on())
        return timer_create(clock, how, out);
    uint32_t site = rt_call_site();
    if (how)
        rt_access((uint64_t)how, sizeof *how, false, site);
    if (how && how->sigev_notify == SIGEV_THREAD)
        rt_refuse("timer_create with SIGEV_THREAD", site);
    rt_taint("timer_create", site);
    int signal = how && how->sigev_notify != SIGEV_NONE ? how->sigev_signo : 0;
    signal = how ? signal : SIGALRM;
    if (signal >= 1 && signal <= 64)
        rt->timers_made |= bit_of(signal);
    rt_access((uint64_t)out, sizeof *out, true, site);
    return timer_create(clock, how, out);
}

/* Timer ids are not tracked: assume any created timer. */
RT_API int __treadle_timer_settime(timer_t timer, int flags, const struct itimerspec *to,
                                   struct itimerspec *old);
int __treadle_timer_settime(timer_t timer, int flags, const struct itimerspec *to,
                            struct itimerspec *old)
{
    if (!rt_on())
        return timer_settime(timer, flags, to, old);
    uint32_t site = rt_call_site();
    if (old) {
        rt_access((uint64_t)old, sizeof *old, true, site);
        *old = (struct itimerspec){0};
        rt_gap_once(WIRE_GAP_UNWATCHED, site, "timer_settime");
    }
    rt_access((uint64_t)to, sizeof *to, false, site);
    bool is_armed = to->it_value.tv_sec != 0 || to->it_value.tv_nsec != 0;
    for (int i = 1; is_armed && i <= 64; i++)
        if (rt->timers_made & bit_of(i))
            arm(i, true, site);
    return 0;
}
