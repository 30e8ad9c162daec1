/* SPDX-License-Identifier: Apache-2.0 */
/* repair/edit.h - a change as an edit of source files.
 *
 * Purpose     Writes a change (rpr_change) as lines of C or C++, and the edit as a unified diff.
 * Words       edit: lines of source files that are replaced.  writable: a change that can be an edit.
 * Invariants  An edit adds, removes and replaces whole lines. Where the text leaves a doubt whether the edit is the change
 *             (a return in a section, a macro, a mutex without a name there), there is no edit and a sentence says why.
 *             Nothing here looks at types: the edited program has to be built and explored.
 */
#pragma once

#include "repair/repair_int.h"

/* Where the source file of a place is; NULL if it is not there. Caller frees. */
typedef char *(*rpr_locate)(void *ctx, const char *file);

#define RPR_EDITS 2u /* a change can be written in so many ways */
/* callees: functions called in the section that take its mutex, or "". False: there is no such edit, and out->why. */
bool rpr_edit_make(const rpr_change *c, const char *callees, unsigned way,
                   rpr_locate locate, void *ctx, rpr_edit *out);
void rpr_edit_fini(rpr_edit *e);

/* The file with its edit. */
void rpr_edit_apply(const rpr_file_edit *e, td_text *out);
/* Where a line of the file is in the edited one; 0: it is removed. */
uint32_t rpr_edit_line(const rpr_file_edit *e, uint32_t line);
/* A unified diff for `patch -p1`; the paths are relative to folder where they are inside of it. */
void rpr_edit_diff(const rpr_edit *e, const char *folder, td_text *out);
/* The path as the diff has it. */
const char *rpr_edit_path(const rpr_file_edit *e, const char *folder);
