/* SPDX-License-Identifier: Apache-2.0 */
/* Pages as web/decode.js reads them. A page may have 20,000 acts, with few different names,
 * files and lines: those are words, each written once and named by its index. */
#include <string.h>

#include "base/assert.h"
#include "base/id.h"
#include "report/html/html_int.h"
#include "report/formats/json_text.h"
#include "report/text/report_int.h"

/* As in web/decode.js. */
enum { FLAG_SHOWN = 1, FLAG_CHOICE = 2, FLAG_FAILS = 4, FLAG_MATTERS = 8 };

typedef struct packer {
    rep_json j;
    rep_map index;           /* from a hash to a word */
    rep_page_text_vec words; /* borrowed */
} packer;

/* ---- words ---- */

static uint32_t word_of(packer *k, const char *text)
{
    char *word = (char *)(text != NULL ? text : "");
    uint64_t hash = td_id_hash(word, strlen(word)).lo;
    uint32_t known = rep_map_get(&k->index, hash);
    if (known != REP_NONE && strcmp(k->words.at[known], word) == 0)
        return known;
    uint32_t index = (uint32_t)k->words.len;
    TD_ASSERT(index != REP_NONE);
    rep_page_text_vec_push(&k->words, word);
    /* If two texts have the same hash the first keeps it; the other is written each time. */
    if (known == REP_NONE)
        rep_map_put(&k->index, hash, index);
    return index;
}

static void put_word(packer *k, const char *text)
{
    rep_json_count(&k->j, NULL, word_of(k, text));
}

static void put_words(packer *k)
{
    rep_json_open(&k->j, "words", '[');
    for (size_t i = 0; i < k->words.len; i++)
        rep_json_text(&k->j, NULL, k->words.at[i]);
    rep_json_close(&k->j, ']');
    rep_page_text_vec_fini(&k->words);
    rep_map_fini(&k->index);
}

/* ---- a finding ---- */

static void put_index(packer *k, uint32_t index)
{
    rep_json_integer(&k->j, NULL, index == REP_PAGE_NONE ? -1 : (int64_t)index);
}

static void put_place(packer *k, const char *name, const rep_page_place *at)
{
    rep_json_open(&k->j, name, '[');
    put_word(k, at->file);
    rep_json_count(&k->j, NULL, at->line);
    put_word(k, at->function);
    rep_json_close(&k->j, ']');
}

static void put_texts(packer *k, const char *name, const rep_page_text_vec *texts)
{
    rep_json_open(&k->j, name, '[');
    for (size_t i = 0; i < texts->len; i++)
        rep_json_text(&k->j, NULL, texts->at[i]);
    rep_json_close(&k->j, ']');
}

static void put_about(packer *k, const rep_page *p)
{
    rep_json *j = &k->j;
    rep_json_text(j, "id", p->id);
    rep_json_text(j, "kind", p->kind);
    rep_json_text(j, "title", p->title);
    rep_json_text(j, "message", p->message);
    rep_json_text(j, "values", p->values);
    put_place(k, "at", &p->at);
    rep_json_text(j, "program", p->program);
    put_texts(k, "args", &p->args);
    rep_json_text(j, "version", p->version);
    rep_json_text(j, "recording", p->recording);
    rep_json_text(j, "schedule", p->schedule);
    rep_json_text(j, "condition", p->condition);
    rep_json_count(j, "preemptions", p->preemptions);
    rep_json_count(j, "left_out", p->n_left_out);
    put_texts(k, "why", &p->why);
    rep_fix_print(j, "fix", &p->fix);
    rep_json_text(j, "hidden", p->hidden);
    rep_json_text(j, "text", p->text);
    rep_json_text(j, "editor", p->editor != NULL ? p->editor : "");
    rep_json_text(j, "root", p->root != NULL ? p->root : "");
}

static void put_inputs(packer *k, const rep_page *p)
{
    rep_json_open(&k->j, "inputs", '[');
    for (size_t i = 0; i < p->inputs.len; i++) {
        const rep_page_input *in = &p->inputs.at[i];
        rep_json_open(&k->j, NULL, '[');
        rep_json_text(&k->j, NULL, in->name);
        rep_json_text(&k->j, NULL, in->value);
        rep_json_text(&k->j, NULL, in->type);
        rep_json_count(&k->j, NULL, in->matters ? FLAG_MATTERS : 0);
        rep_json_close(&k->j, ']');
    }
    rep_json_close(&k->j, ']');
}

