/* SPDX-License-Identifier: Apache-2.0 */
/* explore/guided/saved.h - the state of the search guided as bytes, so that a later session can continue it.
 *
 * Purpose     Pairs with their counts, and entries. Objects are not written: the possible pairs that
 *             they showed are among the pairs, and later runs show them again.
 * Invariants  (V1) reading and writing again gives the same bytes; (V2) any input either
 *             parses or yields an error message: pairs are distinct, entries name existing pairs, and
 *             have schedules that a job can begin with.
 * Ownership   xpl_saved owns its cover and corpus.
 */
#pragma once

#include "explore/core/number_bytes.h"
#include "explore/guided/corpus.h"

/* Bytes at most; then entries are written without their schedules. */
enum { XPL_MAX_SAVED = 32 << 20 };

/* All-zero is empty. */
typedef struct xpl_saved {
    uint64_t n_jobs;  /* handed out, by all sessions */
    uint32_t longest; /* choices of a run, from its first create on */
    xpl_pair_cover cover;
    xpl_corpus corpus;
} xpl_saved;

void xpl_saved_fini(xpl_saved *s);
void xpl_saved_write(const xpl_saved *s, xpl_byte_vec *out);
/* What is read is not trusted. */
TD_MUST_USE td_status xpl_saved_read(const uint8_t *at, size_t len, xpl_saved *out,
                                     td_diag *diag);
