/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: creation, end, join, and identity. */
#include "runtime/posix/sync.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/core/spin.h"
#include "runtime/core/sys.h"
#include "runtime/memory/accesses.h"
#include "runtime/posix/posix.h"
#include "runtime/symbolic/values.h"

/* ---- slots ---- */

pthread_t rt_thread_handle(const rt_thread *t)
{
    return (pthread_t)rt_slot_base(t->slot);
}

rt_thread *rt_thread_of(pthread_t handle)
{
    uint64_t at = (uint64_t)handle - PLAN_SLOTS;
    if (at % PLAN_SLOT_SIZE != 0 || at / PLAN_SLOT_SIZE >= PLAN_N_SLOTS)
        return NULL;
    uint32_t id = rt->slot_thread[at / PLAN_SLOT_SIZE];
    RT_ASSERT(id <= rt->n_threads);
    return id == 0 ? NULL : &rt->threads[id - 1];
}

pthread_t rt_thread_self(void)
{
    if (!rt_controlled)
        return pthread_self();
    if (!rt->active)
        return (pthread_t)rt_slot_base(0);
    rt_call_site();
    return rt_thread_handle(rt->self);
}

pthread_t rt_thread_real(pthread_t handle)
{
    bool is_main = rt_controlled && handle == (pthread_t)rt_slot_base(0);
    return is_main ? pthread_self() : handle;
}

/* ---- making and unmaking ---- */

_Noreturn void rt_thread_end(void *value)
{
    RT_ASSERT(rt->self->state == RT_RUNNING);
    rt_thread *t = rt->self;
    if (rt->is_repaired)
        rt_repair_end();
    if (rt->n_ops >= rt->most_ops)
        rt_run_end(WIRE_DONE_DEPTH, 0);
    if (rt->trying)
        rt_spin_leave();
    rt_sync_end();
    rt_watch_end();
    rt_thread_life_ended(t);
    rt_flush();
    t->value = value;
    t->state = RT_ENDED;
    t->stack_low = (uint64_t)__builtin_frame_address(0);
    rt_take_unseen(t);
    wire_rec *r = rt_emit(WIRE_END);
    r->flags = WIRE_F_FORCED | rt_part_end(t);
    r->thread = t->id;
    rt->n_ops++;
    rt_depth_forgive();
    if (rt->reads)
        rt_visible_ended(t);
    rt_live_remove(t->id);
    rt_sched_ended(t);
    if (t->detached || t->joined)
        rt_stack_give(t);
    rt_schedule();
    __builtin_unreachable();
}

/* Runs the new thread up to its first operation, which no other thread can observe. */
static void thread_launch(rt_thread *self, rt_thread *child)
{
    RT_ASSERT(child->state == RT_WAITING && !rt->starter);
    rt_segment_start(child);
    rt_segment_show(child);
    child->state = RT_RUNNING;
    rt->starter = self;
    rt_carrier_switch(self, child);
}

/* ---- the end of the last one ---- */

static void wait_for(uint32_t id)
{
    RT_ASSERT(id < rt->n_threads && id != rt->self->id);
    rt_op *op = rt_op_new(WIRE_JOIN, 0, 0);
    op->target = id;
    op->flags = WIRE_JOIN_FETCHED; /* what it has created is looked at */
    rt_operation();
}

/* In an order that does not depend on the schedule. */
static void wait_for_children(uint32_t id)
{
    for (uint32_t i = 1; i < rt->n_threads; i++)
        if (rt->threads[i].parent == id && i != rt->self->id) {
            wait_for(i);
            wait_for_children(i);
        }
}

static void *exit_after_all(void *none)
{
    (void)none;
    wait_for_children(0);
    wait_for(0);
    rt_exit(0, RT_EXIT_IN_ORDER, 0);
}

/* Main leaves before others: the last of them ends the process. It does not matter which one that
 * is: a thread of its own comes after all of them. */
static void leave_exit_behind(void)
{
    RT_ASSERT(rt->self->id == 0 && rt->n_threads > 1);
    rt_thread *self = rt->self;
    rt_op *op = rt_op_new(WIRE_CREATE, 0, 0);
    op->a = (uint64_t)exit_after_all;
    self->fenv = rt_carrier_fenv();
    rt_thread *child = &rt->threads[rt_operation()];
    child->detached = true;
    thread_launch(self, child);
}

