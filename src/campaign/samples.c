/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that other members of a farm handed in, done again by the leader.
 *
 * A member's result can only be verified by recomputing it. The farm keeps a few parts of each worker,
 * drawn there at random; once nothing is left, the leader explores some of them as any item and
 * compares. That takes at most a tenth of the session's time. A part that has more events by then than
 * were submitted is wrong; any other that was not finished is not verified, which is a gap unless the
 * user trusts the members. */
#include "campaign/campaign_int.h"

#include <inttypes.h>

#include "base/assert.h"

#define LEAST_MS 5000u /* for all of them, however short the session was */
#define LAST_MS 500u   /* left of --time when they end */

void cam_samples_drop(cam_team *t)
{
    sto_claims_fini(&t->samples.at);
    t->samples = (cam_samples){0};
}

bool cam_samples_late(const cam_team *t)
{
    return t->samples.is_open && ses_elapsed_ms(t->ses) >= t->samples.until_ms;
}

static td_status draw(cam_team *t, td_diag *diag)
{
    uint64_t now = ses_elapsed_ms(t->ses), limit = t->opts->time_ms;
    t->samples.is_drawn = true;
    t->samples.until_ms = now + (now / 10 > LEAST_MS ? now / 10 : LEAST_MS);
    if (limit && t->samples.until_ms + LAST_MS > limit)
        t->samples.until_ms = limit > LAST_MS ? limit - LAST_MS : 0;
    if (!t->is_leader || !t->opts->farm)
        return TD_OK;
    return sto_campaign_claims(t->link, t->own.at, t->own.len, &t->samples.at, diag);
}

static bool is_same(const xpl_share *a, const sto_part *b)
{
    return a->events == b->events && a->traces == b->traces &&
           a->whole_traces == b->whole_traces && td_id_equal(a->digest, b->digest) &&
           td_id_equal(a->trace_digest, b->trace_digest);
}

static void disagree(cam_team *t, const sto_claim *theirs, const xpl_share *share)
{
    t->samples.n_checked++;
    TD_ASSERT(t->samples.n_agreed < t->samples.n_checked);
    cam_member_gap(t,
                   "item %" PRIu64 " gave %" PRIu64 " events here, worker %" PRIu64
                   " submitted %" PRIu64 "%s",
                   theirs->item, share->events, theirs->worker, theirs->part.events,
                   share->events == theirs->part.events ? ", but different ones" : "");
}

/* The part at hand is explored. */
static void compare(cam_team *t)
{
    TD_ASSERT(t->samples.is_open && t->samples.n_done < t->samples.at.len);
    cam_samples *m = &t->samples;
    const sto_claim *theirs = &m->at.at[m->n_done++];
    xpl_share share = {0};
    t->search->parts->share(ses_explorer(t->ses), &share);
    m->is_open = false;
    if (!t->search->complete(ses_explorer(t->ses)) ||
        t->search->parts->has_diverged(ses_explorer(t->ses)) ||
        !is_same(&share, &theirs->part)) {
        disagree(t, theirs, &share);
        return;
    }
    m->n_checked++;
    m->n_agreed++;
}

/* The open part is unfinished. If it already exceeds what was submitted, the claim is wrong. */
void cam_samples_give_up(cam_team *t)
{
    cam_samples *m = &t->samples;
    const sto_claim *theirs = &m->at.at[m->n_done];
    xpl_share share = {0};
    TD_ASSERT(m->is_open);
    t->search->parts->share(ses_explorer(t->ses), &share);
    m->is_open = false;
    m->n_done = m->at.len;
    if (share.events > theirs->part.events || share.traces > theirs->part.traces)
        disagree(t, theirs, &share);
}

/* Nothing more is done again. */
static void close_samples(cam_team *t)
{
    cam_samples *m = &t->samples;
    TD_ASSERT(m->n_checked <= m->at.len);
    m->is_closed = true;
    m->n_given_up = m->at.len - m->n_checked;
    if (m->n_given_up > 0 && !t->opts->trust_members)
        cam_member_gap(t,
                       "%" PRIu64 " of %zu sampled parts of other members not verified: "
                       "repeating them took too long (--trust-members accepts them)",
                       m->n_given_up, m->at.len);
}

/* Makes the next one the item that is explored. */
static void open_next(cam_team *t)
{
    TD_ASSERT(!t->samples.is_open && !t->has_item); /* one item at a time */
    cam_samples *m = &t->samples;
    const sto_claim *next = &m->at.at[m->n_done];
    xpl_item item = {0};
    if (!cam_item_read(t, &next->payload, &item)) {
        m->n_done++;
        m->n_checked++;
        cam_member_gap(t, "item %" PRIu64 " of worker %" PRIu64 " cannot be read",
                       next->item, next->worker);
        return;
    }
    t->search->parts->take(ses_explorer(t->ses), &item);
    xpl_item_fini(&item);
    m->is_open = true;
}

td_status cam_samples_next(cam_team *t, bool *more, td_diag *diag)
{
    cam_samples *m = &t->samples;
    if (!m->is_drawn)
        TD_TRY(draw(t, diag));
    if (m->is_open)
        compare(t);
    while (!m->is_open && m->n_done < m->at.len && ses_elapsed_ms(t->ses) < m->until_ms)
        open_next(t);
    *more = m->is_open;
    if (!m->is_open && !m->is_closed)
        close_samples(t);
    return TD_OK;
}
