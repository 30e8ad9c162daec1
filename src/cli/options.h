/* SPDX-License-Identifier: Apache-2.0 */
/* cli/options.h - options from tables.
 *
 * Purpose     One X-macro row per option gives the field, the parser and the help:
 *
 *                 X(field, name, letter, TYPE, least, most, preset, ARG, text)
 *
 * Words       --name=ARG, --name ARG, -lARG, -l ARG; "--" ends the options. For a CHOICE,
 *             ARG lists the words, as a|b|c, and the field is the index of the one given. For
 *             WORDS several may be given, with commas or one after the other; the field has a bit
 *             for each.
 *             Options without text are not in the help. LATER: not in this version.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "base/text.h"

typedef enum cli_type {
    CLI_FLAG,     /* bool */
    CLI_NUMBER,   /* uint64_t */
    CLI_DURATION, /* uint64_t, milliseconds */
    CLI_SIZE,     /* uint64_t, bytes */
    CLI_TEXT,     /* const char * */
    CLI_CHOICE,   /* uint64_t */
    CLI_WORD,     /* uint64_t, a CHOICE; --name alone is its preset */
    CLI_WORDS,    /* uint64_t, bits; at most 64 words */
    CLI_LIST,     /* cli_list: the option may be given several times */
    CLI_LATER,    /* char, not written */
} cli_type;

#define CLI_LIST_MAX 16

typedef struct cli_list {
    const char *at[CLI_LIST_MAX];
    uint32_t n;
} cli_list;

#define CLI_FIELD_FLAG bool
#define CLI_FIELD_NUMBER uint64_t
#define CLI_FIELD_DURATION uint64_t
#define CLI_FIELD_SIZE uint64_t
#define CLI_FIELD_TEXT const char *
#define CLI_FIELD_CHOICE uint64_t
#define CLI_FIELD_WORD uint64_t
#define CLI_FIELD_WORDS uint64_t
#define CLI_FIELD_LIST cli_list
#define CLI_FIELD_LATER char

typedef struct cli_option {
    const char *name; /* without the dashes; NULL ends a table */
    char letter;      /* 0: none */
    cli_type type;
    size_t offset; /* offset of the field */
    uint64_t least, most, preset;
    const char *arg;  /* for the help; "" for a flag */
    const char *text; /* NULL: hidden */
} cli_option;

/* The struct and the table of a command; OPTIONS is the X-macro, fields its struct. */
#define CLI_DECLARE_FIELD(field, name, letter, TYPE, least, most, preset, arg, text)     \
    CLI_FIELD_##TYPE field;
#define CLI_TABLE_ROW(fields, field, name, letter, TYPE, least, most, preset, arg, text) \
    {name, letter, CLI_##TYPE, offsetof(fields, field), least, most, preset, arg, text},

/* Whether options are recognised after the first argument that is not one. */
typedef enum cli_order { CLI_OPTIONS_ANYWHERE, CLI_OPTIONS_FIRST } cli_order;

/* Before parsing: the arguments after the command, ended by NULL; afterwards: the remaining ones. */
typedef struct cli_words {
    int n;
    char **at;
} cli_words;

/* The help requested by --help, -h or --help-all. */
typedef enum cli_help { CLI_HELP_NONE, CLI_HELP_OFTEN, CLI_HELP_ALL } cli_help;

/* Sets all fields to their presets, then parses. *help is set at one of these words, and
 * the rest is then not read. */
TD_MUST_USE td_status cli_options_parse(const cli_option *table, cli_order order,
                                        cli_words *words, void *fields, cli_help *help,
                                        td_diag *diag);
/* Prints the options that differ from their defaults, one per line, as arguments; except those in `without`,
 * which NULL ends. */
void cli_options_print(const cli_option *table, const void *fields,
                       const char *const *without, td_text *out);
/* Prints the help of the options in `often`, which NULL ends; NULL: of all options. */
void cli_options_help(const cli_option *table, const char *const *often, FILE *to);

/* Edits between two words: letters added, removed, replaced, or two swapped. */
unsigned cli_distance(const char *a, const char *b);
