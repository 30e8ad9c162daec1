/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules the threads: chooses the next one and grants its operation. */
#include "runtime/core/above.h"

#include <string.h>

#include "runtime/core/sched.h"
#include "runtime/core/spin.h"
#include "runtime/core/store_list.h"

/* ---- choosing ---- */

/* The threads that were enabled before the grant, but the chosen one. */
static void emit_alternatives(const uint64_t *words, uint32_t n_words, uint32_t chosen)
{
    wire_rec *r = NULL;
    for (uint32_t w = 0; w < n_words; w++)
        for (uint64_t left = words[w]; left; left &= left - 1) {
            uint32_t id = w * 64 + (uint32_t)__builtin_ctzll(left);
            if (id == chosen)
                continue;
            if (!r || r->size == WIRE_IDS)
                r = rt_emit(WIRE_NOTE_ENABLED);
            r->ids[r->size++] = id;
        }
}

/* A thread that is about to exit the process is not preempted if it is not chosen: all would end. */
static bool last_could_go_on(uint32_t chosen)
{
    const rt_thread *last = &rt->threads[rt->last];
    return rt->n_choices > 0 && last->id != chosen && last->state != RT_ENDED &&
           last->pending.kind != WIRE_EXIT && rt_is_enabled(last);
}

/* Grants the pending operation of t. alternatives: rt->were_enabled is to be recorded. */
static void grant_choice(rt_thread *t, uint32_t n, bool alternatives)
{
    uint8_t flags = last_could_go_on(t->id) ? WIRE_F_PREEMPTS : 0;
    rt_grant(t, n, flags);
    rt_count_choice(t->id);
    if (alternatives)
        emit_alternatives(rt->were_enabled, rt->n_threads / 64 + 1, t->id);
}

/* One that spins continues from the header of its loop to the operation that it was chosen for. */
static rt_thread *take_choice(uint32_t id, uint32_t n, bool alternatives)
{
    RT_ASSERT(id < rt->n_threads);
    rt_thread *t = &rt->threads[id];
    RT_ASSERT(t->state == RT_WAITING);
    rt_wait_end(t);
    if (!t->pending.spins) {
        grant_choice(t, n, alternatives);
        return t;
    }
    t->pending.spins = false;
    RT_ASSERT(rt->n_spinning > 0);
    rt->n_spinning--;
    t->spin.resumes = true;
    t->spin.resume_n = n;
    t->spin.resume_alternatives = alternatives;
    t->state = RT_RUNNING;
    return t;
}

/* No thread can continue. The next thread that waits in a loop makes one round more, without a trace;
 * when all have come back to where they were, that is the end. */
static rt_thread *try_next(void)
{
    for (uint32_t i = 0; rt->n_spinning > 0 && i < rt->n_live; i++) {
        rt_thread *t = &rt->threads[rt->live[i]];
        if (!t->pending.spins || t->spin.is_tried || rt_spin_is_stale(t))
            continue;
        rt_spin_try(t);
        return t;
    }
    rt_end_blocked();
}

/* Chooses a thread and grants its operation; returns the thread. Ends the run if no thread is enabled. */
static rt_thread *choose(void)
{
    if (rt->n_live == 0)
        rt_run_end(WIRE_DONE_EXIT, 0);
    if (rt->n_ops >= rt->job.head.depth)
        rt_run_end(WIRE_DONE_DEPTH, 0);
    rt_look_at_loops();
    if (rt->job.head.flags & WIRE_JOB_PASS_SPINS)
        rt_pass_over_spins();
    if (rt->job.following)
        return take_choice(rt_pick_by_step(), 0, false);
    uint32_t n = rt->n_enabled;
    if (n == 0)
        return try_next();
    if (rt->n_asleep > 0 && !rt_anyone_awake())
        rt_run_end(WIRE_DONE_ASLEEP, rt->n_asleep);
    uint32_t id = rt_pick_by_policy();
    rt->threads[id].by_step = false;
    if (n == 1 || !(rt->job.head.flags & WIRE_JOB_ENABLED))
        return take_choice(id, n, false);
    memcpy(rt->were_enabled, rt->enabled,
           (rt->n_threads / 64 + 1) * sizeof rt->enabled[0]);
    return take_choice(id, n, true);
}

