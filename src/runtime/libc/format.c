/* SPDX-License-Identifier: Apache-2.0 */
/* snprintf and its family, for integers, letters, texts and pointers. Floating point is left to
 * the C library, one conversion at a time; a format with anything else is left to it as a
 * whole.
 *
 * A function with a variable number of arguments has no version that follows symbolic values.
 * So the arguments are gathered with their labels into memory, and what formats them finds
 * them there. */
#include "runtime/libc/libc_int.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#define MAX_VALUES 24u

/* How wide the argument of an integer conversion is, in bytes. */
typedef struct conversion {
    const char *end; /* behind it */
    bool left, plus, blank, hash, zero;
    int width;     /* -1: an argument */
    int precision; /* -1: an argument, -2: none */
    unsigned size;
    char letter;   /* 0: not one of ours */
    char spec[24]; /* for the C library, with * for width and precision */
} conversion;

/* One argument: an integer, a pointer or a double. */
typedef union value {
    uint64_t bits;
    int word;
    unsigned unsigned_word;
    const char *text;
    double real;
} value;

typedef struct printing {
    place at;
    char *to;
    size_t size, length; /* room; what would be written without its end */
    const value *values;
} printing;

/* ---- the format ---- */

static const char *read_flags(const char *f, conversion *c)
{
    for (;; f++) {
        if (*f == '-')
            c->left = true;
        else if (*f == '+')
            c->plus = true;
        else if (*f == ' ')
            c->blank = true;
        else if (*f == '#')
            c->hash = true;
        else if (*f == '0')
            c->zero = true;
        else
            return f;
    }
}

static const char *read_amount(const char *f, int *amount)
{
    if (*f == '*') {
        *amount = -1;
        return f + 1;
    }
    for (*amount = 0; *f >= '0' && *f <= '9' && *amount < 100000; f++)
        *amount = *amount * 10 + (*f - '0');
    return f;
}

static const char *read_size(const char *f, unsigned *size)
{
    *size = sizeof(int);
    if (f[0] == 'h') {
        *size = f[1] == 'h' ? sizeof(char) : sizeof(short);
        return f + (f[1] == 'h' ? 2 : 1);
    }
    if (f[0] == 'l' || f[0] == 'z' || f[0] == 'j' || f[0] == 't') {
        *size = sizeof(long);
        return f + (f[0] == 'l' && f[1] == 'l' ? 2 : 1);
    }
    return f;
}

static bool is_one_of(char c, const char *set)
{
    for (; *set; set++)
        if (*set == c)
            return true;
    return false;
}

/* What the C library is given for a floating point conversion. */
static void write_spec(conversion *c)
{
    size_t n = 0;
    c->spec[n++] = '%';
    if (c->left)
        c->spec[n++] = '-';
    if (c->plus)
        c->spec[n++] = '+';
    if (c->blank)
        c->spec[n++] = ' ';
    if (c->hash)
        c->spec[n++] = '#';
    if (c->zero)
        c->spec[n++] = '0';
    c->spec[n++] = '*';
    c->spec[n++] = '.';
    c->spec[n++] = '*';
    c->spec[n++] = c->letter;
    c->spec[n] = 0;
}

/* Reads a conversion; f is behind the percent sign. */
static void read_conversion(const char *f, conversion *c)
{
    *c = (conversion){.precision = -2};
    f = read_flags(f, c);
    f = read_amount(f, &c->width);
    if (*f == '.')
        f = read_amount(f + 1, &c->precision);
    const char *modifier = f;
    f = read_size(f, &c->size);
    bool plain = f == modifier;
    bool known =
        is_one_of(*f, "diouxX") || (plain && is_one_of(*f, "csp%")) ||
        (c->size != 1 && c->size != 2 && modifier[0] != 'z' && is_one_of(*f, "eEfFgGaA"));
    c->letter = *f;
    if (!known)
        c->letter = 0;
    c->end = f + 1;
    write_spec(c);
}

static bool is_real(char letter)
{
    return is_one_of(letter, "eEfFgGaA");
}

/* ---- writing ---- */

static void put(printing *p, char c)
{
    if (p->length + 1 < p->size)
        p->to[p->length] = c;
    p->length++;
}

static void put_many(printing *p, char c, int n)
{
    for (; n > 0; n--)
        put(p, c);
}

/* The text in its field; prefix and zeros come before it where there are zeros. */
static void put_field(printing *p, const conversion *c, const char *text, int n)
{
    if (!c->left)
        put_many(p, ' ', c->width - n);
    for (int i = 0; i < n; i++)
        put(p, text[i]);
    if (c->left)
        put_many(p, ' ', c->width - n);
}

