/* SPDX-License-Identifier: Apache-2.0 */
/* How long a thread may be named: until it is joined, or has ended and is detached.
 *
 * What is done to a thread by its handle (cancel, signal, join, detach, a question) is judged when it
 * is done, since others may end the life of the handle while it waits. What was done is kept, so that a
 * use which nothing orders before the end of that life is found in the run in which it comes first:
 * another schedule has it later. */
#include "runtime/posix/sync.h"

#include "runtime/core/core.h"

/* A use of a handle by another thread, in one of its segments. */
struct rt_use {
    struct rt_use *next;
    uint32_t thread, segment, site;
};

_Noreturn static void fail(uint32_t site, const rt_thread *t, const char *wrong)
{
    rt_fail_end(WIRE_FAIL_THREAD, site, 0, t ? t->id : 0, wrong);
}

/* The last operation of self was the use. */
static void note_use(rt_thread *t, uint32_t segment, uint32_t site)
{
    if (t == rt->self)
        return;
    for (struct rt_use *u = t->handle_uses; u; u = u->next)
        if (u->thread == rt->self->id) {
            u->segment = segment;
            u->site = site;
            return;
        }
    struct rt_use *u = rt_bump(sizeof *u);
    *u = (struct rt_use){t->handle_uses, rt->self->id, segment, site};
    t->handle_uses = u;
}

static bool is_over(const rt_thread *t)
{
    return t->joined || (t->detached && t->state == RT_ENDED);
}

rt_thread *rt_thread_known(pthread_t handle, uint32_t site, const char *wrong)
{
    rt_thread *t = rt_thread_of(handle);
    if (!t || is_over(t))
        fail(site, t, wrong);
    note_use(t, rt->self->segment, site);
    return t;
}

void rt_thread_used(rt_thread *t, uint32_t site, const char *wrong)
{
    if (is_over(t))
        fail(site, t, wrong);
    note_use(t, rt->self->ended_segment, site);
}

/* Self knows all that has to come before the end of that life. */
static void life_ends(const rt_thread *t, const rt_clock *detached)
{
    for (const struct rt_use *u = t->handle_uses; u; u = u->next)
        if (rt_clock_get(&rt->self->clock, u->thread) < u->segment &&
            (!detached || rt_clock_get(detached, u->thread) < u->segment))
            fail(u->site, t,
                 detached ? "use of a detached thread that may have ended"
                          : "use of a thread that may have been joined or detached");
}

void rt_thread_life_ended(const rt_thread *t)
{
    RT_ASSERT(t == rt->self);
    if (t->detached)
        life_ends(t, &t->detach_clock);
}

/* ---- join ---- */

static const char *join_misuse(const rt_thread *t)
{
    if (!t)
        return "join of something that is not a thread";
    if (t == rt->self)
        return "a thread joins itself";
    if (t->detached)
        return "join of a detached thread";
    return t->joined ? "join of a thread that was joined before" : NULL;
}

void rt_thread_can_join(pthread_t handle, uint32_t site)
{
    const rt_thread *t = rt_thread_of(handle);
    const char *wrong = join_misuse(t);
    if (wrong)
        fail(site, t, wrong);
}

void rt_thread_joined(rt_thread *t, uint32_t site)
{
    RT_ASSERT(t->state == RT_ENDED);
    const char *wrong = join_misuse(t);
    if (wrong)
        fail(site, t, wrong);
    t->joined = true;
    life_ends(t, NULL);
}

/* ---- detach ---- */

static const char *detach_misuse(const rt_thread *t)
{
    if (!t)
        return "detach of something that is not a thread";
    if (t->detached)
        return "detach of a detached thread";
    return t->joined ? "detach of a thread that is joined" : NULL;
}

void rt_thread_detached(rt_thread *t, uint32_t site)
{
    const char *wrong = detach_misuse(t);
    if (wrong)
        fail(site, t, wrong);
    t->detached = true;
    if (t->state == RT_ENDED)
        life_ends(t, NULL);
    /* A new segment keeps what follows apart from what came before. */
    rt_clock_copy(&t->detach_clock, &rt->self->clock);
    rt_segment_start(rt->self);
    rt_segment_show(rt->self);
}
