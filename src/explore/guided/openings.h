/* SPDX-License-Identifier: Apache-2.0 */
/* explore/guided/openings.h - inputs for sides of branches that no run has taken.
 *
 * Purpose     For a run that showed something new, queries inputs that agree with its decisions up to
 *             one of them, and take another outcome there. The result is a future job: the schedule
 *             up to there, and these inputs.
 * Invariants  (O1) a decision (site and bucket) is queried at most XPL_MAX_ASKED times, and a run at
 *             most for XPL_MAX_ASKED_RUN of its decisions; (O2) the same runs and answers give the
 *             same openings.
 * Ownership   Owns its expressions and openings. The solver lives longer.
 * Cost        Building the expressions of a run once; then a query for each decision.
 */
#pragma once

#include "explore/core/explore.h"
#include "explore/guided/side_cover.h"

enum {
    XPL_MAX_ASKED = 8,
    XPL_MAX_ASKED_RUN = 16,
    XPL_MAX_DECISIONS = 4000, /* decisions of a run that are examined */
    XPL_MAX_OPENINGS = 256    /* that wait */
};

typedef struct xpl_opening {
    trc_step_vec steps;
    trc_chosen_vec inputs;
} xpl_opening;
TD_VEC(xpl_opening, xpl_opening_vec);

typedef struct xpl_openings {
    xpl_solver solver;
    pth *path; /* NULL: no run had inputs yet */
    exp_value_vec values;
    exp_ref_vec conditions;
    xpl_cover_map asked; /* decision -> how often */
    xpl_opening_vec waiting;
} xpl_openings;

void xpl_openings_init(xpl_openings *o, const xpl_solver *solver);
void xpl_openings_fini(xpl_openings *o);
/* The run was added to the sides last. */
void xpl_openings_look(xpl_openings *o, const xpl_side_cover *sides, const trc *t);
/* Takes the oldest one and adds it to both vectors. False: there is none. */
bool xpl_openings_take(xpl_openings *o, trc_step_vec *steps, trc_chosen_vec *inputs);
