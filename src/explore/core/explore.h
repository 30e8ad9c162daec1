/* SPDX-License-Identifier: Apache-2.0 */
/* explore/core/explore.h - searches: which run next.
 *
 * Purpose     Hands out jobs and is fed the runs they gave. Pure: no process, file, clock.
 * Words       job: a schedule to follow and a policy for what comes after it.
 *             gap: what the search left out, and why.
 *             Where opts.stop is set, calls return early; what they give then is not
 *             complete, and the session that set it knows.
 * Invariants  (X1) every job handed out is fed back once, in any order, or reported lost;
 *             (X2) the same options and the same feeds give the same jobs. Jobs of random,
 *                  pct, pos, surw and guided do not even depend on when runs are fed, if they are in order.
 * Ownership   A job's steps and inputs belong to the explorer until the next call of xpl_next.
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
    const char *search;     /* where none was asked for */
    const char *text;       /* for --help */
    const char *covered;    /* said when it was reached */
    const char *rules_out;  /* what there is none of then; NULL: all that can be found */
    const char *leaves_out; /* what it may miss and states does not; NULL: nothing */
    bool keeps_going;       /* it is about all findings: none of them ends the session */
} xpl_goal;

typedef struct xpl_job {
    uint64_t id;     /* counted from 1 by the explorer */
    uint32_t policy; /* enum wire_policy */
    uint32_t flags;  /* WIRE_JOB_* the search needs */
    uint64_t seed;
    uint32_t pct_depth, pct_length;
    uint32_t depth; /* it needs more operations than xpl_opts.depth; 0: it does not */
    const wire_step *steps; /* n_steps */
    size_t n_steps;
    const wire_input *inputs; /* n_inputs; others take fixed values */
    size_t n_inputs;
} xpl_job;

/* Who finds inputs: an explorer has no solver of its own. */
typedef enum xpl_answer { XPL_UNKNOWN, XPL_SAT, XPL_UNSAT } xpl_answer;
typedef struct xpl_solver {
    /* Are there inputs for which all n conditions, of p's graph, hold? XPL_SAT: *values are
     * such inputs, by number; before the call they are those to stay close to. */
    xpl_answer (*solve)(void *self, pth *p, const exp_ref *conditions, size_t n,
                        exp_value_vec *values);
    void *self;
} xpl_solver;

/* The same; what always holds is left out of the conditions. Without solve: XPL_UNKNOWN where it is asked. */
xpl_answer xpl_solve(const xpl_solver *s, pth *p, exp_ref_vec *conditions,
                     exp_value_vec *values);

/* How a run continues behind the steps of its job; for searches with takes_tail. In the order of the words of --tail. */
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
    uint64_t runs;      /* bound on jobs handed out; 0: none for all, 10000 for others */
    uint32_t pct_depth; /* 0: 3 */
    bool counts_pairs;  /* searches that draw schedules count what their runs cover */
    bool bounded;       /* by preemptions */
    uint32_t preemptions; /* most of a run */
    bool iterate;   /* what needs fewer preemptions first; for searches with iterates */
    uint32_t depth; /* most operations of a run; 0: no bound */
    bool
        deepens; /* runs are expected to be longer: all that so many lead to is covered */
    bool
        watches_all; /* no event is left out because its thread only joins from there on */
    xpl_solver solver;      /* no solve: inputs keep their fixed values */
    uint32_t n_sides;       /* of all branches of the program; 0: not known */
    uint32_t interferences; /* most of them in a candidate (search interfere) */
    uint32_t interfere_off; /* XPL_OFF_*: what it does without, for comparisons */
    bool unfollowed; /* the program does not follow values: no search that follows */
    bool stays;      /* it keeps its goal: hands_over is not asked */
    const char *
        because; /* it is tried, for this reason, and leaves off soon where it does not get far */
    const char *model;    /* "sc", "tso", "rc11", for the search graphs */
    bool splits_anywhere; /* for tests: divides at any event, whether it helps or not */
    const trc_namer
        *namer;    /* knows the names of objects; lives as long as the explorer */
    td_stop *stop; /* when to leave off, likewise; NULL: never */
} xpl_opts;

/* In the order of the words of --interfere-off. */
enum {
    XPL_OFF_CORES = 1,      /* which reads are to blame */
    XPL_OFF_PRIORITIES = 2, /* sides that were not taken first */
    XPL_OFF_DUPLICATES = 4, /* candidates are known again */
    XPL_OFF_LAZY = 8,       /* reads whose value does not matter see anything */
};

