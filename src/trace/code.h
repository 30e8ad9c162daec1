/* SPDX-License-Identifier: Apache-2.0 */
/* trace/code.h - looks up code addresses in debug information. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* A range of code, and the function whose it is. */
typedef struct trc_code_range {
    uint64_t low, high;
    Dwarf_Off function;
} trc_code_range;

TD_VEC(trc_code_range, trc_code_range_vec);

/* The functions of a unit. */
typedef struct trc_code_unit {
    Dwarf_Off at;
    trc_code_range_vec ranges;
} trc_code_unit;

TD_VEC(trc_code_unit, trc_code_unit_vec);

/* Debug information of a file, with the functions of units that were asked for: a unit of C++ is large, and walked
 * through once. */
typedef struct trc_code {
    Dwarf *dwarf; /* NULL: no debug information */
    trc_code_unit_vec units;
} trc_code;

void trc_code_fini(trc_code *code);

/* A function round an address: inlined, or the one that the linker knows. */
typedef struct trc_code_scope {
    const char *function;
    const char *symbol; /* its linker symbol; NULL: the same as its name */
    const char *file;   /* file of the inlined call; NULL: not inlined, or unknown */
    uint32_t line;
} trc_code_scope;

/* The compilation unit of the address. */
bool trc_code_find_unit(Dwarf *dwarf, uint64_t pc, Dwarf_Die *unit);
/* Lists at most max functions that contain the address, innermost first. Returns their number; 0 if none is
 * known. */
size_t trc_code_scopes(trc_code *code, Dwarf_Die *unit, uint64_t pc, trc_code_scope *out,
                       size_t max);
/* Finds the local variable at a memory address, and the offset within it, for the function that contains pc
 * and has this frame pointer. False: none is known. */
bool trc_code_local(trc_code *code, Dwarf_Die *unit, uint64_t pc, uint64_t frame,
                    uint64_t address, Dwarf_Die *out, uint64_t *offset);
/* Returns the line of the address pc, in the function that starts at `start`; NULL if it has none. */
Dwarf_Line *trc_code_line(Dwarf_Die *unit, uint64_t pc, uint64_t start);
