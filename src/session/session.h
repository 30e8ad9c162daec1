/* SPDX-License-Identifier: Apache-2.0 */
/* session/session.h - the loop: explore -> run -> trace -> explore.
 *
 * Purpose     Runs a program under one search until it is done, a bug is found or a
 *             budget is used up; replays recordings.
 * Words       session, finding, ledger, recording: docs/glossary.md.
 * Invariants  (L1) a finding is printed only after its recording was replayed
 *             SES_CONFIRMATIONS times and failed the same way each time;
 *             (L2) the same program, options and seed give the same runs in the same
 *             order, whatever the load of the machine, until the search is shared (sharing.h);
 *             (L3) the verdict is "complete" only if nothing at all was left out.
 * Ownership   ses_result owns its findings and texts.
 * Threads     None. SIGINT and SIGTERM are blocked and asked for while a session runs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "base/vec.h"
#include "detect/coverage.h"
#include "detect/detect.h"
#include "explore/core/explore.h"
#include "path/path.h"
#include "report/report.h"
#include "run/run.h"

#define SES_CONFIRMATIONS 3u

/* The functions of run.h by which the session executes jobs; tests plug in fakes. */
typedef struct ses_exec {
    td_status (*open)(const run_opts *opts, run **out, td_diag *diag);
    void (*close)(run *r);
    bool (*submit)(run *r, const run_request *request);
    td_status (*next)(run *r, run_outcome *outcome, uint64_t *job, trc **out,
                      td_diag *diag);
    void (*begin)(run *r); /* NULL: only one run at a time */
    bool (*is_like)(const run *r, const run *other);
    uint64_t (*silent_ms)(const run *r); /* NULL: nothing is known */
    const char *(*lost_why)(const run *r);
    trc_sites *(*sites)(run *r);
    trc_namer *(*namer)(run *r);
    bool (*marked)(run *r, uint32_t site, uint32_t side); /* NULL: nothing is known */
    td_status (*last_output)(const run_opts *opts, const run_request *request,
                             td_text out[2], td_diag *diag); /* NULL: it is not known */
    td_status (*gdb)(const run_opts *opts, const run_request *request, const char *steps,
                     td_diag *diag);
    uint64_t (*now_ms)(run *r);  /* a monotonic clock */
    bool (*interrupted)(run *r); /* the user asked to stop */
} ses_exec;

/* The real one. */
extern const ses_exec ses_exec_run;

/* session/sharing.h */
struct ses_sharing;

/* An atomic operation, or a fence, that a run executed with this memory order. */
typedef struct ses_ordered {
    char *file, *function, *name; /* name: of the object, or "" */
    uint32_t line, column;        /* 0: not known */
    uint8_t kind, order;          /* trace/weaker_orders.h */
} ses_ordered;
TD_VEC(ses_ordered, ses_ordered_vec);
void ses_ordered_free(ses_ordered_vec *all); /* and their texts */

/* Asks for a change with which a stored finding is gone (repair/). */
typedef struct ses_fix_request {
    const char *recording; /* path */
    const char *dir; /* a folder for files of the search, which it makes and removes */
    uint64_t time_ms;
    bool ignores_exit;
    bool (*goes_on)(void *ctx); /* false: the search is to end at once */
    void *ctx;
} ses_fix_request;

