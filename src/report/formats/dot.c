/* SPDX-License-Identifier: Apache-2.0 */
/* Graphviz: the events of findings. A cluster per thread; edges are the thread's own order, the writes that
 * reads observe, and the operations that had to come before on the same object. */
#include "report/formats/formats.h"
#include "base/assert.h"
#include "report/formats/json_text.h"
#include "base/glyph.h"

#include <inttypes.h>
#include <string.h>

/* Above this many only what the text report shows is drawn. */
#define MANY_NODES 300u

#define FAILS ", fillcolor=\"#f8d0d0\", color=\"#b00020\", penwidth=2"

/* A string in quotes. Graphviz reads backslashes in labels, and refuses what is not UTF-8. */
static void put_string(td_text *out, const char *text)
{
    for (const char *p = text; *p != '\0';) {
        td_glyph g = td_glyph_at(p);
        if (*p == '"' || *p == '\\')
            td_text_add(out, "\\%c", *p);
        else if ((unsigned char)*p < 0x20 || *p == 0x7f)
            td_text_put(out, " ", 1);
        else
            td_text_put(out, g.text, g.n);
        p += g.taken;
    }
}

typedef struct graph {
    const rep_page *page;
    size_t number;   /* number of the page */
    bool only_shown; /* there are too many others */
    td_text *out;
} graph;

/* Operations are events; so is what the text report shows. */
static bool is_event(const rep_page_act *a)
{
    return a->is_choice || a->shown || a->fails;
}

static bool is_drawn(const graph *g, uint32_t act)
{
    const rep_page_act *a = &g->page->acts.at[act];
    return g->only_shown ? a->shown || a->fails : is_event(a);
}

static uint32_t thread_of(const graph *g, uint32_t act)
{
    return g->page->steps.at[g->page->acts.at[act].step].thread;
}

static void put_node(const graph *g, uint32_t act)
{
    TD_ASSERT(act < g->page->acts.len && g->page->acts.at[act].step < g->page->steps.len);
    const rep_page_act *a = &g->page->acts.at[act];
    const rep_page_step *s = &g->page->steps.at[a->step];
    td_text_add(g->out, "      f%zu_%" PRIu32 " [label=\"", g->number, act);
    if (s->number > 0)
        td_text_add(g->out, "#%" PRIu32 " ", s->number);
    if (s->at.line > 0)
        td_text_add(g->out, "line %" PRIu32 "\\n", s->at.line);
    put_string(g->out, a->text);
    td_text_add(g->out, "\"");
    if (a->fails)
        td_text_add(g->out, FAILS);
    else if (!a->shown)
        td_text_add(g->out, ", fontcolor=\"#808080\", color=\"#a0a0a0\"");
    td_text_add(g->out, "];\n");
}

static bool has_nodes(const graph *g, uint32_t thread)
{
    for (uint32_t i = 0; i < g->page->acts.len; i++)
        if (thread_of(g, i) == thread && is_drawn(g, i))
            return true;
    return false;
}

/* A step that fails before it has done anything. */
static const rep_page_step *failing_step(const graph *g, uint32_t thread)
{
    for (size_t i = 0; i < g->page->steps.len; i++) {
        const rep_page_step *s = &g->page->steps.at[i];
        if (s->fails && s->n_acts == 0 && s->thread == thread)
            return s;
    }
    return NULL;
}

static void put_failure(const graph *g, const rep_page_step *s, uint32_t last)
{
    td_text_add(g->out, "      f%zu_fails [label=\"line %" PRIu32 "\\n", g->number,
                s->at.line);
    put_string(g->out, g->page->title);
    td_text_add(g->out, "\"" FAILS "];\n");
    if (last != REP_PAGE_NONE)
        td_text_add(g->out, "      f%zu_%" PRIu32 " -> f%zu_fails [weight=8];\n",
                    g->number, last, g->number);
}

