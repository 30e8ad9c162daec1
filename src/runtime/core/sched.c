/* SPDX-License-Identifier: Apache-2.0 */
/* Who runs next. */
#include "runtime/core/rt.h"

#include <fcntl.h>
#include <string.h>

#include "runtime/core/sys.h"

/* A thread that makes this many choices in a row although others could run loses its turn
 * where the policy chooses, so that a loop that waits for another thread ends. */
#define LONG_RUN 1000u

/* Plain accesses reported with WIRE_JOB_DETAIL. */
#define DETAIL_SEGMENT 1000u
#define DETAIL_RUN 1000000u

static uint32_t random_below(uint32_t n)
{
    return (uint32_t)(((rt_random(&rt->rng) >> 32) * n) >> 32);
}

/* ---- segments ---- */

void rt_segment_show(const rt_thread *t)
{
    PLAN_CTL->epoch = rt->every ? UINT32_MAX : t->segment << 8 | 0xff;
}

void rt_segment_start(rt_thread *t)
{
    uint32_t segment = ++rt->segment;
    if (segment >= RT_MAX_SEGMENT)
        rt_run_end(WIRE_DONE_DEPTH, 0);
    ((uint32_t *)RT_SEGMENTS)[segment] = t->id;
    t->segment = segment;
    rt->detail_segment = rt->reads ? DETAIL_RUN : DETAIL_SEGMENT;
    rt_clock_set(&t->clock, t->id, segment);
}

/* ---- who can run ---- */

/* A recursive mutex is open for its owner. Whoever opens an object for good may have. */
static inline bool open_for(const rt_thread *t)
{
    const rt_object *o = t->pending.model;
    return o->state != RT_OBJECT_HELD || (o->owner == t->id && t->pending.a);
}

static inline bool enabled(const rt_thread *t)
{
    if (t->pending.spins)
        return rt_spin_enabled(t);
    if (t->state == RT_FAILED)
        return false;
    const rt_object *o = t->pending.model;
    switch (rt_when[t->pending.kind]) {
    case RT_WHEN_A:
        return true;
    case RT_WHEN_O:
        return open_for(t);
    case RT_WHEN_R:
        return o->state != RT_OBJECT_HELD && o->n_readers == 0;
    case RT_WHEN_W:
        return t->pending.kind == WIRE_FD_WAKE ? rt_fd_ready(t)
                                               : rt_queue_woken(o, t->id);
    default:
        return rt->threads[t->pending.target].state == RT_ENDED;
    }
}

/* ---- the set of enabled threads, kept up to date ---- */

static void enabled_set(const rt_thread *t, bool now)
{
    uint64_t *word = &rt->enabled[t->id / 64];
    uint64_t bit = UINT64_C(1) << (t->id % 64);
    bool before = (*word & bit) != 0;
    if (before == now)
        return;
    *word ^= bit;
    rt->n_enabled += now ? 1 : UINT32_MAX;
}

/* ---- threads that sleep ---- */

static bool is_asleep(uint32_t id)
{
    return rt->asleep[id / 64] >> (id % 64) & 1;
}

static void asleep_set(uint32_t id, bool now)
{
    if (id >= rt->n_threads || is_asleep(id) == now)
        return;
    rt->asleep[id / 64] ^= UINT64_C(1) << (id % 64);
    rt->n_asleep += now ? 1 : UINT32_MAX;
}

void rt_sched_wake(const rt_thread *by, uint8_t kind)
{
    if (rt->n_asleep == 0)
        return;
    for (uint32_t i = 0; i < rt->n_live; i++) {
        const rt_thread *t = &rt->threads[rt->live[i]];
        if (t != by && is_asleep(t->id) && rt_depends(&by->pending, kind, &t->pending))
            asleep_set(t->id, false);
    }
}

/* True if somebody could go on who does not sleep. */
static bool anyone_awake(void)
{
    for (uint32_t w = 0; w <= rt->n_threads / 64; w++)
        if (rt->enabled[w] & ~rt->asleep[w])
            return true;
    return false;
}

