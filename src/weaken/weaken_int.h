/* SPDX-License-Identifier: Apache-2.0 */
/* weaken/weaken_int.h - the advisor's own parts. */
#pragma once

#include "weaken/weaken.h"

typedef struct wkn {
    const wkn_opts *opts;
    const ses_exec *exec;
    rep_weakening *out;
    char *dir;           /* folder of the sessions */
    FILE *nowhere;       /* where reports of the sessions go: `treadle show` has them */
    uint32_t n_explored; /* sessions so far */
} wkn;

/* Explores the program with these orders in place of its own; t->order is left as it is. orders, unless
 * NULL, gets the operations that were executed. */
TD_MUST_USE td_status wkn_explore(wkn *w, const trc_weaker_vec *weaker,
                                  ses_ordered_vec *orders, rep_try *t, td_diag *diag);
