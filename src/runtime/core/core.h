/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/core.h - what core does for the folders above it.
 *
 * Purpose     Operations of threads, who runs next, objects and their clocks, records, failures. The
 *             words and the invariants are in state.h; what core calls of others is in above.h.
 */
#pragma once

#include "model/model.h"
#include "runtime/core/state.h"

/* ---- clocks (clock.c) ---- */

void rt_clock_join(rt_clock *into, const rt_clock *from);
void rt_clock_copy(rt_clock *into, const rt_clock *from);
void rt_clock_set(rt_clock *c, uint32_t thread, uint32_t segment);

static inline uint32_t rt_clock_get(const rt_clock *c, uint32_t thread)
{
    return thread < c->len ? c->at[thread] : 0;
}

/* ---- storage (storage.c, kept.c) ---- */

/* Storage until the end of the run, zeroed. NULL never: a full region ends the run. */
void *rt_bump(size_t size);
void *rt_bump_unset(size_t size); /* what an earlier run left is still there */
void rt_bump_reset(void);
/* These bytes were given out in this run. */
bool rt_bump_has(uint64_t start, uint64_t size);
/* Storage that is kept from run to run; a full region ends the process. */
void *rt_saved_alloc(size_t size);

/* ---- objects (object.c) ---- */

rt_object *rt_object_at(uint64_t address);
rt_object *rt_object_known(uint64_t address); /* NULL: there is none */
uint32_t rt_n_objects(void);
uint32_t rt_object_index(const rt_object *o);
/* The first object with a type from that address on, below end; NULL. */
rt_object *rt_object_between(uint64_t start, uint64_t end);
rt_object *rt_object_by_index(uint32_t index);
void rt_objects_reset(void);
/* It is one of that type from now on, free and without an owner. */
void rt_object_become(rt_object *o, uint8_t type);

/* ---- threads that wait to be woken (queue.c) ---- */

void rt_queue_add(rt_object *o, uint32_t thread);
/* It was woken: takes the oldest mark that it can. */
void rt_queue_leave(rt_object *o, uint32_t thread);
/* The object is destroyed: threads that were woken no longer touch it. */
void rt_queue_let_go(const rt_object *o);
/* Threads that wait and that nobody has woken. */
uint32_t rt_queue_blocked(const rt_object *o);
bool rt_queue_woken(const rt_object *o, uint32_t thread);
/* Wakes at most n of the threads that wait now; how many. */
uint32_t rt_queue_wake(rt_object *o, uint32_t n);
void rt_queue_wake_all(rt_object *o);
void rt_queue_tell(const rt_object *o); /* NOTE_WOKEN */

/* ---- release sequences of atomics (release.c) ---- */

/* An exchange of the thread releases this clock: a sequence beside those of others, which head
 * is one of. The caller joins o->clock. */
void rt_release_beside(rt_object *o, uint32_t thread, const rt_clock *clock);
/* There are several: all but the thread's own end. False: it has none. */
bool rt_release_only(rt_object *o, uint32_t thread);
/* Of what an exchange of the thread changes. */
void rt_release_save(rt_object *o, uint32_t thread, rt_released *out);
void rt_release_restore(rt_object *o, uint32_t thread, const rt_released *saved);

/* ---- what threads hold (held.c) ---- */

/* T takes the object, and learns its clock; gives it back, and leaves its own. */
void rt_held_take(rt_thread *t, rt_object *o);
void rt_held_give(rt_thread *t, rt_object *o);
/* Undoes that t took the mutex. The clocks are the caller's. */
void rt_held_untake(rt_thread *t, rt_object *o);

static inline bool rt_held_by_self(const rt_object *o)
{
    return o->state == RT_OBJECT_HELD && o->owner == rt->self->id;
}

/* ---- segments (segment.c) ---- */

/* A segment of t starts; it is made the running one. */
void rt_segment_start(rt_thread *t);
/* Inserted code sees the segment of t from now on. */
void rt_segment_show(const rt_thread *t);

/* ---- operations and scheduling (sched.c) ---- */

/* Self's next operation, to be completed by the caller and then waited for. It is filled in place:
 * a copy of what was just written in pieces would stall the processor. */
