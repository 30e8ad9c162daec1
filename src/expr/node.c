/* SPDX-License-Identifier: Apache-2.0 */
/* Storage: every node once, its id and its inputs. */
#include "expr/expr_int.h"

#include <stdio.h>

enum { FUEL = 200 };

static const uint8_t n_args_of[EXP_N_OPS] = {
#define EXP_OP_ARGS(name, n_args, smt) n_args,
    EXP_OPS(EXP_OP_ARGS)
#undef EXP_OP_ARGS
};

static uint64_t hash_value(unsigned width, td_u128 value)
{
    uint64_t h = exp_mix(width, (uint64_t)value);
    return exp_mix(h, (uint64_t)(value >> 64));
}

static uint64_t hash_node(const exp_node *n)
{
    uint64_t h = (uint64_t)n->op << 16 | (uint64_t)n->width << 8 | n->aux;
    h = exp_mix(h, (uint64_t)n->arg[0].ix << 32 | n->arg[1].ix);
    return exp_mix(h, n->arg[2].ix);
}

static uint64_t hash_of(const exp_dag *d, uint32_t ix)
{
    const exp_node *n = &d->nodes.at[ix];
    if (n->op == EXP_CONST)
        return hash_value(n->width, d->values.at[n->number]);
    return hash_node(n);
}

/* What an id is the hash of. No padding: every byte counts. */
typedef struct id_source {
    uint32_t op, width, aux, number;
    uint64_t value_lo, value_hi;
    td_id args[3];
} id_source;

static td_id id_of(const exp_dag *d, const exp_node *n)
{
    id_source s = {.op = n->op, .width = n->width, .aux = n->aux};
    if (n->op == EXP_CONST) {
        s.value_lo = (uint64_t)d->values.at[n->number];
        s.value_hi = (uint64_t)(d->values.at[n->number] >> 64);
    } else if (n->op == EXP_INPUT) {
        s.number = n->number;
    }
    for (int i = 0; i < n->n_args; i++)
        s.args[i] = d->ids.at[n->arg[i].ix];
    return td_id_hash(&s, sizeof s);
}

static exp_set inputs_of(exp_dag *d, const exp_node *n)
{
    if (n->op == EXP_INPUT)
        return exp_set_single(d, n->number);
    exp_set s = {0};
    for (int i = 0; i < n->n_args; i++)
        s = exp_set_union(d, s, (exp_set){d->sets.at[n->arg[i].ix]});
    return s;
}

/* Appends the node in the free slot. */
static exp_ref append(exp_dag *d, exp_node n, size_t slot)
{
    TD_ASSERT(d->nodes.len < UINT32_MAX);
    exp_ref e = {(uint32_t)d->nodes.len};
    exp_node_vec_push(&d->nodes, n);
    exp_id_vec_push(&d->ids, id_of(d, &n));
    exp_u32_vec_push(&d->sets, inputs_of(d, &n).ix);
    d->table.slots[slot] = e.ix;
    d->table.len++;
    return e;
}

exp_ref exp_intern(exp_dag *d, exp_node n)
{
    TD_DASSERT(n.op < EXP_N_OPS && n.op != EXP_CONST && n.width > 0);
    exp_table_grow(&d->table, d, hash_of);
    size_t mask = d->table.cap - 1;
    size_t i = hash_node(&n) & mask;
    for (; d->table.slots[i] != 0; i = (i + 1) & mask)
        if (memcmp(&d->nodes.at[d->table.slots[i]], &n, sizeof n) == 0)
            return (exp_ref){d->table.slots[i]};
    return append(d, n, i);
}

exp_ref exp_const(exp_dag *d, unsigned width, td_u128 value)
{
    TD_ASSERT(width >= 1 && width <= EXP_MAX_WIDTH);
    value &= exp_ones(width);
    exp_table_grow(&d->table, d, hash_of);
    size_t mask = d->table.cap - 1;
    size_t i = hash_value(width, value) & mask;
    for (; d->table.slots[i] != 0; i = (i + 1) & mask) {
        exp_ref e = {d->table.slots[i]};
        if (exp_width(d, e) == width && exp_is_value(d, e, value))
            return e;
    }
    exp_node n = {.op = EXP_CONST, .width = (uint8_t)width};
    n.number = (uint32_t)d->values.len;
    exp_value_vec_push(&d->values, value);
    return append(d, n, i);
}

exp_ref exp_input(exp_dag *d, uint32_t number, unsigned width)
{
    TD_ASSERT(width >= 1 && width <= EXP_MAX_WIDTH && number < EXP_MAX_INPUTS);
    while (d->input_widths.len <= number)
        exp_u8_vec_push(&d->input_widths, 0);
    uint8_t *known = &d->input_widths.at[number];
    TD_ASSERT(*known == 0 || *known == width);
    *known = (uint8_t)width;
    exp_node n = {.op = EXP_INPUT, .width = (uint8_t)width};
    n.number = number;
    return exp_intern(d, n);
}

