/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a session, for programs: one JSON object (RFC 8259), ASCII or UTF-8. */
#include "report/formats/json_text.h"
#include "report/text/report_int.h"

#include <inttypes.h>
#include <string.h>

static void put_name(td_text *out, const char *indent, const char *name)
{
    td_text_add(out, "%s\"%s\": ", indent, name);
}

static void put_text_field(td_text *out, const char *indent, const char *name,
                           const char *text)
{
    put_name(out, indent, name);
    rep_json_put_string(out, text);
    td_text_add(out, ",\n");
}

static void put_count_field(td_text *out, const char *indent, const char *name,
                            uint64_t n)
{
    put_name(out, indent, name);
    td_text_add(out, "%" PRIu64 ",\n", n);
}

/* Values of 64 bits are whole numbers; a reader that takes them for double loses digits. */
static void put_inputs(td_text *out, const rep_inputs *in)
{
    size_t n = in != NULL ? in->n : 0;
    put_name(out, "      ", "inputs");
    td_text_add(out, "[");
    for (size_t i = 0; i < n; i++) {
        rep_input plain = in->at[i];
        if (plain.sign == WIRE_NO_SIGN)
            plain.sign = WIRE_UNSIGNED;
        td_text_add(out, "%s\n        {\"name\": ", i > 0 ? "," : "");
        rep_json_put_string(out, plain.name);
        td_text_add(out, ", \"bits\": %u, \"value\": ", plain.bits);
        rep_print_input(&plain, out);
        td_text_add(out, "}");
    }
    td_text_add(out, "%s],\n", n > 0 ? "\n      " : "");
    put_text_field(out, "      ", "condition", in != NULL ? in->condition : "");
}

static void put_history(td_text *out, const det_finding *f)
{
    put_name(out, "      ", "history");
    td_text_add(out, "[");
    for (uint32_t i = 0; i < f->n_calls; i++) {
        const det_call *c = &f->calls[i];
        td_text_add(out, "%s\n        {\"thread\": %" PRIu32 ", \"operation\": ",
                    i > 0 ? "," : "", c->thread);
        rep_json_put_string(out, c->text);
        td_text_add(out, ", \"begin\": %" PRIu32 ", \"end\": ", c->begin);
        if (c->end != 0)
            td_text_add(out, "%" PRIu32, c->end);
        else
            td_text_add(out, "null");
        td_text_add(out, ", \"explained\": %s}", c->fails ? "false" : "true");
    }
    td_text_add(out, "\n      ],\n");
    put_text_field(out, "      ", "why", f->why);
}

static void put_place(td_text *out, const char *file, uint32_t line, const char *function)
{
    td_text_add(out, "\"file\": ");
    rep_json_put_string(out, file);
    td_text_add(out, ", \"line\": %" PRIu32 ", \"function\": ", line);
    rep_json_put_string(out, function);
}

static void put_locks(td_text *out, const det_side *s)
{
    td_text_add(out, ",\n         \"locks\": ");
    if (!s->locks_known) {
        td_text_add(out, "null}");
        return;
    }
    td_text_add(out, "[");
    for (size_t i = 0; i < s->locks.len; i++) {
        const det_lock *l = &s->locks.at[i];
        td_text_add(out, "%s\n          {\"name\": ", i > 0 ? "," : "");
        rep_json_put_string(out, l->name);
        td_text_add(out, ", ");
        put_place(out, l->file, l->line, l->function);
        td_text_add(out, "}");
    }
    td_text_add(out, "]}");
}

/* One access of a race: the earlier one first. */
static void put_side(td_text *out, const det_side *s)
{
    char thread[16] = "main";
    if (s->thread > 0)
        snprintf(thread, sizeof thread, "T%" PRIu32, s->thread);
    td_text_add(out, "        {\"thread\": \"%s\", \"access\": \"%s\", \"atomic\": %s",
                thread, s->is_write ? "write" : "read", s->is_atomic ? "true" : "false");
    td_text_add(out, ", \"size\": %" PRIu32 ", \"object\": ", s->size);
    rep_json_put_string(out, s->name);
    td_text_add(out, ",\n         ");
    put_place(out, s->file, s->line, s->function);
    td_text_add(out, ", \"column\": %" PRIu32 ",\n         \"created\": ", s->column);
    if (s->created_file != NULL) {
        td_text_add(out, "{");
        put_place(out, s->created_file, s->created_line, s->created_function);
        td_text_add(out, "}");
    } else {
        td_text_add(out, "null");
    }
    put_locks(out, s);
}