/* The nodes of a thread and its own order. */
static void put_thread(const graph *g, uint32_t thread)
{
    uint32_t last = REP_PAGE_NONE;
    const rep_page_step *failing = failing_step(g, thread);
    if (!has_nodes(g, thread) && failing == NULL)
        return;
    td_text_add(g->out, "    subgraph cluster_f%zu_t%" PRIu32 " {\n      label=\"",
                g->number, thread);
    put_string(g->out, g->page->threads.at[thread].title);
    td_text_add(g->out, "\";\n");
    for (uint32_t i = 0; i < g->page->acts.len; i++) {
        if (thread_of(g, i) != thread || !is_drawn(g, i))
            continue;
        put_node(g, i);
        if (last != REP_PAGE_NONE)
            td_text_add(g->out,
                        "      f%zu_%" PRIu32 " -> f%zu_%" PRIu32 " [weight=8];\n",
                        g->number, last, g->number, i);
        last = i;
    }
    if (failing != NULL)
        put_failure(g, failing, last);
    td_text_add(g->out, "    }\n");
}

static void put_edge(const graph *g, uint32_t from, uint32_t to, const char *look)
{
    if (from == REP_PAGE_NONE || !is_drawn(g, from) ||
        thread_of(g, from) == thread_of(g, to))
        return;
    TD_ASSERT(from < to); /* P2 */
    td_text_add(g->out, "    f%zu_%" PRIu32 " -> f%zu_%" PRIu32 " [%s];\n", g->number,
                from, g->number, to, look);
}

static void put_edges(const graph *g)
{
    for (uint32_t i = 0; i < g->page->acts.len; i++) {
        const rep_page_act *a = &g->page->acts.at[i];
        if (!is_drawn(g, i))
            continue;
        put_edge(g, a->from, i, "color=\"#1f5f99\", label=\"from\"");
        if (a->after != a->from)
            put_edge(g, a->after, i, "color=\"#b3541e\", style=dashed");
    }
}

static void put_finding(const rep_past *p, size_t number, td_text *out)
{
    const rep_page *page = &p->pages.at[number];
    graph g = {.page = page, .number = number, .out = out};
    size_t n = 0;
    for (size_t i = 0; i < page->acts.len; i++)
        n += is_event(&page->acts.at[i]);
    g.only_shown = n > MANY_NODES;
    td_text_add(out, "  subgraph cluster_f%zu {\n    label=\"", number);
    put_string(out, page->id);
    td_text_add(out, ": ");
    put_string(out, page->message);
    td_text_add(out, "\";\n");
    for (uint32_t t = 0; t < page->threads.len; t++)
        put_thread(&g, t);
    put_edges(&g);
    td_text_add(out, "  }\n");
}

static void put_head(td_text *out)
{
    td_text_add(out, "digraph treadle {\n"
                     "  graph [newrank=true, fontname=\"sans-serif\", labeljust=l, "
                     "color=\"#c0c0c0\"];\n"
                     "  node [shape=box, style=\"rounded,filled\", fillcolor=white, "
                     "fontname=\"sans-serif\", fontsize=11];\n"
                     "  edge [fontname=\"sans-serif\", fontsize=9, arrowsize=0.7];\n");
}

void rep_dot(const rep_past *p, td_text *out)
{
    put_head(out);
    for (size_t i = 0; i < p->pages.len; i++)
        put_finding(p, i, out);
    td_text_add(out, "}\n");
}

/* ---- all events of a session ---- */

static void put_event(const rep_past *p, uint32_t i, td_text *out)
{
    TD_ASSERT(i < p->events.len);
    const det_event *e = &p->events.at[i];
    td_text_add(out, "  e%" PRIu32 " [label=\"", i);
    if (e->thread == 0)
        td_text_add(out, "main");
    else
        td_text_add(out, "T%" PRIu32, e->thread);
    if (e->line > 0)
        td_text_add(out, " line %" PRIu32, e->line);
    td_text_add(out, "\\n");
    put_string(out, e->text);
    td_text_add(out, "\", fillcolor=\"%.3f 0.15 1.0\"];\n", e->thread % 12 / 12.0);
    if (e->before != DET_NO_EVENT)
        td_text_add(out, "  e%" PRIu32 " -> e%" PRIu32 ";\n", e->before, i);
    if (e->after != DET_NO_EVENT && e->after != e->before)
        td_text_add(out,
                    "  e%" PRIu32 " -> e%" PRIu32 " [color=\"#1f5f99\", style=dashed];\n",
                    e->after, i);
}

/* Each thread has a colour: its events are a tree, of which a run takes one path. */
void rep_unfolding(const rep_past *p, td_text *out)
{
    put_head(out);
    for (uint32_t i = 0; i < p->events.len; i++)
        put_event(p, i, out);
    td_text_add(out, "}\n");
}
