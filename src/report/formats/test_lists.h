/* SPDX-License-Identifier: Apache-2.0 */
/* report/formats/test_lists.h - the tests of a project, as build systems list them in JSON.
 *
 * Ownership   rep_test owns its texts. The bytes are not trusted: they give tests or an error message.
 */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "base/vec.h"

TD_VEC(char *, rep_word_vec);

typedef enum rep_test_list {
    REP_TESTS_CTEST, /* ctest --show-only=json-v1 */
    REP_TESTS_MESON  /* meson introspect --tests */
} rep_test_list;

typedef struct rep_test {
    char *name;
    rep_word_vec words; /* the program and its arguments */
    char *dir;          /* NULL: not said */
    rep_word_vec env;   /* NAME=VALUE */
} rep_test;

TD_VEC(rep_test, rep_test_vec);

TD_MUST_USE td_status rep_tests_read(rep_test_list kind, const char *text, size_t len,
                                     rep_test_vec *out, td_diag *diag);
void rep_tests_fini(rep_test_vec *tests);
