/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a change as an edit of C or C++ text. Where the text leaves a doubt it is refused. */
#include "repair/edit.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/assert.h"

#define SOURCE_MAX ((size_t)4 << 20)
#define MOST_OPEN 128u

/* ---- a file that is edited ---- */

typedef struct page {
    char *path;
    td_text raw;  /* the file */
    td_text code; /* the same with blanks for comments, quotes and the preprocessor */
    rpr_hunk_vec hunks;
} page;
TD_VEC(page, page_vec);

typedef struct editor {
    page_vec pages;
    char *why;
} editor;

/* Notes why there is no edit; returns false. */
static bool refuse(editor *e, const char *format, ...) TD_PRINTF(2, 3);
static bool refuse(editor *e, const char *format, ...)
{
    td_text text = {0};
    va_list args;
    va_start(args, format);
    td_text_addv(&text, format, args);
    va_end(args);
    td_free(e->why);
    e->why = text.at;
    return false;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_word_at(const td_text *t, size_t i, const char *word)
{
    size_t n = strlen(word);
    return i + n <= t->len && memcmp(t->at + i, word, n) == 0 &&
           (i == 0 || !is_word(t->at[i - 1]) || !is_word(word[0])) &&
           (i + n == t->len || !is_word(t->at[i + n]) || !is_word(word[n - 1]));
}

/* Where the word is next; to: it is not there. */
static size_t find_word(const td_text *t, size_t from, size_t to, const char *word)
{
    for (size_t i = from; i < to; i++)
        if (is_word_at(t, i, word))
            return i;
    return to;
}

static bool has_word(const td_text *t, size_t from, size_t to, const char *word)
{
    return find_word(t, from, to, word) < to;
}

static bool is_any(const td_text *t, size_t i, const char *const *words)
{
    for (; *words; words++)
        if (is_word_at(t, i, *words))
            return true;
    return false;
}

static size_t line_start(const td_text *t, uint32_t line)
{
    size_t i = 0;
    for (uint32_t n = 1; n < line && i < t->len; i++)
        n += t->at[i] == '\n';
    return i;
}

static uint32_t line_of(const td_text *t, size_t at)
{
    uint32_t line = 1;
    for (size_t i = 0; i < at && i < t->len; i++)
        line += t->at[i] == '\n';
    return line;
}

static size_t after_blanks(const td_text *t, size_t i)
{
    while (i < t->len && isspace((unsigned char)t->at[i]))
        i++;
    return i;
}

/* The last character before i that is not blank; t->len if there is none. */
static size_t before_blanks(const td_text *t, size_t i)
{
    while (i > 0)
        if (!isspace((unsigned char)t->at[--i]))
            return i;
    return t->len;
}

/* Begin of the word that ends at i. */
static size_t word_start(const td_text *t, size_t i)
{
    while (i > 0 && is_word(t->at[i - 1]))
        i--;
    return i;
}

static bool read_page(editor *e, const char *file, rpr_locate locate, void *ctx,
                      size_t *index)
{
    td_diag diag = {0};
    char *path = locate(ctx, file);
    if (!path)
        return refuse(e, "the source file %s is not there", file);
    for (size_t i = 0; i < e->pages.len; i++)
        if (strcmp(e->pages.at[i].path, path) == 0) {
            td_free(path);
            *index = i;
            return true;
        }
    page p = {.path = path};
    if (td_file_read(path, SOURCE_MAX, &p.raw, &diag) != TD_OK || p.raw.len == 0) {
        td_free(path);
        td_text_fini(&p.raw);
        return refuse(e, "the source file cannot be read: %s", diag.text);
    }
    td_text_put(&p.code, p.raw.at, p.raw.len);
    rpr_source_blank(&p.code);
    *index = e->pages.len;
    page_vec_push(&e->pages, p);
    if (memchr(p.raw.at, 0, p.raw.len) || strstr(p.raw.at, "R\"") ||
        strstr(p.raw.at, "\r"))
        return refuse(e, "%s has raw strings, or lines that end in another way", file);
    return true;
}

static void add_hunk(page *p, uint32_t at, uint32_t n_removed, const char *added)
{
    rpr_hunk h = {at, n_removed, td_strdup(added)};
    size_t i = p->hunks.len;
    rpr_hunk_vec_push(&p->hunks, h);
    for (; i > 0 && p->hunks.at[i - 1].at > at; i--)
        p->hunks.at[i] = p->hunks.at[i - 1];
    p->hunks.at[i] = h;
}

/* ---- blocks ---- */

typedef struct nest {
    size_t open[MOST_OPEN];
    uint32_t n;
} nest;

/* The brackets that are open at i. False: they do not match. */
static bool nest_at(const td_text *t, size_t i, nest *out)
{
    out->n = 0;
    for (size_t k = 0; k < i && k < t->len; k++) {
        char c = t->at[k];
        if (c == '(' || c == '[' || c == '{') {
            if (out->n == MOST_OPEN)
                return false;
            out->open[out->n++] = k;
        } else if (c == ')' || c == ']' || c == '}') {
            char open = c == ')' ? '(' : c == ']' ? '[' : '{';
            if (out->n == 0 || t->at[out->open[--out->n]] != open)
                return false;
        }
    }
    return true;
}

static size_t close_of(const td_text *t, size_t open)
{
    int depth = 0;
    for (size_t i = open; i < t->len; i++) {
        depth += t->at[i] == '(' || t->at[i] == '[' || t->at[i] == '{';
        depth -= t->at[i] == ')' || t->at[i] == ']' || t->at[i] == '}';
        if (depth == 0)
            return i;
    }
    return t->len;
}

/* The bracket before which the one that closes at i was opened. */
static size_t open_of(const td_text *t, size_t close)
{
    nest n;
    return nest_at(t, close, &n) && n.n > 0 ? n.open[n.n - 1] : t->len;
}

/* A brace that begins a block of statements, and not a list of values. */
static bool is_block(const td_text *t, size_t open)
{
    static const char *const heads[] = {"else",     "do",       "try",     "const",
                                        "noexcept", "override", "mutable", NULL};
    size_t before = before_blanks(t, open);
    if (t->at[open] != '{' || before == t->len)
        return false;
    if (strchr("){};]", t->at[before]))
        return true;
    return is_word(t->at[before]) && is_any(t, word_start(t, before), heads);
}

/* A brace of a namespace, or of extern "C". */
static bool is_outside(const td_text *t, size_t open)
{
    size_t i = open;
    while (i > 0 && !strchr(";{})", t->at[i - 1]))
        i--;
    return t->at[open] == '{' &&
           (has_word(t, i, open, "namespace") || has_word(t, i, open, "extern"));
}

/* Whole statements of a block, on lines from..to. */
typedef struct part {
    page *p;
    uint32_t from, to;
    size_t begin, end; /* first character, and behind the last one */
    size_t block;      /* the brace that opens the innermost block */
    size_t function;   /* that of the outermost one */
    size_t outer;      /* that of the outermost brace of the file: a namespace, a class */
} part;

/* Files name lines as the compiler sees them; a line of a macro is none of code. */
static bool find_part(editor *e, page *p, uint32_t from, uint32_t to, part *out)
{
    const td_text *t = &p->code;
    nest open, later;
    size_t begin = line_start(t, from), stop = line_start(t, to + 1);
    *out = (part){.p = p, .from = from, .to = to};
    if (!nest_at(t, t->len, &open) || open.n != 0)
        return refuse(e, "the brackets of %s match only behind the preprocessor",
                      p->path);
    for (uint32_t line = from; line <= to; line++) {
        size_t a = line_start(&p->raw, line);
        a = after_blanks(&p->raw, a);
        if (a < stop && p->raw.at[a] == '#')
            return refuse(e, "line %u is for the preprocessor", line);
    }
    begin = after_blanks(t, begin);
    size_t last = before_blanks(t, stop);
    if (begin >= stop || last == t->len || last < begin)
        return refuse(e, "lines %u to %u have no code", from, to);
    if (!nest_at(t, begin, &open) || !nest_at(t, last + 1, &later) || open.n != later.n ||
        open.n == 0 || memcmp(open.open, later.open, open.n * sizeof open.open[0]) != 0)
        return refuse(e, "lines %u to %u are not whole statements", from, to);
    out->begin = begin;
    out->end = last + 1;
    out->block = open.open[open.n - 1];
    out->outer = open.open[0];
    uint32_t k = 0;
    while (k + 1 < open.n && !is_block(t, open.open[k]))
        k++;
    out->function = open.open[k];
    if (!is_block(t, out->block) || is_outside(t, out->block))
        return refuse(e, "lines %u to %u are not statements of a block", from, to);
    return true;
}

static bool closes_do(const td_text *t, size_t close)
{
    size_t open = t->at[close] == '}' ? open_of(t, close) : t->len;
    size_t before = open < t->len ? before_blanks(t, open) : t->len;
    return before < t->len && is_word(t->at[before]) &&
           is_word_at(t, word_start(t, before), "do");
}

/* True if nothing else is part of its first or last statement. */
static bool is_whole(editor *e, const part *s)
{
    static const char *const inner[] = {"else", "catch", "case", "default", NULL};
    static const char *const more[] = {"else", "catch", NULL};
    const td_text *t = &s->p->code;
    size_t before = before_blanks(t, s->begin), after = after_blanks(t, s->end);
    if (before == t->len || !strchr("{};", t->at[before]) || is_any(t, s->begin, inner) ||
        (closes_do(t, before) && is_word_at(t, s->begin, "while")))
        return refuse(e,
                      "line %u is not the begin of a statement of its own: a label, or "
                      "the body of an if or a loop without braces",
                      s->from);
    if (!strchr(";}", t->at[s->end - 1]) ||
        (after < t->len && (is_any(t, after, more) || strchr(";,)=", t->at[after]))) ||
        (closes_do(t, s->end - 1) && after < t->len && is_word_at(t, after, "while")))
        return refuse(e, "line %u is not the end of a statement", s->to);
    return true;
}

/* ---- what may not be in a section ---- */

/* The block in which i is, within the section, is the body of a loop or of a switch. */
static bool is_inside(const part *s, size_t i, bool loops_only)
{
    const td_text *t = &s->p->code;
    nest open;
    if (!nest_at(t, i, &open))
        return false;
    for (uint32_t k = 0; k < open.n; k++) {
        size_t brace = open.open[k], before;
        if (brace < s->begin || t->at[brace] != '{')
            continue;
        before = before_blanks(t, brace);
        if (t->at[before] != ')') {
            if (is_word_at(t, word_start(t, before), "do"))
                return true;
            continue;
        }
        size_t head = before_blanks(t, open_of(t, before));
        size_t word = head < t->len ? word_start(t, head) : t->len;
        if (is_word_at(t, word, "for") || is_word_at(t, word, "while") ||
            (!loops_only && is_word_at(t, word, "switch")))
            return true;
    }
    return false;
}

/* A word that leaves the section by a way on which it would not be ended; NULL: there is none. */
static const char *way_out(const part *s)
{
    static const char *const words[] = {"return",    "throw",    "pthread_exit",
                                        "thrd_exit", "longjmp",  "siglongjmp",
                                        "co_await",  "co_yield", "co_return",
                                        "goto",      "asm",      NULL};
    const td_text *t = &s->p->code;
    for (int k = 0; words[k]; k++)
        if (has_word(t, s->begin, s->end, words[k]))
            return words[k];
    for (size_t i = s->begin; i < s->end; i++) {
        if (is_word_at(t, i, "break") && !is_inside(s, i, false))
            return "break";
        if (is_word_at(t, i, "continue") && !is_inside(s, i, true))
            return "continue";
    }
    return NULL;
}

/* Functions of the standards that are macros, and end no section but with the process. */
static bool is_known_macro(const char *word, size_t n)
{
    static const char *const known[] = {
        "assert",          "NULL", "EOF", "INT_MAX", "UINT_MAX", "SIZE_MAX", "INT_MIN",
        "ATOMIC_VAR_INIT", NULL};
    for (int i = 0; known[i]; i++)
        if (strlen(known[i]) == n && memcmp(known[i], word, n) == 0)
            return true;
    return false;
}

/* True if the file defines the word as a macro whose text is more than a value. */
static bool is_macro_of_code(const page *p, const char *word, size_t n)
{
    const char *at = p->raw.at;
    while ((at = strstr(at, "define")) != NULL) {
        at += strlen("define");
        const char *name = at + strspn(at, " \t");
        if (name == at || strncmp(name, word, n) != 0 || is_word(name[n]))
            continue;
        const char *text = name + n;
        if (*text == '(')
            return true;
        for (; *text && (*text != '\n' || text[-1] == '\\'); text++)
            if (strchr(";{}=", *text))
                return true;
    }
    return false;
}

/* A word that is a macro, or looks like one, and could have anything in it; n: its length, 0: there is none. */
static const char *macro_in(const part *s, size_t *n)
{
    const td_text *t = &s->p->code;
    for (size_t i = s->begin; i < s->end;) {
        if (!is_word(t->at[i]) || isdigit((unsigned char)t->at[i])) {
            i++;
            continue;
        }
        size_t end = i;
        bool has_small = false;
        for (; end < s->end && is_word(t->at[end]); end++)
            has_small |= islower((unsigned char)t->at[end]) != 0;
        *n = end - i;
        bool is_call =
            after_blanks(t, end) < s->end && t->at[after_blanks(t, end)] == '(';
        if (!is_known_macro(t->at + i, *n) &&
            ((is_call && !has_small && *n > 1) || is_macro_of_code(s->p, t->at + i, *n)))
            return t->at + i;
        i = end;
    }
    *n = 0;
    return NULL;
}

/* A statement at i that is surely none of these: a declaration, a label. */
static bool is_plain_statement(const td_text *t, size_t i, size_t end)
{
    static const char *const heads[] = {"if",     "for",   "while",    "do",    "switch",
                                        "return", "break", "continue", "throw", "delete",
                                        "goto",   "else",  "try",      NULL};
    if (i >= end || strchr("{;*+-(", t->at[i]) || is_any(t, i, heads))
        return true;
    while (i < end) { /* a name with its members, calls and elements */
        if (!is_word(t->at[i]))
            return false;
        while (i < end && is_word(t->at[i]))
            i++;
        i = after_blanks(t, i);
        while (i < end && (t->at[i] == '(' || t->at[i] == '[')) {
            bool is_call = t->at[i] == '(';
            i = after_blanks(t, close_of(t, i) + 1);
            if (is_call && i < end && t->at[i] == ';')
                return true;
        }
        if (i + 1 < end && (t->at[i] == '.' || memcmp(t->at + i, "->", 2) == 0 ||
                            memcmp(t->at + i, "::", 2) == 0)) {
            i = after_blanks(t, i + (t->at[i] == '.' ? 1 : 2));
            continue;
        }
        if (i + 1 < end &&
            (memcmp(t->at + i, "++", 2) == 0 || memcmp(t->at + i, "--", 2) == 0 ||
             memcmp(t->at + i, "<<", 2) == 0))
            return true;
        if (i < end && t->at[i] == '=')
            return true;
        return i + 1 < end && strchr("+-/%|^", t->at[i]) && t->at[i + 1] == '=';
    }
    return false;
}

/* Begins of the statements of the block from i on: the next one. */
static size_t next_statement(const td_text *t, size_t i, size_t end)
{
    bool closed = false;
    for (; i < end; i++) {
        if (strchr("([{", t->at[i])) {
            closed = t->at[i] == '{';
            i = close_of(t, i);
            if (closed && i < end) {
                size_t next = after_blanks(t, i + 1);
                if (next >= end || !strchr(";,)=.", t->at[next]))
                    return next;
            }
            continue;
        }
        if (t->at[i] == ';')
            return after_blanks(t, i + 1);
    }
    return end;
}

/* The section itself declares something, which ends with a block round it. */
static bool declares(const part *s)
{
    const td_text *t = &s->p->code;
    for (size_t i = s->begin; i < s->end; i = next_statement(t, i, s->end))
        if (!is_plain_statement(t, i, s->end))
            return true;
    return false;
}

/* ---- names of mutexes ---- */

typedef enum lock_kind { LOCK_PTHREAD, LOCK_C11, LOCK_CXX } lock_kind;

typedef struct lock_name {
    lock_kind kind;
    char *text; /* the expression */
    bool is_new;
} lock_name;

/* The declaration at the top of the file, or in a namespace, before the place; t->len if there is none. */
static size_t declared_at(const td_text *t, const char *root, size_t before)
{
    for (size_t i = find_word(t, 0, before, root); i < before;
         i = find_word(t, i + 1, before, root)) {
        nest open;
        bool is_top = nest_at(t, i, &open);
        for (uint32_t k = 0; is_top && k < open.n; k++)
            is_top = is_outside(t, open.open[k]);
        size_t previous = before_blanks(t, i);
        if (is_top && previous < t->len &&
            (is_word(t->at[previous]) || strchr(",>*}", t->at[previous])))
            return i;
    }
    return t->len;
}

/* A parameter or local variable has the name. */
static bool is_hidden(const part *s, const char *root)
{
    static const char *const not_types[] = {"return", "else", "case", "sizeof",
                                            "delete", "do",   NULL};
    const td_text *t = &s->p->code;
    size_t from = s->function;
    while (from > 0 && !strchr(";}{", t->at[from - 1]))
        from--;
    for (size_t i = find_word(t, from, s->begin, root); i < s->begin;
         i = find_word(t, i + 1, s->begin, root)) {
        size_t previous = before_blanks(t, i);
        if (previous < t->len && (t->at[previous] == '*' || t->at[previous] == '&')) {
            size_t type = before_blanks(t, previous);
            if (type < t->len && (is_word(t->at[type]) || t->at[type] == '>') &&
                t->at[previous - 1] != '&')
                return true;
        } else if (previous < t->len &&
                   (t->at[previous] == '>' ||
                    (is_word(t->at[previous]) &&
                     !is_any(t, word_start(t, previous), not_types))))
            return true;
    }
    return false;
}

static bool name_lock(editor *e, const trc_repair *r, const part *s, lock_name *out)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]";
    const td_text *t = &s->p->code;
    const char *member = strstr(r->lock, "._M_");
    size_t n = member ? (size_t)(member - r->lock) : strlen(r->lock);
    td_text name = {0}, root = {0};
    td_text_put(&name, r->lock, n);
    td_text_put(&root, r->lock, strcspn(r->lock, ".["));
    bool is_plain = n > 0 && strspn(name.at, allowed) == n && !strstr(name.at, "__");
    size_t at = is_plain ? declared_at(t, root.at, s->begin) : t->len;
    bool is_there = at < t->len && !is_hidden(s, root.at);
    if (is_there) {
        size_t from = at;
        while (from > 0 && !strchr(";}", t->at[from - 1]))
            from--;
        bool is_c11 = has_word(t, from, at, "mtx_t") ||
                      (!has_word(t, from, at, "pthread_mutex_t") &&
                       has_word(t, 0, t->len, "mtx_lock"));
        out->kind = member ? LOCK_CXX : is_c11 ? LOCK_C11 : LOCK_PTHREAD;
        out->text = td_strdup(name.at);
    } else {
        refuse(e, "no expression is known that names the mutex %s at line %u",
               name.at ? name.at : "", s->from);
    }
    td_text_fini(&name);
    td_text_fini(&root);
    return is_there;
}

