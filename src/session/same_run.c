/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two runs of one job. */
#include "session/session_int.h"

static bool same_ops(const trc *a, const trc *b)
{
    if (a->ops.len != b->ops.len)
        return false;
    for (size_t i = 0; i < a->ops.len; i++) {
        const trc_op *x = &a->ops.at[i], *y = &b->ops.at[i];
        if (x->kind != y->kind || x->thread != y->thread || x->site != y->site ||
            x->object != y->object || x->value != y->value)
            return false;
    }
    return true;
}

static bool same_fails(const trc *a, const trc *b)
{
    if (a->fails.len != b->fails.len)
        return false;
    for (size_t i = 0; i < a->fails.len; i++) {
        const trc_fail *x = &a->fails.at[i], *y = &b->fails.at[i];
        if (x->kind != y->kind || x->thread != y->thread || x->site != y->site ||
            x->other_site != y->other_site)
            return false;
    }
    return true;
}

bool ses_trc_same(const trc *a, const trc *b)
{
    return a->done == b->done && a->exit_code == b->exit_code && same_ops(a, b) &&
           same_fails(a, b);
}
