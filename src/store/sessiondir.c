/* SPDX-License-Identifier: Apache-2.0 */
/* A session on disk: its directory, session.db, the recordings. */
#include "store/store.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/assert.h"
#include "base/text.h"
#include "store/session_tables.h"

/* Numbers of sessions that are looked at for the one before: some may be gone, or of other
 * arguments. */
#define MAX_BACK 100u

static TD_PRINTF(1, 2) char *format_text(const char *format, ...)
{
    va_list args;
    td_text text = {0};
    va_start(args, format);
    td_text_addv(&text, format, args);
    va_end(args);
    return text.at;
}

/* ---- directories ---- */

static td_status make_one_dir(const char *path, td_diag *diag)
{
    struct stat st;
    if (mkdir(path, 0777) == 0)
        return TD_OK;
    if (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return TD_OK;
    return td_diag_errno(diag, TD_E_SYSTEM, "cannot create the directory '%s'", path);
}

/* With its parents. */
static td_status make_dir(const char *path, td_diag *diag)
{
    char *copy = td_strdup(path);
    td_status status = TD_OK;
    for (char *p = copy + 1; copy[0] != '\0' && *p != '\0' && status == TD_OK; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        status = make_one_dir(copy, diag);
        *p = '/';
    }
    td_free(copy);
    if (status == TD_OK)
        status = make_one_dir(path, diag);
    return status;
}

/* The program's file name, with only characters that are safe in a path. */
static char *session_name(const char *program)
{
    const char *slash = strrchr(program, '/');
    char *name = format_text("%.64s", slash != NULL ? slash + 1 : program);
    for (char *p = name; *p != '\0'; p++)
        if (!isalnum((unsigned char)*p) && strchr("._-+", *p) == NULL)
            *p = '_';
    if (name[0] == '.' || name[0] == '-')
        name[0] = '_';
    if (name[0] == '\0') {
        td_free(name);
        return td_strdup("program");
    }
    return name;
}

/* Returns the largest N of NAME.N in dir, 0 if there is none. */
static unsigned long newest_number(const char *dir, const char *name)
{
    unsigned long newest = 0;
    size_t n = strlen(name);
    DIR *d = opendir(dir);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        if (strncmp(e->d_name, name, n) != 0 || e->d_name[n] != '.' ||
            !isdigit((unsigned char)e->d_name[n + 1]))
            continue;
        char *end;
        unsigned long number = strtoul(e->d_name + n + 1, &end, 10);
        if (*end == '\0' && number > newest && number < ULONG_MAX)
            newest = number;
    }
    if (d != NULL)
        closedir(d);
    return newest;
}

/* Makes parent/NAME.N, N one more than the newest. Another session may do the same at
 * this moment: then the next number. */
static td_status make_numbered(const char *parent, const char *name, char **base,
                               td_diag *diag)
{
    for (unsigned long n = newest_number(parent, name) + 1;; n++) {
        char *path = format_text("%s/%s.%lu", parent, name, n);
        int failed = mkdir(path, 0777);
        if (failed == 0) {
            *base = format_text("%s.%lu", name, n);
            td_free(path);
            return TD_OK;
        }
        if (errno != EEXIST) {
            td_diag_errno(diag, TD_E_SYSTEM, "cannot create the directory '%s'", path);
            td_free(path);
            return TD_E_SYSTEM;
        }
        td_free(path);
    }
}

/* parent/latest points to base from now on; readers see the old link or the new one. */
static td_status link_latest(const char *parent, const char *base, td_diag *diag)
{
    char *link = format_text("%s/latest", parent);
    char *beside = format_text("%s/.latest.%ld", parent, (long)getpid());
    td_status status = TD_OK;
    unlink(beside);
    if (symlink(base, beside) != 0 || rename(beside, link) != 0) {
        status = td_diag_errno(diag, TD_E_SYSTEM, "cannot set the link '%s'", link);
        unlink(beside);
    }
    td_free(link);
    td_free(beside);
    return status;
}

static td_status write_gitignore(const char *parent, td_diag *diag)
{
    char *path = format_text("%s/.gitignore", parent);
    td_status status = TD_OK;
    if (access(path, F_OK) != 0)
        status = td_file_replace(path, "*\n", 2, diag);
    td_free(path);
    return status;
}

