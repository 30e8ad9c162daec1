/* SPDX-License-Identifier: Apache-2.0 */
/* The trace format of Chrome (JSON), which Perfetto reads. A process per finding, a track per
 * thread, a slice per step with a slice per act in it, an arrow from each write to the reads of
 * it. A run has no clock: an act takes a microsecond. */
#include "report/formats/formats.h"
#include "base/assert.h"
#include "report/formats/json_text.h"

#include <inttypes.h>

typedef struct tracks {
    rep_json j;
    const rep_past *past;
    const rep_page *page;
    uint64_t process; /* 1.. */
    uint64_t *flows;  /* arrows so far */
} tracks;

static void open_event(tracks *t, const char *phase, const char *name, uint32_t thread)
{
    rep_json_line(&t->j);
    rep_json_open(&t->j, NULL, '{');
    rep_json_text(&t->j, "ph", phase);
    rep_json_text(&t->j, "name", name);
    rep_json_count(&t->j, "pid", t->process);
    rep_json_count(&t->j, "tid", thread + 1);
}

static void put_name(tracks *t, const char *what, uint32_t thread, const char *name)
{
    open_event(t, "M", what, thread);
    rep_json_open(&t->j, "args", '{');
    rep_json_text(&t->j, "name", name);
    rep_json_close(&t->j, '}');
    rep_json_close(&t->j, '}');
}

/* Threads in the order of their numbers. */
static void put_names(tracks *t)
{
    td_text title = {0};
    td_text_add(&title, "%s: %s", t->page->id, t->page->message);
    put_name(t, "process_name", 0, title.at);
    td_text_fini(&title);
    for (uint32_t i = 0; i < t->page->threads.len; i++) {
        put_name(t, "thread_name", i, t->page->threads.at[i].title);
        open_event(t, "M", "thread_sort_index", i);
        rep_json_open(&t->j, "args", '{');
        rep_json_count(&t->j, "sort_index", i);
        rep_json_close(&t->j, '}');
        rep_json_close(&t->j, '}');
    }
}

static void put_times(tracks *t, uint64_t at, uint64_t length)
{
    rep_json_count(&t->j, "ts", at);
    rep_json_count(&t->j, "dur", length);
}

static void put_step(tracks *t, const rep_page_step *s)
{
    td_text name = {0};
    td_text_add(&name, "%" PRIu32 " %s", s->at.line, s->source);
    open_event(t, "X", name.at, s->thread);
    rep_json_text(&t->j, "cat", s->fails ? "step,fails" : "step");
    put_times(t, s->first_act, s->n_acts > 0 ? s->n_acts : 1);
    rep_json_open(&t->j, "args", '{');
    rep_json_text(&t->j, "file", rep_past_path(t->past, s->at.file));
    rep_json_count(&t->j, "line", s->at.line);
    rep_json_text(&t->j, "function", s->at.function);
    if (s->number > 0)
        rep_json_count(&t->j, "number", s->number);
    if (s->stop[0] != '\0')
        rep_json_text(&t->j, "before", s->stop);
    rep_json_close(&t->j, '}');
    rep_json_close(&t->j, '}');
    td_text_fini(&name);
}

static void put_act(tracks *t, uint32_t act)
{
    const rep_page_act *a = &t->page->acts.at[act];
    open_event(t, "X", a->text, t->page->steps.at[a->step].thread);
    rep_json_text(&t->j, "cat", a->fails ? "act,fails" : "act");
    put_times(t, act, 1);
    rep_json_open(&t->j, "args", '{');
    rep_json_text(&t->j, "kind", a->kind);
    if (a->object[0] != '\0')
        rep_json_text(&t->j, "object", a->object);
    if (a->value[0] != '\0')
        rep_json_text(&t->j, "value", a->value);
    if (a->old[0] != '\0')
        rep_json_text(&t->j, "old", a->old);
    rep_json_bool(&t->j, "matters", a->shown);
    rep_json_close(&t->j, '}');
    rep_json_close(&t->j, '}');
}

/* The ends of an arrow lie inside the slices of their acts. */
static void put_end(tracks *t, const char *phase, const char *name, uint32_t act)
{
    open_event(t, phase, name, t->page->steps.at[t->page->acts.at[act].step].thread);
    rep_json_text(&t->j, "cat", "flow");
    rep_json_count(&t->j, "id", *t->flows);
    rep_json_real(&t->j, "ts", (double)act + 0.5);
    if (phase[0] == 'f')
        rep_json_text(&t->j, "bp", "e");
    rep_json_close(&t->j, '}');
}

static void put_arrow(tracks *t, const char *name, uint32_t from, uint32_t to)
{
    if (from == REP_PAGE_NONE)
        return;
    TD_ASSERT(from < to && to < t->page->acts.len); /* P2 */
    ++*t->flows;
    put_end(t, "s", name, from);
    put_end(t, "f", name, to);
}

static void put_page(tracks *t)
{
    put_names(t);
    for (uint32_t i = 0; i < t->page->steps.len; i++) {
        const rep_page_step *s = &t->page->steps.at[i];
        put_step(t, s);
        for (uint32_t k = s->first_act; k < s->first_act + s->n_acts; k++)
            put_act(t, k);
    }
    for (uint32_t i = 0; i < t->page->acts.len; i++) {
        const rep_page_act *a = &t->page->acts.at[i];
        put_arrow(t, "reads what was written", a->from, i);
        if (a->after != a->from)
            put_arrow(t, "comes after", a->after, i);
    }
}

void rep_perfetto(const rep_past *p, td_text *out)
{
    uint64_t flows = 0;
    tracks t = {.j = {.out = out}, .past = p, .flows = &flows};
    rep_json_open(&t.j, NULL, '{');
    rep_json_text(&t.j, "displayTimeUnit", "ns");
    rep_json_open(&t.j, "otherData", '{');
    rep_json_text(&t.j, "producer", "treadle");
    rep_json_text(&t.j, "version", rep_past_fact(p, "version"));
    rep_json_text(&t.j, "time", "one microsecond per operation; a run has no clock");
    rep_json_close(&t.j, '}');
    rep_json_open(&t.j, "traceEvents", '[');
    for (size_t i = 0; i < p->pages.len; i++) {
        t.page = &p->pages.at[i];
        t.process = i + 1;
        put_page(&t);
    }
    rep_json_close(&t.j, ']');
    rep_json_close(&t.j, '}');
    td_text_put(out, "\n", 1);
}
