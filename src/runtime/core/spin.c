/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that wait for other threads.
 *
 * A round of a loop, from its header to its header, that changed nothing and came back with the
 * same PHIs would do the same again as long as it reads the same. It might as well not have
 * happened: a run without it is a run, too, and shows every thread the same. So the round's last
 * operation, a read, is undone: it stays in the trace as one that led to nothing (NOTE_SPIN),
 * but its thread waits before it again. If it was the only operation of the round, the thread
 * continues when the object has another value, and then does it again from the header on. Else
 * what it read before belongs to its past and cannot be taken back; it stays where it is, and
 * other runs show what it does if the last read finds another value. (Where runs need not be
 * told apart, WIRE_JOB_WAKE, it starts another round.)
 *
 * What counts as a change: an operation that is not a read, a plain write that left another value
 * behind, memory taken or given back, time or randomness asked for, a decision, a value that
 * depends on inputs, a call that leads out of the executable (inserted code says so). What the
 * runtime keeps of a thread without an operation (errno, masks, handlers) must be what it was.
 *
 * Plain writes are noticed because the first one of a segment to a place is checked out of line;
 * between the header and the first operation behind it there may be no new segment, so all
 * checks are made to go out of line there (arm). What was there before the write is kept and
 * compared at the header. The frames of functions that were called in the round are gone by
 * then and do not count. The thread's own stack above may hold anything before it is first
 * written, even what depends on the schedule; so a write there counts unless the round before
 * wrote to the same place.
 *
 * When no other thread can continue, each thread in a loop makes one more round before that is called a
 * livelock: what it reads with plain accesses may have changed, and there is no false alarm. This
 * round is not recorded, and its operations only give the results that they gave before (trying).
 *
 *   passed the header -> LOOKING  __treadle_slow_loop
 *   LOOKING -> WAITING            spin              pending.spins
 *   WAITING -> RUNNING            rt_sched_spin     it was chosen: continues from the header
 */
#include "runtime/core/above.h"

#include <errno.h>
#include <string.h>

#include "runtime/core/spin.h"
#include "runtime/core/store_list.h"

#define ARMED 64u /* plain accesses that go out of line before a new segment is started */
#define MOST_ACCESSES 4096u /* of a round that is looked at */
#define MOST_LOOKS 64u      /* so many are then, before the next look */

/* ---- changes ---- */

static void arm(rt_thread *self)
{
    self->spin.armed = ARMED;
    PLAN_CTL->epoch = UINT32_MAX;
}

/* ---- the round did nothing ---- */

static void tell(const rt_thread *self)
{
    rt_flush();
    wire_rec *r = rt_emit(WIRE_NOTE_SPIN);
    r->thread = self->id;
    r->site = self->spin.site;
    r->count = self->spin.n_round;
    rt_depth_forgive();
}

static void undo(rt_thread *self, const wire_round *round)
{
    RT_ASSERT(self->spin.n_own > 0);
    rt_spin *s = &self->spin;
    s->n_own--;
    if (s->n_round == 1)
        s->n_writes = round->n_writes;
    rt_clock_copy(&self->clock, &s->clock);
    rt_clock_set(&self->clock, self->id, self->segment);
    rt_clock_copy(&self->seen, &s->seen);
    if (self->pending.kind == WIRE_RMW)
        rt_release_restore(self->pending.model, self->id, &s->object);
    if (self->pending.kind == WIRE_RMW && rt_store_list_kept(self))
        rt_store_list_undo(self);
    self->saw |= s->saw;
    if (self->pending.model)
        self->pending.model->done = s->done;
    self->heard_ns = s->heard_ns;
    if (s->n_asked == round->n_asked)
        self->now_ns = round->now_ns > s->heard_ns ? round->now_ns : s->heard_ns;
    if (self->pending.kind == WIRE_LOCK)
        rt_retry_untake(self);
}

/* Others may have changed what the mutexes of the round guard once they have taken them. */
static void watch_mutexes(rt_spin *s, uint64_t end)
{
    for (uint64_t i = end - s->n_round; i < end; i++) {
        rt_read *read = &s->reads[i % RT_MAX_READS];
        if (rt_retry_is_mutex(read->kind))
            read->value = rt_object_at(read->object)->n_states;
    }
}

static wire_round round_now(const rt_thread *self, uint64_t state)
{
    const rt_spin *s = &self->spin;
    return (wire_round){.state = state,
                        .changes = s->changes,
                        .now_ns = self->now_ns,
                        .n_own = s->n_own,
                        .n_writes = s->n_writes,
                        .n_asked = s->n_asked,
                        .n_times = s->n_times};
}

