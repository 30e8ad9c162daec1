/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/explore_int.h"

#include "base/assert.h"
#include "explore/races/visibility.h"
#include "explore/unfold/plan.h"
#include "explore/races/clashes.h"
#include "explore/races/hidden_races.h"

/* Every data race, with few runs: runs that differ only in the order of operations that no
 * branch depends on are one class, and one run of each is enough.
 *
 * Runs record which reads affect control flow (WIRE_JOB_FLOW). These determine which operations are
 * visible (visibility.c); the others are left out of the run, and the rest goes into an unfolding,
 * whose targets are run next. Races between compatible segments of threads are suspects
 * (hidden_races.c), and runs confirm them. When an operation becomes visible the unfolding is rebuilt
 * from the runs so far, so no run is repeated.
 *
 * If a thread nevertheless continues in two ways from one history, something untracked affects its
 * control flow: then everything is visible, and this is the search unfold.
 *
 * Racing accesses are promoted if some use reads their bytes, otherwise their order does not matter;
 * also if a suspect was not seen to race, because a run records only one of several accesses to its
 * bytes.
 *
 * A loop without end has an infinite unfolding. Once a run was cut at the depth limit, a target is
 * left out if an executed event has the same sites and access patterns of the threads; the paper's
 * race-equivalence (named in visibility.h) takes their iterations to be equivalent. */

/* A set of access patterns: another set and one more pattern. */
typedef struct manner_set {
    td_id sum; /* sum of the ids of its elements: names it */
    td_id element;
    uint32_t parent;
} manner_set;

/* What an event shows of its thread: a site, what is touched after it; and all so far. */
typedef struct manner_class {
    td_id unit;
    uint32_t set;
} manner_class;

/* A race that a run has shown. */
typedef struct manner_race {
    uint32_t site, other;
    uint64_t start, end;
    bool is_promoted;
} manner_race;

/* Bytes of a suspect that was not seen to race. */
typedef struct manner_bytes {
    uint64_t start, end;
} manner_bytes;

TD_VEC(trc, trc_vec);
TD_VEC(manner_race, manner_race_vec);
TD_VEC(manner_bytes, manner_bytes_vec);
TD_VEC(uint32_t, manner_site_vec);
TD_VEC(manner_set, manner_set_vec);
TD_VEC(manner_class, manner_class_vec);

typedef struct race_classes {
    xpl head;
    xpl_opts opts;
    xpl_inputs inputs;
    unf *u;        /* inputs.u */
    xpl_plan plan; /* what the next job covers, and what is left */
    trc_namer *namer;
    xpl_visibility *visibility;
    xpl_hidden_races *hidden;
    trc_vec kept; /* all runs; owned */
    /* Histories of threads that were about to do what is hidden at the end. */
    unf_vec cut;
    xpl_load load;                      /* load of the current job */
    uint64_t n_rebuilt, n_rebuilt_then; /* unfoldings made; when the job was planned */
    bool is_open;
    td_id_set races;          /* pairs of sites that runs have shown */
    manner_race_vec seen;     /* the same */
    bool is_confirming;       /* the job is about a suspect */
    xpl_suspect suspect;      /* ... this one */
    manner_bytes_vec unseen;  /* suspects that were not seen to race */
    manner_site_vec promoted; /* asked for, and to be asked for */
    size_t n_asked;
    bool is_endless;          /* a run was cut at the depth limit */
    uint64_t n_with_sections; /* runs with atomic sections */
    manner_class_vec classes; /* by event */
    manner_set_vec sets;      /* [0] is empty */
    td_id_set done;           /* classes of events that were executed */
    uint64_t n_jobs, n_lost, n_unknown, n_repeated;
    trc_step_vec steps;
} race_classes;

/* ---- making and unmaking ---- */

static bool feasible(void *self, unf_cfg *c)
{
    race_classes *x = self;
    xpl_answer answer = xpl_inputs_find(&x->inputs, c);
    x->inputs.n_unknown += answer == XPL_UNKNOWN;
    return answer == XPL_SAT;
}

static void structure_init(race_classes *x)
{
    x->u = x->inputs.u;
    unf_no_races(x->u);
    x->hidden = xpl_hidden_races_new(&(xpl_hidden_races_opts){
        .u = x->u, .known = &x->races, .self = x, .feasible = feasible});
}

