/* SPDX-License-Identifier: Apache-2.0 */
/* Reduces the schedule and inputs of a finding. Each attempt runs a smaller schedule; if the same
 * finding occurs, the schedule actually executed, up to the failure, replaces the best one if it is
 * simpler.
 *
 * Simpler is: fewer preemptions, then fewer context switches, then fewer choices. Where threads wait
 * forever, the run should end with one of them, because that is where a debugger stops. */
#include "session/session_int.h"

#include "base/assert.h"

#define MAX_RUNS 400u
#define MAX_OPS 3000000u /* limit of all attempts together */
#define MAX_REPAIRS 3u   /* repairs of one schedule that a run could not follow */
#define INPUT_RUNS 80u   /* kept for inputs */
#define MAX_INPUTS 64u   /* most inputs that are reduced */

typedef struct measure {
    /* The last thread that ran is not one of those that wait forever */
    bool ends_elsewhere;
    uint32_t preemptions, switches;
    uint64_t choices;
} measure;

typedef struct shrinking {
    ses_trials trials;
    const det_finding *f;
    ses_attempt *best;
    measure size; /* size of best */
    uint32_t flags;
} shrinking;

/* ---- one try ---- */

static uint32_t ops_before(const trc *t, const det_finding *f)
{
    return f->fail < t->fails.len ? t->fails.at[f->fail].after_op : (uint32_t)t->ops.len;
}

static bool ends_elsewhere(const trc *t, const det_finding *f)
{
    if (!det_is_stuck(f->kind) || t->ops.len == 0)
        return false;
    for (size_t i = 0; i < t->waits.len; i++)
        if (t->waits.at[i].thread == t->ops.at[t->ops.len - 1].thread &&
            t->waits.at[i].kind != WIRE_NONE && !mdl_joins(t->waits.at[i].kind))
            return false;
    return true;
}

static measure measure_of(const trc *t, const det_finding *f, const trc_step_vec *steps)
{
    TD_ASSERT(ops_before(t, f) <= t->ops.len);
    measure m = {.ends_elsewhere = ends_elsewhere(t, f),
                 .switches = (uint32_t)steps->len};
    for (uint32_t i = 0; i < ops_before(t, f); i++) {
        m.preemptions += (t->ops.at[i].flags & WIRE_F_PREEMPTS) != 0;
        m.choices += trc_is_choice(&t->ops.at[i]);
    }
    return m;
}

static bool is_simpler(measure a, measure b)
{
    if (a.ends_elsewhere != b.ends_elsewhere)
        return b.ends_elsewhere;
    if (a.preemptions != b.preemptions)
        return a.preemptions < b.preemptions;
    return a.switches != b.switches ? a.switches < b.switches : a.choices < b.choices;
}

static trc *execute(shrinking *x, const trc_step_vec *steps, const trc_chosen_vec *inputs)
{
    run_request request = ses_attempt_request(x->best, x->flags);
    request.steps = steps->at;
    request.n_steps = steps->len;
    request.inputs = inputs->at;
    request.n_inputs = inputs->len;
    return ses_trial(&x->trials, request);
}

static uint32_t next_of(const trc_step_vec *v, uint32_t thread, uint32_t from)
{
    while (from < v->len && v->at[from].thread != thread)
        from++;
    return from;
}

/* Removes blocks without choices, and merges neighbouring blocks of one thread. */
static void tidy(trc_step_vec *v)
{
    size_t n = 0;
    for (size_t i = 0; i < v->len; i++) {
        if (v->at[i].count == 0)
            continue;
        if (n > 0 && v->at[n - 1].thread == v->at[i].thread)
            v->at[n - 1].count += v->at[i].count;
        else
            v->at[n++] = v->at[i];
    }
    TD_ASSERT(n <= v->len);
    v->len = n;
}