/* The lowest thread from that number on that is enabled and awake, or RT_NONE. */
static uint32_t enabled_from(uint32_t id)
{
    for (uint32_t w = id / 64; w <= rt->n_threads / 64; w++) {
        uint64_t word = rt->enabled[w] & ~rt->asleep[w];
        if (w == id / 64)
            word &= UINT64_MAX << (id % 64);
        if (word)
            return w * 64 + (uint32_t)__builtin_ctzll(word);
    }
    return RT_NONE;
}

uint8_t rt_op_patience(const rt_op *op)
{
    if (rt_when[op->kind] == RT_WHEN_A)
        return 0;
    return (op->patient ? WIRE_F_PATIENT : 0) |
           (op->cancellable ? WIRE_F_CANCELLABLE : 0) |
           (op->interruptible ? WIRE_F_INTERRUPTIBLE : 0);
}

static uint32_t *waiting_list(const rt_thread *t)
{
    if (t->pending.spins)
        return NULL;
    switch (rt_when[t->pending.kind]) {
    case RT_WHEN_A:
        return NULL;
    case RT_WHEN_J:
        return &rt->threads[t->pending.target].joiners;
    default:
        return &t->pending.model->waiters;
    }
}

static void wait_begin(rt_thread *t)
{
    uint32_t *first = waiting_list(t);
    if (first) {
        t->wait_prev = RT_NONE;
        t->wait_next = *first;
        if (*first != RT_NONE)
            rt->threads[*first].wait_prev = t->id;
        *first = t->id;
    }
    enabled_set(t, enabled(t));
}

static void wait_end(rt_thread *t)
{
    uint32_t *first = waiting_list(t);
    enabled_set(t, false);
    if (!first)
        return;
    if (t->wait_next != RT_NONE)
        rt->threads[t->wait_next].wait_prev = t->wait_prev;
    if (t->wait_prev != RT_NONE)
        rt->threads[t->wait_prev].wait_next = t->wait_next;
    else
        *first = t->wait_next;
}

static void look_again(uint32_t first)
{
    for (uint32_t id = first; id != RT_NONE; id = rt->threads[id].wait_next)
        enabled_set(&rt->threads[id], enabled(&rt->threads[id]));
}

void rt_sched_object(const rt_object *o)
{
    look_again(o->waiters);
}

void rt_sched_ended(const rt_thread *t)
{
    look_again(t->joiners);
}

/* Values change when threads run, not when they are chosen. */
static void look_at_loops(void)
{
    for (uint32_t i = 0; rt->n_spinning > 0 && i < rt->n_live; i++) {
        const rt_thread *t = &rt->threads[rt->live[i]];
        if (t->pending.spins)
            enabled_set(t, enabled(t));
    }
}

/* ---- policies ---- */

/* The enabled thread after the last one, round and round; an exit comes last of all. */
static uint32_t pick_next(void)
{
    uint32_t exits = RT_NONE, id = rt->last;
    for (uint32_t i = 0; i < rt->n_enabled; i++) {
        id = enabled_from(id + 1);
        if (id == RT_NONE)
            id = enabled_from(0);
        if (rt->threads[id].pending.kind != WIRE_EXIT)
            return id;
        exits = id;
    }
    return exits;
}

static bool wants_to_go_on(const rt_thread *t)
{
    bool gives_way = t->yielded && !(rt->job.head.flags & WIRE_JOB_STAY);
    return t->state != RT_ENDED && !gives_way && rt->run_length < LONG_RUN &&
           t->pending.kind != WIRE_EXIT && enabled(t) && !is_asleep(t->id);
}

static uint32_t pick_first(void)
{
    rt_thread *last = &rt->threads[rt->last];
    if (wants_to_go_on(last))
        return last->id;
    last->yielded = false;
    return pick_next();
}

static uint32_t pick_random(void)
{
    uint32_t id = enabled_from(0);
    if (rt->n_enabled > 1)
        for (uint32_t skip = random_below(rt->n_enabled); skip > 0; skip--)
            id = enabled_from(id + 1);
    return id;
}

