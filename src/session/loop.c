/* SPDX-License-Identifier: Apache-2.0 */
/* The main loop: submits the jobs of the search, evaluates the runs that come back and feeds them to the
 * search, until no job remains or the session is to stop. */
#include "session/session_int.h"

#include "base/assert.h"

/* True for runs that are repeated to check that the program is deterministic. */
#define SAMPLE_FIRST 3u
#define SAMPLE_EVERY 4096u

/* ---- staging ---- */

static uint32_t repetitions(const ses *s)
{
    if (s->opts->repeat > 0)
        return s->opts->repeat - 1;
    return s->n_jobs <= SAMPLE_FIRST || s->n_jobs % SAMPLE_EVERY == 0;
}

static uint32_t session_flags(const ses *s)
{
    return (s->opts->ignores_exit ? 0 : WIRE_JOB_EXIT_CODE) |
           (s->opts->leaks ? WIRE_JOB_LEAKS : 0) |
           (ses_races_go_on(s) ? WIRE_JOB_RACE_ON : 0) |
           (s->opts->keep_going ? WIRE_JOB_STAND_ON : 0) |
           (s->goal->bit & XPL_BRANCHES || s->opts->keep_runs ? WIRE_JOB_SIDES : 0) |
           (s->opts->coverage ? WIRE_JOB_COVER : 0) |
           (s->opts->watch ? WIRE_JOB_OUTCOME : 0) | ses_race_flags(&s->promoted);
}

/* Prints what the search chose, and later what was added to that. */
static void say_chosen(ses *s)
{
    const char *text = ses_chosen(s);
    size_t n = text ? strlen(text) : 0;
    if (!text || n == s->n_said)
        return;
    bool is_new = s->n_said == 0 || n < s->n_said; /* the search restarted */
    ses_say(s, "%s", is_new ? text : text + s->n_said + strspn(text + s->n_said, "; "));
    s->n_said = n;
}

static bool stage_explore(ses *s, ses_job *job)
{
    xpl_job next = {0};
    if (s->turn_left == 0 || (s->takes_turns && ses_at_runs(s)) || ses_sharer_holds(s) ||
        !s->search->next(s->explorer, &next))
        return false;
    if (s->turn_left != UINT64_MAX)
        s->turn_left--;
    else
        say_chosen(s);
    TD_ASSERT(!(next.id & SES_OWN_JOB));
    TD_ASSERT(s->again_left == 0 && !s->cover_left); /* repetitions come first */
    s->n_jobs++;
    job->kind = SES_EXPLORE;
    job->n_again = repetitions(s);
    job->request = (run_request){.id = next.id,
                                 .policy = next.policy,
                                 .flags = next.flags | session_flags(s),
                                 .seed = next.seed,
                                 .pct_depth = next.pct_depth,
                                 .pct_length = next.pct_length,
                                 .depth = ses_depth_of(s, &next),
                                 .threads = ses_depth_threads(s),
                                 .promoted = s->promoted.at,
                                 .n_promoted = s->promoted.len};
    ses_job_set(job, next.steps, next.n_steps, next.inputs, next.n_inputs);
    s->cover_left = ses_coverage_wants(s);
    if (job->n_again > 0 || s->cover_left)
        ses_job_copy(&s->again, job);
    s->again_left = job->n_again;
    return true;
}

static void stage_again(ses *s, ses_job *job)
{
    TD_ASSERT(s->again_left > 0 && s->again.kind == SES_EXPLORE);
    ses_job_copy(job, &s->again);
    job->kind = SES_AGAIN;
    job->n_again = 0;
    job->request.id = SES_OWN_JOB | ++s->n_own_jobs;
    s->again_left--;
}

static void stage_cover(ses *s, ses_job *job)
{
    TD_ASSERT(s->cover_left && s->n_covers < SES_COVERS);
    ses_job_copy(job, &s->again);
    job->kind = SES_COVER;
    job->n_again = 0;
    job->request.id = SES_OWN_JOB | ++s->n_own_jobs;
    job->request.flags |= WIRE_JOB_COVER;
    s->cover_left = false;
}

/* Puts the next job into the slot behind those in flight. False: the search has no job now. */
static bool stage(ses *s)
{
    if (s->staged)
        return true;
    ses_job *job = ses_flight_slot(s);
    if (s->again_left > 0)
        stage_again(s, job);
    else if (s->cover_left)
        stage_cover(s, job);
    else if (!stage_explore(s, job))
        return false;
    s->staged = true;
    return true;
}

static void fill(ses *s)
{
    if (s->backlog_at < s->backlog.len || s->wanted.len > 0 || s->cut_at_races ||
        s->depth.wants)
        return;
    while (ses_flight_has_room(s) && !ses_is_over(s) && stage(s))
        if (!ses_flight_submit(s))
            return;
}

