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

/* The totals of all workers that share a search; all zero while it is not shared. */
typedef struct ses_shared_sum {
    bool is_shared, is_leader;
    bool is_complete;            /* every part is done and complete */
    bool has_item;               /* the explorer works on an item */
    uint64_t runs, blocked_runs; /* of all workers; valid at the end */
    uint64_t n_parts;            /* completed items ... */
    xpl_share done;              /* ... and their results */
    uint64_t n_parked, parked_item,
        parked_worker; /* quarantined items, and one of them with a worker it crashed */
    uint64_t n_others, others_parts,
        others_runs; /* workers of other machines, their completed items and runs */
    uint64_t n_checked, n_agreed,
        n_given_up; /* completed items of others that were recomputed for verification */
} ses_shared_sum;

typedef struct ses_sharing {
    ses_sharer *(*new)(ses *s);
    void (*free)(ses_sharer *h);
    /* Starts a campaign. What is explored already becomes its first completed item. */
    td_status (*begin)(ses_sharer *h, td_diag *diag);
    /* Works for the campaign of opts.join. */
    td_status (*join)(ses_sharer *h, td_diag *diag);
    /* Continues with the campaign of the session, if there is one about the same program. */
    td_status (*resume)(ses_sharer *h, td_diag *diag);
    /* True once a campaign was begun, joined or resumed. */
    bool (*is_shared)(const ses_sharer *h);
    /* True if no job may be handed out now. */
    bool (*holds)(const ses_sharer *h);
    /* True if turn must be called once nothing is in flight. */
    bool (*wants_turn)(const ses_sharer *h);
    /* Reads what the other workers published, when that is due. */
    void (*tick)(ses_sharer *h);
    td_status (*turn)(ses_sharer *h, td_diag *diag);
    /* Call when nothing is left to run. *more: there is another item to explore. */
    td_status (*next)(ses_sharer *h, bool *more, td_diag *diag);
    /* Makes all workers restart, because more accesses were promoted. */
    td_status (*promoted)(ses_sharer *h, td_diag *diag);
    /* Saves the rest of the current item for a later session, divided if it would otherwise be repeated. *n:
     * items that were completed or divided in all. */
    td_status (*leave)(ses_sharer *h, uint64_t *n, td_diag *diag);
    /* Waits until all workers have left; then the totals are final. */
    td_status (*end)(ses_sharer *h, td_diag *diag);
    /* Publishes a finding to the other workers. */
    void (*found)(ses_sharer *h, const det_finding *f, const sto_recording *r,
                  const char *page);
    /* Add the counters of the other workers. */
    void (*measure)(const ses_sharer *h, ses_now *n);
    void (*coverage)(const ses_sharer *h, det_coverage *c);
    void (*sum)(const ses_sharer *h, ses_shared_sum *out);
} ses_sharing;

/* ---- for sharers ---- */

typedef enum ses_stop {
    SES_GO,
    SES_STOP_BUG,
    SES_STOP_TIME,
    SES_STOP_USER,
    SES_STOP_MEMORY,
    SES_STOP_RUNS /* the run limit ended a search that is saved */
} ses_stop;

/* Runs of this process. */
typedef struct ses_tally {
    uint64_t runs, blocked_runs, lost_runs, events;
} ses_tally;

/* The exit status of runs, and the largest number of threads. */
typedef struct ses_ends {
    uint64_t n_runs, exit_code;
    bool differ; /* exit statuses differ, or some are unknown */
    uint32_t most_threads;
} ses_ends;

const ses_ends *ses_ends_of(const ses *s);
/* Adds those of another worker. */
void ses_ends_add(ses *s, ses_ends other);

/* True if the search and the options allow sharing. */
bool ses_can_share(const ses *s);
const ses_opts *ses_options(const ses *s);
const xpl_search *ses_search(const ses *s);
/* The current explorer; ses_explorer_again replaces it. */
xpl *ses_explorer(const ses *s);
/* Directory of the session. */
const char *ses_dir(const ses *s);
const char *ses_build_id(const ses *s);
/* Entries that are added are dropped when the search restarts. */
det_ledger *ses_ledger(ses *s);
ses_tally ses_tally_of(const ses *s);
bool ses_has_finding(const ses *s, const char *id);
/* The memory limit of each worker. */
uint64_t ses_worker_memory(const ses *s);
/* Signals that were blocked before the session. */
const sigset_t *ses_signals_before(const ses *s);

uint64_t ses_elapsed_ms(const ses *s);
ses_stop ses_stopped(const ses *s);
/* Stops the session as an interrupt by the user does. */
void ses_stop_for_user(ses *s);
/* Checks the clock and signals, and shows progress. */
void ses_check_budget(ses *s);
/* Prints a line that starts with "treadle: ". */
void ses_say(ses *s, const char *format, ...) TD_PRINTF(2, 3);

/* Accesses that are operations. */
const trc_promoted_vec *ses_promoted(const ses *s);
/* Adds the promoted accesses of another worker from n unchecked bytes. False if the bytes are invalid; the
 * valid accesses before the error have been added. */
bool ses_promoted_read(ses *s, const uint8_t *at, size_t n);
/* Restarts the search from nothing. */
void ses_explorer_again(ses *s);
/* Collects what the runs of this process executed, in order. */
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
