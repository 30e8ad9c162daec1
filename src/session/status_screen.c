/* SPDX-License-Identifier: Apache-2.0 */
/* The screen of --status: a row for each subject with its figures. Made for 24 rows of 80 columns; wider screens
 * are used, and lower ones lose the last rows. */
#include "session/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/vec.h"

#define LABEL 12u /* columns before the figures */
#define BAR 40u

typedef struct canvas {
    td_text *out;
    uint32_t columns, rows;
    bool colour;
} canvas;

/* Replaces bytes that the terminal might interpret. */
static void put_cut(td_text *out, const char *text, size_t width)
{
    for (size_t i = 0; text[i] && i < width; i++) {
        char c = text[i] >= 0x20 && text[i] < 0x7f ? text[i] : '?';
        td_text_put(out, &c, 1);
    }
}

/* A line; label "" continues under the one before it. */
static void row(canvas *c, const char *label, const char *format, ...) TD_PRINTF(3, 4);
static void row(canvas *c, const char *label, const char *format, ...)
{
    char text[512];
    if (c->rows == 0)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char first[LABEL + 1];
    snprintf(first, sizeof first, " %-*s", (int)LABEL - 1, label);
    size_t room = c->columns > LABEL ? c->columns - LABEL : 0;
    if (c->colour && label[0])
        td_text_add(c->out, "\033[1m");
    put_cut(c->out, first, c->columns < LABEL ? c->columns : LABEL);
    if (c->colour && label[0])
        td_text_add(c->out, "\033[0m");
    put_cut(c->out, text, room);
    td_text_add(c->out, "\n");
    c->rows--;
}

static void blank(canvas *c)
{
    if (c->rows == 0)
        return;
    td_text_add(c->out, "\n");
    c->rows--;
}

/* Figures for a row, three at a time. */
typedef struct figure {
    char text[32];
} figure;

static figure number(uint64_t n)
{
    figure f;
    ses_short_number(n, f.text);
    return f;
}

static figure clock_of(uint64_t ms)
{
    figure f;
    ses_clock(ms, f.text);
    return f;
}

static figure share_of(uint64_t part, uint64_t whole)
{
    figure f;
    snprintf(f.text, sizeof f.text, "%.0f %%",
             whole ? 100 * (double)part / (double)whole : 0);
    return f;
}

/* ---- subjects ---- */

static void put_title(canvas *c, const ses_screen *s)
{
    td_text title = {0};
    td_text_add(&title, " treadle %s   %s", s->version, s->program);
    if (c->rows > 0) {
        if (c->colour)
            td_text_add(c->out, "\033[1m");
        put_cut(c->out, title.at, c->columns);
        td_text_add(c->out, "%s\n", c->colour ? "\033[0m" : "");
        c->rows--;
    }
    td_text_fini(&title);
}

static void put_time(canvas *c, const ses_screen *s)
{
    const ses_now *n = &s->now;
    char limit[32] = "none";
    if (n->limit_ms > 0)
        ses_duration(n->limit_ms, limit);
    row(c, "TIME", "elapsed %-12s limit %-14s last finding %s", clock_of(n->ms).text,
        limit, s->n_findings > 0 ? clock_of(s->last_found_ms).text : "none");
    td_text left = {0};
    ses_remaining_text(n, &left);
    row(c, "", "%s", left.len > 0 ? left.at : "no estimate of the remaining work yet");
    td_text_fini(&left);
    blank(c);
}

static void put_progress(canvas *c, const ses_screen *s)
{
    const ses_now *n = &s->now;
    char bar[BAR + 1];
    size_t full = n->remaining.is_known ? (size_t)(n->remaining.share * BAR) : 0;
    for (size_t i = 0; i < BAR; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR] = 0;
    if (n->remaining.is_known)
        row(c, "PROGRESS", "[%s]", bar);
    row(c, n->remaining.is_known ? "" : "PROGRESS", "runs %-15s events %-13s targets %s",
        number(n->runs).text, number(n->events).text, number(n->targets).text);
    row(c, "", "blocked %-12s repeated %-11s ops per run %" PRIu64,
        number(s->blocked).text, number(s->repeats).text,
        n->runs ? s->n_ops / n->runs : 0);
    blank(c);
}