/* Writes an unsigned number with its prefix. */
static void put_number(printing *p, const conversion *c, uint64_t v, const char *prefix)
{
    char digits[24];
    bool upper = c->letter == 'X';
    unsigned base = is_one_of(c->letter, "xXp") ? 16 : c->letter == 'o' ? 8 : 10;
    int n = 0, n_prefix = (int)strlen(prefix), least = c->precision;
    if (v != 0 || c->precision != 0)
        do {
            unsigned digit = (unsigned)(v % base);
            unsigned letter = (digit > 9) * (unsigned)((upper ? 'A' : 'a') - '0' - 10);
            digits[n++] = (char)('0' + digit + letter);
            v /= base;
        } while (v != 0);
    if (c->letter == 'o' && c->hash && least <= n && (n == 0 || digits[n - 1] != '0'))
        least = n + 1;
    if (c->precision < 0 && c->zero && !c->left)
        least = c->width - n_prefix;
    int zeros = least > n ? least - n : 0;
    int blanks = c->width - n_prefix - zeros - n;
    if (!c->left)
        put_many(p, ' ', blanks);
    for (int i = 0; i < n_prefix; i++)
        put(p, prefix[i]);
    put_many(p, '0', zeros);
    for (int i = n; i > 0; i--)
        put(p, digits[i - 1]);
    if (c->left)
        put_many(p, ' ', blanks);
}

static int64_t signed_of(const value *v, unsigned size)
{
    if (size == sizeof(long))
        return (int64_t)v->bits;
    if (size == sizeof(short))
        return (short)v->word;
    return size == sizeof(char) ? (signed char)v->word : v->word;
}

static uint64_t unsigned_of(const value *v, unsigned size)
{
    if (size == sizeof(long))
        return v->bits;
    if (size == sizeof(short))
        return (unsigned short)v->word;
    return size == sizeof(char) ? (unsigned char)v->word : v->unsigned_word;
}

static void put_integer(printing *p, const conversion *c, const value *v)
{
    if (!is_one_of(c->letter, "di")) {
        uint64_t u = unsigned_of(v, c->size);
        bool marked = c->hash && is_one_of(c->letter, "xX") && u != 0;
        put_number(p, c, u, !marked ? "" : c->letter == 'x' ? "0x" : "0X");
        return;
    }
    int64_t d = signed_of(v, c->size);
    if (d < 0)
        put_number(p, c, 0 - (uint64_t)d, "-");
    else
        put_number(p, c, (uint64_t)d, c->plus ? "+" : c->blank ? " " : "");
}

static void put_text(printing *p, const conversion *c, const char *text)
{
    if (text == NULL) {
        int n = c->precision >= 0 && c->precision < 6 ? 0 : 6;
        put_field(p, c, "(null)", n);
        return;
    }
    size_t most = c->precision >= 0 ? (size_t)c->precision : INT_MAX;
    size_t n = length_within(text, most);
    reads(text, n < most ? n + 1 : n, p->at);
    put_field(p, c, text, (int)n);
}

static void put_pointer(printing *p, conversion c, const value *v)
{
    if (v->bits == 0)
        put_field(p, &c, "(nil)", 5);
    else
        put_number(p, &c, v->bits, "0x");
}

/* The C library knows where a number ends better than we do. */
static void put_real(printing *p, const conversion *c, const value *v)
{
    bool room = p->length < p->size;
    int n = snprintf(room ? p->to + p->length : NULL, room ? p->size - p->length : 0,
                     c->spec, c->width, c->precision < 0 ? -1 : c->precision, v->real);
    if (n > 0)
        p->length += (size_t)n;
}

static void put_value(printing *p, const conversion *c, const value *v)
{
    char letter = (char)v->word;
    if (c->letter == 's')
        put_text(p, c, v->text);
    else if (c->letter == 'c')
        put_field(p, c, &letter, 1);
    else if (c->letter == 'p')
        put_pointer(p, *c, v);
    else if (is_real(c->letter))
        put_real(p, c, v);
    else
        put_integer(p, c, v);
}

/* Width and precision given as arguments. */
static const value *take_amounts(conversion *c, const value *v)
{
    if (c->width == -1) {
        int width = (v++)->word;
        c->left = c->left || width < 0;
        c->width = width < 0 ? -width : width;
    }
    if (c->precision == -1) {
        int precision = (v++)->word;
        c->precision = precision < 0 ? -2 : precision;
    }
    return v;
}

