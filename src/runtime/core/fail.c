/* SPDX-License-Identifier: Apache-2.0 */
/* A failure is recorded at once. Then either the run ends, or only this thread stops: the other threads may
 * still run before the process would have died, and the run ends when none of them can continue. */
#include "runtime/core/core.h"

static void note_fail(enum wire_fail kind, uint8_t flags, uint32_t site, uint64_t object,
                      uint64_t value)
{
    RT_ASSERT(kind < WIRE_N_FAILS);
    if (rt->self)
        rt_frames(rt->self, (uint64_t)__builtin_frame_address(0));
    wire_rec *r = rt_emit(WIRE_NOTE_FAIL);
    r->size = (uint8_t)kind;
    r->flags = flags;
    r->thread = rt->self ? rt->self->id : 0;
    r->site = site;
    r->count = rt->last_call;
    r->object = object;
    r->value = value;
}

void rt_fail_as(enum wire_fail kind, uint8_t flags, uint32_t site, uint64_t object,
                uint64_t value)
{
    rt_flush();
    note_fail(kind, flags, site, object, value);
}

void rt_fail(enum wire_fail kind, uint32_t site, uint64_t object, uint64_t value,
             const char *text)
{
    rt_fail_as(kind, 0, site, object, value);
    if (text)
        rt_emit_text(text);
}

void rt_fail_going_on(enum wire_fail kind, uint32_t site, uint64_t object, uint64_t value)
{
    rt_footprint_flush();
    note_fail(kind, 0, site, object, value);
}

/* True if only the failed thread stops. No other thread can run in an atomic section or after the exit,
 * except the creator of self. A thread that tries another iteration of its loop, or was chosen in one, has
 * made no operation that could be recorded. */
bool rt_fail_stands(void)
{
    uint32_t flags = rt->job.head.flags;
    bool wanted =
        (flags & WIRE_JOB_STAND_ON) || ((flags & WIRE_JOB_STAND) && rt->job.following);
    bool is_alone = !rt->starter && (rt->exiting || rt->atomic > 0);
    return wanted && !is_alone && !rt->trying && !rt->choosing && !rt->self->spin.resumes;
}

_Noreturn void rt_stand(uint32_t site)
{
    RT_ASSERT(rt->self->state == RT_RUNNING);
    rt_thread *self = rt->self;
    rt_op_new(WIRE_FAIL, site, 0);
    rt_take_unseen(self);
    self->state = RT_FAILED;
    rt->n_failed++;
    uint64_t here = (uint64_t)__builtin_frame_address(0);
    self->stack_at = self->called_at ? self->called_at : here;
    self->called_at = 0;
    if (here >= rt_stack_bottom(self->slot) && here < rt_stack_top(self->slot))
        self->stack_low = here; /* otherwise on a signal's stack, which crash.c handles */
    rt_schedule();
    __builtin_unreachable();
}

_Noreturn void rt_fail_done(uint32_t site, uint64_t value)
{
    if (!rt_fail_stands())
        rt_run_end(WIRE_DONE_FAIL, value);
    rt_stand(site);
}

_Noreturn void rt_fail_end(enum wire_fail kind, uint32_t site, uint64_t object,
                           uint64_t value, const char *text)
{
    rt_fail(kind, site, object, value, text);
    rt_fail_done(site, value);
}
