/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the threads that could continue does: as the policy of the job says, or its steps. */
#include "runtime/core/sched.h"

#include <string.h>

/* A thread that makes this many choices in a row although others could run loses its turn
 * where the policy chooses, so that a loop that waits for another thread ends. */
#define LONG_RUN 1000u

static uint32_t random_below(uint32_t n)
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
    return t->state != RT_ENDED && !gives_way && rt->run_length < LONG_RUN &&
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

static uint32_t pick_random(void)
{
    uint32_t id = rt_enabled_from(0);
    if (rt->n_enabled > 1)
        for (uint32_t skip = random_below(rt->n_enabled); skip > 0; skip--)
            id = rt_enabled_from(id + 1);
    return id;
}

static uint32_t highest_priority(void)
{
    uint32_t best = rt_enabled_from(0);
    for (uint32_t id = best; id != RT_NONE; id = rt_enabled_from(id + 1))
        if (rt->threads[id].priority > rt->threads[best].priority)
            best = id;
    return best;
}

static uint32_t pick_pct(void)
{
    uint32_t best = highest_priority();
    RT_ASSERT(best != RT_NONE);
    rt_thread *t = &rt->threads[best];
    bool lower = t->yielded || (rt->last == best && rt->run_length >= LONG_RUN);
    for (uint32_t i = 0; i < rt->n_pct_points; i++)
        lower |= rt->pct_points[i] == rt->n_choices;
    t->yielded = false;
    if (!lower)
        return best;
    t->priority = --rt->pct_low;
    rt->run_length = 0;
    return highest_priority();
}

uint32_t rt_pick_by_policy(void)
{
    switch (rt->job.head.policy) {
    case WIRE_POLICY_RANDOM:
        return pick_random();
    case WIRE_POLICY_PCT:
        return pick_pct();
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
    j->step_thread = step.thread;
    j->step_left = step.count;
    j->following = true;
    if (step.count == 0) {
        if (j->head.policy == WIRE_POLICY_FIRST)
            rt_asleep_set(step.thread, true);
        step_load();
    }
}

/* The thread the schedule asks for; the run ends if it cannot run. */
uint32_t rt_pick_by_step(void)
{
    rt_job *j = &rt->job;
    uint32_t id = j->step_thread;
    rt_thread *t = id < rt->n_threads ? &rt->threads[id] : NULL;
    if (!t || t->state == RT_ENDED || t->state == RT_FAILED)
        rt_run_end(WIRE_DONE_DIVERGED, id);
    if (!rt_is_enabled(t)) {
        rt_emit_wait(t);
        rt_run_end(WIRE_DONE_DIVERGED, id);
    }
    RT_ASSERT(j->step_left > 0);
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
    for (uint32_t i = 0; i < rt->n_pct_points; i++)
        rt->pct_points[i] = random_below(job->pct_length > 0 ? job->pct_length : 1);
}

void rt_count_choice(uint32_t id)
{
    RT_ASSERT(id < rt->n_threads);
    rt->run_length = id == rt->last ? rt->run_length + 1 : 1;
    rt->last = id;
    rt->n_choices++;
}

void rt_policy_reset(void)
{
    rt->last = rt->run_length = 0;
    rt->rng = rt->job.head.seed;
    rt->job.step = 0;
    rt->job.step_left = 0;
    step_load();
    pct_prepare();
}
