/* SPDX-License-Identifier: Apache-2.0 */
/* str*: texts that end with a zero byte. */
#include "runtime/libc/libc_int.h"

#include <stdlib.h>
#include <strings.h>

/* ---- lengths ---- */

EXPORT size_t OURS(strlen)(const char *s)
{
    place at = enter();
    if (!is_watched())
        return strlen(s);
    size_t n = length_of(s);
    reads(s, n + 1, at);
    return n;
}

EXPORT size_t OURS(strnlen)(const char *s, size_t n)
{
    place at = enter();
    if (!is_watched())
        return strnlen(s, n);
    size_t length = length_within(s, n);
    reads(s, length < n ? length + 1 : n, at);
    return length;
}

/* ---- comparing ---- */

static int compare(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        byte x = (byte)a[i], y = (byte)b[i];
        if (x != y)
            return x - y;
        if (x == 0)
            return 0;
    }
    return 0;
}

static int compare_folded(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned x = lower((byte)a[i]), y = lower((byte)b[i]);
        if (x != y)
            return (int)(x - y);
        if (x == 0)
            return 0;
    }
    return 0;
}

/* Records what is read; true if it must be done byte by byte. *seen: how many bytes are read. */
static bool must_look(place at, const char *a, const char *b, size_t *seen, bool fold)
{
    size_t n = *seen;
    *seen = rt_scan_texts(a, b, n, fold);
    reads(a, *seen, at);
    reads(b, *seen, at);
    return has_labels(a, *seen) || has_labels(b, *seen) || has_label(n);
}

static int compare_at(place at, const char *a, const char *b, size_t n)
{
    size_t seen = n;
    if (must_look(at, a, b, &seen, false))
        return compare(a, b, n);
    return seen > 0 ? (byte)a[seen - 1] - (byte)b[seen - 1] : 0;
}

EXPORT int OURS(strcmp)(const char *a, const char *b)
{
    place at = enter();
    return is_watched() ? compare_at(at, a, b, SIZE_MAX) : strcmp(a, b);
}

EXPORT int OURS(strcoll)(const char *a, const char *b)
{
    place at = enter();
    return is_watched() ? compare_at(at, a, b, SIZE_MAX) : strcmp(a, b);
}

EXPORT int OURS(strncmp)(const char *a, const char *b, size_t n)
{
    place at = enter();
    return is_watched() ? compare_at(at, a, b, n) : strncmp(a, b, n);
}

static int compare_folded_at(place at, const char *a, const char *b, size_t n)
{
    size_t seen = n;
    if (must_look(at, a, b, &seen, true))
        return compare_folded(a, b, n);
    return strncasecmp(a, b, n);
}

EXPORT int OURS(strcasecmp)(const char *a, const char *b)
{
    place at = enter();
    return is_watched() ? compare_folded_at(at, a, b, SIZE_MAX) : strcasecmp(a, b);
}

EXPORT int OURS(strncasecmp)(const char *a, const char *b, size_t n)
{
    place at = enter();
    return is_watched() ? compare_folded_at(at, a, b, n) : strncasecmp(a, b, n);
}

/* ---- copying ---- */

static void copy(place at, char *to, const char *from, size_t n)
{
    if (is_watched()) {
        reads(from, n, at);
        writes(to, n, at);
    }
    memcpy(to, from, n);
}

EXPORT char *OURS(strcpy)(char *to, const char *from)
{
    copy(enter(), to, from, length_of(from) + 1);
    return to;
}

EXPORT char *OURS(stpcpy)(char *to, const char *from)
{
    place at = enter();
    size_t n = length_of(from);
    copy(at, to, from, n + 1);
    return to + n;
}

/* The first n bytes of the text, zeros behind it; its length there. */
static size_t copy_within(place at, char *to, const char *from, size_t n)
{
    size_t length = length_within(from, n);
    if (is_watched()) {
        reads(from, length < n ? length + 1 : n, at);
        writes(to, n, at);
    }
    memcpy(to, from, length);
    memset(to + length, 0, n - length);
    return length;
}

EXPORT char *OURS(strncpy)(char *to, const char *from, size_t n)
{
    copy_within(enter(), to, from, n);
    return to;
}

EXPORT char *OURS(stpncpy)(char *to, const char *from, size_t n)
{
    return to + copy_within(enter(), to, from, n);
}

EXPORT char *OURS(strcat)(char *to, const char *from)
{
    place at = enter();
    size_t n = length_of(to);
    if (is_watched())
        reads(to, n + 1, at);
    copy(at, to + n, from, length_of(from) + 1);
    return to;
}

EXPORT char *OURS(strncat)(char *to, const char *from, size_t n)
{
    place at = enter();
    size_t before = length_of(to), more = length_within(from, n);
    if (is_watched()) {
        reads(to, before + 1, at);
        reads(from, more < n ? more + 1 : n, at);
        writes(to + before, more + 1, at);
    }
    memcpy(to + before, from, more);
    to[before + more] = 0;
    return to;
}

static char *duplicate(place at, const char *s, size_t length, size_t seen)
{
    char *out = allocate(length + 1, at);
    if (is_watched())
        reads(s, seen, at);
    if (out == NULL)
        return NULL;
    if (is_watched())
        writes(out, length + 1, at);
    memcpy(out, s, length);
    out[length] = 0;
    return out;
}

EXPORT char *OURS(strdup)(const char *s)
{
    place at = enter();
    size_t n = length_of(s);
    return duplicate(at, s, n, n + 1);
}

EXPORT char *OURS(strndup)(const char *s, size_t n)
{
    place at = enter();
    size_t length = length_within(s, n);
    return duplicate(at, s, length, length < n ? length + 1 : n);
}

