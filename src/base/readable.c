/* SPDX-License-Identifier: Apache-2.0 */
#include "base/readable.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

/* From libstdc++, which LLVM needs as well. */
char *__cxa_demangle(const char *name, char *out, size_t *size, int *status);

#define MOST_ARGUMENTS 24 /* letters between < and > */
#define MOST_SYMBOL 4096

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* What is said in another way, or not at all. */
static const struct {
    const char *from, *to;
} said[] = {
    {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
     "std::string"},
    {"std::basic_string<char, std::char_traits<char>, std::allocator<char> >",
     "std::string"},
    {"std::__1::basic_string<char, std::__1::char_traits<char>, "
     "std::__1::allocator<char> >",
     "std::string"},
    {"__cxx11::", ""},
    {"std::_V2::", "std::"},
    {"std::__1::", "std::"},
    {"std::__shared_ptr<", "std::shared_ptr<"},
    {"std::__weak_ptr<", "std::weak_ptr<"},
    {", (__gnu_cxx::_Lock_policy)2", ""},
    {"(anonymous namespace)::", ""},
    {"[abi:cxx11]", ""},
    {"'lambda", "lambda"},
    {"$_", "lambda"},
};

/* True if < or > at this place belong to the name of an operator. */
static bool is_operator(const char *start, const char *at)
{
    static const char word[] = "operator";
    size_t n = sizeof word - 1;
    while (at > start && strchr("<>=-", at[-1]))
        at--;
    return (size_t)(at - start) >= n && strncmp(at - n, word, n) == 0;
}

/* Where the brackets that open here end: behind the last of them, or the end of the text. */
static const char *past(const char *start, const char *at)
{
    int depth = 0;
    do {
        bool counts = (*at != '<' && *at != '>') || !is_operator(start, at);
        if (counts && strchr("<({[", *at))
            depth++;
        else if (counts && strchr(">)}]", *at) && (*at != '>' || at[-1] != '-'))
            depth--;
        at++;
    } while (*at && depth > 0);
    return at;
}

/* Returns the end of a default template argument that starts here; NULL: it is another one. */
static const char *past_default(const char *name)
{
    static const char *const defaults[] = {"allocator<",   "less<",
                                           "hash<",        "equal_to<",
                                           "char_traits<", "default_delete<"};
    static const char space[] = ", std::", of_libcxx[] = "__1::";
    if (!starts(name, space))
        return NULL;
    const char *at = name + strlen(space);
    at += starts(at, of_libcxx) ? strlen(of_libcxx) : 0;
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
        if (starts(at, defaults[i]))
            return past(name, at + strlen(defaults[i]) - 1);
    return NULL;
}

static void replace_said(const char *name, td_text *out)
{
    while (*name) {
        size_t i = 0;
        while (i < sizeof said / sizeof said[0] && !starts(name, said[i].from))
            i++;
        bool is_said = i < sizeof said / sizeof said[0];
        if (starts(name, "{lambda")) { /* "{lambda(int)#1}" */
            td_text_add(out, "lambda");
            name = past(name, name);
            continue;
        }
        const char *end = is_said ? NULL : past_default(name);
        if (is_said)
            td_text_add(out, "%s", said[i].to);
        else if (end) {
            name = end + (*end == ' ');
            continue;
        } else
            td_text_put(out, name, 1);
        name += is_said ? strlen(said[i].from) : 1;
        name += is_said && starts(name, " >");
    }
}

/* Without parameters, and with short template arguments. A space between names ends a return type, unless words
 * follow that a demangler puts there ("vtable for"). */
static void shorten(const char *name, td_text *out)
{
    static const char *const kept[] = {"vtable ",       "typeinfo ", "guard ",
                                       "thread-local ", "for ",      "variable ",
                                       "operator ",     "name ",     "wrapper ",
                                       "routine ",      "virtual ",  "non-virtual "};
    size_t word = out->len, begin = out->len;
    const char *start = name;
    while (*name) {
        bool opens = *name == '<' && !is_operator(start, name);
        if (*name == '(' && starts(name, "()") && name >= start + 8 &&
            starts(name - 8, "operator")) {
            td_text_add(out, "()");
            name += 2;
        } else if (*name == '(')
            name = past(start, name);
        else if (opens) {
            const char *end = past(start, name);
            if ((size_t)(end - name) <= MOST_ARGUMENTS)
                td_text_put(out, name, (size_t)(end - name));
            else
                td_text_add(out, "<...>");
            name = end;
        } else if (*name == ' ') {
            bool is_kept = is_operator(out->at, out->at + out->len);
            for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
                is_kept |= out->len - word == strlen(kept[i]) - 1 &&
                           strncmp(out->at + word, kept[i], out->len - word) == 0;
            if (strncmp(name, " const", 6) == 0 && (name[6] == 0 || name[6] == ' '))
                name += 6;
            else if (!is_kept) { /* what came before is a type */
                if (name[1]) {
                    out->len = begin;
                    out->at[begin] = 0;
                }
                word = out->len;
                name++;
            } else {
                td_text_put(out, name++, 1);
                word = out->len;
            }
        } else
            td_text_put(out, name++, 1);
    }
}

void td_readable_name(const char *name, td_text *out)
{
    TD_ASSERT(name && out);
    td_text plain = {0};
    replace_said(name, &plain);
    shorten(plain.len > 0 ? plain.at : "", out);
    td_text_fini(&plain);
}

/* Letters that a symbol may have. */
static size_t symbol_length(const char *text)
{
    size_t n = 0;
    while (text[n] && (strchr("_$.", text[n]) || (text[n] >= '0' && text[n] <= '9') ||
                       ((text[n] | 32) >= 'a' && (text[n] | 32) <= 'z')))
        n++;
    return n;
}

/* Writes a demangled symbol; false if it is not a C++ symbol. */
static bool put_symbol(const char *text, size_t length, td_text *out)
{
    char symbol[MOST_SYMBOL];
    int status = -1;
    if (length >= sizeof symbol)
        return false;
    memcpy(symbol, text, length);
    symbol[length] = 0;
    char *name = __cxa_demangle(symbol, NULL, NULL, &status);
    if (status != 0 || !name) {
        free(name);
        return false;
    }
    td_readable_name(name, out);
    free(name);
    return true;
}

void td_readable(const char *text, td_text *out)
{
    TD_ASSERT(text && out);
    bool in_word = false;
    while (*text) {
        size_t n = !in_word && starts(text, "_Z") ? symbol_length(text) : 0;
        const char *dot = memchr(text, '.', n); /* a member may follow */
        if (n > 2 && !put_symbol(text, n, out))
            n = dot && put_symbol(text, (size_t)(dot - text), out) ? (size_t)(dot - text)
                                                                   : 0;
        if (n > 2) {
            text += n;
            in_word = true;
            continue;
        }
        in_word = symbol_length(text) > 0;
        td_text_put(out, text++, 1);
    }
}

const char *td_readable_kept(const char *symbol, char **kept)
{
    td_text out = {0};
    if (!*kept && starts(symbol, "_Z")) {
        td_readable(symbol, &out);
        *kept = out.at;
    }
    return *kept ? *kept : symbol;
}
