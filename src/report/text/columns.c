/* SPDX-License-Identifier: Apache-2.0 */
/* The table: time runs down, a column per thread. One thread is in a row, so the text of
 * an act may run over the columns to the right of its own. */
#include "report/text/report_int.h"

#include <inttypes.h>
#include <string.h>

#include "base/assert.h"

#define MIN_WIDTH 30u /* narrowest column */
#define MAX_COLUMNS 4u

/* ---- rows ---- */

/* The layout of the rows of a step. */
typedef struct place {
    uint32_t start;   /* column of the statement */
    uint32_t width;   /* room for the statement */
    uint32_t numbers; /* column where line numbers start; a name may come before them */
    uint32_t digits;  /* columns of a line number */
} place;

static uint32_t index_of(const trc_u32_vec *v, uint32_t item)
{
    for (uint32_t i = 0; i < v->len; i++)
        if (v->at[i] == item)
            return i;
    return REP_NONE;
}

static void add_row(rep_table *t, rep_tone tone, uint32_t step, const td_text *line)
{
    rep_rows_push(&t->rows, tone, line->len > 0 ? line->at : "");
    t->rows.at[t->rows.len - 1].step = step;
}

/* A thread without a column of its own is named. */
static void print_name(const rep_table *t, const rep_step *step, td_text *out)
{
    if (t->width != 0 && index_of(&t->threads, step->thread) != REP_NONE)
        return;
    rep_print_thread(step->thread, out);
    td_text_add(out, ": ");
}

/* "39", or "log.c:39" in another file than the one that is clear. */
static void print_number(const rep_place *at, const char *file, td_text *out)
{
    if (at->line == 0)
        return;
    if (strcmp(at->file, file) != 0)
        rep_put_cut(out, rep_base_name(at->file), 20, REP_CUT_LEFT);
    td_text_add(out, strcmp(at->file, file) != 0 ? ":%u" : "%u", at->line);
}

static place place_of(const rep_table *t, const rep_step *step)
{
    uint32_t column = index_of(&t->threads, step->thread);
    place p = {.start = t->margin};
    td_text name = {0}, number = {0};
    if (t->width == 0)
        p.start += 2 * (index_of(&t->all_threads, step->thread) % 8);
    else if (column != REP_NONE)
        p.start += column * t->width;
    TD_ASSERT(p.start < t->columns);
    p.width = t->columns - p.start;
    if (t->width != 0 && column + 1 == t->threads.len)
        p.width = t->width - 1;
    print_name(t, step, &name);
    print_number(&step->at, t->story->f->finding->file, &number);
    p.numbers = p.start + (uint32_t)name.len;
    p.digits = (uint32_t)number.len;
    td_text_fini(&name);
    td_text_fini(&number);
    return p;
}

static const char *source_of(const rep_table *t, const rep_place *at)
{
    const rep_names *names = t->story->names;
    const char *text = names->source(names->ctx, at->file, at->line);
    if (at->line == 0)
        return "(no line)";
    return text != NULL ? text + strspn(text, " \t") : "(no source text)";
}

/* The statement; on its right the function, unless it is the thread's own. */
static void add_statement(rep_table *t, uint32_t k, const place *p)
{
    const rep_step *step = &t->slice->steps.at[k];
    td_text line = {0}, function = {0};
    if (step->at.line != 0 &&
        strcmp(step->at.function, rep_thread_function(t->labels, step->thread)) != 0) {
        td_text_add(&function, "  in ");
        rep_put_cut(&function, step->at.function, MIN_WIDTH / 2, REP_CUT_RIGHT);
    }
    td_text_add(&line, "%*u", (int)t->margin - 2, k + 1);
    rep_pad_to(&line, p->start, ' ');
    print_name(t, step, &line);
    print_number(&step->at, t->story->f->finding->file, &line);
    td_text_add(&line, step->at.line != 0 ? " " : "");
    uint32_t end = p->start + p->width - (uint32_t)function.len;
    rep_put_cut(&line, source_of(t, &step->at), end > line.len ? end - line.len : 0,
                REP_CUT_RIGHT);
    if (function.len > 0)
        td_text_put(&line, function.at, function.len);
    add_row(t, REP_SOURCE, k, &line);
    td_text_fini(&line);
    td_text_fini(&function);
}

/* A row below the statement of step k, with its own line number, none if at is NULL. More follows
 * text where there is room. */
