/* SPDX-License-Identifier: Apache-2.0 */
/* Signals between threads of the program. Masks, sent signals, and the handlers of signals that only
 * the program and its user send are kept here; other handlers are the kernel's.
 *
 * A handler could run anywhere. Here it runs in its thread before an operation of it: in programs
 * that send signals and have handlers, every operation first checks for a signal, which is a separate
 * operation, so the handler may run before any of them. A waiting thread that has not seen its signal
 * waits without effect, which is not a deadlock. Nor is a wait for a signal that another process may
 * send; a wait for signals that only the program sends is one, if it will not. A signal to the whole
 * process goes to the sender, or, if that blocks it, to the thread that waits for it. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"
#include "runtime/posix/signal_actions.h"
#include "runtime/symbolic/values.h"

static int lowest(uint64_t set)
{
    return set ? __builtin_ctzll(set) + 1 : 0;
}

static uint64_t bits_of(const sigset_t *set, uint32_t site)
{
    uint64_t bits;
    rt_access((uint64_t)set, sizeof bits, false, site);
    memcpy(&bits, set, sizeof bits);
    return bits & ~(rt_signal_bit(SIGKILL) | rt_signal_bit(SIGSTOP));
}

static void set_of(uint64_t bits, sigset_t *out, uint32_t site)
{
    rt_access((uint64_t)out, sizeof *out, true, site);
    memset(out, 0, sizeof *out);
    memcpy(out, &bits, sizeof bits);
}

_Noreturn static void process_dies(int signal, uint32_t site)
{
    rt_fail_end(signal == SIGABRT ? WIRE_FAIL_ABORT : WIRE_FAIL_CRASH, site, 0,
                (uint64_t)signal, NULL);
}

/* Returns the siginfo of a signal that self takes. */
static siginfo_t info_of(int signal, int code)
{
    rt_signals *s = &rt->self->signals;
    siginfo_t info = {.si_signo = signal, .si_code = code};
    info.si_pid = RT_PROCESS_ID;
    if (s->value_of == signal) {
        info.si_code = SI_QUEUE;
        info.si_value.sival_ptr = (void *)s->value;
        s->value_of = 0;
    }
    return info;
}

static void call(int signal, const struct sigaction *action, uint32_t site)
{
    RT_ASSERT(signal >= 1 && signal <= RT_N_SIGNALS);
    siginfo_t info = info_of(signal, SI_TKILL);
    rt_signals *s = &rt->self->signals;
    bool is_masked = s->is_masked;
    s->is_masked = false;
    if ((action->sa_flags & SA_ONSTACK) && s->stack.ss_sp)
        rt_gap_once(WIRE_GAP_REFUSED, site, "SA_ONSTACK: a handler on its own stack");
    if (rt->has_setter & rt_signal_bit(signal))
        rt_clock_join(&rt->self->clock, &rt->setters[signal - 1]);
    const rt_user handler = {(uint64_t)action->sa_sigaction, site, 0};
    bool wants_info = (action->sa_flags & SA_SIGINFO) != 0;
    rt_user_call(&handler, (uint64_t)signal, wants_info ? (uint64_t)&info : 0, 0);
    s->is_masked = s->let_in = is_masked;
}

/* Self gets a signal that it does not block. */
static enum rt_interruption deliver(int signal, uint32_t site)
{
    struct sigaction action;
    rt_signals *s = &rt->self->signals;
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    enum rt_fate fate = rt_action_fate(signal, &action);
    rt_changed();
    if (fate == RT_FATE_IGNORED) {
        info_of(signal, 0);
        return RT_UNDISTURBED;
    }
    if (fate == RT_FATE_STOPS)
        rt_refuse("a signal that stops the process", site);
    if (fate == RT_FATE_ENDS)
        process_dies(signal, site);
    uint64_t mask = s->mask, during;
    int error = errno;
    memcpy(&during, &action.sa_mask, sizeof during);
    s->mask |= during | (action.sa_flags & SA_NODEFER ? 0 : rt_signal_bit(signal));
    if (action.sa_flags & SA_RESETHAND)
        rt_action_set(signal, &(struct sigaction){.sa_handler = SIG_DFL});
    call(signal, &action, site);
    s->mask = mask;
    errno = error;
    return action.sa_flags & SA_RESTART ? RT_HANDLED : RT_INTERRUPTED;
}

/* ---- operations ---- */

