/* SPDX-License-Identifier: Apache-2.0 */
/* The page about one finding. */
#include "report/report_int.h"

#include <inttypes.h>
#include <string.h>

#include "base/assert.h"

#define DEFAULT_COLUMNS 80u
#define MIN_COLUMNS 60u
#define MAX_DEADLOCK_ROWS 10u
#define MAX_THREAD_ROWS 3u
#define LABEL_WIDTH 11u
#define WHY_WRITES 2000u /* shown acts, from the end, looked at for an explanation ... */
#define WHY_NEAR 300u    /* ... and as many round each */

typedef struct page {
    const rep_finding *f;
    const det_finding *finding;
    uint32_t columns;
    bool full;
    rep_story story;
    rep_labels labels;
    rep_slice slice;
    rep_table table;
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
    const char *title = det_kind_title(p->finding->kind);
    td_text line = {0}, cut = {0};
    td_text_add(&line, "==treadle== BUG ");
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

/* Values the failing statement read: "   (balance = -1)". */
static void print_values(page *p, td_text *out)
{
    uint32_t n = 0;
    if (p->slice.steps.len == 0 || det_is_stuck(p->finding->kind))
        return;
    const rep_step *last = &p->slice.steps.at[p->slice.steps.len - 1];
    if (!last->fails)
        return;
    for (uint32_t i = 0; i < last->n && n < 3; i++) {
        const rep_act *a = &p->story.acts.at[p->slice.shown.at[last->first + i]];
        if ((a->kind != WIRE_NOTE_READ && a->kind != WIRE_LOAD) || a->size > 8 ||
            a->size == 0)
            continue;
        trc_site site = rep_act_site(&p->story, a);
        td_text_add(out, n++ == 0 ? "   (" : ", ");
        rep_print_object(&p->labels, a->object, out);
        td_text_add(out, " = ");
        rep_print_value(&p->labels, &site, a->size, a->value, out);
    }
    td_text_add(out, n > 0 ? ")" : "");
}

static void add_error(page *p)
{
    const det_finding *f = p->finding;
    td_text first = {0}, text = {0}, values = {0};
    td_text_add(&first, "%s:%u: error: ", f->file, f->line);
    td_text_add(&text, "%s", f->message);
    print_values(p, &values);
    if (first.len + text.len + values.len <= p->columns)
        td_text_add(&text, "%s", values.len > 0 ? values.at : "");
    rep_wrap(&p->top, REP_ERROR, (rep_lead){first.at, "    "}, text.at, p->columns);
    td_text_fini(&first);
    td_text_fini(&text);
    td_text_fini(&values);
}

static void add_schedule(page *p)
{
    td_text text = {0};
    uint32_t n = p->story.preemptions, shown = p->table.n_preemptions_shown;
    bool both = p->finding->kind == DET_RACE || det_is_stuck(p->finding->kind);
    size_t matter = p->table.all_threads.len;
    if (p->table.main_apart && !both && p->table.all_threads.at[0] == 0)
        matter--;
    td_text_add(&text, "%u preemption%s", n, plural(n));
    if (shown < n)
        td_text_add(&text, ", %u shown", shown);
    td_text_add(&text, "; %zu of %zu thread%s matter%s; %zu of %u steps shown", matter,
                p->story.run->threads.len, plural(p->story.run->threads.len),
                matter == 1 ? "s" : "", p->slice.steps.len - p->n_cut, p->slice.n_all);
    rep_wrap(&p->top, REP_PLAIN, (rep_lead){"SCHEDULE   ", NULL}, text.at, p->columns);
    td_text_fini(&text);
}

/* ---- deadlock ---- */

/* Tabs are blanks at which no line is broken. */
static void print_held(page *p, const rep_lock_vec *held, td_text *out)
{
    td_text_add(out, held->len == 0 ? "holds\tnothing" : "holds");
    for (size_t i = 0; i < held->len; i++) {
        trc_site site = rep_act_site(&p->story, &p->story.acts.at[held->at[i].act]);
        td_text_add(out, "%s\t", i > 0 ? " and" : "");
        rep_print_object(&p->labels, held->at[i].object, out);
        td_text_add(out, "\ttaken\t");
        rep_print_place(&site, out);
    }
    td_text_add(out, "  ");
}

static void print_wanted(page *p, const rep_act *a, td_text *out)
{
    trc_site site = rep_act_site(&p->story, a);
    if (a->wants == WIRE_JOIN) {
        td_text_add(out, "joins\t");
        rep_print_thread(a->other, out);
    } else {
        const char *what = det_wait_text(a->wants);
        td_text_add(out,
                    a->wants == WIRE_SPIN ? "reads\t%s"
                    : what[0] != '\0'     ? "waits\tfor\t%s"
                                          : "wants\t%s",
                    what);
        rep_print_object(&p->labels, a->object, out);
        td_text_add(out, a->wants == WIRE_SPIN ? "\tagain\tand\tagain" : "");
    }
    td_text_add(out, "\tat\t");
    rep_print_place(&site, out);
}

/* Width of the longest name among the threads that wait. */
static size_t names_width(page *p)
{
    size_t width = 0;
    for (size_t i = 0; i < p->story.acts.len; i++) {
        td_text name = {0};
        if (p->story.acts.at[i].kind != REP_WAITS)
            continue;
        rep_print_thread_long(&p->labels, p->story.acts.at[i].thread, &name);
        width = name.len > width ? name.len : width;
        td_text_fini(&name);
    }
    return width < 24 ? width : 24;
}

static void add_waiting_thread(page *p, const rep_act *a, size_t width)
{
    td_text name = {0}, text = {0};
    rep_lock_vec held = {0};
    td_text_add(&name, "  ");
    rep_print_thread_long(&p->labels, a->thread, &name);
    rep_pad_to(&name, width + 2, ' ');
    td_text_add(&name, "  ");
    rep_story_holds(&p->story, a->thread, (uint32_t)p->story.acts.len, &held);
    if (held.len > 0 || a->wants != WIRE_JOIN)
        print_held(p, &held, &text);
    print_wanted(p, a, &text);
    rep_wrap(&p->top, REP_PLAIN, (rep_lead){name.at, NULL}, text.at, p->columns);
    td_text_fini(&name);
    td_text_fini(&text);
    rep_lock_vec_fini(&held);
}

/* Who waits for whom: first those who want a lock, then those who join. */
static void add_deadlock(page *p)
{
    size_t start = p->top.len, left = 0, width = names_width(p);
    uint32_t n_threads = (uint32_t)p->story.run->threads.len;
    for (uint32_t k = 0; k < 2 * n_threads; k++)
        for (size_t i = 0; i < p->story.acts.len; i++) {
            const rep_act *a = &p->story.acts.at[i];
            if (a->kind != REP_WAITS || a->thread != k % n_threads ||
                (a->wants == WIRE_JOIN) != (k >= n_threads))
                continue;
            if (!p->full && p->top.len - start >= MAX_DEADLOCK_ROWS)
                left++;
            else
                add_waiting_thread(p, a, width);
        }
    if (left > 0) {
        td_text line = {0};
        td_text_add(&line, "  and %zu more thread%s", left, plural(left));
        add_line(&p->top, REP_PLAIN, &line);
        td_text_fini(&line);
    }
}

/* ---- data race ---- */

static void print_side_locks(const det_side *s, td_text *out)
{
    if (!s->locks_known)
        return;
    td_text_add(out, ";  %s", s->locks.len == 0 ? "holds\tnothing" : "holds");
    for (size_t i = 0; i < s->locks.len; i++) {
        const det_lock *l = &s->locks.at[i];
        td_text_add(out, "%s\t", i > 0 ? " and" : "");
        rep_put_clean(out, l->name[0] ? l->name : "?");
        td_text_add(out, "\ttaken\tat\t");
        rep_put_clean(out, rep_base_name(l->file));
        td_text_add(out, ":%u", l->line);
    }
}

/* "T1 producer  writes ring.tail (4 bytes) at ring.c:2 in producer; holds nothing" */
static void add_side(page *p, const det_side *s, size_t width)
{
    td_text name = {0}, text = {0};
    td_text_add(&name, "  ");
    rep_print_thread_long(&p->labels, s->thread, &name);
    rep_pad_to(&name, width + 2, ' ');
    td_text_add(&name, "  ");
    td_text_add(&text, "%s%s ", s->is_write ? "writes" : "reads",
                s->is_atomic ? " atomically" : "");
    rep_put_clean(&text, s->name[0] ? s->name : "memory");
    if (s->size > 0)
        td_text_add(&text, " (%u\tbyte%s)", s->size, plural(s->size));
    td_text_add(&text, " at\t");
    rep_put_clean(&text, rep_base_name(s->file));
    td_text_add(&text, ":%u in\t", s->line);
    rep_put_clean(&text, s->function);
    print_side_locks(s, &text);
    rep_wrap(&p->top, REP_PLAIN, (rep_lead){name.at, NULL}, text.at, p->columns);
    td_text_fini(&name);
    td_text_fini(&text);
}

/* The earlier access first, as in the table. */
static void add_sides(page *p)
{
    const det_side *sides = p->finding->sides;
    size_t width = 0;
    for (size_t i = 0; i < 2; i++) {
        td_text name = {0};
        rep_print_thread_long(&p->labels, sides[i].thread, &name);
        width = name.len > width ? name.len : width;
        td_text_fini(&name);
    }
    for (size_t i = 0; i < 2; i++)
        add_side(p, &sides[i], width < 24 ? width : 24);
}

/* ---- below the table ---- */

typedef struct hidden {
    uint64_t n_mutex, n_other, n_thread, n_plain, n_atomic, n_decide, n_mark;
    uint64_t mutex; /* the only one, if one_mutex */
    bool one_mutex, contended;
} hidden;

static hidden count_hidden(const rep_story *s)
{
    hidden h = {.one_mutex = true};
    for (size_t i = 0; i < s->acts.len; i++) {
        const rep_act *a = &s->acts.at[i];
        if (a->step != 0)
            continue;
        if (rep_act_on_mutex(a)) {
            h.one_mutex = h.one_mutex && (h.n_mutex == 0 || h.mutex == a->object);
            h.mutex = a->object;
            h.contended = h.contended || a->contended;
            h.n_mutex++;
        } else if (rep_act_on_object(a)) {
            h.n_other++;
        } else if (a->kind == WIRE_NOTE_READ || a->kind == WIRE_NOTE_WRITE ||
                   a->kind == REP_FREES) {
            h.n_plain++;
        } else if (rep_act_reads(a) || rep_act_writes(a) ||
                   a->kind == WIRE_ATOMIC_BEGIN || a->kind == WIRE_ATOMIC_END) {
            h.n_atomic++;
        } else if (a->kind == WIRE_DECIDE) {
            h.n_decide++;
        } else if (rep_act_is_mark(a)) {
            h.n_mark++;
        } else if (a->kind != REP_WAITS) {
            h.n_thread++;
        }
    }
    return h;
}

static void print_part(td_text *out, uint64_t n, const char *what)
{
    if (n == 0)
        return;
    td_text_add(out, "%s", out->len > 0 ? ", " : "");
    rep_print_count(n, out);
    td_text_add(out, "\t%s", what);
}

static void add_hidden(page *p)
{
    hidden h = count_hidden(&p->story);
    td_text text = {0}, lock = {0};
    td_text_add(&lock, "lock/unlock");
    if (h.n_mutex > 0 && h.one_mutex) {
        td_text_add(&lock, " of '");
        rep_print_object(&p->labels, h.mutex, &lock);
        td_text_add(&lock, "'");
    }
    td_text_add(&lock, h.contended ? "" : " without contention");
    print_part(&text, h.n_mutex, lock.at);
    print_part(&text, h.n_other, "wait/signal/post");
    print_part(&text, h.n_atomic, h.n_atomic == 1 ? "atomic access" : "atomic accesses");
    print_part(&text, h.n_plain, h.n_plain == 1 ? "plain access" : "plain accesses");
    print_part(&text, h.n_thread, "create/join/exit");
    print_part(&text, h.n_decide,
               h.n_decide == 1 ? "decision by inputs" : "decisions by inputs");
    print_part(&text, h.n_mark, h.n_mark == 1 ? "mark" : "marks of operations");
    if (text.len > 0) {
        td_text_add(&text, " (treadle\tshow\t--full)");
        rep_wrap(&p->bottom, REP_FAINT, (rep_lead){" Hidden: ", " "}, text.at,
                 p->columns);
    }
    td_text_fini(&text);
    td_text_fini(&lock);
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
                 "the second object of the name 'x'", p->columns);
}

