/* SPDX-License-Identifier: Apache-2.0 */
/* report/report.h - what people and machines read.
 *
 * Purpose     A finding as text with a column per thread; the result of a session as text
 *             and JSON.
 * Invariants  (E1) the same recording gives the same bytes; (E2) no line but SUMMARY is longer
 *             than the width; (E3) a finding takes at most 45 lines and FIX, unless full.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"
#include "detect/detect.h"
#include "report/fix.h"
#include "report/verdict.h"
#include "trace/site_table.h"
#include "trace/trace.h"
#include "trace/weaker_orders.h"

typedef struct rep_opts {
    uint32_t columns; /* 0: 80; below 60 counts as 60 */
    bool colour;
    bool full;        /* every step */
    bool whole_error; /* the line with the error is not broken: an editor reads it */
} rep_opts;

/* A value that treadle chose. */
typedef struct rep_input {
    const char *name;
    uint64_t value;
    uint8_t bits;      /* 1..64 */
    uint8_t sign;      /* enum wire_sign */
    bool matters;      /* a decision depends on it */
    const char *given; /* the user's value for it, or NULL */
} rep_input;

TD_VEC(rep_input, rep_input_vec);

/* The inputs of a finding's run. */
typedef struct rep_inputs {
    const rep_input *at; /* n, in the order of the run */
    size_t n;
    const char *condition; /* path condition, if it must hold; "" or NULL: none */
    /* Choices of the library: timeouts, spurious wakeups; "" or NULL. */
    const char *choices;
} rep_inputs;

/* How decisions depend on inputs; print NULL: unknown. */
typedef struct rep_decisions {
    /* Appends the condition of the DECIDE that is operation op of the run. */
    void (*print)(void *ctx, uint32_t op, td_text *out);
    void *ctx;
} rep_decisions;

/* An operation or a plain access of a run. */
typedef struct rep_event {
    uint32_t thread, site;
    uint8_t kind; /* enum wire_kind; an access: WIRE_NOTE_READ, WIRE_NOTE_WRITE */
    bool in_run;  /* the run came that far; else it would have come next */
    uint32_t op;  /* its index; an access: operations before it */
    uint64_t object;
    /* The user's line that led there, of an event that is not in the run; NULL: that of the site. */
    const char *file;
    uint32_t line;
} rep_event;

typedef enum rep_cause_kind {
    REP_CAUSE_NONE,
    REP_CAUSE_ORDER, /* the first event came before the second, of another thread */
    REP_CAUSE_EVERY, /* all schedules that were run fail */
    REP_CAUSE_INPUT, /* a choice of the library: a timeout, a spurious wakeup; first is its place */
} rep_cause_kind;

/* The cause as found by experiments: with it every continuation that was run fails; without it, and
 * otherwise unchanged, the run passes. */
typedef struct rep_cause {
    rep_cause_kind kind;
    rep_event first, second;
    rep_event earlier[2]; /* another order, without which the run passes as well */
    bool has_earlier;
    uint32_t input;  /* index in trc.inputs */
    uint32_t n_kept; /* continuations that were run */
} rep_cause;

/* The run of the finding has WIRE_JOB_DETAIL, and WIRE_JOB_STACKS for the calls. */
typedef struct rep_finding {
    const det_finding *finding;
    const trc *run;
    trc_sites *sites;
    rep_inputs inputs;
    rep_decisions decisions;
    const char *recording; /* path, or NULL */
    uint64_t recording_bytes;
    /* Arguments of the program, in the run, NULL at the end; or NULL. */
    const char *const *args;
    /* 1 + the number of operations after which every schedule fails; 0: unknown. */
    uint32_t no_return;
    const rep_cause *cause; /* NULL: not searched for */
    uint64_t
        /* Time after which the reduction and the search for the cause were stopped; 0: they were not. */
        cut_ms;
    const char *
        model; /* strongest memory model that allows the run: "sc", "tso", "rc11"; NULL: no
                        * other was looked at */
    const trc_weaker *weaker; /* orders in place of those of the program */
    size_t n_weaker;
} rep_finding;

/* Replaces places inside headers of the C++ library by the user's lines that lead there: file,
 * function, line, those of the other place, and the message. */
void rep_finding_settle(const rep_finding *f, det_finding *out);
void rep_finding_text(const rep_finding *f, const rep_opts *opts, td_text *out);

