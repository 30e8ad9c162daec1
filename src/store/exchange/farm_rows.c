/* SPDX-License-Identifier: Apache-2.0 */
/* What is sent to a farm, and rows that only a farm has. */
#include "store/exchange/farm_int.h"

#include <string.h>

#include "base/rng.h"
#include "store/exchange/exchange_int.h"

enum { OID_BYTEA = 17, OID_INT8 = 20 };

#define MAX_WORKER_TEXTS ((size_t)256 << 20) /* bytes of ledgers and coverage in all */

/* ---- arguments ---- */

void farm_call_fini(farm_call *c)
{
    farm_byte_vec_fini(&c->bytes);
    *c = (farm_call){0};
}

static void put(farm_call *c, const void *at, size_t len)
{
    farm_byte_vec_append(&c->bytes, at, len);
}

/* The highest byte first. */
static void put_number(farm_call *c, uint64_t n, int size)
{
    for (int i = size - 1; i >= 0; i--)
        farm_byte_vec_push(&c->bytes, (uint8_t)(n >> (8 * i)));
}

static void begin(farm_call *c)
{
    TD_ASSERT(c->n < FARM_MAX_ARGS);
    c->starts[c->n] = c->bytes.len;
    c->formats[c->n] = 1;
}

static void end(farm_call *c)
{
    size_t len = c->bytes.len - c->starts[c->n];
    TD_ASSERT(len <= INT32_MAX);
    c->lengths[c->n++] = (int)len;
}

void farm_add_int4(farm_call *c, uint32_t n)
{
    begin(c);
    put_number(c, n, 4);
    end(c);
}

void farm_add_int8(farm_call *c, uint64_t n)
{
    begin(c);
    put_number(c, n, 8);
    end(c);
}

void farm_add_bool(farm_call *c, bool b)
{
    begin(c);
    put_number(c, b, 1);
    end(c);
}

void farm_add_bytes(farm_call *c, sto_bytes b)
{
    begin(c);
    put(c, b.at, b.len);
    end(c);
}

/* Dimensions, whether there are NULLs, the type; then, unless it is empty, size and first index. */
static void put_array_head(farm_call *c, size_t n, uint32_t type, bool has_null)
{
    put_number(c, n > 0, 4);
    put_number(c, has_null, 4);
    put_number(c, type, 4);
    if (n == 0)
        return;
    put_number(c, n, 4);
    put_number(c, 1, 4);
}

void farm_add_bytes_array(farm_call *c, const sto_bytes *b, size_t n)
{
    bool has_null = false;
    for (size_t i = 0; i < n; i++)
        has_null |= b[i].at == NULL;
    begin(c);
    put_array_head(c, n, OID_BYTEA, has_null);
    for (size_t i = 0; i < n; i++) {
        put_number(c, b[i].at != NULL ? b[i].len : UINT32_MAX, 4);
        if (b[i].at != NULL)
            put(c, b[i].at, b[i].len);
    }
    end(c);
}

void farm_add_int8_array(farm_call *c, const uint64_t *numbers, size_t n)
{
    begin(c);
    put_array_head(c, n, OID_INT8, false);
    for (size_t i = 0; i < n; i++) {
        put_number(c, 8, 4);
        put_number(c, numbers[i], 8);
    }
    end(c);
}

static void put_decimal(farm_call *c, td_id id)
{
    td_u128 n = (td_u128)id.hi << 64 | id.lo;
    char digits[40];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + (int)(n % 10));
        n /= 10;
    } while (n != 0);
    put(c, digits + at, sizeof digits - at);
}

/* As text: {1,2} and a zero. */
void farm_add_digests(farm_call *c, const td_id *digests, size_t n)
{
    begin(c);
    put(c, "{", 1);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            put(c, ",", 1);
        put_decimal(c, digests[i]);
    }
    put(c, "}", 2);
    end(c);
    c->formats[c->n - 1] = 0;
}

static sto_bytes bytes_of(const char *text)
{
    return (sto_bytes){(uint8_t *)(uintptr_t)text, text != NULL ? strlen(text) : 0};
}

static void add_news(farm_call *c, const sto_report *r)
{
    sto_bytes_vec texts = {0};
    uint64_t *lines = td_alloc((r->n_news + 1) * sizeof *lines);
    for (size_t i = 0; i < r->n_news; i++) {
        const sto_news *f = &r->news[i];
        const sto_bytes all[] = {bytes_of(f->id),      bytes_of(f->kind),
                                 bytes_of(f->file),    bytes_of(f->function),
                                 bytes_of(f->message), bytes_of(f->recording),
                                 bytes_of(f->page),    bytes_of(f->text)};
        sto_bytes_vec_append(&texts, all, 8);
        lines[i] = f->line;
    }
    farm_add_bytes_array(c, texts.at, texts.len);
    farm_add_int8_array(c, lines, r->n_news);
    sto_bytes_vec_fini(&texts);
    td_free(lines);
}

