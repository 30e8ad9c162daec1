/* SPDX-License-Identifier: Apache-2.0 */
/* report/report.h - what people and machines read.
 *
 * Purpose     A finding as text with a column per thread; the result of a session as text
 *             and JSON.
 * Invariants  (E1) the same recording gives the same bytes; (E2) no line but SUMMARY is longer
 *             than the width; (E3) a finding takes at most 45 lines, unless full.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"
#include "detect/detect.h"
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
    const char *given; /* what the user gave for it, or NULL */
} rep_input;

TD_VEC(rep_input, rep_input_vec);

/* What the inputs of a run have to do with its finding. */
typedef struct rep_inputs {
    const rep_input *at; /* n, in the order of the run */
    size_t n;
    const char *condition; /* on them, if it must hold; "" or NULL: there is none */
    const char *
        choices; /* of the library that happened: timeouts, spurious wakeups; "" or NULL */
} rep_inputs;

/* What a decision says of the inputs; no function: nothing is known. */
typedef struct rep_decisions {
    /* Of the DECIDE that is operation op of the run, appended to out. */
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

/* What experiments show to be the cause: with it every continuation that was run fails; without
 * it, all else as it was, the run passes. */
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
    const rep_cause *cause; /* NULL: none was looked for */
    uint64_t
        cut_ms; /* time after which looking for less and for the cause was ended; 0: it was not */
    const char *
        model; /* strongest memory model that allows the run: "sc", "tso", "rc11"; NULL: no
                        * other was looked at */
    const trc_weaker *weaker; /* orders in place of those of the program */
    size_t n_weaker;
} rep_finding;

/* Replaces places inside headers of the C++ library by the user's lines that lead there: file, function, line, those of the
 * other place, and the message. */
void rep_finding_settle(const rep_finding *f, det_finding *out);
void rep_finding_text(const rep_finding *f, const rep_opts *opts, td_text *out);

/* A step of the text report, for a debugger; the first one is number 1. */
typedef struct rep_stop_point {
    uint32_t thread;
    uint32_t
        act; /* operations and plain accesses of the run up to it; 0: it is where the run ends */
    char *file; /* without directory */
    uint32_t line;
    char *text; /* of the line, "" */
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
    uint64_t calls;    /* of an engine; 0 for the others */
    double seconds;    /* in the engine */
} rep_stage;

/* What the solver did. */
typedef struct rep_solver {
    uint64_t queries, sat, unsat, unknown;
    uint64_t cached; /* answered by what was asked before */
    rep_stage stages[REP_STAGES];
    size_t n_stages;
} rep_solver;

/* How far a search got that goes by preemptions. */
typedef struct rep_bound {
    bool is_set;
    uint64_t n_over;         /* runs with more than was asked for then */
    int64_t completed;       /* with so many, -1: none ... */
    const char *what, *done; /* ... every "local state" was "reached" */
} rep_bound;

/* How far a search got that goes by the length of runs. */
typedef struct rep_depth {
    bool is_set;
    uint32_t now;       /* the bound when it ended */
    uint32_t completed; /* the last one that it completed; 0: none */
    const char *gap;    /* what was left out there all the same, or NULL */
} rep_depth;

/* A side of a branch that was not taken. */
typedef struct rep_never {
    char *file, *function;
    uint32_t line, column;
    uint32_t side,
        n_sides; /* of a branch: 1 if the condition holds; of a switch: 0 by default */
    char *text;  /* the condition in the source, "" if it cannot be read */
    const char *why; /* it was not taken, as far as is known; "" */
} rep_never;

TD_VEC(rep_never, rep_never_vec);

/* What was covered for the goal branches. */
typedef struct rep_branches {
    bool is_goal;
    uint64_t n_sides, n_taken, n_candidates;
    const uint64_t *by_degree; /* sides by the interferences that they need, n_degrees */
    size_t n_degrees;
    const rep_never *never; /* n_never */
    size_t n_never;
} rep_branches;

/* The condition that a source line branches on, as far as it can be told from the line alone:
 * what stands in parentheses after if, while or switch, of a for its middle; else the line. */
void rep_condition_text(const char *line, td_text *out);

/* Below this share of the time no estimate of the rest is worth a figure. */
#define REP_LEAST_SHARE 0.02
/* A share as whole per cents, those of REP_LEAST_SHARE and 99 being the ends. */
unsigned rep_per_cent(double share);
/* About how long it takes: "40 s", "14 min", "3 h", "5 days", "years". */
void rep_print_about(double seconds, td_text *out);

