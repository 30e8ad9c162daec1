/* SPDX-License-Identifier: Apache-2.0 */
/* The engine for many machines: PostgreSQL through libpq.
 *
 * Invariants  A command is one call of a function of the database (farm/N.sql), so it is one
 *             transaction; the role of a worker may do nothing else. A call whose connection broke is
 *             repeated unchanged, which is harmless (S2), except for the one that begins a campaign.
 *             Results go through farm_rows.c, which trusts none of them. Messages never contain the
 *             address, which may include a password.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/now.h"
#include "base/text.h"
#include "store/exchange/exchange_int.h"
#include "store/exchange/farm_int.h"
#include "store/exchange/farm_libpq.h"

/* A server that is away is waited for so long, at growing intervals. */
#define PATIENCE_MS 300000u
#define FIRST_PATIENCE_MS 10000u /* before the first connection; it may be starting */
#define FIRST_WAIT_MS 50u
#define LAST_WAIT_MS 5000u
/* How often a command is retried that the server rolled back because of another one. */
#define MAX_CLASHES 100
/* A command that waits for a lock for longer is rolled back as well: a member may hold the lock. */
#define LOCK_TIMEOUT "'3s'"
/* gen_random_uuid came with 13. */
#define OLDEST_SERVER 130000

#define STATEMENTS(X)                                                                    \
    X(EXCHANGE, "SELECT * FROM treadle.exchange($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12," \
                "$13,$14,$15,$16,$17,$18,$19)")                                          \
    X(PEEK, "SELECT * FROM treadle.peek($1)")                                            \
    X(BEGIN, "SELECT treadle.campaign_begin($1,$2)")                                     \
    X(FIND, "SELECT * FROM treadle.campaign_find($1)")                                   \
    X(STOP, "SELECT treadle.campaign_stop($1)")                                          \
    X(CLEAR, "SELECT treadle.leases_clear($1)")                                          \
    X(AGAIN, "SELECT treadle.campaign_again($1,$2,$3,$4)")                               \
    X(PROMOTED, "SELECT treadle.campaign_promoted($1)")                                  \
    X(JOIN, "SELECT treadle.worker_join($1,$2)")                                         \
    X(GONE, "SELECT treadle.worker_gone($1,$2)")                                         \
    X(TOTAL, "SELECT * FROM treadle.campaign_total($1)")                                 \
    X(NEWS, "SELECT * FROM treadle.news_after($1,$2)")                                   \
    X(WORKERS, "SELECT * FROM treadle.workers_after($1,$2)")                             \
    X(SAMPLES, "SELECT * FROM treadle.samples($1,$2)")                                   \
    X(DIVISIONS, "SELECT * FROM treadle.divisions_after($1,$2,$3)")                      \
    X(VERSION, "SELECT treadle.version()")

#define ENUM_OF(name, sql) ST_##name,
#define SQL_OF(name, sql) sql,
#define NAME_OF(name, sql) #name,
enum statement { STATEMENTS(ENUM_OF) N_STATEMENTS };
static const char *const sql_of[] = {STATEMENTS(SQL_OF)};
static const char *const name_of[] = {STATEMENTS(NAME_OF)};

typedef struct pg_link {
    sto_link base; /* first: a link is one of these */
    farm_libpq pq;
    PGconn *conn; /* NULL until the library is there */
    bool is_prepared[N_STATEMENTS];
    uint64_t patience_ms;
} pg_link;

static pg_link *pg_of(sto_link *l)
{
    return (pg_link *)l;
}

/* ---- sentences ---- */

/* Makes a message of libpq or the server one line for a terminal: printable ASCII, everything else is '?'. */
static void one_line(const char *message, char *out, size_t size)
{
    size_t n = 0;
    for (; *message != '\0' && n + 1 < size; message++) {
        bool is_break = *message == '\n' || *message == '\t';
        if (is_break && (n == 0 || out[n - 1] == ' '))
            continue;
        bool is_printable = *message >= ' ' && *message <= '~';
        out[n++] = (char)(is_break ? ' ' : is_printable ? *message : '?');
    }
    while (n > 0 && (out[n - 1] == ' ' || out[n - 1] == '.'))
        n--;
    out[n] = '\0';
}

