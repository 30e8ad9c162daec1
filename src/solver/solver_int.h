/* SPDX-License-Identifier: Apache-2.0 */
/* solver/solver_int.h - what the files of solver/ share. */
#pragma once

#include "solver/solver.h"

#include "base/assert.h"
#include "base/id.h"

typedef struct slv_pair {
    td_u128 value;
    uint32_t input;
} slv_pair;

TD_VEC(slv_pair, slv_pair_vec);

/* One part while it is solved. Its constraints are a slice of the query's. */
typedef struct slv_part {
    size_t first, n; /* in slv.constraints, by growing ref */
    exp_set inputs;
    td_id key; /* slv_part_key, once the hint was tried */
    slv_answer answer;
    slv_stage stage;
} slv_part;

TD_VEC(slv_part, slv_part_vec);

/* --- caches.c: answers from earlier queries --- */

enum { SLV_RECENT = 16, SLV_BUCKETS = 256, SLV_BUCKET_MODELS = 4 };

typedef struct slv_known {
    td_id key;
    uint32_t first, n; /* in pairs, of SAT */
    uint32_t limit_ms; /* UNKNOWN: reached with this limit */
    uint8_t answer;
} slv_known;

TD_VEC(slv_known, slv_known_vec);

typedef struct slv_core {
    uint32_t first, n; /* in core_refs, by growing ref */
    uint32_t next;     /* with the same last ref; 0: none */
} slv_core;

TD_VEC(slv_core, slv_core_vec);

typedef struct slv_model {
    exp_set inputs;
    slv_pair_vec pairs;
} slv_model;

/* Models of parts with equal inputs; a newer set of inputs takes over the bucket. */
typedef struct slv_bucket {
    exp_set inputs;
    uint32_t n_put;
    slv_model models[SLV_BUCKET_MODELS];
} slv_bucket;

typedef struct slv_caches {
    slv_known_vec known; /* [0] is none */
    uint32_t *slots;     /* slots of known, by key */
    size_t n_slots;
    slv_pair_vec pairs;
    slv_core_vec cores; /* [0] is none */
    exp_ref_vec core_refs;
    exp_u32_vec core_by_ref; /* first core whose last ref it is */
    slv_model recent[SLV_RECENT];
    uint32_t n_recent; /* put so far; the newest is at (n_recent - 1) % SLV_RECENT */
    slv_bucket *buckets;
} slv_caches;

void slv_caches_init(slv_caches *c);
void slv_caches_fini(slv_caches *c);
/* NULL: not known. Valid until the next put. */
const slv_known *slv_caches_find(const slv_caches *c, td_id key);
/* pairs is borrowed; what was known of the key is replaced. */
void slv_caches_put(slv_caches *c, slv_known known, const slv_pair_vec *pairs);
/* True if some core is a subset of refs[0..n), which grow. */
bool slv_caches_has_core(const slv_caches *c, const exp_ref *refs, size_t n);
/* refs grow and are borrowed. */
void slv_caches_put_core(slv_caches *c, const exp_ref *refs, size_t n);
void slv_caches_put_model(slv_caches *c, exp_set inputs, const slv_pair_vec *pairs);
/* The i-th model to try for these inputs: those of equal parts, then the newest; NULL
 * after the last. */
const slv_model *slv_caches_model(const slv_caches *c, exp_set inputs, size_t i);

/* --- guess.c --- */

typedef struct slv_guesser {
    const exp_dag *d;
    exp_tape *tape; /* with the part's constraints; run on values before each round */
    td_u128 *
        values; /* the assignment, by input; changed, and put back where that does not help */
    size_t n_values; /* enough for all inputs of the part */
    uint32_t max_tries;
    /* scratch, owned by the solver */
    slv_pair_vec pairs; /* candidates, one after the other */
    exp_u32_vec groups; /* where each candidate starts in pairs */
    slv_pair_vec undo;
    size_t group_first; /* first group of the current candidate */
    uint32_t n_visits;
} slv_guesser;

/* True if values satisfy the part now. */
bool slv_guess(slv_guesser *g);
void slv_guesser_fini(slv_guesser *g);

struct slv {
    exp_dag *d;
    slv_opts opts;
    slv_stats stats;
    slv_caches caches;
    void *engines[SLV_N_STAGES]; /* BLAST and SMT, once opened */
    /* for the current query: */
    exp_ref_vec constraints; /* split, without repetition, part after part */
    exp_ref_vec stack;
    slv_part_vec parts;
    exp_tape tape;      /* tape of all constraints, then of one part */
    exp_value_vec work; /* the hint, as wide as all inputs */
    uint64_t deadline_ns;
    td_stop *stop; /* stop of the query */
    /* Limit of the query; what remained when engines took the part. */
    uint32_t limit_ms, given_ms;
    exp_u32_vec inputs; /* inputs of one part */
    exp_value_vec values;
    slv_pair_vec pairs;
    exp_ref_vec core;
    slv_guesser guesser;
    /* slicing */
    exp_u32_vec parent;   /* union-find over constraints */
    exp_u32_vec by_input; /* by input: a constraint that has it, plus 1 */
    exp_u32_vec marked;   /* inputs to be cleared in by_input */
};

/* independence.c: parts of s->constraints, which are put in their order. */
void slv_slice(slv *s);
/* Names the set of constraints by content: their ids sorted, and hashed. */
td_id slv_part_key(const slv *s, const slv_part *p);

/* --- effort.c --- */

/* Processor time of this thread. */
uint64_t slv_now_ns(void);

/* About how many gates the steps on the tape need. */
size_t slv_cost(const exp_tape *t);

/* ---- out_of_memory.c ---- */
/* When a solver library runs out of memory, the reserve is freed; treadle then exits with a message. */
void slv_out_of_memory_start(void);
