/* SPDX-License-Identifier: Apache-2.0 */
/* explore/unfold/inputs.h - inputs for the decisions of a configuration.
 *
 * Purpose     Keeps an unfolding together with what its decisions say about the inputs.
 * Words       decision, configuration: docs/glossary.md. condition: path/path.h.
 * Invariants  (I1) job is the answer to the last question that was answered with XPL_SAT.
 */
#pragma once

#include "explore/core/explore.h"
#include "unfold/unfold.h"

typedef struct xpl_inputs {
    unf *u; /* owned */
    pth *path;
    xpl_solver solver;
    exp_value_vec values; /* values of the last run, or found since */
    trc_chosen_vec job;   /* inputs for a run of the configuration */
    uint64_t n_unknown;   /* suspects that the solver could not decide */
    exp_ref_vec conditions;
    unf_vec paths;
    unf_side_vec sides;
} xpl_inputs;

/* in must not move afterwards. */
void xpl_inputs_init(xpl_inputs *in, const xpl_opts *opts);
void xpl_inputs_fini(xpl_inputs *in);
/* Starts with another, empty unfolding; what is known of inputs stays. */
void xpl_inputs_restart(xpl_inputs *in, const xpl_opts *opts);
void xpl_inputs_insert(xpl_inputs *in, const trc *t);
/* Are there inputs with which all of a configuration can be run? */
xpl_answer xpl_inputs_find(xpl_inputs *in, const unf_cfg *c);
