/* SPDX-License-Identifier: Apache-2.0 */
#include "session/session_int.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#define PEEK_MS 50u       /* between two looks at the others ... */
#define FARM_PEEK_MS 200u /* ... on a farm, where a server has to answer */
#define WAIT_MS 5u        /* without an item, at first; doubled each time up to ... */
#define MOST_WAIT_MS 80u
#define SLICE_MS 10000u  /* then an item is divided, so that less is lost with us */
#define STOCK_MS 200u    /* then an item is divided if little is in stock */
#define RETRY_MS 500u    /* after an item that could not be divided well */
#define LEASE_MS 120000u /* of an item */
#define SCATTER 6u       /* times an item is divided when memory is used up */
#define STATE_MS 1000u   /* between two reports of how we stand */

bool ses_team_can(const ses *s)
{
    const ses_opts *o = s->opts;
    return o->jobs > 0 && s->search->parts && !o->bounded && !o->iterate && !o->runs;
}

static void wait_a_moment(uint32_t *ms)
{
    const struct timespec t = {.tv_nsec = *ms * 1000000L};
    nanosleep(&t, NULL);
    *ms = *ms * 2 < MOST_WAIT_MS ? *ms * 2 : MOST_WAIT_MS;
}

/* Whether what is shared is on a server. */
static bool is_farm(const ses *s)
{
    return s->opts->farm || (s->opts->join && sto_is_farm(s->opts->join));
}

/* ---- exchanges ---- */

static sto_bytes bytes_of(const xpl_byte_vec *v)
{
    return (sto_bytes){v->at, v->len};
}

static bool is_due(const ses *s)
{
    return ses_elapsed_ms(s) >= s->team.heard_ms + STATE_MS;
}

/* Hands the report in, with what else is to be said, and takes the reply's item. */
static td_status say(ses *s, sto_report *r, td_diag *diag)
{
    ses_team *t = &s->team;
    sto_reply reply = {0};
    sto_worker state = {0};
    bool with_state = r->is_done || is_due(s);
    r->worker = t->worker;
    r->generation = t->generation;
    r->lease_ms = LEASE_MS;
    r->news = t->news.at;
    r->n_news = t->news.len;
    if (with_state)
        ses_team_state(s, &state);
    r->state = with_state ? &state : NULL;
    td_status status = sto_exchange(t->link, r, &reply, diag);
    if (with_state) {
        t->told_runs = state.runs;
        t->told_targets = state.targets;
        ses_team_state_fini(&state);
    }
    TD_TRY(status);
    sto_news_fini(&t->news);
    t->heard_ms = ses_elapsed_ms(s);
    if (reply.is_stale || r->is_done || r->n_children > 0)
        t->has_item = false;
    if (reply.work.len > 0) {
        t->has_item = true;
        t->item = reply.work.at[0].item;
        t->token = reply.work.at[0].token;
        t->item_ms = t->heard_ms;
        if (!r->keeps_first)
            ses_team_take(s, &reply.work.at[0]);
    }
    sto_work_fini(&reply.work);
    t->peek = reply;
    return TD_OK;
}

void ses_team_take(ses *s, const sto_work *w)
{
    xpl_item item = {0};
    td_diag why = {0};
    s->team.is_unreadable =
        xpl_item_read(w->payload.at, w->payload.len, &item, &why) != TD_OK;
    if (s->team.is_unreadable) {
        ses_member_gap(s, "item %" PRIu64 " of another worker cannot be read", w->item);
        return;
    }
    s->search->parts->take(s->explorer, &item);
    s->team.n_items++;
    xpl_item_fini(&item);
}

/* What nobody can read is no work for anybody: it counts as done, and not complete. */
static td_status discard(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    t->is_unreadable = false;
    return say(s,
               &(sto_report){.item = t->item,
                             .token = t->token,
                             .is_done = true,
                             .part = {.is_complete = false},
                             .want = 1},
               diag);
}

/* The item is done, as far as it can be. */
static td_status hand_in(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    xpl_share share = {0};
    s->search->parts->share(s->explorer, &share);
    if (is_farm(s) && s->search->parts->has_diverged(s->explorer))
        ses_member_gap(s,
                       "item %" PRIu64 " runs differently here than where it was created",
                       t->item);
    sto_report r = {.item = t->item,
                    .token = t->token,
                    .is_done = true,
                    .part = {.events = share.events,
                             .traces = share.traces,
                             .whole_traces = share.whole_traces,
                             .digest = share.digest,
                             .trace_digest = share.trace_digest,
                             .known = share.known,
                             .is_complete = s->search->complete(s->explorer) &&
                                            !s->search->parts->has_diverged(s->explorer)},
                    .want = 1};
    if (s->stop != SES_GO) /* it was cut short, so it stays an item */
        return TD_OK;
    t->n_done++;
    return say(s, &r, diag);
}

