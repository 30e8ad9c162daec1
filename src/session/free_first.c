/* SPDX-License-Identifier: Apache-2.0 */
/* A free and an access that nothing orders: looks for a run in which the access comes after the free.
 *
 * The access becomes an operation, if it can be one. Then its thread is held back, before the access or
 * before an earlier operation of its own, until the block is freed. */
#include "session/session_int.h"

#include "base/assert.h"

#define MAX_RUNS 40u
#define MAX_OPS 1000000u /* limit of all runs together */

typedef struct trials {
    ses_trials trials;
    const det_finding *f;
    ses_attempt *a;
    uint32_t flags;
    trc seen;       /* the original run, with the access as an operation */
    trc_fail fail;  /* its failure */
    uint32_t count; /* number of its operations up to the access */
} trials;

bool ses_frees_last(const ses *s, const trc *t, const det_finding *f)
{
    return f->kind == DET_RACE && f->fail < t->fails.len &&
           det_gives_back(trc_site_at(s->exec->sites(s->run), t->fails.at[f->fail].site));
}

/* ---- schedules ---- */

static bool is_step(const trc_op *op)
{
    return trc_is_choice(op) || trc_is_promoted(op);
}

/* Makes a schedule in which the accessing thread is held back from operation `from` on, then makes one step.
 * Meanwhile all other threads do what they did, or only the freeing thread does. */
static void hold_back(const trials *x, uint32_t from, bool frees_only, trc_step_vec *out)
{
    trc_step_vec_clear(out);
    for (uint32_t i = 0; i < x->fail.after_op; i++) {
        const trc_op *op = &x->seen.ops.at[i];
        bool is_held = op->thread == x->fail.other_thread ||
                       (frees_only && op->thread != x->fail.thread);
        if (is_step(op) && (i < from || !is_held))
            trc_step_add(out, op->thread);
    }
    trc_step_add(out, x->fail.other_thread);
}

/* Runs it. True: the access comes after the free, and the attempt has the schedule up to there. */
static bool try_schedule(trials *x, trc_step_vec *steps)
{
    ses *s = x->trials.s;
    det_finding found = {0};
    run_request request = ses_attempt_request(x->a, x->flags);
    request.steps = steps->at;
    request.n_steps = steps->len;
    const trc *t = ses_trial(&x->trials, request);
    bool shows = t && t->done != WIRE_DONE_DIVERGED &&
                 ses_find_same(s, t, x->f, &found) && !ses_frees_last(s, t, &found);
    if (shows)
        ses_schedule(t, &found, &x->a->schedule);
    det_finding_fini(&found);
    return shows;
}

static bool try_all(trials *x)
{
    trc_step_vec steps = {0};
    bool shows = false;
    for (uint32_t i = x->count; i-- > 0 && !shows && !ses_trials_over(&x->trials);) {
        const trc_op *op = &x->seen.ops.at[i];
        if (op->thread != x->fail.other_thread || !is_step(op))
            continue;
        for (unsigned frees_only = 0; frees_only < 2 && !shows; frees_only++) {
            hold_back(x, i, frees_only, &steps);
            shows = try_schedule(x, &steps);
        }
    }
    trc_step_vec_fini(&steps);
    return shows;
}

/* ---- the original run ---- */

/* Operations up to the access, itself included if it is one. */
static uint32_t count_to_access(const trc *t, const trc_fail *f)
{
    for (uint32_t i = f->after_op; i-- > 0;)
        if (t->ops.at[i].thread == f->other_thread && t->ops.at[i].site == f->other_site)
            return i + 1;
    for (size_t i = t->accesses.len; i-- > 0;) {
        const trc_access *x = &t->accesses.at[i];
        if (x->thread == f->other_thread && x->site == f->other_site &&
            x->before_op <= f->after_op)
            return x->before_op;
    }
    return f->after_op;
}

/* Repeats the run with the access as an operation without a choice, so the schedule stays the same. */
static bool get_seen(trials *x)
{
    det_finding found = {0};
    const trc *t = ses_trial(&x->trials, ses_attempt_request(x->a, x->flags));
    bool shows = t && ses_find_same(x->trials.s, t, x->f, &found) &&
                 ses_frees_last(x->trials.s, t, &found);
    if (shows) {
        trc_copy(&x->seen, t);
        x->fail = t->fails.at[found.fail];
        x->count = count_to_access(t, &x->fail);
        TD_ASSERT(x->count <= x->fail.after_op && x->fail.after_op <= t->ops.len);
    }
    det_finding_fini(&found);
    return shows;
}

td_status ses_free_first(ses *s, const det_finding *f, const trc *original,
                         ses_attempt *a, td_diag *diag)
{
    if (!ses_frees_last(s, original, f))
        return TD_OK;
    a->flags |= WIRE_JOB_RACE_ON;
    ses_promote_site(s->exec->sites(s->run), original->fails.at[f->fail].other_site,
                     WIRE_PASSING, &a->promoted);
    trials x = {.trials = {.s = s,
                           .runs_left = MAX_RUNS,
                           .ops_left = MAX_OPS,
                           .percent = 25,
                           .diag = diag},
                .f = f,
                .a = a,
                .flags = (ses_replay_flags(f->kind) & ~WIRE_JOB_STACKS) | a->flags};
    if (get_seen(&x)) {
        for (size_t i = 0; i < a->promoted.len; i++)
            a->promoted.at[i].how = WIRE_PROMOTED;
        a->uses_freed = try_all(&x);
        trc_fini(&x.seen);
    }
    TD_TRY(x.trials.status);
    return a->uses_freed ? ses_attempt_replay(s, f, a, diag) : TD_OK;
}