static void put_threads(packer *k, const rep_page *p)
{
    rep_json_open(&k->j, "threads", '[');
    for (size_t i = 0; i < p->threads.len; i++) {
        const rep_page_thread *t = &p->threads.at[i];
        rep_json_open(&k->j, NULL, '[');
        rep_json_text(&k->j, NULL, t->name);
        rep_json_text(&k->j, NULL, t->function);
        rep_json_text(&k->j, NULL, t->title);
        put_place(k, NULL, &t->created);
        rep_json_count(&k->j, NULL, t->matters ? FLAG_MATTERS : 0);
        rep_json_close(&k->j, ']');
    }
    rep_json_close(&k->j, ']');
}

static void put_act(packer *k, const rep_page_act *a)
{
    unsigned flags = (a->shown ? FLAG_SHOWN : 0) | (a->is_choice ? FLAG_CHOICE : 0) |
                     (a->fails ? FLAG_FAILS : 0);
    rep_json_open(&k->j, NULL, '[');
    rep_json_text(&k->j, NULL, a->text);
    put_word(k, a->object);
    put_index(k, a->from);
    put_index(k, a->after);
    rep_json_count(&k->j, NULL, flags);
    rep_json_close(&k->j, ']');
}

static void put_step(packer *k, const rep_page *p, const rep_page_step *s)
{
    rep_json_open(&k->j, NULL, '[');
    rep_json_count(&k->j, NULL, s->thread);
    rep_json_count(&k->j, NULL, s->number);
    put_place(k, NULL, &s->at);
    put_word(k, s->source);
    put_word(k, s->stop);
    put_word(k, s->calls);
    rep_json_count(&k->j, NULL, s->fails ? FLAG_FAILS : 0);
    rep_json_open(&k->j, NULL, '[');
    for (uint32_t i = 0; i < s->n_acts; i++)
        put_act(k, &p->acts.at[s->first_act + i]);
    rep_json_close(&k->j, ']');
    rep_json_close(&k->j, ']');
}

static void put_parties(packer *k, const rep_page *p)
{
    rep_json_open(&k->j, "parties", '[');
    for (size_t i = 0; i < p->parties.len; i++) {
        const rep_page_party *a = &p->parties.at[i];
        rep_json_open(&k->j, NULL, '[');
        rep_json_text(&k->j, NULL, a->role);
        put_index(k, a->thread);
        put_place(k, NULL, &a->at);
        rep_json_text(&k->j, NULL, a->text);
        rep_json_close(&k->j, ']');
    }
    rep_json_close(&k->j, ']');
}

static void put_waits(packer *k, const rep_page *p)
{
    rep_json_open(&k->j, "waits", '[');
    for (size_t i = 0; i < p->waits.len; i++) {
        const rep_page_edge *e = &p->waits.at[i];
        rep_json_open(&k->j, NULL, '[');
        rep_json_text(&k->j, NULL, e->role);
        rep_json_count(&k->j, NULL, e->thread);
        put_index(k, e->other);
        rep_json_text(&k->j, NULL, e->object);
        rep_json_text(&k->j, NULL, e->how);
        put_place(k, NULL, &e->at);
        rep_json_close(&k->j, ']');
    }
    rep_json_close(&k->j, ']');
}

static void put_sources(packer *k, const rep_page *p)
{
    rep_json_open(&k->j, "sources", '[');
    for (size_t i = 0; i < p->sources.len; i++) {
        rep_json_open(&k->j, NULL, '{');
        rep_json_text(&k->j, "file", p->sources.at[i].file);
        rep_json_count(&k->j, "first", p->sources.at[i].first);
        rep_json_text(&k->j, "text", p->sources.at[i].text);
        rep_json_close(&k->j, '}');
    }
    rep_json_close(&k->j, ']');
}

void rep_html_finding_data(const rep_page *p, td_text *out)
{
    packer k = {.j = {.out = out}};
    rep_json_open(&k.j, NULL, '{');
    put_about(&k, p);
    put_inputs(&k, p);
    put_threads(&k, p);
    rep_json_open(&k.j, "steps", '[');
    for (size_t i = 0; i < p->steps.len; i++)
        put_step(&k, p, &p->steps.at[i]);
    rep_json_close(&k.j, ']');
    put_parties(&k, p);
    put_waits(&k, p);
    put_sources(&k, p);
    put_words(&k);
    rep_json_close(&k.j, '}');
}

/* ---- a session ---- */

static void put_session_about(packer *k, const rep_session_page *s)
{
    rep_json_text(&k->j, "program", s->program);
    rep_json_text(&k->j, "verdict", s->verdict);
    rep_json_text(&k->j, "stopped", s->stopped);
    rep_json_text(&k->j, "version", s->version);
    rep_json_text(&k->j, "dir", s->dir);
    rep_json_text(&k->j, "text", s->text);
    rep_json_open(&k->j, "facts", '[');
    for (size_t i = 0; i < s->n_facts; i++) {
        rep_json_open(&k->j, NULL, '{');
        rep_json_text(&k->j, "name", s->facts[i].name);
        rep_json_text(&k->j, "value", s->facts[i].value);
        rep_json_close(&k->j, '}');
    }
    rep_json_close(&k->j, ']');
}

