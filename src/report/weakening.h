/* SPDX-License-Identifier: Apache-2.0 */
/* report/weakening.h - which memory orders of a program a harness needs (treadle weaken).
 *
 * Words       operation: an atomic operation or fence by its place, kind and order; a try: one exploration
 *             with a weaker order for it. docs/models.md.
 * Ownership   rep_weakening owns its texts and vectors, but for version and argv.
 */
#pragma once

#include <stdio.h>

#include "base/text.h"
#include "base/vec.h"
#include "trace/weaker_orders.h"

typedef enum rep_answer {
    REP_NOT_NEEDED,  /* everything was explored, and nothing fails */
    REP_NEEDED,      /* a run fails */
    REP_NOT_DECIDED, /* a limit was met */
} rep_answer;
/* "needed", ... */
const char *rep_answer_text(rep_answer a);

/* What an exploration said. */
typedef struct rep_try {
    uint8_t order; /* that the operation had */
    rep_answer answer;
    uint64_t runs;
    char *why;       /* not decided: a sentence; else NULL */
    char *id, *kind; /* of the finding; kind: "race"; NULL: none */
    char *message, *file, *function;
    uint32_t line;
    char *recording; /* path */
} rep_try;
TD_VEC(rep_try, rep_try_vec);

typedef struct rep_ordered {
    char *file, *function, *name;
    uint32_t line, column;
    uint8_t kind, order;
    rep_try_vec tries;
    uint8_t together; /* its order in the set that holds */
} rep_ordered;
TD_VEC(rep_ordered, rep_ordered_vec);

typedef enum rep_together {
    REP_TOGETHER_NONE,    /* no order is known to be more than is needed */
    REP_TOGETHER_UNTRIED, /* nobody asked, or the user stopped it */
    REP_TOGETHER_ALL,     /* each as weak as it may be alone: nothing fails */
    REP_TOGETHER_SOME,    /* they depend on each other; a set that holds was found */
} rep_together;

typedef struct rep_weakening {
    const char *version; /* of treadle */
    char *const *argv;   /* program and arguments, NULL at the end */
    rep_try base;        /* with the orders of the program */
    rep_ordered_vec ops; /* by place */
    rep_together together;
    rep_try all;   /* SOME: what failed with all of them */
    uint64_t runs; /* of all explorations */
    bool is_interrupted;
} rep_weakening;

void rep_try_fini(rep_try *t);
void rep_weakening_fini(rep_weakening *w);
/* Some answer is open. */
bool rep_weakening_is_open(const rep_weakening *w);
/* The weakest order that is not needed alone; its own, if there is none. */
uint8_t rep_weakest(const rep_ordered *o);

/* A table of at most columns characters a line; the runs of what is needed below it. */
void rep_weakening_text(const rep_weakening *w, uint32_t columns, td_text *out);
void rep_weakening_json(const rep_weakening *w, td_text *out);
/* SARIF 2.1.0: a result for each try. */
void rep_weakening_sarif(const rep_weakening *w, td_text *out);
