/* SPDX-License-Identifier: Apache-2.0 */
/* trace/order.h - the happens-before order of one run, and its reversible races.
 *
 * Purpose     The partial order of a run, for searches that derive the next run by reversing
 *             a race (explore/baselines/dpor.c, explore/baselines/flip.c).
 * Words       move: a choice of the scheduler and the forced operations that follow it: one step of a
 *             schedule. Numbered from 0, like the choices of the run.
 *             race: two moves of different threads that depend on each other directly, where the
 *             second could have been made without the first.
 * Invariants  (O1) before(a, b) implies a <= b;
 *             (O2) dependence is that of trace/trace.h, for the outcomes of the operations.
 * Ownership   A trc_order keeps its storage from run to run; it points into the run it was
 *             taken from until the next one.
 * Threads     None.
 * Cost        Moves times threads in words and time; a race costs the operations on its object
 *             since the first of the two.
 *
 * When can the second be made without the first? Operations that are always enabled (wire/ops.def)
 * can. An operation that waits for its object can if the object, without the first and everything
 * that happens after it, would be open, free of readers, or would have woken the thread. Readers may
 * block a writer together: then it comes before all of them that it does not need, and the first of
 * these is the race's first. So the two ends of a critical section never change places with the next
 * one's lock, but the two locks do. A thread that still waits when the run ends has a race, too, with
 * what closed the object.
 */
#pragma once

#include "trace/trace.h"

typedef struct trc_order trc_order;

typedef struct trc_move {
    uint32_t thread;
    uint32_t first, n; /* its operations */
    uint32_t nth;      /* its number in its thread, from 1 */
    uint32_t past; /* the thread's move before, or the one that created it; TRC_NO_MOVE */
} trc_move;

#define TRC_NO_MOVE UINT32_MAX

typedef struct trc_race {
    uint32_t first;
    /* TRC_NO_MOVE: the operation that the thread waits to do when the run ends. */
    uint32_t second;
    uint32_t thread; /* thread of the second */
    /* The second also has to come before other moves, which block it together with the first: the first ones
     * of other readers, behind it, of this object. 0: before the first alone. */
    uint64_t together;
} trc_race;

TD_VEC(trc_race, trc_race_vec);

trc_order *trc_order_new(void);
void trc_order_free(trc_order *o);

/* Computes the order of a run. */
void trc_order_take(trc_order *o, const trc *t);

uint32_t trc_order_len(const trc_order *o);
trc_move trc_order_at(const trc_order *o, uint32_t move);
/* True if a is b or happens before it. */
bool trc_order_before(const trc_order *o, uint32_t a, uint32_t b);
/* True if the last move ended the run of all threads: exit, or a failure. */
bool trc_order_is_stopped(const trc_order *o);

/* The races whose second is one of the moves from that number on; out is overwritten. */
void trc_order_races(trc_order *o, uint32_t from, trc_race_vec *out);
/* Adds the races that the end of the run shows: those of threads that wait forever, and, if the
 * run was stopped, of its last move with the moves that it did not need. */
void trc_order_last_races(trc_order *o, trc_race_vec *out);

/* The threads that could be chosen instead of the race's first move so that the second comes
 * without it: those that come first among the moves between them that the second needs and that
 * do not need the first. That of the second is the first in out if it is among them. */
void trc_order_starters(trc_order *o, const trc_race *race, trc_u32_vec *out);

/* Returns the operation that its thread requested. */
mdl_wanted trc_wanted_of(const trc_op *op);
/* True unless both orders of the two are the same. */
bool trc_depends(const trc_op *op, const mdl_wanted *wanted);
