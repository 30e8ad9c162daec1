/* SPDX-License-Identifier: Apache-2.0 */
/* Options from tables: parser, help, suggestions. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/text.h"

#define HELP_COLUMN 28
#define MAX_WORD 32u /* letters compared by cli_distance */

/* ---- suggestions ---- */

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;
    return least < c ? least : c;
}

unsigned cli_distance(const char *a, const char *b)
{
    unsigned d[MAX_WORD + 1][MAX_WORD + 1];
    size_t n = strnlen(a, MAX_WORD), m = strnlen(b, MAX_WORD);
    for (unsigned i = 0; i <= n; i++)
        d[i][0] = i;
    for (unsigned j = 0; j <= m; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            unsigned change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, change);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && d[i - 2][j - 2] + 1 < d[i][j])
                d[i][j] = d[i - 2][j - 2] + 1;
        }
    TD_ASSERT(d[n][m] <= (n > m ? n : m));
    return d[n][m];
}

static const char *nearest(const cli_option *table, const char *name)
{
    const char *best = NULL;
    unsigned best_distance = 3;
    for (const cli_option *o = table; o->name; o++) {
        unsigned distance = cli_distance(o->name, name);
        if (o->text && distance < best_distance) {
            best = o->name;
            best_distance = distance;
        }
    }
    return best;
}

/* ---- values ---- */

static bool number_parse(const char *text, uint64_t *out, const char **end)
{
    if (!isdigit((unsigned char)*text))
        return false;
    char *stop = NULL;
    errno = 0;
    *out = strtoull(text, &stop, 10);
    *end = stop;
    return errno == 0;
}

static td_status number_set(const cli_option *o, const char *value, uint64_t *field,
                            td_diag *diag)
{
    TD_ASSERT(o->least <= o->most);
    const char *end = "";
    if (number_parse(value, field, &end) && !*end && *field >= o->least &&
        *field <= o->most)
        return TD_OK;
    if (o->most >= UINT32_MAX)
        return td_diag_set(diag, TD_E_USAGE,
                           "--%s requires a number of at least %" PRIu64 ", got '%s'",
                           o->name, o->least, value);
    return td_diag_set(diag, TD_E_USAGE,
                       "--%s requires a number from %" PRIu64 " to %" PRIu64 ", got '%s'",
                       o->name, o->least, o->most, value);
}

/* Finds the index of a word of n letters among the option's words; false if it is not one of them. */
static bool word_find(const cli_option *o, const char *text, size_t n, uint64_t *index)
{
    TD_ASSERT(*o->arg != '\0'); /* the words */
    const char *word = o->arg;
    for (*index = 0;; ++*index) {
        size_t len = strcspn(word, "|");
        if (n == len && strncmp(word, text, len) == 0)
            return true;
        if (!word[len])
            return false;
        word += len + 1;
    }
}

static td_status choice_set(const cli_option *o, const char *value, uint64_t *field,
                            td_diag *diag)
{
    if (word_find(o, value, strlen(value), field))
        return TD_OK;
    return td_diag_set(diag, TD_E_USAGE, "--%s requires %s, got '%s'", o->name, o->arg,
                       value);
}

static td_status words_add(const cli_option *o, const char *value, uint64_t *field,
                           td_diag *diag)
{
    for (const char *at = value;;) {
        size_t len = strcspn(at, ",");
        uint64_t index = 0;
        if (!word_find(o, at, len, &index))
            return td_diag_set(diag, TD_E_USAGE, "--%s requires some of %s, got '%.*s'",
                               o->name, o->arg, (int)len, at);
        TD_ASSERT(index < 64);
        *field |= UINT64_C(1) << index;
        if (!at[len])
            return TD_OK;
        at += len + 1;
    }
}

static td_status list_add(const cli_option *o, const char *value, cli_list *list,
                          td_diag *diag)
{
    if (list->n == CLI_LIST_MAX)
        return td_diag_set(diag, TD_E_USAGE, "--%s can be given at most %d times",
                           o->name, CLI_LIST_MAX);
    list->at[list->n++] = value;
    return TD_OK;
}

static bool takes_value(const cli_option *o)
{
    return o->type != CLI_FLAG && *o->arg;
}

