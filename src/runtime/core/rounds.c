/* SPDX-License-Identifier: Apache-2.0 */
/* What rounds of loops read and changed (spin.c): kept as it happens, and compared. */
#include "runtime/core/above.h"

#include <string.h>

#include "runtime/core/spin.h"

#define PIECE 16u /* bytes of an rt_write */
#define PIECES 8u /* a write of more of them just counts */

void rt_spin_take(rt_thread *self)
{
    uint32_t changed = PLAN_CTL->changed;
    self->spin.changes += changed != 0;
    if (self->spin.fold)
        self->spin.fold->n_apart += (changed & ~(PLAN_CARRIES | PLAN_HAS_SLOT)) != 0;
    self->spin.armed = 0;
    PLAN_CTL->changed = 0;
}

/* The pieces of a write of size bytes at p. */
static void keep(rt_spin *s, uint64_t p, uint64_t size)
{
    RT_ASSERT(s->writes);
    if (size > PIECES * PIECE) {
        s->changes++;
        return;
    }
    for (uint64_t n; size > 0; p += n, size -= n) {
        n = size < PIECE ? size : PIECE;
        rt_write *w = &s->writes[s->n_writes++ % RT_MAX_WRITES];
        *w = (rt_write){.address = p,
                        .size = (uint32_t)n,
                        .depends = rt->rounds && rt->above->by_inputs(p, n)};
        memcpy(w->was, (const void *)p, n);
    }
}

/* Reads come first: where there are any, only they are kept. */
static void list_access(rt_spin *s, bool is_write, uint32_t site)
{
    const wire_site *at = rt_site_by_number(site);
    if (!rt_can_be_promoted(site) || (at->kind == WIRE_SITE_WRITE) != is_write) {
        s->reads_others |= !is_write;
        return;
    }
    bool has_reads =
        s->n_accesses > 0 && rt_site_by_number(s->accesses[0])->kind == WIRE_SITE_READ;
    if (has_reads && is_write)
        return;
    if (!has_reads && !is_write)
        s->n_accesses = 0;
    for (uint32_t i = 0; i < s->n_accesses; i++)
        if (s->accesses[i] == site)
            return;
    if (s->n_accesses < RT_MAX_ACCESSES)
        s->accesses[s->n_accesses++] = site;
}

/* A thread that computes for long enters many loops, and accesses would be checked again after each. From
 * some number on the round counts as one that changed something, until the next operation. A loop
 * that waits comes round again, and then more are allowed. */
static bool may_renew(rt_spin *s)
{
    uint32_t most = s->most_renewed ? s->most_renewed : RT_RENEWED;
    if (s->n_renewed++ < most || rt->trying)
        return true;
    s->gave_up = true;
    s->changes++;
    return false;
}

/* Self has done an operation, after which its segment is a new one. */
static void renew_done(rt_spin *s)
{
    uint32_t most = s->most_renewed ? s->most_renewed : RT_RENEWED;
    if (s->gave_up && most < UINT32_MAX / 2)
        s->most_renewed = 2 * most;
    s->gave_up = false;
    s->n_renewed = s->armed = 0;
}

void rt_spin_access(rt_thread *self, uint64_t p, uint64_t size, bool is_write,
                    uint32_t site)
{
    rt_spin *s = &self->spin;
    if (s->lists)
        list_access(s, is_write, site);
    if (is_write && s->writes)
        keep(s, p, size);
    if (is_write && s->fold && !rt->above->is_promoted(site, size))
        rt_fold_wrote(self, p, size);
    if (s->stores.n_left > 0)
        rt_cut_access(self, p, size);
    if (s->armed == 0 || --s->armed > 0)
        return;
    if (s->lists) { /* too much for a round that is looked at */
        s->lists = false;
        s->changes++;
        rt_segment_show(self);
        return;
    }
    if (may_renew(s) && !rt->detail)
        rt_segment_start(self); /* serves as well */
    rt_segment_show(self);
}

