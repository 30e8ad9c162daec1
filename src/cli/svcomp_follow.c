/* SPDX-License-Identifier: Apache-2.0 */
/* Each waypoint makes the schedule longer: its thread continues, and whatever it waits for, until it
 * has been at the line. What a witness leaves open is tried at random behind that. */
#include "cli/svcomp_follow.h"

#include <string.h>

#include "base/assert.h"
#include "base/text.h"
#include "run/run.h"

#define RANDOM_RUNS 256u
#define REPLAYS 3u
#define HEAP (UINT64_C(1) << 30)

/* How far a waypoint goes in its line. */
enum { UP_TO_ITS_END, UP_TO_ITS_FIRST, N_MANNERS };

typedef struct follower {
    const cli_witness *w;
    cli_violation what;
    uint32_t manner;
    run *run;
    trc *seen;             /* the last run, until the next one */
    trc_step_vec steps;    /* the schedule so far */
    uint32_t n_choices;    /* choices in it */
    trc_chosen_vec inputs; /* inputs of the witness */
    trc_promoted_vec promoted;
    cli_followed *out;
} follower;

/* ---- places ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_place(const trc_site *s, const cli_waypoint *p)
{
    return s->line == p->line &&
           (p->file[0] == '\0' || strcmp(base_name(s->file), base_name(p->file)) == 0);
}

static bool is_at(const follower *f, uint32_t site, const cli_waypoint *p)
{
    trc_site s = trc_site_at(run_sites(f->run), site);
    return is_place(&s, p);
}

/* One of the calls that a failure is in. */
static bool is_called_at(const follower *f, uint32_t stack, const cli_waypoint *p)
{
    const trc *t = f->seen;
    trc_stack s = stack < t->stacks.len ? t->stacks.at[stack] : (trc_stack){0};
    for (uint32_t i = s.first; i < s.first + s.n && i < t->frames.len; i++) {
        trc_site place = trc_site_of_address(run_sites(f->run), t->frames.at[i] - 1);
        if (is_place(&place, p))
            return true;
    }
    return false;
}

static bool is_thread(const cli_waypoint *p, uint32_t thread)
{
    return p->thread == CLI_ANY_THREAD || p->thread == thread;
}

/* Promotes plain accesses at the lines of the witness, so that threads can be preempted there. For races
 * they must stay plain. */
static void promote(follower *f)
{
    uint32_t end = trc_sites_end(run_sites(f->run));
    for (uint32_t i = 1; f->what == CLI_VIOLATES_CALL && i < end; i++) {
        trc_site s = trc_site_at(run_sites(f->run), i);
        bool is_named = false;
        for (size_t k = 0; k < f->w->at.len && !is_named; k++)
            is_named = is_at(f, i, &f->w->at.at[k]);
        if (is_named && (s.kind == WIRE_SITE_READ || s.kind == WIRE_SITE_WRITE) &&
            f->promoted.len < WIRE_MAX_PROMOTED / 2)
            trc_promoted_vec_push(&f->promoted, (wire_promoted){i, WIRE_PROMOTED});
    }
}

/* ---- runs ---- */

/* The schedule so far, then the policy; first: the thread that goes first behind it, or CLI_ANY_THREAD. */
static td_status make_run(follower *f, uint32_t first, uint32_t policy, uint64_t seed,
                          td_diag *diag)
{
    TD_ASSERT(policy < WIRE_N_POLICIES);
    size_t n = f->steps.len;
    uint32_t last = n > 0 ? f->steps.at[n - 1].count : 0;
    run_outcome outcome;
    uint64_t job;
    if (first != CLI_ANY_THREAD)
        trc_step_add(&f->steps, first);
    run_request request = {.id = ++f->out->n_runs,
                           .policy = policy,
                           .flags =
                               WIRE_JOB_RACE_ON | WIRE_JOB_RACE_ALL | WIRE_JOB_STACKS,
                           .seed = seed,
                           .steps = f->steps.at,
                           .n_steps = f->steps.len,
                           .inputs = f->inputs.at,
                           .n_inputs = f->inputs.len,
                           .promoted = f->promoted.at,
                           .n_promoted = f->promoted.len};
    bool is_sent = run_submit(f->run, &request);
    f->steps.len = n;
    if (n > 0)
        f->steps.at[n - 1].count = last;
    f->seen = NULL;
    if (!is_sent)
        return td_diag_set(diag, TD_E_LIMIT, "the schedule of the witness is too long");
    TD_TRY(run_next(f->run, &outcome, &job, &f->seen, diag));
    if (outcome != RUN_TRACE)
        f->seen = NULL;
    return TD_OK;
}

