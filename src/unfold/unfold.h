/* SPDX-License-Identifier: Apache-2.0 */
/* unfold/unfold.h - all events known so far, and those that could come next.
 *
 * Purpose     Stores every event of every run once, with its causes; decides whether a set of events
 *             can occur in one run; finds targets: events that no run has executed.
 * Words       event, cone, conflict, target, configuration: docs/glossary.md.
 *             state: the state of an object after an exclusive event; the root of an object is its
 *             initial state. read: a shared event, which does not change the state.
 *             history: an event viewed as its thread's position.
 *             probe: a target whose operation may turn out to fail (compare-exchange, try
 *             lock) and so may be an exclusive or a shared event, or a decision for any value not
 *             taken yet; one run shows which.
 *             decision: an event caused by its thread alone; its outcomes are in conflict.
 *             blocked: a history whose next operation cannot happen in a state.
 *             closed, woken: properties of a state that determine which threads must wait in it (wire/ops.def).
 * Structure   before: tree of each thread's histories. after: tree of each object's states;
 *             reads are attached to the state they observe. An exclusive event also lists the reads
 *             of that state that precede it. START (a thread after its CREATE) and ROOT (an untouched
 *             object) are synthetic events.
 * Invariants  (U1) a cause has a smaller number than its effects, targets included;
 *             (U2) an executed event and all its causes are executed;
 *             (U3) for every executed history and every executed state of the object of its
 *                  next operation that are compatible there is an event, a target or an entry
 *                  in the state's list of blocked histories: nothing else can come next;
 *             (U4) conflict is binary: events that are pairwise without conflict have
 *                  causes that form a configuration.
 * Cost        unf_insert: O(1) an operation that is known; for a new event the part of its
 *             neighbourhood that is compatible (target.c). Memory: docs/measurements.md.
 * Reading     Kahkonen, Saarikivi, Heljanko, Unfolding based automated testing of
 *             multithreaded programs, 2014; differences: docs/unfolding.md.
 */
#pragma once

#include "base/stop.h"
#include "trace/trace.h"

#define UNF_NONE UINT32_MAX

/* Kinds beside those of enum wire_kind; no event is an OTHER, it is in ids of probes. */
enum unf_kind { UNF_START = 90, UNF_ROOT, UNF_OTHER };
static_assert((int)WIRE_N_OPS <= UNF_START && UNF_OTHER < (int)WIRE_NOTES_START,
              "between operations and notes");

typedef enum unf_status {
    UNF_EXECUTED,
    UNF_TARGET,  /* no run has executed it */
    UNF_SETTLED, /* a probe that turned out to be another event */
    UNF_DROPPED, /* a target given up by the owner of the unfolding */
} unf_status;

typedef struct unf unf;
/* A set of events that holds the causes of its members and no conflict. */
typedef struct unf_cfg unf_cfg;
TD_VEC(uint32_t, unf_vec);
TD_VEC(uint64_t, unf_side_vec);

/* What the unfolding does not know itself: which inputs lead to a side of a decision. */
typedef struct unf_inputs {
    void *self;
    /* A number for what a DECIDE, CAS or CAS_FAIL of the run being inserted depends on. */
    uint32_t (*question)(void *self, const trc *t, const trc_op *op);
    /* False if no inputs lead to all decisions of the configuration. */
    bool (*feasible)(void *self, unf_cfg *c);
} unf_inputs;

/* inputs is copied. NULL: there are no decisions, or all are possible. */
unf *unf_new(const trc_namer *namer, const unf_inputs *inputs);
void unf_free(unf *u);
/* Lets `stop` interrupt insertions and searches; their results are then incomplete. It must live as long as
 * u. */
void unf_obey(unf *u, td_stop *stop);
/* Call before the first run: no join counts as unobserved. A run that exceeded the limit does not show what
 * its threads would have observed later. */
void unf_watch_all(unf *u);

/* Before the first run: joins after which a thread does nothing but join are events once only, as long as
 * nothing is seen there (silent_tails.c). Not for searches of paths, which count all that a thread does. */
void unf_leave_tails(unf *u);

