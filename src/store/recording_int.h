/* SPDX-License-Identifier: Apache-2.0 */
/* store/recording_int.h - what the reader and the printer of recordings share with recorded_inputs.c and
 * manifest.c. */
#pragma once

#include <stdbool.h>

#include "store/store.h"

#define STO_MAX_WORD ((size_t)1 << 20)
#define STO_MAX_THREAD (UINT32_C(1) << 24)

typedef struct sto_reader {
    const char *at, *end; /* what is left of the line */
    unsigned line;        /* counted from 1 */
    unsigned seen;        /* bit per field */
    uint64_t n_choices;   /* choices of the schedule so far */
    bool takes_zero;      /* \x00 is allowed in quotes */
    unsigned version;     /* version of the format */
    sto_recording *out;
    td_diag *diag;
} sto_reader;

#define STO_WRONG(r, ...) td_diag_set((r)->diag, TD_E_FORMAT, __VA_ARGS__)

/* ---- recording_words.c ---- */

void sto_put_quoted(td_text *out, const char *word);
bool sto_is_control(unsigned char c);
/* With a blank before it. */
void sto_put_word(td_text *out, const char *word);
/* The next word, appended to word; at the end of the line: "what is missing". */
TD_MUST_USE td_status sto_read_text(sto_reader *r, const char *what, td_text *word);
/* The same as a new text; "" only if the file has a quoted "" there. */
TD_MUST_USE td_status sto_read_word(sto_reader *r, const char *what, char **out);
TD_MUST_USE td_status sto_expect_end(sto_reader *r);
/* Skips blanks. */
bool sto_at_end(sto_reader *r);
/* Points r at the line that starts at text; returns what follows it. */
const char *sto_next_line(sto_reader *r, const char *text, const char *end);
/* Starts a line; fails if it has control characters. *is_empty: it is empty or a comment. */
TD_MUST_USE td_status sto_start_line(sto_reader *r, bool *is_empty);
/* Digits only, up to max. */
bool sto_parse_number(const char *text, uint64_t max, uint64_t *out);
/* Cuts "FILE:NUMBER" at its last colon. */
bool sto_split_number(char *place, uint32_t *number);

/* ---- recorded_inputs.c ---- */

void sto_put_inputs(td_text *out, const sto_input_vec *inputs);
TD_MUST_USE td_status sto_read_input(sto_reader *r);
TD_MUST_USE td_status sto_read_bytes(sto_reader *r);

/* ---- recorded_cause.c ---- */

bool sto_has_cause(const sto_recording *r);
/* An event of it has a user's line besides its own place. */
bool sto_has_users_line(const sto_recording *r);
void sto_put_cause(td_text *out, const sto_recording *r);
TD_MUST_USE td_status sto_read_no_return(sto_reader *r);
TD_MUST_USE td_status sto_read_cause(sto_reader *r);
TD_MUST_USE td_status sto_read_cause_event(sto_reader *r);
bool sto_cause_valid(const sto_cause *c);
void sto_cause_fini(sto_cause *c);
