/* SPDX-License-Identifier: Apache-2.0 */
/* campaign/top.h - the status of a campaign and its workers: a screen, JSON, Prometheus.
 *
 * Purpose     Turns figures into text; nothing here knows where they come from.
 * Words       campaign, item, part, worker: store/exchange/exchange.h, docs/parallel.md.
 * Invariants  Names and commands come from elsewhere: on a screen only printable characters of
 *             them are shown, in JSON and Prometheus they are quoted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"

typedef struct cam_top_worker {
    const char *name;
    uint64_t runs, blocked_runs, lost_runs;
    double runs_per_second;
    uint64_t items; /* leased to it */
    uint64_t rss_kb, cpu_ms;
    uint64_t silent_ms; /* since it was heard of */
    bool is_gone;
} cam_top_worker;
TD_VEC(cam_top_worker, cam_top_worker_vec);

typedef struct cam_top {
    uint64_t campaign; /* its number */
    const char *command, *version;
    uint64_t generation;
    bool is_stopped, is_done, is_complete;
    bool has_ended;                 /* the session has, with items left */
    uint64_t ready, leased, parked; /* items; ready: also those whose lease has ended */
    uint64_t parts, events, traces; /* counts of completed items */
    uint64_t known;                 /* events that workers met for them */
    uint64_t findings;
    uint64_t active, hungry; /* workers heard of within a lease; those without an item */
    cam_top_worker_vec workers;
} cam_top;

/* What workers met for their parts, for each event that is one's own; 1: nothing twice. 0: no event
 * yet. */
double cam_top_rediscovery(const cam_top *t);
/* The longest that a worker with an item was silent: how late an item may be. */
uint64_t cam_top_lag_ms(const cam_top *t);
double cam_top_runs_per_second(const cam_top *t);

/* At most rows lines of at most columns characters; 0: no bound. */
typedef struct cam_top_screen {
    uint32_t columns, rows;
} cam_top_screen;
void cam_top_print(const cam_top *t, cam_top_screen screen, td_text *out);
/* One object and a line break. */
void cam_top_json(const cam_top *t, td_text *out);
/* Text format 0.0.4. */
void cam_top_prometheus(const cam_top *t, td_text *out);
