/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/unfold/unfold_search.h"

#include "base/assert.h"
#include "base/rng.h"

/* Parts of the searches unfold and optimal (docs/parallel.md).
 *
 * An item is taken by making its events known, each by a run of its own where that is needed;
 * then it is a part of the structure (unfold.h), and jobs are chosen for it. The structure is kept
 * from item to item.
 *
 * An item is divided at an event for which the open targets fall into those after it, which only
 * one side can run, and those in conflict with it, which only the other can. What is neither is
 * looked at on both sides, so that an event with many of these is not good: threads that have
 * nothing to do with each other are not worth dividing at all. What was executed of the part that
 * is given away is executed again there, so little of that is better. */

enum {
    MAX_SAMPLES = 64,    /* samples of the open targets */
    MAX_CANDIDATES = 64, /* candidates among the events before them */
    LEAST_OPEN = 16,     /* samples with fewer say nothing */
    MOST_LOOKS = 1 << 22,
    MAX_TRIES = 64, /* to find any event at all */
};

void unfold_parts_fini(unfold *x)
{
    xpl_item_fini(&x->item);
    xpl_runs_fini(&x->runs);
}

/* ---- taking ---- */

/* UNF_NONE: no run has executed it. */
static uint32_t event_of(const unfold *x, const xpl_literal *l)
{
    uint32_t event = unf_find(x->u, l->event);
    bool is_known = event != UNF_NONE && unf_status_of(x->u, event) == UNF_EXECUTED;
    return is_known ? event : UNF_NONE;
}

const xpl_literal *unfold_missing(const unfold *x)
{
    return x->n_literals < x->item.literals.len ? &x->item.literals.at[x->n_literals]
                                                : NULL;
}

/* An item may fall apart at it: it was executed, and runs continue after it. */
static bool is_divisible(const unfold *x, uint32_t event)
{
    unf_view v = unf_at(x->u, event);
    return v.status == UNF_EXECUTED && v.kind < WIRE_N_OPS && mdl_in_digest(v.kind) &&
           !v.is_last;
}

/* Adds what the item has. False: that does not fit together, or holds what it lacks, or was divided where
 * no search divides. */
static bool put_has(unfold *x, unf_part *part)
{
    unf_cfg *c = unf_cfg_new(x->u);
    bool fits = true;
    for (size_t i = 0; i < x->item.literals.len && fits; i++) {
        uint32_t event = event_of(x, &x->item.literals.at[i]);
        TD_ASSERT(event != UNF_NONE); /* all events of the item are known */
        unf_vec_push(x->item.literals.at[i].has ? &part->has : &part->lacks, event);
        fits = is_divisible(x, event);
        if (!x->item.literals.at[i].has || !fits)
            continue;
        fits = unf_cfg_fits(c, event);
        if (fits)
            unf_cfg_add(c, event);
    }
    for (size_t i = 0; i < part->lacks.len && fits; i++)
        fits = !unf_cfg_has(c, part->lacks.at[i]);
    TD_ASSERT(!fits || part->has.len + part->lacks.len == x->item.literals.len);
    unf_cfg_free(c);
    return fits;
}

static void set_diverged(unfold *x)
{
    x->has_diverged = true;
    x->n_diverged++;
}

/* All events of the item are known. */
static void settle(unfold *x)
{
    TD_ASSERT(!unfold_missing(x));
    unf_part part = {0};
    if (put_has(x, &part)) {
        xpl_plan_set_part(&x->plan, &part);
        xpl_runs_set_part(&x->runs, x->u, &part);
    } else {
        set_diverged(x);
    }
    unf_vec_fini(&part.has);
    unf_vec_fini(&part.lacks);
}

static void find_known(unfold *x)
{
    const xpl_literal *l;
    while ((l = unfold_missing(x)) && event_of(x, l) != UNF_NONE)
        x->n_literals++;
    TD_ASSERT(x->n_literals <= x->item.literals.len);
    if (!l)
        settle(x);
}