static td_status make_default_dir(const char *program, bool is_latest, char **dir,
                                  td_diag *diag)
{
    const char *parent = sto_out_dir();
    TD_TRY(make_dir(parent, diag));
    TD_TRY(write_gitignore(parent, diag));
    char *name = session_name(program), *base = NULL;
    td_status status = make_numbered(parent, name, &base, diag);
    if (status == TD_OK) {
        *dir = format_text("%s/%s", parent, base);
        if (is_latest)
            status = link_latest(parent, base, diag);
    }
    td_free(name);
    td_free(base);
    return status;
}

/* ---- database ---- */

static td_status db_error(sto_session *s, td_diag *diag)
{
    return td_diag_set(diag, TD_E_SYSTEM, "%s/session.db: %s", s->dir,
                       sqlite3_errmsg(s->db));
}

static td_status db_exec(sto_session *s, const char *sql, td_diag *diag)
{
    if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return db_error(s, diag);
    return TD_OK;
}

/* The one integer a PRAGMA or a count gives. */
static td_status db_number(sto_session *s, const char *sql, int64_t *out, td_diag *diag)
{
    sqlite3_stmt *stmt = NULL;
    td_status status = TD_OK;
    if (sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_ROW)
        status = db_error(s, diag);
    else
        *out = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return status;
}

/* One value of a statement: text, or, where that is NULL, a number, or nothing at all. */
typedef struct value {
    const char *text;
    uint64_t number;
    enum { WHOLE, REAL, MISSING } kind;
    double real;
} value;

static void bind(sqlite3_stmt *stmt, int at, const value *v)
{
    TD_ASSERT(at >= 1 && (v->text == NULL || v->kind == WHOLE));
    if (v->text != NULL)
        sqlite3_bind_text(stmt, at, v->text, -1, SQLITE_STATIC);
    else if (v->kind == REAL)
        sqlite3_bind_double(stmt, at, v->real);
    else if (v->kind == MISSING)
        sqlite3_bind_null(stmt, at);
    else
        sqlite3_bind_int64(stmt, at, (int64_t)v->number);
}

static td_status db_insert(sto_session *s, const char *sql, const value *values, int n,
                           td_diag *diag)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return db_error(s, diag);
    TD_ASSERT(sqlite3_bind_parameter_count(stmt) == n);
    for (int i = 0; i < n; i++)
        bind(stmt, i + 1, &values[i]);
    td_status status = sqlite3_step(stmt) == SQLITE_DONE ? TD_OK : db_error(s, diag);
    sqlite3_finalize(stmt);
    return status;
}

/* A file that some other program made is not written over. */
static td_status check_ours(sto_session *s, td_diag *diag)
{
    int64_t n_tables = 0, application = 0;
    TD_TRY(db_number(s, "SELECT count(*) FROM sqlite_master", &n_tables, diag));
    TD_TRY(db_number(s, "PRAGMA application_id", &application, diag));
    if (n_tables > 0 && application != STO_APPLICATION)
        return td_diag_set(diag, TD_E_FORMAT, "%s/session.db is not a treadle session",
                           s->dir);
    return TD_OK;
}

/* A power failure may lose the session's own results, which can be computed again; waiting for the disk
 * after every row would slow down every session. Data shared by workers is safe all the same
 * (exchange_sqlite.c): this connection moves nothing from the log into the file without waiting, see settle. */
static td_status open_db(sto_session *s, int flags, td_diag *diag)
{
    struct stat st;
    char *path = format_text("%s/session.db", s->dir);
    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        td_free(path);
        return td_diag_set(diag, TD_E_USAGE, "%s/session.db is not a file", s->dir);
    }
    int rc = sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | flags, NULL);
    td_free(path);
    if (rc != SQLITE_OK)
        return db_error(s, diag);
    sqlite3_busy_timeout(s->db, 5000);
    TD_TRY(check_ours(s, diag));
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return db_exec(s, "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0", diag);
}

static td_status make_tables(sto_session *s, td_diag *diag)
{
    td_text schema = {0};
    sto_schema_print(&schema);
    td_status status = db_exec(s, schema.at, diag);
    td_text_fini(&schema);
    return status;
}

/* A session that was killed before it had its tables: nothing happened in it. SQLite leaves an empty file, or one
 * without tables. */
static td_status complete_tables(sto_session *s, const char *path, td_diag *diag)
{
    bool is_blank = false;
    TD_TRY(sto_is_blank(s->db, path, &is_blank, diag));
    return is_blank ? make_tables(s, diag) : TD_OK;
}

/* What workers left in a log goes into the file, which then is all there is. Others may have it
 * open still: then it stays as it is. */
