/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the database of a past session. The file is not trusted: it may be damaged, or come from another
 * user. */
#include <assert.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "base/assert.h"
#include "base/text.h"
#include "store/session_tables.h"
#include "store/store.h"

typedef struct past_reader {
    sqlite3 *db;
    sto_past *out;
    td_diag *diag;
    int version; /* version of the tables */
} past_reader;

typedef void take_row(sto_past *out, sqlite3_stmt *row);

static_assert(DET_NO_EVENT >= DET_MAX_EVENTS, "there is no event with that number");

static td_status db_error(const past_reader *r)
{
    return td_diag_set(r->diag, TD_E_FORMAT, "%s/session.db: %s", r->out->dir,
                       sqlite3_errmsg(r->db));
}

static td_status each_row(const past_reader *r, const char *sql, take_row *take)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(r->db, sql, -1, &row, NULL) != SQLITE_OK)
        return db_error(r);
    int rc;
    while ((rc = sqlite3_step(row)) == SQLITE_ROW)
        take(r->out, row);
    td_status status = rc == SQLITE_DONE ? TD_OK : db_error(r);
    sqlite3_finalize(row);
    return status;
}

static char *text_at(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return td_strdup(text != NULL ? text : "");
}

/* 0 where the number is negative or too large. */
static uint32_t line_at(sqlite3_stmt *row, int column)
{
    int64_t line = sqlite3_column_int64(row, column);
    return line >= 0 && line <= UINT32_MAX ? (uint32_t)line : 0;
}

static void take_fact(sto_past *out, sqlite3_stmt *row)
{
    sto_fact_vec_push(&out->facts, (sto_fact){text_at(row, 0), text_at(row, 1)});
}

/* The path of a file in the directory. */
static char *path_at(const sto_past *p, sqlite3_stmt *row, int column)
{
    const char *name = (const char *)sqlite3_column_text(row, column);
    td_text path = {0};
    td_text_add(&path, "%s/%s", p->dir, name != NULL ? name : "");
    return path.at;
}

static void take_finding(sto_past *out, sqlite3_stmt *row)
{
    sto_found_vec_push(&out->findings,
                       (sto_found){.id = text_at(row, 0),
                                   .kind = text_at(row, 1),
                                   .file = text_at(row, 2),
                                   .line = line_at(row, 3),
                                   .function = text_at(row, 4),
                                   .message = text_at(row, 5),
                                   .recording = path_at(out, row, 6),
                                   .run = (uint64_t)sqlite3_column_int64(row, 7),
                                   .page = text_at(row, 8)});
}

static void take_gap(sto_past *out, sqlite3_stmt *row)
{
    det_gap_vec_push(&out->ledger.gaps,
                     (det_gap){.kind = text_at(row, 0),
                               .file = text_at(row, 1),
                               .line = line_at(row, 2),
                               .count = (uint64_t)sqlite3_column_int64(row, 3),
                               .text = text_at(row, 4)});
}

/* 0 where the number is negative. */
static uint64_t number_at(sqlite3_stmt *row, int column)
{
    int64_t n = sqlite3_column_int64(row, column);
    return n >= 0 ? (uint64_t)n : 0;
}

static void take_sample(sto_past *out, sqlite3_stmt *row)
{
    sto_sample_vec_push(&out->samples,
                        (sto_sample){.ms = number_at(row, 0),
                                     .runs = number_at(row, 1),
                                     .events = number_at(row, 2),
                                     .targets = number_at(row, 3),
                                     .findings = number_at(row, 4),
                                     .sides_taken = number_at(row, 5),
                                     .queries = number_at(row, 6),
                                     .has_left =
                                         sqlite3_column_type(row, 7) == SQLITE_INTEGER,
                                     .left_ms = number_at(row, 7),
                                     .left_runs = number_at(row, 8),
                                     .cpu_ms = number_at(row, 9),
                                     .pairs = number_at(row, 10)});
}

static void take_stage(sto_past *out, sqlite3_stmt *row)
{
    sto_stage_vec_push(&out->stages,
                       (sto_stage){.name = text_at(row, 0),
                                   .answered = number_at(row, 1),
                                   .calls = number_at(row, 2),
                                   .seconds = sqlite3_column_double(row, 3)});
}

