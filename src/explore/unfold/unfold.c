/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/unfold/unfold_search.h"

#include <stdio.h>

#include "base/assert.h"

/* Every local state of every thread, with few runs: the unfolding.
 *
 * A job covers a target, and as many others as are compatible with it and each other: the newest
 * first, greedily, until several in a row are incompatible. Its steps are the union of their cones;
 * the runner chooses how the run continues. The first jobs start with another target instead
 * (pairs.h): in turn with the rarest, whose pair of places has been covered least, and with the
 * oldest. With the newest alone a search stays near the end of the first run for long, and finds bugs
 * that need an early context switch late; with the rarest alone it misses those that need one pair
 * repeatedly.
 *
 * Jobs in flight are never compatible: a target is handed out only if each of them has a target in
 * conflict with it, otherwise it waits for their runs, which may execute it. So every run is another
 * Mazurkiewicz trace than all others, and there are never more runs than traces (but for runs that
 * end early, below).
 *
 * Decisions that depend on inputs are events like others; a target is run if inputs are found that
 * lead to all decisions of its cone. A thread decides as soon as it can, so a run may end (an
 * assertion that fails for some inputs) before its target: the target is tried again, now that this
 * is known, with other inputs.
 *
 * With a bound on preemptions (bound.h) a job covers one target, on a path with few of them, and the
 * targets of a smaller bound come first.
 *
 * The search optimal continues when all events are known, or all within the current bound: then every
 * trace can be found in the structure (unfold/traces.c), and each that was not run yet is run once.
 * If a run shows new events, traces are searched again.
 *
 * The search may be for a part of all traces (item.h, parts.c, docs/parallel.md): jobs then contain the
 * events that the part has, and targets that none of its runs reaches are put aside.
 *
 * With the seed 1 (the default) threads continue as long as they can once the steps are used
 * up; with other seeds the choices are random; xpl_opts.tail may override that (tails.h). The events in
 * the end are the same. */

enum {
    MAX_RARE =
        16,       /* targets looked at for one job where the newest does not come first */
    N_EARLY = 32, /* jobs that do so; later ones stay near each other, which is cheaper */
};

static xpl *unfold_new(const xpl_opts *opts)
{
    unfold *x = td_alloc(sizeof *x);
    x->head.search = &xpl_unfold;
    x->opts = *opts;
    xpl_inputs_init(&x->inputs, opts);
    x->u = x->inputs.u;
    if (!opts->bounded && !opts->iterate && !opts->watches_all)
        unf_leave_tails(x->u);
    xpl_plan_init(&x->plan, &x->inputs, opts);
    xpl_bound_init(&x->bound, x->u, opts);
    snprintf(x->cut_text, sizeof x->cut_text, "at most %u preemption%s",
             opts->preemptions, opts->preemptions == 1 ? "" : "s");
    return &x->head;
}

static xpl *optimal_new(const xpl_opts *opts)
{
    unfold *x = (unfold *)unfold_new(opts);
    x->head.search = &xpl_optimal;
    x->wants_traces = true;
    return &x->head;
}

static void unfold_free(xpl *head)
{
    unfold *x = (unfold *)head;
    if (!x)
        return;
    for (size_t i = 0; i < MAX_FLIGHTS; i++)
        xpl_load_fini(&x->flights[i].load);
    xpl_plan_fini(&x->plan);
    xpl_bound_fini(&x->bound);
    unf_traces_free(x->traces);
    unfold_parts_fini(x);
    xpl_pairs_fini(&x->pairs);
    xpl_ancestry_fini(&x->ancestry);
    td_id_set_fini(&x->seen);
    xpl_inputs_fini(&x->inputs);
    unf_vec_fini(&x->suspect);
    trc_step_vec_fini(&x->steps);
    td_free(x);
}

/* ---- choosing ---- */

/* The plan is the cone of a target. True if one of the flight's targets is in conflict. */
static bool excludes(unfold *x, const flight *f)
{
    for (size_t i = 0; i < f->load.targets.len; i++) {
        if (!xpl_load_is_settled(&x->plan, &f->load, i) &&
            !unf_cfg_fits(x->plan.cfg, f->load.targets.at[i]))
            return true;
    }
    return false;
}

static bool excludes_all(unfold *x)
{
    for (size_t i = 0; i < MAX_FLIGHTS; i++)
        if (x->flights[i].job && !excludes(x, &x->flights[i]))
            return false;
    return true;
}

