/* SPDX-License-Identifier: Apache-2.0 */
/* The engine on one machine: session.db, opened by every worker.
 *
 * Invariants  A command is one transaction that holds the file's write lock from its first
 *             statement (BEGIN IMMEDIATE), so commands come one after the other. With a
 *             write-ahead log and synchronous = FULL what was answered is on disk.
 *             The file is not trusted: it may have been modified.
 */
#include <inttypes.h>
#include <sys/random.h>

#include "base/assert.h"
#include "base/text.h"
#include "store/exchange/sqlite_statements.h"

static sq_link *sq_of(sto_link *l)
{
    return (sq_link *)l;
}

static uint64_t now(const sq_link *q)
{
    return q->base.clock(q->base.clock_of);
}

/* ---- campaigns ---- */

/* worker: the one that made the item; 0: none. */
static td_status add_item(sq_link *q, sto_bytes payload, uint64_t depth, uint64_t worker,
                          td_diag *diag)
{
    const sq_arg args[] = {sq_number(q->base.campaign), sq_number(depth),
                           sq_bytes(payload.at, payload.len), sq_number(worker)};
    return sq_run(q, SQ_ITEM_ADD, args, 4, diag);
}

static td_status begin_in(sq_link *q, const sto_campaign *c, sto_bytes whole,
                          td_diag *diag)
{
    const sq_arg args[] = {sq_text(c->version),  sq_text(c->protocol),
                           sq_text(c->build_id), sq_text(c->command),
                           sq_text(c->options),  sq_number(now(q))};
    TD_TRY(sq_run(q, SQ_CAMPAIGN_ADD, args, 6, diag));
    q->base.campaign = (uint64_t)sqlite3_last_insert_rowid(q->db);
    return add_item(q, whole, 0, 0, diag);
}

static td_status sq_begin(sto_link *l, const sto_campaign *c, sto_bytes whole,
                          uint64_t *id, td_diag *diag)
{
    sq_link *q = sq_of(l);
    uint64_t before = l->campaign;
    q->counted = (sto_reply){0};
    TD_TRY(sq_run(q, SQ_BEGIN, NULL, 0, diag));
    td_status status = sq_finish(q, begin_in(q, c, whole, diag), diag);
    *id = l->campaign;
    if (status != TD_OK)
        l->campaign = before;
    return status;
}

static td_status sq_open(sto_link *l, uint64_t id, sto_campaign *out, uint64_t *found,
                         td_diag *diag)
{
    sq_link *q = sq_of(l);
    const sq_arg args[] = {sq_number(id)};
    sto_opened o = {.campaign = out};
    sq_rows rows = {"nttttt", sto_take_campaign, &o, 0};
    td_status status = sq_each(q, SQ_CAMPAIGN_GET, args, 1, &rows, diag);
    if (status == TD_OK && rows.n == 0)
        status = td_diag_set(diag, TD_E_USAGE, "%s: there is no campaign to continue",
                             q->path);
    q->counted = (sto_reply){0};
    if (status == TD_OK)
        *found = o.id;
    return status;
}

/* Where the campaign is. */
typedef struct moment {
    uint32_t generation;
    uint32_t is_stopped;
    bool leases; /* the worker may be given items */
    uint64_t ms;
} moment;

static bool take_moment(const sto_cell *row, void *out)
{
    moment *m = out;
    return sto_cell_small(&row[0], &m->generation) &&
           sto_cell_small(&row[1], &m->is_stopped);
}

static td_status get_moment(sq_link *q, moment *out, td_diag *diag)
{
    const sq_arg args[] = {sq_number(q->base.campaign)};
    sq_rows rows = {"nn", take_moment, out, 0};
    *out = (moment){.ms = now(q)};
    TD_TRY(sq_each(q, SQ_CAMPAIGN_NOW, args, 1, &rows, diag));
    return rows.n == 1 ? TD_OK : sq_bad_row(q, diag);
}

static td_status clear_in(sq_link *q, td_diag *diag)
{
    const sq_arg args[] = {sq_number(q->base.campaign), sq_number(0)};
    TD_TRY(sq_run(q, SQ_ITEMS_CLEAR, args, 1, diag));
    return sq_run(q, SQ_CAMPAIGN_STOP, args, 2, diag);
}