static void put_coverage(canvas *c, const ses_screen *s)
{
    const ses_now *n = &s->now;
    td_text text = {0};
    if (n->n_sides > 0)
        td_text_add(&text, "sides %" PRIu64 " of %" PRIu64 " (%s)   ", n->n_taken,
                    n->n_sides, share_of(n->n_taken, n->n_sides).text);
    if (s->traces_counted)
        td_text_add(&text, "traces %s   ", number(s->traces).text);
    if (s->preemptions >= 0)
        td_text_add(&text, "all with %" PRId64 " preemptions", s->preemptions);
    if (text.len > 0)
        row(c, "COVERAGE", "%s", text.at);
    td_text_fini(&text);
    if (s->n_gaps > 0)
        row(c, "LEDGER", "%" PRIu64 " line%s, the last one: %s", s->n_gaps,
            s->n_gaps == 1 ? "" : "s", s->last_gap ? s->last_gap : "?");
}

static void put_findings(canvas *c, const ses_screen *s)
{
    enum { SHOWN = 2 };
    if (s->n_findings == 0)
        row(c, "FINDINGS", "none");
    for (size_t i = 0; i < s->n_findings && i < SHOWN; i++) {
        const char *slash = strrchr(s->findings[i].file, '/');
        row(c, i == 0 ? "FINDINGS" : "", "%-18s %s:%" PRIu32, s->findings[i].id,
            slash ? slash + 1 : s->findings[i].file, s->findings[i].line);
    }
    if (s->n_findings > SHOWN)
        row(c, "", "and %zu more", s->n_findings - SHOWN);
    blank(c);
}

static void put_solver(canvas *c, const ses_screen *s)
{
    uint64_t queries = s->now.queries;
    if (queries == 0) {
        row(c, "SOLVER", "no queries");
        return;
    }
    row(c, "SOLVER", "queries %-12s sat %-16s unsat %s", number(queries).text,
        number(s->sat).text, number(s->unsat).text);
    row(c, "", "unknown %-12s cached %s", number(s->unknown).text,
        share_of(s->cached, queries).text);
}

static void put_strategy(canvas *c, const ses_screen *s)
{
    row(c, "STRATEGY", "goal %s, search %s, seed %" PRIu64, s->goal, s->search, s->seed);
    if (s->promoted > 0)
        row(c, "", "%s racing sites promoted", number(s->promoted).text);
    if (s->chosen)
        row(c, "", "%s", s->chosen);
}

/* Runs per second over time as a bar chart, one character each, scaled to the maximum. */
static void put_rates(canvas *c, const ses_screen *s)
{
    static const char levels[] = "_.:-=+*#";
    char line[SES_RATES + 1];
    uint32_t most = 1;
    for (size_t i = 0; i < s->n_rates; i++)
        most = s->rates[i] > most ? s->rates[i] : most;
    TD_ASSERT(s->n_rates <= SES_RATES);
    for (size_t i = 0; i < s->n_rates; i++)
        line[i] = levels[(uint64_t)s->rates[i] * (sizeof levels - 2) / most];
    line[s->n_rates] = 0;
    row(c, "", "%s", line);
    row(c, "", "runs/s, up to %s", number(most).text);
}

static void put_machine(canvas *c, const ses_screen *s)
{
    const ses_now *n = &s->now;
    char load[32] = "?";
    if (s->load >= 0)
        snprintf(load, sizeof load, "%.2f", s->load);
    row(c, "MACHINE", "runs/s %-13s memory %" PRIu64 " MiB      load %s",
        number((uint64_t)(n->rate + 0.5)).text, s->memory_kb / 1024, load);
    if (s->n_rates > 1)
        put_rates(c, s);
}

void ses_screen_text(const ses_screen *s, uint32_t columns, uint32_t rows, td_text *out)
{
    canvas c = {.out = out, .columns = columns, .rows = rows, .colour = s->colour};
    put_title(&c, s);
    put_time(&c, s);
    put_progress(&c, s);
    put_coverage(&c, s);
    put_findings(&c, s);
    put_solver(&c, s);
    put_strategy(&c, s);
    put_machine(&c, s);
    row(&c, "", "Ctrl-C ends the session with its summary.");
}