static uint32_t highest_priority(void)
{
    uint32_t best = enabled_from(0);
    for (uint32_t id = best; id != RT_NONE; id = enabled_from(id + 1))
        if (rt->threads[id].priority > rt->threads[best].priority)
            best = id;
    return best;
}

static uint32_t pick_pct(void)
{
    uint32_t best = highest_priority();
    rt_thread *t = &rt->threads[best];
    bool lower = t->yielded || (rt->last == best && rt->run_length >= LONG_RUN);
    for (uint32_t i = 0; i < rt->n_pct_points; i++)
        lower |= rt->pct_points[i] == rt->n_choices;
    t->yielded = false;
    if (!lower)
        return best;
    t->priority = --rt->pct_low;
    rt->run_length = 0;
    return highest_priority();
}

static uint32_t pick_by_policy(void)
{
    switch (rt->job.head.policy) {
    case WIRE_POLICY_RANDOM:
        return pick_random();
    case WIRE_POLICY_PCT:
        return pick_pct();
    default:
        return pick_first();
    }
}

/* The one who could let the thread go on, or RT_NONE. */
static uint32_t waits_for(const rt_thread *t)
{
    switch (rt_when[t->pending.kind]) {
    case RT_WHEN_J:
        return t->pending.target;
    case RT_WHEN_O:
    case RT_WHEN_R:
        return t->pending.model->owner;
    default:
        return RT_NONE;
    }
}

/* What a thread that cannot go on waits for, and what it holds. */
static void emit_wait(rt_thread *t)
{
    const rt_op *op = &t->pending;
    rt_frames(t, t->stack_low);
    wire_rec *r = rt_emit(WIRE_NOTE_WAIT);
    bool loops = op->spins || t->spin.is_endless;
    r->size = loops ? WIRE_SPIN : op->kind;
    r->thread = t->id;
    r->site = loops ? t->spin.site : op->site;
    r->object = op->object;
    r->value = waits_for(t) == RT_NONE ? 0 : 1 + (uint64_t)waits_for(t);
    for (uint32_t h = t->held; h != RT_NONE; h = rt_object_by_index(h)->held_next) {
        const rt_object *o = rt_object_by_index(h);
        r = rt_emit(WIRE_NOTE_HELD);
        r->thread = t->id;
        r->site = o->held_site;
        r->object = o->address;
    }
}

/* A thread that was made but has not run yet waits for nothing. */
void rt_emit_nexts(void)
{
    if (!(rt->job.head.flags & (WIRE_JOB_NEXT | WIRE_JOB_PENDING)))
        return;
    for (uint32_t i = 0; i < rt->n_live; i++) {
        const rt_thread *t = &rt->threads[rt->live[i]];
        const rt_op *op = &t->pending;
        bool waits = t->state == RT_WAITING || t->state == RT_FAILED;
        if (!waits || op->kind == WIRE_NONE)
            continue;
        wire_rec *r = rt_emit(WIRE_NOTE_NEXT);
        r->size = op->kind;
        r->thread = t->id;
        r->site = op->site;
        r->count = op->size;
        r->order = rt_op_is_whole(op) ? WIRE_ORDER_WHOLE : 0;
        r->flags = rt_op_patience(op);
        r->object = op->object;
        r->value = op->target;
    }
}

/* The thread does not wait for ever, though nobody lets it go on. Of one that waits in a loop for
 * what has happened since, other runs show what it does. */
static bool would_go_on(const rt_thread *t)
{
    if (t->cancelled && t->cancel_async && !t->cancel_off)
        return true;
    if (t->pending.spins)
        return rt_spin_is_stale(t) || rt_signal_waits(t);
    return t->pending.patient || (t->pending.cancellable && t->cancelled) ||
           rt_signal_waits(t);
}

/* Nobody can go on. It is a deadlock unless somebody would all the same, or is about to end the
 * process by a failure. */