/* ---- why ---- */

/* A write of another thread between two accesses of one: indices in slice.shown. */
typedef struct between {
    uint32_t before, write, after;
} between;

static const rep_act *shown_act(const page *p, uint32_t i)
{
    return &p->story.acts.at[p->slice.shown.at[i]];
}

/* The last such write of a value that the first access had not seen. */
static bool find_between(const page *p, uint32_t w, between *out)
{
    const rep_act *write = shown_act(p, w);
    uint32_t n = (uint32_t)p->slice.shown.len;
    uint32_t first = w > WHY_NEAR ? w - WHY_NEAR : 0;
    for (uint32_t k = w + 1; k < n && k < w + WHY_NEAR; k++) {
        const rep_act *after = shown_act(p, k);
        if (after->object != write->object || after->thread == write->thread)
            continue;
        for (uint32_t i = w; i-- > first;) {
            const rep_act *before = shown_act(p, i);
            if (before->object != write->object || before->thread != after->thread)
                continue;
            if (rep_act_reads(before) && !rep_act_writes(before) &&
                before->value != write->value && !(before->kind == WIRE_CAS_FAIL)) {
                *out = (between){i, w, k};
                return true;
            }
            break;
        }
    }
    return false;
}

/* A cas succeeds because the value is again what was read before. */
static void print_aba(page *p, const between *b, td_text *out)
{
    const rep_act *before = shown_act(p, b->before), *after = shown_act(p, b->after);
    rep_print_object(&p->labels, before->object, out);
    td_text_add(out, " changes between ");
    rep_print_thread(before->thread, out);
    td_text_add(out, "'s read (#%u) and ", before->step);
    rep_print_thread(after->thread, out);
    td_text_add(out,
                "'s cas (#%u), but has its old value again by then: the cas succeeds"
                " (ABA).",
                after->step);
}

