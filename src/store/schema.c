/* SPDX-License-Identifier: Apache-2.0 */
/* The tables and views of session.db. What a session left comes first, then what its workers
 * share (exchange.h): times there are milliseconds since 1970. docs/formats.md explains them. */
#include <sqlite3.h>

#include "store/session_tables.h"

static const char drops[] = "DROP VIEW IF EXISTS campaigns; DROP VIEW IF EXISTS progress;"
                            "DROP VIEW IF EXISTS workers; DROP VIEW IF EXISTS findings;"
                            "DROP VIEW IF EXISTS rediscovery;"
                            "DROP TABLE IF EXISTS session; DROP TABLE IF EXISTS finding;"
                            "DROP TABLE IF EXISTS ledger; DROP TABLE IF EXISTS sample;"
                            "DROP TABLE IF EXISTS stage; DROP TABLE IF EXISTS branch;"
                            "DROP TABLE IF EXISTS side; DROP TABLE IF EXISTS line;"
                            "DROP TABLE IF EXISTS function; DROP TABLE IF EXISTS event;"
                            "DROP TABLE IF EXISTS campaign; DROP TABLE IF EXISTS item;"
                            "DROP TABLE IF EXISTS part; DROP TABLE IF EXISTS news;"
                            "DROP TABLE IF EXISTS worker; DROP TABLE IF EXISTS saved;";

static const char results[] =
    "CREATE TABLE session(name TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE finding(id TEXT PRIMARY KEY, kind TEXT NOT NULL, file TEXT NOT NULL,"
    " line INTEGER NOT NULL, function TEXT NOT NULL, message TEXT NOT NULL,"
    " recording TEXT NOT NULL, run INTEGER NOT NULL, page TEXT NOT NULL);"
    "CREATE TABLE ledger(kind TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL,"
    " count INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(kind, file, line, text));"
    "CREATE TABLE sample(ms INTEGER NOT NULL, cpu_ms INTEGER NOT NULL,"
    " runs INTEGER NOT NULL, events INTEGER NOT NULL, targets INTEGER NOT NULL,"
    " findings INTEGER NOT NULL, sides_taken INTEGER NOT NULL, queries INTEGER NOT NULL,"
    " left_ms INTEGER, left_runs INTEGER, pairs INTEGER NOT NULL);"
    "CREATE TABLE stage(name TEXT PRIMARY KEY, answered INTEGER NOT NULL,"
    " calls INTEGER NOT NULL, seconds REAL NOT NULL);"
    "CREATE TABLE branch(file TEXT NOT NULL, function TEXT NOT NULL,"
    " line INTEGER NOT NULL, column INTEGER NOT NULL, side INTEGER NOT NULL,"
    " n_sides INTEGER NOT NULL, is_taken INTEGER NOT NULL, text TEXT NOT NULL,"
    " why TEXT NOT NULL);"
    "CREATE TABLE side(file TEXT NOT NULL, function TEXT NOT NULL, line INTEGER NOT NULL,"
    " column INTEGER NOT NULL, side INTEGER NOT NULL, n_sides INTEGER NOT NULL,"
    " taken INTEGER NOT NULL);"
    "CREATE TABLE line(file TEXT NOT NULL, line INTEGER NOT NULL,"
    " executed INTEGER NOT NULL);"
    "CREATE TABLE function(file TEXT NOT NULL, name TEXT NOT NULL,"
    " line INTEGER NOT NULL, entered INTEGER NOT NULL);"
    "CREATE TABLE event(text TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL,"
    " thread INTEGER NOT NULL, before INTEGER NOT NULL, after INTEGER NOT NULL);"
    "CREATE TABLE saved(search TEXT NOT NULL, build_id TEXT NOT NULL,"
    " command TEXT NOT NULL, options TEXT NOT NULL, promoted BLOB NOT NULL,"
    " state BLOB NOT NULL);";

/* item.state: 0 ready, 1 leased, 2 parked. Numbers of items and workers are never used again:
 * a late report must not meet another item of its number. call: which call of the worker's link it
 * was leased by. A part is the sum of what one worker
 * handed in; its digests are 16 bytes, the lowest first. */
