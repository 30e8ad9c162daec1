/* SPDX-License-Identifier: Apache-2.0 */
/* Shortens a table that is too long: drops steps, and the middle of long ones. */
#include "report/text/report_int.h"

#include <string.h>

#include "base/assert.h"

#define STEP_ROWS 7u /* rows of a shortened step: its start and its end */

/* Rows of the table by step, and which of the steps stay. */
typedef struct cutting {
    uint32_t n_steps;
    uint32_t *n_rows; /* per step */
    bool *keep;       /* per step */
    bool *preempts;   /* per step: it starts with a preemption */
    uint32_t n_used;  /* rows of the steps that stay, and one for each gap */
    uint32_t max;
    bool must; /* keep steps even if there is no space */
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
    TD_ASSERT(n > 0 && first + n <= rows->len);
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
    rep_row_vec_append(&out, t->rows.at, REP_HEADING_ROWS);
    for (size_t i = REP_HEADING_ROWS; i < t->rows.len;) {
        size_t n = rows_of_step(&t->rows, i);
        cut_step(&t->rows, i, n, &out);
        i += n;
    }
    rep_row_vec_fini(&t->rows);
    t->rows = out;
}

/* Keeps a step if there is space. A gap is a sequence of dropped steps. */
static void keep_step(cutting *c, uint32_t k)
{
    TD_ASSERT(k < c->n_steps);
    bool left = k == 0 || c->keep[k - 1];
    bool right = k + 1 == c->n_steps || c->keep[k + 1];
    uint32_t n_used = c->n_used + c->n_rows[k] + 1 - left - right;
    if (c->keep[k] || (n_used > c->max && !c->must))
        return;
    c->keep[k] = true;
    c->n_used = n_used;
    TD_ASSERT(c->must || c->n_used <= c->max);
}

/* The end, what the explanation names, the start, preemptions, then from the end backwards. */
static void choose_steps(cutting *c, const uint32_t *keys, size_t n_keys)
{
    keep_step(c, c->n_steps - 1);
    c->must = true;
    for (size_t i = 0; i < n_keys; i++)
        keep_step(c, keys[i]);
    c->must = false;
    keep_step(c, 0);
    for (uint32_t k = c->n_steps; k-- > 0;)
        if (c->preempts[k])
            keep_step(c, k);
    for (uint32_t k = c->n_steps; k-- > 0;)
        keep_step(c, k);
}

/* Leaves out the steps that do not stay; returns how many. */
static uint32_t drop_steps(rep_table *t, const cutting *c)
{
    rep_row_vec out = {0};
    uint32_t n_cut = 0;
    rep_row_vec_append(&out, t->rows.at, REP_HEADING_ROWS);
    for (size_t i = REP_HEADING_ROWS; i < t->rows.len; i++) {
        uint32_t k = t->rows.at[i].step, n = 0;
        TD_ASSERT(k < c->n_steps);
        if (c->keep[k]) {
            rep_row_vec_push(&out, t->rows.at[i]);
            continue;
        }
        td_free(t->rows.at[i].text);
        bool starts_step = i == REP_HEADING_ROWS || t->rows.at[i - 1].step != k;
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
    TD_ASSERT(max > REP_HEADING_ROWS && t->rows.len >= REP_HEADING_ROWS);
    cut_long_steps(t);
    cutting c = {.n_steps = (uint32_t)t->slice->steps.len,
                 .n_used = 1,
                 .max = max - REP_HEADING_ROWS};
    c.n_rows = td_alloc(c.n_steps * sizeof c.n_rows[0]);
    c.keep = td_alloc(c.n_steps);
    c.preempts = td_alloc(c.n_steps);
    for (size_t i = REP_HEADING_ROWS; i < t->rows.len; i++) {
        c.n_rows[t->rows.at[i].step]++;
        if (t->rows.at[i].tone == REP_SWITCH)
            c.preempts[t->rows.at[i].step] = true;
    }
    choose_steps(&c, keys, n_keys);
    uint32_t n_cut = drop_steps(t, &c);
    TD_ASSERT(n_cut <= c.n_steps && (n_keys > 0 || t->rows.len <= max));
    count_preemptions(t);
    td_free(c.n_rows);
    td_free(c.keep);
    td_free(c.preempts);
    return n_cut;
}