static inline rt_op *rt_op_new(uint8_t kind, uint32_t site, uint64_t object)
{
    rt_op *op = &rt->self->pending;
    op->kind = kind;
    op->size = op->order = op->rmw = op->type = 0;
    op->site = site;
    op->target = op->flags = 0;
    op->object = object;
    op->model = NULL;
    op->a = op->b = 0;
    op->patient = op->cancellable = op->interruptible = op->has_value = false;
    op->wrong = NULL;
    op->spins = false;
    return op;
}

/* Self has done, or may have done, something that another round of a loop would find. */
static inline void rt_changed(void)
{
    PLAN_CTL->changed = 1;
}
/* Waits until it is granted; its result. May not return (the run ended). */
uint64_t rt_operation(void);

/* No other thread has been made in this run: none can notice what self does. */
static inline bool rt_is_only_thread(void)
{
    return rt->n_threads <= 1;
}

/* Every other thread of this run was joined, by self or by one that was: all they did comes before
 * what self does now, in each run of this trace. */
static inline bool rt_is_alone(void)
{
    return rt->n_threads == rt->n_joined + 1;
}

/* Self sets or gets (WIRE_SET, WIRE_GET) something that threads share and that is not memory. */
static inline void rt_step(uint8_t kind, uint32_t site, uint64_t object)
{
    rt_op_new(kind, site, object);
    rt_operation();
}

/* The same of what was there before the first thread was made; until then it is not an operation. False: it
 * was none. */
static inline bool rt_shared_step(uint8_t kind, uint32_t site, uint64_t object)
{
    if (rt_is_only_thread())
        return false;
    rt_step(kind, site, object);
    return true;
}

/* The thread has perhaps looked at memory in code that is not instrumented. */
void rt_take_unseen(rt_thread *self);
/* Self has ended or waits: another thread continues. */
void rt_schedule(void);
/* An operation that does not count in the depth of the job was done: the end of a thread, a decision, or a
 * read that was undone. */
void rt_depth_forgive(void);
void rt_sched_reset(void);
/* Self, whose pending operation spins, waits until it is chosen again. */
void rt_sched_spin(void);

/* ---- the end of a run (run_end.c) ---- */

/* Ends the run: the process goes back to where it waits for jobs. From any thread. */
_Noreturn void rt_run_end(enum wire_done how, uint64_t value);
/* Called, and stopped at by a debugger, when the run has failed. */
void __treadle_failed(void);
/* So is the act at which a debugger is to stop. */
void __treadle_stop(void);
/* Self has done an operation, or is about to make a plain access that was told: stops if a debugger wants to. Called only
 * if shm.is_debugged. */
void rt_act_told(void);

/* ---- who can continue (enabled.c) ---- */

/* The state of the object changed: threads that wait for it can continue, or no longer can. */
void rt_sched_object(const rt_object *o);
/* The thread has ended: one that waits to join it can continue. */
void rt_sched_ended(const rt_thread *t);
/* An operation of that kind was done: threads that wait to do one that depends on it no longer sleep. */
void rt_sched_wake(const rt_thread *by, uint8_t kind);

/* ---- what threads wait for (waits.c) ---- */

/* With WIRE_JOB_NEXT: what each waiting thread waits to do. */
void rt_emit_nexts(void);
/* Reports threads that wait forever. True if there are any. */
bool rt_emit_stuck(void);

/* ---- what an operation is about (dependence.c) ---- */

/* An operation that turned out to be of that kind, and one that is waited for. */
bool rt_depends(const rt_op *done, uint8_t kind, const rt_op *waiting);
/* Whether an access stands for all of its granule (WIRE_ORDER_WHOLE); the address of its model,
 * which is not an object of the program's then. */
bool rt_op_is_whole(const rt_op *op);
uint64_t rt_op_model(const rt_op *op);
/* WIRE_F_PATIENCE of an operation. */
uint8_t rt_op_patience(const rt_op *op);

/* ---- what operations do (grant.c) ---- */

/* Carries out the pending operation of t and writes its record. */
void rt_grant(rt_thread *t, uint32_t n_enabled, uint8_t flags);

