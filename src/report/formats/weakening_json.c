/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory orders are needed, as JSON and as SARIF 2.1.0. */
#include "report/weakening.h"

#include <string.h>

#include "base/assert.h"
#include "report/formats/sarif_text.h"

/* ---- JSON ---- */

static void put_finding(rep_json *j, const rep_try *t)
{
    if (!t->id)
        return;
    rep_json_open(j, "finding", '{');
    rep_json_text(j, "id", t->id);
    rep_json_text(j, "kind", t->kind);
    rep_json_text(j, "file", t->file);
    rep_json_count(j, "line", t->line);
    rep_json_text(j, "function", t->function);
    rep_json_text(j, "message", t->message);
    rep_json_text(j, "recording", t->recording);
    rep_json_close(j, '}');
}

static void put_try(rep_json *j, const rep_try *t)
{
    rep_json_count(j, "runs", t->runs);
    if (t->why)
        rep_json_text(j, "why", t->why);
    put_finding(j, t);
}

/* An exploration of the program, or of all orders together, by its verdict. */
static void put_verdict(rep_json *j, const char *name, const rep_try *t)
{
    static const char *const verdicts[] = {[REP_NOT_NEEDED] = "complete",
                                           [REP_NEEDED] = "bug",
                                           [REP_NOT_DECIDED] = "incomplete"};
    rep_json_open(j, name, '{');
    rep_json_text(j, "verdict", verdicts[t->answer]);
    put_try(j, t);
    rep_json_close(j, '}');
}

static void put_operation(rep_json *j, const rep_ordered *o)
{
    rep_json_line(j);
    rep_json_open(j, NULL, '{');
    rep_json_text(j, "file", o->file);
    rep_json_count(j, "line", o->line);
    rep_json_count(j, "column", o->column);
    rep_json_text(j, "function", o->function);
    rep_json_text(j, "operation", trc_ordered_name(o->kind));
    rep_json_text(j, "object", o->name);
    rep_json_text(j, "order", trc_order_name(o->kind, o->order));
    rep_json_text(j, "together", trc_order_name(o->kind, o->together));
    rep_json_open(j, "weaker", '[');
    for (size_t i = 0; i < o->tries.len; i++) {
        rep_json_open(j, NULL, '{');
        rep_json_text(j, "order", trc_order_name(o->kind, o->tries.at[i].order));
        rep_json_text(j, "answer", rep_answer_text(o->tries.at[i].answer));
        put_try(j, &o->tries.at[i]);
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
    rep_json_close(j, '}');
}

static const char *together_text(rep_together t)
{
    static const char *const texts[] = {"none", "not tried", "all", "some"};
    TD_ASSERT((size_t)t < sizeof texts / sizeof texts[0]);
    return texts[t];
}

void rep_weakening_json(const rep_weakening *w, td_text *out)
{
    rep_json j = {.out = out};
    rep_json_open(&j, NULL, '{');
    rep_json_text(&j, "treadle", w->version);
    rep_json_text(&j, "program", w->argv[0]);
    rep_json_open(&j, "args", '[');
    for (size_t i = 1; w->argv[i]; i++)
        rep_json_text(&j, NULL, w->argv[i]);
    rep_json_close(&j, ']');
    rep_json_text(&j, "model", "rc11");
    rep_json_count(&j, "runs", w->runs);
    put_verdict(&j, "as_it_is", &w->base);
    rep_json_text(&j, "together", together_text(w->together));
    if (w->together == REP_TOGETHER_SOME)
        put_verdict(&j, "all_together", &w->all);
    rep_json_open(&j, "operations", '[');
    for (size_t i = 0; i < w->ops.len; i++)
        put_operation(&j, &w->ops.at[i]);
    rep_json_close(&j, ']');
    rep_json_close(&j, '}');
    td_text_put(out, "\n", 1);
}

/* ---- SARIF ---- */

/* What the answers are there; level and kind by 3.27.9 and 3.27.10 of the standard. */
static const struct {
    const char *id, *text, *kind, *level;
} rules[] = {
    [REP_NOT_NEEDED] = {"order-not-needed",
                        "The harness passes with a weaker memory order.", "fail", "note"},
    [REP_NEEDED] = {"order-needed", "The harness fails with a weaker memory order.",
                    "pass", "none"},
    [REP_NOT_DECIDED] = {"order-not-decided",
                         "It is undecided whether the harness needs the memory order.",
                         "open", "none"},
};

static void put_tool(rep_json *j, const rep_weakening *w)
{
    rep_json_open(j, "tool", '{');
    rep_json_open(j, "driver", '{');
    rep_json_text(j, "name", "treadle");
    rep_json_text(j, "version", w->version);
    rep_json_open(j, "rules", '[');
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        rep_json_open(j, NULL, '{');
        rep_json_text(j, "id", rules[i].id);
        rep_sarif_message(j, "shortDescription", rules[i].text);
        rep_json_open(j, "defaultConfiguration", '{');
        rep_json_text(j, "level", rules[i].level);
        rep_json_close(j, '}');
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
    rep_json_close(j, '}');
    rep_json_close(j, '}');
}

static void put_location(rep_json *j, const rep_ordered *o)
{
    rep_json_open(j, "locations", '[');
    if (o->line > 0) {
        rep_json_open(j, NULL, '{');
        rep_sarif_physical(j, o->file, o->line, o->column);
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
}

static void put_result(rep_json *j, const rep_ordered *o, const rep_try *t)
{
    td_text text = {0};
    td_text_add(&text, "%s%s%s: %s, %s is %s", trc_ordered_name(o->kind),
                o->name[0] ? " " : "", o->name, trc_order_name(o->kind, o->order),
                trc_order_name(o->kind, t->order),
                t->answer == REP_NOT_NEEDED ? "enough for this harness"
                : t->answer == REP_NEEDED   ? "too weak"
                                            : "not decided");
    if (t->answer == REP_NEEDED)
        td_text_add(&text, ": %s. Replay: treadle replay %s", t->message, t->recording);
    if (t->answer == REP_NOT_DECIDED)
        td_text_add(&text, ": %s", t->why);
    td_text_add(&text, ".");
    rep_json_line(j);
    rep_json_open(j, NULL, '{');
    rep_json_text(j, "ruleId", rules[t->answer].id);
    rep_json_count(j, "ruleIndex", t->answer);
    rep_json_text(j, "kind", rules[t->answer].kind);
    rep_json_text(j, "level", rules[t->answer].level);
    rep_sarif_message(j, "message", text.at);
    put_location(j, o);
    rep_json_close(j, '}');
    td_text_fini(&text);
}

void rep_weakening_sarif(const rep_weakening *w, td_text *out)
{
    rep_json j = {.out = out};
    rep_json_open(&j, NULL, '{');
    rep_json_text(&j, "$schema", REP_SARIF_SCHEMA);
    rep_json_text(&j, "version", "2.1.0");
    rep_json_open(&j, "runs", '[');
    rep_json_open(&j, NULL, '{');
    put_tool(&j, w);
    rep_json_text(&j, "columnKind", "utf16CodeUnits");
    rep_json_open(&j, "results", '[');
    for (size_t i = 0; i < w->ops.len; i++)
        for (size_t k = 0; k < w->ops.at[i].tries.len; k++)
            put_result(&j, &w->ops.at[i], &w->ops.at[i].tries.at[k]);
    rep_json_close(&j, ']');
    rep_json_close(&j, '}');
    rep_json_close(&j, ']');
    rep_json_close(&j, '}');
    td_text_put(out, "\n", 1);
}