static td_status say(const pg_link *p, const char *message, td_diag *diag)
{
    char line[300];
    const char *database = p->pq.PQdb(p->conn);
    one_line(message != NULL ? message : "", line, sizeof line);
    return td_diag_set(diag, TD_E_SYSTEM, "the farm '%s': %s",
                       database != NULL ? database : "?",
                       line[0] != '\0' ? line : "no connection");
}

static td_status bad_answer(const pg_link *p, td_diag *diag)
{
    const char *database = p->pq.PQdb(p->conn);
    return td_diag_set(diag, TD_E_FORMAT, "malformed answer from the farm '%s'",
                       database != NULL ? database : "?");
}

/* ---- connections ---- */

/* Parameters of the address come last and take precedence. By default a server must show a certificate that
 * matches its name; for a local socket libpq requires none. */
static PGconn *connect_to(const pg_link *p, const char *address)
{
    const char *const names[] = {"sslmode",
                                 "connect_timeout",
                                 "keepalives_idle",
                                 "keepalives_interval",
                                 "tcp_user_timeout",
                                 "target_session_attrs",
                                 "fallback_application_name",
                                 "dbname",
                                 NULL};
    const char *const values[] = {"verify-full", "10",      "30",    "10", "60000",
                                  "read-write",  "treadle", address, NULL};
    return p->pq.PQconnectdbParams(names, values, 1);
}

/* Drops notices of the server, which are not for the user's terminal. */
static void drop_notice(void *of, const char *message)
{
}

static bool set_up(pg_link *p)
{
    p->pq.PQsetNoticeProcessor(p->conn, drop_notice, NULL);
    PGresult *r =
        p->pq.PQexec(p->conn, "SET default_transaction_isolation = 'read committed';"
                              "SET client_min_messages = error;"
                              "SET lock_timeout = " LOCK_TIMEOUT);
    bool is_good = p->pq.PQresultStatus(r) == PGRES_COMMAND_OK;
    p->pq.PQclear(r);
    memset(p->is_prepared, 0, sizeof p->is_prepared);
    return is_good;
}

static void sleep_ms(uint64_t ms)
{
    struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    nanosleep(&t, NULL);
}

/* True if the server refuses the connection for good: waiting would not help. A server that starts, stops or
 * has too many connections also reports FATAL. */
static bool is_refusal(const char *message)
{
    static const char *const passing[] = {"starting up",
                                          "shutting down",
                                          "recovery",
                                          "too many",
                                          "remaining connection slots",
                                          "not accepting",
                                          "terminating"};
    static const char *const lasting[] = {"FATAL", "certificate", "translate host name",
                                          "SSL", "invalid"};
    bool is_lasting = false;
    for (size_t i = 0; i < sizeof lasting / sizeof lasting[0]; i++)
        is_lasting |= strstr(message, lasting[i]) != NULL;
    if (!is_lasting)
        return false;
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++)
        if (strstr(message, passing[i]) != NULL)
            return false;
    return true;
}

/* Connects again; fails when patience is at its end or the server does not want us. */
static td_status reconnect(pg_link *p, td_diag *diag)
{
    uint64_t until = td_now_ms() + p->patience_ms;
    uint64_t wait = FIRST_WAIT_MS;
    for (;;) {
        p->pq.PQreset(p->conn);
        if (p->pq.PQstatus(p->conn) == CONNECTION_OK && set_up(p))
            return TD_OK;
        if (is_refusal(p->pq.PQerrorMessage(p->conn)) || td_now_ms() + wait > until)
            return say(p, p->pq.PQerrorMessage(p->conn), diag);
        sleep_ms(wait);
        wait = wait * 2 < LAST_WAIT_MS ? wait * 2 : LAST_WAIT_MS;
    }
}