/* Queries inputs for the plan, which is that of one target, extended by the events of its path if it has
 * one. If there are none for the path there may be some for the target. */
static xpl_answer find_inputs(unfold *x, uint32_t target)
{
    TD_ASSERT(!x->bound.has_path || x->bound.path);
    if (x->bound.has_path) {
        unf_path_plan(x->bound.path, x->plan.cfg, &x->steps);
        if (!xpl_plan_is_too_deep(&x->plan) &&
            xpl_inputs_find(&x->inputs, x->plan.cfg) == XPL_SAT)
            return XPL_SAT;
        x->bound.has_path = false;
        xpl_plan_alone(&x->plan, target);
    }
    return xpl_inputs_find(&x->inputs, x->plan.cfg);
}

/* The plan is that of one target. */
static xpl_tried try_plan(unfold *x, uint32_t target, bool is_sorted)
{
    TD_ASSERT(x->plan.taken.len == 1 && x->plan.taken.at[0] == target);
    if (!excludes_all(x))
        return XPL_TRIED_LATER;
    if (!is_sorted && !xpl_bound_admits(&x->bound, target))
        return XPL_TRIED_GONE;
    xpl_answer answer = find_inputs(x, target);
    if (answer == XPL_SAT)
        return XPL_TRIED_NOW;
    if (x->plan.is_based) /* there may be inputs without what the part has */
        return xpl_plan_single(&x->plan, target) ? try_plan(x, target, is_sorted)
                                                 : XPL_TRIED_GONE;
    x->n_unknown += answer == XPL_UNKNOWN;
    unf_drop(x->u, target);
    return XPL_TRIED_GONE;
}

/* Starts the plan with one target, unless a bound of now is against it. */
static xpl_tried try_target(unfold *x, uint32_t target, bool is_sorted)
{
    x->bound.has_path = false;
    if (!xpl_plan_is_open(&x->plan, target) || !xpl_plan_alone(&x->plan, target))
        return XPL_TRIED_GONE;
    return try_plan(x, target, is_sorted);
}

static xpl_tried try_any(void *self, uint32_t target)
{
    return try_target(self, target, false);
}

static xpl_tried try_sorted(void *self, uint32_t target)
{
    return try_target(self, target, true);
}

/* A run with others did not reach it: without what the part has, too. */
static xpl_tried try_single(void *self, uint32_t target)
{
    unfold *x = self;
    x->bound.has_path = false;
    if (!xpl_plan_is_open(&x->plan, target) || !xpl_plan_single(&x->plan, target))
        return XPL_TRIED_GONE;
    return try_plan(x, target, false);
}

static bool take_first(unfold *x, unf_vec *list)
{
    bool is_sorted = list == &x->bound.unsure;
    return xpl_plan_first(&x->plan, list, is_sorted ? try_sorted : try_any, x);
}

static bool is_open(void *self, uint32_t target)
{
    const unfold *x = self;
    return xpl_plan_is_open(&x->plan, target);
}

static void forget(unf_vec *list, uint32_t target)
{
    for (size_t i = list->len; i-- > 0;)
        if (list->at[i] == target)
            xpl_plan_remove(list, i, 1);
}

/* The same with the first target by another order, whatever the bound of now. */
static bool take_by(unfold *x, xpl_pairs_order order)
{
    xpl_pairs_rewind(&x->pairs);
    for (size_t looks = 0; looks < MAX_RARE; looks++) {
        uint32_t target = xpl_pairs_next(&x->pairs, order, is_open, x);
        if (target == UNF_NONE)
            break;
        xpl_tried result = try_target(x, target, true);
        if (result != XPL_TRIED_LATER)
            forget(&x->plan.todo, target);
        if (result == XPL_TRIED_NOW)
            return true;
    }
    xpl_plan_clear(&x->plan);
    return false;
}

/* The first jobs start with the rarest or the oldest target, in turn; if what needs few preemptions comes
 * first, every second one with the rarest. None does if the bound is strict, or traces are to be run
 * by their preemptions. */
