/* SPDX-License-Identifier: Apache-2.0 */
/* suite/suite.h - many harnesses, each in a session of its own.
 *
 * Purpose     Runs the harnesses of a directory or a manifest, several at a time: known
 *             recordings first, then `treadle run`; prints a line for each as it ends.
 * Words       harness: a program built with treadle cc, its arguments and options.
 *             known: a recording that is kept with the suite, of a bug or of a run that passes.
 * Invariants  (S1) sessions are processes of their own: whatever happens to one, the others
 *                  and the suite continue;
 *             (S2) no child outlives the suite;
 *             (S3) every harness has a result in the end, also one that was not started.
 * Ownership   sui_opts is borrowed for the call.
 * Threads     None. SIGINT, SIGTERM and SIGCHLD are blocked and waited for meanwhile.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "report/report.h"

/* What a harness must come to; word */
#define SUI_EXPECTATIONS(X)                                                              \
    X(COMPLETE, "complete")                                                              \
    X(NO_BUG, "no-bug")                                                                  \
    X(BUG, "bug")

typedef enum sui_expect {
#define X(name, word) SUI_EXPECT_##name,
    SUI_EXPECTATIONS(X)
#undef X
} sui_expect;

/* What a suite came to, worst first. The rows of tables and lines use the word. */
#define SUI_OUTCOMES(X)                                                                  \
    X(BUG, "BUG")                                                                        \
    X(SUSPECTED, "SUSPECTED")                                                            \
    X(BROKEN, "treadle failed")                                                          \
    X(NOT_STARTED, "cannot start")                                                       \
    X(UNUSABLE, "bad recording")                                                         \
    X(NOT_REPRODUCED, "NOT REPRODUCED")                                                  \
    X(STOPPED, "interrupted")                                                            \
    X(NOTHING, "NOTHING EXPLORED")                                                       \
    X(INCOMPLETE, "incomplete")                                                          \
    X(REPLAYED, "replayed")                                                              \
    X(COMPLETE, "complete")

typedef enum sui_outcome {
#define X(name, word) SUI_##name,
    SUI_OUTCOMES(X)
#undef X
} sui_outcome;

/* Zero means the default, for every field. */
typedef struct sui_opts {
    const char *treadle; /* what to start; NULL: this very program */
    const char *path;    /* a directory or a manifest */
    char *const *only;   /* names, n_only; none: all harnesses */
    size_t n_only;
    const char *const *options; /* n_options options of every `treadle run` */
    size_t n_options;
    uint64_t time_ms; /* for each; 0: 60 s */
    /* For all: each gets its share of what is left; 0: time_ms counts. */
    uint64_t total_ms;
    const char *title;   /* the command; NULL: test */
    bool tells_next;     /* the table has what to do next in place of known recordings */
    uint32_t jobs;       /* at a time; 0: one for each processor */
    sui_expect expect;   /* where a harness does not say */
    bool replay_only;    /* known recordings, no exploring */
    bool save;           /* recordings of bugs become known ones */
    const char *known;   /* directory; NULL: treadle-known beside the harnesses */
    const char *out_dir; /* NULL: treadle-out/test.N */
    const char *junit;   /* path, or NULL */
    bool quiet;          /* no lines while it runs */
    rep_opts report;
    FILE *out, *err; /* NULL: stdout, stderr */
} sui_opts;

/* Runs the suite. *out is the worst unexpected outcome, SUI_COMPLETE if there is none. */
TD_MUST_USE td_status sui_run(const sui_opts *opts, sui_outcome *out, td_diag *diag);