/* Divides the item. *done: false if that is not worth it. */
static td_status divide(ses *s, bool *done, td_diag *diag)
{
    ses_team *t = &s->team;
    xpl_item mine = {0}, away = {0};
    xpl_byte_vec bytes[2] = {0};
    td_status status = TD_OK;
    *done = s->search->parts->split(s->explorer, &mine, &away);
    if (*done) {
        xpl_item_write(&mine, &bytes[0]);
        xpl_item_write(&away, &bytes[1]);
        sto_bytes children[2] = {bytes_of(&bytes[0]), bytes_of(&bytes[1])};
        sto_report r = {.item = t->item,
                        .token = t->token,
                        .children = children,
                        .n_children = 2,
                        .keeps_first = true};
        status = say(s, &r, diag);
        t->n_splits++;
    }
    xpl_byte_vec_fini(&bytes[0]);
    xpl_byte_vec_fini(&bytes[1]);
    xpl_item_fini(&mine);
    xpl_item_fini(&away);
    return status;
}

/* The lease goes on; and what else there is to say. */
static td_status renew(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    sto_report r = {.item = t->item, .token = t->token};
    return say(s, &r, diag);
}

/* Whoever asks in vain is hungry from then on. */
static td_status ask(ses *s, td_diag *diag)
{
    return say(s, &(sto_report){.want = 1}, diag);
}

/* ---- beginning ---- */

td_status ses_team_open(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    const char *where = s->opts->join ? s->opts->join : s->opts->farm;
    td_text path = {0};
    if (!t->dir)
        t->dir = td_strdup(sto_session_dir(s->store));
    td_text_add(&path, "%s/session.db", t->dir);
    td_status status = sto_link_open(where ? where : path.at, &t->link, diag);
    td_text_fini(&path);
    return status;
}

static td_status begin_campaign(ses *s, td_diag *diag)
{
    sto_campaign c;
    xpl_item whole = {0};
    xpl_byte_vec bytes = {0};
    uint64_t id = 0;
    ses_team_campaign(s, &c);
    xpl_item_write(&whole, &bytes);
    td_status status = sto_campaign_begin(s->team.link, &c, bytes_of(&bytes), &id, diag);
    xpl_byte_vec_fini(&bytes);
    sto_campaign_fini(&c);
    return status;
}

/* The whole is what we work on already. */
td_status ses_team_begin(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    if (!ses_team_can(s))
        return td_diag_set(diag, TD_E_USAGE,
                           "this search cannot be shared on a farm (docs/farms.md)");
    t->is_leader = true;
    TD_TRY(ses_team_open(s, diag));
    TD_TRY(begin_campaign(s, diag));
    TD_TRY(sto_link_join(t->link, "leader", &t->worker, diag));
    trc_u64_vec_push(&t->own, t->worker);
    TD_TRY(ask(s, diag));
    return ses_crew_start(s, diag);
}

/* Why we cannot work for a campaign; NULL: we can. */
static const char *why_not(ses *s, const sto_campaign *theirs)
{
    sto_campaign ours;
    ses_team_campaign(s, &ours);
    const struct {
        const char *ours, *theirs, *why;
    } same[] = {
        {ours.protocol, theirs->protocol, "it was started by another version of treadle"},
        {ours.command, theirs->command, "it is for another command"},
        {ours.options, theirs->options, "it was started with other options"},
        {ours.build_id, theirs->build_id, "the program has changed since"},
    };
    const char *why = NULL;
    for (size_t i = 0; i < sizeof same / sizeof same[0] && !why; i++)
        if (strcmp(same[i].ours, same[i].theirs) != 0)
            why = same[i].why;
    sto_campaign_fini(&ours);
    return why;
}

/* What the campaign says now is what holds: others found accesses that race. */
static td_status follow_generation(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    sto_bytes promoted = {0};
    TD_TRY(sto_campaign_promoted(t->link, &promoted, diag));
    bool is_whole = ses_promoted_read(s, promoted);
    td_free(promoted.at);
    t->generation = t->peek.generation;
    t->has_item = false;
    t->is_over = false;
    t->n_named = 0;
    ses_samples_drop(s);
    ses_explorer_again(s);
    if (!is_whole)
        ses_member_gap(s, "accesses that begin generation %" PRIu32 " cannot be read",
                       t->generation);
    return TD_OK;
}

