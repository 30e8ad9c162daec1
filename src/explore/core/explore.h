/* SPDX-License-Identifier: Apache-2.0 */
/* explore/core/explore.h - searches: which run next.
 *
 * Purpose     Hands out jobs and is fed their runs. Pure: no process, file, clock.
 * Words       job: a schedule to follow and a policy for what comes after it.
 *             gap: what the search left out, and why.
 * Invariants  (X1) every job handed out is fed back once, in any order, or reported lost;
 *             (X2) the same options and the same feeds give the same jobs. Jobs of random,
 *                  pct, pos, surw and guided do not even depend on when runs are fed, if they are in order.
 * Ownership   A job's steps and inputs belong to the explorer until the next call of xpl_search.next.
 * Cost        all: memory for the jobs not yet handed out and the choices before them
 *             (depth times threads, 2^bits an input), whatever the number of runs; random
 *             and pct: none.
 * Reading     random walk and PCT: Burckhardt et al., ASPLOS 2010; POS: Yuan et al., CAV 2018;
 *             SURW: Zhao et al., ASPLOS 2025.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/stop.h"
#include "explore/core/item.h"
#include "path/path.h"
#include "trace/trace.h"

typedef struct xpl xpl;

/* What a session is to cover: docs/search.md. */
enum {
    XPL_STATES = 1,
    XPL_TRACES = 2,
    XPL_BRANCHES = 4,
    XPL_RACES = 8,
    XPL_OBSERVATIONS = 16
};
typedef struct xpl_goal {
    const char *name;
    uint32_t bit;
    const char *search;    /* the default search */
    const char *text;      /* for --help */
    const char *covered;   /* printed when the goal was reached */
    const char *rules_out; /* what is ruled out then; NULL: every kind of finding */
    /* What it may miss although states covers it; NULL: nothing */
    const char *leaves_out;
    bool keeps_going; /* it covers all findings: none ends the session */
} xpl_goal;

typedef struct xpl_job {
    uint64_t id;     /* counted from 1 by the explorer */
    uint32_t policy; /* enum wire_policy */
    uint32_t flags;  /* WIRE_JOB_* the search needs */
    uint64_t seed;
    uint32_t pct_depth, pct_length;
    /* Operation limit of this job, if larger than xpl_opts.depth; otherwise 0 */
    uint32_t depth;
    const wire_step *steps; /* n_steps */
    size_t n_steps;
    const wire_input *inputs; /* n_inputs; others take fixed values */
    size_t n_inputs;
} xpl_job;

/* Finds inputs: an explorer has no solver of its own. */
typedef enum xpl_answer { XPL_UNKNOWN, XPL_SAT, XPL_UNSAT } xpl_answer;
typedef struct xpl_solver {
    /* Queries whether inputs exist that satisfy all n conditions, which are of p's graph. *values holds, by
     * number, the inputs to stay close to; with XPL_SAT it receives the solution. */
    xpl_answer (*solve)(void *self, pth *p, const exp_ref *conditions, size_t n,
                        exp_value_vec *values);
    void *self;
} xpl_solver;

/* Calls s->solve without the conditions that always hold. Returns XPL_UNKNOWN if a query is needed and s has
 * no solve. */
xpl_answer xpl_solve(const xpl_solver *s, pth *p, exp_ref_vec *conditions,
                     exp_value_vec *values);

/* How a run continues after the steps of its job; for searches with takes_tail. Same order as the words of
 * --tail. */
typedef enum xpl_tail {
    XPL_TAIL_AUTO, /* first with the seed 1, else random */
    XPL_TAIL_FIRST,
    XPL_TAIL_RANDOM,
    XPL_TAIL_POS,
    XPL_TAIL_SURW
} xpl_tail;

