/* SPDX-License-Identifier: Apache-2.0 */
/* The engine on one machine: session.db, opened by every worker.
 *
 * Invariants  A command is one transaction that holds the file's write lock from its first
 *             statement (BEGIN IMMEDIATE), so commands come one after the other. With a
 *             write-ahead log and synchronous = FULL what was answered is on disk.
 *             The file is not trusted: somebody may have changed it.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <sqlite3.h>

#include "base/text.h"
#include "store/exchange_int.h"
#include "store/session_int.h"

/* A worker waits so long for the others' commands, each of some milliseconds. */
#define BUSY_MS 60000

/* Statements, prepared when they are first used. An item is ready (state 0), leased (1) or
 * parked (2). */
#define STATEMENTS(X)                                                                    \
    X(BEGIN, "BEGIN IMMEDIATE")                                                          \
    X(READ, "BEGIN")                                                                     \
    X(COMMIT, "COMMIT")                                                                  \
    X(ROLLBACK, "ROLLBACK")                                                              \
    X(CAMPAIGN_ADD, "INSERT INTO campaign(version, protocol, build_id, command, options" \
                    ", begun) VALUES(?1,?2,?3,?4,?5,?6)")                                \
    X(CAMPAIGN_GET, "SELECT id, version, protocol, build_id, command, options"           \
                    " FROM campaign WHERE id = ?1 OR ?1 = 0 ORDER BY id DESC LIMIT 1")   \
    X(CAMPAIGN_NOW, "SELECT generation, is_stopped FROM campaign WHERE id = ?1")         \
    X(CAMPAIGN_STOP, "UPDATE campaign SET is_stopped = ?2 WHERE id = ?1")                \
    X(CAMPAIGN_AGAIN,                                                                    \
      "UPDATE campaign SET generation = ?2, promoted = ?3 WHERE id = ?1")                \
    X(PROMOTED, "SELECT promoted FROM campaign WHERE id = ?1")                           \
    X(ITEM_ADD,                                                                          \
      "INSERT INTO item(campaign, depth, payload, worker) VALUES(?1,?2,?3,?4)")          \
    X(ITEM_DEPTH, "SELECT depth FROM item"                                               \
                  " WHERE id = ?1 AND campaign = ?2 AND state = 1 AND token = ?3")       \
    X(ITEM_DROP, "DELETE FROM item WHERE id = ?1")                                       \
    X(ITEM_RENEW, "UPDATE item SET lease_end = ?2 WHERE id = ?1")                        \
    X(ITEM_LEASE, "UPDATE item SET state = 1, attempts = attempts + 1, token = ?2,"      \
                  " worker = ?3, lease_end = ?4, call = ?5 WHERE id = ?1")               \
    X(ITEM_PARK, "UPDATE item SET state = 2, token = 0 WHERE campaign = ?1"              \
                 " AND state = 1 AND lease_end < ?2 AND attempts >= ?3")                 \
    X(ITEM_ENDED, "SELECT id, attempts, payload FROM item WHERE campaign = ?1"           \
                  " AND state = 1 AND lease_end < ?2 ORDER BY depth, id LIMIT 1")        \
    X(ITEM_OWN, "SELECT id, attempts, payload FROM item WHERE campaign = ?1"             \
                " AND state = 0 AND worker = ?2 ORDER BY id DESC LIMIT 1")               \
    X(ITEM_READY, "SELECT id, attempts, payload FROM item WHERE campaign = ?1"           \
                  " AND state = 0 ORDER BY depth, id LIMIT 1")                           \
    X(ITEMS_CLEAR, "UPDATE item SET attempts = iif(state = 2, 0, max(attempts - 1, 0))," \
                   " state = 0, token = 0, worker = 0"                                   \
                   " WHERE campaign = ?1 AND state IN (1, 2)")                           \
    X(ITEMS_GONE, "UPDATE item SET state = iif(attempts >= ?3, 2, 0), token = 0"         \
                  " WHERE campaign = ?1 AND state = 1 AND worker = ?2")                  \
    X(ITEMS_UNSEEN, "UPDATE item SET state = 0, attempts = max(attempts - 1, 0),"        \
                    " token = 0 WHERE campaign = ?1 AND state = 1 AND worker = ?2"       \
                    " AND call > ?3")                                                    \
    X(ITEMS_DROP, "DELETE FROM item WHERE campaign = ?1")                                \
    X(ITEMS_COUNT, "SELECT ready + ended, ready + leased, parked FROM (SELECT"           \
                   " (SELECT count(*) FROM item WHERE campaign = ?1 AND state = 0)"      \
                   " AS ready, (SELECT count(*) FROM item WHERE campaign = ?1"           \
                   " AND state = 1) AS leased, (SELECT count(*) FROM item"               \
                   " WHERE campaign = ?1 AND state = 1 AND lease_end < ?2) AS ended,"    \
                   " (SELECT count(*) FROM item WHERE campaign = ?1 AND state = 2)"      \
                   " AS parked)")                                                        \
    X(ITEMS_ANY, "SELECT EXISTS(SELECT 1 FROM item WHERE campaign = ?1 AND state = 0)"   \
                 " OR EXISTS(SELECT 1 FROM item WHERE campaign = ?1 AND state = 1)")     \
    X(PART_GET, "SELECT n, events, traces, whole_traces, digest, trace_digest, known,"   \
                " n_incomplete FROM part WHERE campaign = ?1 AND worker = ?2")           \
    X(PART_SET, "INSERT OR REPLACE INTO part VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)")    \
    X(PARTS, "SELECT n, events, traces, whole_traces, digest, trace_digest, known,"      \
             " n_incomplete FROM part WHERE campaign = ?1")                              \
    X(PARTS_DROP, "DELETE FROM part WHERE campaign = ?1")                                \
    X(NEWS_ADD, "INSERT OR IGNORE INTO news(campaign, worker, at, id, kind, file, line," \
                " function, message, recording, page, text)"                             \
                " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)")                       \
    X(NEWS_COUNT, "SELECT count(*) FROM news WHERE campaign = ?1")                       \
    X(NEWS, "SELECT id, kind, file, line, function, message, recording, page, text"      \
            " FROM news WHERE campaign = ?1 ORDER BY n LIMIT -1 OFFSET ?2")              \
    X(WORKER_ADD, "INSERT INTO worker(campaign, name, joined, heard)"                    \
                  " VALUES(?1,?2,?3,?3)")                                                \
    X(WORKER_LAST, "SELECT last_call FROM worker WHERE id = ?1 AND campaign = ?2")       \
    X(WORKER_HEARD, "UPDATE worker SET heard = ?2, lease_ms = ?3, is_gone = 0,"          \
                    " last_call = max(last_call, ?4) WHERE id = ?1")                     \
    X(WORKER_STATE, "UPDATE worker SET name = coalesce(?2, name), runs = ?3,"            \
                    " events_met = ?4, targets = ?5, blocked_runs = ?6, lost_runs = ?7," \
                    " cpu_ms = ?8, rss_kb = ?9, ledger = coalesce(?10, ledger),"         \
                    " coverage = coalesce(?11, coverage) WHERE id = ?1")                 \
    X(WORKER_GONE, "UPDATE worker SET is_gone = 1 WHERE id = ?1 AND campaign = ?2")      \
    X(WORKERS_COUNT,                                                                     \
      "SELECT count(*), count(*) FILTER(WHERE NOT EXISTS(SELECT 1"                       \
      " FROM item WHERE worker = w.id AND state = 1 AND lease_end >= ?2)),"              \
      " coalesce((SELECT sum(runs) FROM worker WHERE campaign = ?1), 0),"                \
      " coalesce(sum(targets), 0) FROM worker w WHERE campaign = ?1 AND is_gone = 0"     \
      " AND heard + lease_ms > ?2")                                                      \
    X(WORKERS,                                                                           \
      "SELECT name, runs, events_met, targets, blocked_runs, lost_runs, cpu_ms,"         \
      " rss_kb, ledger, coverage, heard, is_gone,"                                       \
      " (SELECT count(*) FROM item WHERE worker = w.id AND state = 1),"                  \
      " max(heard - joined, 0), id,"                                                     \
      " (SELECT coalesce(sum(n), 0) FROM part p"                                         \
      "  WHERE p.campaign = w.campaign AND p.worker = w.id),"                            \
      " (SELECT coalesce(sum(n_incomplete), 0) FROM part p"                              \
      "  WHERE p.campaign = w.campaign AND p.worker = w.id)"                             \
      " FROM worker w WHERE campaign = ?1 ORDER BY id")

