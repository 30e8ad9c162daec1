/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the page of a finding from the same story that its text is made of. */
#include "report/page.h"

#include <string.h>

#include "base/assert.h"
#include "report/text/report_int.h"

#define SOURCE_ALL 4000u   /* lines of a file that is kept as a whole */
#define SOURCE_AROUND 100u /* lines kept before and after the steps of a longer one */

typedef struct maker {
    const rep_finding *f;
    const rep_names *names;
    rep_story story;
    rep_labels labels;
    rep_slice all;
    rep_table table; /* only the parts that rep_print_act needs */
    uint32_t *shown; /* per act: its step in the text report, 0 */
    uint32_t first;  /* act that is the first one of the page */
    rep_page *page;
} maker;

static char *copy(const char *text)
{
    return td_strdup(text != NULL ? text : "");
}

/* Takes the text over. */
static char *take(td_text *text)
{
    char *owned = copy(text->at);
    td_text_fini(text);
    return owned;
}

static rep_page_place place_of(const char *file, uint32_t line, const char *function)
{
    return (rep_page_place){.file = copy(file), .function = copy(function), .line = line};
}

/* ---- threads ---- */

static char *thread_name(uint32_t thread)
{
    td_text name = {0};
    rep_print_thread(thread, &name);
    return take(&name);
}

static void add_thread(maker *m, uint32_t thread)
{
    const trc_thread *t = &m->story.run->threads.at[thread];
    TD_ASSERT(thread == m->page->threads.len);
    trc_site site = {.line = 0};
    if (thread > 0)
        site = m->names->site(m->names->ctx, t->create_site);
    if (thread > 0 && det_is_library(site.file)) {
        rep_place at = rep_created_place(&m->story, thread);
        site = (trc_site){.file = at.file, .function = at.function, .line = at.line};
    }
    td_text title = {0};
    rep_print_thread_long(&m->labels, thread, &title);
    rep_page_thread item = {.name = thread_name(thread),
                            .function = copy(rep_thread_function(&m->labels, thread)),
                            .title = take(&title),
                            .created = place_of(site.file, site.line, site.function)};
    for (size_t i = 0; i < m->story.acts.len; i++)
        item.matters |= m->shown[i] != 0 && m->story.acts.at[i].thread == thread;
    rep_page_thread_vec_push(&m->page->threads, item);
}

/* ---- acts ---- */

static const char *kind_text(const rep_act *a)
{
    switch (a->kind) {
    case WIRE_NOTE_READ:
        return "read";
    case WIRE_NOTE_WRITE:
        return "write";
    case REP_WAITS:
        return "waits";
    case REP_FREES:
        return "free";
    default:
        return mdl_kind_text(a->kind);
    }
}

/* Fills in the values of memory that is not larger than a register. */
static void put_values(maker *m, const rep_act *a, rep_page_act *out)
{
    td_text value = {0}, old = {0};
    bool is_memory = rep_act_reads(a) || rep_act_writes(a);
    if (is_memory && !a->no_value && a->size > 0 && a->size <= 8) {
        trc_site site = rep_act_site(&m->story, a);
        rep_print_act_value(&m->labels, &site, a, a->value, &value);
        if (rep_act_writes(a) && rep_act_had_value(&m->story, a))
            rep_print_act_value(&m->labels, &site, a, a->old, &old);
    }
    out->value = take(&value);
    out->old = take(&old);
}

static bool has_object(const rep_act *a)
{
    return rep_act_reads(a) || rep_act_writes(a) || rep_act_on_object(a) ||
           rep_act_on_futex(a) || (a->kind == REP_WAITS && !mdl_joins(a->wants));
}

/* True if the act has to follow the last act on its object. Under a memory model accesses depend on what
 * they read, not on the order of the run. */
static bool is_bound_by_last(const maker *m, const rep_act *a)
{
    bool is_free = m->story.run->has_stores && mdl_is_op(a->kind) &&
                   mdl_type_of(a->kind) == WIRE_TYPE_MEMORY;
    return has_object(a) && (mdl_is_op(a->kind) || rep_act_writes(a)) && !is_free;
}

