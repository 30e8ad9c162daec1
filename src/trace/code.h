/* SPDX-License-Identifier: Apache-2.0 */
/* trace/code.h - what debug information says of an address in a file's code. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A call that was inlined. */
typedef struct trc_code_call {
    const char *file, *function; /* of the caller */
    uint32_t line;
} trc_code_call;

/* The compilation unit of the address. */
bool trc_code_unit(Dwarf *dwarf, uint64_t pc, Dwarf_Die *unit);
/* The innermost function, inlined or not; NULL: it is not known. */
const char *trc_code_function(Dwarf_Die *unit, uint64_t pc);
/* Its line, in the function that starts at start; NULL: it has none. */
Dwarf_Line *trc_code_line(Dwarf_Die *unit, uint64_t pc, uint64_t start);
/* The calls that were inlined round the address, innermost first. */
size_t trc_code_inlined(Dwarf_Die *unit, uint64_t pc, trc_code_call *out, size_t max);