/* ---- one waypoint ---- */

/* Returns how many choices lead past the waypoint: past its first operation, or all its operations in a row;
 * 0 if the run does not pass it. */
static uint32_t choices_to(const follower *f, const cli_waypoint *p, bool is_first)
{
    uint32_t n = 0, there = 0;
    uint32_t thread = CLI_ANY_THREAD;
    for (size_t i = 0; f->seen && i < f->seen->ops.len; i++) {
        const trc_op *op = &f->seen->ops.at[i];
        n += trc_is_choice(op);
        if (n <= f->n_choices)
            continue;
        bool is_here = is_thread(p, op->thread) && is_at(f, op->site, p);
        if (there > 0 && (op->thread != thread || !is_here))
            break;
        if (!is_here)
            continue;
        thread = op->thread;
        there = n;
        if (is_first)
            break;
    }
    return there;
}

/* A thread that comes back to the line with its next waypoint has not ended it. */
static bool comes_back(const follower *f, size_t k)
{
    const cli_waypoint *p = &f->w->at.at[k];
    for (size_t i = k + 1; i < f->w->at.len; i++) {
        const cli_waypoint *q = &f->w->at.at[i];
        if (q->thread == p->thread)
            return q->line == p->line;
    }
    return false;
}

static bool has_input(const follower *f, uint64_t key)
{
    for (size_t i = 0; i < f->inputs.len; i++)
        if (f->inputs.at[i].key == key)
            return true;
    return false;
}

/* The first input at the line that has no value yet gets the one that the waypoint has. */
static bool give_input(follower *f, const cli_waypoint *p)
{
    uint64_t value;
    if (!cli_constraint_number(p->value, &value))
        return false;
    for (size_t i = 0; f->seen && i < f->seen->inputs.len; i++) {
        const trc_input *in = &f->seen->inputs.at[i];
        if (!is_thread(p, in->thread) || !is_at(f, in->site, p) || has_input(f, in->key))
            continue;
        uint64_t mask = in->bits >= 64 ? UINT64_MAX : (UINT64_C(1) << in->bits) - 1;
        trc_chosen_vec_push(&f->inputs, (wire_input){in->key, value & mask});
        return true;
    }
    return false;
}

/* Lets the thread of the waypoint continue; if it is blocked, any other thread. */
static td_status pass(follower *f, size_t k, td_diag *diag)
{
    const cli_waypoint *p = &f->w->at.at[k];
    bool is_first = f->manner == UP_TO_ITS_FIRST || comes_back(f, k);
    uint32_t there = 0;
    TD_TRY(make_run(f, p->thread, WIRE_POLICY_FIRST, 1, diag));
    if (!give_input(f, p))
        there = choices_to(f, p, is_first);
    else
        f->out->n_passed++;
    if (there == 0 && p->thread != CLI_ANY_THREAD) {
        TD_TRY(make_run(f, CLI_ANY_THREAD, WIRE_POLICY_FIRST, 1, diag));
        there = choices_to(f, p, is_first);
    }
    if (there == 0)
        return TD_OK;
    TD_ASSERT(there > f->n_choices);
    f->out->n_passed++;
    f->n_choices = there;
    trc_step_vec_clear(&f->steps);
    trc_schedule_prefix(f->seen, there, &f->steps);
    return TD_OK;
}

/* ---- the violation ---- */

/* True if a target is at this site, or calls the function of this site: a task may define its own error
 * function. A witness without a target accepts any. */