static td_status value_set(const cli_option *o, const char *value, void *fields,
                           td_diag *diag)
{
    void *field = (char *)fields + o->offset;
    TD_ASSERT((value != NULL) == takes_value(o) || o->type == CLI_WORD);
    switch (o->type) {
    case CLI_FLAG:
        *(bool *)field = true;
        return TD_OK;
    case CLI_NUMBER:
        return number_set(o, value, field, diag);
    case CLI_DURATION:
        if (td_duration_parse(value, field))
            return TD_OK;
        return td_diag_set(diag, TD_E_USAGE,
                           "--%s requires a duration like 500ms, 10s or 5m, got '%s'",
                           o->name, value);
    case CLI_SIZE:
        if (td_size_parse(value, field) && *(uint64_t *)field > 0)
            return TD_OK;
        return td_diag_set(diag, TD_E_USAGE,
                           "--%s requires a size like 500M or 4G, got '%s'", o->name,
                           value);
    case CLI_TEXT:
        *(const char **)field = value;
        return TD_OK;
    case CLI_WORD:
        *(uint64_t *)field = o->preset;
        return value ? choice_set(o, value, field, diag) : TD_OK;
    case CLI_CHOICE:
        return choice_set(o, value, field, diag);
    case CLI_WORDS:
        return words_add(o, value, field, diag);
    case CLI_LIST:
        return list_add(o, value, field, diag);
    case CLI_LATER:
        break;
    }
    return td_diag_set(diag, TD_E_USAGE, "--%s is not available in this version",
                       o->name);
}

static void presets(const cli_option *table, void *fields)
{
    for (const cli_option *o = table; o->name; o++) {
        void *field = (char *)fields + o->offset;
        switch (o->type) {
        case CLI_NUMBER:
        case CLI_DURATION:
        case CLI_SIZE:
        case CLI_CHOICE:
        case CLI_WORD:
        case CLI_WORDS:
            *(uint64_t *)field = o->preset;
            break;
        case CLI_FLAG:
            TD_ASSERT(o->preset == 0);
            *(bool *)field = false;
            break;
        case CLI_TEXT:
            *(const char **)field = NULL;
            break;
        case CLI_LIST:
            *(cli_list *)field = (cli_list){0};
            break;
        case CLI_LATER:
            break;
        }
    }
}

/* ---- back to words ---- */

static void number_print(const cli_option *o, uint64_t value, td_text *out)
{
    const char *ms = o->type == CLI_DURATION ? "ms" : "";
    if (value != o->preset)
        td_text_add(out, "--%s=%" PRIu64 "%s\n", o->name, value, ms);
}

static void choice_print(const cli_option *o, uint64_t index, td_text *out)
{
    const char *word = o->arg;
    if (index == o->preset)
        return;
    for (; index > 0; index--) {
        word += strcspn(word, "|");
        TD_ASSERT(*word == '|');
        word++;
    }
    td_text_add(out, "--%s=%.*s\n", o->name, (int)strcspn(word, "|"), word);
}

static void words_print(const cli_option *o, uint64_t bits, td_text *out)
{
    for (const char *word = o->arg; bits != 0; bits >>= 1) {
        size_t n = strcspn(word, "|");
        TD_ASSERT(n > 0); /* no bit beyond the words */
        if (bits & 1)
            td_text_add(out, "--%s=%.*s\n", o->name, (int)n, word);
        word += n + (word[n] == '|');
    }
}

static void list_print(const cli_option *o, const cli_list *list, td_text *out)
{
    TD_ASSERT(list->n <= CLI_LIST_MAX);
    for (uint32_t i = 0; i < list->n; i++)
        td_text_add(out, "--%s=%s\n", o->name, list->at[i]);
}

static void option_print(const cli_option *o, const void *field, td_text *out)
{
    switch (o->type) {
    case CLI_FLAG:
        if (*(const bool *)field)
            td_text_add(out, "--%s\n", o->name);
        break;
    case CLI_NUMBER:
    case CLI_DURATION:
    case CLI_SIZE:
        number_print(o, *(const uint64_t *)field, out);
        break;
    case CLI_TEXT:
        if (*(const char *const *)field)
            td_text_add(out, "--%s=%s\n", o->name, *(const char *const *)field);
        break;
    case CLI_CHOICE:
    case CLI_WORD:
        choice_print(o, *(const uint64_t *)field, out);
        break;
    case CLI_WORDS:
        words_print(o, *(const uint64_t *)field, out);
        break;
    case CLI_LIST:
        list_print(o, field, out);
        break;
    case CLI_LATER:
        break;
    }
}

static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

void cli_options_print(const cli_option *table, const void *fields,
                       const char *const *without, td_text *out)
{
    td_text_add(out, "%s", "");
    for (const cli_option *o = table; o->name; o++)
        if (!is_among(without, o->name))
            option_print(o, (const char *)fields + o->offset, out);
}

/* ---- words ---- */

/* State of the parser. */
typedef struct parser {
    const cli_option *table;
    cli_words *words;
    int at; /* the word being read */
    void *fields;
    td_diag *diag;
} parser;