static void add_detail(rep_table *t, uint32_t k, const place *p, const rep_place *at,
                       const td_text *text, const td_text *more)
{
    TD_ASSERT(k < t->slice->steps.len && text->at != NULL);
    const rep_place *statement = &t->slice->steps.at[k].at;
    td_text line = {0}, number = {0};
    if (at != NULL)
        print_number(at, statement->file, &number);
    uint32_t indent = p->digits > MIN_WIDTH / 2 ? MIN_WIDTH / 2 : p->digits;
    if (number.len < indent)
        rep_pad_to(&line, p->numbers + indent - number.len, ' ');
    else
        rep_pad_to(&line, p->numbers, ' ');
    td_text_put(&line, number.len > 0 ? number.at : "", number.len);
    rep_pad_to(&line, p->numbers + indent, ' ');
    td_text_add(&line, "   ");
    uint32_t room = t->columns > line.len ? t->columns - (uint32_t)line.len : 0;
    rep_put_cut(&line, text->at, room, REP_CUT_RIGHT);
    if (more->len > 0 && line.len + more->len <= t->columns)
        td_text_put(&line, more->at, more->len);
    add_row(t, REP_PLAIN, k, &line);
    td_text_fini(&line);
    td_text_fini(&number);
}

/* "holds: m (ring.c:42)", under an access of a race. */
static void add_holds(rep_table *t, uint32_t k, const place *p, uint32_t act)
{
    rep_lock_vec held = {0};
    td_text text = {0}, none = {0};
    const rep_story *s = t->story;
    rep_story_holds(s, s->acts.at[act].thread, act, &held);
    td_text_add(&text, "holds: %s", held.len == 0 ? "nothing" : "");
    for (size_t i = 0; i < held.len; i++) {
        trc_site site = rep_act_site(s, &s->acts.at[held.at[i].act]);
        td_text_add(&text, "%s", i > 0 ? ", " : "");
        rep_print_object(t->labels, held.at[i].object, &text);
        td_text_add(&text, " (");
        rep_print_place(&site, &text);
        td_text_add(&text, ")");
    }
    add_detail(t, k, p, NULL, &text, &none);
    td_text_fini(&text);
    rep_lock_vec_fini(&held);
}

/* Acts in a row that read the same are one row with a count. */
static uint32_t count_alike(rep_table *t, uint32_t first, uint32_t end)
{
    TD_ASSERT(first < end && end <= t->slice->shown.len);
    const trc_u32_vec *shown = &t->slice->shown;
    const rep_act_vec *acts = &t->story->acts;
    td_text a = {0}, b = {0};
    uint32_t n = 1;
    rep_print_act(t, first, &a);
    for (; first + n < end; n++) {
        td_text_clear(&b);
        rep_print_act(t, first + n, &b);
        if (strcmp(a.at, b.at) != 0 ||
            acts->at[shown->at[first + n]].site != acts->at[shown->at[first]].site ||
            shown->at[first + n - 1] == t->slice->no_return)
            break;
    }
    td_text_fini(&a);
    td_text_fini(&b);
    return n;
}

static uint32_t add_act(rep_table *t, uint32_t k, const place *p, uint32_t i)
{
    const rep_step *step = &t->slice->steps.at[k];
    uint32_t act = t->slice->shown.at[i];
    const rep_place *own = rep_path_own(t->story, t->story->acts.at[act].path);
    uint32_t n = count_alike(t, i, step->first + step->n);
    td_text text = {0}, more = {0};
    rep_print_act(t, i, &text);
    rep_print_from(t, &t->story->acts.at[act], &text);
    if (n > 1)
        td_text_add(&text, "  x%u", n);
    else
        rep_print_seen(t, i, &more);
    if (t->slice->shown.at[i + n - 1] == t->slice->no_return)
        td_text_add(&text, " !!");
    add_detail(t, k, p, own, &text, &more);
    td_text_fini(&text);
    td_text_fini(&more);
    bool of_race = act == t->story->race[0] || act == t->story->race[1];
    if (of_race && t->story->f->finding->sides == NULL)
        add_holds(t, k, p, act);
    return n;
}

