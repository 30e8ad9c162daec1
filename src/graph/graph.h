/* SPDX-License-Identifier: Apache-2.0 */
/* graph/graph.h - execution graphs: which read observes which store, and which graphs a memory model allows.
 *
 * Purpose     Holds the events of one run with what each read reads from (rf) and the order of the
 *             stores to each location (mo); decides whether a model allows it; finds the graphs
 *             that a search has to run next. Pure.
 * Words       location: an atomic object, or an object of the threads library (a sync location).
 *             update: a read and a write in one operation: read-modify-write, lock, post. It is
 *             two events, the read and then the write. rank: place of a write in mo, from 1; the
 *             initial value has rank 0. open: said of an update whose read is in the graph and whose
 *             write is not yet. stuck: said of the last read of a thread that must wait because of
 *             the value it read. decision: inputs determine how its thread continues (a side).
 *             before: the event before in the same thread, or the create of the thread.
 *             porf: the transitive closure of before and reads-from.
 * Invariants  (G1) events are in the order in which they were added: before is always a smaller
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
    GRF_OVER, /* it cannot be acquired again */
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
    uint8_t kind;      /* grf_kind */
    uint8_t order;     /* __ATOMIC_* */
    uint8_t otherwise; /* compare-exchange: its order with the other outcome */
    uint8_t updates;   /* read: grf_updates */
    uint8_t leaves;    /* sync: grf_leaves, of a read what its write does */
    uint8_t size;      /* bytes, 1..8; of values */
    uint8_t rmw;       /* enum wire_rmw; of a read that updates always */
    bool is_update;    /* a read that its write follows, or that write */
    bool is_sync;
    uint8_t acquires; /* sync read: GRF_ALL... */
    uint8_t releases; /* sync write: its own; sync read: those of its write */
    uint8_t
        /* Sync read that may have to wait: the grf_leaves for which it waits, as bits. */
        waits_if;
    uint8_t fails_if; /* sync read: the grf_leaves for which it fails, as bits */
    bool drains;      /* what its thread wrote before is visible to all once it is done */
    bool is_stuck;    /* it has to wait */
    /* A compare-exchange that inputs may have a say in, with what it reads. */
    bool is_unsure;
    /* The scheduler chooses when; else it follows what is before it at once. */
    bool is_choice;
    uint32_t thread;
    /* Number of its operation in its thread; the two events of an update share it. */
    uint32_t op;
    uint32_t before;
    uint32_t location;
    /* Read: a write or GRF_INIT; OTHER: an event that it waited for, or GRF_NONE. */
    uint32_t from;
    uint32_t rank;
    uint32_t
        asked; /* by inputs: a decision, or a compare-exchange whether it succeeds; for the
                       * caller, 0: not by them, or what it reads is not what was asked */
    uint64_t object;  /* for the caller */
    uint64_t value;   /* write: the written value; decision: the outcome it took */
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
/* Sets whether its write follows the read. A compare-exchange has another order then. */
void grf_turn(grf_event *read, bool updates);

/* True if the model allows the graph. */
bool grf_consistent(const grf *g, grf_model model);

/* Orders the events so that they can be executed: by before, from, and on sync locations mo and what follows
 * from it. An update is executed with its read. False: there is no such order. last: an event that comes as
 * late as possible, or GRF_NONE. */
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
    /* True if the event takes the first outcome that inputs can make it take together with the others; for a
     * compare-exchange failure is the first. */
    bool (*is_first)(void *ctx, const grf_event *e, const grf_event *const *others,
                     size_t n);
    /* A graph with a compare-exchange whose outcome is not known may not be allowed. */
    void (*lost)(void *ctx);
} grf_search;

/* The part of a job's graph that its run g keeps. */
typedef struct grf_kept {
    uint32_t n; /* its events are the first n */
    /* A write among them that was new when the last decision after it was changed; the reads that it may
     * change have not been examined. GRF_NONE: there is none. */
    uint32_t due;
    /* A read among them whose other outcome has not been examined; GRF_NONE: there is none. */
    uint32_t fresh;
} grf_kept;

/* Finds the alternatives to the events of g after the kept ones, which were added as late as possible:
 * graphs in which one of these reads another store or has another place in mo, and comes last; is a write
 * that comes last, and an earlier read observes it; or takes another outcome with other inputs. */
void grf_alternatives(const grf *g, grf_kept kept, const grf_search *s);
