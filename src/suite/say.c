/* SPDX-License-Identifier: Apache-2.0 */
/* What people see of a suite. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/text.h"
#include "report/page.h"
#include "report/text/lines.h"
#include "suite/suite_int.h"

#define DEFAULT_COLUMNS 80u
#define LEAST_COLUMNS 60u
#define MAX_NAME_COLUMNS 28u /* room for the last column */

const char *sui_outcome_word(sui_outcome o)
{
    static const char *const words[] = {
#define X(name, word) word,
        SUI_OUTCOMES(X)
#undef X
    };
    return words[o];
}

static const char *title(const sui *s)
{
    return s->opts->title ? s->opts->title : "test";
}

static size_t columns(const sui *s)
{
    uint32_t n = s->opts->report.columns;
    return n == 0 ? DEFAULT_COLUMNS : n < LEAST_COLUMNS ? LEAST_COLUMNS : n;
}

static size_t name_columns(const sui *s)
{
    size_t most = strlen("HARNESS");
    for (size_t i = 0; i < s->all.len; i++)
        if (strlen(s->all.at[i].name) > most)
            most = strlen(s->all.at[i].name);
    return most < MAX_NAME_COLUMNS ? most : MAX_NAME_COLUMNS;
}

/* Not wider than the screen; bytes that are not text become question marks. */
static void put_line(const sui *s, const char *text)
{
    td_text line = {0};
    rep_put_cut(&line, text, columns(s), REP_CUT_RIGHT);
    fprintf(s->out, "%s\n", line.at);
    td_text_fini(&line);
}

static void put_count(uint64_t n, const char *one, const char *many, td_text *out)
{
    td_count_print(n, out);
    td_text_add(out, " %s", n == 1 ? one : many);
}

static void put_harnesses(const sui *s, td_text *out)
{
    if (s->opts->tells_next)
        put_count(s->all.len, "case", "cases", out);
    else
        put_count(s->all.len, "harness", "harnesses", out);
}

static uint64_t runs_of(const sui_harness *h)
{
    return strtoull(sto_past_fact(&h->past, "runs"), NULL, 10);
}

/* ---- known recordings ---- */

void sui_known_text(const sui_known *k, td_text *out)
{
    td_text_add(out, "known %s %s: ", k->is_bug ? "bug" : "run", k->id);
    switch (k->state) {
    case SUI_FAILS:
        td_text_add(out, k->is_bug ? "still fails" : "fails now");
        return;
    case SUI_LEFT:
        td_text_add(out, k->is_bug ? "no longer fails (NOT REPRODUCED)"
                                   : "diverged from the recording (NOT REPRODUCED)");
        return;
    case SUI_PASSES:
        td_text_add(out, "passes");
        return;
    case SUI_UNREADABLE:
        td_text_add(out, "cannot be used: %s", k->why);
        return;
    case SUI_UNCHECKED:
        break;
    }
    td_text_add(out, "was not checked");
}

static size_t count_known(const sui_harness *h, bool is_bug, sui_known_state state)
{
    size_t n = 0;
    for (size_t i = 0; i < h->known.len; i++)
        n += h->known.at[i].is_bug == is_bug && h->known.at[i].state == state;
    return n;
}

static void put_part(size_t n, const char *text, td_text *out)
{
    if (n > 0)
        td_text_add(out, "%s%zu %s", out->len ? ", " : "", n, text);
}

/* "1 still fails, 4 pass" */
static void known_summary(const sui_harness *h, td_text *out)
{
    put_part(count_known(h, true, SUI_FAILS), "still fails", out);
    put_part(count_known(h, false, SUI_FAILS), "fails", out);
    put_part(count_known(h, true, SUI_LEFT) + count_known(h, false, SUI_LEFT),
             "NOT REPRODUCED", out);
    put_part(count_known(h, false, SUI_PASSES), "pass", out);
    put_part(count_known(h, true, SUI_UNREADABLE) + count_known(h, false, SUI_UNREADABLE),
             "unusable", out);
}

/* ---- a harness ---- */

/* How far it got: "12 runs, 0.1 s". */
static void put_extent(const sui_harness *h, td_text *out)
{
    if (h->outcome == SUI_REPLAYED) {
        put_count(h->known.len, "recording", "recordings", out);
        td_text_add(out, ", ");
    } else if (*sto_past_fact(&h->past, "verdict")) {
        put_count(runs_of(h), "run", "runs", out);
        td_text_add(out, ", ");
    }
    td_text_add(out, "%.1f s", h->seconds);
}

static void put_bug(const sto_found *f, td_text *out)
{
    const char *slash = strrchr(f->file, '/');
    td_text_add(out, "%s: %s:%" PRIu32 ": %s", f->id, slash ? slash + 1 : f->file,
                f->line, f->message);
}

static void say_more(const sui *s, const char *text)
{
    td_text line = {0};
    td_text_add(&line, "      %s", text);
    put_line(s, line.at);
    td_text_fini(&line);
}

static void say_known(const sui *s, const sui_harness *h)
{
    for (size_t i = 0; i < h->known.len; i++) {
        td_text text = {0};
        if (h->known.at[i].state == SUI_PASSES)
            continue;
        sui_known_text(&h->known.at[i], &text);
        say_more(s, text.at);
        td_text_fini(&text);
    }
}

