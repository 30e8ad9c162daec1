/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/baselines/sample.h"

#include "base/assert.h"
#include "base/map.h"
#include "base/rng.h"

/* Selectively uniform random walk.
 *
 * For each run it is drawn which operations count: all of them, those on one object that several threads
 * use, or those on some of these. The runner then draws an order of these, each equally likely as
 * far as the number of them in each thread is known (runtime/core/sampling.c). The numbers are
 * means over earlier runs. As with pct they are looked up between batches only, objects by their
 * addresses, so that jobs do not depend on how many are under way. */

enum { MAX_THREADS = 128, MAX_OBJECTS = 256 };

/* The choices of each thread: on one object, or all. */
typedef struct tally {
    uint64_t object;
    uint64_t n[MAX_THREADS];
} tally;
TD_VEC(tally, tally_vec);
TD_MAP(uint64_t, uint32_t, number_map, td_hash_number, td_same_number);
TD_VEC(uint32_t, number_vec);

typedef struct surw {
    xpl_sample sample;
    uint64_t n_runs;    /* that were counted */
    tally_vec tallies;  /* [0]: all objects */
    number_map numbers; /* object -> its tally */
    /* Tallies of objects of several threads, by address, for the batch. */
    number_vec shared;
    tally_vec means;    /* means of the tallies, for the batch */
    trc_step_vec steps; /* steps of the last job */
} surw;

static xpl *surw_new(const xpl_opts *opts)
{
    surw *s = td_alloc(sizeof *s);
    xpl_sample_init(&s->sample, &xpl_surw, opts);
    tally_vec_push(&s->tallies, (tally){0});
    return &s->sample.head;
}

static void surw_free(xpl *x)
{
    surw *s = (surw *)x;
    if (!s)
        return;
    tally_vec_fini(&s->tallies);
    tally_vec_fini(&s->means);
    number_map_fini(&s->numbers);
    number_vec_fini(&s->shared);
    trc_step_vec_fini(&s->steps);
    xpl_sample_free(x);
}

/* ---- what runs did ---- */

/* 0: there are too many. */
static uint32_t tally_of(surw *s, uint64_t object)
{
    const uint32_t *known = number_map_find(&s->numbers, object);
    if (known)
        return *known;
    if (s->tallies.len > MAX_OBJECTS)
        return 0;
    uint32_t number = (uint32_t)s->tallies.len;
    tally_vec_push(&s->tallies, (tally){.object = object});
    *number_map_at(&s->numbers, object) = number;
    return number;
}

static void surw_feed(xpl *x, const trc *result)
{
    surw *s = (surw *)x;
    xpl_sample_feed(x, result);
    s->n_runs++;
    for (size_t i = 0; i < result->ops.len; i++) {
        const trc_op *op = &result->ops.at[i];
        if (!trc_is_choice(op) || op->thread >= MAX_THREADS)
            continue;
        s->tallies.at[0].n[op->thread]++;
        uint32_t number = op->object ? tally_of(s, op->object + op->offset) : 0;
        if (number > 0)
            s->tallies.at[number].n[op->thread]++;
    }
}

/* ---- batches ---- */

static bool is_shared(const tally *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < MAX_THREADS; i++)
        n += t->n[i] > 0;
    return n > 1;
}

static void put_by_address(surw *s, uint32_t number)
{
    number_vec_push(&s->shared, number);
    size_t i = s->shared.len - 1;
    for (; i > 0 && s->means.at[s->shared.at[i - 1]].object > s->means.at[number].object;
         i--)
        s->shared.at[i] = s->shared.at[i - 1];
    s->shared.at[i] = number;
}

static void learn(surw *s)
{
    tally_vec_clear(&s->means);
    number_vec_clear(&s->shared);
    for (size_t i = 0; i < s->tallies.len; i++) {
        tally mean = s->tallies.at[i];
        for (uint32_t k = 0; k < MAX_THREADS && s->n_runs > 0; k++)
            mean.n[k] = (mean.n[k] + s->n_runs / 2) / s->n_runs;
        tally_vec_push(&s->means, mean);
        if (i > 0 && is_shared(&mean))
            put_by_address(s, (uint32_t)i);
    }
}

/* ---- jobs ---- */

/* The operations on this object count, or all. */
static void add_to(uint64_t left[MAX_THREADS], const tally *t)
{
    for (uint32_t i = 0; i < MAX_THREADS; i++)
        left[i] += t->n[i];
}

static void mark(surw *s, uint32_t number, uint64_t left[MAX_THREADS])
{
    TD_ASSERT(number > 0 && number < s->means.len);
    const tally *t = &s->means.at[number];
    if (s->steps.len >= WIRE_MAX_MARKS)
        return;
    add_to(left, t);
    trc_step_vec_push(&s->steps, (wire_step){WIRE_STEP_MARK, wire_mark(t->object)});
}

/* Which operations count in the job, and how many of them each thread has. */
static void select_operations(surw *s, uint64_t seed)
{
    td_rng rng = {seed};
    uint64_t left[MAX_THREADS] = {0};
    uint64_t how = td_rng_below(&rng, 3);
    trc_step_vec_clear(&s->steps);
    size_t n = s->shared.len;
    if (how == 1 && n > 0)
        mark(s, s->shared.at[td_rng_below(&rng, n)], left);
    size_t first = how == 2 && n > 0 ? td_rng_below(&rng, n) : 0;
    for (size_t i = 0; i < n && how == 2; i++)
        if (td_rng_below(&rng, 2) == 0)
            mark(s, s->shared.at[(first + i) % n], left);
    if (s->steps.len == 0)
        add_to(left, &s->means.at[0]);
    for (uint32_t i = 0; i < MAX_THREADS; i++)
        if (left[i] > 0)
            trc_step_vec_push(&s->steps,
                              (wire_step){WIRE_STEP_LEFT + i, (uint32_t)left[i]});
}

static bool surw_next(xpl *x, xpl_job *out)
{
    surw *s = (surw *)x;
    bool is_new;
    if (s->sample.n_jobs >= s->sample.n_runs || !xpl_sample_batch(&s->sample, &is_new))
        return false;
    if (is_new)
        learn(s);
    bool is_first = s->sample.n_jobs == 0;
    xpl_sample_job(&s->sample, is_first ? WIRE_POLICY_FIRST : WIRE_POLICY_SURW, out);
    if (is_first)
        return true;
    select_operations(s, out->seed);
    out->steps = s->steps.at;
    out->n_steps = s->steps.len;
    return true;
}

const xpl_search xpl_surw = {
    .name = "surw",
    .text = "random walk, uniform over the orders of selected operations",
    .new = surw_new,
    .next = surw_next,
    .feed = surw_feed,
    .free = surw_free,
    XPL_SAMPLE_ROWS,
};