/* A thread was not enabled after so many choices of the schedule: its block is moved later. */
static bool repair(trc_step_vec *v, uint32_t n_choices)
{
    uint32_t i = 0;
    for (; i < v->len && v->at[i].count <= n_choices; i++)
        n_choices -= v->at[i].count;
    if (i == v->len)
        return false;
    uint32_t later = next_of(v, v->at[i].thread, i + 1);
    if (later < v->len)
        v->at[later].count += v->at[i].count - n_choices;
    TD_ASSERT(n_choices < v->at[i].count);
    v->at[i].count = n_choices;
    tidy(v);
    return true;
}

/* Tries a schedule, which it frees or keeps, with these inputs. True: it is simpler and is the best now. */
static bool try(shrinking *x, trc_step_vec *steps, const trc_chosen_vec *inputs)
{
    det_finding found = {0};
    bool shows = false, simpler = false;
    trc *t = execute(x, steps, inputs);
    for (unsigned i = 0; t && t->done == WIRE_DONE_DIVERGED && i < MAX_REPAIRS; i++)
        t = repair(steps, t->n_choices) ? execute(x, steps, inputs) : NULL;
    shows = t && t->done != WIRE_DONE_DIVERGED &&
            ses_find_same(x->trials.s, t, x->f, &found) &&
            !(x->best->uses_freed && ses_frees_last(x->trials.s, t, &found));
    if (shows) {
        ses_schedule(t, &found, steps);
        measure m = measure_of(t, &found, steps);
        bool other_inputs = inputs != &x->best->inputs;
        simpler = is_simpler(m, x->size) ||
                  (other_inputs && m.preemptions <= x->size.preemptions);
        if (simpler) {
            trc_step_vec old = x->best->schedule;
            x->best->schedule = *steps;
            *steps = old;
            x->size = m;
        }
    }
    det_finding_fini(&found);
    trc_step_vec_fini(steps);
    return simpler;
}

/* ---- schedules ---- */

static trc_step_vec copy_of(const trc_step_vec *v)
{
    trc_step_vec out = {0};
    trc_step_vec_append(&out, v->at, v->len);
    return out;
}

/* Moves blocks [at, at + n) later: each to the next block of its thread, if there is one. */
static bool try_later(shrinking *x, uint32_t at, uint32_t n)
{
    TD_ASSERT(n > 0 && at + n <= x->best->schedule.len);
    trc_step_vec v = copy_of(&x->best->schedule);
    for (uint32_t i = at; i < at + n; i++) {
        uint32_t to = next_of(&v, v.at[i].thread, at + n);
        if (to < v.len)
            v.at[to].count += v.at[i].count;
        v.at[i].count = 0;
    }
    tidy(&v);
    return try(x, &v, &x->best->inputs);
}

/* Moves block at up to the previous block of its thread. */
static bool try_earlier(shrinking *x, uint32_t at)
{
    uint32_t to = at;
    while (to > 0 &&
           x->best->schedule.at[to - 1].thread != x->best->schedule.at[at].thread)
        to--;
    if (to == 0)
        return false;
    trc_step_vec v = copy_of(&x->best->schedule);
    v.at[to - 1].count += v.at[at].count;
    v.at[at].count = 0;
    tidy(&v);
    return try(x, &v, &x->best->inputs);
}

/* Swaps two neighbouring blocks, which may avoid preempting one that waits for the other. */
static bool try_swapped(shrinking *x, uint32_t at)
{
    if (at + 1 >= x->best->schedule.len)
        return false;
    trc_step_vec v = copy_of(&x->best->schedule);
    wire_step first = v.at[at];
    v.at[at] = v.at[at + 1];
    v.at[at + 1] = first;
    tidy(&v);
    return try(x, &v, &x->best->inputs);
}

