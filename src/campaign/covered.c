/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a campaign on a farm cover: derived by the leader from the divisions themselves.
 *
 * The functions of the farm check each division when it is handed in. A leader that says COMPLETE does not
 * rely on that: it reads every item that there was, and whose half it is, and adds them up again. */
#include "campaign/campaign_int.h"

#include <inttypes.h>

#include "explore/core/division_tree.h"

TD_VEC(xpl_division, division_vec);

static void check(cam_team *t, const sto_division_vec *rows)
{
    division_vec all = {0};
    uint64_t n_parts = 0;
    td_diag why = {0};
    for (size_t i = 0; i < rows->len; i++) {
        const sto_division *d = &rows->at[i];
        division_vec_push(&all, (xpl_division){.item = d->item,
                                               .parent = d->parent,
                                               .n_done = d->n_done,
                                               .literal = d->literal.at,
                                               .n_literal = d->literal.len});
    }
    if (!xpl_divisions_cover(all.at, all.len, &n_parts, &why))
        cam_member_gap(t, "the parts of the campaign are not all of it: %s", why.text);
    else if (n_parts != t->total.n_parts)
        cam_member_gap(t,
                       "the campaign was divided into %" PRIu64 " parts, but has results "
                       "of %" PRIu64,
                       n_parts, t->total.n_parts);
    division_vec_fini(&all);
}

td_status cam_covered_check(cam_team *t, td_diag *diag)
{
    sto_division_vec rows = {0};
    /* An unfinished campaign is incomplete anyway. */
    if (!t->opts->farm || !t->is_over || t->total.n_items > 0 || t->total.n_parked > 0)
        return TD_OK;
    TD_TRY(sto_campaign_divisions(t->link, t->generation, &rows, diag));
    check(t, &rows);
    sto_divisions_fini(&rows);
    return TD_OK;
}
