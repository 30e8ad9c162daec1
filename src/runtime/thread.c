/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: creation, end, join, and who they are. */
#include "runtime/rt.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/sys.h"

/* ---- slots ---- */

/* Children of main have the slots 1..; children of others are placed by a hash of who created
 * them. So a slot, and with it the addresses of a thread's stack and heap, depends on the
 * thread's ancestry, not on the schedule (but where two hashes meet). */
#define DIRECT_SLOTS (PLAN_N_SLOTS / 2)

static uint64_t path_of(const rt_thread *parent)
{
    uint64_t x = parent->path * UINT64_C(0x9e3779b97f4a7c15) + parent->n_created + 1;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ (x >> 27);
}

static uint32_t slot_for(const rt_thread *parent, uint64_t path)
{
    if (parent->id == 0 && parent->n_created + 1 < DIRECT_SLOTS)
        return parent->n_created + 1;
    uint32_t i = (uint32_t)(path % DIRECT_SLOTS);
    while (rt->slot_thread[DIRECT_SLOTS + i] != 0)
        i = (i + 1) % DIRECT_SLOTS;
    return DIRECT_SLOTS + i;
}

static pthread_t handle_of(const rt_thread *t)
{
    return (pthread_t)rt_slot_base(t->slot);
}

/* NULL if no thread of this run has that handle. */
static rt_thread *thread_of(pthread_t handle)
{
    uint64_t at = (uint64_t)handle - PLAN_SLOTS;
    if (at % PLAN_SLOT_SIZE != 0 || at / PLAN_SLOT_SIZE >= PLAN_N_SLOTS)
        return NULL;
    uint32_t id = rt->slot_thread[at / PLAN_SLOT_SIZE];
    return id == 0 ? NULL : &rt->threads[id - 1];
}

/* ---- making and unmaking ---- */

static rt_thread *thread_place(uint32_t slot)
{
    uint32_t id = rt->n_threads++;
    rt_thread *t = &rt->threads[id];
    memset(t, 0, offsetof(rt_thread, heap));
    t->id = id;
    t->slot = slot;
    t->held = RT_NONE;
    t->joiners = RT_NONE;
    rt->slot_thread[slot] = id + 1;
    rt->live[rt->n_live++] = id;
    t->priority = rt_sched_priority();
    return t;
}

void rt_threads_reset(void)
{
    for (uint32_t i = 0; i < rt->n_threads; i++)
        rt->slot_thread[rt->threads[i].slot] = 0;
    rt->n_threads = rt->n_live = 0;
    rt_thread *t = thread_place(0);
    t->path = 1;
    t->stack = RT_NONE;
    t->tp = rt->base_tp;
    t->now_ns = UINT64_C(1700000000) * 1000000000;
    t->random = 1;
}

rt_thread *rt_thread_new(rt_thread *parent)
{
    if (rt->n_threads >= RT_MAX_THREADS / 2) {
        rt_gap(WIRE_GAP_THREADS, parent->pending.site, "more than 16384 threads");
        rt_run_end(WIRE_DONE_REFUSED, 0);
    }
    uint32_t stack = rt_stack_take(rt->n_threads);
    if (stack == RT_NONE)
        rt_run_end(WIRE_DONE_THREADS, 0);
    uint64_t path = path_of(parent);
    rt_thread *t = thread_place(slot_for(parent, path));
    parent->n_created++;
    t->path = path;
    t->stack = stack;
    t->tp = rt->stacks[stack].tp;
    t->parent = parent->id;
    t->create_site = parent->pending.site;
    t->start = (void *(*)(void *))parent->pending.a;
    t->arg = (void *)parent->pending.b;
    t->now_ns = parent->now_ns;
    t->time_joined = parent->time_joined;
    t->random = path;
    rt_heap_init(&t->heap, t->slot);
    rt_clock_join(&t->clock, &parent->clock);
    rt_carrier_prepare(t);
    return t;
}

static void live_remove(uint32_t id)
{
    uint32_t i = 0;
    while (rt->live[i] != id)
        i++;
    rt->n_live--;
    memmove(&rt->live[i], &rt->live[i + 1], (rt->n_live - i) * sizeof rt->live[0]);
}

_Noreturn void rt_thread_end(void *value)
{
    rt_thread *t = rt->self;
    if (rt->trying)
        rt_run_end(WIRE_DONE_IDLE, 0);
    rt_sync_end();
    rt_flush();
    t->value = value;
    t->state = RT_ENDED;
    t->stack_low = (uint64_t)__builtin_frame_address(0);
    rt_take_unseen(t);
    wire_rec *r = rt_emit(WIRE_END);
    r->flags = WIRE_F_FORCED | rt_part_end(t);
    r->thread = t->id;
    rt->n_ops++;
    live_remove(t->id);
    rt_sched_ended(t);
    if (t->detached || t->joined)
        rt_stack_give(t);
    rt_schedule();
    __builtin_unreachable();
}

