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

#include "base/text.h"

/* Appends the path to out; nothing for offset 0 of something without parts. dwarf may be NULL. */
void trc_object_path(Dwarf *dwarf, const char *object, uint64_t offset, td_text *out);
