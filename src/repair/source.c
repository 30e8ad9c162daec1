/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of C and C++ sources, by their brackets: enough to find lines that can be made a section. */
#include "repair/repair_int.h"

#include <ctype.h>
#include <string.h>

#define MOST_LINES 20000u
#define MOST_DEPTH 64

/* ---- text ---- */

void rpr_source_read(trc_sites *sites, const char *file, td_text *out)
{
    for (uint32_t n = 1; n <= MOST_LINES; n++) {
        const char *line = trc_source_line(sites, file, n);
        if (!line)
            break;
        td_text_add(out, "%s\n", line);
    }
}

/* Only blanks are before it on its line. */
static bool begins_line(const td_text *t, size_t i)
{
    while (i > 0 && (t->at[i - 1] == ' ' || t->at[i - 1] == '\t'))
        i--;
    return i == 0 || t->at[i - 1] == '\n';
}

/* The end of a line of the preprocessor, or of a comment, which a backslash continues. */
static size_t end_of_line(const td_text *t, size_t i)
{
    while (i < t->len && (t->at[i] != '\n' || t->at[i - 1] == '\\'))
        i++;
    return i;
}

const char *rpr_base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void rpr_source_blank(td_text *t)
{
    char *at = t->at;
    for (size_t i = 0; i < t->len;) {
        size_t end = i + 1;
        if (at[i] == '/' && i + 1 < t->len && at[i + 1] == '*') {
            const char *close = strstr(at + i + 2, "*/");
            end = close ? (size_t)(close - at) + 2 : t->len;
        } else if ((at[i] == '/' && i + 1 < t->len && at[i + 1] == '/') ||
                   (at[i] == '#' && begins_line(t, i))) {
            end = end_of_line(t, end);
        } else if (at[i] == '"' ||
                   (at[i] == '\'' && (i == 0 || !isalnum((unsigned char)at[i - 1])))) {
            char quote = at[i];
            while (end < t->len && at[end] != quote && at[end] != '\n')
                end += at[end] == '\\' ? 2 : 1;
            end = end < t->len ? end + 1 : t->len;
        } else {
            i = end;
            continue;
        }
        for (; i < end; i++)
            if (at[i] != '\n')
                at[i] = ' ';
    }
}

static uint32_t line_of(const td_text *t, size_t at)
{
    uint32_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += t->at[i] == '\n';
    return line;
}

static size_t skip_blanks(const td_text *t, size_t i)
{
    while (i < t->len && isspace((unsigned char)t->at[i]))
        i++;
    return i;
}

/* The bracket that closes the one at i; len if none does. */
static size_t close_of(const td_text *t, size_t i)
{
    int depth = 0;
    for (; i < t->len; i++) {
        depth += strchr("({[", t->at[i]) != NULL && t->at[i];
        depth -= strchr(")}]", t->at[i]) != NULL && t->at[i];
        if (depth == 0)
            return i;
    }
    return t->len;
}

static bool has_word(const td_text *t, size_t from, size_t to, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = from; i + n <= to; i++)
        if (memcmp(t->at + i, word, n) == 0 &&
            (i == 0 || (!isalnum((unsigned char)t->at[i - 1]) && t->at[i - 1] != '_')) &&
            (i + n >= t->len ||
             (!isalnum((unsigned char)t->at[i + n]) && t->at[i + n] != '_')))
            return true;
    return false;
}

static bool is_word_at(const td_text *t, size_t i, const char *word)
{
    return has_word(t, i, i + strlen(word) < t->len ? i + strlen(word) : t->len, word);
}

bool rpr_names(const td_text *source, uint32_t from, uint32_t to, const char *word)
{
    td_text t = {0};
    size_t at = 0, start = 0;
    if (source->len == 0)
        return false;
    td_text_put(&t, source->at, source->len);
    rpr_source_blank(&t);
    for (uint32_t line = 1; at < t.len && line <= to; at++) {
        line += t.at[at] == '\n';
        if (line < from || (line == from && t.at[at] == '\n'))
            start = at;
    }
    bool found = t.len > 0 && has_word(&t, start, at, word);
    td_text_fini(&t);
    return found;
}

/* ---- statements ---- */

/* The end of the statement at i, behind its semicolon or brace. */
static size_t end_of(const td_text *t, size_t i, int depth)
{
    static const char *const heads[] = {"if", "for", "while", "switch", NULL};
    i = skip_blanks(t, i);
    if (i >= t->len || depth > MOST_DEPTH)
        return t->len;
    if (t->at[i] == '{')
        return close_of(t, i) + 1;
    for (int k = 0; heads[k]; k++) {
        if (!is_word_at(t, i, heads[k]))
            continue;
        size_t open = skip_blanks(t, i + strlen(heads[k]));
        if (open >= t->len || t->at[open] != '(')
            return t->len;
        size_t end = end_of(t, close_of(t, open) + 1, depth + 1);
        size_t next = skip_blanks(t, end);
        if (k == 0 && next < t->len && is_word_at(t, next, "else"))
            return end_of(t, next + 4, depth + 1);
        return end;
    }
    if (is_word_at(t, i, "do")) {
        i = end_of(t, i + 2, depth + 1);
    }
    for (; i < t->len && t->at[i] != ';' && t->at[i] != '}'; i++)
        if (strchr("({[", t->at[i]))
            i = close_of(t, i);
    return i < t->len && t->at[i] == ';' ? i + 1 : i;
}

