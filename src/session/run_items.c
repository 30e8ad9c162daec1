/* SPDX-License-Identifier: Apache-2.0 */
/* Determines what a run covers, and keeps runs that cover something new. */
#include "session/run_items.h"

#include "session/session_int.h"

/* ---- items ---- */

static void add_item(td_id_set *seen, ses_item_vec *out, ses_item_kind kind, uint64_t a,
                     uint64_t b)
{
    uint64_t words[3] = {kind, a, b};
    td_id id = td_id_hash(words, sizeof words);
    if (td_id_set_add(seen, id))
        ses_item_vec_push(out, (ses_item){kind, id});
}

void ses_items(const trc *t, ses_item_vec *out)
{
    td_id_set seen = {0};
    for (size_t i = 0; i < t->sides.len; i++)
        add_item(&seen, out, SES_ITEM_SIDE, t->sides.at[i].site, t->sides.at[i].side);
    for (size_t i = 0; i < t->ops.len; i++) {
        const trc_op *op = &t->ops.at[i];
        add_item(&seen, out, SES_ITEM_SITE, op->site, op->kind);
        if (op->after < i && t->ops.at[op->after].thread != op->thread)
            add_item(&seen, out, SES_ITEM_PAIR, t->ops.at[op->after].site, op->site);
    }
    td_id_set_fini(&seen);
}

/* ---- runs that are kept ---- */

/* A run passes only if it ended by itself without a failure. */
static bool passes(const trc *t)
{
    return t->done == WIRE_DONE_EXIT && t->fails.len == 0 && !trc_is_stuck(t);
}

static bool covers_new(ses *s, const trc *t)
{
    ses_item_vec items = {0};
    bool is_new = false;
    ses_items(t, &items);
    for (size_t i = 0; i < items.len; i++)
        is_new |= td_id_set_add(&s->covered, items.at[i].id);
    ses_item_vec_fini(&items);
    return is_new;
}

td_status ses_keep_run(ses *s, const trc *t, td_diag *diag)
{
    if (!s->opts->keep_runs || !passes(t) || !covers_new(s, t))
        return TD_OK;
    sto_recording recording;
    trc_step_vec schedule = {0};
    trc_schedule(t, &schedule);
    ses_recording_fill(s, NULL, t, &schedule, &s->promoted, &recording);
    td_status status = sto_session_run(s->store, t->sum, &recording, diag);
    s->n_kept += status == TD_OK;
    sto_recording_fini(&recording);
    trc_step_vec_fini(&schedule);
    return status;
}

void ses_keep_say(ses *s)
{
    if (!s->opts->keep_runs)
        return;
    char n[32];
    ses_number(s->n_kept, n);
    ses_say(s, "kept %s %s in %s/corpus", n, s->n_kept == 1 ? "run" : "runs",
            sto_session_dir(s->store));
}

void ses_followed_fini(ses_followed *f)
{
    ses_item_vec_fini(&f->items);
    td_free(f->program);
    *f = (ses_followed){0};
}
