/* SPDX-License-Identifier: Apache-2.0 */
/* Actions of signals. They belong to the process. Those of signals that only the program and its user send
 * are kept here; others are the kernel's. */
#include "runtime/posix/signal_actions.h"

#include <signal.h>

#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"

/* ---- kept ---- */

/* Faults, timers, closed pipes, children: the kernel sends these itself. */
static bool is_ours(int signal)
{
    return signal == SIGUSR1 || signal == SIGUSR2 || signal == SIGTERM ||
           signal == SIGINT || signal == SIGHUP || signal == SIGQUIT;
}

/* Kept as a value, and not the kernel's: also that of SIGSYS, by which the runtime watches system
 * calls, and what code that is not instrumented sets, as runners of tests do for faults and for their
 * time limits: a fault is a finding, and a timer whose signal has a handler is refused. */
static bool is_kept(int signal)
{
    bool is_any = signal >= 1 && signal <= RT_N_SIGNALS;
    return is_ours(signal) || signal == SIGSYS || (is_any && rt->called_by_other);
}

static int action_of(int signal, struct sigaction *out)
{
    if (!(rt->has_handler & rt_signal_bit(signal)))
        return sigaction(signal, NULL, out);
    *out = rt->handlers[signal - 1];
    return 0;
}

void rt_action_set(int signal, const struct sigaction *action)
{
    rt_changed();
    if (!is_kept(signal)) {
        sigaction(signal, action, NULL);
        return;
    }
    RT_ASSERT(signal >= 1 && signal <= RT_N_SIGNALS);
    rt->handlers[signal - 1] = *action;
    rt->has_handler |= rt_signal_bit(signal);
}

/* ---- the kernel's, put back at the end of a run ---- */

/* A run in which a fault was handled may have left anything behind. */
static bool can_put_back(int signal)
{
    return signal >= 1 && signal <= RT_N_SIGNALS && signal != SIGSEGV &&
           signal != SIGBUS && signal != SIGFPE && signal != SIGILL &&
           signal != SIGABRT && signal != SIGTRAP && signal != SIGSYS;
}

/* Comes before the kernel's action is set. */
static void keep_kernels(int signal, const char *name, uint32_t site)
{
    if (!can_put_back(signal)) {
        rt_taint(name, site);
        return;
    }
    if (!(rt->has_kernels & rt_signal_bit(signal)))
        sigaction(signal, NULL, &rt->kernels[signal - 1]);
    rt->has_kernels |= rt_signal_bit(signal);
}

void rt_actions_undo(void)
{
    for (int i = 1; rt->has_kernels && i <= RT_N_SIGNALS; i++)
        if (rt->has_kernels & rt_signal_bit(i))
            sigaction(i, &rt->kernels[i - 1], NULL);
    rt->has_kernels = 0;
}

/* ---- actions are the process's: what threads do to them is in an order ---- */

void rt_actions_look(uint32_t site)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_shared_step(WIRE_GET, site, WIRE_OBJECT_SIGNALS);
}

/* Comes before the action of the signal is set. */
static void begin_setting(int signal, uint32_t site)
{
    if (rt_is_only_thread() || signal < 1 || signal > RT_N_SIGNALS)
        return;
    rt_clock before = {0};
    rt_clock_copy(&before, &rt->self->clock);
    rt_step(WIRE_SET, site, WIRE_OBJECT_SIGNALS);
    rt->setters[signal - 1] = before;
    rt->has_setter |= rt_signal_bit(signal);
}

/* ---- fates ---- */

/* That the runtime installed. */
static bool is_own(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == rt->crash_handler;
}

enum rt_fate rt_action_fate(int signal, struct sigaction *action)
{
    RT_ASSERT(signal >= 1 && signal <= RT_N_SIGNALS);
    *action = (struct sigaction){0};
    if (action_of(signal, action) != 0)
        return RT_FATE_IGNORED;
    if (!is_own(action) && action->sa_handler == SIG_IGN)
        return RT_FATE_IGNORED;
    if (!is_own(action) && action->sa_handler != SIG_DFL)
        return RT_FATE_HANDLED;
    if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU)
        return RT_FATE_STOPS;
    bool ignored =
        signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
    return ignored ? RT_FATE_IGNORED : RT_FATE_ENDS;
}

void rt_signal_timers(void)
{
    struct sigaction action;
    rt->timers_handled = 0;
    for (int i = 1; rt->timers && i <= RT_N_SIGNALS; i++)
        if ((rt->timers & rt_signal_bit(i)) &&
            rt_action_fate(i, &action) == RT_FATE_HANDLED)
            rt->timers_handled |= rt_signal_bit(i);
    if (rt->timers_handled)
        rt_gap_once(WIRE_GAP_REFUSED, rt->timer_site, "the signal of a timer");
}

/* ---- what programs call ---- */

/* The kernel calls this handler, past the gate. */
static void kernel_calls(sighandler_t handler, uint32_t site)
{
    if (handler != SIG_DFL && handler != SIG_IGN)
        rt_foreign_given((uint64_t)handler, site);
}

RT_API int __treadle_sigaction(int signal, const struct sigaction *action,
                               struct sigaction *old);
int __treadle_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
    if (!rt_on())
        return sigaction(signal, action, old);
    uint32_t site = rt_call_site();
    if (action)
        begin_setting(signal, site);
    else
        rt_actions_look(site);
    if (!is_kept(signal)) {
        if (action) {
            keep_kernels(signal, "sigaction", site);
            kernel_calls(action->sa_handler, site);
        }
        int result = sigaction(signal, action, old);
        rt_signal_timers();
        return result;
    }
    struct sigaction before;
    action_of(signal, &before);
    if (action) {
        rt_access((uint64_t)action, sizeof *action, false, site);
        rt_action_set(signal, action);
    }
    if (old) {
        rt_access((uint64_t)old, sizeof *old, true, site);
        *old = before;
    }
    return 0;
}

/* real: signal, or what it means where only the C standard counts. */
static sighandler_t set_handler(int signal, sighandler_t handler, int flags,
                                sighandler_t (*real)(int, sighandler_t))
{
    if (!rt_on())
        return real(signal, handler);
    uint32_t site = rt_call_site();
    begin_setting(signal, site);
    if (!is_kept(signal)) {
        keep_kernels(signal, "signal", site);
        kernel_calls(handler, site);
        sighandler_t result = real(signal, handler);
        rt_signal_timers();
        return result;
    }
    struct sigaction before, action = {.sa_handler = handler, .sa_flags = flags};
    action_of(signal, &before);
    rt_action_set(signal, &action);
    return before.sa_handler;
}

RT_API sighandler_t __treadle_signal(int number, sighandler_t handler);
sighandler_t __treadle_signal(int number, sighandler_t handler)
{
    return set_handler(number, handler, SA_RESTART, signal);
}

RT_API sighandler_t __treadle___sysv_signal(int number, sighandler_t handler);
sighandler_t __treadle___sysv_signal(int number, sighandler_t handler)
{
    return set_handler(number, handler, (int)SA_RESETHAND | SA_NODEFER, __sysv_signal);
}
