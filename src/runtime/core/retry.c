/* SPDX-License-Identifier: Apache-2.0 */
/* Loop iterations without effect although they did more than read (spin.c).
 *
 * A mutex that is unlocked and locked again, or locked and unlocked, with no other thread in between, is
 * unchanged. A run without both operations is a run as well. If the iteration ends by locking it again, as
 * a wait on a condition variable that times out does, that lock is undone: the thread waits without the
 * mutex, and would continue only after another thread has held it, which other runs show. If it ends by
 * unlocking, an iteration that can be undone ends with the first operation after the loop header, if that
 * observes the same again.
 *
 * A trylock can observe that an iteration holds a mutex. What it observes in several iterations it could
 * also have observed in one that lasts longer, but not if an iteration holds two mutexes one after the
 * other. So an iteration may lock at most one.
 *
 * Whether a wait times out is a choice, which stays in the thread's past and changes nothing else.
 *
 * Time passes in every iteration, so values computed from it differ. An iteration that reads the time, and
 * keeps it only where the clock function stored it or in the timeout of a wait, may count as one without
 * effect. But the loop may be one that ends after some time. So after the first such iteration time leaps by
 * eleven days: a small counter of milliseconds holds that. If the next iteration has no effect either, and
 * the timeouts of waits have leapt with the clock, the loop counts as one that time does not end. Before it
 * is called a livelock, it is tried once more after some years (spin.c). */
#include "runtime/core/spin.h"

#include <time.h>

#define LEAP_SECONDS INT64_C(1000000)
#define SECOND UINT64_C(1000000000)
#define TIME_BYTES 16u /* size of struct timespec and timeval; seconds come first */

/* ---- mutexes ---- */

bool rt_retry_is_mutex(uint8_t kind)
{
    return kind == WIRE_LOCK || kind == WIRE_UNLOCK;
}

bool rt_retry_is_half(const rt_thread *t, const wire_rec *r)
{
    const rt_object *o = t->pending.model;
    if (!rt_retry_is_mutex(r->kind) || t->result != 0 || (r->flags & WIRE_F_FORCED) ||
        o->robust != RT_ROBUST_WELL)
        return false;
    return r->kind == WIRE_LOCK ? o->depth == 1 : o->state == RT_OBJECT_FREE;
}

/* Returns the last operation on the same mutex before number i, among the operations from number `from` on;
 * i if there is none. *n: how many there are. */
static uint64_t partner_of(const rt_spin *s, uint64_t from, uint64_t i, uint64_t *n)
{
    const rt_read *read = &s->reads[i % RT_MAX_READS];
    uint64_t found = i;
    *n = 0;
    for (uint64_t k = from; k < i; k++) {
        const rt_read *other = &s->reads[k % RT_MAX_READS];
        if (!rt_retry_is_mutex(other->kind) || other->object != read->object)
            continue;
        found = k;
        ++*n;
    }
    return found;
}

/* True if no other thread operated on the mutex between the operation and its counterpart. */
static bool is_matched(const rt_spin *s, uint64_t from, uint64_t i)
{
    const rt_read *read = &s->reads[i % RT_MAX_READS];
    uint64_t n, last_n = 0;
    uint64_t before = partner_of(s, from, i, &n);
    if (n % 2 == 1)
        return s->reads[before % RT_MAX_READS].value + 1 == read->value;
    for (uint64_t k = i + 1; k < s->n_own; k++)
        last_n += rt_retry_is_mutex(s->reads[k % RT_MAX_READS].kind) &&
                  s->reads[k % RT_MAX_READS].object == read->object;
    return last_n % 2 == 1;
}

bool rt_retry_is_even(const rt_thread *self, uint64_t from)
{
    const rt_spin *s = &self->spin;
    uint64_t taken = 0, n;
    for (uint64_t i = from; i < s->n_own; i++) {
        const rt_read *read = &s->reads[i % RT_MAX_READS];
        if (!rt_retry_is_mutex(read->kind))
            continue;
        if (!is_matched(s, from, i))
            return false;
        bool starts = partner_of(s, from, i, &n) == i && read->kind == WIRE_LOCK;
        if (starts && taken != 0)
            return false;
        taken = starts ? read->object : taken;
    }
    return true;
}