typedef struct xpl_opts {
    uint64_t seed;
    xpl_tail tail;
    /* Limit of jobs handed out; 0: none for the search all, 10000 for others */
    uint64_t runs;
    uint32_t pct_depth;   /* 0: 3 */
    bool counts_pairs;    /* searches that draw schedules count what their runs cover */
    bool bounded;         /* preemptions are limited */
    uint32_t preemptions; /* limit of preemptions per run */
    bool iterate;   /* explore with 0, 1, ... preemptions; for searches with iterates */
    uint32_t depth; /* limit of operations per run; 0: none */
    bool
        /* Runs are expected to exceed depth: cover everything reachable within it */
        deepens;
    bool watches_all;       /* also explore events after which a thread only joins */
    xpl_solver solver;      /* no solve: inputs keep their fixed values */
    uint32_t n_sides;       /* outcomes of all branches of the program; 0: unknown */
    uint32_t interferences; /* limit of interferences per candidate (search interfere) */
    uint32_t interfere_off; /* XPL_OFF_*: techniques to switch off, for comparisons */
    bool unfollowed;        /* the program does not track symbolic values */
    bool stays;             /* keep the goal: hands_over is not called */
    const char *
        /* Why another goal is tried; such a search stops early if it makes little progress */
        because;
    const char *model;    /* "sc", "tso", "rc11", for the search graphs */
    bool splits_anywhere; /* for tests: divide at any event, even if that is useless */
    /* Knows the names of objects; lives as long as the explorer */
    const trc_namer *namer;
    /* Tells calls to return early, with an incomplete result; lives likewise; NULL: never */
    td_stop *stop;
} xpl_opts;

/* Same order as the words of --interfere-off. */
enum {
    XPL_OFF_CORES = 1,      /* finding the reads that a conflict depends on */
    XPL_OFF_PRIORITIES = 2, /* outcomes that were not taken come first */
    XPL_OFF_DUPLICATES = 4, /* recognising repeated candidates */
    XPL_OFF_LAZY = 8,       /* reads whose value does not matter may observe anything */
};

/* A branch outcome that was taken; degree: the fewest interferences that led to it. */
typedef struct xpl_side {
    uint32_t site, side, degree;
} xpl_side;
TD_VEC(xpl_side, xpl_side_vec);

/* Something the search did not cover, for the ledger. */
typedef struct xpl_gap {
    const char *kind; /* a word or two */
    const char *text; /* a sentence */
    uint64_t count;
} xpl_gap;

/* What a search knows of the events it was fed. */
typedef struct xpl_counts {
    uint64_t events;
    td_id digest;
    /* Runs for a target that turned out not to be an event, because the thread only repeats a loop there;
     * runs that ended IDLE are not counted. */
    uint64_t in_vain;
} xpl_counts;

/* The remaining work, as far as it is known. */
typedef struct xpl_left {
    uint64_t targets; /* open targets */
    bool is_known;    /* runs is an estimate */
    double runs; /* estimated remaining runs, including those for targets not found yet */
} xpl_left;

/* The completed preemption bounds of a search. */
typedef struct xpl_preemptions {
    bool is_bounded; /* the search bounds preemptions */
    /* Everything reachable with at most so many was covered; -1: no bound was completed */
    int64_t completed;
    uint64_t n_over;  /* runs that exceeded the bound then in force */
    const char *what; /* what was covered: "local state" ... */
    const char *done; /* ... "reached" */
} xpl_preemptions;

/* How a search is divided (item.h). No job may be in flight when these are called, except for leave. */
typedef struct xpl_parts {
    /* Restricts the search to this item; what is known is kept. Events of the item that are not known yet
     * are run first. */
    void (*take)(xpl *x, const xpl_item *item);
    /* Divides the item: the search continues with *mine, *away is for another worker. False if dividing is
     * not worthwhile now. */
    bool (*split)(xpl *x, xpl_item *mine, xpl_item *away);
    /* If not NULL, explored parts of an item are never run again: split divides only what remains, and share
     * covers only what was run since the item was taken or divided. Moves everything that remains to *out;
     * the search has no item then. False if nothing remains, or if it cannot be stored. */
    bool (*rest)(xpl *x, xpl_item *out);
    /* Ends the search although jobs are in flight; they will not be fed. The item stays for other workers.
     * Only split and rest may be called afterwards. */
    void (*leave)(xpl *x);
    /* Returns the results of the completed item. */
    void (*share)(const xpl *x, xpl_share *out);
    /* True if the run that should execute an event of the item did not. */
    bool (*has_diverged)(const xpl *x);
} xpl_parts;

