/* SPDX-License-Identifier: Apache-2.0 */
/* SARIF 2.1.0 (OASIS). One run of the tool; a rule per kind of finding; a result per finding with
 * the interleaving as a code flow, a thread flow per thread; the ledger as notifications. */
#include "report/formats/formats.h"
#include "base/assert.h"
#include "report/formats/sarif_text.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* Above this many steps only those of the text report are written. */
#define MANY_STEPS 1000u

typedef struct writer {
    rep_json j;
    const rep_past *past;
} writer;

/* ---- small things ---- */

static void put_physical(writer *w, const char *file, uint32_t line)
{
    if (file[0] != '\0' && line > 0)
        rep_sarif_physical(&w->j, rep_past_path(w->past, file), line, 0);
}

/* The inside of a location object. */
static void put_place(writer *w, const rep_page_place *at)
{
    put_physical(w, at->file, at->line);
    if (at->function[0] == '\0')
        return;
    rep_json_open(&w->j, "logicalLocations", '[');
    rep_json_open(&w->j, NULL, '{');
    rep_json_text(&w->j, "name", at->function);
    rep_json_text(&w->j, "kind", "function");
    rep_json_close(&w->j, '}');
    rep_json_close(&w->j, ']');
}

/* ---- the tool ---- */

static void put_rule(writer *w, const rep_rule *r)
{
    td_text name = {0};
    bool up = true;
    for (const char *p = r->title; *p != '\0'; p++) {
        char c = up && *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
        up = *p == ' ' || *p == '-';
        if (!up)
            td_text_put(&name, &c, 1);
    }
    rep_json_line(&w->j);
    rep_json_open(&w->j, NULL, '{');
    rep_json_text(&w->j, "id", r->id);
    if (strcasecmp(name.at, r->id) != 0) /* required by the standard (3.49.7) */
        rep_json_text(&w->j, "name", name.at);
    rep_sarif_message(&w->j, "shortDescription", r->text);
    rep_sarif_message(&w->j, "fullDescription", r->text);
    rep_sarif_message(&w->j, "help", r->help);
    rep_json_open(&w->j, "defaultConfiguration", '{');
    rep_json_text(&w->j, "level", "error");
    rep_json_close(&w->j, '}');
    rep_json_close(&w->j, '}');
    td_text_fini(&name);
}

static void put_tool(writer *w)
{
    const char *version = rep_past_fact(w->past, "version");
    rep_json_open(&w->j, "tool", '{');
    rep_json_open(&w->j, "driver", '{');
    rep_json_text(&w->j, "name", "treadle");
    if (version[0] != '\0')
        rep_json_text(&w->j, "version", version);
    rep_sarif_message(
        &w->j, "shortDescription",
        "Finds concurrency bugs in C and C++ programs by running them under "
        "every schedule.");
    rep_json_open(&w->j, "rules", '[');
    for (unsigned k = 0; k < DET_N_KINDS; k++)
        put_rule(w, rep_rule_of((det_kind)k));
    rep_json_close(&w->j, ']');
    rep_json_close(&w->j, '}');
    rep_json_close(&w->j, '}');
}

/* ---- how it ran ---- */

static void put_gap(writer *w, const det_gap *g)
{
    td_text text = {0};
    bool is_note = det_gap_is_note(g);
    td_text_add(&text, "%s%s%s (x%" PRIu64 ")", g->kind, g->text[0] != '\0' ? ": " : "",
                g->text, g->count);
    rep_json_line(&w->j);
    rep_json_open(&w->j, NULL, '{');
    rep_json_text(&w->j, "level", is_note ? "note" : "warning");
    rep_sarif_message(&w->j, "message", text.at);
    if (g->file[0] != '\0' && g->line > 0) {
        rep_json_open(&w->j, "locations", '[');
        rep_json_open(&w->j, NULL, '{');
        put_physical(w, g->file, g->line);
        rep_json_close(&w->j, '}');
        rep_json_close(&w->j, ']');
    }
    rep_json_close(&w->j, '}');
    td_text_fini(&text);
}

/* Exit codes are those of treadle run. */
static void put_exit(writer *w)
{
    rep_verdict v = rep_past_verdict(w->past);
    if (v != REP_N_VERDICTS)
        rep_json_count(&w->j, "exitCode", (uint64_t)rep_verdict_of(v)->status);
    rep_json_text(&w->j, "exitCodeDescription", rep_verdict_of(v)->clause);
    rep_json_bool(&w->j, "executionSuccessful", v != REP_N_VERDICTS);
}

