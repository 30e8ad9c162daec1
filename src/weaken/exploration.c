/* SPDX-License-Identifier: Apache-2.0 */
/* One session with some memory orders weaker than they are. */
#include "weaken/weaken_int.h"

#include <string.h>

#include "base/assert.h"
#include "base/text.h"

static void take_finding(const ses_result *r, rep_try *t)
{
    const det_finding *f = &r->findings.at[0];
    t->id = td_strdup(f->id);
    t->kind = td_strdup(det_kind_id(f->kind));
    t->message = td_strdup(f->message ? f->message : "");
    t->file = td_strdup(f->file ? f->file : "");
    t->function = td_strdup(f->function ? f->function : "");
    t->line = f->line;
    t->recording = td_strdup(r->recordings.at[0]);
}

/* Takes a result. A nondeterministic program shows nothing about orders. */
static void take_result(const ses_result *r, rep_try *t)
{
    t->runs = r->runs;
    if (r->findings.len > 0 && r->findings.at[0].kind != DET_NONDET) {
        t->answer = REP_NEEDED;
        take_finding(r, t);
        return;
    }
    t->answer = r->verdict == REP_VERDICT_COMPLETE ? REP_NOT_NEEDED : REP_NOT_DECIDED;
    if (t->answer == REP_NOT_DECIDED)
        t->why = td_strdup(r->findings.len > 0 ? "the program is nondeterministic"
                           : r->stopped        ? r->stopped
                                               : "not everything was explored");
}

td_status wkn_explore(wkn *w, const trc_weaker_vec *weaker, ses_ordered_vec *orders,
                      rep_try *t, td_diag *diag)
{
    TD_ASSERT(weaker->len <= WIRE_MAX_WEAKER);
    td_text dir = {0};
    ses_result result = {0};
    ses_opts o = w->opts->session;
    td_text_add(&dir, "%s/%u", w->dir, ++w->n_explored);
    o.out_dir = dir.at;
    o.model = "rc11";
    o.no_known = o.quiet = true;
    o.out = o.err = w->nowhere;
    o.given.weaker = weaker->at;
    o.given.n_weaker = weaker->len;
    o.orders = orders;
    td_status status = ses_run(&o, w->exec, &result, diag);
    if (status == TD_OK) {
        take_result(&result, t);
        w->out->runs += result.runs;
        w->out->is_interrupted |=
            result.stopped != NULL && strcmp(result.stopped, "interrupted") == 0;
    }
    TD_ASSERT(status != TD_OK || (t->answer == REP_NEEDED) == (t->recording != NULL));
    ses_result_fini(&result);
    td_text_fini(&dir);
    return status;
}
