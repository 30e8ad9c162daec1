/* SPDX-License-Identifier: Apache-2.0 */
/* differential SEED ROUNDS: every function of runtime/libc, compiled plainly with the paths for
 * symbolic bytes always taken, against the C library on random arguments. Exits with 1 at the
 * first difference. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/rng.h"
#include "wire/api.h"

/* What treadle takes over is what is compared here. */
#define X(name) extern __typeof__(name) ours_##name;
WIRE_LIBC(X)
#undef X
#define X(name) int ours_##name(int c);
WIRE_LIBC_PURE(X)
#undef X

static td_rng rng;
static uint64_t n_checks;

static uint64_t pick(uint64_t n)
{
    return td_rng_next(&rng) % n;
}

static void fail(const char *name, const char *detail)
{
    printf("%s differs: %s\n", name, detail);
    exit(1);
}

static void same(const char *name, bool equal, const char *detail)
{
    n_checks++;
    if (!equal)
        fail(name, detail);
}

#define SAME(name, a, b) same(#name, (a) == (b), here)

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* Few letters, so that texts are often alike; in a buffer that ends with its text. */
static char *text(char *room, size_t most)
{
    static const char letters[] = "aAbB a,-+0129xX\xe9\t";
    size_t n = pick(most);
    for (size_t i = 0; i < n; i++)
        room[i] = letters[pick(pick(3) ? 4 : sizeof letters - 1)];
    room[n] = 0;
    return room;
}

static char here[600];

static void check_letters(void)
{
    for (int c = -1; c < 256; c++) {
        snprintf(here, sizeof here, "letter %d", c);
#define X(name) same(#name, !(name)(c) == !ours_##name(c), here);
        WIRE_LIBC_PURE(X)
#undef X
        SAME(toascii, toascii(c), ours_toascii(c));
        SAME(tolower, (tolower)(c), ours_tolower(c));
        SAME(toupper, (toupper)(c), ours_toupper(c));
    }
}

static void check_bytes(const char *a, const char *b, size_t n, int c)
{
    size_t k = pick(4);
    char x[80], y[80];
    SAME(memchr, memchr(a, c, n), ours_memchr(a, c, n));
    SAME(memrchr, memrchr(a, c, n), ours_memrchr(a, c, n));
    SAME(rawmemchr, rawmemchr(a, 0), ours_rawmemchr(a, 0));
    SAME(memcmp, sign(memcmp(a, b, n)), sign(ours_memcmp(a, b, n)));
    SAME(bcmp, !bcmp(a, b, n), !ours_bcmp(a, b, n));
    SAME(memmem, memmem(a, n, b, k), ours_memmem(a, n, b, k));
    memset(x, 'z', sizeof x);
    memset(y, 'z', sizeof y);
    const char *end = memccpy(x, a, c, n), *ours_end = ours_memccpy(y, a, c, n);
    SAME(memccpy, end ? end - x : -1, ours_end ? ours_end - y : -1);
    SAME(memccpy, memcmp(x, y, sizeof x), 0);
    SAME(mempcpy, (char *)mempcpy(x, b, n) - x, (char *)ours_mempcpy(y, b, n) - y);
    SAME(mempcpy, memcmp(x, y, sizeof x), 0);
}

static void check_texts(const char *a, const char *b, size_t n, int c)
{
    SAME(strlen, strlen(a), ours_strlen(a));
    SAME(strnlen, strnlen(a, n), ours_strnlen(a, n));
    SAME(strcmp, sign(strcmp(a, b)), sign(ours_strcmp(a, b)));
    SAME(strcoll, sign(strcoll(a, b)), sign(ours_strcoll(a, b)));
    SAME(strncmp, sign(strncmp(a, b, n)), sign(ours_strncmp(a, b, n)));
    SAME(strcasecmp, sign(strcasecmp(a, b)), sign(ours_strcasecmp(a, b)));
    SAME(strncasecmp, sign(strncasecmp(a, b, n)), sign(ours_strncasecmp(a, b, n)));
    SAME(strchr, strchr(a, c), ours_strchr(a, c));
    SAME(index, index(a, c), ours_index(a, c));
    SAME(strchrnul, strchrnul(a, c), ours_strchrnul(a, c));
    SAME(strrchr, strrchr(a, c), ours_strrchr(a, c));
    SAME(rindex, rindex(a, c), ours_rindex(a, c));
    SAME(strstr, strstr(a, b), ours_strstr(a, b));
    SAME(strcasestr, strcasestr(a, b), ours_strcasestr(a, b));
    SAME(strspn, strspn(a, b), ours_strspn(a, b));
    SAME(strcspn, strcspn(a, b), ours_strcspn(a, b));
    SAME(strpbrk, strpbrk(a, b), ours_strpbrk(a, b));
}