/* Waits; then self continues as if it had just come to the header. */
static void spin(rt_thread *self, wire_loop *loop, const wire_round *round, uint32_t site)
{
    rt_spin *s = &self->spin;
    s->n_round = (uint32_t)(s->n_own - round->n_own);
    RT_ASSERT(s->n_round > 0 && s->n_round <= RT_MAX_READS);
    s->site = site;
    s->asks_time = s->n_asked != round->n_asked;
    s->loop = loop;
    s->is_turned = s->turn != NULL;
    s->turn = NULL;
    tell(self);
    /* What the job wants read makes the thread wait: that is another job's run. */
    if (self->by_step && rt->job.head.policy == WIRE_POLICY_LOWEST)
        rt_run_end(WIRE_DONE_ASLEEP, self->id);
    undo(self, round);
    watch_mutexes(s, s->n_own + 1);
    if (s->n_round > 1) {
        /* It will not be where it was: rounds are counted again. */
        loop->last.n_own = loop->far.n_own = s->n_own;
    }
    s->start = round_now(self, round->state);
    s->parked = self->pending;
    self->pending.spins = true;
    rt->n_spinning++;
    rt_sched_spin();
}

/* ---- one round more ---- */

/* How much later it is in that round, if the loop asks for the time. */
#define YEARS_NS (UINT64_C(10) * 365 * 86400 * 1000000000)

uint64_t rt_spin_again(rt_thread *self)
{
    RT_ASSERT(rt->trying);
    rt_spin *s = &self->spin;
    uint64_t i = s->n_own + 1 - s->n_round + s->n_tried;
    const rt_read *before = &s->reads[i % RT_MAX_READS];
    const rt_op *op = &self->pending;
    bool same = s->n_tried < s->n_round && op->object == before->object &&
                op->kind == before->kind;
    if (!same)
        rt_spin_leave();
    s->n_tried++;
    uint64_t value = 0;
    if (op->kind == WIRE_FD_LOOK) /* what it finds is more than a number */
        rt->above->types[mdl_type_of(op->kind)].grant(self, &value);
    if (op->kind == WIRE_LOCK) /* self looks at who holds it */
        rt_retry_retake(self);
    if (op->kind == WIRE_UNLOCK)
        rt_retry_untake(self);
    return before->result;
}

/* Self has come to the header again. When it is where it was, it waits; the last operation of a
 * round that is turned would come next. */
static void try_round(rt_thread *self, const wire_loop *loop, uint64_t state)
{
    rt_spin *s = &self->spin;
    if (loop != s->loop || s->n_tried + s->is_turned < s->n_round)
        return;
    bool same = state == s->start.state && s->changes == s->start.changes &&
                !rt_round_left_changes(self, loop, &s->start);
    if (!same)
        rt_spin_leave();
    s->n_writes = s->start.n_writes;
    self->pending = s->parked;
    if (self->pending.kind == WIRE_LOCK && !s->is_turned)
        rt_retry_untake(self);
    self->pending.spins = true;
    rt_sched_spin();
}

void rt_spin_try(rt_thread *t)
{
    RT_ASSERT(t->pending.spins);
    rt->trying = t->spin.is_tried = true;
    t->spin.n_tried = 0;
    if (t->spin.asks_time)
        t->now_ns += YEARS_NS;
    t->pending.spins = false;
    t->state = RT_RUNNING;
    if (t->pending.kind == WIRE_LOCK)
        rt_retry_retake(t);
}

/* ---- the header ---- */

static uint64_t mixed(uint64_t state, uint64_t word)
{
    return (state ^ word) * UINT64_C(0x9e3779b97f4a7c15) + (state >> 29);
}

/* What the runtime keeps of a thread, and changes without an operation. */
static uint64_t own_state(const rt_thread *self)
{
    bool looks_at_errno = (rt->uses & WIRE_USES_ERRNO) != 0;
    uint64_t state = mixed(1, looks_at_errno ? (uint64_t)(uint32_t)errno : 0);
    state = mixed(state, rt_carrier_fenv());
    state = mixed(state, self->signals.mask);
    state = mixed(state, self->signals.taken);
    state = mixed(state, (uint64_t)self->cleanup);
    return mixed(state, 2u * self->cancel_off + self->cancel_async);
}

