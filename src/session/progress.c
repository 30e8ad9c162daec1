/* SPDX-License-Identifier: Apache-2.0 */
#include "session/session_int.h"

#include <inttypes.h>
#include <unistd.h>

#define LIVE_MS 1000u  /* between two states of the live line */
#define LINE_MS 10000u /* between two lines where there is no terminal */

void ses_number(uint64_t n, char out[32])
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%" PRIu64, n);
    size_t at = 0;
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = 0;
}

void ses_duration(uint64_t ms, char out[32])
{
    if (ms % 1000 != 0)
        snprintf(out, 32, "%" PRIu64 " ms", ms);
    else if (ms % 60000 != 0)
        snprintf(out, 32, "%" PRIu64 " s", ms / 1000);
    else
        snprintf(out, 32, "%" PRIu64 " min", ms / 60000);
}

static void print_command(FILE *to, char *const *argv)
{
    for (size_t i = 0; argv[i]; i++)
        fprintf(to, "%s%s", i ? " " : "", argv[i]);
}

void ses_progress_start(ses *s)
{
    ses_progress *p = &s->progress;
    p->quiet = s->opts->quiet;
    p->err = s->opts->err ? s->opts->err : stderr;
    p->terminal = isatty(fileno(p->err)) == 1;
    p->next_ms = p->terminal ? LIVE_MS : LINE_MS;
    if (p->quiet)
        return;
    fprintf(p->err, "treadle %s: ", s->opts->version);
    print_command(p->err, s->opts->argv);
    fprintf(p->err, "   search %s, seed %" PRIu64 "\n", s->search->name, s->opts->seed);
    if (s->opts->jobs > 1)
        ses_say(s, "%u jobs asked for; this version uses 1", s->opts->jobs);
}

void ses_progress_clear(ses *s)
{
    if (s->progress.line_open)
        fputs("\r\033[K", s->progress.err);
    s->progress.line_open = false;
}

static void print_state(ses *s, uint64_t ms)
{
    char runs[32], rate[32], events[32];
    ses_number(s->census.n_runs, runs);
    ses_number(ms ? s->census.n_runs * 1000 / ms : 0, rate);
    xpl_counts counts;
    ses_counts(s, &counts);
    ses_number(counts.events, events);
    fprintf(s->progress.err,
            "treadle: %s runs, %s/s; %s events; %zu found; %" PRIu64 " s", runs, rate,
            events, s->result->findings.len, ms / 1000);
}

void ses_progress_tick(ses *s)
{
    ses_progress *p = &s->progress;
    if (p->quiet)
        return;
    uint64_t ms = ses_elapsed_ms(s);
    if (ms < p->next_ms)
        return;
    p->next_ms = ms + (p->terminal ? LIVE_MS : LINE_MS);
    ses_progress_clear(s);
    print_state(s, ms);
    if (!p->terminal)
        fputc('\n', p->err);
    p->line_open = p->terminal;
    fflush(p->err);
}

void ses_say(ses *s, const char *format, ...)
{
    if (s->progress.quiet)
        return;
    ses_progress_clear(s);
    fputs("treadle: ", s->progress.err);
    va_list args;
    va_start(args, format);
    vfprintf(s->progress.err, format, args);
    va_end(args);
    fputc('\n', s->progress.err);
    fflush(s->progress.err);
}
