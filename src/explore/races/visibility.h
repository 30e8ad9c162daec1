/* SPDX-License-Identifier: Apache-2.0 */
/* explore/races/visibility.h - which operations affect control flow.
 *
 * Purpose     Determines for each operation of a run whether its order with others matters for
 *             anything but values that no decision depends on. The others are hidden: they belong to
 *             the thread's segment between two visible operations.
 * Words       use: a read that affects control flow (trc.uses). A use is shared if another thread writes
 *             bytes of it, and neither creating nor joining threads orders the two.
 *             section: a thread's operations between locking and unlocking a mutex.
 * Invariants  (A1) what is visible stays visible;
 *             (A2) atomic accesses to bytes of a shared use are visible; so are the mutexes
 *                  held at it, compare-exchanges, and all operations on bytes or objects of
 *                  these;
 *             (A3) a section of a hidden mutex has hidden operations only;
 *             (A4) the last operation of a thread before it ends the run is visible, and what
 *                  a thread waits for forever;
 *             (A5) everything but loads, stores, exchanges, and mutexes that are only initialised,
 *             locked, unlocked and destroyed is visible. By A3 a thread can execute sections of
 *             hidden mutexes without interruption, and threads at visible operations hold no hidden
 *             mutex.
 * Reading     Setiadi, Ohsuga, Maekawa, Efficient execution path exploration for detecting
 *             races in concurrent programs, 2013: BranchRelOP (Algorithm 2) is what is visible.
 */
#pragma once

#include "trace/trace.h"

typedef struct xpl_visibility xpl_visibility;

xpl_visibility *xpl_visibility_new(void);
void xpl_visibility_free(xpl_visibility *a);

/* Learns from a run, which is identified. True if there is more visible than before: then runs
 * seen before are to be learnt from again, until nothing changes. */
bool xpl_visibility_learn(xpl_visibility *a, const trc *t);
/* Everything is visible from now on. True if it was not. */
bool xpl_visibility_all(xpl_visibility *a);

/* True if some use reads a byte of [start, end). */
bool xpl_visibility_is_used(const xpl_visibility *a, uint64_t start, uint64_t end);
/* Which operations of a run are hidden, and which of trc.nexts. */
void xpl_visibility_hidden(const xpl_visibility *a, const trc *t, bool *hidden,
                           bool *next_hidden);
/* Reduces a projected run to what matters for threads that only join and end (unf_is_silent_join): a thread
 * observes only uses; a thread that after a join touches memory that another thread, which it has not
 * joined, touches too observes everything. */
void xpl_visibility_blind(const xpl_visibility *a, trc *t);
