/* SPDX-License-Identifier: Apache-2.0 */
/* How parts of a search are written as bytes, for item.c and graph_item.c.
 *
 * Numbers are written 7 bits a byte, the lowest first, in as few bytes as they need; ids, keys and
 * values of the program as they are, the lowest byte first. So a part has one way to be written. */
#pragma once

#include "base/status.h"
#include "explore/core/item.h"

enum {
    XPL_MAX_STEPS = 1 << 24,
    XPL_MAX_INPUTS = 1 << 20,
};

void xpl_put_number(xpl_byte_vec *out, uint64_t number);
void xpl_put_word(xpl_byte_vec *out, uint64_t word);

typedef struct xpl_reader {
    const uint8_t *at, *end;
    td_diag *diag;
} xpl_reader;

TD_MUST_USE td_status xpl_read_bad(const xpl_reader *r, const char *what);
TD_MUST_USE td_status xpl_read_byte(xpl_reader *r, uint8_t *out);
TD_MUST_USE td_status xpl_read_number(xpl_reader *r, uint64_t *out);
TD_MUST_USE td_status xpl_read_u32(xpl_reader *r, uint32_t *out);
TD_MUST_USE td_status xpl_read_word(xpl_reader *r, uint64_t *out);
/* How many follow, each of at least so many bytes. */
TD_MUST_USE td_status xpl_read_count(xpl_reader *r, size_t max, size_t least,
                                     size_t *out);

/* ---- graph_item.c ---- */
void xpl_graphs_write(const xpl_graph_vec *graphs, xpl_byte_vec *out);
TD_MUST_USE td_status xpl_graphs_read(xpl_reader *r, xpl_graph_vec *out);
