/* SPDX-License-Identifier: Apache-2.0 */
/* expr/expr.h - bit-vector expressions over the inputs of a program.
 *
 * Purpose     Stores every expression once, simplified as it is built; evaluates, prints and names
 *             it, and lists the inputs it depends on.
 * Words       node: one expression. ref: its number in the graph, 0 is none.
 *             input: a symbolic value, identified by a number; the caller keeps the names. width:
 *             number of bits, 1 to 128.
 *             Boolean: an expression of width 1; 1 is true.
 *             tape: nodes in an order in which they can be computed one after the other.
 * Invariants  (E1) an operand has a smaller ref than the node that uses it;
 *             (E2) no two nodes are equal;
 *             (E3) an input number has one width in a graph;
 *             (E4) the id of a node depends on nothing but what it computes from inputs
 *                  and how: it is the same in every graph, run and machine.
 * Ownership   The graph owns its nodes; refs and sets stay valid until exp_free().
 * Threads     None.
 * Cost        Building O(1) expected, about 100 ns a node, 50 bytes a node. The simplifier
 *             looks at a few levels of operands, never at all of them, and nothing here
 *             recurses as deep as an expression: 10^6 levels are fine.
 *
 * Meaning. As in SMT-LIB's theory of bit-vectors, everything is defined:
 *   x / 0 is all ones unsigned, and signed 1 for a negative x, else -1; x % 0 is x;
 *   the signed remainder has the sign of x; MIN / -1 is MIN and MIN % -1 is 0;
 *   a shift by the width or more gives 0, an arithmetic one all copies of the sign.
 * Operands of an operation have one width, those of a shift too. What the C or LLVM
 * operation leaves undefined is not known here.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/id.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/vec.h"

#define EXP_MAX_WIDTH 128u
#define EXP_MAX_INPUTS (1u << 26) /* input numbers are below */

typedef struct exp_dag exp_dag;

typedef struct exp_ref {
    uint32_t ix;
} exp_ref;

#define EXP_NONE ((exp_ref){0})

/* Kinds of node: name, how many operands, name in SMT-LIB. */
#define EXP_OPS(X)                                                                       \
    X(CONST, 0, "")                                                                      \
    X(INPUT, 0, "")                                                                      \
    X(ADD, 2, "bvadd")                                                                   \
    X(SUB, 2, "bvsub")                                                                   \
    X(MUL, 2, "bvmul")                                                                   \
    X(UDIV, 2, "bvudiv")                                                                 \
    X(SDIV, 2, "bvsdiv")                                                                 \
    X(UREM, 2, "bvurem")                                                                 \
    X(SREM, 2, "bvsrem")                                                                 \
    X(AND, 2, "bvand")                                                                   \
    X(OR, 2, "bvor")                                                                     \
    X(XOR, 2, "bvxor")                                                                   \
    X(SHL, 2, "bvshl")                                                                   \
    X(LSHR, 2, "bvlshr")                                                                 \
    X(ASHR, 2, "bvashr")                                                                 \
    X(EQ, 2, "=")                                                                        \
    X(ULT, 2, "bvult")                                                                   \
    X(SLT, 2, "bvslt")                                                                   \
    X(CONCAT, 2, "concat")                                                               \
    X(SEXT, 1, "sign_extend")                                                            \
    X(EXTRACT, 1, "extract")                                                             \
    X(ITE, 3, "ite")                                                                     \
    X(NOT, 1, "bvnot")                                                                   \
    X(NEG, 1, "bvneg")

typedef enum exp_op {
#define EXP_OP_ENUM(name, n_args, smt) EXP_##name,
    EXP_OPS(EXP_OP_ENUM)
#undef EXP_OP_ENUM
        EXP_N_OPS,
    /* Can be asked of exp_binary, but no node has them. */
    EXP_NE = EXP_N_OPS,
    EXP_ULE,
    EXP_SLE,
} exp_op;

/* Zero extension and shifts by a constant are CONCAT and EXTRACT nodes. */
typedef struct exp_node {
    uint8_t op;    /* enum exp_op */
    uint8_t width; /* width of the result */
    uint8_t aux;   /* EXTRACT: lowest bit; CONCAT: width of the low part; SEXT and
                    * comparisons: width of the operand; else 0 */
    uint8_t n_args;
    union {
        exp_ref arg[3];  /* CONCAT: high part first; ITE: condition, then, else */
        uint32_t number; /* INPUT: its number; CONST: index of its value */
    };
} exp_node;

typedef enum exp_sign { EXP_UNSIGNED, EXP_SIGNED } exp_sign;

/* Values of inputs by number; an input beyond n is 0. Bits beyond an input's width do not
 * count. Borrowed wherever it is passed. */
typedef struct exp_values {
    const td_u128 *at;
    size_t n;
} exp_values;

/* A set of input numbers: equal sets of one graph are the same number, 0 is empty. */
typedef struct exp_set {
    uint32_t ix;
} exp_set;

TD_VEC(exp_ref, exp_ref_vec);
TD_VEC(td_u128, exp_value_vec);
TD_VEC(uint32_t, exp_u32_vec);

exp_dag *exp_new(void);
void exp_free(exp_dag *d);

/* --- Building. The result has the same value as the operation for all inputs, but may
 * be any node. Asserted: widths fit. --- */

