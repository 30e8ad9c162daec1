/* SPDX-License-Identifier: Apache-2.0 */
/* The section about a history that no order explains: a line for each operation, with the time
 * from its begin to its end as a picture. */
#include "report/text/report_int.h"

#include <string.h>

#include "base/assert.h"

#define MAX_CALLS 10u /* shown unless full */
#define MAX_TEXT 27u  /* columns for an operation */
#define TICK 3u       /* columns from one begin or end to the next, at most */
static const char failing_mark[] = "  <<< not linearizable";

typedef struct picture {
    const det_call *calls; /* those shown */
    uint32_t n;
    uint32_t text_width;
    uint32_t room;    /* columns of the picture */
    uint32_t n_ticks; /* begins and ends of these calls */
} picture;

/* How many begins and ends of the calls shown come before a position. */
static uint32_t tick_of(const picture *p, uint32_t position)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        n += p->calls[i].begin < position;
        n += p->calls[i].end != 0 && p->calls[i].end < position;
    }
    return n;
}

static uint32_t column_of(const picture *p, uint32_t position)
{
    uint32_t tick = tick_of(p, position);
    if (p->n_ticks < 2)
        return 0;
    if ((p->n_ticks - 1) * TICK < p->room)
        return tick * TICK;
    TD_ASSERT(tick < p->n_ticks && p->room >= 2);
    return (uint32_t)((uint64_t)tick * (p->room - 1) / (p->n_ticks - 1));
}

static void add_call(rep_row_vec *rows, const picture *p, const det_call *c)
{
    TD_ASSERT(c >= p->calls && c < p->calls + p->n);
    td_text line = {0};
    td_text_add(&line, "  ");
    rep_print_thread(c->thread, &line);
    rep_pad_to(&line, 7, ' ');
    rep_put_cut(&line, c->text, p->text_width, REP_CUT_RIGHT);
    uint32_t start = 7 + p->text_width + 2;
    uint32_t begin = start + column_of(p, c->begin);
    rep_pad_to(&line, begin, ' ');
    td_text_add(&line, "|");
    if (c->end != 0) {
        rep_pad_to(&line, start + column_of(p, c->end), '-');
        td_text_add(&line, "|");
    } else {
        rep_pad_to(&line, start + p->room - 1, '-');
        td_text_add(&line, ">");
    }
    td_text_add(&line, "%s", c->fails ? failing_mark : "");
    rep_rows_push(rows, REP_PLAIN, line.at);
    td_text_fini(&line);
}

static void measure(picture *p, uint32_t columns)
{
    for (uint32_t i = 0; i < p->n; i++) {
        size_t width = strlen(p->calls[i].text);
        if (width > p->text_width)
            p->text_width = width < MAX_TEXT ? (uint32_t)width : MAX_TEXT;
        p->n_ticks += p->calls[i].end != 0 ? 2 : 1;
    }
    uint32_t taken = 7 + p->text_width + 2 + (uint32_t)strlen(failing_mark);
    p->room = columns > taken + 2 ? columns - taken : 2;
    if (p->n_ticks > 0 && (p->n_ticks - 1) * TICK + 1 < p->room)
        p->room = (p->n_ticks - 1) * TICK + 1;
}

void rep_add_history(rep_row_vec *rows, const det_finding *f, uint32_t columns, bool full)
{
    if (f->n_calls == 0)
        return;
    uint32_t n = full || f->n_calls < MAX_CALLS ? f->n_calls : MAX_CALLS;
    uint32_t left = f->n_earlier + f->n_calls - n;
    picture p = {.calls = f->calls + (f->n_calls - n), .n = n};
    measure(&p, columns);
    td_text line = {0};
    td_text_add(&line, "time runs left to right");
    if (left > 0)
        td_text_add(&line, "; %u operation%s before these", left, left == 1 ? "" : "s");
    rep_wrap(rows, REP_PLAIN, (rep_lead){"HISTORY    ", NULL}, line.at, columns);
    td_text_fini(&line);
    for (uint32_t i = 0; i < n; i++)
        add_call(rows, &p, &p.calls[i]);
}

/* Items are broken behind commas only: other blanks become tabs. */
static void put_unbroken(td_text *out, const char *text, size_t n, bool is_item)
{
    for (size_t i = 0; i < n; i++) {
        bool keeps = is_item && text[i] == ' ' && i > 0 && text[i - 1] != ',';
        td_text_put(out, keeps ? "\t" : text + i, 1);
    }
}

/* Each line of why is wrapped on its own; those that start with blanks are items. */
void rep_add_history_why(rep_row_vec *rows, const det_finding *f, uint32_t columns)
{
    const char *lead = "WHY        ";
    for (const char *at = f->why; at != NULL && at[0] != '\0';) {
        size_t n = strcspn(at, "\n");
        td_text line = {0};
        size_t item = strspn(at, " ");
        item = item < n ? item : n;
        td_text first = {0};
        td_text_add(&first, "%s%.*s", lead, (int)item, at);
        put_unbroken(&line, at + item, n - item, item > 0);
        rep_wrap(rows, REP_PLAIN, (rep_lead){first.at, NULL}, line.at ? line.at : "",
                 columns);
        td_text_fini(&line);
        td_text_fini(&first);
        at += n + (at[n] == '\n');
        lead = "           ";
    }
}