#define ENUM_OF(name, sql) ST_##name,
#define SQL_OF(name, sql) sql,
enum statement { STATEMENTS(ENUM_OF) N_STATEMENTS };
static const char *const sql_of[] = {STATEMENTS(SQL_OF)};

typedef struct sq_link {
    sto_link base; /* first: a link is one of these */
    sqlite3 *db;
    char *path;
    sqlite3_stmt *statements[N_STATEMENTS];
    sto_reply counted; /* its counts are those of ... */
    uint64_t counted_ms;
} sq_link;

static sq_link *sq_of(sto_link *l)
{
    return (sq_link *)l;
}

/* ---- statements ---- */

/* Full, damaged, locked for too long: what the file says. */
static td_status db_error(const sq_link *q, td_diag *diag)
{
    return td_diag_set(diag, TD_E_SYSTEM, "%s: %s", q->path, sqlite3_errmsg(q->db));
}

static td_status bad_row(const sq_link *q, td_diag *diag)
{
    return td_diag_set(diag, TD_E_FORMAT, "%s: its campaign data are damaged", q->path);
}

typedef struct arg {
    enum { NUMBER, TEXT, BYTES } kind;
    uint64_t number;
    const void *at; /* TEXT: may be NULL */
    size_t len;
} arg;

static arg number(uint64_t n)
{
    return (arg){.kind = NUMBER, .number = n};
}

