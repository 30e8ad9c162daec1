/* SPDX-License-Identifier: Apache-2.0 */
/* The section FIX of a report, and the same as JSON. */
#include "repair/repair_int.h"

#include <inttypes.h>
#include <string.h>

#include "base/assert.h"
#include "report/formats/json_text.h"

/* ---- words ---- */

static void put_place(const trc_lines *at, td_text *out)
{
    td_text_add(out, "%s:%u", rpr_base_of(at->file), at->from);
    if (at->to > at->from)
        td_text_add(out, "-%u", at->to);
    if (at->function && *at->function)
        td_text_add(out, " in %s", at->function);
}

/* Members of the C++ library are left out of the name. */
static void put_lock(const trc_repair *r, const char *otherwise, td_text *out)
{
    const char *member = r->object ? strstr(r->lock, "._M_") : NULL;
    if (!r->object)
        td_text_add(out, "%s", otherwise);
    else if (member)
        td_text_put(out, r->lock, (size_t)(member - r->lock));
    else
        td_text_add(out, "%s", r->lock);
}

static void put_repair(const trc_repair *r, td_text *out)
{
    if (r->kind == WIRE_REPAIR_ORDER) {
        td_text_add(out, "Let ");
        put_place(&r->places[0], out);
        td_text_add(out, " come before ");
        put_place(&r->places[1], out);
        td_text_add(out, ".");
        return;
    }
    if (r->kind == WIRE_REPAIR_WAKE_ALL) {
        td_text_add(out, "Wake all waiting threads (broadcast, not signal) at ");
        put_place(&r->places[0], out);
        td_text_add(out, ".");
        return;
    }
    td_text_add(out, "Hold ");
    put_lock(r, "a new lock", out);
    td_text_add(out, " over ");
    for (uint32_t i = 0; i < r->n_places; i++) {
        td_text_add(out, "%s", i == 0 ? "" : i + 1 < r->n_places ? ", " : " and ");
        put_place(&r->places[i], out);
    }
    td_text_add(out, ".");
}

static void put_orders(const trc_weaker_vec *orders, td_text *out)
{
    for (size_t i = 0; i < orders->len; i++) {
        const trc_weaker *w = &orders->at[i];
        td_text_add(out, "%smemory_order_%s at %s:%u (%s, now %s)", i == 0 ? "" : " and ",
                    trc_order_name(w->kind, w->to), rpr_base_of(w->file), w->line,
                    trc_ordered_name(w->kind), trc_order_name(w->kind, w->order));
    }
    td_text_add(out, ".");
}

static void put_change(const rpr_change *c, td_text *out)
{
    if (c->is_repair)
        put_repair(&c->repair, out);
    else
        put_orders(&c->orders, out);
}

static const char *answer_text(rpr_answer a)
{
    static const char *const texts[RPR_N_ANSWERS] = {
        [RPR_HOLDS] = "holds",
        [RPR_FAILS] = "a schedule fails",
        [RPR_INCOMPLETE] = "not everything was explored",
        [RPR_NOT_MADE] = "cannot be tried",
        [RPR_NOT_REACHED] = "the place of the failure is not reached",
        [RPR_LOST] = "an operation of runs that passed is lost",
        [RPR_FEW_OUTCOMES] = "few outcomes of runs that passed remain",
        [RPR_NEW_OUTCOME] = "an outcome is new",
    };
    TD_ASSERT((size_t)a < RPR_N_ANSWERS);
    return texts[a];
}

static uint32_t n_with(const rpr_result *r, rpr_answer a)
{
    uint32_t n = 0;
    for (size_t i = 0; i < r->tries.len; i++)
        n += r->tries.at[i].answer == a;
    return n;
}

static void put_outcomes(const rpr_try *t, td_text *out)
{
    if (t->n_outcomes == 0)
        return;
    if (t->n_kept == t->n_outcomes && t->n_outcomes == 1)
        td_text_add(out, "The one outcome of the runs that passed before remains. ");
    else if (t->n_kept == t->n_outcomes)
        td_text_add(out, "%s %s outcomes of the runs that passed before remain. ",
                    t->n_outcomes == 2 ? "Both" : "All", t->n_outcomes == 2 ? "" : "the");
    else
        td_text_add(out, "%u of %u outcomes of the runs that passed before remain. ",
                    t->n_kept, t->n_outcomes);
}

static void put_explored(const rpr_result *r, const rpr_try *t, td_text *out)
{
    td_text_add(out,
                "Explored completely with this change, %" PRIu64 " run%s: no "
                "schedule fails, no deadlock, no data race. ",
                t->runs, t->runs == 1 ? "" : "s");
    if (t->change.restricts)
        td_text_add(out, "It only removes schedules. ");
    put_outcomes(t, out);
    uint32_t n = n_with(r, RPR_FAILS);
    if (n > 0)
        td_text_add(out, "%u change%s tried before still fail%s.", n, n == 1 ? "" : "s",
                    n == 1 ? "s" : "");
}

/* ---- the section ---- */

static void add_places(const rpr_change *c, rep_fix *out)
{
    for (uint32_t i = 0; c->is_repair && i < c->repair.n_places; i++) {
        const trc_lines *at = &c->repair.places[i];
        rep_fix_place_vec_push(&out->places,
                               (rep_fix_place){.file = td_strdup(at->file),
                                               .function = td_strdup(at->function),
                                               .from = at->from,
                                               .to = at->to});
    }
    for (size_t i = 0; !c->is_repair && i < c->orders.len; i++) {
        const trc_weaker *w = &c->orders.at[i];
        rep_fix_place_vec_push(&out->places, (rep_fix_place){.file = td_strdup(w->file),
                                                             .function = td_strdup(""),
                                                             .from = w->line,
                                                             .to = w->line});
    }
}