static td_status sq_clear(sto_link *l, td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(sq_run(q, SQ_BEGIN, NULL, 0, diag));
    return sq_finish(q, clear_in(q, diag), diag);
}

static td_status gone_in(sq_link *q, uint64_t worker, td_diag *diag)
{
    const sq_arg items[] = {sq_number(q->base.campaign), sq_number(worker),
                            sq_number(STO_MAX_ATTEMPTS)};
    const sq_arg args[] = {sq_number(worker), sq_number(q->base.campaign)};
    TD_TRY(sq_run(q, SQ_ITEMS_GONE, items, 3, diag));
    return sq_run(q, SQ_WORKER_GONE, args, 2, diag);
}

static td_status sq_gone(sto_link *l, uint64_t worker, td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(sq_run(q, SQ_BEGIN, NULL, 0, diag));
    return sq_finish(q, gone_in(q, worker, diag), diag);
}

static td_status join_in(sq_link *q, const char *name, uint64_t *worker, td_diag *diag)
{
    const sq_arg args[] = {sq_number(q->base.campaign), sq_text(name), sq_number(now(q))};
    TD_TRY(sq_run(q, SQ_WORKER_ADD, args, 3, diag));
    *worker = (uint64_t)sqlite3_last_insert_rowid(q->db);
    return TD_OK;
}

static td_status sq_join(sto_link *l, const char *name, uint64_t *worker, td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(sq_run(q, SQ_BEGIN, NULL, 0, diag));
    return sq_finish(q, join_in(q, name, worker, diag), diag);
}

static td_status sq_stop(sto_link *l, td_diag *diag)
{
    const sq_arg args[] = {sq_number(l->campaign), sq_number(1)};
    return sq_run(sq_of(l), SQ_CAMPAIGN_STOP, args, 2, diag);
}

static td_status again_in(sq_link *q, uint32_t from, sto_bytes whole, sto_bytes promoted,
                          td_diag *diag)
{
    moment m;
    TD_TRY(get_moment(q, &m, diag));
    if (m.generation != from)
        return TD_OK;
    const sq_arg args[] = {sq_number(q->base.campaign), sq_number((uint64_t)from + 1),
                           sq_bytes(promoted.at, promoted.len)};
    TD_TRY(sq_run(q, SQ_CAMPAIGN_AGAIN, args, 3, diag));
    TD_TRY(sq_run(q, SQ_ITEMS_DROP, args, 1, diag));
    TD_TRY(sq_run(q, SQ_PARTS_DROP, args, 1, diag));
    return add_item(q, whole, 0, 0, diag);
}

static td_status sq_again(sto_link *l, uint32_t from, sto_bytes whole, sto_bytes promoted,
                          td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(sq_run(q, SQ_BEGIN, NULL, 0, diag));
    return sq_finish(q, again_in(q, from, whole, promoted, diag), diag);
}

static td_status sq_promoted(sto_link *l, sto_bytes *out, td_diag *diag)
{
    const sq_arg args[] = {sq_number(l->campaign)};
    sq_rows rows = {"b", sto_take_bytes, out, 0};
    return sq_each(sq_of(l), SQ_PROMOTED, args, 1, &rows, diag);
}

/* ---- parts ---- */

/* 16 bytes, the lowest first. */
static bool take_digest(const sto_cell *c, td_id *out)
{
    if (c->len != 16)
        return false;
    for (int i = 0; i < 8; i++) {
        out->lo |= (uint64_t)c->at[i] << (8 * i);
        out->hi |= (uint64_t)c->at[8 + i] << (8 * i);
    }
    return true;
}

static sq_arg digest(td_id id, uint8_t out[16])
{
    for (int i = 0; i < 8; i++) {
        out[i] = (uint8_t)(id.lo >> (8 * i));
        out[8 + i] = (uint8_t)(id.hi >> (8 * i));
    }
    return sq_bytes(out, 16);
}

/* What a worker, or all of them, handed in. */
typedef struct heap {
    sto_part sum; /* but for is_complete */
    uint64_t n, n_incomplete;
} heap;

static void heap_add(heap *h, const heap *more)
{
    h->n += more->n;
    h->n_incomplete += more->n_incomplete;
    h->sum.events += more->sum.events;
    h->sum.traces += more->sum.traces;
    h->sum.whole_traces += more->sum.whole_traces;
    h->sum.known += more->sum.known;
    h->sum.digest = td_id_sum(h->sum.digest, more->sum.digest);
    h->sum.trace_digest = td_id_sum(h->sum.trace_digest, more->sum.trace_digest);
}

