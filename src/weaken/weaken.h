/* SPDX-License-Identifier: Apache-2.0 */
/* weaken/weaken.h - which memory orders a harness needs.
 *
 * Purpose     Explores a program under RC11 with one memory order weaker than it is, for each atomic
 *             operation and fence that it executes; then with all that seem not to be needed.
 * Words       operation: by its place (file, line, column), kind and order. step: from an order to the next
 *             weaker one. needed: with the weaker order a run fails.
 * Invariants  (K1) "needed" has a recording that was replayed; (K2) "not needed" comes from a complete
 *             exploration; (K3) neither is said if the program was not explored completely, and without a
 *             finding, with its own orders.
 * Threads     None.
 */
#pragma once

#include "report/weakening.h"
#include "session/session.h"

typedef struct wkn_opts {
    /* Options of each exploration: program, limits, what is a finding. */
    ses_opts session;
    const char *out_dir; /* folder of all sessions; NULL: treadle-out/NAME-weaken.N */
    bool alone;          /* orders are not weakened together */
    bool quiet;          /* no progress */
} wkn_opts;

/* An error means that it could not start or continue. The caller must free *out even on error. */
TD_MUST_USE td_status wkn_run(const wkn_opts *opts, const ses_exec *exec,
                              rep_weakening *out, td_diag *diag);
