/* SPDX-License-Identifier: Apache-2.0 */
/* Relates the virtual times of threads.
 *
 * Of two dependent operations the later one must not be earlier by the clock. A thread takes over from an
 * object the time of the last exclusive operation on it, and by an exclusive operation that of all earlier
 * ones. So its time is a function of its causal history only. */
#include "runtime/core/core.h"

void rt_time_hears(rt_thread *t, uint64_t ns)
{
    if (ns > t->heard_ns)
        t->heard_ns = ns;
    if (ns <= t->now_ns)
        return;
    t->now_ns = ns;
    t->time_joined = true;
}

void rt_time_passes(rt_thread *t, rt_object *o, bool is_exclusive)
{
    rt_when_done *done = &o->done;
    RT_ASSERT(done->exclusive_ns <= done->any_ns);
    rt_time_hears(t, is_exclusive ? done->any_ns : done->exclusive_ns);
    if (is_exclusive)
        done->exclusive_ns = t->now_ns;
    if (t->now_ns > done->any_ns)
        done->any_ns = t->now_ns;
}