static void take_branch(sto_past *out, sqlite3_stmt *row)
{
    sto_side_vec_push(&out->sides,
                      (sto_side){.file = text_at(row, 0),
                                 .function = text_at(row, 1),
                                 .line = line_at(row, 2),
                                 .column = line_at(row, 3),
                                 .side = line_at(row, 4),
                                 .n_sides = line_at(row, 5),
                                 .is_taken = sqlite3_column_int64(row, 6) == 1,
                                 .text = text_at(row, 7),
                                 .why = text_at(row, 8)});
}

static td_status read_figures(const past_reader *r)
{
    TD_TRY(each_row(r,
                    r->version >= 6
                        ? "SELECT ms, runs, events, targets, findings, sides_taken,"
                          " queries, left_ms, left_runs, cpu_ms, pairs FROM sample"
                          " ORDER BY ms, rowid"
                        : "SELECT ms, runs, events, targets, findings, sides_taken,"
                          " queries, left_ms, left_runs, cpu_ms, 0 FROM sample"
                          " ORDER BY ms, rowid",
                    take_sample));
    TD_TRY(each_row(r, "SELECT name, answered, calls, seconds FROM stage ORDER BY rowid",
                    take_stage));
    return each_row(r,
                    "SELECT file, function, line, column, side, n_sides, is_taken, text,"
                    " why FROM branch ORDER BY rowid",
                    take_branch);
}

static void take_side(sto_past *out, sqlite3_stmt *row)
{
    det_cov_side_vec_push(&out->coverage.sides,
                          (det_cov_side){.file = text_at(row, 0),
                                         .function = text_at(row, 1),
                                         .line = line_at(row, 2),
                                         .column = line_at(row, 3),
                                         .side = line_at(row, 4),
                                         .n_sides = line_at(row, 5),
                                         .taken = line_at(row, 6) > 0});
}

static void take_line(sto_past *out, sqlite3_stmt *row)
{
    det_cov_line_vec_push(&out->coverage.lines,
                          (det_cov_line){.file = text_at(row, 0),
                                         .line = line_at(row, 1),
                                         .executed = line_at(row, 2) > 0});
}

static void take_function(sto_past *out, sqlite3_stmt *row)
{
    det_cov_function_vec_push(&out->coverage.functions,
                              (det_cov_function){.file = text_at(row, 0),
                                                 .name = text_at(row, 1),
                                                 .line = line_at(row, 2),
                                                 .entered = line_at(row, 3) > 0});
}

/* Causes come before what they cause. */
static uint32_t cause_at(const sto_past *p, sqlite3_stmt *row, int column)
{
    TD_ASSERT(p->events.len < DET_MAX_EVENTS);
    uint32_t cause = line_at(row, column);
    return cause < p->events.len ? cause : DET_NO_EVENT;
}

static void take_event(sto_past *out, sqlite3_stmt *row)
{
    if (out->events.len < DET_MAX_EVENTS)
        det_event_vec_push(&out->events, (det_event){.text = text_at(row, 0),
                                                     .file = text_at(row, 1),
                                                     .line = line_at(row, 2),
                                                     .thread = line_at(row, 3),
                                                     .before = cause_at(out, row, 4),
                                                     .after = cause_at(out, row, 5)});
}

static td_status read_coverage(const past_reader *r)
{
    TD_TRY(each_row(r,
                    "SELECT file, function, line, column, side, n_sides, taken FROM side",
                    take_side));
    TD_TRY(each_row(r, "SELECT file, line, executed FROM line", take_line));
    TD_TRY(each_row(r, "SELECT file, name, line, entered FROM function", take_function));
    det_coverage_order(&r->out->coverage);
    return each_row(r,
                    "SELECT text, file, line, thread, before, after FROM event"
                    " ORDER BY rowid",
                    take_event);
}