static uint64_t operation(uint8_t kind, uint32_t site, uint64_t a, uint64_t b)
{
    rt_op *op = rt_sync_op_at(site, kind, (const void *)WIRE_OBJECT_SIGNALS, RT_SIGNALS);
    op->a = a;
    op->b = b;
    return rt_operation();
}

/* What a thread waits for: a signal of the set; awaited: those that end the wait. */
typedef struct wanted {
    uint64_t set, awaited;
    bool is_timed;
} wanted;

static uint64_t wake(const wanted *w, uint32_t site)
{
    rt_op *op = rt_sync_op_at(site, WIRE_SIGNAL_WAKE, (const void *)WIRE_OBJECT_SIGNALS,
                              RT_SIGNALS);
    op->a = w->set;
    op->b = 0;
    op->patient = w->is_timed || !rt_signals_own(w->awaited, rt->sends);
    op->cancellable = rt_cancellable();
    op->interruptible = (~rt->self->signals.mask & ~w->set) != 0;
    rt->self->signals.awaited = w->is_timed ? 0 : w->awaited;
    uint64_t signal = rt_operation();
    rt->self->signals.awaited = 0;
    return signal;
}

/* One of the set, self's own first; 0: none. */
static int take(rt_thread *t, uint64_t set)
{
    int signal = lowest(rt_signals_pending(&t->signals) & set);
    if (signal)
        t->signals.taken ^= rt_signal_bit(signal);
    else if ((signal = lowest(rt->process_signals & set)) != 0)
        rt->process_signals &= ~rt_signal_bit(signal);
    return signal;
}

/* Stores the value of a signal; a thread has space for one. True: an earlier value is lost. */
static bool keep_value(rt_signals *s, int signal, const uint64_t *value)
{
    bool loses = value && s->value_of != 0;
    if (value) {
        s->value_of = signal;
        s->value = *value;
    }
    return loses;
}

/* True: it, or its value, is lost here, and is not where real-time signals have a queue. */
static bool send(const rt_op *op)
{
    int signal = (int)op->a;
    uint64_t bit = rt_signal_bit(signal);
    bool queues = signal >= SIGRTMIN;
    RT_ASSERT(signal >= 1 && signal <= RT_N_SIGNALS);
    rt->signals_sent |= bit;
    RT_ASSERT(op->target == RT_NONE || op->target < rt->n_threads);
    if (op->target == RT_NONE) {
        bool was = (rt->process_signals & bit) != 0;
        rt->process_signals |= bit;
        return was && queues;
    }
    rt_signals *s = &rt->threads[op->target].signals;
    if ((s->sent ^ s->taken) & bit)
        return queues;
    s->sent ^= bit;
    return keep_value(s, signal, op->has_value ? &op->b : NULL);
}

uint8_t rt_grant_signal(rt_thread *t, uint64_t *value)
{
    const rt_op *op = &t->pending;
    rt_object *o = op->model;
    o->type = RT_SIGNALS;
    RT_ASSERT(mdl_type_of(op->kind) == WIRE_TYPE_SIGNALS);
    switch (op->kind) {
    case WIRE_KILL:
        t->result = send(op);
        *value = op->target;
        return WIRE_KILL;
    case WIRE_SIGNAL_TEST:
        t->result = rt_signals_pending(&t->signals) & ~t->signals.mask;
        *value = (uint64_t)lowest(t->result);
        break;
    default:
        *value = t->result = (uint64_t)take(t, op->a);
        t->signals.wants = *value || op->b ? 0 : op->a;
        break;
    }
    return op->kind;
}

bool rt_signal_woken(const rt_thread *t)
{
    return ((rt_signals_pending(&t->signals) | rt->process_signals) & t->signals.wants) !=
           0;
}

void rt_signal_tell(const rt_object *o)
{
    (void)o;
    wire_rec *r = NULL;
    for (uint32_t i = 0; i < rt->n_live; i++) {
        if (!rt_signal_woken(&rt->threads[rt->live[i]]))
            continue;
        if (!r || r->size == WIRE_IDS)
            r = rt_emit(WIRE_NOTE_WOKEN);
        r->ids[r->size++] = rt->live[i];
    }
}

/* ---- where handlers run ---- */

static enum rt_interruption deliver_all(uint64_t set, uint32_t site)
{
    enum rt_interruption most = RT_UNDISTURBED;
    for (bool is_first = true; set; set &= set - 1, is_first = false) {
        RT_ASSERT(rt_signals_pending(&rt->self->signals) & set & -set);
        rt->self->signals.taken ^= set & -set;
        if (!is_first)
            rt_actions_look(site);
        enum rt_interruption one = deliver(lowest(set), site);
        most = one > most ? one : most;
    }
    return most;
}