static const char *kind_of(const rpr_change *c)
{
    return c->is_repair ? trc_repair_name(c->repair.kind) : "memory-order";
}

/* The change that holds. */
static void add_change(const rpr_result *r, const rpr_try *t, rep_fix *out)
{
    td_text change = {0}, note = {0}, explored = {0};
    put_change(&t->change, &change);
    if (r->callees && *r->callees) {
        td_text_add(&note, "There, %s must not take ", r->callees);
        put_lock(&t->change.repair, "", &note);
        td_text_add(&note, " once more.");
    }
    put_explored(r, t, &explored);
    out->restricts = t->change.restricts;
    out->kind = td_strdup(kind_of(&t->change));
    out->change = change.at;
    out->excerpt = r->excerpt ? td_strdup(r->excerpt) : NULL;
    out->note = note.at;
    out->explored = explored.at;
    out->runs = t->runs;
    out->traces = t->traces;
    out->n_outcomes = t->n_outcomes;
    out->n_kept = t->n_kept;
    add_places(&t->change, out);
}

void rpr_fix(const rpr_result *r, rep_fix *out)
{
    td_text command = {0};
    bool is_found = r->best != RPR_NONE;
    bool is_open = r->is_cut || r->was_interrupted || n_with(r, RPR_INCOMPLETE) > 0;
    td_text_add(&command, "treadle fix %s", r->id ? r->id : "ID");
    *out = (rep_fix){.is_found = is_found,
                     .is_cut = !is_found && is_open,
                     .n_tried = (uint32_t)r->tries.len,
                     .command = command.at};
    if (is_found)
        add_change(r, &r->tries.at[r->best], out);
    rep_fix_complete(out);
}

void rpr_text(const rpr_result *r, uint32_t columns, td_text *out)
{
    td_text text = {0};
    if (columns < 40)
        columns = 80;
    if (r->best == RPR_NONE) {
        td_text_add(&text,
                    "No change was found that holds: %zu of %zu candidates were "
                    "explored%s.",
                    r->tries.len, r->n_made, r->is_cut ? ", then the time was over" : "");
        rep_fix_wrap("FIX", text.at, columns, out);
        for (unsigned a = RPR_INCOMPLETE; a < RPR_N_ANSWERS; a++) {
            td_text_clear(&text);
            if (n_with(r, (rpr_answer)a) == 0)
                continue;
            td_text_add(&text, "%u dropped: %s.", n_with(r, (rpr_answer)a),
                        answer_text((rpr_answer)a));
            rep_fix_wrap("", text.at, columns, out);
        }
        td_text_fini(&text);
        return;
    }
    rep_fix fix;
    rpr_fix(r, &fix);
    rep_fix_text(&fix, columns, out);
    rep_fix_fini(&fix);
    td_text_fini(&text);
}

/* ---- JSON ---- */

static void put_try(rep_json *j, const rpr_try *t)
{
    const rpr_change *c = &t->change;
    td_text text = {0};
    put_change(c, &text);
    rep_json_line(j);
    rep_json_open(j, NULL, '{');
    rep_json_text(j, "kind", kind_of(c));
    rep_json_text(j, "text", text.at);
    rep_json_bool(j, "restricts", c->restricts);
    rep_json_open(j, "places", '[');
    for (uint32_t i = 0; i < c->repair.n_places; i++) {
        const trc_lines *at = &c->repair.places[i];
        rep_fix_place_print(j, &(rep_fix_place){.file = at->file,
                                                .function = at->function,
                                                .from = at->from,
                                                .to = at->to});
    }
    rep_json_close(j, ']');
    rep_json_text(j, "answer", answer_text(t->answer));
    rep_json_open(j, "rejected_by", '[');
    for (unsigned a = 0; a < RPR_N_ANSWERS; a++)
        if (t->rejected >> a & 1)
            rep_json_text(j, NULL, answer_text((rpr_answer)a));
    rep_json_close(j, ']');
    if (t->why)
        rep_json_text(j, "why", t->why);
    rep_json_count(j, "runs", t->runs);
    rep_json_count(j, "traces", t->traces);
    rep_json_count(j, "outcomes", t->n_outcomes);
    rep_json_count(j, "outcomes_kept", t->n_kept);
    rep_json_close(j, '}');
    td_text_fini(&text);
}

void rpr_json(const rpr_result *r, td_text *out)
{
    rep_json j = {.out = out};
    rep_json_open(&j, NULL, '{');
    rep_json_text(&j, "finding", r->id ? r->id : "");
    rep_json_bool(&j, "is_found", r->best != RPR_NONE);
    rep_json_count(&j, "candidates", r->n_made);
    rep_json_count(&j, "runs", r->runs);
    rep_json_open(&j, "tried", '[');
    for (size_t i = 0; i < r->tries.len; i++)
        put_try(&j, &r->tries.at[i]);
    rep_json_close(&j, ']');
    rep_fix fix;
    rpr_fix(r, &fix);
    rep_fix_print(&j, "fix", &fix);
    rep_fix_fini(&fix);
    rep_json_close(&j, '}');
    td_text_put(out, "\n", 1);
}
