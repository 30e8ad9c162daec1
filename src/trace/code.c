/* SPDX-License-Identifier: Apache-2.0 */
/* Function, line and inlined calls of an address of code, by its debug information. */
#include "trace/code.h"

#include <dwarf.h>

/* The compilation unit of an address of the file. Address tables (.debug_aranges) are
 * not there with clang, so all units are asked. */
bool trc_code_find_unit(Dwarf *dwarf, uint64_t pc, Dwarf_Die *unit)
{
    Dwarf_Off at = 0, next;
    size_t head;
    while (dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0) {
        if (dwarf_offdie(dwarf, at + head, unit) && dwarf_haspc(unit, pc) == 1)
            return true;
        at = next;
    }
    return false;
}

/* Instructions without a source line get the preceding line of the function that starts at `start`. */
Dwarf_Line *trc_code_line(Dwarf_Die *unit, uint64_t pc, uint64_t start)
{
    for (;;) {
        Dwarf_Line *line = dwarf_getsrc_die(unit, pc);
        int number = 0;
        Dwarf_Addr at = 0;
        if (!line || dwarf_lineno(line, &number) != 0)
            return NULL;
        if (number > 0)
            return line;
        if (dwarf_lineaddr(line, &at) != 0 || at <= start || at > pc)
            return NULL;
        pc = at - 1;
    }
}

/* ---- functions of a unit ---- */

#define MOST_DEPTH 64 /* nesting of scopes */

static void add_ranges(trc_code_unit *u, Dwarf_Die *function)
{
    Dwarf_Addr base = 0, low = 0, high = 0;
    ptrdiff_t at = 0;
    while ((at = dwarf_ranges(function, at, &base, &low, &high)) > 0)
        trc_code_range_vec_push(&u->ranges,
                                (trc_code_range){low, high, dwarf_dieoffset(function)});
}

static bool has_functions(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
           tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* Adds the functions of a unit, its namespaces and its types. */
static void add_functions(trc_code_unit *u, Dwarf_Die *unit)
{
    Dwarf_Die at[MOST_DEPTH];
    int depth = dwarf_child(unit, &at[0]) == 0 ? 1 : 0;
    while (depth > 0) {
        Dwarf_Die *last = &at[depth - 1];
        if (dwarf_tag(last) == DW_TAG_subprogram)
            add_ranges(u, last);
        if (depth < MOST_DEPTH && has_functions(dwarf_tag(last)) &&
            dwarf_child(last, &at[depth]) == 0) {
            depth++;
            continue;
        }
        while (depth > 0 && dwarf_siblingof(&at[depth - 1], &at[depth - 1]) != 0)
            depth--;
    }
}

static const trc_code_unit *functions_of(trc_code *code, Dwarf_Die *unit)
{
    Dwarf_Off at = dwarf_dieoffset(unit);
    for (size_t i = 0; i < code->units.len; i++)
        if (code->units.at[i].at == at)
            return &code->units.at[i];
    trc_code_unit fresh = {.at = at};
    add_functions(&fresh, unit);
    trc_code_unit_vec_push(&code->units, fresh);
    return &code->units.at[code->units.len - 1];
}

static bool find_function(const trc_code_unit *u, Dwarf *dwarf, uint64_t pc,
                          Dwarf_Die *out)
{
    for (size_t i = 0; i < u->ranges.len; i++)
        if (pc >= u->ranges.at[i].low && pc < u->ranges.at[i].high)
            return dwarf_offdie(dwarf, u->ranges.at[i].function, out) != NULL;
    return false;
}

void trc_code_fini(trc_code *code)
{
    for (size_t i = 0; i < code->units.len; i++)
        trc_code_range_vec_fini(&code->units.at[i].ranges);
    trc_code_unit_vec_fini(&code->units);
    if (code->dwarf)
        dwarf_end(code->dwarf);
}

/* ---- scopes of an address ---- */

/* Adds the file and line of the call that was inlined. */
static void put_call(Dwarf_Die *unit, Dwarf_Die *inlined, trc_code_scope *out)
{
    Dwarf_Attribute attribute;
    Dwarf_Word line = 0, file = 0;
    Dwarf_Files *files = NULL;
    size_t n = 0;
    if (!dwarf_attr(inlined, DW_AT_call_line, &attribute) ||
        dwarf_formudata(&attribute, &line) != 0 ||
        !dwarf_attr(inlined, DW_AT_call_file, &attribute) ||
        dwarf_formudata(&attribute, &file) != 0 ||
        dwarf_getsrcfiles(unit, &files, &n) != 0 || file >= n)
        return;
    out->file = dwarf_filesrc(files, file, NULL, NULL);
    out->line = (uint32_t)line;
}

static trc_code_scope scope_of(Dwarf_Die *unit, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    trc_code_scope out = {.function = dwarf_diename(function)};
    if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute))
        out.symbol = dwarf_formstring(&attribute);
    if (dwarf_tag(function) == DW_TAG_inlined_subroutine)
        put_call(unit, function, &out);
    return out;
}