_Noreturn static void end_blocked(void)
{
    for (uint32_t i = 0; i < rt->n_live; i++)
        if (would_go_on(&rt->threads[rt->live[i]]))
            rt_run_end(WIRE_DONE_IDLE, 0);
    if (rt->n_failed > rt->n_endless)
        rt_run_end(WIRE_DONE_STANDS, 0);
    for (uint32_t i = 0; i < rt->n_live; i++)
        if (!enabled(&rt->threads[rt->live[i]]))
            emit_wait(&rt->threads[rt->live[i]]);
    rt_run_end(WIRE_DONE_DEADLOCK, 0);
}

/* True if the thread waits for ever, whatever the others do: the path of waits from it leads
 * into a cycle, or to a mutex whose holder has ended. */
static bool is_stuck(const rt_thread *t)
{
    bool by_lock = false;
    for (uint32_t n = 0; n <= rt->n_live; n++) {
        if (t->state == RT_ENDED)
            return by_lock;
        if (t->state != RT_WAITING || t->pending.spins || enabled(t))
            return false;
        by_lock = rt_when[t->pending.kind] != RT_WHEN_J;
        uint32_t next = waits_for(t);
        if (next >= rt->n_threads || would_go_on(t))
            return false;
        t = &rt->threads[next];
    }
    return true;
}

/* A run may end although some of its threads are stuck for ever. */
bool rt_emit_stuck(void)
{
    bool any = false;
    for (uint32_t i = 0; i < rt->n_live; i++) {
        rt_thread *t = &rt->threads[rt->live[i]];
        if (!is_stuck(t))
            continue;
        emit_wait(t);
        any = true;
    }
    return any;
}

/* ---- the job's steps ---- */

static void step_load(void)
{
    rt_job *j = &rt->job;
    if (j->step >= j->head.n_steps) {
        j->following = false;
        return;
    }
    uint64_t word = rt->shm->jobs[(j->steps_at + j->step) & (WIRE_JOB_WORDS - 1)];
    wire_step step;
    memcpy(&step, &word, sizeof step);
    j->step++;
    j->step_thread = step.thread;
    j->step_left = step.count;
    j->following = true;
    if (step.count == 0) {
        if (j->head.policy == WIRE_POLICY_FIRST)
            asleep_set(step.thread, true);
        step_load();
    }
}

/* The thread the schedule asks for; the run ends if it cannot run. */
static uint32_t pick_by_step(void)
{
    rt_job *j = &rt->job;
    uint32_t id = j->step_thread;
    rt_thread *t = id < rt->n_threads ? &rt->threads[id] : NULL;
    if (!t || t->state == RT_ENDED || t->state == RT_FAILED)
        rt_run_end(WIRE_DONE_DIVERGED, id);
    if (!enabled(t)) {
        emit_wait(t);
        rt_run_end(WIRE_DONE_DIVERGED, id);
    }
    if (--j->step_left == 0)
        step_load();
    return id;
}

/* ---- choosing ---- */

/* The threads that were enabled before the grant, but the chosen one. */
static void emit_alternatives(const uint64_t *words, uint32_t n_words, uint32_t chosen)
{
    wire_rec *r = NULL;
    for (uint32_t w = 0; w < n_words; w++)
        for (uint64_t left = words[w]; left; left &= left - 1) {
            uint32_t id = w * 64 + (uint32_t)__builtin_ctzll(left);
            if (id == chosen)
                continue;
            if (!r || r->size == WIRE_IDS)
                r = rt_emit(WIRE_NOTE_ENABLED);
            r->ids[r->size++] = id;
        }
}

static void count_choice(uint32_t id)
{
    rt->run_length = id == rt->last ? rt->run_length + 1 : 1;
    rt->last = id;
    rt->n_choices++;
}

/* The exit of the process is no loss to who is not chosen: it would be the end of all. */
static bool last_could_go_on(uint32_t chosen)
{
    const rt_thread *last = &rt->threads[rt->last];
    return rt->n_choices > 0 && last->id != chosen && last->state != RT_ENDED &&
           last->pending.kind != WIRE_EXIT && enabled(last);
}