void rt_thread_entry(void)
{
    rt_thread *t = rt->self;
    rt_thread_end(rt_sym_call(t->start, t->arg, t->arg_label, &t->value_label));
}

/* The new thread runs up to its first operation: nobody can notice that but itself. */
static void thread_launch(rt_thread *self, rt_thread *child)
{
    rt_segment_start(child);
    rt_segment_show(child);
    child->state = RT_RUNNING;
    rt->starter = self;
    rt_carrier_switch(self, child);
}

/* ---- the API ---- */

static bool starts_detached(const pthread_attr_t *attr)
{
    int state = PTHREAD_CREATE_JOINABLE;
    return attr && pthread_attr_getdetachstate(attr, &state) == 0 &&
           state == PTHREAD_CREATE_DETACHED;
}

RT_API int __treadle_pthread_create(pthread_t *out, const pthread_attr_t *attr,
                                    void *(*start)(void *), void *arg);
int __treadle_pthread_create(pthread_t *out, const pthread_attr_t *attr,
                             void *(*start)(void *), void *arg)
{
    if (rt_controlled && !rt->active) {
        rt_sys_say("treadle: the program starts a thread before main\n");
        rt_sys_exit(71);
    }
    if (!rt_on())
        return pthread_create(out, attr, start, arg);
    rt_thread *self = rt->self;
    uint32_t label = rt_sym_argument((const void *)__treadle_pthread_create, 3);
    rt_sym_arrive();
    rt_op *op = rt_op_new(WIRE_CREATE, rt_call_site(), 0);
    op->a = (uint64_t)start;
    op->b = (uint64_t)arg;
    rt_thread *child = &rt->threads[rt_operation()];
    child->detached = starts_detached(attr);
    child->arg_label = label;
    rt_access((uint64_t)out, sizeof *out, true, op->site);
    *out = handle_of(child);
    thread_launch(self, child);
    return 0;
}

static const char *join_misuse(const rt_thread *t)
{
    if (!t)
        return "join of something that is not a thread";
    if (t == rt->self)
        return "a thread joins itself";
    if (t->detached)
        return "join of a detached thread";
    return t->joined ? "join of a thread that was joined before" : NULL;
}

RT_API int __treadle_pthread_join(pthread_t thread, void **value);
int __treadle_pthread_join(pthread_t thread, void **value)
{
    if (!rt_on())
        return pthread_join(thread, value);
    uint32_t site = rt_call_site();
    rt_thread *t = thread_of(thread);
    const char *wrong = join_misuse(t);
    if (wrong)
        rt_fail_end(WIRE_FAIL_THREAD, site, 0, t ? t->id : 0, wrong);
    rt_op *op = rt_op_new(WIRE_JOIN, site, 0);
    op->target = t->id;
    op->flags = value ? WIRE_F_FETCHED : 0;
    rt_operation();
    t->joined = true;
    rt_stack_give(t);
    if (t->now_ns > rt->self->now_ns) {
        rt->self->now_ns = t->now_ns;
        rt->self->time_joined = true;
    }
    if (value) {
        rt_access((uint64_t)value, sizeof *value, true, site);
        *value = t->value;
        if (rt->symbolic)
            rt_sym_put((uint64_t)value, sizeof *value, t->value_label);
    }
    return 0;
}

RT_API int __treadle_pthread_detach(pthread_t thread);
int __treadle_pthread_detach(pthread_t thread)
{
    if (!rt_on())
        return pthread_detach(thread);
    uint32_t site = rt_call_site();
    rt_thread *t = thread_of(thread);
    if (!t || t->detached || t->joined)
        rt_fail_end(WIRE_FAIL_THREAD, site, 0, t ? t->id : 0,
                    !t            ? "detach of something that is not a thread"
                    : t->detached ? "detach of a detached thread"
                                  : "detach of a thread that is joined");
    t->detached = true;
    if (t->state == RT_ENDED)
        rt_stack_give(t);
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
    rt_thread_end(value);
}

RT_API pthread_t __treadle_pthread_self(void);
pthread_t __treadle_pthread_self(void)
{
    if (!rt_on())
        return pthread_self();
    rt_call_site();
    return handle_of(rt->self);
}

RT_API int __treadle_pthread_equal(pthread_t a, pthread_t b);
int __treadle_pthread_equal(pthread_t a, pthread_t b)
{
    if (rt_on())
        rt_call_site();
    return a == b;
}