static void put_invocation(writer *w)
{
    const char *program = rep_past_fact(w->past, "program");
    const char *started = rep_past_fact(w->past, "started");
    td_text command = {0};
    td_text_add(&command, "treadle run %s", program);
    rep_json_open(&w->j, "invocations", '[');
    rep_json_open(&w->j, NULL, '{');
    rep_json_text(&w->j, "commandLine", command.at);
    if (started[0] != '\0')
        rep_json_text(&w->j, "startTimeUtc", started);
    put_exit(w);
    rep_json_open(&w->j, "toolExecutionNotifications", '[');
    for (size_t i = 0; i < w->past->ledger.gaps.len; i++)
        put_gap(w, &w->past->ledger.gaps.at[i]);
    rep_json_close(&w->j, ']');
    rep_json_close(&w->j, '}');
    rep_json_close(&w->j, ']');
    td_text_fini(&command);
}

/* ---- the interleaving ---- */

static const struct {
    const char *act, *kinds[2];
} act_kinds[] = {
    {"lock", {"acquire", "lock"}},        {"trylock", {"acquire", "lock"}},
    {"unlock", {"release", "lock"}},      {"waits", {"acquire", "lock"}},
    {"create", {"call", "function"}},     {"read", {"memory", "value"}},
    {"write", {"memory", "value"}},       {"load", {"memory", "value"}},
    {"store", {"memory", "value"}},       {"rmw", {"memory", "value"}},
    {"cas", {"memory", "value"}},         {"cas failed", {"memory", "value"}},
    {"read lock", {"acquire", "lock"}},   {"write lock", {"acquire", "lock"}},
    {"read unlock", {"release", "lock"}}, {"write unlock", {"release", "lock"}},
};

/* From the vocabulary of the standard (3.38.8). */
static void put_kinds(writer *w, const char *act, bool fails)
{
    rep_json_open(&w->j, "kinds", '[');
    for (size_t i = 0; i < sizeof act_kinds / sizeof act_kinds[0]; i++) {
        if (strcmp(act_kinds[i].act, act) != 0)
            continue;
        rep_json_text(&w->j, NULL, act_kinds[i].kinds[0]);
        rep_json_text(&w->j, NULL, act_kinds[i].kinds[1]);
    }
    if (fails)
        rep_json_text(&w->j, NULL, "danger");
    rep_json_close(&w->j, ']');
}

static void put_state(writer *w, const rep_page_act *a)
{
    if (a->object[0] == '\0' || a->value[0] == '\0')
        return;
    rep_json_open(&w->j, "state", '{');
    rep_sarif_message(&w->j, a->object, a->value);
    rep_json_close(&w->j, '}');
}

static void put_flow_location(writer *w, const rep_page_place *at, const char *text)
{
    rep_json_open(&w->j, "location", '{');
    put_place(w, at);
    rep_sarif_message(&w->j, "message", text);
    rep_json_close(&w->j, '}');
}

static void put_act(writer *w, const rep_page *p, uint32_t act, uint64_t order)
{
    TD_ASSERT(act < p->acts.len && p->acts.at[act].step < p->steps.len);
    const rep_page_act *a = &p->acts.at[act];
    rep_json_line(&w->j);
    rep_json_open(&w->j, NULL, '{');
    put_flow_location(w, &p->steps.at[a->step].at, a->text);
    put_kinds(w, a->kind, a->fails);
    put_state(w, a);
    rep_json_count(&w->j, "nestingLevel", 1);
    rep_json_count(&w->j, "executionOrder", order);
    rep_json_text(&w->j, "importance",
                  a->fails   ? "essential"
                  : a->shown ? "important"
                             : "unimportant");
    rep_json_close(&w->j, '}');
}

