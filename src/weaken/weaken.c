/* SPDX-License-Identifier: Apache-2.0 */
/* Which orders are tried.
 *
 * A weaker order allows all runs that a stronger one allows, so what is weaker than an order that is needed
 * is not tried: it would fail as well. Where an order is not needed, the next weaker one is tried. */
#include "weaken/weaken.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/glyph.h"
#include "store/store.h"
#include "weaken/weaken_int.h"

/* ---- operations ---- */

static int by_place(const void *a, const void *b)
{
    const rep_ordered *x = a, *y = b;
    int files = strcmp(x->file, y->file);
    if (files != 0)
        return files;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    size_t i = trc_ordered_index(x->kind), k = trc_ordered_index(y->kind);
    return i != k ? (i < k ? -1 : 1) : (int)x->order - (int)y->order;
}

/* Those that can be weaker. */
static void take_operations(const ses_ordered_vec *all, rep_ordered_vec *out)
{
    uint8_t weaker[TRC_MAX_WEAKER];
    for (size_t i = 0; i < all->len; i++) {
        const ses_ordered *o = &all->at[i];
        if (trc_weaker_orders(o->kind, o->order, weaker) == 0)
            continue;
        rep_ordered_vec_push(out, (rep_ordered){.file = td_strdup(o->file),
                                                .function = td_strdup(o->function),
                                                .name = td_strdup(o->name),
                                                .line = o->line,
                                                .column = o->column,
                                                .kind = o->kind,
                                                .order = o->order,
                                                .together = o->order});
    }
    if (out->len > 0)
        qsort(out->at, out->len, sizeof out->at[0], by_place);
}

static trc_weaker weaker_of(const rep_ordered *o, uint8_t to)
{
    return (trc_weaker){o->file, o->line, o->column, o->kind, o->order, to};
}

static void say(const wkn *w, const rep_ordered *o, uint8_t to)
{
    if (w->opts->quiet)
        return;
    td_print(stderr, "treadle: %s:%u:%u: %s %s -> %s\n", o->file, o->line, o->column,
             trc_ordered_name(o->kind), trc_order_name(o->kind, o->order),
             trc_order_name(o->kind, to));
}

/* ---- alone ---- */

static bool is_weaker(uint8_t kind, uint8_t order, uint8_t than)
{
    uint8_t next[TRC_MAX_WEAKER];
    size_t n = trc_weaker_orders(kind, than, next);
    for (size_t i = 0; i < n; i++)
        if (next[i] == order || is_weaker(kind, order, next[i]))
            return true;
    return false;
}

static bool wants(const rep_ordered *o, uint8_t order)
{
    for (size_t i = 0; i < o->tries.len; i++) {
        const rep_try *t = &o->tries.at[i];
        if (t->order == order ||
            (t->answer != REP_NOT_NEEDED && is_weaker(o->kind, order, t->order)))
            return false;
    }
    return true;
}

static td_status try_order(wkn *w, rep_ordered *o, uint8_t order, td_diag *diag)
{
    trc_weaker_vec weaker = {0};
    rep_try t = {.order = order};
    say(w, o, order);
    trc_weaker_vec_push(&weaker, weaker_of(o, order));
    td_status status = wkn_explore(w, &weaker, NULL, &t, diag);
    if (status == TD_OK)
        rep_try_vec_push(&o->tries, t);
    trc_weaker_vec_fini(&weaker);
    return status;
}

/* One step weaker than an order that it may have. */
static td_status try_weaker(wkn *w, rep_ordered *o, uint8_t than, td_diag *diag)
{
    uint8_t next[TRC_MAX_WEAKER];
    size_t n = trc_weaker_orders(o->kind, than, next);
    for (size_t i = 0; i < n && !w->out->is_interrupted; i++)
        if (wants(o, next[i]))
            TD_TRY(try_order(w, o, next[i], diag));
    return TD_OK;
}

/* Tries grow while they are walked through. */
static td_status try_alone(wkn *w, rep_ordered *o, td_diag *diag)
{
    TD_TRY(try_weaker(w, o, o->order, diag));
    for (size_t i = 0; i < o->tries.len; i++)
        if (o->tries.at[i].answer == REP_NOT_NEEDED)
            TD_TRY(try_weaker(w, o, o->tries.at[i].order, diag));
    return TD_OK;
}

/* ---- together ---- */