void unfold_literal_done(unfold *x)
{
    TD_ASSERT(unfold_missing(x) && x->n_open == 0);
    size_t was = x->n_literals;
    find_known(x);
    if (x->n_literals == was)
        set_diverged(x);
}

static void parts_take(xpl *head, const xpl_item *item)
{
    unfold *x = (unfold *)head;
    TD_ASSERT(x->n_open == 0 && !x->bound.path);
    xpl_item copy;
    xpl_item_copy(&copy, item);
    xpl_item_fini(&x->item);
    x->item = copy;
    x->n_literals = 0;
    x->has_diverged = false;
    unfold_forget_traces(x);
    find_known(x);
}

static bool parts_has_diverged(const xpl *head)
{
    return ((const unfold *)head)->has_diverged;
}

static void parts_share(const xpl *head, xpl_share *out)
{
    const unfold *x = (const unfold *)head;
    unf_owned own = unf_own(x->u, &x->plan.part);
    TD_ASSERT(own.n <= own.n_inside);
    *out = (xpl_share){.events = own.n, .digest = own.digest, .known = own.n_inside};
    xpl_runs_count(&x->runs, out);
}

/* ---- dividing ---- */

/* Where an item is divided, and which part goes to another worker. */
typedef struct fork {
    uint32_t event;
    bool gives_has; /* the part with the event is for another worker */
} fork;

/* The plan is what the part has. */
static bool is_usable(unfold *x, uint32_t event)
{
    return is_divisible(x, event) && !unf_cfg_has(x->plan.cfg, event) &&
           unf_cfg_fits(x->plan.cfg, event);
}

/* Targets that runs of the part reach, events that it has executed, and events to divide at. */
typedef struct sample {
    unf_vec targets, done, candidates;
    unf_vec after;      /* by candidate: how many targets come after it ... */
    unf_vec done_after; /* ... and of what was executed */
    size_t n_looks;     /* events that one walk over all targets visits */
} sample;

static void sample_fini(sample *s)
{
    unf_vec_fini(&s->targets);
    unf_vec_fini(&s->done);
    unf_vec_fini(&s->candidates);
    unf_vec_fini(&s->after);
    unf_vec_fini(&s->done_after);
}

/* The plan becomes the target and what the part has. */
static bool is_inside(unfold *x, uint32_t target)
{
    if (!xpl_plan_is_open(&x->plan, target))
        return false;
    xpl_plan_clear(&x->plan);
    if (!unf_cfg_fits(x->plan.cfg, target))
        return false;
    unf_cfg_add(x->plan.cfg, target);
    for (size_t i = 0; i < x->plan.part.lacks.len; i++)
        if (unf_cfg_has(x->plan.cfg, x->plan.part.lacks.at[i]))
            return false;
    return true;
}

static void draw_done(unfold *x, td_rng *rng, sample *s)
{
    xpl_plan_clear(&x->plan);
    for (size_t i = 0; i < 2 * MAX_SAMPLES && s->done.len < MAX_SAMPLES; i++) {
        uint32_t event = (uint32_t)td_rng_below(rng, unf_len(x->u));
        if (unf_status_of(x->u, event) == UNF_EXECUTED &&
            unf_cfg_fits(x->plan.cfg, event))
            unf_vec_push(&s->done, event);
    }
}