static void check_copies(const char *a, const char *b, size_t n)
{
    char x[200], y[200];
    memset(x, 'z', sizeof x);
    memset(y, 'z', sizeof y);
#define BOTH(call, ours)                                                                 \
    do {                                                                                 \
        const char *p = call, *q = ours;                                                 \
        same(#call, p - x == q - y && memcmp(x, y, sizeof x) == 0, here);                \
    } while (0)
    BOTH(strcpy(x, a), ours_strcpy(y, a));
    BOTH(strcat(x, b), ours_strcat(y, b));
    BOTH(strncat(x, a, n), ours_strncat(y, a, n));
    BOTH(strncpy(x, b, n), ours_strncpy(y, b, n));
    BOTH(stpcpy(x, b), ours_stpcpy(y, b));
    BOTH(stpncpy(x, a, n), ours_stpncpy(y, a, n));
    char *copy = ours_strdup(a), *part = ours_strndup(b, n);
    SAME(strdup, strcmp(copy, a), 0);
    SAME(strndup, strncmp(part, b, n) || strlen(part) != strnlen(b, n), false);
    free(copy);
    free(part);
}

static void check_words(const char *a, const char *b)
{
    char x[80], y[80], *rest = NULL, *ours_rest = NULL, *p, *q;
    strcpy(x, a);
    strcpy(y, a);
    p = strtok_r(x, b, &rest);
    q = ours_strtok_r(y, b, &ours_rest);
    for (; p || q; p = strtok_r(NULL, b, &rest), q = ours_strtok_r(NULL, b, &ours_rest))
        same("strtok_r", p && q && p - x == q - y && strcmp(p, q) == 0, here);
    strcpy(x, a);
    strcpy(y, a);
    p = strtok(x, b);
    q = ours_strtok(y, b);
    for (; p || q; p = strtok(NULL, b), q = ours_strtok(NULL, b))
        same("strtok", p && q && p - x == q - y && strcmp(p, q) == 0, here);
    strcpy(x, a);
    strcpy(y, a);
    rest = x;
    ours_rest = y;
    while (rest || ours_rest) {
        p = strsep(&rest, b);
        q = ours_strsep(&ours_rest, b);
        same("strsep", p && q && p - x == q - y && strcmp(p, q) == 0, here);
    }
}

static char *number_text(char *room)
{
    static const char *const starts[] = {"",   " ",   "\t -", "+", "-",
                                         "0x", "-0X", "0",    "--"};
    static const char digits[] = "0123456789abcdefABCDEFzZgx ";
    size_t n = (size_t)sprintf(room, "%s", starts[pick(9)]);
    size_t more = pick(pick(3) ? 6 : 24), kinds = pick(2) ? 10 : sizeof digits - 1;
    for (size_t i = 0; i < more; i++)
        room[n++] = digits[pick(kinds)];
    room[n] = 0;
    return room;
}

#define NUMBER(name)                                                                     \
    do {                                                                                 \
        char *end = NULL, *ours_end = NULL;                                              \
        errno = 0;                                                                       \
        __typeof__(name("", NULL, 0)) v = name(s, &end, base);                           \
        int code = errno;                                                                \
        errno = 0;                                                                       \
        __typeof__(name("", NULL, 0)) w = ours_##name(s, &ours_end, base);               \
        same(#name, v == w && end == ours_end && code == errno, here);                   \
    } while (0)

static void check_numbers(void)
{
    static const int bases[] = {10, 10, 0, 16, 8, 2, 36, 7};
    char s[64];
    int base = bases[pick(8)];
    number_text(s);
    snprintf(here, sizeof here, "'%s' base %d", s, base);
    NUMBER(strtol);
    NUMBER(strtoll);
    NUMBER(strtoul);
    NUMBER(strtoull);
    NUMBER(strtoimax);
    NUMBER(strtoumax);
    SAME(atoi, atoi(s), ours_atoi(s));
    SAME(atol, atol(s), ours_atol(s));
    SAME(atoll, atoll(s), ours_atoll(s));
}

static int by_low_byte(const void *a, const void *b)
{
    return (*(const int *)a & 255) - (*(const int *)b & 255);
}

static void check_sorting(void)
{
    int x[40], y[40], n = (int)pick(40), key = (int)pick(8);
    for (int i = 0; i < n; i++)
        x[i] = y[i] = (int)pick(8) | i << 8;
    snprintf(here, sizeof here, "%d numbers", n);
    qsort(x, (size_t)n, sizeof x[0], by_low_byte);
    ours_qsort(y, (size_t)n, sizeof y[0], by_low_byte);
    SAME(qsort, memcmp(x, y, (size_t)n * sizeof x[0]), 0);
    const int *p = bsearch(&key, x, (size_t)n, sizeof x[0], by_low_byte);
    const int *q = ours_bsearch(&key, x, (size_t)n, sizeof x[0], by_low_byte);
    SAME(bsearch, p == NULL, q == NULL);
    SAME(bsearch, q == NULL || (*q & 255) == key, true);
}

__attribute__((format(printf, 1, 0))) static void check_format(const char *f, ...)
{
    char x[300], y[300];
    size_t size = pick(3) ? sizeof x : pick(12);
    va_list list, again;
    va_start(list, f);
    va_copy(again, list);
    memset(x, 'z', sizeof x);
    memset(y, 'z', sizeof y);
    int n = vsnprintf(x, size, f, list), k = ours_vsnprintf(y, size, f, again);
    va_end(again);
    va_end(list);
    snprintf(here, sizeof here, "'%s' in %zu: '%.*s' and '%.*s'", f, size, 100, x, 100,
             y);
    same("vsnprintf", n == k && memcmp(x, y, sizeof x) == 0, here);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

/* "%", flags, width, precision. */
static size_t start_of_format(char *f, bool zero)
{
    size_t n = 0;
    f[n++] = '[';
    f[n++] = '%';
    for (int i = 0; i < 2; i++)
        if (pick(3) == 0)
            f[n++] = "-+ #0"[pick(zero ? 5 : 2) % (zero ? 5 : 1)];
    if (pick(2))
        n += (size_t)sprintf(f + n, "%d", 1 + (int)pick(25));
    if (pick(3) == 0)
        n += (size_t)sprintf(f + n, ".%d", (int)pick(12));
    return n;
}

static void check_formats(const char *a)
{
    static const char *const sizes[] = {"hh", "h", "", "l", "ll", "z", "j", "t"};
    char f[64];
    size_t n = start_of_format(f, true), kind = pick(8);
    uint64_t v = pick(2) ? td_rng_next(&rng) >> pick(64) : pick(3) - 1;
    sprintf(f + n, "%s%c]%%", sizes[kind], "dioxXu"[pick(6)]);
    if (kind < 3)
        check_format(f, (int)v);
    else
        check_format(f, v);
    n = start_of_format(f, false);
    sprintf(f + n, "s]");
    check_format(f, pick(20) ? a : NULL);
    n = start_of_format(f, true);
    sprintf(f + n, "%c]", "eEfFgGaA"[pick(8)]);
    check_format(f, (double)(int64_t)v / 1000.0);
    check_format("%c%5c%-3c|", (int)(32 + pick(90)), 'x', 'y');
    check_format("%*d%-*.*d %p %20p%-20p|", (int)pick(9) - 4, (int)v, (int)pick(9),
                 (int)pick(9) - 2, (int)(v >> 7), (void *)a, NULL, (void *)(a + 1));
    char x[200], y[200];
    SAME(sprintf, sprintf(x, "%s-%d", a, (int)v), ours_sprintf(y, "%s-%d", a, (int)v));
    SAME(sprintf, strcmp(x, y), 0);
    SAME(snprintf, snprintf(x, 9, "%lu%s", v, a), ours_snprintf(y, 9, "%lu%s", v, a));
    SAME(snprintf, strcmp(x, y), 0);
}

int main(int argc, char **argv)
{
    char a[64], b[64];
    rng = (td_rng){argc > 1 ? strtoull(argv[1], NULL, 0) : 1};
    uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 0) : 20000;
    check_letters();
    for (uint64_t i = 0; i < rounds; i++) {
        text(a, pick(2) ? 6 : 60);
        text(b, pick(3) ? 4 : 60);
        size_t n = pick(strlen(a) + 2),
               least = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
        int c = pick(8) ? (unsigned char)a[pick(strlen(a) + 1)] : (int)pick(256);
        snprintf(here, sizeof here, "'%s' and '%s', %zu, %d", a, b, n, c);
        check_texts(a, b, n, c);
        check_copies(a, b, n);
        check_words(a, b);
        check_bytes(a, b, n < least + 1 ? n : least, c);
        check_numbers();
        check_sorting();
        check_formats(a);
    }
    printf("%" PRIu64 " comparisons, all alike\n", n_checks);
    return 0;
}
