/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/args.h - parses a compiler command line.
 *
 * Purpose     Sorts the arguments of cc by what treadle cc does with them. It knows which
 *             options take a value and which concern it; the rest is clang's.
 * Words       source: an input that treadle cc instruments.  native: an input that clang
 *             alone handles (assembler, and the tests of a configure script).
 * Ownership   Texts belong to the caller's argv or to the command.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "base/vec.h"
#include "instrument/instrument.h"

/* What the command ends with. */
typedef enum ins_stage {
    INS_STAGE_PASS,    /* clang does it all: -E, -S, --version, foreign targets... */
    INS_STAGE_COMPILE, /* objects */
    INS_STAGE_LINK     /* a program or library */
} ins_stage;

typedef enum ins_role {
    INS_ROLE_OPTION,    /* for every step */
    INS_ROLE_SOURCE,    /* C or C++: instrumented */
    INS_ROLE_NATIVE,    /* to be compiled, not by us */
    INS_ROLE_OBJECT,    /* for the linker */
    INS_ROLE_LANGUAGE,  /* -x */
    INS_ROLE_OUTPUT,    /* -o */
    INS_ROLE_STAGE,     /* -c */
    INS_ROLE_ASSEMBLER, /* -Wa: for native inputs only */
    INS_ROLE_DROPPED    /* contradicts what we do: -flto */
} ins_role;

typedef struct ins_arg {
    ins_role role;
    const char *text;
    const char *value;    /* the argument after it if it takes one, else NULL */
    const char *language; /* language of an input, from -x, or NULL */
} ins_arg;

TD_VEC(ins_arg, ins_arg_vec);
TD_VEC(char *, ins_text_vec);

/* What kind of output a link makes. */
typedef enum ins_link {
    INS_LINK_PROGRAM,
    INS_LINK_SHARED,
    INS_LINK_RELOCATABLE
} ins_link;

typedef enum ins_debug { INS_DEBUG_NONE, INS_DEBUG_LINES, INS_DEBUG_FULL } ins_debug;

typedef struct ins_command {
    ins_stage stage;
    ins_arg_vec args;
    const char *output; /* argument of -o, or NULL */
    size_t n_sources, n_natives, n_objects;
    ins_link link;
    ins_debug debug;
    unsigned level; /* level of -O */
    bool for_size;
    bool function_sections, data_sections;
    bool is_cxx;       /* --driver-mode=g++ */
    bool is_libcxx;    /* -stdlib=libc++ */
    bool is_static;    /* -static, -static-pie */
    bool writes_deps;  /* -MD, -MMD */
    bool names_deps;   /* -MF */
    bool names_target; /* -MT, -MQ */
    bool is_fuzzed;    /* -fsanitize=fuzzer: the program has no main */
    bool plain_linker; /* a linker without --export-dynamic-symbol */
    ins_volatile volatiles;
    /* --inputs: values are followed, also where another object makes the inputs. */
    bool inputs;
    const char *wrong; /* an option of treadle cc with an unknown value, or NULL */
    ins_text_vec owned;
} ins_command;

/* Sorts argv[1..argc). Response files are read. */
void ins_command_init(ins_command *c, int argc, char **argv);
void ins_command_fini(ins_command *c);

/* True if the argument is for treadle cc and unknown to clang. */
bool ins_is_ours(const char *arg);

/* The name that cc -c gives the object of an input without -o: "dir/a.c" is "a.o". */
void ins_object_name(const char *input, const char *suffix, td_text *out);
