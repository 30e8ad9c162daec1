/* SPDX-License-Identifier: Apache-2.0 */
/* The section FIX of a report. */
#include "report/fix.h"

#include <string.h>

#include "base/assert.h"
#include "report/text/lines.h"

#define INDENT 11u
#define COMMAND "treadle fix "
#define MOST_EXCERPT 14u /* lines */

/* ---- data ---- */

enum { N_TEXTS = 7 };

static char **text_at(rep_fix *f, size_t i)
{
    char **const all[N_TEXTS] = {&f->kind,     &f->change,  &f->excerpt, &f->note,
                                 &f->explored, &f->command, &f->same_as};
    return all[i];
}

void rep_fix_complete(rep_fix *f)
{
    for (size_t i = 0; i < N_TEXTS; i++)
        if (!*text_at(f, i))
            *text_at(f, i) = td_strdup("");
}

void rep_fix_copy(rep_fix *to, const rep_fix *from)
{
    *to = *from;
    if (!from->command)
        return;
    for (size_t i = 0; i < N_TEXTS; i++)
        *text_at(to, i) = td_strdup(*text_at(to, i));
    to->places = (rep_fix_place_vec){0};
    for (size_t i = 0; i < from->places.len; i++) {
        rep_fix_place at = from->places.at[i];
        at.file = td_strdup(at.file);
        at.function = td_strdup(at.function);
        rep_fix_place_vec_push(&to->places, at);
    }
}

void rep_fix_fini(rep_fix *f)
{
    for (size_t i = 0; i < N_TEXTS; i++)
        td_free(*text_at(f, i));
    for (size_t i = 0; i < f->places.len; i++) {
        td_free(f->places.at[i].file);
        td_free(f->places.at[i].function);
    }
    rep_fix_place_vec_fini(&f->places);
    *f = (rep_fix){0};
}

/* ---- text ---- */

void rep_fix_wrap(const char *lead, const char *text, uint32_t columns, td_text *out)
{
    size_t column = INDENT;
    td_text clean = {0};
    rep_put_clean(&clean, text);
    td_text_add(out, "%-*s", (int)INDENT, lead);
    for (const char *p = clean.at ? clean.at : ""; *p;) {
        size_t n = strcspn(p, " ");
        bool is_first = column == INDENT;
        if (n > 0 && !is_first && column + 1 + n > columns) {
            td_text_add(out, "\n%*s", (int)INDENT, "");
            column = INDENT;
            is_first = true;
        }
        if (n > 0) {
            td_text_add(out, "%s%.*s", is_first ? "" : " ", (int)n, p);
            column += n + (is_first ? 0 : 1);
        }
        p += n + (p[n] == ' ');
    }
    td_text_put(out, "\n", 1);
    td_text_fini(&clean);
}

static void put_excerpt(const char *text, uint32_t columns, td_text *out)
{
    size_t room = columns > INDENT ? columns - INDENT : 20;
    for (unsigned n_lines = 0; *text; n_lines++) {
        size_t n = strcspn(text, "\n");
        td_text line = {0}, clean = {0};
        if (n_lines == MOST_EXCERPT) {
            td_text_add(out, "%*s       ...\n", (int)INDENT, "");
            return;
        }
        td_text_put(&line, text, n < room ? n : room);
        rep_put_clean(&clean, line.at ? line.at : "");
        td_text_add(out, "%*s%s\n", (int)INDENT, "", clean.at ? clean.at : "");
        td_text_fini(&line);
        td_text_fini(&clean);
        text += n + (text[n] == '\n');
    }
}

void rep_fix_text(const rep_fix *f, uint32_t columns, td_text *out)
{
    TD_ASSERT(f->command);
    if (columns < 40)
        columns = 80;
    if (!f->is_found) {
        td_text text = {0};
        bool is_usual = strncmp(f->command, COMMAND, strlen(COMMAND)) == 0;
        if (f->is_cut)
            td_text_add(&text, "FIX        None found yet; try: " COMMAND);
        else
            td_text_add(&text, "FIX        %u change%s tried, none holds: " COMMAND,
                        f->n_tried, f->n_tried == 1 ? "" : "s");
        rep_put_cut(&text, f->command + (is_usual ? strlen(COMMAND) : 0),
                    columns - text.len, REP_CUT_LEFT);
        td_text_add(out, "%s\n", text.at);
        td_text_fini(&text);
        return;
    }
    if (*f->same_as) {
        td_text same = {0};
        td_text_add(&same, "The change of %s: no schedule fails with it.", f->same_as);
        rep_fix_wrap("FIX", same.at, columns, out);
        td_text_fini(&same);
        return;
    }
    rep_fix_wrap("FIX", f->change, columns, out);
    put_excerpt(f->excerpt, columns, out);
    if (*f->note)
        rep_fix_wrap("", f->note, columns, out);
    rep_fix_wrap("", f->explored, columns, out);
}

/* ---- in a report ---- */

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* What can follow WHY, or stand in its place. */
static bool is_behind_why(const char *line)
{
    static const char *const labels[] = {"MEMORY     ", "WEAKENED   ", "STDERR     ",
                                         "STDOUT     ", "THREADS    ", "Not shown  ",
                                         "Also fails ", "Replay     ", "SUMMARY: "};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (begins(line, labels[i]))
            return true;
    return false;
}

/* The offset of the line behind WHY; the end if the report has no such line. */
static size_t behind_why(const char *text)
{
    const char *line = text;
    while (*line && !begins(line, "WHY        ") && !is_behind_why(line)) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    while (*line && !is_behind_why(line)) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return (size_t)(line - text);
}

void rep_fix_insert(const rep_fix *f, uint32_t columns, td_text *report)
{
    td_text all = {0};
    if (!f->command || !report->at)
        return;
    size_t at = behind_why(report->at);
    td_text_put(&all, report->at, at);
    rep_fix_text(f, columns, &all);
    td_text_put(&all, report->at + at, report->len - at);
    td_text_fini(report);
    *report = all;
}