static void put_sides(td_text *out, const det_side sides[2])
{
    td_text_add(out, "      \"accesses\": [\n");
    put_side(out, &sides[0]);
    td_text_add(out, ",\n");
    put_side(out, &sides[1]);
    td_text_add(out, "\n      ],\n");
}

/* Where the block was allocated or freed. */
static void put_party(td_text *out, const char *name, const det_party *p)
{
    if (p->file == NULL)
        return;
    put_name(out, "      ", name);
    td_text_add(out, "{\"file\": ");
    rep_json_put_string(out, p->file);
    td_text_add(out, ", \"line\": %" PRIu32 ", \"function\": ", p->line);
    rep_json_put_string(out, p->function);
    td_text_add(out, ", \"thread\": %" PRIu32 "},\n", p->thread);
}

static void put_fix(td_text *out, const rep_fix *f)
{
    td_text text = {0};
    rep_json j = {.out = &text};
    rep_fix_print(&j, NULL, f);
    put_name(out, "      ", "fix");
    td_text_add(out, "%s,\n", text.at);
    td_text_fini(&text);
}

static void put_finding(td_text *out, const rep_result *r, size_t i)
{
    const det_finding *f = &r->findings[i];
    td_text_add(out, "%s\n    {\n", i > 0 ? "," : "");
    put_text_field(out, "      ", "id", f->id);
    if (f->key[0] && strcmp(f->key, f->id) != 0)
        put_text_field(out, "      ", "formerly", f->key);
    put_text_field(out, "      ", "kind", det_kind_id(f->kind));
    put_text_field(out, "      ", "file", f->file);
    put_count_field(out, "      ", "line", f->line);
    put_text_field(out, "      ", "function", f->function);
    put_text_field(out, "      ", "message", f->message);
    if (f->library)
        put_text_field(out, "      ", "library", f->library);
    put_count_field(out, "      ", "run", f->run);
    put_count_field(out, "      ", "preemptions", f->preemptions);
    if (f->interferences > 0)
        put_count_field(out, "      ", "k", f->interferences - 1);
    if (f->other_file != NULL) {
        put_text_field(out, "      ", "other_file", f->other_file);
        put_count_field(out, "      ", "other_line", f->other_line);
        put_text_field(out, "      ", "other_function", f->other_function);
    }
    if (f->n_calls > 0)
        put_history(out, f);
    if (f->sides != NULL)
        put_sides(out, f->sides);
    if (f->last_output != NULL)
        put_text_field(out, "      ", f->is_output_errors ? "stderr" : "stdout",
                       f->last_output);
    if (f->kind == DET_EXIT) {
        put_name(out, "      ", "always");
        td_text_add(out, "%s,\n", f->always && r->all_exit > 0 ? "true" : "false");
    }
    put_party(out, "allocated", &f->allocated);
    put_party(out, "freed", &f->freed);
    put_inputs(out, r->inputs != NULL ? &r->inputs[i] : NULL);
    if (r->fixes != NULL && r->fixes[i].command != NULL)
        put_fix(out, &r->fixes[i]);
    put_name(out, "      ", "recording");
    rep_json_put_string(out, r->recordings != NULL ? r->recordings[i] : "");
    td_text_add(out, "\n    }");
}

static void put_findings(td_text *out, const rep_result *r)
{
    put_name(out, "  ", "findings");
    td_text_add(out, "[");
    for (size_t i = 0; i < r->n_findings; i++)
        put_finding(out, r, i);
    td_text_add(out, "%s],\n", r->n_findings > 0 ? "\n  " : "");
}

static void put_ledger(td_text *out, const det_ledger *l)
{
    size_t n = l != NULL ? l->gaps.len : 0;
    put_name(out, "  ", "ledger");
    td_text_add(out, "[");
    for (size_t i = 0; i < n; i++) {
        const det_gap *g = &l->gaps.at[i];
        td_text_add(out, "%s\n    {\"kind\": ", i > 0 ? "," : "");
        rep_json_put_string(out, g->kind);
        td_text_add(out, ", \"file\": ");
        rep_json_put_string(out, g->file);
        td_text_add(out, ", \"line\": %" PRIu32 ", \"count\": %" PRIu64 ", \"text\": ",
                    g->line, g->count);
        rep_json_put_string(out, g->text);
        td_text_add(out, "}");
    }
    td_text_add(out, "%s],\n", n > 0 ? "\n  " : "");
}

