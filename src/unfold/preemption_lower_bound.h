/* SPDX-License-Identifier: Apache-2.0 */
/* unfold/preemption_lower_bound.h - preemptions that every run of a configuration has.
 *
 * Purpose     Counts, for a configuration to which events are added one after the other, the places
 *             at which an enabled thread is left in every order of its events and with any further
 *             events. Every run has at least so many preemptions.
 * Words       parted: an event of another thread comes between two events of a thread, by its
 *             causes, and the second could have been done before.
 *             passed: a history whose thread's next operation would have changed an event that comes after it.
 * Invariants  (M1) an event is added after its causes;
 *             (M2) a history is passed at most once, and an event that follows it is parted from
 *                  it: the sum of both never shrinks as events are added.
 * Cost        Threads, for each event and cause. */
#pragma once

#include "unfold/unfold_int.h"

/* All-zero is empty. */
typedef struct unf_lower_bound {
    const unf *u;
    uint32_t n_threads;
    unf_vec order;  /* the events */
    unf_vec clocks; /* n_threads for each */
    unf_vec ranks;  /* by event: its place in order */
} unf_lower_bound;

void unf_lower_bound_fini(unf_lower_bound *m);
/* To be called before the first event, and when there are more threads. */
void unf_lower_bound_clear(unf_lower_bound *m, const unf *u);
void unf_lower_bound_add(unf_lower_bound *m, uint32_t event);
/* Forgets all but the first n. */
void unf_lower_bound_cut(unf_lower_bound *m, size_t n);

/* True if the thread of an event that was added is preempted between it and the event before. */
bool unf_lower_bound_parts(const unf_lower_bound *m, uint32_t event);
/* True if the thread at the history is preempted there: one of the added events comes between. */
bool unf_lower_bound_passed(const unf_lower_bound *m, uint32_t history);
/* The short form: true if the last state in c, that of the events, is such an event. */
bool unf_lower_bound_replaced(const unf_lower_bound *m, unf_cfg *c, uint32_t history);