/* A step of the text report, for a debugger; the first one is number 1. */
typedef struct rep_stop_point {
    uint32_t thread;
    /* Operations and plain accesses of the run up to it; 0: the end of the run. */
    uint32_t act;
    char *file; /* without directory */
    uint32_t line;
    char *text; /* text of the line, "" */
} rep_stop_point;

TD_VEC(rep_stop_point, rep_stop_point_vec);

/* Adds those of the report. */
void rep_finding_stop_points(const rep_finding *f, const rep_opts *opts,
                             rep_stop_point_vec *out);
void rep_stop_points_fini(rep_stop_point_vec *v);

enum { REP_STAGES = 8 };

/* One way to an answer of the solver. */
typedef struct rep_stage {
    const char *name;
    uint64_t answered; /* queries for which it was the last stage needed */
    uint64_t calls;    /* calls of an engine; 0 for other stages */
    double seconds;    /* seconds in the engine */
} rep_stage;

/* Statistics of the solver. */
typedef struct rep_solver {
    uint64_t queries, sat, unsat, unknown;
    uint64_t cached; /* answered from earlier queries */
    rep_stage stages[REP_STAGES];
    size_t n_stages;
} rep_solver;

/* The completed bound of a search that bounds preemptions. */
typedef struct rep_bound {
    bool is_set;
    uint64_t n_over;         /* runs that exceeded the bound then in force */
    int64_t completed;       /* completed bound, -1: none ... */
    const char *what, *done; /* ... every "local state" was "reached" */
} rep_bound;

/* The completed limit of a search that limits the length of runs. */
typedef struct rep_depth {
    bool is_set;
    uint32_t now;       /* the limit when it ended */
    uint32_t completed; /* the last limit that it completed; 0: none */
    const char *gap;    /* what was nevertheless left out within it, or NULL */
} rep_depth;

/* A side of a branch that was not taken. */
typedef struct rep_never {
    char *file, *function;
    uint32_t line, column;
    uint32_t side,
        /* outcomes. Of a branch: 1 if the condition holds; of a switch: 0 is the default. */
        n_sides;
    char *text;      /* the condition in the source, "" if it cannot be read */
    const char *why; /* it was not taken, as far as is known; "" */
} rep_never;

TD_VEC(rep_never, rep_never_vec);

/* The result of the goal branches. */
typedef struct rep_branches {
    bool is_goal;
    uint64_t n_sides, n_taken, n_candidates;
    /* n_degrees entries: outcomes by the interferences that they need. */
    const uint64_t *by_degree;
    size_t n_degrees;
    const rep_never *never; /* n_never */
    size_t n_never;
} rep_branches;

/* Extracts the condition of a branch from its source line alone: the parentheses after if, while or switch,
 * the middle part of those after for. Otherwise the whole line, and false. */
bool rep_condition_text(const char *line, td_text *out);

/* Below this share of the time no estimate of the rest is worth a figure. */
#define REP_LEAST_SHARE 0.02
/* A share as whole per cents, those of REP_LEAST_SHARE and 99 being the ends. */
unsigned rep_per_cent(double share);
/* About how long it takes: "40 s", "14 min", "3 h", "5 days", "years". */
void rep_print_about(double seconds, td_text *out);

/* The remaining work of a session that stopped. */
typedef struct rep_left {
    uint64_t targets; /* open targets */
    bool is_known;    /* there is an estimate: */
    /* ... the completed share of the total time, and the remaining seconds */
    double share, seconds;
} rep_left;

/* How many interleavings the runs represent. */
typedef struct rep_saved {
    bool is_known;
    double log2;      /* logarithm of their estimated number */
    bool is_at_least; /* there may be traces that no run had */
} rep_saved;

#define REP_MOST_HOT 3u

/* A line that has a part in what makes a search large. */
typedef struct rep_hot_line {
    const char *file;
    uint32_t line;
    uint64_t n; /* pairs or decisions */
} rep_hot_line;

/* An object that threads use in different orders. */
typedef struct rep_hot {
    char *name;                       /* "" if it has none */
    const char *what;                 /* its kind in that case: "a semaphore" */
    uint64_t n;                       /* pairs */
    uint32_t threads;                 /* threads in these pairs */
    uint32_t uses;                    /* the most uses by one of them in a run */
    rep_hot_line lines[REP_MOST_HOT]; /* those with the most first */
    size_t n_lines;
} rep_hot;

/* What makes a search large, counted in a sample of runs: distinct pairs of operations that could be
 * reversed, and decisions that depend on inputs. */
