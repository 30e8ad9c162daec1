/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated program for tests of the unfolding: threads with short lists of instructions
 * that branch on what they read, run by the rules of the wire protocol. It also computes
 * ids and enumerates all interleavings by itself. */
#pragma once

#include "base/rng.h"
#include "records.h"

enum {
    SIM_THREADS = 20,
    SIM_INS = 24,
    SIM_VARS = 8,
    SIM_MUTEXES = 8,
    /* Not an operation: goes on if the register is a, else skips b instructions. */
    SIM_IF = 100,
    /* Not an operation: the process fails, and the run ends. */
    SIM_FAIL,
};

typedef struct sim_ins {
    uint8_t kind;   /* enum wire_kind as asked for, SIM_IF, SIM_FAIL; 0: end */
    uint8_t object; /* variable, mutex, or thread to create or join */
    int8_t a; /* STORE: value; RMW: added; CAS: expected; JOIN: 1 fetches the result */
    int8_t b; /* CAS: value */
} sim_ins;

/* Threads are numbered by the program; 0 is main. Each is created by one instruction. LOAD
 * and RMW set the register to the old value, CAS and TRYLOCK to 1 or 0, a JOIN that fetches
 * to the register of the thread joined. */
typedef struct sim {
    sim_ins ins[SIM_THREADS][SIM_INS];
} sim;

typedef struct sim_object {
    td_id after, reads;
} sim_object;

typedef struct sim_thread {
    bool made, ended;
    uint8_t pc;
    int8_t reg;
    uint8_t parent;
    uint32_t number, n_created; /* in the run */
    td_id name, last;
} sim_thread;

typedef struct sim_state {
    sim_thread threads[SIM_THREADS];
    int8_t vars[SIM_VARS];
    uint8_t holders[SIM_MUTEXES]; /* thread + 1 */
    sim_object var_objects[SIM_VARS], mutex_objects[SIM_MUTEXES], section_object;
    uint32_t n_made;
    uint8_t last;    /* thread that made the last choice */
    bool in_section; /* it is inside an atomic section */
    bool preempts;   /* ... in place of one that could go on */
    bool over;       /* exit or failure */
    bool failed;
    td_id sum; /* of the ids of all events: names the configuration */
} sim_state;

/* Where steps are noted; all members may be NULL. */
typedef struct sim_out {
    recs *recs;
    td_id_set *events;
    td_id *digest;
} sim_out;

void sim_init(const sim *p, sim_state *s, const sim_out *out);
bool sim_enabled(const sim *p, const sim_state *s, uint32_t thread);
/* One choice, and what is forced after it. */
void sim_step(const sim *p, sim_state *s, uint32_t thread, const sim_out *out);

/* Follows the steps, then chooses: at random, or the thread that ran last if rng is NULL.
 * How the run ended is its NOTE_DONE. */
void sim_run(const sim *p, const wire_step *steps, size_t n_steps, td_rng *rng, recs *r);

typedef struct sim_census {
    td_id_set events;  /* all of them */
    td_id_set configs; /* sums */
    td_id_set ends;    /* of runs within a bound: sums */
    td_id digest;      /* of the events that count in it */
    uint64_t n_traces, n_deadlocks;
    bool too_many; /* gave up */
} sim_census;

/* Every configuration of the program, by all ways to interleave it. */
void sim_enumerate(const sim *p, size_t max_configs, sim_census *out);
/* ... of runs with at most bound preemptions: switches away from a thread that can go on, unless
 * it is about to exit. */
void sim_enumerate_within(const sim *p, uint32_t bound, size_t max_configs,
                          sim_census *out);
void sim_census_fini(sim_census *c);

/* A program of n_threads threads besides main. */
typedef struct sim_options {
    uint32_t n_threads, n_ops, n_vars, n_mutexes;
    bool joins, exits, fails, sections;
} sim_options;
void sim_random(td_rng *rng, const sim_options *o, sim *p);
void sim_print(const sim *p);
