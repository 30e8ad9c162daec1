/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluation: nodes in order, each computed once. */
#include "expr/expr_int.h"

/* True if e is on the tape. place is never cleared: it counts only where refs agrees. */
static bool is_placed(const exp_tape *t, exp_ref e)
{
    uint32_t at = t->place.at[e.ix];
    return at < t->refs.len && exp_same(t->refs.at[at], e);
}

static void put(exp_tape *t, const exp_dag *d, exp_ref e)
{
    exp_node n = exp_at(d, e);
    exp_step s = {.op = n.op, .width = n.width, .aux = n.aux};
    td_u128 value = 0;
    if (n.op == EXP_INPUT)
        s.arg[0] = n.number;
    if (n.op == EXP_CONST)
        value = d->values.at[n.number];
    for (int i = 0; i < n.n_args; i++)
        s.arg[i] = t->place.at[n.arg[i].ix];
    t->place.at[e.ix] = (uint32_t)t->steps.len;
    exp_step_vec_push(&t->steps, s);
    exp_value_vec_push(&t->values, value);
    exp_ref_vec_push(&t->refs, e);
}

/* Operands first. A node stays on the stack until all its operands are placed. */
static void put_all(exp_tape *t, const exp_dag *d)
{
    while (t->stack.len > 0) {
        exp_ref e = t->stack.at[t->stack.len - 1];
        size_t before = t->stack.len;
        if (!is_placed(t, e)) {
            exp_node n = exp_at(d, e);
            for (int i = n.n_args - 1; i >= 0; i--)
                if (!is_placed(t, n.arg[i]))
                    exp_ref_vec_push(&t->stack, n.arg[i]);
            if (t->stack.len > before)
                continue;
            put(t, d, e);
        }
        exp_ref_vec_pop(&t->stack);
    }
}

size_t exp_tape_add(exp_tape *t, const exp_dag *d, exp_ref root)
{
    TD_ASSERT(root.ix > 0 && root.ix < exp_count(d));
    size_t have = t->place.len, need = exp_count(d);
    if (need > have) {
        exp_u32_vec_reserve(&t->place, need);
        memset(t->place.at + have, 0, (need - have) * sizeof *t->place.at);
        t->place.len = need;
    }
    exp_ref_vec_push(&t->stack, root);
    put_all(t, d);
    exp_u32_vec_push(&t->roots, t->place.at[root.ix]);
    return t->roots.len - 1;
}

void exp_tape_clear(exp_tape *t)
{
    exp_step_vec_clear(&t->steps);
    exp_value_vec_clear(&t->values);
    exp_ref_vec_clear(&t->refs);
    exp_u32_vec_clear(&t->roots);
}

void exp_tape_fini(exp_tape *t)
{
    exp_step_vec_fini(&t->steps);
    exp_value_vec_fini(&t->values);
    exp_ref_vec_fini(&t->refs);
    exp_u32_vec_fini(&t->roots);
    exp_u32_vec_fini(&t->place);
    exp_ref_vec_fini(&t->stack);
}

/* Computes steps from..to-1. */
static void run_steps(exp_tape *t, exp_values values, size_t from, size_t to)
{
    const exp_step *steps = t->steps.at;
    td_u128 *at = t->values.at;
    for (size_t i = from; i < to; i++) {
        exp_step s = steps[i];
        if (s.op == EXP_CONST)
            continue;
        if (s.op == EXP_INPUT) {
            td_u128 v = s.arg[0] < values.n ? values.at[s.arg[0]] : 0;
            at[i] = v & exp_ones(s.width);
            continue;
        }
        td_u128 v[3] = {at[s.arg[0]], at[s.arg[1]], at[s.arg[2]]};
        at[i] = exp_apply((exp_op)s.op, s.width, s.aux, v);
    }
}

void exp_tape_run(exp_tape *t, exp_values values)
{
    run_steps(t, values, 0, t->steps.len);
}

size_t exp_tape_holds(exp_tape *t, exp_values values)
{
    size_t done = 0, i = 0;
    for (; i < t->roots.len; i++) {
        size_t root = t->roots.at[i];
        if (root >= done) {
            run_steps(t, values, done, root + 1);
            done = root + 1;
        }
        if (t->values.at[root] == 0)
            break;
    }
    return i;
}

size_t exp_tape_score(exp_tape *t, exp_values values)
{
    size_t n = 0;
    exp_tape_run(t, values);
    for (size_t i = 0; i < t->roots.len; i++)
        n += t->values.at[t->roots.at[i]] != 0;
    return n;
}

td_u128 exp_tape_value(const exp_tape *t, exp_ref e)
{
    TD_ASSERT(e.ix < t->place.len && is_placed(t, e));
    return t->values.at[t->place.at[e.ix]];
}

td_u128 exp_eval(const exp_dag *d, exp_ref e, exp_values values)
{
    exp_tape t = {0};
    exp_tape_add(&t, d, e);
    exp_tape_run(&t, values);
    td_u128 value = exp_tape_value(&t, e);
    exp_tape_fini(&t);
    return value;
}
