/* SPDX-License-Identifier: Apache-2.0 */
/* The page about one finding. */
#include "report/text/report_int.h"

#include <inttypes.h>
#include <string.h>

#include "base/assert.h"

#define DEFAULT_COLUMNS 80u
#define MIN_COLUMNS 60u
#define MAX_PARTY_ROWS 10u
#define MAX_NAME_WIDTH 24u
#define MAX_THREAD_ROWS 3u
#define LABEL_WIDTH 11u
#define WHOLE_COLUMNS 65536u /* more than paths and messages have */
#define SHORT_PAGE 40u       /* lines of a page that can do with more than the least */
#define SHORT_TABLE (15u + REP_HEADING_ROWS)

typedef struct page {
    const rep_finding *f;
    const det_finding *finding;
    uint32_t columns;
    bool full, whole_error;
    rep_story story;
    rep_labels labels;
    rep_slice slice;
    rep_table table;
    rep_scene scene;
    rep_row_vec top, bottom;
    uint32_t n_cut; /* steps left out for length */
} page;

static void add_line(rep_row_vec *rows, rep_tone tone, const td_text *line)
{
    rep_rows_push(rows, tone, line->len > 0 ? line->at : "");
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- head ---- */

static void add_title(page *p)
{
    const char *title = det_finding_title(p->finding);
    td_text line = {0}, cut = {0};
    td_text_add(&line, "==treadle== %s ", p->finding->always ? "FAILS" : "BUG");
    rep_put_clean(&line, p->finding->id);
    td_text_add(&line, " ");
    size_t end = strlen(title) + 4;
    rep_pad_to(&line, p->columns > end ? p->columns - end : 0, '=');
    td_text_add(&line, " %s ==", title);
    rep_put_cut(&cut, line.at, p->columns, REP_CUT_RIGHT);
    add_line(&p->top, REP_TITLE, &cut);
    td_text_fini(&line);
    td_text_fini(&cut);
}

void rep_print_values(const rep_scene *c, td_text *out)
{
    const rep_story *s = c->story;
    uint32_t n = 0;
    if (c->slice->steps.len == 0 || det_is_stuck(c->finding->kind))
        return;
    const rep_step *last = &c->slice->steps.at[c->slice->steps.len - 1];
    for (uint32_t i = 0; last->fails && i < last->n && n < 3; i++) {
        const rep_act *a = &s->acts.at[c->slice->shown.at[last->first + i]];
        const rep_place *own = rep_path_own(s, a->path);
        if (!rep_act_loads(a) || a->size > 8 || a->size == 0 || a->no_value ||
            !rep_place_equal(own, rep_path_own(s, s->fail_path)))
            continue;
        trc_site site = rep_act_site(s, a);
        td_text_add(out, n++ == 0 ? "" : ", ");
        rep_print_act_object(c->labels, a, out);
        td_text_add(out, " = ");
        rep_print_act_value(c->labels, &site, a, a->value, out);
    }
}

static void add_error(page *p)
{
    const det_finding *f = p->finding;
    td_text first = {0}, text = {0}, values = {0};
    if (f->line != 0)
        td_text_add(&first, "%s:%u: ", f->file, f->line);
    else if (strcmp(f->file, "?") != 0)
        td_text_add(&first, "%s: ", f->file);
    td_text_add(&first, "error: ");
    td_text_add(&text, "%s", f->message);
    rep_print_values(&p->scene, &values);
    uint32_t columns = p->whole_error ? WHOLE_COLUMNS : p->columns;
    if (values.len > 0 && first.len + text.len + values.len + 5 <= columns)
        td_text_add(&text, "   (%s)", values.at);
    rep_wrap(&p->top, REP_ERROR, (rep_lead){first.at, "    "}, text.at, columns);
    td_text_fini(&first);
    td_text_fini(&text);
    td_text_fini(&values);
}

static void add_schedule(page *p)
{
    static const char lead[] = "SCHEDULE   ";
    td_text text = {0}, rest = {0};
    uint32_t n = p->story.preemptions, shown = p->table.n_preemptions_shown;
    bool both = p->finding->kind == DET_RACE || det_is_stuck(p->finding->kind);
    size_t matter = p->table.all_threads.len;
    if (p->table.main_apart && !both && p->table.all_threads.at[0] == 0)
        matter--;
    td_text_add(&rest, "; %zu of %zu thread%s involved; showing %zu of %u steps", matter,
                p->story.run->threads.len, plural(p->story.run->threads.len),
                p->slice.steps.len - p->n_cut, p->slice.n_all);
    TD_ASSERT(p->n_cut <= p->slice.steps.len);
    td_text_add(&text, "%u preemption%s", n, plural(n));
    /* Left out if the line is too short. */
    size_t used = strlen(lead) + text.len + strlen(", 0 shown") + rest.len;
    if (shown < n && used <= p->columns)
        td_text_add(&text, ", %u shown", shown);
    td_text_add(&text, "%s", rest.at);
    rep_wrap(&p->top, REP_PLAIN, (rep_lead){lead, NULL}, text.at, p->columns);
    td_text_fini(&text);
    td_text_fini(&rest);
}

/* ---- parties ---- */

static size_t names_width(page *p, const rep_party_vec *parties)
{
    size_t width = 0;
    for (size_t i = 0; i < parties->len; i++) {
        td_text name = {0};
        rep_print_thread_long(&p->labels, parties->at[i].thread, &name);
        width = name.len > width ? name.len : width;
        td_text_fini(&name);
    }
    return width < MAX_NAME_WIDTH ? width : MAX_NAME_WIDTH;
}

static void add_party(page *p, const rep_party *who, size_t width)
{
    td_text name = {0};
    td_text_add(&name, "  ");
    rep_print_thread_long(&p->labels, who->thread, &name);
    rep_pad_to(&name, width + 2, ' ');
    td_text_add(&name, "  ");
    rep_wrap(&p->top, REP_PLAIN, (rep_lead){name.at, NULL}, who->text.at, p->columns);
    td_text_fini(&name);
}

static void add_parties(page *p)
{
    rep_party_vec parties = {0};
    rep_parties(&p->scene, &parties);
    size_t start = p->top.len, width = names_width(p, &parties), k = 0;
    for (; k < parties.len && (p->full || p->top.len - start < MAX_PARTY_ROWS); k++)
        add_party(p, &parties.at[k], width);
    if (k < parties.len) {
        td_text line = {0};
        td_text_add(&line, "  and %zu more thread%s", parties.len - k,
                    plural(parties.len - k));
        add_line(&p->top, REP_PLAIN, &line);
        td_text_fini(&line);
    }
    rep_parties_fini(&parties);
}

/* ---- below the table ---- */

static void add_hidden(page *p)
{
    td_text text = {0};
    if (p->slice.no_return != REP_NONE)
        td_text_add(&text, "!!\t= every schedule fails from here on. ");
    size_t start = text.len;
    td_text hidden = {0};
    rep_print_hidden(&p->scene, &hidden);
    if (hidden.len > 0)
        td_text_add(&text, "%sHidden: %s (treadle\tshow\t--full)", start > 0 ? " " : "",
                    hidden.at);
    if (text.len > 0)
        rep_wrap(&p->bottom, REP_FAINT, (rep_lead){" ", " "}, text.at, p->columns);
    td_text_fini(&text);
    td_text_fini(&hidden);
}

static void add_legend(page *p)
{
    size_t n = p->labels.pointers.len;
    if (n > 0)
        rep_wrap(&p->bottom, REP_FAINT,
                 (rep_lead){n == 1 ? " P1: " : " P1, P2, ...: ", NULL},
                 n == 1 ? "an address in the heap or on a stack"
                        : "addresses in the heap or on a stack, in order of appearance",
                 p->columns);
    if (p->labels.twins)
        rep_wrap(&p->bottom, REP_FAINT, (rep_lead){" x@2: ", NULL},
                 "the second object named 'x'", p->columns);
}

static void add_why(page *p)
{
    td_text text = {0};
    bool has_history = p->finding->why != NULL && p->finding->why[0] != '\0';
    rep_add_history_why(&p->bottom, p->finding, p->columns);
    rep_print_why(&p->scene, &text);
    const char *lead = has_history ? "           " : "WHY        ";
    if (text.len > 0)
        rep_wrap(&p->bottom, REP_PLAIN, (rep_lead){lead, NULL}, text.at, p->columns);
    td_text_fini(&text);
}

/* Adds the memory model that allows the run. */
static void add_model(page *p)
{
    td_text text = {0};
    rep_print_memory(&p->scene, &text);
    rep_wrap(&p->bottom, REP_PLAIN, (rep_lead){"MEMORY     ", NULL}, text.at, p->columns);
    td_text_fini(&text);
}

/* The run is one of the program with weaker orders. */
static void add_weaker(page *p, const trc_weaker *w)
{
    td_text text = {0};
    td_text_add(&text, "%s at %s:%u:%u is %s here, %s in the program",
                trc_ordered_name(w->kind), rep_base_name(w->file), w->line, w->column,
                trc_order_name(w->kind, w->to), trc_order_name(w->kind, w->order));
    rep_wrap(&p->bottom, REP_PLAIN, (rep_lead){"WEAKENED   ", NULL}, text.at, p->columns);
    td_text_fini(&text);
}

/* ---- threads ---- */

/* A name in which no line is broken. */
static void print_unbroken(page *p, uint32_t thread, td_text *out)
{
    td_text name = {0};
    if (p->table.width != 0)
        rep_print_thread(thread, &name);
    else
        rep_print_thread_long(&p->labels, thread, &name);
    for (char *c = name.at; *c != '\0'; c++)
        td_text_put(out, *c == ' ' ? "\t" : c, 1);
    td_text_fini(&name);
}

/* " created at bank.c:35 in main", then shorter " at bank.c:36". */
static void print_created(const rep_place *at, const char **function, td_text *out)
{
    trc_site site = {.file = at->file, .line = at->line};
    if (at->line == 0)
        return;
    td_text_add(out, *function == NULL ? "\tcreated\tat\t" : "\tat\t");
    rep_print_place(&site, out);
    if (*function == NULL || strcmp(*function, at->function) != 0) {
        td_text_add(out, "\tin\t");
        rep_put_clean(out, at->function);
    }
    *function = at->function;
}

static void add_created(page *p)
{
    const char *function = NULL;
    rep_place last = {0};
    uint32_t left = 0, n = 0;
    td_text text = {0};
    for (size_t i = 0; i < p->table.all_threads.len; i++) {
        uint32_t thread = p->table.all_threads.at[i];
        if (thread == 0)
            continue;
        if (!p->full && text.len > (MAX_THREAD_ROWS - 1) * (p->columns - LABEL_WIDTH)) {
            left++;
            continue;
        }
        rep_place at = rep_created_place(&p->story, thread);
        if (n > 0 && !rep_place_equal(&at, &last))
            print_created(&last, &function, &text);
        td_text_add(&text, n++ > 0 ? ", " : "");
        print_unbroken(p, thread, &text);
        last = at;
    }
    if (n > 0)
        print_created(&last, &function, &text);
    if (left > 0)
        td_text_add(&text, " and\t%u\tmore", left);
    if (text.len > 0)
        rep_wrap(&p->bottom, REP_PLAIN, (rep_lead){"THREADS    ", NULL}, text.at,
                 p->columns);
    td_text_fini(&text);
}

static bool is_shown(const page *p, uint32_t thread)
{
    for (size_t i = 0; i < p->table.all_threads.len; i++)
        if (p->table.all_threads.at[i] == thread)
            return true;
    return false;
}

/* The threads that do not matter, on one line. */
static void add_others(page *p)
{
    td_text line = {0};
    uint32_t left = 0;
    for (uint32_t i = 1; i < p->story.run->threads.len; i++) {
        td_text name = {0};
        if (is_shown(p, i))
            continue;
        rep_print_thread_long(&p->labels, i, &name);
        if (LABEL_WIDTH + line.len + name.len + 20 > p->columns) {
            left++;
        } else {
            td_text_add(&line, line.len > 0 ? ", " : "");
            rep_put_clean(&line, name.at);
        }
        td_text_fini(&name);
    }
    if (left > 0)
        td_text_add(&line, "%s%u more", line.len > 0 ? " and " : "", left);
    if (line.len > 0)
        rep_wrap(&p->bottom, REP_PLAIN, (rep_lead){"Not shown  ", NULL}, line.at,
                 p->columns);
    td_text_fini(&line);
}

/* Adds the threads that had failed and stopped before this failure. */
static void add_failed(page *p)
{
    const trc *t = p->story.run;
    const trc_fail *own = p->story.fail;
    td_text line = {0};
    for (size_t i = 0; own && i < t->fails.len; i++) {
        const trc_fail *f = &t->fails.at[i];
        if (f->kind == WIRE_FAIL_RACE || f->kind == WIRE_FAIL_LEAK ||
            f->thread == own->thread || f->after_op > own->after_op)
            continue;
        trc_site site = trc_site_at(p->story.f->sites, f->site);
        td_text_add(&line, line.len > 0 ? ", " : "");
        rep_print_thread(f->thread, &line);
        if (site.line > 0) {
            td_text_add(&line, " at ");
            rep_print_place(&site, &line);
        }
    }
    if (line.len > 0)
        rep_wrap(&p->bottom, REP_PLAIN, (rep_lead){"Also fails ", NULL}, line.at,
                 p->columns);
    td_text_fini(&line);
}

/* ---- what to do next ---- */

static void add_command(page *p, const char *label, const char *before, const char *what,
                        const char *after)
{
    TD_ASSERT(strlen(label) < LABEL_WIDTH && LABEL_WIDTH + strlen(before) < p->columns);
    td_text line = {0};
    td_text_add(&line, "%s", label);
    rep_pad_to(&line, LABEL_WIDTH, ' ');
    td_text_add(&line, "%s", before);
    rep_put_cut(&line, what, p->columns - line.len, REP_CUT_LEFT);
    if (line.len + strlen(after) <= p->columns)
        td_text_add(&line, "%s", after);
    add_line(&p->bottom, REP_PLAIN, &line);
    td_text_fini(&line);
}

/* The id is enough for a recording in the default place, else its path. */
static const char *replay_name(const page *p)
{
    const char *path = p->f->recording;
    if (path == NULL || strncmp(path, "treadle-out/", strlen("treadle-out/")) == 0)
        return p->finding->id;
    return path;
}

static void add_commands(page *p)
{
    add_command(p, "Replay", "treadle replay ", replay_name(p), "");
    add_command(p, "Debug", "treadle replay --gdb ", replay_name(p), "");
    if (p->f->recording == NULL)
        return;
    char size[64];
    snprintf(size, sizeof size, "   (text, %" PRIu64 " bytes)", p->f->recording_bytes);
    add_command(p, "Share", "", p->f->recording, size);
    add_command(p, "Web page", "treadle show --html ", replay_name(p), "");
}

/* "(a, b)": the locks of a deadlock. */
static void print_locks(page *p, td_text *out)
{
    uint32_t n = 0;
    for (size_t i = 0; i < p->story.locks.len; i++) {
        const rep_lock *lock = &p->story.locks.at[i];
        bool waited_for = false;
        for (size_t k = 0; k < p->story.acts.len && lock->depth > 0; k++)
            waited_for = waited_for || (p->story.acts.at[k].kind == REP_WAITS &&
                                        mdl_waits_for_mutex(p->story.acts.at[k].wants) &&
                                        p->story.acts.at[k].object == lock->object);
        if (!waited_for)
            continue;
        td_text_add(out, n++ == 0 ? " (" : ", ");
        rep_print_object(&p->labels, lock->object, out);
    }
    td_text_add(out, n > 0 ? ")" : "");
}

/* " (arg2=71, 1 preemption)": what treadle chose, and how often it switched. */
static void print_summary(const page *p, td_text *out)
{
    const rep_inputs *in = &p->f->inputs;
    td_text_add(out, " (");
    for (size_t i = 0, n = 0; i < in->n && n < 2; i++) {
        if (!rep_input_differs(&in->at[i]) || strchr(in->at[i].name, '[') != NULL)
            continue;
        rep_put_clean(out, in->at[i].name);
        td_text_add(out, "=");
        rep_print_input(&in->at[i], out);
        td_text_add(out, ", ");
        n++;
    }
    td_text_add(out, "%u preemption%s)", p->story.preemptions,
                plural(p->story.preemptions));
}

static void add_summary(page *p)
{
    const det_finding *f = p->finding;
    td_text line = {0}, whole = {0};
    td_text_add(&line, "SUMMARY: treadle: %s %s", det_finding_title(f),
                rep_base_name(f->file));
    if (f->line != 0)
        td_text_add(&line, ":%u", f->line);
    td_text_add(&line, " in %s", f->function);
    if (f->other_file != NULL)
        td_text_add(&line, " / %s:%u in %s", rep_base_name(f->other_file), f->other_line,
                    f->other_function != NULL ? f->other_function : "?");
    else if (det_is_stuck(f->kind))
        print_locks(p, &line);
    else
        print_summary(p, &line);
    rep_put_clean(&whole, line.at); /* E2: for logs, however long */
    add_line(&p->bottom, REP_ERROR, &whole);
    td_text_fini(&line);
    td_text_fini(&whole);
}

/* The program's own words. */
static void add_last_output(page *p)
{
    const det_finding *f = p->finding;
    const char *lead = f->is_output_errors ? "STDERR     " : "STDOUT     ";
    for (const char *at = f->last_output; at != NULL && at[0] != '\0';) {
        td_text line = {0}, cut = {0};
        const char *end = strchr(at, '\n');
        size_t n = end != NULL ? (size_t)(end - at) : strlen(at);
        td_text_add(&line, "%s", lead);
        td_text_put(&line, at, n);
        rep_put_cut(&cut, line.at, p->columns, REP_CUT_RIGHT);
        add_line(&p->bottom, REP_PLAIN, &cut);
        td_text_fini(&line);
        td_text_fini(&cut);
        lead = "           ";
        at += n + (end != NULL);
    }
}

/* ---- page ---- */

static void build_bottom(page *p)
{
    static const td_text blank = {0};
    add_hidden(p);
    add_legend(p);
    add_line(&p->bottom, REP_PLAIN, &blank);
    add_why(p);
    if (p->story.f->model)
        add_model(p);
    for (size_t i = 0; i < p->story.f->n_weaker; i++)
        add_weaker(p, &p->story.f->weaker[i]);
    add_last_output(p);
    add_created(p);
    add_others(p);
    add_failed(p);
    add_commands(p);
    add_summary(p);
}

static void build_top(page *p)
{
    static const td_text blank = {0};
    add_title(p);
    add_error(p);
    add_parties(p);
    add_line(&p->top, REP_PLAIN, &blank);
    rep_add_history(&p->top, p->finding, p->columns, p->full);
    rep_add_inputs(&p->top, &p->f->inputs, p->columns, p->full);
    add_schedule(p);
    add_line(&p->top, REP_PLAIN, &blank);
}

static void build(page *p, rep_level level)
{
    TD_ASSERT(p->top.len == 0 && p->bottom.len == 0 && p->columns >= MIN_COLUMNS);
    rep_slice_init(&p->slice, &p->story, level);
    rep_table_init(&p->table, &p->story, &p->labels, &p->slice, p->columns);
    build_top(p);
    build_bottom(p);
}

static void unbuild(page *p)
{
    rep_rows_fini(&p->top);
    rep_rows_fini(&p->bottom);
    rep_table_fini(&p->table);
    rep_slice_fini(&p->slice);
}

static size_t lines_of(const page *p)
{
    return p->top.len + p->table.rows.len + p->bottom.len;
}

/* True if a row that was not cut has the mark. */
static bool shows_no_return(const page *p)
{
    for (size_t i = 0; i < p->table.rows.len; i++)
        if (strstr(p->table.rows.at[i].text, " !!") != NULL)
            return true;
    return false;
}

/* Shows as much as fits. */
static rep_level build_to_fit(page *p)
{
    build(p, REP_WIDEST);
    if (p->table.rows.len <= SHORT_TABLE && lines_of(p) <= SHORT_PAGE)
        return REP_WIDEST;
    unbuild(p);
    for (rep_level level = REP_WIDE; level < REP_NARROW; level++) {
        build(p, level);
        if (lines_of(p) <= REP_MAX_LINES)
            return level;
        unbuild(p);
    }
    build(p, REP_NARROW);
    uint32_t others = (uint32_t)(p->top.len + p->bottom.len);
    uint32_t room = REP_MAX_LINES > others + 10 ? REP_MAX_LINES - others : 10;
    uint32_t keys[REP_WHY_STEPS];
    size_t n_keys = rep_why_steps(&p->scene, keys);
    TD_ASSERT(n_keys <= REP_WHY_STEPS);
    p->n_cut = rep_table_cut(&p->table, room, keys, n_keys);
    if (p->n_cut > 0) {
        rep_rows_fini(&p->top);
        rep_rows_fini(&p->bottom);
        if (!shows_no_return(p))
            p->slice.no_return = REP_NONE;
        build_top(p);
        build_bottom(p);
    }
    return REP_NARROW;
}

static char *text_or(char *text, char *otherwise)
{
    return text != NULL ? text : otherwise;
}

void rep_whole_init(rep_whole *w, const rep_finding *f)
{
    *w = (rep_whole){.f = *f, .finding = *f->finding, .unknown = "?"};
    w->finding.file = text_or(w->finding.file, w->unknown);
    w->finding.function = text_or(w->finding.function, w->unknown);
    w->finding.message = text_or(w->finding.message, w->unknown);
    if (w->finding.thread >= f->run->threads.len)
        w->finding.thread = 0;
    w->f.finding = &w->finding;
}

rep_level rep_finding_print(const rep_finding *f, const rep_names *names,
                            const rep_opts *opts, rep_u64_vec *pointers, td_text *out)
{
    rep_level level = REP_ALL;
    rep_whole whole;
    rep_whole_init(&whole, f);

    page p = {.f = &whole.f,
              .finding = &whole.finding,
              .full = opts->full,
              .whole_error = opts->whole_error};
    p.columns = opts->columns == 0 ? DEFAULT_COLUMNS : opts->columns;
    if (p.columns < MIN_COLUMNS)
        p.columns = MIN_COLUMNS;
    rep_story_init(&p.story, p.f, names);
    rep_whole_settle(&whole, &p.story);
    rep_labels_init(&p.labels, &p.story);
    p.scene = (rep_scene){p.f, p.finding, &p.story, &p.labels, &p.slice};
    if (p.full)
        build(&p, level);
    else
        level = build_to_fit(&p);
    rep_rows_print(&p.top, opts->colour, out);
    rep_rows_print(&p.table.rows, opts->colour, out);
    rep_rows_print(&p.bottom, opts->colour, out);
    unbuild(&p);
    if (pointers != NULL)
        rep_u64_vec_append(pointers, p.labels.pointers.at, p.labels.pointers.len);
    rep_labels_fini(&p.labels);
    rep_story_fini(&p.story);
    return level;
}

/* ---- lookups ---- */

static trc_site real_site(void *ctx, uint32_t number)
{
    return trc_site_at(ctx, number);
}

static trc_site real_function(void *ctx, uint64_t address)
{
    return trc_site_of_address(ctx, address);
}

static const char *real_object(void *ctx, uint64_t address)
{
    return trc_object_name(ctx, address);
}

static const char *real_source(void *ctx, const char *file, uint32_t line)
{
    return trc_source_line(ctx, file, line);
}

static size_t real_calls(void *ctx, uint64_t return_address, trc_site *out, size_t max)
{
    return trc_calls_at(ctx, return_address, out, max);
}

static const char *real_local(void *ctx, uint64_t return_address, uint64_t frame,
                              uint64_t address)
{
    return trc_local_at(ctx, return_address, frame, address);
}

static bool real_part(void *ctx, uint64_t address, trc_part *out)
{
    return trc_object_part(ctx, address, out);
}

rep_names rep_names_of(trc_sites *sites)
{
    return (rep_names){sites,       real_site,  real_function, real_object,
                       real_source, real_calls, real_part,     real_local};
}

static void take_over(char **to, const char *text)
{
    char *copy = text ? td_strdup(text) : NULL;
    td_free(*to);
    *to = copy;
}

void rep_finding_settle(const rep_finding *f, det_finding *out)
{
    rep_names names = rep_names_of(f->sites);
    rep_whole whole;
    rep_story story;
    rep_whole_init(&whole, f);
    rep_story_init(&story, &whole.f, &names);
    rep_whole_settle(&whole, &story);
    const det_finding *seen = &whole.finding;
    take_over(&out->file, seen->file);
    take_over(&out->function, seen->function);
    take_over(&out->message, seen->message);
    out->line = seen->line;
    if (out->other_file) {
        take_over(&out->other_file, seen->other_file);
        take_over(&out->other_function, seen->other_function);
        out->other_line = seen->other_line;
    }
    rep_story_fini(&story);
}

void rep_finding_text(const rep_finding *f, const rep_opts *opts, td_text *out)
{
    rep_names names = rep_names_of(f->sites);
    rep_finding_print(f, &names, opts, NULL, out);
}
