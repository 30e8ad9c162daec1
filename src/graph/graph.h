/* SPDX-License-Identifier: Apache-2.0 */
/* graph/graph.h - execution graphs: who read which store, and which graphs a memory model allows.
 *
 * Purpose     Holds the events of one run with what each read reads from (rf) and the order of the
 *             stores to each location (mo); says whether a model allows it; finds the graphs
 *             that a search has to run next. Pure.
 * Words       location: an atomic object, or an object of the threads library (a sync location).
 *             update: a read and a write in one operation: read-modify-write, lock, post. It is
 *             two events, the read and then the write. rank: place of a write in mo, from 1; what
 *             was there at first has rank 0. open: said of an update whose read is in the graph
 *             and whose write is not yet. stuck: said of the last read of a thread that has to
 *             wait with what it read. decision: inputs say which way its thread goes on (a side).
 *             before: the event before in the same thread, or the create of the thread.
 *             porf: before and reads-from, and all they lead back to.
 * Invariants  (G1) events stand in the order in which they were added: before is always a smaller
 *             number, from need not be; (G2) the ranks of a location are 1..n, each once;
 *             (G3) porf has no cycle in a graph that is consistent under any model.
 * Cost        grf_consistent: O(n) for sc and tso, pairs of one location for rc11, and with
 *             seq_cst events bit sets of n events for each of them.
 * Reading     Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly stateless, optimal dynamic
 *             partial order reduction, POPL 2022 (TruSt); Lahav et al.: Repairing sequential
 *             consistency in C/C++11, PLDI 2017 (RC11).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/stop.h"
#include "base/vec.h"

typedef enum grf_model { GRF_SC, GRF_TSO, GRF_RC11, GRF_N_MODELS } grf_model;

/* "sc", "tso", "rc11". */
const char *grf_model_name(grf_model model);

typedef enum grf_kind {
    GRF_READ,
    GRF_WRITE,
    GRF_FENCE,
    GRF_OTHER,
    GRF_DECIDE, /* value: its side; directly behind what it follows at once */
} grf_kind;

/* When a read is followed by a write of the same operation. */
typedef enum grf_updates {
    GRF_NEVER,
    GRF_ALWAYS,
    GRF_IF_EQUAL, /* compare-exchange: if it reads what it expects */
    GRF_IF_OPEN,  /* sync: unless it fails (fails_if) */
} grf_updates;

/* How a sync write leaves the object. */
typedef enum grf_leaves {
    GRF_OPEN,
    GRF_CLOSED,
    GRF_HELD_TO_READ,
    GRF_OVER, /* nobody can take it again */
    GRF_UNKNOWN,
} grf_leaves;

/* What a sync read learns and a sync write leaves, as bits: what was left for all, what was kept apart;
 * GRF_ROUND: what was left for all so far is kept apart from now on. */
#define GRF_ALL 1u
#define GRF_APART 2u
#define GRF_ROUND 4u

#define GRF_NONE UINT32_MAX
#define GRF_INIT (UINT32_MAX - 1) /* from: what was there at first */

typedef struct grf_event {
    uint8_t kind;  /* grf_kind */
    uint8_t order; /* __ATOMIC_* */
    uint8_t
        otherwise;   /* of a compare-exchange: its order if it turns out the other way */
    uint8_t updates; /* of a read: grf_updates */
    uint8_t leaves;  /* sync: grf_leaves, of a read what its write does */
    uint8_t size;    /* bytes, 1..8; of values */
    uint8_t rmw;     /* enum wire_rmw; of a read that updates always */
    bool is_update;  /* a read that its write follows, or that write */
    bool is_sync;
    uint8_t acquires; /* of a sync read: GRF_ALL... */
    uint8_t releases; /* of a sync write; of a sync read what its write does */
    uint8_t
        waits_if; /* of a sync read that may have to wait: grf_leaves where it has to, as bits */
    uint8_t fails_if; /* of a sync read: grf_leaves where it fails, as bits */
    bool drains;      /* what its thread wrote before is visible to all once it is done */
    bool is_stuck;    /* it has to wait */
    bool
        is_unsure; /* a compare-exchange that inputs may have a say in, with what it reads */
    bool
        is_choice; /* the scheduler chooses when; else it follows what is before it at once */
    uint32_t thread;
    uint32_t
        op; /* number of its operation in its thread; the two events of an update share it */
    uint32_t before;
    uint32_t location;
    uint32_t
        from; /* read: a write or GRF_INIT; OTHER: an event that it waited for, or GRF_NONE */
    uint32_t rank;
    uint32_t
        asked; /* by inputs: a decision, or a compare-exchange whether it succeeds; for the
                       * caller, 0: not by them, or what it reads is not what was asked */
    uint64_t object;  /* for the caller */
    uint64_t value;   /* of a write: what it wrote; of a decision: the side it took */
    uint64_t operand; /* read-modify-write; of a compare-exchange what it expects */
    uint64_t desired; /* what a compare-exchange writes */
} grf_event;

