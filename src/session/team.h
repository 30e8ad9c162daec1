/* SPDX-License-Identifier: Apache-2.0 */
/* session/team.h - a session that shares its search with others, or goes on with one.
 *
 * Purpose     Takes items of a campaign (store/exchange/exchange.h), explores them with the session's own
 *             explorer and runner, divides them for others, hands in what they gave.
 * Words       campaign, item, part, generation: store/exchange/exchange.h, docs/glossary.md.
 *             leader: the session that began or resumed the campaign, and says what came of it.
 *             crew: the processes that it started to work beside it.
 * Invariants  (M1) a session without a farm shares nothing before SES_ALONE_MS: what ends within
 *                  that is the same whatever the number of workers;
 *             (M2) items change hands only while nothing is in flight;
 *             (M3) what was not handed in is still an item, so that nothing is lost with a worker.
 */
#pragma once

#include "explore/core/item.h"
#include "session/worker_process.h"
#include "store/exchange/exchange.h"

#define SES_ALONE_MS 1000u
#define SES_ALONE_ONE_MS 120000u /* one worker: runs are the same for longer */

/* What crosses processes: items, parts, ids of events. */
#define SES_PROTOCOL 1u

/* What others than the leader and its crew did. */
typedef struct ses_others {
    uint64_t n, parts, runs; /* of them with a part or run; runs as they said */
} ses_others;

/* Parts of others that the leader of a farm does again once nothing is left. */
typedef struct ses_samples {
    bool is_drawn;
    bool is_open; /* the one at hand is explored */
    sto_claim_vec at;
    size_t n_done;     /* looked at, or left */
    uint64_t until_ms; /* no longer than that */
    uint64_t n_checked, n_agreed, n_given_up;
} ses_samples;

typedef struct ses_team {
    sto_link *link; /* NULL: not shared, or not yet */
    bool is_leader;
    bool was_resumed;
    char *dir; /* of the session; the leader's */
    uint64_t worker;
    uint32_t generation;
    bool has_item;
    bool is_unreadable; /* the item, whose payload is none */
    uint64_t item, token;
    uint64_t item_ms; /* when it was taken, or divided */
    uint64_t heard_ms, peek_ms, split_ms;
    bool pauses;    /* nothing is staged until what is in flight came back */
    sto_reply peek; /* numbers only */
    td_status failed;
    td_diag why;
    sto_news_vec news;   /* to be handed in */
    uint64_t n_taken_in; /* findings of the campaign that were looked at */
    ses_hand_vec crew;
    uint64_t told_runs, told_targets; /* in the last report */
    uint64_t n_splits, n_items, n_done;
    bool is_over; /* no item is left */
    sto_total total;
    uint64_t runs, blocked_runs; /* of all workers, at the end */
    td_text coverage;  /* of the others, at the end; as put_coverage writes it */
    trc_u64_vec own;   /* the leader's: numbers of itself and of all of its crew */
    ses_others others; /* at the end */
    ses_samples samples;
    uint32_t n_named; /* rows of members that have a line in the ledger */
} ses_team;

struct ses;
