/* SPDX-License-Identifier: Apache-2.0 */
#include "session/session_int.h"

/* Runs that are made twice to see whether the program is deterministic. */
#define SAMPLE_FIRST 3u
#define SAMPLE_EVERY 4096u

uint64_t ses_elapsed_ms(const ses *s)
{
    return s->exec->now_ms(s->run) - s->start_ms;
}

/* ---- submitting ---- */

static ses_job *flight_at(ses *s, uint64_t position)
{
    return &s->flight[position % SES_SLOTS];
}

static uint64_t flight_len(const ses *s)
{
    return s->flight_tail - s->flight_head;
}

/* A slow program has few jobs in flight, so that a finding does not wait long. */
static uint64_t window(const ses *s)
{
    uint64_t size = 1 + s->n_taken / 4;
    return size < SES_WINDOW ? size : SES_WINDOW;
}

/* Runs for their marks do not count. */
static uint64_t job_words(const ses_job *job)
{
    if (job->kind == SES_COVER)
        return 0;
    return sizeof(wire_job) / 8 + job->steps.len + 2 * job->inputs.len +
           job->request.n_promoted;
}

static void job_set(ses_job *job, const wire_step *steps, size_t n_steps,
                    const wire_input *inputs, size_t n_inputs)
{
    trc_step_vec_clear(&job->steps);
    trc_step_vec_append(&job->steps, steps, n_steps);
    trc_chosen_vec_clear(&job->inputs);
    trc_chosen_vec_append(&job->inputs, inputs, n_inputs);
}

static void job_copy(ses_job *to, const ses_job *from)
{
    trc_step_vec steps = to->steps;
    trc_chosen_vec inputs = to->inputs;
    *to = *from;
    to->steps = steps;
    to->inputs = inputs;
    job_set(to, from->steps.at, from->steps.len, from->inputs.at, from->inputs.len);
}

/* Makes the request's pointers those of the job's own copies. */
static void job_point(ses_job *job)
{
    job->request.steps = job->steps.at;
    job->request.n_steps = job->steps.len;
    job->request.inputs = job->inputs.at;
    job->request.n_inputs = job->inputs.len;
}

static uint32_t repetitions(const ses *s)
{
    if (s->opts->repeat > 0)
        return s->opts->repeat - 1;
    return s->n_jobs <= SAMPLE_FIRST || s->n_jobs % SAMPLE_EVERY == 0;
}

static uint32_t session_flags(const ses *s)
{
    return (s->opts->exit_code ? WIRE_JOB_EXIT_CODE : 0) |
           (s->opts->leaks ? WIRE_JOB_LEAKS : 0) |
           (ses_races_go_on(s) ? WIRE_JOB_RACE_ON : 0) |
           (s->opts->keep_going ? WIRE_JOB_STAND_ON : 0) |
           (s->goal->bit & XPL_BRANCHES || s->opts->keep_runs ? WIRE_JOB_SIDES : 0) |
           (s->opts->coverage ? WIRE_JOB_COVER : 0) | ses_race_flags(&s->promoted);
}

static void say_chosen(ses *s)
{
    const char *text = s->has_said ? NULL : ses_chosen(s);
    if (!text)
        return;
    s->has_said = true;
    ses_say(s, "%s", text);
}

static bool stage_explore(ses *s, ses_job *job)
{
    xpl_job next = {0};
    if (ses_team_holds(s) || !s->search->next(s->explorer, &next))
        return false;
    say_chosen(s);
    TD_ASSERT(!(next.id & SES_OWN_JOB));
    s->n_jobs++;
    job->kind = SES_EXPLORE;
    job->n_again = repetitions(s);
    job->request = (run_request){.id = next.id,
                                 .policy = next.policy,
                                 .flags = next.flags | session_flags(s),
                                 .seed = next.seed,
                                 .pct_depth = next.pct_depth,
                                 .pct_length = next.pct_length,
                                 .promoted = s->promoted.at,
                                 .n_promoted = s->promoted.len};
    job_set(job, next.steps, next.n_steps, next.inputs, next.n_inputs);
    s->cover_left = ses_coverage_wants(s);
    if (job->n_again > 0 || s->cover_left)
        job_copy(&s->again, job);
    s->again_left = job->n_again;
    return true;
}

static void stage_again(ses *s, ses_job *job)
{
    job_copy(job, &s->again);
    job->kind = SES_AGAIN;
    job->n_again = 0;
    job->request.id = SES_OWN_JOB | ++s->n_own_jobs;
    s->again_left--;
}

static void stage_cover(ses *s, ses_job *job)
{
    job_copy(job, &s->again);
    job->kind = SES_COVER;
    job->n_again = 0;
    job->request.id = SES_OWN_JOB | ++s->n_own_jobs;
    job->request.flags |= WIRE_JOB_COVER;
    s->cover_left = false;
}