/* The low width bits of value. */
exp_ref exp_const(exp_dag *d, unsigned width, td_u128 value);
exp_ref exp_input(exp_dag *d, uint32_t number, unsigned width);
/* NOT, NEG. */
exp_ref exp_unary(exp_dag *d, exp_op op, exp_ref a);
/* ADD to SLT, CONCAT, NE, ULE, SLE. */
exp_ref exp_binary(exp_dag *d, exp_op op, exp_ref a, exp_ref b);
exp_ref exp_extract(exp_dag *d, exp_ref a, unsigned low, unsigned width);
exp_ref exp_zext(exp_dag *d, exp_ref a, unsigned width);
exp_ref exp_sext(exp_dag *d, exp_ref a, unsigned width);
exp_ref exp_ite(exp_dag *d, exp_ref cond, exp_ref then, exp_ref otherwise);

/* Made of the above. Of zero ctlz and cttz give the width. */
exp_ref exp_bswap(exp_dag *d, exp_ref a); /* width is a multiple of 8 */
exp_ref exp_bitreverse(exp_dag *d, exp_ref a);
exp_ref exp_ctpop(exp_dag *d, exp_ref a);
exp_ref exp_ctlz(exp_dag *d, exp_ref a);
exp_ref exp_cttz(exp_dag *d, exp_ref a);
/* Bits of high:low moved left (right) by amount modulo the width: the high (low) half. */
exp_ref exp_fshl(exp_dag *d, exp_ref high, exp_ref low, exp_ref amount);
exp_ref exp_fshr(exp_dag *d, exp_ref high, exp_ref low, exp_ref amount);
/* Boolean: ADD, SUB or MUL of a and b does not fit the width. */
exp_ref exp_overflows(exp_dag *d, exp_op op, exp_sign sign, exp_ref a, exp_ref b);

/* --- Looking --- */

uint32_t exp_count(const exp_dag *d); /* refs are below */
exp_node exp_at(const exp_dag *d, exp_ref e);
unsigned exp_width(const exp_dag *d, exp_ref e);
/* True for a constant; *value is then its value. */
bool exp_is_const(const exp_dag *d, exp_ref e, td_u128 *value);
/* Content id, see E4. */
td_id exp_id(const exp_dag *d, exp_ref e);
/* Width of an input that was ever built; 0 of any other number. */
unsigned exp_input_width(const exp_dag *d, uint32_t number);
/* One more than the largest input number built. */
uint32_t exp_input_count(const exp_dag *d);

static inline bool exp_same(exp_ref a, exp_ref b)
{
    return a.ix == b.ix;
}

/* The value of a width-bit number with all bits set; width is 1..128. */
static inline td_u128 exp_ones(unsigned width)
{
    return ~(td_u128)0 >> (EXP_MAX_WIDTH - width);
}

/* --- Inputs that an expression depends on. Simplification may have removed some. --- */

exp_set exp_inputs(const exp_dag *d, exp_ref e);
exp_set exp_set_union(exp_dag *d, exp_set a, exp_set b);
bool exp_set_has(const exp_dag *d, exp_set s, uint32_t number);
bool exp_set_overlap(const exp_dag *d, exp_set a, exp_set b);
/* Appends the members in growing order. */
void exp_set_list(const exp_dag *d, exp_set s, exp_u32_vec *out);

/* --- Evaluating --- */

/* What one operation gives: op, width and aux as in a node; v holds the operands. */
td_u128 exp_apply(exp_op op, unsigned width, unsigned aux, const td_u128 v[3]);

td_u128 exp_eval(const exp_dag *d, exp_ref e, exp_values values);

/* For many assignments: add what is wanted once, then run. All-zero is an empty tape.
 * exp_tape_add costs the nodes it needs that are not yet on the tape. */
typedef struct exp_step {
    uint8_t op, width, aux;
    uint32_t arg[3]; /* steps before this one; INPUT: its number */
} exp_step;
TD_VEC(exp_step, exp_step_vec);
typedef struct exp_tape {
    exp_step_vec steps;
    exp_value_vec values; /* by step; of constants always, of others after a run */
    exp_ref_vec refs;     /* by step */
    exp_u32_vec roots;    /* steps of what was added, by order of adding */
    exp_u32_vec place;    /* by ref: its step, if refs agrees */
    exp_ref_vec stack;    /* scratch */
} exp_tape;
/* Returns the index of the root. */
size_t exp_tape_add(exp_tape *t, const exp_dag *d, exp_ref root);
void exp_tape_clear(exp_tape *t);
void exp_tape_fini(exp_tape *t);
void exp_tape_run(exp_tape *t, exp_values values);
/* Evaluates until the first root that is 0 and returns its index; the number of roots if none is. Later
 * steps then keep older values. */
size_t exp_tape_holds(exp_tape *t, exp_values values);
/* Returns the number of roots that are not 0. */
size_t exp_tape_score(exp_tape *t, exp_values values);
/* Returns the value of a node on the tape. */
td_u128 exp_tape_value(const exp_tape *t, exp_ref e);

/* --- Printing --- */

typedef struct exp_names {
    /* Name of an input; NULL for in0, in1, ... */
    const char *(*name)(void *context, uint32_t number);
    /* Inputs are signed where it is NULL. */
    exp_sign (*sign)(void *context, uint32_t number);
    void *context;
    /* Equal to 71 means equal to 'G'; NULL: of no input. */
    bool (*is_text)(void *context, uint32_t number);
} exp_names;

/* For people, in C's notation: "x > 30 && y + x == 71". Extensions are not shown; parts
 * that are too deep or too many are "...". names may be NULL. */
void exp_print(const exp_dag *d, exp_ref e, const exp_names *names, td_text *out);
/* A script for any SMT-LIB 2 solver: constraints[0..n) hold; inputs are in0, in1, ... */
void exp_smtlib(const exp_dag *d, const exp_ref *constraints, size_t n, td_text *out);

/* Checks E1 to E3. */
bool exp_valid(const exp_dag *d, char *why, size_t size);