static bool take_early(unfold *x)
{
    if (x->n_jobs >= N_EARLY || x->opts.bounded || (x->bound.path && x->wants_traces))
        return false;
    TD_ASSERT(!x->bound.path || x->opts.iterate);
    bool is_even = x->n_jobs % 2 == 0;
    if (x->bound.path)
        return is_even && take_by(x, XPL_RAREST);
    return take_by(x, is_even ? XPL_OLDEST : XPL_RAREST);
}

/* ---- jobs ---- */

static flight *flight_free(unfold *x)
{
    for (size_t i = 0; i < MAX_FLIGHTS; i++)
        if (x->flights[i].job == 0)
            return &x->flights[i];
    return NULL;
}

static flight *flight_of(unfold *x, uint64_t job)
{
    TD_ASSERT(job != 0); /* 0 is what free ones have */
    for (size_t i = 0; i < MAX_FLIGHTS; i++)
        if (x->flights[i].job == job)
            return &x->flights[i];
    return NULL;
}

/* A run of histories that may be stuck together, or race; it covers no target. It is made
 * while no other is under way, so that it is not made twice. */
static bool take_suspect(unfold *x)
{
    while (x->n_open == 0 && unf_suspect(x->u, &x->suspect)) {
        xpl_plan_empty(&x->plan);
        TD_ASSERT(x->suspect.len > 0);
        for (size_t i = 0; i < x->suspect.len; i++)
            unf_cfg_add(x->plan.cfg, x->suspect.at[i]);
        (void)unf_cfg_complete(x->plan.cfg);
        if (xpl_inputs_find(&x->inputs, x->plan.cfg) == XPL_SAT)
            return true;
    }
    return false;
}

/* No target is left that may be run, and nothing is under way. */
static bool is_exhausted(const unfold *x)
{
    return x->n_open == 0 && x->plan.todo.len == 0 && x->plan.alone.len == 0 &&
           x->bound.unsure.len == 0;
}

/* Traces are searched among what was known, for the bound of then. */
static bool has_stale_traces(const unfold *x)
{
    return x->traces &&
           (x->n_known != unf_n_executed(x->u) || x->bound_was != x->bound.now);
}

static void search_traces(unfold *x)
{
    TD_ASSERT(!x->traces && is_exhausted(x));
    x->traces = unf_traces_new(x->u);
    x->n_known = unf_n_executed(x->u);
    x->bound_was = x->bound.now;
    x->bound.n_traces = 0;
    if (x->bound.path)
        unf_traces_bound(x->traces, x->bound.path, x->bound.now);
    else
        unf_traces_of(x->traces, &x->plan.part);
}

/* The trace was not run. A run of it is planned, if it has one within the bound and inputs. */
static bool plan_trace(unfold *x)
{
    TD_ASSERT(x->traces && x->trace);
    bool deep = x->opts.depth > 0 && unf_cfg_n_ops(x->trace) > x->opts.depth;
    x->plan.n_deep += deep;
    if (deep)
        return false;
    unf_reach reach = x->bound.path ? unf_traces_within(x->traces) : UNF_UNSURE;
    if (reach == UNF_BEYOND)
        return false;
    x->bound.has_path = reach == UNF_WITHIN;
    if (x->bound.has_path)
        unf_path_plan(x->bound.path, x->plan.cfg, &x->steps);
    xpl_answer answer = xpl_inputs_find(&x->inputs, x->trace);
    x->n_unknown += answer == XPL_UNKNOWN;
    return answer == XPL_SAT;
}

/* The next trace that was not run, of all that the structure has. */
static bool take_trace(unfold *x)
{
    if (has_stale_traces(x) || (!x->traces && !is_exhausted(x)))
        return false;
    if (!x->traces)
        search_traces(x);
    while ((x->trace = unf_traces_next(x->traces)))
        if (!td_id_set_has(&x->seen, unf_cfg_trace(x->trace)) && plan_trace(x))
            return true;
    TD_ASSERT(x->wants_traces && !x->trace);
    x->has_traces = true;
    x->bound.has_path = false;
    x->bound.n_traces = unf_traces_n_cut(x->traces);
    return false;
}

/* When no target is left: threads that wait forever, though no run has shown it. */
static bool search_waits(unfold *x)
{
    bool idle = unf_endless_waits_search(x->u);
    return unf_livelocks_search(x->u) > 0 || idle;
}