static xpl *race_classes_new(const xpl_opts *opts)
{
    race_classes *x = td_alloc(sizeof *x);
    x->head.search = &xpl_race_classes;
    x->opts = *opts;
    x->namer = trc_namer_like(opts->namer);
    x->visibility = xpl_visibility_new();
    manner_set_vec_push(&x->sets, (manner_set){0});
    xpl_inputs_init(&x->inputs, opts);
    xpl_plan_init(&x->plan, &x->inputs, opts);
    structure_init(x);
    return &x->head;
}

static void kept_drop(race_classes *x)
{
    for (size_t i = 0; i < x->kept.len; i++)
        trc_fini(&x->kept.at[i]);
    trc_vec_clear(&x->kept);
}

static void race_classes_free(xpl *head)
{
    race_classes *x = (race_classes *)head;
    if (!x)
        return;
    xpl_hidden_races_free(x->hidden);
    xpl_plan_fini(&x->plan);
    xpl_load_fini(&x->load);
    xpl_inputs_fini(&x->inputs);
    kept_drop(x);
    trc_vec_fini(&x->kept);
    trc_namer_free(x->namer);
    xpl_visibility_free(x->visibility);
    unf_vec_fini(&x->cut);
    td_id_set_fini(&x->races);
    manner_race_vec_fini(&x->seen);
    manner_bytes_vec_fini(&x->unseen);
    manner_site_vec_fini(&x->promoted);
    manner_class_vec_fini(&x->classes);
    manner_set_vec_fini(&x->sets);
    td_id_set_fini(&x->done);
    trc_step_vec_fini(&x->steps);
    td_free(x);
}

/* ---- classes of events ---- */

/* The set of manners with one more. Sets are numbered; 0 is empty. */
static uint32_t set_with(race_classes *x, uint32_t set, td_id element)
{
    TD_ASSERT(set < x->sets.len);
    for (uint32_t at = set; at != 0; at = x->sets.at[at].parent)
        if (td_id_equal(x->sets.at[at].element, element))
            return set;
    td_id sum = td_id_sum(x->sets.at[set].sum, element);
    for (uint32_t i = 0; i < x->sets.len; i++)
        if (td_id_equal(x->sets.at[i].sum, sum))
            return i;
    manner_set_vec_push(&x->sets, (manner_set){sum, element, set});
    return (uint32_t)x->sets.len - 1;
}

static td_id both(td_id a, td_id b)
{
    td_id ids[2] = {a, b};
    return td_id_hash(ids, sizeof ids);
}

/* Where a thread is after an event, and which manners it has shown. */
static td_id class_at(const race_classes *x, uint32_t event)
{
    if (event >= x->classes.len)
        return (td_id){0};
    const manner_class *c = &x->classes.at[event];
    TD_ASSERT(c->set < x->sets.len);
    return both(c->unit, x->sets.at[c->set].sum);
}

/* The same of an event that need not have been executed: of those it follows. */
static td_id class_of(const race_classes *x, uint32_t event)
{
    unf_view v = unf_at(x->u, event);
    uint32_t own[4] = {v.thread, v.kind, v.object, v.is_probe};
    td_id id = both(td_id_hash(own, sizeof own), class_at(x, v.before));
    td_id reads = {0}, after = {1, 0};
    for (uint32_t i = 0; i < v.n_reads; i++)
        reads = td_id_sum(reads, class_at(x, v.reads[i]));
    if (v.after != UNF_NONE)
        after = class_at(x, v.after);
    return both(id, both(after, reads));
}

static void class_learn(race_classes *x, uint32_t event, const trc_op *op)
{
    uint32_t before = unf_at(x->u, event).before;
    uint64_t parts[4] = {op ? op->object : 0, op ? op->site : 0, op ? op->kind : 0,
                         unf_at(x->u, event).thread};
    while (x->classes.len <= event)
        manner_class_vec_push(&x->classes, (manner_class){0});
    manner_class *c = &x->classes.at[event];
    if (!td_id_zero(c->unit))
        return;
    c->unit =
        both(td_id_hash(parts, sizeof parts), xpl_hidden_races_manner(x->hidden, event));
    uint32_t set = op && before < x->classes.len ? x->classes.at[before].set : 0;
    set = set_with(x, set, c->unit);
    x->classes.at[event].set = set;
    if (op)
        td_id_set_add(&x->done, class_of(x, event));
}

static void classes_learn(race_classes *x, const trc *t)
{
    for (uint32_t i = 0; i < t->threads.len; i++)
        if (unf_run_start(x->u, i) != UNF_NONE)
            class_learn(x, unf_run_start(x->u, i), NULL);
    for (size_t i = 0; i < t->ops.len; i++)
        if (unf_run_event(x->u, i) != UNF_NONE)
            class_learn(x, unf_run_event(x->u, i), &t->ops.at[i]);
}