static void put_step(writer *w, const rep_page *p, const rep_page_step *s, uint64_t order)
{
    td_text text = {0};
    if (s->number > 0)
        td_text_add(&text, "#%" PRIu32 " ", s->number);
    td_text_add(&text, "%s", s->source[0] != '\0' ? s->source : s->at.function);
    if (strcmp(s->stop, "preempted") == 0)
        td_text_add(&text, " (the previous thread was preempted)");
    rep_json_line(&w->j);
    rep_json_open(&w->j, NULL, '{');
    put_flow_location(w, &s->at, text.at);
    put_kinds(w, s->n_acts > 0 ? p->acts.at[s->first_act].kind : "", s->fails);
    rep_json_count(&w->j, "nestingLevel", 0);
    rep_json_count(&w->j, "executionOrder", order);
    rep_json_text(&w->j, "importance",
                  s->fails        ? "essential"
                  : s->number > 0 ? "important"
                                  : "unimportant");
    rep_json_close(&w->j, '}');
    td_text_fini(&text);
}

static bool is_shown(const rep_page *p, const rep_page_step *s)
{
    return p->steps.len <= MANY_STEPS || s->number > 0 || s->fails;
}

/* Order within the whole interleaving: a step comes before its acts. */
static void put_steps(writer *w, const rep_page *p, uint32_t thread)
{
    for (uint32_t i = 0; i < p->steps.len; i++) {
        const rep_page_step *s = &p->steps.at[i];
        if (s->thread != thread || !is_shown(p, s))
            continue;
        put_step(w, p, s, UINT64_C(1) + i + s->first_act);
        for (uint32_t k = s->first_act; k < s->first_act + s->n_acts; k++)
            if (p->acts.at[k].shown || p->acts.at[k].fails)
                put_act(w, p, k, UINT64_C(2) + i + k);
    }
}

static bool has_steps(const rep_page *p, uint32_t thread)
{
    for (size_t i = 0; i < p->steps.len; i++)
        if (p->steps.at[i].thread == thread && is_shown(p, &p->steps.at[i]))
            return true;
    return false;
}

static void put_code_flow(writer *w, const rep_page *p)
{
    if (p->steps.len == 0)
        return;
    td_text text = {0};
    td_text_add(&text, "%" PRIu32 " preemption%s", p->preemptions,
                p->preemptions == 1 ? "" : "s");
    rep_json_open(&w->j, "codeFlows", '[');
    rep_json_open(&w->j, NULL, '{');
    rep_sarif_message(&w->j, "message", text.at);
    rep_json_open(&w->j, "threadFlows", '[');
    for (uint32_t t = 0; t < p->threads.len; t++) {
        if (!has_steps(p, t))
            continue;
        rep_json_line(&w->j);
        rep_json_open(&w->j, NULL, '{');
        rep_json_text(&w->j, "id", p->threads.at[t].name);
        rep_sarif_message(&w->j, "message", p->threads.at[t].title);
        rep_json_open(&w->j, "locations", '[');
        put_steps(w, p, t);
        rep_json_close(&w->j, ']');
        rep_json_close(&w->j, '}');
    }
    rep_json_close(&w->j, ']');
    rep_json_close(&w->j, '}');
    rep_json_close(&w->j, ']');
    td_text_fini(&text);
}

/* ---- results ---- */

static void put_related(writer *w, const rep_page_place *at, const char *text,
                        uint64_t *id)
{
    if (at->line == 0)
        return;
    rep_json_line(&w->j);
    rep_json_open(&w->j, NULL, '{');
    rep_json_count(&w->j, "id", ++*id);
    put_place(w, at);
    rep_sarif_message(&w->j, "message", text);
    rep_json_close(&w->j, '}');
}

/* Writes the parties: the other access of a race, the threads that allocated and freed, the waiting threads.
 * Then the places where threads were created. */
static void put_all_related(writer *w, const rep_page *p)
{
    uint64_t id = 0;
    rep_json_open(&w->j, "relatedLocations", '[');
    for (size_t i = 0; i < p->parties.len; i++) {
        const rep_page_party *q = &p->parties.at[i];
        td_text text = {0};
        td_text_add(&text, "%s: %s",
                    q->thread < p->threads.len ? p->threads.at[q->thread].name : q->role,
                    q->text[0] != '\0' ? q->text : q->role);
        put_related(w, &q->at, text.at, &id);
        td_text_fini(&text);
    }
    for (size_t i = 0; i < p->threads.len; i++) {
        td_text text = {0};
        td_text_add(&text, "%s is created here", p->threads.at[i].title);
        put_related(w, &p->threads.at[i].created, text.at, &id);
        td_text_fini(&text);
    }
    rep_json_close(&w->j, ']');
}