#define PART_COLUMNS "nnnnbbnn"

static bool take_part(const sto_cell *row, void *out)
{
    heap one = {0};
    uint64_t *const numbers[] = {&one.n, &one.sum.events, &one.sum.traces,
                                 &one.sum.whole_traces};
    bool is_good = sto_cell_numbers(&row[0], numbers, 4);
    is_good &= take_digest(&row[4], &one.sum.digest);
    is_good &= take_digest(&row[5], &one.sum.trace_digest);
    is_good &= sto_cell_number(&row[6], &one.sum.known);
    is_good &= sto_cell_number(&row[7], &one.n_incomplete);
    heap_add(out, &one);
    return is_good;
}

static td_status add_part(sq_link *q, const sto_report *r, td_diag *diag)
{
    uint8_t d[16], t[16];
    heap h = {.sum = r->part, .n = 1, .n_incomplete = !r->part.is_complete};
    const sq_arg which[] = {sq_number(q->base.campaign), sq_number(r->worker)};
    sq_rows rows = {PART_COLUMNS, take_part, &h, 0};
    TD_TRY(sq_each(q, SQ_PART_GET, which, 2, &rows, diag));
    const sq_arg args[] = {which[0],
                           which[1],
                           sq_number(h.n),
                           sq_number(h.sum.events),
                           sq_number(h.sum.traces),
                           sq_number(h.sum.whole_traces),
                           digest(h.sum.digest, d),
                           digest(h.sum.trace_digest, t),
                           sq_number(h.sum.known),
                           sq_number(h.n_incomplete)};
    return sq_run(q, SQ_PART_SET, args, 10, diag);
}

/* ---- exchange ---- */

static td_status add_news(sq_link *q, const sto_report *r, const moment *m, td_diag *diag)
{
    for (size_t i = 0; i < r->n_news; i++) {
        const sto_news *f = &r->news[i];
        const sq_arg args[] = {sq_number(q->base.campaign),
                               sq_number(r->worker),
                               sq_number(m->ms),
                               sq_text(f->id),
                               sq_text(f->kind),
                               sq_text(f->file),
                               sq_number(f->line),
                               sq_text(f->function),
                               sq_text(f->message),
                               sq_text(f->recording),
                               sq_text(f->page),
                               sq_text(f->text)};
        TD_TRY(sq_run(q, SQ_NEWS_ADD, args, 12, diag));
    }
    return TD_OK;
}

/* Determines whether this is the worker's newest call, and releases items leased in answers that it has not
 * received. */
static td_status meet_worker(sq_link *q, const sto_report *r, moment *m, td_diag *diag)
{
    uint64_t last = 0;
    const sq_arg args[] = {sq_number(r->worker), sq_number(q->base.campaign)};
    sq_rows rows = {"n", sto_take_number, &last, 0};
    TD_TRY(sq_each(q, SQ_WORKER_LAST, args, 2, &rows, diag));
    if (rows.n == 0)
        return td_diag_set(diag, TD_E_USAGE, "%s: the campaign has no worker %" PRIu64,
                           q->path, r->worker);
    m->leases = q->base.calls > last && !m->is_stopped;
    if (q->base.calls <= last || last <= q->base.seen)
        return TD_OK;
    const sq_arg unseen[] = {args[1], args[0], sq_number(q->base.seen)};
    return sq_run(q, SQ_ITEMS_UNSEEN, unseen, 3, diag);
}

static td_status set_worker(sq_link *q, const sto_report *r, const moment *m,
                            td_diag *diag)
{
    const sq_arg heard[] = {sq_number(r->worker), sq_number(m->ms),
                            sq_number(r->lease_ms), sq_number(q->base.calls)};
    TD_TRY(sq_run(q, SQ_WORKER_HEARD, heard, 4, diag));
    if (r->state == NULL)
        return TD_OK;
    const sto_worker *w = r->state;
    const sq_arg args[] = {sq_number(r->worker),    sq_text(w->name),
                           sq_number(w->runs),      sq_number(w->events_met),
                           sq_number(w->targets),   sq_number(w->blocked_runs),
                           sq_number(w->lost_runs), sq_number(w->cpu_ms),
                           sq_number(w->rss_kb),    sq_text(w->ledger),
                           sq_text(w->coverage)};
    return sq_run(q, SQ_WORKER_STATE, args, 11, diag);
}