/* ---- what a run means ---- */

static void base_set(ses *s, const trc *t)
{
    if (s->base_known)
        trc_fini(&s->base);
    trc_copy(&s->base, t);
    s->base_known = true;
}

static void base_drop(ses *s)
{
    if (s->base_known)
        trc_fini(&s->base);
    s->base_known = false;
}

static const char *lost_why(const ses *s)
{
    return s->exec->lost_why(ses_runner(s, s->taken.job.runner));
}

static void on_lost(ses *s, uint64_t job)
{
    TD_ASSERT(!(job & SES_OWN_JOB)); /* the search has no such job */
    s->n_lost++;
    det_ledger_add(&s->ledger, "lost run", "", 0, lost_why(s));
    s->search->lost(s->explorer, job);
    base_drop(s);
}

/* Drops a job that does not fit although nothing is in flight. */
static void drop_staged(ses *s)
{
    TD_ASSERT(s->staged && ses_flight_is_over(s));
    const ses_job *job = ses_flight_slot(s);
    s->staged = false;
    s->n_lost++;
    det_ledger_add(&s->ledger, "lost run", "", 0, "the schedule of a run is too long");
    if (job->kind == SES_EXPLORE)
        s->search->lost(s->explorer, job->request.id);
}

/* The job required a thread that was not enabled, although an earlier run had it enabled: the program
 * behaved differently this time. Repeating the job may show how. */
static td_status on_diverged(ses *s, td_diag *diag)
{
    TD_ASSERT(s->taken.run && s->taken.job.kind == SES_EXPLORE);
    trc seen;
    trc_copy(&seen, s->taken.run);
    run_request request = ses_job_taken(s);
    s->n_lost++;
    s->search->lost(s->explorer, request.id);
    base_drop(s);

    td_status status = ses_drain(s, diag);
    trc *again = NULL;
    for (unsigned i = 0; status == TD_OK && i < SES_CONFIRMATIONS; i++) {
        status = ses_execute(s, request, &again, diag);
        if (again && again->done != WIRE_DONE_DIVERGED)
            break;
    }
    if (status == TD_OK && again && again->done != WIRE_DONE_DIVERGED)
        status = ses_differ(s, again, &seen, diag);
    else if (status == TD_OK)
        det_ledger_add(&s->ledger, "diverged", "", 0,
                       "a run did not follow the schedule of an earlier one");
    trc_fini(&seen);
    return status;
}

static td_status on_explored(ses *s, td_diag *diag)
{
    trc *t = s->taken.run;
    TD_ASSERT(t && t->done != WIRE_DONE_DIVERGED && t->job == s->taken.job.request.id);
    trc_identify(t, s->exec->namer(s->run));
    if (!s->search->count && ses_counts_events(s)) {
        xpl_census_add(&s->census, t);
    } else {
        xpl_census_count(&s->census, t);
        if (ses_counts_traces(s) && !s->search->each_once)
            xpl_census_trace(&s->census, t);
    }
    if (s->search->covers) {
        xpl_spread_add(&s->spread, t);
        xpl_alternatives_add(&s->alternatives, t);
    }
    ses_events_take(s, t);
    det_ledger_run(&s->ledger, t, s->exec->sites(s->run));
    ses_depth_take(s, t);
    ses_promote_loops(s, t);
    ses_orders_take(s, t);
    if (s->opts->watch)
        s->opts->watch(s->opts->watch_ctx, t, s->exec->sites(s->run));
    if (ses_failures_hide(s))
        det_ledger_cut(&s->ledger, t, s->exec->sites(s->run));
    if (s->goal->bit & XPL_BRANCHES)
        ses_sides_take(s, t);
    if (s->search->sides)
        ses_shared_take(s, t);
    if (s->depth.is_put_off) /* the search begins again: this run would only take long */
        s->search->lost(s->explorer, s->taken.job.request.id);
    else
        s->search->feed(s->explorer, t);
    if (s->taken.job.n_again > 0)
        base_set(s, t);
    else
        base_drop(s);
    TD_TRY(ses_keep_run(s, t, diag));
    TD_TRY(ses_certificate_run(s, t, diag));
    TD_TRY(ses_findings(s, t, diag));
    ses_promote_asked(s);
    return TD_OK;
}

static td_status on_again(ses *s, td_diag *diag)
{
    const trc *t = s->taken.run;
    s->result->repeats++;
    if (!t)
        det_ledger_add(&s->ledger, "lost run", "", 0, lost_why(s));
    if (!t || !s->base_known || td_id_equal(t->records, s->base.records))
        return TD_OK;
    TD_ASSERT(t != &s->base);
    return ses_differ(s, &s->base, t, diag);
}