/* Targets from all of the list, and events before them. */
static void draw(unfold *x, td_rng *rng, sample *s)
{
    const unf_vec *todo = &x->plan.todo;
    size_t n_tries = todo->len < 4 * MAX_SAMPLES ? todo->len : 4 * MAX_SAMPLES;
    for (size_t i = 0; i < n_tries && s->targets.len < MAX_SAMPLES; i++) {
        uint32_t target = todo->at[i * todo->len / n_tries];
        if (!is_inside(x, target))
            continue;
        TD_ASSERT(unf_cfg_has(x->plan.cfg, target));
        unf_vec_push(&s->targets, target);
        size_t len = unf_cfg_len(x->plan.cfg),
               n_base = x->plan.is_based ? x->plan.n_base : 0;
        s->n_looks += len;
        for (size_t k = 0; k < 2 && len > n_base + 1; k++) {
            size_t at = n_base + (size_t)td_rng_below(rng, len - n_base);
            uint32_t event = unf_cfg_at(x->plan.cfg, at);
            if (event != target && s->candidates.len < MAX_CANDIDATES)
                unf_vec_push(&s->candidates, event);
        }
    }
    draw_done(x, rng, s);
    size_t most = s->n_looks ? MOST_LOOKS / s->n_looks : 0;
    if (s->candidates.len > most)
        s->candidates.len = most;
}

/* By candidate: how many of the events come after it. */
static void count_after(unfold *x, const unf_vec *events, const unf_vec *candidates,
                        unf_vec *out)
{
    for (size_t k = 0; k < candidates->len; k++)
        unf_vec_push(out, 0);
    for (size_t i = 0; i < events->len; i++) {
        xpl_plan_empty(&x->plan);
        unf_cfg_add(x->plan.cfg, events->at[i]);
        for (size_t k = 0; k < candidates->len; k++)
            out->at[k] += unf_cfg_has(x->plan.cfg, candidates->at[k]);
    }
}

/* How many of the events the plan is in conflict with. */
static uint32_t count_against(const unfold *x, const unf_vec *events)
{
    uint32_t n = 0;
    for (size_t i = 0; i < events->len; i++)
        n += !unf_cfg_fits(x->plan.cfg, events->at[i]);
    return n;
}

/* What it costs to divide at candidate k, in targets: what the side with more to do has, half of what both
 * look at, and a quarter of what is executed again. UINT32_MAX: it is not good. */
static uint32_t cost_of(unfold *x, const sample *s, size_t k, fork *out)
{
    TD_ASSERT(k < s->candidates.len && s->after.len == s->candidates.len);
    uint32_t n = (uint32_t)s->targets.len, after = s->after.at[k];
    *out = (fork){.event = s->candidates.at[k]};
    xpl_plan_clear(&x->plan);
    if (after == 0 || !is_usable(x, out->event))
        return UINT32_MAX;
    xpl_plan_empty(&x->plan);
    unf_cfg_add(x->plan.cfg, out->event);
    uint32_t against = count_against(x, &s->targets), neither = n - after - against;
    TD_ASSERT(after + against <=
              n); /* what follows an event is not in conflict with it */
    uint32_t cost = (after > against ? after : against) + neither + neither / 2;
    if (against == 0 || neither > n / 2 || cost >= n - n / 8)
        return UINT32_MAX;
    uint32_t done_against = count_against(x, &s->done), done_after = s->done_after.at[k];
    out->gives_has = done_after <= done_against;
    uint32_t again = out->gives_has ? done_after : done_against;
    return cost + (s->done.len ? again * n / 4 / (uint32_t)s->done.len : 0);
}

static bool best_of(unfold *x, const sample *s, fork *out)
{
    uint32_t best = UINT32_MAX;
    for (size_t k = 0; k < s->candidates.len; k++) {
        fork f;
        uint32_t cost = cost_of(x, s, k, &f);
        if (cost >= best)
            continue;
        best = cost;
        *out = f;
    }
    return best < UINT32_MAX;
}

static bool fork_targets(unfold *x, td_rng *rng, fork *out)
{
    sample s = {0};
    draw(x, rng, &s);
    bool found = false;
    if (s.targets.len >= LEAST_OPEN) {
        count_after(x, &s.targets, &s.candidates, &s.after);
        count_after(x, &s.done, &s.candidates, &s.done_after);
        found = best_of(x, &s, out);
    }
    sample_fini(&s);
    return found;
}

