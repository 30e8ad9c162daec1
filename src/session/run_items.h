/* SPDX-License-Identifier: Apache-2.0 */
/* session/run_items.h - what a run covers, and recordings of runs.
 *
 * Purpose     Runs are kept for what they cover first; a few of them that cover the same make a
 *             regression suite that is replayed without exploring.
 * Words       item: what a run covers. Events are too many, so these are places of the source:
 *             a side of a branch; an operation at a site; a pair of sites, whose operations
 *             two threads did on one object, the second as the first had left it.
 * Invariants  Items of one build of a program are the same in every run and session.
 */
#pragma once

#include "session/session.h"

/* kind, in the plural */
#define SES_ITEMS(X)                                                                     \
    X(SIDE, "branch sides")                                                              \
    X(SITE, "operations")                                                                \
    X(PAIR, "pairs")

typedef enum ses_item_kind {
#define X(name, text) SES_ITEM_##name,
    SES_ITEMS(X)
#undef X
        SES_N_ITEMS
} ses_item_kind;

typedef struct ses_item {
    ses_item_kind kind;
    td_id id; /* unique among all kinds */
} ses_item;

TD_VEC(ses_item, ses_item_vec);

/* Each item of the run once; trc_identify comes before, WIRE_JOB_SIDES is for sides. */
void ses_items(const trc *t, ses_item_vec *out);

/* A recording that was followed. */
typedef struct ses_followed {
    bool is_bug; /* it has a failure */
    /* The recorded failure occurred again, or no failure is recorded and none occurred */
    bool as_recorded;
    bool failed;        /* a recording without a failure: there was one */
    ses_item_vec items; /* items of the run, if it has no failure */
    uint32_t n_choices;
    char *program; /* the recorded program */
} ses_followed;

/* Runs a recording once, in silence. */
TD_MUST_USE td_status ses_follow(const char *path, const ses_exec *exec,
                                 ses_followed *out, td_diag *diag);
void ses_followed_fini(ses_followed *f);