typedef struct span {
    size_t from, to;
} span;

static bool has_loop(const td_text *t, size_t from, size_t to)
{
    return has_word(t, from, to, "for") || has_word(t, from, to, "while") ||
           has_word(t, from, to, "do");
}

static bool has_wait(const td_text *t, size_t from, size_t to)
{
    static const char *const waits[] = {"pthread_join",
                                        "pthread_cond_wait",
                                        "pthread_cond_timedwait",
                                        "sem_wait",
                                        "pthread_barrier_wait",
                                        "thrd_join",
                                        "cnd_wait",
                                        "join",
                                        "wait",
                                        "sleep",
                                        "usleep",
                                        "nanosleep",
                                        "poll",
                                        "select",
                                        "accept",
                                        "recv",
                                        "epoll_wait",
                                        "pthread_create",
                                        NULL};
    for (int i = 0; waits[i]; i++)
        if (has_word(t, from, to, waits[i]))
            return true;
    return false;
}

#define MOST_STATEMENTS 256u

typedef struct finder {
    const td_text *t;
    uint32_t from, to; /* lines */
    rpr_range *out;
    uint32_t n;
} finder;

static void add(finder *f, span at, size_t first_end, bool is_in_loop)
{
    rpr_range r = {.from = line_of(f->t, at.from),
                   .to = line_of(f->t, at.to - 1),
                   .is_in_loop = is_in_loop,
                   .begins_with_loop = has_loop(f->t, at.from, first_end),
                   .blocks = has_wait(f->t, at.from, at.to)};
    for (uint32_t i = 0; i < f->n; i++)
        if (f->out[i].from == r.from && f->out[i].to == r.to)
            return;
    if (f->n < RPR_RANGES)
        f->out[f->n++] = r;
}

/* The block between from and to, its braces left out. False: the lines are not in it. */
static bool look_in(finder *f, size_t from, size_t to, bool is_in_loop, int depth)
{
    span s[MOST_STATEMENTS];
    uint32_t n = 0, first = MOST_STATEMENTS, last = 0;
    for (size_t i = skip_blanks(f->t, from); i < to && n < MOST_STATEMENTS;) {
        size_t end = end_of(f->t, i, 0);
        if (end <= i || end > to)
            end = to;
        s[n] = (span){i, end};
        if (line_of(f->t, end - 1) >= f->from && first == MOST_STATEMENTS)
            first = n;
        if (line_of(f->t, i) <= f->to)
            last = n;
        n++;
        i = skip_blanks(f->t, end);
    }
    if (first >= n || last < first || depth > MOST_DEPTH)
        return false;
    if (first == last) { /* a block inside the statement may have the lines */
        bool loops =
            has_loop(f->t, s[first].from,
                     s[first].from + 8 < s[first].to ? s[first].from + 8 : s[first].to);
        for (size_t i = s[first].from; i < s[first].to; i++) {
            if (f->t->at[i] != '{')
                continue;
            size_t close = close_of(f->t, i);
            if (line_of(f->t, i) <= f->from && line_of(f->t, close) >= f->to &&
                close < s[first].to &&
                look_in(f, i + 1, close, is_in_loop || loops, depth + 1))
                break;
            i = close;
        }
    }
    static const int widths[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {2, 0}};
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        if (first < (uint32_t)widths[k][0] || last + (uint32_t)widths[k][1] >= n)
            continue;
        uint32_t a = first - (uint32_t)widths[k][0], b = last + (uint32_t)widths[k][1];
        add(f, (span){s[a].from, s[b].to}, s[a].to, is_in_loop);
    }
    return true;
}

uint32_t rpr_ranges(const td_text *source, uint32_t from, uint32_t to,
                    rpr_range out[RPR_RANGES])
{
    td_text t = {0};
    finder f = {&t, from, to, out, 0};
    if (source->len == 0)
        return 0;
    td_text_put(&t, source->at, source->len);
    rpr_source_blank(&t);
    /* Blocks outside of functions, as namespaces have them, are looked into like those of functions. */
    for (size_t i = 0; i < t.len; i++) {
        if (t.at[i] != '{')
            continue;
        size_t close = close_of(&t, i);
        if (line_of(&t, i) <= from && close < t.len && line_of(&t, close) >= to) {
            look_in(&f, i + 1, close, false, 0);
            break;
        }
        i = close;
    }
    td_text_fini(&t);
    return f.n;
}