/* ---- a letter in a text ---- */

/* The first c, or the end. */
static const char *find_or_end(const char *s, char c)
{
    while (*s != c && *s != 0)
        s++;
    return s;
}

static const char *find_at(place at, const char *s, int c)
{
    const char *found = strchrnul(s, c);
    if (!is_watched())
        return found;
    size_t seen = (size_t)(found - s) + 1;
    reads(s, seen, at);
    if (has_labels(s, seen) || has_label((unsigned)c))
        found = find_or_end(s, (char)c);
    return found;
}

EXPORT char *OURS(strchrnul)(const char *s, int c)
{
    return (char *)find_at(enter(), s, c);
}

static char *find(place at, const char *s, int c)
{
    const char *found = find_at(at, s, c);
    return *found == (char)c ? (char *)found : NULL;
}

EXPORT char *OURS(strchr)(const char *s, int c)
{
    return find(enter(), s, c);
}

EXPORT char *OURS(index)(const char *s, int c)
{
    return find(enter(), s, c);
}

static char *find_last(place at, const char *s, int letter)
{
    size_t n = length_of(s) + 1;
    char c = (char)letter;
    reads(s, n, at);
    if (!has_labels(s, n) && !has_label((unsigned)letter))
        return (char *)strrchr(s, letter);
    while (n > 0)
        if (s[--n] == c)
            return (char *)s + n;
    return NULL;
}

EXPORT char *OURS(strrchr)(const char *s, int c)
{
    place at = enter();
    return is_watched() ? find_last(at, s, c) : (char *)strrchr(s, c);
}

EXPORT char *OURS(rindex)(const char *s, int c)
{
    place at = enter();
    return is_watched() ? find_last(at, s, c) : (char *)strrchr(s, c);
}

/* ---- a text in a text ---- */

static const char *find_text(const char *s, const char *what, bool fold)
{
    size_t n = length_of(what);
    for (;; s++) {
        int differs = fold ? compare_folded(s, what, n) : compare(s, what, n);
        if (differs == 0)
            return s;
        if (*s == 0)
            return NULL;
    }
}

static char *find_text_at(place at, const char *s, const char *what, bool fold)
{
    const char *found = fold ? strcasestr(s, what) : strstr(s, what);
    if (!is_watched())
        return (char *)found;
    size_t n = strlen(what);
    size_t seen = found ? (size_t)(found - s) + n : strlen(s) + 1;
    reads(s, seen, at);
    reads(what, n + 1, at);
    if (has_labels(s, seen) || has_labels(what, n + 1))
        found = find_text(s, what, fold);
    return (char *)found;
}

EXPORT char *OURS(strstr)(const char *s, const char *what)
{
    return find_text_at(enter(), s, what, false);
}

EXPORT char *OURS(strcasestr)(const char *s, const char *what)
{
    return find_text_at(enter(), s, what, true);
}

/* ---- letters of a set ---- */

/* One decision for the whole set. */
static bool is_in(char c, const char *set, size_t n)
{
    unsigned in = 0;
    for (size_t i = 0; i < n; i++)
        in |= set[i] == c;
    return in != 0;
}

/* Bytes at the start of s that are in the set, or that are not. */
static size_t span(place at, const char *s, const char *set, bool within)
{
    size_t n = within ? strspn(s, set) : strcspn(s, set);
    if (!is_watched())
        return n;
    size_t n_set = strlen(set);
    reads(s, n + 1, at);
    reads(set, n_set + 1, at);
    if (!has_labels(s, n + 1) && !has_labels(set, n_set + 1))
        return n;
    n_set = length_of(set);
    size_t i = 0;
    while (s[i] != 0 && is_in(s[i], set, n_set) == within)
        i++;
    return i;
}

EXPORT size_t OURS(strspn)(const char *s, const char *set)
{
    return span(enter(), s, set, true);
}

EXPORT size_t OURS(strcspn)(const char *s, const char *set)
{
    return span(enter(), s, set, false);
}

EXPORT char *OURS(strpbrk)(const char *s, const char *set)
{
    const char *found = s + span(enter(), s, set, false);
    return *found != 0 ? (char *)found : NULL;
}

/* ---- words ---- */

/* The word at *rest, which moves behind it; its end becomes a zero. */
static char *take_word(place at, char **rest, const char *set)
{
    char *end = *rest + span(at, *rest, set, false), *word = *rest;
    if (*end == 0) {
        *rest = NULL;
        return word;
    }
    if (is_watched())
        writes(end, 1, at);
    *end = 0;
    *rest = end + 1;
    return word;
}

static char *next_word(place at, char *s, const char *set, char **rest)
{
    if (s == NULL)
        s = *rest;
    if (s == NULL)
        return NULL;
    s += span(at, s, set, true);
    if (*s == 0) {
        *rest = NULL;
        return NULL;
    }
    *rest = s;
    return take_word(at, rest, set);
}

EXPORT char *OURS(strtok_r)(char *s, const char *set, char **rest)
{
    place at = enter();
    if (is_watched())
        writes(rest, sizeof *rest, at);
    return next_word(at, s, set, rest);
}

/* One for all threads: a race like any other. */
static char *tokens_left;

EXPORT char *OURS(strtok)(char *s, const char *set)
{
    place at = enter();
    if (is_watched())
        writes(&tokens_left, sizeof tokens_left, at);
    return next_word(at, s, set, &tokens_left);
}

EXPORT char *OURS(strsep)(char **rest, const char *set)
{
    place at = enter();
    if (is_watched())
        writes(rest, sizeof *rest, at);
    return *rest ? take_word(at, rest, set) : NULL;
}