static td_status read_all(past_reader *r, const char *path)
{
    TD_TRY(sto_version_read(r->db, path, &r->version, r->diag));
    TD_TRY(each_row(r, "SELECT name, value FROM session ORDER BY rowid", take_fact));
    TD_TRY(each_row(r,
                    "SELECT id, kind, file, line, function, message, recording, run, page"
                    " FROM finding ORDER BY rowid",
                    take_finding));
    TD_TRY(each_row(r, "SELECT kind, file, line, count, text FROM ledger ORDER BY rowid",
                    take_gap));
    TD_TRY(read_figures(r));
    return read_coverage(r);
}

static td_status open_and_read(const char *path, past_reader *r)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return td_diag_set(r->diag, TD_E_USAGE, "there is no session in '%s'",
                           r->out->dir);
    if (!S_ISREG(st.st_mode))
        return td_diag_set(r->diag, TD_E_USAGE, "%s/session.db is not a file",
                           r->out->dir);
    int rc = sqlite3_open_v2(path, &r->db, SQLITE_OPEN_READONLY, NULL);
    td_status status = rc == SQLITE_OK ? TD_OK : db_error(r);
    if (status == TD_OK) {
        sqlite3_busy_timeout(r->db, 5000);
        sto_db_distrust(r->db);
        status = read_all(r, path);
    }
    sqlite3_close(r->db);
    return status;
}

td_status sto_past_read(const char *dir, sto_past *out, td_diag *diag)
{
    td_text path = {0};
    *out = (sto_past){0};
    if (dir == NULL) {
        td_text_add(&path, "%s/latest", sto_out_dir());
        out->dir = td_strdup(path.at);
        td_text_clear(&path);
    } else {
        out->dir = td_strdup(dir);
    }
    td_text_add(&path, "%s/session.db", out->dir);
    past_reader r = {.out = out, .diag = diag};
    td_status status = open_and_read(path.at, &r);
    td_text_fini(&path);
    if (status != TD_OK)
        sto_past_fini(out);
    return status;
}

bool sto_session_has_ended(const char *dir)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    td_text path = {0};
    td_text_add(&path, "%s/session.db", dir);
    bool ended = false;
    if (sqlite3_open_v2(path.at, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK) {
        sto_db_distrust(db);
        ended = sqlite3_prepare_v2(db,
                                   "SELECT 1 FROM session WHERE name = 'verdict' AND "
                                   "value <> ''",
                                   -1, &row, NULL) == SQLITE_OK &&
                sqlite3_step(row) == SQLITE_ROW;
    }
    sqlite3_finalize(row);
    sqlite3_close(db);
    td_text_fini(&path);
    return ended;
}

const char *sto_past_fact(const sto_past *p, const char *name)
{
    for (size_t i = 0; i < p->facts.len; i++)
        if (strcmp(p->facts.at[i].name, name) == 0)
            return p->facts.at[i].value;
    return "";
}

static void found_fini(sto_found *f)
{
    char *const texts[] = {f->id,      f->kind,      f->file, f->function,
                           f->message, f->recording, f->page};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        td_free(texts[i]);
}

static void figures_fini(sto_past *p)
{
    for (size_t i = 0; i < p->stages.len; i++)
        td_free(p->stages.at[i].name);
    for (size_t i = 0; i < p->sides.len; i++) {
        sto_side *s = &p->sides.at[i];
        char *const texts[] = {s->file, s->function, s->text, s->why};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            td_free(texts[k]);
    }
    sto_sample_vec_fini(&p->samples);
    sto_stage_vec_fini(&p->stages);
    sto_side_vec_fini(&p->sides);
}

void sto_past_fini(sto_past *p)
{
    for (size_t i = 0; i < p->facts.len; i++) {
        td_free(p->facts.at[i].name);
        td_free(p->facts.at[i].value);
    }
    for (size_t i = 0; i < p->findings.len; i++)
        found_fini(&p->findings.at[i]);
    figures_fini(p);
    sto_fact_vec_fini(&p->facts);
    sto_found_vec_fini(&p->findings);
    det_ledger_fini(&p->ledger);
    det_coverage_fini(&p->coverage);
    det_events_fini(&p->events);
    td_free(p->dir);
    *p = (sto_past){0};
}
