/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments with a finding, with a budget of runs, operations and time. The time limit is a last resort, so the
 * same session normally gives the same report. */
#include "session/session_int.h"

#include "base/assert.h"

void ses_explain_start(ses *s)
{
    s->explain_from_ms = ses_elapsed_ms(s);
    s->explain_is_cut = false;
}

uint64_t ses_explain_ms(const ses *s)
{
    return s->opts->explain_ms ? s->opts->explain_ms : SES_EXPLAIN_MS;
}

static bool is_time_over(const ses_trials *x)
{
    ses *s = x->s;
    uint64_t share = ses_explain_ms(s) * x->percent / 100;
    TD_ASSERT(x->percent > 0 && x->percent <= 100);
    if (ses_elapsed_ms(s) - s->explain_from_ms < share)
        return false;
    s->explain_is_cut = true;
    return true;
}

bool ses_trials_over(const ses_trials *x)
{
    return x->status != TD_OK || x->runs_left <= x->reserve || x->ops_left == 0 ||
           ses_is_over(x->s) || is_time_over(x);
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