static td_status on_taken(ses *s, td_diag *diag)
{
    const ses_done *d = &s->taken;
    TD_ASSERT(d->job.kind != SES_EXPLORE || !(d->job.request.id & SES_OWN_JOB));
    TD_ASSERT(d->job.kind == SES_EXPLORE || d->job.n_again == 0);
    if (d->job.kind == SES_AGAIN)
        return on_again(s, diag);
    if (d->job.kind == SES_COVER) {
        ses_coverage_take(s, d);
        return TD_OK;
    }
    if (d->outcome == RUN_LOST) {
        on_lost(s, d->job.request.id);
        return TD_OK;
    }
    if (d->run->done == WIRE_DONE_DIVERGED)
        return on_diverged(s, diag);
    return on_explored(s, diag);
}

/* ---- the loop ---- */

void ses_check_budget(ses *s)
{
    if (ses_is_over(s) || s->stop != SES_GO || s->looked_ms == s->checked_ms)
        return;
    s->checked_ms = s->looked_ms;
    ses_progress_tick(s);
    ses_sample_tick(s);
    if (!s->takes_turns)
        ses_runners_tick(s);
    if (!s->takes_turns && xpl_can_save(s->explorer))
        ses_saved_tick(s);
    if (s->sharer)
        s->opts->sharing->tick(s->sharer);
}

/* Called when no job is in flight. *more: there is still something to do. */
static td_status on_idle(ses *s, bool *more, td_diag *diag)
{
    TD_ASSERT(ses_flight_is_over(s));
    const ses_sharing *with = s->opts->sharing;
    *more = true;
    if (s->sharer && with->wants_turn(s->sharer) && !s->staged) {
        td_status status = with->turn(s->sharer, diag);
        s->was_shared |= ses_is_shared(s);
        return status;
    }
    if (ses_promote(s))
        return ses_is_shared(s) ? with->promoted(s->sharer, diag) : TD_OK;
    if (ses_hand_over(s))
        return TD_OK;
    if (ses_depth_start(s))
        return TD_OK;
    if (!s->staged && s->search->works && s->search->works(s->explorer)) {
        if (s->takes_turns && s->work_left-- == 1)
            s->turn_left = 0;
        ses_check_budget(s);
        return TD_OK;
    }
    if (s->staged && s->wanted.len == 0) {
        drop_staged(s);
        return TD_OK;
    }
    *more = ses_depth_grow(s);
    if (ses_at_runs(s))
        return TD_OK;
    return ses_is_shared(s) ? with->next(s->sharer, more, diag) : TD_OK;
}

static td_status loop(ses *s, td_diag *diag)
{
    while (s->stop == SES_GO) {
        fill(s);
        if (ses_flight_is_over(s) && ses_turn_is_over(s))
            return TD_OK;
        if (ses_flight_is_over(s)) {
            bool more = false;
            TD_TRY(on_idle(s, &more, diag));
            if (!more)
                return TD_OK;
            ses_after_race_check(s);
            continue;
        }
        TD_TRY(ses_flight_take(s, diag));
        TD_TRY(on_taken(s, diag));
        TD_AUDIT(ses_valid(s, NULL, 0));
        ses_check_budget(s);
        ses_after_race_check(s);
    }
    return TD_OK;
}

/* On a busy machine the session may end before a hanging run has used its timeout. A run that hung before was to
 * be repeated with more operations. */
static void note_silence(ses *s)
{
    bool is_seen = s->hang_is_open;
    uint64_t most = s->opts->timeout_ms ? s->opts->timeout_ms : RUN_TIMEOUT_MS;
    for (uint32_t i = 0; s->exec->silent_ms && i <= s->n_more_runs; i++)
        is_seen |= s->exec->silent_ms(ses_runner(s, i)) >= most;
    if (is_seen)
        det_ledger_add(&s->ledger, DET_SUSPECTED, "", 0,
                       "a run without an operation within the timeout: infinite loop or "
                       "blocking call?");
}

td_status ses_loop(ses *s, td_diag *diag)
{
    td_status status = loop(s, diag);
    /* The program shares our terminal, so that an interrupt may have ended it first. */
    if (status != TD_OK && s->exec->interrupted(s->run))
        s->stop = SES_STOP_USER;
    if (status != TD_OK && s->stop != SES_GO && s->stop != SES_STOP_BUG) {
        if (diag)
            diag->text[0] = 0;
        status = TD_OK;
    }
    if (ses_is_over(s))
        note_silence(s);
    base_drop(s);
    return status;
}
