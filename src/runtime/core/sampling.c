/* SPDX-License-Identifier: Apache-2.0 */
/* Policies that draw schedules by what threads are about to do: POS and SURW. */
#include "runtime/core/sched.h"

#include <string.h>

/* ---- partial order sampling ----
 *
 * Each pending operation has a random priority. It is drawn again when a dependent operation is executed, so
 * that the order of two dependent operations is not determined by operations that had to come first (Yuan,
 * Yang, Gu, CAV 2018). */

static void draw(rt_thread *t)
{
    t->priority = rt_random_priority();
}

uint32_t rt_pick_pos(void)
{
    uint32_t id = rt_pick_target_pair();
    RT_ASSERT(id != RT_NONE);
    rt_thread *t = &rt->threads[id];
    if (t->yielded) { /* others first, once */
        t->yielded = false;
        draw(t);
        id = rt_pick_target_pair();
        t = &rt->threads[id];
    }
    for (uint32_t i = 0; i < rt->n_live; i++) {
        rt_thread *other = &rt->threads[rt->live[i]];
        if (other != t && other->state == RT_WAITING &&
            rt_depends(&t->pending, t->pending.kind, &other->pending))
            draw(other);
    }
    rt_target_pairs_take(t);
    draw(t);
    return id;
}

/* ---- selectively uniform random walk ----
 * Of the operations that count, every order is equally likely if threads make as many as is
 * expected and none waits for another: the thread of the next one is drawn by how many each has left.
 * Until it comes, the others do what does not count. A thread that does not exist yet counts with
 * main, which is to create it (Zhao et al., Selectively uniform concurrency testing, 2025). */

void rt_walk_reset(void)
{
    rt_walk *w = &rt->walk;
    memset(w->left, 0, w->n_left * sizeof w->left[0]);
    w->n_left = w->n_marks = w->n_threads = 0;
    w->intended = RT_NONE;
}

void rt_walk_hint(wire_step step)
{
    rt_walk *w = &rt->walk;
    if (step.thread == WIRE_STEP_MARK) {
        if (w->n_marks < WIRE_MAX_MARKS)
            w->marks[w->n_marks++] = step.count;
        return;
    }
    uint32_t thread = step.thread - WIRE_STEP_LEFT;
    if (thread >= WIRE_MAX_LEFT)
        return;
    w->left[thread] = step.count;
    if (w->n_left <= thread)
        w->n_left = thread + 1;
}

static bool counts(const rt_thread *t)
{
    const rt_walk *w = &rt->walk;
    uint32_t mark = wire_mark(t->pending.object);
    for (uint32_t i = 0; i < w->n_marks; i++)
        if (w->marks[i] == mark)
            return true;
    return w->n_marks == 0;
}

/* Returns the expected remaining operations of a thread, at least its pending one. */
static uint32_t own_left(uint32_t id)
{
    const rt_thread *t = &rt->threads[id];
    if (t->state != RT_WAITING)
        return 0;
    uint32_t left = id < rt->walk.n_left ? rt->walk.left[id] : 0;
    return left > 0 ? left : counts(t);
}

/* Returns the expected operations of threads that are not created yet, from number `first` on. */
static uint64_t left_from(uint32_t first)
{
    uint64_t sum = 0;
    for (uint32_t i = first; i < rt->walk.n_left; i++)
        sum += rt->walk.left[i];
    return sum;
}

static uint64_t draw_below(uint64_t n)
{
    return rt_random(&rt->rng) % n;
}

/* Returns the weight with which a thread is drawn. is_now: 0 unless it is enabled. */
static uint64_t weight_of(uint32_t id, bool is_now)
{
    if (is_now)
        return rt->enabled[id / 64] >> (id % 64) & 1 ? own_left(id) : 0;
    return own_left(id) + (id == 0 ? left_from(rt->n_threads) : 0);
}

static void draw_intended(bool is_now)
{
    rt_walk *w = &rt->walk;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < rt->n_live; i++)
        sum += weight_of(rt->live[i], is_now);
    w->intended = RT_NONE;
    w->n_threads = rt->n_threads;
    uint64_t at = sum > 0 ? draw_below(sum) : 0;
    for (uint32_t i = 0; i < rt->n_live && sum > 0; i++) {
        uint64_t weight = weight_of(rt->live[i], is_now);
        w->intended = rt->live[i];
        if (at < weight)
            return;
        at -= weight;
    }
}

/* Main was drawn for itself and for threads that it has created since. */
static void split_intended(void)
{
    rt_walk *w = &rt->walk;
    for (; w->n_threads < rt->n_threads; w->n_threads++) {
        uint32_t id = w->n_threads;
        uint64_t left = own_left(id);
        uint64_t rest = own_left(0) + left_from(id + 1);
        if (w->intended == 0 && left > 0 && draw_below(left + rest) < left)
            w->intended = id;
    }
}

/* One of the threads that may go first, each equally likely; RT_NONE: none may. */
static uint32_t pick_allowed(void)
{
    uint32_t picked = RT_NONE, n = 0;
    for (uint32_t id = rt_enabled_from(0); id != RT_NONE; id = rt_enabled_from(id + 1)) {
        if (id != rt->walk.intended && counts(&rt->threads[id]))
            continue;
        if (rt_random_below(++n) == 0)
            picked = id;
    }
    return picked;
}

uint32_t rt_pick_surw(void)
{
    rt_walk *w = &rt->walk;
    if (rt->run_length >= RT_LONG_RUN)
        return rt_pick_random();
    split_intended();
    if (w->intended == RT_NONE || rt->threads[w->intended].state != RT_WAITING)
        draw_intended(false);
    uint32_t id = pick_allowed();
    if (id == RT_NONE) {
        draw_intended(true);
        id = pick_allowed();
    }
    if (id == RT_NONE)
        return rt_pick_random();
    rt->threads[id].yielded = false;
    if (counts(&rt->threads[id])) {
        if (id < w->n_left && w->left[id] > 0)
            w->left[id]--;
        w->intended = RT_NONE;
    }
    return id;
}
