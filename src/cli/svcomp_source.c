/* SPDX-License-Identifier: Apache-2.0 */
/* A task of SV-COMP for ILP32, rewritten for a 64-bit machine. Each declaration outside of functions is
 * looked at by itself: those that the C library must agree with stay as they are. */
#include "cli/svcomp_source.h"

#include <ctype.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

#include "base/assert.h"
#include "base/vec.h"
#include "wire/api.h"
#include "wire/library.h"

/* ---- words ---- */

typedef struct token {
    size_t at, len;
} token;

TD_VEC(token, token_vec);

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The end of what starts at i with a quote. */
static size_t quoted(const char *text, size_t n, size_t i)
{
    char quote = text[i++];
    for (; i < n && text[i] != quote && text[i] != '\n'; i++)
        if (text[i] == '\\')
            i++;
    return i < n ? i + 1 : n;
}

/* Returns the end of the comment or preprocessor line that starts at i; i if there is none. */
static size_t skipped(const char *text, size_t n, size_t i)
{
    if (text[i] == '#' || (text[i] == '/' && i + 1 < n && text[i + 1] == '/')) {
        for (; i < n && text[i] != '\n'; i++)
            if (text[i] == '\\')
                i++;
        return i < n ? i : n;
    }
    if (text[i] == '/' && i + 1 < n && text[i + 1] == '*') {
        for (i += 2; i + 1 < n && !(text[i] == '*' && text[i + 1] == '/'); i++)
            ;
        return i + 2 < n ? i + 2 : n;
    }
    return i;
}

/* All words, numbers, texts and marks, without spaces and comments. */
static void cut(const char *text, size_t n, token_vec *out)
{
    for (size_t i = 0; i < n;) {
        size_t end = skipped(text, n, i);
        if (end > i) {
            i = end;
            continue;
        }
        if (isspace((unsigned char)text[i])) {
            i++;
            continue;
        }
        end = i + 1;
        if (text[i] == '"' || text[i] == '\'')
            end = quoted(text, n, i);
        else if (is_word_char(text[i]))
            while (end < n && is_word_char(text[end]))
                end++;
        token_vec_push(out, (token){i, end - i});
        i = end;
    }
}

/* ---- one declaration ---- */

typedef struct source {
    const char *text;
    token_vec tokens;
    size_t first, last; /* tokens first .. last-1 of the declaration */
    size_t done;        /* bytes of text that are copied */
    td_text *out;
} source;

static bool is(const source *s, size_t i, const char *word)
{
    TD_ASSERT(i < s->tokens.len);
    const token *t = &s->tokens.at[i];
    return t->len == strlen(word) && memcmp(s->text + t->at, word, t->len) == 0;
}

/* True if the word is in the list, which NULL ends. */
static bool is_one_of(const source *s, size_t i, const char *const *words)
{
    for (; *words; words++)
        if (is(s, i, *words))
            return true;
    return false;
}

/* Instead of token i. */
static void replace(source *s, size_t i, const char *by, size_t n)
{
    const token *t = &s->tokens.at[i];
    TD_ASSERT(t->at >= s->done);
    td_text_put(s->out, s->text + s->done, t->at - s->done);
    td_text_put(s->out, by, n);
    s->done = t->at + t->len;
}

/* Sets s->last. A function ends with its body, all else with a semicolon. */
static void find_end(source *s)
{
    TD_ASSERT(s->first < s->tokens.len);
    size_t depth = 0;
    bool is_body = false;
    for (size_t i = s->first; i < s->tokens.len; i++) {
        if (is(s, i, "{") && depth == 0)
            is_body = i > s->first && is(s, i - 1, ")");
        if (is(s, i, "{") || is(s, i, "(") || is(s, i, "["))
            depth++;
        else if ((is(s, i, "}") || is(s, i, ")") || is(s, i, "]")) && depth > 0)
            depth--;
        if (depth == 0 && (is(s, i, ";") || (is_body && is(s, i, "}")))) {
            s->last = i + 1;
            return;
        }
    }
    s->last = s->tokens.len;
}

/* ---- sizes ---- */

