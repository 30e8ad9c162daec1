/* SPDX-License-Identifier: Apache-2.0 */
/* The table: time runs down, a column per thread. One thread is in a row, so the text of
 * an act may run over the columns to the right of its own. */
#include "report/report_int.h"

#include <inttypes.h>
#include <string.h>

#include "base/assert.h"

#define MIN_WIDTH 30u /* of a column */
#define MAX_COLUMNS 4u
#define LOOK_BACK 300u /* shown acts */

/* ---- acts ---- */

static const char *order_text(uint8_t order)
{
    switch (order) {
    case __ATOMIC_RELAXED:
        return ".rlx";
    case __ATOMIC_CONSUME:
        return ".con";
    case __ATOMIC_ACQUIRE:
        return ".acq";
    case __ATOMIC_RELEASE:
        return ".rel";
    case __ATOMIC_ACQ_REL:
        return ".acq_rel";
    default:
        return "";
    }
}

static bool is_plain(const rep_act *a)
{
    return a->kind == WIRE_NOTE_READ || a->kind == WIRE_NOTE_WRITE;
}

/* What the thread saw in the object the last time it looked, if it did not write it since:
 * a shown read, or NULL. i is an index in slice.shown. */
static const rep_act *seen_before(const rep_table *t, uint32_t i)
{
    const rep_act *a = &t->story->acts.at[t->slice->shown.at[i]];
    for (uint32_t k = i, n = 0; k-- > 0 && n < LOOK_BACK; n++) {
        const rep_act *b = &t->story->acts.at[t->slice->shown.at[k]];
        if (b->thread != a->thread || b->object != a->object || b->size != a->size)
            continue;
        if (rep_act_writes(b))
            return NULL;
        if (rep_act_reads(b))
            return b;
    }
    return NULL;
}

static void print_write(rep_table *t, uint32_t i, const rep_act *a, const trc_site *site,
                        td_text *out)
{
    td_text_add(out, " = ");
    rep_print_value(t->labels, site, a->size, a->value, out);
    if (a->size == 0 || a->size > 8)
        return;
    td_text_add(out, " (was ");
    rep_print_value(t->labels, site, a->size, a->old, out);
    const rep_act *seen = seen_before(t, i);
    if (seen != NULL && seen->value != a->old && seen->step != a->step) {
        td_text_add(out, ", not ");
        rep_print_value(t->labels, site, a->size, seen->value, out);
        td_text_add(out, " as read at #%u", seen->step);
    }
    td_text_add(out, ")");
}

static void print_memory(rep_table *t, uint32_t i, const rep_act *a, td_text *out)
{
    trc_site site = rep_act_site(t->story, a);
    if (a->kind == WIRE_CAS || a->kind == WIRE_CAS_FAIL)
        td_text_add(out, "cas ");
    rep_print_object(t->labels, a->object, out);
    td_text_add(out, "%s", is_plain(a) ? "" : order_text(a->order));
    if (a->no_value) {
        td_text_add(out, a->kind == WIRE_NOTE_WRITE ? " is written" : " is read");
    } else if (a->kind == WIRE_CAS_FAIL) {
        td_text_add(out, " failed, saw ");
        rep_print_value(t->labels, &site, a->size, a->value, out);
    } else if (a->kind == WIRE_RMW || a->kind == WIRE_CAS) {
        td_text_add(out, " ");
        rep_print_value(t->labels, &site, a->size, a->old, out);
        td_text_add(out, " -> ");
        rep_print_value(t->labels, &site, a->size, a->value, out);
        td_text_add(out, "%s", a->kind == WIRE_CAS ? " ok" : "");
    } else if (rep_act_writes(a)) {
        print_write(t, i, a, &site, out);
    } else {
        td_text_add(out, " -> ");
        rep_print_value(t->labels, &site, a->size, a->value, out);
    }
}