static void add_state(farm_call *c, const sto_worker *w)
{
    if (w == NULL) {
        farm_add_int8_array(c, NULL, 0);
        farm_add_bytes_array(c, NULL, 0);
        return;
    }
    const uint64_t numbers[] = {w->runs,      w->events_met, w->targets, w->blocked_runs,
                                w->lost_runs, w->cpu_ms,     w->rss_kb};
    const sto_bytes texts[] = {bytes_of(w->name), bytes_of(w->ledger),
                               bytes_of(w->coverage)};
    farm_add_int8_array(c, numbers, 7);
    farm_add_bytes_array(c, texts, 3);
}

/* An empty payload is not NULL. */
static void add_children(farm_call *c, const sto_report *r)
{
    sto_bytes_vec children = {0};
    for (size_t i = 0; i < r->n_children; i++)
        sto_bytes_vec_push(&children,
                           r->children[i].len > 0 ? r->children[i] : bytes_of(""));
    farm_add_bytes_array(c, children.at, children.len);
    sto_bytes_vec_fini(&children);
}

void farm_set_number(farm_call *c, uint64_t call)
{
    if (c->is_numbered)
        c->bytes.len = c->starts[--c->n];
    farm_add_int8(c, call);
    c->is_numbered = true;
}

void farm_add_report(farm_call *c, uint64_t campaign, const sto_report *r, uint64_t seen)
{
    const uint64_t counts[] = {r->part.events, r->part.traces, r->part.whole_traces,
                               r->part.known};
    const td_id digests[] = {r->part.digest, r->part.trace_digest};
    farm_add_int8(c, campaign);
    farm_add_int8(c, r->worker);
    farm_add_int4(c, r->generation);
    farm_add_int8(c, r->item);
    farm_add_int8(c, r->token);
    farm_add_bool(c, r->is_done);
    farm_add_int8_array(c, counts, 4);
    farm_add_digests(c, digests, 2);
    farm_add_bool(c, r->part.is_complete);
    add_children(c, r);
    farm_add_bool(c, r->keeps_first);
    add_news(c, r);
    add_state(c, r->state);
    farm_add_int4(c, r->want);
    farm_add_int4(c, r->lease_ms);
    farm_add_int8(c, seen);
}

/* ---- rows ---- */

