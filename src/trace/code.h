/* SPDX-License-Identifier: Apache-2.0 */
/* trace/code.h - what debug information says of an address in a file's code. */
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
    Dwarf *dwarf; /* NULL: there is none */
    trc_code_unit_vec units;
} trc_code;

void trc_code_fini(trc_code *code);

/* A function round an address: inlined, or the one that the linker knows. */
typedef struct trc_code_scope {
    const char *function;
    const char *symbol; /* by which the linker would know it; NULL: its name */
    const char
        *file; /* of the call that was inlined; NULL: it was not, or that is not known */
    uint32_t line;
} trc_code_scope;

/* The compilation unit of the address. */
bool trc_code_find_unit(Dwarf *dwarf, uint64_t pc, Dwarf_Die *unit);
/* The functions round the address, innermost first; 0: none is known. Of more than max, the outer ones are left out. */
size_t trc_code_scopes(trc_code *code, Dwarf_Die *unit, uint64_t pc, trc_code_scope *out,
                       size_t max);
/* The variable, of the function round the address of code, that has an address of memory, and where in it that is:
 * the function has this frame pointer. False: none is known. */
bool trc_code_local(trc_code *code, Dwarf_Die *unit, uint64_t pc, uint64_t frame,
                    uint64_t address, Dwarf_Die *out, uint64_t *offset);
/* Its line, in the function that starts at start; NULL: it has none. */
Dwarf_Line *trc_code_line(Dwarf_Die *unit, uint64_t pc, uint64_t start);
