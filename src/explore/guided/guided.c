/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/baselines/sample.h"
#include "explore/guided/corpus.h"
#include "explore/guided/openings.h"
#include "explore/guided/saved.h"

#include "base/assert.h"
#include "base/rng.h"

/* Sampling biased towards access pairs that few runs have covered.
 *
 * A job is partial order sampling with target pairs: pairs that the run is to cover or to avoid
 * (runtime/core/target_pairs.c). They are the mutated target pairs of a corpus entry, or start from none; some
 * jobs first follow the schedule of the entry for a while. Some jobs have no target pairs and are drawn like
 * those of pos, random and pct. Inputs are the mutated inputs of an entry, or random, or found by the solver
 * for a branch outcome that no run took. docs/bounds.md.
 *
 * All jobs of a batch are made before the first is handed out, after all earlier ones have been fed. So they
 * do not depend on the number of jobs in flight. */

enum { LEAST_BATCH = 4, MOST_BATCH = 64 };

typedef struct plan {
    uint64_t job;
    uint32_t policy;
    uint64_t seed;
    xpl_target_list targets;
    trc_step_vec steps;
    trc_chosen_vec inputs;
} plan;

typedef struct guided {
    xpl_sample sample; /* its cover is filled by every feed */
    xpl_corpus corpus;
    xpl_openings openings;
    plan plans[MOST_BATCH];
    uint32_t n_plans, n_out; /* plans of the batch; those handed out */
    uint64_t n_earlier;      /* runs of sessions before */
} guided;

static xpl *guided_new(const xpl_opts *opts)
{
    guided *g = td_alloc(sizeof *g);
    xpl_sample_init(&g->sample, &xpl_guided, opts);
    g->sample.counts_pairs = false; /* guided_feed counts them, in more detail */
    xpl_openings_init(&g->openings, &opts->solver);
    return &g->sample.head;
}

static void guided_free(xpl *x)
{
    guided *g = (guided *)x;
    if (!g)
        return;
    for (uint32_t i = 0; i < MOST_BATCH; i++) {
        trc_step_vec_fini(&g->plans[i].steps);
        trc_chosen_vec_fini(&g->plans[i].inputs);
    }
    xpl_openings_fini(&g->openings);
    xpl_corpus_fini(&g->corpus);
    xpl_sample_free(x);
}

/* ---- runs ---- */

static const plan *plan_of(const guided *g, uint64_t job)
{
    for (uint32_t i = 0; i < g->n_plans; i++)
        if (g->plans[i].job == job)
            return &g->plans[i];
    return NULL;
}

static void guided_feed(xpl *x, const trc *result)
{
    guided *g = (guided *)x;
    const plan *p = plan_of(g, result->job);
    TD_ASSERT(p); /* (X1) */
    xpl_sample_feed(x, result);
    xpl_pair_cover_add(&g->sample.cover, result, true);
    xpl_side_cover_add(&g->corpus.sides, result);
    if (g->sample.cover.news.len == 0 && g->corpus.sides.n_new == 0)
        return;
    xpl_corpus_add(&g->corpus, &g->sample.cover, result, &p->targets);
    xpl_openings_look(&g->openings, &g->corpus.sides, result);
}

/* ---- jobs ---- */

static void plan_clear(plan *p)
{
    p->targets.n = 0;
    p->policy = WIRE_POLICY_POS;
    trc_step_vec_clear(&p->steps);
    trc_chosen_vec_clear(&p->inputs);
}

/* Any schedule. Where inputs decide what can be run at all, half of them have those of an entry: the first ones may
 * not even come past what the program assumes. */
static void plan_plain(guided *g, plan *p, td_rng *rng)
{
    static const uint32_t policies[] = {WIRE_POLICY_POS, WIRE_POLICY_RANDOM,
                                        WIRE_POLICY_PCT};
    p->policy = policies[td_rng_below(rng, sizeof policies / sizeof policies[0])];
    bool has_inputs = g->corpus.entries.len > 0 && g->corpus.entries.at[0].inputs.len > 0;
    xpl_entry *entry = has_inputs && td_rng_below(rng, 2) == 0
                           ? xpl_corpus_draw(&g->corpus, &g->sample.cover, rng)
                           : NULL;
    for (size_t i = 0; entry && i < entry->inputs.len; i++)
        trc_chosen_vec_push(&p->inputs, entry->inputs.at[i].input);
}

static void plan_target_pairs(guided *g, plan *p, td_rng *rng)
{
    xpl_entry *entry = td_rng_below(rng, 3) > 0
                           ? xpl_corpus_draw(&g->corpus, &g->sample.cover, rng)
                           : NULL;
    if (entry)
        p->targets = entry->targets;
    if (entry && entry->steps.len > 0 && td_rng_below(rng, 4) == 0)
        xpl_entry_prefix(entry, (uint32_t)td_rng_below(rng, entry->n_choices + 1),
                         &p->steps, &p->inputs);
    else if (entry && entry->inputs.len > 0 && td_rng_below(rng, 4) > 0)
        xpl_entry_mutated(entry, rng, &p->inputs);
    for (uint64_t n = 1 + td_rng_below(rng, 3); n > 0; n--)
        xpl_target_pairs_mutate(&p->targets, &g->sample.cover, rng);
    xpl_target_pairs_put(&p->targets, &g->sample.cover, &p->steps);
}

