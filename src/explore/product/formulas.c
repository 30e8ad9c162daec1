/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions as straight lines of steps, so that one is computed without a look at the others. */
#include "explore/product/product_int.h"

#include "base/assert.h"

static void reserve_place(xpl_formulas *f, size_t n)
{
    while (f->place.len < n)
        xpl_u32_vec_push(&f->place, XPL_NONE);
    while (f->of.len < n)
        xpl_formula_vec_push(&f->of, (xpl_formula){0});
}

static void put(xpl_formulas *f, const exp_dag *d, exp_ref e, uint32_t first)
{
    exp_node n = exp_at(d, e);
    exp_step s = {.op = n.op, .width = n.width, .aux = n.aux};
    td_u128 value = 0;
    if (n.op == EXP_INPUT)
        s.arg[0] = n.number;
    if (n.op == EXP_CONST)
        exp_is_const(d, e, &value);
    for (int i = 0; i < n.n_args; i++)
        s.arg[i] = f->place.at[n.arg[i].ix];
    f->place.at[e.ix] = (uint32_t)f->steps.len - first;
    exp_step_vec_push(&f->steps, s);
    exp_value_vec_push(&f->constants, value);
    TD_ASSERT(f->steps.len == f->constants.len);
}

/* Operands come before what is made of them; afterwards no expression has a place. */
static xpl_formula formula_make(xpl_formulas *f, const exp_dag *d, exp_ref root)
{
    uint32_t first = (uint32_t)f->steps.len;
    exp_ref_vec done = {0};
    exp_ref_vec_push(&f->stack, root);
    while (f->stack.len > 0) {
        exp_ref e = f->stack.at[f->stack.len - 1];
        size_t before = f->stack.len;
        exp_node n = exp_at(d, e);
        for (int i = 0; i < n.n_args && f->place.at[e.ix] == XPL_NONE; i++)
            if (f->place.at[n.arg[i].ix] == XPL_NONE)
                exp_ref_vec_push(&f->stack, n.arg[i]);
        if (f->stack.len > before)
            continue;
        f->stack.len--;
        if (f->place.at[e.ix] != XPL_NONE)
            continue;
        put(f, d, e, first);
        exp_ref_vec_push(&done, e);
    }
    for (size_t i = 0; i < done.len; i++)
        f->place.at[done.at[i].ix] = XPL_NONE;
    exp_ref_vec_fini(&done);
    return (xpl_formula){first, (uint32_t)f->steps.len - first};
}

static td_u128 compute(const exp_step *s, const td_u128 *values)
{
    td_u128 v[3] = {values[s->arg[0]], values[s->arg[1]], values[s->arg[2]]};
    return exp_apply((exp_op)s->op, s->width, s->aux, v);
}

uint64_t xpl_formula_value(xpl_formulas *f, const exp_dag *d, exp_ref e,
                           const exp_value_vec *env)
{
    TD_ASSERT(e.ix > 0);
    if (e.ix >= f->of.len)
        reserve_place(f, exp_count(d));
    if (f->of.at[e.ix].n == 0)
        f->of.at[e.ix] = formula_make(f, d, e);
    xpl_formula of = f->of.at[e.ix];
    exp_value_vec_reserve(&f->values, of.n);
    for (uint32_t i = 0; i < of.n; i++) {
        const exp_step *s = &f->steps.at[of.first + i];
        if (s->op == EXP_CONST)
            f->values.at[i] = f->constants.at[of.first + i];
        else if (s->op == EXP_INPUT)
            f->values.at[i] = s->arg[0] < env->len ? env->at[s->arg[0]] : 0;
        else
            f->values.at[i] = compute(s, f->values.at);
    }
    return (uint64_t)f->values.at[of.n - 1];
}

void xpl_formulas_fini(xpl_formulas *f)
{
    exp_step_vec_fini(&f->steps);
    exp_value_vec_fini(&f->constants);
    xpl_formula_vec_fini(&f->of);
    exp_value_vec_fini(&f->values);
    xpl_u32_vec_fini(&f->place);
    exp_ref_vec_fini(&f->stack);
}
