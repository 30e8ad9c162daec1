/* SPDX-License-Identifier: Apache-2.0 */
/* A member of a campaign: takes items, divides them, hands them in, waits for the next; and the table of
 * functions that a session is given to share its search. */
#include "campaign/campaign_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"

#define PEEK_MS 50u       /* between two looks at the others ... */
#define FARM_PEEK_MS 200u /* ... on a farm, where a server has to answer */
#define WAIT_MS 5u        /* without an item, at first; doubled each time up to ... */
#define MOST_WAIT_MS 80u
#define SLICE_MS 10000u   /* then an item is divided, so that less is lost with us */
#define STOCK_MS 200u     /* then an item is divided if little is in stock */
#define RETRY_MS 500u     /* after an item that could not be divided well */
#define LEASE_MS 120000u  /* lease of an item */
#define SCATTER 6u        /* times an item is divided when memory is used up */
#define CROWDED_MS 10000u /* on a busy machine no worker is started before that */
/* It is busy if we wait for a processor more than 1/4 of the time. */
#define BUSY_SHARE 4u
#define STATE_MS 1000u /* interval between two reports of the status */

static void wait_a_moment(uint32_t *ms)
{
    TD_ASSERT(*ms > 0 && *ms <= MOST_WAIT_MS); /* nanosleep takes less than a second */
    const struct timespec t = {.tv_nsec = *ms * 1000000L};
    nanosleep(&t, NULL);
    *ms = *ms * 2 < MOST_WAIT_MS ? *ms * 2 : MOST_WAIT_MS;
}

/* True if the campaign is on a server. */
static bool is_farm(const cam_team *t)
{
    return t->opts->farm || (t->opts->join && sto_is_farm(t->opts->join));
}

/* ---- exchanges ---- */

static sto_bytes bytes_of(const xpl_byte_vec *v)
{
    return (sto_bytes){v->at, v->len};
}

static bool is_due(const cam_team *t)
{
    return t->heard_ms == 0 || ses_elapsed_ms(t->ses) >= t->heard_ms + STATE_MS;
}

static void take_item(cam_team *t, const sto_work *w)
{
    TD_ASSERT(t->has_item && w->item == t->item);
    xpl_item item = {0};
    t->is_unreadable = !cam_item_read(t, &w->payload, &item);
    if (t->is_unreadable) {
        cam_member_gap(t, "item %" PRIu64 " of another worker cannot be read", w->item);
        return;
    }
    t->search->parts->take(ses_explorer(t->ses), &item);
    t->n_items++;
    xpl_item_fini(&item);
}

/* Hands the report in, with what else is to be said, and takes the reply's item. */
static td_status say(cam_team *t, sto_report *r, td_diag *diag)
{
    TD_ASSERT(t->link && t->worker != 0);
    /* (M3) it is handed in, or divided; or both, if what was run is not run again. */
    TD_ASSERT(!(r->is_done && r->n_children > 0) || t->search->parts->rest);
    sto_reply reply = {0};
    sto_worker state = {0};
    bool with_state = r->is_done || is_due(t);
    r->worker = t->worker;
    r->generation = t->generation;
    r->lease_ms = LEASE_MS;
    r->news = t->news.at;
    r->n_news = t->news.len;
    if (with_state)
        cam_state(t, &state);
    r->state = with_state ? &state : NULL;
    td_status status = sto_exchange(t->link, r, &reply, diag);
    if (with_state) {
        t->reported_runs = state.runs;
        t->reported_targets = state.targets;
        cam_state_fini(&state);
    }
    TD_TRY(status);
    sto_news_fini(&t->news);
    t->heard_ms = ses_elapsed_ms(t->ses);
    if (reply.is_stale || r->is_done || r->n_children > 0)
        t->has_item = false;
    if (reply.work.len > 0) {
        t->has_item = true;
        t->item = reply.work.at[0].item;
        t->token = reply.work.at[0].token;
        t->item_ms = t->heard_ms;
        if (!r->keeps_first)
            take_item(t, &reply.work.at[0]);
    }
    sto_work_fini(&reply.work);
    t->peek = reply;
    return TD_OK;
}

/* An item that cannot be read counts as done, and not complete. */
static td_status discard(cam_team *t, td_diag *diag)
{
    TD_ASSERT(t->has_item && t->is_unreadable);
    t->is_unreadable = false;
    return say(t,
               &(sto_report){.item = t->item,
                             .token = t->token,
                             .is_done = true,
                             .part = {.is_complete = false},
                             .want = 1},
               diag);
}

