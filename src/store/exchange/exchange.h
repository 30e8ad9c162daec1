/* SPDX-License-Identifier: Apache-2.0 */
/* store/exchange/exchange.h - the remaining work of a campaign, shared by its workers.
 *
 * Purpose     One command, sto_exchange, with which a worker submits results and takes items. Two
 *             engines behind it: the session's SQLite file, and PostgreSQL.
 * Words       campaign: an exploration of one program with one set of options. item: remaining work;
 *             its payload is opaque here (explore/core/item.h). lease: which worker works on an item,
 *             until when. token: a number of the lease. part: the result of a completed item.
 *             generation: how often the campaign restarted, as more accesses were promoted; data of
 *             earlier generations is void.
 * Invariants  (S1) parts and remaining items cover everything and are disjoint; each command
 *             preserves this, and is atomic;
 *             (S2) a report counts only if its token is that of the item's lease and its
 *                  generation that of the campaign, so a report that comes twice, or late,
 *                  changes nothing. Findings count always.
 *             (S3) time is the engine's, never a worker's.
 *             (S4) data from an engine is not trusted: sizes are bounded, bad rows are an error with a message.
 * Leases      An expired lease stays valid until another worker takes the item. An item whose
 *             STO_MAX_ATTEMPTS leases all expired without a report is parked: no worker gets it, no
 *             report for it counts, and the campaign ends without it, incomplete.
 * Repeats     A call whose answer was lost can be repeated unchanged: it is stale by then, and the
 *             items leased in the lost answer are leased again.
 * Threads     A link belongs to one thread. It is not carried over a fork: other processes open
 *             their own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/id.h"
#include "base/status.h"
#include "base/vec.h"

/* Limits of both engines; functions.sql names them, too (embed.py). */
#define STO_MAX_PAYLOAD (1u << 20)   /* bytes of an item */
#define STO_MAX_TEXT (16u << 20)     /* bytes of one text of a finding or worker */
#define STO_MAX_ATTEMPTS 3u          /* leases of an item that ended without a report */
#define STO_MAX_WANT 4096u           /* items of one reply */
#define STO_MAX_NEWS 10000u          /* findings of a campaign on a farm */
#define STO_MAX_DIVISIONS (4u << 20) /* items of a generation that a leader reads */

typedef struct sto_bytes {
    uint8_t *at;
    size_t len;
} sto_bytes;
TD_VEC(sto_bytes, sto_bytes_vec);

/* What a campaign is about; all texts are given, "" if empty. */
typedef struct sto_campaign {
    char *version; /* version of treadle */
    /* Version of the format of items and parts: workers must have the same. */
    char *protocol;
    char *build_id; /* build id of the program */
    char *command;  /* the program and its arguments, for people */
    char *options;  /* all that affects what is explored, as JSON */
} sto_campaign;
void sto_campaign_fini(sto_campaign *c);

/* An item with its lease. */
typedef struct sto_work {
    uint64_t item, token;
    uint32_t attempts; /* this one included */
    sto_bytes payload;
} sto_work;
TD_VEC(sto_work, sto_work_vec);
void sto_work_fini(sto_work_vec *w);

/* What an item gave when it was done. */
typedef struct sto_part {
    uint64_t events, traces, whole_traces;
    td_id digest, trace_digest;
    uint64_t known;   /* events that the worker met for it, whosever they are */
    bool is_complete; /* nothing of it was left out */
} sto_part;

/* A finding, as its worker has recorded it. */
typedef struct sto_news {
    char *id, *kind, *file, *function, *message;
    uint32_t line;
    char *recording; /* its text */
    char *page;      /* report/page.h, as JSON */
    char *text;      /* as it is printed */
} sto_news;
TD_VEC(sto_news, sto_news_vec);
void sto_news_fini(sto_news_vec *n);

/* The status of a worker; replaces its previous one. Texts that are NULL are unchanged. */
typedef struct sto_worker {
    char *name; /* host and process, for people */
    uint64_t runs, events_met, targets;
    uint64_t blocked_runs, lost_runs;
    uint64_t cpu_ms, rss_kb;
    char *ledger, *coverage; /* texts of the session's */
    /* Set by the engine, not by the worker: */
    uint64_t id;        /* its number in the campaign */
    uint64_t n_parts;   /* parts that it submitted in this generation ... */
    uint64_t n_cut;     /* ... those that are not complete */
    bool is_unreadable; /* a field was invalid, and is 0 or "" here */
    uint64_t silent_ms; /* since it was heard of */
    uint64_t lived_ms;  /* from when it joined until then */
    uint64_t n_items;   /* leased to it */
    bool is_gone;       /* sto_worker_gone */
} sto_worker;
TD_VEC(sto_worker, sto_worker_vec);

typedef struct sto_report {
    uint64_t worker; /* from sto_link_join */
    uint32_t generation;
    uint64_t item, token; /* 0: nothing is handed in */
    /* True: part holds what it gave; children is what is left of it. False: nothing is counted;
     * children replace the item as it is, and without any its lease restarts. */
    bool is_done;
    sto_part part;
    const sto_bytes *children; /* n_children: they replace the item */
    size_t n_children;
    /* The first child is leased to this worker at once, unless stopped. */
    bool keeps_first;
    const sto_news *news;
    size_t n_news;
    const sto_worker *state; /* NULL: as before */
    uint32_t want;           /* items beside the kept one, at most STO_MAX_WANT */
    uint32_t lease_ms;       /* not 0 */
} sto_report;

/* With very many workers counts may be a quarter of a second old; that nothing is left is never a
 * guess. */