/* Notes about an operation follow its record, and the consequences of the operation (the end of the run)
 * come after the notes; so the thread that continues ends the run. */
void rt_schedule(void)
{
    rt_thread *self = rt->self;
    rt_store_list_settle();
    if (rt->starter) {
        rt_thread *back = rt->starter;
        rt->starter = NULL;
        rt_segment_show(back);
        rt_carrier_switch(self, back);
        return;
    }
    RT_ASSERT(!rt->choosing);
    rt->choosing = true;
    rt_thread *next = choose();
    RT_ASSERT(next->state == RT_RUNNING);
    rt->choosing = false;
    rt_segment_show(next);
    if (next != self)
        rt_carrier_switch(self, next);
}

void rt_take_unseen(rt_thread *self)
{
    self->saw |= PLAN_CTL->unseen != 0;
    PLAN_CTL->unseen = 0;
    rt_spin_take(self);
}

/* Self was chosen when it waited in a loop; this is the operation it was chosen for. */
static bool resume(rt_thread *self)
{
    if (!self->spin.resumes)
        return false;
    self->spin.resumes = false;
    if (!rt_is_enabled(self))
        return false;
    grant_choice(self, self->spin.resume_n, self->spin.resume_alternatives);
    rt_segment_show(self);
    return true;
}

static bool is_granted_at_once(const rt_thread *t)
{
    return (t->pending.flags & WIRE_F_FORCED) ||
           (!rt->starter && (rt->exiting || rt->atomic > 0));
}

/* True if the object lies in a heap, on a stack or in thread-local storage. Handles of threads are addresses
 * too, but not of memory. A futex wake touches no memory either: the word may be freed already, as the
 * thread woken before may have done. */
static bool in_memory(const rt_op *op)
{
    return op->kind != WIRE_FUTEX_WAKE &&
           (rt_in_heaps(op->object) || rt_in_lent(op->object)) &&
           (op->size > 0 || op->type != RT_UNTYPED);
}

/* Checks that such an object exists, before the operation and when it is granted. */
static void watch_object(const rt_op *op)
{
    bool was_let_go =
        mdl_when_of(op->kind) == MDL_WHEN_W && rt->self->let_go == op->object;
    if (!in_memory(op) || was_let_go)
        return;
    rt->above->watch(op->object, op->size > 0 ? op->size : 1, op->kind != WIRE_LOAD,
                     op->site);
}

/* A null pointer faults here, before anything has changed. */
static void touch_object(const rt_op *op)
{
    if (op->type != RT_UNTYPED && op->object == 0)
        (void)*(const volatile char *)op->object;
}

static void operation_begins(rt_thread *self)
{
    const rt_op *op = &self->pending;
    touch_object(op);
    /* Other operations can come before a plain access, even if its memory has been freed by now. */
    if (!(op->flags & WIRE_ACCESS_PLAIN))
        watch_object(op);
    if (rt->footprint && in_memory(op))
        rt_footprint_add(op->object, op->size > 0 ? op->size : 1, WIRE_TOUCH_OPERATES,
                         op->site);
    rt_take_unseen(self);
    rt_flush();
}

static uint64_t operation_ends(const rt_thread *self)
{
    if (rt->shm->is_debugged)
        rt_act_recorded();
    return self->result;
}