static arg text(const char *t)
{
    return (arg){.kind = TEXT, .at = t};
}

static arg bytes(const void *at, size_t len)
{
    return (arg){.kind = BYTES, .at = at, .len = len};
}

static int bind(sqlite3_stmt *s, int at, const arg *a)
{
    if (a->kind == NUMBER)
        return sqlite3_bind_int64(s, at, (int64_t)a->number);
    if (a->kind == TEXT)
        return sqlite3_bind_text(s, at, a->at, -1, SQLITE_STATIC);
    return sqlite3_bind_blob64(s, at, a->at != NULL ? a->at : "", a->len, SQLITE_STATIC);
}

/* The statement with its arguments, before its first row. What is bound stays the caller's until
 * the last step. */
static td_status start(sq_link *q, enum statement which, const arg *args, int n,
                       sqlite3_stmt **out, td_diag *diag)
{
    sqlite3_stmt **s = &q->statements[which];
    if (*s == NULL && sqlite3_prepare_v3(q->db, sql_of[which], -1,
                                         SQLITE_PREPARE_PERSISTENT, s, NULL) != SQLITE_OK)
        return db_error(q, diag);
    TD_ASSERT(sqlite3_bind_parameter_count(*s) == n);
    for (int i = 0; i < n; i++)
        if (bind(*s, i + 1, &args[i]) != SQLITE_OK)
            return db_error(q, diag);
    *out = *s;
    return TD_OK;
}

/* Ends a statement that was started; the sentence is written before it is forgotten. */
static td_status finish(const sq_link *q, sqlite3_stmt *s, int rc, td_diag *diag)
{
    td_status status = rc == SQLITE_DONE || rc == SQLITE_ROW ? TD_OK : db_error(q, diag);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return status;
}

static td_status run(sq_link *q, enum statement which, const arg *args, int n,
                     td_diag *diag)
{
    sqlite3_stmt *s = NULL;
    TD_TRY(start(q, which, args, n, &s, diag));
    return finish(q, s, sqlite3_step(s), diag);
}

/* Takes a row over; false: it is not what it should be. */
typedef bool take_row(const sq_link *q, sqlite3_stmt *row, void *out);

/* Each row goes to take; *n_rows may be NULL. */
static td_status each(sq_link *q, enum statement which, const arg *args, int n,
                      take_row *take, void *out, uint64_t *n_rows, td_diag *diag)
{
    sqlite3_stmt *s = NULL;
    uint64_t rows = 0;
    bool is_good = true;
    int rc = SQLITE_ROW;
    TD_TRY(start(q, which, args, n, &s, diag));
    while (is_good && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        is_good = take(q, s, out);
        rows++;
    }
    if (n_rows != NULL)
        *n_rows = rows;
    td_status status = finish(q, s, rc, diag);
    return status == TD_OK && !is_good ? bad_row(q, diag) : status;
}

/* ---- what a row holds ---- */

static bool take_number(sqlite3_stmt *row, int column, uint64_t *out)
{
    int64_t n = sqlite3_column_int64(row, column);
    *out = (uint64_t)n;
    return sqlite3_column_type(row, column) == SQLITE_INTEGER && n >= 0;
}

static bool take_small(sqlite3_stmt *row, int column, uint32_t *out)
{
    uint64_t n = 0;
    bool is_good = take_number(row, column, &n) && n <= UINT32_MAX;
    *out = is_good ? (uint32_t)n : 0;
    return is_good;
}

static bool take_numbers(sqlite3_stmt *row, int first, uint64_t *const *out, int n)
{
    bool is_good = true;
    for (int i = 0; i < n; i++)
        is_good &= take_number(row, first + i, out[i]);
    return is_good;
}

static bool take_text(sqlite3_stmt *row, int column, char **out)
{
    const void *at = sqlite3_column_text(row, column);
    int len = sqlite3_column_bytes(row, column);
    bool is_good = at != NULL && (uint64_t)len <= STO_MAX_TEXT;
    *out = sto_text_copy(at, is_good ? (size_t)len : 0);
    return is_good;
}