_Noreturn void rt_thread_leave(void *value)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt->self->cancel_off = true;
    rt_locals_end();
    rt_specific_end();
    rt_signal_point(0);
    if (rt->is_repaired)
        rt_repair_end();
    rt_mutex_give_robust();
    bool has_work = rt_exit_has_work(RT_EXIT_IN_ORDER);
    if (has_work && rt->self->id == 0 && rt->n_threads > 1)
        leave_exit_behind();
    else if (has_work && rt->n_live == 1) {
        rt_sync_end();
        rt_exit(0, RT_EXIT_IN_ORDER, 0);
    }
    rt_thread_end(value);
}

void rt_thread_entry(void)
{
    RT_ASSERT(rt->self->id > 0);
    rt_thread *t = rt->self;
    if (t->start == exit_after_all)
        exit_after_all(NULL);
    const rt_user start = {(uint64_t)t->start, t->create_site, t->arg_label};
    void *value = (void *)rt_user_call(&start, (uint64_t)t->arg, 0, 0);
    t->value_label = rt_user_result(&start);
    rt_thread_leave(t->returns_int ? (void *)(intptr_t)(int)(intptr_t)value : value);
}

/* ---- what both libraries for threads do ---- */

static bool starts_detached(const pthread_attr_t *attr)
{
    int state = PTHREAD_CREATE_JOINABLE;
    return attr && pthread_attr_getdetachstate(attr, &state) == 0 &&
           state == PTHREAD_CREATE_DETACHED;
}

static void take_mask(rt_thread *t, const pthread_attr_t *attr)
{
    sigset_t mask;
    if (attr && pthread_attr_getsigmask_np(attr, &mask) == 0)
        memcpy(&t->signals.mask, &mask, sizeof t->signals.mask);
}

bool rt_thread_can_create(void)
{
    if (rt_controlled && !rt->active) {
        rt_sys_say("treadle: the program starts a thread before main\n");
        rt_sys_exit(71);
    }
    return rt_on();
}

void rt_thread_create(pthread_t *out, const pthread_attr_t *attr, const rt_start *what)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt_thread *self = rt->self;
    rt_op *op = rt_op_new(WIRE_CREATE, rt_call_site(), 0);
    uint32_t site = op->site;
    rt_return_watch(site);
    op = &self->pending;
    op->a = (uint64_t)what->start;
    op->b = (uint64_t)what->arg;
    self->fenv = rt_carrier_fenv();
    rt_thread *child = &rt->threads[rt_operation()];
    RT_ASSERT(child != self && child->id < rt->n_threads);
    child->detached = starts_detached(attr);
    child->arg_label = what->arg_label;
    child->returns_int = what->returns_int;
    take_mask(child, attr);
    rt_access((uint64_t)out, sizeof *out, true, site);
    *out = rt_thread_handle(child);
    thread_launch(self, child);
}

rt_thread *rt_thread_join(pthread_t handle, uint32_t site, uint32_t flags, bool is_timed)
{
    rt_thread *t = rt_thread_of(handle);
    RT_ASSERT(t && t != rt->self); /* rt_thread_can_join */
    rt_op *op = rt_op_new(WIRE_JOIN, site, 0);
    op->target = t->id;
    op->flags = flags;
    op->patient = is_timed;
    op->cancellable = rt_cancellable();
    rt_operation();
    rt_thread_joined(t, site);
    rt->n_joined++;
    rt_return_forget();
    rt_stack_give(t);
    rt_time_hears(rt->self, t->now_ns);
    return t;
}

void rt_thread_detach(pthread_t thread)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    uint32_t site = rt_call_site();
    rt_thread *t = rt_thread_of(thread);
    rt_thread_detached(t, site);
    rt_changed();
    if (t->state == RT_ENDED)
        rt_stack_give(t);
}

/* ---- the API ---- */

RT_API int __treadle_pthread_create(pthread_t *out, const pthread_attr_t *attr,
                                    void *(*start)(void *), void *arg);
