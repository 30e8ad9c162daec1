/* SPDX-License-Identifier: Apache-2.0 */
/* report/formats/formats.h - a session for other programs.
 *
 * Purpose     One function per format, each made of a rep_past alone. docs/formats.md describes the formats.
 * Invariants  (F1) whatever bytes the names, messages and sources of a program have, the output is
 *                  well-formed in its format, and UTF-8;
 *             (F2) the same session gives the same bytes.
 */
#pragma once

#include "report/formats/past_session.h"

/* SARIF 2.1.0. */
void rep_sarif(const rep_past *p, td_text *out);
/* JUnit XML: the program is a suite, each kind of bug a case. */
void rep_junit(const rep_past *p, td_text *out);
/* A tracefile of lcov. */
void rep_lcov(const rep_past *p, td_text *out);
/* Graphviz: the events of each finding with their causes. */
void rep_dot(const rep_past *p, td_text *out);
/* Graphviz: all events of the session. */
void rep_unfolding(const rep_past *p, td_text *out);
/* The trace format of Chrome, which Perfetto reads. */
void rep_perfetto(const rep_past *p, td_text *out);
/* Commands of GitHub Actions, a line each. */
void rep_github(const rep_past *p, td_text *out);

/* A source file of a witness. */
typedef struct rep_input_file {
    char *path;    /* as on the page */
    char hash[65]; /* SHA-256 of its content, hexadecimal */
} rep_input_file;

TD_VEC(rep_input_file, rep_input_file_vec);

/* True if there is a witness for findings of this kind. */
bool rep_witness_has(const char *kind);
/* The files that the witness of a page names; hashes are left empty. */
void rep_witness_files(const rep_page *p, rep_input_file_vec *out);
/* Violation witness of SV-COMP, format 2.2: an entry. */
void rep_witness(const rep_past *past, const rep_page *p, const rep_input_file_vec *files,
                 td_text *out);

/* ---- explanations of the kinds of findings ---- */

typedef struct rep_rule {
    const char *id;    /* "race" */
    const char *title; /* "data race" */
    const char *text;  /* what it is */
    const char *help;  /* what the standards say, and what to do */
} rep_rule;

/* One per det_kind. */
const rep_rule *rep_rule_of(det_kind kind);
/* The kind with this id, DET_N_KINDS: none. */
det_kind rep_kind_named(const char *id);