static void note_diverged(cam_team *t)
{
    if (is_farm(t) && t->search->parts->has_diverged(ses_explorer(t->ses)))
        cam_member_gap(t,
                       "item %" PRIu64 " runs differently here than where it was created",
                       t->item);
}

/* The item is done, as far as it can be. */
static td_status hand_in(cam_team *t, td_diag *diag)
{
    TD_ASSERT(t->has_item && !t->is_unreadable && !t->samples.is_open);
    xpl_share share = {0};
    t->search->parts->share(ses_explorer(t->ses), &share);
    note_diverged(t);
    bool is_complete = t->search->complete(ses_explorer(t->ses)) &&
                       !t->search->parts->has_diverged(ses_explorer(t->ses));
    sto_report r = {.item = t->item,
                    .token = t->token,
                    .is_done = true,
                    .part = cam_part_of(&share, is_complete),
                    .want = 1};
    if (ses_stopped(t->ses) != SES_GO) /* it was cut short, so it stays an item */
        return TD_OK;
    t->n_done++;
    return say(t, &r, diag);
}

/* Divides the item. *done: false if that is not worth it. */
static td_status divide(cam_team *t, bool *done, td_diag *diag)
{
    cam_division d;
    td_status status = TD_OK;
    *done = cam_divide(t, &d);
    if (*done) {
        note_diverged(t);
        status = say(t, &d.report, diag);
        t->n_splits++;
    }
    cam_division_fini(&d);
    return status;
}

/* What was run of the item is handed in, and what was not is an item for a session to come. */
static td_status leave_rest(cam_team *t, td_diag *diag)
{
    cam_division d;
    td_status status = TD_OK;
    if (!t->has_item || t->is_unreadable)
        return TD_OK;
    if (cam_leave_rest(t, &d)) {
        t->n_done++;
        status = say(t, &d.report, diag);
    }
    cam_division_fini(&d);
    return status;
}

/* The lease continues; and what else there is to say. */
static td_status renew(cam_team *t, td_diag *diag)
{
    TD_ASSERT(t->has_item);
    sto_report r = {.item = t->item, .token = t->token};
    return say(t, &r, diag);
}

/* Requests an item. If none is available, this worker counts as idle. */
static td_status ask(cam_team *t, td_diag *diag)
{
    return say(t, &(sto_report){.want = 1}, diag);
}

/* ---- beginning ---- */

static td_status open_link(cam_team *t, td_diag *diag)
{
    TD_ASSERT(!t->link);
    const char *where = t->opts->join ? t->opts->join : t->opts->farm;
    td_text path = {0};
    if (!t->dir)
        t->dir = td_strdup(ses_dir(t->ses));
    td_text_add(&path, "%s/session.db", t->dir);
    td_status status = sto_link_open(where ? where : path.at, &t->link, diag);
    td_text_fini(&path);
    return status;
}

static td_status begin_campaign(cam_team *t, td_diag *diag)
{
    sto_campaign c;
    xpl_item whole = {0};
    xpl_byte_vec bytes = {0};
    uint64_t id = 0;
    cam_describe(t, &c);
    xpl_item_write(&whole, &bytes);
    td_status status = sto_campaign_begin(t->link, &c, bytes_of(&bytes), &id, diag);
    xpl_byte_vec_fini(&bytes);
    sto_campaign_fini(&c);
    return status;
}

static td_status refuse(const cam_team *t, td_diag *diag)
{
    const xpl_search *search = ses_search(t->ses);
    if (search->samples)
        return td_diag_set(diag, TD_E_USAGE,
                           "the search %s cannot be shared on a farm: run independent "
                           "sessions with different --seed instead (docs/parallel.md)",
                           search->name);
    return td_diag_set(diag, TD_E_USAGE,
                       "this search cannot be shared on a farm (docs/parallel.md)");
}

/* Starts the next generation: all of the program, with the accesses that are promoted now. */
static td_status next_generation(cam_team *t, td_diag *diag)
{
    xpl_item whole = {0};
    xpl_byte_vec bytes = {0};
    xpl_item_write(&whole, &bytes);
    const trc_promoted_vec *all = ses_promoted(t->ses);
    sto_bytes promoted = {(uint8_t *)all->at, all->len * sizeof all->at[0]};
    td_status status =
        sto_campaign_again(t->link, t->generation, bytes_of(&bytes), promoted, diag);
    xpl_byte_vec_fini(&bytes);
    return status == TD_OK ? sto_peek(t->link, &t->peek, diag) : status;
}

/* Begins a campaign whose first item is the whole search, which this session already works on. Workers that
 * join need the accesses promoted so far: otherwise their runs would have other operations. */