enum rt_interruption rt_signal_point(uint32_t site)
{
    if ((rt->uses & RT_USES_SIGNALS) != RT_USES_SIGNALS)
        return RT_UNDISTURBED;
    return deliver_all(operation(WIRE_SIGNAL_TEST, site, 0, 0), site);
}

uint64_t rt_signal_blocks(const void *set)
{
    uint64_t before = rt->self->signals.mask;
    if (!set)
        return before;
    memcpy(&rt->self->signals.mask, set, sizeof before);
    uint64_t at = PLAN_CTL->call_site;
    uint32_t site = at < RT_SITE_MARKERS ? 0 : rt_site_number(at);
    rt->self->signals.is_masked = true;
    rt->self->signals.let_in = false;
    rt_signal_point(site);
    return before;
}

void rt_signal_blocked(uint64_t before)
{
    rt->self->signals.mask = before;
    rt->self->signals.is_masked = rt->self->signals.let_in = false;
}

/* ---- sending ---- */

static void tell_lost(int signal, uint32_t site)
{
    rt->signals_lost |= rt_signal_bit(signal);
    rt_gap_once(WIRE_GAP_REFUSED, site, "a queue of signals");
}

static int send_self(int signal, uint32_t site, const uint64_t *value)
{
    RT_ASSERT(signal >= 1 && signal <= RT_N_SIGNALS);
    rt_signals *s = &rt->self->signals;
    rt->signals_sent |= rt_signal_bit(signal);
    bool is_there = (rt_signals_pending(&rt->self->signals) & rt_signal_bit(signal)) != 0;
    if (is_there ? signal >= SIGRTMIN : keep_value(s, signal, value))
        tell_lost(signal, site);
    if (!(s->mask & rt_signal_bit(signal))) {
        rt_actions_look(site);
        deliver(signal, site);
    } else if (!is_there)
        s->sent ^= rt_signal_bit(signal);
    rt_changed();
    return 0;
}

static bool is_signal(int signal)
{
    return signal > 0 && signal <= RT_N_SIGNALS;
}

/* A thread that neither blocks the signal nor waits for it dies with the process. */
static void send_other(const rt_thread *t, int signal, uint32_t site,
                       const uint64_t *value)
{
    RT_ASSERT(signal >= 1 && signal <= RT_N_SIGNALS && t != rt->self);
    struct sigaction action;
    rt_op *op =
        rt_sync_op_at(site, WIRE_KILL, (const void *)WIRE_OBJECT_SIGNALS, RT_SIGNALS);
    op->size = (uint8_t)signal;
    op->a = (uint64_t)signal;
    op->b = value ? *value : 0;
    op->target = t ? t->id : RT_NONE;
    op->has_value = value != NULL;
    if (rt_operation())
        tell_lost(signal, site);
    bool meets = t && !((t->signals.mask | t->signals.wants) & rt_signal_bit(signal));
    enum rt_fate fate = rt_action_fate(signal, &action);
    if (meets && fate == RT_FATE_STOPS)
        rt_refuse("a signal that stops the process", site);
    if (meets && fate == RT_FATE_ENDS)
        process_dies(signal, site);
}

static int send_to(pthread_t thread, int signal, const uint64_t *value)
{
    uint32_t site = rt_call_site();
    static const char wrong[] = "signal to something that is not a thread";
    rt_thread *t = rt_thread_known(thread, site, wrong);
    if (signal == 0)
        return 0;
    if (!is_signal(signal))
        return EINVAL;
    if (t == rt->self)
        return send_self(signal, site, value);
    send_other(t, signal, site, value);
    rt_thread_used(t, site, wrong);
    return 0;
}

RT_API int __treadle_pthread_kill(pthread_t thread, int signal);
int __treadle_pthread_kill(pthread_t thread, int signal)
{
    return rt_on() ? send_to(thread, signal, NULL)
                   : pthread_kill(rt_thread_real(thread), signal);
}

RT_API int __treadle_pthread_sigqueue(pthread_t thread, int signal,
                                      const union sigval value);
int __treadle_pthread_sigqueue(pthread_t thread, int signal, const union sigval value)
{
    uint64_t bits = (uint64_t)value.sival_ptr;
    return rt_on() ? send_to(thread, signal, &bits)
                   : pthread_sigqueue(rt_thread_real(thread), signal, value);
}

