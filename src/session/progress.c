/* SPDX-License-Identifier: Apache-2.0 */
/* Decides when and where progress is shown. On a terminal one line, or with --status a full screen, is
 * redrawn in place; both are cleared before other output. The width is queried each time, because windows
 * are resized. Without a terminal, lines are printed at intervals. */
#include "session/session_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/assert.h"

#define LIVE_MS 1000u  /* between two states of the live line */
#define SCREEN_MS 500u /* ... of the screen */
#define LINE_MS 10000u /* between two lines, if the output is not a terminal */
#define RATE_MS 900u   /* shortest interval to measure the rate over */

/* ---- the terminal ---- */

typedef struct size {
    uint32_t columns, rows;
} size;

static size size_of(const ses_progress *p)
{
    struct winsize w = {0};
    bool known = p->terminal && ioctl(fileno(p->err), TIOCGWINSZ, &w) == 0;
    return (size){.columns = known && w.ws_col > 0 ? w.ws_col : 80,
                  .rows = known && w.ws_row > 0 ? w.ws_row : 24};
}

/* True for a terminal that can redraw a line. */
static bool is_terminal(FILE *f)
{
    const char *term = getenv("TERM");
    return isatty(fileno(f)) == 1 && term && term[0] && strcmp(term, "dumb") != 0;
}

static void print_command(FILE *to, char *const *argv)
{
    for (size_t i = 0; argv[i]; i++)
        td_print(to, "%s%s", i ? " " : "", argv[i]);
}

void ses_progress_start(ses *s)
{
    ses_progress *p = &s->progress;
    p->quiet = s->opts->quiet;
    p->err = s->opts->err ? s->opts->err : stderr;
    p->terminal = is_terminal(p->err);
    p->full = s->opts->status && p->terminal;
    p->every_ms = p->full ? SCREEN_MS : p->terminal ? LIVE_MS : LINE_MS;
    TD_ASSERT(p->every_ms > 0 && !p->is_shown);
    p->next_ms = p->every_ms;
    if (p->quiet)
        return;
    fprintf(p->err, "treadle %s: ", s->opts->version);
    print_command(p->err, s->opts->argv);
    fprintf(p->err, "   search %s, seed %" PRIu64 "\n", s->search->name, s->opts->seed);
}

/* ---- the pace ---- */

/* Runs per second since the last figure, or since the start. */
static void measure_rate(ses_progress *p, const ses_now *n)
{
    if (n->ms < p->rate_ms + RATE_MS && p->n_rates > 0)
        return;
    TD_ASSERT(n->ms >= p->rate_ms);
    uint64_t ms = n->ms - p->rate_ms;
    if (ms == 0)
        return;
    /* The sum over workers may be smaller than the count that this worker had before it shared the search. */
    uint64_t done = n->runs > p->rate_runs ? n->runs - p->rate_runs : 0;
    p->rate = (double)done * 1000 / (double)ms;
    p->rate_ms = n->ms;
    p->rate_runs = n->runs;
    if (p->n_rates == SES_RATES)
        memmove(p->rates, p->rates + 1, --p->n_rates * sizeof p->rates[0]);
    TD_ASSERT(p->n_rates < SES_RATES);
    p->rates[p->n_rates++] = p->rate < 4e9 ? (uint32_t)p->rate : UINT32_MAX;
}

/* ---- the line ---- */

static void print_line(ses *s, const ses_now *n)
{
    ses_progress *p = &s->progress;
    td_text line = {0};
    /* A character in the last column would make some terminals continue to the next line. */
    uint32_t columns = size_of(p).columns;
    ses_line_text(n, p->terminal && columns > 1 ? columns - 1 : columns, &line);
    fprintf(p->err, "%s%s%s", p->terminal ? "\r" : "", line.at,
            p->terminal ? "\033[K" : "\n");
    p->is_shown = p->terminal;
    fflush(p->err);
    td_text_fini(&line);
}

/* ---- the screen ---- */

