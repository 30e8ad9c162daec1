/* SPDX-License-Identifier: Apache-2.0 */
/* Function, line and inlined calls of an address of code, by its debug information. */
#include "trace/code.h"

#include <dwarf.h>
#include <stdlib.h>

/* The compilation unit of an address of the file. Address tables (.debug_aranges) are
 * not there with clang, so all units are asked. */
bool trc_code_unit(Dwarf *dwarf, uint64_t pc, Dwarf_Die *unit)
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

const char *trc_code_function(Dwarf_Die *unit, uint64_t pc)
{
    Dwarf_Die *scopes = NULL;
    const char *name = NULL;
    int n = dwarf_getscopes(unit, pc, &scopes);
    for (int i = 0; i < n && !name; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            name = dwarf_diename(&scopes[i]);
    }
    free(scopes);
    return name;
}

/* Instructions that stand for nothing in the source take the line before them, of the function
 * that starts there. */
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

/* The file and line of the call that an inlined function stands for. */
static bool call_of(Dwarf_Die *unit, Dwarf_Die *inlined, trc_code_call *out)
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
        return false;
    out->file = dwarf_filesrc(files, file, NULL, NULL);
    out->line = (uint32_t)line;
    return out->file != NULL;
}

static bool is_function(Dwarf_Die *scope)
{
    int tag = dwarf_tag(scope);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* What stands round an inlined function in the code; the scopes of an address leave that out, and continue
 *  with what stands round its definition. */
static int scopes_round(Dwarf_Die *unit, uint64_t pc, Dwarf_Die **out)
{
    Dwarf_Die *scopes = NULL;
    int n = dwarf_getscopes(unit, pc, &scopes), i = 0, found = 0;
    while (i < n && !is_function(&scopes[i]))
        i++;
    if (i < n)
        found = dwarf_getscopes_die(&scopes[i], out);
    free(scopes);
    return found;
}

size_t trc_code_inlined(Dwarf_Die *unit, uint64_t pc, trc_code_call *out, size_t max)
{
    Dwarf_Die *scopes = NULL;
    int n = scopes_round(unit, pc, &scopes), from = 0;
    size_t found = 0;
    while (from < n && found < max && dwarf_tag(&scopes[from]) != DW_TAG_subprogram) {
        int to = from + 1;
        while (to < n && !is_function(&scopes[to]))
            to++;
        const char *caller = to < n ? dwarf_diename(&scopes[to]) : NULL;
        if (!caller || !call_of(unit, &scopes[from], &out[found]))
            break;
        out[found++].function = caller;
        from = to;
    }
    free(scopes);
    return found;
}
