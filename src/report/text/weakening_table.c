/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory orders are needed, as a table; what they own. */
#include "report/weakening.h"

#include <inttypes.h>
#include <string.h>

#include "base/assert.h"
#include "report/text/lines.h"

#define PLACE_COLUMNS 20u
#define WHAT_COLUMNS 24u
#define ORDER_COLUMNS 7u
#define LEAST_COLUMNS 80u

/* ---- data ---- */

const char *rep_answer_text(rep_answer a)
{
    static const char *const texts[] = {"not needed", "needed", "not decided"};
    TD_ASSERT((size_t)a < sizeof texts / sizeof texts[0]);
    return texts[a];
}

void rep_try_fini(rep_try *t)
{
    td_free(t->why);
    td_free(t->id);
    td_free(t->kind);
    td_free(t->message);
    td_free(t->file);
    td_free(t->function);
    td_free(t->recording);
    *t = (rep_try){0};
}

void rep_weakening_fini(rep_weakening *w)
{
    for (size_t i = 0; i < w->ops.len; i++) {
        rep_ordered *o = &w->ops.at[i];
        for (size_t k = 0; k < o->tries.len; k++)
            rep_try_fini(&o->tries.at[k]);
        rep_try_vec_fini(&o->tries);
        td_free(o->file);
        td_free(o->function);
        td_free(o->name);
    }
    rep_ordered_vec_fini(&w->ops);
    rep_try_fini(&w->base);
    rep_try_fini(&w->all);
    *w = (rep_weakening){0};
}

bool rep_weakening_is_open(const rep_weakening *w)
{
    bool is_open = w->is_interrupted || w->base.answer == REP_NOT_DECIDED;
    for (size_t i = 0; i < w->ops.len; i++)
        for (size_t k = 0; k < w->ops.at[i].tries.len; k++)
            is_open |= w->ops.at[i].tries.at[k].answer == REP_NOT_DECIDED;
    return is_open;
}

/* Tries get weaker and weaker. */
uint8_t rep_weakest(const rep_ordered *o)
{
    for (size_t k = o->tries.len; k > 0; k--)
        if (o->tries.at[k - 1].answer == REP_NOT_NEEDED)
            return o->tries.at[k - 1].order;
    return o->order;
}

/* ---- the table ---- */

typedef struct table {
    const rep_weakening *w;
    uint32_t columns;
    td_text *out;
    unsigned n_runs; /* that were named */
} table;

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void put_cell(td_text *line, size_t *column, const char *text, size_t width,
                     enum rep_cut side)
{
    rep_put_cut(line, text, width, side);
    *column += width + 2;
    while (line->len < *column)
        td_text_put(line, " ", 1);
}

static void put_row(table *t, const char *const cells[5])
{
    static const size_t widths[] = {PLACE_COLUMNS, WHAT_COLUMNS, ORDER_COLUMNS,
                                    ORDER_COLUMNS};
    td_text line = {0};
    size_t column = 0;
    for (size_t i = 0; i < 4; i++)
        put_cell(&line, &column, cells[i], widths[i],
                 i == 0 ? REP_CUT_LEFT : REP_CUT_RIGHT);
    rep_put_cut(&line, cells[4], t->columns - column, REP_CUT_RIGHT);
    while (line.len > 0 && line.at[line.len - 1] == ' ')
        line.at[--line.len] = '\0';
    td_text_add(t->out, "%s\n", line.at);
    td_text_fini(&line);
}

static void put_rule(table *t)
{
    for (uint32_t i = 0; i < t->columns; i++)
        td_text_put(t->out, "-", 1);
    td_text_put(t->out, "\n", 1);
}

static void put_operation(td_text *out, const rep_ordered *o)
{
    td_text_add(out, "%s%s%s", trc_ordered_name(o->kind), o->name[0] ? " " : "", o->name);
}

static void put_tries(table *t, const rep_ordered *o)
{
    td_text place = {0}, what = {0};
    td_text_add(&place, "%s:%u:%u", base_name(o->file), o->line, o->column);
    put_operation(&what, o);
    for (size_t k = 0; k < o->tries.len; k++) {
        const rep_try *x = &o->tries.at[k];
        td_text answer = {0};
        td_text_add(&answer, "%s", rep_answer_text(x->answer));
        if (x->answer == REP_NEEDED)
            td_text_add(&answer, " [%u]", ++t->n_runs);
        const char *cells[] = {k == 0 ? place.at : "", k == 0 ? what.at : "",
                               k == 0 ? trc_order_name(o->kind, o->order) : "",
                               trc_order_name(o->kind, x->order), answer.at};
        put_row(t, cells);
        td_text_fini(&answer);
    }
    td_text_fini(&place);
    td_text_fini(&what);
}

static void put_table(table *t)
{
    static const char *const heads[] = {"PLACE", "OPERATION", "ORDER", "WEAKER",
                                        "ANSWER"};
    put_row(t, heads);
    put_rule(t);
    for (size_t i = 0; i < t->w->ops.len; i++)
        put_tries(t, &t->w->ops.at[i]);
    put_rule(t);
}

/* ---- below it ---- */

