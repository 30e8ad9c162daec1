/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/interfere/interfere_int.h"

#include "base/assert.h"

/* Every side of every branch, by few interferences (con2colic testing).
 *
 * Runs fill the forest; each decision in it that went one way only gives a target, and a
 * candidate without interferences for it. Candidates are checked by growing degree, the number
 * of their interferences. One that is possible is run. One that is not becomes others: one of the
 * reads that are to blame sees a write of another thread, or a thread continues to where it opens
 * what another waits for. Both are looked for again when a run shows new writes.
 *
 * What a run does beyond its candidate goes into the forest as well. Each branch side has the
 * least degree at which it was shown: that of the candidate, or of what led to it in a run. A
 * side that was shown by chance is aimed at all the same, at degrees that are smaller.
 *
 * Reading: Farzan et al., Con2colic testing, 2013, section 7. */

enum { CHECKS_AT_ONCE = 2000 }; /* until the caller may look at its budget */

static xpl *interfere_new(const xpl_opts *opts)
{
    interfere *x = td_alloc(sizeof *x);
    x->head.search = &xpl_interfere;
    x->opts = *opts;
    x->path = pth_new();
    xpl_forest_init(&x->forest, x->path);
    xpl_checker_init(&x->checker, &x->forest, opts);
    x->checker.couples_all = xpl_ifr_is_off(x, XPL_OFF_LAZY);
    return &x->head;
}

static void waiters_fini(waiter_vec_vec *v)
{
    for (size_t i = 0; i < v->len; i++)
        waiter_vec_fini(&v->at[i]);
    waiter_vec_vec_fini(v);
}

static void interfere_free(xpl *head)
{
    interfere *x = (interfere *)head;
    if (!x)
        return;
    xpl_checker_fini(&x->checker);
    xpl_forest_fini(&x->forest);
    pth_free(x->path);
    target_vec_fini(&x->targets);
    td_id_set_fini(&x->known_targets);
    td_id_set_fini(&x->known_scenarios);
    xpl_u32_vec_fini(&x->words);
    offset_vec_fini(&x->scenarios);
    for (size_t i = 0; i <= XPL_MAX_DEGREE; i++) {
        xpl_u32_vec_fini(&x->queues[i].urgent);
        xpl_u32_vec_fini(&x->queues[i].others);
    }
    waiters_fini(&x->by_place);
    waiters_fini(&x->by_object);
    waiters_fini(&x->by_tree);
    side_vec_fini(&x->sides);
    xpl_map_fini(&x->side_of);
    xpl_map_fini(&x->branches);
    xpl_scenario_fini(&x->scenario);
    xpl_scenario_fini(&x->child);
    side_vec_fini(&x->fails);
    xpl_u32_vec_fini(&x->need);
    xpl_u32_vec_fini(&x->is_counted);
    xpl_u32_vec_fini(&x->is_needed);
    xpl_u32_vec_fini(&x->interfering);
    exp_u32_vec_fini(&x->wanted);
    xpl_map_fini(&x->reader);
    td_free(x);
}

/* ---- jobs ---- */

/* All sides are taken, and none could be with fewer interferences. */
static bool is_full(const interfere *x)
{
    if (x->opts.n_sides == 0 || x->n_taken < x->opts.n_sides)
        return false;
    for (size_t i = 0; i < x->sides.len; i++)
        if (x->sides.at[i].k != XPL_NONE && x->sides.at[i].k > x->degree)
            return false;
    return true;
}

/* Checks one candidate; true: it is to be run. */
static bool work_on(interfere *x, uint32_t number)
{
    TD_ASSERT(number < x->scenarios.len);
    xpl_ifr_load(x, number, &x->scenario);
    if (xpl_ifr_is_idle(x, &x->scenario))
        return false;
    TD_ASSERT(x->scenario.target < x->targets.len &&
              x->scenario.degree <= XPL_MAX_DEGREE);
    x->n_checks++;
    switch (xpl_check(&x->checker, &x->scenario, &x->targets.at[x->scenario.target])) {
    case XPL_POSSIBLE:
        return true;
    case XPL_IMPOSSIBLE:
        xpl_ifr_extend(x, number);
        return false;
    case XPL_NEEDS:
        xpl_ifr_meet_need(x, number);
        return false;
    case XPL_UNDECIDED:
        x->n_undecided++;
        return false;
    case XPL_CONFLICT:
        if (xpl_ifr_is_off(x, XPL_OFF_CORES))
            xpl_ifr_extend(x, number);
        return false;
    }
    return false;
}

