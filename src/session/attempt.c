/* SPDX-License-Identifier: Apache-2.0 */
/* An attempt to reproduce a finding: schedule, inputs, promoted accesses; and its replays. */
#include "session/session_int.h"

#include "base/assert.h"

void ses_schedule(const trc *t, const det_finding *f, trc_step_vec *out)
{
    if (f->fail >= t->fails.len) {
        trc_schedule(t, out);
        return;
    }
    uint32_t end = t->fails.at[f->fail].after_op, n_choices = 0;
    TD_ASSERT(end <= t->ops.len); /* the decoder keeps failures inside the run */
    for (size_t i = 0; i < t->ops.len && i < end; i++)
        n_choices += trc_is_choice(&t->ops.at[i]);
    TD_ASSERT(n_choices <= t->n_choices);
    trc_schedule_prefix(t, n_choices, out);
}

uint32_t ses_replay_flags(det_kind kind)
{
    TD_ASSERT(kind != DET_NONDET); /* only runs that are compared show it */
    /* A loop without end has no end of plain accesses either. Another thread may have failed on
     * the way. */
    uint32_t detail = WIRE_JOB_DETAIL | WIRE_JOB_STACKS;
    uint32_t flags = WIRE_JOB_WAKE | WIRE_JOB_STAND | (kind == DET_HANG ? 0 : detail);
    if (kind == DET_EXIT)
        flags |= WIRE_JOB_EXIT_CODE;
    if (kind == DET_LEAK)
        flags |= WIRE_JOB_LEAKS;
    if (kind == DET_RACE)
        flags |= WIRE_JOB_AFTER_FREE;
    return flags;
}

/* A replay of a hang may stop on any line, in any function of its loop. The call that led to a crash
 * inside a library is a guess, which may differ in a run that records more. */
bool ses_is_place_a_guess(const det_finding *a, const det_finding *b)
{
    return a->kind == DET_HANG ||
           (a->kind == DET_CRASH && (a->line == 0 || b->line == 0));
}

static bool is_same(const det_finding *a, const det_finding *b)
{
    if (ses_is_place_a_guess(a, b))
        return b->kind == a->kind && a->thread == b->thread;
    /* One line of the library can be reached from several lines of the user's. */
    return strcmp(a->key, b->key) == 0 &&
           (!a->is_named || !b->is_named || strcmp(a->id, b->id) == 0);
}

bool ses_find_same(ses *s, const trc *t, const det_finding *wanted, det_finding *out)
{
    det_finding_vec all = {0};
    det_findings(t, s->exec->sites(s->run), &all);
    size_t i = 0;
    while (i < all.len && !is_same(wanted, &all.at[i]))
        i++;
    bool found = i < all.len;
    if (found) {
        TD_ASSERT(all.at[i].kind == wanted->kind);
        *out = all.at[i];
        all.at[i] = (det_finding){0};
    }
    det_findings_fini(&all);
    return found;
}

void ses_attempt_fini(ses_attempt *a)
{
    trc_step_vec_fini(&a->schedule);
    trc_chosen_vec_fini(&a->inputs);
    trc_promoted_vec_fini(&a->promoted);
    det_finding_fini(&a->shown);
}

run_request ses_attempt_request(const ses_attempt *a, uint32_t flags)
{
    return (run_request){.policy = WIRE_POLICY_FIRST,
                         .flags = flags,
                         .steps = a->schedule.at,
                         .n_steps = a->schedule.len,
                         .inputs = a->inputs.at,
                         .n_inputs = a->inputs.len,
                         .promoted = a->promoted.at,
                         .n_promoted = a->promoted.len};
}

/* True if a thread failed earlier in the run and was stopped. */
static bool stands_before(const trc *t, uint32_t fail)
{
    for (uint32_t i = 0; i < t->fails.len && i < fail; i++)
        if (t->fails.at[i].kind != WIRE_FAIL_RACE)
            return true;
    return false;
}

void ses_attempt_init(ses *s, ses_attempt *a, const det_finding *f, const trc *original)
{
    TD_ASSERT(f->kind != DET_RACE || f->fail < original->fails.len);
    *a = (ses_attempt){0};
    ses_schedule(original, f, &a->schedule);
    ses_inputs(original, &a->inputs);
    trc_promoted_vec_append(&a->promoted, s->promoted.at, s->promoted.len);
    /* A later race of a run shows only if the earlier ones do not end it; any other
     * failure has all races of the run before it. */
    bool race_on = f->kind != DET_RACE || f->fail > 0;
    a->flags = (race_on || ses_races_go_on(s) ? WIRE_JOB_RACE_ON : 0) |
               ses_race_flags(&s->promoted) | (s->opts->model ? WIRE_JOB_STORES : 0) |
               (stands_before(original, f->fail) ? WIRE_JOB_STAND_ON : 0);
}

/* If the session is about to end, a finding that was confirmed before is replayed once, because the report
 * needs its run. */
td_status ses_attempt_replay(ses *s, const det_finding *f, ses_attempt *a, td_diag *diag)
{
    TD_ASSERT(ses_flight_len(s) == 0); /* a replay would overtake the jobs in flight */
    run_request request = ses_attempt_request(a, ses_replay_flags(f->kind) | a->flags);
    for (a->n_shown = 0; a->n_shown < SES_CONFIRMATIONS; a->n_shown++) {
        if (a->n_shown > 0 && a->is_shown && ses_is_over(s)) {
            a->n_shown = SES_CONFIRMATIONS;
            return TD_OK;
        }
        TD_TRY(ses_execute(s, request, &a->last, diag));
        det_finding_fini(&a->shown);
        a->shown = (det_finding){0};
        if (!a->last || !ses_find_same(s, a->last, f, &a->shown))
            return TD_OK;
    }
    return TD_OK;
}
