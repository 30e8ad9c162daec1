/* SPDX-License-Identifier: Apache-2.0 */
/* Versions of session.db, and how an older file becomes one of this version. Each step looks first whether it was
 * made: files of one version that were written before it had a name of its own lack columns. */
#include <inttypes.h>

#include <sqlite3.h>

#include "base/assert.h"
#include "store/session_tables.h"

typedef struct step {
    int since;         /* the version that has it */
    const char *probe; /* can be prepared where it was made */
    const char *sql;
} step;

static const step steps[] = {
    {5, "SELECT call FROM item",
     "ALTER TABLE item ADD COLUMN call INTEGER NOT NULL DEFAULT 0"},
    {5, "SELECT last_call FROM worker",
     "ALTER TABLE worker ADD COLUMN last_call INTEGER NOT NULL DEFAULT 0"},
    {6, "SELECT pairs FROM sample",
     "ALTER TABLE sample ADD COLUMN pairs INTEGER NOT NULL DEFAULT 0"},
    {6, "SELECT state FROM saved",
     "CREATE TABLE saved(search TEXT NOT NULL, build_id TEXT NOT NULL,"
     " command TEXT NOT NULL, options TEXT NOT NULL, promoted BLOB NOT NULL,"
     " state BLOB NOT NULL)"},
};

static const char indexes[] =
    "CREATE INDEX IF NOT EXISTS item_own ON item(worker, id) WHERE state = 0;"
    "CREATE INDEX IF NOT EXISTS item_leased ON item(worker, lease_end) WHERE state = 1;"
    "CREATE INDEX IF NOT EXISTS item_ends ON item(lease_end) WHERE state = 1;"
    "PRAGMA user_version = " STO_TEXT_OF(STO_VERSION) ";";

static td_status number_of(sqlite3 *db, const char *sql, const char *path, int64_t *out,
                           td_diag *diag)
{
    sqlite3_stmt *row = NULL;
    td_status status = TD_OK;
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK ||
        sqlite3_step(row) != SQLITE_ROW)
        status = td_diag_set(diag, TD_E_FORMAT, "%s: %s", path, sqlite3_errmsg(db));
    else
        *out = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return status;
}

td_status sto_is_blank(sqlite3 *db, const char *path, bool *out, td_diag *diag)
{
    int64_t application = 0, n_tables = 0;
    TD_TRY(number_of(db, "PRAGMA application_id", path, &application, diag));
    TD_TRY(number_of(db, "SELECT count(*) FROM sqlite_master", path, &n_tables, diag));
    *out = application == 0 && n_tables == 0;
    return TD_OK;
}

td_status sto_version_read(sqlite3 *db, const char *path, int *out, td_diag *diag)
{
    int64_t application = 0, version = 0;
    bool is_blank = false;
    TD_TRY(sto_is_blank(db, path, &is_blank, diag));
    if (is_blank)
        return td_diag_set(diag, TD_E_FORMAT,
                           "%s is empty: the session ended before its first run", path);
    TD_TRY(number_of(db, "PRAGMA application_id", path, &application, diag));
    TD_TRY(number_of(db, "PRAGMA user_version", path, &version, diag));
    if (application != STO_APPLICATION)
        return td_diag_set(diag, TD_E_FORMAT, "%s is not a treadle session", path);
    if (version < STO_OLDEST || version > STO_VERSION)
        return td_diag_set(diag, TD_E_FORMAT,
                           "%s was written by %s version of treadle (its tables are of "
                           "version %" PRId64 ", this one reads %d to %d)",
                           path, version > STO_VERSION ? "a newer" : "an older", version,
                           STO_OLDEST, STO_VERSION);
    *out = (int)version;
    return TD_OK;
}

static bool is_made(sqlite3 *db, const step *s)
{
    sqlite3_stmt *row = NULL;
    bool made = sqlite3_prepare_v2(db, s->probe, -1, &row, NULL) == SQLITE_OK;
    sqlite3_finalize(row);
    return made;
}

static td_status change(sqlite3 *db, const char *sql, const char *path, td_diag *diag)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return TD_OK;
    return td_diag_set(diag, TD_E_FORMAT, "%s cannot be brought up to date: %s", path,
                       sqlite3_errmsg(db));
}

/* Runs in a transaction. Another process may have been faster. */
static td_status make_steps(sqlite3 *db, const char *path, td_diag *diag)
{
    int version = 0;
    TD_TRY(sto_version_read(db, path, &version, diag));
    TD_ASSERT(version >= STO_OLDEST && version <= STO_VERSION);
    for (size_t i = 0; version < STO_VERSION && i < sizeof steps / sizeof steps[0]; i++)
        if (steps[i].since >= version && !is_made(db, &steps[i]))
            TD_TRY(change(db, steps[i].sql, path, diag));
    return version < STO_VERSION ? change(db, indexes, path, diag) : TD_OK;
}

td_status sto_bring_up(sqlite3 *db, const char *path, td_diag *diag)
{
    int version = 0;
    TD_TRY(sto_version_read(db, path, &version, diag));
    if (version == STO_VERSION)
        return TD_OK;
    TD_TRY(change(db, "BEGIN IMMEDIATE", path, diag));
    td_status status = make_steps(db, path, diag);
    if (status == TD_OK)
        status = change(db, "COMMIT", path, diag);
    if (status != TD_OK)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}
