/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that other members of a farm handed in, done again by the leader.
 *
 * What a member says of a part cannot be seen to be true but by doing it. The farm keeps a few parts of
 * each worker, which ones is drawn there at random; once nothing is left, the leader explores some of
 * them as any item and compares. It takes as long as a tenth of the session and no longer; a part that
 * has more events by then than were handed in is known to be another. */
#include "session/session_int.h"

#include <inttypes.h>

#define LEAST_MS 5000u /* for all of them, however short the session was */
#define LAST_MS 500u   /* left of --time when they end */

void ses_samples_drop(ses *s)
{
    sto_claims_fini(&s->team.samples.at);
    s->team.samples = (ses_samples){0};
}

bool ses_samples_late(const ses *s)
{
    return s->team.samples.is_open && ses_elapsed_ms(s) >= s->team.samples.until_ms;
}

static td_status draw(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    uint64_t now = ses_elapsed_ms(s), limit = s->opts->time_ms;
    t->samples.is_drawn = true;
    t->samples.until_ms = now + (now / 10 > LEAST_MS ? now / 10 : LEAST_MS);
    if (limit && t->samples.until_ms + LAST_MS > limit)
        t->samples.until_ms = limit > LAST_MS ? limit - LAST_MS : 0;
    if (!t->is_leader || !s->opts->farm)
        return TD_OK;
    return sto_campaign_claims(t->link, t->own.at, t->own.len, &t->samples.at, diag);
}

static bool is_same(const xpl_share *a, const sto_part *b)
{
    return a->events == b->events && a->traces == b->traces &&
           a->whole_traces == b->whole_traces && td_id_equal(a->digest, b->digest) &&
           td_id_equal(a->trace_digest, b->trace_digest);
}

static void disagree(ses *s, const sto_claim *theirs, const xpl_share *share)
{
    s->team.samples.n_checked++;
    ses_member_gap(s,
                   "item %" PRIu64 " gave %" PRIu64 " events here, worker %" PRIu64
                   " submitted %" PRIu64 "%s",
                   theirs->item, share->events, theirs->worker, theirs->part.events,
                   share->events == theirs->part.events ? ", not the same ones" : "");
}

/* The part at hand is explored. */
static void compare(ses *s)
{
    ses_samples *m = &s->team.samples;
    const sto_claim *theirs = &m->at.at[m->n_done++];
    xpl_share share = {0};
    s->search->parts->share(s->explorer, &share);
    m->is_open = false;
    if (!s->search->complete(s->explorer) ||
        s->search->parts->has_diverged(s->explorer) || !is_same(&share, &theirs->part)) {
        disagree(s, theirs, &share);
        return;
    }
    m->n_checked++;
    m->n_agreed++;
}

/* It has not come to its end; more than there should be is too much already. */
void ses_samples_give_up(ses *s)
{
    ses_samples *m = &s->team.samples;
    const sto_claim *theirs = &m->at.at[m->n_done];
    xpl_share share = {0};
    TD_ASSERT(m->is_open);
    s->search->parts->share(s->explorer, &share);
    m->is_open = false;
    m->n_done = m->at.len;
    if (share.events > theirs->part.events || share.traces > theirs->part.traces)
        disagree(s, theirs, &share);
    else
        m->n_given_up++;
}

/* Makes the next one the item that is explored. */
static void open_next(ses *s)
{
    ses_samples *m = &s->team.samples;
    const sto_claim *next = &m->at.at[m->n_done];
    xpl_item item = {0};
    td_diag why = {0};
    if (xpl_item_read(next->payload.at, next->payload.len, &item, &why) != TD_OK) {
        m->n_done++;
        m->n_checked++;
        ses_member_gap(s, "item %" PRIu64 " that worker %" PRIu64 " did cannot be read",
                       next->item, next->worker);
        return;
    }
    s->search->parts->take(s->explorer, &item);
    xpl_item_fini(&item);
    m->is_open = true;
}

td_status ses_samples_next(ses *s, bool *more, td_diag *diag)
{
    ses_samples *m = &s->team.samples;
    if (!m->is_drawn)
        TD_TRY(draw(s, diag));
    if (m->is_open)
        compare(s);
    while (!m->is_open && m->n_done < m->at.len && ses_elapsed_ms(s) < m->until_ms)
        open_next(s);
    *more = m->is_open;
    return TD_OK;
}
