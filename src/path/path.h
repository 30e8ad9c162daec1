/* SPDX-License-Identifier: Apache-2.0 */
/* path/path.h - what the decisions of runs say about the inputs.
 *
 * Purpose     Turns the symbolic values of runs into expressions that all runs share, and
 *             decisions into questions with conditions on the inputs for each side.
 * Words       input: numbered by us, the same in all runs: by its key and width.
 *             question: what a thread decides: an expression and how it is used. A branch
 *             has the sides 0 and 1, a switch 0 (default) and 1.. (its cases), a value
 *             that is used as it is has itself as its side.
 *             condition: an expression of 1 bit that holds if a side is taken.
 * Invariants  (P1) equal questions have one number;
 *             (P2) the conditions of two sides of a question exclude each other.
 * Ownership   A pth owns its graph of expressions, its inputs and its questions.
 * Threads     None.
 * Cost        pth_take is linear in the inputs of the run (a few ns each); a node costs
 *             half a microsecond when a question first needs it, 0.2 us in later runs.
 */
#pragma once

#include "expr/expr.h"
#include "trace/trace.h"

typedef struct pth pth;

pth *pth_new(void);
void pth_free(pth *p);
exp_dag *pth_dag(pth *p);

/* ---- runs in ---- */

/* Takes over the inputs and nodes of a run; those of the run before are forgotten, what was
 * made of them stays. */
void pth_take(pth *p, const trc *t);

/* The question of a DECIDE of the run that was taken last. */
uint32_t pth_question(pth *p, const trc *t, const trc_op *op);

/* The expression of a node of that run. */
exp_ref pth_node(pth *p, const trc *t, uint32_t label);
/* The variable of what the nth operation of a thread that reads has read. Its number is that of
 * an input, but no job has it. */
exp_ref pth_read(pth *p, td_id thread, uint64_t nth, unsigned bits);

/* Of the run that was taken last: from its read number from on the thread's reads count from number to on. */
void pth_read_shift(pth *p, uint32_t thread, uint64_t from, uint64_t to);

/* False: names the broken invariant; why may be NULL. */
bool pth_valid(const pth *p, char *why, size_t size);

/* ---- questions ---- */

uint8_t pth_how(const pth *p, uint32_t question);      /* enum wire_decide */
uint32_t pth_n_sides(const pth *p, uint32_t question); /* 0 of a value: not known */
/* Holds if the side is taken; a constant if the inputs have no say in it. */
exp_ref pth_condition(pth *p, uint32_t question, uint64_t side);
/* Holds if none of the n outcomes is taken. */
exp_ref pth_none_of(pth *p, uint32_t question, const uint64_t *sides, size_t n);

/* Holds if a side smaller than this one is taken. */
exp_ref pth_smaller(pth *p, uint32_t question, uint64_t side);

/* ---- inputs ---- */

typedef struct pth_input {
    uint64_t key;
    uint8_t bits;
    const char *name; /* as the program called it first; lives as long as p */
    bool is_read;     /* no input: what an operation read (WIRE_JOB_READS) */
} pth_input;

size_t pth_n_inputs(const pth *p);
pth_input pth_input_at(const pth *p, uint32_t number);

/* Values of the inputs in the run taken last, by number; of others what values had before
 * (0 if it was shorter). */
void pth_values(const pth *p, const trc *t, exp_value_vec *values);

/* For a job: the values of the inputs that the conditions depend on, by growing number.
 * What was in out is forgotten. */
void pth_job(pth *p, const exp_ref *conditions, size_t n, exp_values values,
             trc_chosen_vec *out);

/* ---- for people ---- */

/* Adds the path condition of the run's decisions to out, in C's notation, without what obviously follows
 * from the rest: "amount > 30 && fee == 2"; "" if there are none. The run was taken last. Only decisions
 * among its first n_ops operations count. Beyond about 2,000 bytes it ends in "...". */
void pth_explain(pth *p, const trc *t, uint32_t n_ops, td_text *out);
/* The same for one decision, operation op of the run. */
void pth_explain_one(pth *p, const trc *t, uint32_t op, td_text *out);