static bool take_payload(sqlite3_stmt *row, int column, sto_bytes *out)
{
    const void *at = sqlite3_column_blob(row, column);
    int len = sqlite3_column_bytes(row, column);
    bool is_good = (uint64_t)len <= STO_MAX_PAYLOAD;
    *out = sto_bytes_copy(at, is_good ? (size_t)len : 0);
    return is_good;
}

static bool take_digest(sqlite3_stmt *row, int column, td_id *out)
{
    const uint8_t *at = sqlite3_column_blob(row, column);
    if (at == NULL || sqlite3_column_bytes(row, column) != 16)
        return false;
    for (int i = 0; i < 8; i++) {
        out->lo |= (uint64_t)at[i] << (8 * i);
        out->hi |= (uint64_t)at[8 + i] << (8 * i);
    }
    return true;
}

static arg digest(td_id id, uint8_t out[16])
{
    for (int i = 0; i < 8; i++) {
        out[i] = (uint8_t)(id.lo >> (8 * i));
        out[8 + i] = (uint8_t)(id.hi >> (8 * i));
    }
    return bytes(out, 16);
}

/* ---- transactions ---- */

/* All since BEGIN, or nothing. A full disk may have ended the transaction already. */
static td_status finish_all(sq_link *q, td_status status, td_diag *diag)
{
    if (status == TD_OK)
        status = run(q, ST_COMMIT, NULL, 0, diag);
    if (status != TD_OK && sqlite3_get_autocommit(q->db) == 0)
        (void)!run(q, ST_ROLLBACK, NULL, 0, NULL);
    return status;
}

static uint64_t now(const sq_link *q)
{
    return q->base.clock(q->base.clock_of);
}

/* ---- campaigns ---- */

/* worker: who made it; 0: nobody. */
static td_status add_item(sq_link *q, sto_bytes payload, uint64_t depth, uint64_t worker,
                          td_diag *diag)
{
    const arg args[] = {number(q->base.campaign), number(depth),
                        bytes(payload.at, payload.len), number(worker)};
    return run(q, ST_ITEM_ADD, args, 4, diag);
}

static td_status begin_in(sq_link *q, const sto_campaign *c, sto_bytes whole,
                          td_diag *diag)
{
    const arg args[] = {text(c->version), text(c->protocol), text(c->build_id),
                        text(c->command), text(c->options),  number(now(q))};
    TD_TRY(run(q, ST_CAMPAIGN_ADD, args, 6, diag));
    q->base.campaign = (uint64_t)sqlite3_last_insert_rowid(q->db);
    return add_item(q, whole, 0, 0, diag);
}

static td_status sq_begin(sto_link *l, const sto_campaign *c, sto_bytes whole,
                          uint64_t *id, td_diag *diag)
{
    sq_link *q = sq_of(l);
    uint64_t before = l->campaign;
    q->counted = (sto_reply){0};
    TD_TRY(run(q, ST_BEGIN, NULL, 0, diag));
    td_status status = finish_all(q, begin_in(q, c, whole, diag), diag);
    *id = l->campaign;
    if (status != TD_OK)
        l->campaign = before;
    return status;
}

typedef struct opened {
    sto_campaign *campaign;
    uint64_t *id;
} opened;

static bool take_campaign(const sq_link *q, sqlite3_stmt *row, void *out)
{
    const opened *o = out;
    sto_campaign *c = o->campaign;
    bool is_good = take_number(row, 0, o->id) && *o->id != 0;
    is_good &= take_text(row, 1, &c->version);
    is_good &= take_text(row, 2, &c->protocol);
    is_good &= take_text(row, 3, &c->build_id);
    is_good &= take_text(row, 4, &c->command);
    is_good &= take_text(row, 5, &c->options);
    return is_good;
}

static td_status sq_open(sto_link *l, uint64_t id, sto_campaign *out, uint64_t *found,
                         td_diag *diag)
{
    sq_link *q = sq_of(l);
    uint64_t n = 0, number_of = 0;
    const arg args[] = {number(id)};
    opened o = {out, &number_of};
    td_status status = each(q, ST_CAMPAIGN_GET, args, 1, take_campaign, &o, &n, diag);
    if (status == TD_OK && n == 0)
        status = td_diag_set(diag, TD_E_USAGE, "%s: there is no campaign to continue",
                             q->path);
    q->counted = (sto_reply){0};
    if (status != TD_OK)
        sto_campaign_fini(out);
    else
        *found = number_of;
    return status;
}

/* Where the campaign is. */
typedef struct moment {
    uint32_t generation;
    uint32_t is_stopped;
    bool leases; /* the worker may be given items */
    uint64_t ms;
} moment;

static bool take_moment(const sq_link *q, sqlite3_stmt *row, void *out)
{
    moment *m = out;
    return take_small(row, 0, &m->generation) && take_small(row, 1, &m->is_stopped);
}

