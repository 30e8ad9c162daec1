/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/baselines/sample.h"

#include <stdio.h>

#include "base/assert.h"

/* Searches that draw schedules: a uniform choice at each operation, PCT and POS.
 *
 * PCT needs the length of a run to place its change points. The first job is a plain run
 * to learn it. Later runs may be longer, so the longest so far is used; but it is looked
 * up only between batches, when everything handed out has been fed, and batches grow
 * fourfold: so jobs do not depend on how many are under way. */

enum { DEFAULT_DEPTH = 3, DEFAULT_LENGTH = 100, SECOND_BATCH = 64 };

void xpl_sample_init(xpl_sample *s, const xpl_search *search, const xpl_opts *opts)
{
    s->head.search = search;
    s->seed = opts->seed;
    s->n_runs = opts->runs ? opts->runs : XPL_DEFAULT_RUNS;
    s->depth = opts->pct_depth ? opts->pct_depth : DEFAULT_DEPTH;
    s->batch_ends = 1;
    s->counts_pairs = opts->counts_pairs;
    snprintf(s->gap_text, sizeof s->gap_text, "search %s is a sample", search->name);
}

xpl *xpl_sample_new(const xpl_search *search, const xpl_opts *opts)
{
    xpl_sample *s = td_alloc(sizeof *s);
    xpl_sample_init(s, search, opts);
    return &s->head;
}

/* Counts the choices up to the first create, with one thread. Without a create no schedule is drawn. */
static uint32_t n_first(const trc *t)
{
    uint32_t n = 0;
    for (size_t i = 0; i < t->ops.len; i++) {
        n += trc_is_choice(&t->ops.at[i]);
        if (mdl_creates(t->ops.at[i].kind))
            return n;
    }
    return 0;
}

void xpl_sample_feed(xpl *x, const trc *result)
{
    xpl_sample *s = (xpl_sample *)x;
    TD_ASSERT(s->n_back < s->n_jobs);
    s->n_back++;
    uint32_t length = result->n_choices - n_first(result);
    if (length > s->longest)
        s->longest = length;
    if (s->counts_pairs)
        xpl_pair_cover_add(&s->cover, result, false);
}

void xpl_sample_lost(xpl *x, uint64_t job)
{
    xpl_sample *s = (xpl_sample *)x;
    TD_ASSERT(s->n_back < s->n_jobs && job <= s->n_jobs);
    s->n_back++;
}

bool xpl_sample_complete(const xpl *x)
{
    (void)x;
    return false;
}

/* However many runs there are, they are a sample. */
size_t xpl_sample_gaps(const xpl *x, xpl_gap *out, size_t max)
{
    const xpl_sample *s = (const xpl_sample *)x;
    if (max == 0)
        return 0;
    out[0] = (xpl_gap){"runs", s->gap_text, 1};
    return 1;
}

/* The runs asked for; they are not targets. */
void xpl_sample_left(const xpl *x, xpl_left *out)
{
    const xpl_sample *s = (const xpl_sample *)x;
    TD_ASSERT(s->n_back <= s->n_runs);
    *out = (xpl_left){.is_known = true, .runs = (double)(s->n_runs - s->n_back)};
}

uint64_t xpl_sample_pairs(const xpl *x)
{
    const xpl_sample *s = (const xpl_sample *)x;
    return s->cover.n_covered;
}

void xpl_sample_free(xpl *x)
{
    xpl_sample *s = (xpl_sample *)x;
    if (s)
        xpl_pair_cover_fini(&s->cover);
    td_free(x);
}

void xpl_sample_job(xpl_sample *s, uint32_t policy, xpl_job *out)
{
    TD_ASSERT(s->n_jobs < s->n_runs);
    s->n_jobs++;
    *out = (xpl_job){.id = s->n_jobs,
                     .policy = policy,
                     .flags = WIRE_JOB_WAKE,
                     .seed = xpl_seed(s->seed, s->n_earlier + s->n_jobs)};
}

bool xpl_sample_batch(xpl_sample *s, bool *is_new)
{
    TD_ASSERT(s->n_jobs <= s->batch_ends);
    *is_new = s->n_jobs == s->batch_ends;
    if (!*is_new)
        return true;
    if (s->n_back < s->n_jobs)
        return false;
    s->batch_ends = s->n_jobs == 1 ? SECOND_BATCH : 4 * s->batch_ends;
    return true;
}

/* Hands out a job of a search whose jobs differ in their seeds only. */
static bool next_alike(xpl_sample *s, uint32_t policy, xpl_job *out)
{
    if (s->n_jobs >= s->n_runs)
        return false;
    xpl_sample_job(s, policy, out);
    return true;
}

/* ---- random ---- */

static xpl *random_new(const xpl_opts *opts)
{
    return xpl_sample_new(&xpl_random, opts);
}

static bool random_next(xpl *x, xpl_job *out)
{
    return next_alike((xpl_sample *)x, WIRE_POLICY_RANDOM, out);
}

const xpl_search xpl_random = {
    .name = "random",
    .text = "random walk over enabled threads",
    .new = random_new,
    .next = random_next,
    .feed = xpl_sample_feed,
    .free = xpl_sample_free,
    XPL_SAMPLE_ROWS,
};

/* ---- pos ---- */

static xpl *pos_new(const xpl_opts *opts)
{
    return xpl_sample_new(&xpl_pos, opts);
}

static bool pos_next(xpl *x, xpl_job *out)
{
    return next_alike((xpl_sample *)x, WIRE_POLICY_POS, out);
}

const xpl_search xpl_pos = {
    .name = "pos",
    .text = "partial order sampling: a random priority for each operation",
    .new = pos_new,
    .next = pos_next,
    .feed = xpl_sample_feed,
    .free = xpl_sample_free,
    XPL_SAMPLE_ROWS,
};

/* ---- pct ---- */

static xpl *pct_new(const xpl_opts *opts)
{
    return xpl_sample_new(&xpl_pct, opts);
}

static bool pct_next(xpl *x, xpl_job *out)
{
    xpl_sample *s = (xpl_sample *)x;
    if (s->n_jobs >= s->n_runs)
        return false;
    bool is_new;
    if (!xpl_sample_batch(s, &is_new))
        return false;
    if (is_new)
        s->length = s->longest ? s->longest : DEFAULT_LENGTH;
    xpl_sample_job(s, s->n_jobs == 0 ? WIRE_POLICY_FIRST : WIRE_POLICY_PCT, out);
    out->pct_depth = s->depth;
    out->pct_length = s->length ? s->length : DEFAULT_LENGTH;
    return true;
}

const xpl_search xpl_pct = {
    .name = "pct",
    .text = "random priorities with d-1 change points",
    .new = pct_new,
    .next = pct_next,
    .feed = xpl_sample_feed,
    .free = xpl_sample_free,
    XPL_SAMPLE_ROWS,
};
