/* SPDX-License-Identifier: Apache-2.0 */
/* cli/witness_reader.h - violation witnesses of SV-COMP, YAML 2.x, as others write them.
 *
 * Purpose     Reads the places that a violation passes, in order. Nothing in it is trusted.
 * Words       waypoint: a place, and what is true or happens there.
 * Invariants  Any bytes give a witness or an error message. Keys count by their names, not by how far
 *             they are indented, so that both styles of YAML are read.
 * Ownership   The texts belong to the witness.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/vec.h"

#define CLI_WAYPOINTS(X)                                                                 \
    X(ASSUMPTION, "assumption")           /* value holds before the place */             \
    X(BRANCHING, "branching")             /* value: the side that is taken */            \
    X(FUNCTION_ENTER, "function_enter")   /* a call */                                   \
    X(FUNCTION_RETURN, "function_return") /* value: about \result of a call */           \
    X(TARGET, "target")                   /* the violation */

typedef enum cli_way {
#define X(name, text) CLI_WAY_##name,
    CLI_WAYPOINTS(X)
#undef X
        CLI_N_WAYS
} cli_way;

#define CLI_ANY_THREAD UINT32_MAX

typedef struct cli_waypoint {
    cli_way way;
    bool is_avoided;       /* action "avoid": it is not to be passed */
    uint32_t thread;       /* 0: main; or CLI_ANY_THREAD */
    uint32_t line, column; /* 0: not given */
    char *file;            /* never NULL */
    char *value;           /* of the constraint; never NULL */
} cli_waypoint;

TD_VEC(cli_waypoint, cli_waypoint_vec);

typedef struct cli_witness {
    cli_waypoint_vec at;
    char *specification; /* never NULL once read */
} cli_witness;

/* On failure *out is empty. */
TD_MUST_USE td_status cli_witness_parse(const char *text, size_t n, cli_witness *out,
                                        td_diag *diag);
void cli_witness_fini(cli_witness *w);

const char *cli_way_text(cli_way way);

/* The number that a constraint gives to something, as "\result == 5" does; false: it is none of that kind. */
bool cli_constraint_number(const char *constraint, uint64_t *out);