/* Zero means the default, for every field. */
typedef struct ses_opts {
    const char *version;      /* version of treadle */
    char *const *argv;        /* program and arguments, NULL at the end */
    const char *goal;         /* NULL: "states" */
    const char *search;       /* NULL: the default of the goal */
    bool is_default;          /* set by the session: neither goal nor search was named */
    bool keep_going;          /* do not stop at the first finding */
    bool stop_at_first;       /* ... nor go on for a while after a data race */
    const char *suppressions; /* path of a file, or NULL */
    det_trust trust;          /* functions that may stay unwatched */
    uint64_t runs;            /* 0: none for all, 10000 for the random searches */
    uint64_t time_ms;         /* 0: no limit */
    uint32_t depth;           /* limit of operations per run; 0: 100000 */
    bool bounded;             /* preemptions are limited */
    uint32_t preemptions;     /* limit of preemptions per run */
    bool iterate;             /* explore with 0, 1, ... preemptions */
    uint32_t pct_depth;
    uint32_t tail;     /* xpl_tail */
    const char *model; /* "sc", "tso", "rc11"; NULL: sc, and rc11 if that has no bug */
    bool only_sc;      /* do not explore weaker memory after sequential consistency */
    uint32_t interferences; /* limit per candidate, plus 1; 0: no limit */
    uint32_t interfere_off; /* XPL_OFF_* */
    uint64_t seed;
    const char *out_dir;     /* NULL: treadle-out/NAME.N */
    const char *json;        /* path, or NULL */
    bool keep_runs;          /* recordings of runs that cover something new */
    const char *certificate; /* file that gets the schedules of all runs, or NULL */
    bool no_known;           /* do not replay bugs of the previous session */
    bool quiet;              /* no progress */
    bool status;         /* a status screen instead of a progress line, on a terminal */
    bool ignores_exit;   /* a non-zero exit status is not a finding */
    bool coverage;       /* every run sets marks for the coverage, not a sample */
    bool census;         /* count events and traces, also of searches that sample */
    bool leaks;          /* report blocks that are unreachable at the end of a run */
    uint32_t restart;    /* enum wire_restart */
    uint32_t carrier;    /* enum wire_carrier */
    uint32_t timeout_ms; /* without an operation: a hang */
    uint32_t solver_ms;  /* time limit of one solver query */
    uint32_t explain_ms; /* time to explain a finding; 0: SES_EXPLAIN_MS */
    uint64_t heap_limit; /* bytes a run may allocate */
    /* Memory limit of treadle itself, workers included; 0: td_memory_default */
    uint64_t own_memory;
    /* Keep what the program does to files; limits the session to one worker */
    bool keep_files;
    const char *output; /* file that the program's output is appended to, or NULL */
    bool aslr;          /* leave address randomisation on */
    uint32_t jobs;      /* number of workers; 0: the search is never shared */
    const struct ses_sharing *sharing; /* how the search is shared; NULL: never */
    const char *words; /* the options that affect what is explored, one per line */
    const char *self;  /* path of this executable; NULL: do not start workers */
    const char *join;  /* where the campaign is that this process joins; NULL: none */
    uint64_t worker;   /* ... the number of this worker in it */
    uint64_t campaign; /* ... its number, or that of the one to resume; 0: the newest */
    const char *farm;  /* address of a farm to share the search on, or NULL */
    /* Parts of other machines that were not verified in time are not a gap */
    bool trust_members;
    uint64_t alone_ms; /* time before the search is shared; 0: the default */
    bool resume;       /* resume the previous session */
    uint32_t repeat;   /* run every job this many times and compare; 0: a sample twice */
    run_given given;   /* symbolic arguments and bytes of standard input */
    /* Receives the distinct atomic operations that runs execute; or NULL */
    ses_ordered_vec *orders;
    /* Sees every run of the search, and has the hash of its final values; or NULL */
    void (*watch)(void *ctx, const trc *t, const trc_sites *sites);
    void *watch_ctx;
    /* Searches for such a change; false: the search had no answer. NULL: reports have no section FIX. */
    bool (*find_fix)(const ses_fix_request *request, rep_fix *out);
    rep_opts report;
    const xpl_search *fake_search; /* used instead of any other, for tests */
    /* Ends the process if memory runs out in a place that cannot return; NULL: exit status 70. */
    void (*exits)(rep_verdict verdict);
    FILE *out, *err; /* NULL: stdout, stderr */
} ses_opts;

TD_VEC(det_finding, ses_finding_vec);
TD_VEC(char *, ses_text_vec);