typedef struct sto_reply {
    bool is_stale; /* the report did not count, but for its findings */
    uint32_t generation;
    sto_work_vec work;  /* the kept child first */
    uint64_t n_ready;   /* items without a worker, or whose lease has expired */
    uint64_t n_left;    /* items in all but parked ones; 0: the campaign is done */
    uint64_t n_workers; /* that were heard of within a lease */
    uint64_t n_hungry;  /* workers without an item */
    uint64_t n_runs;    /* runs reported by all workers, including those that have left */
    uint64_t n_targets; /* open targets reported by present workers */
    bool is_stopped;    /* the campaign was stopped: nothing more is leased */
    uint64_t n_findings; /* known by now */
} sto_reply;
void sto_reply_fini(sto_reply *r);

typedef struct sto_link sto_link;

/* where: the path of a session.db that is there (sto_session_create), or an address
 * postgresql://... with all that libpq understands in it. */
TD_MUST_USE td_status sto_link_open(const char *where, sto_link **out, td_diag *diag);
void sto_link_close(sto_link *l);

/* The roles that may create a farm. Its functions run with that role's rights. */
typedef enum sto_farm_owner { STO_OWNER_NO_SUPERUSER, STO_OWNER_ANY } sto_farm_owner;

/* Makes the tables, functions and roles of a farm, or what is missing of them; where names a role
 * that may create them in an empty or older database. *has_temporary: every login can still make
 * temporary objects there, since the role may not forbid it. */
TD_MUST_USE td_status sto_farm_init(const char *where, sto_farm_owner owner,
                                    bool *has_temporary, td_diag *diag);

/* True: an address of a farm, not the path of a file. */
bool sto_is_farm(const char *where);

/* Begins a campaign with one item, the payload of the whole; *id is its number. */
TD_MUST_USE td_status sto_campaign_begin(sto_link *l, const sto_campaign *c,
                                         sto_bytes whole, uint64_t *id, td_diag *diag);
/* Opens the campaign to continue; id 0: the newest. Fails if there is none. */
TD_MUST_USE td_status sto_campaign_open(sto_link *l, uint64_t id, sto_campaign *out,
                                        td_diag *diag);
/* Number of the open campaign. */
uint64_t sto_campaign_number(const sto_link *l);
/* Call when no worker of an earlier process exists: ends all leases, without counting attempts, tries parked
 * items again, and continues a stopped campaign. */
TD_MUST_USE td_status sto_leases_clear(sto_link *l, td_diag *diag);
/* The worker is gone; its leases end, each an attempt. */
TD_MUST_USE td_status sto_worker_gone(sto_link *l, uint64_t worker, td_diag *diag);
/* A worker of the campaign; *worker is its number. */
TD_MUST_USE td_status sto_link_join(sto_link *l, const char *name, uint64_t *worker,
                                    td_diag *diag);

TD_MUST_USE td_status sto_exchange(sto_link *l, const sto_report *report, sto_reply *out,
                                   td_diag *diag);
/* The same as an exchange with nothing to say, but cheap: only the numbers of the reply. */
TD_MUST_USE td_status sto_peek(sto_link *l, sto_reply *out, td_diag *diag);

/* The campaign restarts: generation becomes that of from and 1, unless it is that already.
 * promoted: accesses that are operations from now on, as bytes. */
TD_MUST_USE td_status sto_campaign_again(sto_link *l, uint32_t from, sto_bytes whole,
                                         sto_bytes promoted, td_diag *diag);
TD_MUST_USE td_status sto_campaign_promoted(sto_link *l, sto_bytes *out, td_diag *diag);
TD_MUST_USE td_status sto_campaign_stop(sto_link *l, td_diag *diag);

/* ---- what came of it ---- */

typedef struct sto_total {
    sto_part sum;                        /* sum of all parts of this generation */
    uint64_t n_parts, n_items, n_parked; /* parked: items that ended every worker */
    uint64_t parked_item,
        parked_worker; /* the first parked item, and its last worker; 0: unknown */
    bool is_complete;  /* no item is left, none parked, all parts are complete */
} sto_total;
TD_MUST_USE td_status sto_campaign_total(sto_link *l, sto_total *out, td_diag *diag);
/* Lists findings after the first `after`, in order of arrival. A farm returns some of them at a time, and
 * none if there are no more. A finding that cannot be read has no recording. */
TD_MUST_USE td_status sto_campaign_news(sto_link *l, uint64_t after, sto_news_vec *out,
                                        td_diag *diag);
TD_MUST_USE td_status sto_campaign_workers(sto_link *l, sto_worker_vec *out,
                                           td_diag *diag);
void sto_workers_fini(sto_worker_vec *w);

/* An item that a worker did, and what it said that it gave. */
typedef struct sto_claim {
    uint64_t worker, item;
    sto_bytes payload;
    sto_part part; /* complete; known is 0 */
} sto_claim;
TD_VEC(sto_claim, sto_claim_vec);
void sto_claims_fini(sto_claim_vec *s);
/* A few parts, drawn at random, of other workers than these. Only a farm keeps them. */
TD_MUST_USE td_status sto_campaign_claims(sto_link *l, const uint64_t *own, size_t n_own,
                                          sto_claim_vec *out, td_diag *diag);

/* An item that there was, and which half of another it is. */
typedef struct sto_division {
    uint64_t item, parent; /* parent 0: it is the whole */
    uint64_t n_done;       /* parts that were handed in for it */
    sto_bytes literal;     /* what it has more than its parent (explore/core/item.h) */
} sto_division;
TD_VEC(sto_division, sto_division_vec);
void sto_divisions_fini(sto_division_vec *d);
/* How the generation was divided, in the order of items; the first STO_MAX_DIVISIONS. Only a farm keeps
 * that. */
TD_MUST_USE td_status sto_campaign_divisions(sto_link *l, uint32_t generation,
                                             sto_division_vec *out, td_diag *diag);
