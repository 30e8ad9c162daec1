/* SPDX-License-Identifier: Apache-2.0 */
/* expr/expr_int.h - what the files of expr/ share.
 *
 * A rule function is given operands that are nodes already and returns a node that equals
 * the operation, or EXP_NONE if it knows nothing better than the operation itself.
 * Constants were folded before. Rules build with the public functions; each top-level
 * call has FUEL nested ones, then nodes are stored as they are: that bounds its time and
 * its stack. A node is copied before anything is built, because nodes move.
 */
#pragma once

#include "expr/expr.h"

#include "base/assert.h"

/* Node of a set of inputs: a Patricia tree over number / 64, hash-consed, so that equal
 * sets are the same node. */
typedef struct exp_set_node {
    uint64_t mask;        /* leaf: inputs key * 64 + bit; 0: a branch */
    uint32_t key;         /* leaf: number / 64; branch: the bits above bit */
    uint32_t bit;         /* branch: the power of two that parts left (0) and right (1) */
    uint32_t left, right; /* branch */
} exp_set_node;

typedef struct exp_union_memo {
    uint32_t a, b, result; /* a is 0: free */
} exp_union_memo;

/* An open hash table of indices; 0 is free. */
typedef struct exp_table {
    uint32_t *slots;
    size_t len, cap; /* cap is a power of two */
} exp_table;

TD_VEC(exp_node, exp_node_vec);
TD_VEC(td_id, exp_id_vec);
TD_VEC(uint8_t, exp_u8_vec);
TD_VEC(exp_set_node, exp_set_node_vec);

enum { EXP_UNION_MEMO = 1024 }; /* a power of two */

/* Rules, by operation: what the constructors ask (dag.c has the table). */
typedef struct exp_rules {
    exp_ref (*add)(exp_dag *d, exp_ref a, exp_ref b);
    exp_ref (*sub)(exp_dag *d, exp_ref a, exp_ref b);
    exp_ref (*mul)(exp_dag *d, exp_ref a, exp_ref b);
    exp_ref (*divide)(exp_dag *d, exp_op op, exp_ref a, exp_ref b);
    exp_ref (*neg)(exp_dag *d, exp_ref a);
    exp_ref (*bitwise)(exp_dag *d, exp_op op, exp_ref a, exp_ref b);
    exp_ref (*shift)(exp_dag *d, exp_op op, exp_ref a, exp_ref b);
    exp_ref (*complement)(exp_dag *d, exp_ref a);
    exp_ref (*concat)(exp_dag *d, exp_ref high, exp_ref low);
    exp_ref (*extract)(exp_dag *d, exp_ref a, unsigned low, unsigned width);
    exp_ref (*sext)(exp_dag *d, exp_ref a, unsigned width);
    exp_ref (*eq)(exp_dag *d, exp_ref a, exp_ref b);
    exp_ref (*less)(exp_dag *d, exp_op op, exp_ref a, exp_ref b);
    exp_ref (*ite)(exp_dag *d, exp_ref cond, exp_ref then, exp_ref otherwise);
} exp_rules;

struct exp_dag {
    const exp_rules *rules;
    exp_node_vec nodes; /* [0] is not a node */
    exp_id_vec ids;     /* by ref */
    exp_u32_vec sets;   /* by ref: its inputs */
    exp_value_vec values;
    exp_u8_vec input_widths; /* by number; 0: not built */
    exp_table table;         /* refs by content */
    exp_set_node_vec set_nodes;
    exp_table set_table;
    exp_union_memo *union_memo;
    unsigned depth; /* nested building calls */
    unsigned fuel;  /* those still allowed to simplify */
};

/* node.c */
exp_ref exp_intern(exp_dag *d, exp_node n);
exp_node exp_node_of(const exp_dag *d, exp_op op, unsigned width, exp_ref a, exp_ref b);

