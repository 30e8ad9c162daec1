/* SPDX-License-Identifier: Apache-2.0 */
/* detect/suppression_file.h - findings that somebody does not want to hear of.
 *
 * Purpose     Reads a file in ThreadSanitizer's syntax and tells whether it covers a finding.
 * Words       line: TYPE:PATTERN, or empty, or a comment (#). A pattern matches any part of a
 *             text; '*' stands for anything, '^' at its start and '$' at its end for the ends
 *             of the text. It is compared with functions, files and, of a race, the names of
 *             what is accessed, of either side.
 * Invariants  Any bytes give a list or a sentence. A type that is another tool's, or unknown,
 *             is not an error: it covers nothing, and a sentence says so.
 * Ownership   A det_suppressions owns its texts.
 */
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "detect/detect.h"

typedef struct det_suppression {
    det_kind kind;
    char *text; /* "race:PATTERN" */
    const char *pattern;
} det_suppression;

TD_VEC(det_suppression, det_suppression_vec);

typedef struct det_suppressions {
    det_suppression_vec at;
    td_text notes; /* sentences about lines that cover nothing, each with its newline */
} det_suppressions;

/* *out is empty where it fails. */
TD_MUST_USE td_status det_suppressions_parse(const char *text, size_t len,
                                             det_suppressions *out, td_diag *diag);
void det_suppressions_fini(det_suppressions *s);
/* The first one that covers the finding, or NULL. */
const det_suppression *det_suppressed(const det_suppressions *s, const det_finding *f);
bool det_suppresses_kind(const det_suppressions *s, det_kind kind);

/* Whether the pattern matches the text. */
bool det_pattern_matches(const char *pattern, const char *text);