/* ---- statements that take or give the mutex ---- */

typedef enum lock_act { ACT_NONE, ACT_TAKE, ACT_GIVE, ACT_GUARD } lock_act;

/* Code of a line without blanks. */
static void squeeze(const td_text *t, uint32_t line, td_text *out)
{
    td_text_clear(out);
    for (size_t i = line_start(t, line); i < t->len && t->at[i] != '\n'; i++)
        if (!isspace((unsigned char)t->at[i]))
            td_text_put(out, t->at + i, 1);
    if (!out->at)
        td_text_put(out, "", 0);
}

static bool is_text(const td_text *t, const char *format, const char *name)
{
    td_text want = {0};
    const char *at = strchr(format, '@');
    td_text_put(&want, format, (size_t)(at - format));
    td_text_add(&want, "%s%s", name, at + 1);
    bool is = t->at && strcmp(t->at, want.at) == 0;
    td_text_fini(&want);
    return is;
}

/* Guards that end with their block and are not used by name. */
static bool is_guard(const td_text *t, const char *lock)
{
    static const char *const types[] = {"std::lock_guard", "std::scoped_lock",
                                        "lock_guard", "scoped_lock", NULL};
    td_text end = {0};
    bool is = false;
    td_text_add(&end, "(%s);", lock);
    for (int i = 0; types[i] && t->len > end.len; i++)
        is |= strncmp(t->at, types[i], strlen(types[i])) == 0 &&
              strcmp(t->at + t->len - end.len, end.at) == 0 &&
              memchr(t->at, ';', t->len - 1) == NULL;
    td_text_fini(&end);
    return is;
}