/* Chooses a target within the current bound. */
static bool choose_one(unfold *x)
{
    xpl_plan_clear(&x->plan);
    x->bound.has_path = false;
    x->trace = NULL;
    if (x->n_jobs == 0)
        return true;
    if (has_stale_traces(x) && x->n_open == 0)
        unfold_forget_traces(x);
    if (take_suspect(x))
        return true;
    if (unf_n_suspects(x->u) > 0)
        return false;
    if (xpl_plan_first(&x->plan, &x->plan.alone, try_single, x))
        return true;
    do {
        if (take_early(x) || take_first(x, &x->plan.todo)) {
            if (!x->bound.path)
                xpl_plan_more(&x->plan, NULL, NULL);
            return true;
        }
        if (x->plan.todo.len == 0 && take_first(x, &x->bound.unsure))
            return true;
    } while (is_exhausted(x) && (xpl_plan_take_later(&x->plan) ||
                                 xpl_bound_refill(&x->bound, false, &x->plan.todo)));
    if (x->plan.todo.len > 0)
        return false;
    if (!x->traces && is_exhausted(x) && search_waits(x) && take_suspect(x))
        return true;
    return x->wants_traces && !x->has_traces && take_trace(x);
}

static bool choose(unfold *x)
{
    while (!choose_one(x)) {
        bool is_idle = is_exhausted(x) && unf_n_suspects(x->u) == 0 &&
                       (!x->wants_traces || x->has_traces);
        if (!is_idle || !xpl_bound_refill(&x->bound, is_idle, &x->plan.todo))
            return false;
    }
    return true;
}

/* Returns the operation limit of a run for the plan; 0: that of every run. A run that confirms a prediction
 * continues after its steps until the failure occurs. */
static uint32_t depth_needed(const unfold *x)
{
    const unf_cfg *c = x->trace ? x->trace : x->plan.cfg;
    size_t n = unf_cfg_n_ops(c);
    if (x->plan.taken.len == 0 && !x->trace && n > 0)
        n += x->opts.depth;
    return n > x->opts.depth ? (uint32_t)n : 0;
}

/* The job whose steps and inputs were found. */
static void hand_out(unfold *x, flight *f, xpl_job *out)
{
    TD_ASSERT(f->job == 0 && x->n_open < MAX_FLIGHTS);
    f->job = ++x->n_jobs;
    x->n_open++;
    xpl_plan_load(&x->plan, &f->load);
    uint32_t tail = x->bound.path ? WIRE_POLICY_FIRST : xpl_tail_policy(&x->opts);
    if (tail == WIRE_POLICY_SURW)
        xpl_tails_put(&x->tails, &x->steps);
    uint32_t stay = x->bound.path ? WIRE_JOB_STAY : 0;
    *out = (xpl_job){.id = f->job,
                     .policy = tail,
                     .flags = WIRE_JOB_NEXT | stay,
                     .seed = xpl_seed(x->opts.seed, f->job),
                     .depth = depth_needed(x),
                     .steps = x->steps.at,
                     .n_steps = x->steps.len,
                     .inputs = x->inputs.job.at,
                     .n_inputs = x->inputs.job.len};
}

/* The run of an event that the item names; nothing else is under way. */
static bool next_literal(unfold *x, flight *f, xpl_job *out)
{
    const xpl_literal *l = unfold_missing(x);
    if (x->n_open > 0 || x->has_diverged)
        return false;
    TD_ASSERT(l); /* an item that has diverged goes no further */
    xpl_plan_empty(&x->plan);
    f->trace = (td_id){0};
    trc_step_vec_clear(&x->steps);
    hand_out(x, f, out);
    out->steps = l->steps.at;
    out->n_steps = l->steps.len;
    out->inputs = l->inputs.at;
    out->n_inputs = l->inputs.len;
    return true;
}

static bool unfold_next(xpl *head, xpl_job *out)
{
    unfold *x = (unfold *)head;
    flight *f = flight_free(x);
    if (!f || (x->opts.runs > 0 && x->n_jobs >= x->opts.runs))
        return false;
    if (x->has_diverged || unfold_missing(x))
        return next_literal(x, f, out);
    if ((x->n_jobs == 1 && x->n_open == 1) || !choose(x))
        return false;
    if (!x->bound.has_path)
        unf_cfg_schedule(x->trace ? x->trace : x->plan.cfg, &x->steps);
    /* What is not known to be within the bound may continue to what is not known at all. */
    bool is_whole = x->trace && (!x->bound.path || x->bound.has_path);
    f->trace = is_whole ? unf_cfg_trace(x->trace) : (td_id){0};
    hand_out(x, f, out);
    return true;
}