static void settle(sto_session *s)
{
    if (s->db == NULL)
        return;
    sqlite3_busy_timeout(s->db, 0);
    sqlite3_exec(s->db, "PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE", NULL,
                 NULL, NULL);
}

/* ---- sessions ---- */

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static td_status create_dir(const char *dir, const char *name, bool is_latest, char **out,
                            td_diag *diag)
{
    if (dir == NULL)
        return make_default_dir(name, is_latest, out, diag);
    *out = td_strdup(dir);
    return make_dir(dir, diag);
}

td_status sto_dir_create(const char *dir, const char *name, char **out, td_diag *diag)
{
    return create_dir(dir, name, true, out, diag);
}

td_status sto_dir_create_aside(const char *dir, const char *name, char **out,
                               td_diag *diag)
{
    return create_dir(dir, name, false, out, diag);
}

static td_status hand_out(sto_session *s, td_status status, sto_session **out)
{
    if (status != TD_OK) {
        sto_session_close(s);
        return status;
    }
    *out = s;
    return TD_OK;
}

td_status sto_session_create(const char *dir, const char *program, sto_session **out,
                             td_diag *diag)
{
    sto_session *s = td_alloc(sizeof *s);
    td_status status = sto_dir_create(dir, program, &s->dir, diag);
    s->is_numbered = dir == NULL;
    if (status == TD_OK)
        status = open_db(s, SQLITE_OPEN_CREATE, diag);
    if (status == TD_OK)
        status = make_tables(s, diag);
    if (status == TD_OK)
        status = sto_session_fact(s, "program", program, diag);
    return hand_out(s, status, out);
}

td_status sto_session_open(const char *dir, sto_session **out, td_diag *diag)
{
    sto_session *s = td_alloc(sizeof *s);
    s->dir = td_strdup(dir);
    td_status status = TD_OK;
    char *path = format_text("%s/session.db", dir);
    if (!is_file(path))
        status = td_diag_set(diag, TD_E_USAGE, "there is no session in '%s'", dir);
    if (status == TD_OK)
        status = open_db(s, 0, diag);
    if (status == TD_OK)
        status = complete_tables(s, path, diag);
    if (status == TD_OK)
        status = sto_bring_up(s->db, path, diag);
    td_free(path);
    return hand_out(s, status, out);
}

const char *sto_session_dir(const sto_session *s)
{
    return s->dir;
}

static bool is_of(const char *dir, const char *command)
{
    sto_past past;
    if (sto_past_read(dir, &past, NULL) != TD_OK)
        return false;
    bool same = strcmp(sto_past_fact(&past, "program"), command) == 0;
    sto_past_fini(&past);
    return same;
}

void sto_session_before(const sto_session *s, const char *command, sto_text_vec *out)
{
    const char *dot = strrchr(s->dir, '.');
    if (!s->is_numbered) {
        sto_recordings_in(s->dir, out);
        return;
    }
    unsigned long number = strtoul(dot + 1, NULL, 10);
    TD_ASSERT(dot != NULL && number >= 1); /* make_numbered */
    bool is_found = false;
    for (unsigned i = 0; i < MAX_BACK && !is_found && number > 1; i++) {
        char *dir = format_text("%.*s.%lu", (int)(dot - s->dir), s->dir, --number);
        is_found = is_of(dir, command);
        if (is_found)
            sto_recordings_in(dir, out);
        td_free(dir);
    }
}

static td_status write_recording(sto_session *s, const char *base, const sto_recording *r,
                                 td_diag *diag)
{
    td_text text = {0};
    char *path = format_text("%s/%s", s->dir, base);
    sto_recording_print(r, &text);
    td_status status = td_file_replace(path, text.at, text.len, diag);
    td_free(path);
    td_text_fini(&text);
    return status;
}

td_status sto_session_run(sto_session *s, td_id trace, const sto_recording *r,
                          td_diag *diag)
{
    char name[33];
    td_id_print(trace, name);
    char *dir = format_text("%s/corpus", s->dir);
    char *base = format_text("corpus/run-%.8s.treadle", name);
    td_status status = make_one_dir(dir, diag);
    if (status == TD_OK)
        status = write_recording(s, base, r, diag);
    td_free(dir);
    td_free(base);
    return status;
}

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