/* ---- calls ---- */

static PGresult *prepare(pg_link *p, enum statement which)
{
    PGresult *r = p->pq.PQprepare(p->conn, name_of[which], sql_of[which], 0, NULL);
    p->is_prepared[which] = p->pq.PQresultStatus(r) == PGRES_COMMAND_OK;
    return r;
}

static PGresult *call_server(pg_link *p, enum statement which, const farm_call *c)
{
    const char *values[FARM_MAX_ARGS];
    if (!p->is_prepared[which]) {
        PGresult *r = prepare(p, which);
        if (!p->is_prepared[which])
            return r;
        p->pq.PQclear(r);
    }
    for (int i = 0; i < c->n; i++)
        values[i] = (const char *)c->bytes.at + c->starts[i];
    return p->pq.PQexecPrepared(p->conn, name_of[which], c->n, values, c->lengths,
                                c->formats, 1);
}

static bool has_state(const pg_link *p, const PGresult *r, const char *prefix)
{
    const char *state = p->pq.PQresultErrorField(r, PG_DIAG_SQLSTATE);
    return state != NULL && strncmp(state, prefix, strlen(prefix)) == 0;
}

/* The connection is gone, or the server is about to close it. */
static bool is_broken(const pg_link *p, const PGresult *r)
{
    return p->pq.PQstatus(p->conn) != CONNECTION_OK || has_state(p, r, "57P0") ||
           has_state(p, r, "08");
}

/* Two commands waited for each other, or this one for too long, and it was undone. */
static bool is_clash(const pg_link *p, const PGresult *r)
{
    return has_state(p, r, "40001") || has_state(p, r, "40P01") ||
           has_state(p, r, "55P03");
}

static td_status refused(const pg_link *p, const PGresult *r, td_diag *diag)
{
    char line[300];
    const char *message = p->pq.PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
    one_line(message != NULL ? message : "", line, sizeof line);
    if (has_state(p, r, "3F000") || has_state(p, r, "42883"))
        return td_diag_set(
            diag, TD_E_USAGE,
            "the database '%s' is not a farm of this treadle; 'treadle farm "
            "init' makes it one",
            p->pq.PQdb(p->conn));
    if (has_state(p, r, "42501"))
        return td_diag_set(diag, TD_E_USAGE,
                           "the role '%s' may not do this in the farm '%s': %s",
                           p->pq.PQuser(p->conn), p->pq.PQdb(p->conn), line);
    return say(p, message != NULL ? message : p->pq.PQerrorMessage(p->conn), diag);
}

static bool take_rows(const pg_link *p, const PGresult *r, const farm_row_kind *kind,
                      void *out)
{
    sto_cell row[STO_MAX_COLUMNS];
    TD_ASSERT(kind->n_columns <= STO_MAX_COLUMNS);
    if (p->pq.PQnfields(r) != kind->n_columns)
        return false;
    for (int i = 0; i < p->pq.PQntuples(r); i++) {
        for (int k = 0; k < kind->n_columns; k++)
            row[k] =
                (sto_cell){(const uint8_t *)p->pq.PQgetvalue(r, i, k),
                           p->pq.PQgetisnull(r, i, k) ? -1 : p->pq.PQgetlength(r, i, k)};
        if (!kind->take(row, out))
            return false;
    }
    return true;
}

/* A call that gave no rows: connect or wait, so that it can be made again, or give up. One whose
 * answer may be lost gets a new number. */
static td_status recover(pg_link *p, enum statement which, farm_call *c,
                         const PGresult *r, int *n_clashes, td_diag *diag)
{
    if (is_clash(p, r) && ++*n_clashes < MAX_CLASHES)
        return TD_OK;
    if (!is_broken(p, r))
        return refused(p, r, diag);
    if (which == ST_BEGIN) /* whether it was begun is unknown */
        return say(p, p->pq.PQerrorMessage(p->conn), diag);
    if (c->is_numbered)
        farm_set_number(c, ++p->base.calls);
    return reconnect(p, diag);
}