static void put_solver(td_text *out, const rep_solver *s)
{
    double seconds = 0;
    for (size_t i = 0; i < s->n_stages; i++)
        seconds += s->stages[i].seconds;
    td_text_add(out, "  \"solver\": {\"queries\": %" PRIu64 ", \"sat\": %" PRIu64,
                s->queries, s->sat);
    td_text_add(out, ", \"unsat\": %" PRIu64 ", \"unknown\": %" PRIu64, s->unsat,
                s->unknown);
    td_text_add(out, ", \"cached\": %" PRIu64 ", \"seconds\": ", s->cached);
    rep_json_put_real(out, seconds);
    td_text_add(out, ", \"stages\": [");
    for (size_t i = 0; i < s->n_stages; i++) {
        const rep_stage *stage = &s->stages[i];
        td_text_add(out, "%s\n    {\"name\": \"%s\", \"answered\": %" PRIu64,
                    i ? "," : "", stage->name, stage->answered);
        td_text_add(out, ", \"calls\": %" PRIu64 ", \"seconds\": ", stage->calls);
        rep_json_put_real(out, stage->seconds);
        td_text_add(out, "}");
    }
    td_text_add(out, "]},\n");
}

static void put_branches(td_text *out, const rep_branches *b)
{
    td_text_add(out, "  \"coverage\": {\"branches\": %" PRIu64 ", \"covered\": %" PRIu64,
                b->n_sides, b->n_taken);
    td_text_add(out, ", \"candidates\": %" PRIu64 ", \"by_interferences\": [",
                b->n_candidates);
    for (size_t i = 0; i < b->n_degrees; i++)
        td_text_add(out, "%s%" PRIu64, i ? ", " : "", b->by_degree[i]);
    td_text_add(out, "], \"never\": [");
    for (size_t i = 0; i < b->n_never; i++) {
        td_text_add(out, "%s\n    {\"file\": ", i ? "," : "");
        rep_json_put_string(out, b->never[i].file);
        td_text_add(out,
                    ", \"line\": %" PRIu32 ", \"column\": %" PRIu32 ", \"side\": %" PRIu32
                    ", \"text\": ",
                    b->never[i].line, b->never[i].column, b->never[i].side);
        rep_json_put_string(out, b->never[i].text);
        td_text_add(out, ", \"why\": ");
        rep_json_put_string(out, b->never[i].why);
        td_text_add(out, "}");
    }
    td_text_add(out, "]},\n");
}

static void put_preemptions(td_text *out, const rep_bound *b)
{
    if (!b->is_set)
        return;
    if (b->completed < 0)
        td_text_add(out, "  \"preemptions_completed\": null,\n");
    else
        put_count_field(out, "  ", "preemptions_completed", (uint64_t)b->completed);
    put_count_field(out, "  ", "preemptions_exceeded", b->n_over);
}

static void put_depth(td_text *out, const rep_depth *d)
{
    if (!d->is_set)
        return;
    if (d->completed == 0)
        td_text_add(out, "  \"depth_completed\": null,\n");
    else
        put_count_field(out, "  ", "depth_completed", d->completed);
    put_count_field(out, "  ", "depth", d->now);
}

static void put_hot_lines(td_text *out, const rep_hot_line *lines, size_t n,
                          const char *what)
{
    td_text_add(out, "[");
    for (size_t i = 0; i < n; i++) {
        td_text_add(out, "%s{\"file\": ", i > 0 ? ", " : "");
        rep_json_put_string(out, lines[i].file);
        td_text_add(out, ", \"line\": %" PRIu32 ", \"%s\": %" PRIu64 "}", lines[i].line,
                    what, lines[i].n);
    }
    td_text_add(out, "]");
}

/* What makes it large; not there if nothing was counted. */
static void put_large(td_text *out, const rep_large *l)
{
    if (l == NULL || l->n_sampled == 0)
        return;
    td_text_add(out,
                "  \"large\": {\"sampled_runs\": %" PRIu64 ", \"pairs\": %" PRIu64
                ", \"decisions\": %" PRIu64 ",\n    \"operations_looked_at\": ",
                l->n_sampled, l->n_pairs, l->n_decisions);
    if (l->n_looked_at > 0)
        td_text_add(out, "%" PRIu32, l->n_looked_at);
    else
        td_text_add(out, "null");
    td_text_add(out, ", \"objects\": [");
    for (size_t i = 0; i < l->n; i++) {
        const rep_hot *h = &l->at[i];
        td_text_add(out, "%s\n      {\"name\": ", i > 0 ? "," : "");
        rep_json_put_string(out, h->name);
        td_text_add(out,
                    ", \"pairs\": %" PRIu64 ", \"threads\": %" PRIu32
                    ", \"most_uses\": %" PRIu32 ", \"lines\": ",
                    h->n, h->threads, h->uses);
        put_hot_lines(out, h->lines, h->n_lines, "pairs");
        td_text_add(out, "}");
    }
    td_text_add(out, "],\n    \"decided\": ");
    put_hot_lines(out, l->decisions, l->n_lines, "decisions");
    td_text_add(out, "},\n");
}