/* What the line does to the mutex, if it does nothing else. */
static lock_act act_of(const part *s, uint32_t line, const char *lock)
{
    static const struct {
        const char *text;
        lock_act act;
    } acts[] = {{"pthread_mutex_lock(&@);", ACT_TAKE},
                {"pthread_mutex_unlock(&@);", ACT_GIVE},
                {"mtx_lock(&@);", ACT_TAKE},
                {"mtx_unlock(&@);", ACT_GIVE},
                {"@.lock();", ACT_TAKE},
                {"@.unlock();", ACT_GIVE}};
    td_text text = {0};
    lock_act act = ACT_NONE;
    squeeze(&s->p->code, line, &text);
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
        if (is_text(&text, acts[i].text, lock))
            act = acts[i].act;
    if (act == ACT_NONE && text.at && is_guard(&text, lock))
        act = ACT_GUARD;
    td_text_fini(&text);
    return act;
}

/* How the section begins and ends, once what it does itself with the mutex is removed. */
typedef struct seam {
    bool takes, gives; /* at its begin, at its end */
    bool has_guard;    /* of the block that the section is in */
    uint32_t n_acts;
} seam;

/* True if a line mentions the mutex in a way that is none of the acts, and no wait. */
static bool uses_otherwise(const part *s, uint32_t line, const char *lock, lock_kind kind)
{
    td_text text = {0};
    const char *at;
    bool uses = false;
    squeeze(&s->p->code, line, &text);
    for (at = text.at; at && (at = strstr(at, lock)) != NULL; at++) {
        char before = at > text.at ? at[-1] : 0, after = at[strlen(lock)];
        uses |= !is_word(before) && before != '.' && !is_word(after);
    }
    if (uses && kind != LOCK_CXX && text.at &&
        (strstr(text.at, "cond_wait(") || strstr(text.at, "cond_timedwait(") ||
         strstr(text.at, "cnd_wait(")))
        uses = false;
    td_text_fini(&text);
    return uses;
}

