/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of wire/library.h: finding them, and the thunks that calls of these functions go through. */
#include "instrument/instrument_int.h"

#include <stdio.h>
#include <string.h>

#include "wire/api.h"
#include "wire/library.h"

#define X(name, signature) {#name, signature, INS_ROW_WATCHED},
static const ins_row watched[] = {WIRE_LIBRARY(X)};
#undef X
#define X(name, signature) {#name, signature, INS_ROW_TOLD},
static const ins_row recorded_by_runtime[] = {WIRE_LIBRARY_TOLD(X)};
#undef X
#define X(name) #name,
static const char *const values[] = {WIRE_VALUES(X)};
static const char *const values_math[] = {WIRE_VALUES_MATH(X)};
#undef X

#define N_OF(list) (sizeof(list) / sizeof((list)[0]))

/* Words for values, and nothing else. */
static bool is_value_row(const char *signature)
{
    return signature[strspn(signature, "vf ")] == 0;
}

/* The length of the name without the letters of another type of numbers. */
static size_t stem_length(const char *name)
{
    static const char *const types[] = {"f32x", "f64x", "f128", "f32", "f64", "f", "l"};
    size_t length = strlen(name);
    for (size_t i = 0; i < N_OF(types); i++) {
        size_t n = strlen(types[i]);
        if (length > n && strcmp(name + length - n, types[i]) == 0)
            return length - n;
    }
    return length;
}

static bool is_value(const char *name)
{
    size_t stem = stem_length(name);
    for (size_t i = 0; i < N_OF(values); i++)
        if (strcmp(values[i], name) == 0)
            return true;
    for (size_t i = 0; i < N_OF(values_math); i++)
        if (strcmp(values_math[i], name) == 0 ||
            (strncmp(values_math[i], name, stem) == 0 && values_math[i][stem] == 0))
            return true;
    return false;
}

static bool find_exactly(const char *name, ins_row *out)
{
    for (size_t i = 0; i < N_OF(watched); i++)
        if (strcmp(watched[i].name, name) == 0) {
            *out = watched[i];
            if (is_value_row(out->signature))
                out->kind = INS_ROW_VALUES;
            else if (strchr(out->signature, 'x'))
                out->kind = INS_ROW_UNWATCHED;
            return true;
        }
    for (size_t i = 0; i < N_OF(recorded_by_runtime); i++)
        if (strcmp(recorded_by_runtime[i].name, name) == 0) {
            *out = recorded_by_runtime[i];
            return true;
        }
    return false;
}

/* What newer C libraries, or those with large files, call the same function. */
static bool find_alias(const char *symbol, ins_row *out)
{
    static const char *const prefixes[] = {"__isoc99_", "__isoc23_", "__"};
    char name[256];
    for (size_t i = 0; i < N_OF(prefixes); i++) {
        size_t n = strlen(prefixes[i]);
        if (strncmp(symbol, prefixes[i], n) == 0 && find_exactly(symbol + n, out))
            return true;
    }
    size_t length = strlen(symbol);
    if (length < 3 || length >= sizeof name || strcmp(symbol + length - 2, "64") != 0)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length - 2, symbol);
    return find_exactly(name, out);
}

bool ins_row_find(const char *symbol, ins_row *out)
{
    if (find_exactly(symbol, out))
        return true;
    *out = (ins_row){"", "", INS_ROW_VALUES};
    return is_value(symbol) || find_alias(symbol, out);
}

bool ins_row_is(const char *symbol, enum ins_row_kind kind)
{
    ins_row row;
    return ins_row_find(symbol, &row) && row.kind == kind;
}

bool ins_row_has_thunk(const char *symbol)
{
    ins_row row;
    return ins_row_find(symbol, &row) &&
           (row.kind == INS_ROW_WATCHED || row.kind == INS_ROW_UNWATCHED);
}

/* ---- thunks ---- */

/* Loads the row and the function, and goes to __treadle_library of the runtime. */
static void add_code(const ins_module *m, const char *symbol, const char *real,
                     td_text *text)
{
    if (strncmp(LLVMGetTarget(m->module), "aarch64", 7) == 0)
        td_text_add(text,
                    "adrp x17, .Ltreadle_row_%s\nadd x17, x17, :lo12:.Ltreadle_row_%s\n"
                    "adrp x16, :got:%s\nldr x16, [x16, :got_lo12:%s]\n"
                    "adrp x9, :got:__treadle_library\n"
                    "ldr x9, [x9, :got_lo12:__treadle_library]\nbr x9\n",
                    symbol, symbol, real, real);
    else
        td_text_add(text,
                    "lea .Ltreadle_row_%s(%%rip), %%r11\nmov %s@GOTPCREL(%%rip), %%r10\n"
                    "jmp *__treadle_library@GOTPCREL(%%rip)\n",
                    symbol, real);
}

/* Puts the row before the thunk, so that the runtime finds the thunk's address from it. */
static void add_thunk(ins_module *m, const char *symbol)
{
    ins_row row;
    char own[256], real[288];
    td_text text = {0};
    if (!ins_row_find(symbol, &row))
        return;
    bool ours = ins_api_is_taken(symbol, own, sizeof own);
    snprintf(real, sizeof real, "%s%s", ours ? WIRE_PREFIX : "", ours ? own : symbol);
    td_text_add(
        &text,
        ".pushsection .text." WIRE_TOUCH_PREFIX "%s,\"axG\",%%progbits," WIRE_TOUCH_PREFIX
        "%s,comdat\n.balign 16\n.Ltreadle_row_%s:\n.asciz \"%s\"\n.asciz \"%s%s\"\n"
        ".balign 16\n.weak " WIRE_TOUCH_PREFIX "%s\n.type " WIRE_TOUCH_PREFIX
        "%s,%%function\n" WIRE_TOUCH_PREFIX "%s:\n",
        symbol, symbol, symbol, row.name, ours ? "!" : "", row.signature, symbol, symbol,
        symbol);
    add_code(m, symbol, real, &text);
    td_text_add(&text, ".popsection\n");
    LLVMAppendModuleInlineAsm(m->module, text.at, strlen(text.at));
    td_text_fini(&text);
}

void ins_rows_emit(ins_module *m)
{
    static const char prefix[] = WIRE_TOUCH_PREFIX;
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        size_t length = 0;
        const char *name = LLVMGetValueName2(f, &length);
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) &&
            strncmp(name, prefix, sizeof prefix - 1) == 0)
            add_thunk(m, name + sizeof prefix - 1);
    }
}