static void put_findings(packer *k, const rep_session_page *s)
{
    rep_json_open(&k->j, "findings", '[');
    for (size_t i = 0; i < s->n_findings; i++) {
        if (i > 0)
            td_text_put(k->j.out, ",", 1);
        rep_html_finding_data(&s->findings[i], k->j.out);
    }
    rep_json_close(&k->j, ']');
}

static void put_sides(packer *k, const rep_session_page *s)
{
    rep_json_open(&k->j, "sides", '[');
    for (size_t i = 0; i < s->n_sides; i++) {
        const rep_session_side *side = &s->sides[i];
        rep_json_open(&k->j, NULL, '[');
        put_word(k, side->file);
        put_word(k, side->function);
        rep_json_count(&k->j, NULL, side->line);
        rep_json_count(&k->j, NULL, side->column);
        rep_json_count(&k->j, NULL, side->side);
        rep_json_count(&k->j, NULL, side->n_sides);
        rep_json_count(&k->j, NULL, side->is_taken);
        rep_json_close(&k->j, ']');
    }
    rep_json_close(&k->j, ']');
    rep_json_open(&k->j, "sources", '[');
    for (size_t i = 0; i < s->n_sources; i++) {
        rep_json_open(&k->j, NULL, '{');
        rep_json_text(&k->j, "file", s->sources[i].file);
        rep_json_text(&k->j, "text", s->sources[i].text);
        rep_json_close(&k->j, '}');
    }
    rep_json_close(&k->j, ']');
}

static void put_samples(packer *k, const rep_session_page *s)
{
    rep_json_open(&k->j, "samples", '[');
    for (size_t i = 0; i < s->n_samples; i++) {
        const rep_session_sample *at = &s->samples[i];
        rep_json_open(&k->j, NULL, '[');
        rep_json_count(&k->j, NULL, at->ms);
        rep_json_count(&k->j, NULL, at->runs);
        rep_json_count(&k->j, NULL, at->events);
        rep_json_count(&k->j, NULL, at->targets);
        rep_json_count(&k->j, NULL, at->findings);
        rep_json_count(&k->j, NULL, at->sides_taken);
        rep_json_count(&k->j, NULL, at->queries);
        rep_json_count(&k->j, NULL, at->pairs);
        rep_json_close(&k->j, ']');
    }
    rep_json_close(&k->j, ']');
}

static void put_solver(packer *k, const rep_solver *solver)
{
    if (solver == NULL)
        return;
    rep_json_open(&k->j, "solver", '{');
    rep_json_count(&k->j, "queries", solver->queries);
    rep_json_count(&k->j, "sat", solver->sat);
    rep_json_count(&k->j, "unsat", solver->unsat);
    rep_json_count(&k->j, "unknown", solver->unknown);
    rep_json_count(&k->j, "cached", solver->cached);
    rep_json_open(&k->j, "stages", '[');
    for (size_t i = 0; i < solver->n_stages; i++) {
        const rep_stage *stage = &solver->stages[i];
        rep_json_open(&k->j, NULL, '{');
        rep_json_text(&k->j, "name", stage->name);
        rep_json_count(&k->j, "answered", stage->answered);
        rep_json_count(&k->j, "calls", stage->calls);
        rep_json_real(&k->j, "seconds", stage->seconds);
        rep_json_close(&k->j, '}');
    }
    rep_json_close(&k->j, ']');
    rep_json_close(&k->j, '}');
}

static void put_ledger(packer *k, const rep_session_page *s)
{
    rep_json_open(&k->j, "ledger", '[');
    for (size_t i = 0; i < s->n_ledger; i++) {
        const rep_session_gap *gap = &s->ledger[i];
        rep_json_open(&k->j, NULL, '{');
        rep_json_text(&k->j, "kind", gap->kind);
        rep_json_text(&k->j, "file", gap->file);
        rep_json_count(&k->j, "line", gap->line);
        rep_json_count(&k->j, "count", gap->count);
        rep_json_text(&k->j, "text", gap->text);
        rep_json_close(&k->j, '}');
    }
    rep_json_close(&k->j, ']');
}

void rep_html_session_data(const rep_session_page *s, td_text *out)
{
    packer k = {.j = {.out = out}};
    rep_json_open(&k.j, NULL, '{');
    put_session_about(&k, s);
    put_findings(&k, s);
    put_sides(&k, s);
    put_samples(&k, s);
    put_solver(&k, s->solver);
    put_ledger(&k, s);
    put_words(&k);
    rep_json_close(&k.j, '}');
}