/* Decimal digits of a number below 2^128. */
static bool take_digest(const sto_cell *c, td_id *out)
{
    td_u128 n = 0;
    if (c->len < 1 || c->len > 39)
        return false;
    for (int i = 0; i < c->len; i++) {
        unsigned digit = (unsigned)c->at[i] - '0';
        if (digit > 9 || n > (~(td_u128)0 - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *out = (td_id){(uint64_t)n, (uint64_t)(n >> 64)};
    return true;
}

static bool take_none_row(const sto_cell *row, void *out)
{
    return true;
}

static bool take_counts(const sto_cell *row, sto_reply *out)
{
    uint64_t *const numbers[] = {&out->n_ready,   &out->n_left, &out->n_workers,
                                 &out->n_hungry,  &out->n_runs, &out->n_targets,
                                 &out->n_findings};
    return sto_cell_small(&row[0], &out->generation) &&
           sto_cell_bool(&row[1], &out->is_stopped) &&
           sto_cell_numbers(&row[2], numbers, 7);
}

static bool take_work(const sto_cell *row, sto_reply *out)
{
    sto_work w = {0};
    bool is_good = sto_cell_number(&row[0], &w.item) &&
                   sto_cell_number(&row[1], &w.token) &&
                   sto_cell_small(&row[2], &w.attempts);
    is_good = is_good && w.item != 0 && w.token != 0 && out->work.len <= STO_MAX_WANT &&
              sto_cell_bytes(&row[3], STO_MAX_PAYLOAD, &w.payload);
    if (is_good)
        sto_work_vec_push(&out->work, w);
    return is_good;
}

static bool take_reply_row(const sto_cell *row, void *out)
{
    farm_reply *r = out;
    if (r->is_whole)
        return false;
    if (row[0].len >= 0)
        return take_work(row, r->reply);
    r->is_whole =
        sto_cell_bool(&row[4], &r->reply->is_stale) && take_counts(&row[5], r->reply);
    return r->is_whole;
}

static bool take_peek_row(const sto_cell *row, void *out)
{
    return take_counts(row, out);
}

static bool take_total_row(const sto_cell *row, void *out)
{
    sto_total *t = out;
    uint64_t n_incomplete = 0;
    uint64_t *const first[] = {&t->n_parts, &t->sum.events, &t->sum.traces,
                               &t->sum.whole_traces};
    uint64_t *const last[] = {&t->sum.known, &n_incomplete,   &t->n_items,
                              &t->n_parked,  &t->parked_item, &t->parked_worker};
    bool is_good = sto_cell_numbers(&row[0], first, 4) &&
                   sto_cell_numbers(&row[6], last, 6) &&
                   take_digest(&row[4], &t->sum.digest) &&
                   take_digest(&row[5], &t->sum.trace_digest);
    t->sum.is_complete = n_incomplete == 0;
    return is_good;
}

static bool take_sample_row(const sto_cell *row, void *out)
{
    sto_claim s = {.part.is_complete = true};
    sto_claim_vec *samples = out;
    uint64_t *const counts[] = {&s.part.events, &s.part.traces, &s.part.whole_traces};
    bool is_good =
        sto_cell_number(&row[0], &s.worker) && sto_cell_number(&row[1], &s.item) &&
        sto_cell_numbers(&row[3], counts, 3) && take_digest(&row[6], &s.part.digest) &&
        take_digest(&row[7], &s.part.trace_digest) && samples->len < STO_MAX_WANT &&
        sto_cell_bytes(&row[2], STO_MAX_PAYLOAD, &s.payload);
    if (is_good)
        sto_claim_vec_push(samples, s);
    return is_good;
}

/* In the order of their numbers, else we would ask forever. */
static bool take_division_row(const sto_cell *row, void *out)
{
    sto_division d = {0};
    sto_division_vec *all = out;
    uint64_t last = all->len > 0 ? all->at[all->len - 1].item : 0;
    bool is_good = sto_cell_number(&row[0], &d.item) &&
                   sto_cell_number(&row[1], &d.parent) &&
                   sto_cell_number(&row[2], &d.n_done) && d.item > last &&
                   all->len < STO_MAX_DIVISIONS &&
                   sto_cell_bytes(&row[3], STO_MAX_PAYLOAD, &d.literal);
    if (is_good)
        sto_division_vec_push(all, d);
    return is_good;
}

/* A finding that cannot be read is one without a recording. */
static bool take_news_row(const sto_cell *row, void *out)
{
    sto_news_vec *news = out;
    if (!sto_take_news(row, news))
        news->at[news->len - 1].recording[0] = '\0';
    return true;
}

/* The texts of all workers together are bounded: later workers have none. */
static bool take_worker_row(const sto_cell *row, void *out)
{
    farm_workers *f = out;
    sto_cell cells[STO_WORKER_COLUMNS];
    sto_worker w = {0};
    memcpy(cells, row, sizeof cells);
    size_t len = (row[9].len > 0 ? (size_t)row[9].len : 0) +
                 (row[10].len > 0 ? (size_t)row[10].len : 0);
    w.is_unreadable = f->size + len > MAX_WORKER_TEXTS;
    if (w.is_unreadable)
        cells[9] = cells[10] = (sto_cell){0};
    else
        f->size += len;
    bool is_good = sto_take_worker(cells, &w);
    sto_worker_vec_push(f->workers, w);
    is_good = is_good && w.id > f->last; /* else we would ask forever */
    f->last = w.id;
    return is_good;
}

const farm_row_kind farm_row_none = {1, take_none_row};
const farm_row_kind farm_row_number = {1, sto_take_number};
const farm_row_kind farm_row_bytes = {1, sto_take_bytes};
const farm_row_kind farm_row_reply = {14, take_reply_row};
const farm_row_kind farm_row_peek = {9, take_peek_row};
const farm_row_kind farm_row_campaign = {STO_CAMPAIGN_COLUMNS, sto_take_campaign};
const farm_row_kind farm_row_total = {12, take_total_row};
const farm_row_kind farm_row_news = {STO_NEWS_COLUMNS, take_news_row};
const farm_row_kind farm_row_workers = {STO_WORKER_COLUMNS, take_worker_row};
const farm_row_kind farm_row_samples = {8, take_sample_row};
const farm_row_kind farm_row_divisions = {4, take_division_row};
