/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that the command line names: arguments of main and bytes of standard input. Their keys
 * depend on nothing but which argument and which byte they are. */
#include "runtime/posix/posix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/memory/accesses.h"
#include "runtime/symbolic/values.h"
#include "wire/sym.h"

#define NUMBER_ROOM 24u /* a number as text */
#define BYTE RT_INPUT_TYPE(8, WIRE_NO_SIGN)

enum origin { FROM_ARGUMENT, FROM_STDIN };

/* As those of a thread, so that neighbours follow from each other; the threads' numbers are
 * hashes, so that they are others. */
static uint64_t key_of(enum origin origin, uint32_t which, uint32_t i)
{
    uint64_t number = (uint64_t)origin << 32 | which;
    uint64_t state = rt_random(&number) + WIRE_INPUT_STEP * (i + 1);
    return rt_random(&state);
}

/* ---- arguments ---- */

static bool is_number(const wire_sym_arg *a)
{
    return a->bits > 0;
}

static uint32_t room_of(const wire_sym_arg *a)
{
    return is_number(a) ? NUMBER_ROOM : a->bytes + 1;
}

/* The value that was given for it, else a fixed one. */
static void note_given(rt_given *g, const char *text)
{
    g->has_text = text[0] != 0;
    g->first = g->has_text ? (uint64_t)strtoull(text, NULL, 0) : 0;
    if (g->has_text && text[0] == '-')
        g->first = (uint64_t)strtoll(text, NULL, 0);
}

/* Arguments with room for what they may become; those that are missing are empty. */
uint64_t rt_given_prepare(uint64_t at)
{
    const wire_shm *shm = rt->shm;
    uint32_t n = shm->n_sym_args <= WIRE_MAX_SYM_ARGS ? shm->n_sym_args : 0;
    int argc = rt->argc;
    for (uint32_t i = 0; i < n; i++)
        if (shm->sym_args[i].index >= (uint32_t)argc)
            argc = (int)shm->sym_args[i].index + 1;
    if (n == 0)
        return at;
    char **list = (char **)at, *text = (char *)(list + argc + 1);
    *text = 0;
    for (int i = 0; i < argc; i++)
        list[i] = i < rt->argc ? rt->argv[i] : text;
    list[argc] = NULL;
    text++;
    for (uint32_t i = 0; i < n; i++) {
        rt_given *g = &rt->given[i];
        g->arg = shm->sym_args[i];
        char *given = list[g->arg.index];
        RT_ASSERT(given);
        note_given(g, given);
        g->text = list[g->arg.index] = text;
        strncpy(text, given, room_of(&g->arg) - 1);
        text += room_of(&g->arg);
    }
    rt->n_given = n;
    rt->argv = list;
    rt->argc = argc;
    return ((uint64_t)text + 15) & ~UINT64_C(15);
}

/* arg1 */
static void name_of(uint32_t index, char out[24])
{
    char digits[12];
    size_t k = 0, n = 3;
    memcpy(out, "arg", 3);
    do
        digits[k++] = (char)('0' + index % 10);
    while ((index /= 10) > 0);
    while (k > 0)
        out[n++] = digits[--k];
    out[n] = 0;
}

static uint64_t extended(uint64_t value, const wire_sym_arg *a)
{
    RT_ASSERT(a->bits >= 1 && a->bits <= 64);
    uint32_t drop = 64 - a->bits;
    return a->is_signed ? (uint64_t)((int64_t)(value << drop) >> drop)
                        : value << drop >> drop;
}

static void print_number(char *out, uint64_t value, bool is_signed)
{
    char digits[24];
    size_t k = 0;
    bool negative = is_signed && (int64_t)value < 0;
    uint64_t rest = negative ? 0 - value : value;
    do
        digits[k++] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    RT_ASSERT(k + negative < NUMBER_ROOM);
    if (negative)
        *out++ = '-';
    while (k > 0)
        *out++ = digits[--k];
    *out = 0;
}

