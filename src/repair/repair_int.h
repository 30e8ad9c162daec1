/* SPDX-License-Identifier: Apache-2.0 */
/* repair/repair_int.h - what the files of repair/ share. */
#pragma once

#include "repair/repair.h"
#include "store/store.h"
#include "trace/build_records.h"

/* ---- source.c ---- */

/* Lines of one or more statements that follow each other in a block. */
typedef struct rpr_range {
    uint32_t from, to;
    bool is_in_loop;
    bool begins_with_loop; /* in its first statement */
    bool blocks;           /* it has a call that may wait for long */
} rpr_range;

#define RPR_RANGES 8u

/* The source of a file of the program as text, without comments; caller frees out. */
void rpr_source_read(trc_sites *sites, const char *file, td_text *out);
/* The name of a file, without its folder. */
const char *rpr_base_of(const char *path);
/* Overwrites comments, the contents of quotes and lines of the preprocessor with blanks. */
void rpr_source_blank(td_text *t);
/* Ranges round the lines from..to, the smallest first; returns how many, 0 if the source cannot be read so. */
uint32_t rpr_ranges(const td_text *source, uint32_t from, uint32_t to,
                    rpr_range out[RPR_RANGES]);

/* True if the word is on the lines. */
bool rpr_names(const td_text *source, uint32_t from, uint32_t to, const char *word);

/* ---- points.c ---- */

typedef struct rpr_place {
    char *file, *function;
    uint32_t line;
} rpr_place;

#define RPR_CALLS 8u

/* An event that the finding is about, with the calls that led to it, innermost first. */
typedef struct rpr_point {
    uint32_t thread;
    uint64_t object;
    uint32_t site;
    bool frees; /* it gives memory back */
    uint32_t n;
    rpr_place places[RPR_CALLS];
} rpr_point;
TD_VEC(rpr_point, rpr_point_vec);

/* A mutex with a name, which is where it was in the failing run. */
typedef struct rpr_lock {
    char *name;
    uint64_t object;
    uint32_t n_taken;
} rpr_lock;
TD_VEC(rpr_lock, rpr_lock_vec);

/* What a replay of the finding shows. */
typedef struct rpr_facts {
    char *id;
    det_kind kind;
    char *file; /* of the failure */
    uint32_t line;
    bool is_weak; /* the run needs a weaker memory model */
    rpr_point_vec points;
    /* 2: the first of these are the events of the cause, in their order; else 0. */
    size_t n_cause;
    size_t n_events; /* ... and, with them, the events of an earlier order */
    rpr_lock_vec locks;
    rpr_point_vec taken;   /* where these were taken */
    rpr_point_vec signals; /* signals on condition variables */
    struct rpr_sources *sources;
} rpr_facts;

void rpr_facts_take(rpr_facts *f, const rep_finding *what);
/* The source of a file; "" if it is not known. */
const td_text *rpr_source_of(const rpr_facts *f, const char *file);
void rpr_facts_fini(rpr_facts *f);

/* ---- proposals.c ---- */

TD_VEC(rpr_change, rpr_change_vec);
/* Candidates, the cheapest first. */
void rpr_candidates(const rpr_facts *f, const ses_ordered_vec *orders,
                    rpr_change_vec *out);
void rpr_change_fini(rpr_change *c);

/* ---- guards.c ---- */

/* What the runs of an exploration had. */
typedef struct rpr_seen {
    uint64_t *sites; /* a bit for each site at which a run that passed did an operation */
    size_t n_words;
    rpr_place *places; /* of all sites */
    uint32_t n_places;
    trc_u64_vec outcomes; /* of runs that passed */
} rpr_seen;

typedef struct rpr_search {
    const rpr_opts *opts;
    const ses_exec *exec;
    rpr_result *out;
    const rpr_facts *facts;
    char *dir;
    char **argv;
    sto_recording recording;
    run_given given;
    FILE *nowhere;
    uint32_t n_explored;
    rpr_seen before; /* of the program as it is */
    bool is_before_complete;
    ses_ordered_vec orders;
    trc_build_vec builds; /* how the program was built */
} rpr_search;

/* Explores the program as it is, past its failures. */
TD_MUST_USE td_status rpr_explore_before(rpr_search *x, uint64_t time_ms, td_diag *diag);
/* Explores it with a change, and checks the guards. */
TD_MUST_USE td_status rpr_explore(rpr_search *x, rpr_try *t, uint64_t time_ms,
                                  td_diag *diag);
void rpr_seen_fini(rpr_seen *s);
/* Explores the edited program, and checks the guards that need no outcomes. *why gets a sentence, the caller frees it. */
TD_MUST_USE td_status rpr_explore_edited(rpr_search *x, const char *program,
                                         const rpr_edit *edit, uint64_t time_ms,
                                         rpr_answer *answer, char **why, uint64_t *runs,
                                         td_diag *diag);

/* ---- rebuild.c ---- */

/* True if a source file that the finding is about is not what the program was built from; x->out->edit.why names it. */
bool rpr_sources_changed(rpr_search *x);
/* Looks for an edit that is the change; builds and explores the program with it. *holds: there is one, in x->out->edit. *cannot: no
 * edit of this program can be explored. */
TD_MUST_USE td_status rpr_edit_change(rpr_search *x, const rpr_change *c,
                                      const char *callees, uint64_t end_ms, bool *holds,
                                      bool *cannot, td_diag *diag);
