/* SPDX-License-Identifier: Apache-2.0 */
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

/* PRAGMA application_id and user_version of our files. A change of the tables below is a
 * new version; a file of another version is refused. */
#define SCHEMA_APPLICATION "1953653868" /* "trdl" */
#define SCHEMA_VERSION "1"

static const char schema[] =
    "BEGIN;"
    "DROP TABLE IF EXISTS session; DROP TABLE IF EXISTS finding;"
    "DROP TABLE IF EXISTS ledger;"
    "CREATE TABLE session(name TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE finding(id TEXT PRIMARY KEY, kind TEXT NOT NULL, file TEXT NOT NULL,"
    " line INTEGER NOT NULL, function TEXT NOT NULL, message TEXT NOT NULL,"
    " recording TEXT NOT NULL, run INTEGER NOT NULL);"
    "CREATE TABLE ledger(kind TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL,"
    " count INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(kind, file, line, text));"
    "PRAGMA application_id = " SCHEMA_APPLICATION ";"
    "PRAGMA user_version = " SCHEMA_VERSION ";"
    "COMMIT;";

struct sto_session {
    char *dir;
    sqlite3 *db;
};

static TD_PRINTF(1, 2) char *format_text(const char *format, ...)
{
    va_list args;
    char *text = NULL;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    TD_ASSERT(n >= 0);
    char *copy = td_strdup(text);
    free(text);
    return copy;
}

/* ---- directories ---- */

static const char *out_dir(void)
{
    const char *dir = getenv("TREADLE_OUT");
    return dir != NULL && dir[0] != '\0' ? dir : "treadle-out";
}