/* Puts the next job into the slot behind those in flight. False: there is none now. */
static bool stage(ses *s)
{
    if (s->staged)
        return true;
    ses_job *job = flight_at(s, s->flight_tail);
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
    if (s->backlog_at < s->backlog.len || s->wanted.len > 0)
        return;
    while (flight_len(s) - s->n_covers < window(s) &&
           s->flight_words < WIRE_JOB_WORDS / 2 && !ses_is_over(s) && stage(s)) {
        ses_job *job = flight_at(s, s->flight_tail);
        job_point(job);
        if (!s->exec->submit(s->run, &job->request))
            return;
        s->flight_words += job_words(job);
        s->n_covers += job->kind == SES_COVER;
        s->flight_tail++;
        s->staged = false;
    }
}

/* ---- taking ---- */

static void job_fini(ses_job *job)
{
    trc_step_vec_fini(&job->steps);
    trc_chosen_vec_fini(&job->inputs);
}

static void done_fini(ses_done *d)
{
    job_fini(&d->job);
    if (d->run == &d->copy)
        trc_fini(&d->copy);
    *d = (ses_done){0};
}

/* The next job that comes back from the executor. Steps and inputs change hands. */
static td_status take_flight(ses *s, ses_done *out, td_diag *diag)
{
    uint64_t id = 0;
    TD_TRY(s->exec->next(s->run, &out->outcome, &id, &out->run, diag));
    ses_job *job = flight_at(s, s->flight_head);
    if (out->outcome == RUN_IDLE || id != job->request.id)
        return td_diag_set(diag, TD_E_FORMAT, "unexpected result of a run");
    if (out->outcome != RUN_TRACE)
        out->run = NULL;
    else
        out->run->job = id;
    s->flight_words -= job_words(job);
    s->n_covers -= job->kind == SES_COVER;
    s->flight_head++;

    ses_job spare = out->job;
    out->job = *job;
    job->steps = spare.steps;
    job->inputs = spare.inputs;
    return TD_OK;
}

static void take_backlog(ses *s, ses_done *out)
{
    done_fini(out);
    ses_done *from = &s->backlog.at[s->backlog_at++];
    *out = *from;
    if (out->run)
        out->run = &out->copy;
    if (s->backlog_at == s->backlog.len) {
        ses_done_vec_clear(&s->backlog);
        s->backlog_at = 0;
    }
}

static td_status take(ses *s, td_diag *diag)
{
    if (s->backlog_at < s->backlog.len)
        take_backlog(s, &s->taken);
    else {
        if (s->taken.run == &s->taken.copy)
            done_fini(&s->taken);
        TD_TRY(take_flight(s, &s->taken, diag));
    }
    s->n_taken += s->taken.job.kind != SES_COVER;
    return TD_OK;
}

td_status ses_drain(ses *s, td_diag *diag)
{
    while (flight_len(s) > 0) {
        ses_done d = {0};
        TD_TRY(take_flight(s, &d, diag));
        bool traced = d.run != NULL;
        if (traced)
            trc_copy(&d.copy, d.run);
        ses_done_vec_push(&s->backlog, d);
        ses_done *kept = &s->backlog.at[s->backlog.len - 1];
        kept->run = traced ? &kept->copy : NULL;
    }
    return TD_OK;
}

run_request ses_job_taken(ses *s)
{
    job_point(&s->taken.job);
    return s->taken.job.request;
}