/* A side of a branch that was taken; degree: with how many interferences, at least. */
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
    /* Runs that were made for what turned out to be no event, as a thread only goes round a loop
     * there; not those that ended IDLE. */
    uint64_t in_vain;
} xpl_counts;

/* What is still to be done, as far as is known. */
typedef struct xpl_left {
    uint64_t targets; /* open now */
    bool is_known;    /* runs says something */
    double
        runs; /* an estimate of those to come, what will be found on the way included */
} xpl_left;

/* How far a search got by preemptions. */
typedef struct xpl_preemptions {
    bool is_bounded;   /* it goes by them */
    int64_t completed; /* all that can be reached with so many was covered; -1: none */
    uint64_t n_over;   /* runs that had more than was asked for then */
    const char *what;  /* "local state" of which each was ... */
    const char *done;  /* ... "reached" */
} xpl_preemptions;

/* How a search is divided (item.h). Nothing is under way when these are called, but for leave. */
typedef struct xpl_parts {
    /* From now on complete() and next() are about this item only; what is known is kept. Its
     * events are run first where they are not known. */
    void (*take)(xpl *x, const xpl_item *item);
    /* Divides the item in two: the search continues with mine, away is for another worker. False:
     * that is not worth it now. */
    bool (*split)(xpl *x, xpl_item *mine, xpl_item *away);
    /* Not NULL: what was run of an item is never run again. Then split is about what is left of it, and share
     * about what was run since it was taken or divided. This gives all that is left, and the search
     * has no item then. False: nothing is left, or it cannot be written down. */
    bool (*rest)(xpl *x, xpl_item *out);
    /* What is under way does not come back: the search ends, and its item stays for others. Then it
     * can be divided; nothing else may be asked of it. */
    void (*leave)(xpl *x);
    /* The item is complete: what it gave. */
    void (*share)(const xpl *x, xpl_share *out);
    /* An event of the item did not come up in the run that should execute it. */
    bool (*has_diverged)(const xpl *x);
} xpl_parts;

/* One search; searches are const tables. */
typedef struct xpl_search {
    const char *name;
    const char *text;       /* for --help */
    uint32_t covers;        /* the goals that are reached when it is complete */
    const char *covered;    /* what is said then; NULL: what the goal says */
    const char *goal;       /* that is meant where none was named; NULL: states */
    bool takes_model;       /* obeys xpl_opts.model, and needs it */
    bool each_once;         /* no run has the trace of another; parts count them */
    bool takes_preemptions; /* obeys xpl_opts.preemptions */
    bool iterates;          /* and xpl_opts.iterate: 0, 1, 2, ... up to it */
    bool takes_depth;       /* obeys xpl_opts.deepens */
    bool takes_tail;        /* obeys xpl_opts.tail */
    bool follows;           /* its runs tell what values were made of */
    xpl *(*new)(const xpl_opts *opts);
    /* False: nothing to hand out now (perhaps until more is fed). */
    bool (*next)(xpl *x, xpl_job *out);
    /* The run of a job; events are identified. */
    void (*feed)(xpl *x, const trc *result);
    /* The job gave no run (its process died unexplained): counts as a gap. */
    void (*lost)(xpl *x, uint64_t job);
    /* Not NULL and true: next() has more to do without a run, and is to be called again. */
    bool (*works)(const xpl *x);
    /* Not NULL: adds the branch sides that were taken; how many candidates were checked. Plain
     * accesses to memory that threads share are to be operations in its runs. */
    void (*sides)(const xpl *x, xpl_side_vec *out, uint64_t *n_candidates);
    /* Not NULL: adds the sites of failures, with how many interferences lead there. */
    void (*fails)(const xpl *x, xpl_side_vec *out);
    /* The next site that races and whose accesses are to be operations, because their order
     * matters; each once. False: none now. NULL: it does of all that race. */
    bool (*promote)(xpl *x, uint32_t *site);
    /* True when everything the search covers has been handed out and fed. */
    bool (*complete)(const xpl *x);
    /* Its runs are drawn at random: their events are only counted if that is asked for. */
    bool samples;
    bool may_sample; /* it may come to that */
    /* NULL: the search keeps no events of its own, and the census counts them. */
    void (*count)(const xpl *x, xpl_counts *out);
    /* What bounds made it leave out up to now; NULL: nothing ever. Writes at most max;
     * how many. The texts live as long as the explorer. */
    size_t (*gaps)(const xpl *x, xpl_gap *out, size_t max);
    /* NULL: it does not go by preemptions. */
    void (*preemptions)(const xpl *x, xpl_preemptions *out);
    /* Looks at every open target; NULL: nothing is known. */
    void (*left)(const xpl *x, xpl_left *out);
    /* Not NULL: how many pairs of places its runs have covered (pair_cover.h); 0: they were not counted. */
    uint64_t (*pairs)(const xpl *x);
    /* Not NULL: runs of earlier sessions that it goes on with (load). */
    uint64_t (*earlier)(const xpl *x);
    /* Not NULL: the goal to go on with, as this one is out of reach; it has no job then. NULL: it stays. */
    const char *(*hands_over)(const xpl *x);
    /* What it chose and why, once it has; NULL: it has no choice. */
    const char *(*says)(const xpl *x);
    /* What it knows, for a session to come; NULL: that starts over. Then load, of a new explorer, takes what
     * save gave, or says why not: the bytes are not trusted. */
    void (*save)(const xpl *x, xpl_byte_vec *out);
    td_status (*load)(xpl *x, const uint8_t *at, size_t len, td_diag *diag);
    /* Not NULL and false: there is nothing to save yet. */
    bool (*can_save)(const xpl *x);
    /* More accesses are operations from now on, and nothing is under way: a new explorer that knows what is still true
     * of what the old one knew, which is freed. NULL: nothing is. */
    xpl *(*again)(xpl *old, const xpl_opts *opts);
    /* NULL: it cannot be divided. */
    const xpl_parts *parts;
    void (*free)(xpl *x);
} xpl_search;

