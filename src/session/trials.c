/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that find out more about a finding, with a budget of runs and operations. */
#include "session/session_int.h"

#include "base/assert.h"

bool ses_trials_over(const ses_trials *x)
{
    return x->status != TD_OK || x->runs_left <= x->reserve || x->ops_left == 0 ||
           ses_is_over(x->s);
}

trc *ses_trial(ses_trials *x, run_request request)
{
    trc *t = NULL;
    if (ses_trials_over(x))
        return NULL;
    TD_ASSERT(x->runs_left > 0);
    x->runs_left--;
    x->status = ses_execute(x->s, request, &t, x->diag);
    if (x->status != TD_OK)
        return NULL;
    bool hangs = t && t->fails.len > 0 && t->fails.at[0].kind == WIRE_FAIL_HANG;
    if (!x->is_patient && (!t || hangs)) {
        x->ops_left = 0; /* another such run would take as long */
        return NULL;
    }
    if (t)
        x->ops_left -= t->ops.len < x->ops_left ? t->ops.len : x->ops_left;
    return t;
}
