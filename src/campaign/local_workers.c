/* SPDX-License-Identifier: Apache-2.0 */
/* The worker processes of a leader: the same command with the address of the campaign to join. */
#include "campaign/campaign_int.h"

#include <inttypes.h>
#include <sys/wait.h>

#include "base/assert.h"

static td_status start_one(cam_team *t, td_diag *diag)
{
    cam_worker hand = {0};
    td_text where = {0}, name = {0};
    if (t->opts->farm)
        td_text_add(&where, "%s", t->opts->farm);
    else
        td_text_add(&where, "%s/session.db", t->dir);
    td_text_add(&name, "worker %zu", t->local.len + 1);
    const cam_hire hire = {.self = t->opts->self,
                           .where = where.at,
                           .campaign = sto_campaign_number(t->link),
                           .words = t->opts->words,
                           .dir = t->dir,
                           .argv = t->opts->argv,
                           .own_memory = ses_worker_memory(t->ses),
                           .output = t->opts->output,
                           .signals = ses_signals_before(t->ses)};
    td_status status = cam_worker_start(&hire, t->link, name.at, &hand, diag);
    if (status == TD_OK) {
        cam_worker_vec_push(&t->local, hand);
        trc_u64_vec_push(&t->own, hand.worker);
    }
    td_text_fini(&where);
    td_text_fini(&name);
    return status;
}

td_status cam_local_start(cam_team *t, td_diag *diag)
{
    TD_ASSERT(t->is_leader && t->local.len == 0);
    if (t->opts->jobs < 2 || !t->opts->self || t->opts->runs > 0 ||
        ses_stopped(t->ses) != SES_GO)
        return TD_OK;
    if (t->opts->keep_files) {
        ses_say(t->ses, "using one worker: with --keep-files, workers would share the "
                        "program's files");
        return TD_OK;
    }
    TD_TRY(cam_workers_dir(t->dir, diag));
    ses_say(t->ses, "continuing with %u workers", t->opts->jobs);
    while (t->local.len + 1 < t->opts->jobs)
        TD_TRY(start_one(t, diag));
    return TD_OK;
}

/* Another worker takes the place of one that died or gave up. */
static td_status replace(cam_team *t, size_t i, uint32_t n_failed, td_diag *diag)
{
    TD_ASSERT(i < t->local.len && t->local.at[i].pid == 0);
    TD_TRY(start_one(t, diag));
    t->local.at[i] = cam_worker_vec_pop(&t->local);
    t->local.at[i].n_failed = n_failed;
    return TD_OK;
}

/* Workers that died lose their items to others and are replaced; those that are done are not. */
td_status cam_local_look(cam_team *t, td_diag *diag)
{
    size_t n = t->local.len;
    for (size_t i = 0; i < n; i++) {
        int status = 0;
        if (!cam_worker_ended(&t->local.at[i], &status))
            continue;
        cam_worker h = t->local.at[i];
        TD_TRY(sto_worker_gone(t->link, h.worker, diag));
        bool is_full = WIFEXITED(status) && WEXITSTATUS(status) == CAM_WORKER_FULL;
        bool failed = WIFEXITED(status) && WEXITSTATUS(status) != 0 && !is_full;
        if (failed && h.n_failed >= CAM_MAX_FAILED)
            ses_say(t->ses, "a worker failed: see %s/workers/%" PRIu64 ".log", t->dir,
                    h.worker);
        else if (failed || is_full || WIFSIGNALED(status))
            TD_TRY(replace(t, i, h.n_failed + failed, diag));
    }
    return TD_OK;
}

/* They have their last word. */
void cam_local_stop(cam_team *t)
{
    cam_workers_stop(&t->local, t->is_over ? CAM_LEAVE_SELF : CAM_LEAVE_TOLD);
}
