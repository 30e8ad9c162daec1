/* SPDX-License-Identifier: Apache-2.0 */
/* store/manifest.h - the harnesses of a suite, as text.
 *
 * Purpose     One line per harness; '#' starts a comment line:
 *
 *                 treadle-suite 1
 *                 NAME [--OPTION[=VALUE]...] PROGRAM [ARGS...]
 *
 *             Options are those of `treadle run`, and what `treadle test` adds. PROGRAM is relative
 *             to the directory of the manifest. Words are quoted as in a recording.
 * Invariants  (O3) printing and parsing gives the same manifest; any bytes give a manifest or an
 *             error message; (O4) names are unique and can be names of directories.
 * Ownership   sto_manifest owns its texts.
 */
#pragma once

#include "store/store.h"

#define STO_MANIFEST "treadle.suite" /* its name in a directory */

typedef struct sto_harness {
    char *name;
    sto_text_vec options; /* with their dashes */
    sto_text_vec words;   /* the program and its arguments; at least one */
    uint32_t line;        /* line of the manifest; 0: it is in none */
} sto_harness;

TD_VEC(sto_harness, sto_harness_vec);

typedef struct sto_manifest {
    sto_harness_vec harnesses;
} sto_manifest;

TD_MUST_USE td_status sto_manifest_parse(const char *text, size_t len, sto_manifest *out,
                                         td_diag *diag);
void sto_manifest_print(const sto_manifest *m, td_text *out);
void sto_manifest_fini(sto_manifest *m);
/* False: names the broken invariant; why may be NULL. */
bool sto_manifest_valid(const sto_manifest *m, char *why, size_t size);

/* Letters, digits and "._+-", the first one neither a dot nor a dash, at most 64. */
bool sto_is_name(const char *text);