td_status sto_session_finding(sto_session *s, const det_finding *f,
                              const sto_recording *r, const char *page, td_diag *diag)
{
    char *base = format_text("%s.treadle", f->id);
    td_status status = write_recording(s, base, r, diag);
    if (status == TD_OK) {
        const value values[] = {{.text = f->id},
                                {.text = det_kind_id(f->kind)},
                                {.text = text_or_empty(f->file)},
                                {.number = f->line},
                                {.text = text_or_empty(f->function)},
                                {.text = text_or_empty(f->message)},
                                {.text = base},
                                {.number = f->run},
                                {.text = page}};
        status = db_insert(s, "INSERT OR REPLACE INTO finding VALUES(?,?,?,?,?,?,?,?,?)",
                           values, 9, diag);
    }
    td_free(base);
    return status;
}

td_status sto_session_page(sto_session *s, const char *id, td_text *out, td_diag *diag)
{
    sqlite3_stmt *stmt = NULL;
    td_status status = TD_OK;
    if (sqlite3_prepare_v2(s->db, "SELECT page FROM finding WHERE id = ?", -1, &stmt,
                           NULL) != SQLITE_OK)
        return db_error(s, diag);
    bind(stmt, 1, &(value){.text = id});
    if (sqlite3_step(stmt) != SQLITE_ROW)
        status = db_error(s, diag);
    else if (sqlite3_column_text(stmt, 0))
        td_text_put(out, (const char *)sqlite3_column_text(stmt, 0),
                    (size_t)sqlite3_column_bytes(stmt, 0));
    sqlite3_finalize(stmt);
    return status;
}

td_status sto_session_page_set(sto_session *s, const char *id, const char *page,
                               td_diag *diag)
{
    const value values[] = {{.text = page}, {.text = id}};
    return db_insert(s, "UPDATE finding SET page = ? WHERE id = ?", values, 2, diag);
}

td_status sto_session_forget(sto_session *s, const char *id, td_diag *diag)
{
    TD_ASSERT(id[0] != '\0' && strchr(id, '/') == NULL);
    const value values[] = {{.text = id}};
    char *path = format_text("%s/%s.treadle", s->dir, id);
    unlink(path);
    td_free(path);
    return db_insert(s, "DELETE FROM finding WHERE id = ?", values, 1, diag);
}

td_status sto_session_last(sto_session *s, const char *id, td_diag *diag)
{
    const value values[] = {{.text = id}};
    return db_insert(s,
                     "UPDATE finding SET rowid = (SELECT MAX(rowid) + 1 FROM finding)"
                     " WHERE id = ?",
                     values, 1, diag);
}

td_status sto_session_fact(sto_session *s, const char *name, const char *text,
                           td_diag *diag)
{
    const value values[] = {{.text = name}, {.text = text_or_empty(text)}};
    return db_insert(s, "INSERT OR REPLACE INTO session VALUES(?,?)", values, 2, diag);
}

td_status sto_session_sample(sto_session *s, const sto_sample *m, td_diag *diag)
{
    const value values[] = {{.number = m->ms},
                            {.number = m->cpu_ms},
                            {.number = m->runs},
                            {.number = m->events},
                            {.number = m->targets},
                            {.number = m->findings},
                            {.number = m->sides_taken},
                            {.number = m->queries},
                            {.number = m->left_ms, .kind = m->has_left ? WHOLE : MISSING},
                            {.number = m->left_runs,
                             .kind = m->has_left ? WHOLE : MISSING},
                            {.number = m->pairs}};
    return db_insert(s, "INSERT INTO sample VALUES(?,?,?,?,?,?,?,?,?,?,?)", values, 11,
                     diag);
}

td_status sto_session_stage(sto_session *s, const sto_stage *t, td_diag *diag)
{
    const value values[] = {{.text = text_or_empty(t->name)},
                            {.number = t->answered},
                            {.number = t->calls},
                            {.kind = REAL, .real = t->seconds}};
    return db_insert(s, "INSERT OR REPLACE INTO stage VALUES(?,?,?,?)", values, 4, diag);
}

static td_status insert_side(sto_session *s, const sto_side *n, td_diag *diag)
{
    const value values[] = {{.text = text_or_empty(n->file)},
                            {.text = text_or_empty(n->function)},
                            {.number = n->line},
                            {.number = n->column},
                            {.number = n->side},
                            {.number = n->n_sides},
                            {.number = n->is_taken},
                            {.text = text_or_empty(n->text)},
                            {.text = text_or_empty(n->why)}};
    return db_insert(s, "INSERT INTO branch VALUES(?,?,?,?,?,?,?,?,?)", values, 9, diag);
}

