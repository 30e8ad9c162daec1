/* SPDX-License-Identifier: Apache-2.0 */
/* session/sharing.h - the search of a session is shared with others.
 *
 * Purpose     The table of functions that a session is given for it (ses_opts.sharing), and what the one
 *             behind the table, the sharer, may ask of the session. campaign/ is the one that there is.
 * Words       sharer: takes parts of the search, hands them to the session, tells others what came of it.
 * Invariants  (S1) a session calls begin, join or resume at most once, and leave at most once after it;
 *             (S2) turn, next, promoted and leave are called while nothing is in flight.
 * Ownership   The session owns its sharer from new to free.
 */
#pragma once

#include <signal.h>

#include "explore/core/item.h"
#include "session/progress.h"
#include "session/session.h"
#include "store/store.h"

/* Kinds of gaps of a search at most. */
#define SES_MAX_GAPS 32u

typedef struct ses ses;
typedef struct ses_sharer ses_sharer;

/* What all who share a search have done; all zero while it is not shared. */
typedef struct ses_shared_sum {
    bool is_shared, is_leader;
    bool is_complete;            /* every part is done and complete */
    bool has_item;               /* a part that is not done is the explorer's */
    uint64_t runs, blocked_runs; /* of all, at the end */
    uint64_t n_parts;            /* that are done ... */
    xpl_share done;              /* ... and what they gave */
    uint64_t n_parked, parked_item, parked_worker; /* parts that end every worker */
    uint64_t n_others, others_parts, others_runs;  /* that are on other machines */
    uint64_t n_checked, n_agreed, n_given_up;      /* parts of others, done again */
} ses_shared_sum;

typedef struct ses_sharing {
    ses_sharer *(*new)(ses *s);
    void (*free)(ses_sharer *h);
    /* What is explored already is the first part of a campaign of our own. */
    td_status (*begin)(ses_sharer *h, td_diag *diag);
    /* Works for the campaign of opts.join. */
    td_status (*join)(ses_sharer *h, td_diag *diag);
    /* Continues with the campaign of the session, if there is one about the same program. */
    td_status (*resume)(ses_sharer *h, td_diag *diag);
    /* Something is shared. */
    bool (*is_shared)(const ses_sharer *h);
    /* No job may be handed out now. */
    bool (*holds)(const ses_sharer *h);
    /* turn is to be called once nothing is in flight. */
    bool (*wants_turn)(const ses_sharer *h);
    /* Looks at the others now and then. */
    void (*tick)(ses_sharer *h);
    td_status (*turn)(ses_sharer *h, td_diag *diag);
    /* Nothing is left to run. *more: there is another part to explore. */
    td_status (*next)(ses_sharer *h, bool *more, td_diag *diag);
    /* More accesses are operations: all restart. */
    td_status (*promoted)(ses_sharer *h, td_diag *diag);
    /* The session ends before its search: what is left of the part is for a session to come; divided, if
     * it would be done again. *n: parts that were done or divided in all. */
    td_status (*leave)(ses_sharer *h, uint64_t *n, td_diag *diag);
    /* The end: everybody leaves, and what all did is known. */
    td_status (*end)(ses_sharer *h, td_diag *diag);
    /* A finding of ours is for the others, too. */
    void (*found)(ses_sharer *h, const det_finding *f, const sto_recording *r,
                  const char *page);
    /* Adds what the others did. */
    void (*measure)(const ses_sharer *h, ses_now *n);
    void (*coverage)(const ses_sharer *h, det_coverage *c);
    void (*sum)(const ses_sharer *h, ses_shared_sum *out);
} ses_sharing;

/* ---- what a sharer may ask of the session ---- */

typedef enum ses_stop {
    SES_GO,
    SES_STOP_BUG,
    SES_STOP_TIME,
    SES_STOP_USER,
    SES_STOP_MEMORY,
    SES_STOP_RUNS /* of a search whose rest is written down */
} ses_stop;

/* Runs of this process. */
typedef struct ses_tally {
    uint64_t runs, blocked_runs, lost_runs, events;
} ses_tally;

/* How runs end, and how many threads they have. */
typedef struct ses_ends {
    uint64_t n_runs, exit_code;
    bool differ; /* in how they end, or it is not known of all */
    uint32_t most_threads;
} ses_ends;

const ses_ends *ses_ends_of(const ses *s);
/* Those of another worker. */
void ses_ends_add(ses *s, ses_ends other);

/* The search can be shared: by what it is and by the options. */
bool ses_can_share(const ses *s);
const ses_opts *ses_options(const ses *s);
const xpl_search *ses_search(const ses *s);
/* Another one after ses_explorer_again. */
xpl *ses_explorer(const ses *s);
/* Directory of the session. */
const char *ses_dir(const ses *s);
const char *ses_build_id(const ses *s);
/* Lines that are added hold until the search restarts. */
det_ledger *ses_ledger(ses *s);
ses_tally ses_tally_of(const ses *s);
bool ses_has_finding(const ses *s, const char *id);
/* Bytes of each worker. */
uint64_t ses_worker_memory(const ses *s);
/* Signals that were blocked before the session. */
const sigset_t *ses_signals_before(const ses *s);

uint64_t ses_elapsed_ms(const ses *s);
ses_stop ses_stopped(const ses *s);
/* As if the user had asked for it. */
void ses_stop_for_user(ses *s);
/* Looks at the clock and at signals, and shows progress. */
void ses_check_budget(ses *s);
/* A line of its own, starting with "treadle: ". */
void ses_say(ses *s, const char *format, ...) TD_PRINTF(2, 3);

/* Accesses that are operations. */
const trc_promoted_vec *ses_promoted(const ses *s);
/* They are those of another worker: n bytes that nobody has checked. False: what comes first of them
 * was taken, the rest are none. */
bool ses_promoted_read(ses *s, const uint8_t *at, size_t n);
/* The search starts as if nothing had been run. */
void ses_explorer_again(ses *s);
/* What the runs of this process executed, in order. */
void ses_coverage_collect(ses *s, det_coverage *out);

/* The failing run of a recording. */
typedef struct ses_kept {
    bool is_set;
    trc run;
    det_finding finding;
    trc_promoted_vec promoted;
} ses_kept;
void ses_kept_fini(ses_kept *k);
/* Follows a recording of the session's own program, in silence, once all that is in flight has come
 * back. Where the session is to end it gets a moment more; TD_E_LIMIT: not enough, or it is too long.
 * kept is filled if it fails as recorded; may be NULL. */
TD_MUST_USE td_status ses_recheck(ses *s, const char *path, const sto_recording *r,
                                  ses_kept *kept, bool *fails, td_diag *diag);
/* True if the finding is not to be reported; it is counted. */
bool ses_suppress(ses *s, const det_finding *f);

/* A run that shows a finding, and how to repeat it. */
typedef struct ses_shown {
    const trc *t;
    const trc_step_vec *schedule;
    const trc_promoted_vec *promoted;
    uint32_t no_return;     /* rep_finding.no_return */
    const rep_cause *cause; /* likewise */
    uint64_t cut_ms;        /* likewise */
} ses_shown;
/* Takes the finding over: stores, prints and keeps it. */
TD_MUST_USE td_status ses_publish(ses *s, det_finding *f, const ses_shown *how,
                                  td_diag *diag);
