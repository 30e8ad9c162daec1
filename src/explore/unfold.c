/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explore_int.h"

#include <stdio.h>

#include "base/assert.h"
#include "explore/bound.h"
#include "explore/inputs.h"

/* Every local state of every thread, with few runs: the unfolding.
 *
 * A job covers a target, and as many others as fit with it and each other: the newest first,
 * greedily, until some in a row do not fit. Its steps are the union of their cones. What comes
 * after the steps is the runner's choice. Of the first jobs every second one starts with the
 * oldest target: from the newest alone a search stays near the end of the first run for long,
 * and a bug that needs an early switch is met late.
 *
 * Jobs under way never fit together: a target is handed out only if each of them holds a
 * target in conflict with it, else it waits for their runs, which may execute it. So every
 * run is another Mazurkiewicz trace than all others, and there are never more runs than
 * traces (but for runs that end early, below).
 *
 * Decisions by inputs are events like others; a target is run if inputs are found that lead
 * to all decisions of its cone. A thread decides as soon as it can, so a run may end (an
 * assertion that fails for some inputs) before its target: the target is tried again, now
 * that this is known, with other inputs.
 *
 * With a bound on preemptions (bound.h) a job covers one target, on a way with few of them, and
 * the targets of a smaller bound come first.
 *
 * The search optimal goes on when everything is known: then every trace can be found in the
 * structure (unfold/traces.c), and those that were not run yet are, one run each.
 *
 * With the seed 1 (the default) threads go on as long as they can once the steps are used
 * up; with other seeds the choices are random. The events in the end are the same. */

enum {
    MAX_FLIGHTS = 16,
    MAX_MISSES = 16, /* targets in a row that do not fit before we stop looking */
    MAX_LOOKS = 512, /* targets looked at for one job */
    MAX_OLD = 16,    /* the same where the oldest comes first */
    N_EARLY =
        1024, /* jobs of which some do so; with all of them it would cost too much */
};

typedef struct flight {
    uint64_t job;     /* 0: free */
    uint64_t n_fatal; /* decisions that end the run, when it was planned */
    unf_vec targets;
    unf_vec probes; /* by target: 1 if it was one */
    td_id trace;    /* what it is to be; zero: that is open */
} flight;

typedef struct unfold {
    xpl head;
    xpl_opts opts;
    xpl_inputs inputs;
    unf *u;          /* inputs.u */
    xpl_bound bound; /* on preemptions */
    char cut_text[40];
    unf_cfg *plan;       /* what the next job covers */
    unf_vec todo;        /* targets, oldest first */
    unf_vec alone;       /* targets that a run with others did not reach */
    unf_vec later;       /* targets that no known end of an atomic section fits with */
    uint64_t n_sections; /* known when later was looked at */
    flight flights[MAX_FLIGHTS];
    unf_vec taken; /* targets that the plan covers */
    unf_vec suspect;
    uint64_t n_jobs, n_open;
    uint64_t n_deep, n_missed, n_lost, n_unknown, n_in_vain;
    trc_step_vec steps;
    bool wants_traces; /* the search is optimal */
    td_id_set seen;    /* traces run before they were searched */
    unf_traces *traces;
    unf_cfg *trace;   /* to be run next */
    uint64_t n_known; /* events when they were searched */
    bool has_traces;  /* all were found */
} unfold;

static xpl *unfold_new(const xpl_opts *opts)
{
    unfold *x = td_alloc(sizeof *x);
    x->head.search = &xpl_unfold;
    x->opts = *opts;
    xpl_inputs_init(&x->inputs, opts);
    x->u = x->inputs.u;
    x->plan = unf_cfg_new(x->u);
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
    for (size_t i = 0; i < MAX_FLIGHTS; i++) {
        unf_vec_fini(&x->flights[i].targets);
        unf_vec_fini(&x->flights[i].probes);
    }
    unf_cfg_free(x->plan);
    xpl_bound_fini(&x->bound);
    unf_traces_free(x->traces);
    td_id_set_fini(&x->seen);
    xpl_inputs_fini(&x->inputs);
    unf_vec_fini(&x->todo);
    unf_vec_fini(&x->alone);
    unf_vec_fini(&x->later);
    unf_vec_fini(&x->taken);
    unf_vec_fini(&x->suspect);
    trc_step_vec_fini(&x->steps);
    td_free(x);
}

