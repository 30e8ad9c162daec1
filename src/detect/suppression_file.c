/* SPDX-License-Identifier: Apache-2.0 */
/* Findings that a file covers, in ThreadSanitizer's syntax. */
#include "detect/suppression_file.h"

#include <string.h>

#define MAX_BYTES ((size_t)16 << 20)

/* What a line may start with; race_top is ThreadSanitizer's word for the innermost function,
 * the only one we look at. */
static const struct {
    const char *type;
    det_kind kind;
} types[] = {
    {"race", DET_RACE},   {"race_top", DET_RACE}, {"deadlock", DET_DEADLOCK},
    {"mutex", DET_MUTEX}, {"thread", DET_THREAD}, {"memory", DET_MEMORY},
};
#define N_TYPES (sizeof types / sizeof types[0])

/* ---- patterns ---- */

/* Does the pattern, in which only '*' is special, match all of text? A star takes as little
 * as it can; if that fails only the last one need be tried with more. */
static bool matches_all(const char *pattern, size_t n_pattern, const char *text,
                        size_t n_text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, from = 0;
    while (t < n_text) {
        if (p < n_pattern && pattern[p] == '*') {
            star = p++;
            from = t;
        } else if (p < n_pattern && pattern[p] == text[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    while (p < n_pattern && pattern[p] == '*')
        p++;
    return p == n_pattern;
}

bool det_pattern_matches(const char *pattern, const char *text)
{
    size_t n = strlen(pattern);
    bool at_start = n > 0 && pattern[0] == '^';
    bool at_end = n > (size_t)at_start && pattern[n - 1] == '$';
    td_text whole = {0};
    td_text_put(&whole, "*", at_start ? 0 : 1);
    td_text_put(&whole, pattern + at_start, n - at_start - at_end);
    td_text_put(&whole, "*", at_end ? 0 : 1);
    bool matches = matches_all(whole.at ? whole.at : "", whole.len, text, strlen(text));
    td_text_fini(&whole);
    return matches;
}

/* ---- reading ---- */

static void note(det_suppressions *s, unsigned line, const char *type, size_t n)
{
    td_text_add(&s->notes, "line %u: unknown type '%.*s', ignored; known types:", line,
                n < 40 ? (int)n : 40, type);
    for (size_t i = 0; i < N_TYPES; i++)
        td_text_add(&s->notes, " %s", types[i].type);
    td_text_put(&s->notes, "\n", 1);
}

static char *copy_of(const char *at, size_t n)
{
    td_text text = {0};
    td_text_put(&text, at, n);
    return text.at ? text.at : td_strdup("");
}

/* at[0..n) is a line without blanks around it. */
static td_status read_line(det_suppressions *s, const char *at, size_t n, unsigned line,
                           td_diag *diag)
{
    const char *colon = memchr(at, ':', n);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)at[i] < 0x20 || at[i] == 0x7f)
            return td_diag_set(diag, TD_E_FORMAT, "line %u: control character", line);
    if (!colon || colon == at)
        return td_diag_set(diag, TD_E_FORMAT,
                           "line %u: a suppression is TYPE:PATTERN, for example race:foo",
                           line);
    size_t n_type = (size_t)(colon - at), i = 0;
    if (n_type + 1 == n)
        return td_diag_set(diag, TD_E_FORMAT, "line %u: the pattern is missing", line);
    while (i < N_TYPES &&
           (strlen(types[i].type) != n_type || memcmp(types[i].type, at, n_type) != 0))
        i++;
    if (i == N_TYPES) {
        note(s, line, at, n_type);
        return TD_OK;
    }
    char *text = copy_of(at, n);
    det_suppression_vec_push(&s->at,
                             (det_suppression){types[i].kind, text, text + n_type + 1});
    return TD_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static td_status read_all(det_suppressions *s, const char *text, size_t len,
                          td_diag *diag)
{
    const char *end = text + len;
    for (unsigned line = 1; text < end; line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *next = newline ? newline + 1 : end, *last = newline ? newline : end;
        while (text < last && is_blank(*text))
            text++;
        while (last > text && is_blank(last[-1]))
            last--;
        if (text < last && *text != '#')
            TD_TRY(read_line(s, text, (size_t)(last - text), line, diag));
        text = next;
    }
    return TD_OK;
}

td_status det_suppressions_parse(const char *text, size_t len, det_suppressions *out,
                                 td_diag *diag)
{
    *out = (det_suppressions){0};
    if (len > MAX_BYTES)
        return td_diag_set(diag, TD_E_FORMAT, "suppressions file larger than %zu bytes",
                           MAX_BYTES);
    td_status status = read_all(out, text, len, diag);
    if (status != TD_OK)
        det_suppressions_fini(out);
    return status;
}

void det_suppressions_fini(det_suppressions *s)
{
    for (size_t i = 0; i < s->at.len; i++)
        td_free(s->at.at[i].text);
    det_suppression_vec_fini(&s->at);
    td_text_fini(&s->notes);
    *s = (det_suppressions){0};
}

/* ---- findings ---- */

static bool matches(const char *pattern, const char *text)
{
    return text && text[0] && det_pattern_matches(pattern, text);
}

static bool covers(const det_suppression *s, const det_finding *f)
{
    if (s->kind != f->kind)
        return false;
    if (matches(s->pattern, f->user.function) || matches(s->pattern, f->user.file) ||
        matches(s->pattern, f->other_user.function) ||
        matches(s->pattern, f->other_user.file))
        return true;
    if (matches(s->pattern, f->function) || matches(s->pattern, f->file) ||
        matches(s->pattern, f->other_function) || matches(s->pattern, f->other_file))
        return true;
    for (size_t i = 0; f->sides && i < 2; i++)
        if (matches(s->pattern, f->sides[i].name))
            return true;
    return false;
}

const det_suppression *det_suppressed(const det_suppressions *s, const det_finding *f)
{
    for (size_t i = 0; i < s->at.len; i++)
        if (covers(&s->at.at[i], f))
            return &s->at.at[i];
    return NULL;
}

bool det_suppresses_kind(const det_suppressions *s, det_kind kind)
{
    for (size_t i = 0; i < s->at.len; i++)
        if (s->at.at[i].kind == kind)
            return true;
    return false;
}