/* Between traces: what is left to be searched goes away. */
static bool fork_traces(unfold *x, fork *out)
{
    if (!x->traces || x->has_traces)
        return false;
    uint32_t event = unf_traces_fork(x->traces);
    unfold_forget_traces(x);
    xpl_plan_clear(&x->plan);
    *out = (fork){event, false};
    return event != UNF_NONE && is_usable(x, event);
}

static bool fork_anywhere(unfold *x, td_rng *rng, fork *out)
{
    for (uint32_t i = 0; i < MAX_TRIES && unf_len(x->u) > 0; i++) {
        uint32_t event = (uint32_t)td_rng_below(rng, unf_len(x->u));
        xpl_plan_clear(&x->plan);
        if (!is_usable(x, event))
            continue;
        unf_cfg_add(x->plan.cfg, event);
        bool is_out = false;
        for (size_t k = 0; k < x->plan.part.lacks.len; k++)
            is_out |= unf_cfg_has(x->plan.cfg, x->plan.part.lacks.at[k]);
        *out = (fork){event, td_rng_below(rng, 2) == 0};
        if (!is_out)
            return true;
    }
    return false;
}

static bool find_fork(unfold *x, fork *out)
{
    td_rng rng = {xpl_seed(x->opts.seed, ++x->n_splits)};
    if (x->opts.splits_anywhere &&
        (!x->traces || td_rng_below(&rng, 2) || !fork_traces(x, out)))
        return fork_anywhere(x, &rng, out);
    return x->opts.splits_anywhere || fork_targets(x, &rng, out) || fork_traces(x, out);
}

/* Makes a literal with a run of the event and its causes. False: none is known. */
static bool make_literal(unfold *x, uint32_t event, xpl_literal *out)
{
    xpl_plan_empty(&x->plan);
    unf_cfg_add(x->plan.cfg, event);
    if (unf_cfg_complete(x->plan.cfg) != UNF_POSSIBLE ||
        xpl_inputs_find(&x->inputs, x->plan.cfg) != XPL_SAT)
        return false;
    *out = (xpl_literal){.event = unf_at(x->u, event).id};
    TD_ASSERT(!td_id_zero(out->event)); /* otherwise it could not be read back */
    unf_cfg_schedule(x->plan.cfg, &out->steps);
    TD_ASSERT(out->steps.len > 0);
    trc_chosen_vec_append(&out->inputs, x->inputs.job.at, x->inputs.job.len);
    return true;
}

static bool parts_split(xpl *head, xpl_item *mine, xpl_item *away)
{
    unfold *x = (unfold *)head;
    fork f = {0};
    xpl_literal l;
    if (x->n_open > 0 || x->n_fed == 0 || x->bound.path || x->has_diverged ||
        unfold_missing(x) || x->item.literals.len >= XPL_MAX_LITERALS ||
        !find_fork(x, &f) || !make_literal(x, f.event, &l))
        return false;
    xpl_item_copy(mine, &x->item);
    xpl_item_copy(away, &x->item);
    xpl_item_add(mine, &l, !f.gives_has);
    xpl_item_add(away, &l, f.gives_has);
    TD_ASSERT(mine->literals.len == away->literals.len &&
              mine->literals.len <= XPL_MAX_LITERALS); /* (T2) */
    xpl_literal_fini(&l);
    parts_take(head, mine);
    return true;
}

/* Their targets are open again. */
static void parts_leave(xpl *head)
{
    unfold *x = (unfold *)head;
    for (size_t i = 0; i < MAX_FLIGHTS; i++) {
        flight *f = &x->flights[i];
        for (size_t k = 0; f->job != 0 && k < f->load.targets.len; k++)
            unf_vec_push(&x->plan.todo, f->load.targets.at[k]);
        f->job = 0;
    }
    TD_ASSERT(x->n_open <= MAX_FLIGHTS);
    x->n_open = 0;
}

const xpl_parts unfold_parts = {
    .take = parts_take,
    .leave = parts_leave,
    .split = parts_split,
    .share = parts_share,
    .has_diverged = parts_has_diverged,
};
