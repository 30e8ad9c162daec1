/* SPDX-License-Identifier: Apache-2.0 */
/* The table of threads: slots, creation, live threads. */
#include "runtime/core/above.h"

#include <string.h>

/* Children of main have the slots 1..; children of other threads are placed by a hash of their creator. So a
 * slot, and with it the addresses of a thread's stack and heap, depends on the thread's ancestry, not on the
 * schedule (except when two hashes collide). */
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

static rt_thread *thread_place(uint32_t slot)
{
    uint32_t id = rt->n_threads++;
    RT_ASSERT(slot < PLAN_N_SLOTS && rt->slot_thread[slot] == 0);
    rt_thread *t = &rt->threads[id];
    memset(t, 0, offsetof(rt_thread, heap));
    t->id = id;
    t->slot = slot;
    t->held = RT_NONE;
    t->joiners = RT_NONE;
    rt->slot_thread[slot] = id + 1;
    rt->live[rt->n_live++] = id;
    t->priority = rt_random_priority();
    return t;
}

void rt_threads_reset(void)
{
    for (uint32_t i = 0; i < rt->n_threads; i++)
        rt->slot_thread[rt->threads[i].slot] = 0;
    rt->n_threads = rt->n_live = rt->n_joined = 0;
    rt_thread *t = thread_place(0);
    t->path = 1;
    t->stack = RT_NONE;
    t->tp = rt->base_tp;
    t->now_ns = RT_TIME_START;
    memcpy(t->name, "main", 5);
    t->random = 1;
}

rt_thread *rt_thread_new(rt_thread *parent)
{
    RT_ASSERT(parent->pending.kind == WIRE_CREATE);
    uint32_t most = rt->job.head.threads;
    if (most > 0 && rt->n_threads > most)
        rt_run_end(WIRE_DONE_DEPTH, 0);
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
    t->signals.mask = parent->signals.mask;
    memcpy(t->name, parent->name, sizeof t->name);
    t->cpus = parent->cpus;
    rt->above->thread_made(t);
    rt_clock_join(&t->clock, &parent->clock);
    rt_carrier_prepare(t, parent->fenv);
    return t;
}

void rt_live_remove(uint32_t id)
{
    uint32_t i = 0;
    while (i < rt->n_live && rt->live[i] != id)
        i++;
    RT_ASSERT(i < rt->n_live);
    rt->n_live--;
    memmove(&rt->live[i], &rt->live[i + 1], (rt->n_live - i) * sizeof rt->live[0]);
}
