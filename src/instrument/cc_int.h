/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/cc_int.h - one run of treadle cc, for the files that take part in it. */
#pragma once

#include "base/vec.h"
#include "instrument/args.h"
#include "instrument/instrument.h"

TD_VEC(const char *, ins_word_vec);

typedef struct ins_driver {
    ins_command command;
    int argc; /* as given */
    char **argv;
    const char *clang;
    char folder[64];         /* for temporary objects; "" while there is none */
    ins_text_vec made;       /* files in it */
    ins_text_vec texts;      /* storage of words we make up */
    ins_word_vec link_words; /* replacements of sources: the object of each, in order */
    ins_word_vec instead;    /* of a link, by argument: the replacement, or NULL */
} ins_driver;

/* --- cc_process.c --- */

/* Keeps a text until the end and returns it. */
const char *ins_driver_keep(ins_driver *d, td_text *text);
/* Returns the name of a new file in the folder; NULL: there is none, and the error was printed. */
const char *ins_driver_file(ins_driver *d, const char *stem, const char *suffix);
/* Runs a command, the first word of which is its name; its exit code. */
int ins_driver_run(ins_driver *d, ins_word_vec *words);
/* The same for a link: what is in the way of treadle's runtime is told in a sentence. */
int ins_driver_link(ins_driver *d, ins_word_vec *words);
/* The process becomes this command. */
_Noreturn void ins_driver_become(const char *path, char **argv);
/* Turns bitcode into an object under the same name. */
int ins_driver_object(const char *object, const ins_opts *opts);
void ins_complain(const td_diag *diag);

/* --- kept_command.c --- */

/* Returns assembler text of a section that has the command, which makes the object, or links the program; NULL: it is not kept.
 * Not kept are compilations of several sources, whose objects are named by the compiler. */
const char *ins_build_record(ins_driver *d, const char *object);

/* --- link_errors.c --- */

/* Prints what a linker printed. */
void ins_link_errors_print(const char *text);

/* --- light_objects.c --- */

/* If the program follows values, light objects and archives of the link are made again: fills
 * instead. Returns an exit code. */
int ins_light_replace(ins_driver *d);
