/* SPDX-License-Identifier: Apache-2.0 */
/* strtol and its family. The value of a digit is an expression of its byte; only the end of the number is a
 * decision. The text of an argument that is declared a number (--sym-arg) gives that number, as one symbolic
 * value. */
#include "runtime/libc/libc_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* A number in a text. */
typedef struct number {
    uint64_t value; /* modulo 2^64, the sign applied */
    bool negative;
    bool too_large; /* its magnitude has more than 64 bits */
    bool may_clamp; /* it has so many digits that it may not fit */
    const char *end;
} number;

#ifdef LIBC_PLAIN
static bool rt_libc_number(const char *s, int base, uint64_t *value, bool *is_signed)
{
    (void)s, (void)base, (void)value, (void)is_signed;
    return false;
}
#else
/* True if s is such an argument: its value and its label. */
bool rt_libc_number(const char *s, int base, uint64_t *value, bool *is_signed);
#endif

static bool is_space(byte c)
{
    return (c == ' ') | is_between(c, '\t', '\r');
}

/* Returns the value of the digit, 255 if it is not one. No branches. */
static unsigned digit_of(byte c)
{
    unsigned folded = c | 32u;
    unsigned is_digit = is_between(c, '0', '9'), is_letter = is_between(folded, 'a', 'z');
    unsigned other = 1 ^ (is_digit | is_letter);
    return ((c - '0') & -is_digit) | ((folded - 'a' + 10) & -is_letter) | (255u & -other);
}

/* Digits of the base that surely fit into 63 bits. */
static unsigned safe_digits(unsigned base)
{
    unsigned n = 0;
    for (uint64_t most = INT64_MAX; most >= base; most /= base)
        n++;
    return n;
}

static const char *skip_prefix(const char *s, int *base)
{
    bool zero = (*base == 0 || *base == 16) && s[0] == '0';
    if (zero && (s[1] | 32) == 'x' && digit_of((byte)s[2]) < 16) {
        *base = 16;
        return s + 2;
    }
    if (*base == 0)
        *base = zero ? 8 : 10;
    return s;
}

static void read_digits(number *out, const char *s, unsigned base)
{
    unsigned n = 0, safe = safe_digits(base), digit;
    uint64_t value = 0;
    for (; (digit = digit_of((byte)*s)) < base; s++, n++) {
        if (n >= safe && !out->too_large)
            out->too_large = __builtin_mul_overflow(value, (uint64_t)base, &value) ||
                             __builtin_add_overflow(value, (uint64_t)digit, &value);
        else if (!out->too_large)
            value = value * base + digit;
    }
    out->may_clamp = n > safe;
    out->value = value;
    out->end = n > 0 ? s : NULL;
}

static number parse(const char *s, int base)
{
    number out = {0};
    while (is_space((byte)*s))
        s++;
    if (*s == '-') {
        out.negative = true;
        s++;
    } else if (*s == '+')
        s++;
    s = skip_prefix(s, &base);
    read_digits(&out, s, (unsigned)base);
    return out;
}

static int64_t as_signed(const number *n)
{
    uint64_t most = (uint64_t)INT64_MAX + n->negative;
    if (n->may_clamp && (n->too_large || n->value > most)) {
        errno = ERANGE;
        return n->negative ? INT64_MIN : INT64_MAX;
    }
    return (int64_t)(n->negative ? 0 - n->value : n->value);
}

static uint64_t as_unsigned(const number *n)
{
    if (n->too_large) {
        errno = ERANGE;
        return UINT64_MAX;
    }
    return n->negative ? 0 - n->value : n->value;
}

static bool is_base(int base)
{
    return base == 0 || (base >= 2 && base <= 36);
}

/* Looks at s byte by byte; *end as strtol has it. */
static number look(const char *s, char **end, int base)
{
    number n = parse(s, base);
    if (end)
        *end = (char *)(n.end ? n.end : s);
    return n;
}

/* Records what the C library read; true if it must be done byte by byte. */
static bool must_look(place at, const char *s, const char *end)
{
    size_t n = (size_t)(end - s) + 1;
    if (end == s)
        n += strspn(s, " \t\n\v\f\r+-");
    reads(s, n, at);
    return has_labels(s, n);
}

/* An argument that is a number. */
static bool is_number(place at, const char *s, int base, number *out, char **end)
{
    uint64_t value = 0;
    bool is_signed = false;
    if (!is_live() || !rt_libc_number(s, base, &value, &is_signed))
        return false;
    size_t n = strlen(s);
    reads(s, n + 1, at);
    if (end)
        *end = (char *)s + n;
    *out = (number){.value = value, .may_clamp = !is_signed};
    return true;
}

static int64_t read_signed(place at, const char *s, char **end, int base)
{
    char *stop = NULL;
    number n;
    if (!is_watched() || !is_base(base))
        return strtoll(s, end, base);
    settle((unsigned)base);
    if (end)
        writes(end, sizeof *end, at);
    if (is_number(at, s, base, &n, end))
        return as_signed(&n);
    int saved = errno;
    int64_t value = strtoll(s, &stop, base);
    if (end)
        *end = stop;
    if (!must_look(at, s, stop))
        return value;
    errno = saved;
    n = look(s, end, base);
    return n.end ? as_signed(&n) : 0;
}

static uint64_t read_unsigned(place at, const char *s, char **end, int base)
{
    char *stop = NULL;
    number n;
    if (!is_watched() || !is_base(base))
        return strtoull(s, end, base);
    settle((unsigned)base);
    if (end)
        writes(end, sizeof *end, at);
    if (is_number(at, s, base, &n, end))
        return as_unsigned(&n);
    int saved = errno;
    uint64_t value = strtoull(s, &stop, base);
    if (end)
        *end = stop;
    if (!must_look(at, s, stop))
        return value;
    errno = saved;
    n = look(s, end, base);
    return n.end ? as_unsigned(&n) : 0;
}

#define SIGNED(name, type)                                                               \
    EXPORT type OURS(name)(const char *s, char **end, int base)                          \
    {                                                                                    \
        return (type)read_signed(enter(), s, end, base);                                 \
    }
#define UNSIGNED(name, type)                                                             \
    EXPORT type OURS(name)(const char *s, char **end, int base)                          \
    {                                                                                    \
        return (type)read_unsigned(enter(), s, end, base);                               \
    }
#define DECIMAL(name, type)                                                              \
    EXPORT type OURS(name)(const char *s)                                                \
    {                                                                                    \
        return (type)read_signed(enter(), s, NULL, 10);                                  \
    }

SIGNED(strtol, long)
SIGNED(strtoll, long long)
SIGNED(strtoimax, intmax_t)
UNSIGNED(strtoul, unsigned long)
UNSIGNED(strtoull, unsigned long long)
UNSIGNED(strtoumax, uintmax_t)
DECIMAL(atoi, int)
DECIMAL(atol, long)
DECIMAL(atoll, long long)