static void plan_batch(guided *g)
{
    uint64_t n_before = g->sample.n_earlier + g->sample.n_jobs;
    uint64_t n = n_before / 4;
    n = n < LEAST_BATCH ? LEAST_BATCH : n > MOST_BATCH ? MOST_BATCH : n;
    g->n_plans = n_before == 0 ? 1 : (uint32_t)n;
    g->n_out = 0;
    g->sample.length = g->sample.longest;
    for (uint32_t i = 0; i < g->n_plans; i++) {
        plan *p = &g->plans[i];
        plan_clear(p);
        p->job = g->sample.n_jobs + i + 1;
        p->seed = xpl_seed(g->sample.seed, n_before + i + 1);
        td_rng rng = {~p->seed};
        if (n_before == 0)
            p->policy = WIRE_POLICY_FIRST;
        else if (i % 2 == 0 && xpl_openings_take(&g->openings, &p->steps, &p->inputs))
            continue;
        else if (td_rng_below(&rng, 8) == 0)
            plan_plain(g, p, &rng);
        else
            plan_target_pairs(g, p, &rng);
    }
}

static bool guided_next(xpl *x, xpl_job *out)
{
    guided *g = (guided *)x;
    xpl_sample *s = &g->sample;
    if (s->n_jobs >= s->n_runs)
        return false;
    if (g->n_out == g->n_plans) {
        if (s->n_back < s->n_jobs)
            return false;
        plan_batch(g);
    }
    const plan *p = &g->plans[g->n_out++];
    xpl_sample_job(s, p->policy, out);
    TD_ASSERT(out->id == p->job && out->seed == p->seed);
    out->pct_depth = s->depth;
    out->pct_length = s->length > 0 ? s->length : 1;
    out->steps = p->steps.at;
    out->n_steps = p->steps.len;
    out->inputs = p->inputs.at;
    out->n_inputs = p->inputs.len;
    return true;
}

/* ---- sessions ---- */

static void guided_save(const xpl *x, xpl_byte_vec *out)
{
    const guided *g = (const guided *)x;
    const xpl_saved view = {.n_jobs = g->sample.n_earlier + g->sample.n_jobs,
                            .longest = g->sample.longest,
                            .cover = g->sample.cover,
                            .corpus = g->corpus}; /* borrowed */
    xpl_saved_write(&view, out);
}

static td_status guided_load(xpl *x, const uint8_t *at, size_t len, td_diag *diag)
{
    guided *g = (guided *)x;
    TD_ASSERT(g->sample.n_jobs == 0 && g->sample.n_earlier == 0);
    xpl_saved saved;
    TD_TRY(xpl_saved_read(at, len, &saved, diag));
    xpl_pair_cover_fini(&g->sample.cover);
    xpl_corpus_fini(&g->corpus);
    g->sample.cover = saved.cover;
    g->corpus = saved.corpus;
    g->sample.n_earlier = saved.n_jobs;
    g->sample.longest = saved.longest;
    g->n_earlier = saved.cover.n_runs;
    return TD_OK;
}

/* Places are sites, which stay; schedules count operations, of which there are more now. */
static xpl *guided_again(xpl *old, const xpl_opts *opts)
{
    guided *from = (guided *)old, *g = (guided *)guided_new(opts);
    TD_ASSERT(from->sample.n_back == from->sample.n_jobs); /* nothing is under way */
    g->sample.cover = from->sample.cover;
    g->corpus = from->corpus;
    from->sample.cover = (xpl_pair_cover){0};
    from->corpus = (xpl_corpus){0};
    for (size_t i = 0; i < g->corpus.entries.len; i++)
        trc_step_vec_clear(&g->corpus.entries.at[i].steps);
    g->sample.n_earlier = from->sample.n_earlier + from->sample.n_jobs;
    g->sample.longest = from->sample.longest;
    g->n_earlier = from->n_earlier;
    guided_free(old);
    return &g->sample.head;
}

static uint64_t guided_earlier(const xpl *x)
{
    return ((const guided *)x)->n_earlier;
}

const xpl_search xpl_guided = {
    .name = "guided",
    .text = "random testing biased towards rarely covered access pairs",
    .new = guided_new,
    .next = guided_next,
    .feed = guided_feed,
    .free = guided_free,
    .save = guided_save,
    .load = guided_load,
    .again = guided_again,
    .earlier = guided_earlier,
    XPL_SAMPLE_ROWS,
};
