/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/explore_int.h"

#include <stdio.h>

#include "base/assert.h"

/* Searches that draw schedules: a uniform choice at each operation, and PCT.
 *
 * PCT needs the length of a run to place its change points. The first job is a plain run
 * to learn it. Later runs may be longer, so the longest so far is used; but it is looked
 * up only between batches, when everything handed out has been fed, and batches grow
 * fourfold: so jobs do not depend on how many are under way. */

enum { DEFAULT_DEPTH = 3, DEFAULT_LENGTH = 100, SECOND_BATCH = 64 };

typedef struct sample {
    xpl head;
    uint64_t seed, n_runs; /* n_runs: bound */
    uint64_t n_jobs, n_back;
    char gap_text[40];
    /* pct */
    uint32_t depth;
    uint32_t length;     /* what the batch uses */
    uint32_t longest;    /* choices of a run so far */
    uint64_t batch_ends; /* jobs handed out when everything must be fed */
} sample;

static xpl *sample_new(const xpl_search *search, const xpl_opts *opts)
{
    sample *s = td_alloc(sizeof *s);
    s->head.search = search;
    s->seed = opts->seed;
    s->n_runs = opts->runs ? opts->runs : XPL_DEFAULT_RUNS;
    s->depth = opts->pct_depth ? opts->pct_depth : DEFAULT_DEPTH;
    s->batch_ends = 1;
    snprintf(s->gap_text, sizeof s->gap_text, "search %s is a sample", search->name);
    return &s->head;
}

static void sample_feed(xpl *x, const trc *result)
{
    sample *s = (sample *)x;
    TD_ASSERT(s->n_back < s->n_jobs);
    s->n_back++;
    if (result->n_choices > s->longest)
        s->longest = result->n_choices;
}

static void sample_lost(xpl *x, uint64_t job)
{
    sample *s = (sample *)x;
    TD_ASSERT(s->n_back < s->n_jobs && job <= s->n_jobs);
    s->n_back++;
}

static bool sample_complete(const xpl *x)
{
    (void)x;
    return false;
}

/* However many runs there are, they are a sample. */
static size_t sample_gaps(const xpl *x, xpl_gap *out, size_t max)
{
    const sample *s = (const sample *)x;
    if (max == 0)
        return 0;
    out[0] = (xpl_gap){"runs", s->gap_text, 1};
    return 1;
}

/* The runs asked for; they are not targets. */
static void sample_left(const xpl *x, xpl_left *out)
{
    const sample *s = (const sample *)x;
    TD_ASSERT(s->n_back <= s->n_runs);
    *out = (xpl_left){.is_known = true, .runs = (double)(s->n_runs - s->n_back)};
}

static void sample_free(xpl *x)
{
    td_free(x);
}

static void sample_job(sample *s, uint32_t policy, xpl_job *out)
{
    TD_ASSERT(s->n_jobs < s->n_runs);
    s->n_jobs++;
    *out = (xpl_job){.id = s->n_jobs,
                     .policy = policy,
                     .flags = WIRE_JOB_WAKE,
                     .seed = xpl_seed(s->seed, s->n_jobs)};
}

/* ---- random ---- */

static xpl *random_new(const xpl_opts *opts)
{
    return sample_new(&xpl_random, opts);
}

static bool random_next(xpl *x, xpl_job *out)
{
    sample *s = (sample *)x;
    if (s->n_jobs >= s->n_runs)
        return false;
    sample_job(s, WIRE_POLICY_RANDOM, out);
    return true;
}

const xpl_search xpl_random = {
    .name = "random",
    .text = "random walk over enabled threads",
    .new = random_new,
    .next = random_next,
    .feed = sample_feed,
    .lost = sample_lost,
    .complete = sample_complete,
    .gaps = sample_gaps,
    .left = sample_left,
    .free = sample_free,
};

/* ---- pct ---- */

static xpl *pct_new(const xpl_opts *opts)
{
    return sample_new(&xpl_pct, opts);
}

static bool pct_next(xpl *x, xpl_job *out)
{
    sample *s = (sample *)x;
    if (s->n_jobs >= s->n_runs)
        return false;
    TD_ASSERT(s->n_jobs <= s->batch_ends);
    if (s->n_jobs == s->batch_ends) {
        if (s->n_back < s->n_jobs)
            return false;
        s->length = s->longest ? s->longest : DEFAULT_LENGTH;
        s->batch_ends = s->n_jobs == 1 ? SECOND_BATCH : 4 * s->batch_ends;
    }
    sample_job(s, s->n_jobs == 0 ? WIRE_POLICY_FIRST : WIRE_POLICY_PCT, out);
    out->pct_depth = s->depth;
    out->pct_length = s->length ? s->length : DEFAULT_LENGTH;
    return true;
}

const xpl_search xpl_pct = {
    .name = "pct",
    .text = "random priorities with d-1 change points",
    .new = pct_new,
    .next = pct_next,
    .feed = sample_feed,
    .lost = sample_lost,
    .complete = sample_complete,
    .gaps = sample_gaps,
    .left = sample_left,
    .free = sample_free,
};
