/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the next thread among the enabled ones: by the steps of the job, then by its policy. */
#include "runtime/core/sched.h"

#include <string.h>

uint32_t rt_random_below(uint32_t n)
{
    return (uint32_t)(((rt_random(&rt->rng) >> 32) * n) >> 32);
}

/* The enabled thread after the last one, round and round; an exit comes last of all. */
static uint32_t pick_next(void)
{
    uint32_t exits = RT_NONE, id = rt->last;
    RT_ASSERT(rt->n_enabled > 0);
    for (uint32_t i = 0; i < rt->n_enabled; i++) {
        id = rt_enabled_from(id + 1);
        if (id == RT_NONE)
            id = rt_enabled_from(0);
        if (rt->threads[id].pending.kind != WIRE_EXIT)
            return id;
        exits = id;
    }
    return exits;
}

static bool wants_to_go_on(const rt_thread *t)
{
    bool gives_way = t->yielded && !(rt->job.head.flags & WIRE_JOB_STAY);
    return t->state != RT_ENDED && !gives_way && rt->run_length < RT_LONG_RUN &&
           t->pending.kind != WIRE_EXIT && rt_is_enabled(t) && !rt_is_asleep(t->id);
}

static uint32_t pick_first(void)
{
    rt_thread *last = &rt->threads[rt->last];
    if (wants_to_go_on(last))
        return last->id;
    last->yielded = false;
    return pick_next();
}

uint32_t rt_pick_random(void)
{
    uint32_t id = rt_enabled_from(0);
    if (rt->n_enabled > 1)
        for (uint32_t skip = rt_random_below(rt->n_enabled); skip > 0; skip--)
            id = rt_enabled_from(id + 1);
    return id;
}

uint32_t rt_highest_priority(void)
{
    uint32_t best = rt_enabled_from(0);
    for (uint32_t id = best; id != RT_NONE; id = rt_enabled_from(id + 1))
        if (rt->threads[id].priority > rt->threads[best].priority)
            best = id;
    return best;
}

/* Threads that yielded long enough ago have their priority back. */
static void pct_restore(void)
{
    for (uint32_t id = rt_enabled_from(0); id != RT_NONE; id = rt_enabled_from(id + 1)) {
        rt_thread *t = &rt->threads[id];
        if (t->back_at > 0 && t->back_at <= rt->n_choices) {
            t->priority = t->own_priority;
            t->back_at = 0;
        }
    }
}

/* A thread that yields or sleeps is below all others for a time that is drawn, as long as a run at most. */
static void pct_yield(rt_thread *t)
{
    uint32_t length = rt->job.head.pct_length;
    t->yielded = false;
    t->own_priority = t->priority;
    t->back_at = rt->n_choices + 1 + rt_random_below(length > 0 ? length : 1);
    t->priority = --rt->pct_low;
}

/* Change points are counted from the first create on: before it there is nothing to change. */
static bool pct_is_point(void)
{
    if (rt->n_threads == 1)
        rt->pct_start = rt->n_choices + 1;
    for (uint32_t i = 0; i < rt->n_pct_points; i++)
        if (rt->n_threads > 1 && rt->pct_points[i] == rt->n_choices - rt->pct_start)
            return true;
    return false;
}

static uint32_t pick_pct(void)
{
    pct_restore();
    uint32_t best = rt_highest_priority();
    RT_ASSERT(best != RT_NONE);
    rt_thread *t = &rt->threads[best];
    bool lower = rt->last == best && rt->run_length >= RT_LONG_RUN;
    if (pct_is_point() || lower) {
        t->yielded = false;
        t->back_at = 0;
        t->priority = --rt->pct_low;
    } else if (t->yielded) {
        pct_yield(t);
    } else {
        return best;
    }
    rt->run_length = 0;
    return rt_highest_priority();
}

static uint32_t pick_lowest(void)
{
    uint32_t id = rt_enabled_from(0);
    while (id != RT_NONE && rt->threads[id].pending.kind == WIRE_EXIT)
        id = rt_enabled_from(id + 1);
    return id != RT_NONE ? id : rt_enabled_from(0);
}