/* A number for a lease that none has had: also where the file was put back to an older state. */
static td_status fresh_token(uint64_t *out, td_diag *diag)
{
    do {
        if (getrandom(out, sizeof *out, 0) != (ssize_t)sizeof *out)
            return td_diag_errno(diag, TD_E_SYSTEM, "no random numbers");
        *out &= INT64_MAX;
    } while (*out == 0);
    return TD_OK;
}

/* Leases an item to the caller; *w has its number, attempts and payload. */
static td_status lease(sq_link *q, const sto_report *r, const moment *m, sto_work *w,
                       td_diag *diag)
{
    TD_ASSERT(m->leases && w->item != 0 && r->lease_ms > 0);
    TD_TRY(fresh_token(&w->token, diag));
    w->attempts++;
    const sq_arg args[] = {sq_number(w->item), sq_number(w->token), sq_number(r->worker),
                           sq_number(m->ms + r->lease_ms), sq_number(q->base.calls)};
    return sq_run(q, SQ_ITEM_LEASE, args, 5, diag);
}

static td_status add_children(sq_link *q, const sto_report *r, const moment *m,
                              uint64_t depth, sto_reply *out, td_diag *diag)
{
    for (size_t i = 0; i < r->n_children; i++) {
        const sto_bytes *payload = &r->children[i];
        TD_TRY(add_item(q, *payload, depth, r->worker, diag));
        if (i > 0 || !r->keeps_first || !m->leases)
            continue;
        TD_ASSERT(out->work.len == 0); /* the kept child comes first */
        sto_work_vec_push(
            &out->work, (sto_work){.item = (uint64_t)sqlite3_last_insert_rowid(q->db),
                                   .payload = sto_bytes_copy(payload->at, payload->len)});
        TD_TRY(lease(q, r, m, &out->work.at[0], diag));
    }
    return TD_OK;
}

/* S2: stale unless generation and token fit. */
static td_status hand_in(sq_link *q, const sto_report *r, const moment *m, sto_reply *out,
                         td_diag *diag)
{
    uint64_t depth = 0;
    sq_rows rows = {"n", sto_take_number, &depth, 0};
    if (r->item == 0)
        return TD_OK;
    const sq_arg which[] = {sq_number(r->item), sq_number(q->base.campaign),
                            sq_number(r->token)};
    if (r->generation == m->generation && r->token != 0)
        TD_TRY(sq_each(q, SQ_ITEM_DEPTH, which, 3, &rows, diag));
    out->is_stale = rows.n == 0;
    if (out->is_stale)
        return TD_OK;
    if (!r->is_done && r->n_children == 0) {
        const sq_arg args[] = {which[0], sq_number(m->ms + r->lease_ms)};
        return sq_run(q, SQ_ITEM_RENEW, args, 2, diag);
    }
    TD_TRY(sq_run(q, SQ_ITEM_DROP, which, 1, diag));
    TD_ASSERT(r->is_done || r->n_children > 0); /* S1: nothing is dropped */
    if (r->is_done)
        TD_TRY(add_part(q, r, diag));
    return add_children(q, r, m, depth + 1, out, diag);
}

static bool take_work(const sto_cell *row, void *out)
{
    sto_work w = {0};
    bool is_good =
        sto_cell_number(&row[0], &w.item) && sto_cell_small(&row[1], &w.attempts);
    is_good &= sto_cell_bytes(&row[2], STO_MAX_PAYLOAD, &w.payload);
    sto_work_vec_push(out, w);
    return is_good;
}

/* One item, if there is one: *n is 1. */
static td_status take_one(sq_link *q, sq_statement which, const sto_report *r,
                          const moment *m, sto_reply *out, td_diag *diag)
{
    sq_rows rows = {"nnb", take_work, &out->work, 0};
    TD_ASSERT(which == SQ_ITEM_ENDED || which == SQ_ITEM_OWN || which == SQ_ITEM_READY);
    const sq_arg args[] = {sq_number(q->base.campaign),
                           sq_number(which == SQ_ITEM_OWN ? r->worker : m->ms)};
    int n_args = which == SQ_ITEM_READY ? 1 : 2;
    TD_TRY(sq_each(q, which, args, n_args, &rows, diag));
    return rows.n == 0 ? TD_OK : lease(q, r, m, &out->work.at[out->work.len - 1], diag);
}

