/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of places that a job wants, or does not: a lean of the policy POS.
 *
 * A thread that is about to make the second operation of a wanted pair waits until the first has been done to
 * the object; then it goes on before all others, and what would change the object waits. A thread that is
 * about to complete an unwanted pair waits. All of this is by the way: if all threads that can continue are
 * to wait, one of them continues, and after some time wishes are forgotten (as in Wolff et al., Greybox
 * fuzzing for concurrency testing, ASPLOS 2024). */
#include "runtime/core/sched.h"

#include "model/model.h"

#define PATIENCE 2000u

/* What the wishes say of a thread. */
enum stance { HELD_BACK, FREE_TO_GO, FIRST_OF_ALL };

void rt_wishes_reset(void)
{
    rt->wishes.n = rt->wishes.from = 0;
    rt->wishes.patience = PATIENCE;
}

void rt_wish_hint(wire_step step)
{
    rt_wishes *w = &rt->wishes;
    RT_ASSERT(w->n <= WIRE_MAX_WISHES);
    if (step.thread == WIRE_STEP_FROM)
        w->from = step.count;
    else if (w->n < WIRE_MAX_WISHES)
        w->at[w->n++] = (rt_wish){.from = w->from,
                                  .to = step.count,
                                  .is_wanted = step.thread == WIRE_STEP_WANTED};
}

static uint32_t last_place(const rt_op *op)
{
    return op->model ? op->model->last_place : 0;
}

static enum stance stance_by(const rt_wish *w, uint32_t place, const rt_op *op)
{
    bool fits = w->from == last_place(op);
    if (w->to == place && fits)
        return w->is_wanted ? FIRST_OF_ALL : HELD_BACK;
    if (!w->is_wanted || w->from == 0) /* what was touched never is untouched again */
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
    for (uint32_t i = 0; i < rt->wishes.n; i++) {
        const rt_wish *w = &rt->wishes.at[i];
        enum stance by = w->is_met ? FREE_TO_GO : stance_by(w, place, op);
        if (by == HELD_BACK)
            return HELD_BACK;
        stance = by > stance ? by : stance;
    }
    return stance;
}

void rt_wishes_take(const rt_thread *t)
{
    uint32_t place = rt->wishes.n > 0 ? rt_op_place(t) : 0;
    for (uint32_t i = 0; i < rt->wishes.n; i++) {
        rt_wish *w = &rt->wishes.at[i];
        w->is_met |= w->is_wanted && w->to == place && w->from == last_place(&t->pending);
    }
}

uint32_t rt_pick_wished(void)
{
    rt_wishes *w = &rt->wishes;
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