/* The part of t before the operation that is recorded now is over: what the record says of it. */
static inline uint8_t rt_part_end(rt_thread *t)
{
    uint8_t flags = t->saw ? WIRE_F_SAW : 0;
    t->saw = false;
    return flags;
}

/* ---- operations on objects of the threads library (object_ops.c) ---- */

/* Self's next operation on an object of that type. */
rt_op *rt_sync_op(uint8_t kind, const void *object, enum rt_object_type type);
rt_op *rt_sync_op_at(uint32_t site, uint8_t kind, const void *object,
                     enum rt_object_type type);
/* rt_operation; misuse of an object ends the run with a failure. */
uint64_t rt_sync_operation(void);
/* The pending operation is wrong, as the sentence says: %o is the operation, %t the object. */
_Noreturn void rt_sync_misuse(const char *wrong);
/* The pending operation gives back what self does not hold; is_held: another does. */
_Noreturn void rt_sync_not_held(bool is_held);
/* Memory is given back: what it holds is gone; an operation on each of them. */
void rt_sync_free(uint64_t start, uint64_t end, uint32_t site);
/* Self ends: it may not hold anything. */
void rt_sync_end(void);

/* ---- time (virtual_time.c) ---- */

/* Every thread has its own time. It moves on by sleeping, by asking, and with what others did
 * before: t knows of something that happened then. */
void rt_time_hears(rt_thread *t, uint64_t ns);
/* T has done an operation to the object. */
void rt_time_passes(rt_thread *t, rt_object *o, bool is_exclusive);
/* When runs start. Clocks of the processor count from then on. */
#define RT_TIME_START (UINT64_C(1700000000) * 1000000000)

/* ---- carriers (carrier.c) ---- */

/* T will start in rt_thread_entry, with these floating-point control words. */
void rt_carrier_prepare(rt_thread *t, uint64_t fenv);
uint64_t rt_carrier_fenv(void); /* those of now */
void rt_carrier_switch(rt_thread *from, rt_thread *to);
void rt_carrier_enter(rt_thread *first); /* main; returns when the run ended */
_Noreturn void rt_carrier_leave(void);   /* back to rt_carrier_enter */
void rt_stacks_create(uint32_t n);
void rt_stacks_restore(void);            /* all are free and clean again */
uint32_t rt_stack_take(uint32_t thread); /* RT_NONE: none is free */
void rt_stack_give(rt_thread *t);        /* its owner has ended */

/* ---- threads (threads.c) ---- */

/* WIRE_ENDED_* of a run with stores that are kept. */
static inline uint8_t rt_stores_ended(void)
{
    return (uint8_t)((rt->keeps_stores ? WIRE_ENDED_STORES : 0) |
                     (rt->has_labelled ? WIRE_ENDED_LABELS : 0));
}

/* Of a thread or an operation; above all that PCT lowers threads to. */
static inline uint64_t rt_random_priority(void)
{
    return (UINT64_C(1) << 33) + (rt_random(&rt->rng) >> 31);
}

/* Where it is about to operate. */
static inline uint32_t rt_op_place(const rt_thread *t)
{
    return wire_place(t->pending.site, t->id == 0 ? 0 : (uint64_t)t->start);
}

/* A thread that parent's pending operation creates; a run that has too many ends. */
rt_thread *rt_thread_new(rt_thread *parent);
void rt_threads_reset(void);
/* It has ended. */
void rt_live_remove(uint32_t id);

static inline bool rt_in_heaps(uint64_t address)
{
    return address - PLAN_SLOTS < PLAN_STATE - PLAN_SLOTS;
}

/* Where the thread-local storage of threads is, beside our own state. */
static inline bool rt_in_lent(uint64_t address)
{
    return address - PLAN_STATE < PLAN_STATE_SIZE;
}

/* ---- footprints (footprint.c) ---- */

/* Self touches [p, p + size) in that way (enum wire_touch). Only where rt->footprint is set. */
void rt_footprint_add(uint64_t p, uint64_t size, uint8_t how, uint32_t site);
void rt_footprint_flush(void);
void rt_footprint_reset(void);
/* Writes the record of a range of that part. */
void rt_footprint_tell(const rt_range *x);