/* Frees the call. Each row goes to out; *n is how many there were, or NULL. */
static td_status run_call(pg_link *p, enum statement which, farm_call *c,
                          const farm_row_kind *kind, void *out, int *n, td_diag *diag)
{
    td_status status = TD_OK;
    PGresult *r = call_server(p, which, c);
    for (int n_clashes = 0; p->pq.PQresultStatus(r) != PGRES_TUPLES_OK;) {
        status = recover(p, which, c, r, &n_clashes, diag);
        if (status != TD_OK)
            break;
        p->pq.PQclear(r);
        r = call_server(p, which, c);
    }
    if (status == TD_OK && !take_rows(p, r, kind, out))
        status = bad_answer(p, diag);
    if (n != NULL)
        *n = p->pq.PQntuples(r);
    p->pq.PQclear(r);
    farm_call_fini(c);
    return status;
}

/* A call about the campaign without more to say. */
static td_status run_simple(pg_link *p, enum statement which, const farm_row_kind *kind,
                            void *out, td_diag *diag)
{
    int n = 0;
    farm_call c = {0};
    farm_add_int8(&c, p->base.campaign);
    TD_TRY(run_call(p, which, &c, kind, out, &n, diag));
    return n == 1 ? TD_OK : bad_answer(p, diag);
}

/* ---- commands ---- */

static sto_bytes bytes_of(const char *text)
{
    return (sto_bytes){(uint8_t *)(uintptr_t)text, strlen(text)};
}

static td_status pg_begin(sto_link *l, const sto_campaign *c, sto_bytes whole,
                          uint64_t *id, td_diag *diag)
{
    int n = 0;
    farm_call call = {0};
    const sto_bytes texts[] = {bytes_of(c->version), bytes_of(c->protocol),
                               bytes_of(c->build_id), bytes_of(c->command),
                               bytes_of(c->options)};
    farm_add_bytes_array(&call, texts, 5);
    farm_add_bytes(&call, whole);
    TD_TRY(run_call(pg_of(l), ST_BEGIN, &call, &farm_row_number, id, &n, diag));
    return n == 1 && *id != 0 ? TD_OK : bad_answer(pg_of(l), diag);
}

static td_status pg_open(sto_link *l, uint64_t id, sto_campaign *out, uint64_t *found,
                         td_diag *diag)
{
    int n = 0;
    pg_link *p = pg_of(l);
    farm_call c = {0};
    sto_opened f = {.campaign = out};
    farm_add_int8(&c, id);
    td_status status = run_call(p, ST_FIND, &c, &farm_row_campaign, &f, &n, diag);
    if (status == TD_OK && n == 0)
        status = td_diag_set(diag, TD_E_USAGE,
                             "the farm '%s': there is no campaign to continue",
                             p->pq.PQdb(p->conn));
    if (status == TD_OK)
        *found = f.id;
    return status;
}

static td_status pg_clear(sto_link *l, td_diag *diag)
{
    return run_simple(pg_of(l), ST_CLEAR, &farm_row_none, NULL, diag);
}

static td_status pg_stop(sto_link *l, td_diag *diag)
{
    return run_simple(pg_of(l), ST_STOP, &farm_row_none, NULL, diag);
}

static td_status pg_gone(sto_link *l, uint64_t worker, td_diag *diag)
{
    farm_call c = {0};
    farm_add_int8(&c, l->campaign);
    farm_add_int8(&c, worker);
    return run_call(pg_of(l), ST_GONE, &c, &farm_row_none, NULL, NULL, diag);
}