static void put_inputs(writer *w, const rep_page *p)
{
    rep_json_open(&w->j, "inputs", '[');
    for (size_t i = 0; i < p->inputs.len; i++) {
        rep_json_open(&w->j, NULL, '{');
        rep_json_text(&w->j, "name", p->inputs.at[i].name);
        rep_json_text(&w->j, "value", p->inputs.at[i].value);
        rep_json_close(&w->j, '}');
    }
    rep_json_close(&w->j, ']');
    if (p->condition[0] != '\0')
        rep_json_text(&w->j, "condition", p->condition);
}

static void put_properties(writer *w, const rep_page *p)
{
    rep_json_open(&w->j, "properties", '{');
    rep_json_text(&w->j, "title", p->title);
    rep_json_count(&w->j, "preemptions", p->preemptions);
    rep_json_text(&w->j, "schedule", p->schedule);
    rep_json_text(&w->j, "recording", p->recording);
    put_inputs(w, p);
    rep_json_open(&w->j, "why", '[');
    for (size_t i = 0; i < p->why.len; i++)
        rep_json_text(&w->j, NULL, p->why.at[i]);
    rep_json_close(&w->j, ']');
    rep_json_close(&w->j, '}');
}

static void put_sentence(writer *w, const rep_page *p)
{
    td_text text = {0};
    td_text_add(&text, "%s", p->message);
    if (p->values[0] != '\0')
        td_text_add(&text, " (%s)", p->values);
    td_text_add(&text, ".");
    for (size_t i = 0; i < p->why.len; i++)
        td_text_add(&text, " %s", p->why.at[i]);
    td_text_add(&text, " Replay: treadle replay %s", p->id);
    rep_sarif_message(&w->j, "message", text.at);
    td_text_fini(&text);
}

static void put_result(writer *w, const rep_page *p)
{
    det_kind kind = rep_kind_named(p->kind);
    rep_json_line(&w->j);
    rep_json_open(&w->j, NULL, '{');
    rep_json_text(&w->j, "ruleId", p->kind);
    if (kind != DET_N_KINDS)
        rep_json_count(&w->j, "ruleIndex", kind);
    rep_json_text(&w->j, "level", "error");
    rep_json_text(&w->j, "kind", "fail");
    put_sentence(w, p);
    rep_json_open(&w->j, "locations", '[');
    if (p->at.line > 0 || p->at.function[0] != '\0') {
        rep_json_open(&w->j, NULL, '{');
        put_place(w, &p->at);
        rep_json_close(&w->j, '}');
    }
    rep_json_close(&w->j, ']');
    put_code_flow(w, p);
    put_all_related(w, p);
    rep_json_open(&w->j, "partialFingerprints", '{');
    rep_json_text(&w->j, "treadleFinding/v1", p->id);
    rep_json_close(&w->j, '}');
    put_properties(w, p);
    rep_json_close(&w->j, '}');
}

static void put_session(writer *w)
{
    static const char *const names[] = {"goal", "search", "verdict", "stopped", "digest"};
    static const char *const counts[] = {"seed", "runs", "blocked_runs", "events",
                                         "traces"};
    rep_json_open(&w->j, "properties", '{');
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (rep_past_fact(w->past, names[i])[0] != '\0')
            rep_json_text(&w->j, names[i], rep_past_fact(w->past, names[i]));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (rep_past_fact(w->past, counts[i])[0] != '\0')
            rep_json_count(&w->j, counts[i], rep_past_number(w->past, counts[i]));
    rep_json_close(&w->j, '}');
}

void rep_sarif(const rep_past *p, td_text *out)
{
    writer w = {.j = {.out = out}, .past = p};
    rep_json_open(&w.j, NULL, '{');
    rep_json_text(&w.j, "$schema", REP_SARIF_SCHEMA);
    rep_json_text(&w.j, "version", "2.1.0");
    rep_json_open(&w.j, "runs", '[');
    rep_json_open(&w.j, NULL, '{');
    put_tool(&w);
    put_invocation(&w);
    rep_json_text(&w.j, "columnKind", "utf16CodeUnits");
    rep_json_open(&w.j, "results", '[');
    for (size_t i = 0; i < p->pages.len; i++)
        put_result(&w, &p->pages.at[i]);
    rep_json_close(&w.j, ']');
    put_session(&w);
    rep_json_close(&w.j, '}');
    rep_json_close(&w.j, ']');
    rep_json_close(&w.j, '}');
    td_text_put(out, "\n", 1);
}