static void add_mark(rep_table *t, uint32_t k)
{
    TD_ASSERT(t->rows.len > REP_HEADING_ROWS && t->rows.at[t->rows.len - 1].step == k);
    const char *mark =
        det_is_stuck(t->story->f->finding->kind) ? "<<< STUCK HERE" : "<<< FAILS HERE";
    rep_row *last = &t->rows.at[t->rows.len - 1];
    td_text line = {0};
    bool fits = strlen(last->text) + 2 + strlen(mark) <= t->columns;
    if (fits)
        td_text_put(&line, last->text, strlen(last->text));
    rep_pad_to(&line, t->columns - strlen(mark), ' ');
    td_text_put(&line, mark, strlen(mark));
    if (fits) {
        td_free(last->text);
        last->text = td_strdup(line.at);
    } else {
        add_row(t, REP_PLAIN, k, &line);
    }
    td_text_fini(&line);
}

/* Adds the failing line inside a function that the statement calls. */
static void add_failing_line(rep_table *t, uint32_t k, const place *p)
{
    const rep_step *step = &t->slice->steps.at[k];
    const rep_place *own = rep_path_own(t->story, t->story->fail_path);
    td_text text = {0}, none = {0};
    if (det_is_stuck(t->story->f->finding->kind) || rep_place_equal(own, &step->at))
        return;
    rep_put_clean(&text, source_of(t, own));
    add_detail(t, k, p, own, &text, &none);
    td_text_fini(&text);
}

static void add_step(rep_table *t, uint32_t k)
{
    const rep_step *step = &t->slice->steps.at[k];
    place p = place_of(t, step);
    add_statement(t, k, &p);
    for (uint32_t i = 0; i < step->n;)
        i += add_act(t, k, &p, step->first + i);
    if (!step->fails)
        return;
    add_failing_line(t, k, &p);
    add_mark(t, k);
}

/* ---- switches ---- */

uint32_t rep_leaving_op(const rep_story *s, const rep_act *a)
{
    const trc_op_vec *ops = &s->run->ops;
    uint32_t i = mdl_is_op(a->kind) ? a->op : a->op - 1;
    if (a->kind == REP_WAITS || i >= s->n_ops || ops->at[i].thread != a->thread)
        return REP_NONE;
    while (i + 1 < s->n_ops && ops->at[i + 1].thread == a->thread)
        i++;
    return i;
}

/* The operation before the one with which the thread of a step took over, REP_NONE. */
static uint32_t op_before_entry(const rep_table *t, const rep_step *step)
{
    const rep_story *s = t->story;
    uint32_t i = s->n_ops - 1;
    if (step->n > 0) {
        const rep_act *a = &s->acts.at[t->slice->shown.at[step->first]];
        i = mdl_is_op(a->kind) ? a->op : a->op - 1;
    }
    if (i >= s->n_ops || s->run->ops.at[i].thread != step->thread)
        return REP_NONE;
    while (i > 0 && s->run->ops.at[i - 1].thread == step->thread)
        i--;
    return i - 1; /* REP_NONE for 0 */
}

/* Returns where a thread continues after an operation: the next statement, or the same one in the middle. */
static rep_place next_place(const rep_table *t, uint32_t op)
{
    const rep_story *s = t->story;
    const trc_op *done = &s->run->ops.at[op];
    rep_act next;
    if (!rep_story_next(s, done->thread, op, &next))
        return (rep_place){.line = 0};
    trc_site site = rep_act_site(s, &next);
    uint32_t path = rep_known_path(s, next.stack, next.site);
    uint32_t before = rep_known_path(s, done->stack, done->site);
    const rep_place *at = path != REP_NONE ? rep_statement(t->slice, s, path) : NULL;
    bool goes_on = at != NULL && before != REP_NONE &&
                   rep_place_equal(at, rep_statement(t->slice, s, before));
    if (at != NULL && goes_on && s->paths.at[path].library)
        at = rep_path_own(s, path);
    else if (goes_on)
        at = NULL;
    return at != NULL ? *at : (rep_place){site.file, site.function, site.line, NULL};
}

/* Between two operations a thread is not interrupted, so it stops before its next one. */
static void print_stop_place(const rep_table *t, uint32_t op, td_text *out)
{
    const rep_story *s = t->story;
    rep_place next = next_place(t, op);
    trc_site before = {.file = next.file, .line = next.line};
    trc_site after = s->names->site(s->names->ctx, s->run->ops.at[op].site);
    uint32_t path = rep_known_path(s, s->run->ops.at[op].stack, s->run->ops.at[op].site);
    if (path != REP_NONE && s->paths.at[path].library)
        after.file = rep_path_own(s, path)->file,
        after.line = rep_path_own(s, path)->line;
    if (before.line != 0) {
        td_text_add(out, " before ");
        rep_print_place(&before, out);
    } else if (after.line != 0) {
        td_text_add(out, " after ");
        rep_print_place(&after, out);
    }
}