/* ---- runs ---- */

static void close_flight(unfold *x, flight *f)
{
    TD_ASSERT(f->job != 0 && x->n_open > 0);
    xpl_plan_close(&x->plan, &f->load);
    f->job = 0;
    x->n_open--;
}

/* Checks that no trace is run twice, and that the run of a trace has that trace. */
static void note_trace(unfold *x, const flight *f, const trc *result)
{
    TD_ASSERT(x->wants_traces);
    td_id trace = unf_trace_of(result);
    td_id_set_add(&x->seen, trace);
    xpl_runs_add(&x->runs, x->u, result, &x->plan.part);
    x->plan.n_missed += !td_id_zero(f->trace) && !td_id_equal(trace, f->trace);
}

static bool is_in_vain(unfold *x, const flight *f)
{
    for (size_t i = 0; i < f->load.targets.len; i++)
        if (!unf_spins(x->u, f->load.targets.at[i]))
            return false;
    return f->load.targets.len > 0;
}

static void unfold_feed(xpl *head, const trc *result)
{
    unfold *x = (unfold *)head;
    flight *f = flight_of(x, result->job);
    TD_ASSERT(f); /* (X1) a run of no job, or the second one of a job */
    xpl_inputs_insert(&x->inputs, result);
    if (x->wants_traces)
        note_trace(x, f, result);
    x->n_in_vain += result->done != WIRE_DONE_IDLE && is_in_vain(x, f);
    x->n_over += x->bound.path && trc_preemptions(result) > x->bound.now;
    x->n_fed++;
    if (x->opts.tail == XPL_TAIL_SURW)
        xpl_tails_insert(&x->tails, result);
    if (x->n_jobs < N_EARLY)
        xpl_pairs_insert(&x->pairs, x->u, result);
    if (!x->traces)
        xpl_ancestry_insert(&x->ancestry, x->u, result,
                            f->load.targets.len > 0 ? f->load.targets.at[0] : UNF_NONE);
    TD_ASSERT(x->n_fed <= x->n_jobs);
    close_flight(x, f);
    xpl_plan_take_found(&x->plan);
    if (unfold_missing(x))
        unfold_literal_done(x);
}

static void unfold_lost(xpl *head, uint64_t job)
{
    unfold *x = (unfold *)head;
    flight *f = flight_of(x, job);
    TD_ASSERT(f); /* (X1) */
    x->n_lost += f->load.targets.len == 0;
    close_flight(x, f);
    if (unfold_missing(x))
        unfold_literal_done(x);
}

static bool unfold_complete(const xpl *head)
{
    const unfold *x = (const unfold *)head;
    return x->n_jobs > 0 && x->n_open == 0 && !unfold_missing(x) && !x->has_diverged &&
           x->plan.todo.len == 0 && x->plan.alone.len == 0 && unf_n_suspects(x->u) == 0 &&
           x->n_lost == 0 &&
           (x->wants_traces ? x->has_traces && !has_stale_traces(x)
                            : !unf_endless_waits_is_due(x->u)) &&
           xpl_bound_is_done(&x->bound);
}

static void unfold_count(const xpl *head, xpl_counts *out)
{
    const unfold *x = (const unfold *)head;
    *out = (xpl_counts){.events = unf_n_executed(x->u),
                        .digest = unf_digest(x->u),
                        .in_vain = x->n_in_vain};
}

/* ---- what is left ---- */

static void count_target(const unfold *x, uint32_t target, uint64_t open[XPL_CLASSES])
{
    TD_ASSERT(target < unf_len(x->u));
    if (unf_status_of(x->u, target) == UNF_TARGET && !unf_shows_nothing(x->u, target))
        open[xpl_ancestry_class(&x->ancestry, x->u, target)]++;
}

/* Targets of jobs under way are left in the lists, but for the one the job began with. */
static void count_open(const unfold *x, uint64_t open[XPL_CLASSES])
{
    const unf_vec *lists[] = {&x->plan.todo,   &x->plan.alone,   &x->plan.later,
                              &x->bound.again, &x->bound.unsure, &x->bound.beyond};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (size_t k = 0; k < lists[i]->len; k++)
            count_target(x, lists[i]->at[k], open);
    for (size_t i = 0; i < MAX_FLIGHTS; i++)
        if (x->flights[i].job && x->flights[i].load.targets.len > 0)
            count_target(x, x->flights[i].load.targets.at[0], open);
}

