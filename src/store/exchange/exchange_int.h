/* SPDX-License-Identifier: Apache-2.0 */
/* store/exchange/exchange_int.h - the engines behind sto_exchange.
 *
 * Purpose     What an engine must do, and what both of them need.
 * Invariants  exchange.c has checked what the caller gave: sizes, a campaign that is open. An
 *             engine checks what it reads. Where it fails, exchange.c frees what is in out.
 */
#pragma once

#include "store/exchange/exchange.h"

typedef struct sto_engine {
    void (*close)(sto_link *l);
    td_status (*begin)(sto_link *l, const sto_campaign *c, sto_bytes whole, uint64_t *id,
                       td_diag *diag);
    td_status (*open)(sto_link *l, uint64_t id, sto_campaign *out, uint64_t *found,
                      td_diag *diag);
    td_status (*clear)(sto_link *l, td_diag *diag);
    td_status (*gone)(sto_link *l, uint64_t worker, td_diag *diag);
    td_status (*join)(sto_link *l, const char *name, uint64_t *worker, td_diag *diag);
    td_status (*exchange)(sto_link *l, const sto_report *report, sto_reply *out,
                          td_diag *diag);
    td_status (*peek)(sto_link *l, sto_reply *out, td_diag *diag);
    td_status (*again)(sto_link *l, uint32_t from, sto_bytes whole, sto_bytes promoted,
                       td_diag *diag);
    td_status (*promoted)(sto_link *l, sto_bytes *out, td_diag *diag);
    td_status (*stop)(sto_link *l, td_diag *diag);
    td_status (*total)(sto_link *l, sto_total *out, td_diag *diag);
    td_status (*news)(sto_link *l, uint64_t after, sto_news_vec *out, td_diag *diag);
    td_status (*workers)(sto_link *l, sto_worker_vec *out, td_diag *diag);
    /* NULL: it keeps none. */
    td_status (*samples)(sto_link *l, const uint64_t *own, size_t n_own,
                         sto_claim_vec *out, td_diag *diag);
    /* NULL: it keeps none. */
    td_status (*divisions)(sto_link *l, uint32_t generation, sto_division_vec *out,
                           td_diag *diag);
} sto_engine;

/* Milliseconds since 1970. */
typedef uint64_t sto_clock(void *of);

/* Exchanges are numbered, and each has the number of the last answer received. Items that an engine leased
 * in a lost answer are released with the next exchange, without counting as an attempt; an exchange that
 * arrives after a later one of its worker, or a second time, leases nothing: its answer is not awaited. */
struct sto_link {
    const sto_engine *engine;
    uint64_t campaign; /* 0: no campaign is open yet */
    uint64_t calls;    /* number of the newest exchange */
    uint64_t seen;     /* ... that was answered */
    sto_clock *clock;  /* clock of SQLite; tests have their own */
    void *clock_of;
};

td_status sto_sqlite_open(const char *path, sto_link **out, td_diag *diag);
td_status sto_pg_open(const char *address, sto_link **out, td_diag *diag);

/* ---- exchange_rows.c ---- */

/* A copy of what is borrowed, as a text with a zero at the end. */
char *sto_text_copy(const void *at, size_t len);
sto_bytes sto_bytes_copy(const void *at, size_t len);

/* A value of a row, as bytes: a number has 8, the highest first, a flag has one. */
typedef struct sto_cell {
    const uint8_t *at;
    int len; /* negative: NULL */
} sto_cell;

#define STO_MAX_COLUMNS 24

/* Takes the contents of a row. False: the row is invalid; anything taken until then belongs to out. */
typedef bool sto_take_row(const sto_cell *row, void *out);

/* At most what a signed number holds. */
bool sto_cell_number(const sto_cell *c, uint64_t *out);
bool sto_cell_small(const sto_cell *c, uint32_t *out);
bool sto_cell_bool(const sto_cell *c, bool *out);
bool sto_cell_numbers(const sto_cell *c, uint64_t *const *out, int n);
bool sto_cell_bytes(const sto_cell *c, size_t limit, sto_bytes *out);
/* Always makes a text, which the caller frees; "" if the cell is invalid. */
bool sto_cell_text(const sto_cell *c, char **out);

/* A campaign with its number. */
typedef struct sto_opened {
    sto_campaign *campaign;
    uint64_t id;
} sto_opened;

#define STO_CAMPAIGN_COLUMNS 6
#define STO_NEWS_COLUMNS 9
#define STO_WORKER_COLUMNS 17

bool sto_take_campaign(const sto_cell *row, void *out); /* sto_opened */
/* Adds the finding; an invalid field is dropped. */
bool sto_take_news(const sto_cell *row, void *out); /* sto_news_vec */
/* Fields that the worker wrote may be invalid; the other columns are written by treadle. */
bool sto_take_worker(const sto_cell *row, sto_worker *w);
bool sto_take_number(const sto_cell *row, void *out); /* uint64_t */
bool sto_take_bytes(const sto_cell *row, void *out);  /* sto_bytes */