static void print_wait(rep_table *t, const rep_act *a, td_text *out)
{
    if (a->wants == WIRE_JOIN) {
        td_text_add(out, "join  WAITS");
    } else if (a->wants == WIRE_SPIN) {
        rep_print_object(t->labels, a->object, out);
        td_text_add(out, " again and again  WAITS");
    } else {
        bool wakes = det_wait_text(a->wants)[0] != '\0';
        td_text_add(out, "%s ", wakes ? "waits at" : trc_kind_text(a->wants));
        rep_print_object(t->labels, a->object, out);
        td_text_add(out, wakes ? "  FOR EVER" : "  WAITS");
    }
    if (a->other == a->thread) {
        td_text_add(out, " for itself");
    } else if (a->other != REP_NONE) {
        td_text_add(out, " for ");
        rep_print_thread(a->other, out);
    }
}

static void print_mutex(rep_table *t, const rep_act *a, td_text *out)
{
    td_text_add(out, "%s ",
                a->kind == WIRE_TRYLOCK_BUSY ? "trylock" : trc_kind_text(a->kind));
    rep_print_object(t->labels, a->object, out);
    if (a->kind == WIRE_LOCK || a->kind == WIRE_TRYLOCK || a->kind == WIRE_WRLOCK ||
        a->kind == WIRE_RDLOCK)
        td_text_add(out, "  got it");
    if (a->kind >= WIRE_SEM_WAIT && a->kind <= WIRE_SEM_VALUE)
        td_text_add(out, " -> %" PRIu64, a->value);
    if (a->kind == WIRE_TRYLOCK_BUSY) {
        td_text_add(out, "  busy: held by ");
        rep_print_thread((uint32_t)a->value, out);
    }
}

/* The result of a call, as its manual page calls it. */
static void print_result(int32_t result, td_text *out)
{
    bool is_error = result < 0 && result != WIRE_FD_WAITS;
    const char *name = is_error ? strerrorname_np(-result) : NULL;
    if (result == WIRE_FD_WAITS)
        td_text_add(out, "  has to wait");
    else if (name != NULL)
        td_text_add(out, " -> %s", name);
    else
        td_text_add(out, " -> %d", result);
}

static void print_descriptor(const rep_act *a, td_text *out)
{
    static const char *const calls[WIRE_N_FD_CALLS] = {
#define X(name, text) [WIRE_FD_CALL_##name] = text,
        WIRE_FD_CALLS(X)
#undef X
    };
    int32_t fd = (int32_t)(uint32_t)a->value;
    td_text_add(out, "%s", a->size < WIRE_N_FD_CALLS ? calls[a->size] : "call");
    if (fd >= 0)
        td_text_add(out, a->size == WIRE_FD_CALL_OPEN ? " -> %d" : " %d", fd);
    if (fd < 0 || a->size != WIRE_FD_CALL_OPEN)
        print_result((int32_t)(uint32_t)(a->value >> 32), out);
}

static void print_futex(rep_table *t, const rep_act *a, td_text *out)
{
    td_text_add(out, "%s ", trc_kind_text(a->kind));
    rep_print_object(t->labels, a->object, out);
    if (a->kind == WIRE_FUTEX_WAKE)
        td_text_add(out, "  wakes %" PRIu64, a->value);
    else if (a->kind != WIRE_FUTEX_WOKEN)
        td_text_add(out, " is %" PRId32, (int32_t)(uint32_t)a->value);
}

static void print_decision(rep_table *t, const rep_act *a, td_text *out)
{
    const rep_decisions *d = &t->story->f->decisions;
    td_text text = {0};
    if (d->print != NULL)
        d->print(d->ctx, a->op, &text);
    td_text_add(out, "decides");
    if (text.len > 0) {
        td_text_add(out, " ");
        rep_put_clean(out, text.at);
    }
    td_text_fini(&text);
}

/* "push(1) begins", "pop() = 1 ends". */
static void print_mark(const rep_table *t, const rep_act *a, td_text *out)
{
    const det_finding *f = t->story->f->finding;
    if (a->call >= f->n_calls) {
        td_text_add(out, "%s", trc_kind_text(a->kind));
        return;
    }
    bool begins = a->kind == WIRE_OP_BEGIN;
    td_text name = {0};
    const char *text = f->calls[a->call].text, *result = strstr(text, ") = ");
    td_text_put(&name, text,
                begins && result ? (size_t)(result - text) + 1 : strlen(text));
    rep_put_clean(out, name.at);
    td_text_add(out, begins ? " begins" : " ends");
    td_text_fini(&name);
}

