/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the point of no return: runs all continuations of prefixes of the recorded schedule. A prefix
 * counts only if all its continuations were run and fail. */
#include "session/session_int.h"

#include "base/assert.h"

#define MAX_RUNS 2000u     /* limit of runs per finding */
#define MAX_WAYS 600u      /* limit of continuations of one prefix */
#define MAX_OPS 2000000u   /* limit of all runs together */
#define MAX_CHOICES 10000u /* longest schedule that is examined */

typedef struct search {
    ses_trials trials;
    const det_finding *f;
    const ses_attempt *a;
    trc_step_vec steps;
    trc_u32_vec chosen; /* after the beginning: the threads chosen */
    trc_u32_vec left;   /* per choice: how many others are to be tried ... */
    trc_u32_vec others; /* ... of those at the end of this */
    uint32_t n_ways;    /* continuations of the shortest failing prefix so far */
} search;

/* Makes the schedule: the first n choices of the recording, then the continuation to try. */
static void make_steps(search *x, uint32_t n)
{
    trc_step_vec_clear(&x->steps);
    for (size_t i = 0; i < x->a->schedule.len && n > 0; i++) {
        wire_step step = x->a->schedule.at[i];
        step.count = step.count < n ? step.count : n;
        trc_step_vec_push(&x->steps, step);
        n -= step.count;
    }
    for (size_t i = 0; i < x->chosen.len; i++)
        trc_step_add(&x->steps, x->chosen.at[i]);
}

/* Adds the choices that the run made beyond its schedule, with their alternatives. */
static void add_choices(search *x, const trc *t, uint32_t n_known)
{
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        if (!trc_is_choice(op))
            continue;
        if (n_known > 0) {
            n_known--;
            continue;
        }
        trc_u32_vec_push(&x->chosen, op->thread);
        trc_u32_vec_push(&x->left, op->n_alternatives);
        if (op->n_alternatives > 0)
            trc_u32_vec_append(&x->others, t->enabled.at + op->alternatives,
                               op->n_alternatives);
    }
}

/* Backtracks to the last choice with an untried alternative. False: there is none. */
static bool next_way(search *x)
{
    TD_ASSERT(x->chosen.len == x->left.len);
    while (x->chosen.len > 0 && x->left.at[x->left.len - 1] == 0) {
        x->chosen.len--;
        x->left.len--;
    }
    if (x->chosen.len == 0)
        return false;
    TD_ASSERT(x->others.len > 0); /* the choice has alternatives */
    x->left.at[x->left.len - 1]--;
    x->chosen.at[x->chosen.len - 1] = trc_u32_vec_pop(&x->others);
    return true;
}

static bool one_fails(search *x, uint32_t n)
{
    det_finding found = {0};
    make_steps(x, n);
    run_request request = ses_attempt_request(
        x->a, (ses_replay_flags(x->f->kind) & ~(WIRE_JOB_DETAIL | WIRE_JOB_STACKS)) |
                  WIRE_JOB_ENABLED | x->a->flags);
    request.steps = x->steps.at;
    request.n_steps = x->steps.len;
    const trc *t = ses_trial(&x->trials, request);
    bool fails = t && ses_find_same(x->trials.s, t, x->f, &found);
    if (fails)
        add_choices(x, t, n + (uint32_t)x->chosen.len);
    det_finding_fini(&found);
    return fails;
}

/* True if every continuation after n choices was run and fails. */
static bool all_fail(search *x, uint32_t n)
{
    x->chosen.len = x->left.len = x->others.len = 0;
    uint32_t ways = 0;
    do {
        if (ways++ == MAX_WAYS || !one_fails(x, n))
            return false;
    } while (next_way(x));
    x->n_ways = ways;
    return true;
}

/* Finds the shortest prefix after which every continuation fails. */
static uint32_t find_least(search *x, uint32_t n)
{
    uint32_t low = 0;
    while (low < n && x->trials.status == TD_OK) {
        uint32_t middle = low + (n - low) / 2;
        if (all_fail(x, middle))
            n = middle;
        else
            low = middle + 1;
    }
    TD_ASSERT(x->trials.status != TD_OK || low == n);
    return n;
}

/* Number of operations of the run after n choices, with the forced operations that follow. */
static uint32_t ops_after(const trc *t, uint32_t n)
{
    uint32_t i = 0;
    for (; i < t->ops.len; i++) {
        if (!trc_is_choice(&t->ops.at[i]))
            continue;
        if (n == 0)
            break;
        n--;
    }
    return i;
}

static bool is_worth_it(const search *x, uint64_t n)
{
    det_kind kind = x->f->kind;
    return n > 0 && n <= MAX_CHOICES && kind != DET_HANG && kind != DET_NONDET &&
           kind != DET_RACE;
}

td_status ses_find_no_return(ses *s, const det_finding *f, ses_attempt *a, td_diag *diag)
{
    search x = {.trials = {.s = s,
                           .runs_left = MAX_RUNS,
                           .ops_left = MAX_OPS,
                           .percent = 75,
                           .is_patient = true,
                           .diag = diag},
                .f = f,
                .a = a};
    uint64_t all = 0;
    for (size_t i = 0; i < a->schedule.len; i++)
        all += a->schedule.at[i].count;
    a->no_return = 0;
    a->no_return_choices = all <= UINT32_MAX ? (uint32_t)all : 0;
    a->n_ways = 1;
    if (!is_worth_it(&x, all) || ses_is_over(s))
        return TD_OK;
    uint32_t n = find_least(&x, (uint32_t)all);
    TD_ASSERT(n <= all);
    if (n < all) {
        a->no_return_choices = n;
        a->n_ways = x.n_ways;
    }
    trc *t = NULL;
    if (x.trials.status == TD_OK && n < all && !ses_is_over(s))
        x.trials.status =
            ses_execute(s, ses_attempt_request(a, ses_replay_flags(f->kind) | a->flags),
                        &t, diag);
    if (t)
        a->no_return = ops_after(t, n) + 1;
    trc_step_vec_fini(&x.steps);
    trc_u32_vec_fini(&x.chosen);
    trc_u32_vec_fini(&x.left);
    trc_u32_vec_fini(&x.others);
    return x.trials.status;
}