/* interning.c: doubles the table when it is three quarters full; hash gives the hash of an index. */
void exp_table_grow(exp_table *t, const exp_dag *d,
                    uint64_t (*hash)(const exp_dag *, uint32_t));

/* True if simplification is still allowed. Pairs with exp_leave in any case. */
bool exp_enter(exp_dag *d);
void exp_leave(exp_dag *d);
static inline uint64_t exp_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9fb21c651e98df25);
    return h ^ (h >> 32);
}

/* sets.c */
exp_set exp_set_single(exp_dag *d, uint32_t number);
void exp_sets_init(exp_dag *d);

/* known.c: bits that are 0 (1) for all inputs. */
typedef struct exp_known {
    td_u128 zero, one;
} exp_known;
exp_known exp_known_bits(const exp_dag *d, exp_ref e);

/* Rules. */
exp_ref exp_rule_add(exp_dag *d, exp_ref a, exp_ref b);
exp_ref exp_rule_sub(exp_dag *d, exp_ref a, exp_ref b);
exp_ref exp_rule_mul(exp_dag *d, exp_ref a, exp_ref b);
exp_ref exp_rule_divide(exp_dag *d, exp_op op, exp_ref a, exp_ref b);
exp_ref exp_rule_neg(exp_dag *d, exp_ref a);
exp_ref exp_rule_bitwise(exp_dag *d, exp_op op, exp_ref a, exp_ref b);
exp_ref exp_rule_shift(exp_dag *d, exp_op op, exp_ref a, exp_ref b);
exp_ref exp_rule_not(exp_dag *d, exp_ref a);
exp_ref exp_rule_concat(exp_dag *d, exp_ref high, exp_ref low);
exp_ref exp_rule_extract(exp_dag *d, exp_ref a, unsigned low, unsigned width);
exp_ref exp_rule_sext(exp_dag *d, exp_ref a, unsigned width);
exp_ref exp_rule_eq(exp_dag *d, exp_ref a, exp_ref b);
exp_ref exp_rule_less(exp_dag *d, exp_op op, exp_ref a, exp_ref b);
exp_ref exp_rule_ite(exp_dag *d, exp_ref cond, exp_ref then, exp_ref otherwise);

/* Shorthands for rules. */
static inline exp_op exp_kind(const exp_dag *d, exp_ref e)
{
    return (exp_op)d->nodes.at[e.ix].op;
}

static inline exp_ref exp_arg(const exp_dag *d, exp_ref e, int i)
{
    return d->nodes.at[e.ix].arg[i];
}

static inline bool exp_const_at(const exp_dag *d, exp_ref e)
{
    return exp_kind(d, e) == EXP_CONST;
}

/* The value of a constant. */
static inline td_u128 exp_const_value(const exp_dag *d, exp_ref e)
{
    return d->values.at[d->nodes.at[e.ix].number];
}

static inline bool exp_is_value(const exp_dag *d, exp_ref e, td_u128 value)
{
    return exp_const_at(d, e) && exp_const_value(d, e) == value;
}

/* True if e is NOT of the other. */
static inline bool exp_is_not_of(const exp_dag *d, exp_ref e, exp_ref other)
{
    return exp_kind(d, e) == EXP_NOT && exp_same(exp_arg(d, e, 0), other);
}

/* True if bits can be taken out of e without a new node that computes. */
static inline bool exp_is_cut_freely(const exp_dag *d, exp_ref e)
{
    exp_op op = exp_kind(d, e);
    return op == EXP_CONST || op == EXP_INPUT || op == EXP_CONCAT || op == EXP_SEXT ||
           op == EXP_EXTRACT;
}

/* True if e chooses between two constants. */
static inline bool exp_is_const_choice(const exp_dag *d, exp_ref e)
{
    return exp_kind(d, e) == EXP_ITE && exp_const_at(d, exp_arg(d, e, 1)) &&
           exp_const_at(d, exp_arg(d, e, 2));
}
