/* SPDX-License-Identifier: Apache-2.0 */
/* trace/build_records.h - the commands that a program was built by, as treadle cc kept them in it (wire/build.h).
 *
 * Invariants  Nothing in the file is trusted: a record that is cut short, or has unknown fields, is left out.
 * Ownership   A trc_build owns its texts.
 */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "base/vec.h"

TD_VEC(char *, trc_build_text_vec);

typedef struct trc_build_source {
    char *path, *hash; /* hash: of its bytes, by td_id_print; "" if unknown */
} trc_build_source;
TD_VEC(trc_build_source, trc_build_source_vec);

/* A run of treadle cc. */
typedef struct trc_build {
    bool links;
    char *folder; /* where it ran */
    char *output; /* path of the object or program */
    trc_build_source_vec sources;
    trc_build_text_vec args; /* without -o and its file */
} trc_build;
TD_VEC(trc_build, trc_build_vec);

/* The records of a program; none if it has no such section. */
TD_MUST_USE td_status trc_builds_read(const char *program, trc_build_vec *out,
                                      td_diag *diag);
void trc_builds_fini(trc_build_vec *v);