static bool is_target(const follower *f, uint32_t site, uint32_t stack)
{
    bool any = false;
    for (size_t i = 0; i < f->w->at.len; i++) {
        const cli_waypoint *p = &f->w->at.at[i];
        if (p->way != CLI_WAY_TARGET || p->is_avoided)
            continue;
        any = true;
        if (is_at(f, site, p) || is_called_at(f, stack, p))
            return true;
    }
    return !any;
}

static bool is_violation(const follower *f, const trc_fail *fail)
{
    const char *text = f->seen->texts.at ? f->seen->texts.at + fail->text : "";
    if (f->what == CLI_VIOLATES_RACE)
        return fail->kind == WIRE_FAIL_RACE &&
               (is_target(f, fail->site, 0) || is_target(f, fail->other_site, 0));
    return fail->kind == WIRE_FAIL_ASSERT &&
           (strstr(text, "reach_error is not reached") ||
            strstr(text, "__VERIFIER_error is not reached")) &&
           is_target(f, fail->site, fail->stack);
}

static bool shows(const follower *f)
{
    for (size_t i = 0; f->seen && i < f->seen->fails.len; i++)
        if (is_violation(f, &f->seen->fails.at[i]))
            return true;
    return false;
}

/* Replays the last run: only a failure that occurs each time is confirmed. */
static td_status replay(follower *f, td_diag *diag)
{
    TD_ASSERT(f->seen != NULL);
    trc_step_vec_clear(&f->steps);
    trc_schedule(f->seen, &f->steps);
    trc_chosen_vec_clear(&f->inputs);
    for (size_t i = 0; i < f->seen->inputs.len; i++)
        trc_chosen_vec_push(&f->inputs, (wire_input){f->seen->inputs.at[i].key,
                                                     f->seen->inputs.at[i].value});
    bool is_same = true;
    for (uint32_t i = 0; i < REPLAYS && is_same; i++) {
        TD_TRY(make_run(f, CLI_ANY_THREAD, WIRE_POLICY_FIRST, 1, diag));
        is_same = shows(f);
    }
    f->out->is_confirmed = is_same;
    return TD_OK;
}

/* Runs the schedule of the waypoints to its end, then with random choices for everything that it leaves
 * open. */
static td_status finish(follower *f, td_diag *diag)
{
    for (uint32_t i = 0; i <= RANDOM_RUNS && !f->out->is_confirmed; i++) {
        uint32_t policy = i == 0 ? WIRE_POLICY_FIRST : WIRE_POLICY_RANDOM;
        TD_TRY(make_run(f, CLI_ANY_THREAD, policy, i, diag));
        if (shows(f))
            return replay(f, diag);
    }
    return TD_OK;
}

/* ---- all ---- */

static td_status follow(follower *f, td_diag *diag)
{
    for (f->manner = 0; f->manner < N_MANNERS && !f->out->is_confirmed; f->manner++) {
        trc_step_vec_clear(&f->steps);
        trc_chosen_vec_clear(&f->inputs);
        f->n_choices = f->out->n_passed = f->out->n_waypoints = 0;
        for (size_t k = 0; k < f->w->at.len; k++) {
            const cli_waypoint *p = &f->w->at.at[k];
            if (p->is_avoided || p->way == CLI_WAY_TARGET)
                continue;
            f->out->n_waypoints++;
            TD_TRY(pass(f, k, diag));
        }
        TD_TRY(finish(f, diag));
    }
    return TD_OK;
}

td_status cli_witness_follow(const char *program, const cli_witness *w,
                             cli_violation what, cli_followed *out, td_diag *diag)
{
    char *argv[] = {(char *)program, NULL};
    run_opts opts = {.argv = argv, .heap_limit = HEAP};
    follower f = {.w = w, .what = what, .out = out};
    *out = (cli_followed){0};
    TD_TRY(run_open(&opts, &f.run, diag));
    promote(&f);
    td_status status = follow(&f, diag);
    run_close(f.run);
    trc_step_vec_fini(&f.steps);
    trc_chosen_vec_fini(&f.inputs);
    trc_promoted_vec_fini(&f.promoted);
    return status;
}