static void add_act(maker *m, uint32_t i, uint32_t step)
{
    TD_ASSERT(i >= m->first && m->page->acts.len == i - m->first); /* P1 */
    const rep_act *a = &m->story.acts.at[i];
    td_text text = {0}, object = {0};
    rep_print_act(&m->table, i, &text);
    if (a->missed != REP_NONE) {
        td_text_add(&text, "  misses ");
        rep_print_thread(m->story.acts.at[a->missed].thread, &text);
    }
    if (has_object(a) && !rep_act_on_handle(a) && !WIRE_IS_FDS(a->object))
        rep_print_object(&m->labels, a->object, &object);
    rep_page_act item = {.kind = copy(kind_text(a)),
                         .text = take(&text),
                         .object = take(&object),
                         .step = step,
                         .from = REP_PAGE_NONE,
                         .after = REP_PAGE_NONE,
                         .shown = m->shown[i] != 0,
                         .is_choice = mdl_is_op(a->kind)};
    put_values(m, a, &item);
    if (a->from != REP_NONE && a->from >= m->first)
        item.from = a->from - m->first;
    rep_page_act_vec_push(&m->page->acts, item);
}

/* Links each act to the earlier act of another thread that it depends on: the last one on its object, the
 * creation of a thread, the end of a joined one. */
static void link_acts(maker *m)
{
    rep_map last = {0}, ends = {0}, births = {0};
    for (uint32_t i = 0; i < m->story.acts.len; i++) {
        const rep_act *a = &m->story.acts.at[i];
        uint32_t before = REP_NONE;
        if (mdl_joins(a->kind))
            before = rep_map_get(&ends, a->value);
        else if (rep_map_get(&ends, a->thread) == REP_NONE)
            before = rep_map_get(&births, a->thread);
        else if (is_bound_by_last(m, a))
            before = rep_map_get(&last, a->object);
        bool is_other = before != REP_NONE && before >= m->first && i >= m->first &&
                        m->story.acts.at[before].thread != a->thread;
        TD_ASSERT(before == REP_NONE || before < i); /* P2 */
        if (is_other)
            m->page->acts.at[i - m->first].after = before - m->first;
        rep_map_put(&ends, a->thread, i);
        if (mdl_creates(a->kind))
            rep_map_put(&births, a->value, i);
        if (has_object(a))
            rep_map_put(&last, a->object, i);
    }
    rep_map_fini(&last);
    rep_map_fini(&ends);
    rep_map_fini(&births);
}

/* ---- steps ---- */

static const char *stop_text(const rep_story *s, const rep_step *before)
{
    if (before == NULL || before->n == 0)
        return "";
    uint32_t op = rep_leaving_op(s, &s->acts.at[before->first + before->n - 1]);
    if (op == REP_NONE)
        return "";
    switch ((rep_stop)s->stops.at[op]) {
    case REP_PREEMPTED:
        return "preempted";
    case REP_ENDED:
        return "ended";
    case REP_WAITS_LOCK:
    case REP_WAITS_JOIN:
        return "waits";
    default:
        return "";
    }
}

/* The text report's number of the first act of the step that is shown. */
static uint32_t number_of(const maker *m, const rep_step *step)
{
    for (uint32_t i = step->first; i < step->first + step->n; i++)
        if (m->shown[i] != 0)
            return m->shown[i];
    return 0;
}

/* How the last act of the step was reached; nothing if that is the place of the step. */
static char *calls_of(const maker *m, const rep_step *step)
{
    td_text text = {0}, out = {0};
    if (step->n > 0) {
        const rep_act *a = &m->story.acts.at[step->first + step->n - 1];
        if (m->story.paths.at[a->path].n > 1) {
            const rep_place *own = rep_path_own(&m->story, a->path);
            trc_site site = {.file = own->file, .line = own->line};
            rep_print_place(&site, &text);
            td_text_add(&text, " in ");
            rep_put_clean(&text, own->function);
            rep_print_calls(&m->story, a->path, &text);
            rep_put_clean(&out, text.at);
        }
    }
    td_text_fini(&text);
    return take(&out);
}

static void add_step(maker *m, uint32_t k)
{
    const rep_step *step = &m->all.steps.at[k];
    const rep_step *before = k > 0 ? &m->all.steps.at[k - 1] : NULL;
    bool turns = before != NULL && before->thread != step->thread;
    const rep_place *at = &step->at;
    const char *source = m->names->source(m->names->ctx, at->file, at->line);
    rep_page_step item = {.thread = step->thread,
                          .number = number_of(m, step),
                          .at = place_of(at->file, at->line, at->function),
                          .source = copy(source ? source + strspn(source, " \t") : ""),
                          .calls = calls_of(m, step),
                          .stop = copy(turns ? stop_text(&m->story, before) : ""),
                          .first_act = (uint32_t)m->page->acts.len,
                          .fails = step->fails};
    for (uint32_t i = step->first; i < step->first + step->n; i++)
        if (i >= m->first)
            add_act(m, i, (uint32_t)m->page->steps.len);
    item.n_acts = (uint32_t)m->page->acts.len - item.first_act;
    if (item.n_acts > 0 && item.fails)
        m->page->acts.at[m->page->acts.len - 1].fails = true;
    rep_page_step_vec_push(&m->page->steps, item);
}

