/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of session.db that say which code was executed, and the events of a small session. */
#include <sqlite3.h>

#include "store/session_tables.h"

/* One row: texts first, then numbers, in the order of the columns. */
typedef struct row {
    const char *texts[2];
    uint64_t numbers[5];
} row;

static td_status failed(const sto_session *s, td_diag *diag)
{
    return td_diag_set(diag, TD_E_SYSTEM, "%s/session.db: %s", s->dir,
                       sqlite3_errmsg(s->db));
}

static td_status insert_row(const sto_session *s, sqlite3_stmt *insert, const row *r,
                            td_diag *diag)
{
    int n = sqlite3_bind_parameter_count(insert), k = 0;
    for (int i = 0; i < 2 && r->texts[i] != NULL; i++)
        sqlite3_bind_text(insert, ++k, r->texts[i], -1, SQLITE_STATIC);
    for (int i = 0; k < n; i++)
        sqlite3_bind_int64(insert, ++k, (int64_t)r->numbers[i]);
    bool done = sqlite3_step(insert) == SQLITE_DONE;
    sqlite3_reset(insert);
    return done ? TD_OK : failed(s, diag);
}

static row side_row(const void *c, size_t i)
{
    const det_cov_side *d = &((const det_coverage *)c)->sides.at[i];
    return (row){{d->file, d->function},
                 {d->line, d->column, d->side, d->n_sides, d->taken}};
}

static row line_row(const void *c, size_t i)
{
    const det_cov_line *l = &((const det_coverage *)c)->lines.at[i];
    return (row){{l->file}, {l->line, l->executed}};
}

static row function_row(const void *c, size_t i)
{
    const det_cov_function *f = &((const det_coverage *)c)->functions.at[i];
    return (row){{f->file, f->name}, {f->line, f->entered}};
}

static row event_row(const void *events, size_t i)
{
    const det_event *e = &((const det_event_vec *)events)->at[i];
    return (row){{e->text, e->file}, {e->line, e->thread, e->before, e->after}};
}

static td_status insert_rows(const sto_session *s, const char *sql, size_t n,
                             row (*get)(const void *, size_t), const void *c,
                             td_diag *diag)
{
    sqlite3_stmt *insert = NULL;
    td_status status = TD_OK;
    if (sqlite3_prepare_v2(s->db, sql, -1, &insert, NULL) != SQLITE_OK)
        return failed(s, diag);
    for (size_t i = 0; i < n && status == TD_OK; i++) {
        row r = get(c, i);
        status = insert_row(s, insert, &r, diag);
    }
    sqlite3_finalize(insert);
    return status;
}

static td_status run_sql(const sto_session *s, const char *sql, td_diag *diag)
{
    bool done = sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK;
    return done ? TD_OK : failed(s, diag);
}

static td_status insert_all(const sto_session *s, const det_coverage *c, td_diag *diag)
{
    TD_TRY(insert_rows(s, "INSERT INTO side VALUES(?,?,?,?,?,?,?)", c->sides.len,
                       side_row, c, diag));
    TD_TRY(insert_rows(s, "INSERT INTO line VALUES(?,?,?)", c->lines.len, line_row, c,
                       diag));
    return insert_rows(s, "INSERT INTO function VALUES(?,?,?,?)", c->functions.len,
                       function_row, c, diag);
}

/* In one transaction, so that a reader sees all of it or nothing. */
static td_status end_transaction(const sto_session *s, td_status status, td_diag *diag)
{
    td_status ended = run_sql(s, status == TD_OK ? "COMMIT" : "ROLLBACK", diag);
    return status != TD_OK ? status : ended;
}

td_status sto_session_coverage(sto_session *s, const det_coverage *c, td_diag *diag)
{
    TD_TRY(run_sql(s, "BEGIN; DELETE FROM side; DELETE FROM line; DELETE FROM function",
                   diag));
    return end_transaction(s, insert_all(s, c, diag), diag);
}

td_status sto_session_events(sto_session *s, const det_event_vec *events, td_diag *diag)
{
    TD_TRY(run_sql(s, "BEGIN; DELETE FROM event", diag));
    return end_transaction(s,
                           insert_rows(s, "INSERT INTO event VALUES(?,?,?,?,?,?)",
                                       events->len, event_row, events, diag),
                           diag);
}
