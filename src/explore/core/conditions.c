/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs for conditions. */
#include "explore/core/explore.h"

#include "base/assert.h"

/* Leaves out what always holds. False: something never holds. */
static bool fold(exp_dag *d, exp_ref_vec *conditions)
{
    size_t n = 0;
    for (size_t i = 0; i < conditions->len; i++) {
        td_u128 value = 0;
        bool is_const = exp_is_const(d, conditions->at[i], &value);
        if (is_const && value == 0)
            return false;
        if (!is_const)
            conditions->at[n++] = conditions->at[i];
    }
    TD_ASSERT(n <= conditions->len);
    conditions->len = n;
    return true;
}

xpl_answer xpl_solve(const xpl_solver *s, pth *p, exp_ref_vec *conditions,
                     exp_value_vec *values)
{
    if (!fold(pth_dag(p), conditions))
        return XPL_UNSAT;
    if (conditions->len == 0)
        return XPL_SAT;
    return s->solve ? s->solve(s->self, p, conditions->at, conditions->len, values)
                    : XPL_UNKNOWN;
}