/* ---- source text ---- */

static bool has_source(const rep_page *p, const char *file)
{
    for (size_t i = 0; i < p->sources.len; i++)
        if (strcmp(p->sources.at[i].file, file) == 0)
            return true;
    return false;
}

/* Lines of the steps in a file. */
static void range_of(const rep_page *p, const char *file, uint32_t *low, uint32_t *high)
{
    *low = UINT32_MAX;
    *high = 0;
    for (size_t i = 0; i < p->steps.len; i++) {
        const rep_page_place *at = &p->steps.at[i].at;
        if (at->line == 0 || strcmp(at->file, file) != 0)
            continue;
        *low = at->line < *low ? at->line : *low;
        *high = at->line > *high ? at->line : *high;
    }
}

static void add_source(maker *m, const char *file)
{
    uint32_t low, high, last = 1;
    void *ctx = m->names->ctx;
    if (has_source(m->page, file) || m->names->source(ctx, file, 1) == NULL)
        return;
    while (last <= SOURCE_ALL && m->names->source(ctx, file, last + 1) != NULL)
        last++;
    range_of(m->page, file, &low, &high);
    bool whole = last <= SOURCE_ALL;
    rep_page_source item = {.file = copy(file), .first = 1};
    if (!whole) {
        item.first = low > SOURCE_AROUND ? low - SOURCE_AROUND : 1;
        last = high + SOURCE_AROUND;
    }
    td_text text = {0};
    for (uint32_t i = item.first; i <= last; i++) {
        const char *line = m->names->source(ctx, file, i);
        if (line == NULL)
            break;
        td_text_put(&text, line, strlen(line));
        td_text_put(&text, "\n", 1);
    }
    item.text = take(&text);
    rep_page_source_vec_push(&m->page->sources, item);
}

/* ---- the page ---- */

static void add_inputs(maker *m)
{
    for (size_t i = 0; i < m->f->inputs.n; i++) {
        const rep_input *in = &m->f->inputs.at[i];
        td_text value = {0}, type = {0};
        rep_print_input(in, &value);
        td_text_add(&type, "%c%u",
                    in->sign == WIRE_SIGNED    ? 'i'
                    : in->sign == WIRE_NO_SIGN ? 'b'
                                               : 'u',
                    in->bits);
        rep_page_input_vec_push(&m->page->inputs,
                                (rep_page_input){.name = copy(in->name),
                                                 .value = take(&value),
                                                 .type = take(&type),
                                                 .matters = in->matters});
    }
}

static void add_about(rep_page *p, const det_finding *f, const rep_page_about *about)
{
    p->id = copy(f->id);
    p->kind = copy(det_kind_id(f->kind));
    p->title = copy(det_finding_title(f));
    p->message = copy(f->message);
    p->at = place_of(f->file, f->line, f->function);
    p->program = copy(about->program);
    p->version = copy(about->version);
    p->recording = copy(about->recording);
    p->schedule = copy(about->schedule);
    for (size_t i = 0; about->args != NULL && about->args[i] != NULL; i++)
        rep_page_text_vec_push(&p->args, copy(about->args[i]));
}

/* Plain text for others: no tabs. */
static char *clean(td_text *text)
{
    td_text out = {0};
    if (text->len > 0)
        rep_put_clean(&out, text->at);
    td_text_fini(text);
    return take(&out);
}

/* Sentences end with ". ", lines with a newline. */
static void add_sentences(rep_page *p, const char *text)
{
    while (text != NULL && *text != '\0') {
        size_t n = 0;
        while (text[n] != '\0' && text[n] != '\n' &&
               !(n > 0 && text[n] == ' ' && text[n - 1] == '.'))
            n++;
        td_text one = {0};
        td_text_put(&one, text, n);
        rep_page_text_vec_push(&p->why, clean(&one));
        text += n + (text[n] != '\0');
    }
}

static void add_parties(maker *m, const rep_scene *c)
{
    rep_party_vec parties = {0};
    rep_parties(c, &parties);
    for (size_t i = 0; i < parties.len; i++) {
        rep_party *who = &parties.at[i];
        rep_page_party item = {.role = copy(who->role),
                               .thread = who->thread,
                               .at = place_of(who->file, who->line, who->function),
                               .text = clean(&who->text)};
        rep_page_party_vec_push(&m->page->parties, item);
    }
    rep_parties_fini(&parties);
}

