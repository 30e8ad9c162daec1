/* SPDX-License-Identifier: Apache-2.0 */
/* trace/site_files.h - the files that a site table names, each once.
 *
 * Purpose     The table names files as the compiler was given them, the debug information often in full: one
 *             file must have one name. Tables are long, and have few files.
 * Ownership   Names are borrowed from the table. */
#pragma once

#include <stdbool.h>

#include "base/vec.h"

TD_VEC(const char *, trc_file_vec);

/* Adds a name if it is new. */
void trc_file_add(trc_file_vec *files, const char *file);
/* Returns the name that the table has for the file of this path; the path itself if it has none. */
const char *trc_file_named(const trc_file_vec *files, const char *path);
/* True if a unit of the debug information was compiled from one of the files. */
bool trc_file_is_unit(const trc_file_vec *files, const char *unit);