/* The change of the section FIX, where one was found for this finding. */
static void say_fix(const sui *s, const sto_found *f)
{
    rep_page page;
    td_diag none = {0};
    if (rep_page_parse(f->page, strlen(f->page), &page, &none) != TD_OK)
        return;
    if (page.fix.is_found && !*page.fix.same_as) {
        td_text text = {0};
        td_text_add(&text, "FIX: %s", page.fix.change);
        say_more(s, text.at);
        td_text_fini(&text);
    }
    rep_page_fini(&page);
}

/* The command is what people copy: it may be longer than the screen. */
static void say_bugs(const sui *s, const sui_harness *h)
{
    for (size_t i = 0; i < h->past.findings.len; i++) {
        td_text text = {0};
        put_bug(&h->past.findings.at[i], &text);
        say_more(s, text.at);
        td_text_fini(&text);
        say_fix(s, &h->past.findings.at[i]);
        td_print(s->out, "      treadle replay %s\n", h->past.findings.at[i].recording);
    }
}

void sui_say_harness(const sui *s, const sui_harness *h)
{
    td_text line = {0};
    td_text_add(&line, "%-6s%-*s  %s", h->is_expected ? "ok" : "FAIL",
                (int)name_columns(s), h->name, sui_outcome_word(h->outcome));
    if (h->is_expected && h->expect == SUI_EXPECT_BUG)
        td_text_add(&line, " as expected");
    td_text_add(&line, ", ");
    put_extent(h, &line);
    put_line(s, line.at);
    say_known(s, h);
    say_bugs(s, h);
    if (h->why && *h->why && h->outcome != SUI_BUG)
        say_more(s, h->why);
    fflush(s->out);
    td_text_fini(&line);
}

/* ---- the suite ---- */

void sui_say_start(const sui *s)
{
    if (s->opts->quiet)
        return;
    td_text text = {0};
    put_harnesses(s, &text);
    td_text_add(&text, " of %s, %" PRIu32 " at a time, in %s", s->opts->path, s->jobs,
                s->dir);
    fprintf(s->err, "treadle %s: %s\n", title(s), text.at);
    td_text_clear(&text);
    put_count(s->n_left_out, "file that is", "files that are", &text);
    if (s->n_left_out > 0)
        fprintf(s->err,
                "treadle %s: skipped: %s executable and not built with "
                "treadle cc\n",
                title(s), text.at);
    td_text_fini(&text);
}

/* Writes the next step: a command or a sentence. */
static void put_next(const sui_harness *h, td_text *out)
{
    if (h->past.findings.len > 0)
        td_text_add(out, "treadle replay %s", h->past.findings.at[0].id);
    else if (h->outcome == SUI_COMPLETE)
        td_text_add(out, "nothing: all was explored");
    else if (h->outcome == SUI_NOTHING)
        td_text_add(out, "nothing: it has no threads");
    else if (h->why && *h->why)
        td_text_add(out, "%s", h->why);
    else if (h->log)
        td_text_add(out, "read %s", h->log);
}

static void put_row(const sui *s, const sui_harness *h)
{
    td_text line = {0}, runs = {0}, known = {0};
    if (*sto_past_fact(&h->past, "verdict"))
        td_count_print(runs_of(h), &runs);
    if (s->opts->tells_next)
        put_next(h, &known);
    else
        known_summary(h, &known);
    const char *last = known.at ? known.at : "", *n = runs.at ? runs.at : "-";
    int width = (int)name_columns(s);
    td_text_add(&line, "%-*.*s  ", width, width, h->name);
    if (s->opts->tells_next)
        td_text_add(&line, "%-13s%8s  %s", sui_outcome_word(h->outcome), n, last);
    else
        td_text_add(&line, "%-14s %10s %8.1f s  %s", sui_outcome_word(h->outcome), n,
                    h->seconds, last);
    while (line.len > 0 && line.at[line.len - 1] == ' ')
        line.at[--line.len] = 0;
    put_line(s, line.at);
    td_text_fini(&line);
    td_text_fini(&runs);
    td_text_fini(&known);
}

static void put_table(const sui *s)
{
    td_text line = {0};
    td_text_add(&line, "%-*s  ", (int)name_columns(s),
                s->opts->tells_next ? "CASE" : "HARNESS");
    if (s->opts->tells_next)
        td_text_add(&line, "%-13s%8s  %s", "VERDICT", "RUNS", "NEXT");
    else
        td_text_add(&line, "%-14s %10s %10s  %s", "RESULT", "RUNS", "TIME", "KNOWN");
    fputc('\n', s->out);
    put_line(s, line.at);
    td_text_fini(&line);
    for (size_t i = 0; i < s->all.len; i++)
        put_row(s, &s->all.at[i]);
    fputc('\n', s->out);
}

/* The names of those that are not as expected. */
static void put_names(const sui *s, td_text *out)
{
    const char *before = ": ";
    for (size_t i = 0; i < s->all.len; i++) {
        if (s->all.at[i].is_expected)
            continue;
        td_text_add(out, "%s%s", before, s->all.at[i].name);
        before = ", ";
    }
}

void sui_say_end(const sui *s, sui_outcome worst)
{
    size_t n_wrong = 0;
    td_text text = {0};
    for (size_t i = 0; i < s->all.len; i++)
        n_wrong += !s->all.at[i].is_expected;
    put_table(s);
    td_text_add(&text, "SUMMARY: treadle %s: ", title(s));
    put_harnesses(s, &text);
    if (n_wrong == 0)
        td_text_add(&text, ", all as expected");
    else
        td_text_add(&text, ", %zu not as expected", n_wrong);
    put_names(s, &text);
    put_line(s, text.at);
    fflush(s->out);
    td_text_fini(&text);
}