static td_status get_moment(sq_link *q, moment *out, td_diag *diag)
{
    uint64_t n = 0;
    const arg args[] = {number(q->base.campaign)};
    *out = (moment){.ms = now(q)};
    TD_TRY(each(q, ST_CAMPAIGN_NOW, args, 1, take_moment, out, &n, diag));
    return n == 1 ? TD_OK : bad_row(q, diag);
}

static td_status clear_in(sq_link *q, td_diag *diag)
{
    const arg args[] = {number(q->base.campaign), number(0)};
    TD_TRY(run(q, ST_ITEMS_CLEAR, args, 1, diag));
    return run(q, ST_CAMPAIGN_STOP, args, 2, diag);
}

static td_status sq_clear(sto_link *l, td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(run(q, ST_BEGIN, NULL, 0, diag));
    return finish_all(q, clear_in(q, diag), diag);
}

static td_status gone_in(sq_link *q, uint64_t worker, td_diag *diag)
{
    const arg items[] = {number(q->base.campaign), number(worker),
                         number(STO_MAX_ATTEMPTS)};
    const arg args[] = {number(worker), number(q->base.campaign)};
    TD_TRY(run(q, ST_ITEMS_GONE, items, 3, diag));
    return run(q, ST_WORKER_GONE, args, 2, diag);
}

static td_status sq_gone(sto_link *l, uint64_t worker, td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(run(q, ST_BEGIN, NULL, 0, diag));
    return finish_all(q, gone_in(q, worker, diag), diag);
}

static td_status join_in(sq_link *q, const char *name, uint64_t *worker, td_diag *diag)
{
    const arg args[] = {number(q->base.campaign), text(name), number(now(q))};
    TD_TRY(run(q, ST_WORKER_ADD, args, 3, diag));
    *worker = (uint64_t)sqlite3_last_insert_rowid(q->db);
    return TD_OK;
}

static td_status sq_join(sto_link *l, const char *name, uint64_t *worker, td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(run(q, ST_BEGIN, NULL, 0, diag));
    return finish_all(q, join_in(q, name, worker, diag), diag);
}

static td_status sq_stop(sto_link *l, td_diag *diag)
{
    const arg args[] = {number(l->campaign), number(1)};
    return run(sq_of(l), ST_CAMPAIGN_STOP, args, 2, diag);
}

static td_status again_in(sq_link *q, uint32_t from, sto_bytes whole, sto_bytes promoted,
                          td_diag *diag)
{
    moment m;
    TD_TRY(get_moment(q, &m, diag));
    if (m.generation != from)
        return TD_OK;
    const arg args[] = {number(q->base.campaign), number((uint64_t)from + 1),
                        bytes(promoted.at, promoted.len)};
    TD_TRY(run(q, ST_CAMPAIGN_AGAIN, args, 3, diag));
    TD_TRY(run(q, ST_ITEMS_DROP, args, 1, diag));
    TD_TRY(run(q, ST_PARTS_DROP, args, 1, diag));
    return add_item(q, whole, 0, 0, diag);
}

static td_status sq_again(sto_link *l, uint32_t from, sto_bytes whole, sto_bytes promoted,
                          td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(run(q, ST_BEGIN, NULL, 0, diag));
    return finish_all(q, again_in(q, from, whole, promoted, diag), diag);
}

static bool take_promoted(const sq_link *q, sqlite3_stmt *row, void *out)
{
    return take_payload(row, 0, out);
}

static td_status sq_promoted(sto_link *l, sto_bytes *out, td_diag *diag)
{
    const arg args[] = {number(l->campaign)};
    td_status status =
        each(sq_of(l), ST_PROMOTED, args, 1, take_promoted, out, NULL, diag);
    if (status != TD_OK) {
        td_free(out->at);
        *out = (sto_bytes){0};
    }
    return status;
}

/* ---- parts ---- */

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

static bool take_part(const sq_link *q, sqlite3_stmt *row, void *out)
{
    heap one = {0};
    uint64_t *const numbers[] = {&one.n, &one.sum.events, &one.sum.traces,
                                 &one.sum.whole_traces};
    bool is_good = take_numbers(row, 0, numbers, 4);
    is_good &= take_digest(row, 4, &one.sum.digest);
    is_good &= take_digest(row, 5, &one.sum.trace_digest);
    is_good &= take_number(row, 6, &one.sum.known);
    is_good &= take_number(row, 7, &one.n_incomplete);
    heap_add(out, &one);
    return is_good;
}