/* What is still to be done, of a session that stopped. */
typedef struct rep_left {
    uint64_t targets;      /* that are open */
    bool is_known;         /* there is an estimate: */
    double share, seconds; /* ... of the time so far in all, and what is to come */
} rep_left;

/* How many interleavings the runs stand for. */
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

/* An object that threads come to in different orders. */
typedef struct rep_hot {
    char *name;       /* "" if it has none */
    const char *what; /* it is then: "a semaphore" */
    uint64_t n;       /* pairs */
    uint32_t threads; /* in them */
    uint32_t uses;    /* how often one of these came to it in a run, at most */
    rep_hot_line lines[REP_MOST_HOT]; /* those with the most first */
    size_t n_lines;
} rep_hot;

/* What makes a search large, counted in a sample of runs: pairs of operations that could have come in
 * the other order, each once, and decisions by inputs. */
typedef struct rep_large {
    uint64_t n_sampled;   /* runs; 0: nothing was counted */
    uint32_t n_looked_at; /* operations of a run that were, as there were more; 0: all */
    uint64_t n_pairs, n_decisions;
    bool has_inputs;          /* of the user; else decisions are the library's */
    rep_hot at[REP_MOST_HOT]; /* those with the most first */
    size_t n;
    rep_hot_line decisions[REP_MOST_HOT]; /* likewise */
    size_t n_lines;
} rep_large;

/* What makes it large, and what to make smaller, as sentences; "" if nothing is known. */
void rep_large_text(const rep_large *l, td_text *out);
void rep_shrink_text(const rep_large *l, td_text *out);

/* A campaign on a farm: who did it. */
typedef struct rep_farm {
    bool is_set;
    uint64_t parts;           /* that were handed in */
    uint64_t others;          /* workers elsewhere that did something ... */
    uint64_t others_parts;    /* ... parts of theirs ... */
    uint64_t others_runs;     /* ... and runs, as they said */
    uint64_t checked, agreed; /* of their parts: done again here; with the same outcome */
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
    const char *program; /* with arguments */
    const char *goal, *search;
    const char *model; /* of memory: "sc", "tso", "rc11"; NULL: one order of everything */
    rep_weaker weaker;
    const char *chosen; /* what the search chose and why, or NULL */
    const char
        *output; /* file with the program's output; empty: it was dropped; or NULL */
    rep_verdict verdict;
    const char *stopped; /* why it is incomplete, or NULL */
    const char *covers;  /* what it did if it is complete, as a clause */
    rep_bound preemptions;
    rep_depth depth;
    const char
        *rules_out; /* ... and what there is no other of; NULL: all that it can find */
    const char *leaves_out; /* what the goal may miss and states does not, or NULL */
    uint64_t promoted;      /* sites that race, whose accesses were operations */
    uint64_t runs, blocked_runs, events, traces;
    uint64_t whole_traces;  /* that no failure or exit cut short */
    uint64_t repeated_runs; /* of a trace that was there already */
    uint64_t pairs;         /* of places that were covered; 0: nobody counts them */
    uint64_t earlier_runs;  /* of sessions that this one resumed, not among runs */
    bool traces_counted;
    bool events_counted;
    td_id digest, trace_digest;
    const det_finding *findings;
    char *const *recordings;  /* paths, one per finding */
    const rep_inputs *inputs; /* one per finding, or NULL */
    size_t n_findings;
    uint64_t
        all_exit; /* every run ended with this exit status; 0: not so, or not known */
    uint32_t most_threads; /* of a run; 0: not known */
    uint64_t most_inputs;  /* of a run; 0: the program has none */
    bool quiet_waits;      /* some waits never ended for no reason */
    bool outside_signals;  /* some might have come from outside */
    bool quiet_frees;      /* no thread got what another one had freed */
    const det_ledger *ledger;
    rep_branches branches;
    rep_solver solver;
    rep_left left;
    rep_saved saved;
    const rep_large *large; /* NULL: nothing is known */
    bool at_limit; /* of time or runs: with more of it the session would have continued */
    bool at_memory;   /* ... or of memory */
    bool can_iterate; /* --iterate is an option of its search */
    bool can_resume;  /* the remaining work was saved */
    bool is_far;      /* the search would not finish within days */
    rep_farm farm;
    double seconds;
    uint64_t peak_rss_kb;
} rep_result;

/* Sentences of the summary, for the page: how to continue, and the bounds that were completed; "" if there
 * is nothing to say. */
void rep_continue_text(const rep_result *r, td_text *out);
void rep_bounds_text(const rep_result *r, td_text *out);
void rep_result_text(const rep_result *r, const rep_opts *opts, td_text *out);
void rep_result_json(const rep_result *r, td_text *out);