static const char exchange[] =
    "CREATE TABLE campaign(id INTEGER PRIMARY KEY AUTOINCREMENT, version TEXT NOT NULL,"
    " protocol TEXT NOT NULL, build_id TEXT NOT NULL, command TEXT NOT NULL,"
    " options TEXT NOT NULL, begun INTEGER NOT NULL,"
    " generation INTEGER NOT NULL DEFAULT 0, promoted BLOB NOT NULL DEFAULT x'',"
    " is_stopped INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE item(id INTEGER PRIMARY KEY AUTOINCREMENT, campaign INTEGER NOT NULL,"
    " depth INTEGER NOT NULL, payload BLOB NOT NULL, state INTEGER NOT NULL DEFAULT 0,"
    " attempts INTEGER NOT NULL DEFAULT 0, token INTEGER NOT NULL DEFAULT 0,"
    " worker INTEGER NOT NULL DEFAULT 0, call INTEGER NOT NULL DEFAULT 0,"
    " lease_end INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX item_next ON item(campaign, state, depth, id);"
    "CREATE INDEX item_own ON item(worker, id) WHERE state = 0;"
    "CREATE INDEX item_leased ON item(worker, lease_end) WHERE state = 1;"
    "CREATE INDEX item_ends ON item(lease_end) WHERE state = 1;"
    "CREATE TABLE part(campaign INTEGER NOT NULL, worker INTEGER NOT NULL,"
    " n INTEGER NOT NULL, events INTEGER NOT NULL, traces INTEGER NOT NULL,"
    " whole_traces INTEGER NOT NULL, digest BLOB NOT NULL, trace_digest BLOB NOT NULL,"
    " known INTEGER NOT NULL, n_incomplete INTEGER NOT NULL,"
    " PRIMARY KEY(campaign, worker)) WITHOUT ROWID;"
    "CREATE TABLE news(n INTEGER PRIMARY KEY AUTOINCREMENT, campaign INTEGER NOT NULL,"
    " worker INTEGER NOT NULL, at INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,"
    " file TEXT NOT NULL, line INTEGER NOT NULL, function TEXT NOT NULL,"
    " message TEXT NOT NULL, recording TEXT NOT NULL, page TEXT NOT NULL,"
    " text TEXT NOT NULL, UNIQUE(campaign, id));"
    "CREATE TABLE worker(id INTEGER PRIMARY KEY AUTOINCREMENT, campaign INTEGER NOT NULL,"
    " name TEXT NOT NULL, joined INTEGER NOT NULL, heard INTEGER NOT NULL,"
    " lease_ms INTEGER NOT NULL DEFAULT 0, last_call INTEGER NOT NULL DEFAULT 0,"
    " is_gone INTEGER NOT NULL DEFAULT 0,"
    " runs INTEGER NOT NULL DEFAULT 0, events_met INTEGER NOT NULL DEFAULT 0,"
    " targets INTEGER NOT NULL DEFAULT 0, blocked_runs INTEGER NOT NULL DEFAULT 0,"
    " lost_runs INTEGER NOT NULL DEFAULT 0, cpu_ms INTEGER NOT NULL DEFAULT 0,"
    " rss_kb INTEGER NOT NULL DEFAULT 0, ledger TEXT NOT NULL DEFAULT '',"
    " coverage TEXT NOT NULL DEFAULT '');"
    "CREATE INDEX worker_of ON worker(campaign, is_gone, heard);";

static const char views[] =
    "CREATE VIEW campaigns AS SELECT id, command, version, build_id, options,"
    " datetime(begun / 1000, 'unixepoch') AS begun, generation, is_stopped,"
    " NOT EXISTS(SELECT 1 FROM item WHERE campaign = c.id AND state < 2) AS is_done"
    " FROM campaign c;"
    "CREATE VIEW progress AS SELECT c.id AS campaign,"
    " (SELECT count(*) FROM item WHERE campaign = c.id AND state = 0) AS ready,"
    " (SELECT count(*) FROM item WHERE campaign = c.id AND state = 1) AS leased,"
    " (SELECT count(*) FROM item WHERE campaign = c.id AND state = 2) AS parked,"
    " (SELECT coalesce(sum(n), 0) FROM part WHERE campaign = c.id) AS parts,"
    " (SELECT coalesce(sum(events), 0) FROM part WHERE campaign = c.id) AS events,"
    " (SELECT coalesce(sum(traces), 0) FROM part WHERE campaign = c.id) AS traces,"
    " (SELECT coalesce(sum(runs), 0) FROM worker WHERE campaign = c.id) AS runs,"
    " (SELECT count(*) FROM news WHERE campaign = c.id) AS findings"
    " FROM campaign c;"
    "CREATE VIEW workers AS SELECT w.campaign, w.id AS worker, w.name,"
    " datetime(w.heard / 1000, 'unixepoch') AS heard,"
    " max(0, CAST(strftime('%s', 'now') AS INTEGER) - w.heard / 1000) AS silent_s,"
    " w.is_gone, (SELECT count(*) FROM item WHERE state = 1 AND worker = w.id) AS items,"
    " w.runs, w.blocked_runs, w.lost_runs, w.events_met, w.cpu_ms, w.rss_kb,"
    " CASE WHEN w.heard > w.joined"
    " THEN round(w.runs * 1000.0 / (w.heard - w.joined), 1) END AS runs_per_s"
    " FROM worker w;"
    "CREATE VIEW findings AS SELECT f.campaign, f.n, f.id, f.kind,"
    " f.file || ':' || f.line AS place, f.function, f.message,"
    " datetime(f.at / 1000, 'unixepoch') AS found, w.name AS worker"
    " FROM news f LEFT JOIN worker w ON w.id = f.worker;"
    "CREATE VIEW rediscovery AS SELECT campaign, sum(events) AS events,"
    " sum(known) AS known,"
    " CASE WHEN sum(events) > 0 THEN round(sum(known) * 1.0 / sum(events), 3) END AS "
    "ratio"
    " FROM part GROUP BY campaign;";

static const char marks[] = "PRAGMA application_id = " STO_TEXT_OF(
    STO_APPLICATION) ";"
                     "PRAGMA user_version = " STO_TEXT_OF(STO_VERSION) ";";

void sto_schema_print(td_text *out)
{
    td_text_add(out, "BEGIN;%s%s%s%s%sCOMMIT;", drops, results, exchange, views, marks);
}

void sto_db_distrust(sqlite3 *db)
{
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_exec(db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}