/* Writes all rows since BEGIN, or none. */
static td_status db_finish(sto_session *s, td_status status, td_diag *diag)
{
    TD_ASSERT(sqlite3_get_autocommit(s->db) == 0 || status != TD_OK);
    td_status ended = db_exec(s, status == TD_OK ? "COMMIT" : "ROLLBACK", diag);
    return status != TD_OK ? status : ended;
}

td_status sto_session_sides(sto_session *s, const sto_side *sides, size_t n,
                            td_diag *diag)
{
    td_status status = TD_OK;
    TD_TRY(db_exec(s, "BEGIN", diag));
    for (size_t i = 0; i < n && status == TD_OK; i++)
        status = insert_side(s, &sides[i], diag);
    return db_finish(s, status, diag);
}

static td_status insert_gaps(sto_session *s, const det_ledger *l, td_diag *diag)
{
    TD_TRY(db_exec(s, "DELETE FROM ledger", diag));
    for (size_t i = 0; i < l->gaps.len; i++) {
        const det_gap *g = &l->gaps.at[i];
        const value values[] = {{.text = text_or_empty(g->kind)},
                                {.text = text_or_empty(g->file)},
                                {.number = g->line},
                                {.number = g->count},
                                {.text = text_or_empty(g->text)}};
        TD_TRY(db_insert(s, "INSERT OR REPLACE INTO ledger VALUES(?,?,?,?,?)", values, 5,
                         diag));
    }
    return TD_OK;
}

td_status sto_session_ledger(sto_session *s, const det_ledger *l, td_diag *diag)
{
    TD_TRY(db_exec(s, "BEGIN", diag));
    return db_finish(s, insert_gaps(s, l, diag), diag);
}

void sto_session_close(sto_session *s)
{
    if (s == NULL)
        return;
    settle(s);
    sqlite3_close(s->db);
    td_free(s->dir);
    td_free(s);
}

/* ---- findings by name ---- */

/* Takes path over. */
static bool take_if_file(char *path, char **out)
{
    if (is_file(path)) {
        *out = path;
        return true;
    }
    td_free(path);
    return false;
}

/* In one of the sessions of a suite. */
static bool take_from_suite(const char *dir, const char *finding, char **out)
{
    char *latest = format_text("%s/latest", dir);
    DIR *d = opendir(latest);
    bool found = false;
    for (struct dirent *e; !found && d != NULL && (e = readdir(d)) != NULL;)
        found = e->d_name[0] != '.' &&
                take_if_file(format_text("%s/%s/%s.treadle", latest, e->d_name, finding),
                             out);
    if (d != NULL)
        closedir(d);
    td_free(latest);
    return found;
}

static int64_t changed_at(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0
               ? (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec
               : -1;
}

/* In any session of dir: of several the one that was written last. */
static bool take_from_any(const char *dir, const char *finding, char **out)
{
    DIR *d = opendir(dir);
    int64_t newest = -1;
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        char *path = NULL;
        if (e->d_name[0] == '.' ||
            !take_if_file(format_text("%s/%s/%s.treadle", dir, e->d_name, finding),
                          &path))
            continue;
        int64_t at = changed_at(path);
        if (newest >= 0 && at <= newest) {
            td_free(path);
            continue;
        }
        td_free(newest >= 0 ? *out : NULL);
        newest = at > 0 ? at : 0;
        *out = path;
    }
    if (d != NULL)
        closedir(d);
    return newest >= 0;
}

td_status sto_find_recording(const char *finding, char **path, td_diag *diag)
{
    const char *dir = sto_out_dir();
    struct stat st;
    if (take_if_file(td_strdup(finding), path))
        return TD_OK;
    if (finding[0] == '\0')
        return td_diag_set(diag, TD_E_USAGE, "the name of a finding is empty");
    if (strchr(finding, '/') != NULL)
        return td_diag_set(diag, TD_E_USAGE, "there is no recording '%s'", finding);
    if (take_if_file(format_text("%s/latest/%s.treadle", dir, finding), path) ||
        take_if_file(format_text("%s/%s.treadle", dir, finding), path) ||
        take_from_suite(dir, finding, path) || take_from_any(dir, finding, path))
        return TD_OK;
    if (stat(dir, &st) != 0)
        return td_diag_set(diag, TD_E_USAGE,
                           "there is no file '%s', and no session in '%s' to look for "
                           "such a finding",
                           finding, dir);
    return td_diag_set(diag, TD_E_USAGE,
                       "there is no file '%s' and no finding of that name in '%s'",
                       finding, dir);
}