TD_VEC(grf_event, grf_event_vec);
TD_VEC(uint32_t, grf_u32_vec);
TD_VEC(uint64_t, grf_u64_vec);

typedef struct grf {
    grf_event_vec events;
    grf_u64_vec inits; /* what locations held at first, by number */
    uint32_t n_threads;
    bool is_by_inputs; /* they may have a say in what was written */
} grf;

void grf_clear(grf *g);
void grf_fini(grf *g);
void grf_copy(grf *to, const grf *from);

/* Adds an event; a write gets the rank and moves those behind it up. */
uint32_t grf_add(grf *g, grf_event e);
/* How many writes the location has. */
uint32_t grf_last_rank(const grf *g, uint32_t location);
/* The write of that rank; GRF_INIT: 0. */
uint32_t grf_write_at(const grf *g, uint32_t location, uint32_t rank);
/* The rank of what a read reads. */
uint32_t grf_from_rank(const grf *g, const grf_event *read);
/* What a read finds there; whether it is then followed by a write; what it writes. */
uint64_t grf_value_of(const grf *g, const grf_event *read);
bool grf_will_update(const grf *g, const grf_event *read);
uint64_t grf_written(const grf *g, const grf_event *read);
/* True if a sync read has to wait with what is in front of it. */
bool grf_has_to_wait(const grf *g, const grf_event *read);
/* Says whether its write follows the read. A compare-exchange has another order then. */
void grf_turn(grf_event *read, bool updates);

/* True if the model allows the graph. */
bool grf_consistent(const grf *g, grf_model model);

/* The events in an order in which they can be executed: before, from, and on sync locations mo and
 * what follows from it. An update is executed when its read is. False: there is none. last: an
 * event that comes as late as can be, or GRF_NONE. */
bool grf_execution(const grf *g, uint32_t last, grf_u32_vec *out);

/* ---- what to run next ---- */

/* A graph to run. whole has the writes of open updates, too, which are new to the run. */
typedef struct grf_next {
    const grf *g, *whole;
    /* An earlier read that reads a new write, which the graph ends with but for decisions behind it; else
     * GRF_NONE. */
    uint32_t reader;
    /* Other inputs are needed, for what is asked in it. */
    bool is_turned;
} grf_next;

typedef struct grf_search {
    grf_model model;
    td_stop *stop; /* may be NULL */
    void *ctx;
    void (*found)(void *ctx, const grf_next *next);
    /* The others may be NULL where nothing is by inputs. The last event of g is a decision: the
     * graphs with its other sides are to be run, too. due: for grf_alternatives of their runs. */
    void (*decided)(void *ctx, const grf *g, uint32_t due);
    /* Whether an event that is asked takes the first side that inputs can make it take together
     * with others; of a compare-exchange that it fails is the first. */
    bool (*is_first)(void *ctx, const grf_event *e, const grf_event *const *others,
                     size_t n);
    /* A graph with a compare-exchange whose outcome is not known may not be allowed. */
    void (*lost)(void *ctx);
} grf_search;

/* Of a job whose run is g. */
typedef struct grf_kept {
    uint32_t n; /* its events are the first n */
    /* A write among them that was new when the last decision of those behind it was turned; what it makes
     * of earlier reads has not been looked at. GRF_NONE: there is none. */
    uint32_t due;
    /* A read among them whose other outcome has not been looked at; GRF_NONE: there is none. */
    uint32_t fresh;
} grf_kept;

/* The graphs to run instead of what the events of g behind the kept ones did, which were added as late as
 * can be: one of these reads something else or stands elsewhere in mo, and ends the graph; it is
 * a write, ends the graph, and an earlier read reads it; or inputs make it go another way. */
void grf_alternatives(const grf *g, grf_kept kept, const grf_search *s);
