/* SPDX-License-Identifier: Apache-2.0 */
/* report/formats/past_session.h - a session that has ended, as data.
 *
 * Purpose     All that the formats of a session are made of: what session.db has, read by store/
 *             and handed over by cli/.
 * Invariants  No text is NULL; the coverage is in order.
 * Ownership   A rep_past owns all of it.
 */
#pragma once

#include "detect/coverage.h"
#include "detect/events.h"
#include "report/page.h"
#include "report/session_page.h"

typedef struct rep_fact {
    char *name, *value;
} rep_fact;

TD_VEC(rep_fact, rep_fact_vec);
TD_VEC(rep_page, rep_page_vec);
TD_VEC(rep_session_sample, rep_sample_vec);

typedef struct rep_past {
    rep_fact_vec facts; /* verdict, runs, digest, ... */
    rep_page_vec pages; /* one per finding, in the order in which they were found */
    det_ledger ledger;
    det_coverage coverage;
    det_event_vec events;   /* none where they are too many */
    rep_sample_vec samples; /* by growing time */
    rep_solver solver;      /* names of its stages are owned */
    char *dir;              /* folder of the session, as a user would name it */
    /* Directory to which paths of files are relative, "" or ending with '/'. */
    char *root;
} rep_past;

/* Returns the value of a fact, "" if there is none. */
const char *rep_past_fact(const rep_past *p, const char *name);
/* The same as a number; 0 if it is not one. */
uint64_t rep_past_number(const rep_past *p, const char *name);
/* Returns how the session ended; REP_N_VERDICTS: it was killed, or still runs. An unknown verdict counts as
 * incomplete. */
rep_verdict rep_past_verdict(const rep_past *p);
/* Why not everything was covered; "" if it was. */
const char *rep_past_stopped(const rep_past *p);
/* The path without root and "./" before it. */
const char *rep_past_path(const rep_past *p, const char *file);
void rep_past_fini(rep_past *p);
