/* SPDX-License-Identifier: Apache-2.0 */
/* explore/core/target_estimate.h - estimates the remaining work from what targets have led to so far.
 *
 * Purpose     A search is a tree: the run of a target finds further targets. Targets are sorted
 *             into classes, and what the targets of a class have led to so far predicts what its open
 *             ones will lead to. Counts only: no clock, no event.
 * Words       level: how deep a target lies; what it leads to lies deeper. kind: a second mark
 *             by which targets are told apart. class: a level and a kind. done: of a target
 *             that was run, or given up.
 * Invariants  (G1) the estimate is of targets still to be done, not of runs;
 *             (G2) with nothing open it is 0.
 * Cost        XPL_CLASSES squared numbers; an estimate looks at each of them once.
 * Reading     Knuth, Estimating the efficiency of backtrack programs, 1975; Chen, Heuristic
 *             sampling: a method for predicting the performance of tree searching programs, 1992.
 */
#pragma once

#include <stdint.h>

enum { XPL_LEVELS = 128, XPL_KINDS = 4, XPL_CLASSES = XPL_LEVELS * XPL_KINDS };

typedef struct xpl_estimate {
    uint64_t found[XPL_CLASSES]; /* targets */
    uint32_t *led; /* [from * XPL_CLASSES + to]: targets that those of from led to;
                                  * NULL while there are none */
} xpl_estimate;

void xpl_estimate_fini(xpl_estimate *g);

/* The class of a target; levels beyond the last are the last. */
uint32_t xpl_estimate_class(uint32_t level, uint32_t kind);

/* A target of class to was found by the run of one of class from. The first run counts as one of
 * class 0, which was found when the first target of all is. */
void xpl_estimate_add(xpl_estimate *g, uint32_t from, uint32_t to);

/* Targets that are done, open[] of each class being open. */
uint64_t xpl_estimate_done(const xpl_estimate *g, const uint64_t open[XPL_CLASSES]);

/* Targets still to be done: the open ones, and an estimate of all that they will lead to. */
double xpl_estimate_left(const xpl_estimate *g, const uint64_t open[XPL_CLASSES]);