/* Leases that ended first; then what the worker made itself, as it knows much of that, the newest first;
 * then the oldest of others. */
static td_status hand_out(sq_link *q, const sto_report *r, const moment *m,
                          sto_reply *out, td_diag *diag)
{
    const sq_arg park[] = {sq_number(q->base.campaign), sq_number(m->ms),
                           sq_number(STO_MAX_ATTEMPTS)};
    static const sq_statement from[] = {SQ_ITEM_ENDED, SQ_ITEM_OWN, SQ_ITEM_READY};
    TD_TRY(sq_run(q, SQ_ITEM_PARK, park, 3, diag));
    uint32_t left = m->leases ? r->want : 0;
    for (size_t i = 0; i < sizeof from / sizeof from[0] && left > 0;) {
        size_t before = out->work.len;
        TD_TRY(take_one(q, from[i], r, m, out, diag));
        if (out->work.len > before)
            left--;
        else
            i++;
    }
    return TD_OK;
}

typedef struct counts {
    uint64_t *at[4];
    int n;
} counts;

static bool take_counts(const sto_cell *row, void *out)
{
    const counts *c = out;
    return sto_cell_numbers(&row[0], c->at, c->n);
}

/* One row of numbers. */
static td_status count_by(sq_link *q, sq_statement which, const sq_arg *args, int n,
                          counts *out, td_diag *diag)
{
    static const char *const columns[] = {"", "n", "nn", "nnn", "nnnn"};
    TD_ASSERT(out->n < (int)(sizeof columns / sizeof columns[0]));
    sq_rows rows = {columns[out->n], take_counts, out, 0};
    return sq_each(q, which, args, n, &rows, diag);
}

static td_status count_all(sq_link *q, const moment *m, sto_reply *out, td_diag *diag)
{
    uint64_t parked;
    const sq_arg args[] = {sq_number(q->base.campaign), sq_number(m->ms)};
    counts items = {{&out->n_ready, &out->n_left, &parked}, 3};
    counts workers = {{&out->n_workers, &out->n_hungry, &out->n_runs, &out->n_targets},
                      4};
    TD_TRY(count_by(q, SQ_ITEMS_COUNT, args, 2, &items, diag));
    TD_TRY(count_by(q, SQ_WORKERS_COUNT, args, 2, &workers, diag));
    q->counted = *out;
    q->counted.work = (sto_work_vec){0};
    q->counted_ms = m->ms;
    return TD_OK;
}

/* Counts of before, but whether anything is left is read. */
static td_status count_some(sq_link *q, sto_reply *out, td_diag *diag)
{
    uint64_t some_left = 0;
    const sq_arg args[] = {sq_number(q->base.campaign)};
    counts left = {{&some_left}, 1};
    out->n_ready = q->counted.n_ready;
    out->n_workers = q->counted.n_workers;
    out->n_hungry = q->counted.n_hungry;
    out->n_runs = q->counted.n_runs;
    out->n_targets = q->counted.n_targets;
    TD_TRY(count_by(q, SQ_ITEMS_ANY, args, 1, &left, diag));
    out->n_left = !some_left ? 0 : q->counted.n_left > 0 ? q->counted.n_left : 1;
    return TD_OK;
}

/* Counting takes as long as there are workers: with few it is done each time, with a thousand four
 * times a second. */
static bool is_fresh(const sq_link *q, const moment *m)
{
    uint64_t n = q->counted.n_workers < 1000 ? q->counted.n_workers : 1000;
    return m->ms >= q->counted_ms && m->ms - q->counted_ms < n / 4 &&
           m->generation == q->counted.generation;
}

static td_status count(sq_link *q, const moment *m, sto_reply *out, td_diag *diag)
{
    const sq_arg args[] = {sq_number(q->base.campaign)};
    counts news = {{&out->n_findings}, 1};
    out->generation = m->generation;
    out->is_stopped = m->is_stopped != 0;
    TD_TRY(is_fresh(q, m) ? count_some(q, out, diag) : count_all(q, m, out, diag));
    return count_by(q, SQ_NEWS_COUNT, args, 1, &news, diag);
}

