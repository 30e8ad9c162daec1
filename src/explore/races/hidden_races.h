/* SPDX-License-Identifier: Apache-2.0 */
/* explore/races/hidden_races.h - data races that runs have not shown, where some operations are hidden.
 *
 * Purpose     Compares what threads touch, side by side, in configurations of visible events
 *             that no run need have executed. A happens-before that comes of hidden operations
 *             only does not count: they can be done in another order.
 * Words       hidden, visible: explore/races/visibility.h. part: what a thread does between two
 *             operations; it is named by the visible event before it, its history, and the
 *             number of hidden operations since.
 *             place: parts of one thread that touch the same and hold the same locks.
 *             suspect: two parts that can be reached at the same time and race.
 * Invariants  (R1) a suspect can be run: its cone fits, inputs exist, and the hidden
 *                  operations of its two threads can be interleaved so that no mutex is held
 *                  twice. (Both orders of the two are suspects: what a thread accesses before,
 *                  in the same part, may be all that a run sees of it.)
 * Ownership   Keeps numbers of events; dies with the unfolding.
 * Cost        A new part is compared with the parts of places that touch bytes of it; where
 *             there are many, those that fit are found by a walk.
 */
#pragma once

#include "unfold/unfold.h"

typedef struct xpl_hidden_races xpl_hidden_races;

/* Two threads, where each is to be. */
typedef struct xpl_suspect {
    uint32_t history[2];
    uint32_t part[2];
    bool steps[2]; /* its next operation, an atomic access, comes then as well */
    int last;      /* which thread comes to its place after the other one is at its own */
    td_id pair;    /* pair of sites */
    uint64_t start, end; /* bytes of one of the accesses */
} xpl_suspect;

typedef struct xpl_hidden_races_opts {
    unf *u;
    const td_id_set *known; /* pairs of sites that have been seen to race */
    void *self;
    bool (*feasible)(void *self, unf_cfg *c); /* inputs exist for its decisions */
} xpl_hidden_races_opts;

xpl_hidden_races *xpl_hidden_races_new(const xpl_hidden_races_opts *opts);
void xpl_hidden_races_free(xpl_hidden_races *r);

/* The run that was projected and has just been inserted into the unfolding. */
void xpl_hidden_races_insert(xpl_hidden_races *r, const trc *t, const bool *hidden);

/* Choices of the scheduler among the hidden operations after a history. */
uint32_t xpl_hidden_races_choices(const xpl_hidden_races *r, uint32_t history);
/* Visible event e of a run: what its thread did in the part after it, as a hash. */
td_id xpl_hidden_races_manner(const xpl_hidden_races *r, uint32_t event);

/* Takes the next suspect that is not known to race; false: there is none now. */
bool xpl_hidden_races_next(xpl_hidden_races *r, xpl_suspect *out);
bool xpl_hidden_races_is_empty(const xpl_hidden_races *r);
/* True if there is another suspect of the pair of sites. */
bool xpl_hidden_races_has(const xpl_hidden_races *r, td_id pair);
/* c is made to hold both histories: the steps to where the two are to be. */
void xpl_hidden_races_schedule(xpl_hidden_races *r, const xpl_suspect *s, unf_cfg *c,
                               trc_step_vec *out);
uint64_t xpl_hidden_races_uncompared(const xpl_hidden_races *r);