/* Grants what t waits for. alternatives: rt->were_enabled is to be told. */
static void grant_choice(rt_thread *t, uint32_t n, bool alternatives)
{
    uint8_t flags = last_could_go_on(t->id) ? WIRE_F_PREEMPTS : 0;
    rt_grant(t, n, flags);
    count_choice(t->id);
    if (alternatives)
        emit_alternatives(rt->were_enabled, rt->n_threads / 64 + 1, t->id);
}

/* One that spins goes on from the header of its loop to the operation that it was chosen for. */
static rt_thread *take_choice(uint32_t id, uint32_t n, bool alternatives)
{
    rt_thread *t = &rt->threads[id];
    wait_end(t);
    if (!t->pending.spins) {
        grant_choice(t, n, alternatives);
        return t;
    }
    t->pending.spins = false;
    rt->n_spinning--;
    t->spin.resumes = true;
    t->spin.resume_n = n;
    t->spin.resume_alternatives = alternatives;
    t->state = RT_RUNNING;
    return t;
}

/* Nobody can go on. The next thread that waits in a loop makes one round more, without a trace;
 * when all have come back to where they were, that is the end. */
static rt_thread *try_next(void)
{
    for (uint32_t i = 0; rt->n_spinning > 0 && i < rt->n_live; i++) {
        rt_thread *t = &rt->threads[rt->live[i]];
        if (!t->pending.spins || t->spin.is_tried || rt_spin_is_stale(t))
            continue;
        rt_spin_try(t);
        return t;
    }
    end_blocked();
}

/* Chooses and grants; the thread chosen. Ends the run if nobody can go on. */
static rt_thread *choose(void)
{
    if (rt->n_live == 0)
        rt_run_end(WIRE_DONE_EXIT, 0);
    if (rt->n_ops >= rt->job.head.depth)
        rt_run_end(WIRE_DONE_DEPTH, 0);
    look_at_loops();
    if (rt->job.following)
        return take_choice(pick_by_step(), 0, false);
    uint32_t n = rt->n_enabled;
    if (n == 0)
        return try_next();
    if (rt->n_asleep > 0 && !anyone_awake())
        rt_run_end(WIRE_DONE_ASLEEP, rt->n_asleep);
    uint32_t id = pick_by_policy();
    if (n == 1 || !(rt->job.head.flags & WIRE_JOB_ENABLED))
        return take_choice(id, n, false);
    memcpy(rt->were_enabled, rt->enabled,
           (rt->n_threads / 64 + 1) * sizeof rt->enabled[0]);
    return take_choice(id, n, true);
}

/* Notes about an operation follow its record, but what the granted operation causes (the end of
 * the run) comes after them; so the end is left to the one who goes on. */
void rt_schedule(void)
{
    rt_thread *self = rt->self;
    if (rt->starter) {
        rt_thread *back = rt->starter;
        rt->starter = NULL;
        rt_segment_show(back);
        rt_carrier_switch(self, back);
        return;
    }
    rt->choosing = true;
    rt_thread *next = choose();
    rt->choosing = false;
    rt_segment_show(next);
    if (next != self)
        rt_carrier_switch(self, next);
}

void rt_take_unseen(rt_thread *self)
{
    self->saw |= PLAN_CTL->unseen != 0;
    PLAN_CTL->unseen = 0;
    rt_spin_take(self);
}

/* Self was chosen when it waited in a loop; this is the operation it was chosen for. */
static bool resume(rt_thread *self)
{
    if (!self->spin.resumes)
        return false;
    self->spin.resumes = false;
    if (!enabled(self))
        return false;
    grant_choice(self, self->spin.resume_n, self->spin.resume_alternatives);
    rt_segment_show(self);
    return true;
}

static bool is_granted_at_once(const rt_thread *t)
{
    return (t->pending.flags & WIRE_F_FORCED) ||
           (!rt->starter && (rt->exiting || rt->atomic > 0));
}

/* An object in the heap or on a stack; handles of threads are addresses too, but of no memory. */
static bool in_memory(const rt_op *op)
{
    return rt_in_heaps(op->object) && (op->size > 0 || op->type != RT_UNTYPED);
}