RT_EXPORT void __treadle_kept(const void *p, uint64_t size)
{
    if (!rt_on() || !rt->self->spin.writes)
        return;
    keep(&rt->self->spin, (uint64_t)p, size);
    if (rt->self->spin.fold)
        rt_fold_wrote(rt->self, (uint64_t)p, size);
}

static bool is_own_stack(const rt_thread *self, uint64_t p)
{
    return p >= rt_stack_bottom(self->slot) && p < rt_stack_top(self->slot);
}

static bool wrote_there(const rt_spin *s, const rt_write *w, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        const rt_write *x = &s->writes[i % RT_MAX_WRITES];
        if (x->address == w->address && x->size == w->size)
            return true;
    }
    return false;
}

/* A write of the round since the header. What lies beyond the frames that are left is gone. */
static bool left_change(const rt_thread *self, const wire_loop *loop,
                        const wire_round *since, const rt_write *w)
{
    const rt_spin *s = &self->spin;
    if (rt_retry_is_time(self, loop, since, w))
        return false;
    if (is_own_stack(self, w->address)) {
        if (w->address < s->frames_end)
            return false;
        bool again = loop->has_before && s->n_writes - loop->before <= RT_MAX_WRITES &&
                     wrote_there(s, w, loop->before, loop->last.n_writes);
        if (!again)
            return true;
    }
    return memcmp(w->was, (const void *)w->address, w->size) != 0;
}

/* What a place held at the header is what the first write to it since then found. */
bool rt_round_left_changes(const rt_thread *self, const wire_loop *loop,
                           const wire_round *since)
{
    const rt_spin *s = &self->spin;
    if (s->n_writes - since->n_writes > RT_MAX_WRITES)
        return true;
    for (uint64_t i = since->n_writes; i < s->n_writes; i++) {
        const rt_write *w = &s->writes[i % RT_MAX_WRITES];
        if (!wrote_there(s, w, since->n_writes, i) && left_change(self, loop, since, w))
            return true;
    }
    return false;
}

/* What plain writes of the round left, and found, does not depend on what was read. */
static bool wrote_the_same(const rt_thread *self, const wire_round *since)
{
    const rt_spin *s = &self->spin;
    if (s->n_writes - since->n_writes > RT_MAX_WRITES)
        return false;
    for (uint64_t i = since->n_writes; i < s->n_writes; i++) {
        const rt_write *w = &s->writes[i % RT_MAX_WRITES];
        bool is_gone = is_own_stack(self, w->address) && w->address < s->frames_end;
        if (!is_gone && (w->depends || rt->above->by_inputs(w->address, w->size)))
            return false;
    }
    return true;
}

/* How many operations of the round are on memory. */
static uint64_t on_memory(const rt_spin *s, const wire_round *since)
{
    uint64_t n = 0;
    RT_ASSERT(s->n_own - since->n_own <= RT_MAX_READS);
    for (uint64_t i = since->n_own; i < s->n_own; i++)
        n += s->reads[i % RT_MAX_READS].size > 0;
    return n;
}

uint32_t rt_round_reads(const rt_thread *self, const wire_round *since)
{
    const rt_spin *s = &self->spin;
    uint64_t n = s->n_own - since->n_own;
    bool asks = s->n_asked != since->n_asked || s->n_times != since->n_times;
    bool only_reads = on_memory(s, since) == n && !asks && wrote_the_same(self, since);
    return only_reads && n <= UINT8_MAX ? (uint32_t)n : 0;
}

bool rt_round_is_apart(const rt_thread *self, const wire_round *since)
{
    const rt_spin *s = &self->spin;
    return on_memory(s, since) == 0 && s->n_decided <= since->n_own;
}

/* What an object that is not memory shows to a thread that asks in this way. A thread that tries to take
 * it and cannot learns that it is closed; others may learn anything of its state. */
