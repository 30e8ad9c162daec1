/* SPDX-License-Identifier: Apache-2.0 */
/* Iterations of a loop that retries: those that could have been left out.
 *
 * The run without such an iteration is a run as well. It ends in the same state, every other thread
 * does and observes the same in it, and this thread reaches the same point. It is shorter, so the
 * argument does not lead back to the present run. So nothing has to be explored after such an
 * iteration: the thread stops (it is cut), other threads continue, and the run counts as blocked.
 * What follows is explored in the run without the iteration.
 *
 * Overwritten. The iteration came back to the same PHIs, read memory and stored to a few places, and
 * did nothing else. The next iteration has stored to each of these places again, of the same size,
 * having only read other memory and stored. Between the first store and the last one no other thread
 * accessed these places, and the thread itself did not read them in the next iteration. So no thread
 * has observed the effect of the iteration. (The places hold other values than without it only while
 * no thread reads them.) Plain accesses of other threads there would be
 * data races: no lock is released in these iterations, and no thread acquires what was stored.
 *
 * Read again. The loop carries a value in a PHI, which comes from a load right before the loop or
 * from the compare-exchange in it, of the same object, when that failed (instrument/carried.c
 * ensures that nothing else depends on what was loaded, and that the load acquires no more than the
 * exchange). The first iteration only read memory, came back to the same other PHIs, and the failed
 * exchange was its last operation. Had the load come at the time of the exchange, it would have read
 * the same value, and the thread would be where it is now.
 *
 * Omitting reads, or executing them later, removes happens-before edges, so a data race remains one.
 * Searches that need not distinguish runs (WIRE_JOB_WAKE) cut nothing. */
#include "runtime/core/above.h"

#include <string.h>

#include "runtime/core/spin.h"

extern char __executable_start[] __attribute__((weak, visibility("hidden")));
extern char _end[] __attribute__((weak, visibility("hidden")));

static bool overlap(const rt_stored *s, uint64_t start, uint64_t size)
{
    return start < s->address + s->size && s->address < start + (size ? size : 1);
}

static bool any_overlaps(const rt_stored *s, uint32_t n, uint64_t start, uint64_t size)
{
    for (uint32_t i = 0; i < n; i++)
        if (!s[i].is_over && overlap(&s[i], start, size))
            return true;
    return false;
}

bool rt_cut_wanted(void)
{
    return !(rt->job.head.flags & WIRE_JOB_WAKE) && !rt->shm->every_round &&
           !rt->rounds &&     /* the loop depends on values */
           !rt->keeps_stores; /* threads may read overwritten values */
}

/* ---- accesses of other threads ---- */

static void look_at(rt_thread *t, const rt_op *op)
{
    rt_stores *s = &t->spin.stores;
    if (any_overlaps(s->now, s->n_now, op->object, op->size))
        s->is_spoilt = true;
    for (uint32_t i = 0; i < s->n_before; i++)
        if (overlap(&s->before[i], op->object, op->size))
            s->n_left = s->n_before = 0;
    if (s->is_spoilt)
        s->n_now = 0;
}

void rt_cut_noticed(const rt_thread *by)
{
    for (uint64_t left = rt->storing; left; left &= left - 1) {
        uint32_t bit = (uint32_t)__builtin_ctzll(left);
        bool any = false;
        for (uint32_t id = bit; id < rt->n_threads; id += 64) {
            rt_thread *t = &rt->threads[id];
            if (t != by)
                look_at(t, &by->pending);
            any |= t->spin.stores.n_now + t->spin.stores.n_before > 0;
        }
        if (!any)
            rt->storing &= ~(UINT64_C(1) << bit);
    }
}

/* ---- accesses of the thread itself ---- */

/* True if plain accesses to p are recorded: a variable of the executable, or memory in the heap or on the
 * stack of another thread. */
static bool is_watched(const rt_thread *t, uint64_t p)
{
    bool own = p >= rt_stack_bottom(t->slot) && p < rt_stack_top(t->slot);
    bool is_static = p >= (uint64_t)__executable_start && p < (uint64_t)_end;
    return is_static || (rt_in_heaps(p) && !own);
}

void rt_cut_access(rt_thread *self, uint64_t p, uint64_t size)
{
    rt_stores *s = &self->spin.stores;
    if (any_overlaps(s->before, s->n_before, p, size))
        s->n_left = s->n_before = 0;
}

/* The place is among those of the round before: they may all be written over now. */
static void write_over(rt_stores *s, const rt_op *op)
{
    for (uint32_t i = 0; i < s->n_before; i++) {
        rt_stored *b = &s->before[i];
        if (b->is_over || !overlap(b, op->object, op->size))
            continue;
        if (b->address != op->object || b->size != op->size) {
            s->n_left = s->n_before = 0;
            return;
        }
        b->is_over = true;
        RT_ASSERT(s->n_left > 0);
        s->is_cut = --s->n_left == 0;
    }
}

static void keep(rt_thread *t, const rt_op *op)
{
    rt_stores *s = &t->spin.stores;
    if (s->is_spoilt)
        return;
    for (uint32_t i = 0; i < s->n_now; i++)
        if (s->now[i].address == op->object && s->now[i].size == op->size)
            return;
    if (s->n_now == RT_MAX_STORES) {
        s->is_spoilt = true;
        s->n_now = 0;
        return;
    }
    s->now[s->n_now++] = (rt_stored){.address = op->object, .size = op->size};
    rt->storing |= UINT64_C(1) << t->id % 64;
}

void rt_cut_after(rt_thread *t, const wire_rec *r, bool is_read)
{
    rt_stores *s = &t->spin.stores;
    const rt_op *op = &t->pending;
    if (!s->loop)
        return;
    bool stores = r->kind == WIRE_STORE && !(r->flags & WIRE_F_FORCED) && op->size <= 8 &&
                  !rt->symbolic && is_watched(t, op->object);
    if (stores) {
        write_over(s, op);
        keep(t, op);
        s->n_stores++;
        s->n_plain_ops++;
        return;
    }
    if (!is_read || !mdl_is_access(r->kind)) {
        s->is_spoilt = true;
        s->n_left = s->n_before = s->n_now = 0;
        return;
    }
    s->n_plain_ops++;
    if (any_overlaps(s->before, s->n_before, op->object, op->size))
        s->n_left = s->n_before = 0;
}

/* ---- headers ---- */

/* The round since that header only stored to places that may be written over. */
static bool only_stored(const rt_thread *self, const wire_loop *loop,
                        const wire_round *since, uint64_t state)
{
    const rt_stores *s = &self->spin.stores;
    uint64_t n = self->spin.n_own - since->n_own;
    return s->loop == loop && !s->is_spoilt && s->n_stores > 0 && n == s->n_plain_ops &&
           since->state == state && since->n_asked == self->spin.n_asked &&
           since->changes + s->n_stores == self->spin.changes;
}

void rt_cut_enter(rt_thread *self, const wire_loop *loop)
{
    rt_stores *s = &self->spin.stores;
    s->loop = rt_cut_wanted() ? loop : NULL;
    s->n_plain_ops = s->n_stores = 0;
    s->n_now = s->n_before = s->n_left = 0;
    s->is_spoilt = false;
}

void rt_cut_round(rt_thread *self, const wire_loop *loop, uint64_t state,
                  bool left_changes)
{
    rt_stores *s = &self->spin.stores;
    bool stored = !left_changes && only_stored(self, loop, &loop->last, state);
    uint32_t n = s->n_now;
    rt_cut_enter(self, loop);
    if (!stored)
        return;
    memcpy(s->before, s->now, sizeof s->before);
    s->n_before = s->n_left = n;
}
