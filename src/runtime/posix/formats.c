/* SPDX-License-Identifier: Apache-2.0 */
/* What calls of the printf and scanf families do to memory, read from their formats. */
#include "runtime/posix/libcall.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "runtime/core/core.h"

/* A format on the way through its arguments. */
typedef struct walk {
    rt_call *c;
    const char *narrow;
    const wchar_t *wide;
    uint64_t at;
    va_list args;
    bool is_after;            /* scanf: the result determines how far it came */
    int64_t left;             /* scanf: values that were stored and not passed yet */
    uint32_t size;            /* size of the conversion: 1, 2, 4, 8, 16; 0: the default */
    int64_t precision, width; /* -1: none */
    bool is_starred;          /* scanf: nothing is stored */
    bool is_made;             /* scanf: the function allocates it */
} walk;

static uint32_t letter(const walk *w)
{
    return w->wide ? (uint32_t)w->wide[w->at] : (unsigned char)w->narrow[w->at];
}

enum { FLAG = 1, SCAN_FLAG = 2, LENGTH = 4, FLOATING = 8, WHOLE = 16, SCANNED = 32 };

#define BOTH(kind) kind | SCANNED

static const uint8_t letters[128] = {
    ['-'] = FLAG,
    ['+'] = FLAG,
    [' '] = FLAG,
    ['#'] = FLAG,
    ['0'] = FLAG,
    ['*'] = SCAN_FLAG,
    ['\''] = FLAG | SCAN_FLAG,
    ['I'] = FLAG | SCAN_FLAG,
    ['h'] = LENGTH,
    ['l'] = LENGTH,
    ['q'] = LENGTH,
    ['j'] = LENGTH,
    ['z'] = LENGTH,
    ['t'] = LENGTH,
    ['Z'] = LENGTH,
    ['L'] = LENGTH,
    ['a'] = BOTH(FLOATING),
    ['A'] = BOTH(FLOATING),
    ['e'] = BOTH(FLOATING),
    ['E'] = BOTH(FLOATING),
    ['f'] = BOTH(FLOATING),
    ['F'] = BOTH(FLOATING),
    ['g'] = BOTH(FLOATING),
    ['G'] = BOTH(FLOATING),
    ['d'] = BOTH(WHOLE),
    ['i'] = BOTH(WHOLE),
    ['o'] = BOTH(WHOLE),
    ['u'] = BOTH(WHOLE),
    ['x'] = BOTH(WHOLE),
    ['X'] = BOTH(WHOLE),
    ['c'] = BOTH(WHOLE),
    ['C'] = BOTH(WHOLE),
    ['p'] = BOTH(WHOLE),
    ['s'] = SCANNED,
    ['S'] = SCANNED,
    ['['] = SCANNED,
    ['n'] = SCANNED,
};

static bool is_a(uint32_t c, uint32_t kinds)
{
    return c < 128 && (letters[c] & kinds) != 0;
}

/* Reads a number; -1 if it exceeds INT_MAX, as in the C library. */
static int64_t number(walk *w)
{
    int64_t n = 0;
    bool is_one = true;
    for (; letter(w) >= '0' && letter(w) <= '9'; w->at++) {
        n = n * 10 + (letter(w) - '0');
        is_one = is_one && n <= INT_MAX;
        n = is_one ? n : 0;
    }
    return is_one ? n : -1;
}

/* A width or precision, if there is one; * is an argument. */
static int64_t amount(walk *w)
{
    if (letter(w) != '*')
        return letter(w) >= '0' && letter(w) <= '9' ? number(w) : -1;
    w->at++;
    return va_arg(w->args, int);
}

static void length_letters(walk *w)
{
    w->size = 0;
    for (; is_a(letter(w), LENGTH); w->at++)
        if (letter(w) == 'h')
            w->size = w->size == 2 ? 1 : 2;
        else
            w->size = letter(w) == 'L' ? 16 : 8;
}

/* ---- printf ---- */

