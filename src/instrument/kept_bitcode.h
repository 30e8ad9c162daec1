/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/kept_bitcode.h - bitcode kept in an object, from which it can be made once more.
 *
 * Purpose     An object of `cc -c` has no code that follows symbolic values, unless it makes
 *             inputs itself. The link knows whether the program does, and makes the objects again.
 * Words       light: an object without that code.
 * Invariants  (K1) a light object has the bitcode it was made from, packed, in a section that the last
 *             link drops, and a site (WIRE_NOT_FOLLOWED) that stays; (K2) an object that makes inputs has
 *             the section INPUTS_SECTION; (K3) objects are files of others: every byte is checked.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "instrument/instrument.h"

/* What an object contains for treadle cc. */
typedef struct ins_kept {
    bool is_light;
    bool makes_inputs;
    /* In the bytes looked at; NULL: no bitcode, or of several objects. */
    const char *packed;
    size_t size;   /* size of the packed data */
    ins_opts opts; /* how it became an object; without inline_bc */
} ins_kept;

/* Examines an object in memory; *out is empty if it is not an object. */
void ins_kept_look(const char *bytes, size_t len, ins_kept *out);

/* Unpacks the bitcode of an object that has some. Fails on invalid data. */
TD_MUST_USE td_status ins_kept_unpack(const ins_kept *kept, td_text *out, td_diag *diag);

/* Packs a file of bitcode in its place. */
TD_MUST_USE td_status ins_kept_pack(const char *path, td_diag *diag);

/* The text for the assembler that puts the sections of (K1), (K2) into an object. */
void ins_kept_write(const char *packed, const ins_opts *opts, td_text *out);
void ins_kept_write_inputs(td_text *out);