static td_status unknown(parser *p, const char *name, size_t len)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)len, name);
    const char *near = nearest(p->table, word);
    if (near)
        return td_diag_set(p->diag, TD_E_USAGE,
                           "unknown option '--%s'; did you mean '--%s'?", word, near);
    return td_diag_set(p->diag, TD_E_USAGE, "unknown option '--%s'", word);
}

/* Takes the next argument as the value of an option that requires one. */
static td_status next_value(parser *p, const cli_option *o, const char **value)
{
    if (p->at + 1 >= p->words->n)
        return td_diag_set(p->diag, TD_E_USAGE, "--%s requires a value: --%s=%s", o->name,
                           o->name, o->arg);
    *value = p->words->at[++p->at];
    return TD_OK;
}

static td_status long_option(parser *p, const char *word)
{
    size_t len = strcspn(word, "=");
    const char *value = word[len] ? word + len + 1 : NULL;
    const cli_option *o = p->table;
    while (o->name && (strlen(o->name) != len || strncmp(o->name, word, len) != 0))
        o++;
    if (!o->name)
        return unknown(p, word, len);
    if (value && !takes_value(o))
        return td_diag_set(p->diag, TD_E_USAGE, "--%s does not take a value", o->name);
    if (!value && takes_value(o) && o->type != CLI_WORD)
        TD_TRY(next_value(p, o, &value));
    return value_set(o, value, p->fields, p->diag);
}

/* -k, -j4, -j 4, -kq */
static td_status short_options(parser *p, const char *letters)
{
    for (; *letters; letters++) {
        const cli_option *o = p->table;
        while (o->name && o->letter != *letters)
            o++;
        if (!o->name)
            return td_diag_set(p->diag, TD_E_USAGE, "unknown option '-%c'", *letters);
        if (!takes_value(o)) {
            TD_TRY(value_set(o, NULL, p->fields, p->diag));
            continue;
        }
        const char *value = letters + 1;
        if (!*value)
            TD_TRY(next_value(p, o, &value));
        return value_set(o, value, p->fields, p->diag);
    }
    return TD_OK;
}

static cli_help help_of(const char *word)
{
    if (strcmp(word, "--help-all") == 0)
        return CLI_HELP_ALL;
    bool is_help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    return is_help ? CLI_HELP_OFTEN : CLI_HELP_NONE;
}

/* Moves the words from p->at on behind the n_kept ones. */
static void keep_rest(parser *p, int n_kept)
{
    TD_ASSERT(n_kept <= p->at && p->at <= p->words->n);
    while (p->at < p->words->n)
        p->words->at[n_kept++] = p->words->at[p->at++];
    p->words->n = n_kept;
    p->words->at[n_kept] = NULL;
}

td_status cli_options_parse(const cli_option *table, cli_order order, cli_words *words,
                            void *fields, cli_help *help, td_diag *diag)
{
    parser p = {.table = table, .words = words, .fields = fields, .diag = diag};
    int n_kept = 0;
    presets(table, fields);
    for (; p.at < words->n; p.at++) {
        char *word = words->at[p.at];
        *help = help_of(word);
        if (*help != CLI_HELP_NONE)
            return TD_OK;
        if (strcmp(word, "--") == 0) {
            p.at++;
            break;
        }
        if (word[0] == '-' && word[1] == '-') {
            TD_TRY(long_option(&p, word + 2));
        } else if (word[0] == '-' && word[1]) {
            TD_TRY(short_options(&p, word + 1));
        } else if (order == CLI_OPTIONS_FIRST) {
            break;
        } else {
            words->at[n_kept++] = word;
        }
    }
    keep_rest(&p, n_kept);
    return TD_OK;
}

/* ---- help ---- */

static bool is_shown(const cli_option *o, const char *const *often)
{
    bool shown = o->text && !often;
    for (; o->text && often && *often; often++)
        shown |= strcmp(o->name, *often) == 0;
    return shown;
}

void cli_options_help(const cli_option *table, const char *const *often, FILE *to)
{
    for (const cli_option *o = table; o->name; o++) {
        if (!is_shown(o, often))
            continue;
        char left[80];
        int n = o->letter ? snprintf(left, sizeof left, "  -%c, --%s", o->letter, o->name)
                          : snprintf(left, sizeof left, "  --%s", o->name);
        TD_ASSERT(n > 0 && (size_t)n < sizeof left);
        if (takes_value(o))
            snprintf(left + n, sizeof left - (size_t)n, "=%s", o->arg);
        if (strlen(left) > HELP_COLUMN)
            fprintf(to, "%s\n%*s  %s\n", left, HELP_COLUMN, "", o->text);
        else
            fprintf(to, "%-*s  %s\n", HELP_COLUMN, left, o->text);
    }
}