static const struct {
    const char *name;
    size_t size;
} thread_objects[] = {
    {"pthread_mutex_t", sizeof(pthread_mutex_t)},
    {"pthread_mutexattr_t", sizeof(pthread_mutexattr_t)},
    {"pthread_cond_t", sizeof(pthread_cond_t)},
    {"pthread_condattr_t", sizeof(pthread_condattr_t)},
    {"pthread_rwlock_t", sizeof(pthread_rwlock_t)},
    {"pthread_rwlockattr_t", sizeof(pthread_rwlockattr_t)},
    {"pthread_barrier_t", sizeof(pthread_barrier_t)},
    {"pthread_barrierattr_t", sizeof(pthread_barrierattr_t)},
    {"pthread_attr_t", sizeof(pthread_attr_t)},
    {"sem_t", sizeof(sem_t)},
};

/* True if the declared type, or the name after struct or union, is this one. */
static bool declares(const source *s, const char *name)
{
    if (is(s, s->first, "typedef") && s->last >= s->first + 3 && is(s, s->last - 2, name))
        return true;
    for (size_t i = s->first; i + 1 < s->last && i < s->first + 3; i++)
        if (is(s, i, "struct") || is(s, i, "union"))
            return is(s, i + 1, name);
    return false;
}

/* Returns the local size of the declared object of the threads API; 0 for other types. */
static size_t native_size(const source *s)
{
    for (size_t i = 0; i < sizeof thread_objects / sizeof thread_objects[0]; i++)
        if (declares(s, thread_objects[i].name))
            return thread_objects[i].size;
    return 0;
}

static bool is_type(const source *s)
{
    static const char *const words[] = {"typedef", "struct", "union", "__extension__",
                                        NULL};
    return is_one_of(s, s->first, words);
}

/* Adjusts a type whose size is defined by "char __size[24]". */
static void resize(source *s)
{
    size_t size = native_size(s);
    for (size_t i = s->first; size > 0 && i + 3 < s->last; i++)
        if (is(s, i, "__size") && is(s, i + 1, "[") && is(s, i + 3, "]")) {
            td_text number = {0};
            td_text_add(&number, "%zu", size);
            replace(s, i + 2, number.at, number.len);
            td_text_fini(&number);
        }
}

/* Makes the type of thread handles 8 bytes large, as it is here. */
static void widen_thread(source *s)
{
    static const char type[] = "unsigned long";
    for (size_t i = s->first + 1; i + 2 < s->last; i++)
        replace(s, i, type, i == s->first + 1 ? sizeof type - 1 : 0);
}

/* ---- long ---- */

/* Types that the C library must agree with; so are those with an underscore in front. */
static const char *const shared_types[] = {
    "pthread_t",  "size_t",      "ssize_t", "ptrdiff_t",   "intptr_t",
    "uintptr_t",  "timespec",    "timeval", "timezone",    "tm",
    "itimerspec", "itimerval",   "ldiv_t",  "timex",       "sigset_t",
    "fd_set",     "random_data", "stat",    "max_align_t", NULL};

static bool is_reserved(const source *s, size_t i)
{
    return s->text[s->tokens.at[i].at] == '_' || is_one_of(s, i, shared_types);
}

/* Functions that treadle has or knows of: their callers and they agree on what long is. */
static bool is_library(const source *s, size_t i)
{
    static const char *const names[] = {
#define X(function, ...) #function,
        WIRE_REPLACED(X) WIRE_HARMLESS(X) WIRE_DESCRIPTORS(X) WIRE_LIBC(X)
            WIRE_LIBC_PURE(X) WIRE_STDIN(X) WIRE_LIBRARY(X) WIRE_LIBRARY_TOLD(X)
                WIRE_KNOWN(X) WIRE_REFUSED(X) WIRE_TAINTING(X)
#undef X
                    NULL};
    return is_one_of(s, i, names);
}

/* True if it declares, without a body, a function of the library or a variable defined elsewhere. */
static bool is_elsewhere(const source *s)
{
    for (size_t i = s->first + 1; i < s->last; i++) {
        if (is(s, i, "{"))
            return false;
        if (is(s, i, "("))
            return is_library(s, i - 1);
    }
    return is(s, s->first, "extern");
}

