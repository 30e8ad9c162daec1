/* SPDX-License-Identifier: Apache-2.0 */
/* trace/objects.h - what lies at an offset of a global object, by the debug information.
 *
 * Purpose     "[1].lock" for the offset of that member in an array of structs, so that reports
 *             name objects as the source does.
 * Invariants  Debug information that does not fit gives "+offset", never a crash.
 */
#pragma once

#include <elfutils/libdw.h>
#include <stdint.h>

#include "base/map.h"
#include "base/text.h"
#include "trace/site_table.h"

/* The position of a variable in the debug information. */
typedef struct trc_variable {
    enum { TRC_VARIABLE_NONE, TRC_VARIABLE_FOUND } state;
    Dwarf_Off at; /* valid if FOUND */
} trc_variable;

/* The variables of an image outside of functions, by a hash of each name. All zero: the debug information was not read yet. */
TD_MAP(uint64_t, Dwarf_Off, trc_variable_map, td_hash_number, td_same_number);
typedef struct trc_variables {
    bool is_read;
    trc_variable_map by_name;
} trc_variables;

/* dwarf may be NULL. */
trc_variable trc_variable_find(trc_variables *all, Dwarf *dwarf, const char *name);
void trc_variables_fini(trc_variables *all);
/* Appends the path to out; nothing for offset 0 of something without parts. part, unless NULL, becomes what
 * lies there if that is a number or a pointer. */
void trc_object_path(Dwarf *dwarf, trc_variable variable, uint64_t offset, td_text *out,
                     trc_part *part);