static void read_text(const walk *w, uint64_t p, bool is_wide)
{
    uint64_t most = w->precision >= 0 ? (uint64_t)w->precision : UINT32_MAX;
    if (p == 0)
        return;
    uint64_t n =
        is_wide ? wcsnlen((const wchar_t *)p, most) : strnlen((const char *)p, most);
    rt_library_read(w->c, p, (n < most ? n + 1 : n) * (is_wide ? sizeof(wchar_t) : 1));
}

static void print_conversion(walk *w, uint32_t c)
{
    if (is_a(c, FLOATING) && w->size == 16)
        (void)va_arg(w->args, long double);
    else if (is_a(c, FLOATING))
        (void)va_arg(w->args, double);
    else if (c == 's' || c == 'S')
        read_text(w, (uint64_t)va_arg(w->args, void *), c == 'S' || w->size == 8);
    else if (c == 'n') {
        uint64_t p = (uint64_t)va_arg(w->args, void *);
        rt_library_write(w->c, p, w->size ? w->size : 4);
        /* The length may be one of symbolic values. */
        if (PLAN_CTL->symbolic != 0)
            rt_gap_once(WIRE_GAP_CONCRETE, w->c->number, w->c->name);
    } else if (is_a(c, WHOLE))
        (void)va_arg(w->args, uint64_t);
}

static void print_one(walk *w)
{
    while (is_a(letter(w), FLAG))
        w->at++;
    w->width = amount(w);
    w->precision = -1;
    if (letter(w) == '.') {
        w->at++;
        /* 0 if absent; a negative argument counts as absent. */
        bool is_number = letter(w) != '*';
        w->precision = amount(w);
        if (is_number && w->precision < 0)
            w->precision = 0;
    }
    length_letters(w);
    print_conversion(w, letter(w));
}

/* ---- scanf ---- */

static uint64_t scanned_bytes(const walk *w, uint32_t c, uint64_t p)
{
    bool is_wide = w->size == 8 || c == 'S' || c == 'C';
    uint64_t unit = is_wide ? sizeof(wchar_t) : 1;
    if (w->is_made)
        return sizeof(void *);
    if (c == 'c' || c == 'C')
        return (uint64_t)(w->width > 0 ? w->width : 1) * unit;
    if (c == 's' || c == 'S' || c == '[')
        return (is_wide ? wcslen((const wchar_t *)p) : strlen((const char *)p)) * unit +
               unit;
    if (c == 'p')
        return sizeof(void *);
    return w->size ? w->size : 4;
}

/* What is between the brackets. */
static void skip_set(walk *w)
{
    w->at++;
    w->at += letter(w) == '^';
    w->at += letter(w) == ']';
    while (letter(w) != 0 && letter(w) != ']')
        w->at++;
}

static void scan_one(walk *w)
{
    w->is_starred = w->is_made = false;
    for (; is_a(letter(w), SCAN_FLAG); w->at++)
        w->is_starred |= letter(w) == '*';
    w->width = letter(w) >= '0' && letter(w) <= '9' ? number(w) : -1;
    if (letter(w) == 'm') {
        w->is_made = true;
        w->at++;
    }
    length_letters(w);
    uint32_t c = letter(w);
    if (c == '[')
        skip_set(w);
    if (!is_a(c, SCANNED) || w->is_starred)
        return;
    uint64_t p = (uint64_t)va_arg(w->args, void *);
    /* What %n gets is sure only where something was stored behind it. */
    if (w->is_after && w->left > 0)
        rt_library_write(w->c, p, scanned_bytes(w, c, p));
    w->left -= c != 'n';
}

/* ---- both ---- */

/* The arguments from integer register i on. */
static void arguments_from(rt_call *c, uint32_t i, va_list *out)
{
    uint32_t n = i < RT_CALL_INTS ? i : RT_CALL_INTS;
#if defined(__x86_64__)
    struct {
        uint32_t ints, floats;
        void *stack, *saved;
    } made = {n * 8, RT_CALL_INTS * 8, c->stack + (i - n), c->ints};
#else
    struct {
        void *stack, *ints_end, *floats_end;
        int32_t ints, floats;
    } made = {c->stack + (i - n), c->ints + RT_CALL_INTS, c->vectors + 8,
              -(int32_t)(RT_CALL_INTS - n) * 8, -128};
#endif
    static_assert(sizeof made == sizeof *out, "as the ABI has it");
    memcpy(out, &made, sizeof made);
}

