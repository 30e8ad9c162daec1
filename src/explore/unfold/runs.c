/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/unfold/runs.h"

#include "base/assert.h"

void xpl_runs_fini(xpl_runs *r)
{
    td_id_set_fini(&r->known);
    xpl_run_vec_fini(&r->all);
    unf_vec_fini(&r->tops);
}

static bool has(const xpl_runs *r, const xpl_run *run, const unf *u, uint32_t event)
{
    TD_ASSERT(run->tops + run->n_tops <= r->tops.len);
    for (uint32_t i = 0; i < run->n_tops; i++)
        if (unf_is_past(u, r->tops.at[run->tops + i], event))
            return true;
    return false;
}

static bool is_of(const xpl_runs *r, const xpl_run *run, const unf *u,
                  const unf_part *part)
{
    for (size_t i = 0; i < part->has.len; i++)
        if (!has(r, run, u, part->has.at[i]))
            return false;
    for (size_t i = 0; i < part->lacks.len; i++)
        if (has(r, run, u, part->lacks.at[i]))
            return false;
    return true;
}

void xpl_runs_add(xpl_runs *r, const unf *u, const trc *t, const unf_part *part)
{
    if (t->done == WIRE_DONE_ASLEEP)
        return;
    td_id sum = xpl_trace_name(t);
    if (!td_id_set_add(&r->known, sum))
        return;
    xpl_run run = {.sum = sum, .is_whole = !t->is_cut, .tops = r->tops.len};
    for (uint32_t i = 0; unf_run_top(u, i) != UNF_NONE; i++, run.n_tops++)
        unf_vec_push(&r->tops, unf_run_top(u, i));
    TD_ASSERT(run.n_tops > 0 && r->all.len < r->known.len); /* (N1) */
    run.is_mine = is_of(r, &run, u, part);
    xpl_run_vec_push(&r->all, run);
}

void xpl_runs_set_part(xpl_runs *r, const unf *u, const unf_part *part)
{
    for (size_t i = 0; i < r->all.len; i++)
        r->all.at[i].is_mine = is_of(r, &r->all.at[i], u, part);
}

void xpl_runs_count(const xpl_runs *r, xpl_share *out)
{
    for (size_t i = 0; i < r->all.len; i++) {
        const xpl_run *run = &r->all.at[i];
        if (!run->is_mine)
            continue;
        out->traces++;
        if (!run->is_whole)
            continue;
        out->whole_traces++;
        out->trace_digest = td_id_sum(out->trace_digest, run->sum);
    }
}