static void print_act(rep_table *t, uint32_t i, td_text *out)
{
    const rep_act *a = &t->story->acts.at[t->slice->shown.at[i]];
    if (a->kind == REP_WAITS)
        print_wait(t, a, out);
    else if (WIRE_IS_FDS(a->object))
        print_descriptor(a, out);
    else if (rep_act_on_object(a))
        print_mutex(t, a, out);
    else if (rep_act_on_futex(a))
        print_futex(t, a, out);
    else if (rep_act_reads(a) || rep_act_writes(a))
        print_memory(t, i, a, out);
    else if (a->kind == WIRE_DECIDE)
        print_decision(t, a, out);
    else if (rep_act_is_mark(a))
        print_mark(t, a, out);
    else if (a->kind == REP_FREES)
        td_text_add(out, "the block is freed");
    else
        td_text_add(out, "%s", trc_kind_text(a->kind));
    if (a->kind == WIRE_CREATE || a->kind == WIRE_JOIN || a->kind == WIRE_CANCEL) {
        td_text_add(out, " ");
        rep_print_thread((uint32_t)a->value, out);
    }
    if (a->kind == WIRE_KILL && a->value != WIRE_NO_THREAD) {
        td_text_add(out, " ");
        rep_print_thread((uint32_t)a->value, out);
    }
    if (a->kind == WIRE_KILL)
        td_text_add(out, " with signal %u", a->size);
    if (a->kind == WIRE_EXIT)
        td_text_add(out, " %" PRIu64, a->value);
}

/* Where a value came from: "  <== #3 T2", if another thread wrote it. */
static void print_from(const rep_table *t, const rep_act *a, td_text *out)
{
    if (a->from == REP_NONE)
        return;
    const rep_act *w = &t->story->acts.at[a->from];
    if (w->thread == a->thread || w->set_up)
        return;
    td_text_add(out, "  <== ");
    if (w->step != 0)
        td_text_add(out, "#%u ", w->step);
    rep_print_thread(w->thread, out);
}

/* " (T1 had seen 100 at #1)". */
static void print_seen(rep_table *t, uint32_t i, td_text *out)
{
    const rep_act *a = &t->story->acts.at[t->slice->shown.at[i]];
    const rep_act *seen = seen_before(t, i);
    bool reads = a->kind == WIRE_NOTE_READ || a->kind == WIRE_LOAD;
    if (!reads || seen == NULL || a->no_value || seen->step == a->step)
        return;
    uint64_t before = seen->value;
    if (before == a->value || a->size > 8)
        return;
    trc_site site = rep_act_site(t->story, a);
    td_text_add(out, " (");
    rep_print_thread(a->thread, out);
    td_text_add(out, " had seen ");
    rep_print_value(t->labels, &site, a->size, before, out);
    td_text_add(out, " at #%u)", seen->step);
}

/* ---- rows ---- */