/* Writes null if there is no estimate. */
static void put_left(td_text *out, const rep_left *l)
{
    td_text_add(out, "  \"left\": {\"targets\": %" PRIu64 ", \"share\": ", l->targets);
    if (!l->is_known) {
        td_text_add(out, "null, \"seconds\": null},\n");
        return;
    }
    rep_json_put_real(out, l->share);
    td_text_add(out, ", \"seconds\": ");
    rep_json_put_real(out, l->seconds);
    td_text_add(out, "},\n");
}

static void put_farm(td_text *out, const rep_farm *f)
{
    if (!f->is_set)
        return;
    td_text_add(out, "  \"farm\": {\"parts\": %" PRIu64 ", \"others\": %" PRIu64,
                f->parts, f->others);
    td_text_add(out, ", \"others_parts\": %" PRIu64 ", \"others_runs\": %" PRIu64,
                f->others_parts, f->others_runs);
    td_text_add(out, ", \"checked\": %" PRIu64 ", \"agreed\": %" PRIu64, f->checked,
                f->agreed);
    td_text_add(out, ", \"given_up\": %" PRIu64 "},\n", f->given_up);
}

/* A logarithm, as the number itself may be beyond what JSON readers take. */
static void put_saved(td_text *out, const rep_saved *s)
{
    put_name(out, "  ", "interleavings_log2");
    if (!s->is_known)
        td_text_add(out, "null");
    else
        rep_json_put_real(out, s->log2);
    td_text_add(out, ",\n");
}

static void put_weaker(const rep_weaker *w, td_text *out)
{
    if (!w->model)
        return;
    td_text_add(out, "  \"weaker\": {\n");
    put_text_field(out, "    ", "model", w->model);
    put_text_field(out, "    ", "stopped", w->stopped);
    td_text_add(out, "    \"runs\": %" PRIu64 "\n  },\n", w->runs);
}

void rep_result_json(const rep_result *r, td_text *out)
{
    char digest[33];
    td_id_print(r->digest, digest);
    td_text_add(out, "{\n");
    put_text_field(out, "  ", "version", r->version);
    put_text_field(out, "  ", "program", r->program);
    put_text_field(out, "  ", "goal", r->goal);
    put_text_field(out, "  ", "search", r->search);
    if (r->model)
        put_text_field(out, "  ", "model", r->model);
    put_weaker(&r->weaker, out);
    if (r->chosen != NULL)
        put_text_field(out, "  ", "chosen", r->chosen);
    put_text_field(out, "  ", "verdict", rep_verdict_of(r->verdict)->id);
    put_text_field(out, "  ", "stopped", r->stopped);
    put_count_field(out, "  ", "runs", r->runs);
    put_count_field(out, "  ", "blocked_runs", r->blocked_runs);
    if (r->events_counted)
        put_count_field(out, "  ", "events", r->events);
    if (r->pairs > 0)
        put_count_field(out, "  ", "pairs", r->pairs);
    if (r->earlier_runs > 0)
        put_count_field(out, "  ", "earlier_runs", r->earlier_runs);
    if (r->traces_counted) {
        char traces[33];
        td_id_print(r->trace_digest, traces);
        put_count_field(out, "  ", "traces", r->traces);
        put_count_field(out, "  ", "whole_traces", r->whole_traces);
        put_count_field(out, "  ", "repeated_runs", r->repeated_runs);
        put_text_field(out, "  ", "trace_digest", traces);
    }
    put_count_field(out, "  ", "promoted", r->promoted);
    put_preemptions(out, &r->preemptions);
    put_depth(out, &r->depth);
    put_text_field(out, "  ", "digest", digest);
    put_left(out, &r->left);
    put_large(out, r->large);
    put_saved(out, &r->saved);
    put_farm(out, &r->farm);
    put_findings(out, r);
    put_branches(out, &r->branches);
    put_solver(out, &r->solver);
    put_ledger(out, r->ledger);
    put_name(out, "  ", "seconds");
    rep_json_put_real(out, r->seconds);
    td_text_add(out, ",\n");
    put_name(out, "  ", "runs_per_second");
    rep_json_put_real(out, r->seconds > 0 ? (double)r->runs / r->seconds : 0);
    td_text_add(out, ",\n  \"peak_rss_kb\": %" PRIu64 "\n}\n", r->peak_rss_kb);
}