/* An iteration of a loop without end that shows nothing new. */
static bool is_repeated(void *self, uint32_t target)
{
    const race_classes *x = self;
    return x->is_endless && td_id_set_has(&x->done, class_of(x, target));
}

/* ---- choosing ---- */

/* Starts the plan with one target. */
static xpl_tried try_target(void *self, uint32_t target)
{
    race_classes *x = self;
    if (!xpl_plan_is_open(&x->plan, target))
        return XPL_TRIED_GONE;
    if (is_repeated(x, target)) {
        x->n_repeated++;
        unf_drop(x->u, target);
        return XPL_TRIED_GONE;
    }
    if (!xpl_plan_alone(&x->plan, target))
        return XPL_TRIED_GONE;
    xpl_answer answer = xpl_inputs_find(&x->inputs, x->plan.cfg);
    x->n_unknown += answer == XPL_UNKNOWN;
    if (answer == XPL_SAT)
        return XPL_TRIED_NOW;
    unf_drop(x->u, target);
    return XPL_TRIED_GONE;
}

static uint32_t count_silent(void *self, uint32_t history)
{
    return xpl_hidden_races_choices(self, history);
}

/* A run for two parts of threads that may race; it covers no target. */
static bool take_suspect(race_classes *x)
{
    while (xpl_hidden_races_next(x->hidden, &x->suspect)) {
        xpl_plan_clear(&x->plan);
        xpl_hidden_races_schedule(x->hidden, &x->suspect, x->plan.cfg, &x->steps);
        if (xpl_inputs_find(&x->inputs, x->plan.cfg) != XPL_SAT)
            continue;
        return true;
    }
    return false;
}

/* A run in which a thread continues from where all others ended before it could; then as far as
 * it can, by the policy. */
static bool take_cut(race_classes *x)
{
    while (x->cut.len > 0) {
        uint32_t history = unf_vec_pop(&x->cut);
        TD_ASSERT(history != UNF_NONE);
        unf_view v = unf_at(x->u, history);
        xpl_plan_clear(&x->plan);
        if (!v.is_cut)
            continue;
        unf_cfg_add(x->plan.cfg, history);
        if (unf_cfg_complete(x->plan.cfg) != UNF_POSSIBLE ||
            xpl_inputs_find(&x->inputs, x->plan.cfg) != XPL_SAT)
            continue;
        unf_silent silent = {x->hidden, count_silent};
        unf_cfg_schedule_with(x->plan.cfg, &silent, &x->steps);
        for (uint32_t n = xpl_hidden_races_choices(x->hidden, history) + 1; n > 0; n--)
            trc_step_add(&x->steps, unf_cfg_number(x->plan.cfg, v.thread));
        return true;
    }
    return false;
}

static bool choose(race_classes *x)
{
    xpl_plan_clear(&x->plan);
    trc_step_vec_clear(&x->steps);
    x->is_confirming = x->n_jobs > 0 && take_suspect(x);
    if (x->n_jobs == 0 || x->is_confirming)
        return true;
    if (!xpl_plan_first(&x->plan, &x->plan.alone, try_target, x)) {
        while (!xpl_plan_first(&x->plan, &x->plan.todo, try_target, x))
            if (x->plan.todo.len > 0 || !xpl_plan_take_later(&x->plan))
                return take_cut(x);
        xpl_plan_more(&x->plan, is_repeated, x);
    }
    /* Trying more of them may have changed the inputs found last. */
    bool found = xpl_inputs_find(&x->inputs, x->plan.cfg) == XPL_SAT;
    unf_silent silent = {x->hidden, count_silent};
    unf_cfg_schedule_with(x->plan.cfg, &silent, &x->steps);
    return found;
}

static bool race_classes_next(xpl *head, xpl_job *out)
{
    race_classes *x = (race_classes *)head;
    TD_ASSERT(x->n_rebuilt_then <= x->n_rebuilt);
    if (x->is_open || (x->opts.runs > 0 && x->n_jobs >= x->opts.runs) || !choose(x))
        return false;
    x->is_open = true;
    x->n_rebuilt_then = x->n_rebuilt;
    xpl_plan_load(&x->plan, &x->load);
    *out = (xpl_job){.id = ++x->n_jobs,
                     .policy = x->opts.seed > 1 ? WIRE_POLICY_RANDOM : WIRE_POLICY_FIRST,
                     .flags = WIRE_JOB_NEXT | WIRE_JOB_FLOW,
                     .seed = xpl_seed(x->opts.seed, x->n_jobs),
                     .steps = x->steps.at,
                     .n_steps = x->steps.len,
                     .inputs = x->inputs.job.at,
                     .n_inputs = x->inputs.job.len};
    return true;
}