/* ---- events ---- */

typedef struct unf_view {
    td_id id; /* probe: the id of the event if the operation fails */
    unf_status status;
    bool is_probe;
    uint8_t kind;           /* enum wire_kind or unf_kind */
    uint32_t thread;        /* numbered by the unfolding, the same in all runs */
    uint32_t object;        /* likewise; UNF_NONE: none */
    uint32_t before, after; /* UNF_NONE: none */
    /* DECIDE, or a compare-exchange that depends on inputs, else UNF_NONE; probe: it is none of its
     * siblings' outcomes. */
    uint32_t question;
    uint64_t side;         /* ... and the side taken */
    bool is_last;          /* the run ends with what the thread does after it */
    bool is_inside;        /* its thread is in an atomic section after it */
    bool is_cut;           /* ... but no run has shown it yet */
    const uint32_t *reads; /* n_reads, rising */
    uint32_t n_reads;
} unf_view;

uint32_t unf_len(const unf *u); /* events are 0 .. len-1 */
unf_view unf_at(const unf *u, uint32_t event);
unf_status unf_status_of(const unf *u, uint32_t event);
/* True if one of the two may change or read the state that both follow: only a run shows which. */
bool unf_probe_together(const unf *u, uint32_t a, uint32_t b);
/* Returns the site of its operation; 0 for synthetic events. */
uint32_t unf_site(const unf *u, uint32_t event);
/* Returns the event with this id, or UNF_NONE. */
uint32_t unf_find(const unf *u, td_id id);

uint64_t unf_n_executed(const unf *u); /* events that count in the digest */
td_id unf_digest(const unf *u);        /* sum of the ids that count in it */

/* ---- runs in, targets out ---- */

/* The run is identified and was made with WIRE_JOB_NEXT. */
void unf_insert(unf *u, const trc *t);
/* The stop came while the last run was inserted: what it did at the end is not known. */
bool unf_is_cut(const unf *u);

/* What became of the run that was inserted last: the event of its operation i, and the START
 * of a thread of it; UNF_NONE: that part of the run was not kept. The end of a thread may be
 * no event: then it is the event before. */
uint32_t unf_run_event(const unf *u, size_t i);
uint32_t unf_run_start(const unf *u, uint32_t thread);
/* Returns the position of a thread at the end of the run, for unf_is_past. */
uint32_t unf_run_top(const unf *u, uint32_t thread);

/* Switches off the detection of data races in the structure. */
void unf_no_races(unf *u);

/* Targets found since the last call, and those that must be looked at again; the caller
 * clears the vector. */
unf_vec *unf_found(unf *u);

/* True for a target whose thread only joins and ends from here on, whatever it joins, and whose own end no
 * thread waits for that observes anything: running it would show nothing. If this changes, unf_found returns
 * the target again. */
bool unf_is_silent_join(unf *u, uint32_t target);
/* The same as far as is known, for counting only: it may change without notice. */
bool unf_shows_nothing(const unf *u, uint32_t target);
void unf_drop(unf *u, uint32_t target);

/* The target turned out to be no event: its thread goes round a loop there. */
bool unf_spins(const unf *u, uint32_t target);
/* Number of known spins. When it grows, leaving a thread at a newly known spin no longer counts as a
 * preemption. */
uint64_t unf_n_spins(const unf *u);

/* The sides of a question that were taken from a history. */
void unf_sides(unf *u, uint32_t history, unf_side_vec *out);
/* Decisions after which a run ended. If it grows, a run may have missed its target because
 * it ended early. */
uint64_t unf_n_fatal(const unf *u);
/* A thread continues to decide as soon as it has done its last operation in a configuration,
 * or was created. Puts each series of decisions that would end the run before the others
 * have done theirs into out, and UNF_NONE after it. */
void unf_cfg_fatal(const unf_cfg *c, unf_vec *out);

