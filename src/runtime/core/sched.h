/* SPDX-License-Identifier: Apache-2.0 */
/* runtime/core/sched.h - shared by the files that choose the next thread.
 *
 * Invariants  (S1) bit t of rt->enabled is set if and only if thread t waits and rt_is_enabled
 *             returned true when its object, or the thread it joins, last changed; threads in spin
 *             loops are checked before each choice;
 *             (S2) rt->n_enabled and rt->n_asleep are the numbers of bits.
 */
#pragma once

#include "runtime/core/core.h"

/* ---- enabled.c ---- */

/* The pending operation of t could be granted now. */
bool rt_is_enabled(const rt_thread *t);
void rt_enabled_set(const rt_thread *t, bool now);
/* The lowest thread from that number on that is enabled and awake, or RT_NONE. */
uint32_t rt_enabled_from(uint32_t id);
/* T starts to wait for its pending operation; was chosen. */
void rt_wait_begin(rt_thread *t);
void rt_wait_end(rt_thread *t);
/* Values change when threads run, not when they are chosen. */
void rt_look_at_loops(void);
bool rt_is_asleep(uint32_t id);
void rt_asleep_set(uint32_t id, bool now);
/* True if a thread could continue that does not sleep. */
bool rt_anyone_awake(void);

/* ---- policy.c ---- */

void rt_policy_reset(void);
uint32_t rt_pick_by_policy(void);
/* Returns the thread that the schedule requires; ends the run if it is not enabled. */
uint32_t rt_pick_by_step(void);
/* Drops the next steps of the schedule that ask for a thread that waits in a loop. */
void rt_pass_over_spins(void);
void rt_count_choice(uint32_t id);

/* A thread that makes this many choices in a row although others could run loses its turn
 * where the policy chooses, so that a loop that waits for another thread ends. */
#define RT_LONG_RUN 1000u
/* Uniform below n, which is not 0. */
uint32_t rt_random_below(uint32_t n);
/* The enabled thread with the highest priority. */
uint32_t rt_highest_priority(void);
uint32_t rt_pick_random(void);

/* ---- sampling.c ---- */

uint32_t rt_pick_pos(void);
uint32_t rt_pick_surw(void);
void rt_walk_reset(void);
/* An entry of the schedule that is a hint for the policy. */
void rt_walk_hint(wire_step step);

/* ---- target_pairs.c ---- */

void rt_target_pairs_reset(void);
/* An entry of the schedule that is about a pair of places. */
void rt_target_pair_hint(wire_step step);
/* Returns the enabled thread with the highest priority among those that the job's target pairs let continue. */
uint32_t rt_pick_target_pair(void);
/* Call for the thread that continues. */
void rt_target_pairs_take(const rt_thread *t);

/* ---- waits.c ---- */

/* Records what a blocked thread waits for, and the objects that it holds. */
void rt_emit_wait(rt_thread *t);
/* Ends a run in which no thread is enabled. That is a deadlock unless a thread would continue all the same,
 * or is about to end the process by a failure. */
_Noreturn void rt_end_blocked(void);
