/* SPDX-License-Identifier: Apache-2.0 */
/* Which arguments and bytes of standard input are inputs: read from options, written for recordings. */
#include "run/symbolic_inputs.h"

#include <stdbool.h>
#include <string.h>

#define MAX_INDEX 255u

static const struct type {
    const char *name;
    uint32_t bits;
    bool is_signed;
} types[] = {{"i8", 8, true},    {"i16", 16, true},  {"i32", 32, true},
             {"i64", 64, true},  {"u8", 8, false},   {"u16", 16, false},
             {"u32", 32, false}, {"u64", 64, false}, {"int", 32, true}};

#define N_TYPES (sizeof types / sizeof types[0])

/* Digits up to most; *end behind them. False: none, 0 or too large. */
static bool read_number(const char *text, uint32_t most, uint32_t *out, const char **end)
{
    uint32_t n = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        n = n * 10 + (uint32_t)(*text - '0');
        if (n > most)
            return false;
    }
    *out = n;
    *end = text;
    return n > 0;
}

static bool read_type(const char *text, wire_sym_arg *a)
{
    const char *end = "";
    if (strncmp(text, "str:", 4) == 0)
        return read_number(text + 4, WIRE_MAX_SYM_BYTES, &a->bytes, &end) && *end == 0;
    for (size_t i = 0; i < N_TYPES; i++)
        if (strcmp(text, types[i].name) == 0) {
            a->bits = types[i].bits;
            a->is_signed = types[i].is_signed;
            return true;
        }
    return false;
}

/* As long as the argument that was given. */
static td_status take_length(wire_sym_arg *a, char *const *argv, td_diag *diag)
{
    uint32_t n = 0;
    while (argv[n] && n < a->index)
        n++;
    size_t length = argv[n] ? strlen(argv[n]) : 0;
    if (length == 0 || length > WIRE_MAX_SYM_BYTES)
        return td_diag_set(
            diag, TD_E_USAGE,
            "--sym-arg=%u without a type requires an argument %u to take its "
            "length from; or use %u:str:N or %u:int",
            a->index, a->index, a->index, a->index);
    a->bytes = (uint32_t)length;
    return TD_OK;
}

td_status run_given_add(run_given *g, const char *text, char *const *argv, td_diag *diag)
{
    wire_sym_arg a = {0};
    const char *end = "";
    if (!read_number(text, MAX_INDEX, &a.index, &end) || (*end != 0 && *end != ':') ||
        (*end == ':' && !read_type(end + 1, &a)))
        return td_diag_set(
            diag, TD_E_USAGE,
            "--sym-arg requires I[:TYPE], for example 1:int or 2:str:8, got "
            "'%s' (types: i8..i64, u8..u64, int, str:N)",
            text);
    if (*end == 0)
        TD_TRY(take_length(&a, argv, diag));
    for (uint32_t i = 0; i < g->n_args; i++)
        if (g->args[i].index == a.index)
            return td_diag_set(diag, TD_E_USAGE, "argument %u is named twice", a.index);
    if (g->n_args == WIRE_MAX_SYM_ARGS)
        return td_diag_set(diag, TD_E_USAGE, "at most %u arguments can be symbolic",
                           WIRE_MAX_SYM_ARGS);
    g->args[g->n_args++] = a;
    return TD_OK;
}

void run_given_print(const wire_sym_arg *a, td_text *out)
{
    if (a->bits == 0)
        td_text_add(out, "%u:str:%u", a->index, a->bytes);
    else
        td_text_add(out, "%u:%c%u", a->index, a->is_signed ? 'i' : 'u', a->bits);
}
