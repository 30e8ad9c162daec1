/* SPDX-License-Identifier: Apache-2.0 */
/* Items as they are read, divided, and left for others. */
#include "campaign/campaign_int.h"

#include <inttypes.h>

#include "base/assert.h"

bool cam_item_read(const cam_team *t, const sto_bytes *payload, xpl_item *out)
{
    td_diag why = {0};
    if (xpl_item_read(payload->at, payload->len, out, &why) != TD_OK)
        return false;
    /* An item of another search is of no use to this one. */
    bool is_ours = t->search->parts->rest ? out->literals.len == 0 : out->graphs.len == 0;
    if (!is_ours)
        xpl_item_fini(out);
    return is_ours;
}

sto_part cam_part_of(const xpl_share *share, bool is_complete)
{
    return (sto_part){.events = share->events,
                      .traces = share->traces,
                      .whole_traces = share->whole_traces,
                      .digest = share->digest,
                      .trace_digest = share->trace_digest,
                      .known = share->known,
                      .is_complete = is_complete};
}

TD_VEC(xpl_item, item_vec);

/* Adds the item as bytes. What is too much for one child is taken from it, and is others. */
static void add_children(xpl_item *i, sto_bytes_vec *out)
{
    item_vec more = {0};
    xpl_item own = {0}; /* the own item, if there are several */
    while (true) {
        xpl_byte_vec bytes = {0};
        xpl_item other = {0};
        xpl_item_write(i, &bytes);
        if ((bytes.len > STO_MAX_PAYLOAD || xpl_item_is_large(i)) &&
            xpl_item_halve(i, &other)) {
            xpl_byte_vec_fini(&bytes);
            item_vec_push(&more, other);
            continue;
        }
        sto_bytes_vec_push(out, (sto_bytes){bytes.at, bytes.len});
        xpl_item_fini(&own);
        if (more.len == 0)
            break;
        own = item_vec_pop(&more);
        i = &own;
    }
    item_vec_fini(&more);
}

/* What was run of the item counts, if that is not run again, and the children take its place. */
static void set_report(const cam_team *t, const xpl_share *share, cam_division *out)
{
    xpl_gap gap;
    bool has_gap = xpl_gaps(ses_explorer(t->ses), &gap, 1) > 0;
    out->report = (sto_report){.item = t->item,
                               .token = t->token,
                               .is_done = t->search->parts->rest != NULL,
                               .part = cam_part_of(share, !has_gap),
                               .children = out->children.at,
                               .n_children = out->children.len};
    TD_ASSERT(out->report.is_done || out->report.n_children == 2);
}

bool cam_divide(const cam_team *t, cam_division *out)
{
    TD_ASSERT(t->has_item && t->search->parts);
    const xpl_parts *parts = t->search->parts;
    xpl_item mine = {0}, away = {0};
    xpl_share share = {0};
    *out = (cam_division){0};
    if (parts->rest)
        parts->share(ses_explorer(t->ses), &share);
    bool is_divided = parts->split(ses_explorer(t->ses), &mine, &away);
    if (is_divided) {
        add_children(&mine, &out->children);
        if (out->children.len > 1) /* it has less now */
            parts->take(ses_explorer(t->ses), &mine);
        add_children(&away, &out->children);
        set_report(t, &share, out);
        out->report.keeps_first = true;
    }
    xpl_item_fini(&mine);
    xpl_item_fini(&away);
    return is_divided;
}

bool cam_leave_rest(const cam_team *t, cam_division *out)
{
    const xpl_parts *parts = t->search->parts;
    xpl_item rest = {0};
    xpl_share share = {0};
    *out = (cam_division){0};
    TD_ASSERT(t->has_item && !t->is_unreadable && parts->rest);
    parts->share(ses_explorer(t->ses), &share);
    bool is_left = parts->rest(ses_explorer(t->ses), &rest);
    if (!is_left && !t->search->complete(ses_explorer(t->ses)))
        return false;
    if (is_left)
        add_children(&rest, &out->children);
    xpl_item_fini(&rest);
    set_report(t, &share, out);
    return true;
}

void cam_division_fini(cam_division *d)
{
    for (size_t i = 0; i < d->children.len; i++)
        td_free(d->children.at[i].at);
    sto_bytes_vec_fini(&d->children);
}
