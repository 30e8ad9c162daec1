/* SPDX-License-Identifier: Apache-2.0 */
/* repair/repair.h - changes with which a finding is gone (treadle fix).
 *
 * Purpose     Proposes changes for a finding, from its cause and the program's locks, and explores the
 *             program with each of them, without building it again (wire/virtual_repair.h).
 * Words       change: a virtual repair, or stronger memory orders. restricting: it only removes
 *             schedules, so a run with it is a run of the program as it is.
 *             outcome: exit status and final values of static data.
 *             guard: what must hold for a change to be shown.
 * Invariants  (F1) a change is shown only if the program with it was explored completely, and no run
 *             failed; (F2) the place of the failure was reached in one of these runs, no operation of a
 *             run that passed before is lost, and no outcome is new; (F3) a change that the runtime
 *             cannot make is dropped.
 * Threads     None.
 */
#pragma once

#include "report/fix.h"
#include "session/session.h"
#include "trace/repairs.h"

/* What a candidate came to. */
typedef enum rpr_answer {
    RPR_HOLDS,
    RPR_FAILS,        /* a run fails */
    RPR_INCOMPLETE,   /* not everything was explored */
    RPR_NOT_MADE,     /* the runtime cannot make the change */
    RPR_NOT_REACHED,  /* the place of the failure is no longer reached */
    RPR_LOST,         /* an operation of a run that passed is lost */
    RPR_FEW_OUTCOMES, /* fewer than half of the outcomes of runs that passed remain */
    RPR_NEW_OUTCOME,  /* an outcome that no run that passed had */
    RPR_N_ANSWERS
} rpr_answer;

typedef struct rpr_change {
    bool is_repair;
    trc_repair repair;     /* is_repair */
    trc_weaker_vec orders; /* else: orders in place of others */
    bool restricts;
    double cost; /* the smaller, the earlier it is tried */
} rpr_change;

typedef struct rpr_try {
    rpr_change change;
    rpr_answer answer;
    uint32_t rejected; /* guards that reject it: bits by rpr_answer */
    char *why;         /* more about the answer, or NULL */
    uint64_t runs;
    uint64_t traces;             /* 0: not known */
    uint32_t n_outcomes, n_kept; /* of runs that passed before; those that remain */
} rpr_try;
TD_VEC(rpr_try, rpr_try_vec);

/* ---- the change as an edit of the source (edit.h) ---- */

/* Lines at.. are replaced; 0 lines: the text comes before the line. */
typedef struct rpr_hunk {
    uint32_t at, n_removed;
    char *added; /* whole lines, or "" */
} rpr_hunk;
TD_VEC(rpr_hunk, rpr_hunk_vec);

typedef struct rpr_file_edit {
    char *path;
    td_text before;
    rpr_hunk_vec hunks; /* by line */
} rpr_file_edit;
TD_VEC(rpr_file_edit, rpr_file_edit_vec);

typedef struct rpr_edit {
    rpr_file_edit_vec files;
    char *why; /* there is no edit: a sentence without its full stop; else NULL */
} rpr_edit;

typedef struct rpr_result {
    char *id;          /* of the finding */
    rpr_try_vec tries; /* in the order in which they were explored */
    size_t n_made;     /* candidates */
    uint32_t best;     /* index in tries of the one that holds; RPR_NONE: there is none */
    uint64_t runs;
    bool is_cut;          /* time was over */
    bool was_interrupted; /* by the user */
    /* Source lines of the one that holds, and functions called there that take its mutex. */
    char *excerpt, *callees;
    /* With opts.build: best is a change that can be written. */
    rpr_edit
        edit; /* no files: there is none, and why; or one that was not explored, and why */
    bool is_edit_explored; /* the edited program was built, and explored completely */
    uint64_t edit_runs;
    char *rule, *file; /* of the finding, for SARIF */
    uint32_t line;
} rpr_result;
#define RPR_NONE UINT32_MAX

/* Zero means the default, for every field. */
typedef struct rpr_opts {
    const char *version;
    const char *recording; /* path */
    const char *out_dir;   /* folder of all sessions; NULL: treadle-out/NAME-fix.N */
    uint64_t time_ms;      /* for all candidates together; 0: 10 s, with build 60 s */
    bool ignores_exit;
    /* Runs `treadle WORDS` in a folder, for at most so long, with its output in the file log; returns its exit status. With it,
     * the change is written as an edit of the source, which is built and explored. NULL: no edit. */
    int (*build)(const char *folder, char *const *words, const char *log,
                 uint64_t end_ms);
    void (*exits)(rep_verdict verdict); /* ses_opts.exits */
    rep_opts report;
} rpr_opts;

/* The caller must free *out even on error. */
TD_MUST_USE td_status rpr_run(const rpr_opts *opts, const ses_exec *exec, rpr_result *out,
                              td_diag *diag);
void rpr_result_fini(rpr_result *r);

/* As a section of a report, for the session that has the finding. */
void rpr_fix(const rpr_result *r, rep_fix *out);
/* The same as text, and what became of the candidates if none holds. */
void rpr_text(const rpr_result *r, uint32_t columns, td_text *out);
void rpr_json(const rpr_result *r, td_text *out);

/* ---- the edit ---- */

/* A unified diff for `patch -p1` in the folder; nothing if there is no edit. */
void rpr_diff(const rpr_result *r, const char *folder, td_text *out);
/* Writes the edit, one that was explored, to the source files, one line about each. Fails if a file is not what was edited, before
 * any is written. */
TD_MUST_USE td_status rpr_apply(const rpr_result *r, const char *folder, td_text *said,
                                td_diag *diag);
/* A SARIF log with the finding, and the edit as its fix if it was explored. */
void rpr_sarif(const rpr_result *r, const rpr_opts *opts, const char *folder,
               td_text *out);
