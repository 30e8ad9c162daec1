/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/spin.h - loops that wait for other threads (spin.c, rounds.c, retry.c). */
#pragma once

#include "runtime/core/core.h"

/* Takes over what inserted code and others have told by rt_changed. */
void rt_spin_take(rt_thread *self);
/* Self has come here with a plain access; of a write, before it is done. Without notices nothing
 * would come of it. */
static inline bool rt_spin_notices(const rt_thread *self, bool is_write)
{
    const rt_spin *s = &self->spin;
    return s->lists || s->armed > 0 || (is_write && s->writes) || s->stores.n_left > 0;
}
void rt_spin_access(rt_thread *self, uint64_t p, uint64_t size, bool is_write,
                    uint32_t site);
/* The thread decides by a symbolic value. */
void rt_spin_decides(rt_thread *t);
/* The pending operation of t is carried out, and was, with this outcome. */
void rt_spin_before(rt_thread *t);
void rt_spin_after(rt_thread *t, const wire_rec *r, uint64_t old);
/* True if the thread, which spins, can continue. */
bool rt_spin_enabled(const rt_thread *t);
/* True if one of the values that the thread read in its last round has changed. */
bool rt_spin_is_stale(const rt_thread *t);
/* While rt->trying: the pending operation of self, which is not done; its result. */
uint64_t rt_spin_again(rt_thread *self);
/* No thread can continue: t, which spins, makes a round more. */
void rt_spin_try(rt_thread *t);
/* The thread that is tried does something else than in the round before: it does not wait forever. */
_Noreturn void rt_spin_leave(void);
/* Self has done an operation, which is perhaps the end of a round that began with it. */
void rt_spin_turn(rt_thread *self);
/* A round since that header left something behind that was not there before (rounds.c). */
bool rt_round_left_changes(const rt_thread *self, const wire_loop *loop,
                           const wire_round *since);

/* Operations of a round since that header that did nothing but read memory, whatever it read, as long as it
 * decides the same; 0: it did more, or that depends on values (rounds.c). */
uint32_t rt_round_reads(const rt_thread *self, const wire_round *since);
/* What is known of a round as one that did nothing is not what WIRE_JOB_ROUNDS is about, nor wrong. */
bool rt_round_is_apart(const rt_thread *self, const wire_round *since);

/* Self stops for the rest of the run, as what follows is seen elsewhere. Returns where it cannot. */
void rt_cut(rt_thread *self, uint32_t site);

/* ---- fold.c: loop headers that are told ---- */

/* Self is about to write there with a plain access that is no operation. */
void rt_fold_wrote(rt_thread *self, uint64_t p, uint64_t size);
/* The thread has done an operation that is more than a read. */
void rt_fold_did(rt_fold *f, uint8_t kind);
typedef struct rt_fold_here {
    uint64_t state; /* hash of the PHIs, and of what the runtime keeps of the thread */
    bool carries;   /* a PHI depends on what was read, and has no place */
    uint32_t site;
    uint32_t n_phis; /* that may depend on what was read */
    plan_phi *phis;
} rt_fold_here;
/* Self is at the header. */
void rt_fold_header(rt_thread *self, wire_loop *loop, bool enters,
                    const rt_fold_here *here);

/* ---- left_out.c: rounds that could have been left out ---- */

/* Such rounds are looked for in this run. */
bool rt_cut_wanted(void);
/* The pending operation of by is done: other threads' rounds may be seen by it. Only if
 * rt->storing. */
void rt_cut_noticed(const rt_thread *by);
/* Self has come here with a plain access. */
void rt_cut_access(rt_thread *self, uint64_t p, uint64_t size);
/* The pending operation of t was carried out; is_read: it left everything as it was. */
void rt_cut_after(rt_thread *t, const wire_rec *r, bool is_read);
/* Self has come to the header from outside; round the loop, before loop->last is moved, which
 * left plain changes behind or not. */
void rt_cut_enter(rt_thread *self, const wire_loop *loop);
void rt_cut_round(rt_thread *self, const wire_loop *loop, uint64_t state,
                  bool left_changes);

/* ---- retry.c: rounds that take and give locks, wait for a while, or ask for the time ---- */

/* An operation that another one of the round can make up for. */
bool rt_retry_is_half(const rt_thread *t, const wire_rec *r);
bool rt_retry_is_mutex(uint8_t kind);
/* Every half has its other half, with nobody in between, in the operations from that number on. */
bool rt_retry_is_even(const rt_thread *self, uint64_t from);
/* The last operation can be undone, and self wait there. */
bool rt_retry_can_wait(const rt_thread *self);
/* Nobody else could do anything. */
bool rt_retry_is_alone(const rt_thread *self);
/* The last operation, which takes a mutex, is undone; or done again. */
void rt_retry_untake(rt_thread *t);
void rt_retry_retake(rt_thread *t);
/* Self asks for the time, which goes to out if that is not NULL; waits until then at most. */
void rt_retry_asks(rt_thread *self, const void *out);
void rt_retry_until(rt_thread *self, const struct timespec *until);
/* The write since then only left another time behind. */
bool rt_retry_is_time(const rt_thread *self, const wire_loop *loop,
                      const wire_round *since, const rt_write *w);
/* A round that changed nothing but times would do the same at any later time. If that is not known
 * yet, false; time leaps, to see what the next one does. */
bool rt_retry_knows(rt_thread *self, wire_loop *loop, const wire_round *since);