static void enter(rt_thread *self, wire_loop *loop, uint64_t state)
{
    rt_spin *s = &self->spin;
    rt_cut_enter(self, loop);
    if (!s->reads) {
        s->reads = rt_bump_unset(RT_MAX_READS * sizeof(rt_read));
        s->writes = rt_bump_unset(RT_MAX_WRITES * sizeof(rt_write));
        s->reads[RT_MAX_READS - 1] = (rt_read){0}; /* the one before the first */
    }
    loop->last = loop->far = round_now(self, state);
    loop->n_entered = self->spin.n_own;
    loop->n_until = loop->n_far = 1;
    loop->has_before = loop->has_leapt = false;
}

/* least: operations that a round has. */
static bool did_nothing(const rt_thread *self, const wire_loop *loop,
                        const wire_round *since, uint64_t state, uint64_t least)
{
    uint64_t n = self->spin.n_own - since->n_own;
    return n >= least && n <= RT_MAX_READS && since->state == state &&
           since->changes == self->spin.changes &&
           !rt_round_left_changes(self, loop, since) &&
           rt_retry_is_even(self, since->n_own); /* takes the square of n */
}

/* The header since which nothing happened; NULL: none that is known. */
static const wire_round *idle_since(const rt_thread *self, const wire_loop *loop,
                                    uint64_t state, uint64_t least)
{
    if (did_nothing(self, loop, &loop->last, state, least))
        return &loop->last;
    return did_nothing(self, loop, &loop->far, state, least) ? &loop->far : NULL;
}

/* Another round. far is moved ever more rarely, so that a cycle of any length will lie between
 * it and some later round (Brent's way). */
static void go_round(rt_thread *self, wire_loop *loop, uint64_t state)
{
    bool left_changes =
        self->spin.stores.n_stores > 0 && rt_round_left_changes(self, loop, &loop->last);
    rt_cut_round(self, loop, state, left_changes);
    loop->before = loop->last.n_writes;
    loop->has_before = true;
    loop->last = round_now(self, state);
    if (--loop->n_until > 0)
        return;
    loop->far = loop->last;
    loop->n_far *= 2;
    loop->n_until = loop->n_far;
}

/* The round did nothing, but ended with what cannot be undone. */
static void turn_at(rt_thread *self, wire_loop *loop, const wire_round *since,
                    uint32_t site)
{
    rt_spin *s = &self->spin;
    s->turn = loop;
    s->turn_from = round_now(self, since->state);
    s->turn_from.n_own = since->n_own;
    s->turn_site = site;
}

void rt_spin_turn(rt_thread *self)
{
    rt_spin *s = &self->spin;
    wire_loop *loop = s->turn;
    if (!loop)
        return;
    s->turn = NULL;
    uint64_t first = s->turn_from.n_own;
    if (s->n_own - first > RT_MAX_READS || s->changes != s->turn_from.changes)
        return;
    const rt_read *was = &s->reads[first % RT_MAX_READS];
    const rt_read *now = &s->reads[(s->n_own - 1) % RT_MAX_READS];
    bool same = was->kind == now->kind && was->object == now->object &&
                (rt_retry_is_mutex(now->kind) || was->value == now->value);
    bool wakes = (rt->job.head.flags & WIRE_JOB_WAKE) != 0;
    if (!same || !rt_retry_is_even(self, first + 1) || !rt_retry_can_wait(self) ||
        (wakes && !rt_retry_is_alone(self)))
        return;
    s->turn = loop;
    s->turn_from.n_own = first + 1;
    wire_round round = s->turn_from;
    spin(self, loop, &round, s->turn_site);
}

/* With WIRE_JOB_ROUNDS a round that only read memory is told, and its thread stops. Other rounds with decisions
 * in them count as ones that did something: NULL. So do all others with WIRE_JOB_FOLD, where the thread has come
 * back to a state that was told. */
static const wire_round *tell_round(rt_thread *self, const wire_round *since,
                                    uint32_t site)
{
    if (!since || !rt->rounds)
        return since;
    self->spin.n_idle = rt_round_reads(self, since);
    if (self->spin.n_idle > 0)
        rt_cut(self, site);
    return rt_round_is_apart(self, since) && !rt->folds ? since : NULL;
}

static void come_round(rt_thread *self, wire_loop *loop, uint64_t state,
                       const wire_site *site)
{
    uint32_t number = rt_site_number((uint64_t)site);
    const wire_round *since = tell_round(self, idle_since(self, loop, state, 1), number);
    bool knows = since && rt_retry_knows(self, loop, since);
    if (knows && rt_retry_can_wait(self)) {
        spin(self, loop, since, number);
        return;
    }
    if (knows)
        turn_at(self, loop, since, number);
    if (self->spin.n_own == loop->last.n_own)
        return;
    go_round(self, loop, state);
    if (since && !knows)
        loop->far = loop->last;
    if (!knows)
        loop->has_leapt = since != NULL;
}

