/* SPDX-License-Identifier: Apache-2.0 */
/* Return addresses on the stack of a thread, for people. Our code and that of the program keeps
 * frame pointers; other code need not, and then frames are missing. */
#include "runtime/core/core.h"

/* A frame is the address of the caller's frame pointer and of the return address behind it. */
static bool is_frame(const rt_thread *t, uint64_t frame, uint64_t above)
{
    return frame % 8 == 0 && frame > above && frame >= rt_stack_bottom(t->slot) &&
           frame + 16 <= rt_stack_top(t->slot);
}

uint32_t rt_frames_collect(const rt_thread *t, uint64_t frame, uint64_t at[2 * RT_FRAMES])
{
    uint32_t n = 0;
    for (uint64_t above = 0; n < RT_FRAMES && is_frame(t, frame, above);) {
        const uint64_t *words = (const uint64_t *)frame;
        if (words[1] == 0)
            break;
        at[RT_FRAMES + n] = words[0];
        at[n++] = frame + 8 == rt->return_slot ? PLAN_CTL->return_to : words[1];
        above = frame;
        frame = words[0];
    }
    return n;
}

static uint64_t hash_of(const uint64_t *at, uint32_t n)
{
    uint64_t state = n;
    for (uint32_t i = 0; i < n; i++) {
        state ^= at[i];
        state = rt_random(&state);
    }
    return state;
}

void rt_frames(rt_thread *t, uint64_t frame)
{
    /* Not on the stack: crash.c takes an address of the program there for a call. */
    uint64_t *at = rt->frames;
    if (rt->stacks_left == 0)
        return;
    uint32_t n = rt_frames_collect(t, frame, at);
    RT_ASSERT(n <= RT_FRAMES);
    uint64_t hash = hash_of(at, n);
    if (n == 0 || hash == t->frames_recorded)
        return;
    t->frames_recorded = hash;
    rt->stacks_left--;
    for (uint32_t i = 0; i < n; i++) {
        wire_rec *r = rt_emit(WIRE_NOTE_FRAMES);
        r->flags = i == 0 ? WIRE_FRAMES_INNERMOST : 0;
        r->thread = t->id;
        r->object = at[i];
        r->value = at[RT_FRAMES + i];
    }
}