/* Where all others are, with their accesses. */
static td_status enter(ses *s, const char *name, td_diag *diag)
{
    ses_team *t = &s->team;
    t->worker = s->opts->worker;
    if (t->worker == 0)
        TD_TRY(sto_link_join(t->link, name, &t->worker, diag));
    trc_u64_vec_push(&t->own, t->worker);
    TD_TRY(sto_peek(t->link, &t->peek, diag));
    return follow_generation(s, diag);
}

td_status ses_team_join(ses *s, td_diag *diag)
{
    sto_campaign c;
    TD_TRY(ses_team_open(s, diag));
    TD_TRY(sto_campaign_open(s->team.link, s->opts->campaign, &c, diag));
    const char *why = ses_team_can(s) ? why_not(s, &c) : "its search cannot be shared";
    sto_campaign_fini(&c);
    if (why)
        return td_diag_set(diag, TD_E_USAGE, "this worker cannot join the campaign: %s",
                           why);
    return enter(s, "worker", diag);
}

td_status ses_team_resume(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    sto_campaign c;
    td_diag none = {0};
    TD_TRY(ses_team_open(s, diag));
    const char *why = "it left nothing to continue";
    if (sto_campaign_open(t->link, s->opts->campaign, &c, &none) == TD_OK) {
        why = why_not(s, &c);
        sto_campaign_fini(&c);
    }
    if (why) {
        ses_say(s, "cannot resume the previous session: %s; starting over", why);
        sto_link_close(t->link);
        t->link = NULL;
        return TD_OK;
    }
    t->is_leader = true;
    TD_TRY(sto_leases_clear(t->link, diag));
    TD_TRY(enter(s, "leader", diag));
    ses_say(s, "resuming the previous session: %" PRIu64 " part%s left", t->peek.n_left,
            t->peek.n_left == 1 ? "" : "s");
    return ses_crew_start(s, diag);
}

td_status ses_team_promote(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    xpl_item whole = {0};
    xpl_byte_vec bytes = {0};
    xpl_item_write(&whole, &bytes);
    sto_bytes promoted = {(uint8_t *)s->promoted.at,
                          s->promoted.len * sizeof s->promoted.at[0]};
    td_status status =
        sto_campaign_again(t->link, t->generation, bytes_of(&bytes), promoted, diag);
    xpl_byte_vec_fini(&bytes);
    TD_TRY(status);
    t->has_item = false;
    TD_TRY(sto_peek(t->link, &t->peek, diag));
    return follow_generation(s, diag);
}

/* ---- a pause ---- */

static bool is_older(const ses *s, uint64_t ms)
{
    return s->team.has_item && ses_elapsed_ms(s) >= s->team.item_ms + ms;
}

/* More are without work than there is work for, or soon will be: what is given away early holds little
 * that was run already, and what nobody else takes we do ourselves. */
static bool wants_division(const ses *s)
{
    const sto_reply *p = &s->team.peek;
    bool is_short = p->n_workers > 1 && p->n_ready < p->n_workers;
    return ses_elapsed_ms(s) >= s->team.split_ms &&
           (p->n_hungry > p->n_ready || (is_short && is_older(s, STOCK_MS)) ||
            is_older(s, SLICE_MS));
}

static bool wants_pause(ses *s)
{
    ses_team *t = &s->team;
    return t->peek.is_stopped || t->peek.generation != t->generation || is_due(s) ||
           (t->is_leader && t->peek.n_findings > t->n_taken_in) || wants_division(s);
}

static uint64_t alone_ms(const ses *s)
{
    if (s->opts->alone_ms)
        return s->opts->alone_ms;
    return s->opts->jobs > 1 ? SES_ALONE_MS : SES_ALONE_ONE_MS;
}

void ses_team_tick(ses *s)
{
    ses_team *t = &s->team;
    uint64_t ms = ses_elapsed_ms(s);
    if (!t->link) {
        t->pauses |= ses_team_can(s) && ms >= alone_ms(s);
        return;
    }
    if (ms < t->peek_ms || t->pauses || t->failed != TD_OK)
        return;
    t->peek_ms = ms + (is_farm(s) ? FARM_PEEK_MS : PEEK_MS);
    t->failed = sto_peek(t->link, &t->peek, &t->why);
    t->pauses = t->failed != TD_OK || wants_pause(s) || ses_samples_late(s);
}