static void print_between(page *p, const between *b, td_text *out)
{
    const rep_act *before = shown_act(p, b->before), *write = shown_act(p, b->write);
    const rep_act *after = shown_act(p, b->after);
    bool lost = rep_act_writes(after) && !rep_act_reads(after);
    const char *what = lost                           ? "write"
                       : after->kind == WIRE_RMW      ? "update"
                       : rep_act_writes(after)        ? "cas"
                       : after->kind == WIRE_CAS_FAIL ? "cas"
                                                      : "next read";
    if (after->kind == WIRE_CAS && after->old == before->value) {
        print_aba(p, b, out);
        return;
    }
    rep_print_thread(write->thread, out);
    td_text_add(out, "'s write of ");
    rep_print_object(&p->labels, write->object, out);
    td_text_add(out, " at #%u falls between ", write->step);
    rep_print_thread(before->thread, out);
    td_text_add(out, "'s read (#%u) and ", before->step);
    rep_print_thread(after->thread, out);
    td_text_add(out, "'s %s (#%u)%s.", what, after->step, lost ? ", and is lost" : "");
}

static bool has_race(const trc *t)
{
    for (size_t i = 0; i < t->fails.len; i++)
        if (t->fails.at[i].kind == WIRE_FAIL_RACE)
            return true;
    return false;
}