/* A type or a function of the C library, or a variable that is elsewhere. */
static bool is_shared(const source *s)
{
    if (!is_type(s))
        return is_elsewhere(s);
    for (size_t i = s->first; i + 1 < s->last && i < s->first + 3; i++)
        if ((is(s, i, "struct") || is(s, i, "union")) && is_reserved(s, i + 1))
            return true;
    return is(s, s->first, "typedef") && s->last >= s->first + 3 &&
           is_reserved(s, s->last - 2);
}

/* True for the words of a type and those that may stand between them. */
static bool is_specifier(const source *s, size_t i)
{
    static const char *const words[] = {
        "long",   "int",      "unsigned",   "signed",     "short",         "double",
        "char",   "const",    "volatile",   "static",     "register",      "extern",
        "inline", "__inline", "__signed__", "__inline__", "__extension__", NULL};
    return is_one_of(s, i, words);
}

/* The specifiers from token i on, which is one; returns the first token behind them. */
static size_t shorten(source *s, size_t i)
{
    size_t end = i, n_long = 0;
    bool has_int = false, has_double = false;
    for (; end < s->last && is_specifier(s, end); end++) {
        n_long += is(s, end, "long");
        has_int |= is(s, end, "int");
        has_double |= is(s, end, "double");
    }
    for (; n_long == 1 && !has_double && i < end; i++)
        if (is(s, i, "long"))
            replace(s, i, "int", has_int ? 0 : 3);
    return end;
}

/* 10L and 10UL are int and unsigned where long is; 10LL stays. */
static void shorten_number(source *s, size_t i)
{
    const token *t = &s->tokens.at[i];
    const char *at = s->text + t->at;
    size_t n_long = 0;
    char number[64];
    size_t n = 0;
    for (size_t k = 0; k < t->len; k++)
        n_long += at[k] == 'l' || at[k] == 'L';
    if (n_long != 1 || t->len > sizeof number)
        return;
    for (size_t k = 0; k < t->len; k++)
        if (at[k] != 'l' && at[k] != 'L')
            number[n++] = at[k];
    replace(s, i, number, n);
}

/* Inputs of type long have as many bits. */
static void shorten_input(source *s, size_t i)
{
    static const char plain[] = "__VERIFIER_nondet_int",
                      without_sign[] = "__VERIFIER_nondet_uint";
    if (is(s, i, "__VERIFIER_nondet_long"))
        replace(s, i, plain, sizeof plain - 1);
    else if (is(s, i, "__VERIFIER_nondet_ulong"))
        replace(s, i, without_sign, sizeof without_sign - 1);
}

static void shorten_all(source *s)
{
    for (size_t i = s->first; i < s->last;) {
        if (is_specifier(s, i)) {
            i = shorten(s, i);
            continue;
        }
        shorten_input(s, i);
        if (isdigit((unsigned char)s->text[s->tokens.at[i].at]))
            shorten_number(s, i);
        i++;
    }
}

/* ---- the task ---- */

/* A mutex of another type that is initialised without a call: its type is elsewhere here. */
static bool has_typed_mutex(const source *s)
{
    static const char *const types[] = {"PTHREAD_MUTEX_RECURSIVE_NP",
                                        "PTHREAD_MUTEX_ERRORCHECK_NP",
                                        "PTHREAD_MUTEX_ADAPTIVE_NP", NULL};
    for (size_t i = s->first; i < s->last; i++) {
        if (is(s, i, "enum"))
            return false;
        if (is_one_of(s, i, types))
            return true;
    }
    return false;
}

td_status cli_svcomp_source(const char *text, size_t n, td_text *out, td_diag *diag)
{
    source s = {.text = text, .out = out};
    td_status status = TD_OK;
    cut(text, n, &s.tokens);
    while (s.last < s.tokens.len && status == TD_OK) {
        s.first = s.last;
        find_end(&s);
        if (has_typed_mutex(&s))
            status = td_diag_set(diag, TD_E_USAGE,
                                 "a mutex with a type has a static initialiser");
        else if (is_type(&s) && native_size(&s) > 0)
            resize(&s);
        else if (is(&s, s.first, "typedef") && declares(&s, "pthread_t"))
            widen_thread(&s);
        else if (!is_shared(&s))
            shorten_all(&s);
    }
    TD_ASSERT(s.done <= n);
    td_text_put(out, text + s.done, n - s.done);
    token_vec_fini(&s.tokens);
    return status;
}