static void format_all(printing *p, const char *format)
{
    const value *v = p->values;
    for (const char *f = format; *f;) {
        conversion c;
        if (*f != '%') {
            put(p, *f++);
            continue;
        }
        read_conversion(f + 1, &c);
        v = take_amounts(&c, v);
        if (c.letter == '%')
            put(p, '%');
        else
            put_value(p, &c, v++);
        f = c.end;
    }
    if (p->size > 0)
        p->to[p->length < p->size ? p->length : p->size - 1] = 0;
}

/* ---- arguments ---- */

/* Not followed: where arguments lie, labels may be left from what was there before. */
#ifdef LIBC_PLAIN
#define NATIVE
#else
#define NATIVE __attribute__((no_profile_instrument_function))
#endif

/* Labels that came with the arguments of a call, from the first variable one on. */
typedef struct passed {
    uint32_t labels[PLAN_ARGUMENTS];
} passed;

typedef struct gathering {
    value values[MAX_VALUES];
    unsigned n;
    const passed *passed; /* NULL: the labels are in memory */
} gathering;

/* A structure of its own, so that it can be passed on. */
typedef struct arguments {
    va_list list;
} arguments;

#ifdef LIBC_PLAIN

NATIVE static void peek_labels(passed *out, const void *self, unsigned first)
{
    (void)self, (void)first;
    *out = (passed){0};
}

NATIVE static void take_labels(passed *out, const void *self, unsigned first)
{
    peek_labels(out, self, first);
}

NATIVE static void put_label(const void *p, unsigned size, uint32_t label)
{
    (void)p, (void)size, (void)label;
}

NATIVE static uint32_t get_label(const void *p, unsigned size)
{
    (void)p, (void)size;
    return 0;
}

NATIVE static void decide_label(uint32_t label, uint64_t value)
{
    (void)label, (void)value;
}

NATIVE static void lose(place at)
{
    (void)at;
}

NATIVE static void look_unseen(void)
{
}

NATIVE static void tell_arguments(const char *format, const arguments *a, place at)
{
    (void)format, (void)a, (void)at;
}

#else

/* In runtime/symbolic/follow.c. */
void rt_libc_put(const void *p, uint32_t size, uint32_t label);
uint32_t rt_libc_get(const void *p, uint32_t size);
void rt_libc_decide_label(uint32_t label, uint64_t value);
void rt_libc_lost(place at);

NATIVE static void peek_labels(passed *out, const void *self, unsigned first)
{
    *out = (passed){0};
    if (PLAN_CTL->symbolic == 0)
        return;
    bool is_for_self = PLAN_CTL->callee == (uint64_t)self;
    for (unsigned i = first; is_for_self && i < PLAN_ARGUMENTS; i++)
        out->labels[i - first] = PLAN_CTL->arguments[i];
}

NATIVE static void take_labels(passed *out, const void *self, unsigned first)
{
    peek_labels(out, self, first);
    if (PLAN_CTL->symbolic != 0)
        PLAN_CTL->callee = 0;
}

NATIVE static void put_label(const void *p, unsigned size, uint32_t label)
{
    rt_libc_put(p, size, label);
}

NATIVE static uint32_t get_label(const void *p, unsigned size)
{
    return rt_libc_get(p, size);
}

NATIVE static void decide_label(uint32_t label, uint64_t value)
{
    rt_libc_decide_label(label, value);
}

NATIVE static void lose(place at)
{
    rt_libc_lost(at);
}

NATIVE static void look_unseen(void)
{
    PLAN_CTL->unseen = 1;
}

/* In runtime/posix/formats.c. */
void rt_libc_formatted(const char *format, const void *args, place at);

NATIVE static void tell_arguments(const char *format, const arguments *a, place at)
{
    rt_libc_formatted(format, &a->list, at);
}

#endif

#if defined(__x86_64__)
/* Where the next integer among the arguments is. By a pointer: clang 16 dies of an index. */
NATIVE static const void *next_integer(arguments *a)
{
    const __typeof__(a->list[0]) *list = a->list;
    const char *saved = list->reg_save_area;
    return list->gp_offset < 48 ? saved + list->gp_offset : list->overflow_arg_area;
}
#else
NATIVE static const void *next_integer(arguments *a)
{
    (void)a;
    return NULL;
}
#endif

/* The label of the next argument: what was passed, or what lies there. */
NATIVE static uint32_t label_of(const gathering *g, const void *from, unsigned size)
{
    if (g->passed)
        return g->passed->labels[g->n];
    return from ? get_label(from, size) : 0;
}

NATIVE static void gather_word(gathering *g, int word, const void *from)
{
    value *v = &g->values[g->n];
    uint32_t label = label_of(g, from, sizeof word);
    v->bits = 0;
    v->word = word;
    put_label(v, sizeof(uint64_t), 0);
    put_label(v, sizeof(int), label);
    g->n++;
}

