/* SPDX-License-Identifier: Apache-2.0 */
/* The processes that a leader starts to work beside it: the same command, told where to join. */
#include "session/session_int.h"

#include <inttypes.h>
#include <sys/wait.h>

static td_status start_one(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    ses_hand hand = {0};
    td_text where = {0}, name = {0};
    if (s->opts->farm)
        td_text_add(&where, "%s", s->opts->farm);
    else
        td_text_add(&where, "%s/session.db", t->dir);
    td_text_add(&name, "worker %zu", t->crew.len + 1);
    const ses_hire hire = {.self = s->opts->self,
                           .where = where.at,
                           .campaign = sto_campaign_number(t->link),
                           .words = s->opts->words,
                           .dir = t->dir,
                           .argv = s->opts->argv,
                           .own_memory = s->own_memory,
                           .signals = &s->signals_before};
    td_status status = ses_hand_start(&hire, t->link, name.at, &hand, diag);
    if (status == TD_OK) {
        ses_hand_vec_push(&t->crew, hand);
        trc_u64_vec_push(&t->own, hand.worker);
    }
    td_text_fini(&where);
    td_text_fini(&name);
    return status;
}

td_status ses_crew_start(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    if (s->opts->jobs < 2 || !s->opts->self || s->stop != SES_GO)
        return TD_OK;
    TD_TRY(ses_hands_dir(t->dir, diag));
    ses_say(s, "continuing with %u workers", s->opts->jobs);
    while (t->crew.len + 1 < s->opts->jobs)
        TD_TRY(start_one(s, diag));
    return TD_OK;
}

/* Somebody else takes the place of a worker that died or gave up. */
static td_status replace(ses *s, size_t i, uint32_t n_failed, td_diag *diag)
{
    ses_team *t = &s->team;
    TD_TRY(start_one(s, diag));
    t->crew.at[i] = ses_hand_vec_pop(&t->crew);
    t->crew.at[i].n_failed = n_failed;
    return TD_OK;
}

/* Those who died lose their items to others and are replaced; those who are done are not. */
td_status ses_crew_look(ses *s, td_diag *diag)
{
    ses_team *t = &s->team;
    size_t n = t->crew.len;
    for (size_t i = 0; i < n; i++) {
        int status = 0;
        if (!ses_hand_ended(&t->crew.at[i], &status))
            continue;
        ses_hand h = t->crew.at[i];
        TD_TRY(sto_worker_gone(t->link, h.worker, diag));
        bool is_full = WIFEXITED(status) && WEXITSTATUS(status) == SES_HAND_FULL;
        bool failed = WIFEXITED(status) && WEXITSTATUS(status) != 0 && !is_full;
        if (failed && h.n_failed >= SES_MAX_FAILED)
            ses_say(s, "a worker failed: see %s/workers/%" PRIu64 ".log", t->dir,
                    h.worker);
        else if (failed || is_full || WIFSIGNALED(status))
            TD_TRY(replace(s, i, h.n_failed + failed, diag));
    }
    return TD_OK;
}

/* They have their last word. */
void ses_crew_stop(ses *s)
{
    ses_hands_stop(&s->team.crew, s->team.is_over ? SES_LEAVE_SELF : SES_LEAVE_TOLD);
}
