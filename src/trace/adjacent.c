/* SPDX-License-Identifier: Apache-2.0 */
/* Two operations of a run, one directly after the other.
 *
 * What both need to have happened is found in one pass from the end: an operation is needed if
 * a later one that is needed depends on it. What the two do to each other does not count. */
#include "trace/trace.h"

#include "base/assert.h"

typedef struct needs {
    const trc *t;
    bool *thread;   /* by thread: a later operation of it is needed */
    bool *kept;     /* by operation */
    td_id_set any;  /* bytes and objects that needed operations are about */
    td_id_set excl; /* those that they leave in another state */
} needs;

static td_id key_of(uint64_t address, bool is_memory)
{
    uint64_t key[2] = {address, is_memory};
    return td_id_hash(key, sizeof key);
}

/* Bytes of the object that count: of what is no memory, the address alone. */
static uint32_t n_keys(const trc_op *op)
{
    return trc_is_access(op->kind) ? op->size : 1;
}

static bool object_needs(const needs *n, const trc_op *op)
{
    trc_effect effect = trc_effect_of(op->kind);
    const td_id_set *in = effect == TRC_EFFECT_E ? &n->any : &n->excl;
    for (uint32_t i = 0; effect != TRC_EFFECT_N && i < n_keys(op); i++)
        if (td_id_set_has(in, key_of(op->object + i, trc_is_access(op->kind))))
            return true;
    return false;
}

static bool is_needed(const needs *n, const trc_op *op)
{
    bool starts =
        op->kind == WIRE_CREATE && op->value < n->t->threads.len && n->thread[op->value];
    return n->thread[op->thread] || starts || object_needs(n, op);
}

static void keep(needs *n, uint32_t i)
{
    const trc_op *op = &n->t->ops.at[i];
    trc_effect effect = trc_effect_of(op->kind);
    n->kept[i] = n->thread[op->thread] = true;
    if (op->kind == WIRE_JOIN)
        n->thread[op->value] = true;
    for (uint32_t k = 0; effect != TRC_EFFECT_N && k < n_keys(op); k++) {
        td_id key = key_of(op->object + k, trc_is_access(op->kind));
        td_id_set_add(&n->any, key);
        if (effect == TRC_EFFECT_E)
            td_id_set_add(&n->excl, key);
    }
}

/* False: the second one needs the first. */
static bool collect(needs *n, uint32_t first, uint32_t second)
{
    const trc_op *ops = n->t->ops.at;
    n->thread[ops[second].thread] = true;
    for (uint32_t i = second; i-- > 0;) {
        if (i == first && is_needed(n, &ops[i]))
            return false;
        if (i == first)
            n->thread[ops[i].thread] = true;
        else if (is_needed(n, &ops[i]))
            keep(n, i);
    }
    return true;
}

/* A promoted access may have been granted at once; it will be a choice. */
static void add_step(const trc_op *op, const uint32_t *number, trc_step_vec *out)
{
    if (trc_is_choice(op) || (op->flags & WIRE_F_PLAIN))
        trc_step_add(out, number[op->thread]);
}

/* Threads are numbered as they are created, and some may not be. */
static void write_steps(const needs *n, uint32_t first, uint32_t second,
                        trc_step_vec *out)
{
    const trc_op *ops = n->t->ops.at;
    uint32_t *number = td_alloc(n->t->threads.len * sizeof *number), n_created = 0;
    for (uint32_t i = 0; i < second; i++) {
        if (!n->kept[i])
            continue;
        if (ops[i].kind == WIRE_CREATE)
            number[ops[i].value] = ++n_created;
        add_step(&ops[i], number, out);
    }
    add_step(&ops[first], number, out);
    add_step(&ops[second], number, out);
    td_free(number);
}

bool trc_schedule_adjacent(const trc *t, uint32_t first, uint32_t second,
                           trc_step_vec *out)
{
    TD_ASSERT(first < second && second < t->ops.len);
    if (t->ops.at[first].thread == t->ops.at[second].thread)
        return false;
    needs n = {.t = t,
               .thread = td_alloc(t->threads.len * sizeof(bool)),
               .kept = td_alloc(t->ops.len * sizeof(bool))};
    bool possible = collect(&n, first, second);
    trc_step_vec_clear(out);
    if (possible)
        write_steps(&n, first, second, out);
    td_free(n.thread);
    td_free(n.kept);
    td_id_set_fini(&n.any);
    td_id_set_fini(&n.excl);
    return possible;
}
