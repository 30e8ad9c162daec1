/* SPDX-License-Identifier: Apache-2.0 */
/* check/check_int.h - what the files of check/ share. */
#pragma once

#include "base/text.h"
#include "base/vec.h"
#include "check/check.h"
#include "store/store.h"

/* A program that the project runs as a test. */
typedef struct chk_test {
    char *name;
    char *program;     /* absolute */
    sto_text_vec args; /* without the program */
    char *dir;         /* where it runs; NULL: anywhere */
    sto_text_vec env;  /* NAME=VALUE, besides ours */
} chk_test;

TD_VEC(chk_test, chk_test_vec);

typedef struct chk {
    const chk_opts *opts;
    char *source;  /* source folder of the project, absolute */
    char *build;   /* where it is built */
    char *log;     /* what the commands printed */
    char *started; /* programs that they started; started.c */
    chk_test_vec tests;
    size_t n_left_out; /* tests that are not programs built with treadle cc */
} chk;

/* ---- project_test.c ---- */
char *chk_join(const char *dir, const char *name);
bool chk_exists(const char *dir, const char *name);
void chk_test_fini(chk_test *t);
void chk_test_copy(const chk_test *from, chk_test *to);

/* ---- command.c ---- */
typedef struct chk_command {
    const char *const *words; /* NULL ends them */
    const char *dir;          /* NULL: here */
    const sto_text_vec *env;  /* NAME=VALUE, besides ours; NULL: none */
    const char *output;       /* output file, overwritten; NULL: append to log */
    const char *log;
    uint64_t most_ms; /* 0: no limit */
} chk_command;
/* The exit status; 127: it cannot be started, 128: a signal or the time ended it. */
int chk_command_run(const chk_command *c);
/* The last lines of a file, for people. */
void chk_tail(const char *path, size_t n_lines, FILE *to);

/* ---- build_systems.c ---- */
TD_MUST_USE td_status chk_project(chk *c, td_diag *diag);
/* Runs the command instead; the programs it starts are the tests. */
TD_MUST_USE td_status chk_observe(chk *c, const char *const *words, td_diag *diag);

/* ---- build_systems.copy.c ---- */
TD_MUST_USE td_status chk_copy(const char *from, const char *to, td_diag *diag);

/* ---- started.c ---- */
/* Adds the programs of the list, each with its arguments once. */
void chk_started_read(chk *c);

/* ---- frameworks.c ---- */
/* Adds the test, or a test for each of its cases, to out. */
void chk_divide(const chk *c, const chk_test *t, chk_test_vec *out);