static bool find_job(interfere *x)
{
    x->is_tired = false;
    trc_step_vec_clear(&x->checker.steps);
    trc_chosen_vec_clear(&x->checker.inputs);
    x->flight = XPL_NONE;
    if (x->n_jobs == 0)
        return true;
    for (uint32_t i = 0; i < CHECKS_AT_ONCE && !td_stops_now(x->opts.stop); i++) {
        uint32_t number = is_full(x) ? XPL_NONE : xpl_ifr_dequeue(x);
        if (number == XPL_NONE)
            return false;
        if (work_on(x, number)) {
            x->flight = number;
            return true;
        }
    }
    x->is_tired = true;
    return false;
}

static bool interfere_next(xpl *head, xpl_job *out)
{
    interfere *x = (interfere *)head;
    if (x->is_open || (x->opts.runs > 0 && x->n_jobs >= x->opts.runs) || !find_job(x))
        return false;
    x->is_open = true;
    x->n_fatal = x->forest.n_fatal;
    x->n_jobs++;
    *out = (xpl_job){.id = x->n_jobs,
                     .policy = WIRE_POLICY_FIRST,
                     .flags = WIRE_JOB_READS | WIRE_JOB_SIDES | WIRE_JOB_DETAIL |
                              WIRE_JOB_NEXT,
                     .seed = xpl_seed(x->opts.seed, x->n_jobs),
                     .steps = x->checker.steps.at,
                     .n_steps = x->checker.steps.len,
                     .inputs = x->checker.inputs.at,
                     .n_inputs = x->checker.inputs.len};
    return true;
}

/* ---- runs ---- */

/* The run came where the candidate wanted it? Else it is tried again if we know more now. */
static void land(interfere *x)
{
    TD_ASSERT(x->is_open);
    x->is_open = false;
    if (x->flight == XPL_NONE)
        return;
    xpl_ifr_load(x, x->flight, &x->scenario);
    const xpl_target *t = &x->targets.at[x->scenario.target];
    bool another = t->aim == XPL_AIM_OTHER && x->forest.added.len > 0;
    if (xpl_ifr_is_reached(x, t)) {
        if (t->cover != XPL_NONE)
            xpl_ifr_take_side(x, t->cover, x->scenario.degree);
    } else if (another || x->n_fatal != x->forest.n_fatal) {
        xpl_ifr_enqueue(x, &x->scenario);
    } else {
        x->n_missed++;
    }
}

static void interfere_feed(xpl *head, const trc *t)
{
    interfere *x = (interfere *)head;
    TD_ASSERT(x->is_open && t->job == x->n_jobs); /* one at a time */
    xpl_forest_add(&x->forest, t);
    pth_values(x->path, t, &x->checker.values);
    x->n_deep += t->done == WIRE_DONE_DEPTH;
    xpl_ifr_take_sides(x, t);
    xpl_ifr_take_fails(x, t);
    land(x);
    for (size_t i = 0; i < x->forest.added.len && !td_stops(x->opts.stop); i++)
        xpl_ifr_offer(x, x->forest.added.at[i]);
    for (size_t i = 0; i < x->forest.added.len && !td_stops(x->opts.stop); i++)
        xpl_ifr_aim_beside(x, x->forest.added.at[i]);
    xpl_ifr_aim_on(x, t);
}

static void interfere_lost(xpl *head, uint64_t job)
{
    interfere *x = (interfere *)head;
    TD_ASSERT(x->is_open);
    (void)job;
    x->is_open = false;
    x->n_lost++;
}

