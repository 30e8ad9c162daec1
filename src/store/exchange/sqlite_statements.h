/* SPDX-License-Identifier: Apache-2.0 */
/* store/exchange/sqlite_statements.h - statements on the tables of a campaign in session.db.
 *
 * Purpose     What exchange_sqlite.c is made of: all SQL, a link with its prepared statements, rows as
 *             cells (exchange_int.h), transactions.
 * Invariants  The file is not trusted: a value of another type than its column should have is a cell
 *             that no reader takes.
 */
#pragma once

#include <sqlite3.h>

#include "store/exchange/exchange_int.h"

/* An item is ready (state 0), leased (1) or parked (2). Where leases have ended a plus keeps SQLite from
 * the index by campaign and state: it would read all leased items. */
#define SQ_STATEMENTS(X)                                                                 \
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
    X(ITEM_PARK, "UPDATE item SET state = 2, token = 0 WHERE +campaign = ?1"             \
                 " AND state = 1 AND lease_end < ?2 AND attempts >= ?3")                 \
    X(ITEM_ENDED, "SELECT id, attempts, payload FROM item WHERE +campaign = ?1"          \
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
                   " WHERE +campaign = ?1 AND state = 1 AND lease_end < ?2) AS ended,"   \
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
      "SELECT id, name, runs, events_met, targets, blocked_runs, lost_runs, cpu_ms,"     \
      " rss_kb, ledger, coverage, max(?2 - heard, 0), is_gone,"                          \
      " (SELECT count(*) FROM item WHERE worker = w.id AND state = 1),"                  \
      " max(heard - joined, 0),"                                                         \
      " (SELECT coalesce(sum(n), 0) FROM part p"                                         \
      "  WHERE p.campaign = w.campaign AND p.worker = w.id),"                            \
      " (SELECT coalesce(sum(n_incomplete), 0) FROM part p"                              \
      "  WHERE p.campaign = w.campaign AND p.worker = w.id)"                             \
      " FROM worker w WHERE campaign = ?1 ORDER BY id")

#define SQ_ENUM_OF(name, sql) SQ_##name,
typedef enum sq_statement { SQ_STATEMENTS(SQ_ENUM_OF) SQ_N_STATEMENTS } sq_statement;

typedef struct sq_link {
    sto_link base; /* first: a link is one of these */
    sqlite3 *db;
    char *path;
    sqlite3_stmt *statements[SQ_N_STATEMENTS]; /* prepared when they are first used */
    sto_reply counted;                         /* its counts are those of ... */
    uint64_t counted_ms;
} sq_link;

typedef enum sq_arg_kind { SQ_NUMBER, SQ_TEXT, SQ_BYTES } sq_arg_kind;

typedef struct sq_arg {
    sq_arg_kind kind;
    uint64_t number;
    const void *at; /* SQ_TEXT: may be NULL */
    size_t len;
} sq_arg;

static inline sq_arg sq_number(uint64_t n)
{
    return (sq_arg){.kind = SQ_NUMBER, .number = n};
}

static inline sq_arg sq_text(const char *t)
{
    return (sq_arg){.kind = SQ_TEXT, .at = t};
}

static inline sq_arg sq_bytes(const void *at, size_t len)
{
    return (sq_arg){.kind = SQ_BYTES, .at = at, .len = len};
}

/* Opens q->path. */
TD_MUST_USE td_status sq_open_file(sq_link *q, td_diag *diag);
void sq_close_file(sq_link *q);

TD_MUST_USE td_status sq_run(sq_link *q, sq_statement which, const sq_arg *args, int n,
                             td_diag *diag);

/* Columns of the rows of a statement, a letter each: n number, f flag, t text, b bytes (NULL: none). */
typedef struct sq_rows {
    const char *columns;
    sto_take_row *take; /* each row, into ... */
    void *out;
    uint64_t n; /* rows that there were */
} sq_rows;
TD_MUST_USE td_status sq_each(sq_link *q, sq_statement which, const sq_arg *args, int n,
                              sq_rows *rows, td_diag *diag);

TD_MUST_USE td_status sq_bad_row(const sq_link *q, td_diag *diag);

/* All since BEGIN, or nothing. A full disk may have ended the transaction already. */
TD_MUST_USE td_status sq_finish(sq_link *q, td_status status, td_diag *diag);
