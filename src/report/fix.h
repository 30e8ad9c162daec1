/* SPDX-License-Identifier: Apache-2.0 */
/* report/fix.h - the section FIX of a finding, as data.
 *
 * Purpose     A change with which the finding is gone, found by repair/, as text, JSON and part of a page.
 * Invariants  Either is_found, and the program with the change was explored completely; or only the
 *             command is set, which searches longer.
 * Ownership   A rep_fix owns all its texts; none of them is NULL, unless there is no section: then command is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"

/* Lines of a function. */
typedef struct rep_fix_place {
    char *file, *function;
    uint32_t from, to;
} rep_fix_place;

TD_VEC(rep_fix_place, rep_fix_place_vec);

typedef struct rep_fix {
    bool is_found;
    bool restricts; /* it only removes schedules */
    bool is_cut;    /* not found, and a longer search may find one */
    uint32_t n_tried;
    char *kind;     /* "section", "order", "wake-all", "memory-order"; "" */
    char *change;   /* a sentence; "" */
    char *excerpt;  /* lines of the source with what is added, each with '\n'; "" */
    char *note;     /* what else has to be done there, a sentence; "" */
    char *explored; /* sentences about the exploration with the change; "" */
    char *command;  /* "treadle fix assert-03da" */
    char *same_as;  /* the finding that the change was found for, if not this one; "" */
    rep_fix_place_vec places;
    uint64_t runs, traces;       /* with the change */
    uint32_t n_outcomes, n_kept; /* of runs that passed before; those that remain */
} rep_fix;

/* Texts that are still NULL become "". */
void rep_fix_complete(rep_fix *f);
void rep_fix_copy(rep_fix *to, const rep_fix *from);
void rep_fix_fini(rep_fix *f);

/* The section, with a newline at the end. */
void rep_fix_text(const rep_fix *f, uint32_t columns, td_text *out);
/* Words from the column of sections on; lead stands before the first line. */
void rep_fix_wrap(const char *lead, const char *text, uint32_t columns, td_text *out);
/* Puts the section behind WHY of a report. */
void rep_fix_insert(const rep_fix *f, uint32_t columns, td_text *report);

/* ---- JSON ---- */
struct rep_json;
struct json_object;
void rep_fix_place_print(struct rep_json *j, const rep_fix_place *at);
/* One object; nothing if there is no section. */
void rep_fix_print(struct rep_json *j, const char *name, const rep_fix *f);
/* Reads what was printed, "fix" of an object; nothing is there: no section. Every text has printable characters only. */
TD_MUST_USE td_status rep_fix_parse(const char *text, size_t len, rep_fix *out,
                                    td_diag *diag);
TD_MUST_USE td_status rep_fix_read(struct json_object *o, rep_fix *out, td_diag *diag);
