/* SPDX-License-Identifier: Apache-2.0 */
/* store/exchange/farm_int.h - what is sent to a farm and read from it, without a connection.
 *
 * Purpose     Encodes arguments in PostgreSQL's binary format, and decodes rows of results. Separate
 *             from libpq, so that any bytes can be tried (tests/fuzz/fuzz_farm.c).
 * Words       cell: a value of a row.
 * Invariants  A row that is taken has the columns of its kind, each of its size, texts and payloads
 *             within their limits; otherwise take returns false. Anything taken until then belongs to out.
 *             An invalid field is dropped and the rest of the row is kept: another member may have
 *             submitted it, and one row must not keep us from the others.
 */
#pragma once

#include "store/exchange/exchange_int.h"

/* Migrations of the database, the first has number 1: farm/N.sql. */
extern const char *const sto_farm_migrations[];
extern const unsigned sto_farm_n_migrations;
/* Functions, views and rights, as they are after the last migration: farm/functions.sql. */
extern const char sto_farm_functions[];

/* ---- arguments ---- */

#define FARM_MAX_ARGS 19

TD_VEC(uint8_t, farm_byte_vec);

/* All-zero is a call without arguments. */
typedef struct farm_call {
    int n;
    size_t starts[FARM_MAX_ARGS]; /* in bytes */
    int lengths[FARM_MAX_ARGS];
    int formats[FARM_MAX_ARGS]; /* 1: binary, 0: text */
    farm_byte_vec bytes;
    bool is_numbered; /* the last argument is the number of the call */
} farm_call;

void farm_call_fini(farm_call *c);
void farm_add_int4(farm_call *c, uint32_t n);
void farm_add_int8(farm_call *c, uint64_t n);
void farm_add_bool(farm_call *c, bool b);
void farm_add_bytes(farm_call *c, sto_bytes b);
/* Elements whose at is NULL are NULL. */
void farm_add_bytes_array(farm_call *c, const sto_bytes *b, size_t n);
void farm_add_int8_array(farm_call *c, const uint64_t *numbers, size_t n);
void farm_add_digests(farm_call *c, const td_id *digests, size_t n);
/* All arguments of treadle.exchange, but for the number of the call, which comes last. */
void farm_add_report(farm_call *c, uint64_t campaign, const sto_report *r, uint64_t seen);
/* The last argument, or another value of it. */
void farm_set_number(farm_call *c, uint64_t call);

/* ---- rows ---- */

typedef struct farm_row_kind {
    int n_columns;
    sto_take_row *take;
} farm_row_kind;

/* Workers, and the number of the last one. */
typedef struct farm_workers {
    sto_worker_vec *workers;
    uint64_t last;
    size_t size; /* bytes of texts */
} farm_workers;
/* A row without an item ends a reply: is_whole. */
typedef struct farm_reply {
    sto_reply *reply;
    bool is_whole;
} farm_reply;

extern const farm_row_kind farm_row_none;      /* a function without a result */
extern const farm_row_kind farm_row_number;    /* uint64_t */
extern const farm_row_kind farm_row_bytes;     /* sto_bytes */
extern const farm_row_kind farm_row_reply;     /* farm_reply */
extern const farm_row_kind farm_row_peek;      /* sto_reply */
extern const farm_row_kind farm_row_campaign;  /* sto_opened */
extern const farm_row_kind farm_row_total;     /* sto_total */
extern const farm_row_kind farm_row_news;      /* sto_news_vec */
extern const farm_row_kind farm_row_workers;   /* farm_workers */
extern const farm_row_kind farm_row_samples;   /* sto_claim_vec */
extern const farm_row_kind farm_row_divisions; /* sto_division_vec */