static td_status add_part(sq_link *q, const sto_report *r, td_diag *diag)
{
    uint8_t d[16], t[16];
    heap h = {.sum = r->part, .n = 1, .n_incomplete = !r->part.is_complete};
    const arg which[] = {number(q->base.campaign), number(r->worker)};
    TD_TRY(each(q, ST_PART_GET, which, 2, take_part, &h, NULL, diag));
    const arg args[] = {which[0],
                        which[1],
                        number(h.n),
                        number(h.sum.events),
                        number(h.sum.traces),
                        number(h.sum.whole_traces),
                        digest(h.sum.digest, d),
                        digest(h.sum.trace_digest, t),
                        number(h.sum.known),
                        number(h.n_incomplete)};
    return run(q, ST_PART_SET, args, 10, diag);
}

/* ---- exchange ---- */

static td_status add_news(sq_link *q, const sto_report *r, const moment *m, td_diag *diag)
{
    for (size_t i = 0; i < r->n_news; i++) {
        const sto_news *f = &r->news[i];
        const arg args[] = {number(q->base.campaign),
                            number(r->worker),
                            number(m->ms),
                            text(f->id),
                            text(f->kind),
                            text(f->file),
                            number(f->line),
                            text(f->function),
                            text(f->message),
                            text(f->recording),
                            text(f->page),
                            text(f->text)};
        TD_TRY(run(q, ST_NEWS_ADD, args, 12, diag));
    }
    return TD_OK;
}

static bool take_last(const sq_link *q, sqlite3_stmt *row, void *out)
{
    return take_number(row, 0, out);
}

/* Whether this is the worker's newest call; what was leased in answers that it has not seen is given
 * back. */
static td_status meet_worker(sq_link *q, const sto_report *r, moment *m, td_diag *diag)
{
    uint64_t n = 0, last = 0;
    const arg args[] = {number(r->worker), number(q->base.campaign)};
    TD_TRY(each(q, ST_WORKER_LAST, args, 2, take_last, &last, &n, diag));
    if (n == 0)
        return td_diag_set(diag, TD_E_USAGE, "%s: the campaign has no worker %" PRIu64,
                           q->path, r->worker);
    m->leases = q->base.calls > last && !m->is_stopped;
    if (q->base.calls <= last || last <= q->base.seen)
        return TD_OK;
    const arg unseen[] = {args[1], args[0], number(q->base.seen)};
    return run(q, ST_ITEMS_UNSEEN, unseen, 3, diag);
}

static td_status set_worker(sq_link *q, const sto_report *r, const moment *m,
                            td_diag *diag)
{
    const arg heard[] = {number(r->worker), number(m->ms), number(r->lease_ms),
                         number(q->base.calls)};
    TD_TRY(run(q, ST_WORKER_HEARD, heard, 4, diag));
    if (r->state == NULL)
        return TD_OK;
    const sto_worker *w = r->state;
    const arg args[] = {number(r->worker),    text(w->name),
                        number(w->runs),      number(w->events_met),
                        number(w->targets),   number(w->blocked_runs),
                        number(w->lost_runs), number(w->cpu_ms),
                        number(w->rss_kb),    text(w->ledger),
                        text(w->coverage)};
    return run(q, ST_WORKER_STATE, args, 11, diag);
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
    TD_TRY(fresh_token(&w->token, diag));
    w->attempts++;
    const arg args[] = {number(w->item), number(w->token), number(r->worker),
                        number(m->ms + r->lease_ms), number(q->base.calls)};
    return run(q, ST_ITEM_LEASE, args, 5, diag);
}

static td_status add_children(sq_link *q, const sto_report *r, const moment *m,
                              uint64_t depth, sto_reply *out, td_diag *diag)
{
    for (size_t i = 0; i < r->n_children; i++) {
        const sto_bytes *payload = &r->children[i];
        TD_TRY(add_item(q, *payload, depth, r->worker, diag));
        if (i > 0 || !r->keeps_first || !m->leases)
            continue;
        sto_work_vec_push(
            &out->work, (sto_work){.item = (uint64_t)sqlite3_last_insert_rowid(q->db),
                                   .payload = sto_bytes_copy(payload->at, payload->len)});
        TD_TRY(lease(q, r, m, &out->work.at[0], diag));
    }
    return TD_OK;
}

static bool take_depth(const sq_link *q, sqlite3_stmt *row, void *out)
{
    return take_number(row, 0, out);
}

/* S2: stale unless generation and token fit. */
static td_status hand_in(sq_link *q, const sto_report *r, const moment *m, sto_reply *out,
                         td_diag *diag)
{
    uint64_t n = 0, depth = 0;
    if (r->item == 0)
        return TD_OK;
    const arg which[] = {number(r->item), number(q->base.campaign), number(r->token)};
    if (r->generation == m->generation && r->token != 0)
        TD_TRY(each(q, ST_ITEM_DEPTH, which, 3, take_depth, &depth, &n, diag));
    out->is_stale = n == 0;
    if (out->is_stale)
        return TD_OK;
    if (!r->is_done && r->n_children == 0) {
        const arg args[] = {which[0], number(m->ms + r->lease_ms)};
        return run(q, ST_ITEM_RENEW, args, 2, diag);
    }
    TD_TRY(run(q, ST_ITEM_DROP, which, 1, diag));
    if (r->is_done)
        TD_TRY(add_part(q, r, diag));
    return add_children(q, r, m, depth + 1, out, diag);
}

