/* SPDX-License-Identifier: Apache-2.0 */
/* report/verdict.h - what a session comes to: its name in every format, its words, the exit status. */
#pragma once

#include <string.h>

/* name, name in formats, headline, clause, exit status of treadle */
#define REP_VERDICTS(X)                                                                  \
    X(BUG, "bug", "BUG", "bug found", 1)                                                 \
    X(SUSPECTED, "suspected", "SUSPECTED",                                               \
      "a bug was seen, and the session ended before it was confirmed", 1)                \
    X(NOTHING, "nothing-explored", "NOTHING EXPLORED",                                   \
      "no run had a choice: no thread, no input", 3)                                     \
    X(INCOMPLETE, "incomplete", "NO BUG - INCOMPLETE",                                   \
      "no bug found, but not everything was covered", 3)                                 \
    X(COMPLETE, "complete", "NO BUG - COMPLETE", "complete, no bug found", 0)

typedef enum rep_verdict {
#define X(name, id, headline, clause, status) REP_VERDICT_##name,
    REP_VERDICTS(X)
#undef X
        REP_N_VERDICTS /* of a stored session: it was killed, or still runs */
} rep_verdict;

typedef struct rep_verdict_row {
    const char *id, *headline, *clause;
    int status;
} rep_verdict_row;

/* REP_N_VERDICTS has a row as well. */
static inline const rep_verdict_row *rep_verdict_of(rep_verdict v)
{
    static const rep_verdict_row rows[REP_N_VERDICTS + 1] = {
#define X(name, id, headline, clause, status) {id, headline, clause, status},
        REP_VERDICTS(X)
#undef X
            {"", "NOT ENDED",
             "the session has not ended: it was killed or is still running", 3}};
    return &rows[(unsigned)v < REP_N_VERDICTS ? v : REP_N_VERDICTS];
}

static inline rep_verdict rep_verdict_named(const char *id)
{
    unsigned v = 0;
    while (v < REP_N_VERDICTS && strcmp(rep_verdict_of((rep_verdict)v)->id, id) != 0)
        v++;
    return (rep_verdict)v;
}
