/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps track of which threads are enabled, and which sleep. */
#include "runtime/core/above.h"

#include "runtime/core/sched.h"
#include "runtime/core/spin.h"

/* A recursive mutex is open for its owner. A thread that opens an object for good may have. */
static inline bool open_for(const rt_thread *t)
{
    RT_ASSERT(t->pending.model != NULL);
    const rt_object *o = t->pending.model;
    return o->state != RT_OBJECT_HELD || (o->owner == t->id && t->pending.a);
}

/* True if the thread was woken, according to its type or to the queue of its object. */
static bool is_woken(const rt_thread *t)
{
    const rt_type_calls *type = &rt->above->types[mdl_type_of(t->pending.kind)];
    RT_ASSERT(t->pending.kind < WIRE_N_OPS && t->pending.model);
    return type->ready ? type->ready(t) : rt_queue_woken(t->pending.model, t->id);
}

bool rt_is_enabled(const rt_thread *t)
{
    if (t->pending.spins)
        return rt_spin_enabled(t);
    if (t->state == RT_FAILED)
        return false;
    const rt_object *o = t->pending.model;
    switch (mdl_when_of(t->pending.kind)) {
    case MDL_WHEN_A:
        return true;
    case MDL_WHEN_O:
        return open_for(t);
    case MDL_WHEN_R:
        return o->state != RT_OBJECT_HELD && o->n_readers == 0;
    case MDL_WHEN_W:
        return is_woken(t);
    default:
        return rt->threads[t->pending.target].state == RT_ENDED;
    }
}

void rt_enabled_set(const rt_thread *t, bool now)
{
    uint64_t *word = &rt->enabled[t->id / 64];
    uint64_t bit = UINT64_C(1) << (t->id % 64);
    bool before = (*word & bit) != 0;
    if (before == now)
        return;
    *word ^= bit;
    rt->n_enabled += now ? 1 : UINT32_MAX;
    RT_ASSERT(rt->n_enabled <= rt->n_live);
}

bool rt_is_asleep(uint32_t id)
{
    return rt->asleep[id / 64] >> (id % 64) & 1;
}

void rt_asleep_set(uint32_t id, bool now)
{
    if (id >= rt->n_threads || rt_is_asleep(id) == now)
        return;
    rt->asleep[id / 64] ^= UINT64_C(1) << (id % 64);
    rt->n_asleep += now ? 1 : UINT32_MAX;
    RT_ASSERT(rt->n_asleep <= rt->n_threads);
}

void rt_sched_wake(const rt_thread *by, uint8_t kind)
{
    if (rt->n_asleep == 0 || rt->job.head.policy == WIRE_POLICY_LOWEST)
        return;
    for (uint32_t i = 0; i < rt->n_live; i++) {
        const rt_thread *t = &rt->threads[rt->live[i]];
        if (t != by && rt_is_asleep(t->id) && rt_depends(&by->pending, kind, &t->pending))
            rt_asleep_set(t->id, false);
    }
}

/* True if a thread could continue that does not sleep. */
bool rt_anyone_awake(void)
{
    for (uint32_t w = 0; w <= rt->n_threads / 64; w++)
        if (rt->enabled[w] & ~rt->asleep[w])
            return true;
    return false;
}

/* The lowest thread from that number on that is enabled and awake, or RT_NONE. */
uint32_t rt_enabled_from(uint32_t id)
{
    for (uint32_t w = id / 64; w <= rt->n_threads / 64; w++) {
        uint64_t word = rt->enabled[w] & ~rt->asleep[w];
        if (w == id / 64)
            word &= UINT64_MAX << (id % 64);
        if (word)
            return w * 64 + (uint32_t)__builtin_ctzll(word);
    }
    return RT_NONE;
}

static uint32_t *waiting_list(const rt_thread *t)
{
    if (t->pending.spins)
        return NULL;
    switch (mdl_when_of(t->pending.kind)) {
    case MDL_WHEN_A:
        return NULL;
    case MDL_WHEN_J:
        return &rt->threads[t->pending.target].joiners;
    default:
        return &t->pending.model->waiters;
    }
}

void rt_wait_begin(rt_thread *t)
{
    RT_ASSERT(t->state == RT_WAITING);
    uint32_t *first = waiting_list(t);
    if (first) {
        t->wait_prev = RT_NONE;
        t->wait_next = *first;
        if (*first != RT_NONE)
            rt->threads[*first].wait_prev = t->id;
        *first = t->id;
    }
    rt_enabled_set(t, rt_is_enabled(t));
}

void rt_wait_end(rt_thread *t)
{
    uint32_t *first = waiting_list(t);
    rt_enabled_set(t, false);
    if (!first)
        return;
    if (t->wait_next != RT_NONE)
        rt->threads[t->wait_next].wait_prev = t->wait_prev;
    if (t->wait_prev != RT_NONE)
        rt->threads[t->wait_prev].wait_next = t->wait_next;
    else
        *first = t->wait_next;
}

static void look_again(uint32_t first)
{
    for (uint32_t id = first; id != RT_NONE; id = rt->threads[id].wait_next)
        rt_enabled_set(&rt->threads[id], rt_is_enabled(&rt->threads[id]));
}

void rt_sched_object(const rt_object *o)
{
    look_again(o->waiters);
}

void rt_sched_ended(const rt_thread *t)
{
    look_again(t->joiners);
}

/* Values change when threads run, not when they are chosen. */
void rt_look_at_loops(void)
{
    for (uint32_t i = 0; rt->n_spinning > 0 && i < rt->n_live; i++) {
        const rt_thread *t = &rt->threads[rt->live[i]];
        if (t->pending.spins)
            rt_enabled_set(t, rt_is_enabled(t));
    }
}