static bool interfere_works(const xpl *head)
{
    return ((const interfere *)head)->is_tired;
}

static bool interfere_complete(const xpl *head)
{
    const interfere *x = (const interfere *)head;
    if (x->n_jobs == 0 || x->is_open || x->is_tired)
        return false;
    for (size_t i = 0; i <= XPL_MAX_DEGREE && !is_full(x); i++)
        if (x->queues[i].urgent.len > 0 || x->queues[i].others.len > 0)
            return false;
    return true;
}

/* ---- what came of it ---- */

static void interfere_count(const xpl *head, xpl_counts *out)
{
    const interfere *x = (const interfere *)head;
    const xpl_forest *f = &x->forest;
    td_id *ids = td_alloc((f->nodes.len + 1) * sizeof *ids);
    *out = (xpl_counts){.events = f->nodes.len};
    for (size_t i = 0; i < f->nodes.len; i++) {
        const xpl_node *n = &f->nodes.at[i];
        TD_ASSERT(n->before == XPL_NONE || n->before < i); /* (F1) */
        struct {
            td_id before;
            uint64_t kind, side, site;
        } words = {.before =
                       n->before == XPL_NONE ? f->trees.at[n->tree].name : ids[n->before],
                   .kind = n->kind,
                   .side = n->side,
                   .site = n->site};
        ids[i] = td_id_hash(&words, sizeof words);
        out->digest = td_id_sum(out->digest, ids[i]);
    }
    td_free(ids);
}

static void interfere_sides(const xpl *head, xpl_side_vec *out, uint64_t *n_candidates)
{
    const interfere *x = (const interfere *)head;
    for (size_t i = 0; i < x->sides.len; i++) {
        const side *s = &x->sides.at[i];
        if (s->k != XPL_NONE)
            xpl_side_vec_push(out, (xpl_side){s->site, s->number, s->k});
    }
    TD_ASSERT(x->n_taken <= x->sides.len);
    *n_candidates = x->n_checks;
}

static void interfere_fails(const xpl *head, xpl_side_vec *out)
{
    const interfere *x = (const interfere *)head;
    for (size_t i = 0; i < x->fails.len; i++) {
        const side *f = &x->fails.at[i];
        uint32_t k = f->number == XPL_NONE ? XPL_NONE : x->sides.at[f->number].k;
        xpl_side_vec_push(out, (xpl_side){f->site, 0, k < f->k ? k : f->k});
    }
}

static size_t interfere_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    const interfere *x = (const interfere *)head;
    const xpl_forest_lost *lost = &x->forest.lost;
    if (is_full(x))
        return 0;
    const xpl_gap all[] = {
        {"depth", "runs truncated at the depth limit", x->n_deep},
        {"interferences", "candidates with more interferences than the limit", x->n_high},
        {"not reached", "a schedule did not reach its target", x->n_missed},
        {"changed", "a thread diverged without a decision", lost->changed},
        {"values", "reads of values that no operation wrote", lost->values},
        {"values", "values from other threads through untracked memory",
         x->checker.n_unbound},
        {"values", "addresses or lengths with more values than were tried", x->n_values},
        {"mixed sizes", "accesses of different sizes overlap", lost->mixed},
        {"operations", "operations whose order this search does not model", lost->kinds},
        {"large", "writes of unknown values", lost->large},
        {"solver", "candidates that could not be decided", x->n_undecided},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].count > 0 && n < max)
            out[n++] = all[i];
    return n;
}

const xpl_search xpl_interfere = {
    .name = "interfere",
    .text = "every branch outcome, by increasing numbers of interferences",
    .covers = XPL_BRANCHES,
    .follows = true,
    .new = interfere_new,
    .next = interfere_next,
    .feed = interfere_feed,
    .lost = interfere_lost,
    .works = interfere_works,
    .complete = interfere_complete,
    .count = interfere_count,
    .sides = interfere_sides,
    .fails = interfere_fails,
    .gaps = interfere_gaps,
    .free = interfere_free,
};