/* Where the rows of a step go. */
typedef struct place {
    uint32_t start;  /* column of the statement */
    uint32_t width;  /* room for the statement */
    uint32_t indent; /* column of the acts */
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

/* "39 " or "log.c:39 "; a thread without a column of its own is named. */
static void print_line_number(const rep_table *t, const rep_step *step, td_text *out)
{
    if (t->width == 0 || index_of(&t->threads, step->thread) == REP_NONE) {
        rep_print_thread(step->thread, out);
        td_text_add(out, ": ");
    }
    if (strcmp(step->file, t->story->f->finding->file) != 0)
        rep_put_cut(out, rep_base_name(step->file), 20, REP_CUT_LEFT);
    if (strcmp(step->file, t->story->f->finding->file) != 0 && step->line != 0)
        td_text_add(out, ":");
    if (step->line != 0)
        td_text_add(out, "%u", step->line);
    td_text_add(out, " ");
}

static place place_of(const rep_table *t, const rep_step *step, size_t number_width)
{
    uint32_t column = index_of(&t->threads, step->thread);
    place p = {.start = t->margin};
    if (t->width == 0)
        p.start += 2 * (index_of(&t->all_threads, step->thread) % 8);
    else if (column != REP_NONE)
        p.start += column * t->width;
    p.width = t->columns - p.start;
    if (t->width != 0 && column + 1 == t->threads.len)
        p.width = t->width - 1;
    p.indent = p.start + (uint32_t)number_width + 2;
    if (p.indent > p.start + MIN_WIDTH / 2)
        p.indent = p.start + MIN_WIDTH / 2;
    return p;
}

static const char *source_of(const rep_table *t, const rep_step *step)
{
    const rep_names *names = t->story->names;
    const char *text = names->source(names->ctx, step->file, step->line);
    return text != NULL ? text : "(no source text)";
}

/* The statement; on its right the function, unless it is the thread's own. */
static void add_statement(rep_table *t, uint32_t k)
{
    const rep_step *step = &t->slice->steps.at[k];
    td_text line = {0}, number = {0}, function = {0};
    print_line_number(t, step, &number);
    place p = place_of(t, step, number.len);
    if (strcmp(step->function, rep_thread_function(t->labels, step->thread)) != 0) {
        td_text_add(&function, "  in ");
        rep_put_cut(&function, step->function, MIN_WIDTH / 2, REP_CUT_RIGHT);
    }
    td_text_add(&line, "%*u", (int)t->margin - 2, k + 1);
    rep_pad_to(&line, p.start, ' ');
    td_text_put(&line, number.at, number.len);
    uint32_t end = p.start + p.width - (uint32_t)function.len;
    rep_put_cut(&line, source_of(t, step), end > line.len ? end - line.len : 0,
                REP_CUT_RIGHT);
    if (function.len > 0)
        td_text_put(&line, function.at, function.len);
    add_row(t, REP_SOURCE, k, &line);
    td_text_fini(&line);
    td_text_fini(&number);
    td_text_fini(&function);
}

/* A row below the statement; more follows text where there is room. */
static void add_detail(rep_table *t, uint32_t k, const place *p, const td_text *text,
                       const td_text *more)
{
    td_text line = {0};
    uint32_t room = t->columns - p->indent;
    rep_pad_to(&line, p->indent, ' ');
    rep_put_cut(&line, text->at, room, REP_CUT_RIGHT);
    if (more->len > 0 && line.len + more->len <= t->columns)
        td_text_put(&line, more->at, more->len);
    add_row(t, REP_PLAIN, k, &line);
    td_text_fini(&line);
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
    add_detail(t, k, p, &text, &none);
    td_text_fini(&text);
    rep_lock_vec_fini(&held);
}

/* Acts in a row that read the same are one row with a count. */
static uint32_t count_alike(rep_table *t, uint32_t first, uint32_t end)
{
    td_text a = {0}, b = {0};
    uint32_t n = 1;
    print_act(t, first, &a);
    for (; first + n < end; n++) {
        td_text_clear(&b);
        print_act(t, first + n, &b);
        if (strcmp(a.at, b.at) != 0)
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
    uint32_t n = count_alike(t, i, step->first + step->n);
    td_text text = {0}, more = {0};
    print_act(t, i, &text);
    print_from(t, &t->story->acts.at[act], &text);
    if (n > 1)
        td_text_add(&text, "  x%u", n);
    else
        print_seen(t, i, &more);
    add_detail(t, k, p, &text, &more);
    td_text_fini(&text);
    td_text_fini(&more);
    bool of_race = act == t->story->race[0] || act == t->story->race[1];
    if (of_race && t->story->f->finding->sides == NULL)
        add_holds(t, k, p, act);
    return n;
}

static void add_mark(rep_table *t, uint32_t k)
{
    const char *mark =
        det_is_stuck(t->story->f->finding->kind) ? "<<< NOBODY RUNS" : "<<< FAILS HERE";
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

static void add_step(rep_table *t, uint32_t k)
{
    const rep_step *step = &t->slice->steps.at[k];
    td_text number = {0};
    print_line_number(t, step, &number);
    place p = place_of(t, step, number.len);
    td_text_fini(&number);
    add_statement(t, k);
    for (uint32_t i = 0; i < step->n;)
        i += add_act(t, k, &p, step->first + i);
    if (step->fails)
        add_mark(t, k);
}

/* ---- switches ---- */

/* The operation after which the thread of an act made place for another, REP_NONE. */
static uint32_t leaving_op(const rep_story *s, const rep_act *a)
{
    const trc_op_vec *ops = &s->run->ops;
    uint32_t i = a->kind < WIRE_N_OPS ? a->op : a->op - 1;
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
        i = a->kind < WIRE_N_OPS ? a->op : a->op - 1;
    }
    if (i >= s->n_ops || s->run->ops.at[i].thread != step->thread)
        return REP_NONE;
    while (i > 0 && s->run->ops.at[i - 1].thread == step->thread)
        i--;
    return i - 1; /* of 0: REP_NONE */
}

/* Between two operations a thread is not interrupted, so it stops before its next one. */
static void print_stop_place(const rep_story *s, uint32_t op, td_text *out)
{
    uint32_t thread = s->run->ops.at[op].thread;
    rep_act next;
    bool known = rep_story_next(s, thread, op, &next);
    trc_site before = known ? rep_act_site(s, &next) : (trc_site){.line = 0};
    trc_site after = s->names->site(s->names->ctx, s->run->ops.at[op].site);
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
    print_stop_place(t->story, op, out);
    td_text_add(out, "; ");
    t->n_preemptions_shown++;
}

/* Why a thread stopped after an operation. */
static void print_leave(rep_table *t, uint32_t op, td_text *out)
{
    const rep_story *s = t->story;
    uint32_t thread = s->run->ops.at[op].thread;
    rep_act next;
    switch ((rep_stop)s->stops.at[op]) {
    case REP_PREEMPTED:
        print_preempted(t, op, out);
        break;
    case REP_ENDED:
        rep_print_thread(thread, out);
        td_text_add(out, " returns; ");
        break;
    case REP_WAITS_LOCK:
    case REP_WAITS_JOIN:
        rep_print_thread(thread, out);
        td_text_add(out, " waits");
        if (rep_story_next(s, thread, op, &next)) {
            td_text_add(out, " for ");
            if (next.kind == WIRE_JOIN)
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

/* What made place for step k: the thread of the step before it, or one that is not shown.
 */
static rep_tone print_switch(rep_table *t, uint32_t k, td_text *out)
{
    const rep_story *s = t->story;
    const rep_step *from = k > 0 ? &t->slice->steps.at[k - 1] : NULL;
    uint32_t before = op_before_entry(t, &t->slice->steps.at[k]), leaving = REP_NONE;
    uint32_t n_shown = t->n_preemptions_shown;
    bool taken = before < s->n_ops && s->stops.at[before] == REP_PREEMPTED;
    if (from != NULL && from->n > 0) {
        const rep_act *last = &s->acts.at[t->slice->shown.at[from->first + from->n - 1]];
        leaving = leaving_op(s, last);
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
        td_text_add(&text, was_shown(t, to->thread, k) ? " goes on" : " runs");
    }
    if (from != NULL || tone == REP_SWITCH)
        add_rule(t, tone, k, &text);
    td_text_fini(&text);
}

/* ---- columns ---- */

static void add_sorted(trc_u32_vec *v, uint32_t item)
{
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

/* As many columns as there is room for; then main goes without, then all share one. */
static void choose_columns(rep_table *t)
{
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

/* ---- cutting ---- */

#define HEADING_ROWS 2u
#define STEP_ROWS 7u /* of a step once it is cut: its start and its end */

/* Rows of the table by step, and which of the steps stay. */
typedef struct cutting {
    uint32_t n_steps;
    uint32_t *n_rows; /* per step */
    bool *keep;       /* per step */
    uint32_t n_used;  /* rows of the steps that stay, and one for each gap */
    uint32_t max;
} cutting;

static void push_gap(rep_row_vec *out, uint32_t indent, uint32_t n, const char *what)
{
    td_text line = {0};
    rep_pad_to(&line, indent, ' ');
    td_text_add(&line, "... %u %s%s ...", n, what, n == 1 ? "" : "s");
    rep_rows_push(out, REP_FAINT, line.at);
    td_text_fini(&line);
}

static uint32_t indent_of(const rep_row *row)
{
    return (uint32_t)strspn(row->text, " ");
}

/* Takes the rows of one step out of its middle. */
static void cut_step(rep_row_vec *rows, size_t first, size_t n, rep_row_vec *out)
{
    size_t head = n > STEP_ROWS ? STEP_ROWS / 2 : n;
    size_t tail = n > STEP_ROWS ? n - (STEP_ROWS - STEP_ROWS / 2 - 1) : n;
    for (size_t i = 0; i < n; i++) {
        rep_row *row = &rows->at[first + i];
        if (i == head) {
            push_gap(out, indent_of(row), (uint32_t)(tail - head), "row");
            out->at[out->len - 1].step = row->step;
        }
        if (i < head || i >= tail)
            rep_row_vec_push(out, *row);
        else
            td_free(row->text);
    }
}

static size_t rows_of_step(const rep_row_vec *rows, size_t first)
{
    size_t n = 1;
    while (first + n < rows->len && rows->at[first + n].step == rows->at[first].step)
        n++;
    return n;
}

static void cut_long_steps(rep_table *t)
{
    rep_row_vec out = {0};
    rep_row_vec_append(&out, t->rows.at, HEADING_ROWS);
    for (size_t i = HEADING_ROWS; i < t->rows.len;) {
        size_t n = rows_of_step(&t->rows, i);
        cut_step(&t->rows, i, n, &out);
        i += n;
    }
    rep_row_vec_fini(&t->rows);
    t->rows = out;
}

/* Keeps a step if there is room. A gap is a run of steps that do not stay. */
static void keep_step(cutting *c, uint32_t k)
{
    bool left = k == 0 || c->keep[k - 1];
    bool right = k + 1 == c->n_steps || c->keep[k + 1];
    uint32_t n_used = c->n_used + c->n_rows[k] + 1 - left - right;
    if (c->keep[k] || n_used > c->max)
        return;
    c->keep[k] = true;
    c->n_used = n_used;
}

/* The end, what the explanation names, the start, then from the end backwards. */
static void choose_steps(cutting *c, const uint32_t *keys, size_t n_keys)
{
    keep_step(c, c->n_steps - 1);
    for (size_t i = 0; i < n_keys; i++)
        keep_step(c, keys[i]);
    keep_step(c, 0);
    for (uint32_t k = c->n_steps; k-- > 0;)
        keep_step(c, k);
}

/* Leaves out the steps that do not stay; returns how many. */
static uint32_t drop_steps(rep_table *t, const cutting *c)
{
    rep_row_vec out = {0};
    uint32_t n_cut = 0;
    rep_row_vec_append(&out, t->rows.at, HEADING_ROWS);
    for (size_t i = HEADING_ROWS; i < t->rows.len; i++) {
        uint32_t k = t->rows.at[i].step, n = 0;
        if (c->keep[k]) {
            rep_row_vec_push(&out, t->rows.at[i]);
            continue;
        }
        td_free(t->rows.at[i].text);
        bool starts_step = i == HEADING_ROWS || t->rows.at[i - 1].step != k;
        bool starts_gap = starts_step && (k == 0 || c->keep[k - 1]);
        while (starts_gap && k + n < c->n_steps && !c->keep[k + n])
            n++;
        if (starts_gap)
            push_gap(&out, 1, n, "step");
        n_cut += n;
    }
    rep_row_vec_fini(&t->rows);
    t->rows = out;
    return n_cut;
}

static void count_preemptions(rep_table *t)
{
    t->n_preemptions_shown = 0;
    for (size_t i = 0; i < t->rows.len; i++) {
        const char *p = t->rows.at[i].tone == REP_SWITCH ? t->rows.at[i].text : "";
        while ((p = strstr(p, " preempted")) != NULL) {
            t->n_preemptions_shown++;
            p++;
        }
    }
}

uint32_t rep_table_cut(rep_table *t, uint32_t max, const uint32_t *keys, size_t n_keys)
{
    if (t->rows.len <= max || t->slice->steps.len == 0)
        return 0;
    cut_long_steps(t);
    cutting c = {.n_steps = (uint32_t)t->slice->steps.len,
                 .n_used = 1,
                 .max = max - HEADING_ROWS};
    c.n_rows = td_alloc(c.n_steps * sizeof c.n_rows[0]);
    c.keep = td_alloc(c.n_steps);
    for (size_t i = HEADING_ROWS; i < t->rows.len; i++)
        c.n_rows[t->rows.at[i].step]++;
    choose_steps(&c, keys, n_keys);
    uint32_t n_cut = drop_steps(t, &c);
    count_preemptions(t);
    td_free(c.n_rows);
    td_free(c.keep);
    return n_cut;
}
