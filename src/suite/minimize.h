/* SPDX-License-Identifier: Apache-2.0 */
/* suite/minimize.h - a regression suite from recordings.
 *
 * Purpose     Chooses few recordings that cover what all of them cover, and writes them as a suite
 *             that is replayed without exploring.
 * Words       item: session/run_items.h.
 * Invariants  (M1) the chosen runs cover every item that a usable run covers;
 *             (M2) none of them can be left out;
 *             (M3) every recording of a bug that still fails is in the suite.
 * Cost        A run of the program for each recording; choosing is greedy.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "session/run_items.h"

typedef struct sui_min_opts {
    char *const *paths; /* n: recordings, or directories of sessions */
    size_t n;
    const char *out_dir; /* NULL: treadle-suite */
    bool force;          /* replace a suite that is there */
    const ses_exec *exec;
    FILE *out, *err; /* NULL: stdout, stderr */
} sui_min_opts;

typedef struct sui_min_result {
    uint32_t n_runs, n_kept; /* usable runs; those that were chosen */
    uint32_t n_bugs;         /* that still fail: all of them are kept */
    uint32_t n_failed;       /* runs that fail now */
    uint32_t n_left;         /* that could not be followed, or no longer fail */
    uint64_t n_items[SES_N_ITEMS];
} sui_min_result;

TD_MUST_USE td_status sui_minimize(const sui_min_opts *opts, sui_min_result *out,
                                   td_diag *diag);

/* The items of recordings, and which of these are chosen. */
typedef struct sui_candidate {
    const ses_item *items;
    size_t n_items;
    uint32_t cost; /* of two with equal cover, the smaller is taken */
    bool is_chosen;
} sui_candidate;

/* Sets is_chosen. */
void sui_choose(sui_candidate *all, size_t n);