td_status ses_execute(ses *s, run_request request, trc **out, td_diag *diag)
{
    TD_ASSERT(flight_len(s) == 0);
    if (ses_is_over(s) && ses_elapsed_ms(s) >= s->stop_ms + SES_LAST_MS)
        return td_diag_set(diag, TD_E_LIMIT, "stopped before a run that was needed");
    request.id = SES_OWN_JOB | ++s->n_own_jobs;
    if (!s->exec->submit(s->run, &request))
        return td_diag_set(diag, TD_E_LIMIT, "the schedule of a run is too long");
    run_outcome outcome = RUN_IDLE;
    uint64_t id = 0;
    s->runs_own = true;
    td_status status = s->exec->next(s->run, &outcome, &id, out, diag);
    s->runs_own = false;
    TD_TRY(status);
    if (outcome == RUN_IDLE || id != request.id)
        return td_diag_set(diag, TD_E_FORMAT, "unexpected result of a run");
    if (outcome != RUN_TRACE) {
        *out = NULL;
        return TD_OK;
    }
    trc_identify(*out, s->exec->namer(s->run));
    trc_name_races(*out);
    return TD_OK;
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

static void on_lost(ses *s, uint64_t job)
{
    s->n_lost++;
    det_ledger_add(&s->ledger, "lost run", "", 0, s->exec->lost_why(s->run));
    s->search->lost(s->explorer, job);
    base_drop(s);
}

/* The executor has no room for it although nothing is in flight. */
static void drop_staged(ses *s)
{
    const ses_job *job = flight_at(s, s->flight_tail);
    s->staged = false;
    s->n_lost++;
    det_ledger_add(&s->ledger, "lost run", "", 0, "the schedule of a run is too long");
    if (job->kind == SES_EXPLORE)
        s->search->lost(s->explorer, job->request.id);
}

/* The job asked for a thread that could not run, although an earlier run said it could:
 * the program did something else this time. Running the job again may show what. */
static td_status on_diverged(ses *s, td_diag *diag)
{
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
    trc_identify(t, s->exec->namer(s->run));
    if (!s->search->count) {
        xpl_census_add(&s->census, t);
    } else {
        xpl_census_count(&s->census, t);
        if (xpl_counts_traces(s->search))
            xpl_census_trace(&s->census, t);
    }
    if (s->search->covers)
        xpl_spread_add(&s->spread, t);
    ses_events_take(s, t);
    det_ledger_run(&s->ledger, t, s->exec->sites(s->run));
    ses_promote_loops(s, t);
    if (s->opts->keep_going)
        det_ledger_cut(&s->ledger, t, s->exec->sites(s->run));
    if (s->goal->bit & XPL_BRANCHES)
        ses_sides_take(s, t);
    if (s->search->sides)
        ses_shared_take(s, t);
    s->search->feed(s->explorer, t);
    if (s->taken.job.n_again > 0)
        base_set(s, t);
    else
        base_drop(s);
    TD_TRY(ses_keep_run(s, t, diag));
    TD_TRY(ses_findings(s, t, diag));
    ses_promote_asked(s);
    return TD_OK;
}

static td_status on_again(ses *s, td_diag *diag)
{
    const trc *t = s->taken.run;
    s->result->repeats++;
    if (!t)
        det_ledger_add(&s->ledger, "lost run", "", 0, s->exec->lost_why(s->run));
    if (!t || !s->base_known || td_id_equal(t->records, s->base.records))
        return TD_OK;
    return ses_differ(s, &s->base, t, diag);
}

static td_status on_taken(ses *s, td_diag *diag)
{
    const ses_done *d = &s->taken;
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

/* Looks at the clock, and at the rest when it has moved on. */
bool ses_is_over(ses *s)
{
    uint64_t ms = ses_elapsed_ms(s);
    if (s->stop == SES_GO && ms != s->looked_ms) {
        s->looked_ms = s->stop_ms = ms;
        if (s->exec->interrupted(s->run))
            s->stop = SES_STOP_USER;
        else if (s->opts->time_ms && ms >= s->opts->time_ms)
            s->stop = SES_STOP_TIME;
        else if (ses_memory_is_full(s, ms))
            s->stop = SES_STOP_MEMORY;
    }
    return s->stop != SES_GO && s->stop != SES_STOP_BUG && !s->is_leaving;
}

void ses_check_budget(ses *s)
{
    if (ses_is_over(s) || s->stop != SES_GO || s->looked_ms == s->checked_ms)
        return;
    s->checked_ms = s->looked_ms;
    ses_progress_tick(s);
    ses_sample_tick(s);
    ses_team_tick(s);
}

static void flight_fini(ses *s)
{
    for (size_t i = 0; i < SES_SLOTS; i++)
        job_fini(&s->flight[i]);
    job_fini(&s->again);
    done_fini(&s->taken);
    for (size_t i = s->backlog_at; i < s->backlog.len; i++) {
        if (s->backlog.at[i].run)
            s->backlog.at[i].run = &s->backlog.at[i].copy;
        done_fini(&s->backlog.at[i]);
    }
    ses_done_vec_fini(&s->backlog);
    base_drop(s);
}

/* Nothing is under way. *more: there is still something to do. */
static td_status on_idle(ses *s, bool *more, td_diag *diag)
{
    *more = true;
    if (s->team.pauses && !s->staged)
        return ses_team_turn(s, diag);
    if (ses_promote(s))
        return s->team.link ? ses_team_promote(s, diag) : TD_OK;
    if (!s->staged && s->search->works && s->search->works(s->explorer)) {
        ses_check_budget(s);
        return TD_OK;
    }
    if (s->staged && s->wanted.len == 0) {
        drop_staged(s);
        return TD_OK;
    }
    *more = false;
    return s->team.link ? ses_team_next(s, more, diag) : TD_OK;
}

static td_status loop(ses *s, td_diag *diag)
{
    while (s->stop == SES_GO) {
        fill(s);
        if (flight_len(s) == 0 && s->backlog_at == s->backlog.len) {
            bool more = false;
            TD_TRY(on_idle(s, &more, diag));
            if (!more)
                return TD_OK;
            continue;
        }
        TD_TRY(take(s, diag));
        TD_TRY(on_taken(s, diag));
        ses_check_budget(s);
    }
    return TD_OK;
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
    flight_fini(s);
    return status;
}