/* One search; searches are const tables. */
typedef struct xpl_search {
    const char *name;
    const char *text;       /* for --help */
    uint32_t covers;        /* the goals that are reached when it is complete */
    const char *covered;    /* printed then; NULL: the text of the goal */
    const char *goal;       /* the default goal; NULL: states */
    bool takes_model;       /* obeys xpl_opts.model, and needs it */
    bool each_once;         /* no run has the trace of another; parts count them */
    bool takes_preemptions; /* obeys xpl_opts.preemptions */
    /* Obeys xpl_opts.iterate: bounds 0, 1, 2, ... up to preemptions */
    bool iterates;
    bool takes_depth; /* obeys xpl_opts.deepens */
    bool takes_tail;  /* obeys xpl_opts.tail */
    bool follows;     /* its runs track symbolic values */
    xpl *(*new)(const xpl_opts *opts);
    /* Returns false if there is nothing to hand out now; there may be after more runs are fed. */
    bool (*next)(xpl *x, xpl_job *out);
    /* Feeds the run of a job; its events must be identified. */
    void (*feed)(xpl *x, const trc *result);
    /* Reports that the job produced no run (its process died unexpectedly); counts as a gap. */
    void (*lost)(xpl *x, uint64_t job);
    /* If not NULL and true, next() has more to compute and must be called again. */
    bool (*works)(const xpl *x);
    /* Adds the branch outcomes that were taken; *n_candidates: how many candidates were checked. If not
     * NULL, plain accesses to shared memory must be operations in the runs of the search. */
    void (*sides)(const xpl *x, xpl_side_vec *out, uint64_t *n_candidates);
    /* Adds the sites of failures, with the number of interferences that lead there. May be NULL. */
    void (*fails)(const xpl *x, xpl_side_vec *out);
    /* Returns the next racing site whose accesses must be promoted because their order matters; each site
     * once. False: none now. NULL: all racing sites are promoted. */
    bool (*promote)(xpl *x, uint32_t *site);
    /* True when everything the search covers has been handed out and fed. */
    bool (*complete)(const xpl *x);
    /* Its runs are drawn at random, and their events are counted on request only. */
    bool samples;
    bool may_sample; /* it may turn to sampling later */
    /* NULL: the search keeps no events of its own, and the census counts them. */
    void (*count)(const xpl *x, xpl_counts *out);
    /* Writes at most max gaps that limits have caused so far, and returns their number. The texts live as
     * long as the explorer. NULL: there are never gaps. */
    size_t (*gaps)(const xpl *x, xpl_gap *out, size_t max);
    /* NULL: the search does not bound preemptions. */
    void (*preemptions)(const xpl *x, xpl_preemptions *out);
    /* Estimates the remaining work, in time linear in the open targets; NULL: unknown. */
    void (*left)(const xpl *x, xpl_left *out);
    /* Returns the number of pairs of places that its runs covered (pair_cover.h); 0 if they are not counted.
     * May be NULL. */
    uint64_t (*pairs)(const xpl *x);
    /* Returns the number of runs of earlier sessions that load restored. May be NULL. */
    uint64_t (*earlier)(const xpl *x);
    /* Returns the goal to continue with if this one is out of reach, and hands out no more jobs then; NULL
     * if it keeps its goal. May be NULL. */
    const char *(*hands_over)(const xpl *x);
    /* Describes what it chose and why; NULL before it has chosen. NULL member: it has no choice. */
    const char *(*says)(const xpl *x);
    /* save writes the state of the search for a later session, and load restores it into a new explorer.
     * load does not trust the bytes: it returns an error if they are invalid. NULL: a later session starts
     * over. */
    void (*save)(const xpl *x, xpl_byte_vec *out);
    td_status (*load)(xpl *x, const uint8_t *at, size_t len, td_diag *diag);
    /* Returns false if there is nothing to save yet. May be NULL. */
    bool (*can_save)(const xpl *x);
    /* Returns a new explorer after more accesses were promoted; it keeps what remains true of the old one's
     * knowledge. No job may be in flight. Frees old. NULL: the new explorer starts from nothing. */
    xpl *(*again)(xpl *old, const xpl_opts *opts);
    /* NULL: it cannot be divided. */
    const xpl_parts *parts;
    void (*free)(xpl *x);
} xpl_search;

