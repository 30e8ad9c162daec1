/* SPDX-License-Identifier: Apache-2.0 */
/* Symbolic bytes through the functions of the C library; flowcheck evaluates what came out. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <treadle.h>

#ifdef __TREADLE__
extern void treadle_check(uint64_t value);
#else
#define treadle_check(value) ((void)(value))
#endif

static char a[12], b[8];
static long sum;

static void check(long value)
{
    treadle_check((uint64_t)value);
    sum = sum * 31 + value;
}

static long place(const void *p, const void *base)
{
    return p ? (const char *)p - (const char *)base : -1;
}

/* Small letters, so that texts have something in common. */
static void shrink(char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        s[i] = (char)(s[i] % 4 == 0 ? 0 : 'a' + s[i] % 4);
    s[n - 1] = 0;
}

static void letters(int c)
{
    int (*const tests[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph,
                                 islower, isprint, ispunct, isspace, isupper, isxdigit};
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        check(tests[i](c) != 0);
    check(tolower(c));
    check(isdigit(c) ? c - '0' : toupper(c));
}

static int order(int x)
{
    return (x > 0) - (x < 0);
}

static void bytes(int n)
{
    check(place(memchr(a, b[0], sizeof a), a));
    check(place(memrchr(a, 'b', sizeof a), a));
    check(order(memcmp(a, b, sizeof b)));
    check(memcmp(a, "abc", 3) == 0);
    check(place(memmem(a, sizeof a, "bc", 2), a));
    check(place(memchr("abcdefghijklmnopqrstuvwxyz", 'a' + (n & 15), 26), NULL) != -1);
}

static void texts(void)
{
    char copy[40];
    check((long)strlen(a));
    check((long)strnlen(b, 3));
    check(order(strcmp(a, b)));
    check(order(strncmp(a, b, 2)));
    check(order(strcasecmp(a, "ABba")));
    check(strcmp(a, "bcd") == 0);
    check(place(strchr(a, 'c'), a));
    check(place(strrchr(a, 'b'), a));
    check(place(strstr(a, "bb"), a));
    check((long)strspn(a, "bc"));
    check((long)strcspn(a, "d"));
    check(place(strpbrk(a, "dc"), a));
    strcpy(copy, a);
    strcat(copy, b);
    for (size_t i = 0; copy[i]; i++)
        check(copy[i]);
    strncpy(copy, b, sizeof b);
    check(copy[2]);
    char *again = strdup(a);
    check(again[0]);
    free(again);
    char *rest = NULL;
    for (char *word = strtok_r(copy, "c", &rest); word; word = strtok_r(NULL, "c", &rest))
        check(word[0]);
}

static void numbers(uint8_t d, uint16_t e)
{
    char text[24] = "x", *end;
    text[0] = (char)('0' + d % 10);
    text[1] = (char)('0' + d / 16 % 12);
    text[2] = (char)('0' + e % 10);
    text[3] = 0;
    check(atoi(text));
    check(strtol(text, &end, 16));
    check(place(end, text));
    check((long)strtoul(text + 1, NULL, 0));
}

static void formats(int x, uint8_t y)
{
    char text[80];
    int n = snprintf(text, sizeof text, "%d|%5u|%-4x|%c|%s|%08lx", x % 2000, y, y,
                     'a' + y % 4, b, (long)y);
    check(n);
    for (int i = 0; i < n; i++)
        check(text[i]);
    check(atoi(text));
    sprintf(text, "%hhd %s", y, "end");
    check(text[0]);
    check((long)strlen(text));
}

static int by_value(const void *p, const void *q)
{
    return *(const short *)p - *(const short *)q;
}

static void sorting(short x, short y)
{
    short row[6] = {30, x, 10, y, 20, (short)(x ^ y)};
    qsort(row, 6, sizeof row[0], by_value);
    for (int i = 0; i < 6; i++)
        check(row[i]);
    static const short sorted[] = {-3000, 1, 7, 900, 4000};
    check(place(bsearch(&x, sorted, 5, sizeof sorted[0], by_value), sorted));
}

int main(void)
{
    treadle_symbolic(a, sizeof a, "a");
    treadle_symbolic(b, sizeof b, "b");
    letters(treadle_u8("c"));
    shrink(a, sizeof a);
    shrink(b, sizeof b);
    bytes(treadle_int("n"));
    texts();
    numbers(treadle_u8("d"), treadle_u16("e"));
    formats(treadle_int("x"), treadle_u8("y"));
    sorting(treadle_i16("p"), treadle_i16("q"));
    printf("%ld\n", sum);
    return 0;
}
