/* SPDX-License-Identifier: Apache-2.0 */
/* store/exchange/exchange_int.h - the engines behind sto_exchange.
 *
 * Purpose     What an engine must do, and what both of them need.
 * Invariants  exchange.c has checked what the caller gave: sizes, a campaign that is open. An
 *             engine checks what it reads.
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
} sto_engine;

/* Milliseconds since 1970. */
typedef uint64_t sto_clock(void *of);

/* Exchanges are numbered, and say up to which number answers have come. What an engine leased in an
 * answer that was lost is given back with the next exchange, and counts as no attempt; an exchange
 * that comes after a later one of its worker, or a second time, leases nothing: nobody waits for its
 * answer. */
struct sto_link {
    const sto_engine *engine;
    uint64_t campaign; /* 0: none is open yet */
    uint64_t calls;    /* number of the newest exchange */
    uint64_t seen;     /* ... that was answered */
    sto_clock *clock;  /* of SQLite; tests have their own */
    void *clock_of;
};

td_status sto_sqlite_open(const char *path, sto_link **out, td_diag *diag);
td_status sto_pg_open(const char *address, sto_link **out, td_diag *diag);

/* A copy of what is borrowed, as a text with a zero at the end. */
char *sto_text_copy(const void *at, size_t len);
sto_bytes sto_bytes_copy(const void *at, size_t len);
