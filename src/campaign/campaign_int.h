/* SPDX-License-Identifier: Apache-2.0 */
/* campaign/campaign_int.h - a session that shares its search with others, or continues with one.
 *
 * Purpose     Takes items of a campaign (store/exchange/exchange.h), explores them with the session's own
 *             explorer and runner, divides them for other workers, and submits their results.
 * Words       campaign, item, part, generation: store/exchange/exchange.h, docs/glossary.md.
 *             leader: the session that began or resumed the campaign, and reports its result. local
 *             workers: the worker processes that the leader started.
 * Invariants  (M1) a session without a farm shares nothing before SES_ALONE_MS: a session that ends
 *             within that is the same for every number of workers;
 *             (M2) items change hands only while nothing is in flight;
 *             (M3) work that was not submitted is still an item, so nothing is lost with a worker.
 */
#pragma once

#include "base/assert.h"
#include "campaign/campaign.h"
#include "campaign/worker_process.h"
#include "explore/core/item.h"
#include "store/exchange/exchange.h"

#define SES_ALONE_MS 1000u
#define SES_ALONE_ONE_MS 120000u /* one worker: runs are the same for longer */

/* What crosses processes: items, parts, ids of events. */
#define CAM_PROTOCOL 3u

/* What others than the leader and its local workers did. */
typedef struct cam_others {
    uint64_t n, parts, runs; /* those with a part or run; runs as they reported them */
} cam_others;

/* Parts of others that the leader of a farm does again once nothing is left. */
typedef struct cam_samples {
    bool is_drawn;
    bool is_open;   /* the one at hand is explored */
    bool is_closed; /* no more items are explored */
    sto_claim_vec at;
    size_t n_done;     /* looked at, or left */
    uint64_t until_ms; /* no longer than that */
    uint64_t n_checked, n_agreed;
    uint64_t n_given_up; /* drawn, and neither agreed nor disagreed */
} cam_samples;

typedef struct ses_sharer cam_team;

struct ses_sharer {
    ses *ses;
    const ses_opts *opts;     /* options of the session */
    const xpl_search *search; /* likewise */
    sto_link *link;           /* NULL: not shared, or not yet */
    bool is_leader;
    bool was_resumed;
    char *dir; /* folder of the leader's session */
    uint64_t worker;
    uint32_t generation;
    bool has_item;
    bool is_unreadable; /* the item, whose payload is invalid */
    uint64_t item, token;
    uint64_t item_ms; /* when it was taken, or divided */
    uint64_t heard_ms, peek_ms, split_ms;
    bool is_crowded; /* other processes kept the machine busy at the last look */
    bool pauses;     /* nothing is staged until what is in flight came back */
    sto_reply peek;  /* numbers only */
    td_status failed;
    td_diag why;
    sto_news_vec news;   /* to be handed in */
    uint64_t n_taken_in; /* findings of the campaign that were looked at */
    cam_worker_vec local;
    uint64_t reported_runs, reported_targets; /* in the last report */
    uint64_t n_splits, n_items, n_done;
    bool is_over; /* no item is left */
    sto_total total;
    uint64_t runs, blocked_runs; /* runs of all workers, at the end */
    /* Coverage of the other workers, at the end; as put_coverage writes it. */
    td_text coverage;
    trc_u64_vec own; /* the leader's: numbers of itself and of all of its local workers */
    cam_others others; /* at the end */
    cam_samples samples;
    uint32_t n_named;           /* rows of members that have a line in the ledger */
    xpl_gap gaps[SES_MAX_GAPS]; /* gaps of the search, in items that were not cut short */
    size_t n_gaps;
};

/* ---- item_division.c ---- */
/* Reads an item; false if it is invalid or of another search. */
bool cam_item_read(const cam_team *t, const sto_bytes *payload, xpl_item *out);
/* Makes the part to submit from the results of the search for an item. */
sto_part cam_part_of(const xpl_share *share, bool is_complete);
/* The items that replace an item. */
typedef struct cam_division {
    sto_report report;
    sto_bytes_vec children;
} cam_division;
/* Divides the item. False: that is not worth it. */
bool cam_divide(const cam_team *t, cam_division *out);
/* What was run of the item, and what was not. False: that cannot be written down, and all of it is done
 * again. */
bool cam_leave_rest(const cam_team *t, cam_division *out);
void cam_division_fini(cam_division *d);

/* ---- local_workers.c ---- */
TD_MUST_USE td_status cam_local_start(cam_team *t, td_diag *diag);
TD_MUST_USE td_status cam_local_look(cam_team *t, td_diag *diag);
void cam_local_stop(cam_team *t);

/* ---- covered.c ---- */
/* Derives from the divisions whether the parts are all of the search; else a ledger entry. */
TD_MUST_USE td_status cam_covered_check(cam_team *t, td_diag *diag);

/* ---- samples.c ---- */
/* No item is left. *more: a part that another member handed in is to be explored again. */
TD_MUST_USE td_status cam_samples_next(cam_team *t, bool *more, td_diag *diag);
/* What there is to say of one that takes too long: it is given up. */
bool cam_samples_late(const cam_team *t);
void cam_samples_give_up(cam_team *t);
/* They are of another generation. */
void cam_samples_drop(cam_team *t);

/* ---- worker_news.c ---- */
/* Adds a ledger entry about an unusable row that a member submitted. */
void cam_member_gap(cam_team *t, const char *format, ...) TD_PRINTF(2, 3);
/* Describes the campaign of this session. */
void cam_describe(cam_team *t, sto_campaign *out);
/* Fills in the status of this worker. */
void cam_state(cam_team *t, sto_worker *out);
void cam_state_fini(sto_worker *w);
/* Adds the counters of the other workers to those of this one. */
void cam_measure(const cam_team *t, ses_now *n);
/* Publishes a finding to the other workers. */
void cam_tell(cam_team *t, const det_finding *f, const sto_recording *r,
              const char *page);
/* Findings of the others, while nothing is in flight. */
TD_MUST_USE td_status cam_take_news(cam_team *t, td_diag *diag);
/* What all did together; the local workers have left. */
TD_MUST_USE td_status cam_gather(cam_team *t, td_diag *diag);
void cam_coverage(const cam_team *t, det_coverage *c);