/* Runs for every target of a class that is done, times the targets still to be done. A bound on
 * preemptions leaves targets out that led to others before, so nothing is said then; nor of traces
 * that are run one by one. */
static void unfold_left(const xpl *head, xpl_left *out)
{
    const unfold *x = (const unfold *)head;
    uint64_t open[XPL_CLASSES] = {0};
    count_open(x, open);
    *out = (xpl_left){0};
    for (uint32_t c = 0; c < XPL_CLASSES; c++)
        out->targets += open[c];
    uint64_t done = xpl_estimate_done(&x->ancestry.estimate, open);
    out->is_known = done > 0 && !x->opts.bounded && !x->wants_traces;
    if (out->is_known)
        out->runs = xpl_estimate_left(&x->ancestry.estimate, open) * (double)x->n_fed /
                    (double)done;
}

static size_t unfold_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    const unfold *x = (const unfold *)head;
    unf_losses lost = unf_lost(x->u);
    bool has_all_traces = x->has_traces && !x->bound.path;
    if (has_all_traces) /* a trace that ends in a wait is among them */
        lost.idle = 0;
    const xpl_gap all[] = {
        {"depth", "schedules beyond the depth limit", x->plan.n_deep},
        {"parts", "an event of a work item did not occur again", x->n_diverged},
        {"not reached", "a schedule did not reach its target", x->plan.n_missed},
        {"mixed sizes",
         "atomic accesses of different sizes overlap; continuations are "
         "not explored",
         lost.mixed},
        {"changed", "a thread continued in two ways from one position (a data race?)",
         lost.changed},
        {"races",
         "pairs of plain accesses that never occurred in the same run were not compared",
         lost.uncompared},
        {"surprises", "unforeseen events; others may be missing", lost.surprises},
        {"livelocks", "combinations of spinning threads that were not compared",
         lost.livelocks},
        {"values", "addresses or lengths with more values than were tried", lost.values},
        {"deadlocks", "some waits may never end; the check for that hit its limit",
         lost.idle},
        {"solver", "path conditions that the solver could not decide",
         x->n_unknown + x->inputs.n_unknown},
        {"preemptions", x->cut_text,
         unfold_complete(head) ? xpl_bound_n_beyond(&x->bound) : 0},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].count > 0 && n < max)
            out[n++] = all[i];
    return n;
}

static void unfold_preemptions(const xpl *head, xpl_preemptions *out)
{
    const unfold *x = (const unfold *)head;
    *out = (xpl_preemptions){.completed = x->bound.completed,
                             .is_bounded = x->bound.path != NULL,
                             .n_over = x->n_over,
                             .what = x->wants_traces ? "trace" : "local state",
                             .done = x->wants_traces ? "run" : "reached"};
}

const xpl_search xpl_unfold = {
    .name = "unfold",
    .text = "every local state of every thread, few runs",
    .covers = XPL_STATES | XPL_RACES,
    .takes_preemptions = true,
    .iterates = true,
    .takes_tail = true,
    .takes_depth = true,
    .new = unfold_new,
    .next = unfold_next,
    .feed = unfold_feed,
    .lost = unfold_lost,
    .complete = unfold_complete,
    .count = unfold_count,
    .gaps = unfold_gaps,
    .preemptions = unfold_preemptions,
    .left = unfold_left,
    .parts = &unfold_parts,
    .free = unfold_free,
};

const xpl_search xpl_optimal = {
    .name = "optimal",
    .text = "every trace once, one run each",
    .covers = XPL_STATES | XPL_TRACES | XPL_BRANCHES | XPL_RACES,
    .takes_preemptions = true,
    .iterates = true,
    .takes_tail = true,
    .takes_depth = true,
    .new = optimal_new,
    .next = unfold_next,
    .feed = unfold_feed,
    .lost = unfold_lost,
    .complete = unfold_complete,
    .count = unfold_count,
    .gaps = unfold_gaps,
    .preemptions = unfold_preemptions,
    .left = unfold_left,
    .parts = &unfold_parts,
    .free = unfold_free,
};
