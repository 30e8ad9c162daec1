/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/core.h - what core provides for higher folders.
 *
 * Purpose     Operations of threads, the scheduler, objects and their clocks, records, failures. The
 *             words and the invariants are in state.h; above.h has the functions that core calls.
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
void *rt_bump_unset(size_t size); /* not cleared: has the contents of an earlier run */
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
/* Makes it a free object of that type. */
void rt_object_become(rt_object *o, uint8_t type);

/* ---- threads that wait to be woken (queue.c) ---- */

void rt_queue_add(rt_object *o, uint32_t thread);
/* Removes a woken thread, which takes the oldest mark that it can. */
void rt_queue_leave(rt_object *o, uint32_t thread);
/* Call when the object is destroyed: threads that were woken no longer touch it. */
void rt_queue_let_go(const rt_object *o);
/* Number of waiting threads that were not woken. */
uint32_t rt_queue_blocked(const rt_object *o);
bool rt_queue_woken(const rt_object *o, uint32_t thread);
/* Wakes at most n of the waiting threads; returns how many. */
uint32_t rt_queue_wake(rt_object *o, uint32_t n);
void rt_queue_wake_all(rt_object *o);
void rt_queue_tell(const rt_object *o); /* NOTE_WOKEN */

/* ---- release sequences of atomics (release.c) ---- */

/* An exchange of the thread releases this clock: a sequence beside those of others, which head
 * is one of. The caller joins o->clock. */
void rt_release_beside(rt_object *o, uint32_t thread, const rt_clock *clock);
/* Ends all release sequences of the object except the thread's own, if there are several. False: the thread
 * has none. */
bool rt_release_only(rt_object *o, uint32_t thread);
/* Save and restore what an exchange by the thread changes. */
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

/* Starts self's next operation, which the caller completes and then waits for. It is filled in place: a copy
 * of what was just written in pieces would stall the processor. */
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

/* The same for objects that may be older than the first thread: before it is created this is not an
 * operation, and the result is false. */
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
/* Call after an operation of self, or before a recorded plain access, if shm.is_debugged: stops if a
 * debugger requests it. */
void rt_act_recorded(void);

/* ---- enabled threads (enabled.c) ---- */

/* Call after the state of the object changed: updates which threads that wait for it are enabled. */
void rt_sched_object(const rt_object *o);
/* Call after the thread ended: enables the thread that waits to join it. */
void rt_sched_ended(const rt_thread *t);
/* An operation of that kind was done: threads that wait to do one that depends on it no longer sleep. */
void rt_sched_wake(const rt_thread *by, uint8_t kind);

/* ---- what threads wait for (waits.c) ---- */

/* With WIRE_JOB_NEXT: records the next operation of each waiting thread. */
void rt_emit_nexts(void);
/* Reports threads that wait forever. True if there are any. */
bool rt_emit_stuck(void);

/* ---- what an operation is about (dependence.c) ---- */

/* An operation that turned out to be of that kind, and one that is waited for. */
bool rt_depends(const rt_op *done, uint8_t kind, const rt_op *waiting);
/* rt_op_is_whole: true if an access counts as one of its whole granule (WIRE_ORDER_WHOLE). rt_op_model: the
 * address of its model object, which is then not an object of the program. */
bool rt_op_is_whole(const rt_op *op);
uint64_t rt_op_model(const rt_op *op);
/* Returns WIRE_F_PATIENCE or 0 for an operation. */
uint8_t rt_op_patience(const rt_op *op);

/* ---- what operations do (grant.c) ---- */

/* Carries out the pending operation of t and writes its record. */
void rt_grant(rt_thread *t, uint32_t n_enabled, uint8_t flags);

/* Ends t's segment before the operation that is recorded now; returns the flags for its record. */
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
/* Fails because the pending operation is misuse. In the message %o is the operation and %t the object. */
_Noreturn void rt_sync_misuse(const char *wrong);
/* Fails because the pending operation releases an object that self does not hold; is_held: another thread
 * holds it. */