/* ---- choosing ---- */

static bool is_open(unfold *x, uint32_t target)
{
    return unf_at(x->u, target).status == UNF_TARGET && !unf_is_blind(x->u, target);
}

static bool is_too_deep(const unfold *x)
{
    return x->opts.depth > 0 && unf_cfg_len(x->plan) > x->opts.depth;
}

/* A probe that turned out to be another event may be a target again, for other inputs; what
 * became of it in this run is not known then. */
static bool is_settled(const unfold *x, const flight *f, size_t i)
{
    unf_view v = unf_at(x->u, f->targets.at[i]);
    return v.status == UNF_SETTLED || (f->probes.at[i] && !v.is_probe);
}

/* The plan is the cone of a target. True if one of the flight's targets is in conflict. */
static bool excludes(unfold *x, const flight *f)
{
    for (size_t i = 0; i < f->targets.len; i++) {
        if (!is_settled(x, f, i) && !unf_cfg_fits(x->plan, f->targets.at[i]))
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

/* A probe may change its state or read it: nobody else touches that state in the run. */
static bool shares_state(const unfold *x, uint32_t target)
{
    unf_view v = unf_at(x->u, target);
    for (size_t i = 0; i < x->taken.len; i++) {
        unf_view other = unf_at(x->u, x->taken.at[i]);
        if (other.after == v.after && v.after != UNF_NONE &&
            (v.is_probe || other.is_probe))
            return true;
    }
    return false;
}

static void take(unfold *x, uint32_t target)
{
    unf_cfg_add(x->plan, target);
    unf_vec_push(&x->taken, target);
}

/* Makes the plan that of one target. False: it cannot be run now, or ever. */
static bool plan_alone(unfold *x, uint32_t target)
{
    unf_cfg_clear(x->plan);
    unf_vec_clear(&x->taken);
    take(x, target);
    unf_possible possible = unf_cfg_complete(x->plan);
    bool deep = is_too_deep(x);
    if (possible == UNF_PERHAPS_LATER)
        unf_vec_push(&x->later, target);
    else if (possible == UNF_IMPOSSIBLE || deep)
        unf_drop(x->u, target);
    x->n_deep += possible == UNF_POSSIBLE && deep;
    return possible == UNF_POSSIBLE && !deep;
}

/* The plan is that of one target; goes on to what its way leads over, if it has one. Are there
 * inputs for it? If there are none for the way there may be some for the target. */
static xpl_answer find_inputs(unfold *x, uint32_t target)
{
    if (x->bound.has_way) {
        unf_way_plan(x->bound.way, x->plan, &x->steps);
        if (!is_too_deep(x) && xpl_inputs_find(&x->inputs, x->plan) == XPL_SAT)
            return XPL_SAT;
        x->bound.has_way = false;
        plan_alone(x, target);
    }
    return xpl_inputs_find(&x->inputs, x->plan);
}

typedef enum tried { TRIED_GONE, TRIED_LATER, TRIED_NOW } tried;

/* Starts the plan with one target. GONE: it will not be asked again, or was put aside. */
static tried try_target(unfold *x, uint32_t target, bool is_sorted)
{
    x->bound.has_way = false;
    if (!is_open(x, target) || !plan_alone(x, target))
        return TRIED_GONE;
    if (!excludes_all(x))
        return TRIED_LATER;
    if (!is_sorted && !xpl_bound_admits(&x->bound, target))
        return TRIED_GONE;
    xpl_answer answer = find_inputs(x, target);
    if (answer == XPL_SAT)
        return TRIED_NOW;
    x->n_unknown += answer == XPL_UNKNOWN;
    unf_drop(x->u, target);
    return TRIED_GONE;
}

static void remove_range(unf_vec *list, size_t at, size_t n)
{
    if (n == 0)
        return;
    memmove(&list->at[at], &list->at[at + n], (list->len - at - n) * sizeof list->at[0]);
    list->len -= n;
}

/* Starts the plan with a target of the list, which is removed from it: the newest. */
static bool take_first(unfold *x, unf_vec *list)
{
    size_t looks = 0;
    bool is_sorted = list == &x->bound.unsure;
    for (size_t i = list->len; i-- > 0 && looks < MAX_LOOKS;) {
        tried result = try_target(x, list->at[i], is_sorted);
        looks += result != TRIED_GONE;
        if (result != TRIED_LATER)
            remove_range(list, i, 1);
        if (result == TRIED_NOW)
            return true;
    }
    unf_vec_clear(&x->taken);
    return false;
}

/* The same with the oldest target, whatever the bound of now. */
static bool take_oldest(unfold *x, unf_vec *list)
{
    size_t n_closed = 0;
    while (n_closed < list->len && !is_open(x, list->at[n_closed]))
        n_closed++;
    remove_range(list, 0, n_closed);
    for (size_t i = 0, looks = 0; i < list->len && looks < MAX_OLD; looks++) {
        tried result = try_target(x, list->at[i], true);
        if (result == TRIED_LATER)
            i++;
        else
            remove_range(list, i, 1);
        if (result == TRIED_NOW)
            return true;
    }
    unf_vec_clear(&x->taken);
    return false;
}

/* Every second one of the first jobs starts with the oldest target, unless the bound is strict. */
static bool take_early(unfold *x)
{
    if (x->n_jobs >= N_EARLY || x->n_jobs % 2 != 0 || x->opts.bounded)
        return false;
    return take_oldest(x, x->bound.way ? &x->bound.beyond : &x->todo);
}

/* Adds what fits with the plan; it is left in the list, where it is skipped later. */
static void take_more(unfold *x)
{
    size_t misses = 0, looks = 0;
    for (size_t i = x->todo.len; i-- > 0 && misses < MAX_MISSES && looks < MAX_LOOKS;
         looks++) {
        uint32_t target = x->todo.at[i];
        if (!is_open(x, target))
            continue;
        if (unf_cfg_has(x->plan, target))
            continue;
        if (shares_state(x, target) || !unf_cfg_fits(x->plan, target)) {
            misses++;
            continue;
        }
        size_t len = unf_cfg_len(x->plan);
        take(x, target);
        misses = 0;
        if (unf_cfg_complete(x->plan) != UNF_POSSIBLE || is_too_deep(x) ||
            xpl_inputs_find(&x->inputs, x->plan) != XPL_SAT) {
            unf_cfg_cut(x->plan, len);
            x->taken.len--;
            misses++;
        }
    }
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
        unf_cfg_clear(x->plan);
        for (size_t i = 0; i < x->suspect.len; i++)
            unf_cfg_add(x->plan, x->suspect.at[i]);
        (void)unf_cfg_complete(x->plan);
        if (xpl_inputs_find(&x->inputs, x->plan) == XPL_SAT)
            return true;
    }
    return false;
}

/* The next trace that was not run, of all that the structure has. */
static bool take_trace(unfold *x)
{
    if (!x->traces && x->n_open > 0)
        return false;
    if (!x->traces) {
        x->traces = unf_traces_new(x->u);
        x->n_known = unf_n_executed(x->u);
    }
    while ((x->trace = unf_traces_next(x->traces))) {
        if (td_id_set_has(&x->seen, unf_cfg_trace(x->trace)))
            continue;
        bool deep = x->opts.depth > 0 && unf_cfg_len(x->trace) > x->opts.depth;
        xpl_answer answer = deep ? XPL_SAT : xpl_inputs_find(&x->inputs, x->trace);
        x->n_deep += deep;
        x->n_unknown += answer == XPL_UNKNOWN;
        if (!deep && answer == XPL_SAT)
            return true;
    }
    x->has_traces = true;
    return false;
}

/* When there is no target left: threads that wait for ever, though no run has shown it. */
static bool search_waits(unfold *x)
{
    bool idle = unf_idle_search(x->u);
    return unf_livelocks_search(x->u) > 0 || idle;
}

/* No target is left that may be run, and nothing is under way. */
static bool is_exhausted(const unfold *x)
{
    return x->n_open == 0 && x->todo.len == 0 && x->alone.len == 0 &&
           x->bound.unsure.len == 0;
}

/* Of the bound of now. */
static bool choose_one(unfold *x)
{
    unf_vec_clear(&x->taken);
    unf_cfg_clear(x->plan);
    x->bound.has_way = false;
    x->trace = NULL;
    if (x->n_jobs == 0)
        return true;
    if (take_suspect(x))
        return true;
    if (unf_n_suspects(x->u) > 0)
        return false;
    if (take_first(x, &x->alone))
        return true;
    do {
        if (take_early(x) || take_first(x, &x->todo)) {
            if (!x->bound.way)
                take_more(x);
            return true;
        }
        if (x->todo.len == 0 && take_first(x, &x->bound.unsure))
            return true;
    } while (is_exhausted(x) && xpl_bound_refill(&x->bound, false, &x->todo));
    if (x->todo.len > 0)
        return false;
    if (!x->traces && is_exhausted(x) && search_waits(x) && take_suspect(x))
        return true;
    bool all_known = x->bound.beyond.len + x->bound.again.len == 0;
    return x->wants_traces && all_known && !x->has_traces && take_trace(x);
}

static bool choose(unfold *x)
{
    while (!choose_one(x)) {
        bool is_idle = is_exhausted(x) && unf_n_suspects(x->u) == 0;
        if (!is_idle || !xpl_bound_refill(&x->bound, is_idle, &x->todo))
            return false;
    }
    return true;
}

static bool unfold_next(xpl *head, xpl_job *out)
{
    unfold *x = (unfold *)head;
    flight *f = flight_free(x);
    if (!f || (x->opts.runs > 0 && x->n_jobs >= x->opts.runs) ||
        (x->n_jobs == 1 && x->n_open == 1) || !choose(x))
        return false;
    if (!x->bound.has_way)
        unf_cfg_schedule(x->trace ? x->trace : x->plan, &x->steps);
    f->trace = x->trace ? unf_cfg_trace(x->trace) : (td_id){0};
    f->job = ++x->n_jobs;
    f->n_fatal = unf_n_fatal(x->u);
    x->n_open++;
    unf_vec_clear(&f->targets);
    unf_vec_clear(&f->probes);
    for (size_t i = 0; i < x->taken.len; i++) {
        unf_vec_push(&f->targets, x->taken.at[i]);
        unf_vec_push(&f->probes, unf_at(x->u, x->taken.at[i]).is_probe);
    }
    bool random = x->opts.seed > 1 && !x->bound.way;
    *out = (xpl_job){.id = f->job,
                     .policy = random ? WIRE_POLICY_RANDOM : WIRE_POLICY_FIRST,
                     .flags = WIRE_JOB_NEXT,
                     .seed = xpl_seed(x->opts.seed, f->job),
                     .steps = x->steps.at,
                     .n_steps = x->steps.len,
                     .inputs = x->inputs.job.at,
                     .n_inputs = x->inputs.job.len};
    return true;
}

/* ---- runs ---- */

/* Targets of the job that are still open: tried again alone, once, and whenever the run may
 * have ended early by a decision that was not known to end it. */
static void close_flight(unfold *x, flight *f)
{
    for (size_t i = 0; i < f->targets.len; i++) {
        uint32_t target = f->targets.at[i];
        if (unf_at(x->u, target).status != UNF_TARGET || is_settled(x, f, i))
            continue;
        if (f->targets.len > 1 || f->n_fatal != unf_n_fatal(x->u)) {
            unf_vec_push(&x->alone, target);
            continue;
        }
        x->n_missed++;
        unf_drop(x->u, target);
    }
    f->job = 0;
    x->n_open--;
}

static void take_found(unfold *x)
{
    unf_vec *found = unf_found(x->u);
    unf_vec_append(&x->todo, found->at, found->len);
    unf_vec_clear(found);
    if (x->later.len > 0 && x->n_sections != unf_n_sections(x->u)) {
        unf_vec_append(&x->todo, x->later.at, x->later.len);
        unf_vec_clear(&x->later);
    }
    x->n_sections = unf_n_sections(x->u);
    while (x->todo.len > 0 && !is_open(x, x->todo.at[x->todo.len - 1]))
        x->todo.len--;
}

/* Traces that are searched later must not be run again; a run of one must be that one. */
static void note_trace(unfold *x, const flight *f, const trc *result)
{
    td_id trace = unf_trace_of(result);
    if (!x->traces)
        td_id_set_add(&x->seen, trace);
    else if (!td_id_zero(f->trace) && !td_id_equal(trace, f->trace))
        x->n_missed++;
}

static bool is_in_vain(unfold *x, const flight *f)
{
    for (size_t i = 0; i < f->targets.len; i++)
        if (!unf_spins(x->u, f->targets.at[i]))
            return false;
    return f->targets.len > 0;
}

static void unfold_feed(xpl *head, const trc *result)
{
    unfold *x = (unfold *)head;
    flight *f = flight_of(x, result->job);
    xpl_inputs_insert(&x->inputs, result);
    if (x->wants_traces)
        note_trace(x, f, result);
    x->n_in_vain += result->done != WIRE_DONE_IDLE && is_in_vain(x, f);
    close_flight(x, f);
    take_found(x);
}

static void unfold_lost(xpl *head, uint64_t job)
{
    unfold *x = (unfold *)head;
    flight *f = flight_of(x, job);
    x->n_lost += f->targets.len == 0;
    close_flight(x, f);
}

static bool unfold_complete(const xpl *head)
{
    const unfold *x = (const unfold *)head;
    return x->n_jobs > 0 && x->n_open == 0 && x->todo.len == 0 && x->alone.len == 0 &&
           unf_n_suspects(x->u) == 0 && x->n_lost == 0 &&
           (x->wants_traces ? x->has_traces : !unf_idle_is_due(x->u)) &&
           xpl_bound_is_done(&x->bound);
}

static void unfold_count(const xpl *head, xpl_counts *out)
{
    const unfold *x = (const unfold *)head;
    *out = (xpl_counts){.events = unf_n_executed(x->u),
                        .digest = unf_digest(x->u),
                        .in_vain = x->n_in_vain};
}

static size_t unfold_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    const unfold *x = (const unfold *)head;
    unf_losses lost = unf_lost(x->u);
    uint64_t late = x->traces ? unf_n_executed(x->u) - x->n_known : 0;
    const xpl_gap all[] = {
        {"depth", "schedules beyond the depth limit", x->n_deep},
        {"not reached", "a schedule did not lead where it should", x->n_missed},
        {"mixed sizes",
         "atomic accesses of different sizes overlap; what follows them is "
         "not explored",
         lost.mixed},
        {"changed", "a thread went on in two ways from one history (a data race?)",
         lost.changed},
        {"races", "pairs of plain accesses that no run had both of were not compared",
         lost.uncompared},
        {"races", "parts of threads with too many plain accesses to compare across runs",
         lost.untold},
        {"surprises", "events that were not foreseen; others may have been left out",
         lost.surprises},
        {"traces", "events found while traces were run; traces with them were left out",
         late},
        {"livelocks",
         "threads that wait in loops, in combinations that were not compared",
         lost.livelocks},
        {"values", "addresses or lengths with more values than were tried", lost.values},
        {"deadlocks",
         "waits that were not searched to the end for those that last for ever",
         lost.idle},
        {"solver", "conditions on inputs that the solver could not decide",
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
                             .is_bounded = x->bound.way != NULL,
                             .what = "local state",
                             .done = "reached"};
}

const xpl_search xpl_unfold = {
    .name = "unfold",
    .text = "every local state of every thread, few runs",
    .covers = XPL_STATES | XPL_RACES,
    .takes_preemptions = true,
    .iterates = true,
    .new = unfold_new,
    .next = unfold_next,
    .feed = unfold_feed,
    .lost = unfold_lost,
    .complete = unfold_complete,
    .count = unfold_count,
    .gaps = unfold_gaps,
    .preemptions = unfold_preemptions,
    .free = unfold_free,
};

const xpl_search xpl_optimal = {
    .name = "optimal",
    .text = "every trace once, one run each",
    .covers = XPL_STATES | XPL_TRACES | XPL_BRANCHES | XPL_RACES,
    .new = optimal_new,
    .next = unfold_next,
    .feed = unfold_feed,
    .lost = unfold_lost,
    .complete = unfold_complete,
    .count = unfold_count,
    .gaps = unfold_gaps,
    .free = unfold_free,
};
