/* SPDX-License-Identifier: Apache-2.0 */
/* explore/baselines/sample.h - what searches that draw schedules share. */
#pragma once

#include "explore/core/explore_int.h"
#include "explore/core/pair_cover.h"

typedef struct xpl_sample {
    xpl head;
    uint64_t seed, n_runs; /* n_runs: bound */
    uint64_t n_jobs, n_back;
    uint64_t n_earlier; /* jobs of earlier sessions: seeds continue after theirs */
    char gap_text[40];
    bool counts_pairs;
    xpl_pair_cover cover; /* empty unless pairs are counted */
    /* pct */
    uint32_t depth;
    uint32_t length;     /* what the batch uses */
    uint32_t longest;    /* choices of a run so far, from its first create on */
    uint64_t batch_ends; /* jobs handed out when everything must be fed */
} xpl_sample;

xpl *xpl_sample_new(const xpl_search *search, const xpl_opts *opts);
/* The same in a larger structure that begins with it and is all-zero. */
void xpl_sample_init(xpl_sample *s, const xpl_search *search, const xpl_opts *opts);
void xpl_sample_feed(xpl *x, const trc *result);
void xpl_sample_lost(xpl *x, uint64_t job);
bool xpl_sample_complete(const xpl *x);
size_t xpl_sample_gaps(const xpl *x, xpl_gap *out, size_t max);
void xpl_sample_left(const xpl *x, xpl_left *out);
uint64_t xpl_sample_pairs(const xpl *x);
void xpl_sample_free(xpl *x);
/* What the tables of all of them have. */
#define XPL_SAMPLE_ROWS                                                                  \
    .samples = true, .lost = xpl_sample_lost, .complete = xpl_sample_complete,           \
    .gaps = xpl_sample_gaps, .left = xpl_sample_left, .pairs = xpl_sample_pairs
/* The next job, without what is special of a policy. */
void xpl_sample_job(xpl_sample *s, uint32_t policy, xpl_job *out);
/* False: what was handed out has to be fed first. *is_new: a batch begins, and what it uses of earlier
 * runs is to be looked up. */
bool xpl_sample_batch(xpl_sample *s, bool *is_new);