struct xpl {
    const xpl_search *search; /* first member of every explorer */
};

/* The only one for memory models (xpl_opts.model). */
extern const xpl_search xpl_graphs;
/* Learned threads, with all that the goal states claims; one of those that take turns by default. */
extern const xpl_search xpl_product_claims;
/* The program does what the product does not model: it proves nothing. */
bool xpl_product_is_partial(const xpl *x);
bool xpl_is_model(const char *name);
/* The strongest memory model that allows a run with WIRE_JOB_STORES; NULL: another run, or none. */
const char *xpl_strongest_model(const trc *t);
/* Whether the model of that name allows a run. A recording says which stores are read: once its program
 * has changed, no model need allow what it does then. */
bool xpl_model_allows(const char *model, const trc *t);

/* NULL if there is none of that name. */
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

/* What the search left out; at most max, returns how many. */
static inline size_t xpl_gaps(const xpl *x, xpl_gap *out, size_t max)
{
    return x->search->gaps ? x->search->gaps(x, out, max) : 0;
}

/* Pairs of places that were covered; 0 where nobody counts. */
static inline uint64_t xpl_n_pairs(const xpl *x)
{
    return x->search->pairs ? x->search->pairs(x) : 0;
}

/* Whether a session to come could go on with what it knows. */
static inline bool xpl_can_save(const xpl *x)
{
    return x->search->save && (!x->search->can_save || x->search->can_save(x));
}

/* Runs of earlier sessions that the search goes on with. */
static inline uint64_t xpl_n_earlier(const xpl *x)
{
    return x->search->earlier ? x->search->earlier(x) : 0;
}

/* What is left; all zero where the search does not know. */
static inline xpl_left xpl_what_is_left(const xpl *x)
{
    xpl_left left = {0};
    if (x->search->left)
        x->search->left(x, &left);
    return left;
}

TD_VEC(td_id, xpl_id_vec);

/* What all explorations count: distinct events and traces and the digest. */
typedef struct xpl_census {
    td_id_set events, traces;
    td_id digest;        /* sum of the distinct ids that count in it */
    td_id trace_digest;  /* sum of the distinct traces that were not cut short */
    uint64_t n_whole;    /* how many these are */
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
/* What a trace is counted by. */
td_id xpl_trace_name(const trc *t);
/* Counts the trace of a run that was counted. */
void xpl_census_trace(xpl_census *c, const trc *t);
/* The runs still count, their events and traces do not. */
void xpl_census_restart(xpl_census *c);
void xpl_census_fini(xpl_census *c);
