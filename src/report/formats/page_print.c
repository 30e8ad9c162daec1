/* SPDX-License-Identifier: Apache-2.0 */
/* A page as JSON; docs/formats.md has the fields. page_read.c reads them. */
#include "report/formats/json_text.h"
#include "base/assert.h"
#include "report/page.h"

/* Arrays of small objects have no line breaks: pages are for programs. */

static int64_t index_or_none(uint32_t index)
{
    return index == REP_PAGE_NONE ? -1 : (int64_t)index;
}

static void print_place(rep_json *j, const char *name, const rep_page_place *at)
{
    rep_json_open(j, name, '{');
    rep_json_text(j, "file", at->file);
    rep_json_count(j, "line", at->line);
    rep_json_text(j, "function", at->function);
    rep_json_close(j, '}');
}

static void print_texts(rep_json *j, const char *name, const rep_page_text_vec *texts)
{
    rep_json_open(j, name, '[');
    for (size_t i = 0; i < texts->len; i++)
        rep_json_text(j, NULL, texts->at[i]);
    rep_json_close(j, ']');
}

static void print_about(rep_json *j, const rep_page *p)
{
    rep_json_text(j, "format", "treadle-page");
    rep_json_count(j, "format_version", 1);
    rep_json_text(j, "id", p->id);
    rep_json_text(j, "kind", p->kind);
    rep_json_text(j, "title", p->title);
    rep_json_text(j, "message", p->message);
    rep_json_text(j, "values", p->values);
    print_place(j, "at", &p->at);
    rep_json_text(j, "program", p->program);
    print_texts(j, "args", &p->args);
    rep_json_text(j, "version", p->version);
    rep_json_text(j, "recording", p->recording);
    rep_json_text(j, "schedule", p->schedule);
}

static void print_inputs(rep_json *j, const rep_page *p)
{
    rep_json_open(j, "inputs", '[');
    for (size_t i = 0; i < p->inputs.len; i++) {
        const rep_page_input *in = &p->inputs.at[i];
        rep_json_open(j, NULL, '{');
        rep_json_text(j, "name", in->name);
        rep_json_text(j, "value", in->value);
        rep_json_text(j, "type", in->type);
        rep_json_bool(j, "matters", in->matters);
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
    rep_json_text(j, "condition", p->condition);
}

static void print_threads(rep_json *j, const rep_page *p)
{
    rep_json_open(j, "threads", '[');
    for (size_t i = 0; i < p->threads.len; i++) {
        const rep_page_thread *t = &p->threads.at[i];
        rep_json_open(j, NULL, '{');
        rep_json_text(j, "name", t->name);
        rep_json_text(j, "function", t->function);
        rep_json_text(j, "title", t->title);
        print_place(j, "created", &t->created);
        rep_json_bool(j, "matters", t->matters);
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
}

static void print_act(rep_json *j, const rep_page_act *a)
{
    rep_json_open(j, NULL, '{');
    rep_json_text(j, "kind", a->kind);
    rep_json_text(j, "text", a->text);
    rep_json_text(j, "object", a->object);
    rep_json_text(j, "value", a->value);
    rep_json_text(j, "old", a->old);
    rep_json_integer(j, "from", index_or_none(a->from));
    rep_json_integer(j, "after", index_or_none(a->after));
    rep_json_bool(j, "shown", a->shown);
    rep_json_bool(j, "choice", a->is_choice);
    rep_json_bool(j, "fails", a->fails);
    rep_json_close(j, '}');
}

static void print_steps(rep_json *j, const rep_page *p)
{
    rep_json_open(j, "steps", '[');
    for (size_t i = 0; i < p->steps.len; i++) {
        const rep_page_step *s = &p->steps.at[i];
        rep_json_line(j);
        rep_json_open(j, NULL, '{');
        rep_json_count(j, "thread", s->thread);
        rep_json_count(j, "number", s->number);
        print_place(j, "at", &s->at);
        rep_json_text(j, "source", s->source);
        rep_json_text(j, "calls", s->calls);
        rep_json_text(j, "stop", s->stop);
        rep_json_bool(j, "fails", s->fails);
        rep_json_open(j, "acts", '[');
        for (uint32_t k = 0; k < s->n_acts; k++)
            print_act(j, &p->acts.at[s->first_act + k]);
        rep_json_close(j, ']');
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
}

static void print_parties(rep_json *j, const rep_page *p)
{
    rep_json_open(j, "parties", '[');
    for (size_t i = 0; i < p->parties.len; i++) {
        const rep_page_party *y = &p->parties.at[i];
        rep_json_open(j, NULL, '{');
        rep_json_text(j, "role", y->role);
        rep_json_count(j, "thread", y->thread);
        print_place(j, "at", &y->at);
        rep_json_text(j, "text", y->text);
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
}

static void print_waits(rep_json *j, const rep_page *p)
{
    rep_json_open(j, "waits", '[');
    for (size_t i = 0; i < p->waits.len; i++) {
        const rep_page_edge *e = &p->waits.at[i];
        rep_json_open(j, NULL, '{');
        rep_json_text(j, "role", e->role);
        rep_json_count(j, "thread", e->thread);
        rep_json_integer(j, "other", index_or_none(e->other));
        rep_json_text(j, "object", e->object);
        rep_json_text(j, "how", e->how);
        print_place(j, "at", &e->at);
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
}

static void print_sources(rep_json *j, const rep_page *p)
{
    rep_json_open(j, "sources", '[');
    for (size_t i = 0; i < p->sources.len; i++) {
        const rep_page_source *s = &p->sources.at[i];
        rep_json_line(j);
        rep_json_open(j, NULL, '{');
        rep_json_text(j, "file", s->file);
        rep_json_count(j, "first", s->first);
        rep_json_text(j, "text", s->text);
        rep_json_close(j, '}');
    }
    rep_json_close(j, ']');
}

void rep_page_print(const rep_page *p, td_text *out)
{
    TD_AUDIT(rep_page_valid(p, NULL, 0));
    rep_json j = {.out = out};
    rep_json_open(&j, NULL, '{');
    print_about(&j, p);
    print_inputs(&j, p);
    rep_json_count(&j, "preemptions", p->preemptions);
    rep_json_count(&j, "left_out", p->n_left_out);
    print_threads(&j, p);
    print_steps(&j, p);
    print_parties(&j, p);
    print_waits(&j, p);
    print_texts(&j, "why", &p->why);
    rep_fix_print(&j, "fix", &p->fix);
    rep_json_text(&j, "hidden", p->hidden);
    rep_json_text(&j, "output", p->output);
    rep_json_text(&j, "output_of", p->output_of);
    print_sources(&j, p);
    rep_json_text(&j, "text", p->text);
    rep_json_close(&j, '}');
    td_text_put(out, "\n", 1);
}
