/* SPDX-License-Identifier: Apache-2.0 */
/* The condition of a branch, from its source line. Nothing is parsed: a line that continues in the
 * next one, or holds several branches, gives what it has. */
#include "report/text/report_int.h"

#include <ctype.h>
#include <string.h>

#include "base/assert.h"

/* The rest of the line after a word that a condition in parentheses follows; NULL. */
static const char *after_word(const char *line)
{
    static const char *const words[] = {"if", "while", "switch", "for", "assert"};
    for (const char *at = line; *at; at++) {
        if (at > line && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
            continue;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            size_t n = strlen(words[i]);
            if (strncmp(at, words[i], n) != 0)
                continue;
            const char *rest = at + n + strspn(at + n, " \t");
            if (*rest == '(')
                return rest;
        }
    }
    return NULL;
}

/* Returns the length of the text inside the parentheses, as far as it goes. */
static size_t inside(const char *text)
{
    TD_ASSERT(text[0] == '(');
    size_t depth = 0, n = 0;
    for (; text[n]; n++) {
        depth += text[n] == '(';
        depth -= text[n] == ')';
        if (depth == 0)
            break;
    }
    return n > 0 ? n - 1 : 0;
}

bool rep_condition_text(const char *line, td_text *out)
{
    const char *rest = after_word(line);
    const char *from = rest ? rest + 1 : line;
    size_t n = rest ? inside(rest) : strlen(line);
    const char *first = memchr(from, ';', n);
    const char *second =
        first ? memchr(first + 1, ';', n - (size_t)(first + 1 - from)) : NULL;
    if (rest && second) {
        from = first + 1;
        n = (size_t)(second - from);
    }
    while (n > 0 && isspace((unsigned char)*from)) {
        from++;
        n--;
    }
    while (n > 0 && (isspace((unsigned char)from[n - 1]) || from[n - 1] == ';'))
        n--;
    td_text_put(out, from, n);
    return rest != NULL;
}

/* ---- flags ---- */

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* What follows the name in text, where it stands as a word; NULL: it does not. */
static const char *after_name(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = text; n > 0 && (at = strstr(at, name)) != NULL; at++)
        if ((at == text || !is_word_byte(at[-1])) && !is_word_byte(at[n]))
            return at + n + strspn(at + n, " \t");
    return NULL;
}

bool rep_is_tested(const char *line, const char *name)
{
    static const char *const ends[] = {"&&", "||", "==", "!=", ")"};
    td_text condition = {0};
    bool is_condition = rep_condition_text(line, &condition);
    const char *rest = is_condition ? after_name(condition.at, name) : NULL;
    bool is = rest && !*rest;
    for (size_t i = 0; rest && i < sizeof ends / sizeof ends[0]; i++)
        is |= strncmp(rest, ends[i], strlen(ends[i])) == 0;
    td_text_fini(&condition);
    return is;
}

bool rep_is_set(const char *line, const char *name)
{
    const char *rest = after_name(line, name);
    if (!rest || rest[0] != '=' || rest[1] == '=')
        return false;
    rest += 1 + strspn(rest + 1, " \t");
    size_t n = strncmp(rest, "true", 4) == 0    ? 4
               : strncmp(rest, "false", 5) == 0 ? 5
                                                : strspn(rest, "0123456789");
    return n > 0 && rest[n + strspn(rest + n, " \t")] == ';';
}
