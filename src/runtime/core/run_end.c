/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a run, at the request of any part. A table has the functions that the other parts run then, in order
 * (process/above.c). */
#include "runtime/core/above.h"

RT_EXPORT __attribute__((noinline)) void __treadle_failed(void)
{
    __asm__ volatile("" ::: "memory");
}

RT_EXPORT __attribute__((noinline)) void __treadle_stop(void)
{
    __asm__ volatile("" ::: "memory");
}

void rt_act_recorded(void)
{
    wire_shm *shm = rt->shm;
    shm->acts = rt->n_ops + (RT_DETAIL_RUN - rt->detail_run);
    uint64_t stop_at = __atomic_load_n(&shm->stop_at, __ATOMIC_RELAXED);
    if (stop_at != 0 && shm->acts >= stop_at)
        __treadle_stop();
}

/* The static data of the executable, by the names of the linker. */
extern char __data_start[] __attribute__((weak, visibility("hidden")));
extern char _end[] __attribute__((weak, visibility("hidden")));

#define MOST_DATA (UINT64_C(1) << 20) /* bytes */

/* Puts a hash of it into the record, unless there is too much of it. */
static void put_outcome(wire_rec *r)
{
    const uint64_t *at = (const uint64_t *)(((uint64_t)__data_start + 7) & ~UINT64_C(7));
    const uint64_t *end = (const uint64_t *)((uint64_t)_end & ~UINT64_C(7));
    uint64_t state = 1;
    if (!__data_start || !_end || end < at || (uint64_t)(end - at) > MOST_DATA / 8)
        return;
    for (; at < end; at++) {
        state ^= *at;
        state = rt_random(&state);
    }
    r->thread = (uint32_t)state;
    r->site = (uint32_t)(state >> 32);
    r->flags |= WIRE_ENDED_OUTCOME;
}

_Noreturn void rt_run_end(enum wire_done how, uint64_t value)
{
    const rt_above *above = rt->above;
    RT_ASSERT(how < WIRE_N_DONES);
    RT_ASSERT(rt->active || rt->checking);
    rt_end end = {.how = how, .is_stuck = how == WIRE_DONE_DEADLOCK};
    for (uint32_t i = 0; i < above->n_ends; i++)
        above->ends[i](&end);
    wire_rec *r = rt_emit(WIRE_NOTE_DONE);
    r->size = (uint8_t)how;
    r->value = value;
    r->object = rt->n_ops;
    r->count = rt->n_choices;
    r->flags = (end.is_cut ? WIRE_ENDED_CUT : 0) | rt_stores_ended();
    if (how == WIRE_DONE_EXIT && (rt->job.head.flags & WIRE_JOB_OUTCOME))
        put_outcome(r);
    rt->active = false;
    if (how == WIRE_DONE_THREADS)
        rt->shm->want_stacks = rt->n_live + 1;
    if (how == WIRE_DONE_FAIL || end.is_stuck)
        __treadle_failed();
    rt_carrier_leave();
}
