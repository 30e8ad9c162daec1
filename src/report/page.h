/* SPDX-License-Identifier: Apache-2.0 */
/* report/page.h - a finding as data, for every output format.
 *
 * Purpose     The session makes the page of a finding once, from the run that confirmed it, and
 *             keeps it as JSON in session.db. HTML, SARIF, Perfetto, Graphviz and witnesses are made
 *             from pages alone: they need neither the program nor another run.
 * Words       act: an operation or a plain access.  step: acts of one thread at one source line
 *             without an act of another thread between them.  shown: in the text report.
 * Invariants  (P1) steps and acts are in the order in which they happened;
 *             (P2) from and after are smaller than the act's own index, or REP_PAGE_NONE;
 *             (P3) printing and parsing a page gives the same page;
 *             (P4) any bytes give a page or an error message, never a crash.
 * Ownership   A page owns all its texts; none of them is NULL.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"
#include "report/fix.h"
#include "report/report.h"

#define REP_PAGE_NONE UINT32_MAX
#define REP_PAGE_ACTS 20000u /* limit per page; the first ones are left out */

/* A place in the source; line 0: not known. */
typedef struct rep_page_place {
    char *file, *function;
    uint32_t line;
} rep_page_place;

typedef struct rep_page_input {
    char *name, *value; /* value in C */
    char *type;         /* "u8" */
    bool matters;
} rep_page_input;

typedef struct rep_page_thread {
    char *name;     /* "main", "T1" */
    char *function; /* its start routine */
    char *title;    /* "T1 teller(2)" */
    rep_page_place created;
    bool matters; /* it has a step that is shown */
} rep_page_thread;

typedef struct rep_page_act {
    char *kind;     /* "read", "write", "load", "store", "cas", "lock", "waits", ... */
    char *text;     /* "balance = 29 (was 100)" */
    char *object;   /* "balance", "" */
    char *value;    /* read or written, "" */
    char *old;      /* the value that a write replaced, "" */
    uint32_t step;  /* index in steps */
    uint32_t from;  /* the act whose write it reads */
    uint32_t after; /* act of another thread on the same object that had to come before */
    bool shown;     /* it matters */
    bool is_choice; /* an operation; else a plain access */
    bool fails;
} rep_page_act;

typedef struct rep_page_step {
    uint32_t thread; /* index in threads */
    uint32_t number; /* number in the text report; 0: hidden */
    rep_page_place at;
    char *source; /* text of the line, "" */
    char *
        /* Calls of its last act, innermost first: "a.c:3 in f, called at a.c:9 in main"; "". */
        calls;
    char *
        stop; /* why the thread of the step before did not continue: "", "preempted", "ended",
                         "waits" */
    uint32_t first_act, n_acts;
    bool fails;
} rep_page_step;

/* One access of a race, the allocation or the free of a block, a thread that waits. */
typedef struct rep_page_party {
    char *role; /* "write", "read", "allocated", "freed", "waits" */
    uint32_t thread;
    rep_page_place at;
    char *text; /* "writes ring.tail (4 bytes); holds nothing" */
} rep_page_party;

/* An arrow of the wait-for graph of a deadlock. */
typedef struct rep_page_edge {
    char *
        role; /* "holds", "wants", "joins"; "last": could end the wait, and did so before */
    uint32_t thread;
    uint32_t other; /* the thread that is joined, or REP_PAGE_NONE */
    char *object;   /* "" for joins */
    char *how;      /* "reader", "writer"; for "last" the operation: "signal"; "" */
    rep_page_place at;
} rep_page_edge;

/* Lines of a source file as they were when the bug was found. */
typedef struct rep_page_source {
    char *file;
    uint32_t first; /* number of the first line */
    char *text;     /* lines, each with '\n' */
} rep_page_source;

TD_VEC(rep_page_input, rep_page_input_vec);
TD_VEC(rep_page_thread, rep_page_thread_vec);
TD_VEC(rep_page_act, rep_page_act_vec);
TD_VEC(rep_page_step, rep_page_step_vec);
TD_VEC(rep_page_party, rep_page_party_vec);
TD_VEC(rep_page_edge, rep_page_edge_vec);
TD_VEC(rep_page_source, rep_page_source_vec);
TD_VEC(char *, rep_page_text_vec);

typedef struct rep_page {
    char *id, *kind, *title; /* "assert-71c2", "assert", "assertion failed" */
    char *message;           /* "assertion 'balance >= 0' failed" */
    char *values;            /* "balance = -1", "" */
    rep_page_place at;
    char *program; /* "./bank" */
    rep_page_text_vec args;
    char *version;   /* version of treadle */
    char *recording; /* name of its file in the session's directory */
    char *schedule;  /* "main:2 T1:2 T2:7" */
    rep_page_input_vec inputs;
    char *condition; /* on the inputs, "" */
    uint32_t preemptions;
    uint32_t n_left_out; /* acts before the first one of the page */
    rep_page_thread_vec threads;
    rep_page_step_vec steps;
    rep_page_act_vec acts;
    rep_page_party_vec parties;
    rep_page_edge_vec waits; /* for deadlocks only */
    rep_page_text_vec why;   /* the explanation, one sentence each */
    rep_fix fix;             /* command NULL: no section */
    char *hidden;            /* "12 lock/unlock of 'm', 6 create/join/exit", "" */
    rep_page_source_vec sources;
    char *output;    /* last lines that the run wrote ... */
    char *output_of; /* ... to "stderr" or "stdout"; both "" if there are none */
    char *text;      /* the report at 80 columns */
    /* For HTML alone, borrowed: the scheme of links that open an editor ("vscode"), and the folder that
     * relative paths start from; NULL: no links. */
    const char *editor, *root;
} rep_page;

/* The parts of a page that do not come from the run. */
typedef struct rep_page_about {
    const char *program, *version, *recording, *schedule;
    const char *const *args; /* NULL at the end */
} rep_page_about;

void rep_page_make(const rep_finding *f, const rep_page_about *about, rep_page *out);
void rep_page_fini(rep_page *p);
/* Prints one JSON object; docs/formats.md describes its fields. */
void rep_page_print(const rep_page *p, td_text *out);
/* Returns false and names the broken invariant; why may be NULL. */
bool rep_page_valid(const rep_page *p, char *why, size_t size);
TD_MUST_USE td_status rep_page_parse(const char *text, size_t len, rep_page *out,
                                     td_diag *diag);