RT_API int __treadle_raise(int signal);
int __treadle_raise(int signal)
{
    if (!rt_on())
        return raise(signal);
    uint32_t site = rt_call_site();
    if (is_signal(signal))
        return send_self(signal, site, NULL);
    errno = EINVAL;
    return signal == 0 ? 0 : -1;
}

/* To itself or its group; others are not the program's to reach here. */
RT_API int __treadle_kill(pid_t pid, int signal);
int __treadle_kill(pid_t pid, int signal)
{
    if (!rt_on())
        return kill(pid, signal);
    uint32_t site = rt_call_site();
    if (pid != RT_PROCESS_ID && pid != 0 && pid != -RT_PROCESS_ID)
        rt_refuse("kill of another process", site);
    if (!is_signal(signal)) {
        errno = EINVAL;
        return signal == 0 ? 0 : -1;
    }
    if (!(rt->self->signals.mask & rt_signal_bit(signal)))
        return send_self(signal, site, NULL);
    send_other(NULL, signal, site, NULL);
    return 0;
}

/* ---- stacks of handlers ---- */

/* The kernel's is the runtime's own, where faults are handled. */
RT_API int __treadle_sigaltstack(const stack_t *to, stack_t *old);
int __treadle_sigaltstack(const stack_t *to, stack_t *old)
{
    if (!rt_on())
        return sigaltstack(to, old);
    uint32_t site = rt_call_site();
    stack_t *stack = &rt->self->signals.stack;
    stack_t before = stack->ss_sp ? *stack : (stack_t){.ss_flags = SS_DISABLE};
    if (to) {
        rt_access((uint64_t)to, sizeof *to, false, site);
        bool off = to->ss_flags & SS_DISABLE;
        stack_t own; /* the kernel decides what it accepts */
        if (sigaltstack(to, &own) != 0)
            return -1;
        sigaltstack(&own, NULL);
        rt_changed();
        *stack = off ? (stack_t){0} : *to;
    }
    if (old) {
        rt_access((uint64_t)old, sizeof *old, true, site);
        *old = before;
    }
    return 0;
}

/* ---- masks ---- */

static int change(int how, const sigset_t *set, sigset_t *old, uint32_t site)
{
    rt_signals *s = &rt->self->signals;
    uint64_t before = s->mask, bits = set ? bits_of(set, site) : 0;
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    if (set && (rt->uses & WIRE_USES_KILL))
        rt_step(WIRE_SET, site, WIRE_OBJECT_SIGNALS);
    if (set)
        s->mask = how == SIG_BLOCK     ? before | bits
                  : how == SIG_UNBLOCK ? before & ~bits
                                       : bits;
    if (old)
        set_of(before, old, site);
    int signal = set ? take(rt->self, ~s->mask) : 0;
    for (; signal; signal = take(rt->self, ~s->mask)) {
        rt_actions_look(site);
        deliver(signal, site);
    }
    return 0;
}

RT_API int __treadle_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int __treadle_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    return rt_on() ? change(how, set, old, rt_call_site())
                   : pthread_sigmask(how, set, old);
}

RT_API int __treadle_sigprocmask(int how, const sigset_t *set, sigset_t *old);
int __treadle_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    if (!rt_on())
        return sigprocmask(how, set, old);
    int error = change(how, set, old, rt_call_site());
    errno = error ? error : errno;
    return error ? -1 : 0;
}

RT_API int __treadle_sigpending(sigset_t *out);
int __treadle_sigpending(sigset_t *out)
{
    if (!rt_on())
        return sigpending(out);
    uint32_t site = rt_call_site();
    if (rt->uses & WIRE_USES_KILL)
        rt_step(WIRE_GET, site, WIRE_OBJECT_SIGNALS);
    const rt_thread *self = rt->self;
    set_of((rt_signals_pending(&self->signals) | rt->process_signals) &
               self->signals.mask,
           out, site);
    return 0;
}

/* ---- waiting ---- */

static enum rt_interruption begin(uint32_t site)
{
    rt_cancel_point(site);
    return rt_signal_point(site);
}

static int wait_for(const wanted *w, uint32_t site)
{
    uint64_t signal = operation(WIRE_SIGNAL_WAIT, site, w->set, 0);
    return (int)(signal ? signal : wake(w, site));
}

static int wait_for_one(const sigset_t *set, uint32_t site)
{
    uint64_t bits = bits_of(set, site);
    return wait_for(&(wanted){.set = bits, .awaited = bits}, site);
}

static void inform(siginfo_t *out, int signal, uint32_t site)
{
    if (!out)
        return;
    rt_access((uint64_t)out, sizeof *out, true, site);
    *out = info_of(signal, SI_USER);
}

