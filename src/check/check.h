/* SPDX-License-Identifier: Apache-2.0 */
/* check/check.h - the tests of a project, as harnesses.
 *
 * Purpose     Finds the build system of a folder, builds it with treadle cc in a folder of its own,
 *             lists its tests, divides test programs by case, and writes a manifest that the suite
 *             runs.
 * Words       test: a program of the project with arguments, a directory and an environment.
 *             case: a part of a test program that its framework can run alone.
 * Invariants  (K1) nothing is written outside the working folder; (K2) a test that cannot be explored is
 *             named, never left out in silence; (K3) no child outlives its time.
 * Ownership   chk_opts is borrowed for the call.
 * Threads     None.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

typedef struct chk_opts {
    const char *dir;      /* folder of the project */
    const char *work;     /* folder of our own; absolute */
    const char *compiler; /* treadle-cc; absolute */
    char *const *command; /* instead of the build system's tests; n_command words */
    size_t n_command;
    uint32_t jobs;
    FILE *err;
} chk_opts;

/* Builds and writes the manifest work/treadle.suite; *n_tests: its harnesses. Fails with a message if the
 * project has no tests that can be explored. */
TD_MUST_USE td_status chk_prepare(const chk_opts *opts, size_t *n_tests, td_diag *diag);