static td_status pg_join(sto_link *l, const char *name, uint64_t *worker, td_diag *diag)
{
    int n = 0;
    farm_call c = {0};
    farm_add_int8(&c, l->campaign);
    farm_add_bytes(&c, bytes_of(name));
    TD_TRY(run_call(pg_of(l), ST_JOIN, &c, &farm_row_number, worker, &n, diag));
    return n == 1 && *worker != 0 ? TD_OK : bad_answer(pg_of(l), diag);
}

static td_status pg_exchange(sto_link *l, const sto_report *r, sto_reply *out,
                             td_diag *diag)
{
    farm_call c = {0};
    farm_reply reply = {.reply = out};
    farm_add_report(&c, l->campaign, r, l->seen);
    farm_set_number(&c, l->calls);
    TD_TRY(run_call(pg_of(l), ST_EXCHANGE, &c, &farm_row_reply, &reply, NULL, diag));
    return reply.is_whole ? TD_OK : bad_answer(pg_of(l), diag);
}

static td_status pg_peek(sto_link *l, sto_reply *out, td_diag *diag)
{
    return run_simple(pg_of(l), ST_PEEK, &farm_row_peek, out, diag);
}

static td_status pg_again(sto_link *l, uint32_t from, sto_bytes whole, sto_bytes promoted,
                          td_diag *diag)
{
    farm_call c = {0};
    farm_add_int8(&c, l->campaign);
    farm_add_int4(&c, from);
    farm_add_bytes(&c, whole);
    farm_add_bytes(&c, promoted);
    return run_call(pg_of(l), ST_AGAIN, &c, &farm_row_none, NULL, NULL, diag);
}

static td_status pg_promoted(sto_link *l, sto_bytes *out, td_diag *diag)
{
    return run_simple(pg_of(l), ST_PROMOTED, &farm_row_bytes, out, diag);
}

static td_status pg_total(sto_link *l, sto_total *out, td_diag *diag)
{
    return run_simple(pg_of(l), ST_TOTAL, &farm_row_total, out, diag);
}

static td_status pg_news(sto_link *l, uint64_t after, sto_news_vec *out, td_diag *diag)
{
    farm_call c = {0};
    farm_add_int8(&c, l->campaign);
    farm_add_int8(&c, after);
    return run_call(pg_of(l), ST_NEWS, &c, &farm_row_news, out, NULL, diag);
}

static td_status pg_workers(sto_link *l, sto_worker_vec *out, td_diag *diag)
{
    farm_workers f = {.workers = out};
    for (int n = 1; n > 0;) {
        farm_call c = {0};
        farm_add_int8(&c, l->campaign);
        farm_add_int8(&c, f.last);
        TD_TRY(run_call(pg_of(l), ST_WORKERS, &c, &farm_row_workers, &f, &n, diag));
    }
    return TD_OK;
}

static td_status pg_samples(sto_link *l, const uint64_t *own, size_t n_own,
                            sto_claim_vec *out, td_diag *diag)
{
    farm_call c = {0};
    farm_add_int8(&c, l->campaign);
    farm_add_int8_array(&c, own, n_own);
    return run_call(pg_of(l), ST_SAMPLES, &c, &farm_row_samples, out, NULL, diag);
}

static td_status pg_divisions(sto_link *l, uint32_t generation, sto_division_vec *out,
                              td_diag *diag)
{
    for (int n = 1; n > 0 && out->len < STO_MAX_DIVISIONS;) {
        farm_call c = {0};
        farm_add_int8(&c, l->campaign);
        farm_add_int4(&c, generation);
        farm_add_int8(&c, out->len > 0 ? out->at[out->len - 1].item : 0);
        TD_TRY(run_call(pg_of(l), ST_DIVISIONS, &c, &farm_row_divisions, out, &n, diag));
    }
    return TD_OK;
}

/* ---- links ---- */

static void pg_close(sto_link *l)
{
    pg_link *p = pg_of(l);
    if (p->conn != NULL)
        p->pq.PQfinish(p->conn);
    td_free(p);
}