int __treadle_pthread_create(pthread_t *out, const pthread_attr_t *attr,
                             void *(*start)(void *), void *arg)
{
    if (!rt_thread_can_create())
        return pthread_create(out, attr, start, arg);
    rt_start what = {start, arg,
                     rt_sym_argument((const void *)__treadle_pthread_create, 3), false};
    rt_sym_arrive();
    rt_thread_create(out, attr, &what);
    return 0;
}

static int join(pthread_t thread, void **value, uint32_t site, bool is_timed)
{
    rt_thread *t = rt_thread_join(thread, site, value ? WIRE_JOIN_FETCHED : 0, is_timed);
    if (value) {
        rt_access((uint64_t)value, sizeof *value, true, site);
        *value = t->value;
        if (rt->symbolic)
            rt_sym_put((uint64_t)value, sizeof *value, rt_visible_joined(t, site));
    }
    return 0;
}

RT_API int __treadle_pthread_join(pthread_t thread, void **value);
int __treadle_pthread_join(pthread_t thread, void **value)
{
    if (!rt_on())
        return pthread_join(thread, value);
    uint32_t site = rt_call_site();
    rt_sym_concrete(rt_sym_argument((const void *)__treadle_pthread_join, 0), thread,
                    site);
    rt_sym_arrive();
    rt_thread_can_join(thread, site);
    rt_cancel_point(site);
    return join(thread, value, site, false);
}

/* That a thread has ended may be noticed late: to give up is not an operation. */
RT_API int __treadle_pthread_tryjoin_np(pthread_t thread, void **value);
int __treadle_pthread_tryjoin_np(pthread_t thread, void **value)
{
    if (!rt_on())
        return pthread_tryjoin_np(thread, value);
    uint32_t site = rt_call_site();
    rt_thread_can_join(thread, site);
    if (rt_choice("pthread_tryjoin_np: still running", site))
        return EBUSY;
    return join(thread, value, site, true);
}

static int timedjoin(pthread_t thread, void **value, const struct timespec *until,
                     const char *call)
{
    uint32_t site = rt_call_site();
    rt_thread_can_join(thread, site);
    if (until && rt_timed_check(until))
        return EINVAL;
    rt_cancel_point(site);
    if (until && rt_timed_gives_up(call, until, site)) {
        rt_changed(); /* no operation was recorded that could be undone */
        return ETIMEDOUT;
    }
    return join(thread, value, site, until != NULL);
}

RT_API int __treadle_pthread_timedjoin_np(pthread_t thread, void **value,
                                          const struct timespec *until);
int __treadle_pthread_timedjoin_np(pthread_t thread, void **value,
                                   const struct timespec *until)
{
    if (!rt_on())
        return pthread_timedjoin_np(thread, value, until);
    return timedjoin(thread, value, until, "timeout of pthread_timedjoin_np");
}

RT_API int __treadle_pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock,
                                          const struct timespec *until);
int __treadle_pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock,
                                   const struct timespec *until)
{
    if (!rt_on())
        return pthread_clockjoin_np(thread, value, clock, until);
    if (rt_timed_clock(clock))
        return EINVAL;
    return timedjoin(thread, value, until, "timeout of pthread_clockjoin_np");
}

RT_API int __treadle_pthread_detach(pthread_t thread);
int __treadle_pthread_detach(pthread_t thread)
{
    if (!rt_on())
        return pthread_detach(rt_thread_real(thread));
    rt_sym_concrete(rt_sym_argument((const void *)__treadle_pthread_detach, 0), thread,
                    0);
    rt_sym_arrive();
    rt_thread_detach(thread);
    return 0;
}

RT_API _Noreturn void __treadle_pthread_exit(void *value);
void __treadle_pthread_exit(void *value)
{
    if (!rt_on())
        pthread_exit(value);
    rt_call_site();
    rt->self->value_label = rt_sym_argument((const void *)__treadle_pthread_exit, 0);
    rt_sym_arrive();
    rt_cancel_leave(value);
}

RT_API pthread_t __treadle_pthread_self(void);
pthread_t __treadle_pthread_self(void)
{
    return rt_thread_self();
}

RT_API int __treadle_pthread_equal(pthread_t a, pthread_t b);
int __treadle_pthread_equal(pthread_t a, pthread_t b)
{
    if (rt_on())
        rt_call_site();
    return a == b;
}