/* ---- runs ---- */

/* seen is the run without what is hidden. */
static void learn_cut(race_classes *x, const trc *seen)
{
    if (seen->done == WIRE_DONE_DEPTH)
        return;
    for (size_t i = 0; i < seen->nexts.len; i++) {
        if (seen->nexts.at[i].kind != WIRE_NONE)
            continue;
        uint32_t thread = seen->nexts.at[i].thread;
        uint32_t history = unf_run_start(x->u, thread);
        for (size_t k = seen->ops.len; k-- > 0;)
            if (seen->ops.at[k].thread == thread) {
                history = unf_run_event(x->u, k);
                break;
            }
        if (history != UNF_NONE && unf_at(x->u, history).is_cut)
            unf_vec_push(&x->cut, history);
    }
}

/* The run, without what is hidden, becomes part of the unfolding. */
static void insert(race_classes *x, const trc *t)
{
    bool *hidden = td_alloc(t->ops.len + 1);
    bool *next_hidden = td_alloc(t->nexts.len + 1);
    trc seen;
    xpl_visibility_hidden(x->visibility, t, hidden, next_hidden);
    trc_project(t, hidden, next_hidden, &seen);
    TD_ASSERT(seen.ops.len <= t->ops.len);
    xpl_visibility_blind(x->visibility, &seen);
    trc_identify(&seen, x->namer);
    xpl_inputs_insert(&x->inputs, &seen);
    xpl_hidden_races_insert(x->hidden, t, hidden);
    classes_learn(x, &seen);
    learn_cut(x, &seen);
    xpl_plan_take_found(&x->plan);
    trc_fini(&seen);
    td_free(hidden);
    td_free(next_hidden);
}

/* More is visible than before: all runs say what they said, and more. */
static void rebuild(race_classes *x)
{
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t i = 0; i < x->kept.len; i++)
            grew |= xpl_visibility_learn(x->visibility, &x->kept.at[i]);
    }
    x->n_rebuilt++;
    x->n_unknown = x->n_repeated = 0;
    xpl_hidden_races_free(x->hidden);
    xpl_inputs_restart(&x->inputs, &x->opts);
    xpl_plan_restart(&x->plan);
    structure_init(x);
    unf_vec_clear(&x->cut);
    manner_class_vec_clear(&x->classes);
    td_id_set_clear(&x->done);
    manner_bytes_vec_clear(&x->unseen);
    for (size_t i = 0; i < x->kept.len; i++)
        insert(x, &x->kept.at[i]);
}

static void keep(race_classes *x, const trc *t)
{
    trc copy;
    trc_copy(&copy, t);
    trc_vec_push(&x->kept, copy);
}

static void learn_races(race_classes *x, const trc *t)
{
    for (size_t i = 0; i < t->fails.len; i++) {
        const trc_fail *f = &t->fails.at[i];
        if (f->kind != WIRE_FAIL_RACE ||
            !td_id_set_add(&x->races, xpl_pair_id(f->site, f->other_site)))
            continue;
        manner_race race = {.site = f->site,
                            .other = f->other_site,
                            .start = f->object,
                            .end = f->object + (f->size ? f->size : 1)};
        manner_race_vec_push(&x->seen, race);
    }
    bool again = !x->is_confirming || td_id_set_has(&x->races, x->suspect.pair) ||
                 xpl_hidden_races_has(x->hidden, x->suspect.pair);
    if (!again)
        manner_bytes_vec_push(&x->unseen,
                              (manner_bytes){x->suspect.start, x->suspect.end});
}

/* ---- sites whose order matters ---- */

static bool is_unseen(const race_classes *x, const manner_race *race)
{
    for (size_t i = 0; i < x->unseen.len; i++)
        if (race->start < x->unseen.at[i].end && x->unseen.at[i].start < race->end)
            return true;
    return false;
}

static void promote(race_classes *x, uint32_t site)
{
    for (size_t i = 0; i < x->promoted.len; i++)
        if (x->promoted.at[i] == site)
            return;
    manner_site_vec_push(&x->promoted, site);
}

