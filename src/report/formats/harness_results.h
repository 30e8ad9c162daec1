/* SPDX-License-Identifier: Apache-2.0 */
/* report/formats/harness_results.h - results of many programs as JUnit XML: a suite for each, its checks as cases. */
#pragma once

#include "base/text.h"
#include "base/vec.h"
#include "report/formats/past_session.h"

typedef enum rep_case_state {
    REP_PASSED,
    REP_FAILED,
    REP_ERROR,
    REP_SKIPPED
} rep_case_state;

typedef struct rep_case {
    char *name;
    rep_case_state state;
    const char *type; /* type of a failure or an error: one word */
    char *message;    /* what it is about; may be NULL if it passed */
    char *text;       /* more of it, or NULL */
} rep_case;

TD_VEC(rep_case, rep_case_vec);

/* Owns the names, messages and texts of its cases. */
typedef struct rep_cases {
    const char *name;
    double seconds;
    const rep_fact *facts; /* n_facts facts that are printed with it */
    size_t n_facts;
    rep_case_vec cases;
} rep_cases;

void rep_cases_junit(const rep_cases *suites, size_t n, td_text *out);
void rep_cases_fini(rep_cases *c);