/* The last write that came between; false: there is none, or the finding needs none. */
static bool find_why(const page *p, between *out)
{
    det_kind kind = p->finding->kind;
    if (kind != DET_ASSERT && kind != DET_ABORT && kind != DET_CRASH &&
        kind != DET_EXIT && kind != DET_LINEAR)
        return false;
    uint32_t n = (uint32_t)p->slice.shown.len;
    uint32_t first = n > WHY_WRITES ? n - WHY_WRITES : 0;
    for (uint32_t w = n; w-- > first;)
        if (rep_act_writes(shown_act(p, w)) && find_between(p, w, out))
            return true;
    return false;
}

/* The last act of one of two kinds on an object before act end; REP_NONE. thread: only of that one;
 * REP_NONE: of any. */
static uint32_t last_act(const rep_story *s, uint64_t object, uint8_t kind,
                         uint8_t or_kind, uint32_t thread, uint32_t end)
{
    for (uint32_t i = end; i-- > 0;) {
        const rep_act *a = &s->acts.at[i];
        if (a->object == object && (a->kind == kind || a->kind == or_kind) &&
            (thread == REP_NONE || a->thread == thread))
            return i;
    }
    return REP_NONE;
}

static void print_signal(page *p, const rep_act *a, td_text *out)
{
    trc_site site = rep_act_site(&p->story, a);
    rep_print_thread(a->thread, out);
    td_text_add(out, "'s\t%s at\t", trc_kind_text(a->kind));
    rep_print_place(&site, out);
}