/* Objects in the heap or on a stack can be gone, before the operation or when it is granted. */
static void watch_object(const rt_op *op)
{
    if (!in_memory(op))
        return;
    rt_watch(op->object, op->size > 0 ? op->size : 1, op->kind != WIRE_LOAD, op->site);
}

/* A null pointer faults here, before anything has changed. */
static void touch_object(const rt_op *op)
{
    if (op->type != RT_UNTYPED && op->object == 0)
        (void)*(const volatile char *)op->object;
}

static void operation_begins(rt_thread *self)
{
    const rt_op *op = &self->pending;
    touch_object(op);
    /* A plain access is one that others can come before, even if its memory is gone by now. */
    if (!(op->flags & WIRE_F_PLAIN))
        watch_object(op);
    if (rt->footprint && in_memory(op))
        rt_footprint_add(op->object, op->size > 0 ? op->size : 1, WIRE_TOUCH_OPERATES,
                         op->site);
    rt_take_unseen(self);
    rt_flush();
}

/* In a program with handlers that other threads can call, they may run before any operation; what
 * is about signals sees to them itself. */
static void take_signals(rt_thread *self)
{
    const uint32_t both = WIRE_USES_KILL | WIRE_USES_HANDLER;
    uint8_t kind = self->pending.kind;
    if ((rt->uses & both) != both || kind == WIRE_SIGNAL_TEST ||
        kind == WIRE_SIGNAL_WAIT || kind == WIRE_SIGNAL_WAKE)
        return;
    self->pending.interruptible = ~self->signals.mask != 0;
    if (kind == WIRE_FD_WAKE && self->signals.is_masked)
        return; /* it would end the call: other runs show that */
    rt_op kept = self->pending;
    rt_signal_point(kept.site);
    self->pending = kept;
}

uint64_t rt_operation(void)
{
    rt_thread *self = rt->self;
    if (rt->flow)
        rt_reads_other();
    take_signals(self);
    if (self->cancel_async && (rt->uses & WIRE_USES_CANCEL))
        self->pending.cancellable = !self->cancel_off;
    operation_begins(self);
    if (self->pending.object)
        self->pending.model = rt_object_at(rt_op_model(&self->pending));
    self->stack_low = (uint64_t)__builtin_frame_address(0);
    self->stack_at = self->called_at ? self->called_at : self->stack_low;
    self->called_at = 0;
    if (rt->trying)
        return rt_spin_again(self);
    self->state = RT_WAITING;
    if (is_granted_at_once(self)) {
        if (!enabled(self))
            end_blocked();
        if (rt->n_ops >= rt->job.head.depth)
            rt_run_end(WIRE_DONE_DEPTH, 0);
        rt_grant(self, 0, WIRE_F_FORCED);
        rt_segment_show(self);
        return self->result;
    }
    if (resume(self))
        return self->result;
    wait_begin(self);
    rt_schedule();
    watch_object(&self->pending);
    rt_spin_turn(self);
    return self->result;
}

void rt_sched_spin(void)
{
    rt_thread *self = rt->self;
    self->stack_low = self->stack_at = (uint64_t)__builtin_frame_address(0);
    self->state = RT_WAITING;
    if (rt->exiting || rt->atomic > 0)
        end_blocked();
    enabled_set(self, false);
    rt_schedule();
}

static void pct_prepare(void)
{
    const wire_job *job = &rt->job.head;
    uint32_t n = job->pct_depth > 0 ? job->pct_depth - 1 : 0;
    uint32_t most = sizeof rt->pct_points / sizeof rt->pct_points[0];
    rt->n_pct_points = n < most ? n : most;
    rt->pct_low = UINT64_C(1) << 32;
    for (uint32_t i = 0; i < rt->n_pct_points; i++)
        rt->pct_points[i] = random_below(job->pct_length > 0 ? job->pct_length : 1);
}

