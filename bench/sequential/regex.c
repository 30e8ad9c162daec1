/* SPDX-License-Identifier: Apache-2.0 */
/* A matcher of patterns with . * ? ^ $ on one text; the pattern is the input.
 * sides: 28 */
#include "side.h"

enum { SIZE = 4 };

static const char text[] = "abbc";

static bool match_here(const char *p, const char *t);

static bool is_one(char p, char t)
{
    if (SIDE(t == '\0'))
        return false;
    return SIDE(p == '.') || SIDE(p == t);
}

static bool match_star(char c, const char *p, const char *t)
{
    for (;; t++) {
        if (SIDE(match_here(p, t)))
            return true;
        if (SIDE(!is_one(c, *t)))
            return false;
    }
}

static bool match_here(const char *p, const char *t)
{
    if (SIDE(p[0] == '\0'))
        return true;
    if (SIDE(p[1] == '*'))
        return match_star(p[0], p + 2, t);
    if (SIDE(p[0] == '$') && SIDE(p[1] == '\0'))
        return SIDE(*t == '\0');
    if (SIDE(p[1] == '?'))
        return match_here(p + 2, t) || (is_one(p[0], *t) && match_here(p + 2, t + 1));
    return is_one(p[0], *t) && match_here(p + 1, t + 1);
}

static int subject(const uint8_t *in)
{
    char pattern[SIZE + 1];
    for (int i = 0; i < SIZE; i++)
        pattern[i] = (char)in[i];
    pattern[SIZE] = '\0';
    if (SIDE(pattern[0] == '^'))
        return match_here(pattern + 1, text);
    for (const char *t = text;; t++) {
        if (SIDE(match_here(pattern, t)))
            return 1;
        if (SIDE(*t == '\0'))
            return 0;
    }
}

SIDE_MAIN("abcx.*?^$", "c$\0\0", "a*b*", "bx?c")