static void print_preempted(rep_table *t, uint32_t op, td_text *out)
{
    rep_print_thread(t->story->run->ops.at[op].thread, out);
    td_text_add(out, " preempted");
    print_stop_place(t, op, out);
    td_text_add(out, "; ");
    t->n_preemptions_shown++;
}

/* Why a thread stopped after an operation. */
static void print_leave(rep_table *t, uint32_t op, td_text *out)
{
    TD_ASSERT(op < t->story->stops.len);
    const rep_story *s = t->story;
    uint32_t thread = s->run->ops.at[op].thread;
    rep_act next;
    switch ((rep_stop)s->stops.at[op]) {
    case REP_PREEMPTED:
        print_preempted(t, op, out);
        break;
    case REP_ENDED:
        rep_print_thread(thread, out);
        td_text_add(out, " exits; ");
        break;
    case REP_WAITS_LOCK:
    case REP_WAITS_JOIN:
        rep_print_thread(thread, out);
        td_text_add(out, " waits");
        if (rep_story_next(s, thread, op, &next)) {
            td_text_add(out, " for ");
            if (mdl_joins(next.kind))
                rep_print_thread((uint32_t)next.value, out);
            else
                rep_print_object(t->labels, next.object, out);
        }
        td_text_add(out, "; ");
        break;
    case REP_GOES_ON:
    case REP_STOPPED:
        break;
    }
}

/* True if an earlier step shows the thread; main was there before all others. */
static bool was_shown(const rep_table *t, uint32_t thread, uint32_t step)
{
    if (thread == 0)
        return true;
    while (step-- > 0)
        if (t->slice->steps.at[step].thread == thread)
            return true;
    return false;
}

static uint32_t table_width(const rep_table *t)
{
    return t->width == 0 ? t->columns : t->margin + t->width * (uint32_t)t->threads.len;
}

static void add_rule(rep_table *t, rep_tone tone, uint32_t step, const td_text *text)
{
    td_text line = {0};
    char fill = tone == REP_SWITCH ? '~' : '-';
    td_text_add(&line, " %c%c%c ", fill, fill, fill);
    rep_put_cut(&line, text->at, t->columns - line.len - 1, REP_CUT_RIGHT);
    td_text_add(&line, " ");
    rep_pad_to(&line, table_width(t), fill);
    add_row(t, tone, step, &line);
    td_text_fini(&line);
}

/* Prints the context switch before step k: the thread of the previous step, or one that is not shown. */
static rep_tone print_switch(rep_table *t, uint32_t k, td_text *out)
{
    const rep_story *s = t->story;
    const rep_step *from = k > 0 ? &t->slice->steps.at[k - 1] : NULL;
    uint32_t before = op_before_entry(t, &t->slice->steps.at[k]), leaving = REP_NONE;
    uint32_t n_shown = t->n_preemptions_shown;
    bool taken = before < s->n_ops && s->stops.at[before] == REP_PREEMPTED;
    if (from != NULL && from->n > 0) {
        const rep_act *last = &s->acts.at[t->slice->shown.at[from->first + from->n - 1]];
        leaving = rep_leaving_op(s, last);
        if (last->kind == REP_WAITS) {
            rep_print_thread(from->thread, out);
            td_text_add(out, " waits; ");
            return REP_FAINT;
        }
    }
    if (taken && from != NULL && s->run->ops.at[before].thread == from->thread)
        leaving = before;
    if (leaving != REP_NONE)
        print_leave(t, leaving, out);
    if (taken && leaving != before)
        print_preempted(t, before, out);
    return t->n_preemptions_shown > n_shown ? REP_SWITCH : REP_FAINT;
}

/* The rule above step k. */
static void add_switch(rep_table *t, uint32_t k)
{
    const rep_step *from = k > 0 ? &t->slice->steps.at[k - 1] : NULL;
    const rep_step *to = &t->slice->steps.at[k];
    td_text text = {0};
    rep_tone tone = REP_FAINT;
    if (from != NULL && from->thread == to->thread)
        return;
    if (from != NULL && to->n > 0 && t->slice->shown.at[to->first] == t->story->race[1]) {
        rep_print_thread(from->thread, &text);
        td_text_add(&text, " and ");
        rep_print_thread(to->thread, &text);
        td_text_add(&text, " are not ordered here: no common lock, atomic or join");
    } else {
        tone = print_switch(t, k, &text);
        rep_print_thread(to->thread, &text);
        td_text_add(&text, was_shown(t, to->thread, k) ? " resumes" : " runs");
    }
    if (from != NULL || tone == REP_SWITCH)
        add_rule(t, tone, k, &text);
    td_text_fini(&text);
}