typedef struct rep_large {
    uint64_t n_sampled; /* runs; 0: nothing was counted */
    /* Operations that were examined per run, if runs had more; 0: all. */
    uint32_t n_looked_at;
    uint64_t n_pairs, n_decisions;
    bool has_inputs; /* the user's inputs; otherwise decisions are the library's */
    rep_hot at[REP_MOST_HOT]; /* those with the most first */
    size_t n;
    rep_hot_line decisions[REP_MOST_HOT]; /* likewise */
    size_t n_lines;
} rep_large;

/* Describe what makes it large, and what to reduce; "" if unknown. */
void rep_large_text(const rep_large *l, td_text *out);
void rep_shrink_text(const rep_large *l, td_text *out);

/* A campaign on a farm, and who worked on it. */
typedef struct rep_farm {
    bool is_set;
    uint64_t parts;           /* submitted parts */
    uint64_t others;          /* workers elsewhere that did something ... */
    uint64_t others_parts;    /* ... parts of theirs ... */
    uint64_t others_runs;     /* ... and runs, as reported by them */
    uint64_t checked, agreed; /* their parts that were recomputed here, and that agreed */
    uint64_t given_up;        /* begun here, and not ended as it took too long */
} rep_farm;

/* A weaker memory model that was explored after the search. */
typedef struct rep_weaker {
    const char *model; /* NULL: none */
    uint64_t runs;
    const char *stopped; /* why not all of it was, or NULL */
} rep_weaker;

/* The end of a session. */
typedef struct rep_result {
    const char *version;
    const char *program; /* the program with its arguments */
    const char *goal, *search;
    /* Memory model: "sc", "tso", "rc11"; NULL: sequentially consistent. */
    const char *model;
    rep_weaker weaker;
    const char *chosen; /* what the search chose and why, or NULL */
    /* File with the program's output; empty: it was dropped; or NULL. */
    const char *output;
    rep_verdict verdict;
    const char *stopped; /* why it is incomplete, or NULL */
    const char *covers;  /* what a complete search has covered, as a clause */
    rep_bound preemptions;
    rep_depth depth;
    const char *rules_out; /* ... and what is ruled out; NULL: every kind of finding */
    /* What the goal may miss although states covers it, or NULL. */
    const char *leaves_out;
    uint64_t promoted; /* sites that race, whose accesses were operations */
    uint64_t runs, blocked_runs, events, traces;
    uint64_t whole_traces;  /* traces that no failure or exit cut short */
    uint64_t repeated_runs; /* runs whose trace was known already */
    uint64_t pairs;         /* covered pairs of places; 0: not counted */
    uint64_t earlier_runs;  /* runs of resumed sessions, not among runs */
    bool traces_counted;
    bool events_counted;
    td_id digest, trace_digest;
    const det_finding *findings;
    char *const *recordings;  /* paths, one per finding */
    const rep_inputs *inputs; /* one per finding, or NULL */
    const rep_fix *fixes;     /* one per finding, or NULL */
    size_t n_findings;
    uint64_t all_exit;     /* the exit status of every run; 0: they differ, or unknown */
    uint32_t most_threads; /* largest number of threads of a run; 0: unknown */
    uint64_t most_inputs; /* largest number of inputs of a run; 0: the program has none */
    bool is_endless;      /* threads may loop for any number of iterations */
    bool quiet_waits;     /* some waits never ended for no reason */
    bool outside_signals; /* some might have come from outside */
    bool quiet_frees;     /* no thread got what another one had freed */
    const det_ledger *ledger;
    rep_branches branches;
    rep_solver solver;
    rep_left left;
    rep_saved saved;
    const rep_large *large; /* NULL: nothing is known */
    bool at_limit;          /* the time or run limit ended the session */
    bool at_bug;            /* a bug ended it: without --keep-going */
    bool at_memory;         /* ... or of memory */
    bool can_iterate;       /* --iterate is an option of its search */
    bool can_resume;        /* the remaining work was saved */
    bool is_far;            /* the search would not finish within days */
    rep_farm farm;
    double seconds;
    uint64_t peak_rss_kb;
} rep_result;

/* Sentences of the summary, for the page: how to continue, and the completed bounds; "" if there are none. */
void rep_continue_text(const rep_result *r, td_text *out);
void rep_bounds_text(const rep_result *r, td_text *out);
void rep_result_text(const rep_result *r, const rep_opts *opts, td_text *out);
void rep_result_json(const rep_result *r, td_text *out);