RT_API int __treadle_sigwait(const sigset_t *set, int *out);
int __treadle_sigwait(const sigset_t *set, int *out)
{
    if (!rt_on())
        return sigwait(set, out);
    uint32_t site = rt_call_site();
    begin(site);
    int signal = wait_for_one(set, site);
    rt_access((uint64_t)out, sizeof *out, true, site);
    *out = signal;
    return 0;
}

RT_API int __treadle_sigwaitinfo(const sigset_t *set, siginfo_t *out);
int __treadle_sigwaitinfo(const sigset_t *set, siginfo_t *out)
{
    if (!rt_on())
        return sigwaitinfo(set, out);
    uint32_t site = rt_call_site();
    begin(site);
    int signal = wait_for_one(set, site);
    inform(out, signal, site);
    return signal;
}

RT_API int __treadle_sigtimedwait(const sigset_t *set, siginfo_t *out,
                                  const struct timespec *time);
int __treadle_sigtimedwait(const sigset_t *set, siginfo_t *out,
                           const struct timespec *time)
{
    if (!rt_on())
        return sigtimedwait(set, out, time);
    uint32_t site = rt_call_site();
    uint64_t bits = bits_of(set, site);
    bool polls = time && time->tv_sec == 0 && time->tv_nsec == 0;
    if (time && (time->tv_sec < 0 || rt_timed_check(time))) {
        errno = EINVAL;
        return -1;
    }
    begin(site);
    bool gives_up = polls || (time && rt_choice("timeout of sigtimedwait", site));
    uint64_t signal = operation(WIRE_SIGNAL_WAIT, site, bits, gives_up);
    if (signal == 0 && gives_up) {
        uint64_t ns = polls ? 0 : (uint64_t)time->tv_sec * 1000000000;
        rt->self->now_ns += polls ? 0 : ns + (uint64_t)time->tv_nsec;
        errno = EAGAIN;
        return -1;
    }
    if (signal == 0)
        signal = wake(&(wanted){bits, bits, time != NULL}, site);
    inform(out, (int)signal, site);
    return (int)signal;
}

/* Those of the set that have a handler. */
static uint64_t handled(uint64_t set)
{
    struct sigaction action;
    uint64_t out = 0;
    for (int i = 1; i <= RT_N_SIGNALS; i++)
        if ((set & rt_signal_bit(i)) && rt_action_fate(i, &action) == RT_FATE_HANDLED)
            out |= rt_signal_bit(i);
    return out;
}

/* Returns the signals that a thread with this mask waits for: those with a handler. If all of these are
 * blocked, it waits for them without effect. */
static uint64_t awaited_by(uint64_t mask)
{
    uint64_t open = handled(~mask);
    return open ? open : handled(UINT64_MAX);
}

/* Until a handler has run; one that runs just before the call is not noticed by it. */
static int suspend(uint64_t mask, uint32_t site)
{
    rt_signals *s = &rt->self->signals;
    uint64_t before = s->mask;
    rt_signal_point(site);
    s->mask = mask;
    enum rt_interruption how = begin(site);
    while (how == RT_UNDISTURBED) {
        const wanted any = {.set = ~mask, .awaited = awaited_by(mask)};
        how = deliver(wait_for(&any, site), site);
    }
    s->mask = before;
    errno = EINTR;
    return -1;
}

RT_API int __treadle_sigsuspend(const sigset_t *mask);
int __treadle_sigsuspend(const sigset_t *mask)
{
    if (!rt_on())
        return sigsuspend(mask);
    uint32_t site = rt_call_site();
    return suspend(bits_of(mask, site), site);
}

RT_API int __treadle_pause(void);
int __treadle_pause(void)
{
    return rt_on() ? suspend(rt->self->signals.mask, rt_call_site()) : pause();
}

/* In a program with handlers that other threads can call, they may run before any operation; what
 * is about signals sees to them itself. */
void rt_signal_before(rt_thread *self)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    uint8_t kind = self->pending.kind;
    if (kind == WIRE_SIGNAL_TEST || kind == WIRE_SIGNAL_WAIT || kind == WIRE_SIGNAL_WAKE)
        return;
    self->pending.interruptible = ~self->signals.mask != 0;
    if (kind == WIRE_FD_WAKE && self->signals.is_masked)
        return; /* it would end the call: other runs show that */
    rt_op kept = self->pending;
    rt_signal_point(kept.site);
    self->pending = kept;
}