static void make_number(rt_given *g, const char *name)
{
    uint64_t value = g->first;
    if (!g->has_text)
        rt_input_fixed(&value, sizeof value, name);
    value &= g->arg.bits < 64 ? (UINT64_C(1) << g->arg.bits) - 1 : UINT64_MAX;
    uint64_t key = key_of(FROM_ARGUMENT, g->arg.index, 0);
    uint32_t sign = g->arg.is_signed ? WIRE_SIGNED : WIRE_UNSIGNED;
    uint32_t type = RT_INPUT_TYPE(g->arg.bits, sign);
    g->label = rt_input_make(key, type, &value, name, -1, 0);
    g->value = extended(value, &g->arg);
    print_number(g->text, g->value, g->arg.is_signed);
    rt->spell = rt_given_spell;
    rt_sym_put_text((uint64_t)g->text, (uint32_t)strlen(g->text) + 1);
}

static void make_text(rt_given *g, const char *name)
{
    size_t n = g->arg.bytes;
    if (!g->has_text)
        rt_input_fixed(g->text, n, name);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t value = (uint8_t)g->text[i];
        uint64_t key = key_of(FROM_ARGUMENT, g->arg.index, i);
        uint32_t label = rt_input_make(key, BYTE, &value, name, i, 0);
        g->text[i] = (char)value;
        rt_sym_put((uint64_t)&g->text[i], 1, label);
    }
    g->text[n] = 0;
}

void rt_given_start(void)
{
    RT_ASSERT(rt_on() && rt->self->state == RT_RUNNING);
    rt->stdin_at = 0;
    rt->stdin_thread = RT_NONE;
    for (uint32_t i = 0; i < rt->n_given; i++) {
        char name[24];
        name_of(rt->given[i].arg.index, name);
        if (is_number(&rt->given[i].arg))
            make_number(&rt->given[i], name);
        else
            make_text(&rt->given[i], name);
    }
}

/* ---- the digits of a number ---- */

/* A value with its label. */
typedef struct followed {
    uint64_t value;
    uint32_t label, bits;
} followed;

static uint64_t mask_of(uint32_t bits)
{
    RT_ASSERT(bits >= 1 && bits <= 64);
    return UINT64_MAX >> (64 - bits);
}

static followed apply(uint8_t op, followed a, uint64_t by, uint64_t result)
{
    uint32_t what = WIRE_SYM(op, a.bits);
    result &= mask_of(a.bits);
    return (followed){result, rt_sym_apply(what, a.label, a.value, by, result), a.bits};
}

static void decide(uint8_t op, followed a, uint64_t by, bool result)
{
    rt_sym_branch(apply(op, a, by, result).label, result, 0);
}

/* Without its sign, which is decided. */
static followed magnitude_of(const rt_given *g)
{
    followed v = {g->value & mask_of(g->arg.bits), g->label, g->arg.bits};
    bool negative = g->arg.is_signed && (int64_t)g->value < 0;
    if (g->arg.is_signed)
        decide(WIRE_SYM_SLT, v, 0, negative);
    if (!negative)
        return v;
    followed inverted = apply(WIRE_SYM_XOR, v, UINT64_MAX, ~v.value);
    return apply(WIRE_SYM_ADD, inverted, 1, 0 - v.value);
}

/* How many digits there are is decided; each is an expression of the number. */
static void spell(const rt_given *g)
{
    followed v = magnitude_of(g);
    uint32_t n = (uint32_t)strlen(g->text), first = g->text[0] == '-';
    uint64_t at = (uint64_t)g->text, power = 1;
    rt_sym_put(at, 1, 0);
    rt_sym_put(at + n, 1, 0);
    for (uint32_t i = n; i-- > first;) {
        followed rest = apply(WIRE_SYM_UDIV, v, power, v.value / power);
        followed digit = apply(WIRE_SYM_UREM, rest, 10, rest.value % 10);
        followed letter = apply(WIRE_SYM_ADD, digit, '0', digit.value + '0');
        rt_sym_put(at + i, 1, rt_sym_extended(letter.label, 8));
        bool may_end = power <= mask_of(v.bits) / 10;
        if (may_end)
            decide(WIRE_SYM_ULT, rest, 10, i == first);
        power *= 10;
    }
}