exp_node exp_node_of(const exp_dag *d, exp_op op, unsigned width, exp_ref a, exp_ref b)
{
    exp_node n = {.op = (uint8_t)op, .width = (uint8_t)width, .n_args = n_args_of[op]};
    n.arg[0] = a;
    n.arg[1] = b;
    if (op == EXP_CONCAT)
        n.aux = (uint8_t)exp_width(d, b);
    if (op == EXP_EQ || op == EXP_ULT || op == EXP_SLT || op == EXP_SEXT)
        n.aux = (uint8_t)exp_width(d, a);
    return n;
}

bool exp_enter(exp_dag *d)
{
    if (d->depth++ == 0)
        d->fuel = FUEL;
    if (d->fuel == 0)
        return false;
    d->fuel--;
    return true;
}

void exp_leave(exp_dag *d)
{
    TD_DASSERT(d->depth > 0);
    d->depth--;
}

uint32_t exp_count(const exp_dag *d)
{
    return (uint32_t)d->nodes.len;
}

exp_node exp_at(const exp_dag *d, exp_ref e)
{
    TD_DASSERT(e.ix > 0 && e.ix < d->nodes.len);
    return d->nodes.at[e.ix];
}

unsigned exp_width(const exp_dag *d, exp_ref e)
{
    TD_DASSERT(e.ix > 0 && e.ix < d->nodes.len);
    return d->nodes.at[e.ix].width;
}

bool exp_is_const(const exp_dag *d, exp_ref e, td_u128 *value)
{
    if (!exp_const_at(d, e))
        return false;
    *value = exp_const_value(d, e);
    return true;
}

td_id exp_id(const exp_dag *d, exp_ref e)
{
    TD_DASSERT(e.ix > 0 && e.ix < d->nodes.len);
    return d->ids.at[e.ix];
}

unsigned exp_input_width(const exp_dag *d, uint32_t number)
{
    return number < d->input_widths.len ? d->input_widths.at[number] : 0;
}

uint32_t exp_input_count(const exp_dag *d)
{
    return (uint32_t)d->input_widths.len;
}

exp_set exp_inputs(const exp_dag *d, exp_ref e)
{
    TD_DASSERT(e.ix > 0 && e.ix < d->nodes.len);
    return (exp_set){d->sets.at[e.ix]};
}

/* The widths of operands fit the node's. */
static bool widths_fit(const exp_dag *d, const exp_node *n)
{
    unsigned a = n->n_args > 0 ? exp_width(d, n->arg[0]) : 0;
    unsigned b = n->n_args > 1 ? exp_width(d, n->arg[1]) : 0;
    switch ((exp_op)n->op) {
    case EXP_CONST:
    case EXP_INPUT:
        return true;
    case EXP_EQ:
    case EXP_ULT:
    case EXP_SLT:
        return n->width == 1 && a == b && n->aux == a;
    case EXP_CONCAT:
        return n->width == a + b && n->aux == b;
    case EXP_SEXT:
        return n->width > a && n->aux == a;
    case EXP_EXTRACT:
        return n->aux + n->width <= a;
    case EXP_ITE:
        return a == 1 && b == n->width && exp_width(d, n->arg[2]) == b;
    default:
        return a == n->width && (n->n_args < 2 || b == n->width);
    }
}

static const char *wrong_with(const exp_dag *d, uint32_t ix)
{
    const exp_node *n = &d->nodes.at[ix];
    if (n->op >= EXP_N_OPS || n->n_args != n_args_of[n->op])
        return "E1: has no such operands";
    for (int i = 0; i < n->n_args; i++)
        if (n->arg[i].ix == 0 || n->arg[i].ix >= ix)
            return "E1: operand is not before it";
    if (n->width < 1 || n->width > EXP_MAX_WIDTH || !widths_fit(d, n))
        return "widths do not fit";
    if (n->op == EXP_INPUT && exp_input_width(d, n->number) != n->width)
        return "E3: input has two widths";
    return NULL;
}

bool exp_valid(const exp_dag *d, char *why, size_t size)
{
    td_id_set seen = {0};
    const char *wrong = NULL;
    uint32_t ix = 1;
    for (; ix < d->nodes.len && !wrong; ix++) {
        wrong = wrong_with(d, ix);
        if (!wrong && !td_id_set_add(&seen, d->ids.at[ix]))
            wrong = "E2: is there twice";
    }
    td_id_set_fini(&seen);
    if (wrong && why)
        snprintf(why, size, "node %u %s", (unsigned)(ix - 1), wrong);
    return !wrong;
}
