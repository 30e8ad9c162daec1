/* SPDX-License-Identifier: Apache-2.0 */
/* explore/core/number_bytes.h - numbers as bytes, and back.
 *
 * Purpose     Encodes and decodes what a search stores or sends: items (item.h) and the state of the
 *             search guided (guided/saved.c).
 * Words       number: 7 bits a byte, the lowest first, in as few bytes as it needs. word: 8 bytes, the
 *             lowest first. So a value has one way to be written.
 * Invariants  (B1) a reader never reads past its end; (B2) a count that is read fits into what is left,
 *             so that bytes cannot ask for more memory than they are worth.
 */
#pragma once

#include "base/status.h"
#include "base/vec.h"

TD_VEC(uint8_t, xpl_byte_vec);

void xpl_put_number(xpl_byte_vec *out, uint64_t number);
void xpl_put_word(xpl_byte_vec *out, uint64_t word);

typedef struct xpl_reader {
    const uint8_t *at, *end;
    const char *what; /* what is read, for error messages */
    td_diag *diag;
} xpl_reader;

/* Bytes that were not read. */
size_t xpl_reader_left(const xpl_reader *r);
/* Fails with a message why the bytes cannot be read. */
TD_MUST_USE td_status xpl_reader_bad(const xpl_reader *r, const char *why);
TD_MUST_USE td_status xpl_get_byte(xpl_reader *r, uint8_t *out);
TD_MUST_USE td_status xpl_get_number(xpl_reader *r, uint64_t *out);
TD_MUST_USE td_status xpl_get_u32(xpl_reader *r, uint32_t *out);
TD_MUST_USE td_status xpl_get_word(xpl_reader *r, uint64_t *out);
/* Reads a count of at most max entries, each of at least `least` bytes. */
TD_MUST_USE td_status xpl_get_count(xpl_reader *r, size_t max, size_t least, size_t *out);