static bool race_classes_promote(xpl *head, uint32_t *site)
{
    race_classes *x = (race_classes *)head;
    TD_ASSERT(x->n_asked <= x->promoted.len);
    for (size_t i = 0; i < x->seen.len; i++) {
        manner_race *race = &x->seen.at[i];
        if (race->is_promoted ||
            !(xpl_visibility_is_used(x->visibility, race->start, race->end) ||
              is_unseen(x, race)))
            continue;
        race->is_promoted = true;
        promote(x, race->site);
        promote(x, race->other);
    }
    if (x->n_asked == x->promoted.len)
        return false;
    *site = x->promoted.at[x->n_asked++];
    return true;
}

/* Suspects that runs led to and that were not seen to race, nor anything beside them. */
static uint64_t n_unexplained(const race_classes *x)
{
    uint64_t n = 0;
    for (size_t i = 0; i < x->unseen.len; i++) {
        bool any = false;
        for (size_t k = 0; k < x->seen.len; k++)
            any |= x->seen.at[k].start < x->unseen.at[i].end &&
                   x->unseen.at[i].start < x->seen.at[k].end;
        n += !any;
    }
    return n;
}

static void close_job(race_classes *x)
{
    TD_ASSERT(x->is_open); /* (X1) */
    x->is_open = false;
    if (x->n_rebuilt == x->n_rebuilt_then)
        xpl_plan_close(&x->plan, &x->load);
}

static void race_classes_feed(xpl *head, const trc *result)
{
    race_classes *x = (race_classes *)head;
    TD_ASSERT(result->job == x->n_jobs);
    x->is_endless |= result->done == WIRE_DONE_DEPTH;
    x->n_with_sections += trc_has(result, mdl_enters_section);
    learn_races(x, result);
    keep(x, result);
    if (xpl_visibility_learn(x->visibility, result))
        rebuild(x);
    else
        insert(x, result);
    if (unf_lost(x->u).changed > 0 && xpl_visibility_all(x->visibility))
        rebuild(x);
    close_job(x);
}

static void race_classes_lost(xpl *head, uint64_t job)
{
    race_classes *x = (race_classes *)head;
    (void)job;
    x->n_lost += x->load.targets.len == 0;
    close_job(x);
}

static bool race_classes_complete(const xpl *head)
{
    const race_classes *x = (const race_classes *)head;
    return x->n_jobs > 0 && !x->is_open && x->plan.todo.len == 0 &&
           x->plan.alone.len == 0 && x->cut.len == 0 &&
           xpl_hidden_races_is_empty(x->hidden) && x->n_lost == 0;
}

static void race_classes_count(const xpl *head, xpl_counts *out)
{
    const race_classes *x = (const race_classes *)head;
    *out = (xpl_counts){.events = unf_n_executed(x->u), .digest = unf_digest(x->u)};
}

static size_t race_classes_gaps(const xpl *head, xpl_gap *out, size_t max)
{
    const race_classes *x = (const race_classes *)head;
    unf_losses lost = unf_lost(x->u);
    const xpl_gap all[] = {
        {"depth", "schedules beyond the depth limit", x->plan.n_deep},
        {"loops",
         "orders in endless loops that repeat known access patterns were not "
         "run",
         x->n_repeated},
        {"not reached", "a schedule did not reach its target", x->plan.n_missed},
        {"sections",
         "data races with accesses in atomic sections are explored in one order only",
         x->n_with_sections},
        {"mixed sizes",
         "atomic accesses of different sizes overlap; continuations are not explored",
         lost.mixed},
        {"changed", "a thread continued in two ways from one position (a data race?)",
         lost.changed},
        {"races",
         "pairs of plain accesses that never occurred in the same run were not compared",
         xpl_hidden_races_uncompared(x->hidden)},
        {"races", "predicted data races that a run reached but did not confirm",
         n_unexplained(x)},
        {"surprises", "unforeseen events; others may be missing", lost.surprises},
        {"values", "addresses or lengths with more values than were tried", lost.values},
        {"solver", "path conditions that the solver could not decide",
         x->n_unknown + x->inputs.n_unknown},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].count > 0 && n < max)
            out[n++] = all[i];
    return n;
}

const xpl_search xpl_race_classes = {
    .name = "race-classes",
    .text = "every class of runs with the same races, one run each",
    .covers = XPL_RACES,
    .follows = true,
    .new = race_classes_new,
    .next = race_classes_next,
    .feed = race_classes_feed,
    .lost = race_classes_lost,
    .promote = race_classes_promote,
    .complete = race_classes_complete,
    .count = race_classes_count,
    .gaps = race_classes_gaps,
    .free = race_classes_free,
};
