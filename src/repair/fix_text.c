/* SPDX-License-Identifier: Apache-2.0 */
/* The section FIX of a report, and the same as JSON. */
#include "repair/repair.h"

#include <inttypes.h>
#include <string.h>

#include "base/assert.h"
#include "report/formats/json_text.h"
#include "report/text/lines.h"

#define INDENT 11u

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- words ---- */

static void put_place(const trc_lines *at, td_text *out)
{
    td_text_add(out, "%s:%u", base_of(at->file), at->from);
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
                    trc_order_name(w->kind, w->to), base_of(w->file), w->line,
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

/* ---- lines ---- */

/* Words from column INDENT on; lead stands before the first line. */
static void put_wrapped(const char *lead, const char *text, uint32_t columns,
                        td_text *out)
{
    size_t column = INDENT;
    td_text clean = {0};
    rep_put_clean(&clean, text);
    td_text_add(out, "%-*s", (int)INDENT, lead);
    for (const char *p = clean.at ? clean.at : ""; *p;) {
        size_t n = strcspn(p, " ");
        bool is_first = column == INDENT;
        if (n > 0 && !is_first && column + 1 + n > columns) {
            td_text_add(out, "\n%*s", (int)INDENT, "");
            column = INDENT;
            is_first = true;
        }
        if (n > 0) {
            td_text_add(out, "%s%.*s", is_first ? "" : " ", (int)n, p);
            column += n + (is_first ? 0 : 1);
        }
        p += n + (p[n] == ' ');
    }
    td_text_put(out, "\n", 1);
    td_text_fini(&clean);
}

static void put_excerpt(const char *text, uint32_t columns, td_text *out)
{
    while (text && *text) {
        size_t n = strcspn(text, "\n"), room = columns > INDENT ? columns - INDENT : 20;
        td_text line = {0}, clean = {0};
        td_text_put(&line, text, n < room ? n : room);
        for (size_t i = 0; i < line.len; i++)
            if (line.at[i] == '\t')
                line.at[i] = ' ';
        rep_put_clean(&clean, line.at ? line.at : "");
        td_text_add(out, "%*s%s\n", (int)INDENT, "", clean.at ? clean.at : "");
        td_text_fini(&line);
        td_text_fini(&clean);
        text += n + (text[n] == '\n');
    }
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
        put_wrapped("FIX", text.at, columns, out);
        for (unsigned a = RPR_INCOMPLETE; a < RPR_N_ANSWERS; a++) {
            td_text_clear(&text);
            if (n_with(r, (rpr_answer)a) == 0)
                continue;
            td_text_add(&text, "%u dropped: %s.", n_with(r, (rpr_answer)a),
                        answer_text((rpr_answer)a));
            put_wrapped("", text.at, columns, out);
        }
        td_text_fini(&text);
        return;
    }
    const rpr_try *t = &r->tries.at[r->best];
    put_change(&t->change, &text);
    put_wrapped("FIX", text.at, columns, out);
    put_excerpt(r->excerpt, columns, out);
    if (r->callees && *r->callees) {
        td_text_clear(&text);
        td_text_add(&text, "There, %s must not take ", r->callees);
        put_lock(&t->change.repair, "", &text);
        td_text_add(&text, " once more.");
        put_wrapped("", text.at, columns, out);
    }
    td_text_clear(&text);
    put_explored(r, t, &text);
    put_wrapped("", text.at, columns, out);
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
    rep_json_text(j, "kind",
                  c->is_repair ? trc_repair_name(c->repair.kind) : "memory-order");
    rep_json_text(j, "text", text.at);
    rep_json_bool(j, "restricts", c->restricts);
    rep_json_open(j, "places", '[');
    for (uint32_t i = 0; i < c->repair.n_places; i++) {
        rep_json_open(j, NULL, '{');
        rep_json_text(j, "file", c->repair.places[i].file);
        rep_json_count(j, "from", c->repair.places[i].from);
        rep_json_count(j, "to", c->repair.places[i].to);
        rep_json_text(j, "function", c->repair.places[i].function);
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
    rep_json_text(j, "answer", answer_text(t->answer));
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
    rep_json_close(&j, '}');
    td_text_put(out, "\n", 1);
}