/* ---- bytes by pages (touched_pages.c) ---- */

void rt_touched_pages_add(const rt_range *x);
void rt_touched_pages_flush(void); /* tells them; there are none then */
void rt_touched_pages_reset(void); /* forgets them */

/* ---- failures (fail.c) ---- */

/* Tells of a failure of self; flags: of the NOTE_FAIL. */
void rt_fail_as(enum wire_fail kind, uint8_t flags, uint32_t site, uint64_t object,
                uint64_t value);
void rt_fail(enum wire_fail kind, uint32_t site, uint64_t object, uint64_t value,
             const char *text); /* writes the note; rt_fail_done follows */
/* The same where the run continues, and an access that was reported is still to come. */
void rt_fail_going_on(enum wire_fail kind, uint32_t site, uint64_t object,
                      uint64_t value);
_Noreturn void rt_fail_end(enum wire_fail kind, uint32_t site, uint64_t object,
                           uint64_t value, const char *text);
/* Self stays at site for good, while others continue. */
_Noreturn void rt_stand(uint32_t site);
/* After self's failure was recorded: with WIRE_JOB_STAND self stops and the others continue;
 * otherwise the run ends. */
_Noreturn void rt_fail_done(uint32_t site, uint64_t value);
/* True if the next failure of self does not end the run. */
bool rt_fail_stands(void);

/* ---- records (emit.c) ---- */

wire_rec *rt_emit(uint8_t kind);
void rt_emit_text(const char *text);
void rt_emit_publish(void);
void rt_emit_show(void); /* what is there may be read; nobody is woken */
/* An address as text, for a failure without a site. */
#define RT_HEX_TEXT 19
void rt_hex(uint64_t value, char out[RT_HEX_TEXT]);
uint64_t rt_peek(uint64_t address, uint32_t size);

/* ---- what must be told before what follows (flush.c) ---- */

void rt_flush_write(void); /* detail: the value of the last plain write is known now */
void rt_flush(void); /* that, and ranges: all that must be told before what follows */

/* ---- stacks (frames.c) ---- */

/* Tells the return addresses on t's stack if they are asked for and others than before; frame is
 * where its chain of frames starts (frames.c). */
void rt_frames(rt_thread *t, uint64_t frame);

/* ---- what is not covered (gaps.c, refuse.c) ---- */

void rt_gap(enum wire_gap kind, uint32_t site, const char *text);
/* The same, once for each kind and site in a run. */
void rt_gap_once(enum wire_gap kind, uint32_t site, const char *text);
void rt_gaps_reset(void);
/* True the first time in a run. kind: enum wire_gap, or more than these. */
bool rt_first_at(uint32_t kind, uint32_t site);
/* The run ends because of a call that is not modelled. */
_Noreturn void rt_refuse(const char *name, uint32_t site);
/* The call changes what a restart does not put back: the process is not used again. */
void rt_taint(const char *name, uint32_t site);

/* ---- sites (site_numbers.c) ---- */

typedef struct rt_image {
    uint64_t first, end; /* of the site table */
    uint32_t first_site;
} rt_image;

typedef struct rt_images {
    rt_image at[WIRE_MAX_IMAGES];
    uint32_t n;
    uint32_t n_sites;
    bool too_many; /* what the others do would not be seen */
} rt_images;

extern RT_HIDDEN rt_images rt_known_images;

uint32_t rt_site_number(uint64_t site);
const wire_site *rt_site_by_number(uint32_t number); /* NULL: there is none */
/* The site stored before the call of a replaced function. Where other code called it, that of the
 * last call of code that is not instrumented, by this thread; 0: there was none. */
uint32_t rt_call_site(void);
/* Stored in its place by what the executable exports: 1, and the use of WIRE_WATCHED above it. */
#define RT_SITE_FOREIGN 1
#define RT_SITE_USE 8
#define RT_SITE_MARKERS 65536
/* Whether accesses of the site can be operations. */
bool rt_can_be_promoted(uint32_t site);