/* Finds what the section does with its own mutex. A block inside takes and gives it in turn; the section itself may begin or
 * end with the mutex held. */
static bool find_seam(editor *e, const part *s, const lock_name *lock, seam *out)
{
    const td_text *t = &s->p->code;
    lock_act last = ACT_NONE;
    size_t inner = t->len; /* the block that holds it */
    *out = (seam){.takes = true, .gives = true};
    for (uint32_t line = s->from; line <= s->to; line++) {
        lock_act act = act_of(s, line, lock->text);
        nest open;
        if (act == ACT_NONE && uses_otherwise(s, line, lock->text, lock->kind))
            return refuse(e, "line %u uses %s in the section", line, lock->text);
        if (act == ACT_NONE)
            continue;
        if (!nest_at(t, after_blanks(t, line_start(t, line)), &open) || open.n == 0)
            return refuse(e, "line %u is not in a block", line);
        size_t block = open.open[open.n - 1];
        out->n_acts++;
        if (act == ACT_GUARD) {
            out->has_guard |= block == s->block;
            continue;
        }
        bool is_own = block == s->block;
        if (act == last)
            return refuse(e, "line %u does not take and give %s in turn", line,
                          lock->text);
        if (last == ACT_NONE && act == ACT_GIVE && is_own)
            out->takes = false;
        else if (act == ACT_GIVE && block != inner)
            return refuse(e, "line %u gives back %s, which another block took", line,
                          lock->text);
        inner = act == ACT_TAKE ? block : t->len;
        last = act;
        if (!is_own && act == ACT_GIVE)
            last = ACT_NONE;
    }
    if (last == ACT_TAKE && inner != s->block)
        return refuse(e, "a block in the section keeps %s", lock->text);
    if (out->n_acts > 0 && last == ACT_TAKE)
        out->gives = false;
    if (out->has_guard && (!out->takes || !out->gives))
        return refuse(e, "the section has a guard and calls of %s", lock->text);
    return true;
}