static const sto_engine pg_engine = {
    .close = pg_close,
    .begin = pg_begin,
    .open = pg_open,
    .clear = pg_clear,
    .gone = pg_gone,
    .join = pg_join,
    .exchange = pg_exchange,
    .peek = pg_peek,
    .again = pg_again,
    .promoted = pg_promoted,
    .stop = pg_stop,
    .total = pg_total,
    .news = pg_news,
    .workers = pg_workers,
    .samples = pg_samples,
    .divisions = pg_divisions,
};

static td_status check_version(pg_link *p, td_diag *diag)
{
    uint64_t version = 0;
    farm_call c = {0};
    TD_TRY(run_call(p, ST_VERSION, &c, &farm_row_number, &version, NULL, diag));
    if (version == sto_farm_n_migrations)
        return TD_OK;
    return td_diag_set(
        diag, TD_E_USAGE,
        "the farm '%s' is of %s version of treadle (%" PRIu64 ", this one has %u)%s",
        p->pq.PQdb(p->conn), version > sto_farm_n_migrations ? "a newer" : "an older",
        version, sto_farm_n_migrations,
        version > sto_farm_n_migrations ? ""
                                        : "; 'treadle farm init' brings it up to date");
}

static td_status first_connection(pg_link *p, td_diag *diag)
{
    p->patience_ms = FIRST_PATIENCE_MS;
    if (p->pq.PQstatus(p->conn) != CONNECTION_OK || !set_up(p)) {
        if (is_refusal(p->pq.PQerrorMessage(p->conn)))
            return say(p, p->pq.PQerrorMessage(p->conn), diag);
        TD_TRY(reconnect(p, diag));
    }
    p->patience_ms = PATIENCE_MS;
    if (p->pq.PQserverVersion(p->conn) < OLDEST_SERVER)
        return say(p, "PostgreSQL 13 or newer is needed", diag);
    return TD_OK;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* True if libpq reads the address as it was meant. It quotes what it cannot read in its messages,
 * and that may be a password: one with special characters that are not written as %XX. */
static bool is_well_formed(const char *address)
{
    const char *start = strstr(address, "://") + 3, *at = strrchr(start, '@');
    for (const char *c = start; *c != '\0'; c++)
        if (*c == '%' && !(is_hex(c[1]) && is_hex(c[2])))
            return false;
    const char *colon = strchr(start, ':');
    if (at == NULL || colon == NULL || colon > at)
        return true;
    return strcspn(start, "/?#[]@") >= (size_t)(at - start) &&
           memchr(colon + 1, ':', (size_t)(at - colon) - 1) == NULL;
}

/* Always a link, to be closed; of use if TD_OK. */
static td_status new_link(const char *address, pg_link **out, td_diag *diag)
{
    pg_link *p = *out = td_alloc(sizeof *p);
    p->base.engine = &pg_engine;
    if (!is_well_formed(address))
        return td_diag_set(diag, TD_E_USAGE,
                           "cannot read the address of the farm: special characters of a "
                           "user or password are written as %%XX");
    TD_TRY(farm_libpq_load(&p->pq, diag));
    p->conn = connect_to(p, address);
    return first_connection(p, diag);
}

td_status sto_pg_open(const char *address, sto_link **out, td_diag *diag)
{
    pg_link *p;
    td_status status = new_link(address, &p, diag);
    if (status == TD_OK)
        status = check_version(p, diag);
    if (status != TD_OK) {
        pg_close(&p->base);
        return status;
    }
    *out = &p->base;
    return TD_OK;
}

/* ---- tables ---- */

static td_status execute(pg_link *p, const char *sql, td_diag *diag)
{
    PGresult *r = p->pq.PQexec(p->conn, sql);
    ExecStatusType got = p->pq.PQresultStatus(r);
    td_status status =
        got == PGRES_COMMAND_OK || got == PGRES_TUPLES_OK ? TD_OK : refused(p, r, diag);
    p->pq.PQclear(r);
    return status;
}

static td_status migrations_done(pg_link *p, unsigned *out, td_diag *diag)
{
    PGresult *r =
        p->pq.PQexec(p->conn, "SELECT coalesce(max(number), 0) FROM treadle.migration");
    td_status status = TD_OK;
    if (p->pq.PQresultStatus(r) != PGRES_TUPLES_OK || p->pq.PQntuples(r) != 1)
        status = refused(p, r, diag);
    else
        *out = (unsigned)strtoul(p->pq.PQgetvalue(r, 0, 0), NULL, 10);
    p->pq.PQclear(r);
    return status;
}

static td_status migrate(pg_link *p, td_diag *diag)
{
    unsigned done = 0;
    TD_TRY(execute(p,
                   "SELECT pg_advisory_xact_lock(1953653868);" /* one at a time */
                   "CREATE SCHEMA IF NOT EXISTS treadle;"
                   "CREATE TABLE IF NOT EXISTS treadle.migration("
                   "number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
                   diag));
    TD_TRY(migrations_done(p, &done, diag));
    if (done > sto_farm_n_migrations)
        return say(p, "it was created by a newer version of treadle", diag);
    for (; done < sto_farm_n_migrations; done++) {
        td_text note = {0};
        td_text_add(&note, "INSERT INTO treadle.migration(number) VALUES(%u)", done + 1);
        td_status status = execute(p, sto_farm_migrations[done], diag);
        if (status == TD_OK)
            status = execute(p, note.at, diag);
        td_text_fini(&note);
        TD_TRY(status);
    }
    return execute(p, sto_farm_functions, diag);
}

/* Runs a query; *out: the result is "t". */
static td_status ask(pg_link *p, const char *sql, bool *out, td_diag *diag)
{
    PGresult *r = p->pq.PQexec(p->conn, sql);
    td_status status = TD_OK;
    if (p->pq.PQresultStatus(r) != PGRES_TUPLES_OK || p->pq.PQntuples(r) != 1)
        status = refused(p, r, diag);
    else
        *out = strcmp(p->pq.PQgetvalue(r, 0, 0), "t") == 0;
    p->pq.PQclear(r);
    return status;
}

/* Checks the role: the functions of a farm run with the rights of its creator. */
static td_status check_owner(pg_link *p, sto_farm_owner owner, td_diag *diag)
{
    bool is_super = true;
    TD_TRY(ask(p, "SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user",
               &is_super, diag));
    if (!is_super || owner == STO_OWNER_ANY)
        return TD_OK;
    return td_diag_set(
        diag, TD_E_USAGE,
        "the role '%s' is a superuser, and all members of the farm would call "
        "functions with its rights; use a role that owns the database and may "
        "create roles, or use --superuser",
        p->pq.PQuser(p->conn));
}

/* A member that can make temporary objects has one way more to deceive functions. */
static td_status check_temporary(pg_link *p, bool *is_open, td_diag *diag)
{
    return ask(
        p,
        "SELECT pg_catalog.bool_or(a.grantee = 0 AND a.privilege_type = 'TEMPORARY')"
        " FROM pg_catalog.pg_database d, LATERAL pg_catalog.aclexplode("
        "coalesce(d.datacl, pg_catalog.acldefault('d', d.datdba))) a"
        " WHERE d.datname = pg_catalog.current_database()",
        is_open, diag);
}

td_status sto_farm_init(const char *where, sto_farm_owner owner, bool *has_temporary,
                        td_diag *diag)
{
    pg_link *p;
    td_status status = new_link(where, &p, diag);
    if (status == TD_OK)
        status = check_owner(p, owner, diag);
    if (status == TD_OK)
        status = execute(p, "BEGIN", diag);
    if (status == TD_OK)
        status = migrate(p, diag);
    if (status == TD_OK)
        status = execute(p, "COMMIT", diag);
    if (status == TD_OK)
        status = check_temporary(p, has_temporary, diag);
    pg_close(&p->base); /* undoes what was not committed */
    return status;
}
