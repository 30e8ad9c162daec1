/* SPDX-License-Identifier: Apache-2.0 */
/* detect/coverage.h - which code of the program was executed.
 *
 * Purpose     Functions, sides of branches and lines, as the marks of a session say (wire/site.h).
 * Words       marked: set by some run of the session.
 * Invariants  After det_coverage_order each vector is in order of file and line and has nothing
 *             twice: code that is in several places of the program, as an inline function is, counts
 *             as executed if one of them is.
 * Ownership   A det_coverage owns its texts.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* A side of a branch or switch. */
typedef struct det_cov_side {
    char *file, *function;
    uint32_t line, column;
    uint32_t side,
        /* outcomes. Of a branch: 1 if the condition holds; of a switch: 0 is the default. */
        n_sides;
    bool taken;
} det_cov_side;

/* A line with code. */
typedef struct det_cov_line {
    char *file;
    uint32_t line;
    bool executed; /* some of it */
} det_cov_line;

typedef struct det_cov_function {
    char *file, *name;
    uint32_t line; /* line of its definition */
    bool entered;
} det_cov_function;

TD_VEC(det_cov_side, det_cov_side_vec);
TD_VEC(det_cov_line, det_cov_line_vec);
TD_VEC(det_cov_function, det_cov_function_vec);

typedef struct det_coverage {
    det_cov_side_vec sides;
    det_cov_line_vec lines;
    det_cov_function_vec functions;
} det_coverage;

/* Texts are copied. */
void det_coverage_side(det_coverage *c, const det_cov_side *s);
void det_coverage_line(det_coverage *c, const det_cov_line *l);
void det_coverage_function(det_coverage *c, const det_cov_function *f);
/* Sorts, and makes one of what is there twice. */
void det_coverage_order(det_coverage *c);
uint64_t det_coverage_taken(const det_coverage *c); /* sides */
void det_coverage_fini(det_coverage *c);