static td_status make_one_dir(const char *path, td_diag *diag)
{
    struct stat st;
    if (mkdir(path, 0777) == 0)
        return TD_OK;
    if (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return TD_OK;
    return td_diag_errno(diag, TD_E_SYSTEM, "cannot make the directory '%s'", path);
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

/* The largest N of NAME.N in dir, 0 if there is none. */
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
            td_diag_errno(diag, TD_E_SYSTEM, "cannot make the directory '%s'", path);
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
        status = td_file_write(path, "*\n", 2, diag);
    td_free(path);
    return status;
}

static td_status make_default_dir(const char *program, char **dir, td_diag *diag)
{
    const char *parent = out_dir();
    TD_TRY(make_dir(parent, diag));
    TD_TRY(write_gitignore(parent, diag));
    char *name = session_name(program), *base = NULL;
    td_status status = make_numbered(parent, name, &base, diag);
    if (status == TD_OK) {
        *dir = format_text("%s/%s", parent, base);
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

/* One value of a statement: text, or a number where text is NULL. */
typedef struct value {
    const char *text;
    uint64_t number;
} value;

static td_status db_insert(sto_session *s, const char *sql, const value *values, int n,
                           td_diag *diag)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return db_error(s, diag);
    TD_ASSERT(sqlite3_bind_parameter_count(stmt) == n);
    for (int i = 0; i < n; i++) {
        if (values[i].text != NULL)
            sqlite3_bind_text(stmt, i + 1, values[i].text, -1, SQLITE_STATIC);
        else
            sqlite3_bind_int64(stmt, i + 1, (int64_t)values[i].number);
    }
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
    if (n_tables > 0 && application != strtoll(SCHEMA_APPLICATION, NULL, 10))
        return td_diag_set(diag, TD_E_FORMAT, "%s/session.db is no session of treadle",
                           s->dir);
    return TD_OK;
}

static td_status open_db(sto_session *s, td_diag *diag)
{
    char *path = format_text("%s/session.db", s->dir);
    int rc = sqlite3_open(path, &s->db);
    td_free(path);
    if (rc != SQLITE_OK)
        return db_error(s, diag);
    sqlite3_busy_timeout(s->db, 5000);
    TD_TRY(check_ours(s, diag));
    /* A power failure may cost the session, which can be run again; waiting for the disk
     * after every row would cost every session. */
    TD_TRY(db_exec(s, "PRAGMA synchronous = OFF", diag));
    return db_exec(s, schema, diag);
}

/* ---- sessions ---- */

td_status sto_session_create(const char *dir, const char *program, sto_session **out,
                             td_diag *diag)
{
    sto_session *s = td_alloc(sizeof *s);
    td_status status;
    if (dir != NULL) {
        s->dir = td_strdup(dir);
        status = make_dir(dir, diag);
    } else {
        status = make_default_dir(program, &s->dir, diag);
    }
    if (status == TD_OK)
        status = open_db(s, diag);
    if (status == TD_OK)
        status = sto_session_fact(s, "program", program, diag);
    if (status != TD_OK) {
        sto_session_close(s);
        return status;
    }
    *out = s;
    return TD_OK;
}

const char *sto_session_dir(const sto_session *s)
{
    return s->dir;
}

static td_status write_recording(sto_session *s, const char *base, const sto_recording *r,
                                 td_diag *diag)
{
    td_text text = {0};
    char *path = format_text("%s/%s", s->dir, base);
    sto_recording_print(r, &text);
    td_status status = td_file_write(path, text.at, text.len, diag);
    td_free(path);
    td_text_fini(&text);
    return status;
}

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

td_status sto_session_finding(sto_session *s, const det_finding *f,
                              const sto_recording *r, td_diag *diag)
{
    char *base = format_text("%s.treadle", f->id);
    td_status status = write_recording(s, base, r, diag);
    if (status == TD_OK) {
        const value values[] = {{f->id, 0},
                                {det_kind_id(f->kind), 0},
                                {text_or_empty(f->file), 0},
                                {NULL, f->line},
                                {text_or_empty(f->function), 0},
                                {text_or_empty(f->message), 0},
                                {base, 0},
                                {NULL, f->run}};
        status = db_insert(s, "INSERT OR REPLACE INTO finding VALUES(?,?,?,?,?,?,?,?)",
                           values, 8, diag);
    }
    td_free(base);
    return status;
}

td_status sto_session_fact(sto_session *s, const char *name, const char *text,
                           td_diag *diag)
{
    const value values[] = {{name, 0}, {text_or_empty(text), 0}};
    return db_insert(s, "INSERT OR REPLACE INTO session VALUES(?,?)", values, 2, diag);
}

static td_status insert_gaps(sto_session *s, const det_ledger *l, td_diag *diag)
{
    TD_TRY(db_exec(s, "DELETE FROM ledger", diag));
    for (size_t i = 0; i < l->gaps.len; i++) {
        const det_gap *g = &l->gaps.at[i];
        const value values[] = {{text_or_empty(g->kind), 0},
                                {text_or_empty(g->file), 0},
                                {NULL, g->line},
                                {NULL, g->count},
                                {text_or_empty(g->text), 0}};
        TD_TRY(db_insert(s, "INSERT OR REPLACE INTO ledger VALUES(?,?,?,?,?)", values, 5,
                         diag));
    }
    return TD_OK;
}

td_status sto_session_ledger(sto_session *s, const det_ledger *l, td_diag *diag)
{
    TD_TRY(db_exec(s, "BEGIN", diag));
    td_status status = insert_gaps(s, l, diag);
    td_status ended = db_exec(s, status == TD_OK ? "COMMIT" : "ROLLBACK", diag);
    return status != TD_OK ? status : ended;
}

void sto_session_close(sto_session *s)
{
    if (s == NULL)
        return;
    sqlite3_close(s->db);
    td_free(s->dir);
    td_free(s);
}

/* ---- findings by name ---- */

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

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

td_status sto_find_recording(const char *finding, char **path, td_diag *diag)
{
    const char *dir = out_dir();
    struct stat st;
    if (take_if_file(td_strdup(finding), path))
        return TD_OK;
    if (finding[0] == '\0')
        return td_diag_set(diag, TD_E_USAGE, "the name of a finding is empty");
    if (strchr(finding, '/') != NULL)
        return td_diag_set(diag, TD_E_USAGE, "there is no recording '%s'", finding);
    if (take_if_file(format_text("%s/latest/%s.treadle", dir, finding), path) ||
        take_if_file(format_text("%s/%s.treadle", dir, finding), path))
        return TD_OK;
    if (stat(dir, &st) != 0)
        return td_diag_set(diag, TD_E_USAGE,
                           "there is no file '%s', and no session in '%s' to look for "
                           "such a finding",
                           finding, dir);
    return td_diag_set(diag, TD_E_USAGE,
                       "there is no file '%s' and no finding of that name in '%s/latest'",
                       finding, dir);
}