static td_status team_begin(cam_team *t, td_diag *diag)
{
    if (!ses_can_share(t->ses))
        return refuse(t, diag);
    TD_ASSERT(!t->is_leader && t->own.len == 0);
    t->is_leader = true;
    TD_TRY(open_link(t, diag));
    TD_TRY(begin_campaign(t, diag));
    TD_TRY(sto_link_join(t->link, "leader", &t->worker, diag));
    trc_u64_vec_push(&t->own, t->worker);
    if (ses_promoted(t->ses)->len > 0) {
        TD_TRY(next_generation(t, diag));
        t->generation = t->peek.generation;
    }
    TD_TRY(ask(t, diag));
    return cam_local_start(t, diag);
}

/* Why we cannot work for a campaign; NULL: we can. */
static const char *why_not(cam_team *t, const sto_campaign *theirs)
{
    sto_campaign ours;
    cam_describe(t, &ours);
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

/* Takes over the promoted accesses of the campaign's current generation: other workers found races. */
static td_status follow_generation(cam_team *t, td_diag *diag)
{
    sto_bytes promoted = {0};
    TD_TRY(sto_campaign_promoted(t->link, &promoted, diag));
    bool is_whole = ses_promoted_read(t->ses, promoted.at, promoted.len);
    td_free(promoted.at);
    t->generation = t->peek.generation;
    t->has_item = false;
    t->is_over = false;
    t->n_named = 0;
    cam_samples_drop(t);
    ses_explorer_again(t->ses);
    if (!is_whole)
        cam_member_gap(t,
                       "the promoted accesses of generation %" PRIu32 " cannot be read",
                       t->generation);
    return TD_OK;
}

/* Where all others are, with their accesses. */
static td_status enter(cam_team *t, const char *name, td_diag *diag)
{
    t->worker = t->opts->worker;
    if (t->worker == 0)
        TD_TRY(sto_link_join(t->link, name, &t->worker, diag));
    trc_u64_vec_push(&t->own, t->worker);
    TD_TRY(sto_peek(t->link, &t->peek, diag));
    return follow_generation(t, diag);
}

static td_status team_join(cam_team *t, td_diag *diag)
{
    sto_campaign c;
    TD_TRY(open_link(t, diag));
    TD_TRY(sto_campaign_open(t->link, t->opts->campaign, &c, diag));
    const char *why =
        ses_can_share(t->ses) ? why_not(t, &c) : "its search cannot be shared";
    sto_campaign_fini(&c);
    if (why)
        return td_diag_set(diag, TD_E_USAGE, "this worker cannot join the campaign: %s",
                           why);
    return enter(t, "worker", diag);
}

static td_status team_resume(cam_team *t, td_diag *diag)
{
    sto_campaign c;
    td_diag none = {0};
    TD_TRY(open_link(t, diag));
    const char *why = "it left nothing to continue";
    if (sto_campaign_open(t->link, t->opts->campaign, &c, &none) == TD_OK) {
        why = why_not(t, &c);
        sto_campaign_fini(&c);
    }
    if (why) {
        ses_say(t->ses, "cannot resume the previous session: %s; starting over", why);
        sto_link_close(t->link);
        t->link = NULL;
        return TD_OK;
    }
    t->is_leader = true;
    TD_TRY(sto_leases_clear(t->link, diag));
    TD_TRY(enter(t, "leader", diag));
    ses_say(t->ses, "resuming the previous session: %" PRIu64 " part%s left",
            t->peek.n_left, t->peek.n_left == 1 ? "" : "s");
    return cam_local_start(t, diag);
}

static td_status team_promoted(cam_team *t, td_diag *diag)
{
    TD_ASSERT(t->link);
    TD_TRY(next_generation(t, diag));
    return follow_generation(t, diag);
}

/* ---- a pause ---- */

static bool is_older(const cam_team *t, uint64_t ms)
{
    return t->has_item && ses_elapsed_ms(t->ses) >= t->item_ms + ms;
}

/* True if there are fewer ready items than workers. Items given away early contain few events that were run
 * already, and this worker takes back those that no other takes. */
static bool wants_division(const cam_team *t)
{
    const sto_reply *p = &t->peek;
    bool is_short = p->n_workers > 1 && p->n_ready < p->n_workers;
    return ses_elapsed_ms(t->ses) >= t->split_ms &&
           (p->n_hungry > p->n_ready || (is_short && is_older(t, STOCK_MS)) ||
            is_older(t, SLICE_MS));
}

static bool wants_pause(cam_team *t)
{
    return t->peek.is_stopped || t->peek.generation != t->generation || is_due(t) ||
           (t->is_leader && t->peek.n_findings > t->n_taken_in) || wants_division(t);
}

static uint64_t alone_ms(const cam_team *t)
{
    if (t->opts->alone_ms)
        return t->opts->alone_ms;
    return t->opts->jobs > 1 ? SES_ALONE_MS : SES_ALONE_ONE_MS;
}

/* How long this process has waited for a processor; 0: not known. */
static uint64_t delayed_ms(void)
{
    unsigned long long ran_ns, waited_ns;
    FILE *f = fopen("/proc/self/schedstat", "r");
    bool is_known = f && fscanf(f, "%llu %llu", &ran_ns, &waited_ns) == 2;
    if (f)
        (void)fclose(f);
    return is_known ? waited_ns / 1000000 : 0;
}

/* True if other processes use the processors: a further worker would slow this session down, and repeat some
 * of its work. So none is started for a while; a long search gets its share. */
static bool is_crowded(cam_team *t, uint64_t ms)
{
    if (t->opts->alone_ms || is_farm(t) || t->opts->jobs < 2 || ms >= CROWDED_MS)
        return false;
    if (ms >= t->peek_ms)
        t->is_crowded = BUSY_SHARE * delayed_ms() > ms;
    t->peek_ms = ms >= t->peek_ms ? ms + PEEK_MS : t->peek_ms;
    return t->is_crowded;
}

static void team_tick(cam_team *t)
{
    uint64_t ms = ses_elapsed_ms(t->ses);
    if (!t->link) {
        t->pauses |= ses_can_share(t->ses) && ms >= alone_ms(t) && !is_crowded(t, ms);
        return;
    }
    if (ms < t->peek_ms || t->pauses || t->failed != TD_OK)
        return;
    t->peek_ms = ms + (is_farm(t) ? FARM_PEEK_MS : PEEK_MS);
    t->failed = sto_peek(t->link, &t->peek, &t->why);
    t->pauses = t->failed != TD_OK || wants_pause(t) || cam_samples_late(t);
}

static td_status look_around(cam_team *t, td_diag *diag)
{
    if (t->failed != TD_OK) {
        *diag = t->why;
        return t->failed;
    }
    if (t->is_leader)
        TD_TRY(cam_take_news(t, diag));
    if (t->is_leader)
        TD_TRY(cam_local_look(t, diag));
    if (t->peek.is_stopped && ses_stopped(t->ses) == SES_GO)
        ses_stop_for_user(t->ses);
    if (ses_stopped(t->ses) == SES_GO && t->peek.generation != t->generation)
        TD_TRY(follow_generation(t, diag));
    return TD_OK;
}

static td_status team_turn(cam_team *t, td_diag *diag)
{
    t->pauses = false;
    if (!t->link)
        return ses_can_share(t->ses) ? team_begin(t, diag) : TD_OK;
    TD_TRY(look_around(t, diag));
    if (cam_samples_late(t))
        cam_samples_give_up(t);
    if (!t->has_item || ses_stopped(t->ses) != SES_GO)
        return is_due(t) ? say(t, &(sto_report){0}, diag) : TD_OK;
    bool is_divided = false;
    if (wants_division(t)) {
        TD_TRY(divide(t, &is_divided, diag));
        if (!is_divided)
            t->split_ms = ses_elapsed_ms(t->ses) + RETRY_MS;
    }
    return is_divided ? TD_OK : renew(t, diag);
}

/* ---- the next item ---- */

/* Waits until there is something for us: an item, another generation, the end. */
static td_status wait_for_work(cam_team *t, td_diag *diag)
{
    uint32_t wait_ms = WAIT_MS;
    while (ses_stopped(t->ses) == SES_GO) {
        TD_TRY(sto_peek(t->link, &t->peek, diag));
        TD_TRY(look_around(t, diag));
        t->is_over = t->peek.n_left == 0;
        if (t->is_over || t->peek.n_ready > 0)
            break;
        if (is_due(t))
            TD_TRY(say(t, &(sto_report){0}, diag));
        wait_a_moment(&wait_ms);
        ses_check_budget(t->ses);
        t->pauses = false;
    }
    return TD_OK;
}

static td_status discard_unreadable(cam_team *t, td_diag *diag)
{
    while (t->has_item && t->is_unreadable)
        TD_TRY(discard(t, diag));
    return TD_OK;
}

/* Submits the item, which is complete. *more: there is another one to explore. */
static td_status team_next(cam_team *t, bool *more, td_diag *diag)
{
    *more = false;
    TD_ASSERT(t->link);
    if (ses_stopped(t->ses) != SES_GO)
        return TD_OK;
    if (t->has_item)
        TD_TRY(hand_in(t, diag));
    else if (!t->is_over)
        TD_TRY(ask(t, diag));
    TD_TRY(discard_unreadable(t, diag));
    while (!t->has_item && ses_stopped(t->ses) == SES_GO && !t->is_over) {
        TD_TRY(wait_for_work(t, diag));
        if (ses_stopped(t->ses) == SES_GO && !t->is_over)
            TD_TRY(ask(t, diag));
        TD_TRY(discard_unreadable(t, diag));
    }
    if (t->is_over && ses_stopped(t->ses) == SES_GO)
        return cam_samples_next(t, more, diag);
    *more = t->has_item && ses_stopped(t->ses) == SES_GO;
    return TD_OK;
}

/* ---- the end ---- */

/* Gives away the unexplored halves first, so the last part contains most of what is known. */
static td_status team_leave(cam_team *t, uint64_t *n, td_diag *diag)
{
    bool is_divided = true;
    uint32_t n_divided = 0;
    if (t->search->parts->rest) {
        TD_TRY(leave_rest(t, diag));
        *n = t->n_done;
        return TD_OK;
    }
    for (; t->has_item && is_divided && n_divided < SCATTER; n_divided += is_divided)
        TD_TRY(divide(t, &is_divided, diag));
    TD_ASSERT(n_divided <= SCATTER);
    *n = n_divided + t->n_done;
    return TD_OK;
}

/* The item that we have is not done: it stays for others. */
static td_status team_end(cam_team *t, td_diag *diag)
{
    if (!t->link)
        return TD_OK;
    if (t->is_leader && ses_stopped(t->ses) == SES_STOP_BUG)
        TD_TRY(sto_campaign_stop(t->link, diag));
    t->heard_ms = 0;
    TD_TRY(say(t, &(sto_report){0}, diag));
    cam_local_stop(t);
    TD_TRY(cam_gather(t, diag));
    return cam_covered_check(t, diag);
}

static void team_free(cam_team *t)
{
    cam_local_stop(t);
    cam_worker_vec_fini(&t->local);
    sto_news_fini(&t->news);
    td_text_fini(&t->coverage);
    trc_u64_vec_fini(&t->own);
    sto_claims_fini(&t->samples.at);
    if (t->link)
        sto_link_close(t->link);
    td_free(t->dir);
    td_free(t);
}

/* ---- what the session sees ---- */

static cam_team *team_new(ses *s)
{
    cam_team *t = td_alloc(sizeof *t);
    t->ses = s;
    t->opts = ses_options(s);
    t->search = ses_search(s);
    return t;
}

static bool team_is_shared(const cam_team *t)
{
    return t->link != NULL;
}

static bool team_holds(const cam_team *t)
{
    return t->pauses || (t->link && !t->has_item && !t->samples.is_open);
}

static bool team_wants_turn(const cam_team *t)
{
    return t->pauses;
}

static void team_sum(const cam_team *t, ses_shared_sum *out)
{
    const sto_total *all = &t->total;
    *out = (ses_shared_sum){.is_shared = t->link != NULL,
                            .is_leader = t->is_leader,
                            .is_complete = all->is_complete,
                            .has_item = t->has_item,
                            .runs = t->runs,
                            .blocked_runs = t->blocked_runs,
                            .n_parts = all->n_parts,
                            .done = {.events = all->sum.events,
                                     .traces = all->sum.traces,
                                     .whole_traces = all->sum.whole_traces,
                                     .digest = all->sum.digest,
                                     .trace_digest = all->sum.trace_digest},
                            .n_parked = all->n_parked,
                            .parked_item = all->parked_item,
                            .parked_worker = all->parked_worker,
                            .n_others = t->others.n,
                            .others_parts = t->others.parts,
                            .others_runs = t->others.runs,
                            .n_checked = t->samples.n_checked,
                            .n_agreed = t->samples.n_agreed,
                            .n_given_up = t->samples.n_given_up};
}

const ses_sharing cam_sharing = {.new = team_new,
                                 .free = team_free,
                                 .begin = team_begin,
                                 .join = team_join,
                                 .resume = team_resume,
                                 .is_shared = team_is_shared,
                                 .holds = team_holds,
                                 .wants_turn = team_wants_turn,
                                 .tick = team_tick,
                                 .turn = team_turn,
                                 .next = team_next,
                                 .promoted = team_promoted,
                                 .leave = team_leave,
                                 .end = team_end,
                                 .found = cam_tell,
                                 .measure = cam_measure,
                                 .coverage = cam_coverage,
                                 .sum = team_sum};
