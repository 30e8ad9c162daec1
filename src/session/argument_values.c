/* SPDX-License-Identifier: Apache-2.0 */
/* The values that the command line has for symbolic arguments, by their names: "arg1", "arg1[0]". */
#include "session/session_int.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/assert.h"

/* Finds the argument that an input of this name belongs to, and its byte; NULL if there is none. */
static const wire_sym_arg *argument_of(const ses_words *w, const char *name,
                                       uint32_t *byte)
{
    char *end = NULL;
    *byte = 0;
    if (strncmp(name, "arg", 3) != 0 || !isdigit((unsigned char)name[3]))
        return NULL;
    unsigned long index = strtoul(name + 3, &end, 10);
    if (*end == '[')
        *byte = (uint32_t)strtoul(end + 1, &end, 10);
    for (uint32_t i = 0; i < w->given->n_args; i++)
        if (w->given->args[i].index == index)
            return &w->given->args[i];
    return NULL;
}

static const char *word_at(const ses_words *w, uint32_t index)
{
    for (uint32_t i = 0; w->argv[i]; i++)
        if (i == index)
            return w->argv[i];
    return NULL;
}

const char *ses_words_text(const ses_words *w, const char *name)
{
    uint32_t byte = 0;
    const wire_sym_arg *a = argument_of(w, name, &byte);
    const char *text = a ? word_at(w, a->index) : NULL;
    return text && *text ? text : NULL;
}

bool ses_words_value(const ses_words *w, const char *name, uint64_t *out)
{
    uint32_t byte = 0;
    const wire_sym_arg *a = argument_of(w, name, &byte);
    const char *text = ses_words_text(w, name);
    if (!text)
        return false;
    TD_ASSERT(a); /* the text is that of an argument */
    if (a->bits == 0)
        *out = byte < strlen(text) ? (unsigned char)text[byte] : 0;
    else
        *out =
            text[0] == '-' ? (uint64_t)strtoll(text, NULL, 0) : strtoull(text, NULL, 0);
    if (a->bits > 0 && a->bits < 64)
        *out &= (UINT64_C(1) << a->bits) - 1;
    return true;
}

/* ---- the arguments of a run ---- */

/* Inputs in the order of the run: those of one argument follow each other. */
static void print_argument(const ses_words *w, const wire_sym_arg *a,
                           const rep_input_vec *inputs, td_text *out)
{
    for (size_t i = 0; i < inputs->len; i++) {
        const rep_input *in = &inputs->at[i];
        uint32_t byte = 0;
        if (argument_of(w, in->name, &byte) != a)
            continue;
        TD_ASSERT(in->bits > 0 && in->bits <= 64);
        unsigned unused = 64u - in->bits;
        if (a->bits == 0 && in->value == 0)
            return;
        if (a->bits == 0)
            td_text_add(out, "%c", (char)in->value);
        else if (a->is_signed)
            td_text_add(out, "%lld",
                        (long long)((int64_t)(in->value << unused) >> unused));
        else
            td_text_add(out, "%llu", (unsigned long long)in->value);
    }
}

char **ses_words_args(const ses_words *w, const rep_input_vec *inputs)
{
    size_t n = 0;
    while (w->argv[n])
        n++;
    char **args = td_alloc((n + 1) * sizeof *args);
    for (size_t i = 1; i < n; i++) {
        const wire_sym_arg *a = NULL;
        for (uint32_t k = 0; k < w->given->n_args; k++)
            if (w->given->args[k].index == i)
                a = &w->given->args[k];
        td_text text = {0};
        if (a)
            print_argument(w, a, inputs, &text);
        args[i - 1] = td_strdup(!a ? w->argv[i] : text.len > 0 ? text.at : "");
        td_text_fini(&text);
    }
    return args;
}

void ses_command_text(const ses *s, td_text *out)
{
    for (size_t i = 0; s->opts->argv[i]; i++)
        td_text_add(out, "%s%s", i ? " " : "", s->opts->argv[i]);
}