/* ---- rounds that could have been left out (left_out.c) ---- */

static bool can_stop(const rt_thread *self)
{
    bool is_alone = rt->starter || rt->exiting || rt->atomic > 0;
    return !is_alone && !rt->trying && !rt->choosing && !self->spin.resumes;
}

void rt_cut(rt_thread *self, uint32_t site)
{
    if (!can_stop(self)) {
        self->spin.n_idle = 0;
        return;
    }
    self->spin.stores.is_stopped = true;
    rt_flush();
    rt->n_cut++;
    rt_stand(site);
}

/* The first round of a loop that carries this value could have been left out, if the other PHIs
 * are what they were. */
static bool is_reread(const rt_thread *self, const wire_loop *loop, uint64_t value)
{
    const rt_spin *s = &self->spin;
    const wire_round *since = &loop->last;
    uint64_t n = s->n_own - since->n_own;
    if (!rt_cut_wanted() || since->n_own != loop->n_entered || n == 0 || n > RT_MAX_READS)
        return false;
    for (uint64_t i = since->n_own; i < s->n_own; i++)
        if (s->reads[i % RT_MAX_READS].size == 0)
            return false;
    const rt_read *last = &s->reads[(s->n_own - 1) % RT_MAX_READS];
    return since->changes == s->changes && since->n_asked == s->n_asked &&
           last->kind == WIRE_CAS && last->value == value &&
           !rt_round_left_changes(self, loop, since);
}

/* ---- rounds without an operation ----
 *
 * No other thread runs while a thread goes round like this, so it cannot wait for them. Every now and
 * then some rounds are looked at. If one did nothing, its thread would continue forever: the loop
 * waits for plain memory. What it accesses must become operations, so the run is over, and treadle
 * restarts with these (NOTE_GAP). If nothing can become one the thread is blocked there. */

static void look_later(wire_loop *loop, uint32_t n)
{
    loop->left = loop->n_left = n;
    loop->n_looked = 0;
}

_Noreturn static void wait_for_plain(rt_thread *self, uint32_t site)
{
    rt_spin *s = &self->spin;
    s->lists = false;
    for (uint32_t i = 0; i < s->n_accesses; i++)
        rt_gap(WIRE_GAP_LOOP, s->accesses[i],
               "a loop accesses it while no other thread runs");
    if (s->n_accesses > 0)
        rt_run_end(WIRE_DONE_IDLE, 0);
    bool is_alone = !rt->starter && (rt->exiting || rt->atomic > 0);
    if (s->reads_others || is_alone)
        rt_gap(WIRE_GAP_LOOP, site, "the thread's behaviour after this loop");
    if (is_alone)
        rt_run_end(WIRE_DONE_IDLE, 0);
    s->site = site;
    s->is_endless = !s->reads_others;
    rt->n_endless += s->is_endless;
    rt_stand(site);
}

/* The first of some rounds begins here. */
static void look_first(rt_thread *self, wire_loop *loop, uint64_t state)
{
    rt_spin *s = &self->spin;
    enter(self, loop, state);
    s->lists = true;
    s->reads_others = false;
    s->n_accesses = 0;
    loop->left = loop->n_looked = 1;
}

static void look_at_round(rt_thread *self, wire_loop *loop, uint64_t state,
                          const wire_site *site)
{
    if (loop->n_looked == 0 || loop->n_looked == WIRE_LOOP_FRESH) {
        if (loop->n_looked == WIRE_LOOP_FRESH)
            loop->n_left = WIRE_FIRST_LOOK;
        look_first(self, loop, state);
        return;
    }
    const wire_round *since = idle_since(self, loop, state, 0);
    if (since && rt->rounds && !rt_round_is_apart(self, since))
        since = NULL;
    bool knows = since && rt_retry_knows(self, loop, since);
    if (knows)
        wait_for_plain(self, rt_site_number((uint64_t)site));
    go_round(self, loop, state);
    if (since)
        loop->far = loop->last;
    loop->has_leapt = since != NULL;
    loop->left = 1;
    if (++loop->n_looked <= MOST_LOOKS)
        return;
    self->spin.lists = false;
    look_later(loop, loop->n_left < UINT32_MAX / 2 ? 2 * loop->n_left : UINT32_MAX);
}

