/* SPDX-License-Identifier: Apache-2.0 */
/* Records what threads wait for, at the end of a run and when no thread is enabled. */
#include "runtime/core/above.h"

#include "runtime/core/sched.h"
#include "runtime/core/spin.h"

/* The thread that could let this one continue, or RT_NONE. */
static uint32_t waits_for(const rt_thread *t)
{
    switch (mdl_when_of(t->pending.kind)) {
    case MDL_WHEN_J:
        return t->pending.target;
    case MDL_WHEN_O:
    case MDL_WHEN_R:
        return t->pending.model->owner;
    default:
        return RT_NONE;
    }
}

/* Records what a blocked thread waits for, and the objects that it holds. */
void rt_emit_wait(rt_thread *t)
{
    RT_ASSERT(t->id < rt->n_threads);
    const rt_op *op = &t->pending;
    rt_frames(t, t->stack_low);
    wire_rec *r = rt_emit(WIRE_NOTE_WAIT);
    bool loops = op->spins || t->spin.is_endless;
    r->size = loops ? WIRE_SPIN : op->kind;
    r->thread = t->id;
    r->site = loops ? t->spin.site : op->site;
    r->object = op->object;
    r->value = waits_for(t) == RT_NONE ? 0 : 1 + (uint64_t)waits_for(t);
    for (uint32_t h = t->held; h != RT_NONE; h = rt_object_by_index(h)->held_next) {
        const rt_object *o = rt_object_by_index(h);
        RT_ASSERT(o->owner == t->id);
        r = rt_emit(WIRE_NOTE_HELD);
        r->thread = t->id;
        r->site = o->held_site;
        r->object = o->address;
    }
}

/* A thread that was made but has not run yet waits for nothing. */
void rt_emit_nexts(void)
{
    if (!(rt->job.head.flags & (WIRE_JOB_NEXT | WIRE_JOB_PENDING)))
        return;
    for (uint32_t i = 0; i < rt->n_live; i++) {
        const rt_thread *t = &rt->threads[rt->live[i]];
        const rt_op *op = &t->pending;
        bool waits = t->state == RT_WAITING || t->state == RT_FAILED;
        if (!waits || op->kind == WIRE_NONE || t->spin.is_folded)
            continue;
        wire_rec *r = rt_emit(WIRE_NOTE_NEXT);
        r->size = op->kind;
        r->thread = t->id;
        r->site = op->site;
        r->count = op->kind == WIRE_FAIL ? t->spin.n_idle : op->size;
        r->order = rt_op_is_whole(op) ? WIRE_ORDER_WHOLE : 0;
        r->flags = rt_op_patience(op);
        r->object = op->object;
        r->value = op->target;
    }
}

/* One came for the thread, and a handler would run. */
static bool signal_waits(const rt_thread *t)
{
    return (rt_signals_pending(&t->signals) & ~t->signals.mask) != 0;
}

/* It waits for signals that only the program sends, as its calls or this run show. */
static bool waits_for_own(const rt_thread *t)
{
    return rt_signals_own(t->signals.awaited, rt->sends | rt->signals_sent);
}

/* True if the thread does not wait forever although no other thread lets it continue. A cut thread continues
 * in other runs. A thread that waits in a loop for something that has happened since also continues in other
 * runs. */
static bool would_go_on(const rt_thread *t)
{
    if (t->spin.stores.is_stopped)
        return true;
    if (t->cancelled && t->cancel_async && !t->cancel_off)
        return true;
    if (t->pending.spins)
        return rt_spin_is_stale(t) || signal_waits(t);
    return (t->pending.patient && !waits_for_own(t)) ||
           (t->pending.cancellable && t->cancelled) || signal_waits(t);
}

/* The signal of a timer that was armed may end what waits. */
static bool timer_may_end(void)
{
    uint64_t ends = rt->timers_handled;
    for (uint32_t i = 0; rt->timers && i < rt->n_live; i++)
        ends |= rt->threads[rt->live[i]].signals.wants & rt->timers;
    if (ends && !rt->timers_handled)
        rt_gap_once(WIRE_GAP_REFUSED, rt->timer_site, "the signal of a timer");
    return ends != 0;
}

/* A thread waits for a signal of which another one was lost: the queue of the system would have it. */
static bool lost_signal_would_end(void)
{
    for (uint32_t i = 0; rt->signals_lost && i < rt->n_live; i++)
        if (rt->threads[rt->live[i]].signals.wants & rt->signals_lost)
            return true;
    return false;
}

/* No thread can continue. It is a deadlock unless a thread would all the same, or is about to end the
 * process by a failure. */
_Noreturn void rt_end_blocked(void)
{
    RT_ASSERT(rt->n_failed >= rt->n_endless);
    for (uint32_t i = 0; i < rt->n_live; i++)
        if (would_go_on(&rt->threads[rt->live[i]]))
            rt_run_end(WIRE_DONE_IDLE, 0);
    if (timer_may_end() || lost_signal_would_end())
        rt_run_end(WIRE_DONE_IDLE, 0);
    if (rt->n_failed > rt->n_endless)
        rt_run_end(WIRE_DONE_STANDS, 0);
    for (uint32_t i = 0; i < rt->n_live; i++)
        if (!rt_is_enabled(&rt->threads[rt->live[i]]))
            rt_emit_wait(&rt->threads[rt->live[i]]);
    rt_run_end(WIRE_DONE_DEADLOCK, 0);
}

/* True if the thread waits forever, whatever the others do: the path of waits from it leads
 * into a cycle, or to a mutex whose holder has ended. */
static bool is_stuck(const rt_thread *t)
{
    bool by_lock = false;
    for (uint32_t n = 0; n <= rt->n_live; n++) {
        if (t->state == RT_ENDED)
            return by_lock;
        if (t->state != RT_WAITING || t->pending.spins || rt_is_enabled(t))
            return false;
        by_lock = mdl_when_of(t->pending.kind) != MDL_WHEN_J;
        uint32_t next = waits_for(t);
        if (next >= rt->n_threads || would_go_on(t))
            return false;
        t = &rt->threads[next];
    }
    return true;
}

/* A run may end although some of its threads are stuck forever. */
bool rt_emit_stuck(void)
{
    bool any = false;
    for (uint32_t i = 0; i < rt->n_live; i++) {
        rt_thread *t = &rt->threads[rt->live[i]];
        if (!is_stuck(t))
            continue;
        rt_emit_wait(t);
        any = true;
    }
    return any;
}

/* True if a thread waits in a loop for something that has happened since: other runs explore how it
 * continues. */
static bool any_is_stale(void)
{
    for (uint32_t i = 0; rt->n_spinning > 0 && i < rt->n_live; i++) {
        const rt_thread *t = &rt->threads[rt->live[i]];
        if (t->pending.spins && rt_spin_is_stale(t))
            return true;
    }
    return false;
}

void rt_waits_end(rt_end *end)
{
    if (!end->is_stuck && end->how != WIRE_DONE_DIVERGED)
        end->is_stuck = rt_emit_stuck();
    rt_emit_nexts();
    end->is_cut = rt->n_enabled > 0 || rt->n_cut > 0 || any_is_stale();
}
