/* SPDX-License-Identifier: Apache-2.0 */
/* Reading. With --sym-stdin the bytes of standard input are inputs; everything else is read by
 * the C library. */
#include "runtime/libc/libc_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* In runtime/posix/argv_inputs.c. */
bool rt_stdin_given(void);
size_t rt_stdin_take(void *p, size_t n, place at); /* the next bytes, at most n */
void rt_stdin_other(int fd, place at);             /* read from elsewhere */
void rt_libc_forget(const void *p, size_t n);
/* In runtime/posix/fd.c, fdio.c: descriptors between threads. */
bool rt_fd_is_ours(int fd);
long rt_fd_read(int fd, void *p, size_t n, place at);
/* In runtime/posix/random.c: what was read from the system's random numbers becomes others. */
void rt_random_read(int fd, void *p, size_t n);

/* What was put back, and whether the end was met. */
static byte back;
static bool has_back, met_end;

static bool is_input(FILE *f)
{
    return is_watched() && f == stdin && rt_stdin_given();
}

/* The library looks at memory for the program. */
static void leave_to_library(void)
{
    if (is_watched())
        PLAN_CTL->unseen = 1;
}

/* False at the end. */
static bool take(byte *out, place at)
{
    if (has_back) {
        *out = back;
        has_back = false;
        return true;
    }
    if (rt_stdin_take(out, 1, at) == 1)
        return true;
    met_end = true;
    return false;
}

static int take_letter(place at)
{
    byte c = 0;
    return take(&c, at) ? c : EOF;
}

#define LETTER(name)                                                                     \
    EXPORT int OURS(name)(FILE * f)                                                      \
    {                                                                                    \
        place at = enter();                                                              \
        if (is_input(f))                                                                 \
            return take_letter(at);                                                      \
        leave_to_library();                                                              \
        return name(f);                                                                  \
    }

LETTER(fgetc)
LETTER(getc)
LETTER(fgetc_unlocked)
LETTER(getc_unlocked)

EXPORT int OURS(getchar)(void)
{
    changes();
    place at = enter();
    return is_input(stdin) ? take_letter(at) : getchar();
}

EXPORT int OURS(getchar_unlocked)(void)
{
    changes();
    place at = enter();
    return is_input(stdin) ? take_letter(at) : getchar_unlocked();
}

EXPORT int OURS(ungetc)(int c, FILE *f)
{
    changes();
    enter();
    if (!is_input(f)) {
        settle((unsigned)c);
        return ungetc(c, f);
    }
    if (c == EOF || has_back)
        return EOF;
    back = (byte)c;
    has_back = true;
    met_end = false;
    return c;
}

EXPORT int OURS(feof)(FILE *f)
{
    changes();
    enter();
    return is_input(f) ? met_end : feof(f);
}

EXPORT int OURS(ferror)(FILE *f)
{
    changes();
    enter();
    return is_input(f) ? 0 : ferror(f);
}

EXPORT void OURS(clearerr)(FILE *f)
{
    changes();
    enter();
    if (is_input(f))
        met_end = false;
    clearerr(f);
}

/* ---- several bytes ---- */

static size_t take_many(byte *p, size_t n, place at)
{
    size_t got = 0;
    while (got < n && take(p + got, at))
        got++;
    return got;
}

EXPORT ssize_t OURS(read)(int fd, void *p, size_t n)
{
    changes();
    place at = enter();
    if (is_watched() && fd == STDIN_FILENO && rt_stdin_given())
        return (ssize_t)take_many(p, n, at);
    if (is_watched() && rt_fd_is_ours(fd))
        return rt_fd_read(fd, p, n, at);
    settle((unsigned)fd);
    settle(n);
    rt_stdin_other(fd, at);
    ssize_t got = read(fd, p, n);
    if (got > 0) {
        rt_libc_forget(p, (size_t)got);
        rt_random_read(fd, p, (size_t)got);
    }
    return got;
}

static size_t take_items(void *p, size_t size, size_t n, place at)
{
    return size > 0 ? take_many(p, size * n, at) / size : 0;
}

#define ITEMS(name)                                                                      \
    EXPORT size_t OURS(name)(void *p, size_t size, size_t n, FILE *f)                    \
    {                                                                                    \
        place at = enter();                                                              \
        if (is_input(f))                                                                 \
            return take_items(p, size, n, at);                                           \
        leave_to_library();                                                              \
        settle(size);                                                                    \
        settle(n);                                                                       \
        size_t got = name(p, size, n, f);                                                \
        rt_libc_forget(p, size *got);                                                    \
        rt_random_read(fileno(f), p, size *got);                                         \
        return got;                                                                      \
    }

ITEMS(fread)
ITEMS(fread_unlocked)

/* Bytes up to the delimiter, it included, at most n. */
static size_t take_until(byte *p, size_t n, int delimiter, place at)
{
    size_t got = 0;
    while (got < n && take(p + got, at))
        if (p[got++] == delimiter)
            break;
    return got;
}

static char *take_line(char *s, int n, place at)
{
    size_t got = n > 0 ? take_until((byte *)s, (size_t)n - 1, '\n', at) : 0;
    if (got == 0 && n != 1)
        return NULL;
    writes(s + got, 1, at);
    s[got] = 0;
    return s;
}

#define LINE(name)                                                                       \
    EXPORT char *OURS(name)(char *s, int n, FILE *f)                                     \
    {                                                                                    \
        place at = enter();                                                              \
        if (is_input(f))                                                                 \
            return take_line(s, n, at);                                                  \
        leave_to_library();                                                              \
        settle((unsigned)n);                                                             \
        char *got = name(s, n, f);                                                       \
        rt_libc_forget(s, got ? strlen(got) + 1 : 0);                                    \
        return got;                                                                      \
    }

LINE(fgets)
LINE(fgets_unlocked)

static bool grow(char **line, size_t *room, size_t want)
{
    if (*line && *room >= want)
        return true;
    size_t more = want < 120 ? 120 : 2 * want;
    char *larger = realloc(*line, more);
    if (larger == NULL)
        return false;
    *line = larger;
    *room = more;
    return true;
}

static ssize_t take_delimited(char **line, size_t *room, int delimiter, place at)
{
    size_t got = 0;
    for (byte c; take(&c, at);) {
        if (!grow(line, room, got + 2))
            return -1;
        writes(*line + got, 2, at);
        (*line)[got++] = (char)c;
        if (c == delimiter)
            break;
    }
    if (got == 0)
        return -1;
    (*line)[got] = 0;
    return (ssize_t)got;
}

EXPORT ssize_t OURS(getdelim)(char **line, size_t *room, int delimiter, FILE *f)
{
    changes();
    place at = enter();
    if (is_input(f))
        return take_delimited(line, room, delimiter, at);
    leave_to_library();
    settle((unsigned)delimiter);
    ssize_t got = getdelim(line, room, delimiter, f);
    rt_libc_forget(*line, got > 0 ? (size_t)got + 1 : 0);
    return got;
}

EXPORT ssize_t OURS(getline)(char **line, size_t *room, FILE *f)
{
    changes();
    place at = enter();
    if (is_input(f))
        return take_delimited(line, room, '\n', at);
    leave_to_library();
    ssize_t got = getline(line, room, f);
    rt_libc_forget(*line, got > 0 ? (size_t)got + 1 : 0);
    return got;
}