uint64_t rt_operation(void)
{
    rt_thread *self = rt->self;
    RT_ASSERT(self->pending.kind < WIRE_N_OPS && !self->pending.spins);
    RT_ASSERT(!rt->choosing);
    if (rt->is_repaired)
        rt_repair_point(self->pending.site);
    if (self->spin.stores.is_cut && !(self->pending.flags & WIRE_F_FORCED))
        rt_cut(self, self->pending.site);
    if (rt->flow)
        rt->above->reads_other();
    if ((rt->uses & RT_USES_SIGNALS) == RT_USES_SIGNALS)
        rt->above->before_operation(self);
    if (self->cancel_async && (rt->uses & WIRE_USES_CANCEL))
        self->pending.cancellable = !self->cancel_off;
    operation_begins(self);
    if (self->pending.object)
        self->pending.model = rt_object_at(rt_op_model(&self->pending));
    self->stack_low = (uint64_t)__builtin_frame_address(0);
    self->stack_at = self->called_at ? self->called_at : self->stack_low;
    self->called_at = 0;
    if (rt->trying)
        return rt_spin_again(self);
    if (self->shown_end)
        rt->above->watch_operation(self->stack_at);
    self->state = RT_WAITING;
    if (is_granted_at_once(self)) {
        if (!rt_is_enabled(self))
            rt_end_blocked();
        if (rt->n_ops >= rt->job.head.depth)
            rt_run_end(WIRE_DONE_DEPTH, 0);
        rt->job.now = (rt_store_choice){0};
        rt_grant(self, 0, WIRE_F_FORCED);
        rt_segment_show(self);
        return operation_ends(self);
    }
    if (resume(self))
        return operation_ends(self);
    rt_wait_begin(self);
    rt_schedule();
    RT_ASSERT(rt->self == self && self->state == RT_RUNNING);
    operation_ends(self);
    watch_object(&self->pending);
    rt_spin_turn(self);
    return self->result;
}

void rt_sched_spin(void)
{
    rt_thread *self = rt->self;
    RT_ASSERT(self->pending.spins && rt->n_spinning > 0);
    self->stack_low = self->stack_at = (uint64_t)__builtin_frame_address(0);
    self->state = RT_WAITING;
    if (rt->exiting || rt->atomic > 0)
        rt_end_blocked();
    rt_enabled_set(self, false);
    rt_schedule();
}

void rt_depth_forgive(void)
{
    if (rt->job.head.depth < rt->most_ops)
        rt->job.head.depth++;
}

void rt_sched_reset(void)
{
    rt->starter = NULL;
    rt->n_ops = rt->n_choices = 0;
    uint32_t depth = rt->job.head.depth;
    rt->most_ops =
        depth < UINT32_MAX / WIRE_DEPTH_FACTOR ? depth * WIRE_DEPTH_FACTOR : UINT32_MAX;
    rt->atomic = 0;
    rt->exiting = false;
    rt->n_spinning = rt->n_failed = rt->n_endless = rt->n_cut = 0;
    rt->storing = 0;
    rt->choosing = rt->has_unexplained = false;
    rt->trying = false;
    PLAN_CTL->unseen = PLAN_CTL->changed = 0;
    memset(rt->enabled, 0, (rt->n_threads / 64 + 1) * sizeof rt->enabled[0]);
    memset(rt->asleep, 0, (rt->n_threads / 64 + 1) * sizeof rt->asleep[0]);
    rt->n_enabled = rt->n_asleep = 0;
    rt->keeps_stores = (rt->job.head.flags & WIRE_JOB_STORES) != 0;
    rt->laid = (rt_laid){0};
    rt->labelled = (rt_labelled){0};
    rt->has_labelled = false;
    rt->detail = (rt->job.head.flags & WIRE_JOB_DETAIL) != 0;
    rt->detail_run = RT_DETAIL_RUN;
    rt->stacks_left = rt->job.head.flags & WIRE_JOB_STACKS ? RT_MAX_STACKS_TOLD : 0;
    rt->every = rt->detail || rt->promoting;
    rt->footprint = (rt->job.head.flags & WIRE_JOB_NEXT) != 0;
    rt->exact = rt->every && (rt->job.head.flags & WIRE_JOB_RACE_ALL);
    rt_footprint_reset();
    rt_policy_reset();
}
