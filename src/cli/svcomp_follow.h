/* SPDX-License-Identifier: Apache-2.0 */
/* cli/svcomp_follow.h - a violation witness of SV-COMP, followed by runs of its program. */
#pragma once

#include "cli/witness_reader.h"

typedef enum cli_violation { CLI_VIOLATES_CALL, CLI_VIOLATES_RACE } cli_violation;

typedef struct cli_followed {
    /* A run that passed its waypoints ended in the violation, and again in three replays. */
    bool is_confirmed;
    uint32_t n_passed; /* passed waypoints, of those that runs can observe */
    uint32_t n_waypoints;
    uint32_t n_runs;
} cli_followed;

/* Follows the witness in the program that treadle cc made of the task. Returns an error for problems of the
 * machine only, not if nothing was confirmed. */
TD_MUST_USE td_status cli_witness_follow(const char *program, const cli_witness *w,
                                         cli_violation what, cli_followed *out,
                                         td_diag *diag);
