/* SPDX-License-Identifier: Apache-2.0 */
/* Statements on session.db: prepared, bound, run; rows as cells. */
#include "store/exchange/sqlite_statements.h"

#include <assert.h>
#include <sys/stat.h>

#include "base/assert.h"
#include "base/text.h"
#include "store/session_tables.h"

/* A worker waits so long for the others' commands, each of some milliseconds. */
#define BUSY_MS 20000

#define SQL_OF(name, sql) sql,
static const char *const sql_of[] = {SQ_STATEMENTS(SQL_OF)};
static_assert(sizeof sql_of / sizeof sql_of[0] == SQ_N_STATEMENTS,
              "a text for each statement");

/* ---- statements ---- */

/* Fails with SQLite's message: the file is full, damaged, locked for too long. */
static td_status db_error(const sq_link *q, td_diag *diag)
{
    return td_diag_set(diag, TD_E_SYSTEM, "%s: %s", q->path, sqlite3_errmsg(q->db));
}

td_status sq_bad_row(const sq_link *q, td_diag *diag)
{
    return td_diag_set(diag, TD_E_FORMAT, "%s: its campaign data are damaged", q->path);
}

static int bind(sqlite3_stmt *s, int at, const sq_arg *a)
{
    if (a->kind == SQ_NUMBER)
        return sqlite3_bind_int64(s, at, (int64_t)a->number);
    if (a->kind == SQ_TEXT)
        return sqlite3_bind_text(s, at, a->at, -1, SQLITE_STATIC);
    return sqlite3_bind_blob64(s, at, a->at != NULL ? a->at : "", a->len, SQLITE_STATIC);
}

/* The statement with its arguments, before its first row. What is bound stays the caller's until
 * the last step. */
static td_status start(sq_link *q, sq_statement which, const sq_arg *args, int n,
                       sqlite3_stmt **out, td_diag *diag)
{
    sqlite3_stmt **s = &q->statements[which];
    TD_ASSERT((unsigned)which < SQ_N_STATEMENTS && (n == 0 || args != NULL));
    TD_ASSERT(*s == NULL || sqlite3_stmt_busy(*s) == 0); /* not inside its own rows */
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

/* Ends a statement that was started, after its error message was copied. */
static td_status finish(const sq_link *q, sqlite3_stmt *s, int rc, td_diag *diag)
{
    td_status status = rc == SQLITE_DONE || rc == SQLITE_ROW ? TD_OK : db_error(q, diag);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return status;
}

td_status sq_run(sq_link *q, sq_statement which, const sq_arg *args, int n, td_diag *diag)
{
    sqlite3_stmt *s = NULL;
    TD_TRY(start(q, which, args, n, &s, diag));
    return finish(q, s, sqlite3_step(s), diag);
}

/* ---- rows ---- */

/* A row as cells; numbers need a place. */
typedef struct cells {
    sto_cell at[STO_MAX_COLUMNS];
    uint8_t numbers[STO_MAX_COLUMNS][8];
} cells;

/* The highest byte first; NULL if it is not a number, or below 0. */
static void read_number(sqlite3_stmt *row, int column, cells *out)
{
    int64_t n = sqlite3_column_int64(row, column);
    if (sqlite3_column_type(row, column) != SQLITE_INTEGER || n < 0)
        return;
    for (int i = 0; i < 8; i++)
        out->numbers[column][i] = (uint8_t)((uint64_t)n >> (56 - 8 * i));
    out->at[column] = (sto_cell){out->numbers[column], 8};
}

static void read_flag(sqlite3_stmt *row, int column, cells *out)
{
    int64_t n = sqlite3_column_int64(row, column);
    if (sqlite3_column_type(row, column) != SQLITE_INTEGER || n < 0)
        return;
    out->numbers[column][0] = n != 0;
    out->at[column] = (sto_cell){out->numbers[column], 1};
}

static void read_bytes(sqlite3_stmt *row, int column, const void *at, cells *out)
{
    out->at[column] = (sto_cell){at, sqlite3_column_bytes(row, column)};
}

static void read_cell(sqlite3_stmt *row, int column, char type, cells *out)
{
    const void *at = NULL;
    out->at[column] = (sto_cell){NULL, -1};
    switch (type) {
    case 'n':
        read_number(row, column, out);
        break;
    case 'f':
        read_flag(row, column, out);
        break;
    case 't':
        at = sqlite3_column_text(row, column);
        if (at != NULL)
            read_bytes(row, column, at, out);
        break;
    default:
        TD_ASSERT(type == 'b');
        at = sqlite3_column_blob(row, column);
        read_bytes(row, column, at != NULL ? at : "", out);
        break;
    }
}

td_status sq_each(sq_link *q, sq_statement which, const sq_arg *args, int n,
                  sq_rows *rows, td_diag *diag)
{
    sqlite3_stmt *s = NULL;
    bool is_good = true;
    int rc = SQLITE_ROW, n_columns = (int)strlen(rows->columns);
    TD_ASSERT(n_columns <= STO_MAX_COLUMNS && rows->n == 0);
    TD_TRY(start(q, which, args, n, &s, diag));
    TD_ASSERT(sqlite3_column_count(s) == n_columns);
    while (is_good && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        cells row;
        for (int i = 0; i < n_columns; i++)
            read_cell(s, i, rows->columns[i], &row);
        is_good = rows->take(row.at, rows->out);
        rows->n++;
    }
    td_status status = finish(q, s, rc, diag);
    return status == TD_OK && !is_good ? sq_bad_row(q, diag) : status;
}

/* ---- transactions ---- */

td_status sq_finish(sq_link *q, td_status status, td_diag *diag)
{
    if (status == TD_OK)
        status = sq_run(q, SQ_COMMIT, NULL, 0, diag);
    if (status != TD_OK && sqlite3_get_autocommit(q->db) == 0)
        (void)!sq_run(q, SQ_ROLLBACK, NULL, 0, NULL);
    return status;
}

/* ---- the file ---- */

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

td_status sq_open_file(sq_link *q, td_diag *diag)
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
    TD_TRY(sto_bring_up(q->db, q->path, diag));
    return use_log(q, diag);
}

void sq_close_file(sq_link *q)
{
    for (int i = 0; i < SQ_N_STATEMENTS; i++)
        sqlite3_finalize(q->statements[i]);
    sqlite3_close(q->db);
}