/* ---- writing a section ---- */

static void indent_of(const page *p, uint32_t line, td_text *out)
{
    size_t i = line_start(&p->raw, line), n = 0;
    while (i + n < p->raw.len && (p->raw.at[i + n] == ' ' || p->raw.at[i + n] == '\t'))
        n++;
    td_text_put(out, p->raw.at + i, n);
}

/* A name that the file does not have yet. */
static char *free_name(const page *p, const char *stem)
{
    td_text name = {0};
    td_text_add(&name, "%s", stem);
    for (unsigned i = 2; has_word(&p->raw, 0, p->raw.len, name.at); i++) {
        td_text_clear(&name);
        td_text_add(&name, "%s%u", stem, i);
    }
    return name.at;
}

static void remove_acts(const part *s, const char *lock)
{
    for (uint32_t line = s->from; line <= s->to; line++)
        if (act_of(s, line, lock) != ACT_NONE)
            add_hunk(s->p, line, 1, "");
}

static void write_calls(const part *s, const lock_name *lock, const seam *how)
{
    const char *take = lock->kind == LOCK_C11 ? "mtx_lock" : "pthread_mutex_lock";
    const char *give = lock->kind == LOCK_C11 ? "mtx_unlock" : "pthread_mutex_unlock";
    td_text indent = {0}, line = {0};
    indent_of(s->p, s->from, &indent);
    td_text_add(&line, "%s%s(&%s);\n", indent.at ? indent.at : "", take, lock->text);
    if (how->takes)
        add_hunk(s->p, s->from, 0, line.at);
    remove_acts(s, lock->text);
    td_text_clear(&line);
    td_text_add(&line, "%s%s(&%s);\n", indent.at ? indent.at : "", give, lock->text);
    if (how->gives)
        add_hunk(s->p, s->to + 1, 0, line.at);
    td_text_fini(&indent);
    td_text_fini(&line);
}

/* The lines in a block of their own. */
static void write_block(const part *s, const char *lock, const char *guard)
{
    td_text indent = {0}, text = {0};
    const td_text *raw = &s->p->raw;
    indent_of(s->p, s->from, &indent);
    const char *in = indent.at ? indent.at : "", *step = *in == '\t' ? "\t" : "    ";
    td_text_add(&text, "%s{\n%s%s%s\n", in, in, step, guard);
    for (uint32_t line = s->from; line <= s->to; line++) {
        size_t a = line_start(raw, line), b = line_start(raw, line + 1);
        if (act_of(s, line, lock) != ACT_NONE)
            continue;
        td_text_add(&text, "%s", raw->at[a] == '\n' ? "" : step);
        td_text_put(&text, raw->at + a, b - a);
    }
    td_text_add(&text, "%s}\n", in);
    add_hunk(s->p, s->from, s->to - s->from + 1, text.at);
    td_text_fini(&indent);
    td_text_fini(&text);
}

/* A guard: to the end of the block, in a block of its own, or given back behind the lines. */
static bool write_guard(editor *e, const part *s, const lock_name *lock, const seam *how)
{
    const td_text *t = &s->p->code;
    size_t after = after_blanks(t, s->end);
    bool is_to_end = after < t->len && t->at[after] == '}';
    if (!how->takes || !how->gives || has_word(t, s->begin, s->end, "unique_lock"))
        return refuse(e, "the section begins or ends with %s held", lock->text);
    if (has_word(t, s->begin, s->end, "goto") ||
        has_word(t, s->begin, s->end, "co_await"))
        return refuse(e, "the section has a goto");
    char *name = free_name(s->p, "hold");
    td_text guard = {0}, text = {0};
    bool is_unique = !is_to_end && !how->has_guard && declares(s);
    td_text_add(&guard, "std::%s<decltype(%s)> %s(%s);",
                is_unique ? "unique_lock" : "lock_guard", lock->text, name, lock->text);
    if (!is_to_end && !is_unique && !how->has_guard) {
        write_block(s, lock->text, guard.at);
    } else {
        indent_of(s->p, s->from, &text);
        size_t n = text.len;
        td_text_add(&text, "%s\n", guard.at);
        add_hunk(s->p, s->from, 0, text.at);
        remove_acts(s, lock->text);
        if (is_unique) {
            text.len = n;
            td_text_add(&text, "%s.unlock();\n", name);
            add_hunk(s->p, s->to + 1, 0, text.at);
        }
    }
    td_free(name);
    td_text_fini(&guard);
    td_text_fini(&text);
    return true;
}