_Noreturn void rt_sync_not_held(bool is_held);
/* Removes the objects in freed memory, with an operation on each of them. */
void rt_sync_free(uint64_t start, uint64_t end, uint32_t site);
/* Checks that self, which ends, holds no object. */
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
uint64_t rt_carrier_fenv(void); /* the current floating-point environment */
void rt_carrier_switch(rt_thread *from, rt_thread *to);
void rt_carrier_enter(rt_thread *first); /* main; returns when the run ended */
_Noreturn void rt_carrier_leave(void);   /* back to rt_carrier_enter */
void rt_stacks_create(uint32_t n);
/* A stack of RT_SIGNAL_STACK bytes for the signals of a real thread. Below it is memory that cannot be accessed. */
void *rt_signal_stack_new(void);
void rt_stacks_restore(void);            /* all are free and clean again */
uint32_t rt_stack_take(uint32_t thread); /* RT_NONE if none is free */
void rt_stack_give(rt_thread *t);        /* its owner has ended */

/* ---- threads (threads.c) ---- */

/* WIRE_ENDED_* of a run with stores that are kept. */
static inline uint8_t rt_stores_ended(void)
{
    return (uint8_t)((rt->keeps_stores ? WIRE_ENDED_STORES : 0) |
                     (rt->has_labelled ? WIRE_ENDED_LABELS : 0));
}

/* Draws a priority for a thread or an operation, above all those to which PCT lowers threads. */
static inline uint64_t rt_random_priority(void)
{
    return (UINT64_C(1) << 33) + (rt_random(&rt->rng) >> 31);
}

/* Returns the place of the thread's pending operation. */
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

/* True if the address is in the region of thread-local storage, next to our own state. */
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
void rt_touched_pages_flush(void); /* records and clears them */
void rt_touched_pages_reset(void); /* forgets them */

/* ---- failures (fail.c) ---- */

/* Records a failure of self; flags: of the NOTE_FAIL. */
void rt_fail_as(enum wire_fail kind, uint8_t flags, uint32_t site, uint64_t object,
                uint64_t value);
void rt_fail(enum wire_fail kind, uint32_t site, uint64_t object, uint64_t value,
             const char *text); /* records it; rt_fail_done must follow */
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
void rt_emit_show(void); /* publishes the records without waking the reader */
/* An address as text, for a failure without a site. */
#define RT_HEX_TEXT 19
void rt_hex(uint64_t value, char out[RT_HEX_TEXT]);
uint64_t rt_peek(uint64_t address, uint32_t size);

/* ---- buffered records (flush.c) ---- */

void rt_flush_write(void); /* records the last plain write */
void rt_flush(void);       /* the same, and open ranges */

/* ---- stacks (frames.c) ---- */

/* Records the return addresses on t's stack if they are requested and have changed; frame is the start of
 * its chain of frames (frames.c). */
void rt_frames(rt_thread *t, uint64_t frame);
/* Collects the return addresses of all frames, innermost first, followed at RT_FRAMES by the frame pointers of the
 * functions that they return to; returns how many, at most RT_FRAMES. */
uint32_t rt_frames_collect(const rt_thread *t, uint64_t frame,
                           uint64_t at[2 * RT_FRAMES]);

/* ---- gaps (gaps.c, refuse.c) ---- */

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
    uint64_t first, end; /* bounds of the site table */
    uint32_t first_site;
} rt_image;

typedef struct rt_images {
    rt_image at[WIRE_MAX_IMAGES];
    uint32_t n;
    uint32_t n_sites;
    bool too_many; /* accesses of the others would not be seen */
} rt_images;

extern RT_HIDDEN rt_images rt_known_images;

uint32_t rt_site_number(uint64_t site);
const wire_site *rt_site_by_number(uint32_t number); /* NULL: there is none */
/* Returns the site stored before the call of a replaced function. If uninstrumented code called it, returns
 * the site of this thread's last call of uninstrumented code; 0 if there was none. */
uint32_t rt_call_site(void);
/* The executable's exported functions store this instead: 1, and the use of WIRE_WATCHED in the higher bits. */
#define RT_SITE_FOREIGN 1
#define RT_SITE_USE 8
#define RT_SITE_MARKERS 65536
/* True if accesses of the site can be operations. */
bool rt_can_be_promoted(uint32_t site);