/* Where the arguments that were not passed yet lie on the stack. */
static uint64_t stack_of(va_list *args)
{
    uint64_t at = 0;
    memcpy(&at, (const char *)args + (sizeof *args == 24 ? 8 : 0), sizeof at);
    return at;
}

/* True if the format numbers its arguments. */
static bool is_positional(walk *w)
{
    for (w->at = 0; letter(w) != 0; w->at++)
        if (letter(w) == '%') {
            w->at++;
            (void)number(w);
            if (letter(w) == '$')
                return true;
            if (letter(w) == 0)
                return false;
        }
    return false;
}

static void walk_format(walk *w, bool is_scan)
{
    for (w->at = 0; letter(w) != 0; w->at++) {
        if (letter(w) != '%')
            continue;
        w->at++;
        if (is_scan)
            scan_one(w);
        else
            print_one(w);
        if (letter(w) == 0)
            break;
    }
}

#define MOST_STACK 32u /* words of a call whose format was not parsed */

static void walk_arguments(walk *w, uint32_t i, bool is_scan)
{
    const char *rest = strchr(w->c->signature, 'A');
    if (rest) { /* the word behind the format is a va_list */
        RT_ASSERT(i + 1 < RT_CALL_INTS);
        va_list *given = (va_list *)w->c->ints[i + 1];
        if (sizeof(va_list) == 8)
            given = (va_list *)&w->c->ints[i + 1];
        memcpy(&w->args, given, sizeof w->args);
        walk_format(w, is_scan);
        return;
    }
    arguments_from(w->c, i + 1, &w->args);
    walk_format(w, is_scan);
    uint64_t words = (stack_of(&w->args) - (uint64_t)w->c->stack) / 8;
    if (words > w->c->n_stack)
        w->c->n_stack = (uint32_t)words;
}

void rt_library_format(rt_call *c, uint32_t i, uint32_t how)
{
    RT_ASSERT(i < RT_CALL_INTS);
    uint64_t format = c->ints[i];
    bool is_scan = how & RT_FORMAT_SCANS, is_wide = how & RT_FORMAT_WIDE;
    bool is_after = how & RT_FORMAT_AFTER;
    walk w = {.c = c, .is_after = is_after};
    if (format == 0 || (is_after && !is_scan))
        return;
    w.wide = is_wide ? (const wchar_t *)format : NULL;
    w.narrow = is_wide ? NULL : (const char *)format;
    w.left = is_after ? (int64_t)(int)c->results[0] : 0;
    c->is_late |= is_scan;
    if (!is_after)
        rt_library_read(c, format,
                        is_wide ? (wcslen(w.wide) + 1) * sizeof(wchar_t)
                                : strlen(w.narrow) + 1);
    if (!is_positional(&w)) {
        walk_arguments(&w, i, is_scan);
        return;
    }
    c->n_stack = MOST_STACK;
    if (!is_after)
        rt_gap_once(WIRE_GAP_UNWATCHED, c->number, c->name);
}

/* In libc/format.c: what the C library does with a format and its arguments, but for the text that
 * it makes. args is a va_list. */
RT_HIDDEN void rt_libc_formatted(const char *format, const void *args,
                                 const wire_site *at);
void rt_libc_formatted(const char *format, const void *args, const wire_site *at)
{
    rt_call c = {.name = "snprintf", .signature = "P A", .site = (uint64_t)at};
    if (!rt_on())
        return;
    c.number = rt_site_number((uint64_t)at);
    c.ints[0] = (uint64_t)format;
    if (sizeof(va_list) == 8)
        memcpy(&c.ints[1], args, sizeof c.ints[1]);
    else
        c.ints[1] = (uint64_t)args;
    rt_library_format(&c, 0, 0);
}