/* Declares the new mutex before the first function of the change. */
static void write_declaration(page *p, const lock_name *lock, size_t outer)
{
    const td_text *t = &p->code;
    size_t i = outer;
    while (i > 0 && !strchr(";}", t->at[i - 1]))
        i--;
    uint32_t line = line_of(t, after_blanks(t, i));
    bool is_cxx = lock->kind == LOCK_CXX;
    td_text text = {0};
    for (; line > 1; line--) { /* before its comment */
        size_t a = line_start(&p->raw, line - 1), raw = a, code = a;
        while (raw < p->raw.len && (p->raw.at[raw] == ' ' || p->raw.at[raw] == '\t'))
            raw++;
        while (code < t->len && t->at[code] != '\n' &&
               isspace((unsigned char)t->at[code]))
            code++;
        if (p->raw.at[raw] == '\n' || p->raw.at[raw] == '#' || t->at[code] != '\n')
            break;
    }
    const char *header = is_cxx ? "#include <mutex>" : "#include <pthread.h>";
    if (!strstr(p->raw.at, header)) {
        const char *first = strstr(p->raw.at, "#include");
        td_text_add(&text, "%s\n", header);
        if (first && line_of(&p->raw, (size_t)(first - p->raw.at)) < line)
            add_hunk(p, line_of(&p->raw, (size_t)(first - p->raw.at)), 0, text.at);
        else
            add_hunk(p, line, 0, text.at);
        td_text_clear(&text);
    }
    td_text_add(&text,
                is_cxx ? "static std::mutex %s;\n\n"
                       : "static pthread_mutex_t %s = PTHREAD_MUTEX_INITIALIZER;\n\n",
                lock->text);
    add_hunk(p, line, 0, text.at);
    td_text_fini(&text);
}

static bool is_cxx_file(const char *path)
{
    static const char *const ends[] = {".cpp", ".cc", ".cxx", ".C", ".c++",
                                       ".hpp", ".hh", ".hxx", NULL};
    for (int i = 0; ends[i]; i++) {
        size_t n = strlen(path), m = strlen(ends[i]);
        if (n > m && strcmp(path + n - m, ends[i]) == 0)
            return true;
    }
    return false;
}

static bool new_lock(page *p, lock_name *out)
{
    bool is_pthread = strstr(p->raw.at, "pthread_mutex") || !is_cxx_file(p->path);
    out->kind = is_pthread ? LOCK_PTHREAD : LOCK_CXX;
    out->text = free_name(p, "fix_lock");
    out->is_new = true;
    return true;
}

/* The value is none that other threads could change: a local variable, a number. */
static bool is_private_value(const part *s, size_t from, size_t to)
{
    const td_text *t = &s->p->code;
    td_text word = {0};
    size_t i = from;
    while (i < to && is_word(t->at[i]))
        i++;
    td_text_put(&word, t->at + from, i - from);
    bool is = after_blanks(t, i) == to &&
              (i == from || isdigit((unsigned char)t->at[from]) ||
               strcmp(word.at, "NULL") == 0 || declared_at(t, word.at, t->len) == t->len);
    td_text_fini(&word);
    return is;
}

/* The section ends before a return at its end, if that returns what nobody else changes. */
static void leave_return_out(part *s)
{
    const td_text *t = &s->p->code;
    size_t last = s->begin;
    for (size_t i = s->begin; i < s->end; i = next_statement(t, i, s->end))
        last = i;
    size_t before = before_blanks(t, last);
    if (last == s->begin || !is_word_at(t, last, "return") ||
        !is_private_value(s, after_blanks(t, last + strlen("return")), s->end - 1) ||
        line_of(t, before) == line_of(t, last))
        return;
    s->end = before + 1;
    s->to = line_of(t, before);
}

/* The section over one of its places. */
static bool write_place(editor *e, part *s, const lock_name *lock)
{
    seam how = {.takes = true, .gives = true};
    size_t n = 0;
    if (lock->kind != LOCK_CXX)
        leave_return_out(s);
    const char *macro = macro_in(s, &n);
    const char *leaves = lock->kind == LOCK_CXX ? NULL : way_out(s);
    if (!is_whole(e, s))
        return false;
    if (leaves)
        return refuse(e, "the section from line %u to line %u has a %s", s->from, s->to,
                      leaves);
    if (macro)
        return refuse(e, "%.*s in the section is a macro, or looks like one", (int)n,
                      macro);
    if (has_word(&s->p->code, s->function, close_of(&s->p->code, s->function), "goto"))
        return refuse(e, "the function of line %u has a goto", s->from);
    if (!lock->is_new && !find_seam(e, s, lock, &how))
        return false;
    if (lock->kind == LOCK_CXX)
        return write_guard(e, s, lock, &how);
    write_calls(s, lock, &how);
    return true;
}

static bool edit_section(editor *e, const trc_repair *r, const char *callees,
                         rpr_locate locate, void *ctx)
{
    part parts[TRC_REPAIR_PLACES];
    size_t index[TRC_REPAIR_PLACES], first = 0;
    lock_name lock = {0};
    bool ok = true;
    if (*callees)
        return refuse(e, "%s would take %s once more, so these have to be split by hand",
                      callees, r->lock);
    for (uint32_t i = 0; i < r->n_places; i++)
        if (!read_page(e, r->places[i].file, locate, ctx, &index[i]))
            return false;
    for (uint32_t i = 0; i < r->n_places; i++) {
        if (index[i] != index[0] && !r->object)
            return refuse(e,
                          "the lines are in two files, and a new lock would have to be "
                          "declared for both");
        if (!find_part(e, &e->pages.at[index[i]], r->places[i].from, r->places[i].to,
                       &parts[i]))
            return false;
        first = parts[i].outer < parts[first].outer ? i : first;
        for (uint32_t k = 0; k < i; k++)
            if (index[k] == index[i] && parts[k].from <= parts[i].to &&
                parts[i].from <= parts[k].to)
                return refuse(e, "the sections overlap");
    }
    if (!r->object)
        new_lock(parts[0].p, &lock);
    for (uint32_t i = 0; ok && i < r->n_places; i++) {
        td_free(r->object ? lock.text : NULL);
        ok = (!r->object || name_lock(e, r, &parts[i], &lock)) &&
             write_place(e, &parts[i], &lock);
    }
    if (ok && !r->object)
        write_declaration(parts[first].p, &lock, parts[first].outer);
    if (ok || !r->object)
        td_free(lock.text);
    return ok;
}