/* The inputs of a finding's run, for reports. */
typedef struct ses_shown_inputs {
    rep_input_vec inputs; /* in the order of the run; names point into names */
    td_text names;
    char *condition; /* path condition as text; "" if there is none */
    char *choices; /* choices of the library in the run, as text; "" if there are none */
    char **args;   /* arguments of the program in the run, NULL at the end */
    pth *path;     /* path of the run, while there is a run */
    const trc *run;
} ses_shown_inputs;

TD_VEC(ses_shown_inputs, ses_shown_inputs_vec);

/* The result of the goal branches. */
typedef struct ses_branches {
    uint64_t n_sides, n_taken, n_candidates;
    /* Outcomes by the number of interferences that they need; empty: unknown */
    trc_u64_vec by_degree;
    rep_never_vec never; /* outcomes that were not taken */
} ses_branches;

/* The result of the search under a weaker memory model, which follows that of the session. */
typedef struct ses_weaker {
    const char *model; /* NULL: there was no such search */
    uint64_t runs;
    char *stopped; /* why it is incomplete, or NULL */
} ses_weaker;

typedef struct ses_result {
    rep_verdict verdict;
    char *stopped; /* why it is incomplete, or NULL */
    bool is_full;  /* memory was used up */
    uint64_t runs, blocked_runs, events;
    uint64_t traces;        /* 0 if they are not counted */
    uint64_t whole_traces;  /* traces of runs that were not cut short */
    uint64_t repeated_runs; /* runs whose trace was known already */
    uint64_t repeats;       /* runs made only to compare */
    td_id digest, trace_digest;
    ses_finding_vec findings;
    ses_text_vec recordings;           /* paths, one per finding */
    ses_shown_inputs_vec shown_inputs; /* one per finding */
    ses_branches branches;
    det_coverage coverage;
    /* Largest number of inputs of a run, without choices of the library */
    uint64_t inputs;
    double seconds;
    ses_weaker weaker;
} ses_result;

/* Runs a session and prints its findings. An error means that it could not start or continue; *out has the
 * results up to then. */
TD_MUST_USE td_status ses_run(const ses_opts *opts, const ses_exec *exec, ses_result *out,
                              td_diag *diag);
void ses_result_fini(ses_result *r);

/* Takes inputs, orders and repairs from a recording; *out points into it. */
struct sto_recording;
TD_MUST_USE td_status ses_given_recorded(const struct sto_recording *r, char *const *argv,
                                         run_given *out, td_diag *diag);

/* ---- replay ---- */

/* Zero means the default, for every field. */
typedef struct ses_replay_opts {
    const char *path;    /* of the recording */
    const char *program; /* replaces the recorded program; NULL: do not */
    uint32_t times;      /* 0: once */
    uint32_t restart;    /* enum wire_restart */
    uint32_t carrier;    /* enum wire_carrier */
    uint32_t timeout_ms; /* without an operation: a hang */
    bool gdb;            /* becomes gdb on the failing run; returns only on error */
    bool dap; /* gdb speaks the Debug Adapter Protocol on standard input and output */
    bool keep_files;  /* as in ses_opts */
    bool keep_output; /* show the program's output */
    bool quiet;       /* only the result */
    /* Receives the finding, which is then not printed; or NULL */
    void (*watch)(void *ctx, const rep_finding *what);
    void *watch_ctx;
    const rep_fix *fix; /* the section FIX of the recorded finding; NULL: none */
    rep_opts report;
    FILE *out, *err; /* NULL: stdout, stderr */
} ses_replay_opts;

typedef struct ses_replay_result {
    uint32_t n_times, n_shown; /* runs; those that failed the same way ... */
    bool is_run;               /* ... or, if no failure is recorded, ended without one */
    uint32_t n_failed;         /* of a recording without a failure: runs that failed */
} ses_replay_result;

/* Replays a recording and prints the finding, or where the run diverged. */
TD_MUST_USE td_status ses_replay(const ses_replay_opts *opts, const ses_exec *exec,
                                 ses_replay_result *out, td_diag *diag);