/* The scope inside this one that has the address. */
static bool step_in(Dwarf_Die *scope, uint64_t pc, Dwarf_Die *out)
{
    Dwarf_Die child;
    for (int status = dwarf_child(scope, &child); status == 0;
         status = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        bool is_scope = tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
                        tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
        if (!is_scope || dwarf_haspc(&child, pc) != 1)
            continue;
        *out = child;
        return true;
    }
    return false;
}

size_t trc_code_scopes(trc_code *code, Dwarf_Die *unit, uint64_t pc, trc_code_scope *out,
                       size_t max)
{
    Dwarf_Die functions[MOST_DEPTH], at;
    size_t n = 0, found = 0;
    if (!find_function(functions_of(code, unit), code->dwarf, pc, &at))
        return 0;
    functions[n++] = at;
    for (int depth = 0; depth < 4 * MOST_DEPTH && n < MOST_DEPTH; depth++) {
        Dwarf_Die inner;
        if (!step_in(&at, pc, &inner))
            break;
        at = inner;
        if (dwarf_tag(&at) == DW_TAG_inlined_subroutine)
            functions[n++] = at;
    }
    while (n-- > 0 && found < max) {
        out[found] = scope_of(unit, &functions[n]);
        if (!out[found].function)
            break;
        found++;
    }
    return found;
}

/* ---- variables on the stack ---- */

/* Frame pointers of x86-64 and AArch64, as numbers of registers. */
static bool has_frame_pointer(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops = NULL;
    size_t n = 0;
    return dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) &&
           dwarf_getlocation(&attribute, &ops, &n) == 0 && n == 1 &&
           (ops[0].atom == DW_OP_reg6 || ops[0].atom == DW_OP_reg29);
}

/* Finds the offset of a variable from the frame pointer; false if it is not in the frame. */
static bool frame_offset(Dwarf_Die *variable, uint64_t pc, uint64_t *out)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops = NULL;
    size_t n = 0;
    if (!dwarf_attr_integrate(variable, DW_AT_location, &attribute) ||
        dwarf_getlocation_addr(&attribute, pc, &ops, &n, 1) != 1 || n != 1 ||
        ops[0].atom != DW_OP_fbreg)
        return false;
    *out = ops[0].number;
    return true;
}

static uint64_t size_of(Dwarf_Die *variable)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Word size = 0;
    if (!dwarf_formref_die(dwarf_attr_integrate(variable, DW_AT_type, &attribute),
                           &type) ||
        dwarf_aggregate_size(&type, &size) != 0)
        return 0;
    return size;
}

/* Searches the scope itself, not the scopes nested in it. */
static bool find_local(Dwarf_Die *scope, uint64_t pc, uint64_t distance, Dwarf_Die *out,
                       uint64_t *offset)
{
    Dwarf_Die child;
    for (int status = dwarf_child(scope, &child); status == 0;
         status = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        uint64_t at = 0;
        if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
            !dwarf_diename(&child) || !frame_offset(&child, pc, &at) ||
            distance - at >= size_of(&child))
            continue;
        *out = child;
        *offset = distance - at;
        return true;
    }
    return false;
}

bool trc_code_local(trc_code *code, Dwarf_Die *unit, uint64_t pc, uint64_t frame,
                    uint64_t address, Dwarf_Die *out, uint64_t *offset)
{
    Dwarf_Die at, inner;
    if (!find_function(functions_of(code, unit), code->dwarf, pc, &at) ||
        !has_frame_pointer(&at))
        return false;
    bool found = find_local(&at, pc, address - frame, out, offset);
    for (int depth = 0; depth < 4 * MOST_DEPTH && step_in(&at, pc, &inner); depth++) {
        at = inner;
        found |= find_local(&at, pc, address - frame, out, offset);
    }
    return found;
}
