/* SPDX-License-Identifier: Apache-2.0 */
/* The search for a change: replay, exploration of the program as it is, one exploration for each candidate. */
#include "repair/repair.h"

#include <string.h>

#include "base/assert.h"
#include "base/now.h"
#include "repair/edit.h"
#include "store/store.h"

#define DEFAULT_MS 10000u
#define DEFAULT_EDIT_MS 60000u
#define MOST_TRIES 60u

static void take_facts(void *ctx, const rep_finding *what)
{
    rpr_facts_take(ctx, what);
}

/* Replays the finding; TD_E_USAGE: it is not reproduced. */
static td_status get_facts(const rpr_opts *o, const ses_exec *exec, FILE *nowhere,
                           rpr_facts *out, td_diag *diag)
{
    ses_replay_result result;
    const ses_replay_opts opts = {.path = o->recording,
                                  .quiet = true,
                                  .watch = take_facts,
                                  .watch_ctx = out,
                                  .out = nowhere,
                                  .err = nowhere};
    TD_TRY(ses_replay(&opts, exec, &result, diag));
    if (!out->id)
        return td_diag_set(diag, TD_E_USAGE, "%s: the finding is not reproduced",
                           o->recording);
    return TD_OK;
}

/* ---- what is shown of the change that holds ---- */