/* Writes text in lines, after a lead; further lines are indented by its width. */
static void put_wrapped(table *t, const char *lead, const char *text)
{
    size_t indent = strlen(lead), column = indent;
    td_text clean = {0};
    rep_put_clean(&clean, text);
    td_text_add(t->out, "%s", lead);
    for (const char *p = clean.at ? clean.at : ""; *p;) {
        size_t n = strcspn(p, " ");
        bool is_first = column == indent;
        if (!is_first && column + 1 + n > t->columns) {
            td_text_add(t->out, "\n%*s", (int)indent, "");
            column = indent;
            is_first = true;
        }
        td_text_add(t->out, "%s%.*s", is_first ? "" : " ", (int)n, p);
        column += n + (is_first ? 0 : 1);
        p += n + (p[n] == ' ');
    }
    td_text_put(t->out, "\n", 1);
    td_text_fini(&clean);
}

static void put_run(table *t, const char *lead, const rep_try *x)
{
    td_text text = {0};
    td_text_add(&text, "%s:%u: %s", base_name(x->file), x->line, x->message);
    put_wrapped(t, lead, text.at);
    td_text_add(t->out, "%*streadle replay ", (int)strlen(lead), "");
    rep_put_clean(t->out, x->recording);
    td_text_put(t->out, "\n", 1);
    td_text_fini(&text);
}

static void put_runs(table *t)
{
    unsigned n = 0;
    for (size_t i = 0; i < t->w->ops.len; i++) {
        const rep_ordered *o = &t->w->ops.at[i];
        for (size_t k = 0; k < o->tries.len; k++) {
            char lead[16];
            if (o->tries.at[k].answer != REP_NEEDED)
                continue;
            snprintf(lead, sizeof lead, "[%u] ", ++n);
            put_run(t, lead, &o->tries.at[k]);
        }
    }
    if (n > 0)
        td_text_put(t->out, "\n", 1);
}

static void put_open(table *t)
{
    for (size_t i = 0; i < t->w->ops.len; i++) {
        const rep_ordered *o = &t->w->ops.at[i];
        for (size_t k = 0; k < o->tries.len; k++) {
            td_text text = {0};
            if (o->tries.at[k].answer != REP_NOT_DECIDED)
                continue;
            td_text_add(&text, "%s:%u:%u %s: %s", base_name(o->file), o->line, o->column,
                        trc_order_name(o->kind, o->tries.at[k].order),
                        o->tries.at[k].why);
            put_wrapped(t, "not decided: ", text.at);
            td_text_fini(&text);
        }
    }
}

static void put_set(table *t)
{
    for (size_t i = 0; i < t->w->ops.len; i++) {
        const rep_ordered *o = &t->w->ops.at[i];
        td_text place = {0}, what = {0};
        if (o->together == o->order)
            continue;
        td_text_add(&place, "%s:%u:%u", base_name(o->file), o->line, o->column);
        put_operation(&what, o);
        const char *cells[] = {place.at, what.at, trc_order_name(o->kind, o->order),
                               trc_order_name(o->kind, o->together), "together"};
        put_row(t, cells);
        td_text_fini(&place);
        td_text_fini(&what);
    }
}

static void put_together(table *t)
{
    switch (t->w->together) {
    case REP_TOGETHER_ALL:
        put_wrapped(t, "", "All of them together, each at its weakest: no run fails.");
        return;
    case REP_TOGETHER_SOME:
        put_wrapped(
            t, "",
            t->w->all.answer == REP_NEEDED
                ? "They are not independent: a run fails if all of them are weakened."
                : "All of them together: not decided.");
        if (t->w->all.answer == REP_NEEDED)
            put_run(t, "    ", &t->w->all);
        td_text_put(t->out, "\n", 1);
        put_wrapped(t, "", "These can be weakened together without a failure:");
        put_rule(t);
        put_set(t);
        put_rule(t);
        return;
    case REP_TOGETHER_UNTRIED:
        put_wrapped(t, "",
                    "Each answer is for one order alone; weakened together they "
                    "may fail.");
        return;
    case REP_TOGETHER_NONE:
        return;
    }
}

static void put_base(table *t)
{
    const rep_try *b = &t->w->base;
    if (b->answer == REP_NEEDED) {
        put_wrapped(t, "", "The program fails with its own memory orders:");
        put_run(t, "    ", b);
        return;
    }
    td_text text = {0};
    td_text_add(&text,
                "the program with its own memory orders was not explored completely: %s",
                b->why);
    put_wrapped(t, "not decided: ", text.at);
    td_text_fini(&text);
}

void rep_weakening_text(const rep_weakening *w, uint32_t columns, td_text *out)
{
    table t = {w, columns > LEAST_COLUMNS ? columns : LEAST_COLUMNS, out, 0};
    if (w->base.answer != REP_NOT_NEEDED) {
        put_base(&t);
        return;
    }
    if (w->ops.len == 0) {
        td_text_add(out, "no atomic operation has a memory order that can be weakened\n");
        return;
    }
    put_table(&t);
    td_text_put(out, "\n", 1);
    put_runs(&t);
    put_open(&t);
    put_together(&t);
    put_wrapped(&t, "",
                "These answers are about this harness and RC11 only: another use of the "
                "same code may need a stronger order.");
}