void rt_given_spell(uint64_t p, uint64_t size)
{
    for (uint32_t i = 0; i < rt->n_given; i++) {
        const rt_given *g = &rt->given[i];
        uint64_t at = (uint64_t)g->text;
        if (is_number(&g->arg) && p < at + NUMBER_ROOM && at < p + size)
            spell(g);
    }
}

/* Asked by strtol and its family. */
RT_HIDDEN bool rt_libc_number(const char *s, int base, uint64_t *value, bool *is_signed);
bool rt_libc_number(const char *s, int base, uint64_t *value, bool *is_signed)
{
    if (!rt_on() || (base != 10 && base != 0))
        return false;
    for (uint32_t i = 0; i < rt->n_given; i++) {
        rt_given *g = &rt->given[i];
        char text[NUMBER_ROOM];
        if (s != g->text || !is_number(&g->arg))
            continue;
        print_number(text, g->value, g->arg.is_signed);
        if (strcmp(text, s) != 0) /* the program has changed it */
            return false;
        *value = g->value;
        *is_signed = g->arg.is_signed;
        rt_sym_put((uint64_t)value, sizeof *value,
                   rt_sym_resized(g->label, g->value, g->arg.is_signed));
        return true;
    }
    return false;
}

/* ---- standard input ---- */

RT_HIDDEN bool rt_stdin_given(void);
bool rt_stdin_given(void)
{
    return rt_on() && rt->shm->sym_stdin > 0;
}

void rt_stdin_passed(int fd, const char *function, uint32_t site)
{
    if (fd == 0 && rt_stdin_given())
        rt_gap_once(WIRE_GAP_CONCRETE, site, function);
}

void rt_stdin_opened(const char *function, uint64_t path, uint32_t site)
{
    static const char *const opening[] = {"open", "fopen", "freopen", "creat"};
    static const char *const names[] = {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
    bool opens = false, is_stdin = false;
    for (size_t i = 0; i < sizeof opening / sizeof opening[0]; i++)
        opens |= strcmp(function, opening[i]) == 0;
    if (!opens || path == 0 || !rt_stdin_given())
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        is_stdin |= strcmp((const char *)path, names[i]) == 0;
    if (is_stdin)
        rt_stdin_passed(0, function, site);
}

/* Before a call of a function that reads standard input and is not ours. */
RT_EXPORT void __treadle_sym_stdin(uint64_t stream, const char *name, const wire_site *s)
{
    if (rt_on() && (stream == 0 || stream == (uint64_t)stdin))
        rt_stdin_passed(0, name, rt_site_number((uint64_t)s));
}

static void note_thread(uint32_t site)
{
    if (rt->stdin_thread != RT_NONE && rt->stdin_thread != rt->self->id)
        rt_gap(WIRE_GAP_SYMBOLIC, site,
               "standard input is read by several threads: their order is not explored");
    rt->stdin_thread = rt->self->id;
}

RT_HIDDEN size_t rt_stdin_take(void *p, size_t n, const wire_site *at);
size_t rt_stdin_take(void *p, size_t n, const wire_site *at)
{
    uint32_t left = rt->shm->sym_stdin - rt->stdin_at;
    uint32_t site = rt_site_number((uint64_t)at);
    n = n < left ? n : left;
    note_thread(site);
    if (n > 0)
        rt_access((uint64_t)p, n, true, site);
    for (size_t i = 0; i < n; i++, rt->stdin_at++) {
        uint64_t value = 0, key = key_of(FROM_STDIN, 0, rt->stdin_at);
        rt_input_fixed(&value, 1, "stdin");
        uint32_t label = rt_input_make(key, BYTE, &value, "stdin", rt->stdin_at, site);
        ((uint8_t *)p)[i] = (uint8_t)value;
        rt_sym_put((uint64_t)p + i, 1, label);
    }
    return n;
}

RT_HIDDEN void rt_thunk_file(const char *name, uint64_t first);
RT_HIDDEN void rt_stdin_other(int fd, const wire_site *at);
void rt_stdin_other(int fd, const wire_site *at)
{
    PLAN_CTL->call_site = (uint64_t)at;
    rt_thunk_file("read", (uint64_t)fd);
    PLAN_CTL->call_site = 0;
}
