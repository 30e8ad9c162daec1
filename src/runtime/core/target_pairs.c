/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of places that a run is to cover or to avoid: they bias the policy POS.
 *
 * A thread whose next operation is the second one of a wanted pair waits until the first one has been done to
 * the object. Then it is chosen before all others, and operations that would change the object wait. A thread
 * that would complete an unwanted pair waits. These are preferences only: if all enabled threads are to wait,
 * one of them continues, and after PATIENCE choices that target pairs decided they are dropped (as in Wolff et
 * al., Greybox fuzzing for concurrency testing, ASPLOS 2024). */
#include "runtime/core/sched.h"

#include "model/model.h"

#define PATIENCE 2000u

/* The preference for a thread that follows from the target pairs. */
enum stance { HELD_BACK, FREE_TO_GO, FIRST_OF_ALL };

void rt_target_pairs_reset(void)
{
    rt->targets.n = rt->targets.from = 0;
    rt->targets.patience = PATIENCE;
}

void rt_target_pair_hint(wire_step step)
{
    rt_target_pairs *w = &rt->targets;
    RT_ASSERT(w->n <= WIRE_MAX_TARGET_PAIRS);
    if (step.thread == WIRE_STEP_FROM)
        w->from = step.count;
    else if (w->n < WIRE_MAX_TARGET_PAIRS)
        w->at[w->n++] = (rt_target_pair){.from = w->from,
                                         .to = step.count,
                                         .is_wanted = step.thread == WIRE_STEP_WANTED};
}

static uint32_t last_place(const rt_op *op)
{
    return op->model ? op->model->last_place : 0;
}

static enum stance stance_by(const rt_target_pair *w, uint32_t place, const rt_op *op)
{
    bool fits = w->from == last_place(op);
    if (w->to == place && fits)
        return w->is_wanted ? FIRST_OF_ALL : HELD_BACK;
    if (!w->is_wanted || w->from == 0) /* no object becomes untouched again */
        return FREE_TO_GO;
    bool spoils = fits && mdl_effect_of(op->kind) == MDL_EFFECT_E;
    return w->to == place || spoils ? HELD_BACK : FREE_TO_GO;
}

static enum stance stance_of(const rt_thread *t)
{
    enum stance stance = FREE_TO_GO;
    const rt_op *op = &t->pending;
    if (mdl_effect_of(op->kind) == MDL_EFFECT_N)
        return stance;
    uint32_t place = rt_op_place(t);
    for (uint32_t i = 0; i < rt->targets.n; i++) {
        const rt_target_pair *w = &rt->targets.at[i];
        enum stance by = w->is_met ? FREE_TO_GO : stance_by(w, place, op);
        if (by == HELD_BACK)
            return HELD_BACK;
        stance = by > stance ? by : stance;
    }
    return stance;
}

void rt_target_pairs_take(const rt_thread *t)
{
    uint32_t place = rt->targets.n > 0 ? rt_op_place(t) : 0;
    for (uint32_t i = 0; i < rt->targets.n; i++) {
        rt_target_pair *w = &rt->targets.at[i];
        w->is_met |= w->is_wanted && w->to == place && w->from == last_place(&t->pending);
    }
}

uint32_t rt_pick_target_pair(void)
{
    rt_target_pairs *w = &rt->targets;
    uint32_t highest = rt_highest_priority(), best = RT_NONE;
    RT_ASSERT(highest != RT_NONE);
    if (w->n == 0 || w->patience == 0)
        return highest;
    enum stance stance = HELD_BACK;
    for (uint32_t id = rt_enabled_from(0); id != RT_NONE; id = rt_enabled_from(id + 1)) {
        enum stance its = stance_of(&rt->threads[id]);
        bool is_better = best == RT_NONE || its > stance;
        if (!is_better &&
            (its < stance || rt->threads[id].priority <= rt->threads[best].priority))
            continue;
        best = id;
        stance = its;
    }
    w->patience -= best != highest;
    return best;
}