bool rt_retry_is_alone(const rt_thread *self)
{
    const rt_object *o = self->pending.model;
    return rt->n_enabled == 0 && (!o || o->waiters == RT_NONE);
}

/* A spin that waits for a change of memory cannot be resumed where the mutex must be locked first. So a
 * thread waits there only if no other thread is enabled. */
bool rt_retry_can_wait(const rt_thread *self)
{
    const rt_spin *s = &self->spin;
    const rt_read *last = &s->reads[(s->n_own - 1) % RT_MAX_READS];
    if (last->kind == WIRE_UNLOCK || self->pending.kind != last->kind ||
        self->pending.object != last->object)
        return false;
    return last->kind != WIRE_LOCK || !(rt->job.head.flags & WIRE_JOB_WAKE) ||
           rt_retry_is_alone(self);
}

void rt_retry_untake(rt_thread *t)
{
    RT_ASSERT(rt_retry_is_mutex(t->pending.kind));
    rt_object *o = t->pending.model;
    rt_held_untake(t, o);
    o->n_states--;
    rt_sched_object(o);
}

void rt_retry_retake(rt_thread *t)
{
    RT_ASSERT(rt_retry_is_mutex(t->pending.kind));
    rt_object *o = t->pending.model;
    rt_held_take(t, o);
    o->n_states++;
}

/* ---- time ---- */

static void keep(rt_thread *self, rt_time time)
{
    rt_spin *s = &self->spin;
    s->times[s->n_times++ % RT_MAX_TIMES] = time;
}

void rt_retry_asks(rt_thread *self, const void *out)
{
    self->spin.n_asked++;
    if (out)
        keep(self, (rt_time){.address = (uint64_t)out, .is_filled = true});
}

void rt_retry_until(rt_thread *self, const struct timespec *until)
{
    keep(self, (rt_time){.address = (uint64_t)until, .seconds = until->tv_sec});
}

/* True if the timeout of a wait has leapt, compared with a wait at the same place before that iteration. */
static bool has_leapt(const rt_spin *s, const rt_time *time, uint64_t oldest,
                      uint64_t round)
{
    for (uint64_t k = round; k-- > oldest;) {
        const rt_time *before = &s->times[k % RT_MAX_TIMES];
        if (before->address == time->address && !before->is_filled)
            return time->seconds - before->seconds >= LEAP_SECONDS / 2;
    }
    return false;
}

bool rt_retry_is_time(const rt_thread *self, const wire_loop *loop,
                      const wire_round *since, const rt_write *w)
{
    const rt_spin *s = &self->spin;
    uint64_t oldest = s->n_times > RT_MAX_TIMES ? s->n_times - RT_MAX_TIMES : 0;
    uint64_t from = since->n_times > oldest ? since->n_times : oldest;
    bool is_timed = false, filled = false, moved = true;
    for (uint64_t i = from; i < s->n_times; i++) {
        const rt_time *time = &s->times[i % RT_MAX_TIMES];
        if (w->address < time->address ||
            w->address + w->size > time->address + TIME_BYTES)
            continue;
        filled |= time->is_filled;
        is_timed |= !time->is_filled;
        if (!time->is_filled && loop->has_leapt && !rt->trying)
            moved &= has_leapt(s, time, oldest, from);
    }
    return filled || (is_timed && moved && s->n_asked > since->n_asked);
}

bool rt_retry_knows(rt_thread *self, wire_loop *loop, const wire_round *since)
{
    if (self->spin.n_asked == since->n_asked || loop->has_leapt)
        return true;
    self->now_ns += (uint64_t)LEAP_SECONDS * SECOND;
    return false;
}