/* Removes all blocks of a thread: it then runs when no other thread is enabled, or not at all. */
static bool try_without(shrinking *x, uint32_t thread)
{
    trc_step_vec v = {0};
    for (size_t i = 0; i < x->best->schedule.len; i++)
        if (x->best->schedule.at[i].thread != thread)
            trc_step_vec_push(&v, x->best->schedule.at[i]);
    tidy(&v);
    return try(x, &v, &x->best->inputs);
}

static void drop_threads(shrinking *x)
{
    uint32_t last = 0;
    for (size_t i = 0; i < x->best->schedule.len; i++)
        if (x->best->schedule.at[i].thread > last)
            last = x->best->schedule.at[i].thread;
    for (uint32_t thread = last; thread > 0 && !ses_trials_over(&x->trials); thread--)
        if (next_of(&x->best->schedule, thread, 0) < x->best->schedule.len)
            try_without(x, thread);
}

/* Removes sequences of blocks, long ones first. */
static bool thin_out(shrinking *x, uint32_t n)
{
    bool any = false;
    uint32_t len = (uint32_t)x->best->schedule.len;
    for (uint32_t at = len; at > 0 && !ses_trials_over(&x->trials);) {
        at = at > n ? at - n : 0;
        uint32_t end =
            at + n < x->best->schedule.len ? at + n : (uint32_t)x->best->schedule.len;
        if (at >= end)
            continue;
        if (try_later(x, at, end - at) ||
            (n == 1 && (try_earlier(x, at) || try_swapped(x, at))))
            any = true;
    }
    return any;
}

static bool may_try(const shrinking *x)
{
    return x->size.preemptions > 1 && !ses_trials_over(&x->trials);
}

/* Tries one preemption in the default run: at each of its choices, to each other thread. */
static void try_single(shrinking *x)
{
    trc_step_vec none = {0}, all = {0};
    uint32_t n_threads = 0;
    trc *t = execute(x, &none, &x->best->inputs);
    if (!t)
        return;
    trc_schedule(t, &all);
    n_threads = (uint32_t)t->threads.len;
    for (uint32_t i = 0; i < all.len && may_try(x); i++)
        for (uint32_t k = 1; k < all.at[i].count && may_try(x); k++)
            for (uint32_t to = 0; to < n_threads && may_try(x); to++) {
                trc_step_vec v = {0};
                if (to == all.at[i].thread)
                    continue;
                trc_step_vec_append(&v, all.at, i);
                trc_step_vec_push(&v, (wire_step){all.at[i].thread, k});
                trc_step_vec_push(&v, (wire_step){to, 1});
                try(x, &v, &x->best->inputs);
            }
    trc_step_vec_fini(&all);
}

/* Moves the last block of a thread to the end. */
static bool try_last(shrinking *x, uint32_t at)
{
    TD_ASSERT(at < x->best->schedule.len);
    trc_step_vec v = copy_of(&x->best->schedule);
    wire_step last = v.at[at];
    v.at[at].count = 0;
    trc_step_vec_push(&v, last);
    tidy(&v);
    return try(x, &v, &x->best->inputs);
}

static void end_well(shrinking *x)
{
    for (uint32_t at = (uint32_t)x->best->schedule.len;
         at-- > 0 && !ses_trials_over(&x->trials);) {
        uint32_t thread = x->best->schedule.at[at].thread;
        bool is_last =
            next_of(&x->best->schedule, thread, at + 1) == x->best->schedule.len;
        if (!x->size.ends_elsewhere || (is_last && try_last(x, at)))
            return;
    }
}

static void shrink_schedule(shrinking *x)
{
    end_well(x);
    drop_threads(x);
    for (uint32_t n = (uint32_t)x->best->schedule.len;
         n > 1 && !ses_trials_over(&x->trials); n = (n + 1) / 2)
        thin_out(x, n);
    while (thin_out(x, 1) && !ses_trials_over(&x->trials))
        continue;
    if (x->size.preemptions > 1)
        try_single(x);
}

/* ---- inputs ---- */

