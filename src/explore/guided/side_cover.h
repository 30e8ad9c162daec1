/* SPDX-License-Identifier: Apache-2.0 */
/* explore/guided/side_cover.h - sides of decisions on inputs that runs have taken.
 *
 * Purpose     Coverage by inputs, beside pairs of places: an input that entries to a new side is
 *             worth to be kept.
 * Words       side: of a branch 0 or 1, of a switch 0 (default) or a case from 1; of a value that is used as it
 *             is, an address or a length, how many bits it has, so that there are few. Which time its site is
 *             come to in the run is part of it, up to a bucket: a loop that compares letters has new
 *             sides with each.
 * Invariants  (S1) the same runs in the same order give the same sides in the same order; each is there once.
 * Cost        A look into a map for a decision.
 */
#pragma once

#include "base/map.h"
#include "explore/core/pair_cover.h"
#include "trace/trace.h"

enum { XPL_MAX_SIDES = 1 << 16, XPL_NO_SIDE = UINT32_MAX };

typedef struct xpl_taken_side {
    uint32_t site, side;
    uint64_t n_runs;   /* that took it */
    uint64_t last_run; /* the last of these runs */
} xpl_taken_side;
TD_VEC(xpl_taken_side, xpl_taken_side_vec);

/* All-zero is empty. */
typedef struct xpl_side_cover {
    xpl_taken_side_vec sides;
    xpl_cover_map numbers; /* site, side -> number in sides, from 1 */
    uint64_t n_runs;
    uint32_t n_new,
        first_new; /* sides that the last run took first, and the first of them by number */
} xpl_side_cover;

void xpl_side_cover_fini(xpl_side_cover *c);
void xpl_side_cover_add(xpl_side_cover *c, const trc *t);
/* A side that was counted before. False: it is there already, or there are too many. */
bool xpl_side_cover_put(xpl_side_cover *c, const xpl_taken_side *side);
/* XPL_NO_SIDE: no run took it. */
uint32_t xpl_side_cover_find(const xpl_side_cover *c, uint32_t site, uint32_t side);

/* How often the sites of a run's decisions were come to. All-zero is its start. */
typedef struct xpl_site_times {
    xpl_cover_map n;
} xpl_site_times;
void xpl_site_times_fini(xpl_site_times *w);
/* The bucket of the decision that comes next, counted; then a side is named by both. */
uint32_t xpl_site_times_next(xpl_site_times *w, uint32_t site);
uint32_t xpl_side_name(uint32_t bucket, uint64_t side);