/* ---- columns ---- */

static void add_sorted(trc_u32_vec *v, uint32_t item)
{
    TD_ASSERT(item != REP_NONE);
    if (index_of(v, item) != REP_NONE)
        return;
    trc_u32_vec_push(v, item);
    for (size_t i = v->len - 1; i > 0 && v->at[i - 1] > item; i--) {
        v->at[i] = v->at[i - 1];
        v->at[i - 1] = item;
    }
}

/* Main needs no column if it only opens or ends the scene. */
static bool main_is_apart(const rep_slice *c)
{
    size_t first = 0, last = c->steps.len;
    while (first < last && c->steps.at[first].thread == 0)
        first++;
    while (last > first && c->steps.at[last - 1].thread == 0)
        last--;
    for (size_t i = first; i < last; i++)
        if (c->steps.at[i].thread == 0)
            return false;
    return first < last;
}

/* Uses as many columns as fit; otherwise main gets none, or all threads share one. */
static void choose_columns(rep_table *t)
{
    TD_ASSERT(t->columns > t->margin && t->threads.len == 0);
    uint32_t room = (t->columns - t->margin) / MIN_WIDTH;
    room = room < MAX_COLUMNS ? room : MAX_COLUMNS;
    t->main_apart = main_is_apart(t->slice);
    for (size_t i = 0; i < t->slice->steps.len; i++)
        add_sorted(&t->all_threads, t->slice->steps.at[i].thread);
    size_t n = t->all_threads.len;
    bool leave_main = n > room && n > 1 && t->main_apart && t->all_threads.at[0] == 0;
    for (size_t i = leave_main; i < n; i++)
        trc_u32_vec_push(&t->threads, t->all_threads.at[i]);
    n = t->threads.len;
    t->width = n > 0 && n <= room ? (t->columns - t->margin) / (uint32_t)n : 0;
}

static void add_heading(rep_table *t)
{
    td_text names = {0}, under = {0};
    rep_pad_to(&names, t->margin - 3, ' ');
    td_text_add(&names, "#");
    td_text_add(&under, " ");
    rep_pad_to(&under, t->margin - 1, '-');
    for (uint32_t i = 0; i < t->threads.len && t->width != 0; i++) {
        td_text name = {0};
        uint32_t start = t->margin + i * t->width;
        rep_print_thread_long(t->labels, t->threads.at[i], &name);
        rep_pad_to(&names, start, ' ');
        rep_put_cut(&names, name.at, t->width - 1, REP_CUT_RIGHT);
        rep_pad_to(&under, start, ' ');
        rep_pad_to(&under, start + t->width - 1, '-');
        td_text_fini(&name);
    }
    if (t->width == 0) {
        td_text_add(&names, "  thread: line and statement, indented by thread");
        rep_pad_to(&under, t->margin, ' ');
        rep_pad_to(&under, t->columns, '-');
    }
    add_row(t, REP_FAINT, 0, &names);
    add_row(t, REP_FAINT, 0, &under);
    td_text_fini(&names);
    td_text_fini(&under);
}

void rep_table_init(rep_table *t, rep_story *s, rep_labels *l, const rep_slice *c,
                    uint32_t columns)
{
    *t = (rep_table){.story = s, .labels = l, .slice = c, .columns = columns};
    t->margin = 5; /* "  1  " */
    for (size_t n = c->steps.len; n >= 1000; n /= 10)
        t->margin++;
    l->pointers.len = 0;
    l->twins = false;
    choose_columns(t);
    add_heading(t);
    TD_ASSERT(t->rows.len == REP_HEADING_ROWS);
    for (uint32_t k = 0; k < c->steps.len; k++) {
        add_switch(t, k);
        add_step(t, k);
    }
}

void rep_table_fini(rep_table *t)
{
    rep_rows_fini(&t->rows);
    trc_u32_vec_fini(&t->threads);
    trc_u32_vec_fini(&t->all_threads);
}
