/* SPDX-License-Identifier: Apache-2.0 */
/* What a search knows, in session.db. */
#include <sqlite3.h>
#include <string.h>

#include "base/assert.h"
#include "store/session_tables.h"
#include "store/store.h"

void sto_saved_fini(sto_saved *saved)
{
    char *const texts[] = {saved->search, saved->build_id, saved->command,
                           saved->options};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        td_free(texts[i]);
    td_free(saved->promoted);
    td_free(saved->state);
    *saved = (sto_saved){0};
}

static td_status db_error(const sto_session *s, td_diag *diag)
{
    return td_diag_set(diag, TD_E_SYSTEM, "%s/session.db: %s", s->dir,
                       sqlite3_errmsg(s->db));
}

/* ---- out ---- */

static void bind_bytes(sqlite3_stmt *stmt, int at, const uint8_t *bytes, size_t n)
{
    TD_ASSERT(n <= STO_MAX_SAVED);
    sqlite3_bind_blob(stmt, at, n > 0 ? (const void *)bytes : "", (int)n, SQLITE_STATIC);
}

static td_status insert(sto_session *s, const sto_saved *saved, td_diag *diag)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(s->db, "INSERT INTO saved VALUES(?,?,?,?,?,?)", -1, &stmt,
                           NULL) != SQLITE_OK)
        return db_error(s, diag);
    sqlite3_bind_text(stmt, 1, saved->search, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 2, saved->build_id, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 3, saved->command, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 4, saved->options, -1, SQLITE_STATIC);
    bind_bytes(stmt, 5, saved->promoted, saved->n_promoted);
    bind_bytes(stmt, 6, saved->state, saved->n_state);
    td_status status = sqlite3_step(stmt) == SQLITE_DONE ? TD_OK : db_error(s, diag);
    sqlite3_finalize(stmt);
    return status;
}

/* A reader sees what was there before, or all of it. */
td_status sto_session_save(sto_session *s, const sto_saved *saved, td_diag *diag)
{
    if (sqlite3_exec(s->db, "BEGIN; DELETE FROM saved", NULL, NULL, NULL) != SQLITE_OK)
        return db_error(s, diag);
    td_status status = insert(s, saved, diag);
    const char *end = status == TD_OK ? "COMMIT" : "ROLLBACK";
    if (sqlite3_exec(s->db, end, NULL, NULL, NULL) != SQLITE_OK && status == TD_OK) {
        status = db_error(s, diag);
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

/* ---- in ---- */

static char *text_at(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return td_strdup(text != NULL ? text : "");
}

/* False: there are too many. */
static bool take_bytes(sqlite3_stmt *row, int column, uint8_t **out, size_t *n)
{
    const void *at = sqlite3_column_blob(row, column);
    int bytes = sqlite3_column_bytes(row, column);
    if (bytes < 0 || (unsigned)bytes > STO_MAX_SAVED)
        return false;
    *n = at != NULL ? (size_t)bytes : 0;
    *out = td_alloc(*n + 1);
    if (*n > 0)
        memcpy(*out, at, *n);
    return true;
}

static td_status take(sto_session *s, sqlite3_stmt *row, sto_saved *out, td_diag *diag)
{
    out->search = text_at(row, 0);
    out->build_id = text_at(row, 1);
    out->command = text_at(row, 2);
    out->options = text_at(row, 3);
    int64_t ms = sqlite3_column_int64(row, 6);
    out->ms = ms > 0 && ms < INT64_MAX / 2 ? (uint64_t)ms : 0;
    if (take_bytes(row, 4, &out->promoted, &out->n_promoted) &&
        take_bytes(row, 5, &out->state, &out->n_state))
        return TD_OK;
    return td_diag_set(diag, TD_E_FORMAT, "%s/session.db: what was saved is too large",
                       s->dir);
}

td_status sto_session_saved(sto_session *s, sto_saved *out, td_diag *diag)
{
    sqlite3_stmt *row = NULL;
    *out = (sto_saved){0};
    sto_db_distrust(s->db);
    td_status status = TD_OK;
    if (sqlite3_prepare_v2(s->db,
                           "SELECT search, build_id, command, options, promoted, state,"
                           " (SELECT max(ms) FROM sample)"
                           " FROM saved ORDER BY rowid LIMIT 1",
                           -1, &row, NULL) != SQLITE_OK)
        return db_error(s, diag);
    int rc = sqlite3_step(row);
    if (rc == SQLITE_ROW)
        status = take(s, row, out, diag);
    else if (rc == SQLITE_DONE)
        status = td_diag_set(diag, TD_E_USAGE, "it left nothing to continue");
    else
        status = db_error(s, diag);
    sqlite3_finalize(row);
    if (status != TD_OK)
        sto_saved_fini(out);
    return status;
}