static uint64_t shown_by(const rt_object *o, uint8_t asked)
{
    bool tries =
        asked == WIRE_TRYLOCK || asked == WIRE_SEM_TRYWAIT || asked == WIRE_TRYRDLOCK;
    return tries ? o->state == RT_OBJECT_HELD : o->n_states;
}

/* An operation as it turned out that leaves everything as it was. */
static bool is_read(const rt_thread *t, const wire_rec *r, uint64_t old)
{
    bool same =
        r->kind == WIRE_RMW && r->value == old && t->pending.rmw != WIRE_RMW_OTHER;
    /* What is not a choice cannot be waited for. */
    if ((!mdl_only_looks(r->kind) && !same) || (t->pending.flags & WIRE_F_FORCED))
        return false;
    return !mdl_is_access(r->kind) ||
           (r->size <= 8 &&
            (rt->rounds || !rt->symbolic || !rt->above->by_inputs(r->object, r->size)));
}

/* What a thread decides by what it read belongs to the round, if rounds are told. */
void rt_spin_decides(rt_thread *t)
{
    rt_spin *s = &t->spin;
    s->changes += !rt->rounds;
    s->n_decided = s->n_own + 1;
}

/* Keeps what the operation is about to change, in case it is undone. */
void rt_spin_before(rt_thread *t)
{
    rt_spin *s = &t->spin;
    if (!s->reads)
        return;
    rt_clock_copy(&s->clock, &t->clock);
    rt_clock_copy(&s->seen, &t->seen);
    s->heard_ns = t->heard_ns;
    if (t->pending.model)
        s->done = t->pending.model->done;
    if (t->pending.kind == WIRE_RMW)
        rt_release_save(t->pending.model, t->id, &s->object);
}

void rt_spin_after(rt_thread *t, const wire_rec *r, uint64_t old)
{
    rt_spin *s = &t->spin;
    if (!s->reads)
        return;
    bool memory = mdl_is_access(r->kind), reads = is_read(t, r, old);
    rt_cut_after(t, r, reads);
    if (reads || rt_retry_is_half(t, r))
        s->reads[s->n_own % RT_MAX_READS] =
            (rt_read){.object = r->object,
                      .value =
                          memory ? r->value : shown_by(t->pending.model, t->pending.kind),
                      .result = t->result,
                      .size = memory ? r->size : 0,
                      .kind = t->pending.kind};
    else {
        s->reads[s->n_own % RT_MAX_READS] = (rt_read){0};
        s->changes++;
        if (s->fold)
            rt_fold_did(s->fold, r->kind);
    }
    s->n_own++;
    renew_done(s);
    s->saw = (r->flags & WIRE_F_SAW) != 0;
    s->lists = false;
}

static bool has_changed(const rt_read *read)
{
    if (read->size == 0)
        return shown_by(rt_object_at(read->object), read->kind) != read->value;
    return rt_peek(read->object, read->size) != read->value ||
           (rt->symbolic && rt->above->by_inputs(read->object, read->size));
}

bool rt_spin_is_stale(const rt_thread *t)
{
    const rt_spin *s = &t->spin;
    /* The last one was undone. */
    uint64_t end = s->n_own + 1, start = end - s->n_round;
    RT_ASSERT(s->reads && s->n_round <= RT_MAX_READS);
    for (uint64_t i = start; i < end; i++)
        if (has_changed(&s->reads[i % RT_MAX_READS]))
            return true;
    return false;
}

bool rt_spin_enabled(const rt_thread *t)
{
    bool wakes =
        t->spin.n_round == 1 || ((rt->job.head.flags & WIRE_JOB_WAKE) &&
                                 !t->spin.is_turned && t->pending.kind != WIRE_LOCK);
    return wakes && rt_spin_is_stale(t);
}

_Noreturn void rt_spin_leave(void)
{
    const rt_spin *s = &rt->self->spin;
    if (s->asks_time)
        rt_gap(WIRE_GAP_TIME, s->site,
               "continuations of this loop, which ends after weeks of virtual time");
    rt_run_end(WIRE_DONE_IDLE, 0);
}