/* No new segment, in which all that was accessed before would be checked again. */
static void arm_look(rt_thread *self)
{
    if (self->spin.lists) {
        self->spin.armed = MOST_ACCESSES;
        PLAN_CTL->epoch = UINT32_MAX;
        return;
    }
    rt_segment_show(self);
}

/* A loop that carries what it read: that value, and the state of everything else. */
typedef struct carried {
    uint64_t state, value;
} carried;

/* If the first round could have been left out, self stops here. */
static void reread(rt_thread *self, wire_loop *loop, uint32_t enters, const carried *x,
                   const wire_site *site)
{
    uint64_t state = x->state + own_state(self);
    if (enters)
        loop->others = state;
    else if (!rt->trying && loop->others == state && is_reread(self, loop, x->value))
        rt_cut(self, rt_site_number((uint64_t)site));
}

/* PHIs of the header that is passed: other threads may run before self comes to the code behind it. */
typedef struct phis_of_header {
    uint32_t n;
    plan_phi at[WIRE_MAX_PHIS];
} phis_of_header;

static void take_phis(const wire_loop *loop, phis_of_header *p)
{
    uint32_t n = PLAN_CTL->loop_of_phis == (uint64_t)loop ? PLAN_CTL->n_phis : 0;
    p->n = n < WIRE_MAX_PHIS ? n : WIRE_MAX_PHIS;
    memcpy(p->at, (const void *)PLAN_CTL->phis, p->n * sizeof p->at[0]);
}

static void put_phis(const phis_of_header *p)
{
    memcpy((void *)PLAN_CTL->phis, p->at, p->n * sizeof p->at[0]);
}

/* The hash of all PHIs, and of what the runtime keeps of self. */
static uint64_t state_to_fold(const carried *x)
{
    return x->state + own_state(rt->self) + wire_phi_hash(WIRE_PHI_CARRIED, x->value);
}

/* x: of a loop that carries a value. Inlined, so that the frames of the program end at its caller's. */
static inline __attribute__((always_inline)) void
pass_header(wire_loop *loop, uint32_t enters, uint64_t state, const wire_site *s,
            const carried *x)
{
    bool is_plain = loop->ops == PLAN_CTL->ops;
    enters |= !is_plain && loop->n_looked == WIRE_LOOP_FRESH;
    loop->ops = PLAN_CTL->ops;
    loop->left = UINT32_MAX;
    if (!rt_on())
        return;
    if (rt->is_repaired)
        rt_repair_point(rt_site_number((uint64_t)s));
    rt_thread *self = rt->self;
    self->spin.frames_end = (uint64_t)__builtin_dwarf_cfa();
    bool carries = rt->rounds && PLAN_CTL->changed != 0; /* perhaps what was read */
    bool carries_read = (PLAN_CTL->changed & PLAN_CARRIES) != 0;
    phis_of_header phis;
    phis.n = 0;
    if (rt->rounds)
        take_phis(loop, &phis);
    rt_spin_take(self);
    state += own_state(self);
    self->spin.turn = NULL;
    if (x)
        reread(self, loop, enters, x, s);
    if (enters)
        enter(self, loop, state);
    else if (rt->trying)
        try_round(self, loop, state);
    else if (is_plain)
        look_at_round(self, loop, state, s);
    else
        come_round(self, loop, state, s);
    self->spin.changes += carries; /* the next round starts from it */
    if (rt->folds && !rt->trying && (enters || !is_plain))
        rt_fold_header(self, loop, enters,
                       &(rt_fold_here){.state = x ? state_to_fold(x) : state,
                                       .carries = carries_read,
                                       .site = rt_site_number((uint64_t)s),
                                       .n_phis = phis.n,
                                       .phis = phis.at});
    if (rt->rounds)
        put_phis(&phis);
    if (enters || !is_plain)
        look_later(loop, WIRE_FIRST_LOOK);
    loop->ops = PLAN_CTL->ops;
    if (rt->trying && loop == self->spin.loop)
        loop->ops--; /* the next header is looked at, though nothing is counted */
    if (enters || !is_plain)
        arm(self);
    else if (!rt->detail)
        arm_look(self);
}

RT_EXPORT void __treadle_slow_loop(wire_loop *loop, uint32_t enters, uint64_t state,
                                   const wire_site *s)
{
    pass_header(loop, enters, state, s, NULL);
}

RT_EXPORT void __treadle_carry_loop(wire_loop *loop, uint32_t enters, uint64_t state,
                                    const wire_site *s, uint64_t value)
{
    carried x = {.state = state, .value = value};
    pass_header(loop, enters, mixed(state, value), s, &x);
}