static void add_together(const rep_weakening *out, trc_weaker_vec *weaker)
{
    trc_weaker_vec_clear(weaker);
    for (size_t i = 0; i < out->ops.len; i++) {
        const rep_ordered *o = &out->ops.at[i];
        if (o->together != o->order && weaker->len < WIRE_MAX_WEAKER)
            trc_weaker_vec_push(weaker, weaker_of(o, o->together));
    }
}

static td_status explore_together(wkn *w, rep_try *t, td_diag *diag)
{
    trc_weaker_vec weaker = {0};
    add_together(w->out, &weaker);
    td_status status = wkn_explore(w, &weaker, NULL, t, diag);
    trc_weaker_vec_fini(&weaker);
    return status;
}

/* The weakest order that holds with those that are weakened already. */
static td_status join(wkn *w, rep_ordered *o, bool is_first, td_diag *diag)
{
    for (size_t k = o->tries.len; k > 0 && !w->out->is_interrupted; k--) {
        rep_try t = {0};
        if (o->tries.at[k - 1].answer != REP_NOT_NEEDED)
            continue;
        o->together = o->tries.at[k - 1].order;
        if (is_first) /* it was explored alone */
            return TD_OK;
        TD_TRY(explore_together(w, &t, diag));
        bool holds = t.answer == REP_NOT_NEEDED;
        rep_try_fini(&t);
        if (holds)
            return TD_OK;
    }
    o->together = o->order;
    return TD_OK;
}

static td_status join_one_by_one(wkn *w, td_diag *diag)
{
    bool is_first = true;
    for (size_t i = 0; i < w->out->ops.len; i++)
        w->out->ops.at[i].together = w->out->ops.at[i].order;
    for (size_t i = 0; i < w->out->ops.len; i++) {
        rep_ordered *o = &w->out->ops.at[i];
        if (rep_weakest(o) == o->order)
            continue;
        TD_TRY(join(w, o, is_first, diag));
        is_first = false;
    }
    return TD_OK;
}

static td_status try_together(wkn *w, td_diag *diag)
{
    size_t n = 0;
    rep_weakening *out = w->out;
    for (size_t i = 0; i < out->ops.len; i++)
        n += rep_weakest(&out->ops.at[i]) != out->ops.at[i].order;
    out->together = n == 0 ? REP_TOGETHER_NONE : REP_TOGETHER_UNTRIED;
    if (n == 0 || out->is_interrupted || w->opts->alone || n > WIRE_MAX_WEAKER)
        return TD_OK;
    for (size_t i = 0; i < out->ops.len; i++)
        out->ops.at[i].together = rep_weakest(&out->ops.at[i]);
    if (!w->opts->quiet && n > 1)
        td_print(stderr, "treadle: %zu orders together\n", n);
    if (n > 1)
        TD_TRY(explore_together(w, &out->all, diag));
    out->together = REP_TOGETHER_ALL;
    if (out->all.answer == REP_NOT_NEEDED)
        return TD_OK;
    out->together = REP_TOGETHER_SOME;
    return join_one_by_one(w, diag);
}

/* ---- all ---- */

static td_status explore_all(wkn *w, td_diag *diag)
{
    static const trc_weaker_vec none;
    ses_ordered_vec executed = {0};
    td_status status = wkn_explore(w, &none, &executed, &w->out->base, diag);
    if (status == TD_OK && w->out->base.answer == REP_NOT_NEEDED)
        take_operations(&executed, &w->out->ops);
    ses_ordered_free(&executed);
    for (size_t i = 0; status == TD_OK && i < w->out->ops.len; i++)
        status = try_alone(w, &w->out->ops.at[i], diag);
    return status == TD_OK ? try_together(w, diag) : status;
}

td_status wkn_run(const wkn_opts *opts, const ses_exec *exec, rep_weakening *out,
                  td_diag *diag)
{
    TD_ASSERT(opts->session.argv && opts->session.argv[0]);
    *out = (rep_weakening){.version = opts->session.version, .argv = opts->session.argv};
    wkn w = {.opts = opts, .exec = exec, .out = out};
    td_text name = {0};
    td_text_add(&name, "%s-weaken", opts->session.argv[0]);
    td_status status = sto_dir_create_aside(opts->out_dir, name.at, &w.dir, diag);
    td_text_fini(&name);
    if (status != TD_OK)
        return status;
    w.nowhere = fopen("/dev/null", "w");
    if (!w.nowhere)
        status = td_diag_errno(diag, TD_E_SYSTEM, "/dev/null");
    if (status == TD_OK)
        status = explore_all(&w, diag);
    if (w.nowhere)
        fclose(w.nowhere);
    td_free(w.dir);
    return status;
}