static void add_line(const td_text *source, uint32_t n, td_text *out)
{
    const char *at = source->at;
    for (uint32_t i = 1; at && i < n; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (at)
        td_text_put(out, at, strcspn(at, "\n"));
}

static void add_excerpt(const rpr_facts *f, const trc_repair *r, td_text *out)
{
    bool is_section = r->kind == WIRE_REPAIR_SECTION;
    const char *lock = r->object ? r->lock : "the new lock",
               *member = strstr(lock, "._M_");
    int n_lock = (int)(member ? member - lock : (ptrdiff_t)strlen(lock));
    for (uint32_t i = 0; i < r->n_places; i++) {
        const trc_lines *at = &r->places[i];
        if (is_section)
            td_text_add(out, "%4u + lock %.*s\n", at->from, n_lock, lock);
        for (uint32_t n = at->from; n <= at->to; n++) {
            if (at->to - at->from > 8 && n > at->from + 3 && n < at->to - 3) {
                if (n == at->from + 4)
                    td_text_add(out, "       ...\n");
                continue;
            }
            td_text_add(out, "%4u   ", n);
            add_line(rpr_source_of(f, at->file), n, out);
            td_text_add(out, "\n");
        }
        if (is_section)
            td_text_add(out, "%4u + unlock %.*s\n", at->to, n_lock, lock);
    }
}

static bool is_in(const rpr_place *p, const trc_repair *r)
{
    for (uint32_t i = 0; i < r->n_places; i++)
        if (p->line >= r->places[i].from && p->line <= r->places[i].to &&
            strcmp(p->file, r->places[i].file) == 0)
            return true;
    return false;
}

/* A call at the end of a function can be a jump, which leaves no frame: the source is asked as well. */
static bool is_named_in(const rpr_facts *f, const char *function, const trc_repair *r)
{
    for (uint32_t i = 0; i < r->n_places; i++)
        if (rpr_names(rpr_source_of(f, r->places[i].file), r->places[i].from,
                      r->places[i].to, function))
            return true;
    return false;
}

/* Functions that are called in the section and take its mutex. */
static void add_callees(const rpr_facts *f, const trc_repair *r, td_text *out)
{
    for (size_t i = 0; i < f->taken.len; i++) {
        const rpr_point *p = &f->taken.at[i];
        bool leads = p->n > 0 && is_named_in(f, p->places[0].function, r);
        for (uint32_t k = 1; k < p->n; k++)
            leads |= is_in(&p->places[k], r);
        if (p->object != r->object || p->n == 0 || is_in(&p->places[0], r) || !leads)
            continue;
        const char *name = p->places[0].function;
        if (out->at && strstr(out->at, name))
            continue;
        td_text_add(out, "%s%s", out->len ? ", " : "", name);
    }
}

static void keep_best(const rpr_facts *f, rpr_result *out)
{
    const rpr_change *c = &out->tries.at[out->best].change;
    td_text excerpt = {0}, callees = {0};
    if (c->is_repair)
        add_excerpt(f, &c->repair, &excerpt);
    if (c->is_repair && c->repair.kind == WIRE_REPAIR_SECTION && c->repair.object)
        add_callees(f, &c->repair, &callees);
    out->excerpt = excerpt.at;
    out->callees = callees.at;
}

/* ---- search ---- */

static td_status edit_change(rpr_search *x, const rpr_change *c, uint64_t end_ms,
                             bool *holds, bool *cannot, td_diag *diag)
{
    td_text callees = {0};
    if (c->is_repair && c->repair.kind == WIRE_REPAIR_SECTION && c->repair.object)
        add_callees(x->facts, &c->repair, &callees);
    td_status status =
        rpr_edit_change(x, c, callees.at ? callees.at : "", end_ms, holds, cannot, diag);
    td_text_fini(&callees);
    return status;
}

static td_status try_all(rpr_search *x, rpr_change_vec *all, uint64_t end_ms,
                         td_diag *diag)
{
    rpr_result *out = x->out;
    uint32_t first = RPR_NONE,
             shown = RPR_NONE; /* that holds; the edit of which is kept */
    out->n_made = all->len;
    for (size_t i = 0; i < all->len && out->best == RPR_NONE; i++) {
        uint64_t now = td_now_ms();
        if (now >= end_ms || out->tries.len >= MOST_TRIES || out->was_interrupted) {
            out->is_cut = true;
            break;
        }
        rpr_try t = {.change = all->at[i]};
        all->at[i] = (rpr_change){0};
        td_status status = rpr_explore(x, &t, end_ms - now, diag);
        rpr_try_vec_push(&out->tries, t);
        TD_TRY(status);
        if (t.answer != RPR_HOLDS)
            continue;
        uint32_t at = (uint32_t)out->tries.len - 1;
        bool holds = true, cannot = false;
        first = first == RPR_NONE ? at : first;
        bool is_first = out->edit.files.len == 0;
        if (x->opts->build)
            TD_TRY(edit_change(x, &t.change, end_ms, &holds, &cannot, diag));
        shown = is_first && out->edit.files.len > 0 ? at : shown;
        if (holds)
            out->best = at;
        if (cannot)
            break;
    }
    if (out->best == RPR_NONE)
        out->best = shown != RPR_NONE ? shown : first;
    return TD_OK;
}

static td_status search(rpr_search *x, td_diag *diag)
{
    rpr_change_vec all = {0};
    uint64_t time_ms = x->opts->time_ms ? x->opts->time_ms
                       : x->opts->build ? DEFAULT_EDIT_MS
                                        : DEFAULT_MS;
    uint64_t end_ms = td_now_ms() + time_ms;
    td_status status = rpr_explore_before(x, time_ms / 3 + 1, diag);
    if (status == TD_OK) {
        rpr_candidates(x->facts, &x->orders, &all);
        status = try_all(x, &all, end_ms, diag);
    }
    for (size_t i = 0; i < all.len; i++)
        rpr_change_fini(&all.at[i]);
    rpr_change_vec_fini(&all);
    return status;
}

static td_status with_recording(rpr_search *x, td_diag *diag)
{
    const sto_recording *r = &x->recording;
    if (r->repairs.len > 0 || r->weaker.len > 0)
        return td_diag_set(diag, TD_E_USAGE, "%s is of a program that is changed already",
                           x->opts->recording);
    x->argv = td_alloc((r->args.len + 2) * sizeof *x->argv);
    x->argv[0] = r->program;
    for (size_t i = 0; i < r->args.len; i++)
        x->argv[i + 1] = r->args.at[i];
    TD_TRY(ses_given_recorded(r, x->argv, &x->given, diag));
    x->given.every_round = false;
    td_text name = {0};
    td_text_add(&name, "%s-fix", r->program);
    td_status status = sto_dir_create_aside(x->opts->out_dir, name.at, &x->dir, diag);
    td_text_fini(&name);
    if (status == TD_OK && x->opts->build && rpr_sources_changed(x))
        return TD_OK;
    return status == TD_OK ? search(x, diag) : status;
}

td_status rpr_run(const rpr_opts *opts, const ses_exec *exec, rpr_result *out,
                  td_diag *diag)
{
    TD_ASSERT(opts->recording);
    *out = (rpr_result){.best = RPR_NONE};
    rpr_facts facts = {0};
    rpr_search x = {.opts = opts, .exec = exec, .out = out, .facts = &facts};
    x.nowhere = fopen("/dev/null", "w");
    if (!x.nowhere)
        return td_diag_errno(diag, TD_E_SYSTEM, "/dev/null");
    td_status status = sto_recording_read(opts->recording, &x.recording, diag);
    if (status == TD_OK)
        status = get_facts(opts, exec, x.nowhere, &facts, diag);
    if (status == TD_OK) {
        out->id = td_strdup(facts.id);
        out->rule = td_strdup(x.recording.fail_kind ? x.recording.fail_kind : "");
        out->file = td_strdup(facts.file);
        out->line = facts.line;
        if (opts->build)
            status = trc_builds_read(x.recording.program, &x.builds, diag);
    }
    if (status == TD_OK) {
        status = with_recording(&x, diag);
    }
    if (status == TD_OK && out->best != RPR_NONE)
        keep_best(&facts, out);
    fclose(x.nowhere);
    if (facts.id)
        rpr_facts_fini(&facts);
    trc_builds_fini(&x.builds);
    ses_ordered_free(&x.orders);
    rpr_seen_fini(&x.before);
    sto_recording_fini(&x.recording);
    td_free(x.argv);
    td_free(x.dir);
    return status;
}

void rpr_result_fini(rpr_result *r)
{
    for (size_t i = 0; i < r->tries.len; i++) {
        rpr_change_fini(&r->tries.at[i].change);
        td_free(r->tries.at[i].why);
    }
    rpr_try_vec_fini(&r->tries);
    td_free(r->id);
    td_free(r->excerpt);
    td_free(r->callees);
    td_free(r->rule);
    td_free(r->file);
    rpr_edit_fini(&r->edit);
    *r = (rpr_result){0};
}