static bool take_work(const sq_link *q, sqlite3_stmt *row, void *out)
{
    sto_work w = {0};
    bool is_good = take_number(row, 0, &w.item) && take_small(row, 1, &w.attempts);
    is_good &= take_payload(row, 2, &w.payload);
    sto_work_vec_push(out, w);
    return is_good;
}

/* One item, if there is one: *n is 1. */
static td_status take_one(sq_link *q, enum statement which, const sto_report *r,
                          const moment *m, sto_reply *out, td_diag *diag)
{
    uint64_t n = 0;
    const arg args[] = {number(q->base.campaign),
                        number(which == ST_ITEM_OWN ? r->worker : m->ms)};
    int n_args = which == ST_ITEM_READY ? 1 : 2;
    TD_TRY(each(q, which, args, n_args, take_work, &out->work, &n, diag));
    return n == 0 ? TD_OK : lease(q, r, m, &out->work.at[out->work.len - 1], diag);
}

/* Leases that ended first; then what the worker made itself, as it knows much of that, the newest first;
 * then the oldest of others. */
static td_status hand_out(sq_link *q, const sto_report *r, const moment *m,
                          sto_reply *out, td_diag *diag)
{
    const arg park[] = {number(q->base.campaign), number(m->ms),
                        number(STO_MAX_ATTEMPTS)};
    static const enum statement from[] = {ST_ITEM_ENDED, ST_ITEM_OWN, ST_ITEM_READY};
    TD_TRY(run(q, ST_ITEM_PARK, park, 3, diag));
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

static bool take_counts(const sq_link *q, sqlite3_stmt *row, void *out)
{
    const counts *c = out;
    return take_numbers(row, 0, c->at, c->n);
}

static td_status count_all(sq_link *q, const moment *m, sto_reply *out, td_diag *diag)
{
    uint64_t parked;
    const arg args[] = {number(q->base.campaign), number(m->ms)};
    counts items = {{&out->n_ready, &out->n_left, &parked}, 3};
    counts workers = {{&out->n_workers, &out->n_hungry, &out->n_runs, &out->n_targets},
                      4};
    TD_TRY(each(q, ST_ITEMS_COUNT, args, 2, take_counts, &items, NULL, diag));
    TD_TRY(each(q, ST_WORKERS_COUNT, args, 2, take_counts, &workers, NULL, diag));
    q->counted = *out;
    q->counted.work = (sto_work_vec){0};
    q->counted_ms = m->ms;
    return TD_OK;
}

/* Counts of before, but whether anything is left is read. */
static td_status count_some(sq_link *q, sto_reply *out, td_diag *diag)
{
    uint64_t some_left = 0;
    const arg args[] = {number(q->base.campaign)};
    counts left = {{&some_left}, 1};
    out->n_ready = q->counted.n_ready;
    out->n_workers = q->counted.n_workers;
    out->n_hungry = q->counted.n_hungry;
    out->n_runs = q->counted.n_runs;
    out->n_targets = q->counted.n_targets;
    TD_TRY(each(q, ST_ITEMS_ANY, args, 1, take_counts, &left, NULL, diag));
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
    const arg args[] = {number(q->base.campaign)};
    counts news = {{&out->n_findings}, 1};
    out->generation = m->generation;
    out->is_stopped = m->is_stopped != 0;
    TD_TRY(is_fresh(q, m) ? count_some(q, out, diag) : count_all(q, m, out, diag));
    return each(q, ST_NEWS_COUNT, args, 1, take_counts, &news, NULL, diag);
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
    TD_TRY(run(q, ST_BEGIN, NULL, 0, diag));
    return finish_all(q, exchange_in(q, r, out, diag), diag);
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
    TD_TRY(run(q, ST_READ, NULL, 0, diag));
    return finish_all(q, peek_in(q, out, diag), diag);
}

/* ---- what came of it ---- */

static td_status total_in(sq_link *q, sto_total *out, td_diag *diag)
{
    heap h = {0};
    uint64_t ready;
    const arg args[] = {number(q->base.campaign), number(now(q))};
    counts items = {{&ready, &out->n_items, &out->n_parked}, 3};
    TD_TRY(each(q, ST_PARTS, args, 1, take_part, &h, NULL, diag));
    TD_TRY(each(q, ST_ITEMS_COUNT, args, 2, take_counts, &items, NULL, diag));
    out->sum = h.sum;
    out->sum.is_complete = h.n_incomplete == 0;
    out->n_parts = h.n;
    return TD_OK;
}

static td_status sq_total(sto_link *l, sto_total *out, td_diag *diag)
{
    sq_link *q = sq_of(l);
    TD_TRY(run(q, ST_READ, NULL, 0, diag));
    return finish_all(q, total_in(q, out, diag), diag);
}

static bool take_news(const sq_link *q, sqlite3_stmt *row, void *out)
{
    sto_news f = {0};
    bool is_good = take_small(row, 3, &f.line);
    char **const texts[] = {&f.id,      &f.kind,      &f.file, NULL,   &f.function,
                            &f.message, &f.recording, &f.page, &f.text};
    for (int i = 0; i < 9; i++)
        if (texts[i] != NULL)
            is_good &= take_text(row, i, texts[i]);
    sto_news_vec_push(out, f);
    return is_good;
}

static td_status sq_news(sto_link *l, uint64_t after, sto_news_vec *out, td_diag *diag)
{
    const arg args[] = {number(l->campaign), number(after)};
    return each(sq_of(l), ST_NEWS, args, 2, take_news, out, NULL, diag);
}

static bool take_worker(const sq_link *q, sqlite3_stmt *row, void *out)
{
    sto_worker w = {0};
    uint64_t heard = 0, is_gone = 0, ms = now(q);
    uint64_t *const numbers[] = {&w.runs,      &w.events_met, &w.targets, &w.blocked_runs,
                                 &w.lost_runs, &w.cpu_ms,     &w.rss_kb};
    bool is_good = take_text(row, 0, &w.name);
    is_good &= take_numbers(row, 1, numbers, 7);
    is_good &= take_text(row, 8, &w.ledger);
    is_good &= take_text(row, 9, &w.coverage);
    is_good &= take_number(row, 10, &heard);
    is_good &= take_number(row, 11, &is_gone);
    is_good &= take_number(row, 12, &w.n_items);
    is_good &= take_number(row, 13, &w.lived_ms);
    is_good &= take_number(row, 14, &w.id);
    is_good &= take_number(row, 15, &w.n_parts);
    is_good &= take_number(row, 16, &w.n_cut);
    w.silent_ms = ms > heard ? ms - heard : 0;
    w.is_gone = is_gone != 0;
    sto_worker_vec_push(out, w);
    return is_good;
}

static td_status sq_workers(sto_link *l, sto_worker_vec *out, td_diag *diag)
{
    const arg args[] = {number(l->campaign)};
    return each(sq_of(l), ST_WORKERS, args, 1, take_worker, out, NULL, diag);
}

/* ---- links ---- */

static void sq_close(sto_link *l)
{
    sq_link *q = sq_of(l);
    for (int i = 0; i < N_STATEMENTS; i++)
        sqlite3_finalize(q->statements[i]);
    sqlite3_close(q->db);
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

/* Several workers may do this at once; one of them changes the mode of the file, for which it
 * must be alone for a moment, and SQLite does not wait for that. */
static td_status use_log(sq_link *q, td_diag *diag)
{
    int rc = SQLITE_BUSY;
    for (int waited_ms = 0; waited_ms < BUSY_MS && rc == SQLITE_BUSY; waited_ms += 10) {
        rc = sqlite3_exec(q->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        if (rc == SQLITE_BUSY)
            sqlite3_sleep(10);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(q->db, "PRAGMA synchronous = FULL", NULL, NULL, NULL);
    return rc == SQLITE_OK ? TD_OK : db_error(q, diag);
}

static td_status open_file(sq_link *q, td_diag *diag)
{
    struct stat st;
    if (stat(q->path, &st) != 0)
        return td_diag_errno(diag, TD_E_USAGE, "cannot open the session '%s'", q->path);
    if (!S_ISREG(st.st_mode))
        return td_diag_set(diag, TD_E_USAGE, "'%s' is not a file", q->path);
    if (sqlite3_open_v2(q->path, &q->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        return db_error(q, diag);
    sqlite3_busy_timeout(q->db, BUSY_MS);
    sto_db_distrust(q->db);
    sqlite3_limit(q->db, SQLITE_LIMIT_LENGTH, (int)(16 * STO_MAX_TEXT));
    TD_TRY(sto_version_check(q->db, q->path, diag));
    return use_log(q, diag);
}

td_status sto_sqlite_open(const char *path, sto_link **out, td_diag *diag)
{
    sq_link *q = td_alloc(sizeof *q);
    q->base.engine = &sqlite_engine;
    q->path = td_strdup(path);
    td_status status = open_file(q, diag);
    if (status != TD_OK) {
        sq_close(&q->base);
        return status;
    }
    *out = &q->base;
    return TD_OK;
}