/* A thread waits for a signal that came too early, or never. */
static bool print_lost(page *p, td_text *out)
{
    const rep_story *s = &p->story;
    uint32_t w = 0, n = (uint32_t)s->acts.len;
    while (w < n &&
           !(s->acts.at[w].kind == REP_WAITS && s->acts.at[w].wants == WIRE_COND_WAKE))
        w++;
    if (p->finding->kind != DET_DEADLOCK || w == n)
        return false;
    const rep_act *wait = &s->acts.at[w];
    uint32_t began = last_act(s, wait->object, WIRE_COND_WAIT, 0, wait->thread, n);
    uint32_t early = last_act(s, wait->object, WIRE_SIGNAL, WIRE_BROADCAST, REP_NONE,
                              began == REP_NONE ? 0 : began);
    if (early != REP_NONE) {
        print_signal(p, &s->acts.at[early], out);
        td_text_add(out, " came before ");
        rep_print_thread(wait->thread, out);
        td_text_add(out, " waited: a signal wakes only who waits already.");
    }
    td_text_add(out, "%sNobody is left to signal '", early != REP_NONE ? " " : "");
    rep_print_object(&p->labels, wait->object, out);
    td_text_add(out, "'.");
    return true;
}

static void add_why(page *p)
{
    between b;
    td_text text = {0};
    bool found = find_why(p, &b);
    bool has_history = p->finding->why != NULL && p->finding->why[0] != '\0';
    rep_add_history_why(&p->bottom, p->finding, p->columns);
    if (found) {
        print_between(p, &b, &text);
        if (!has_race(p->story.run))
            td_text_add(&text, " No data race.");
    } else if (!print_lost(p, &text)) {
        return;
    }
    const char *lead = has_history ? "           " : "WHY        ";
    rep_wrap(&p->bottom, REP_PLAIN, (rep_lead){lead, NULL}, text.at, p->columns);
    td_text_fini(&text);
}

/* ---- threads ---- */

/* "T1 created at bank.c:35 in main", then shorter ", T2 at bank.c:36". */
static void print_created(page *p, uint32_t thread, const char **function, td_text *out)
{
    const trc_thread *t = &p->story.run->threads.at[thread];
    trc_site site = p->story.names->site(p->story.names->ctx, t->create_site);
    td_text_add(out, "%s", out->len > 0 ? ", " : "");
    td_text name = {0};
    if (p->table.width != 0)
        rep_print_thread(thread, &name);
    else
        rep_print_thread_long(&p->labels, thread, &name);
    for (char *c = name.at; *c != '\0'; c++)
        td_text_put(out, *c == ' ' ? "\t" : c, 1);
    td_text_fini(&name);
    if (site.line == 0)
        return;
    td_text_add(out, *function == NULL ? "\tcreated\tat\t" : "\tat\t");
    rep_print_place(&site, out);
    if (*function == NULL || strcmp(*function, site.function) != 0) {
        td_text_add(out, "\tin\t");
        rep_put_clean(out, site.function);
    }
    *function = site.function;
}

static void add_created(page *p)
{
    const char *function = NULL;
    uint32_t left = 0;
    td_text text = {0};
    for (size_t i = 0; i < p->table.all_threads.len; i++) {
        uint32_t thread = p->table.all_threads.at[i];
        if (thread == 0)
            continue;
        if (!p->full && text.len > (MAX_THREAD_ROWS - 1) * (p->columns - LABEL_WIDTH))
            left++;
        else
            print_created(p, thread, &function, &text);
    }
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

/* ---- what to do next ---- */

static void add_command(page *p, const char *label, const char *before, const char *what,
                        const char *after)
{
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
                                        p->story.acts.at[k].wants == WIRE_LOCK &&
                                        p->story.acts.at[k].object == lock->object);
        if (!waited_for)
            continue;
        td_text_add(out, n++ == 0 ? " (" : ", ");
        rep_print_object(&p->labels, lock->object, out);
    }
    td_text_add(out, n > 0 ? ")" : "");
}