/* ---- one word for another ---- */

static void replace_at(page *p, size_t at, size_t n, const char *word)
{
    uint32_t line = line_of(&p->raw, at);
    size_t a = line_start(&p->raw, line), b = line_start(&p->raw, line + 1);
    for (size_t i = 0; i < p->hunks.len; i++) /* two of one line: the second is refused */
        TD_ASSERT(p->hunks.at[i].at != line);
    td_text text = {0};
    td_text_put(&text, p->raw.at + a, at - a);
    td_text_add(&text, "%s", word);
    td_text_put(&text, p->raw.at + at + n, b - at - n);
    add_hunk(p, line, 1, text.at);
    td_text_fini(&text);
}

static bool has_hunk_at(const page *p, size_t at)
{
    for (size_t i = 0; i < p->hunks.len; i++)
        if (p->hunks.at[i].at == line_of(&p->raw, at))
            return true;
    return false;
}

static bool edit_wake_all(editor *e, const trc_repair *r, rpr_locate locate, void *ctx)
{
    static const char *const words[][2] = {
        {"pthread_cond_signal", "pthread_cond_broadcast"},
        {"cnd_signal", "cnd_broadcast"},
        {"notify_one", "notify_all"},
    };
    for (uint32_t i = 0; i < r->n_places; i++) {
        size_t index = 0, at = 0, n_found = 0, which = 0;
        if (!read_page(e, r->places[i].file, locate, ctx, &index))
            return false;
        page *p = &e->pages.at[index];
        size_t from = line_start(&p->code, r->places[i].from);
        size_t to = line_start(&p->code, r->places[i].to + 1);
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            for (size_t w = find_word(&p->code, from, to, words[k][0]); w < to;
                 w = find_word(&p->code, w + 1, to, words[k][0])) {
                at = w;
                which = k;
                n_found++;
            }
        if (n_found != 1 || has_hunk_at(p, at))
            return refuse(e, "line %u has %s signal that can be read there",
                          r->places[i].from, n_found ? "more than one" : "no");
        replace_at(p, at, strlen(words[which][0]), words[which][1]);
    }
    return true;
}

/* ---- memory orders ---- */

/* The order's word at i: "memory_order_relaxed", "memory_order::relaxed", "__ATOMIC_RELAXED"; its length, or 0. */
static size_t order_at(const td_text *t, size_t i, const char *order, td_text *prefix)
{
    static const char *const prefixes[] = {"memory_order_", "memory_order::", "__ATOMIC_",
                                           NULL};
    for (int k = 0; prefixes[k]; k++) {
        size_t n = strlen(prefixes[k]), m = strlen(order);
        if ((i > 0 && is_word(t->at[i - 1])) || i + n + m > t->len ||
            memcmp(t->at + i, prefixes[k], n) != 0 ||
            strncasecmp(t->at + i + n, order, m) != 0 ||
            (i + n + m < t->len && is_word(t->at[i + n + m])))
            continue;
        td_text_clear(prefix);
        td_text_add(prefix, "%s", prefixes[k]);
        return n + m;
    }
    return 0;
}

static bool edit_order(editor *e, const trc_weaker *w, rpr_locate locate, void *ctx)
{
    size_t index = 0, found = 0, length = 0, n_found = 0;
    td_text prefix = {0}, word = {0};
    const char *to = trc_order_name(w->kind, w->to),
               *now = trc_order_name(w->kind, w->order);
    if (!read_page(e, w->file, locate, ctx, &index))
        return false;
    page *p = &e->pages.at[index];
    size_t from = line_start(&p->code, w->line), end = from;
    if (w->column > 1 && from + w->column - 1 < line_start(&p->code, w->line + 1))
        from += w->column - 1;
    end = from;
    while (end < p->code.len && p->code.at[end] != ';' && p->code.at[end] != '{')
        end++;
    for (size_t i = from; i < end; i++) {
        size_t n = order_at(&p->code, i, now, &prefix);
        if (n == 0)
            continue;
        if (n_found++ == 0) {
            found = i;
            length = n;
            td_text_clear(&word);
            td_text_add(&word, "%s%s", prefix.at, to);
        }
    }
    if (word.at && strncmp(word.at, "__ATOMIC_", 9) == 0)
        for (char *c = word.at; *c; c++)
            *c = (char)toupper((unsigned char)*c);
    bool ok = n_found == 1 && !has_hunk_at(p, found);
    if (ok)
        replace_at(p, found, length, word.at);
    else
        refuse(e, "line %u has %s order %s that can be read there", w->line,
               n_found ? "more than one" : "no", now);
    td_text_fini(&prefix);
    td_text_fini(&word);
    return ok;
}

/* ---- a statement that comes earlier or later ---- */

static bool starts_threads(const td_text *t, size_t from, size_t to)
{
    return has_word(t, from, to, "pthread_create") ||
           has_word(t, from, to, "thrd_create") || has_word(t, from, to, "thread") ||
           has_word(t, from, to, "jthread");
}

static bool joins(const td_text *t, size_t from, size_t to)
{
    return has_word(t, from, to, "pthread_join") || has_word(t, from, to, "thrd_join") ||
           has_word(t, from, to, "join");
}

/* Names that both parts of the text have. */
static bool share_names(const td_text *t, size_t a, size_t a_end, size_t b, size_t b_end)
{
    static const char *const common[] = {"NULL", "nullptr", "int", "for",
                                         "std",  "i",       NULL};
    for (size_t i = a; i < a_end;) {
        if (!is_word(t->at[i]) || isdigit((unsigned char)t->at[i])) {
            i++;
            continue;
        }
        size_t n = 0;
        while (i + n < a_end && is_word(t->at[i + n]))
            n++;
        td_text word = {0};
        td_text_put(&word, t->at + i, n);
        bool shared = !is_any(t, i, common) && has_word(t, b, b_end, word.at);
        td_text_fini(&word);
        if (shared)
            return true;
        i += n;
    }
    return false;
}

