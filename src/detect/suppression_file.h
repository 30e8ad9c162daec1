/* SPDX-License-Identifier: Apache-2.0 */
/* detect/suppression_file.h - findings that the user does not want reported.
 *
 * Purpose     Reads a file in ThreadSanitizer's syntax and decides whether it covers a finding.
 * Words       line: TYPE:PATTERN, or empty, or a comment (#). A pattern matches any part of a
 *             text; '*' matches anything, '^' at its start and '$' at its end match the ends of the
 *             text. It is compared with functions, files and, for a race, the names of the accessed
 *             objects, of both sides.
 * Invariants  Any bytes give a list or an error message. A type that is another tool's, or unknown,
 *             is not an error: it covers nothing, and a message reports that.
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

/* True if the pattern matches the text. */
bool det_pattern_matches(const char *pattern, const char *text);
