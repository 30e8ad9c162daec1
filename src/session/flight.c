/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs in flight: they are put into the ring of slots, submitted, and taken in the order of submission when
 * they come back. Also runs for the session itself, made while no job is in flight. */
#include "session/session_int.h"

#include "base/assert.h"

/* ---- submitting ---- */

static ses_job *flight_at(ses *s, uint64_t position)
{
    return &s->flight[position % SES_SLOTS];
}

uint64_t ses_flight_len(const ses *s)
{
    TD_ASSERT(s->flight_tail - s->flight_head <= SES_SLOTS);
    return s->flight_tail - s->flight_head;
}

/* A slow program has few jobs in flight, so that a finding does not wait long. */
static uint64_t window(const ses *s)
{
    uint64_t size = 1 + s->n_taken / 4;
    return size < SES_WINDOW ? size : SES_WINDOW;
}

/* Runs that only set marks do not count. */
uint64_t ses_job_words(const ses_job *job)
{
    if (job->kind == SES_COVER)
        return 0;
    return sizeof(wire_job) / 8 + job->steps.len + 2 * job->inputs.len +
           job->request.n_promoted;
}

void ses_job_set(ses_job *job, const wire_step *steps, size_t n_steps,
                 const wire_input *inputs, size_t n_inputs)
{
    trc_step_vec_clear(&job->steps);
    trc_step_vec_append(&job->steps, steps, n_steps);
    trc_chosen_vec_clear(&job->inputs);
    trc_chosen_vec_append(&job->inputs, inputs, n_inputs);
}

void ses_job_copy(ses_job *to, const ses_job *from)
{
    trc_step_vec steps = to->steps;
    trc_chosen_vec inputs = to->inputs;
    *to = *from;
    to->steps = steps;
    to->inputs = inputs;
    ses_job_set(to, from->steps.at, from->steps.len, from->inputs.at, from->inputs.len);
}

ses_job *ses_flight_slot(ses *s)
{
    TD_ASSERT(ses_flight_len(s) <
              SES_SLOTS); /* otherwise the slot is that of the oldest job */
    return flight_at(s, s->flight_tail);
}

bool ses_flight_has_room(const ses *s)
{
    TD_ASSERT(s->n_covers <= ses_flight_len(s));
    return ses_flight_len(s) - s->n_covers < window(s) &&
           s->flight_words < WIRE_JOB_WORDS / 2;
}

bool ses_flight_is_over(const ses *s)
{
    return ses_flight_len(s) == 0 && s->backlog_at == s->backlog.len;
}

/* Points the request to the job's own copies. */
static void job_point(ses_job *job)
{
    job->request.steps = job->steps.at;
    job->request.n_steps = job->steps.len;
    job->request.inputs = job->inputs.at;
    job->request.n_inputs = job->inputs.len;
}

bool ses_flight_submit(ses *s)
{
    ses_job *job = ses_flight_slot(s);
    TD_ASSERT(s->staged && ses_flight_len(s) < SES_SLOTS);
    TD_ASSERT(s->backlog_at ==
              s->backlog.len); /* runs would come back in another order */
    job_point(job);
    job->runner = ses_runner_idle(s);
    run *to = ses_runner(s, job->runner);
    if (!s->exec->submit(to, &job->request))
        return false;
    if (s->n_more_runs > 0)
        s->exec->begin(to);
    s->n_jobs_of_run[job->runner]++;
    s->flight_words += ses_job_words(job);
    s->n_covers += job->kind == SES_COVER;
    s->flight_tail++;
    s->staged = false;
    return true;
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

/* Takes the next job that comes back from the executor; *out then owns its steps and inputs. */
static td_status take_flight(ses *s, ses_done *out, td_diag *diag)
{
    TD_ASSERT(s->flight_tail > s->flight_head);
    uint64_t id = 0;
    ses_job *job = flight_at(s, s->flight_head);
    run *from = ses_runner(s, job->runner);
    TD_TRY(s->exec->next(from, &out->outcome, &id, &out->run, diag));
    if (out->outcome == RUN_IDLE || id != job->request.id)
        return td_diag_set(diag, TD_E_FORMAT, "unexpected result of a run");
    if (out->outcome != RUN_TRACE)
        out->run = NULL;
    else
        out->run->job = id;
    TD_ASSERT(s->flight_words >= ses_job_words(job));
    TD_ASSERT(job->kind != SES_COVER || s->n_covers > 0);
    TD_ASSERT(s->n_jobs_of_run[job->runner] > 0);
    s->n_jobs_of_run[job->runner]--;
    s->flight_words -= ses_job_words(job);
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
    TD_ASSERT(s->backlog_at < s->backlog.len && ses_flight_len(s) == 0);
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

td_status ses_flight_take(ses *s, td_diag *diag)
{
    if (s->backlog_at < s->backlog.len)
        take_backlog(s, &s->taken);
    else {
        if (s->taken.run == &s->taken.copy)
            done_fini(&s->taken);
        TD_TRY(take_flight(s, &s->taken, diag));
    }
    TD_ASSERT((s->taken.run != NULL) == (s->taken.outcome == RUN_TRACE));
    s->n_taken += s->taken.job.kind != SES_COVER;
    return TD_OK;
}

td_status ses_drain(ses *s, td_diag *diag)
{
    TD_ASSERT(ses_flight_len(s) == 0 || s->backlog_at == s->backlog.len);
    while (ses_flight_len(s) > 0) {
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
    TD_ASSERT(ses_flight_len(s) == 0);
    TD_ASSERT(!s->runs_own); /* one at a time */
    if (ses_is_over(s) && ses_elapsed_ms(s) >= s->stop_ms + SES_LAST_MS)
        return td_diag_set(diag, TD_E_LIMIT, "stopped before a run that was needed");
    request.id = SES_OWN_JOB | ++s->n_own_jobs;
    if (request.depth == 0)
        request.depth = ses_depth_own(s);
    TD_ASSERT(s->n_own_jobs < SES_OWN_JOB);
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

void ses_flight_fini(ses *s)
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
}