static void add_waits(maker *m, const rep_scene *c)
{
    rep_edge_vec edges = {0};
    rep_edges(c, &edges);
    for (size_t i = 0; i < edges.len; i++) {
        const rep_edge *e = &edges.at[i];
        td_text object = {0};
        bool joins = e->other != REP_NONE;
        if (!joins)
            rep_print_object(c->labels, e->object, &object);
        rep_page_edge item = {.role = copy(e->role),
                              .thread = e->thread,
                              .other = joins ? e->other : REP_PAGE_NONE,
                              .object = clean(&object),
                              .how = copy(e->how),
                              .at = place_of(e->at.file, e->at.line, e->at.function)};
        rep_page_edge_vec_push(&m->page->waits, item);
    }
    rep_edge_vec_fini(&edges);
}

/* What is said round the table of the text. */
static void add_scene(maker *m, const rep_slice *fitted)
{
    rep_scene c = {m->f, m->f->finding, &m->story, &m->labels, fitted};
    td_text values = {0}, hidden = {0}, why = {0};
    rep_print_values(&c, &values);
    rep_print_hidden(&c, &hidden);
    rep_print_why(&c, &why);
    m->page->values = clean(&values);
    m->page->hidden = clean(&hidden);
    add_sentences(m->page, m->f->finding->why);
    add_sentences(m->page, why.at);
    td_text_clear(&why);
    rep_print_memory(&c, &why);
    add_sentences(m->page, why.at);
    td_text_fini(&why);
    add_parties(m, &c);
    add_waits(m, &c);
}

/* Adds the text, the acts that it shows, and its numbers for addresses, which other addresses continue. */
static void add_text(maker *m)
{
    td_text text = {0};
    rep_slice fitted;
    rep_level level =
        rep_finding_print(m->f, m->names, &(rep_opts){0}, &m->labels.pointers, &text);
    m->page->text = take(&text);
    rep_slice_init(&fitted, &m->story, level);
    m->shown = td_alloc((m->story.acts.len + 1) * sizeof m->shown[0]);
    for (size_t i = 0; i < m->story.acts.len; i++)
        m->shown[i] = m->story.acts.at[i].step;
    add_scene(m, &fitted);
    rep_slice_fini(&fitted);
}

static void add_story(maker *m)
{
    size_t n = m->story.acts.len;
    m->first = n > REP_PAGE_ACTS ? (uint32_t)(n - REP_PAGE_ACTS) : 0;
    m->page->n_left_out = m->first;
    m->page->preemptions = m->story.preemptions;
    rep_slice_init(&m->all, &m->story, REP_LINES);
    /* Texts name steps by their numbers in the report. */
    for (size_t i = 0; i < n; i++)
        m->story.acts.at[i].step = m->shown[i];
    m->table = (rep_table){.story = &m->story, .labels = &m->labels, .slice = &m->all};
    for (uint32_t i = 0; i < m->story.run->threads.len; i++)
        add_thread(m, i);
    for (uint32_t k = 0; k < m->all.steps.len; k++) {
        const rep_step *step = &m->all.steps.at[k];
        if (step->first + step->n > m->first || step->fails)
            add_step(m, k);
    }
    TD_ASSERT(m->page->acts.len == n - m->first);
    link_acts(m);
    rep_slice_fini(&m->all);
}

void rep_page_make_named(const rep_finding *f, const rep_names *names,
                         const rep_page_about *about, rep_page *out)
{
    rep_whole whole;
    rep_whole_init(&whole, f);
    maker m = {.f = &whole.f, .names = names, .page = out};
    *out = (rep_page){0};
    rep_story_init(&m.story, &whole.f, names);
    rep_whole_settle(&whole, &m.story);
    rep_labels_init(&m.labels, &m.story);
    add_about(out, &whole.finding, about);
    const det_finding *said = &whole.finding;
    out->output = copy(said->last_output);
    out->output_of = copy(!said->last_output       ? ""
                          : said->is_output_errors ? "stderr"
                                                   : "stdout");
    out->condition = copy(f->inputs.condition);
    add_inputs(&m);
    add_text(&m);
    add_story(&m);
    for (size_t i = 0; i < out->steps.len; i++)
        if (out->steps.at[i].at.line != 0)
            add_source(&m, out->steps.at[i].at.file);
    TD_AUDIT(rep_page_valid(out, NULL, 0));
    td_free(m.shown);
    rep_labels_fini(&m.labels);
    rep_story_fini(&m.story);
}

void rep_page_make(const rep_finding *f, const rep_page_about *about, rep_page *out)
{
    rep_names names = rep_names_of(f->sites);
    rep_page_make_named(f, &names, about, out);
}
