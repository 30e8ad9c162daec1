/* SPDX-License-Identifier: Apache-2.0 */
/* report/session_page.h - a session as data, and its page for a browser.
 *
 * Purpose     The data of a session's page, which the caller reads from session.db: nothing here runs
 *             a program or opens a file.
 * Ownership   Everything is borrowed for the call. A text may be NULL, which counts as "".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "report/page.h"

/* A name and its value as text: "goal" "states", "runs" "12345". */
typedef struct rep_session_fact {
    const char *name, *value;
} rep_session_fact;

/* The counters at one moment of the session. */
typedef struct rep_session_sample {
    uint64_t ms;
    uint64_t runs, events, targets, findings, sides_taken, queries;
    uint64_t pairs; /* covered pairs of places; 0: not counted */
} rep_session_sample;

/* A side of a branch. */
typedef struct rep_session_side {
    const char *file, *function;
    uint32_t line, column;
    uint32_t side, n_sides; /* as in rep_never */
    bool is_taken;
} rep_session_side;

/* A source file as far as it can be read; without it, lines are numbers only. */
typedef struct rep_session_source {
    const char *file; /* as in rep_session_side */
    const char *text; /* all of it */
} rep_session_source;

/* One line of the ledger. */
typedef struct rep_session_gap {
    const char *kind, *file;
    uint32_t line;
    uint64_t count;
    const char *text;
} rep_session_gap;

typedef struct rep_session_page {
    const char *program; /* the program with its arguments */
    const char *verdict; /* its name in formats (report/verdict.h), "": it did not end */
    const char *stopped; /* why it is incomplete, "" */
    const char *version; /* version of treadle */
    const char *dir;     /* the session's directory, as a user would name it */
    const rep_session_fact *facts; /* all of the session, shown by name */
    size_t n_facts;
    const rep_page *findings;
    size_t n_findings;
    const rep_session_side *sides;
    size_t n_sides;
    const rep_session_source *sources;
    size_t n_sources;
    const rep_session_sample *samples; /* sorted by time */
    size_t n_samples;
    const rep_solver *solver; /* NULL: not known */
    const rep_session_gap *ledger;
    size_t n_ledger;
    const char *text; /* the summary as text, "" */
} rep_session_page;

/* One file without a network: findings, coverage, growth, solver, ledger. Appended to out. */
void rep_session_html(const rep_session_page *s, td_text *out);
