/* SPDX-License-Identifier: Apache-2.0 */
/* report/report.h - what people and machines read.
 *
 * Purpose     A finding as text with a column per thread; the result of a session as text
 * and JSON. Invariants  (E1) the same recording gives the same bytes; (E2) no line is
 * longer than the width; (E3) a finding takes at most 45 lines, unless full.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"
#include "detect/detect.h"
#include "trace/sites.h"
#include "trace/trace.h"

typedef struct rep_opts {
    uint32_t columns; /* 0: 80; below 60 counts as 60 */
    bool colour;
    bool full; /* every step */
} rep_opts;

/* A value that treadle chose. */
typedef struct rep_input {
    const char *name;
    uint64_t value;
    uint8_t bits; /* 1..64 */
    uint8_t sign; /* enum wire_sign */
    bool matters; /* a decision depends on it */
} rep_input;

TD_VEC(rep_input, rep_input_vec);

/* What the inputs of a run have to do with its finding. */
typedef struct rep_inputs {
    const rep_input *at; /* n, in the order of the run */
    size_t n;
    const char *condition; /* on them, if it must hold; "" or NULL: there is none */
} rep_inputs;

/* What a decision says of the inputs; no function: nothing is known. */
typedef struct rep_decisions {
    /* Of the DECIDE that is operation op of the run, appended to out. */
    void (*print)(void *ctx, uint32_t op, td_text *out);
    void *ctx;
} rep_decisions;

/* t is the run of the finding with WIRE_JOB_DETAIL. program_args: the words after the
 * program. */
typedef struct rep_finding {
    const det_finding *finding;
    const trc *run;
    trc_sites *sites;
    rep_inputs inputs;
    rep_decisions decisions;
    const char *recording; /* path, or NULL */
    uint64_t recording_bytes;
} rep_finding;

void rep_finding_text(const rep_finding *f, const rep_opts *opts, td_text *out);

enum { REP_STAGES = 8 };

/* One way to an answer of the solver. */
typedef struct rep_stage {
    const char *name;
    uint64_t answered; /* queries for which it was the last stage needed */
    uint64_t calls;    /* of an engine; 0 for the others */
    double seconds;    /* in the engine */
} rep_stage;

/* What the solver did. */
typedef struct rep_solver {
    uint64_t queries, sat, unsat, unknown;
    uint64_t cached; /* answered by what was asked before */
    rep_stage stages[REP_STAGES];
    size_t n_stages;
} rep_solver;

/* How far a search got that goes by preemptions. */
typedef struct rep_bound {
    bool is_set;
    int64_t completed;       /* with so many, -1: none ... */
    const char *what, *done; /* ... every "local state" was "reached" */
} rep_bound;

/* A side of a branch that was not taken. */
typedef struct rep_never {
    char *file, *function;
    uint32_t line, column;
    uint32_t side,
        n_sides; /* of a branch: 1 if the condition holds; of a switch: 0 by default */
} rep_never;

TD_VEC(rep_never, rep_never_vec);

/* What was covered for the goal branches. */
typedef struct rep_branches {
    bool is_goal;
    uint64_t n_sides, n_taken, n_candidates;
    const uint64_t *by_degree; /* sides by the interferences that they need, n_degrees */
    size_t n_degrees;
    const rep_never *never; /* n_never */
    size_t n_never;
} rep_branches;

/* The end of a session. */
typedef struct rep_result {
    const char *version;
    const char *program; /* with arguments */
    const char *goal, *search;
    const char *chosen;  /* what the search chose and why, or NULL */
    const char *verdict; /* "bug" | "complete" | "incomplete" */
    const char *stopped; /* why it is incomplete, or NULL */
    const char *covers;  /* what it did if it is complete, as a clause */
    rep_bound preemptions;
    const char
        *rules_out;    /* ... and what there is no other of; NULL: all that it can find */
    uint64_t promoted; /* sites that race, whose accesses were operations */
    uint64_t runs, blocked_runs, events, traces;
    uint64_t whole_traces;  /* that no failure or exit cut short */
    uint64_t repeated_runs; /* of a trace that was there already */
    bool traces_counted;
    td_id digest, trace_digest;
    const det_finding *findings;
    char *const *recordings;  /* paths, one per finding */
    const rep_inputs *inputs; /* one per finding, or NULL */
    size_t n_findings;
    uint64_t most_inputs; /* of a run; 0: the program has none */
    const det_ledger *ledger;
    rep_branches branches;
    rep_solver solver;
    double seconds;
    uint64_t peak_rss_kb;
} rep_result;

void rep_result_text(const rep_result *r, const rep_opts *opts, td_text *out);
void rep_result_json(const rep_result *r, td_text *out);