NATIVE static void gather_bits(gathering *g, uint64_t bits, const void *from)
{
    uint32_t label = label_of(g, from, sizeof bits);
    g->values[g->n].bits = bits;
    put_label(&g->values[g->n], sizeof bits, label);
    g->n++;
}

NATIVE static void gather_real(gathering *g, double real)
{
    g->values[g->n].real = real;
    put_label(&g->values[g->n++], sizeof real, 0);
}

NATIVE static void gather_amount(gathering *g, arguments *a)
{
    const void *from = next_integer(a);
    gather_word(g, va_arg(a->list, int), from);
}

NATIVE static void gather_value(gathering *g, const conversion *c, arguments *a)
{
    if (is_real(c->letter))
        gather_real(g, va_arg(a->list, double));
    else if (c->letter == 's' || c->letter == 'p' || c->size == sizeof(long)) {
        const void *from = next_integer(a);
        gather_bits(g, va_arg(a->list, uint64_t), from);
    } else
        gather_amount(g, a);
}

/* False if the format is not for us. */
NATIVE static bool gather(gathering *g, const char *format, arguments *a)
{
    for (const char *f = format; *f;) {
        conversion c;
        if (*f++ != '%')
            continue;
        read_conversion(f, &c);
        f = c.end;
        if (c.letter == 0 || g->n + 3 > MAX_VALUES)
            return false;
        if (c.width == -1)
            gather_amount(g, a);
        if (c.precision == -1)
            gather_amount(g, a);
        if (c.letter != '%')
            gather_value(g, &c, a);
    }
    return true;
}

/* ---- entries ---- */

typedef void formatter(printing *p, const char *format);

/* By its address, so that the version that follows symbolic values is called. */
static formatter *const volatile format_followed = format_all;

NATIVE static size_t written(size_t size, int n)
{
    return n < 0 || size == 0 ? 0 : (size_t)n < size ? (size_t)n + 1 : size;
}

NATIVE static int format_by_library(printing *p, const char *format, va_list list)
{
    arguments a;
    look_unseen();
    va_copy(a.list, list);
    if (is_watched())
        tell_arguments(format, &a, p->at);
    va_end(a.list);
    int n = p->size == SIZE_MAX ? vsprintf(p->to, format, list)
                                : vsnprintf(p->to, p->size, format, list);
    if (is_watched())
        writes(p->to, written(p->size, n), p->at);
    return n;
}

NATIVE static int format(printing p, const char *format, va_list list,
                         const passed *labels)
{
    gathering g = {.passed = labels};
    arguments a;
    if (!is_watched() || !is_live())
        return format_by_library(&p, format, list);
    va_copy(a.list, list);
    bool is_ours = gather(&g, format, &a);
    va_end(a.list);
    if (!is_ours) {
        lose(p.at);
        return format_by_library(&p, format, list);
    }
    reads(format, strlen(format) + 1, p.at);
    p.values = g.values;
    format_followed(&p, format);
    int n = p.length > INT_MAX ? -1 : (int)p.length;
    writes(p.to, written(p.size, n), p.at);
    return n;
}

NATIVE EXPORT int OURS(vsnprintf)(char *to, size_t size, const char *f, va_list list)
{
    place at = enter();
    passed fixed;
    take_labels(&fixed, (const void *)OURS(vsnprintf), 1);
    decide_label(fixed.labels[0], size);
    return format((printing){.at = at, .to = to, .size = size}, f, list, NULL);
}

NATIVE EXPORT int OURS(vsprintf)(char *to, const char *f, va_list list)
{
    return format((printing){.at = enter(), .to = to, .size = SIZE_MAX}, f, list, NULL);
}

NATIVE EXPORT int OURS(snprintf)(char *to, size_t size, const char *f, ...)
{
    passed labels;
    va_list list;
    passed fixed;
    place at = enter();
    peek_labels(&fixed, (const void *)OURS(snprintf), 1);
    take_labels(&labels, (const void *)OURS(snprintf), 3);
    decide_label(fixed.labels[0], size);
    va_start(list, f);
    int n = format((printing){.at = at, .to = to, .size = size}, f, list, &labels);
    va_end(list);
    return n;
}

NATIVE EXPORT int OURS(sprintf)(char *to, const char *f, ...)
{
    passed labels;
    va_list list;
    take_labels(&labels, (const void *)OURS(sprintf), 2);
    va_start(list, f);
    int n =
        format((printing){.at = enter(), .to = to, .size = SIZE_MAX}, f, list, &labels);
    va_end(list);
    return n;
}