/* What could not be kept. */
typedef struct unf_losses {
    uint64_t mixed;      /* runs cut at an access that overlaps others in part */
    uint64_t changed;    /* histories that continued in two ways */
    uint64_t surprises;  /* events that were executed without having been targets */
    uint64_t uncompared; /* pairs of plain accesses that were not compared for races */
    uint64_t idle;       /* waits that were not searched for a deadlock to the end */
    /* Values used as they are that have more alternatives than are tried. */
    uint64_t values;
    uint64_t livelocks; /* 1: combinations of waiting threads that were not looked at */
} unf_losses;
unf_losses unf_lost(const unf *u);

/* ---- configurations ---- */

unf_cfg *unf_cfg_new(unf *u);
void unf_cfg_free(unf_cfg *c);
void unf_cfg_clear(unf_cfg *c);
bool unf_cfg_has(const unf_cfg *c, uint32_t event);
/* True if event and its causes fit in. */
bool unf_cfg_fits(unf_cfg *c, uint32_t event);
/* Adds event and its causes, which fit. */
void unf_cfg_add(unf_cfg *c, uint32_t event);
/* Its members in the order in which they were added; unf_cfg_cut goes back to len. */
size_t unf_cfg_len(const unf_cfg *c);
/* The operations of a run of its members, as the depth of a job counts them. */
size_t unf_cfg_n_ops(const unf_cfg *c);
uint32_t unf_cfg_at(const unf_cfg *c, size_t i);
void unf_cfg_cut(unf_cfg *c, size_t len);
/* True if the history is its thread's position, or the thread can reach it. */
bool unf_cfg_free_at(unf_cfg *c, uint32_t history);
/* Adds what is needed for atomic sections to be complete. */
typedef enum unf_possible {
    UNF_POSSIBLE,
    UNF_PERHAPS_LATER, /* no end of a section fits, as far as is known */
    UNF_IMPOSSIBLE,
} unf_possible;
unf_possible unf_cfg_complete(unf_cfg *c);
/* Ends of sections executed; if it grows, what was UNF_PERHAPS_LATER is to be asked again. */
uint64_t unf_n_sections(const unf *u);
/* The last event of a thread, UNF_NONE. */
uint32_t unf_cfg_top(const unf_cfg *c, uint32_t thread);
/* The steps of a run of its members. */
void unf_cfg_schedule(unf_cfg *c, trc_step_vec *out);
/* The same for a program whose threads make more choices than there are events: count returns how many a
 * thread makes between a history and its next event. */
typedef struct unf_silent {
    void *self;
    uint32_t (*count)(void *self, uint32_t history);
} unf_silent;
void unf_cfg_schedule_with(unf_cfg *c, const unf_silent *silent, trc_step_vec *out);
/* After that: the number that a thread of c has in the run to come. */
uint32_t unf_cfg_number(const unf_cfg *c, uint32_t thread);

/* Relations of two events, each by a walk over a cone. */
bool unf_before(unf *u, uint32_t a, uint32_t b); /* a is a cause of b, or b */
bool unf_conflict(unf *u, uint32_t a, uint32_t b);
bool unf_concurrent(unf *u, uint32_t a, uint32_t b);

/* ---- parts ----
 * A part of all traces: those that have some events and lack others (docs/parallel.md). What it has
 * fits together, and holds nothing that it lacks. */
typedef struct unf_part {
    unf_vec has, lacks;
} unf_part;

/* What was executed of a part, as far as it counts in the digest. */
typedef struct unf_owned {
    /* Events that fit with all it has and are in conflict with all it lacks. */
    uint64_t n;
    td_id digest;
    uint64_t n_inside; /* events that some run of it may have */
} unf_owned;
/* Two passes over all events, and two more for each event that the part lacks. */
unf_owned unf_own(unf *u, const unf_part *p);
/* True if the event is the history, or one of its thread before it. */
bool unf_is_past(const unf *u, uint32_t history, uint32_t event);

/* A walk over the histories of one thread that fit with a configuration. */
typedef struct unf_walk {
    unf_cfg *cfg;
    unf_vec stack;
    uint64_t cost; /* events looked at; beyond most the walk is of no use */
    uint64_t most;
} unf_walk;