/* Maps a value so that signed values, too, are ordered as unsigned numbers. */
static uint64_t rank_of(const trc_input *in, uint64_t value)
{
    TD_ASSERT(in->bits > 0 && in->bits <= 64);
    return in->sign == WIRE_SIGNED ? value ^ UINT64_C(1) << (in->bits - 1) : value;
}

static bool try_value(shrinking *x, size_t i, uint64_t value)
{
    TD_ASSERT(i < x->best->inputs.len);
    trc_chosen_vec inputs = {0};
    trc_chosen_vec_append(&inputs, x->best->inputs.at, x->best->inputs.len);
    inputs.at[i].value = value;
    trc_step_vec steps = copy_of(&x->best->schedule);
    bool shows = try(x, &steps, &inputs);
    if (shows)
        x->best->inputs.at[i].value = value;
    trc_chosen_vec_fini(&inputs);
    return shows;
}

/* Finds the value nearest to target that still fails, by bisection: exact if all values beyond it fail. */
static void shrink_input(shrinking *x, size_t i, const trc_input *in, uint64_t target)
{
    uint64_t fails = rank_of(in, x->best->inputs.at[i].value);
    uint64_t passes = rank_of(in, target);
    if (fails == passes || try_value(x, i, target))
        return;
    while (!ses_trials_over(&x->trials)) {
        bool up = fails > passes;
        TD_ASSERT(fails != passes);
        uint64_t gap = up ? fails - passes : passes - fails;
        uint64_t middle = up ? passes + gap / 2 : passes - gap / 2;
        if (gap < 2)
            return;
        if (try_value(x, i, rank_of(in, middle))) /* its own inverse */
            fails = middle;
        else
            passes = middle;
    }
}

/* Inputs of the run as it is now, so that their names are known. */
static void shrink_inputs(shrinking *x)
{
    const ses_opts *opts = x->trials.s->opts;
    ses_words words = {opts->argv, &opts->given, NULL};
    trc_step_vec steps = copy_of(&x->best->schedule);
    trc *t = x->best->inputs.len > 0 ? execute(x, &steps, &x->best->inputs) : NULL;
    trc seen = {0};
    if (t)
        trc_copy(&seen, t);
    for (size_t i = seen.inputs.len; i-- > 0 && seen.inputs.len <= MAX_INPUTS;) {
        const trc_input *in = &seen.inputs.at[i];
        uint64_t target = 0;
        size_t k = 0;
        while (k < x->best->inputs.len && x->best->inputs.at[k].key != in->key)
            k++;
        ses_words_value(&words, seen.texts.at + in->text, &target);
        if (k < x->best->inputs.len)
            shrink_input(x, k, in, target);
    }
    if (t)
        trc_fini(&seen);
    trc_step_vec_fini(&steps);
}

td_status ses_shrink(ses *s, const det_finding *f, ses_attempt *a, td_diag *diag)
{
    /* Only a run with all accesses recorded has the lines of a race; a hang takes its whole timeout. */
    uint32_t flags = ses_replay_flags(f->kind) & ~WIRE_JOB_STACKS;
    if (f->kind != DET_RACE)
        flags &= ~WIRE_JOB_DETAIL;
    shrinking x = {.trials = {.s = s,
                              .runs_left = MAX_RUNS,
                              .reserve = INPUT_RUNS,
                              .ops_left = MAX_OPS,
                              .percent = 50,
                              .diag = diag},
                   .f = f,
                   .best = a,
                   .size = {true, UINT32_MAX, UINT32_MAX, UINT64_MAX},
                   .flags = flags | a->flags};
    if (f->kind == DET_HANG || f->kind == DET_NONDET)
        return TD_OK;
    trc_step_vec first = copy_of(&a->schedule);
    if (try(&x, &first, &a->inputs)) {
        shrink_schedule(&x);
        x.trials.reserve = 0;
        shrink_inputs(&x);
    }
    return x.trials.status;
}