/* One statement on a line of its own that can be moved. */
static bool find_movable(editor *e, page *p, const trc_lines *at, part *out)
{
    size_t n = 0;
    if (!find_part(e, p, at->from, at->to, out) || !is_whole(e, out))
        return false;
    const td_text *t = &p->code;
    if (next_statement(t, out->begin, out->end) < out->end ||
        t->at[out->end - 1] != ';' || !is_plain_statement(t, out->begin, out->end) ||
        way_out(out) || macro_in(out, &n))
        return refuse(e, "line %u is not one statement that can be moved", at->from);
    return true;
}

static void move_to(const part *s, uint32_t line)
{
    size_t a = line_start(&s->p->raw, s->from), b = line_start(&s->p->raw, s->to + 1);
    td_text text = {0};
    td_text_put(&text, s->p->raw.at + a, b - a);
    add_hunk(s->p, s->from, s->to - s->from + 1, "");
    add_hunk(s->p, line, 0, text.at);
    td_text_fini(&text);
}

/* The last statement that the moved one may stand behind, or the first one that it may stand before. */
static bool move_later(editor *e, const part *s)
{
    const td_text *t = &s->p->code;
    size_t end = close_of(t, s->block), target = 0;
    for (size_t i = after_blanks(t, s->end); i < end;) {
        size_t next = next_statement(t, i, end);
        size_t stop = before_blanks(t, next) + 1;
        bool is_join = joins(t, i, stop);
        if (!is_join || share_names(t, s->begin, s->end, i, stop))
            break;
        target = stop;
        i = next;
    }
    if (target == 0)
        return refuse(e, "line %u is followed by no join that it could come behind",
                      s->from);
    uint32_t line = line_of(t, target - 1);
    if (line_of(t, after_blanks(t, target)) == line)
        return refuse(e, "several statements are on line %u", line);
    move_to(s, line + 1);
    return true;
}

static bool move_earlier(editor *e, const part *s)
{
    const td_text *t = &s->p->code;
    size_t first = s->begin;
    bool found = false;
    /* Statements of the block before it, last one first. */
    size_t starts[256];
    size_t n = 0;
    for (size_t i = after_blanks(t, s->block + 1); i < s->begin && n < 256;
         i = next_statement(t, i, s->begin))
        starts[n++] = i;
    for (; n > 0; n--) {
        size_t stop = first;
        if (!starts_threads(t, starts[n - 1], stop) ||
            share_names(t, s->begin, s->end, starts[n - 1], stop))
            break;
        first = starts[n - 1];
        found = true;
    }
    if (!found)
        return refuse(e,
                      "no start of a thread is before line %u that it could come before",
                      s->from);
    uint32_t line = line_of(t, first);
    size_t before = before_blanks(t, first);
    if (before < t->len && line_of(t, before) == line)
        return refuse(e, "several statements are on line %u", line);
    move_to(s, line);
    return true;
}

/* An order of two places: the later one behind the joins after it, or the earlier one before the start of threads. */
static bool edit_before(editor *e, const trc_repair *r, unsigned way, rpr_locate locate,
                        void *ctx)
{
    size_t index = 0;
    part s;
    const trc_lines *at = &r->places[way == 0 ? 1 : 0];
    return read_page(e, at->file, locate, ctx, &index) &&
           find_movable(e, &e->pages.at[index], at, &s) &&
           (way == 0 ? move_later(e, &s) : move_earlier(e, &s));
}

/* ---- edits ---- */

static bool edit(editor *e, const rpr_change *c, const char *callees, unsigned way,
                 rpr_locate locate, void *ctx)
{
    if (!c->is_repair) {
        for (size_t i = 0; i < c->orders.len; i++)
            if (!edit_order(e, &c->orders.at[i], locate, ctx))
                return false;
        return true;
    }
    switch (c->repair.kind) {
    case WIRE_REPAIR_SECTION:
        return edit_section(e, &c->repair, callees, locate, ctx);
    case WIRE_REPAIR_WAKE_ALL:
        return edit_wake_all(e, &c->repair, locate, ctx);
    case WIRE_REPAIR_ORDER:
        return edit_before(e, &c->repair, way, locate, ctx);
    default:
        return refuse(e, "this kind of change cannot be written as an edit");
    }
}

static unsigned ways_of(const rpr_change *c)
{
    return c->is_repair && c->repair.kind == WIRE_REPAIR_ORDER ? RPR_EDITS : 1;
}

bool rpr_edit_make(const rpr_change *c, const char *callees, unsigned way,
                   rpr_locate locate, void *ctx, rpr_edit *out)
{
    editor e = {0};
    *out = (rpr_edit){0};
    bool ok = way < ways_of(c) && edit(&e, c, callees, way, locate, ctx);
    for (size_t i = 0; i < e.pages.len; i++) {
        page *p = &e.pages.at[i];
        td_text_fini(&p->code);
        rpr_file_edit_vec_push(&out->files, (rpr_file_edit){.path = p->path,
                                                            .before = p->raw,
                                                            .hunks = p->hunks});
    }
    page_vec_fini(&e.pages);
    out->why = e.why;
    return ok;
}

void rpr_edit_fini(rpr_edit *e)
{
    for (size_t i = 0; i < e->files.len; i++) {
        rpr_file_edit *f = &e->files.at[i];
        for (size_t k = 0; k < f->hunks.len; k++)
            td_free(f->hunks.at[k].added);
        rpr_hunk_vec_fini(&f->hunks);
        td_text_fini(&f->before);
        td_free(f->path);
    }
    rpr_file_edit_vec_fini(&e->files);
    td_free(e->why);
    *e = (rpr_edit){0};
}