static uint64_t memory_kb(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss;
}

static int64_t preemptions_completed(const ses *s)
{
    xpl_preemptions p = {0};
    if (s->search->preemptions)
        s->search->preemptions(s->explorer, &p);
    return p.is_bounded ? p.completed : -1;
}

enum { SHOWN_FINDINGS = 3 };

static void list_findings(const ses *s, ses_screen_finding out[SHOWN_FINDINGS])
{
    size_t n = s->result->findings.len;
    for (size_t i = 0; i < n && i < SHOWN_FINDINGS; i++) {
        const det_finding *f = &s->result->findings.at[n - 1 - i];
        out[i] = (ses_screen_finding){f->id, f->file ? f->file : "?", f->line};
    }
}

static ses_screen screen_of(ses *s, const ses_now *n)
{
    const ses_progress *p = &s->progress;
    rep_solver solver = ses_solver_view(s);
    const det_gap_vec *gaps = &s->ledger.gaps;
    double load = -1;
    if (getloadavg(&load, 1) != 1)
        load = -1;
    return (ses_screen){.now = *n,
                        .version = s->opts->version,
                        .goal = s->goal->name,
                        .search = s->search->name,
                        .chosen = ses_chosen(s),
                        .seed = s->opts->seed,
                        .blocked = s->census.n_blocked,
                        .repeats = s->result->repeats,
                        .traces = ses_n_traces(s),
                        .traces_counted = ses_counts_traces(s),
                        .n_ops = s->census.n_ops,
                        .promoted = s->promoted.len,
                        .preemptions = preemptions_completed(s),
                        .n_findings = s->result->findings.len,
                        .last_found_ms = p->found_ms,
                        .sat = solver.sat,
                        .unsat = solver.unsat,
                        .unknown = solver.unknown,
                        .cached = solver.cached,
                        .n_gaps = gaps->len,
                        .last_gap = gaps->len > 0 ? gaps->at[gaps->len - 1].kind : NULL,
                        .memory_kb = memory_kb(),
                        .load = load,
                        .rates = p->rates,
                        .n_rates = p->n_rates,
                        .colour = s->opts->report.colour};
}

/* Each line ends with a sequence that clears the rest of it, and so does the screen. This avoids flicker. */
static void print_rows(FILE *to, const char *text)
{
    fputs("\033[H", to);
    for (; *text; text++) {
        if (*text == '\n')
            fputs("\033[K", to);
        fputc(*text, to);
    }
    fputs("\033[J", to);
}

static void print_screen(ses *s, const ses_now *n)
{
    ses_progress *p = &s->progress;
    ses_screen_finding findings[SHOWN_FINDINGS];
    td_text command = {0}, text = {0};
    for (size_t i = 0; s->opts->argv[i]; i++)
        td_text_add(&command, "%s%s", i ? " " : "", s->opts->argv[i]);
    list_findings(s, findings);
    ses_screen screen = screen_of(s, n);
    screen.program = command.at;
    screen.findings = findings;
    size z = size_of(p);
    ses_screen_text(&screen, z.columns, z.rows > 1 ? z.rows - 1 : 1, &text);
    if (!p->is_shown)
        fputs("\033[?1049h\033[?25l", p->err);
    print_rows(p->err, text.at);
    p->is_shown = true;
    fflush(p->err);
    td_text_fini(&text);
    td_text_fini(&command);
}

/* ---- public ---- */

void ses_progress_tick(ses *s)
{
    ses_progress *p = &s->progress;
    uint64_t ms = ses_elapsed_ms(s);
    if (s->result->findings.len > p->n_found) {
        p->n_found = s->result->findings.len;
        p->found_ms = ms;
    }
    if (p->quiet || ms < p->next_ms)
        return;
    p->next_ms = ms + p->every_ms;
    ses_now now = ses_measure(s);
    measure_rate(p, &now);
    now.rate = p->rate;
    if (p->full)
        print_screen(s, &now);
    else
        print_line(s, &now);
}