static void add_summary(page *p)
{
    const det_finding *f = p->finding;
    td_text line = {0}, cut = {0};
    td_text_add(&line, "SUMMARY: treadle: %s %s:%u in %s", det_kind_title(f->kind),
                rep_base_name(f->file), f->line, f->function);
    if (f->other_file != NULL)
        td_text_add(&line, " / %s:%u in %s", rep_base_name(f->other_file), f->other_line,
                    f->other_function != NULL ? f->other_function : "?");
    else if (det_is_stuck(f->kind))
        print_locks(p, &line);
    else
        td_text_add(&line, " (%u preemption%s)", p->story.preemptions,
                    plural(p->story.preemptions));
    rep_put_cut(&cut, line.at, p->columns, REP_CUT_RIGHT);
    add_line(&p->bottom, REP_ERROR, &cut);
    td_text_fini(&line);
    td_text_fini(&cut);
}

/* ---- page ---- */

static void build_bottom(page *p)
{
    static const td_text blank = {0};
    add_hidden(p);
    add_legend(p);
    add_line(&p->bottom, REP_PLAIN, &blank);
    add_why(p);
    add_created(p);
    add_others(p);
    add_commands(p);
    add_summary(p);
}

static void build_top(page *p)
{
    static const td_text blank = {0};
    add_title(p);
    add_error(p);
    if (det_is_stuck(p->finding->kind))
        add_deadlock(p);
    if (p->finding->sides != NULL)
        add_sides(p);
    add_line(&p->top, REP_PLAIN, &blank);
    rep_add_history(&p->top, p->finding, p->columns, p->full);
    rep_add_inputs(&p->top, &p->f->inputs, p->columns, p->full);
    add_schedule(p);
    add_line(&p->top, REP_PLAIN, &blank);
}

static void build(page *p, rep_level level)
{
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

/* Shows as much as fits. */
static void build_to_fit(page *p)
{
    build(p, REP_WIDE);
    if (p->top.len + p->table.rows.len + p->bottom.len <= REP_MAX_LINES)
        return;
    unbuild(p);
    build(p, REP_NARROW);
    uint32_t others = (uint32_t)(p->top.len + p->bottom.len);
    uint32_t room = REP_MAX_LINES > others + 10 ? REP_MAX_LINES - others : 10;
    between b;
    uint32_t keys[3], n_keys = 0;
    if (find_why(p, &b)) {
        keys[n_keys++] = shown_act(p, b.after)->step - 1;
        keys[n_keys++] = shown_act(p, b.write)->step - 1;
        keys[n_keys++] = shown_act(p, b.before)->step - 1;
    }
    p->n_cut = rep_table_cut(&p->table, room, keys, n_keys);
    if (p->n_cut > 0) {
        rep_rows_fini(&p->top);
        build_top(p);
    }
}

static char *text_or(char *text, char *otherwise)
{
    return text != NULL ? text : otherwise;
}

void rep_finding_print(const rep_finding *f, const rep_names *names, const rep_opts *opts,
                       td_text *out)
{
    char unknown[] = "?";
    det_finding finding = *f->finding;
    finding.file = text_or(finding.file, unknown);
    finding.function = text_or(finding.function, unknown);
    finding.message = text_or(finding.message, unknown);
    if (finding.thread >= f->run->threads.len)
        finding.thread = 0;
    rep_finding copy = *f;
    copy.finding = &finding;

    page p = {.f = &copy, .finding = &finding, .full = opts->full};
    p.columns = opts->columns == 0 ? DEFAULT_COLUMNS : opts->columns;
    if (p.columns < MIN_COLUMNS)
        p.columns = MIN_COLUMNS;
    rep_story_init(&p.story, p.f, names);
    rep_labels_init(&p.labels, &p.story);
    if (p.full)
        build(&p, REP_ALL);
    else
        build_to_fit(&p);
    rep_rows_print(&p.top, opts->colour, out);
    rep_rows_print(&p.table.rows, opts->colour, out);
    rep_rows_print(&p.bottom, opts->colour, out);
    unbuild(&p);
    rep_labels_fini(&p.labels);
    rep_story_fini(&p.story);
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

rep_names rep_names_of(trc_sites *sites)
{
    return (rep_names){sites, real_site, real_function, real_object, real_source};
}

void rep_finding_text(const rep_finding *f, const rep_opts *opts, td_text *out)
{
    rep_names names = rep_names_of(f->sites);
    rep_finding_print(f, &names, opts, out);
}