struct xpl {
    const xpl_search *search; /* first member of every explorer */
};

/* The search for memory models (xpl_opts.model). */
extern const xpl_search xpl_graphs;
/* The search product with the claims of the goal states; one of the searches that take turns by default. */
extern const xpl_search xpl_product_claims;
/* True if the program does what the product does not model: then its completion proves nothing. */
bool xpl_product_is_partial(const xpl *x);
/* True if x is that search, and threads come back to where they were: its end holds for any number of iterations. */
bool xpl_product_has_cycles(const xpl *x);
bool xpl_is_model(const char *name);
/* Returns the strongest memory model that allows a run with WIRE_JOB_STORES; NULL if none does, or for other
 * runs. */
const char *xpl_strongest_model(const trc *t);
/* True if the named model allows a run. A recording fixes which store each read observes: after a change of
 * the program, perhaps no model allows the result. */
bool xpl_model_allows(const char *model, const trc *t);

/* Return NULL if the name is unknown. */
const xpl_search *xpl_search_find(const char *name);
const xpl_goal *xpl_goal_find(const char *name);
/* All goals, ended by one without a name. */
const xpl_goal *xpl_goals(void);
/* All searches that are offered, ended by NULL. */
const xpl_search *const *xpl_searches(void);

/* True if the traces of its runs are counted. */
static inline bool xpl_counts_traces(const xpl_search *s)
{
    return !s->count || (s->covers & XPL_TRACES);
}

/* Writes at most max gaps of the search; returns their number. */
static inline size_t xpl_gaps(const xpl *x, xpl_gap *out, size_t max)
{
    return x->search->gaps ? x->search->gaps(x, out, max) : 0;
}

/* Returns the number of covered pairs of places; 0 if they are not counted. */
static inline uint64_t xpl_n_pairs(const xpl *x)
{
    return x->search->pairs ? x->search->pairs(x) : 0;
}

/* True if a later session could resume the search. */
static inline bool xpl_can_save(const xpl *x)
{
    return x->search->save && (!x->search->can_save || x->search->can_save(x));
}

/* Returns the number of restored runs of earlier sessions. */
static inline uint64_t xpl_n_earlier(const xpl *x)
{
    return x->search->earlier ? x->search->earlier(x) : 0;
}

/* Returns the remaining work; all zero if the search does not know it. */
static inline xpl_left xpl_what_is_left(const xpl *x)
{
    xpl_left left = {0};
    if (x->search->left)
        x->search->left(x, &left);
    return left;
}

TD_VEC(td_id, xpl_id_vec);

/* Counts of every exploration: distinct events and traces, and the digest. */
typedef struct xpl_census {
    td_id_set events, traces;
    td_id digest;        /* sum of the distinct ids that count in it */
    td_id trace_digest;  /* sum of the distinct traces that were not cut short */
    uint64_t n_whole;    /* number of distinct traces that were not cut short */
    uint64_t n_repeated; /* runs of a trace that was there already */
    uint64_t n_runs;
    uint64_t n_blocked; /* runs stopped before the program's own end: by the depth limit,
                         * a call that is not modelled, a schedule that could not be
                         * followed, too many threads. Exits, failures and deadlocks are
                         * ends of the program itself. */
    uint64_t n_ops;
    xpl_id_vec last; /* ids of the last run: most of the next one's are the same */
} xpl_census;

/* Counts a run, and its events and trace. The run is identified. */
void xpl_census_add(xpl_census *c, const trc *t);
/* Counts a run only: for searches that count events themselves. */
void xpl_census_count(xpl_census *c, const trc *t);
/* Returns the id under which a trace is counted. */
td_id xpl_trace_name(const trc *t);
/* Counts the trace of a run whose events were counted before. */
void xpl_census_trace(xpl_census *c, const trc *t);
/* Forgets events and traces; the number of runs stays. */
void xpl_census_restart(xpl_census *c);
void xpl_census_fini(xpl_census *c);