static td_status look_around(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    if (t->failed != TD_OK) {
        *diag = t->why;
        return t->failed;
    }
    if (t->is_leader)
        TD_TRY(ses_gather_news(s, diag));
    if (t->is_leader)
        TD_TRY(ses_crew_look(s, diag));
    if (t->peek.is_stopped && s->stop == SES_GO)
        s->stop = SES_STOP_USER;
    if (s->stop == SES_GO && t->peek.generation != t->generation)
        TD_TRY(follow_generation(s, diag));
    return TD_OK;
}

td_status ses_team_turn(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    t->pauses = false;
    if (!t->link)
        return ses_team_begin(s, diag);
    TD_TRY(look_around(s, diag));
    if (ses_samples_late(s))
        ses_samples_give_up(s);
    if (!t->has_item || s->stop != SES_GO)
        return is_due(s) ? say(s, &(sto_report){0}, diag) : TD_OK;
    bool is_divided = false;
    if (wants_division(s)) {
        TD_TRY(divide(s, &is_divided, diag));
        if (!is_divided)
            t->split_ms = ses_elapsed_ms(s) + RETRY_MS;
    }
    return is_divided ? TD_OK : renew(s, diag);
}

/* ---- the next item ---- */

/* Waits until there is something for us: an item, another generation, the end. */
static td_status wait_for_work(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    uint32_t wait_ms = WAIT_MS;
    while (s->stop == SES_GO) {
        TD_TRY(sto_peek(t->link, &t->peek, diag));
        TD_TRY(look_around(s, diag));
        t->is_over = t->peek.n_left == 0;
        if (t->is_over || t->peek.n_ready > 0)
            break;
        if (is_due(s))
            TD_TRY(say(s, &(sto_report){0}, diag));
        wait_a_moment(&wait_ms);
        ses_check_budget(s);
        t->pauses = false;
    }
    return TD_OK;
}

static td_status discard_unreadable(ses *s, td_diag *diag)
{
    while (s->team.has_item && s->team.is_unreadable)
        TD_TRY(discard(s, diag));
    return TD_OK;
}

/* Nothing is left to run of the item. *more: there is another one to explore. */
td_status ses_team_next(ses *s, bool *more, td_diag *diag)
{
    ses_team *t = &s->team;
    *more = false;
    if (s->stop != SES_GO)
        return TD_OK;
    if (t->has_item)
        TD_TRY(hand_in(s, diag));
    else if (!t->is_over)
        TD_TRY(ask(s, diag));
    TD_TRY(discard_unreadable(s, diag));
    while (!t->has_item && s->stop == SES_GO && !t->is_over) {
        TD_TRY(wait_for_work(s, diag));
        if (s->stop == SES_GO && !t->is_over)
            TD_TRY(ask(s, diag));
        TD_TRY(discard_unreadable(s, diag));
    }
    if (t->is_over && s->stop == SES_GO)
        return ses_samples_next(s, more, diag);
    *more = t->has_item && s->stop == SES_GO;
    return TD_OK;
}

/* ---- the end ---- */

/* What nobody has run yet of the halves goes away first, so the last part has most that is known. */
td_status ses_team_scatter(ses *s, uint32_t *done, td_diag *diag)
{
    bool is_divided = true;
    for (*done = 0; s->team.has_item && is_divided && *done < SCATTER;
         *done += is_divided)
        TD_TRY(divide(s, &is_divided, diag));
    return TD_OK;
}

/* The item that we have is not done: it stays for others. */
td_status ses_team_end(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    if (!t->link)
        return TD_OK;
    if (t->is_leader && s->stop == SES_STOP_BUG)
        TD_TRY(sto_campaign_stop(t->link, diag));
    t->heard_ms = 0;
    TD_TRY(say(s, &(sto_report){0}, diag));
    ses_crew_stop(s);
    return ses_gather(s, diag);
}

void ses_team_fini(ses *s)
{
    ses_team *t = &s->team;
    ses_crew_stop(s);
    ses_hand_vec_fini(&t->crew);
    sto_news_fini(&t->news);
    td_text_fini(&t->coverage);
    trc_u64_vec_fini(&t->own);
    sto_claims_fini(&t->samples.at);
    if (t->link)
        sto_link_close(t->link);
    td_free(t->dir);
}