static td_status exchange_in(sq_link *q, const sto_report *r, sto_reply *out,
                             td_diag *diag)
{
    moment m;
    TD_TRY(get_moment(q, &m, diag));
    TD_TRY(meet_worker(q, r, &m, diag));
    TD_TRY(set_worker(q, r, &m, diag));
    TD_TRY(add_news(q, r, &m, diag));
    TD_TRY(hand_in(q, r, &m, out, diag));
    TD_TRY(hand_out(q, r, &m, out, diag));
    return count(q, &m, out, diag);
}

static td_status sq_exchange(sto_link *l, const sto_report *r, sto_reply *out,
                             td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(sq_run(q, SQ_BEGIN, NULL, 0, diag));
    return sq_finish(q, exchange_in(q, r, out, diag), diag);
}

static td_status peek_in(sq_link *q, sto_reply *out, td_diag *diag)
{
    moment m;
    TD_TRY(get_moment(q, &m, diag));
    return count(q, &m, out, diag);
}

static td_status sq_peek(sto_link *l, sto_reply *out, td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(sq_run(q, SQ_READ, NULL, 0, diag));
    return sq_finish(q, peek_in(q, out, diag), diag);
}

/* ---- what came of it ---- */

static td_status total_in(sq_link *q, sto_total *out, td_diag *diag)
{
    heap h = {0};
    sq_rows rows = {PART_COLUMNS, take_part, &h, 0};
    uint64_t ready;
    const sq_arg args[] = {sq_number(q->base.campaign), sq_number(now(q))};
    counts items = {{&ready, &out->n_items, &out->n_parked}, 3};
    TD_TRY(sq_each(q, SQ_PARTS, args, 1, &rows, diag));
    TD_TRY(count_by(q, SQ_ITEMS_COUNT, args, 2, &items, diag));
    out->sum = h.sum;
    out->sum.is_complete = h.n_incomplete == 0;
    out->n_parts = h.n;
    return TD_OK;
}

static td_status sq_total(sto_link *l, sto_total *out, td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(sq_run(q, SQ_READ, NULL, 0, diag));
    return sq_finish(q, total_in(q, out, diag), diag);
}

static td_status sq_news(sto_link *l, uint64_t after, sto_news_vec *out, td_diag *diag)
{
    const sq_arg args[] = {sq_number(l->campaign), sq_number(after)};
    sq_rows rows = {"tttnttttt", sto_take_news, out, 0};
    return sq_each(sq_of(l), SQ_NEWS, args, 2, &rows, diag);
}

static bool take_worker(const sto_cell *row, void *out)
{
    sto_worker w = {0};
    bool is_good = sto_take_worker(row, &w);
    sto_worker_vec_push(out, w);
    return is_good && !w.is_unreadable;
}

static td_status sq_workers(sto_link *l, sto_worker_vec *out, td_diag *diag)
{
    sq_link *q = sq_of(l);
    const sq_arg args[] = {sq_number(l->campaign), sq_number(now(q))};
    sq_rows rows = {"ntnnnnnnnttnfnnnn", take_worker, out, 0};
    return sq_each(q, SQ_WORKERS, args, 2, &rows, diag);
}

/* ---- links ---- */

static void sq_close(sto_link *l)
{
    sq_link *q = sq_of(l);
    sq_close_file(q);
    td_free(q->path);
    td_free(q);
}

static const sto_engine sqlite_engine = {
    .close = sq_close,
    .begin = sq_begin,
    .open = sq_open,
    .clear = sq_clear,
    .gone = sq_gone,
    .join = sq_join,
    .exchange = sq_exchange,
    .peek = sq_peek,
    .again = sq_again,
    .promoted = sq_promoted,
    .stop = sq_stop,
    .total = sq_total,
    .news = sq_news,
    .workers = sq_workers,
};

td_status sto_sqlite_open(const char *path, sto_link **out, td_diag *diag)
{
    sq_link *q = td_alloc(sizeof *q);
    q->base.engine = &sqlite_engine;
    q->path = td_strdup(path);
    td_status status = sq_open_file(q, diag);
    if (status != TD_OK) {
        sq_close(&q->base);
        return status;
    }
    *out = &q->base;
    return TD_OK;
}
