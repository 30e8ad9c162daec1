/* SPDX-License-Identifier: Apache-2.0 */
/* trace/weaker_orders.h - memory orders of atomic operations, their names, and weaker ones.
 *
 * Words       weaker: docs/models.md. Orders are those of C11, __ATOMIC_RELAXED .. __ATOMIC_SEQ_CST.
 *             A relaxed fence has no effect.
 */
#pragma once

#include "base/vec.h"
#include "trace/trace.h"

/* The operations of a kind and order at a place have another order (wire/weaker.h). */
typedef struct trc_weaker {
    char *file; /* only the part after its last slash counts */
    uint32_t line, column;
    uint8_t kind, order, to;
} trc_weaker;
TD_VEC(trc_weaker, trc_weaker_vec);

/* True for an atomic access or a fence with a memory order in the source; *kind is its outcome. */
bool trc_has_order(const trc_op *op, uint8_t *kind);

/* "seq_cst"; of a fence that is relaxed "none". */
const char *trc_order_name(uint8_t kind, uint8_t order);
bool trc_order_named(uint8_t kind, const char *name, uint8_t *out);
/* "load", "store", "rmw", "cas", "cas-failed", "fence". */
const char *trc_ordered_name(uint8_t kind);
/* 0..: which of these it is. */
size_t trc_ordered_index(uint8_t kind);
bool trc_ordered_named(const char *name, uint8_t *out);

/* The orders one step weaker, at most two; returns how many. */
#define TRC_MAX_WEAKER 2u
size_t trc_weaker_orders(uint8_t kind, uint8_t order, uint8_t out[TRC_MAX_WEAKER]);

/* Converts it for the program under test. */
wire_weaker trc_weaker_wire(const trc_weaker *w);
