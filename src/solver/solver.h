/* SPDX-License-Identifier: Apache-2.0 */
/* solver/solver.h - inputs that make conditions hold.
 *
 * Purpose     Answers: is there an assignment of inputs for which all these constraints hold,
 *             and which? Tries what is cheap first; home of Z3 and CaDiCaL.
 * Words       query: constraints that must hold together. part: constraints of a query that share
 *             inputs with each other and with no other part; parts are solved one by one.
 *             hint: the assignment to stay close to, of the last run as a rule.
 *             model: an assignment for which the constraints hold. core: constraints of a part that
 *             cannot hold together. stage: one method to find an answer, see SLV_STAGES.
 *             engine: a complete solver behind the caches.
 * Invariants  (S1) every model was evaluated on its constraints by expr/ before it is returned or
 *             kept; a wrong one counts as unknown and in wrong_models;
 *             (S2) inputs that no constraint depends on, and parts that the hint satisfies,
 *                  keep the hint's values;
 *             (S3) without a time limit reached, answers depend on nothing but the
 *                  queries so far.
 * Ownership   An slv borrows its graph and adds nodes to it; it owns its caches.
 * Threads     None of ours; Z3 keeps one for its time limit.
 * Cost        Slicing and the hint: linear in the nodes of the query. Caches: bounded, all
 *             are emptied when full. Measured: guess about 5 us, CaDiCaL 0.1 to 1 ms,
 *             Z3 1 to 10 ms.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stop.h"
#include "expr/expr.h"

typedef struct slv slv;

/* Unknown is a result: of a limit, or of an engine that gave up. */
typedef enum slv_answer { SLV_UNKNOWN, SLV_SAT, SLV_UNSAT } slv_answer;

/* In the order in which they are tried; name for statistics. */
#define SLV_STAGES(X)                                                                    \
    X(FOLD, "folding")      /* constraints that are constant or contradict each other */ \
    X(HINT, "hint")         /* the hint satisfies the part */                            \
    X(EXACT, "exact cache") /* the same part was asked before */                         \
    X(CORE, "unsat sets")   /* it contains a core found before */                        \
    X(MODEL, "models")      /* a model found before satisfies it */                      \
    X(GUESS, "guesses") /* few inputs of the hint changed, by looking at constraints */  \
    X(BLAST, "bit-blasting") /* CaDiCaL, with a limit on conflicts */                    \
    X(SMT, "z3")

typedef enum slv_stage {
#define SLV_STAGE_ENUM(name, text) SLV_STAGE_##name,
    SLV_STAGES(SLV_STAGE_ENUM)
#undef SLV_STAGE_ENUM
        SLV_N_STAGES
} slv_stage;

/* What an engine is asked. All is borrowed for the call. */
typedef struct slv_task {
    const exp_ref *constraints; /* n of them */
    size_t n;
    const uint32_t *inputs; /* that they depend on */
    size_t n_inputs;
    uint32_t limit_ms;
    uint32_t conflicts;
    td_stop *stop;     /* ends it early; or NULL */
    td_u128 *values;   /* out, SAT: by position in inputs */
    exp_ref_vec *core; /* out, UNSAT: some of constraints; empty if not known */
} slv_task;

/* A complete solver. solve must not fail: whatever goes wrong is SLV_UNKNOWN. */
typedef struct slv_engine {
    const char *name;
    void *(*open)(const exp_dag *d);
    slv_answer (*solve)(void *engine, slv_task *task);
    void (*close)(void *engine);
} slv_engine;

extern const slv_engine slv_engine_z3;
/* Always unknown in a build without CaDiCaL. */
extern const slv_engine slv_engine_cadical;

#define SLV_LIMIT_MS 2000u

typedef struct slv_opts {
    uint32_t skip;           /* bits 1 << enum slv_stage: left out (not FOLD) */
    uint32_t limit_ms;       /* time limit of one query; 0: SLV_LIMIT_MS */
    uint32_t conflicts;      /* limit for bit-blasting a part; 0: 1000 */
    uint32_t guesses;        /* assignments tried for a part; 0: 200 */
    const slv_engine *blast; /* NULL: CaDiCaL */
    const slv_engine *smt;   /* NULL: Z3 */
} slv_opts;

typedef struct slv_query {
    const exp_ref *constraints; /* n expressions of width 1 */
    size_t n;
    exp_values hint;   /* all zero: none */
    uint32_t limit_ms; /* 0: that of the options */
    td_stop *stop;     /* makes queries return UNKNOWN; NULL: never */
} slv_query;

typedef struct slv_stats {
    uint64_t queries, sat, unsat, unknown;
    /* Parts of all queries that folding did not answer. */
    uint64_t parts;
    uint64_t by_stage[SLV_N_STAGES];      /* queries answered, by the last stage needed */
    uint64_t part_by_stage[SLV_N_STAGES]; /* parts answered */
    uint64_t wrong_models;                /* models of engines that did not satisfy */
    uint64_t calls[SLV_N_STAGES];         /* BLAST, SMT: calls of the engine */
    double seconds[SLV_N_STAGES];         /* ... and time in it */
} slv_stats;

/* opts may be NULL. d must outlive the solver. */
slv *slv_new(exp_dag *d, const slv_opts *opts);
void slv_free(slv *s);

/* SAT: *model holds at least the values of the hint and of all inputs of the constraints. In
 * other cases *model is left empty. model may be NULL. */
slv_answer slv_solve(slv *s, const slv_query *q, exp_value_vec *model);

const slv_stats *slv_statistics(const slv *s);
const char *slv_stage_text(slv_stage stage);