uint32_t rt_pick_by_policy(void)
{
    rt->job.now = (rt_store_choice){0};
    switch (rt->job.head.policy) {
    case WIRE_POLICY_LOWEST:
        return pick_lowest();
    case WIRE_POLICY_RANDOM:
        return rt_pick_random();
    case WIRE_POLICY_PCT:
        return pick_pct();
    case WIRE_POLICY_POS:
        return rt_pick_pos();
    case WIRE_POLICY_SURW:
        return rt_pick_surw();
    default:
        return pick_first();
    }
}

static void step_load(void)
{
    rt_job *j = &rt->job;
    if (j->step >= j->head.n_steps) {
        j->following = false;
        return;
    }
    uint64_t word = rt->shm->jobs[(j->steps_at + j->step) & (WIRE_JOB_WORDS - 1)];
    wire_step step;
    memcpy(&step, &word, sizeof step);
    j->step++;
    if (step.thread >= WIRE_STEP_LEFT) {
        if (step.thread >= WIRE_STEP_UNWANTED && step.thread <= WIRE_STEP_FROM)
            rt_target_pair_hint(step);
        else
            rt_walk_hint(step);
        step_load();
        return;
    }
    if (wire_names_store(step)) {
        rt_named_store named = {true, step.thread & ~WIRE_STEP_STORE, step.count};
        if (step.thread & WIRE_STEP_READS)
            j->next.reads = named;
        else
            j->next.behind = named;
        step_load();
        return;
    }
    j->step_thread = step.thread;
    j->step_left = step.count;
    j->following = true;
    if (step.count == 0) {
        if (j->head.policy == WIRE_POLICY_FIRST || j->head.policy == WIRE_POLICY_LOWEST)
            rt_asleep_set(step.thread, true);
        step_load();
    }
}

void rt_pass_over_spins(void)
{
    rt_job *j = &rt->job;
    while (j->following && j->step_thread < rt->n_threads) {
        const rt_thread *t = &rt->threads[j->step_thread];
        if (!t->pending.spins || rt_is_enabled(t))
            return;
        step_load();
    }
}

/* Returns the thread that the schedule requires; ends the run if it is not enabled. */
uint32_t rt_pick_by_step(void)
{
    rt_job *j = &rt->job;
    uint32_t id = j->step_thread;
    rt_thread *t = id < rt->n_threads ? &rt->threads[id] : NULL;
    if (!t || t->state == RT_ENDED || t->state == RT_FAILED)
        rt_run_end(WIRE_DONE_DIVERGED, id);
    if (!rt_is_enabled(t)) {
        if (j->head.policy == WIRE_POLICY_LOWEST)
            rt_run_end(WIRE_DONE_ASLEEP, id);
        rt_emit_wait(t);
        rt_run_end(WIRE_DONE_DIVERGED, id);
    }
    RT_ASSERT(j->step_left > 0);
    t->by_step = true;
    j->now = j->next;
    j->next = (rt_store_choice){0};
    if (--j->step_left == 0)
        step_load();
    return id;
}

static void pct_prepare(void)
{
    const wire_job *job = &rt->job.head;
    uint32_t n = job->pct_depth > 0 ? job->pct_depth - 1 : 0;
    uint32_t most = sizeof rt->pct_points / sizeof rt->pct_points[0];
    rt->n_pct_points = n < most ? n : most;
    RT_ASSERT(rt->n_pct_points <= most);
    rt->pct_low = UINT64_C(1) << 32;
    rt->pct_start = 0;
    for (uint32_t i = 0; i < rt->n_pct_points; i++)
        rt->pct_points[i] = rt_random_below(job->pct_length > 0 ? job->pct_length : 1);
}

void rt_count_choice(uint32_t id)
{
    RT_ASSERT(id < rt->n_threads);
    if (id != rt->last)
        rt->run_length = 0;
    rt->run_length++;
    rt->last = id;
    rt->n_choices++;
}

void rt_policy_reset(void)
{
    rt->last = rt->run_length = 0;
    rt->rng = rt->job.head.seed;
    rt->job.step = 0;
    rt->job.step_left = 0;
    rt_walk_reset();
    rt_target_pairs_reset();
    rt->job.next = rt->job.now = (rt_store_choice){0};
    step_load();
    pct_prepare();
}