/* cfg must not change during the walk. */
void unf_walk_start(unf *u, unf_walk *w, unf_cfg *cfg, uint32_t thread, uint64_t most);
/* UNF_NONE: no more. Look at unf_walk_failed before what it found is used. */
uint32_t unf_walk_next(unf *u, unf_walk *w);
static inline bool unf_walk_failed(const unf_walk *w)
{
    return w->cost > w->most;
}

/* ---- bugs in the structure ---- */

/* Number of suspects: sets of histories whose threads are stuck or race if they are there at the same time,
 * and that no run has shown. */
size_t unf_n_suspects(const unf *u);
/* Call when no target remains: searches for threads that repeat their loops forever, and adds suspects;
 * returns how many. */
size_t unf_livelocks_search(unf *u);
/* Takes a suspect, each once; *out holds the histories. False: none is left. */
bool unf_suspect(unf *u, unf_vec *out);

/* Threads that wait to be woken, for a semaphore, for readers: looks for those that wait forever.
 * To be called when no target and no suspect is left. True if there are suspects now. */
bool unf_endless_waits_search(unf *u);
bool unf_endless_waits_is_due(const unf *u); /* it has something to look at */

/* ---- preemptions ----
 * A switch away from a thread whose next operation can be done is one, unless that operation is
 * the exit of the process: docs/bounds.md. */

typedef enum unf_reach {
    UNF_WITHIN, /* a run reaches the target with at most that many */
    UNF_BEYOND, /* no run does, as far as is known */
    UNF_UNSURE, /* there are too many ways to look at all of them */
} unf_reach;

/* Looks for a path to a target with at most bound preemptions. *is_final: the answer stays the
 * same whatever else will be executed, unless unf_n_spins grows. */
typedef struct unf_path unf_path;
unf_path *unf_path_new(unf *u);
void unf_path_free(unf_path *w);
unf_reach unf_path_find(unf_path *w, uint32_t target, uint32_t bound, bool *is_final);
/* The same for a run that executes the first n members of c, which hold their causes, whatever it
 * does besides. The answer is right if all is known that can be reached with so many. */
unf_reach unf_path_through(unf_path *w, const unf_cfg *c, size_t n, uint32_t bound);
/* After UNF_WITHIN: plan becomes what is executed on that path, steps how. */
void unf_path_plan(const unf_path *w, unf_cfg *plan, trc_step_vec *steps);

/* ---- all traces ---- */

/* A search for the maximal configurations of what was executed when it is made; nothing may be
 * inserted until it is freed that is new. A trace that a failure ends is left out: the run that
 * executed the failure has shown it. */
typedef struct unf_traces unf_traces;
unf_traces *unf_traces_new(unf *u);
void unf_traces_free(unf_traces *t);
/* From the start: leaves out traces that need more preemptions, as far as is easily seen. All must
 * have been executed that can be reached with so many. path is borrowed. */
void unf_traces_bound(unf_traces *t, unf_path *path, uint32_t bound);
/* From the start: leaves out traces of other parts. */
void unf_traces_of(unf_traces *t, const unf_part *p);
/* Ends the search and returns an event that some of the remaining traces have and others lack, the nearest
 * to the start of the search, so that it divides much. The traces with it come first in the search.
 * UNF_NONE: none is known. */
uint32_t unf_traces_fork(unf_traces *t);
/* Returns the next trace, each once; valid until the next call. NULL: no more. */
unf_cfg *unf_traces_next(unf_traces *t);
/* Returns whether a run of the last trace has so few preemptions; that path may be planned. UNF_BEYOND:
 * other traces with the same prefix are left out as well, and the trace is gone. */
unf_reach unf_traces_within(unf_traces *t);
/* Returns how often traces were left out for that. */
uint64_t unf_traces_n_cut(const unf_traces *t);
/* A name of the trace that a run was, or a configuration is; joins, ends and exits, which follow
 * from the rest, do not count. */
td_id unf_trace_of(const trc *t);
td_id unf_cfg_trace(const unf_cfg *c);

/* Checks (U1) to (U4) as far as a walk over everything can; for tests. */
bool unf_valid(unf *u, char *why, size_t size);