void rt_sched_reset(void)
{
    rt->starter = NULL;
    rt->n_ops = rt->n_choices = 0;
    rt->last = rt->run_length = 0;
    rt->atomic = 0;
    rt->exiting = false;
    rt->mappings = NULL;
    rt_fd_reset();
    rt->n_races = 0;
    rt->n_large = 0;
    rt->has_lists = false;
    rt->n_spinning = rt->n_failed = rt->n_endless = 0;
    rt->choosing = rt->has_unexplained = false;
    rt->trying = false;
    PLAN_CTL->unseen = PLAN_CTL->changed = 0;
    memset(rt->atomically, 0, sizeof rt->atomically);
    memset(rt->enabled, 0, (rt->n_threads / 64 + 1) * sizeof rt->enabled[0]);
    memset(rt->asleep, 0, (rt->n_threads / 64 + 1) * sizeof rt->asleep[0]);
    rt->n_enabled = rt->n_asleep = 0;
    rt->rng = rt->job.head.seed;
    rt->detail = (rt->job.head.flags & WIRE_JOB_DETAIL) != 0;
    rt->detail_run = DETAIL_RUN;
    rt->stacks_left = rt->job.head.flags & WIRE_JOB_STACKS ? RT_MAX_STACKS_TOLD : 0;
    rt->every = rt->detail || rt->promoting;
    rt->footprint = (rt->job.head.flags & WIRE_JOB_NEXT) != 0;
    rt->exact = rt->every && (rt->job.head.flags & WIRE_JOB_RACE_ALL);
    rt->first_only = (rt->every || rt->footprint) && !rt->exact;
    rt->n_ranges = rt->oldest_range = 0;
    rt->block_start = rt->block_end = 0;
    rt->job.step = 0;
    rt->job.step_left = 0;
    step_load();
    pct_prepare();
}

int rt_lowest_free_fd(void)
{
    long fd = rt_sys(SYS_fcntl, 0, F_DUPFD_CLOEXEC, 0);
    if (fd >= 0)
        rt_sys(SYS_close, fd, 0, 0);
    return (int)fd;
}

/* A library may have left a descriptor open, or closed one. */
static void check_descriptors(void)
{
    if (rt->tainted || rt->shm->restart == WIRE_RESTART_FORK)
        return;
    rt_mappings_undo();
    bool is_same = rt_lowest_free_fd() == rt->first_free_fd;
    if (!is_same)
        rt_overlay_moves();
    if (rt_overlay_undo() || is_same)
        return;
    rt->tainted = true;
    rt_gap(WIRE_GAP_FORKED, 0, "the run left a descriptor open or closed one");
}

/* Somebody waits in a loop for what has happened since: other runs show what it does. */
static bool any_is_stale(void)
{
    for (uint32_t i = 0; rt->n_spinning > 0 && i < rt->n_live; i++) {
        const rt_thread *t = &rt->threads[rt->live[i]];
        if (t->pending.spins && rt_spin_is_stale(t))
            return true;
    }
    return false;
}

_Noreturn void rt_run_end(enum wire_done how, uint64_t value)
{
    if (how == WIRE_DONE_EXIT && (rt->job.head.flags & WIRE_JOB_LEAKS))
        rt_leaks();
    rt_flush();
    PLAN_CTL->epoch = 0;
    rt_fd_end();
    check_descriptors();
    if (rt->counts_tasks)
        rt_trap_count();
    bool stuck = how == WIRE_DONE_DEADLOCK;
    if (!stuck && how != WIRE_DONE_DIVERGED)
        stuck = rt_emit_stuck();
    rt_emit_nexts();
    wire_rec *r = rt_emit(WIRE_NOTE_DONE);
    r->size = (uint8_t)how;
    r->value = value;
    r->object = rt->n_ops;
    r->count = rt->n_choices;
    r->flags = rt->n_enabled > 0 || any_is_stale() ? WIRE_F_CUT : 0;
    rt->active = false;
    if (how == WIRE_DONE_THREADS)
        rt->shm->want_stacks = rt->n_live + 1;
    if (how == WIRE_DONE_FAIL || stuck)
        __treadle_failed();
    rt_carrier_leave();
}

uint64_t rt_sched_priority(void)
{
    return (UINT64_C(1) << 33) + (rt_random(&rt->rng) >> 31);
}
